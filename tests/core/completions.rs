//! What a shell completes lines with where the console is left out.

use std::path::Path;
use std::process::{Command, Output, Stdio};

fn run(home: &Path, args: &[&str], shell: Option<&str>) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_foureyes"));
    command.args(args).current_dir(home).stdin(Stdio::null()).env_clear();
    command.env("HOME", home).env("PATH", "/usr/bin:/bin");
    command.envs(shell.map(|shell| ("FOUREYES_COMPLETE", shell)));
    command.output().unwrap()
}

/// The values that fish is offered for the last of some words.
fn complete(home: &Path, words: &[&str]) -> Vec<String> {
    let output = run(home, &[&["--", "foureyes"][..], words].concat(), Some("fish"));
    assert!(output.status.success() && output.stderr.is_empty(), "{words:?}: {output:?}");
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines().map(|line| line.split('\t').next().unwrap().to_owned()).collect()
}

#[test]
fn commands_of_a_box_are_completed_with_what_is_configured() {
    let home = tempfile::tempdir().unwrap();
    let config = home.path().join(".config/foureyes/config.toml");
    std::fs::create_dir_all(config.parent().unwrap()).unwrap();
    let text = "agents = [\"Bot\", \"\\u0009x\"]\n[judge]\nmodel = \"north-1\"\n";
    std::fs::write(&config, text.replace(", \"\\u0009x\"", "")).unwrap();
    let commands = complete(home.path(), &[""]);
    for command in ["hook", "judge", "kg", "memories", "config"] {
        assert!(commands.iter().any(|value| value == command), "{commands:?}");
    }
    assert_eq!(complete(home.path(), &["hook", "mode", "b"]), ["blocking"]);
    assert_eq!(complete(home.path(), &["judge", "--model", ""]), ["north-1"]);
    assert_eq!(complete(home.path(), &["judge", "--author", ""]), ["Bot"]);
    // A control character in a name makes the file wrong; then only what is fixed is offered.
    std::fs::write(&config, text).unwrap();
    assert_eq!(complete(home.path(), &["judge", "--author", ""]), [""; 0]);
    assert_eq!(complete(home.path(), &["judge", "--depth", "q"]), ["quick"]);
    assert!(!home.path().join(".local").exists() && !home.path().join(".cache").exists());
}

#[test]
fn hook_is_not_turned_off_by_the_variable() {
    let home = tempfile::tempdir().unwrap();
    let args = ["hook", "pre-receive", "--word", "w", "--", "origin", "url"];
    let (plain, asked) = (run(home.path(), &args, None), run(home.path(), &args, Some("bash")));
    assert_eq!(plain, asked);
}
