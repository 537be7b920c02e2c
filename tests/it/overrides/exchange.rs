//! Ledgers of several reviewers through a directory, here and on a box.

use super::Bench;
use crate::pull::{Forwarder, Lab, Wire, free_port};
use serde_json::Value;
use std::path::Path;

/// The same logs at another reviewer's desk.
fn desk(name: &str, extra: &str) -> Bench {
    let mut bench = Bench::local();
    bench.config = bench
        .config
        .replace("\"anna\"", &format!("{name:?}"))
        .replace("\"desk\"", &format!("\"{name}-desk\""))
        + extra;
    bench.home.write("c.toml", &bench.config);
    bench
}

fn exchange(bench: &Bench, direction: &str, via: &[&str]) -> (i32, Value) {
    let ran = bench.run(&[&["ledger", direction, "--json"], via].concat());
    crate::report::conforms("exchange", &ran.out);
    (ran.code, serde_json::from_str(&ran.out).unwrap())
}

/// The states of the ledgers, by the names of their files.
fn states((code, document): (i32, Value)) -> (i32, Vec<String>) {
    let all = document["ledgers"].as_array().unwrap().iter();
    let said = all
        .map(|one| format!("{} {}", one["file"].as_str().unwrap(), one["state"].as_str().unwrap()));
    (code, said.collect())
}

fn ledger(bench: &Bench, name: &str) -> Vec<u8> {
    std::fs::read(bench.home.path().join("data/ledger").join(name)).unwrap_or_default()
}

/// A ledger holds the seed of the audit sample: of our directory nobody reads it but its group.
#[track_caller]
fn closed(path: &Path) {
    use std::os::unix::fs::PermissionsExt;
    let mode = std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode & 0o137, 0, "{}: {mode:o}", path.display());
}

const ANNA: &str = "anna@anna-desk.jsonl";
const BERT: &str = "bert@bert-desk.jsonl";

#[test]
fn two_reviewers_see_each_others_words_through_a_directory() {
    let shared = tempfile::tempdir().unwrap();
    let dir = shared.path().join("ledgers").to_str().unwrap().to_owned();
    let via = ["--via", dir.as_str()];
    let (anna, bert) = (desk("anna", ""), desk("bert", ""));
    let id = anna.id(1);
    anna.good(&["label", &id, "poor"]);
    bert.good(&["label", &id, "acceptable"]);
    bert.good(&["override", &id, "accept", "--reason", "fine"]);
    assert_eq!(states(exchange(&anna, "push", &via)), (0, vec![format!("{ANNA} new")]));
    assert_eq!(states(exchange(&bert, "push", &via)), (0, vec![format!("{BERT} new")]));
    [ANNA, BERT].iter().for_each(|name| closed(&Path::new(&dir).join(name)));
    let both = |a: &str, b: &str| vec![format!("{ANNA} {a}"), format!("{BERT} {b}")];
    assert_eq!(states(exchange(&anna, "pull", &via)), (0, both("same", "new")));
    assert_eq!(states(exchange(&bert, "pull", &via)), (0, both("new", "same")));
    assert_eq!(ledger(&anna, BERT), ledger(&bert, BERT));
    assert_eq!(ledger(&bert, ANNA), ledger(&anna, ANNA));
    for bench in [&anna, &bert] {
        assert_eq!(bench.found("label:conflict"), 1);
        assert_eq!(bench.found("override:accept"), 1);
        bench.good(&["ledger", "verify"]);
    }
    // It is bert's to bring to the box.
    assert_eq!(
        (anna.states(), bert.states()),
        (vec!["elsewhere".into()], vec!["confirmed".into()])
    );
    assert_eq!(anna.json(&["override", "--retry"])["overrides"], serde_json::json!([]));
    // Only what is new travels, and asking again changes nothing.
    anna.good(&["label", &anna.id(2), "unsure"]);
    assert_eq!(states(exchange(&anna, "push", &via)), (0, vec![format!("{ANNA} grown")]));
    assert_eq!(states(exchange(&anna, "push", &via)), (0, vec![format!("{ANNA} same")]));
    assert_eq!(states(exchange(&bert, "pull", &via)), (0, both("grown", "same")));
    assert_eq!(states(exchange(&bert, "pull", &via)), (0, both("same", "same")));
    assert_eq!(ledger(&bert, ANNA), ledger(&anna, ANNA));
    assert_eq!(bert.found("label:unsure"), 2, "one of them for want of agreement");
}

#[test]
fn altered_exchange_file_is_reported_with_first_bad_line() {
    let shared = tempfile::tempdir().unwrap();
    let dir = shared.path().to_str().unwrap().to_owned();
    let via = ["--via", dir.as_str()];
    let (anna, bert) = (desk("anna", ""), desk("bert", ""));
    for n in 1..=2 {
        anna.good(&["label", &anna.id(n), "poor"]);
    }
    exchange(&anna, "push", &via);
    exchange(&bert, "pull", &via);
    let good = ledger(&bert, ANNA);
    anna.good(&["label", &anna.id(3), "poor"]);
    exchange(&anna, "push", &via);
    let file = shared.path().join(ANNA);
    let text = std::fs::read_to_string(&file).unwrap();
    // A line is changed, one is missing, the file is another one, somebody speaks for another.
    let lines: Vec<&str> = text.lines().collect();
    let changed = text.replacen("poor", "unsure", 1);
    let removed = format!("{}\n{}\n", lines[0], lines[2]);
    for (doctored, line) in [(changed, 1), (removed, 2)] {
        std::fs::write(&file, doctored).unwrap();
        let (code, document) = exchange(&bert, "pull", &via);
        let one = &document["ledgers"][0];
        assert_eq!((code, one["state"].as_str()), (1, Some("broken")));
        assert_eq!(one["line"], line);
        assert_eq!(ledger(&bert, ANNA), good);
        let ran = bert.run(&["ledger", "pull", "--via", &dir]);
        assert!(ran.out.contains(&format!("first bad line {line}")), "{}", ran.out);
    }
    // The owner sees that the copy there is not the beginning of hers, and does not touch it.
    let before = std::fs::read(&file).unwrap();
    assert_eq!(states(exchange(&anna, "push", &via)), (1, vec![format!("{ANNA} apart")]));
    assert_eq!(std::fs::read(&file).unwrap(), before);
    // Whole and sound, but another history.
    let other = desk("anna", "");
    for n in 1..=4 {
        other.good(&["label", &other.id(n), "acceptable"]);
    }
    std::fs::write(&file, ledger(&other, ANNA)).unwrap();
    assert_eq!(states(exchange(&bert, "pull", &via)), (1, vec![format!("{ANNA} apart")]));
    assert_eq!(ledger(&bert, ANNA), good);
    std::fs::rename(&file, shared.path().join("mallory@x.jsonl")).unwrap();
    let strange = (1, vec!["mallory@x.jsonl stranger".to_owned()]);
    assert_eq!(states(exchange(&bert, "pull", &via)), strange);
    assert!(ledger(&bert, "mallory@x.jsonl").is_empty());
    // What does not belong there is not looked at.
    std::fs::remove_file(shared.path().join("mallory@x.jsonl")).unwrap();
    for name in ["-rf@x.jsonl", ".hid@x.jsonl", "a b@x.jsonl", "README.md", "a@b.txt"] {
        std::fs::write(shared.path().join(name), "x").unwrap();
    }
    std::fs::create_dir(shared.path().join("dir@x.jsonl")).unwrap();
    assert_eq!(states(exchange(&bert, "pull", &via)), (0, vec![]));
}

#[test]
fn only_this_machine_adds_to_its_own_ledger() {
    let shared = tempfile::tempdir().unwrap();
    let dir = shared.path().to_str().unwrap().to_owned();
    let via = ["--via", dir.as_str()];
    let anna = desk("anna", "");
    anna.good(&["label", &anna.id(1), "poor"]);
    let one = ledger(&anna, ANNA);
    anna.good(&["label", &anna.id(2), "poor"]);
    exchange(&anna, "push", &via);
    // Her disk is an old one now.
    std::fs::write(anna.home.path().join("data/ledger").join(ANNA), &one).unwrap();
    assert_eq!(states(exchange(&anna, "pull", &via)), (1, vec![format!("{ANNA} ours")]));
    assert_eq!(states(exchange(&anna, "push", &via)), (0, vec![format!("{ANNA} behind")]));
    assert_eq!(ledger(&anna, ANNA), one);
}

#[test]
fn two_reviewers_see_each_others_words_through_a_box() {
    let lab = Lab::new();
    let wire = Forwarder::to(lab.port);
    let at = |name: &str| format!("{:?}", lab.at(name).to_str().unwrap());
    let dir = lab.at("shared ledgers");
    let table = |port: u16| {
        format!(
            "[pull]\nidle_timeout_s = 10\n[exchange]\nbox = \"post\"\npath = {:?}\n[[box]]\nname = \"post\"\nhost = \"127.0.0.1\"\nuser = {:?}\nport = {port}\nssh_config = {}\nidentity = {}\nknown_hosts = {}\n",
            dir.to_str().unwrap(),
            crate::pull::whoami(),
            at("ssh_config"),
            at("key"),
            at("known_hosts")
        )
    };
    let (anna, bert) = (desk("anna", &table(wire.port)), desk("bert", &table(lab.port)));
    let long = "x".repeat(60_000) + " $(touch canary) '🦄\n";
    for n in 1..=4 {
        anna.good(&["label", &anna.id(n), "poor", "--note", &long]);
    }
    bert.good(&["label", &bert.id(5), "acceptable"]);
    // Nothing is there yet, which is no mistake on a box.
    assert_eq!(states(exchange(&bert, "pull", &[])), (0, vec![]));
    assert_eq!(states(exchange(&bert, "push", &[])), (0, vec![format!("{BERT} new")]));
    closed(&dir.join(BERT));
    // A push that is cut leaves a beginning, and the next one completes it.
    let whole = ledger(&anna, ANNA);
    let mut cut = 0;
    for most in [1500, 2500, 3000, 4000, 20_000, 100_000] {
        wire.set(Wire::Cut(most));
        let ran = anna.run(&["ledger", "push"]);
        assert!([0, 69].contains(&ran.code), "{}", ran.err);
        cut += usize::from(ran.code == 69);
        std::thread::sleep(std::time::Duration::from_millis(50));
        let there = std::fs::read(dir.join(ANNA)).unwrap_or_default();
        assert!(whole.starts_with(&there), "{most}");
    }
    assert!(cut > 0);
    wire.set(Wire::Plain);
    let (code, _) = exchange(&anna, "push", &[]);
    assert_eq!((code, std::fs::read(dir.join(ANNA)).unwrap() == whole), (0, true));
    // A beginning that a killed writer left in the middle of a line.
    std::fs::write(dir.join(ANNA), &whole[..whole.len() - 30]).unwrap();
    let seen = states(exchange(&bert, "pull", &["--via", "box:post"]));
    assert_eq!(seen, (0, vec![format!("{ANNA} new"), format!("{BERT} same")]));
    assert_eq!(states(exchange(&anna, "push", &[])), (0, vec![format!("{ANNA} grown")]));
    let seen = states(exchange(&bert, "pull", &[]));
    assert_eq!(seen, (0, vec![format!("{ANNA} grown"), format!("{BERT} same")]));
    assert_eq!(ledger(&bert, ANNA), whole);
    exchange(&anna, "pull", &[]);
    for bench in [&anna, &bert] {
        assert_eq!((bench.found("label:poor"), bench.found("label:acceptable")), (4, 1));
        bench.good(&["ledger", "verify"]);
    }
    assert!(!Path::new("canary").exists() && !lab.at("canary").exists());
    let names = std::fs::read_dir(&dir).unwrap().count();
    assert_eq!(names, 2, "no lock is left");
    lab.nothing_left();
}

#[test]
fn exchange_directory_must_be_configured_and_exist() {
    let anna = desk("anna", "");
    let ran = anna.run(&["ledger", "push"]);
    assert!(ran.code == 64 && ran.err.contains("[exchange]"), "{}", ran.err);
    assert_eq!(anna.run(&["ledger", "push", "--via", "box:none"]).code, 64);
    assert_eq!(anna.run(&["ledger", "pull", "--via", "/nowhere/at/all"]).code, 74);
    anna.home.write("c.toml", anna.config.clone() + "[exchange]\nbox = \"none\"\n");
    let ran = anna.run(&["ledger", "push"]);
    assert!(ran.code == 64 && ran.err.contains("exchange.box"), "{}", ran.err);
    let dead = format!("[[box]]\nname = \"post\"\nhost = \"127.0.0.1\"\nport = {}\n", free_port());
    anna.home.write("c.toml", anna.config.clone() + &dead);
    let ran = anna.run(&["ledger", "pull", "--via", "box:post"]);
    assert!(ran.code == 69 && ran.err.contains("refused"), "{}", ran.err);
}
