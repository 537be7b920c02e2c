//! Parts of a judge that its records named and no longer name: nothing tells any more that it is the same.

use super::{Fold, day_text};
use crate::calibration::{Evaluation, Fingerprint};

/// The part whose absence a later record may explain: an answer that does not say which model gave it
/// belongs to the next one that does.
const SERVED_MODEL: &str = "served model";

/// A part that stands unnamed, from the first whole day of it on.
#[derive(Debug, PartialEq, Eq)]
struct Unnamed<'a> {
    part: &'static str,
    since: i32,
    /// What was named last.
    before: &'a str,
}

/// A sentence for each part of which that is so, of the judges of a tier.
pub(super) fn unnamed(fold: &Fold<'_>, tier: Option<&str>) -> Vec<String> {
    let judges = fold.input.fingerprints;
    let whose = tier.map_or(String::new(), |tier| format!(" in tier {tier}"));
    let is_of = |judge: &Fingerprint| judge.tier.as_deref() == tier;
    let of_tier = judges.iter().filter(|judge| is_of(judge));
    let lacking: Vec<usize> = (0..Fingerprint::default().parts().len())
        .filter(|part| of_tier.clone().any(|judge| value(judge, *part).is_none()))
        .collect();
    let rows = fold.input.in_window();
    let found = lacking.into_iter().filter_map(|part| {
        find(rows, part, |e| judges.get(e.fingerprint as usize).filter(|judge| is_of(judge)))
    });
    let text = |Unnamed { part, since, before }| {
        let (day, new) = (day_text(since), fold.input.newness());
        format!("no {part}{whose} is named since {day}, before that {before}{new}")
    };
    found.map(text).collect()
}

fn value(judge: &Fingerprint, part: usize) -> Option<&str> {
    judge.parts().get(part).and_then(|(_, value)| *value)
}

/// The first day on which verdicts were given and none of them names a part that was named before.
fn find<'a>(
    rows: &[Evaluation],
    part: usize,
    judge: impl Fn(&Evaluation) -> Option<&'a Fingerprint>,
) -> Option<Unnamed<'a>> {
    let (mut before, mut found) = (None::<&str>, None);
    for day in rows.chunk_by(|a, b| a.at.day() == b.at.day()) {
        let judges: Vec<&Fingerprint> =
            day.iter().filter(|e| e.is_judged()).filter_map(&judge).collect();
        let named = judges.iter().rev().find_map(|judge| value(judge, part));
        let name = judges.first().and_then(|judge| judge.parts().get(part).map(|(name, _)| *name));
        match (named, name, before) {
            (Some(named), name, _) => {
                before = Some(named);
                found = found.filter(|_| name != Some(SERVED_MODEL));
            }
            (None, Some(name), Some(before)) => {
                let since = day.first().map_or(0, |e| e.at.day());
                found = found.or(Some(Unnamed { part: name, since, before }));
            }
            _ => {}
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::calibration::evaluation::tests::evaluation;
    use crate::domain::Outcome;

    /// Days with a verdict each, by a judge that names prompt and served model or not; `.` is a day
    /// without a verdict.
    fn found(days: &str, part: usize) -> Option<i32> {
        let named = |text: &str| Some(text.to_owned());
        let judges = [
            Fingerprint::default(),
            Fingerprint {
                prompt_sha: named("p"),
                served_model: named("s"),
                ..Fingerprint::default()
            },
        ];
        let row = |(day, c): (usize, char)| {
            let outcome = if c == '.' { Outcome::Undetermined } else { Outcome::Go };
            Evaluation {
                fingerprint: u32::from(c == 'n'),
                ..evaluation(day as u64, day as i32, outcome)
            }
        };
        let rows: Vec<Evaluation> = days.chars().enumerate().map(row).collect();
        find(&rows, part, |e| judges.get(e.fingerprint as usize)).map(|found| found.since)
    }

    #[test]
    fn what_was_named_and_no_longer_is_is_a_change() {
        const PROMPT: usize = 2;
        const SERVED: usize = 1;
        assert_eq!(found("nnnn", PROMPT), None);
        assert_eq!(found("--nn", PROMPT), None, "it is named from a day on");
        assert_eq!(found("nn--", PROMPT), Some(2));
        assert_eq!(found("nn-n", PROMPT), Some(2), "another prompt may have been asked that day");
        assert_eq!(found("nn.n", PROMPT), None, "an outage names nothing");
        assert_eq!(found("nn-n", SERVED), None, "the next answer that says it tells");
        assert_eq!(found("nn--", SERVED), Some(2));
    }
}
