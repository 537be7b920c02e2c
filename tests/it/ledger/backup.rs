//! `ledger backup` and `ledger restore`: what is restored answers as what was backed up.

use super::Desk;
use std::fs;

/// A desk with labels, and the file of its backup.
fn backed_up() -> Desk {
    let desk = Desk::new(6);
    desk.good(&["label", &desk.ids[0], &desk.ids[1], "poor"]);
    let out = desk.good(&["ledger", "backup", "all.backup"]);
    assert!(out.contains("1 ledger") && out.contains("with the configuration"), "{out}");
    desk
}

#[test]
fn labels_and_their_chain_are_the_same_after_a_restore() {
    let desk = backed_up();
    let exported = desk.good(&["label", "--export", "--json"]);
    let verified = desk.json(&["ledger", "verify"]);
    assert!(desk.good(&["ledger", "restore", "all.backup", "--check"]).starts_with("sound: "));
    let place = ["--data-dir", "elsewhere"];
    let out = desk.good(&[&["ledger", "restore", "all.backup"], &place[..]].concat());
    assert!(out.contains("elsewhere: 1 ledger") && out.contains("c.toml"), "{out}");
    assert_eq!(desk.good(&[&["label", "--export", "--json"], &place[..]].concat()), exported);
    let again = desk.good(&[&["ledger", "verify", "--json"], &place[..]].concat());
    assert_eq!(serde_json::from_str::<serde_json::Value>(&again).unwrap(), verified);
    // The next label goes on the same chain.
    let label = ["label", &desk.ids[2], "poor", "--data-dir", "elsewhere"];
    desk.good(&label);
    desk.good(&[&["ledger", "verify"], &place[..]].concat());
}

#[test]
fn a_new_machine_gets_its_configuration_from_the_backup() {
    let desk = backed_up();
    let args = ["ledger", "restore", "all.backup", "--data-dir", "new", "--config", "new.toml"];
    let out = desk.home.good(&args);
    assert!(out.contains("configuration: new.toml"), "{out}");
    let read = |name: &str| fs::read_to_string(desk.home.path().join(name)).unwrap();
    assert_eq!(read("new.toml"), read("c.toml"));
    desk.home.good(&["ledger", "verify", "--data-dir", "new", "--config", "new.toml"]);
}

#[test]
fn backup_and_restore_overwrite_nothing() {
    let desk = backed_up();
    let before = desk.good(&["label", "--export", "--json"]);
    let ran = desk.run(&["ledger", "backup", "all.backup"]);
    assert_eq!(ran.code, 64, "{}", ran.err);
    let ran = desk.run(&["ledger", "restore", "all.backup"]);
    assert!(ran.code == 74 && ran.err.contains("already has data"), "{}", ran.err);
    assert_eq!(desk.good(&["label", "--export", "--json"]), before);
}

#[test]
fn a_cut_backup_is_refused_with_nothing_in_place() {
    let desk = backed_up();
    let path = desk.home.path().join("all.backup");
    let bytes = fs::read(&path).unwrap();
    for length in [0, 10, bytes.len() / 2, bytes.len() - 1] {
        fs::write(&path, &bytes[..length]).unwrap();
        for args in [&["--check"][..], &["--data-dir", "elsewhere"]] {
            let ran = desk.run(&[&["ledger", "restore", "all.backup"], args].concat());
            assert!(ran.code == 74 && ran.err.contains("nothing was changed"), "{}", ran.err);
        }
        assert!(!desk.home.path().join("elsewhere").exists());
    }
}

#[test]
fn a_backup_goes_through_a_pipe() {
    let desk = backed_up();
    let out = desk.home.command(&["ledger", "backup", "-", "--config", "c.toml"]).output();
    let bytes = out.unwrap().stdout;
    fs::write(desk.home.path().join("piped"), &bytes).unwrap();
    assert!(desk.good(&["ledger", "restore", "piped", "--check"]).contains("1 ledger"));
}
