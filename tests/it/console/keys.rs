//! The keymap: the user's file through the program, and what is written of the keys.

use crate::cli::Home;
use crate::pty::Start;
use foureyes::tui::Action;
use foureyes::tui::keymap::{Context, Keymap};
use std::path::Path;

/// A home whose configuration directory holds a file.
fn with(name: &str, text: &str) -> Home {
    let home = Home::new();
    let path = home.path().join(".config/foureyes").join(name);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, text).unwrap();
    home
}

#[test]
fn invalid_keymap_is_reported_with_position_before_start() {
    let start = Start::foureyes(&["--from", "."]);
    let dir = start.home().join("config/foureyes");
    std::fs::create_dir_all(&dir).unwrap();
    std::fs::write(dir.join("keymap.toml"), "[list]\nseen = [\"q\"]\nsen = [\"f2\"]\n").unwrap();
    std::fs::write(start.home().join("a.jsonl"), "").unwrap();
    let session = start.size(120, 24).run();
    session.wait_for("keymap.toml:3:1: there is no action `sen`");
    assert_eq!(session.end(), 64);
}

#[test]
fn user_key_works_and_appears_in_hints_and_help() {
    let start = Start::foureyes(&["--from", "a.jsonl"]);
    let dir = start.home().join("config/foureyes");
    std::fs::create_dir_all(&dir).unwrap();
    let text = "[everywhere]\nunbind = [\"3\"]\nrecords = [\"f5\"]\n";
    std::fs::write(dir.join("keymap.toml"), text).unwrap();
    std::fs::write(start.home().join("a.jsonl"), "").unwrap();
    let mut session = start.size(120, 40).run();
    session.wait_for("f5 Records");
    session.press("\x1b[15~");
    session.wait_for("No record yet");
    session.press("?");
    session.wait_for("Keys");
    session.type_text("show all rec");
    session.wait_until("f5 in help", |s| {
        s.contents()
            .lines()
            .any(|l| l.contains("> f5 ") && l.contains("records: Show all records."))
    });
    session.press("\x1b");
    session.wait_until("help closed", |s| !s.contents().contains("Keys"));
    session.press("qq");
    assert_eq!(session.end(), 0);
    session.assert_clean();
}

#[test]
fn key_redefined_by_list_is_shown_once_for_that_list() {
    let keymap = Keymap::built_in();
    let keys = |place, action| {
        keymap.keys(place, action).iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    assert_eq!(keys(Context::List, Action::JudgeAgain), ["r"]);
    assert_eq!(keys(Context::List, Action::RepeatRun), [""; 0]);
    assert_eq!(keys(Context::Everywhere, Action::RepeatRun), ["r"]);
}

#[test]
fn config_check_reports_keymap_and_theme_problems() {
    let home = with("keymap.toml", "[list]\npull = [\"d\"]\n");
    let ran = home.run(&["config", "check"]);
    assert_eq!(ran.code, 64, "{}", ran.err);
    assert!(ran.out.contains("keymap.toml:2:9: `d` is `seen`"), "{}", ran.out);
    let home = with("themes/mine.toml", "nonsense = 3\n");
    let ran = home.run(&["config", "check"]);
    assert_eq!(ran.code, 64, "{}", ran.err);
    assert!(ran.out.contains("mine.toml"), "{}", ran.out);
    let home = with("keymap.toml", "[list]\nseen = [\"D\"]\n");
    assert_eq!(home.run(&["config", "check"]).code, 0);
}

/// The keys as docs/console.md has them.
fn table() -> String {
    let keymap = Keymap::built_in();
    let mut out = String::new();
    for context in Context::ALL.into_iter().rev() {
        out.push_str(&format!("\n{}:\n\n| keys | name | does |\n|---|---|---|\n", context.title()));
        for action in Action::ALL {
            let all = keymap.all().filter(|(c, _, a)| *c == context && a == action);
            let keys: Vec<String> = all.map(|(_, key, _)| format!("`{key}`")).collect();
            if !keys.is_empty() {
                let (name, does) = (action.name(), action.description());
                out.push_str(&format!("| {} | `{name}` | {does} |\n", keys.join(" ")));
            }
        }
    }
    out + "\n"
}

#[test]
fn the_keys_in_the_documentation_are_those_of_the_program() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/console.md");
    let text = std::fs::read_to_string(&path).unwrap();
    let (begin, end) = ("<!-- keys:begin -->\n", "<!-- keys:end -->");
    let from = text.find(begin).unwrap() + begin.len();
    let to = text.find(end).unwrap();
    if std::env::var_os("UPDATE_ASSETS").is_some() {
        let text = format!("{}{}{}", &text[..from], table(), &text[to..]);
        std::fs::write(&path, text).unwrap();
        return;
    }
    assert_eq!(&text[from..to], table(), "run once with UPDATE_ASSETS=1");
}
