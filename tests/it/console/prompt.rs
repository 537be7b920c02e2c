//! Typing a filter in the real program.

use crate::cli::push;
use crate::pty::{Session, Start};

fn logs() -> String {
    let mut text = String::new();
    for n in 1..=9 {
        let verdict = if n % 3 == 0 { "NO-GO" } else { "GO" };
        text.push_str(&push(n, &format!("2026-02-1{n}T10:00:00Z"), verdict));
    }
    text
}

fn records(size: (u16, u16), more: &[&str]) -> Session {
    let mut arguments = vec!["--from", "logs"];
    arguments.extend(more);
    let start = Start::foureyes(&arguments).size(size.0, size.1);
    let dir = start.home().join("logs/a box (old)");
    std::fs::create_dir_all(&dir).unwrap();
    std::fs::write(dir.join("a.jsonl"), logs()).unwrap();
    let mut session = start.run();
    session.wait_for("1 Overview");
    session.press("3");
    session.wait_for("Records 1 of 9");
    session
}

fn leave(mut session: Session) {
    // While a list is made, ctrl-c stops that and nothing else.
    session.wait_for_silence(std::time::Duration::from_millis(300));
    session.press("\x03");
    assert_eq!(session.end(), 0);
    session.assert_clean();
}

#[test]
fn filter_is_completed_saved_and_found_next_day() {
    let mut session = records((80, 24), &[]);
    session.press("/");
    session.wait_for("what the judge said");
    session.type_text("verd");
    session.press("\t");
    session.wait_for("enter: insert this completion");
    session.press("\r");
    session.wait_for("filter: verdict:");
    session.press("n");
    session.wait_for("filter: verdict:n");
    session.press("\t");
    session.wait_for("> no-go");
    session.press("\r");
    session.wait_for("filter: verdict:no-go");
    session.press("\r");
    // First the hint goes, then the filter.
    session.wait_until("the records and the hint", |s| {
        let text = s.contents();
        text.contains("Records 1 of 3") && text.contains("esc hides this")
    });
    session.press("\x1b");
    session.wait_until("no hint", |s| !s.contents().contains("esc hides this"));
    session.press("\x1b");
    session.wait_for("Records 1 of 9");
    session.press("/");
    session.wait_for("tab: complete");
    session.press("\x1b[A");
    session.wait_for("filter: verdict:no-go");
    session.press("\r");
    session.wait_for("Records 1 of 3");
    let file = session.home().join("data/foureyes/session/console.json");
    session.press("\x03");
    assert_eq!(session.end(), 0);
    let kept = std::fs::read_to_string(&file).unwrap();
    assert!(kept.contains("\"filters\":[\"verdict:no-go\"]"), "{kept}");
}

#[test]
fn filter_error_is_underlined_and_explained() {
    let mut session = records((80, 24), &[]);
    session.press("/");
    session.wait_for("tab: complete");
    session.type_text("modle:x");
    session.wait_for("unknown field `modle`. Did you mean `model`?");
    session.wait_until("an underline below the word alone", |screen| {
        let row = screen.size().0.get() - 2;
        let lined: Vec<bool> =
            (0..20).map(|x| screen.cell(row, x).is_some_and(vt100::Cell::underline)).collect();
        let from = "filter: ".len();
        (0..20).all(|x| lined[x] == (from..from + "modle".len()).contains(&x))
    });
    session.press("\r");
    session.press("\x1b");
    session.wait_for("Records 1 of 9");
    leave(session);
}

#[test]
fn narrow_terminal_shows_line_error_and_completions() {
    let mut session = records((40, 12), &[]);
    session.press("/");
    session.wait_for("verdict:");
    session.type_text("box:");
    session.wait_for("\"a box (old)\"");
    session.press("\t");
    session.wait_for("> \"a box (old)\"");
    session.press("\r");
    session.wait_for("filter: box:\"a box (old)\"");
    session.press("\r");
    session.wait_for("Records 1 of 9");
    leave(session);
}
