//! `foureyes judge --task-id`, as an agent or a script runs it.

use super::home::Home;
use serde_json::Value;
use std::process::Command;

#[test]
fn every_path_of_the_sequence_has_its_exit_code_and_its_lines() {
    for (words, code, lines) in [
        (["accept", "reject", "reject"], 0, 1),
        (["reject", "accept", "accept"], 1, 1),
        (["improve", "accept", "reject"], 0, 2),
        (["improve", "reject", "accept"], 1, 2),
        (["improve", "improve", "accept"], 2, 3),
        (["improve", "escalate", "accept"], 2, 3),
        (["escalate", "accept", "reject"], 0, 2),
        (["improve", "prose", "accept"], 2, 3),
        (["prose", "accept", "accept"], 2, 2),
        (["timeout", "accept", "accept"], 2, 2),
        (["improve", "unavailable", "accept"], 2, 3),
        (["SAFE_TO_COMMIT", "reject", "reject"], 2, 2),
    ] {
        let home = Home::new(words, "");
        let output = home.task(&[]);
        assert_eq!(output.status.code(), Some(code), "{words:?}");
        let log = home.log();
        assert_eq!(log.len(), lines, "{words:?}");
        assert!(
            log.iter().all(|line| line["task_id"] == "issue-42" && line["timestamp"].is_string())
        );
        assert!(log[1..].iter().all(|line| line["prev"].is_string()), "lines are chained");
    }
}

#[test]
fn paths_of_the_bash_runner_have_the_exit_codes_and_lines_of_the_table_for_switchers() {
    for (quick, deep, code, lines) in [
        ("SAFE_TO_COMMIT", "BLOCK", 0, 1),
        ("SAFE_TO_DEPLOY_AFTER_RUNTIME_CHECK", "BLOCK", 0, 1),
        ("BLOCK", "SAFE_TO_COMMIT", 1, 1),
        ("FIX_FIRST", "SAFE_TO_COMMIT", 0, 2),
        ("FIX_FIRST", "SAFE_TO_DEPLOY_AFTER_RUNTIME_CHECK", 0, 2),
        ("FIX_FIRST", "BLOCK", 1, 2),
        ("FIX_FIRST", "FIX_FIRST", 2, 3),
        ("FIX_FIRST", "INSUFFICIENT_EVIDENCE", 2, 3),
        ("FIX_FIRST", "empty", 2, 3),
        ("FIX_FIRST", "prose", 2, 3),
        ("empty", "SAFE_TO_COMMIT", 2, 2),
        ("prose", "SAFE_TO_COMMIT", 2, 2),
        ("accept", "SAFE_TO_COMMIT", 2, 2),
    ] {
        let home = Home::new([quick, deep, "SAFE_TO_COMMIT"], "[task]\nvocabulary = \"ladder\"\n");
        let output = home.task(&[]);
        assert_eq!(output.status.code(), Some(code), "{quick}, {deep}");
        assert_eq!(home.log().len(), lines, "{quick}, {deep}");
    }
}

#[test]
fn wrong_usage_is_never_a_rejection() {
    let home = Home::new(["accept"; 3], "");
    let missing = ["-t", "x", "-d", "@missing.txt", "a.md"];
    for (args, code) in [
        (&["-t", "x", "a.md"][..], 64),
        (&["-t", "x", "-d", "d", "--nonsense", "a.md"], 64),
        (&["-t", "x", "-d", "d", "--depth", "deep", "a.md"], 64),
        (&["-t", "", "-d", "d", "a.md"], 64),
        (&["-t", "a\u{1b}[2Jb", "-d", "d", "a.md"], 64),
        (&["-t", "unknown", "-d", "d", "a.md"], 64),
        (&["-t", "x", "-d", "", "a.md"], 64),
        (&["-t", "x", "-d", "d"], 64),
        (&missing, 74),
        (&["-t", "x", "-d", "d", "missing.md"], 74),
    ] {
        let output = home.run(args);
        assert_eq!(output.status.code(), Some(code), "{args:?}");
        assert!(output.stdout.is_empty() && !output.stderr.contains(&0x1b));
    }
    assert!(home.log().is_empty());
}

#[test]
fn same_content_is_not_judged_twice_and_fresh_cannot_lift_a_rejection() {
    let home = Home::new(["reject", "accept", "accept"], "");
    assert_eq!(home.task(&[]).status.code(), Some(1));
    home.answers(["accept"; 3]);
    let (code, again) = home.json(&[]);
    assert_eq!((code, &again["decided_by"]), (Some(1), &Value::from("log")));
    assert_eq!(home.log().len(), 1, "nobody was asked");
    // Under another name it is the same content.
    let other =
        home.run(&["-t", "renamed", "-d", "Write the note.", "-a", "It names a rollback.", "a.md"]);
    assert_eq!(other.status.code(), Some(1));
    let (code, fresh) = home.json(&["--fresh"]);
    assert_eq!((code, &fresh["reason"]), (Some(1), &Value::from("differs")));
    let log = home.log();
    assert_eq!((log.len(), &log[2]["fresh"]), (3, &Value::from(1)));
    assert_eq!(home.json(&[]).0, Some(1), "it stays rejected");
    home.write("a.md", "# Another note\n");
    assert_eq!(home.task(&[]).status.code(), Some(0), "other content is judged");
}

#[test]
fn failed_run_is_no_verdict_and_is_asked_again() {
    let home = Home::new(["timeout", "accept", "accept"], "");
    assert_eq!(home.task(&[]).status.code(), Some(2));
    home.answers(["accept"; 3]);
    let (code, value) = home.json(&[]);
    assert_eq!((code, &value["decided_by"]), (Some(0), &Value::from("judges")));
    assert_eq!(value["tries"], serde_json::json!({"used": 1, "left": 2}));
}

#[test]
fn tries_are_bounded_and_a_person_opens_them_again() {
    let home = Home::new(["reject"; 3], "[task]\ntries = 2\n");
    for n in 0..2 {
        home.write("a.md", &format!("# Note {n}\n"));
        let (code, value) = home.json(&[]);
        assert_eq!((code, &value["tries"]["used"]), (Some(1), &Value::from(n + 1)));
        assert_eq!(value["earlier"].as_array().unwrap().len(), n);
    }
    home.answers(["accept"; 3]);
    home.write("a.md", "# Note 3\n");
    for _ in 0..2 {
        let (code, value) = home.json(&[]);
        assert_eq!((code, &value["reason"]), (Some(2), &Value::from("tries")));
        assert_eq!(value["calls"], 0);
        assert_eq!(value["earlier"][1]["improvements"][0]["issue"], "issue of reject");
    }
    let mut log = home.log();
    assert_eq!(log.len(), 3, "a person is asked once");
    let last = log.pop().unwrap();
    assert_eq!(last["mode"], "escalation");
    // Its judges are a file of answers, although nobody was asked.
    assert_eq!(last["caveats"], serde_json::json!(["scripted"]));
    let person = r#"{"task_id":"issue-42","model":"human","mode":"override","verdict":"reject","scores":{"semantic":0,"pragmatic":0,"syntactic":0},"average":0,"round":0,"judge_tier":"human","human_override":true,"timestamp":"2026-11-24T10:00:00Z"}"#;
    let path = home.path().join(".openclaw/verdicts.jsonl");
    let text = std::fs::read_to_string(&path).unwrap() + person + "\n";
    std::fs::write(&path, text).unwrap();
    let (code, value) = home.json(&[]);
    assert_eq!((code, &value["decided_by"]), (Some(1), &Value::from("person")));
    home.write("a.md", "# Note 4\n");
    assert_eq!(home.json(&[]).0, Some(0));
}

#[test]
fn judge_that_cannot_be_asked_is_named_with_what_to_do() {
    let home = Home::new(["accept"; 3], "");
    let judge =
        "[judge]\nkind = \"opencode\"\nprogram = \"/no/such/opencode\"\nmodel = \"opencode/x\"\n";
    home.write(".config/foureyes/config.toml", judge);
    let output = home.task(&[]);
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    let (shown, progress) = (text(&output.stdout), text(&output.stderr));
    assert_eq!(output.status.code(), Some(2), "{progress}");
    assert!(shown.contains("nobody: no judge could be asked"), "{shown}");
    let hint = "-> install opencode, or set `kind` or `endpoint` in [judges.quick]";
    assert!(progress.contains(hint), "{progress}");
    home.write("a.md", "# Another note\n");
    let (_, value) = home.json(&[]);
    let why = value["explanation"].as_str().unwrap();
    assert!(why.starts_with("A judge could not be reached. quick: "), "{why}");
    assert!(why.contains("/no/such/opencode"), "{why}");
}

#[test]
fn override_is_offered_with_the_id_as_one_word() {
    let home = Home::new(["improve"; 3], "");
    let output = home.run(&["-t", "it's $(x) 1", "-d", "d", "a.md"]);
    let text = String::from_utf8(output.stdout).unwrap();
    let command = r"    foureyes override --task='it'\''s $(x) 1' accept";
    assert!(text.lines().any(|line| line == command), "{text}");
}

#[test]
fn limit_of_one_try_reads_well() {
    let home = Home::new(["reject"; 3], "[task]\ntries = 1\n");
    home.task(&[]);
    home.write("a.md", "# Another note\n");
    let (_, value) = home.json(&[]);
    assert_eq!(value["explanation"], "The task was judged once, which is the limit.");
}

#[test]
fn agents_get_one_document_that_holds_against_its_schema() {
    let schema = include_str!("../../../assets/judge-task.schema.json");
    let validator = jsonschema::validator_for(&serde_json::from_str(schema).unwrap()).unwrap();
    for words in [["improve", "accept", "accept"], ["reject"; 3], ["improve"; 3], ["timeout"; 3]] {
        let home = Home::new(words, "");
        for more in [&[][..], &["--depth", "panel"]] {
            let (code, value) = home.json(more);
            let errors: Vec<_> = validator.iter_errors(&value).map(|e| e.to_string()).collect();
            assert!(errors.is_empty(), "{errors:?}");
            assert_eq!(value["exit"].as_i64().map(|n| n as i32), code);
        }
    }
}

#[test]
fn sensitive_words_choose_the_depth_and_may_want_a_person() {
    let auto = "[task]\ndepth = \"auto\"\n";
    let home = Home::new(["accept"; 3], auto);
    assert_eq!(home.json(&[]).1["depth"], "sequential");
    let security = |home: &Home| {
        let args = ["-t", "s", "-d", "Change the password rules.", "--json", "a.md"];
        let output = home.run(&args);
        let value: Value = serde_json::from_slice(&output.stdout).unwrap();
        (output.status.code(), value)
    };
    let (code, value) = security(&home);
    assert_eq!(
        (code, &value["depth"], &value["sensitive"]),
        (Some(0), &"panel".into(), &"password".into())
    );
    let home = Home::new(["accept"; 3], &format!("{auto}sensitive_needs_person = true\n"));
    let (code, value) = security(&home);
    assert_eq!((code, &value["reason"]), (Some(2), &"sensitive".into()));
}

#[test]
fn texts_come_from_files_and_the_log_goes_where_it_is_asked_to() {
    let home = Home::new(["accept"; 3], "");
    home.write("task.txt", "Write the note.\n");
    let output =
        home.run(&["-t", "x", "-d", "@task.txt", "-a", "@task.txt", "-o", "own.jsonl", "a.md"]);
    assert_eq!(output.status.code(), Some(0));
    assert!(home.log().is_empty());
    let text = std::fs::read_to_string(home.path().join("own.jsonl")).unwrap();
    assert_eq!(text.lines().count(), 1);
}

#[test]
fn log_that_cannot_be_read_or_written_is_an_error_and_no_verdict() {
    let home = Home::new(["accept"; 3], "");
    std::fs::create_dir_all(home.path().join(".openclaw/verdicts.jsonl")).unwrap();
    let output = home.task(&[]);
    assert_eq!(output.status.code(), Some(74));
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(message.contains("failed to read") && message.contains("[task]"), "{message}");
}

#[test]
fn models_of_the_environment_come_before_the_file() {
    let home = Home::new(["accept"; 3], "");
    let mut command = Command::new(env!("CARGO_BIN_EXE_foureyes"));
    let output = command
        .args(["judge", "-t", "x", "-d", "d", "--json", "a.md"])
        .current_dir(home.path())
        .env_clear()
        .env("HOME", home.path())
        .env("JUDGE_QUICK_MODEL", "other/quick-9")
        .output()
        .unwrap();
    let value: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(value["rounds"][0]["model"], "other/quick-9");
}

#[test]
fn explain_shows_who_would_be_asked_and_what_the_log_knows_without_asking() {
    let home = Home::new(["improve", "accept", "reject"], "");
    let explain = |more: &[&str]| {
        let output = home.task(&[&["--explain"], more].concat());
        assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    };
    let before = explain(&[]);
    let part_of = |text: &str, parts: &[&str]| {
        parts.iter().for_each(|part| assert!(text.contains(part), "{part}: {text}"));
    };
    part_of(
        &before,
        &[
            "task: issue-42",
            "depth: sequential",
            "limits: 180 s, 18 requests",
            "tries: 0 used, 3 left",
            "decision: none yet: the judges below would be asked",
            "judge: quick, asked first",
            "judge: deep, asked if quick neither accepts nor rejects",
            "question: version ",
            "cost: ",
            "| === END MATERIAL 00000000000000000000000000000000 ===",
        ],
    );
    assert!(
        !before.contains("judge: tiebreaker"),
        "one after the other it is never asked: {before}"
    );
    let panel = explain(&["--depth", "panel"]);
    part_of(&panel, &["judge: deep, asked at once", "judge: tiebreaker, asked if quick and deep"]);
    assert!(home.log().is_empty() && !home.path().join(".openclaw").exists(), "nothing is written");
    // The hashes are those that records carry.
    assert_eq!(home.task(&[]).status.code(), Some(0));
    for sha in ["prompt_sha", "judge_sha", "run_sha"] {
        let sha = home.log()[1][sha].as_str().unwrap()[..12].to_owned();
        assert!(before.contains(&sha), "{sha}: {before}");
    }
    let lines = home.log();
    part_of(
        &explain(&[]),
        &[
            "decision: accept, from the log, since the same content was judged before: nobody would be asked",
            "tries: 1 used, 2 left",
        ],
    );
    part_of(&explain(&["--fresh"]), &["decision: none yet"]);
    assert_eq!(home.log(), lines);
}

#[test]
fn result_without_a_text_is_for_a_person_and_asked_of_nobody() {
    let png = b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR\0\0\x01\xff\xfe\x90\x91".as_slice();
    let files: [(&[u8], &str); 4] = [
        (b"", "empty"),
        (b"\n\t\n", "empty"),
        (png, "prompt_missing"),
        (b"U2FsdGVkX1AAAAAAAAAAAAAAAAAA\n", "prompt_missing"),
    ];
    for (bytes, error) in files {
        let home = Home::new(["accept", "accept", "accept"], "[task]\ndepth = \"panel\"\n");
        std::fs::write(home.path().join("a.md"), bytes).unwrap();
        for _ in 0..2 {
            let (code, document) = home.json(&[]);
            assert_eq!(code, Some(2), "{document}");
            assert_eq!(document["decision"], "escalate", "{document}");
        }
        let log = home.log();
        assert_eq!(log.len(), 1, "a person is asked once: {log:?}");
        assert_eq!((&log[0]["error"], &log[0]["reason"]), (&error.into(), &"not_asked".into()));
    }
    // Beside a text it is judged, and not accepted.
    let home = Home::new(["accept", "accept", "accept"], "");
    std::fs::write(home.path().join("b.png"), png).unwrap();
    let output = home.task(&["b.png"]);
    assert_eq!(output.status.code(), Some(2));
    let log = home.log();
    assert!(log.iter().all(|line| line["verdict"] == "escalate"), "{log:?}");
    assert!(log[0]["reasoning"].as_str().unwrap().contains("b.png is a PNG image"), "{}", log[0]);
}
