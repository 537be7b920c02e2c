//! What the log has on the same content decides, and there is no way round it.

use super::home::Home;
use serde_json::Value;

fn log_of(home: &Home) -> std::path::PathBuf {
    home.path().join(".openclaw/verdicts.jsonl")
}

/// What is left of a run that was killed after so many lines.
fn killed_after(home: &Home, lines: usize) {
    let text = std::fs::read_to_string(log_of(home)).unwrap();
    let left: String = text.split_inclusive('\n').take(lines).collect();
    std::fs::write(log_of(home), left).unwrap();
}

fn append(home: &Home, line: &Value) {
    let text = std::fs::read_to_string(log_of(home)).unwrap() + &line.to_string() + "\n";
    std::fs::write(log_of(home), text).unwrap();
}

#[test]
fn run_that_is_killed_buys_no_other_verdict() {
    let home = Home::new(["improve", "reject", "accept"], "");
    assert_eq!(home.task(&[]).status.code(), Some(1));
    killed_after(&home, 1);
    home.answers(["accept"; 3]);
    // A person hears of it once, and the run ends in the log.
    for (by, is_first) in [("rules", true), ("log", false)] {
        let output = home.task(&["--json"]);
        let value: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!((output.status.code(), &value["decided_by"]), (Some(2), &Value::from(by)));
        assert_eq!((&value["reason"], &value["tries"]["used"]), (&"unfinished".into(), &1.into()));
        assert!(value["explanation"].as_str().unwrap().contains("ended early"), "{value}");
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!(stderr.contains("A person must decide"), is_first, "{stderr}");
        assert_eq!(home.log().len(), 2, "nobody was asked");
    }
    // Asked by name it is a further try, and a person decides all the same.
    let (code, value) = home.json(&["--fresh"]);
    assert_eq!(
        (code, &value["reason"], &value["tries"]["used"]),
        (Some(2), &"differs".into(), &2.into())
    );
}

/// Does something to each line of the log.
fn edit(home: &Home, edit: impl Fn(&mut Vec<String>)) {
    let text = std::fs::read_to_string(log_of(home)).unwrap();
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    edit(&mut lines);
    std::fs::write(log_of(home), lines.join("\n") + "\n").unwrap();
}

#[test]
fn line_that_was_changed_is_not_believed_and_nobody_is_asked_instead() {
    let accept = |line: &mut String| {
        *line = line.replace("\"decision\":\"reject\"", "\"decision\":\"accept\"");
        *line = line.replace("\"verdict\":\"reject\"", "\"verdict\":\"accept\"");
    };
    let of_task = |line: &String| line.contains("issue-42");
    let add = |lines: &mut Vec<String>| {
        let behind = lines.iter().filter(|line| of_task(line)).count();
        lines.insert(behind, "{\"note\":1}".to_owned());
    };
    type Edit<'a> = &'a dyn Fn(&mut Vec<String>);
    let edits: [(&str, Edit<'_>); 3] = [
        ("reject", &|lines| lines.iter_mut().filter(|l| of_task(l)).for_each(accept)),
        ("reject", &|lines| {
            lines.iter_mut().filter(|l| of_task(l)).for_each(accept);
            add(lines);
        }),
        ("accept", &add),
    ];
    for (number, (word, one)) in edits.into_iter().enumerate() {
        let home = Home::new([word, word, word], "");
        let code = if word == "accept" { 0 } else { 1 };
        assert_eq!(home.task(&["--depth", "panel"]).status.code(), Some(code));
        let other = ["-t", "issue-43", "-d", "Write it.", "-a", "It is there.", "a.md"];
        home.run(&other);
        edit(&home, one);
        home.answers(["accept"; 3]);
        let before = home.log().len();
        for more in [&["--depth", "panel"][..], &["--depth", "panel", "--fresh"]] {
            let (code, value) = home.json(more);
            assert_eq!((code, &value["reason"]), (Some(2), &"damaged".into()), "{number}");
            assert!(value["explanation"].as_str().unwrap().contains("was changed"), "{value}");
        }
        let added = home.log().split_off(before);
        assert!(added.iter().all(|line| line["model"] == "human"), "{number}: {added:?}");
        // A person who has looked at it decides.
        append(
            &home,
            &serde_json::json!({"task_id": "issue-42", "model": "human", "mode": "override",
                "judge_tier": "human", "verdict": "accept", "round": 0, "human_override": true,
                "timestamp": "2030-01-01T00:00:00Z"}),
        );
        let (code, value) = home.json(&["--depth", "panel"]);
        assert_eq!((code, &value["decided_by"]), (Some(0), &"person".into()), "{number}");
    }
}

#[test]
fn run_that_fails_after_a_verdict_buys_no_other_one() {
    for (words, more, code) in [
        (["improve", "prose", "accept"], &[][..], 2),
        (["improve", "timeout", "accept"], &[], 2),
        (["reject", "prose", "accept"], &["--depth", "panel"], 1),
    ] {
        let home = Home::new(words, "");
        assert_eq!(home.task(more).status.code(), Some(2), "{words:?}");
        home.answers(["accept"; 3]);
        let (again, value) = home.json(more);
        assert_eq!((again, &value["decided_by"]), (Some(code), &"log".into()), "{words:?}");
        assert_eq!(value["tries"]["used"], 1, "{words:?}");
    }
}

#[test]
fn what_a_person_rejects_is_rejected_under_another_name_too() {
    let home = Home::new(["accept"; 3], "");
    assert_eq!(home.task(&[]).status.code(), Some(0));
    let text = std::fs::read_to_string(log_of(&home)).unwrap();
    let settings = foureyes::jsonl::Settings::default();
    let record = foureyes::jsonl::read_one(text.trim_end().as_bytes(), &settings).unwrap();
    append(
        &home,
        &serde_json::json!({"id": "1", "task_id": "issue-42", "model": "human", "mode": "override",
            "judge_tier": "human", "verdict": "reject", "human_override": true, "reviewer": "ann",
            "record": record.id.to_string(), "timestamp": "2026-11-24T10:00:00Z"}),
    );
    let args =
        ["-t", "other", "-d", "Write the note.", "-a", "It names a rollback.", "--json", "a.md"];
    let output = home.run(&args);
    let value: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((output.status.code(), &value["reviewer"]), (Some(1), &"ann".into()));
}

#[test]
fn line_of_another_program_lifts_nothing() {
    let home = Home::new(["reject"; 3], "");
    assert_eq!(home.task(&[]).status.code(), Some(1));
    append(
        &home,
        &serde_json::json!({"task_id": "issue-42", "model": "m", "mode": "deep", "round": 2,
            "judge_tier": "deep", "verdict": "accept", "timestamp": "2026-11-24T10:00:00Z"}),
    );
    let (code, value) = home.json(&[]);
    assert_eq!((code, &value["decided_by"]), (Some(1), &"log".into()));
}

#[test]
fn what_the_log_accepts_keeps_its_advice_and_consensus() {
    let after_check = "SAFE_TO_DEPLOY_AFTER_RUNTIME_CHECK";
    let home = Home::new([after_check; 3], "[task]\nvocabulary = \"ladder\"\ndepth = \"panel\"\n");
    let [first, again] = [home.json(&[]), home.json(&[])];
    assert_eq!(again.1["decided_by"], "log");
    for field in ["exit", "verdict", "advice", "consensus"] {
        assert_eq!(first.1[field], again.1[field], "{field}");
        assert!(!again.1[field].is_null(), "{field}");
    }
}

#[test]
fn improvements_are_those_of_the_run_that_decided() {
    let home = Home::new(["reject"; 3], "");
    assert_eq!(home.task(&[]).status.code(), Some(1));
    home.write("a.md", "# Another note\n");
    home.answers(["improve"; 3]);
    assert_eq!(home.task(&[]).status.code(), Some(2));
    home.write("a.md", "# A note\n");
    let (code, value) = home.json(&[]);
    assert_eq!((code, &value["decided_by"]), (Some(1), &"log".into()));
    assert_eq!(value["improvements"][0]["issue"], "issue of reject");
}

#[test]
fn rejection_outlasts_the_tries() {
    let home = Home::new(["reject"; 3], "");
    assert_eq!(home.task(&[]).status.code(), Some(1));
    home.answers(["accept"; 3]);
    for used in [2, 3, 3] {
        let (code, value) = home.json(&["--fresh"]);
        assert_eq!((code, &value["tries"]["used"]), (Some(1), &used.into()), "{value}");
    }
    home.configure("[task]\nrequire_families = true\n");
    assert_eq!(home.task(&["--fresh"]).status.code(), Some(1), "nobody may be asked");
    assert_eq!(home.log().len(), 5);
}

#[test]
fn other_depth_is_no_way_to_another_verdict() {
    let home = Home::new(["reject", "accept", "accept"], "");
    assert_eq!(home.task(&["--depth", "sequential"]).status.code(), Some(1));
    home.answers(["accept"; 3]);
    let (code, value) = home.json(&["--depth", "panel"]);
    assert_eq!((code, &value["decided_by"]), (Some(1), &"log".into()));
    // One judge's accept is not that of a panel, but a panel's holds for one.
    home.write("a.md", "# Another note\n");
    assert_eq!(home.json(&["--depth", "sequential"]).1["decided_by"], "judges");
    assert_eq!(home.json(&["--depth", "panel"]).1["decided_by"], "judges");
    assert_eq!(home.json(&["--depth", "sequential"]).1["decided_by"], "log");
    assert_eq!(home.log().last().unwrap()["fresh"], Value::Null, "it was not asked for by name");
}

#[test]
fn caller_asks_no_fewer_judges_than_configured() {
    for config in ["depth = \"panel\"\n", "depth = \"auto\"\nsensitive_words = [\"note\"]\n"] {
        let home = Home::new(["accept", "reject", "reject"], &format!("[task]\n{config}"));
        let (code, value) = home.json(&["--depth", "sequential"]);
        assert_eq!((code, &value["depth"]), (Some(1), &"panel".into()), "{config}");
    }
}

#[test]
fn deeper_judges_that_reject_are_not_outvoted_by_an_earlier_accept() {
    let home = Home::new(["accept", "reject", "reject"], "");
    assert_eq!(home.task(&["--depth", "sequential"]).status.code(), Some(0));
    assert_eq!(home.task(&["--depth", "panel"]).status.code(), Some(1));
    let (code, value) = home.json(&["--depth", "sequential"]);
    assert_eq!((code, &value["decided_by"]), (Some(1), &"log".into()));
}

#[test]
fn file_has_one_verdict_however_its_path_is_written() {
    let home = Home::new(["reject"; 3], "[task]\nsensitive_paths = [\"auth/\"]\n");
    std::fs::create_dir(home.path().join("auth")).unwrap();
    home.write("auth/a.md", "# A note\n");
    std::os::unix::fs::symlink("auth/a.md", home.path().join("link.md")).unwrap();
    let absolute = home.path().join("auth/a.md").display().to_string();
    let judge = |paths: &[&str]| {
        let args = ["-t", "issue-42", "-d", "Write it.", "-o", "log.jsonl", "--json"];
        let output = home.run(&[&args[..], paths].concat());
        let value: Value = serde_json::from_slice(&output.stdout).unwrap();
        (output.status.code(), value)
    };
    let (code, first) = judge(&["auth/a.md"]);
    assert_eq!((code, &first["sensitive"]), (Some(1), &"auth/".into()));
    home.answers(["accept"; 3]);
    for path in ["./auth/a.md", "auth/../auth//a.md", &absolute, "link.md"] {
        for paths in [&[path][..], &[path, "auth/a.md"]] {
            let (code, value) = judge(paths);
            assert_eq!((code, &value["decided_by"]), (Some(1), &"log".into()), "{paths:?}");
            assert_eq!(value["sensitive"], "auth/", "{paths:?}");
        }
    }
}

#[test]
fn file_of_a_repository_has_one_path_from_everywhere() {
    let config = "[task]\nsensitive_paths = [\"auth/\"]\nsensitive_needs_person = true\n";
    let home = Home::new(["accept"; 3], config);
    std::fs::create_dir_all(home.path().join("repo/.git")).unwrap();
    std::fs::create_dir_all(home.path().join("repo/auth")).unwrap();
    home.write("repo/auth/a.md", "# A note\n");
    for (directory, path) in [("repo", "auth/a.md"), (".", "repo/auth/a.md"), ("/", "")] {
        let file = match path {
            "" => home.path().join("repo/auth/a.md").display().to_string(),
            path => path.to_owned(),
        };
        let mut command = home.command(&["-t", "issue-42", "-d", "Write it.", "--json", &file]);
        let output = command.current_dir(home.path().join(directory)).output().unwrap();
        let value: Value = serde_json::from_slice(&output.stdout).unwrap();
        let found = (output.status.code(), &value["sensitive"]);
        assert_eq!(found, (Some(2), &"auth/".into()), "{directory}");
    }
    assert_eq!(home.log().len(), 2, "one run");
}

#[test]
fn accept_of_the_log_is_taken_only_where_it_would_be_accepted_now() {
    let families =
        "[[family]]\nname = \"north\"\nauthors = [\"North *\"]\nmodels = [\"quick*\", \"deep*\"]\n";
    let home = Home::new(["accept"; 3], families);
    assert_eq!(home.json(&[]).0, Some(0));
    assert_eq!(home.json(&["--author", "South Agent"]).1["decided_by"], "log");
    let (code, value) = home.json(&["--author", "North Agent"]);
    assert_eq!((code, &value["reason"]), (Some(2), &"not_asked".into()), "{value}");
    let home = Home::new(["accept"; 3], "");
    assert_eq!(home.json(&[]).0, Some(0));
    home.configure("[task]\nsensitive_words = [\"note\"]\nsensitive_needs_person = true\n");
    let (code, value) = home.json(&["--depth", "sequential"]);
    assert_eq!((code, &value["reason"]), (Some(2), &"sensitive".into()), "{value}");
    let home = Home::new(["accept"; 3], "");
    assert_eq!(home.json(&["--depth", "panel"]).0, Some(0));
    home.configure("[task]\nrequire_families = true\n");
    let (code, value) = home.json(&["--depth", "panel"]);
    assert_eq!((code, &value["reason"]), (Some(2), &"not_asked".into()), "{value}");
}

#[test]
fn another_log_forgets_nothing() {
    let home = Home::new(["reject"; 3], "");
    assert_eq!(home.task(&[]).status.code(), Some(1));
    home.answers(["accept"; 3]);
    let (code, value) = home.json(&["-o", "other.jsonl"]);
    assert_eq!((code, &value["decided_by"]), (Some(1), &"log".into()));
    assert!(!home.path().join("other.jsonl").exists());
    home.write("a.md", "# Another note\n");
    let (code, value) = home.json(&["-o", "other.jsonl"]);
    assert_eq!((code, &value["tries"]["used"]), (Some(0), &2.into()), "tries of both logs");
    let both = [
        home.log().len(),
        std::fs::read_to_string(home.path().join("other.jsonl")).unwrap().lines().count(),
    ];
    assert_eq!(both, [1, 1]);
}
