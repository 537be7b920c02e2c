//! Spellings of earlier versions, and the groups of the commands.

use super::{Home, Ran, push};
use clap::CommandFactory;
use foureyes::cli::{Cli, GROUPS, OLD_SPELLINGS, grouped};

const TIME: &str = "2026-02-10T10:00:00Z";

fn words(text: &str) -> Vec<&str> {
    text.split(' ').collect()
}

/// What an old spelling says, once that it said so itself is taken away.
fn without_warning(old: &str, now: &str, ran: Ran) -> Ran {
    let warning = format!("warning: `foureyes {old}` is now `foureyes {now}`\n");
    let err = ran.err.strip_prefix(&warning).unwrap_or_else(|| panic!("{old}: {}", ran.err));
    assert!(!err.contains("is now"), "{old}: {err}");
    Ran { err: err.to_owned(), ..ran }
}

fn assert_same(old: &[&str], before: &Ran, now: &Ran) {
    assert_eq!((before.code, &before.out), (now.code, &now.out), "{old:?}");
    assert_eq!(before.err, now.err, "{old:?}");
}

#[test]
fn every_old_spelling_leads_to_a_command_with_a_warning() {
    let home = Home::new();
    for one in OLD_SPELLINGS {
        // The help takes no flag, and is that of the command.
        let command: Vec<&str> =
            words(one.new).into_iter().filter(|w| !w.starts_with("--")).collect();
        for (before, now) in [
            ([words(one.old), vec!["--help"]].concat(), [&command[..], &["--help"]].concat()),
            ([vec!["help"], words(one.old)].concat(), [&["help"], &command[..]].concat()),
        ] {
            let ran = without_warning(one.old, one.shown(), home.run(&before));
            assert_eq!(ran.code, 0, "{before:?}: {}", ran.err);
            assert_same(&before, &ran, &home.run(&now));
        }
        let wrong = [words(one.old), vec!["--no-such-option"]].concat();
        let ran = without_warning(one.old, one.shown(), home.run(&wrong));
        assert_eq!((ran.code, ran.out.as_str()), (64, ""), "{wrong:?}");
    }
}

#[test]
fn old_spelling_equals_new_one() {
    let home = Home::new();
    home.write("logs/a.jsonl", push(1, TIME, "GO") + &push(2, TIME, "NO-GO") + "x\n");
    home.write("weak.toml", "[policy]\nfalse_negative_below = 0.2\n");
    for (old, now, arguments) in [
        ("rejects", "records --rejects", "--from logs --json"),
        ("rejects", "records --rejects", "verdict:go --from logs"),
        ("window", "gate", ""),
        ("audit", "gate", ""),
        ("labels", "ledger", ""),
        ("policy", "gate", ""),
        ("window start", "gate window DATE", ""),
        ("window undo", "gate window --undo", ""),
        ("audit status", "gate audit", "--from logs --json"),
        ("audit status", "gate audit", "0.5"),
        ("audit set-rate", "gate audit RATE", ""),
        ("audit set-rate", "gate audit RATE", "1.5"),
        ("policy show", "gate show", ""),
        ("policy set", "gate set", "nowhere.toml"),
        ("policy waive", "gate waive", "nothing"),
        ("labels push", "ledger push", "--json"),
        ("labels pull", "ledger pull", "--via nowhere"),
        ("ledger renew", "ledger verify --renew", "--reviewer anna"),
        ("ledger renew", "ledger verify --renew", "--json"),
        ("override retry", "override --retry", "--json"),
        ("runs", "calibration runs", "abcd"),
        ("runs", "calibration runs", "--json"),
        ("hook enable-blocking", "box enable NAME", "--box small"),
        ("hook rollback", "box rollback NAME", "--json --box=small"),
        ("hook rollback", "box rollback NAME", ""),
        ("completions", "config completions", "bash"),
        ("man", "config man", ""),
    ] {
        let one = OLD_SPELLINGS.iter().find(|one| one.old == old).unwrap();
        let given: Vec<&str> = arguments.split(' ').filter(|word| !word.is_empty()).collect();
        let before = [words(old), given].concat();
        let given = arguments.replace("--box=", "").replace("--box ", "");
        let given = given.split(' ').filter(|word| !word.is_empty());
        let spelled: Vec<&str> = words(one.new).into_iter().chain(given).collect();
        let ran = without_warning(old, now, home.run(&before));
        assert_same(&before, &ran, &home.run(&spelled));
    }
    let nothing_set = home.good(&["gate", "show"]);
    let saved = home.run(&["--demo", "policy", "show"]);
    assert_eq!(saved.code, 0, "{}", saved.err);
    home.good(&["window", "start", "2026-02-01", "--reviewer", "anna"]);
    home.good(&["policy", "set", "weak.toml", "--reviewer", "anna"]);
    home.good(&["audit", "set-rate", "--stratum", "weak", "0.5", "--reviewer", "anna"]);
    assert_ne!(home.good(&["policy", "show"]), nothing_set);
    let audit = home.good(&["audit", "status", "--from", "logs", "--json"]);
    let audit: serde_json::Value = serde_json::from_str(&audit).unwrap();
    assert_eq!(audit["rates"][0]["rate"], 0.5, "{audit:#}");
}

/// Scripts of git and other machines call these, and read what they say.
#[test]
fn commands_called_on_boxes_keep_spelling_without_warning() {
    let home = Home::new();
    for args in [
        &["hook", "check", "--json"][..],
        &["hook", "mode", "--json"],
        &["hook", "question", "--json"],
        &["hook", "pre-push", "--word", "w", "--", "origin", "url"],
        &["hook", "pre-receive"],
        &["hook", "pre-push", "--no-such-option"],
        &["hook", "rehearse", "--json"],
    ] {
        let ran = home.run(args);
        assert!(!ran.err.contains("is now"), "{args:?}: {}", ran.err);
        assert!(!args[1].starts_with("pre-") || ran.code == 0, "{args:?}: {}", ran.err);
    }
}

#[test]
fn every_visible_command_is_in_one_group_of_the_help() {
    let command = grouped(Cli::command().term_width(80));
    let listed: Vec<&str> = GROUPS.iter().flat_map(|(_, names)| names.iter().copied()).collect();
    let visible: Vec<&clap::Command> =
        command.get_subcommands().filter(|one| !one.is_hide_set()).collect();
    for one in &visible {
        let name = one.get_name();
        assert_eq!(listed.iter().filter(|n| **n == name).count(), 1, "{name}");
        let about = one.get_about().unwrap().to_string();
        assert!(about.chars().count() <= 65, "{name} takes more than a line: {about}");
    }
    assert_eq!(listed.len(), visible.len());
    assert!(visible.len() <= 24, "{} commands", visible.len());
    let help = command.clone().render_help().to_string();
    let mut rest = help.as_str();
    for (title, names) in GROUPS {
        rest =
            rest.split_once(&format!(" {title}\n")).unwrap_or_else(|| panic!("{title}: {help}")).1;
        for name in *names {
            rest = rest
                .split_once(&format!("  {name} "))
                .unwrap_or_else(|| panic!("{name}: {help}"))
                .1;
        }
    }
    let leaves = leaves(&command);
    assert!(leaves <= 71, "{leaves} commands without subcommands");
}

/// How many commands a person can find by `--help` that have none below them.
fn leaves(command: &clap::Command) -> usize {
    let below = command.get_subcommands().filter(|c| !c.is_hide_set() && c.get_name() != "help");
    let all: Vec<usize> = below.map(leaves).collect();
    if all.is_empty() { 1 } else { all.iter().sum() }
}

#[test]
fn a_command_that_is_mistyped_is_suggested() {
    let home = Home::new();
    for (typed, meant) in [(&["trige"][..], "triage"), (&["gate", "widow"], "window")] {
        let ran = home.run(typed);
        assert_eq!(ran.code, 64);
        assert!(ran.err.contains(meant), "{}", ran.err);
    }
}

#[test]
fn an_id_or_a_pattern_may_follow_from() {
    let home = Home::new();
    home.write("logs/a.jsonl", push(1, TIME, "GO"));
    home.write("logs/b.jsonl", push(2, TIME, "NO-GO"));
    let record = home.good(&["records", "--json", "--from", "logs", "verdict:no-go"]);
    let record: serde_json::Value = serde_json::from_str(&record).unwrap();
    let id = &record["id"].as_str().unwrap()[..12];
    let shown = home.good(&["show", id, "--from", "logs"]);
    for args in [
        &["show", "--from", "logs", id][..],
        &["show", "--from", "logs/a.jsonl", "logs/b.jsonl", id],
        &["show", "--from", "logs/a.jsonl", "--from", "logs/b.jsonl", id],
        &["show", "--from=logs", id],
    ] {
        assert_eq!(home.good(args), shown, "{args:?}");
    }
    // What a shell makes of `logs/*.jsonl`.
    let count = |args: &[&str]| home.good(args).lines().count();
    assert_eq!(count(&["records", "--json", "--from", "logs/a.jsonl", "logs/b.jsonl"]), 2);
    let one = ["records", "--json", "--from", "logs/a.jsonl", "logs/b.jsonl", "verdict:go"];
    assert_eq!(count(&one), 1);
    let label = ["label", "--from", "logs", id, "poor", "--reviewer", "anna"];
    assert!(home.good(&label).contains("poor"));
    // A log that is missing is no word of a filter.
    let missing = home.run(&["records", "--from", "logs/a.jsonl", "logs/c.jsonl"]);
    assert!(missing.code == 74 && missing.err.contains("logs/c.jsonl"), "{}", missing.err);
    // A filter that is the name of a file stands before, or after two dashes.
    home.write("NO-GO", "");
    for args in [
        &["records", "NO-GO", "--json", "--from", "logs"][..],
        &["records", "--json", "--from", "logs", "--", "NO-GO"],
    ] {
        assert!(home.run(args).err.contains("no record matches") || count(args) <= 1, "{args:?}");
    }
}
