//! What shells complete lines of the program with.

mod real_bash;
mod safe;

use super::{Home, push};
use clap::CommandFactory;
use foureyes::cli::Cli;
use foureyes::domain::review::Draw;
use foureyes::jsonl::{Settings, read_one};
use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::Command;

const TIME: &str = "2026-02-10T10:00:00Z";

/// The shells whose protocols are spoken here.
const SHELLS: [&str; 3] = ["bash", "zsh", "fish"];

/// The program as the script of a shell asks it to complete the last of some words.
fn asking(home: &Home, shell: &str, words: &[&str]) -> Command {
    let mut command = home.command(&["--", "foureyes"]);
    command.args(words).env("FOUREYES_COMPLETE", shell);
    if shell != "fish" {
        let separator = if shell == "bash" { "\u{b}" } else { "\n" };
        command.env("_CLAP_COMPLETE_INDEX", words.len().to_string()).env("_CLAP_IFS", separator);
    }
    command
}

/// What the program offers, as it offers it; it must be without fault.
fn raw(mut command: Command) -> String {
    let output = command.output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{command:?}: {output:?}");
    assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{command:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// The values among what was offered to a shell.
fn values_of(shell: &str, offered: &str) -> Vec<String> {
    let of_zsh = |line: &str| {
        let colon =
            line.match_indices(':').map(|(at, _)| at).find(|at| !line[..*at].ends_with('\\'));
        line[..colon.unwrap_or(line.len())].replace("\\:", ":")
    };
    let values: Vec<String> = match shell {
        "bash" => offered.split('\u{b}').map(str::to_owned).collect(),
        "zsh" => offered.lines().map(of_zsh).collect(),
        _ => offered.lines().map(|line| line.split('\t').next().unwrap().to_owned()).collect(),
    };
    values.into_iter().filter(|value| !value.is_empty()).collect()
}

/// The values that a shell is offered for the last of some words.
fn complete(home: &Home, shell: &str, words: &[&str]) -> Vec<String> {
    values_of(shell, &raw(asking(home, shell, words)))
}

/// The same for all shells, without options; bash has the part behind the last sign.
#[track_caller]
fn assert_offered(home: &Home, words: &[&str], expected: &[&str]) {
    let typed = words.last().unwrap();
    for shell in SHELLS {
        let (mut given, mut before) = (Vec::new(), String::new());
        for word in words {
            match shell {
                "bash" => {
                    let pieces = apart(word);
                    before = pieces[..pieces.len() - 1].concat();
                    given.extend(pieces);
                }
                _ => given.push((*word).to_owned()),
            }
        }
        if given.last().is_some_and(String::is_empty) && !typed.is_empty() {
            // What stands before the cursor is a sign, and that is the word.
            given.pop();
        }
        let given: Vec<&str> = given.iter().map(String::as_str).collect();
        let mut found = complete(home, shell, &given);
        found.retain(|value| !value.starts_with('-') || typed.starts_with('-'));
        let wanted: Vec<&str> =
            expected.iter().map(|value| value.strip_prefix(&*before).unwrap()).collect();
        assert_eq!(found, wanted, "{shell} {words:?}");
    }
}

/// A word as bash takes it apart; the last piece is what it completes.
fn apart(word: &str) -> Vec<String> {
    let mut pieces = vec![String::new()];
    for c in word.chars() {
        if c == ':' || c == '=' {
            pieces.extend([c.to_string(), String::new()]);
        } else {
            pieces.last_mut().unwrap().push(c);
        }
    }
    let last = pieces.len() - 1;
    let pieces = pieces.into_iter().enumerate();
    pieces.filter(|(at, piece)| *at == last || !piece.is_empty()).map(|(_, piece)| piece).collect()
}

/// Everything below a directory, with what is in it.
fn all_below(dir: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in std::fs::read_dir(dir).unwrap().map(Result::unwrap) {
        let path = entry.path();
        if path.is_dir() {
            found.extend(all_below(&path));
            found.insert(path, Vec::new());
        } else {
            found.insert(path.clone(), std::fs::read(&path).unwrap());
        }
    }
    found
}

/// A home with two boxes, reviewers, and a log of one of the boxes.
fn home(port: u16) -> Home {
    let home = Home::new();
    std::fs::create_dir_all(home.path().join(".config/foureyes/themes")).unwrap();
    std::fs::create_dir_all(home.path().join("data/ledger")).unwrap();
    std::fs::create_dir_all(home.path().join("data/session")).unwrap();
    let config = format!(
        "watch = [\"notes/\"]\n[reviewer]\nname = \"anna\"\n[reviewers.bert]\n[reasons]\nown_code = \"ours\"\n\
         [judge]\nmodel = \"north-1\"\nendpoint = \"http://127.0.0.1:{port}\"\n\
         [fleet.teams.docs]\nboxes = [\"alpha\"]\n\
         [[box]]\nname = \"alpha\"\nlocal = true\nlogs = [\"~/logs\"]\n\
         [[box]]\nname = \"beta\"\nhost = \"127.0.0.1\"\nport = {port}\n\
         [[repository]]\npath = \"/srv/knowledge\"\nremote_path = \"/srv/git/k.git\"\n"
    );
    home.write(".config/foureyes/config.toml", config);
    home.write(".config/foureyes/themes/mine.toml", "");
    home.write("data/ledger/cleo@desk.jsonl", "");
    let session = r#"{"views":[{"name":"late","filter":"error:timeout"},{"name":"two","filter":"box:a is:flagged"}]}"#;
    home.write("data/session/console.json", session);
    home.write("logs/a.jsonl", push(1, TIME, "GO") + &task("issue-7"));
    home
}

fn task(id: &str) -> String {
    format!(
        "{{\"task_id\":\"{id}\",\"judge_tier\":\"quick\",\"judge_model\":\"m\",\"verdict\":\"accept\",\
         \"timestamp\":\"2026-02-11T10:00:00Z\"}}\n"
    )
}

fn id(line: &str) -> String {
    read_one(line.trim_end().as_bytes(), &Settings::default()).unwrap().id.short()
}

#[test]
fn values_are_offered_and_nothing_is_asked_or_written() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    let home = home(listener.local_addr().unwrap().port());
    let before = all_below(home.path());
    let (newer, older) = (id(&task("issue-7")), id(&push(1, TIME, "GO")));
    let draws: Vec<&str> = Draw::ALL.map(Draw::as_str).to_vec();
    for (words, expected) in [
        (&["pull", ""][..], &["alpha", "beta"][..]),
        (&["pull", "alpha", "b"], &["beta"]),
        (&["box", "enable", ""], &["alpha", "beta"]),
        (&["box", "check", "beta", "--repo", ""], &["/srv/git/k.git"]),
        (&["override", "--box", "b"], &["beta"]),
        (&["override", "--box=b"], &["--box=beta"]),
        (&["ledger", "push", "--via", "box:"], &["box:alpha", "box:beta"]),
        (&["label", "--reviewer", ""], &["anna", "bert", "cleo"]),
        (&["label", "--reason", "own"], &["own_code"]),
        (&["fleet", "assign", "--team", ""], &["docs"]),
        (&["trend", "--prefix", ""], &["notes/"]),
        (&["judge", "--model", ""], &["north-1"]),
        (&["judge", "--task-id", "is"], &["issue-7"]),
        (&["override", "--task", ""], &["issue-7"]),
        (&["--theme", "mi"], &["mine"]),
        (&["show", ""], &[&newer, &older]),
        (&["show", &older[..5]], &[&older]),
        (&["label", ""], &["acceptable", "poor", "unsure", &newer, &older]),
        (&["label", &older, "p"], &["poor"]),
        (&["override", &older, "acc"], &["accept"]),
        (&["gate", "window", "--draw", ""], &draws),
        (&["hook", "mode", "a"], &["advisory"]),
        (&["judge", "--depth", "p"], &["panel"]),
        (&["runbook", "beg"], &["begin"]),
        (&["runbook", "begin", "en"], &["enable"]),
        (&["runbook", "done", "enable", "sw"], &["switch"]),
        (&["runbook", "done", "false-positives", "sw"], &[]),
        (&["readiness", "--cluster", "d"], &["day"]),
        (&["config", "completions", "z"], &["zsh"]),
    ] {
        assert_offered(&home, words, expected);
    }
    let untouched = all_below(home.path());
    assert!(untouched == before, "{:?}", untouched.keys().collect::<Vec<_>>());
    assert_eq!(listener.accept().unwrap_err().kind(), ErrorKind::WouldBlock, "somebody was asked");
}

#[test]
fn filters_go_on_word_by_word() {
    let home = home(1);
    for (words, expected) in [
        (&["records", "verdict:und"][..], &["verdict:undetermined"][..]),
        (&["records", "verdict:n"], &["verdict:no-go", "verdict:none"]),
        (&["records", "is:flagged", "box:"], &["box:alpha", "box:beta"]),
        (&["records", "reviewer:"], &["reviewer:anna", "reviewer:bert", "reviewer:cleo"]),
        (&["records", "task:"], &["task:issue-7"]),
        (&["fleet", "assign", "since:to"], &["since:today"]),
        // A field that is the only one comes with its values.
        (
            &["records", "consens"],
            &["consensus:unanimous", "consensus:majority", "consensus:split"],
        ),
        (&["records", "commi"], &["commit:0000001"]),
        (&["records", "nonsense:"], &[]),
    ] {
        assert_offered(&home, words, expected);
    }
    for shell in SHELLS {
        let all = complete(&home, shell, &["records", ""]);
        for part in ["verdict:", "is:", "peer:", "error:timeout"] {
            assert!(all.iter().any(|value| value == part), "{shell}: {part} {all:?}");
        }
        // Only these two quote what they put into a line.
        let is_there = all.iter().any(|value| value == "box:a is:flagged");
        assert_eq!(is_there, shell != "bash", "{all:?}");
        let quoted = complete(&home, shell, &["records", "'box:al"]);
        assert_eq!(quoted, ["box:alpha"], "{shell}");
        let negated = complete(&home, shell, &["records", "-is:fl"]);
        assert!(negated.iter().any(|value| value == "-is:flagged"), "{shell}: {negated:?}");
    }
}

#[test]
fn every_command_and_option_is_offered_in_each_shell() {
    let home = Home::new();
    let command = Cli::command();
    for shell in SHELLS {
        let offered = complete(&home, shell, &[""]);
        for below in command.get_subcommands().filter(|below| !below.is_hide_set()) {
            assert!(offered.iter().any(|value| value == below.get_name()), "{shell}: {offered:?}");
        }
        let offered = complete(&home, shell, &["doctor", "--"]);
        assert!(offered.iter().any(|value| value == "--data-dir"), "{shell}: {offered:?}");
        assert_eq!(complete(&home, shell, &["doctor", "--conf"]), ["--config"]);
    }
}
