//! Picks of memories on the operator's machine: labels, and whether the judge is worth being on.

mod own_machine;

use crate::cli::Home;
use crate::http::{Server, answer};
use serde_json::{Value, json};
use std::io::{BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::Stdio;

/// Ranks of the candidates that help.
pub(crate) type Helping<'a> = &'a [usize];

/// A pick of six candidates, of which the judge keeps some, by their ranks.
pub(crate) fn pick(n: usize, kept: &[usize], helping: Helping<'_>) -> Value {
    let candidate = |rank: usize| {
        let title = if helping.contains(&rank) { "helps" } else { "useless" };
        json!({
            "memory": format!("m{rank}.md"), "title": format!("{title} {rank}"),
            "category": "fix", "tags": ["a", "b"], "rank": rank, "score": 7.5, "position": rank - 1,
            "kept": kept.contains(&rank),
        })
    };
    let choice = if kept.is_empty() { "none" } else { "kept" };
    json!({
        "schema": "foureyes/pick/1", "pick": format!("{n:016x}"),
        "timestamp": format!("2026-02-{:02}T10:00:00Z", 1 + n % 20), "choice": choice,
        "mode": "strict", "dual": false, "prompt_sha": "00", "model": "m",
        "candidates": (1..=6).map(candidate).collect::<Vec<_>>(), "fallback": null,
        "latency_ms": 900, "usage": {"prompt_tokens": 600, "completion_tokens": 30}, "cost": 0.001,
    })
}

pub(crate) fn prompt(n: usize, text: &str) -> Value {
    json!({
        "schema": "foureyes/pick-text/1", "pick": format!("{n:016x}"),
        "timestamp": "2026-02-01T10:00:00Z", "prompt": text, "context": ["before"],
        "candidates": [{"memory": "m1.md", "title": "t", "body": "how the first begins"}],
    })
}

/// A home with these picks, and their prompts where they are kept.
fn home(picks: &[Value], prompts: &[Value]) -> Home {
    let home = Home::new();
    let lines = |all: &[Value]| all.iter().map(|one| format!("{one}\n")).collect::<String>();
    home.write("logs/picks.jsonl", lines(picks));
    home.write("logs/prompts.jsonl", lines(prompts));
    home
}

/// Labels what the program shows: candidates whose title says that they help, until there is no more. Gives
/// all that it showed.
pub(crate) fn label(home: &Home, args: &[&str]) -> String {
    let args = [&["memories", "label", "--reviewer", "anna", "--from", "logs"], args].concat();
    let mut child =
        home.command(&args).stdin(Stdio::piped()).stderr(Stdio::inherit()).spawn().unwrap();
    let mut answers = child.stdin.take().unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    let (mut all, mut shown, mut byte) = (String::new(), Vec::new(), [0]);
    while output.read(&mut byte).unwrap() > 0 {
        shown.push(byte[0]);
        if shown.ends_with(b"quit) ") {
            let text = String::from_utf8(std::mem::take(&mut shown)).unwrap();
            let helping = text.lines().filter(|line| line.contains("[fix] helps"));
            let numbers: Vec<_> =
                helping.map(|line| line.split_whitespace().next().unwrap()).collect();
            let answer = if numbers.is_empty() { "none".to_owned() } else { numbers.join(" ") };
            writeln!(answers, "{answer}").unwrap();
            all.push_str(&text);
        }
    }
    all.push_str(&String::from_utf8(shown).unwrap());
    assert!(child.wait().unwrap().success());
    all
}

fn readiness(home: &Home, code: i32) -> Value {
    let ran = home.run(&["memories", "readiness", "--from", "logs", "--json"]);
    assert_eq!(ran.code, code, "{} {}", ran.out, ran.err);
    crate::report::conforms("memories-readiness", &ran.out);
    serde_json::from_str(&ran.out).unwrap()
}

fn all_prompts(n: usize) -> Vec<Value> {
    (0..n).map(|n| prompt(n, &format!("prompt {n}"))).collect()
}

/// Begins a window, and gives what was saved.
pub(crate) fn begin(home: &Home, args: &[&str]) -> Value {
    let command = ["memories", "window", "--reviewer", "anna", "--from", "logs", "--json"];
    let saved = home.good(&[&command[..], args].concat());
    crate::report::conforms("saved", &saved);
    serde_json::from_str(&saved).unwrap()
}

/// A check of a document by its id.
fn check<'a>(document: &'a Value, id: &str) -> &'a Value {
    let mut checks = document["checks"].as_array().unwrap().iter();
    checks.find(|check| check["id"] == json!(id)).unwrap()
}

#[test]
fn better_judge_is_ready_once_its_picks_are_labelled_in_a_window() {
    // Search puts what helps behind what does not.
    let picks: Vec<_> = (0..60).map(|n| pick(n, &[4, 5], &[4, 5])).collect();
    let home = home(&picks, &all_prompts(60));
    let before = readiness(&home, 2);
    assert_eq!(
        (&before["labels"]["due"], &before["judge"]["precision"]),
        (&json!(60), &Value::Null)
    );
    let shown = label(&home, &[]);
    assert!(shown.contains("labelled 60 picks, 0 left"), "{shown}");
    // All is met, and nothing is READY without a window.
    let without = readiness(&home, 2);
    let checks = without["checks"].as_array().unwrap();
    assert!(checks.iter().all(|check| check["decision"] == json!("ready")), "{checks:#?}");
    assert_eq!(without["window"]["begun"], Value::Null);
    assert_eq!(without["steps"][0]["command"], json!("foureyes memories window"));
    let saved = begin(&home, &[]);
    assert_eq!(
        (&saved["kind"], &saved["caveats"]),
        (&json!("pick_window"), &json!([])),
        "{saved:#}"
    );
    let after = readiness(&home, 0);
    assert_eq!((&after["decision"], &after["labels"]["labelled"]), (&json!("ready"), &json!(60)));
    assert_eq!(after["judge"]["precision"]["n"], json!(120));
    assert_eq!(after["search"]["precision"]["n"], json!(0));
    assert_eq!((&after["comparison"]["better"], &after["labels"]["due"]), (&json!(60), &json!(0)));
    let judge = json!({"model": "m", "served_model": "unknown", "prompt_sha": "00"});
    assert_eq!((&after["window"]["judge"], &after["window"]["number"]), (&judge, &json!(1)));
    let recall = &check(&after, "recall")["evidence"];
    assert_eq!((&recall["count"], &recall["bar"]), (&json!(60), &json!(25.0)));
    assert!(recall["wealth"].as_f64().unwrap() > 25.0, "{recall:#}");
    assert!(label(&home, &[]).contains("no picks to label"));
    let text = home.run(&["memories", "readiness", "--from", "logs"]);
    assert!(text.out.starts_with("Judge of memories (strict): READY\n"), "{}", text.out);
    for part in
        ["60 calls of m, 2026-02-01 to 2026-02-20", "better than none    met\n", "wealth 140;"]
    {
        assert!(text.out.contains(part), "{part}: {}", text.out);
    }
}

#[test]
fn days_that_are_displayed_and_another_window_decide_as_the_whole_says() {
    let picks: Vec<_> = (0..60).map(|n| pick(n, &[4, 5], &[4, 5])).collect();
    let home = home(&picks, &all_prompts(60));
    label(&home, &[]);
    begin(&home, &[]);
    // The picks are older than a day: none is displayed, and all decide.
    let command = ["memories", "readiness", "--from", "logs", "--json", "--days", "1"];
    let ran = home.run(&command);
    let found: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!((ran.code, &found["labels"]["labelled"]), (0, &json!(0)));
    assert_eq!(found["window"]["measured"]["labels"]["labelled"], json!(60));
    let shown = home.run(&["memories", "readiness", "--from", "logs", "--days", "1"]).out;
    assert!(shown.contains("\nDisplayed: picks since 20"), "{shown}");
    // A judge has one window; another one needs more.
    let command = ["memories", "window", "--reviewer", "anna", "--from", "logs"];
    let again = home.run(&command);
    assert_eq!(again.code, 64);
    assert!(again.err.contains("a window of this judge runs") && again.err.contains("--again"));
    let saved = begin(&home, &["--again"]);
    assert_eq!(saved["caveats"][0]["id"], json!("pick_window_number"), "{saved:#}");
    let found = readiness(&home, 2);
    assert_eq!((&found["window"]["number"], &found["window"]["share"]), (&json!(2), &json!(0.1)));
    // 60 calls without a fallback were enough for a bar of 25.
    assert_eq!(check(&found, "fallback_rate")["decision"], json!("not_enough_evidence"));
    assert_eq!(check(&found, "recall")["decision"], json!("ready"));
    // Another judge ends it, and has a window of its own.
    let mut other = pick(99, &[4], &[4]);
    (other["model"], other["timestamp"]) = ("n".into(), "2099-01-01T10:00:00Z".into());
    home.write("logs/other.jsonl", format!("{other}\n"));
    let found = readiness(&home, 2);
    assert_eq!(found["steps"][0]["id"], json!("other_judge"), "{:#}", found["steps"]);
    begin(&home, &[]);
    let found = readiness(&home, 2);
    let window = &found["window"];
    assert_eq!((&window["judge"]["model"], &window["number"]), (&json!("n"), &json!(1)));
    assert_eq!((&window["judges"], &found["notes"][0]["id"]), (&json!(2), &json!("judges")));
    assert_eq!(window["other_judges"], json!(60));
}

#[test]
fn policy_of_the_day_decides_until_the_next_window() {
    let picks: Vec<_> = (0..60).map(|n| pick(n, &[4, 5], &[4, 5])).collect();
    let home = home(&picks, &all_prompts(60));
    label(&home, &[]);
    begin(&home, &[]);
    std::fs::create_dir_all(home.path().join(".config/foureyes")).unwrap();
    let config = "[memories.policy]\nlabelled = 100\nrecall_margin = 0.3\nkeeps = 0.5\n";
    home.write(".config/foureyes/config.toml", config);
    let found = readiness(&home, 0);
    assert_eq!(
        (&found["policy"]["labelled"], &found["policy"]["keeps"]),
        (&json!(30), &json!(0.25))
    );
    assert_eq!(found["notes"][0]["id"], json!("policy_changed"));
    begin(&home, &["--again"]);
    let found = readiness(&home, 2);
    let policy = &found["policy"];
    assert_eq!((&policy["recall_margin"], &policy["keeps"]), (&json!(0.3), &json!(0.5)));
    assert_eq!(check(&found, "labelled")["decision"], json!("not_enough_evidence"));
    assert_eq!(check(&found, "recall")["evidence"]["limit"], json!(-0.3));
    let text = home.run(&["memories", "readiness", "--from", "logs"]).out;
    assert!(text.contains("asks for less than the default: recall_margin."), "{text}");
}

#[test]
fn worse_judge_is_not_ready_and_an_equal_one_is_not_shown_to_be_better() {
    let worse: Vec<_> = (0..40).map(|n| pick(n, &[4, 5, 6], &[1, 2])).collect();
    let worse = home(&worse, &all_prompts(40));
    label(&worse, &[]);
    let found = readiness(&worse, 1);
    assert_eq!(check(&found, "better")["decision"], json!("not_ready"));
    let equal: Vec<_> = (0..40).map(|n| pick(n, &[1, 2, 3], &[1, 2, 3])).collect();
    let equal = home(&equal, &all_prompts(40));
    label(&equal, &[]);
    let found = readiness(&equal, 2);
    assert_eq!(check(&found, "better")["decision"], json!("not_enough_evidence"));
    assert_eq!(found["comparison"]["same"], json!(40));
}

#[test]
fn labelling_is_blind_and_leaves_out_picks_whose_prompt_was_not_kept() {
    let picks: Vec<_> = (0..3).map(|n| pick(n, &[2], &[2])).collect();
    let home = home(
        &picks,
        &[prompt(1, "why \u{1b}[31m does ghp_0123456789abcdefghijABCDEFGHIJ012345 fail")],
    );
    let shown = label(&home, &[]);
    assert!(
        shown.contains("1 of 1")
            && shown.contains("Prompt:\n  | why ")
            && shown.contains("how the first begins")
    );
    // Neither what the judge kept nor the order of search, and no escape or secret of the prompt.
    for hidden in ["kept", "rank", "\u{1b}", "ghp_0123"] {
        assert!(!shown.contains(hidden), "{hidden}: {shown}");
    }
    let order: Vec<_> = shown.lines().filter(|line| line.contains("[fix]")).collect();
    assert_eq!(order.len(), 6);
    let found = readiness(&home, 2);
    assert_eq!(
        (&found["labels"]["labelled"], &found["labels"]["without_text"]),
        (&json!(1), &json!(2))
    );
}

#[test]
fn pick_that_a_reviewer_names_is_no_evidence() {
    let home = home(&[pick(7, &[1], &[1])], &[prompt(7, "p")]);
    label(&home, &["0000000000000007"]);
    let found = readiness(&home, 2);
    assert_eq!(
        (&found["labels"]["labelled"], &found["labels"]["not_drawn"]),
        (&json!(0), &json!(1))
    );
    let ran = home.run(&["memories", "label", "ffff", "--reviewer", "anna", "--from", "logs"]);
    assert_eq!(ran.code, 64);
    assert!(ran.err.contains("no pick begins with `ffff`"), "{}", ran.err);
}

#[test]
fn picks_and_prompts_are_in_no_figure_of_pushes_or_tasks() {
    let home = home(&[pick(1, &[1], &[1]), pick(2, &[], &[])], &[prompt(1, "p")]);
    let day = "2026-02-01T10:00:00Z";
    home.write("logs/a.jsonl", crate::cli::push(1, day, "GO") + &crate::cli::push(2, day, "NO-GO"));
    let triage = home.good(&["triage", "--from", "logs", "--json"]);
    crate::report::conforms("triage", &triage);
    let triage: Value = serde_json::from_str(&triage).unwrap();
    let counts = &triage["counts"];
    let of = |name: &str| counts[name].as_u64().unwrap();
    assert_eq!([of("in_window"), of("go"), of("no_go"), of("overrides")], [5, 1, 1, 0]);
    assert_eq!([of("picks"), of("prompts"), of("rejected")], [2, 1, 0]);
    let list =
        |filter: &str| home.good(&["records", filter, "--from", "logs", "--json"]).lines().count();
    assert_eq!((list("family:pick"), list("family:prompt"), list("is:flagged")), (2, 1, 1));
}

#[test]
fn undo_takes_labels_of_a_pick_back() {
    let home = home(&[pick(1, &[1], &[1])], &[prompt(1, "p")]);
    label(&home, &[]);
    assert_eq!(readiness(&home, 2)["labels"]["labelled"], json!(1));
    home.good(&["label", "--undo", "--reviewer", "anna"]);
    assert_eq!(readiness(&home, 2)["labels"]["labelled"], json!(0));
}

#[test]
fn picks_are_listed_by_what_was_kept_and_cannot_be_labelled_or_overridden_as_verdicts() {
    let home = home(&[pick(3, &[2], &[2])], &[prompt(3, "p")]);
    let list = home.good(&["records", "family:pick", "--from", "logs"]);
    assert!(
        list.contains("◇ pick") && list.contains("1 of 6 kept") && !list.contains("over"),
        "{list}"
    );
    let row = home.good(&["records", "family:pick", "--from", "logs", "--json"]);
    let row: Value = serde_json::from_str(&row).unwrap();
    let id = row["id"].as_str().unwrap();
    let shown = home.good(&["show", id, "--from", "logs"]);
    assert!(shown.contains("2. kept = [fix] helps 2 (tags: a, b), m2.md"), "{shown}");
    assert!(shown.contains("1. dropped = [fix] useless 1"), "{shown}");
    let label = home.run(&["label", id, "poor", "--reviewer", "anna", "--from", "logs"]);
    assert_eq!(label.code, 64);
    assert!(label.err.contains("no evaluation has an id"), "{}", label.err);
    let args = ["override", id, "accept", "--reason", "r", "--reviewer", "anna", "--from", "logs"];
    assert_eq!(home.run(&args).code, 64);
}

#[test]
fn demo_has_memories_to_search_and_a_session_for_the_hook() {
    let home = Home::new();
    let found = home.good(&["--demo", "memories", "search", "retry budgets", "--json"]);
    let found: Value = serde_json::from_str(&found).unwrap();
    let first = &found["memories"][0];
    assert!(first["memory"].as_str().unwrap().ends_with("/retry-budgets.md"), "{found:#}");
    let session = files(home.path()).into_iter().find(|path| path.ends_with("session-2.jsonl"));
    let input = json!({"prompt": "Change retry budgets", "transcript_path": session.unwrap()});
    let mut child = home
        .command(&["--demo", "memories", "hook"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(input.to_string().as_bytes()).unwrap();
    let done = child.wait_with_output().unwrap();
    let block = String::from_utf8(done.stdout).unwrap();
    assert!(done.status.success() && block.contains("/retry-budgets.md"), "{block}");
    // Both are picks of the demo, and the home of whoever tries it has none.
    let picks = home.good(&["--demo", "records", "family:pick", "day:today", "--json"]);
    assert!(picks.lines().count() >= 2, "{picks}");
    assert!(!home.path().join(".openclaw").exists());
    assert_eq!(home.run(&["--demo", "memories", "readiness"]).code, 0);
}

fn files(dir: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}

#[test]
fn sample_is_compared_with_and_without_a_judge() {
    let home = Home::new();
    home.good(&["memories", "sample", "sample"]);
    assert_eq!(home.run(&["memories", "sample", "sample"]).code, 64);
    let compare = ["memories", "compare", "--directory", "sample"];
    let shown = home.good(&compare);
    assert!(
        shown.contains("prompt: Can I deploy this on Friday afternoon?\n  search: ops/"),
        "{shown}"
    );
    assert!(shown.contains("\n20 queries, 0 judged, 20 with known answers\n"), "{shown}");
    // Without a judge, what is put out is what search finds.
    assert!(shown.ends_with("\nbetter for 0, worse for 0, the same for 20\n"), "{shown}");
    let json = |args: &[&str]| {
        let text = home.good(&[&compare[..], args, &["--json"]].concat());
        crate::report::conforms("memories-compare", &text);
        serde_json::from_str::<Value>(&text).unwrap()
    };
    let before = json(&["sample/queries.jsonl"]);
    let precision = &before["search"]["precision"];
    assert!(precision["lower"].as_f64().unwrap() < precision["estimate"].as_f64().unwrap());
    assert_eq!(before["put_out"], before["search"]);
    // A judge that keeps nothing loses what helps, and what does not.
    let server = Server::always(answer("{\"keep\":[]}"));
    let config = format!(
        "[memories]\njudge = true\n[judges.relevance]\nendpoint = {:?}\nkey_env = \"PATH\"\n",
        server.url()
    );
    std::fs::create_dir_all(home.path().join(".config/foureyes")).unwrap();
    home.write(".config/foureyes/config.toml", config);
    let after = json(&[]);
    assert_eq!((&after["judged"], &after["put_out"]["precision"]), (&json!(20), &Value::Null));
    assert_eq!(after["put_out"]["recall"]["n"], json!(0));
    let of = |name: &str| after["comparison"][name].as_u64().unwrap();
    assert!(of("worse") > 0 && of("better") + of("worse") + of("same") == 20, "{after:#}");
    home.write("bad.jsonl", "{}\n");
    assert_eq!(home.run(&["memories", "compare", "bad.jsonl", "--directory", "sample"]).code, 64);
}
