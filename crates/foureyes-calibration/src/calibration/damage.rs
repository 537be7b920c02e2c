//! Logs of the window in which not every line could be read.

use super::{DamagedLog, Input};
use crate::text::counted;

/// Logs that are named; of more the number is said.
const NAMED: usize = 10;

/// What was rejected in logs of the window's whole days, with counts.
pub(super) fn rejected(input: &Input<'_>) -> Option<String> {
    let (from, today) = span(input)?;
    let inside = |l: &&DamagedLog| l.rejected > 0 && l.days[1] >= from && l.days[0] < today;
    let logs: Vec<&DamagedLog> = input.damaged.iter().filter(inside).collect();
    let count: u64 = logs.iter().map(|l| l.rejected).sum();
    let names = logs.iter().map(|l| format!("{} ({})", l.name, l.rejected));
    (count > 0).then(|| {
        format!(
            "{} in logs of the window could not be read or counted: {}",
            counted(count, "line", "lines"),
            some(names)
        )
    })
}

/// Logs of a day that is over whose last record was never finished: what it said is not known.
pub(super) fn incomplete(input: &Input<'_>) -> Option<String> {
    let logs = unfinished(input);
    let names = logs.iter().map(|l| l.name.clone());
    (!logs.is_empty())
        .then(|| format!("logs of whole days end in an incomplete line: {}", some(names)))
}

/// The last day of each of those.
pub(super) fn incomplete_days(input: &Input<'_>) -> Vec<i32> {
    unfinished(input).iter().map(|l| l.days[1]).collect()
}

/// A log whose last day is not over may be in the middle of a line.
fn unfinished<'a>(input: &Input<'a>) -> Vec<&'a DamagedLog> {
    let Some((from, today)) = span(input) else { return Vec::new() };
    let over = |l: &&DamagedLog| l.incomplete && l.days[1] >= from && l.days[1] < today;
    input.damaged.iter().filter(over).collect()
}

/// The window's first day, and the first that is not over.
fn span(input: &Input<'_>) -> Option<(i32, i32)> {
    Some((input.start()?.day(), input.today()))
}

fn some(names: impl ExactSizeIterator<Item = String>) -> String {
    let more = names.len().saturating_sub(NAMED);
    let shown = names.take(NAMED).collect::<Vec<_>>().join(", ");
    if more == 0 { shown } else { format!("{shown} and {more} more") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::calibration::readiness::tests::{agreed, input, plan, planted, single};
    use crate::calibration::{Policy, Readiness, ReadinessResult, Waiver, decided};

    fn log(days: [i32; 2], rejected: u64, incomplete: bool) -> DamagedLog {
        let name = format!("night {}.jsonl", days[1]);
        DamagedLog { name, days, rejected, incomplete }
    }

    /// The answer on the thirtieth day, and the hash of its inputs.
    fn of(damaged: &[DamagedLog], policy: &Policy) -> (Readiness, String) {
        let (rows, plan) = (planted(30, 4), plan(1.0));
        let labels = agreed(&rows);
        let (answer, inputs) = decided(&Input { damaged, policy, ..input(&rows, &labels, &plan) });
        (answer, inputs.evaluations)
    }

    fn ids(r: &Readiness) -> Vec<&str> {
        let blocks = r.blocks.iter().filter(|b| b.waived.is_none());
        blocks.map(|b| b.id.as_str()).collect()
    }

    #[test]
    fn truncated_last_line_of_closed_day_blocks_readiness() {
        let policy = single();
        let sound = of(&[], &policy);
        assert_eq!((sound.0.result, ids(&sound.0)), (ReadinessResult::Ready, vec![]));
        let (torn, inputs) = of(&[log([9, 9], 0, true), log([30, 30], 0, true)], &policy);
        assert_eq!(torn.result, ReadinessResult::NotEnoughEvidence);
        assert_eq!(ids(&torn), ["incomplete_tail"]);
        let text = "logs of whole days end in an incomplete line: night 9.jsonl";
        assert_eq!(torn.blocks[0].text, text);
        assert_ne!(inputs, sound.1);
    }

    #[test]
    fn incomplete_line_today_or_before_window_is_ignored() {
        let policy = single();
        let sound = of(&[], &policy);
        for days in [[30, 30], [29, 30], [3, 30], [-1, -1]] {
            let found = of(&[log(days, 0, true)], &policy);
            assert_eq!((found.0.result, ids(&found.0)), (ReadinessResult::Ready, vec![]));
            assert_eq!(found.1, sound.1, "{days:?}");
        }
    }

    #[test]
    fn damaged_log_can_be_waived_like_missing_days() {
        let waiver = Waiver {
            what: "incomplete_tail".to_owned(),
            name: "Ada".to_owned(),
            reason: "the disk was full".to_owned(),
            until: "1971-01-01".to_owned(),
        };
        let policy = Policy { waivers: vec![waiver], ..single() };
        let found = of(&[log([9, 9], 0, true)], &policy).0;
        assert_eq!((found.result, ids(&found)), (ReadinessResult::Ready, vec![]));
        let waived = found.blocks[0].waived.as_deref().unwrap();
        assert!(waived.starts_with("Ada: the disk was full"), "{waived}");
    }

    #[test]
    fn lines_of_the_window_that_could_not_be_read_are_counted() {
        let policy = single();
        let logs = [log([2, 2], 3, false), log([28, 30], 4, false), log([-1, -1], 50, false)];
        let (found, inputs) = of(&logs, &policy);
        let caveat = found.caveats.iter().find(|c| c.id == "rejected_lines").unwrap();
        let expected = "7 lines in logs of the window could not be read or counted: night \
                    2.jsonl (3), night 30.jsonl (4)";
        assert_eq!(caveat.text, expected);
        assert_eq!(found.result, ReadinessResult::Ready);
        assert_eq!(inputs, of(&[], &policy).1, "no input: more may come to a log without a day");
        let none = of(&[log([30, 30], 3, false)], &policy).0;
        assert!(none.caveats.iter().all(|c| c.id != "rejected_lines"), "today is not in it");
    }
}
