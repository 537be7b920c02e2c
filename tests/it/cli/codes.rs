//! Exit codes, and that an error says what, where and what to do.

use super::{Home, push};
use std::io::Read;

#[test]
fn each_failure_has_its_exit_code_and_a_hint() {
    let home = Home::new();
    home.write("logs/a.jsonl", push(1, "2026-02-10T10:00:00Z", "GO"));
    home.write("file", "");
    home.write("bad.toml", "days = 7\n[[box]]\nname = \"a\"\nhst = \"x\"\n");
    std::fs::create_dir(home.path().join("empty")).unwrap();
    let cases: [(&[&str], i32, &[&str]); 15] = [
        (&[], 64, &["no box is configured", "--from", "--demo"]),
        (&["triage"], 64, &["no box is configured"]),
        (&["triage", "--form", "logs"], 64, &["--form"]),
        (&["triage", "--days", "0", "--from", "logs"], 64, &["--days"]),
        (&["triage", "--json", "--plain", "--from", "logs"], 64, &["--plain"]),
        (&["triage", "--from", "none"], 74, &["failed to read none", "hint: "]),
        (&["triage", "--from", "empty"], 74, &["no log in empty", "*.jsonl"]),
        (&["triage", "--from", "logs", "--data-dir", "file"], 74, &["file", "--data-dir DIR"]),
        (&["triage", "--config", "bad.toml"], 64, &["bad.toml:4:1", "hst", "host"]),
        (&["triage", "--config", "none.toml"], 64, &["none.toml"]),
        (&["records", "verdict:go score.semantic:<x", "--from", "logs"], 64, &["^", "filter.md"]),
        (&["records", "--jsn", "--from", "logs"], 64, &["--jsn", "--help"]),
        (
            &["records", "--from", "logs/a.jsonl", "logs/gone.jsonl"],
            74,
            &["failed to read logs/gone.jsonl", "check that the path exists"],
        ),
        (&["show", "zzzz", "--from", "logs"], 64, &["is neither a record id nor a commit"]),
        (&["show", "00000000", "--from", "logs"], 64, &["no record id or commit starts with"]),
    ];
    for (args, code, said) in cases {
        let ran = home.run(args);
        assert_eq!(ran.code, code, "{args:?}: {}", ran.err);
        assert_eq!(ran.out, "", "{args:?}");
        for part in said {
            assert!(ran.err.contains(part), "{args:?} does not say {part:?}: {}", ran.err);
        }
    }
}

#[test]
#[cfg(target_os = "linux")]
fn undisplayable_error_keeps_exit_code() {
    let home = Home::new();
    home.write("logs/a.jsonl", push(1, "2026-02-10T10:00:00Z", "GO"));
    let code = |args: &[&str]| {
        let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
        home.command(args).stderr(full).status().unwrap().code()
    };
    assert_eq!(code(&["show", "00000000", "--from", "logs"]), Some(64));
    assert_eq!(code(&["triage", "--from", "none"]), Some(74));
    assert_eq!(code(&["records", "--rejects", "--from", "logs"]), Some(0));
}

#[test]
fn the_place_of_an_error_in_a_filter_is_pointed_at() {
    let home = Home::new();
    home.write("logs/a.jsonl", "");
    let ran = home.run(&["records", "box:a colour:red", "--from", "logs"]);
    let lines: Vec<&str> = ran.err.lines().collect();
    assert_eq!(lines[1].find('^'), lines[0].find("colour"), "{}", ran.err);
}

#[test]
fn flags_after_filter_are_flags_and_filter_may_start_with_dash() {
    let home = Home::new();
    let lines = ["GO", "NO-GO"].map(|v| push(1, "2026-02-10T10:00:00Z", v)).concat();
    home.write("logs/a.jsonl", lines);
    for args in [
        &["records", "verdict:go", "--json", "--from", "logs"][..],
        &["records", "-verdict:no-go", "--json", "--from", "logs"],
        &["records", "--json", "verdict:go", "commit:0000001", "--from", "logs"],
        &["records", "verdict:go", "commit:0000001", "--limit", "1", "--json", "--from", "logs"],
    ] {
        let out = home.good(args);
        assert_eq!(out.lines().count(), 1, "{args:?}: {out}");
        assert!(out.contains("\"outcome\":\"go\""), "{args:?}: {out}");
    }
}

#[test]
fn closed_pipe_is_not_a_failure_but_full_disk_is() {
    let home = Home::new();
    let lines: String = (0..5000).map(|n| push(n, "2026-02-10T10:00:00Z", "NO-GO")).collect();
    home.write("logs/a.jsonl", lines);
    for args in [
        &["records", "--json", "--from", "logs"][..],
        &["records", "--from", "logs"],
        &["triage", "--json", "--from", "logs"],
        &["triage", "--limit", "5000", "--from", "logs"],
    ] {
        let mut child = home.command(args).spawn().unwrap();
        let mut first = [0; 1];
        child.stdout.take().unwrap().read_exact(&mut first).unwrap();
        let output = child.wait_with_output().unwrap();
        let err = String::from_utf8_lossy(&output.stderr);
        assert_eq!((output.status.code(), err.as_ref()), (Some(0), ""), "{args:?}");
        let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
        let output = home.command(args).stdout(full).output().unwrap();
        assert_eq!(output.status.code(), Some(74), "{args:?}");
    }
}

#[test]
fn dumb_terminal_old_locale_and_missing_home_change_nothing() {
    let home = Home::new();
    home.write("logs/a.jsonl", push(1, "2026-02-10T10:00:00Z", "NO-GO"));
    let args = ["records", "--from", "logs"];
    let plain = home.good(&args);
    for (name, value) in [("TERM", "dumb"), ("LANG", "C"), ("NO_COLOR", "1"), ("HOME", "/none")] {
        let output = home.command(&args).env(name, value).output().unwrap();
        assert_eq!(String::from_utf8(output.stdout).unwrap(), plain, "{name}={value}");
    }
}
