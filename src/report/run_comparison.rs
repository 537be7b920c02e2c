//! A run of judging again beside what was said before, in words: the same in the console and for
//! the command. A p-value stands beside the counts that it is of, and is no chance of being alike.

use super::counted;
use crate::calibration::comparison::{Differs, LEAST, Reading, RunComparison};
use crate::page::number::{p_value, percent, share_ends};

/// What came of a comparison, a sentence a line; the first one has the counts.
pub fn compared(again: &RunComparison) -> Vec<String> {
    let mut lines = vec![counts(again)];
    lines.extend(beside(again));
    lines.extend(shares(again));
    lines.push(reading(again));
    lines
}

/// How many items stand in a pair, and how they went.
fn counts(again: &RunComparison) -> String {
    let pairs = &again.pairs;
    let alike = pairs.items - again.differing() - again.both_flagged;
    format!(
        "{} of {} compared: {} stayed NO-GO, {alike} stayed GO, {} went from GO to NO-GO, {} from NO-GO \
         to GO",
        pairs.items,
        counted(again.items, "item", "items"),
        again.both_flagged,
        pairs.second_only,
        pairs.first_only,
    )
}

/// What stands in no pair, and why.
fn beside(again: &RunComparison) -> Option<String> {
    let all = [
        (again.undetermined_before, "UNDETERMINED before"),
        (again.undetermined_now, "UNDETERMINED now"),
        (again.undetermined_both, "UNDETERMINED both times"),
        (again.no_verdict_before, "without a verdict before"),
        (again.no_verdict_now, "not judged now"),
        (again.other_content, "of another content"),
    ];
    let skipped: Vec<String> =
        all.iter().filter(|(n, _)| *n > 0).map(|(n, what)| format!("{n} {what}")).collect();
    (!skipped.is_empty()).then(|| format!("not compared: {}", skipped.join(", ")))
}

/// The share that differs and that of what is flagged, each with its interval.
fn shares(again: &RunComparison) -> Option<String> {
    let (share, ends) = again.differing_share()?;
    let (by, interval) = again.difference()?;
    let n = again.pairs.items;
    let points = |share: f64| format!("{:+.1}", share * 100.0);
    Some(format!(
        "{} of {n} differ: {} ({}); flagged {} of {n} before, {} of {n} now: {} points ({} to {}); at \
         95 % or more",
        again.differing(),
        percent(share),
        share_ends(Some(ends.lower), Some(ends.upper)).unwrap_or_default(),
        again.flagged_before(),
        again.flagged_now(),
        points(by),
        points(interval.lower),
        points(interval.upper),
    ))
}

fn reading(again: &RunComparison) -> String {
    let (more, fewer) = (again.pairs.second_only, again.pairs.first_only);
    let n = again.differing();
    let split = format!(
        "{n} {}, {more} to NO-GO and {fewer} to GO (McNemar, mid-p {})",
        if n == 1 { "differs" } else { "differ" },
        p_value(again.mid_p().unwrap_or(1.0))
    );
    match again.reading() {
        Reading::Nothing => "nothing to compare: no item has GO or NO-GO both times".to_owned(),
        Reading::NoneDiffers => {
            let n = again.pairs.items;
            let most = again.differing_share().map_or(1.0, |(_, ends)| ends.upper);
            let most = percent(most);
            format!("too few to tell: 0 of {n} differ; up to {most} could")
        }
        Reading::Few => {
            format!("too few to tell: {split}; below {LEAST}, any split may be chance")
        }
        Reading::Open => format!("no clear direction: {split}"),
        Reading::MoreFlagged => format!("more NO-GO than before: {split}"),
        Reading::FewerFlagged => format!("fewer NO-GO than before: {split}"),
    }
}

/// Whether a run asked the judge of the run that it repeats, or in what it differs.
pub fn judges(differs: &[Differs]) -> String {
    if differs.is_empty() {
        return "same judge and question, as far as is known: differences are noise".to_owned();
    }
    let words: Vec<&str> = differs.iter().copied().map(differing).collect();
    format!("another {}: differences are noise or due to that", words.join(", another "))
}

fn differing(what: Differs) -> &'static str {
    match what {
        Differs::Question => "question",
        Differs::Model => "model",
        Differs::Served => "model that answers",
        Differs::Settings => "endpoint or setting",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::paired::Paired;

    fn again(first_only: u64, second_only: u64, items: u64) -> RunComparison {
        RunComparison {
            items: items + 3,
            pairs: Paired { first_only, second_only, items },
            both_flagged: 0,
            undetermined_before: 0,
            undetermined_now: 2,
            undetermined_both: 0,
            no_verdict_before: 1,
            no_verdict_now: 0,
            other_content: 0,
        }
    }

    #[test]
    fn p_value_is_shown_with_counts_and_intervals() {
        let text = compared(&again(1, 7, 20)).join("\n");
        for part in [
            "20 of 23 items compared: 0 stayed NO-GO, 12 stayed GO, 7 went from GO to NO-GO, 1 from NO-GO to GO",
            "not compared: 2 UNDETERMINED now, 1 without a verdict before",
            "8 of 20 differ: 40.0 % (19.1 to 63.9 %)",
            "flagged 1 of 20 before, 7 of 20 now: +30.0 points (-14.5 to +62.1); at 95 % or more",
            "more NO-GO than before: 8 differ, 7 to NO-GO and 1 to GO (McNemar, mid-p 0.0391)",
        ] {
            assert!(text.contains(part), "{part}: {text}");
        }
    }

    #[test]
    fn few_differences_do_not_claim_agreement() {
        let text =
            |first, second, items| compared(&again(first, second, items)).pop().unwrap_or_default();
        let none = text(0, 0, 20);
        assert_eq!(none, "too few to tell: 0 of 20 differ; up to 16.8 % could");
        let few = text(0, 3, 20);
        assert!(few.starts_with("too few to tell: 3 differ, 3 to NO-GO and 0 to GO"), "{few}");
        assert!(few.ends_with("below 5, any split may be chance"), "{few}");
        assert!(text(5, 6, 20).starts_with("no clear direction: 11 differ"), "{}", text(5, 6, 20));
        assert!(text(0, 0, 0).starts_with("nothing to compare"), "{}", text(0, 0, 0));
        for text in [none, few, text(5, 6, 20)] {
            assert!(!text.contains("same") && !text.contains("probab"), "{text}");
        }
    }

    #[test]
    fn same_judge_in_both_runs_is_stated() {
        assert!(judges(&[]).starts_with("same judge and question"));
        let text = judges(&[Differs::Question, Differs::Served]);
        assert!(text.starts_with("another question, another model that answers: "), "{text}");
    }
}
