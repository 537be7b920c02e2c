//! Issues with a `gh` of the test that keeps what it is given: their size, their secrets, their label, and what
//! `gh` may print.

use super::stderr;
use crate::tasks::Home;
use serde_json::{Value, json};
use std::os::unix::fs::PermissionsExt;
use std::process::Output;

const CONFIG: &str =
    "[task]\ncreate_issues = true\nissue_repository = \"o/r\"\nissue_label = \"judge: review\"\n";

/// A `gh` that writes its arguments and its body into the home, and then does this.
pub(super) fn gh(home: &Home, then: &str) {
    let at = home.path().display();
    let text = format!(
        "#!/bin/sh\nfor word; do printf '%s\\n' \"$word\"; done > {at}/arguments\ncat > {at}/body\n{then}\n"
    );
    home.write("gh", &text);
    let executable = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(home.path().join("gh"), executable).unwrap();
}

fn run(home: &Home, args: &[&str]) -> Output {
    let path = format!("{}:/usr/bin:/bin", home.path().display());
    home.command(args).env("PATH", path).output().unwrap()
}

pub(super) fn read(home: &Home, name: &str) -> String {
    std::fs::read_to_string(home.path().join(name)).unwrap()
}

/// Judges of all three tiers that say this.
fn answers(home: &Home, answer: &Value) {
    let line =
        |model| json!({"model": model, "text": answer.to_string(), "always": true}).to_string();
    home.write("answers.jsonl", &["quick", "deep", "tiebreaker"].map(line).join("\n"));
}

fn improve(reasoning: &str, improvement: &str) -> Value {
    let one = |n: u32| {
        json!({"dimension": "semantic", "location": format!("{improvement}{n}"),
        "issue": format!("{improvement}{n}"), "suggestion": improvement})
    };
    json!({
        "scores": {"semantic": 3, "pragmatic": 3, "syntactic": 3}, "verdict": "improve",
        "reasoning": reasoning, "improvements": (0..40).map(one).collect::<Vec<_>>(),
    })
}

#[test]
fn label_and_repository_are_single_words_of_the_call() {
    let home = Home::new(["reject"; 3], CONFIG);
    gh(&home, "echo https://example.org/1");
    let output = run(&home, &["-t", "x --label=evil", "-d", "d", "a.md"]);
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    let arguments = read(&home, "arguments");
    let words: Vec<&str> = arguments.lines().collect();
    assert_eq!(
        words,
        [
            "issue",
            "create",
            "--body-file=-",
            "--title=[JUDGE-REJECTED] Review needed: x --label=evil: d",
            "--repo=o/r",
            "--label=judge: review"
        ]
    );
}

#[test]
fn body_stays_below_the_limit_of_github_whatever_is_in_it() {
    let ticks = "`".repeat(5000);
    let mixed = "<b>@all</b> | [x](javascript:y) \u{202e}".repeat(400);
    for hostile in [ticks.as_str(), &mixed, &"\u{200b}".repeat(5000), &"字".repeat(5000)] {
        let home = Home::new(["improve"; 3], CONFIG);
        answers(&home, &improve(hostile, hostile));
        let names: Vec<String> = (0..80)
            .map(|n| {
                format!("{}{n}.md", hostile.replace('/', "-").chars().take(60).collect::<String>())
            })
            .collect();
        names.iter().for_each(|name| home.write(name, "# A note\n"));
        gh(&home, "echo https://example.org/1");
        let id = hostile.chars().filter(|c| !c.is_control()).take(60).collect::<String>();
        let id = if id.contains(['\u{200b}', '\u{202e}']) { "issue-42".to_owned() } else { id };
        let task = format!("--task-id={id}");
        let args = [
            &[task.as_str(), "--depth=panel", "-d", "d", "--"],
            &*names.iter().map(String::as_str).collect::<Vec<_>>(),
        ]
        .concat();
        for _ in 0..2 {
            let output = run(&home, &args);
            assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
            home.write(&names[0], "# Another note\n");
        }
        let body = read(&home, "body");
        assert!(body.chars().count() <= 65_536, "{}", body.chars().count());
        for part in ["## Files", "## Rounds", "## History", "foureyes override --task="] {
            assert!(body.contains(part), "{part}");
        }
        assert!(!body.contains(['\u{202e}', '\u{200b}']));
    }
}

#[test]
fn body_has_no_secret_and_no_markup_of_others() {
    let (aws, github) = ("AKIAIOSFODNN7EXAMPLE", "ghp_0123456789abcdefghijABCDEFGHIJ012345");
    let markup = format!("{aws} @octocat <script>x</script> ![i](http://e) #1 {github}");
    let home = Home::new(["improve"; 3], CONFIG);
    answers(&home, &improve(&format!("{markup}\n~~~\n```\n{markup}"), &markup));
    gh(&home, "echo https://example.org/1");
    // The history of a second run has the first.
    for content in ["# A note\n", "# Another note\n"] {
        home.write("a.md", content);
        let output = run(&home, &["-t", &format!("issue {github}"), "-d", "d", "a.md"]);
        assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    }
    let body = read(&home, "body");
    let all = body.clone() + &read(&home, "arguments");
    assert!(!all.contains(aws) && !all.contains(github), "{all}");
    let options = pulldown(&body);
    assert!(!options.contains("@octocat") && !options.contains("<script>"), "{options}");
    assert!(!options.contains("![i]"), "{options}");
}

/// A body without what stands in code: fences and spans, which GitHub reads no mention or markup in.
fn pulldown(body: &str) -> String {
    let (mut out, mut fence) = (String::new(), None::<String>);
    for line in body.lines() {
        let ticks: String = line.chars().take_while(|c| *c == '`').collect();
        match &fence {
            Some(open) if ticks.len() >= open.len() && line == ticks => fence = None,
            Some(_) => {}
            None if ticks.len() >= 3 => fence = Some(ticks),
            None => out += &(without_spans(line) + "\n"),
        }
    }
    assert_eq!(fence, None, "every fence is closed");
    out
}

fn without_spans(line: &str) -> String {
    let (mut out, mut rest) = (String::new(), line);
    while let Some(at) = rest.find('`') {
        out += &rest[..at];
        let after = &rest[at..];
        let ticks: String = after.chars().take_while(|c| *c == '`').collect();
        let inside = &after[ticks.len()..];
        let is_end = |at: &usize| {
            let before = inside[..*at].ends_with('`');
            !before && !inside[at + ticks.len()..].starts_with('`')
        };
        let mut ends = inside.match_indices(&ticks).map(|(at, _)| at).filter(|at| is_end(at));
        let Some(end) = ends.next() else { panic!("a span is not closed: {line}") };
        rest = &inside[end + ticks.len()..];
    }
    out + rest
}

#[test]
fn gh_that_prints_too_much_is_a_failure_that_changes_nothing() {
    let home = Home::new(["reject"; 3], CONFIG);
    gh(&home, "yes https://example.org/1");
    let output = run(&home, &["-t", "issue-42", "-d", "d", "a.md"]);
    let text = stderr(&output);
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(text.contains("failed to create the issue: gh could not be used"), "{text}");
    assert!(text.contains("## History") && text.len() < 20_000, "{}", text.len());
}
