//! Commands that texts name: each is about the data of the run that printed it, and is accepted as it is
//! printed.

use super::{Home, begin_window, push};
use foureyes::domain::JudgementKind;
use std::collections::BTreeSet;
use std::process::Command;

/// What stands for what a person fills in.
const BLANKS: [(&str, &str); 5] = [
    (" DATE", " 2026-11-20"),
    ("--reason \"\"", "--reason tried"),
    ("acceptable|poor|unsure", "poor"),
    (" RUNBOOK STEP", " enable calibrate"),
    (" FILE", " logs/a.jsonl"),
];

/// Commands that need a box, a terminal or another machine, and those of the reader's own data.
const NOT_RUN: [&str; 5] = [" box ", " ledger restore", " config init", " serve", " fleet "];

/// The commands of a text: between backticks, and as lines behind a margin or in `<pre>`.
fn commands(text: &str) -> BTreeSet<String> {
    let text = text.replace("&#39;", "'").replace("&quot;", "\"").replace("&gt;", ">");
    let unfolded = text.replace("\n  ", " ");
    let spans = unfolded.split('`').skip(1).step_by(2).map(str::to_owned);
    let lines = text.split(['\n', '<', '>']).filter(|line| {
        let margin = line.len() - line.trim_start().len();
        margin >= 2 || text.contains(&format!("<pre>{line}"))
    });
    let lines = lines.map(|line| line.trim().to_owned());
    let all = spans.chain(lines).map(|one| one.split_whitespace().collect::<Vec<_>>().join(" "));
    all.filter(|one| one.starts_with("foureyes ")).collect()
}

/// Runs a command as a person would paste it.
fn paste(home: &Home, id: &str, command: &str) -> (i32, String) {
    let mut command = command.replace(" ID", &format!(" {id}"));
    for (blank, text) in BLANKS {
        command = command.replace(blank, text);
    }
    let program = env!("CARGO_BIN_EXE_foureyes");
    let script = format!("foureyes() {{ {program} \"$@\"; }}; {command}");
    let mut run = Command::new("bash");
    run.args(["-c", &script]).env_clear().env("HOME", home.path()).env("PATH", "/usr/bin:/bin");
    run.env("USER", "anna").current_dir(home.path()).stdin(std::process::Stdio::null());
    let output = run.output().unwrap();
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    (output.status.code().unwrap_or(-1), text)
}

/// The id of a record of the run's data.
fn an_id(home: &Home, context: &[&str]) -> String {
    let rows = printed(home, context, &[&["records", "verdict:no-go", "--json", "--limit", "1"]]);
    let (_, id) = rows.split_once("\"id\":\"").unwrap_or_else(|| panic!("{rows}"));
    id.chars().take(12).collect()
}

/// What each of several runs prints, on both streams.
fn printed(home: &Home, context: &[&str], runs: &[&[&str]]) -> String {
    let mut all = String::new();
    for run in runs {
        let mut command = home.command(&[run, context].concat());
        command.env_remove("FOUREYES_DATA").env("USER", "anna");
        let output = command.output().unwrap();
        assert_ne!(output.status.code(), Some(101), "{run:?}");
        // The title of a page is no command.
        let text = String::from_utf8(output.stdout).unwrap();
        let title = text.find('\n').filter(|_| text.starts_with("foureyes ")).unwrap_or(0);
        let text = &text[title..];
        all += &format!("\n{text}\n{}", String::from_utf8(output.stderr).unwrap());
    }
    all
}

/// Everything below a home that is a ledger and not in one of the directories.
fn ledgers(home: &Home, but: &str) -> Vec<String> {
    let found =
        Command::new("find").arg(home.path()).args(["-name", "*@*.jsonl"]).output().unwrap();
    let all = String::from_utf8(found.stdout).unwrap();
    all.lines().filter(|path| !path.contains(but)).map(str::to_owned).collect()
}

const PAGES: [&[&str]; 9] = [
    &["readiness"],
    &["readiness", "--markdown", "-"],
    &["readiness", "--html", "-"],
    &["triage", "--no-pull"],
    &["triage", "--no-pull", "--markdown", "-"],
    &["calibration"],
    &["gate", "audit"],
    &["gate", "window", "--undo"],
    &["runbook"],
];

/// What else prints commands in the demo.
const MORE: [&[&str]; 6] = [
    &["box", "enable", "attic"],
    &["box", "check", "attic"],
    &["box", "rehearse", "attic"],
    &["box", "rollback", "attic"],
    &["calibration", "runs"],
    &["peer", "report"],
];

#[test]
fn commands_of_the_demo_are_about_the_demo() {
    let home = Home::new();
    let text = printed(&home, &["--demo"], &[&PAGES[..], &MORE[..]].concat());
    // What is done on a box is done there.
    let all: BTreeSet<_> =
        commands(&text).into_iter().filter(|one| !one.starts_with("foureyes hook ")).collect();
    assert!(all.len() >= 8, "{all:#?}");
    let id = an_id(&home, &["--demo"]);
    for command in &all {
        assert!(command.starts_with("foureyes --demo "), "{command}");
        if NOT_RUN.iter().any(|part| command.contains(part)) {
            continue;
        }
        let (code, said) = paste(&home, &id, command);
        assert_ne!(code, 64, "{command}: {said}");
    }
    assert_eq!(ledgers(&home, "/demo/"), Vec::<String>::new(), "{all:#?}");
}

#[test]
fn commands_have_the_data_directory_configuration_and_family_of_the_run() {
    let home = Home::new();
    home.write("logs/a.jsonl", push(1, "2026-02-10T10:00:00Z", "NO-GO"));
    // A window begins with the first record of its family: there is one of each.
    let task = "{\"schema\":\"foureyes/task/1\",\"task_id\":\"t\",\"run\":\"1\",\"model\":\"quick\",\"mode\":\"quick\",\
                \"judge_tier\":\"quick\",\"round\":1,\"verdict\":\"accept\",\"decision\":\"accept\",\
                \"timestamp\":\"2026-02-10T10:00:01Z\"}\n";
    home.write("logs/t.jsonl", task);
    std::fs::create_dir(home.path().join("it's mine")).unwrap();
    let logs = home.path().join("logs");
    home.write(
        "it's mine/c.toml",
        format!("[[box]]\nname = \"x\"\nlocal = true\nlogs = [{logs:?}]\n"),
    );
    let context = ["--config", "it's mine/c.toml", "--data-dir", "it's mine/d"];
    let options = r"foureyes --config 'it'\''s mine/c.toml' --data-dir 'it'\''s mine/d' ";
    for family in ["push", "task"] {
        // The others are about pushes, or about all families.
        let has = |run: &&&[&str]| ["readiness", "calibration", "gate"].contains(&run[0]);
        let of_family = PAGES.iter().filter(has).map(|run| [*run, &["--family", family]].concat());
        let others = PAGES.iter().filter(|run| family == "push" && !has(run));
        let runs: Vec<Vec<&str>> = of_family.chain(others.map(|run| run.to_vec())).collect();
        let runs: Vec<&[&str]> = runs.iter().map(Vec::as_slice).collect();
        let text = printed(&home, &context, &runs);
        let id = an_id(&home, &context);
        let all = commands(&text);
        assert!(all.len() >= 5, "{all:#?}");
        for command in &all {
            assert!(command.starts_with(options), "{command}");
            // Whoever reads about tasks must not start a window of pushes.
            if command.contains(" gate ") && family == "task" {
                assert!(command.contains("--family task"), "{command}");
            }
            if NOT_RUN.iter().any(|part| command.contains(part)) {
                continue;
            }
            let (code, said) = paste(&home, &id, command);
            assert_ne!(code, 64, "{command}: {said}");
        }
    }
    assert_eq!(ledgers(&home, "it's mine/d"), Vec::<String>::new());
    assert!(!ledgers(&home, "nowhere").is_empty(), "the commands were run");
}

#[test]
fn what_was_saved_is_named() {
    let home = Home::new();
    let config = home.write("c.toml", "[reviewer]\nname = \"anna\"\nmachine = \"desk\"\n");
    let config = ["--config", config.to_str().unwrap()];
    let said =
        |args: &[&str]| home.good(&[args, &config].concat()).lines().next().unwrap().to_owned();
    let waived = said(&["gate", "waive", "fingerprint", "--reason", "x", "--until", "2126-01-01"]);
    assert!(
        waived.starts_with("saved: waiver of fingerprint until 2126-01-01, by anna"),
        "{waived}"
    );
    let window = said(&["gate", "window", "2026-02-11", "--family", "task"]);
    assert!(window.starts_with("saved: calibration of tasks from 2026-02-11"), "{window}");
    let undone = said(&["gate", "window", "--undo", "--family", "task"]);
    assert!(undone.starts_with("taken back: entry "), "{undone}");
    let policy = home.good(&[&["gate", "show"], &config[..]].concat());
    home.write("policy.toml", policy);
    let policy = said(&["gate", "set", "policy.toml"]);
    assert!(policy.starts_with("saved: policy from 20"), "{policy}");
    let rate = said(&["gate", "audit", "0.25"]);
    assert!(rate.starts_with("saved: audit 0.25 of all that passes from 20"), "{rate}");
}

#[test]
fn no_noun_is_plural_after_one() {
    let home = Home::new();
    home.write("logs/a.jsonl", push(1, "2026-02-10T10:00:00Z", "NO-GO") + "not a record\n");
    let logs = home.path().join("logs");
    let config = format!(
        "[reviewer]\nname = \"anna\"\nmachine = \"desk\"\n[[box]]\nname = \"x\"\nlocal = true\nlogs = [{logs:?}]\n"
    );
    home.write("c.toml", config);
    let run = |args: &[&str]| printed(&home, &["--config", "c.toml"], &[args]);
    begin_window(&home.path().join("data"), "anna", JudgementKind::Push, "2026-02-10");
    run(&["gate", "audit", "1", "--since", "2026-02-10"]);
    run(&["label", "0000001", "unsure"]);
    let mut pages: Vec<&[&str]> = PAGES.to_vec();
    pages.extend([
        &["records"][..],
        &["records", "--rejects"],
        &["show", "0000001"],
        &["trend"],
        &["calibration", "agents"],
        &["calibration", "runs"],
        &["ledger", "verify"],
        &["label", "--export"],
        &["gate", "show"],
        &["doctor"],
        &["pull"],
    ]);
    for page in pages {
        let text = run(page);
        let words: Vec<&str> = text.split_whitespace().collect();
        for pair in words.windows(2) {
            let plural = pair[1].trim_matches(|c: char| !c.is_ascii_alphanumeric());
            let is_noun = plural.len() > 3 && plural.ends_with('s') && !plural.ends_with("ss");
            let fine = ["has", "passes", "counts", "decides", "this", "blocks", "unless"];
            let is_one = ["1", "(1"].contains(&pair[0]) && !pair[1].starts_with('`');
            assert!(
                !(is_one && is_noun && !fine.contains(&plural)),
                "{page:?}: {pair:?} in {text}"
            );
        }
    }
}
