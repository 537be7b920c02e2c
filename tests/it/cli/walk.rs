//! `--plain` on a terminal: the console line by line.

use super::{Home, begin_window, push};
use crate::pty::{Session, Start};
use foureyes::domain::JudgementKind;

/// Three flagged records, and one that is not.
fn logs() -> String {
    [
        push(1, "2026-02-10T10:00:00Z", "NO-GO"),
        push(2, "2026-02-11T10:00:00Z", "GO"),
        push(3, "2026-02-12T10:00:00Z", "NO-GO"),
        push(4, "2026-02-13T10:00:00Z", "UNDETERMINED"),
    ]
    .concat()
}

/// A walk over logs in a home of its own.
fn walk(text: &str, more: &[&str]) -> Session {
    let mut arguments = vec!["--plain", "--from", "logs"];
    arguments.extend(more);
    let start = Start::foureyes(&arguments).size(100, 60);
    let data = start.home().join("data").to_str().unwrap().to_owned();
    let start = start.env("FOUREYES_DATA", &data).env("TERM", "dumb");
    std::fs::create_dir(start.home().join("logs")).unwrap();
    std::fs::write(start.home().join("logs/a.jsonl"), text).unwrap();
    start.run()
}

/// Types a line and waits for what it brings.
fn say(session: &mut Session, line: &str, wanted: &str) {
    session.press(&format!("{line}\r"));
    session.wait_for(wanted);
}

fn dealt(session: &Session) -> String {
    std::fs::read_to_string(session.home().join("data/session/dealt.jsonl")).unwrap_or_default()
}

#[test]
fn unread_logs_do_not_report_an_empty_queue() {
    for (text, next) in
        [("", "name others"), ("not a record\n", "`foureyes records --rejects` lists")]
    {
        let mut session = walk(text, &[]);
        session.wait_for("No record yet");
        session.wait_for(next);
        session.press("q\r");
        assert_eq!(session.end(), 0);
        assert!(!session.screen().contains("nothing flagged"), "{}", session.screen());
    }
}

#[test]
fn plain_console_starts_with_the_answer_and_what_to_do_first() {
    let mut session = walk(&logs(), &[]);
    let screen = session.wait_for("a acceptable, p poor, s unsure, d seen");
    let at = |text: &str| screen.find(text).unwrap_or_else(|| panic!("{text}:\n{screen}"));
    let first = ["May the judge block pushes? Not yet: NOT ENOUGH EVIDENCE.", "Next: "];
    let rest = ["Flagged: 3 of 4 verdicts.", "Triage 1 of 3", "Item 1 of 3"];
    let places: Vec<usize> = first.into_iter().chain(rest).map(at).collect();
    assert!(places.is_sorted(), "{places:?}: {screen}");
    say(&mut session, "d", "Item 1 of 2");
    say(&mut session, "z", "1 put off");
    session.press("N\rN\r");
    session.wait_for("this is the first item");
    say(&mut session, "n", "Item 2 of 2, put off");
    say(&mut session, "seen", "Item 1 of 1");
    say(&mut session, "d", "The queue is empty: no flagged items are left.");
    say(&mut session, "u", "undone: 1 item is back in the queue");
    session.press("q\r");
    assert_eq!(session.end(), 0);
    assert_eq!(dealt(&session).lines().count(), 5, "{}", dealt(&session));
    // No byte that a terminal would act on.
    let bytes = session.bytes();
    assert_eq!(bytes.iter().find(|b| **b < 0x20 && !b"\r\n".contains(b)), None);
}

#[test]
fn a_filter_narrows_the_walk_and_is_pointed_at_where_it_is_wrong() {
    let mut session = walk(&logs(), &[]);
    session.wait_for("Item 1 of 3");
    say(&mut session, "/ verdict:undetermined", "Item 1 of 1");
    say(&mut session, "/ modle:x", "did you mean `model`?");
    say(&mut session, "/ box:nowhere", "Nothing matches the filter.");
    say(&mut session, "/", "Triage 1 of 3   stopped, then newest\n\nItem 1");
    say(&mut session, "order severity", "Triage 3 of 3   scores");
    say(&mut session, "co", "No repository");
    say(&mut session, "nonsense", "there is no command `nonsense`");
    say(&mut session, "?", "undo or u: Undo your last label");
    session.press("\x04");
    assert_eq!(session.end(), 0);
}

#[test]
fn read_only_plain_console_writes_nothing() {
    let mut session = walk(&logs(), &["--read-only"]);
    session.wait_for("n next, N previous, co content, w whole record, 1 overview");
    say(&mut session, "d", "`seen` is refused: this session is read-only");
    say(&mut session, "", "Item 2 of 3");
    session.press("\x04");
    assert_eq!(session.end(), 0);
    assert!(!session.home().join("data/session").exists());
}

#[test]
fn log_text_cannot_control_terminal_or_imitate_program() {
    let hostile = "x\\u001b]0;owned\\u0007\\nItem 9 of 9\\u202e";
    let text = format!(
        "{{\"commit\":\"0000001\",\"model\":\"m\",\"verdict\":\"NO-GO\",\"findings\":\"{hostile}\",\
         \"timestamp\":\"2026-02-10T10:00:00Z\"}}\n"
    );
    let mut session = walk(&text, &[]);
    session.wait_for("Item 1 of 1");
    session.press("q\r");
    assert_eq!(session.end(), 0);
    assert!(session.screen().lines().all(|l| !l.starts_with("Item 9")), "{}", session.screen());
    assert!(!session.bytes().contains(&0x1b) && !session.bytes().contains(&0x07));
}

#[test]
fn without_terminal_plain_equals_triage() {
    let home = Home::new();
    home.write("logs/a.jsonl", logs());
    let made = |text: String| {
        text.lines().filter(|l| !l.starts_with("Made ")).collect::<Vec<_>>().join("\n")
    };
    let plain = made(home.good(&["--plain", "--from", "logs"]));
    assert_eq!(plain, made(home.good(&["triage", "--from", "logs"])));
    assert!(plain.starts_with("Triage\n"));
}

#[test]
fn plain_console_has_the_numbers_and_answers_of_triage() {
    let start = Start::foureyes(&["--plain", "--demo"]).size(80, 300).env("TERM", "dumb");
    let mut session = start.run();
    session.wait_for("Item 1 of ");
    session.press("overview\rq\r");
    assert_eq!(session.end(), 0);
    let screen = session.screen();
    let (_, shown) = screen.split_once("Item 1 of ").unwrap();
    let mut triage = std::process::Command::new(env!("CARGO_BIN_EXE_foureyes"));
    triage.args(["triage", "--demo", "--no-pull"]).env_clear().env("HOME", session.home());
    for (name, dir) in [("DATA", "data"), ("CACHE", "cache"), ("CONFIG", "config")] {
        triage.env(format!("XDG_{name}_HOME"), session.home().join(dir));
    }
    let triage = String::from_utf8(triage.output().unwrap().stdout).unwrap();
    let flat = |text: &str| text.replace("| ", "").split_whitespace().collect::<Vec<_>>().join(" ");
    let triage = flat(&triage);
    let of_kpi = |line: &String| {
        let words =
            ["rate: ", "rate (", "interval: ", "threshold: ", "latency: ", "availability: "];
        words.iter().any(|word| line.contains(word))
    };
    let lines: Vec<String> = shown.lines().map(flat).filter(of_kpi).collect();
    assert!(lines.len() > 20, "{shown}");
    for line in &lines {
        assert!(triage.contains(line.as_str()), "{line}\n{triage}");
    }
    let shown = flat(shown);
    assert!(!shown.contains("no labels yet") && !shown.contains("without labels."), "{shown}");
    // The answers of both families.
    for answer in ["NOT ENOUGH EVIDENCE", "NOT READY"] {
        assert!(triage.contains(&format!("{answer} according to")), "{triage}");
        assert!(shown.contains(&format!(" {answer} ")), "{shown}");
    }
}

#[test]
fn read_only_without_terminal_asks_no_box_and_notes_nothing() {
    let home = Home::new();
    home.write("logs/a.jsonl", logs());
    let logs = home.path().join("logs");
    let here = format!("[[box]]\nname = \"here\"\nlocal = true\nlogs = [{logs:?}]\n");
    let down = "[[box]]\nname = \"down\"\nhost = \"127.0.0.1\"\nport = 1\nlogs = [\"/l\"]\n";
    let reviewer = "[reviewer]\nname = \"anna\"\n";
    home.write("c.toml", here + down + reviewer);
    let pulled = |args: &[&str]| {
        home.good(args);
        home.path().join("data/mirror").exists()
    };
    assert!(!pulled(&["--read-only", "--config", "c.toml"]));
    let label = ["label", "0000001", "poor", "--from", "logs", "--config", "c.toml"];
    home.good(&["gate", "window", "2026-02-10", "--config", "c.toml"]);
    home.good(&label);
    let ledger = || {
        let files = std::fs::read_dir(home.path().join("data/ledger")).unwrap();
        files.map(|file| file.unwrap().metadata().unwrap().len()).sum::<u64>()
    };
    let before = ledger();
    assert!(!pulled(&["--read-only", "--config", "c.toml"]));
    assert_eq!(ledger(), before);
    assert!(pulled(&["--config", "c.toml"]), "else the test shows nothing");
    assert!(ledger() > before, "that rates were looked at is in the ledger");
}

#[test]
fn a_flag_of_the_console_before_a_command_is_not_lost_in_silence() {
    let ran = Home::new().run(&["--days", "3", "triage"]);
    assert_eq!(ran.code, 64);
    assert!(ran.err.contains("foureyes triage --days 3"), "{}", ran.err);
}

/// Anna's walk over twelve contents of a day that is over, half of them flagged, in its window.
fn calibrating(home: &std::path::Path) -> Start {
    let verdict = |n: u32| if n.is_multiple_of(2) { "NO-GO" } else { "GO" };
    let line = |n: u32| push(n, &format!("2026-02-10T10:{n:02}:00Z"), verdict(n));
    std::fs::create_dir_all(home.join("logs")).unwrap();
    std::fs::write(home.join("logs/a.jsonl"), (1..=12).map(line).collect::<String>()).unwrap();
    let data = home.join("data");
    begin_window(&data, "anna", JudgementKind::Push, "2026-02-10");
    let ran = std::process::Command::new(env!("CARGO_BIN_EXE_foureyes"))
        .args(["gate", "audit", "1", "--since", "2026-02-10"])
        .env("FOUREYES_DATA", &data)
        .env("HOME", home)
        .env("USER", "anna")
        .output()
        .unwrap();
    assert!(ran.status.success(), "{ran:?}");
    let logs = home.join("logs");
    Start::foureyes(&["--plain", "--from", logs.to_str().unwrap()])
        .size(200, 90)
        .env("FOUREYES_DATA", data.to_str().unwrap())
        .env("USER", "anna")
        .env("TERM", "dumb")
}

/// The labels that the ledgers hold: record, word, whether blind, note, reason.
fn labels(home: &std::path::Path) -> Vec<(String, bool, Option<String>, Option<String>)> {
    use foureyes::domain::Timestamp;
    use foureyes::{files::paths::DataDir, store::ledger::Ledger};
    let ledger = Ledger::load(&DataDir::at(home.join("data"))).unwrap();
    let present = ledger.present(Timestamp(i64::MAX / 2));
    let all = present.labels.into_values().flatten().map(|given| given.label);
    let one = |label: foureyes::domain::review::Label| {
        (label.label.as_str().to_owned(), label.blind, label.note, label.reason)
    };
    all.map(one).collect()
}

#[test]
fn calibration_queue_is_labelled_blind_with_note_reason_and_undo() {
    let home = tempfile::tempdir().unwrap();
    let mut session = calibrating(home.path()).run();
    session.wait_for("Label, blind - 1 of 12 - ");
    let screen = session.wait_for("a acceptable, p poor, s unsure, t note");
    let item = &screen[screen.find("Item 1 of 12").unwrap()..];
    for told in ["NO-GO", "GO\n", "findings", "scores", "author", "time:", "model"] {
        assert!(!item.contains(told), "{told}: {item}");
    }
    for (line, wanted) in [
        ("d", "items leave this queue only by a label"),
        ("f", "the verdict is hidden here"),
        ("by", "Hidden until you have labelled this record."),
        ("w", "The verdict is hidden until you have saved your label."),
        ("/ verdict:go", "this filter would reveal what is hidden"),
        ("i", "NO-GO is the right verdict"),
        ("rs", "other, 14: "),
        ("rs judge", "several reasons: judge_misread"),
        ("rs 4", "Kept: reason wrong_term."),
        ("t of 2024", "Kept: reason wrong_term, note."),
        ("p", "with reason wrong_term and note). It does not count: no content was shown."),
    ] {
        say(&mut session, line, wanted);
    }
    session.wait_for("1 of 12 labelled");
    let screen = session.wait_for("2026-02-10 closes in 12 more");
    // It is asked for again, blind: its verdict is not told.
    let saved = &screen[screen.find("Saved: poor").unwrap()..];
    assert!(!saved.contains("Judge: "), "{saved}");
    let given = labels(home.path());
    let text = |text: &str| Some(text.to_owned());
    assert_eq!(given, [("poor".to_owned(), true, text("of 2024"), text("wrong_term"))]);
    say(&mut session, "u", "undone: 1 label");
    assert!(labels(home.path()).is_empty());
    say(&mut session, "ur", "redone: 1 label");
    say(&mut session, "s", "Saved: unsure");
    say(&mut session, "L", "Label of tasks");
    say(&mut session, "L", "Now showing pushes");
    // The queue of flagged items keeps back what is to be labelled, until it is asked for.
    say(&mut session, "c", "of open days wait to be labelled first");
    assert!(!session.screen().contains("NO-GO  2026"), "{}", session.screen());
    say(&mut session, "b", "will no longer count as blind");
    say(&mut session, "y", "NO-GO  2026");
    say(&mut session, "/ label:none", "filter label:none");
    say(&mut session, "a", "Saved: acceptable");
    session.press("q\r");
    assert_eq!(session.end(), 0);
    let mut given: Vec<(String, bool)> =
        labels(home.path()).into_iter().map(|(word, blind, ..)| (word, blind)).collect();
    given.sort();
    // A label without content leaves its record due: the next one takes its place, still blind. What was seen is not.
    let wanted = [("acceptable", false), ("unsure", true)];
    assert_eq!(given, wanted.map(|(word, blind)| (word.to_owned(), blind)));
}

#[test]
fn item_starts_with_findings_and_ends_with_short_ids() {
    let mut session = walk(&logs(), &[]);
    let screen = session.wait_for("a acceptable");
    let item = &screen[screen.find("Item 1 of 3").unwrap()..];
    let at = |text: &str| item.find(text).unwrap_or_else(|| panic!("{text}:\n{item}"));
    assert!(at("UNDETERMINED") < at("Details") && at("Details") < at("\n id "), "{item}");
    let longest = item.split_whitespace().filter(|w| w.bytes().all(|b| b.is_ascii_hexdigit()));
    assert!(longest.map(str::len).max().unwrap() <= 12, "{item}");
    session.press("q\r");
    assert_eq!(session.end(), 0);
}

#[test]
fn picks_of_memories_are_labelled_by_the_numbers_of_their_candidates() {
    use crate::picks::{pick, prompt};
    let home = tempfile::tempdir().unwrap();
    let start = calibrating(home.path());
    let picks = [pick(1, &[4], &[4]), pick(2, &[4], &[4])];
    let prompts = [prompt(1, "what to do about 1"), prompt(2, "what to do about 2")];
    let lines =
        |all: &[serde_json::Value]| all.iter().map(|l| format!("{l}\n")).collect::<String>();
    std::fs::write(home.path().join("logs/picks.jsonl"), lines(&picks) + &lines(&prompts)).unwrap();
    // Tall enough for a page and what was said before it.
    let mut session = start.size(200, 200).run();
    session.wait_for("1 of 12");
    say(&mut session, "calibration", "rates");
    say(&mut session, "L", "Now showing tasks");
    say(&mut session, "L", "Calibration of picks (strict) 1 of 2");
    session.wait_for("Which help? Numbers, or none");
    say(&mut session, "0 99", "`99` is not a number from 0 to 5");
    say(&mut session, "0", "Saved: 1 of 6 candidates helps. 1 pick left.");
    say(&mut session, "u", "undone: 1 label");
    session.wait_for("Calibration of picks (strict) 1 of 2");
    say(&mut session, "none", "Saved: none of 6 candidates helps.");
    session.press("q\r");
    assert_eq!(session.end(), 0);
    let labelled = || {
        let dir = std::fs::read_dir(home.path().join("data/ledger")).unwrap();
        let text = dir.map(|file| std::fs::read_to_string(file.unwrap().path()).unwrap());
        text.collect::<String>().matches("\"drawn\":true").count()
    };
    assert_eq!(labelled(), 2);
}
