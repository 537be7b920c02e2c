//! The five questions of docs/usage.md, each answered by the command that stands there.

use super::{Home, RUNNER};

/// The commands under "Questions about tasks", in order, without the program's name.
fn commands() -> Vec<Vec<String>> {
    let page = include_str!("../../../docs/usage.md");
    let (_, section) = page.split_once("## Questions about tasks").unwrap();
    let section = section.split("\n## ").next().unwrap();
    let commands = section.split('`').filter_map(|code| code.strip_prefix("foureyes "));
    commands.map(words).collect()
}

/// Words as a shell splits them; quotes keep one together.
fn words(command: &str) -> Vec<String> {
    let parts = command.split('\'').enumerate();
    parts
        .flat_map(|(at, part)| match at % 2 {
            0 => part.split_whitespace().map(str::to_owned).collect(),
            _ => vec![part.to_owned()],
        })
        .collect()
}

fn answer(home: &Home, command: &[String], more: &[&str]) -> String {
    let words = command.iter().map(String::as_str).chain(more.iter().copied());
    home.good(&words.chain(["--from", "logs"]).collect::<Vec<_>>())
}

/// The tasks that the answer lists, in order.
fn tasks(home: &Home, command: &[String]) -> Vec<String> {
    let listed = answer(home, command, &["--json"]);
    let rows = listed.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
    let mut tasks: Vec<_> = rows.map(|row| row["task_id"].as_str().unwrap().to_owned()).collect();
    tasks.sort();
    tasks
}

#[test]
fn each_question_has_one_command_that_answers_it() {
    let home = Home::new();
    home.write("logs/verdicts.jsonl", RUNNER);
    let all = commands();
    let [month, scores, person, tiebreaker, overridden] = all.as_slice() else {
        panic!("{all:?}");
    };
    // The run of issue-42 has no time, and so no month.
    let expected = ["issue-40", "issue-41", "issue-43", "issue-44", "issue-45"];
    assert_eq!(tasks(&home, month), expected);
    let models: serde_json::Value =
        serde_json::from_str(&answer(&home, scores, &["--json"])).unwrap();
    let row = |model: &str| {
        let rows = models["rows"].as_array().unwrap();
        rows.iter().find(|row| row["key"] == model).unwrap()["scores"].clone()
    };
    let quick = row("opencode/gpt-5-nano");
    assert_eq!(
        (quick["semantic"]["estimate"].clone(), quick["semantic"]["n"].clone()),
        (4.5.into(), 2.into())
    );
    assert_eq!(quick["syntactic"]["estimate"], 4.0);
    assert_eq!(tasks(&home, person), ["issue-43"]);
    assert_eq!(tasks(&home, tiebreaker), ["issue-45"]);
    assert_eq!(tasks(&home, overridden), ["issue-44"]);
}
