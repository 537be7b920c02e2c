//! What errors of reviewers would do to the rates, and what they seem to be.

use foureyes_calibration::calibration::{
    ReviewerError, ReviewerRow, ReviewersRow, SecondWords, Seconds, TippingPoint, TippingReason,
    Word,
};
use foureyes_calibration::stats::binomial;
use foureyes_core::domain::Outcome;
use foureyes_page::page::{Role, Row, Text, Untrusted, counted, number};
use foureyes_page::text;

/// What a block on it is called.
pub const TITLE: &str = "Reviewer error";

/// How wrong labels must be to turn a rate, how wrong they seem, and what second labels said; none where
/// nothing can be said.
pub fn rows(all: &ReviewerError) -> Vec<Row> {
    let mut texts: Vec<(Role, Text)> =
        all.tipping.iter().map(|t| (Role::Text, tipping(t))).collect();
    texts.extend(all.estimates.iter().map(|row| (Role::Dim, estimate(row))));
    if !texts.is_empty() {
        if all.estimates.is_empty() {
            texts.push((Role::Dim, NO_ESTIMATE.into()));
        }
        texts.push((Role::Dim, "For information: the decision treats labels as correct.".into()));
    }
    texts.extend(second_labels(&all.second_words).into_iter().map(|text| (Role::Dim, text)));
    let row =
        |(at, (role, text)): (usize, (Role, Text))| Row::new(role, text).focus(at.to_string());
    texts.into_iter().enumerate().map(row).collect()
}

const NO_ESTIMATE: &str =
    "The reviewers' own error cannot be estimated: no two reviewers labelled the same record.";

/// What came of second labels, a sentence a kind; none where none are asked for.
fn second_labels(all: &SecondWords) -> Vec<Text> {
    let mut texts = Vec::new();
    if all.doubles.drawn > 0 {
        let (share, seconds) = (number::percent(all.share), seconds(&all.doubles));
        let by_one = match all.by_one {
            0 => Text::EMPTY,
            count => text!("; {} by one person", count),
        };
        texts.push(text!(
            "Double labels ({} of the sample, drawn before any label; they count): {}{}",
            share,
            seconds,
            by_one
        ));
    }
    let asked = |seconds: &&Seconds| seconds.drawn > 0 || all.two_of_three.is_none();
    if let Some(confirmations) = all.confirmations.as_ref().filter(asked) {
        texts.push(match all.two_of_three {
            Some(_) => text!(
                "Second labels on records called poor (two of three labels decide): {}",
                seconds(confirmations)
            ),
            None => text!("Second labels that poor needs to count: {}", seconds(confirmations)),
        });
    }
    for (what, some) in
        [("GO called poor", &all.poor), ("random GO called acceptable", &all.partners)]
    {
        if some.drawn > 0 {
            texts.push(text!("Second labels on {} (in no rate): {}", what, seconds(some)));
        }
    }
    texts
}

/// `8 of 12 given; 1 of 8 differs (12.5 %, 0.3 to 52.7 %), 1 unsettled`.
fn seconds(s: &Seconds) -> Text {
    let given = text!("{} of {} given", s.given, s.drawn);
    let Some((share, ends)) = binomial::share(s.differ, s.given) else { return given };
    let differ = if s.differ == 1 { "differs" } else { "differ" };
    let ends = number::share_ends(Some(ends.lower), Some(ends.upper)).unwrap_or_default();
    let open = if s.open > 0 { text!(", {} unsettled", s.open) } else { Text::EMPTY };
    let share = number::percent(share);
    text!("{}; {} of {} {} ({}, {}){}", given, s.differ, s.given, differ, share, ends, open)
}

fn title(outcome: Outcome) -> &'static str {
    if outcome == Outcome::NoGo { "NO-GO" } else { "GO" }
}

fn tipping(t: &TippingPoint) -> Text {
    let (stratum, threshold) = (title(t.outcome), number::percent(t.threshold));
    let truly = t.truly.as_str();
    let called = if t.truly == Word::Poor { "acceptable" } else { "poor" };
    let wrong = counted(t.labels.unwrap_or_default(), "label", "labels");
    let then = match (t.error, t.reason) {
        (Some(error), _) => text!(
            "it would reach its threshold of {} if reviewers called {} of the {} {} content {} (at \
             least {})",
            threshold,
            number::percent(error),
            truly,
            stratum,
            called,
            wrong
        ),
        (None, Some(TippingReason::NoneSeen)) => text!(
            "no {} label says {}; it would reach its threshold of {} if at least {} of {} content \
             were wrong",
            stratum,
            truly,
            threshold,
            wrong,
            stratum
        ),
        (None, Some(TippingReason::NothingElse)) => text!(
            "no other label says {}, so no reviewer error can be given that would turn it",
            called
        ),
        (None, _) => text!(
            "even if all {} content were {}, it would stay below its threshold of {}",
            stratum,
            truly,
            threshold
        ),
    };
    text!("{} {}: {}", t.kpi.title(), number::percent(t.estimate), then)
}

fn estimate(row: &ReviewersRow) -> Text {
    let mut text = text!(
        "{} by Dawid and Skene, {} labelled, {} by several reviewers: {} poor; {}",
        title(row.outcome),
        counted(row.records, "record", "records"),
        row.shared,
        number::percent(row.poor),
        Text::joined(row.reviewers.iter().map(reviewer), "; ")
    );
    if !row.determined {
        text.push(". Rough: other values fit two reviewers equally well; a third would settle it");
    }
    if !row.converged {
        text.push(". The computation did not converge");
    }
    text
}

/// `anna calls 3.0 % of poor content acceptable and 1.0 % of acceptable content poor (120 labels)`.
fn reviewer(r: &ReviewerRow) -> Text {
    let overlooked =
        r.overlooked.map(|o| text!("{} of poor content acceptable", number::percent(o)));
    let imagined = r.imagined.map(|i| text!("{} of acceptable content poor", number::percent(i)));
    let calls = Text::joined(overlooked.into_iter().chain(imagined), " and ");
    let labels = counted(r.labels, "label", "labels");
    text!("{} calls {} ({})", Untrusted(&r.name), calls, labels)
}
