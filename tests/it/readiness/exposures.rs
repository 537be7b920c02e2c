//! Verdicts that a command shows on a terminal are written down while a window runs; a script's are not.

use super::*;
use crate::pty::Start;

/// The records of the exposures in anna's ledger, one list an entry.
fn exposures(home: &Home) -> Vec<Vec<String>> {
    let path = home.path().join("data/ledger/anna@desk.jsonl");
    let ledger = std::fs::read_to_string(path).unwrap_or_default();
    let entries = ledger.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let exposures = entries.filter(|entry| entry["kind"] == "exposure");
    let ids = |entry: Value| {
        let records = entry["body"]["records"].as_array().unwrap().clone();
        records.iter().map(|id| id.as_str().unwrap().to_owned()).collect()
    };
    exposures.map(ids).collect()
}

/// What a command writes to a terminal.
fn on_terminal(world: &World, args: &[&str]) -> String {
    let at = |path: &str| world.home.path().join(path).to_str().unwrap().to_owned();
    let (from, config, data) = (at("made/boxes"), at("c.toml"), at("data"));
    let more = ["--from", &from, "--config", &config, "--data-dir", &data];
    let session = Start::foureyes(&[args, &more].concat()).size(200, 50).run();
    session.end();
    session.screen()
}

#[test]
fn command_on_a_terminal_writes_what_it_showed_once_and_says_what_it_costs() {
    let world = World::new();
    let one = world.truth.iter().find(|t| t.outcome == "no_go").unwrap().id.clone();
    let filter = format!("id:{one}");
    assert!(!on_terminal(&world, &["records", &filter]).contains("counts as blind"));
    assert_eq!(exposures(&world.home), Vec::<Vec<String>>::new(), "no window runs");
    world.window();
    let text = on_terminal(&world, &["records", &filter]);
    assert!(text.contains("NO-GO"), "it shows what it showed before: {text}");
    assert!(text.contains("1 item of open days no longer counts as blind"), "{text}");
    assert_eq!(exposures(&world.home), [std::slice::from_ref(&one)]);
    // What was shown before costs nothing more.
    let text = on_terminal(&world, &["show", &one]);
    assert!(text.contains("NO-GO") && !text.contains("blind"), "{text}");
    assert_eq!(exposures(&world.home).len(), 1);
    let text = on_terminal(&world, &["triage", "--limit", "12"]);
    let shown: usize = exposures(&world.home)[1].len();
    assert!((1..=12).contains(&shown), "{shown}");
    assert!(text.contains(&format!("{shown} items of open days no longer count as blind")));
    // Nor does what is labelled.
    let other = world.truth.iter().find(|t| t.outcome == "go").unwrap().id.clone();
    let id = other.parse().unwrap();
    world.typed("anna", |t| (t.id == other).then(|| Label::new(id, Word::Acceptable)));
    on_terminal(&world, &["show", &other]);
    assert_eq!(exposures(&world.home).len(), 2);
    assert!(world.good(&["ledger", "verify"]).contains("all ledgers are intact"));
}

#[test]
fn labels_of_others_on_a_terminal_show_how_their_records_were_chosen() {
    let world = World::new();
    world.window();
    let one = world.truth.iter().find(|t| t.outcome == "no_go").unwrap().id.clone();
    let id = one.parse().unwrap();
    world.typed("bert", |t| (t.id == one).then(|| Label::new(id, Word::Poor)));
    let script = ["label", "--export", "--config", "c.toml", "--from", "made/boxes"];
    assert!(world.good(&script[..2]).contains("census"), "it was flagged");
    assert_eq!(world.home.run(&script).code, 0);
    assert_eq!(exposures(&world.home), Vec::<Vec<String>>::new());
    let text = on_terminal(&world, &["label", "--export"]);
    assert!(text.contains("1 item of open days no longer counts as blind"), "{text}");
    assert_eq!(exposures(&world.home), [std::slice::from_ref(&one)]);
}

#[test]
fn script_without_a_terminal_writes_no_exposure() {
    let world = World::new();
    world.window();
    let one = world.truth[0].id.clone();
    let from = ["--from", "made/boxes"];
    for args in [
        &["records", "is:flagged"][..],
        &["records", "--json"],
        &["records", "--csv"],
        &["show", &one],
        &["triage", "--json"],
        &["triage"],
    ] {
        let ran = world.home.run(&[args, &["--config", "c.toml"], &from].concat());
        assert_eq!(ran.code, 0, "{args:?}: {}", ran.err);
        assert!(!ran.err.contains("blind"), "{args:?}: {}", ran.err);
    }
    assert_eq!(exposures(&world.home), Vec::<Vec<String>>::new());
}

#[test]
fn label_after_an_exposure_is_not_blind_whatever_it_says() {
    let world = World::new();
    world.window();
    let [first, second] = [0, 1].map(|n| world.truth[n].id.parse().unwrap());
    let exposure =
        foureyes::domain::review::Exposure { shown: "records".to_owned(), records: vec![first] };
    world.say("anna", 0, &Act::Exposure(exposure));
    let typed = |id| Label {
        blind: true,
        shown: Some(Shown::Content(ContentHash([1; 32]))),
        ..Label::new(id, Word::Acceptable)
    };
    world.typed("anna", |t| {
        [first, second].contains(&t.id.parse().unwrap()).then(|| typed(t.id.parse().unwrap()))
    });
    let ledger = Ledger::load(&DataDir::at(world.home.path().join("data"))).unwrap();
    let present = ledger.present(midnight(-1));
    let blind = |id| present.labels[&id][0].label.blind;
    assert_eq!((blind(first), blind(second)), (false, true));
}
