//! Runs at the end of a task: what each week of the demo has, and that they are as the program writes them.

use super::{agrees, logs_only};
use foureyes::domain::Timestamp;
use foureyes::engine::record::task_schema;
use foureyes::generate::{Spec, demo_spec};
use serde_json::Value;
use std::collections::{BTreeMap, HashSet};

/// Microseconds of a week.
const WEEK: i64 = 7 * 86_400_000_000;

/// The lines of each run, in their order.
fn runs(records: &[Value]) -> BTreeMap<&str, Vec<&Value>> {
    let mut runs: BTreeMap<&str, Vec<&Value>> = BTreeMap::new();
    for record in records.iter().filter(|r| r["schema"] == "foureyes/task/1") {
        runs.entry(record["run"].as_str().unwrap()).or_default().push(record);
    }
    for lines in runs.values_mut() {
        lines.sort_by_key(|line| line["round"].as_u64());
    }
    runs
}

/// What a run shows, for a person who looks for an example.
fn kinds(lines: &[&Value], settled: &HashSet<&str>) -> Vec<&'static str> {
    let end = lines.last().unwrap();
    let is_settled = settled.contains(end["task_id"].as_str().unwrap());
    let is = |key: &str, value: &str| end[key] == value;
    [
        ("two rounds", lines.len() == 2 && is("decision", "accept") && is("depth", "sequential")),
        (
            "a tiebreaker",
            lines.len() == 3 && is("judge_tier", "tiebreaker") && is("depth", "panel"),
        ),
        ("waits", is("reason", "disagreement") && !is_settled),
        ("settled", is("decision", "escalate") && is_settled),
        ("rejected", is("decision", "reject")),
        ("failed", is("reason", "timeout") && lines[0]["error"] == "timeout"),
        ("accepted at once", lines.len() == 1 && is("decision", "accept")),
    ]
    .into_iter()
    .filter_map(|(name, holds)| holds.then_some(name))
    .collect()
}

#[test]
fn each_week_of_the_demo_has_each_kind_of_run() {
    let spec = demo_spec();
    let (_dir, _, found) = agrees(&spec);
    let people = found.records.iter().filter(|r| r["mode"] == "override");
    let settled: HashSet<&str> = people.filter_map(|r| r["task_id"].as_str()).collect();
    let mut weeks: BTreeMap<i64, HashSet<&str>> = BTreeMap::new();
    for lines in runs(&found.records).into_values() {
        let time = Timestamp::parse(lines[0]["timestamp"].as_str().unwrap()).unwrap();
        let week = (spec.end.0 - 1 - time.0) / WEEK;
        weeks.entry(week).or_default().extend(kinds(&lines, &settled));
    }
    assert_eq!(weeks.keys().copied().collect::<Vec<_>>(), [0, 1, 2]);
    for (week, kinds) in &weeks {
        assert_eq!(kinds.len(), 7, "{week} weeks before the end: {kinds:?}");
    }
}

#[test]
fn runs_are_lines_of_our_schema_and_end_with_a_decision() {
    let (_dir, _, found) = agrees(&Spec { dirt: 0.3, ..logs_only(2_000, 9) });
    let schema = jsonschema::validator_for(task_schema().as_value()).unwrap();
    let runs = runs(&found.records);
    assert!(runs.len() > 100, "{}", runs.len());
    for lines in runs.values() {
        for (n, line) in lines.iter().enumerate() {
            assert!(schema.is_valid(line), "{line}");
            assert_eq!(line["round"], n + 1, "{line}");
            assert_eq!(line["decision"].is_string(), n + 1 == lines.len(), "{line}");
        }
        assert!(
            lines
                .windows(2)
                .all(|pair| { pair[0]["timestamp"].as_str() <= pair[1]["timestamp"].as_str() })
        );
    }
}

#[test]
fn results_of_tasks_are_commits_and_change_no_commit_of_a_push() {
    let (dir, _, found) = agrees(&demo_spec());
    let git = |args: &[&str]| {
        let mut command = std::process::Command::new("git");
        let output = command.args(args).current_dir(dir.path().join("repository")).output();
        String::from_utf8(output.unwrap().stdout).unwrap()
    };
    let results: HashSet<String> =
        git(&["rev-list", "refs/heads/tasks"]).lines().map(str::to_owned).collect();
    let named = runs(&found.records);
    let commits: HashSet<String> =
        named.values().map(|lines| lines[0]["commit"].as_str().unwrap().to_owned()).collect();
    assert_eq!(results, commits);
    // A change here changes the demo's audit sample: it must be meant.
    let main = git(&["rev-parse", "refs/heads/main"]);
    assert_eq!(main.trim(), "96cdeb1e60c64cc66492a5a1e9011f27632fdf81");
}
