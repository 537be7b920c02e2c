//! A whole morning on made-up data, with keys alone.

use super::super::pty::Session;
use super::person::{Home, content, escape, leave, queue, say, selected, type_text, wait_queue};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The directory of the made-up data, once a run made it.
fn demo(home: &Home) -> PathBuf {
    let dirs = std::fs::read_dir(home.at("foureyes/cache/demo")).unwrap().flatten();
    let found: Vec<PathBuf> = dirs.map(|e| e.path()).filter(|p| p.is_dir()).collect();
    assert_eq!(found.len(), 1, "{found:?}");
    found[0].clone()
}

/// Logs and repository: all that is not ours.
fn sources(home: &Home) -> BTreeMap<PathBuf, String> {
    let demo = demo(home);
    content(&demo, &|path| path == demo.join("foureyes"))
}

fn data(home: &Home) -> PathBuf {
    demo(home).join("foureyes")
}

#[track_caller]
fn start(home: &Home, more: &[&str]) -> Session {
    let mut session = home.console(&[&["--demo"], more].concat()).run();
    session.wait_until("the queue's length", |s| queue(s).is_some());
    // Who may label begins with the queue for calibration; these mornings are of triage.
    session.press("2");
    let is_shown = session.wait_until("a queue", |s| selected(s).map(|_| is_triage(s)));
    if !is_shown {
        session.press("c");
        session.wait_until("triage", |s| is_triage(s) && selected(s).is_some());
    }
    // Until the labels are assessed, every day of the window counts as open, and more is hidden.
    session.wait_for("71 of open days wait");
    session.press("1");
    session.wait_for("─ Overview");
    session
}

/// Whether the list on the screen is the queue of triage.
fn is_triage(screen: &vt100::Screen) -> bool {
    screen.contents().lines().any(|line| line.starts_with("Triage "))
}

/// What was written down of items: the last word on each.
fn dealt(data: &Path) -> BTreeMap<String, String> {
    let dir = data.join("session");
    let files = std::fs::read_dir(dir).unwrap().flatten().map(|e| e.path());
    let lines = files.filter_map(|f| std::fs::read_to_string(f).ok()).flat_map(|text| {
        let lines: Vec<String> = text.lines().map(str::to_owned).collect();
        lines
    });
    let mut last = BTreeMap::new();
    for line in lines {
        let Ok(line) = serde_json::from_str::<serde_json::Value>(&line) else { continue };
        if let (Some(id), Some(deal)) = (line["id"].as_str(), line["deal"].as_str()) {
            last.insert(id.to_owned(), deal.to_owned());
        }
    }
    last
}

#[track_caller]
fn tab(session: &mut Session, name: &str, holds: &str) {
    session.press("l");
    session.wait_until(name, |s| {
        let text = s.contents();
        text.contains(&format!("[{name}]")) && text.contains(holds)
    });
}

fn read_a_record(session: &mut Session) {
    session.press("2");
    let all = session.wait_until("the queue", |s| {
        selected(s).filter(|_| s.contents().contains("[Verdict]")).and_then(|_| queue(s))
    });
    // One that was judged, of one file, so that git has it.
    say(session, "/", "filter:", "research verdict:no-go");
    session.wait_until("the filter", |s| {
        selected(s).is_some() && s.contents().contains("filter research")
    });
    session.press("\r");
    session.wait_for("semantic");
    tab(session, "Content", "file      ");
    tab(session, "Diff", "@ -");
    tab(session, "History", "The same file");
    tab(session, "Raw", "Origin");
    for _ in 0..4 {
        session.press("h");
    }
    session.wait_for("[Verdict]");
    // The hint of the first run, the record, the filter.
    session.wait_for("esc hides this");
    escape(session);
    session.wait_until("no hint", |s| !s.contents().contains("esc hides this"));
    escape(session);
    escape(session);
    session.wait_until("all of the queue", |s| !s.contents().contains("filter research"));
    wait_queue(session, all);
}

/// Marks three and is done with them, puts one off, takes back and does again.
fn deal(session: &mut Session) {
    let all = session.wait_until("the queue's length", queue);
    session.press("g   ");
    session.wait_for("3 marked");
    session.press("d");
    let left = |s: &vt100::Screen| selected(s).filter(|_| queue(s) == Some(all - 3));
    let first = session.wait_until("what is left", left);
    session.press("z");
    // Put off means behind all others.
    session.wait_until("the next item", |s| selected(s).is_some_and(|now| now != first));
    session.press("u");
    session.wait_until("what was put off", |s| selected(s).is_some_and(|now| now == first));
    session.press("u");
    wait_queue(session, all);
    session.press("\x12");
    wait_queue(session, all - 3);
    session.press("\x12");
    session.wait_for("redone: 1 item");
    wait_queue(session, all - 3);
}

/// A filter that is wrong, then put right, and kept as a view.
fn filter(session: &mut Session) {
    session.press("3");
    session.wait_for("Records 1 of ");
    type_text(session, "/", "filter:", "verdict:maybe");
    let wrong = |s: &vt100::Screen| {
        let text = s.contents();
        text.contains("filter: verdict:maybe") && !text.contains("enter: apply")
    };
    session.wait_until("what is wrong", wrong);
    session.press("\r");
    session.wait_for_silence(Duration::from_millis(120));
    session.wait_until("still what is wrong", wrong);
    say(session, "\x15", "enter: apply", "verdict:undetermined");
    session.wait_until("the filter", |s| {
        let text = s.contents();
        !text.contains("filter:") && selected(s).is_some_and(|l| l.contains('?'))
    });
    say(session, "V", "name of the view", "open ends");
    session.wait_for("`open ends` is saved");
    // The message, then the filter.
    escape(session);
    session.wait_until("no message", |s| !s.contents().contains("is saved"));
    escape(session);
    session.wait_until("all records", |s| !s.contents().contains(" filter ve"));
    say(session, "'", "verdict:undetermined", "open");
    session.wait_until("the view, from its first line", |s| {
        let text = s.contents();
        text.contains("Records 1 of ") && text.contains(" filter ve") && !text.contains("new above")
    });
}

fn overlays(session: &mut Session) {
    say(session, ":", "> ", "boxes");
    session.wait_for("─ Boxes 2");
    session.press("?");
    session.wait_for("overview: Show");
    escape(session);
    session.wait_until("no help", |s| !s.contents().contains("overview: Show"));
    session.press("M");
    session.wait_for("open ends");
    escape(session);
    session.press("T");
    session.wait_for("theme: ");
}

#[test]
fn a_whole_morning_with_keys_alone() {
    let home = Home::new();
    let mut session = start(&home, &[]);
    session.wait_for("Overview");
    let sources_before = sources(&home);
    read_a_record(&mut session);
    deal(&mut session);
    session.resize(80, 24);
    session.press("j");
    session.wait_until("a narrow screen", |s| s.size().0.get() == 24 && selected(s).is_some());
    filter(&mut session);
    session.resize(120, 40);
    session.wait_until("a wide screen", |s| s.contents().contains("[Verdict]"));
    overlays(&mut session);
    // What is behind a figure.
    session.press("1");
    session.wait_for("─ Overview");
    session.press("\r");
    session.wait_until("on a figure lists its records", |s| {
        // The 18 of open days are not among the 104 of the figure.
        s.contents().contains("Records 1 of 86 · filter is:flagged") && selected(s).is_some()
    });
    // The records of a box, and back to where the program ends.
    session.press("7\r");
    session.wait_for("filter box:");
    session.press("q");
    session.wait_for("─ Overview");
    session.press("q");
    assert_eq!(session.end(), 0);
    session.assert_clean();
    home.nothing_left();
    assert_eq!(sources(&home), sources_before);
    let count = |deal: &str| dealt(&data(&home)).values().filter(|d| *d == deal).count();
    assert_eq!((count("seen"), count("later")), (3, 1));
}

#[test]
fn the_next_morning_begins_where_the_last_one_ended() {
    let home = Home::new();
    let mut session = start(&home, &[]);
    let all = session.wait_until("the queue's length", queue);
    session.press("2");
    session.wait_until("the queue", |s| selected(s).is_some());
    session.press("d");
    wait_queue(&session, all - 1);
    say(&mut session, "/", "filter:", "verdict:no-go");
    // The list itself, and not only its number: it begins at its first record when it comes.
    session.wait_until("the filtered list", |s| {
        let number = queue(s).filter(|n| *n < all - 1)?;
        s.contents().contains(&format!("Triage 1 of {number} · filter verdict:no-go")).then_some(())
    });
    session.press("jjjj");
    let left = session.wait_until("the fifth item", |s| {
        s.contents().contains("Triage 5 of ").then(|| (queue(s), selected(s)))
    });
    // From the middle, not by way of the overview; what is typed behind it goes nowhere.
    session.press("\x03dd");
    assert_eq!(session.end(), 0);
    session.assert_clean();
    home.nothing_left();
    assert_eq!(dealt(&data(&home)).len(), 1);
    let id = home.session(&data(&home))["queue"]["selected"].clone();
    let mut session = home.console(&["--demo"]).run();
    session.wait_until("the same item and filter", |s| {
        (queue(s), selected(s)) == left && s.contents().contains("filter verdict:no-go")
    });
    leave(&mut session, &home);
    assert_eq!(home.session(&data(&home))["queue"]["selected"], id);
    // What was dealt with is still gone, with no filter as well.
    let mut session = home.console(&["--demo"]).run();
    session.press("2");
    session.wait_for("filter verdict:no-go");
    escape(&mut session);
    wait_queue(&session, all - 1);
    leave(&mut session, &home);
}

/// Quick fingers: an item is dealt with, and the program ended before anything was drawn.
#[test]
fn last_action_before_exit_is_saved() {
    let home = Home::new();
    let [flag, dir] = home.logs(40);
    let mut session = home.console(&[&flag, &dir]).run();
    wait_queue(&session, 40);
    session.press("2");
    session.wait_until("the queue", |s| selected(s).is_some());
    // Done and undone by turns: the order counts, and the last one stays done.
    for _ in 0..3 {
        session.press("dudu");
        session.wait_for_silence(Duration::from_millis(120));
    }
    session.press("dud\x03");
    assert_eq!(session.end(), 0);
    session.assert_clean();
    let seen: Vec<_> = dealt(&home.at("foureyes")).into_values().filter(|d| d == "seen").collect();
    assert_eq!(seen.len(), 1);
    let mut session = home.console(&[&flag, &dir]).run();
    wait_queue(&session, 39);
    leave(&mut session, &home);
}

#[test]
fn read_only_changes_no_byte_for_any_key() {
    let home = Home::new();
    let mut session = start(&home, &[]);
    session.press("2");
    session.wait_until("the queue", |s| selected(s).is_some());
    say(&mut session, "/", "filter:", "verdict:no-go");
    session.wait_for("filter verdict:no-go");
    say(&mut session, "V", "name of the view", "mine");
    session.wait_for("`mine` is saved");
    session.press("d");
    session.press("1");
    session.wait_for("─ Overview");
    session.press("q");
    assert_eq!(session.end(), 0);
    // The cache, too: the logs did not change since it was made.
    let all = || content(home.path(), &|_| false);
    let before = all();
    assert!(before.keys().any(|p| p.ends_with("console.json")), "{:?}", before.keys());

    let mut session = start(&home, &["--read-only"]);
    session.wait_for("read-only");
    press_everything(&mut session);
    session.press("1");
    session.wait_for("─ Overview");
    session.press("q");
    assert_eq!(session.end(), 0);
    session.assert_clean();
    home.nothing_left();
    let after = all();
    let changed: BTreeSet<_> =
        before.iter().filter(|(path, hash)| after.get(*path) != Some(hash)).collect();
    assert!(changed.is_empty(), "changed: {changed:?}");
    let new: BTreeSet<_> = after.keys().filter(|path| !before.contains_key(*path)).collect();
    assert!(new.is_empty(), "new: {new:?}");
}

/// Every printable key on every screen, and everything that writes by its name as well.
fn press_everything(session: &mut Session) {
    let closes = "/:?M'S";
    let keys = ('!'..='~').filter(|c| !"qoeyY1237".contains(*c) && !closes.contains(*c));
    let keys: String = keys.collect();
    for screen in ["2", "3", "7", "1"] {
        session.press(screen);
        // More at once would be a paste.
        for few in keys.as_bytes().chunks(6) {
            session.press(std::str::from_utf8(few).unwrap());
            session.wait_for_silence(Duration::from_millis(60));
        }
        for key in closes.chars() {
            session.press(&key.to_string());
            escape(session);
            session.wait_for_silence(Duration::from_millis(60));
        }
    }
    session.press("2");
    session.wait_for("[2 Queue");
    for (_, name) in REFUSED {
        say(session, ":", "> ", name);
        escape(session);
        session.wait_until("the palette closed", vt100::Screen::hide_cursor);
    }
    session.press("2");
    session.wait_for("[2 Queue");
    for (key, name) in REFUSED {
        session.press(key);
        // Each answer is waited for: many keys at once would be a paste.
        session.wait_for(&format!("`{name}` is refused"));
    }
}

/// Keys that write, and their names.
const REFUSED: [(&str, &str); 12] = [
    ("d", "seen"),
    ("z", "later"),
    ("u", "undo"),
    ("\x12", "redo"),
    ("V", "save-view"),
    ("R", "pull"),
    ("a", "acceptable"),
    ("p", "poor"),
    ("s", "unsure"),
    ("f", "wrong-verdict"),
    ("t", "note"),
    ("b", "blind"),
];
