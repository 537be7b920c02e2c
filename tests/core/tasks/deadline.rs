//! All that a run does is within its budget, programs that it starts included.

use super::home::Home;
use super::{judges, says, task};
use foureyes::provider::Provider;
use foureyes::provider::opencode::{Opencode, Settings};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

/// Longer than the budget of these tests, and shorter than a program may take without one.
const SLOW: &str = "sleep 15; : > \"$0.ended\"";

/// A program of the test's own. A process of its own writes it: one that somebody still has open cannot be
/// started, and other tests fork meanwhile.
fn program(home: &Home, script: &str) -> PathBuf {
    let path = home.path().join("program");
    let make = "printf '#!/bin/sh\\n%s\\n' \"$2\" > \"$1\" && chmod 755 \"$1\"";
    let mut shell = Command::new("sh");
    assert!(shell.args(["-c", make, "sh"]).arg(&path).arg(script).status().unwrap().success());
    path
}

/// The exit code of a run whose judges are configured so, with a budget of two seconds.
fn code(home: &Home, judge: &str) -> Option<i32> {
    let config = format!("[judge]\n{judge}\n[task]\nbudget_s = 2\n");
    home.write(".config/foureyes/config.toml", &config);
    home.task(&[]).status.code()
}

fn has_ended(program: &Path) -> bool {
    program.with_extension("ended").exists()
}

#[test]
fn program_that_does_not_name_its_version_is_ended_with_the_budget() {
    let home = Home::new(["accept"; 3], "");
    let slow = program(&home, SLOW);
    let judge = format!("kind = \"opencode\"\nprogram = \"{}\"", slow.display());
    assert_eq!(code(&home, &judge), Some(2));
    assert!(!has_ended(&slow));
    let log = home.log();
    assert_eq!(log.last().unwrap()["reason"], "budget", "{log:?}");
}

#[test]
fn command_for_a_key_is_ended_with_the_budget() {
    let home = Home::new(["accept"; 3], "");
    let slow = program(&home, SLOW);
    let judge = format!("kind = \"chat\"\nkey_command = \"{}\"", slow.display());
    assert_eq!(code(&home, &judge), Some(64));
    assert!(!has_ended(&slow));
}

#[test]
fn version_that_is_unknown_once_makes_no_other_run() {
    let home = Home::new(["accept"; 3], "");
    let with = |path: &Path| {
        let mut judges = judges([says("accept"), says("accept"), says("accept")]);
        for judge in &mut judges.0 {
            let opencode = Opencode::new(Settings::new(path)).unwrap();
            Arc::get_mut(judge).unwrap().provider = Provider::Opencode(opencode);
        }
        judges
    };
    let known = with(&program(&home, "echo 1.18.33"));
    let unknown = with(&home.path().join("missing"));
    assert_ne!(known.0[0].judge_sha(), unknown.0[0].judge_sha());
    assert_eq!(known.run_sha(&task("x")), unknown.run_sha(&task("x")));
}
