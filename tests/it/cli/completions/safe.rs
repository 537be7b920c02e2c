//! Hostile names, configurations that cannot be read, and lines that make no sense.

use super::{SHELLS, TIME, all_below, asking, assert_offered, complete, home, id, raw, values_of};
use crate::cli::{Home, push};

#[test]
fn hostile_names_reach_no_line() {
    let home = home(1);
    let names = ["\\u001b[31mred", "$(touch canary)", "a;touch canary", "two\\nrows", "b\\u202ex"];
    let record = |(n, name): (usize, &&str)| {
        format!(
            "{{\"task_id\":\"{name}\",\"author\":\"{name}\",\"judge_model\":\"{name}\",\"files_evaluated\":[\"{name}\"],\
             \"judge_tier\":\"quick\",\"verdict\":\"accept\",\"timestamp\":\"2026-02-12T10:00:0{n}Z\"}}\n"
        )
    };
    home.write("logs/b.jsonl", names.iter().enumerate().map(record).collect::<String>());
    for name in ["%1B[31mred", "%1B%5B31mred", "%24%28touch%20canary%29", "%0Ax", "b%E2%80%AEx"] {
        home.write(&format!("data/ledger/{name}@desk.jsonl"), "");
    }
    home.write("logs/$(touch canary).toml", "");
    home.write("logs/new\nline.toml", "");
    for shell in SHELLS {
        for words in [
            &["override", "--task", ""][..],
            &["label", "--reviewer", ""],
            &["records", "author:"],
            &["records", "model:"],
            &["records", "path:"],
            &["records", "reviewer:"],
            &["show", ""],
            &["--config", "logs/"],
        ] {
            let offered = raw(asking(&home, shell, words));
            let is_raw = |c: char| c.is_control() && !matches!(c, '\n' | '\t' | '\u{b}');
            assert!(!offered.contains(is_raw) && !offered.contains('\u{202e}'), "{offered:?}");
            let values = values_of(shell, &offered);
            let is_half = |value: &String| value == "rows" || value.contains("line");
            assert!(!values.iter().any(is_half), "{shell}: {values:?}");
            // The other two quote it, and it is one word.
            let is_taken_apart = values.iter().any(|value| value.contains(['$', ';', ' ']));
            assert!(shell != "bash" || !is_taken_apart, "{words:?} {values:?}");
        }
    }
}

#[test]
fn configuration_that_cannot_be_read_leaves_what_is_fixed() {
    let home = home(1);
    for broken in
        ["days = 0\n", "[[box]]\nname = \"alpha\"\nlocal = true\nbox = 1\n", "\u{fffd}=\n"]
    {
        home.write(".config/foureyes/config.toml", broken);
        for words in [&["pull", ""][..], &["show", ""], &["label", "--reviewer", ""]] {
            assert_offered(&home, words, &[]);
        }
        assert_offered(&home, &["records", "verdict:und"], &["verdict:undetermined"]);
        assert_offered(&home, &["hook", "mode", "b"], &["blocking"]);
    }
    let path = home.path().join(".config/foureyes/config.toml");
    std::fs::remove_file(&path).unwrap();
    std::fs::create_dir(&path).unwrap();
    assert_offered(&home, &["pull", ""], &[]);
    assert_offered(&home, &["--config", "nowhere.toml", "pull", ""], &[]);
    // Words that make no sense are none of a completion's business.
    for words in [&["records", "--limit", "--foo", ""][..], &["no-such", ""], &["--", "--", ""]] {
        for shell in SHELLS {
            raw(asking(&home, shell, words));
        }
    }
    let unknown = asking(&home, "csh", &["pull", ""]);
    assert_eq!(raw(unknown), "");
}

#[test]
fn options_on_the_line_choose_configuration_data_and_logs() {
    let home = home(1);
    home.write("other.toml", "[[box]]\nname = \"gamma\"\n");
    home.write("one.jsonl", push(9, TIME, "NO-GO"));
    std::fs::create_dir_all(home.path().join("elsewhere/ledger")).unwrap();
    home.write("elsewhere/ledger/dora@desk.jsonl", "");
    assert_offered(&home, &["--config", "other.toml", "pull", ""], &["gamma"]);
    assert_offered(&home, &["--config=other.toml", "pull", ""], &["gamma"]);
    assert_offered(&home, &["pull", "--config", "~/other.toml", ""], &["gamma"]);
    let words = ["--data-dir", "elsewhere", "label", "--reviewer", "d"];
    assert_offered(&home, &words, &["dora"]);
    let newest = id(&push(9, TIME, "NO-GO"));
    assert_offered(&home, &["show", "--from", "one.jsonl", ""], &[&newest]);
    let mut by_variable = asking(&home, "zsh", &["pull", "g"]);
    by_variable.env("FOUREYES_CONFIG", "other.toml");
    assert_eq!(values_of("zsh", &raw(by_variable)), ["gamma"]);
}

#[test]
fn demo_is_completed_only_once_it_was_made() {
    let home = Home::new();
    assert_offered(&home, &["--demo", "pull", ""], &[]);
    assert!(!home.path().join("data").exists(), "nothing is made");
    home.good(&["--demo", "gate", "show"]);
    let before = all_below(&home.path().join("data"));
    let config = before.iter().find(|(path, _)| path.ends_with("foureyes.toml")).unwrap().1;
    let config = String::from_utf8(config.clone()).unwrap();
    let (_, rest) = config.split_once("[[box]]\nname = \"").unwrap();
    let name = rest.split('"').next().unwrap();
    let found = complete(&home, "zsh", &["--demo", "pull", ""]);
    assert!(found.iter().any(|value| value == name), "{name}: {found:?}");
    assert!(all_below(&home.path().join("data")) == before);
}

#[test]
fn only_the_newest_records_of_a_large_log_are_offered() {
    let home = home(1);
    let line = |n: u32| push(n, &format!("2026-03-01T{:02}:{:02}:00Z", n / 60, n % 60), "GO");
    home.write("logs/a.jsonl", (0..1_000).map(line).collect::<String>());
    let found = complete(&home, "fish", &["show", ""]);
    let ids: Vec<&String> = found.iter().filter(|value| !value.starts_with('-')).collect();
    assert_eq!(ids.len(), 200);
    assert_eq!((ids[0], ids[199]), (&id(&line(999)), &id(&line(800))));
}

#[test]
fn variable_alone_changes_no_command() {
    let home = home(1);
    for args in [
        &["hook", "pre-push", "--word", "w", "--", "origin", "url"][..],
        &["hook", "mode", "--json"],
        &["config", "check"],
        &["pull", "--no-such-option"],
    ] {
        let plain = home.run(args);
        let mut command = home.command(args);
        command.env("FOUREYES_COMPLETE", "bash").env("_CLAP_COMPLETE_INDEX", "0");
        let output = command.output().unwrap();
        assert_eq!(output.status.code(), Some(plain.code), "{args:?}");
        assert_eq!(String::from_utf8_lossy(&output.stdout), plain.out, "{args:?}");
        assert_eq!(String::from_utf8_lossy(&output.stderr), plain.err, "{args:?}");
    }
}
