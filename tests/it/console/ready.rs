//! The demo from its first answer to READY: what screen 5 says, done by keys alone.

use super::person::{Home, leave, queue, type_text};
use std::collections::{HashMap, HashSet};

/// Digits of a commit that the tab Content shows.
const COMMIT: usize = 10;

/// The key for each commit of the demo, by what was planted: acceptable or poor.
fn keys(home: &Home) -> HashMap<String, &'static str> {
    let dirs = std::fs::read_dir(home.at("foureyes/cache/demo")).unwrap().flatten();
    let dir = dirs.map(|e| e.path()).find(|p| p.is_dir()).unwrap();
    let text = std::fs::read_to_string(dir.join("truth.jsonl")).unwrap();
    let line = |line: &str| {
        let line: serde_json::Value = serde_json::from_str(line).unwrap();
        let commit = line["commit"].as_str()?.get(..COMMIT)?.to_owned();
        let key = match line["truth"].as_str()? {
            "acceptable" => "a",
            "poor" => "p",
            _ => return None,
        };
        Some((commit, key))
    };
    text.lines().filter_map(line).collect()
}

/// The commit whose content is on the screen.
fn commit(screen: &vt100::Screen) -> Option<String> {
    screen.contents().lines().find_map(|line| {
        let (_, record) = line.split_once("│ ")?;
        let (commit, _) = record.split_once(": ")?;
        let is_commit = commit.len() == COMMIT && commit.bytes().all(|b| b.is_ascii_hexdigit());
        is_commit.then(|| commit.to_owned())
    })
}

/// The row where the cursor is.
fn row(screen: &vt100::Screen) -> Option<String> {
    lines(screen).into_iter().skip(2).find(|line| line.starts_with('▸'))
}

fn lines(screen: &vt100::Screen) -> Vec<String> {
    screen.contents().lines().map(str::to_owned).collect()
}

#[test]
fn the_steps_of_the_demo_followed_to_the_letter_leave_what_another_reviewer_gives() {
    let home = Home::new();
    let mut session = home.console(&["--demo"]).size(80, 24).run();
    session.wait_for("─ Overview");
    session.press("5");
    // Below the heading: the answer is the first line, and what to do is within the first three.
    session.wait_until("what to do first", |s| {
        let page = lines(s).into_iter().skip_while(|line| !line.starts_with("─ Readiness"));
        let first = page.skip(1).take(3);
        first.collect::<Vec<_>>().join("\n").contains("Next: Waive the change of the judge")
    });

    // 1. The waiver, from the row of the answer, where the cursor is.
    type_text(
        &mut session,
        "W",
        "waive fingerprint; reason:",
        "the new model was compared with the old one",
    );
    session.press("\x13");
    session.wait_for("Saved: `fingerprint` is waived until 2026-12-25");
    session.wait_for("Next: Label 47 records of 1 open day");

    // 2. The labels: Enter on the step shows them.
    let mut line = session.wait_until("a row", row);
    while !line.contains("Next: ") {
        session.press("j");
        line = session.wait_until("the next row", |s| row(s).filter(|now| *now != line));
    }
    session.press("\r");
    // On a narrow screen the record comes first, without the list.
    session.wait_for("[Content]");
    session.resize(120, 40);
    session.wait_for("Label, blind");
    let keys = keys(&home);
    let mut labelled = HashSet::new();
    // Among those of the day may stand second words on earlier days.
    let all = session.wait_until("the day in the queue", |s| queue(s).filter(|all| *all >= 47));
    for left in (1..=all).rev() {
        let commit = session.wait_until("the next record", |s| {
            commit(s).filter(|c| queue(s) == Some(left) && !labelled.contains(c))
        });
        session.press(keys[&commit]);
        labelled.insert(commit);
    }

    // 3. The day was enough, as soon as another reviewer, or this one on a later day, says so too of what was
    // called poor.
    session.wait_until("an empty queue", |s| queue(s).is_none_or(|left| left == 0));
    session.press("5");
    session.wait_for("Waived: fingerprint.");
    session.wait_for("Next: Confirm 7 records called poor");
    session.wait_for("Undecided: false negative rate.");
    leave(&mut session, &home);
}

/// The commands of a screen: between backticks, and as lines of their own.
fn commands(screen: &str) -> Vec<String> {
    let is_command = |line: &&str| line.trim_start().starts_with("foureyes ");
    let lines = screen.lines().filter(is_command).map(|line| line.trim().to_owned());
    let whole = screen.split_whitespace().collect::<Vec<_>>().join(" ");
    let spans: Vec<String> = whole.split("`foureyes ").skip(1).map(str::to_owned).collect();
    let spans = spans.iter().map(|rest| rest.split('`').next().unwrap_or_default());
    lines.chain(spans.map(|rest| format!("foureyes {rest}"))).collect()
}

#[test]
fn every_command_on_a_screen_of_the_demo_is_about_the_demo() {
    let home = Home::new();
    let mut session = home.console(&["--demo"]).size(160, 200).run();
    session.wait_for("─ Overview");
    session.press("5");
    session.wait_for("Next: Waive the change of the judge");
    // Each screen, each page of the figures, and what came of a look at a box.
    let mut all = Vec::new();
    for key in ["1", "2", "3", "4", "5", "6", "8", "7", "H"] {
        session.press(key);
        session.wait_for_silence(std::time::Duration::from_millis(200));
        all.extend(commands(&session.screen()));
    }
    session.wait_until("the end of the check", |s| {
        lines(s).iter().any(|line| ["done", "failed"].contains(&line.trim()))
    });
    all.extend(commands(&session.screen()));
    let outside = ["foureyes hook ", "foureyes config init", "foureyes serve"];
    let own = |command: &&String| !outside.iter().any(|other| command.starts_with(other));
    for command in all.iter().filter(own) {
        assert!(command.starts_with("foureyes --demo "), "{command}");
    }
    session.press("\x1b[27u");
    leave(&mut session, &home);
}
