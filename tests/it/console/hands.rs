//! What the console hands to programs outside: the editor, the clipboard, the browser.

use super::super::pty::{Session, Start};
use super::person::{Home, escape, leave, raw, selected, wait_queue};
use std::io::Write;
use std::process::{Command, Stdio};

/// A commit that is hexadecimal and one that is a trap.
const COMMIT: &str = "51757b4f66ec1fa90b700a6ffcb8b26e48019c01";
const TRAP: &str = "51757b4;touch canary;$(touch canary)";

fn record(commit: &str, file: &str) -> String {
    super::person::flagged(1, 60)
        .replace("\"0000001\"", &format!("{commit:?}"))
        .replace("\"1.md\"", &format!("{file:?}"))
}

#[track_caller]
fn on_record(start: Start) -> Session {
    let mut session = start.run();
    wait_queue(&session, 1);
    session.press("2");
    session.wait_until("the record", |s| selected(s).is_some() && s.contents().contains("files"));
    raw(&mut session);
    session
}

fn logs(home: &Home, record: &str) -> [String; 2] {
    home.write("logs/one.jsonl", record);
    ["--from".to_owned(), home.at("logs").to_str().unwrap().to_owned()]
}

fn start(home: &Home) -> Start {
    let [flag, dir] = logs(home, &record(COMMIT, "a.md"));
    std::fs::create_dir_all(home.at("tmp")).unwrap();
    home.console(&[&flag, &dir]).env("TMPDIR", home.at("tmp").to_str().unwrap())
}

#[test]
fn editor_gets_arguments_and_private_temporary_copy() {
    let home = Home::new();
    let script = "echo \"given $1 of $#\"; stat -c 'mode %a' \"$2\"; grep -c commit \"$2\"; \
                  echo changed > \"$2\"; echo \"copy $2\" > \"$HOME/copy\"; read line";
    home.program("ed-args", script);
    let start = start(&home).env("EDITOR", "ed-args --wait");
    let before = std::fs::read(home.at("logs/one.jsonl")).unwrap();
    let mut session = on_record(start);
    session.press("e");
    session.wait_until("the editor", |s| {
        let text = s.contents();
        text.contains("given --wait of 2") && text.contains("mode 600")
    });
    session.press("\r");
    session.wait_until("the console", |s| s.alternate_screen() && selected(s).is_some());
    leave(&mut session, &home);
    assert!(std::fs::read_to_string(home.at("copy")).unwrap().trim_end().ends_with(".json"));
    assert_eq!(std::fs::read_dir(home.at("tmp")).unwrap().count(), 0);
    assert_eq!(std::fs::read(home.at("logs/one.jsonl")).unwrap(), before, "a log is never changed");
}

#[test]
fn missing_or_failing_editor_is_reported() {
    let breaks = "stty raw -echo; printf '\\033[?1000h\\033[?1000l'; kill -SEGV $$";
    for (editor, script, said) in [
        ("ed-nowhere", None, "failed to start ed-nowhere"),
        ("ed-fails", Some("exit 7"), "exit status: 7"),
        ("ed-breaks", Some(breaks), "signal: 11"),
        ("ed-empties", Some(": > \"$1\""), ""),
    ] {
        let home = Home::new();
        if let Some(script) = script {
            home.program(editor, script);
        }
        let mut session = on_record(start(&home).env("VISUAL", editor).env("EDITOR", "false"));
        session.press("e");
        // What is typed while the editor has the terminal is the editor's.
        assert!(session.waits_for_bytes("\x1b[?1049l"), "{editor}");
        let text = session.wait_until(editor, |s| {
            selected(s).map(|_| s.contents()).filter(|text| text.contains(said))
        });
        // Only of an editor that is not there is it said to name another.
        let named = text.contains("check VISUAL and EDITOR");
        assert_eq!(named, editor == "ed-nowhere", "{text}");
        session.press("?");
        session.wait_for("─ Keys ─");
        escape(&mut session);
        session.wait_until("no help", |s| !s.contents().contains("─ Keys ─"));
        session.press("1");
        session.wait_for("─ Overview");
        session.press("q");
        assert_eq!(session.end(), 0);
        let (now, before) = session.modes();
        assert_eq!(now, before, "{editor}");
        home.nothing_left();
        assert_eq!(std::fs::read_dir(home.at("tmp")).unwrap().count(), 0, "{editor}");
    }
}

#[test]
fn terminal_has_a_title_and_gets_its_own_back() {
    let home = Home::new();
    let mut session = on_record(start(&home));
    assert!(session.waits_for_bytes("\x1b]2;foureyes"));
    leave(&mut session, &home);
    let bytes = session.bytes();
    let text = String::from_utf8_lossy(&bytes);
    let count = |sequence: &str| text.matches(sequence).count();
    assert_eq!((count("\x1b[22;2t"), count("\x1b[23;2t")), (1, 1));
    // What is on the screen draws again; the title is the same and is not sent again.
    assert_eq!(count("\x1b]2;foureyes\x1b\\"), 1, "{text:?}");
}

#[test]
fn unset_editor_names_the_variable() {
    let home = Home::new();
    // No vi on this path.
    let start = start(&home).env("PATH", home.at("bin").to_str().unwrap());
    let mut session = on_record(start.without("EDITOR").without("VISUAL"));
    session.press("e");
    let text = session.wait_for("no editor is configured");
    assert!(text.contains("EDITOR"), "{text}");
    leave(&mut session, &home);
}

/// What `foureyes records` says that the id is.
fn id(home: &Home) -> String {
    let [flag, dir] = [String::from("--from"), home.at("logs").to_str().unwrap().to_owned()];
    let output = Command::new(env!("CARGO_BIN_EXE_foureyes"))
        .args(["records", "--json", &flag, &dir])
        .env_clear()
        .env("HOME", home.path())
        .env("FOUREYES_DATA", home.at("other"))
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let first = text.lines().next().unwrap_or_default();
    let value: serde_json::Value = serde_json::from_str(first)
        .or_else(|_| serde_json::from_str(&text))
        .unwrap_or_else(|e| panic!("{e}: {text}"));
    let id = value["id"].as_str().or_else(|| value["records"][0]["id"].as_str());
    id.unwrap_or_else(|| panic!("{value}")).to_owned()
}

fn base64(text: &str) -> String {
    let mut child = Command::new("base64")
        .arg("-w0")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("base64 is needed");
    child.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
    String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap()
}

#[test]
fn terminal_clipboard_is_written_only_by_key_with_id() {
    let home = Home::new();
    // Over SSH a program would fill the clipboard of the wrong machine.
    home.program("xclip", "cat > \"$HOME/wrong\"");
    let start = start(&home).env("DISPLAY", ":9").env("SSH_CONNECTION", "1.2.3.4 1 5.6.7.8 22");
    let mut session = on_record(start);
    // Another OSC is the title of the terminal.
    let osc = |s: &Session| String::from_utf8(s.bytes()).unwrap().matches("\x1b]52;").count();
    assert_eq!(osc(&session), 0);
    session.press("yi");
    let text = session.wait_for("allow OSC 52 in your terminal");
    assert!(text.contains("Copied the record's id"), "{text}");
    assert_eq!(osc(&session), 1);
    session.press("1");
    session.wait_for("─ Overview");
    session.press("q");
    assert_eq!(session.end(), 0);
    session.assert_clean_but(&format!("\x1b]52;c;{}\x1b\\", base64(&id(&home))));
    assert!(!home.at("wrong").exists());
}

#[test]
fn clipboard_program_gets_text_and_failure_is_reported() {
    for (script, said) in [("cat > \"$HOME/clip\"", ", by xclip"), ("exit 3", "was not copied")] {
        let home = Home::new();
        home.program("xclip", script);
        let mut session = on_record(start(&home).env("DISPLAY", ":9"));
        session.press("yy");
        session.wait_for(said);
        leave(&mut session, &home);
        if home.at("clip").exists() {
            assert_eq!(std::fs::read_to_string(home.at("clip")).unwrap(), id(&home));
        }
    }
}

#[test]
fn a_record_too_long_for_the_terminal_is_not_sent_to_it() {
    let home = Home::new();
    let long = record(COMMIT, &"x".repeat(80_000));
    let [flag, dir] = logs(&home, &long);
    let mut session = on_record(home.console(&[&flag, &dir]));
    session.press("Y");
    session.wait_for("too long");
    // The stream holds no OSC at all.
    leave(&mut session, &home);
}

/// Every argument of the browser on a line of a file.
const BROWSER: &str = "for a in \"$@\"; do echo \"<$a>\"; done >> \"$HOME/opened\"";

fn with_url(home: &Home, commit: &str) -> Start {
    home.program("browse", BROWSER);
    let config = "[console]\ncommit_url = \"https://git.example/kb/commit/{commit}\"\n";
    let config = home.write("c.toml", config);
    let [flag, dir] = logs(home, &record(commit, "a.md"));
    home.console(&["--config", &config, &flag, &dir]).env("BROWSER", "browse --new")
}

#[test]
fn a_commit_is_opened_by_its_hexadecimal_digits_alone() {
    let home = Home::new();
    let mut session = on_record(with_url(&home, COMMIT));
    session.press("o");
    session.wait_for("opened https://");
    leave(&mut session, &home);
    let opened = std::fs::read_to_string(home.at("opened")).unwrap();
    assert_eq!(opened, format!("<--new>\n<https://git.example/kb/commit/{COMMIT}>\n"));
}

#[test]
fn non_commit_id_never_reaches_browser() {
    for trap in [TRAP, "-rf", "../../../x", "%68%65", "abcdef"] {
        let home = Home::new();
        let mut session = on_record(with_url(&home, trap));
        session.press("o");
        session.wait_for("the commit cannot be opened");
        leave(&mut session, &home);
        assert!(!home.at("opened").exists() && !home.at("canary").exists(), "{trap}");
    }
}

#[test]
fn without_an_address_nothing_is_opened() {
    let home = Home::new();
    home.program("browse", BROWSER);
    let mut session = on_record(start(&home).env("BROWSER", "browse"));
    session.press("o");
    session.wait_for("commit_url");
    leave(&mut session, &home);
    assert!(!home.at("opened").exists());
}

#[test]
fn missing_browser_names_its_variable() {
    let home = Home::new();
    let start = with_url(&home, COMMIT).env("BROWSER", "browse-nowhere");
    let mut session = on_record(start);
    session.press("o");
    session.wait_for("BROWSER");
    leave(&mut session, &home);
}

#[test]
fn damaged_own_files_are_set_aside_and_missing_theme_is_tolerated() {
    let home = Home::new();
    let [flag, dir] = logs(&home, &record(COMMIT, "a.md"));
    let at = |name: &str| home.at(&format!("foureyes/session/{name}"));
    home.write("foureyes/session/console.json", "{\"theme\":\"vanished\",\"views\":[]}");
    home.write("foureyes/session/dealt.jsonl", "no line\n");
    let mut session = home.console(&[&flag, &dir]).run();
    session.wait_for("vanished");
    // Once dismissed, what was told before it.
    session.press("\x1b");
    session.wait_for("1 line cannot be read");
    leave(&mut session, &home);
    assert_eq!(std::fs::read_to_string(at("dealt.jsonl")).unwrap().lines().next(), Some("no line"));
    assert_eq!(home.session(&home.at("foureyes"))["theme"], "");
    home.write("foureyes/session/console.json", "{\"views\":");
    let mut session = home.console(&[&flag, &dir]).run();
    session.wait_for("1 line cannot be read");
    session.press("\x1b");
    session.wait_for("damaged");
    leave(&mut session, &home);
    let aside = std::fs::read_to_string(at("console.json.damaged-1")).unwrap();
    assert_eq!(aside, "{\"views\":");
}

/// The address that a terminal is told of a part of the screen.
fn link(address: &str) -> String {
    format!("\x1b]8;;{address}\x1b\\")
}

#[test]
fn a_commit_is_a_link_and_hostile_text_cannot_break_out() {
    let home = Home::new();
    let mut session = on_record(with_url(&home, COMMIT));
    session.press("hhhh");
    session.wait_for("[Verdict]");
    assert!(session.waits_for_bytes(&link(&format!("https://git.example/kb/commit/{COMMIT}"))));
    // Gone from the screen, it is a link no more; back on it, it is one again: for the third time.
    raw(&mut session);
    session.press("hhhh");
    session.wait_for("[Verdict]");
    leave(&mut session, &home);
    let text = String::from_utf8(session.bytes()).unwrap();
    let begun = text.matches("\x1b]8;;h").count();
    assert!(begun >= 3 && text.matches(&link("")).count() == begun, "{begun}");
    for trap in [TRAP, "51757b4f]8;;https://other.example"] {
        let home = Home::new();
        let mut session = on_record(with_url(&home, trap));
        session.press("hhhh");
        session.wait_for("[Verdict]");
        leave(&mut session, &home);
        assert!(!String::from_utf8(session.bytes()).unwrap().contains("\x1b]8;"), "{trap:?}");
    }
}

#[test]
fn a_terminal_that_knows_no_links_gets_none() {
    let home = Home::new();
    let mut session = on_record(with_url(&home, COMMIT).env("TERM", "linux"));
    session.press("hhhh");
    session.wait_for("[Verdict]");
    leave(&mut session, &home);
    assert!(!String::from_utf8(session.bytes()).unwrap().contains("\x1b]8;"));
}

#[test]
fn the_report_is_named_on_one_line_and_o_opens_it() {
    let home = Home::new();
    home.program("browse", BROWSER);
    let mut session = start(&home).env("BROWSER", "browse").size(80, 24).run();
    wait_queue(&session, 1);
    session.press("5");
    session.wait_for("Readiness of pushes");
    session.press("o");
    session.wait_for("no report was written in this session; w writes it");
    session.wait_for_silence(std::time::Duration::from_millis(300));
    session.press("w");
    let text = session.wait_for("; o opens it");
    let line = text.lines().find(|line| line.contains("Report written: ")).unwrap();
    assert!(line.contains(": ~/") && line.contains(".html; o opens it"), "{text}");
    assert!(session.waits_for_bytes("\x1b]8;;file:///"));
    session.press("o");
    session.wait_for("opened ~/");
    leave(&mut session, &home);
    let opened = std::fs::read_to_string(home.at("opened")).unwrap();
    let path = opened.trim_end().trim_start_matches("<file://").trim_end_matches('>');
    assert!(path.ends_with(".html") && std::path::Path::new(path).is_file(), "{opened}");
}
