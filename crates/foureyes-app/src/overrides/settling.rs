//! Which override in a log answers the run of a task.

use crate::domain::{Family, Record};
use std::collections::BTreeSet;

/// The override in a log that answers a run, the last one that holds. `last` is the last line of the run,
/// `lines` are those of its task on its box, in their order.
///
/// It names a record of the run, or only the task: then it comes after the run, and before another one
/// ended.
pub fn settling<'a>(
    last: &Record,
    lines: impl IntoIterator<Item = &'a Record>,
) -> Option<&'a Record> {
    let lines: Vec<&Record> = lines.into_iter().collect();
    let back = taken_back(&lines);
    let is_of_run = |line: &Record| match &last.run {
        Some(run) => line.run.as_ref() == Some(run),
        None => line.id == last.id,
    };
    let own: BTreeSet<String> =
        lines.iter().filter(|line| is_of_run(line)).map(|line| line.id.to_string()).collect();
    let ends = lines.iter().rposition(|line| is_of_run(line));
    let (mut found, mut open) = (None, false);
    for (at, line) in lines.iter().enumerate() {
        if line.family != Family::Override {
            open = if is_of_run(line) { Some(at) == ends } else { open && !is_end(&lines, at) };
            continue;
        }
        let answers = match &line.answers {
            Some(record) => own.contains(record),
            None => open,
        };
        if answers && decides(line) && !entry(line).is_some_and(|id| back.contains(&id)) {
            found = Some(*line);
        }
    }
    found
}

/// Whether no later line is of the same run.
fn is_end(lines: &[&Record], at: usize) -> bool {
    let Some(run) = lines.get(at).and_then(|line| line.run.as_ref()) else { return true };
    !lines.iter().skip(at + 1).any(|line| line.run.as_ref() == Some(run))
}

/// The entries that were taken back and not restored.
fn taken_back(lines: &[&Record]) -> BTreeSet<String> {
    let mut back = BTreeSet::new();
    for line in lines.iter().filter(|line| line.family == Family::Override) {
        back.extend(line.extra::<String>("undoes"));
        if let Some(of) = line.extra::<String>("redoes") {
            back.remove(&of);
        }
    }
    back
}

fn decides(line: &Record) -> bool {
    !["undoes", "redoes"].iter().any(|name| line.extra.contains_key(*name))
}

fn entry(line: &Record) -> Option<String> {
    line.extra("id")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn record(id: u8, more: Value) -> Record {
        let mut line = json!({
            "id": format!("{id:02x}").repeat(32), "box": "b", "timestamp": null, "family": "task",
            "outcome": "go", "verdict": "accept", "commit": null, "task_id": "t", "author": null,
            "model": null, "files": [], "scores": {}, "findings": null, "cause": null, "origins": [],
        });
        line.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        serde_json::from_value(line).unwrap()
    }

    fn person(id: u8, word: &str, more: Value) -> Record {
        let mut own = json!({"family": "override", "outcome": null, "verdict": word});
        own.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        record(id, own)
    }

    fn word(lines: &[Record]) -> Option<&str> {
        settling(&lines[0], lines).and_then(|line| line.verdict.as_deref())
    }

    #[test]
    fn last_override_of_a_run_that_holds_is_the_one() {
        let of = |id: &str| json!({"answers": "01".repeat(32), "extra": {"id": id}});
        let back =
            |name: &str| json!({"answers": "01".repeat(32), "extra": {"id": "x", name: "e2"}});
        let mut lines = vec![
            record(1, json!({"run": "a"})),
            person(2, "accept", of("e1")),
            person(3, "reject", of("e2")),
        ];
        assert_eq!(word(&lines), Some("reject"));
        lines.push(person(4, "accept", back("undoes")));
        assert_eq!(word(&lines), Some("accept"));
        lines.push(person(5, "reject", back("redoes")));
        assert_eq!(word(&lines), Some("reject"));
    }

    #[test]
    fn override_of_a_task_answers_the_run_that_ended_last_before_it() {
        let named = |id, run: &str| record(id, json!({"run": run}));
        let any = |id, word| person(id, word, json!({}));
        let lines = [named(1, "a"), any(2, "accept"), named(3, "b"), any(4, "reject")];
        assert_eq!(word(&lines), Some("accept"));
        // The other run was under way when the second one was given.
        let lines =
            [named(1, "a"), named(2, "b"), any(3, "accept"), named(4, "b"), any(5, "reject")];
        assert_eq!(word(&lines), Some("accept"));
        let before = [named(1, "a"), any(2, "accept"), named(3, "a")];
        assert_eq!(settling(&before[2], &before), None);
    }
}
