//! What errors of reviewers would do to the rates, in words.

use crate::calibration::{
    ReviewerError, ReviewersRow, SecondWords, Seconds, TippingPoint, TippingReason, Word,
};
use crate::domain::Outcome;
use crate::report::counted;
use crate::report::number::{percent, share_ends};
use crate::stats::binomial;

/// The sentences on it, the same in every form and on the screen; none where no error rate has an
/// estimate. Names of reviewers in them are raw: escape them before they are shown.
pub fn reviewer_error(all: &ReviewerError) -> Vec<String> {
    let mut lines: Vec<String> = all.tipping.iter().map(tipping).collect();
    lines.extend(all.estimates.iter().map(estimate));
    if lines.is_empty() {
        return second_words(&all.second_words);
    }
    if all.estimates.is_empty() {
        lines.push(
            "The reviewers' own error cannot be estimated: no two reviewers labelled the same \
             record."
                .to_owned(),
        );
    }
    lines.push("None of this decides: the gate takes the labels as the truth.".to_owned());
    lines.extend(second_words(&all.second_words));
    lines
}

/// What came of second words, a sentence a kind; none where none are asked for.
fn second_words(all: &SecondWords) -> Vec<String> {
    let mut lines = Vec::new();
    if all.doubles.drawn > 0 {
        let share = percent(all.share);
        lines.push(format!(
            "Double labels ({share} of the sample, drawn before any label; they count): {}",
            seconds(&all.doubles)
        ));
    }
    if let Some(confirmations) = &all.confirmations {
        lines.push(format!("Second labels that poor needs to count: {}", seconds(confirmations)));
    }
    for (what, some) in
        [("GO called poor", &all.poor), ("random GO called acceptable", &all.partners)]
    {
        if some.drawn > 0 {
            lines.push(format!(
                "Second labels on {what} (they count in no rate): {}",
                seconds(some)
            ));
        }
    }
    lines
}

/// `8 of 12 given; 1 of 8 differs (12.5 %, 0.3 to 52.7 %), 1 unsettled`.
fn seconds(s: &Seconds) -> String {
    let given = format!("{} of {} given", s.given, s.drawn);
    let Some((share, ends)) = binomial::share(s.differ, s.given) else { return given };
    let differ = if s.differ == 1 { "differs" } else { "differ" };
    let ends = share_ends(Some(ends.lower), Some(ends.upper)).unwrap_or_default();
    let open = if s.open > 0 { format!(", {} unsettled", s.open) } else { String::new() };
    format!("{given}; {} of {} {differ} ({}, {ends}){open}", s.differ, s.given, percent(share))
}

fn title(outcome: Outcome) -> &'static str {
    if outcome == Outcome::NoGo { "NO-GO" } else { "GO" }
}

fn tipping(t: &TippingPoint) -> String {
    let (stratum, threshold) = (title(t.outcome), percent(t.threshold));
    let truly = t.truly.as_str();
    let called = if t.truly == Word::Poor { "acceptable" } else { "poor" };
    let labels = t.labels.unwrap_or_default();
    let wrong = counted(labels, "label", "labels");
    let then = match (t.error, t.reason) {
        (Some(error), _) => format!(
            "it would reach its threshold of {threshold} if reviewers called {} of the {truly} \
             {stratum} content {called} (at least {wrong})",
            percent(error)
        ),
        (None, Some(TippingReason::NoneSeen)) => format!(
            "no {stratum} label says {truly}; it would reach its threshold of {threshold} if at \
             least {wrong} of {stratum} content were wrong"
        ),
        (None, Some(TippingReason::NothingElse)) => format!(
            "no other label says {called}, so no reviewer error can be given that would turn it"
        ),
        (None, _) => format!(
            "even if all {stratum} content were {truly}, it would stay below its threshold of \
             {threshold}"
        ),
    };
    format!("{} {}: {then}", t.kpi.title(), percent(t.estimate))
}

fn estimate(row: &ReviewersRow) -> String {
    let one = |r: &crate::calibration::ReviewerRow| {
        let overlooked = r.overlooked.map(|o| format!("{} of poor content acceptable", percent(o)));
        let imagined = r.imagined.map(|i| format!("{} of acceptable content poor", percent(i)));
        let calls: Vec<String> = overlooked.into_iter().chain(imagined).collect();
        let labels = counted(r.labels, "label", "labels");
        format!("{} calls {} ({labels})", r.name, calls.join(" and "))
    };
    let each: Vec<String> = row.reviewers.iter().map(one).collect();
    let mut text = format!(
        "{} by Dawid and Skene, {} labelled, {} by several reviewers: {} poor; {}",
        title(row.outcome),
        counted(row.records, "record", "records"),
        row.shared,
        percent(row.poor),
        each.join("; ")
    );
    if !row.determined {
        text += ". Rough: other values fit two reviewers equally well; a third would settle it";
    }
    if !row.converged {
        text += ". The computation did not converge";
    }
    text
}
