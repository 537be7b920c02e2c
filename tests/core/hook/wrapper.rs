//! The script that git runs: it stops a push on the program's own word, and on nothing else.

use super::stage::{PERSON, Stage, errors};
use std::fs;
use std::os::unix::fs::PermissionsExt;

/// A stage whose hook runs a program of the test's own making, and a commit to push.
pub(super) struct Fake {
    pub(super) stage: Stage,
}

/// What a program does that stops a push.
pub(super) const BLOCKS: &str =
    "while [ \"$1\" != --word ]; do shift; done; echo \"blocked $2\"; exit 1";

impl Fake {
    pub(super) fn new(program: &str) -> Self {
        let stage = Stage::new();
        stage.install();
        Self::in_stage(stage, program)
    }

    /// A program in the place of ours, where the hook is installed.
    pub(super) fn in_stage(stage: Stage, program: &str) -> Self {
        let fake = Self { stage };
        let path = fake.stage.path("bin/it's a program");
        fake.stage.script(&path, &format!("#!/bin/sh\n{program}\n"));
        fake.edit("binary", &format!("'{}'", path.to_str().unwrap().replace('\'', "'\\''")));
        fake.stage.commit(PERSON, &[("a.txt", "1\n")]);
        fake
    }

    fn hook(&self) -> std::path::PathBuf {
        self.stage.work().join(".git/hooks/pre-push")
    }

    fn edit(&self, name: &str, value: &str) {
        let text = fs::read_to_string(self.hook()).unwrap();
        let line = |line: &str| match line.starts_with(&format!("{name}='")) {
            true => format!("{name}={value}\n"),
            false => format!("{line}\n"),
        };
        fs::write(self.hook(), text.lines().map(line).collect::<String>()).unwrap();
    }

    /// Pushes; tells whether the push went through, and what was said.
    fn push(&self) -> (bool, String) {
        let output = self.stage.git(&["push", "origin", "HEAD:main"]);
        let there = self.stage.remote_ref("main") == Some(self.stage.done(&["rev-parse", "HEAD"]));
        assert_eq!(there, output.status.success(), "{}", errors(&output));
        (there, errors(&output))
    }

    fn passes(&self, why: &str) -> String {
        let (passed, said) = self.push();
        assert!(passed, "{why}: {said}");
        said
    }
}

#[test]
fn the_right_word_with_exit_code_1_stops_a_push() {
    let fake = Fake::new(BLOCKS);
    let (passed, said) = fake.push();
    assert!(!passed, "{said}");
    assert!(fake.stage.git(&["push", "-q", "--no-verify", "origin", "main"]).status.success());
}

#[test]
fn nothing_else_that_a_program_does_stops_a_push() {
    for program in [
        "exit 1",
        "exit 2",
        "exit 101",
        "kill -9 $$",
        "kill -SEGV $$",
        "echo blocked; exit 1",
        "echo blocked 0123; exit 1",
        "echo 'code 1'; exit 1",
        &BLOCKS.replace("exit 1", "exit 0"),
        &BLOCKS.replace("exit 1", "exit 3"),
        &BLOCKS.replace("exit 1", "kill -9 $$"),
        &BLOCKS.replace("echo", "echo NO-GO; echo"),
        &BLOCKS.replace("\"blocked $2\"", "\"blocked $2\" >&2"),
    ] {
        Fake::new(program).passes(program);
    }
}

#[test]
fn missing_or_non_executable_program_is_reported_and_push_passes() {
    let fake = Fake::new(BLOCKS);
    let program = fake.stage.path("bin/it's a program");
    fs::set_permissions(&program, fs::Permissions::from_mode(0o644)).unwrap();
    let said = fake.passes("not executable");
    assert!(said.contains("nothing is judged"), "{said}");
    let fake = Fake::new(BLOCKS);
    fs::remove_file(fake.stage.path("bin/it's a program")).unwrap();
    assert!(fake.passes("missing").contains("nothing is judged"));
    let fake = Fake::new(BLOCKS);
    fs::write(fake.stage.path("bin/it's a program"), "\u{7f}ELF garbage").unwrap();
    fake.passes("no program at all");
}

#[test]
fn a_program_that_hangs_is_ended_and_the_push_goes_through() {
    let fake = Fake::new("trap '' TERM INT HUP; exec sleep 3600");
    fake.edit("within", "'1'");
    let said = fake.passes("it hangs");
    assert!(said.contains("the push goes on"), "{said}");
}

#[test]
fn a_program_that_is_quick_is_not_waited_for_any_longer() {
    let fake = Fake::new("exit 0");
    fake.edit("within", "'3600'");
    // The pipe on which this waits would stay open for as long as anything holds it.
    fake.passes("quick");
}

#[test]
fn a_shell_that_ends_at_every_failure_changes_nothing() {
    for (program, blocks) in [("exit 1", false), ("kill -9 $$", false), (BLOCKS, true)] {
        let fake = Fake::new(program);
        let mut command = fake.stage.command("sh", &fake.stage.work());
        let output = command.args(["-eu", ".git/hooks/pre-push", "origin", "x"]).output().unwrap();
        assert_eq!(output.status.code(), Some(i32::from(blocks)), "{program}");
    }
}

#[test]
fn git_stdin_reaches_program_and_previous_hook() {
    let stage = Stage::new();
    let home = stage.path("");
    let note = |name: &str| {
        let file = home.join(name);
        let file = file.to_str().unwrap();
        format!("#!/bin/sh\n{{ printf '%s|' \"$@\"; echo; cat; }} > {file}\n")
    };
    stage.script(&stage.work().join(".git/hooks/pre-push"), &note("first"));
    stage.install();
    let fake = Fake { stage };
    let program = fake.stage.path("bin/second");
    fake.stage.script(&program, &note("second"));
    fake.edit("binary", &format!("'{}'", program.display()));
    fake.edit("mode", "'blocking'");
    fake.stage.commit(PERSON, &[("a.txt", "1\n")]);
    fake.passes("both look only");
    let read = |name| fs::read_to_string(fake.stage.path(name)).unwrap();
    let (first, second) = (read("first"), read("second"));
    let (first, refs) = first.split_once('\n').unwrap();
    assert!(refs.starts_with("HEAD ") && refs.ends_with('\n'), "{refs}");
    assert!(first.starts_with("origin|/"), "{first}");
    let (second, same) = second.split_once('\n').unwrap();
    assert_eq!(same.trim_end(), refs.trim_end());
    assert!(second.starts_with("hook|pre-push|--word|"), "{second}");
    assert!(second.ends_with(&format!("|--mode|blocking|--|{first}")), "{second}");
}

#[test]
fn previous_hook_can_still_block() {
    for (hook, passes) in [("exit 3", false), ("exit 0", true), ("cat >/dev/null", true)] {
        let stage = Stage::new();
        let marker = stage.path("judged");
        stage.script(&stage.work().join(".git/hooks/pre-push"), &format!("#!/bin/sh\n{hook}\n"));
        stage.install();
        let fake = Fake { stage };
        let program = fake.stage.path("bin/second");
        fake.stage.script(&program, &format!("#!/bin/sh\ntouch '{}'\n", marker.display()));
        fake.edit("binary", &format!("'{}'", program.display()));
        fake.stage.commit(PERSON, &[("a.txt", "1\n")]);
        assert_eq!((fake.push().0, marker.exists()), (passes, passes), "{hook}");
    }
}
