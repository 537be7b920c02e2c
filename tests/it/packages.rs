//! The packages that `packaging/build.sh` makes, installed into roots that hold nothing else: the libraries
//! that a package names, no shell, no compiler.

#![cfg(target_os = "linux")]

mod made;
mod root;

use made::{BOX, MAIN, Made, packed};
use root::{Format, Root};
use std::collections::BTreeMap;
use std::process::Command;

/// What a package puts below `/usr`, beside the manual pages of commands and the documents.
const FILES: [&str; 5] = [
    "usr/bin/foureyes",
    "usr/share/bash-completion/completions/foureyes",
    "usr/share/fish/vendor_completions.d/foureyes.fish",
    "usr/share/man/man1/foureyes.1",
    "usr/share/zsh/site-functions/_foureyes",
];

/// Installs, runs, upgrades and removes the operator's package.
fn lives_and_leaves(format: Format) {
    let Made { old, new, .. } = packed();
    let root = Root::new(format, &old.program(MAIN));
    let before = root.files();

    root.install(&old.package(format, MAIN));
    assert_eq!(root.version(MAIN), "0.2.0");
    for file in FILES {
        assert!(root.files().contains_key(file), "{file}");
    }
    let documents = root.at("usr/share/doc/foureyes");
    assert!(documents.join("docs/install.md").is_file() && documents.join("LICENSE").is_file());
    assert!(root.run(&["--version"]).starts_with("foureyes "));
    // Without a terminal, a shell, git, a configuration or a network.
    assert!(root.run(&["--demo"]).contains("verdicts flagged"));
    std::fs::create_dir_all(root.at("logs")).unwrap();
    std::fs::write(root.at("logs/v.jsonl"), made::LINE).unwrap();
    assert!(root.run(&["triage", "--from", "/logs", "--days", "9999"]).contains("1 of 1 verdict"));
    let id = root.run(&["records", "--from", "/logs", "--days", "9999", "--json"]);
    let id = id.split("\"id\":\"").nth(1).and_then(|rest| rest.get(..64)).unwrap().to_owned();
    root.run(&["label", "--from", "/logs", &id, "poor"]);
    let own = root.data();
    assert!(own.keys().any(|path| path.contains("/ledger/anna@")), "{:?}", own.keys());

    root.upgrade(&new.package(format, MAIN));
    assert_eq!(root.version(MAIN), "0.2.1");
    assert_eq!(root.data(), own, "an upgrade touched data");
    assert!(
        root.run(&["records", "label:poor", "--from", "/logs", "--days", "9999"])
            .contains("research/a.md")
    );

    let refused = root.refusal(&new.package(format, BOX));
    assert!(refused.contains("conflict"), "{refused}");
    let own = root.data();

    root.remove(MAIN);
    let left: BTreeMap<_, _> =
        root.files().into_iter().filter(|(path, _)| !before.contains_key(path)).collect();
    let left: Vec<_> = left.keys().filter(|path| !path.starts_with("logs")).collect();
    assert!(left.iter().all(|path| own.contains_key(*path)), "{left:?}");
    assert_eq!(root.data(), own, "the removal touched data");
}

#[test]
fn deb_is_installed_upgraded_and_removed_without_a_trace_but_the_data() {
    lives_and_leaves(Format::Deb);
}

#[test]
fn rpm_is_installed_upgraded_and_removed_without_a_trace_but_the_data() {
    lives_and_leaves(Format::Rpm);
}

#[test]
fn box_package_is_the_core_alone() {
    let Made { new, .. } = packed();
    for format in [Format::Deb, Format::Rpm] {
        let root = Root::new(format, &new.program(BOX));
        root.install(&new.package(format, BOX));
        assert_eq!(root.version(BOX), "0.2.1");
        let help = root.run(&["--help"]);
        assert!(help.contains("hook") && !help.contains("readiness"), "{help}");
        assert!(root.run(&["config", "show"]).contains("agents"));
        root.remove(BOX);
        assert!(!root.at("usr/bin/foureyes").exists());
    }
}

#[test]
fn archive_runs_from_any_place_and_its_sum_is_listed() {
    let Made { new, .. } = packed();
    let mut sums = Command::new("sha256sum");
    sums.args(["--check", "--quiet", "SHA256SUMS"]).current_dir(&new.dir);
    assert!(sums.status().unwrap().success());
    let listed = std::fs::read_to_string(new.dir.join("SHA256SUMS")).unwrap();
    let there = std::fs::read_dir(&new.dir).unwrap().count();
    assert_eq!(listed.lines().count() + 1, there, "{listed}");

    let place = tempfile::tempdir().unwrap();
    let archive = new.archive(MAIN);
    let tar = Command::new("tar")
        .arg("-xzf")
        .arg(archive)
        .args(["--strip-components=1", "-C"])
        .arg(place.path())
        .status();
    assert!(tar.unwrap().success());
    for file in FILES {
        assert!(place.path().join(file.trim_start_matches("usr/")).is_file(), "{file}");
    }
    let program = place.path().join("bin/foureyes");
    let said =
        Command::new(program).arg("--version").env_clear().env("HOME", place.path()).output();
    assert!(said.unwrap().stdout.starts_with(b"foureyes "));
}

#[test]
fn program_that_a_package_would_promise_wrongly_is_refused() {
    // A build of the tests is made for this system, not for an old one, or it is too large for a box.
    let out = tempfile::tempdir().unwrap();
    let told = made::build(&made::programs(), out.path(), &[]);
    let said = String::from_utf8_lossy(&told.stderr).into_owned();
    assert!(!told.status.success() && said.contains("build.sh: "), "{said}");
    assert!(said.contains("needs glibc") || said.contains("more than 15000000"), "{said}");
    assert!(
        std::fs::read_dir(out.path())
            .unwrap()
            .all(|file| { !file.unwrap().file_name().to_string_lossy().ends_with(".deb") })
    );
}
