//! `--plain` with commands from a file or a pipe: a scripted sitting.

use super::{Home, begin_window, push};
use foureyes::domain::review::{Act, Label, Reviewer, Shown, Word};
use foureyes::domain::{Column, JudgementKind, RecordId, Sort, Timestamp};
use foureyes::files::paths::DataDir;
use foureyes::store::ledger::{Ledger, fresh_id};
use foureyes::tui::Action;
use foureyes::tui::command::{Command as Typing, Typed, parse, parse_helping};
use foureyes::tui::keymap::{Context, Keymap};
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};

const ARGS: [&str; 3] = ["--plain", "--from", "logs"];

/// Anna's home: a window over a log of so many contents of one day, half of them flagged, all drawn.
fn sitting(contents: u32) -> Home {
    let home = Home::new();
    let verdict = |n: u32| if n.is_multiple_of(2) { "NO-GO" } else { "GO" };
    let time = |n: u32| format!("2026-02-10T{:02}:{:02}:{:02}Z", n / 3600, n / 60 % 60, n % 60);
    let lines = (1..=contents).map(|n| push(n, &time(n), verdict(n)));
    home.write("logs/a.jsonl", lines.collect::<String>());
    home.write("c.toml", "[reviewer]\nname = \"anna\"\n");
    let data = home.path().join("data");
    begin_window(&data, "anna", JudgementKind::Push, "2026-02-10");
    home.good(&["gate", "audit", "1", "--since", "2026-02-10", "--config", "c.toml"]);
    home
}

fn arguments() -> Vec<&'static str> {
    [&ARGS[..], &["--config", "c.toml"]].concat()
}

fn labels(home: &Home) -> Vec<Label> {
    let ledger = Ledger::load(&DataDir::at(home.path().join("data"))).unwrap();
    let present = ledger.present(Timestamp(i64::MAX / 2));
    present.labels.into_values().flatten().map(|given| given.label).collect()
}

#[test]
fn commands_of_a_file_label_blind_with_note_and_undo() {
    let home = sitting(12);
    let script = home.write("commands", "t of 2024\nrs 4\np\na\nu\ns\nf\nrubbish\n");
    let ran = home.feed(&arguments(), &script);
    assert_eq!(ran.code, 0, "{}", ran.err);
    for told in [
        "Kept: reason wrong_term, note.",
        "Saved: poor (",
        "with reason wrong_term and note",
        "There is no content to see. A label without it does not count.",
        "It does not count: no content was shown",
        "1 of 12 labelled",
        "undone: 1 label",
        "Saved: unsure (",
        "the verdict is hidden here: use acceptable, poor or unsure",
        "there is no command `rubbish`",
    ] {
        assert!(ran.out.contains(told), "{told}:\n{}", ran.out);
    }
    let given = labels(&home);
    let find = |word: Word| given.iter().find(|label| label.label == word).unwrap();
    assert_eq!(given.len(), 2);
    assert!(find(Word::Poor).blind && find(Word::Unsure).blind, "no label shows what was not seen");
    assert_eq!(find(Word::Poor).note.as_deref(), Some("of 2024"));
    assert_eq!(find(Word::Unsure).note, None);
    assert!(!ran.out.contains("? help"), "nobody is asked: {}", ran.out);
}

#[test]
fn while_a_window_runs_no_line_tells_a_verdict_that_is_not_labelled() {
    let home = sitting(12);
    let sides = "n\nl\nl\nl\nl\nn\nY\n";
    let commands = format!("3\n{sides}/ verdict:no-go\n/ What\n/\n2\nc\n{sides}q\n");
    let ran = home.feed(&arguments(), &home.write("commands", commands));
    assert_eq!(ran.code, 0, "{}", ran.err);
    let (_, items) = ran.out.split_once("Records ").unwrap();
    assert!(items.contains("12 hidden until labelled"), "{items}");
    assert!(items.contains("12 of open days wait to be labelled first"), "{items}");
    for said in ["NO-GO", " GO", "2026-02-10T", "Found.", "\"verdict\""] {
        assert!(!items.contains(said), "{said}:\n{items}");
    }
    assert!(labels(&home).is_empty());
}

/// The same of two contents that a clone has.
fn sitting_with_contents() -> Home {
    with_contents(&["Text of note 1.\n", "Text of note 2.\n"])
}

/// The same of contents that a clone has, `research/note1.md` and so on, a commit each.
pub(super) fn with_contents(texts: &[&str]) -> Home {
    let home = Home::new();
    std::fs::create_dir_all(home.path().join("clone/research")).unwrap();
    let git = |args: &[&str]| {
        let mut git = Command::new("git");
        git.current_dir(home.path().join("clone")).env_clear().env("HOME", home.path());
        git.env("PATH", "/usr/bin:/bin").env("GIT_CONFIG_NOSYSTEM", "1");
        for who in ["AUTHOR", "COMMITTER"] {
            git.env(format!("GIT_{who}_NAME"), "agent");
            git.env(format!("GIT_{who}_EMAIL"), "a@example.org");
        }
        let output = git.args(args).output().unwrap();
        assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
    };
    git(&["init", "-q", "-b", "main"]);
    let line = |(n, text): (usize, &&str)| {
        let file = format!("research/note{n}.md");
        home.write(&format!("clone/{file}"), text);
        git(&["add", "-A"]);
        git(&["commit", "-q", "-m", "a note"]);
        let commit = git(&["rev-parse", "HEAD"]);
        format!(
            "{{\"commit\":\"{commit}\",\"files_evaluated\":[\"{file}\"],\"model\":\"m\",\"verdict\":\"GO\",\
             \"timestamp\":\"2026-02-10T10:00:{n:02}Z\"}}\n"
        )
    };
    home.write("logs/a.jsonl", (1..).zip(texts).map(line).collect::<String>());
    let (clone, logs) = (home.path().join("clone"), home.path().join("logs"));
    home.write(
        "c.toml",
        format!(
            "[reviewer]\nname = \"anna\"\n[[box]]\nname = \"here\"\nlocal = true\nlogs = [{logs:?}]\n\
             [[repository]]\npath = {clone:?}\nboxes = [\"here\"]\n"
        ),
    );
    let data = home.path().join("data");
    begin_window(&data, "anna", JudgementKind::Push, "2026-02-10");
    home.good(&["gate", "audit", "1", "--since", "2026-02-10", "--config", "c.toml"]);
    home
}

#[test]
fn label_has_the_hash_of_the_content_that_was_written() {
    let home = sitting_with_contents();
    let script = home.write("commands", "p\na\n");
    let ran = home.feed(&["--plain", "--config", "c.toml"], &script);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(
        ran.out.contains("Text of note 1.") && ran.out.contains("Text of note 2."),
        "{}",
        ran.out
    );
    for unseen in ["You have not seen the content", "There is no content", "It does not count"] {
        assert!(!ran.out.contains(unseen), "{unseen}:\n{}", ran.out);
    }
    let given = labels(&home);
    assert_eq!(given.len(), 2, "{}", ran.out);
    let is_seen = |label: &Label| label.blind && label.shown.is_some_and(Shown::is_content);
    assert!(given.iter().all(is_seen), "{given:?}");
}

#[test]
fn label_of_a_side_without_the_content_says_that_nothing_was_shown() {
    let home = sitting_with_contents();
    // The first item of the queue was written with its content, the other record by its verdict alone.
    let script = home.write("commands", "3\n+\n+\n+\n+\np\np\n");
    let ran = home.feed(&["--plain", "--config", "c.toml"], &script);
    assert!(ran.out.contains("You have not seen the content yet."), "{}", ran.out);
    assert!(ran.out.contains("It does not count: no content was shown"), "{}", ran.out);
    let given = labels(&home);
    assert_eq!(given.len(), 2, "{}", ran.out);
    let unseen = given.iter().filter(|label| label.shown == Some(Shown::Nothing)).count();
    assert_eq!(unseen, 1, "{given:?}");
}

#[test]
fn draft_survives_the_end_and_goes_with_the_label_of_the_next_sitting() {
    let home = sitting(4);
    let script = home.write("first", "t unfinished\n");
    assert_eq!(home.feed(&arguments(), &script).code, 0);
    assert!(labels(&home).is_empty(), "a note alone is no label");
    let script = home.write("second", "a\na\na\na\n");
    let ran = home.feed(&arguments(), &script);
    assert!(ran.out.contains("draft"), "{}", ran.out);
    assert!(ran.out.contains("4 labels of yours do not count"), "{}", ran.out);
    let given = labels(&home);
    assert_eq!(given.len(), 4);
    assert_eq!(
        given.iter().filter_map(|label| label.note.as_deref()).collect::<Vec<_>>(),
        ["unfinished"]
    );
}

#[test]
fn a_file_without_a_line_is_triage() {
    let home = sitting(4);
    let made = |text: String| {
        text.lines().filter(|l| !l.starts_with("Made ")).collect::<Vec<_>>().join("\n")
    };
    let script = home.write("commands", "");
    let triage = ["triage", "--from", "logs", "--config", "c.toml"];
    assert_eq!(made(home.feed(&arguments(), &script).out), made(home.good(&triage)));
}

#[test]
fn pages_are_the_answers_of_the_commands() {
    let home = sitting_with_contents();
    let script = home.write("commands", "a\na\n5\n4\n1\n6\nq\n");
    let ran = home.feed(&["--plain", "--config", "c.toml"], &script);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let readiness = home.run(&["readiness", "--config", "c.toml"]);
    let answer = readiness.out.lines().find(|line| line.contains("READY")).unwrap();
    assert!(ran.out.contains(answer.trim()), "{answer}:\n{}", ran.out);
    assert!(!ran.out.contains("no labels yet"), "{}", ran.out);
    assert!(ran.out.contains("`runs` needs the full-screen console"), "{}", ran.out);
}

#[test]
fn read_only_labels_nothing_and_writes_nothing() {
    let home = sitting(4);
    let ledger = || {
        let files = std::fs::read_dir(home.path().join("data/ledger")).unwrap();
        files.map(|file| file.unwrap().metadata().unwrap().len()).sum::<u64>()
    };
    let before = ledger();
    let script = home.write("commands", "p\nt note\nd\n");
    let ran = home.feed(&[&arguments()[..], &["--read-only"]].concat(), &script);
    assert_eq!(ran.out.matches("this session is read-only").count(), 3, "{}", ran.out);
    assert_eq!(ledger(), before);
    assert!(!home.path().join("data/session").exists());
}

/// A sitting that goes on, and what it wrote.
struct Sitting {
    child: Child,
    input: ChildStdin,
    output: BufReader<std::process::ChildStdout>,
}

impl Sitting {
    fn begin(home: &Home) -> Self {
        let mut command = home.command(&arguments());
        let mut child = command.stdin(Stdio::piped()).stderr(Stdio::inherit()).spawn().unwrap();
        let input = child.stdin.take().unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        Self { child, input, output }
    }

    /// Gives so many labels, and waits until each is saved.
    fn label(&mut self, labels: usize) {
        self.input.write_all("p\n".repeat(labels).as_bytes()).unwrap();
        let (mut saved, mut line) = (0, String::new());
        while saved < labels {
            line.clear();
            assert!(self.output.read_line(&mut line).unwrap() > 0, "it ended after {saved} labels");
            saved += usize::from(line.starts_with("Saved: "));
        }
    }

    /// Bytes that the process read so far, from whatever.
    fn bytes_read(&self) -> u64 {
        let io = std::fs::read_to_string(format!("/proc/{}/io", self.child.id())).unwrap();
        io.lines().find_map(|line| line.strip_prefix("rchar: ")).unwrap().parse().unwrap()
    }
}

/// Labels of other records, an entry each.
fn label_before(home: &Home, labels: u32) {
    let mut ledger = Ledger::load(&DataDir::at(home.path().join("data"))).unwrap();
    let anna = Reviewer { name: "anna".to_owned(), machine: "desk".to_owned() };
    for n in 0..labels {
        let mut record = [7; 32];
        record[..4].copy_from_slice(&n.to_be_bytes());
        let label = Label::new(RecordId(record), Word::Poor);
        let time = Timestamp(1_770_800_000_000_000 + i64::from(n));
        ledger.append(&anna, fresh_id(time), time, &Act::Label(label)).unwrap();
    }
}

/// Bytes that a label reads, after so many labels in a log of so many contents.
fn bytes_of_a_label(before: u32, contents: u32) -> u64 {
    const MEASURED: usize = 20;
    let home = sitting(contents);
    label_before(&home, before);
    let mut sitting = Sitting::begin(&home);
    sitting.label(5);
    let start = sitting.bytes_read();
    sitting.label(MEASURED);
    let read = sitting.bytes_read() - start;
    drop(sitting.input);
    assert!(sitting.child.wait().unwrap().success());
    read / MEASURED as u64
}

#[test]
fn what_a_label_reads_grows_neither_with_labels_nor_with_records() {
    let few = bytes_of_a_label(200, 100);
    let many = bytes_of_a_label(1000, 100);
    let large = bytes_of_a_label(200, 1000);
    assert!(few > 0 && many <= few + few / 5 && large <= few + few / 5, "{few} {many} {large}");
}

#[test]
fn line_is_a_key_a_name_or_a_command_with_its_text() {
    let (keymap, place) = (Keymap::built_in(), Context::List);
    let typed = |line: &str| parse(line, &keymap, place);
    let action = |action| Ok(Typed::Command(Typing::Action(action)));
    for (line, wanted) in [
        ("", Action::NextItem),
        ("N", Action::PreviousItem),
        ("n", Action::NextItem),
        ("p", Action::Poor),
        (" POOR ", Action::Poor),
        ("f", Action::Wrong),
        ("wrong", Action::Wrong),
        ("Q", Action::GoMine),
        ("5", Action::GoReadiness),
        ("readiness", Action::GoReadiness),
        ("ur", Action::Redo),
    ] {
        assert_eq!(typed(line), action(wanted), "{line}");
    }
    assert_eq!(typed("q"), Ok(Typed::Command(Typing::Leave)));
    let command = |command| Ok(Typed::Command(command));
    assert_eq!(typed("t it is of 2024"), command(Typing::Note("it is of 2024".to_owned())));
    assert_eq!(typed("Reason 3"), command(Typing::Reason("3".to_owned())));
    assert_eq!(typed("/ is:flagged"), command(Typing::Filter("is:flagged".to_owned())));
    assert_eq!(typed("order severity"), command(Typing::Order(Sort::by(Column::Scores))));
    for wrong in ["x\u{1b}[2J", "/ modle:x", "order 66", "t\u{202e}x y", "poor man"] {
        let why = typed(wrong).unwrap_err();
        assert!(why.chars().all(|c| !c.is_control() || c == '\n'), "{why:?}");
    }
    // A rebound key is one here, too.
    let own = Keymap::built_in().with("[list]\npoor = [\"P\"]\n").unwrap();
    assert_eq!(parse("P", &own, place), action(Action::Poor));
}

#[test]
fn trends_are_days_weeks_and_parts_in_words() {
    let home = sitting(12);
    let script = home.write("commands", "8\ndown\n");
    let ran = home.feed(&arguments(), &script);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let trends =
        &ran.out[ran.out.find("Trends of pushes").unwrap_or_else(|| panic!("{}", ran.out))..];
    for part in
        ["GO rate by day, ", "This week and last", "last week", "UNDETERMINED rate by day, "]
    {
        assert!(trends.contains(part), "{part}\n{trends}");
    }
    assert!(!trends.contains(['|', '\u{2502}', '\u{2591}', '\u{2504}']), "{trends}");
    assert!(trends.lines().all(|line| !line.starts_with(|c: char| c.is_ascii_digit())), "{trends}");
}

#[test]
fn candidates_are_named_by_numbers_that_were_shown() {
    assert_eq!(parse_helping("0, 2 1", 3), Some(Ok(vec![0, 2, 1])));
    assert_eq!(parse_helping(" none ", 3), Some(Ok(Vec::new())));
    for other in ["", "z", "1;2", "u"] {
        assert_eq!(parse_helping(other, 3), None, "{other}");
    }
    for bad in ["3", "0 1 99999999999999999999"] {
        assert!(parse_helping(bad, 3).unwrap().is_err(), "{bad}");
    }
}
