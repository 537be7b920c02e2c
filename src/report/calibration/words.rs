//! Rates of parts, other rules and drift, in words.

use crate::assess::{CUSUM, Point, Week};
use crate::calibration::{
    Candidate, Compared, Comparison, FlagRate, Part, PartRate, Replayed, ReplayedRate,
};
use crate::domain::Dimension;
use crate::report::counted;
use crate::report::number::{p_value, percent, share_ends};

/// A rate of a part: `FPR 6.2 %, 3.1 to 12.3 %, 64 labels`.
pub fn part_rate(rate: &PartRate) -> String {
    let ends = share_ends(Some(rate.lower), Some(rate.upper)).unwrap_or_default();
    let labels = counted(rate.labels, "label", "labels");
    let share = percent(rate.estimate);
    format!("{} {share}, {ends}, {labels}", rate.id.definition().symbol.to_uppercase())
}

/// The share of a part that was flagged: `NO-GO rate 30.0 %, 24.1 to 36.4 %, 200 contents`.
pub fn flag_rate(part: &Part) -> String {
    let FlagRate { estimate, lower, upper } = part.flag_rate;
    let ends = share_ends(Some(lower), Some(upper)).unwrap_or_default();
    let contents = counted(part.contents.iter().sum::<u64>(), "content", "contents");
    format!("NO-GO rate {}, {ends}, {contents}", percent(estimate))
}

/// That a part differs from the rest: `differs in FPR: 30 of 90 labels, others 40 of 400, p 0.0002`. The p-value
/// is the adjusted one.
pub fn difference(one: &Comparison) -> String {
    let (rate, of) = compared(one.id);
    let ([hits, all], [other_hits, others]) = (one.part, one.rest);
    let p = p_value(one.adjusted);
    format!("differs in {rate}: {hits} of {all} {of}, others {other_hits} of {others}, p {p}")
}

/// What is compared, and what its cases are among.
fn compared(id: Compared) -> (String, &'static str) {
    let marked_down = |dimension: Dimension| format!("{} marked down", dimension.as_str());
    match id {
        Compared::SemanticMarkedDown => (marked_down(Dimension::Semantic), "scores"),
        Compared::PragmaticMarkedDown => (marked_down(Dimension::Pragmatic), "scores"),
        Compared::SyntacticMarkedDown => (marked_down(Dimension::Syntactic), "scores"),
        Compared::FlaggedAgain => ("NO-GO again".to_owned(), "next versions"),
        _ => match id.measure() {
            Some(measure) => (measure.definition().symbol.to_uppercase(), "labels"),
            None => ("NO-GO rate".to_owned(), "contents"),
        },
    }
}

/// What a rule looks at: a dimension by its place, and behind them the mean.
pub fn slider(at: usize) -> &'static str {
    Dimension::ALL.get(at).map_or("average", |d| d.as_str())
}

/// A rule in words: `at least semantic 3.0, average 3.5`.
pub fn rule(candidate: &Candidate) -> String {
    let minima = candidate.minimum.iter().copied().chain([candidate.average]).enumerate();
    let parts = minima.filter_map(|(at, v)| Some(format!("{} {}", slider(at), score(v?))));
    format!("at least {}", parts.collect::<Vec<_>>().join(", "))
}

/// A score as it was asked for, with one decimal at least: `3.0`, `3.25`.
fn score(value: f32) -> String {
    let text = value.to_string();
    if text.contains('.') { text } else { format!("{text}.0") }
}

/// A rate under a rule: `4.7 %, 2.1 to 9.0 %`.
pub fn replayed_rate(rate: &ReplayedRate) -> String {
    let share = rate.estimate.map_or("not estimable".into(), percent);
    let ends = share_ends(Some(rate.lower), Some(rate.upper)).unwrap_or_default();
    format!("{share}, {ends}")
}

/// What a rule would newly flag and newly let pass.
pub fn replayed(one: &Replayed) -> String {
    let [flagged, passed] = one.flips;
    let unscored = match one.unscored {
        0 => String::new(),
        n => format!("; {n} lack a score and keep their verdict"),
    };
    format!("newly flagged {flagged}, newly passed {passed}, p {:.3}{unscored}", one.flips_p)
}

/// How far the scores of a week are from those of the first: `PSI 0.03, KS p 0.412`.
pub fn drifted(point: &Point) -> String {
    let known = |v: Option<f64>, digits: usize| {
        v.map_or("not comparable".to_owned(), |v| format!("{v:.digits$}"))
    };
    format!("PSI {}, KS p {}", known(point.stability, 2), known(point.p, 3))
}

/// The judges that came with a week. Their names are raw: escape them before they are shown.
pub fn new_judges(week: &Week) -> String {
    format!("week of {}: {}", week.monday, week.judges.join("; "))
}

/// What is read off the numbers of a week.
pub fn legend() -> String {
    format!(
        "PSI above 0.1 is looked at, above 0.25 acted on; CUSUM with allowance {} and limit {} \
         standard deviations of the first week.",
        CUSUM.0, CUSUM.1
    )
}
