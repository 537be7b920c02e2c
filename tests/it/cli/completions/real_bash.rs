//! The script in a real bash.

use super::{TIME, home, id};
use crate::cli::{Home, push};
use std::ffi::OsStr;
use std::path::Path;
use std::process::{Command, Stdio};

/// What a real bash comes to, with the words as it splits them and what stands before the cursor.
fn in_bash(home: &Home, words: &str, typed: &str) -> Vec<String> {
    let program = Path::new(env!("CARGO_BIN_EXE_foureyes"));
    let script = format!(
        "source <(foureyes config completions bash)\n\
         COMP_WORDS=(foureyes {words}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1)); COMP_TYPE=9\n\
         _clap_complete_foureyes foureyes \"$1\" ''\n\
         printf '%s\\n' \"${{COMPREPLY[@]}}\"\n\
         complete -p foureyes"
    );
    let mut path = program.parent().unwrap().as_os_str().to_owned();
    path.push(OsStr::new(":/usr/bin:/bin"));
    let mut bash = Command::new("bash");
    bash.args(["--noprofile", "--norc", "-c", &script, "bash", typed]).env_clear();
    bash.env("HOME", home.path()).env("FOUREYES_DATA", home.path().join("data")).env("PATH", path);
    let output = bash.current_dir(home.path()).stdin(Stdio::null()).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{script}");
    let mut lines: Vec<String> =
        String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect();
    let registered = lines.pop().unwrap();
    assert!(registered.ends_with("-F _clap_complete_foureyes foureyes"), "{registered}");
    lines
}

#[test]
fn real_bash_sources_the_script_and_completes() {
    let home = home(1);
    home.write("logs/a.jsonl", push(1, TIME, "GO"));
    let older = id(&push(1, TIME, "GO"));
    for (words, typed, expected) in [
        ("box enable al", "al", &["alpha"][..]),
        ("show ''", "", &[&older]),
        ("records verdict : n", "n", &["no-go", "none"]),
        ("records is :", "", &["evaluation", "new"]),
        ("override --box = b", "b", &["beta"]),
        ("records \"verdict:und\"", "verdict:und", &["verdict:undetermined"]),
        ("config compl", "compl", &["completions"]),
        ("box enable nowhere", "nowhere", &[""]),
    ] {
        let mut found = in_bash(&home, words, typed);
        found.retain(|value| !value.starts_with('-'));
        assert_eq!(found[..expected.len().min(found.len())], *expected, "{words}: {found:?}");
    }
}
