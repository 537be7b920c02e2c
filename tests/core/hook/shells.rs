//! The script under the shells that are `/bin/sh` somewhere, where the shell itself fails or is told
//! to end.

use super::stage::{Stage, errors};
use super::wrapper::{BLOCKS, Fake};
use crate::http::PATIENCE;
use std::fs;
use std::io::{Read, Write};
use std::process::{Child, Command, Output, Stdio};
use std::sync::Once;
use std::time::{Duration, Instant};
use tokio::signal::unix::SignalKind;

/// The shells that are here, each by the words that start it.
fn shells() -> Vec<Vec<&'static str>> {
    let known = [
        vec!["sh"],
        vec!["dash"],
        vec!["bash", "--posix"],
        vec!["busybox", "sh"],
        // macOS can be told to use it.
        vec!["zsh", "--emulate", "sh"],
    ];
    let here = |words: &Vec<&str>| {
        let tried = Command::new(words[0]).args(&words[1..]).args(["-c", ":"]).output();
        tried.is_ok_and(|output| output.status.success())
    };
    let shells: Vec<_> = known.into_iter().filter(here).collect();
    assert!(!shells.is_empty());
    shells
}

/// More of git's input than a pipe holds.
fn refs() -> Vec<u8> {
    let line = format!("refs/heads/x {} refs/heads/x {}\n", "a".repeat(40), "b".repeat(40));
    line.repeat(2000).into_bytes()
}

/// A program that runs beside a hook which was there before.
fn chained(kept: &str, program: &str) -> Fake {
    let stage = Stage::new();
    stage.script(&stage.work().join(".git/hooks/pre-push"), &format!("#!/bin/sh\n{kept}\n"));
    stage.install();
    Fake::in_stage(stage, program)
}

/// Starts the script by a shell, behind some words of another shell that starts it.
fn start(fake: &Fake, before: &str, shell: &[&str], input: Stdio) -> Child {
    let mut command = fake.stage.command("sh", &fake.stage.work());
    command.args(["-c", &format!("{before} exec \"$@\""), "x"]).args(shell);
    command.args([".git/hooks/pre-push", "origin", "x"]).stdin(input);
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

fn run(fake: &Fake, before: &str, shell: &[&str]) -> Output {
    let mut child = start(fake, before, shell, Stdio::piped());
    // Not all of it is read by each.
    let _ = child.stdin.take().unwrap().write_all(&refs());
    child.wait_with_output().unwrap()
}

#[test]
fn unwritable_disk_passes_push_but_known_no_go_blocks() {
    let unwritable = "ulimit -f 0; export TMPDIR=/nowhere;";
    let counts = "[ \"$(wc -c)\" -eq 216000 ] || exit 3";
    assert_eq!(refs().len(), 216_000);
    for kept in ["exit 0", "cat >/dev/null", counts] {
        for (program, code) in [("exit 0", 0), (counts, 0), (BLOCKS, 1)] {
            let fake = chained(kept, program);
            for shell in shells() {
                let output = run(&fake, unwritable, &shell);
                let why = format!("{shell:?} {kept} {program}: {}", errors(&output));
                assert_eq!(output.status.code(), Some(code), "{why}");
                // What the program ends with is told, so that a count that is wrong is seen.
                assert_eq!(errors(&output), "", "{why}");
            }
        }
    }
}

#[test]
fn large_stdin_reaches_both_hooks_completely() {
    let fake = chained("cat > first", "cat > second");
    for shell in shells() {
        let output = run(&fake, "", &shell);
        assert_eq!(output.status.code(), Some(0), "{shell:?} {}", errors(&output));
        for name in ["first", "second"] {
            let path = fake.stage.work().join(name);
            assert!(fs::read(&path).unwrap() == refs(), "{shell:?} {name}");
            fs::remove_file(path).unwrap();
        }
    }
}

#[test]
fn without_an_input_it_stops_nothing_and_does_not_wait() {
    for shell in shells() {
        for fake in [Fake::new("cat >/dev/null"), chained("exit 0", "cat >/dev/null")] {
            let closed = start(&fake, "exec 0<&-;", &shell, Stdio::null());
            let output = closed.wait_with_output().unwrap();
            assert_eq!(output.status.code(), Some(0), "{shell:?} {}", errors(&output));
        }
    }
}

/// Waits until a file has a line, and gives it.
fn line_of(path: &std::path::Path) -> String {
    let start = Instant::now();
    loop {
        let text = fs::read_to_string(path).unwrap_or_default();
        if text.ends_with('\n') {
            return text.trim_end().to_owned();
        }
        assert!(start.elapsed() < PATIENCE, "{}", path.display());
        std::thread::sleep(Duration::from_millis(5));
    }
}

fn kill(signal: &str, pid: &str) -> bool {
    let mut kill = Command::new("kill");
    kill.args(["-s", signal, pid]).stderr(Stdio::null()).status().unwrap().success()
}

/// What runs behind `&` in a script is started with SIGINT and SIGQUIT ignored, behind `nohup` with
/// SIGHUP: so may these tests be. What they start would ignore them too, and no shell can trap what it
/// was started to ignore. A signal that is handled here is none that a program started here ignores.
fn heed_signals() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
        let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
        let ignored = ignored.map_or(0, |mask| u64::from_str_radix(mask.trim(), 16).unwrap());
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let _in = runtime.enter();
        for kind in [SignalKind::hangup(), SignalKind::interrupt(), SignalKind::quit()] {
            if ignored & 1 << (kind.as_raw_value() - 1) != 0 {
                // The handler stays when who listens is gone.
                drop(tokio::signal::unix::signal(kind).unwrap());
            }
        }
    });
}

/// The exit code of a script that is told to end when its program, or the hook that was there before,
/// has begun to sleep; and the number of what sleeps.
fn told(fake: &Fake, shell: &[&str], signal: &str) -> (Option<i32>, String) {
    heed_signals();
    let file = fake.stage.work().join("pid");
    let _ = fs::remove_file(&file);
    let child = start(fake, "", shell, Stdio::null());
    let pid = line_of(&file);
    assert!(kill(signal, &child.id().to_string()));
    // What sleeps holds the pipes, so that they are not read to their end.
    let mut child = child;
    let code = child.wait().unwrap().code();
    (code, pid)
}

#[test]
fn signalled_script_lets_push_through_and_kills_program() {
    let fake = Fake::new("echo $$ > pid; exec sleep 3600");
    for shell in shells() {
        let mut asleep = Vec::new();
        for signal in ["TERM", "HUP", "INT", "QUIT", "PIPE", "ALRM", "USR1", "USR2"] {
            let (code, pid) = told(&fake, &shell, signal);
            assert_eq!(code, Some(0), "{shell:?} {signal}");
            asleep.push(pid);
        }
        let start = Instant::now();
        while asleep.iter().any(|pid| kill("0", pid)) {
            assert!(start.elapsed() < PATIENCE, "{shell:?}: the program sleeps on");
            std::thread::sleep(Duration::from_millis(50));
        }
    }
}

#[test]
fn signal_before_previous_hook_decides_does_not_bypass_it() {
    let fake = chained("echo $$ > pid; sleep 1; exit 3", "exit 0");
    for shell in shells() {
        let (code, _) = told(&fake, &shell, "TERM");
        assert!(code.is_some_and(|code| code != 0), "{shell:?} {code:?}");
    }
}

#[test]
fn a_program_that_writes_without_end_is_not_read_to_its_end() {
    let fake = Fake::new("exec yes no-line-end | tr -d '\\n'");
    for shell in shells() {
        let child = start(&fake, "", &shell, Stdio::null());
        assert_eq!(child.wait_with_output().unwrap().status.code(), Some(0), "{shell:?}");
    }
}

#[test]
fn interrupted_push_does_not_report_continuing() {
    let fake = Fake::new("echo $$ > pid; exec sleep 3600");
    heed_signals();
    for shell in shells() {
        let file = fake.stage.work().join("pid");
        let _ = fs::remove_file(&file);
        let mut child = start(&fake, "", &shell, Stdio::null());
        let pid = line_of(&file);
        assert!(kill("INT", &child.id().to_string()));
        // Until it is waited for it would seem to be there.
        child.wait().unwrap();
        // All that holds its standard error is gone at the end of it.
        let mut said = String::new();
        child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
        assert_eq!(said, "", "{shell:?}");
        assert!(!kill("0", &pid), "{shell:?}: the program goes on");
    }
}

#[test]
fn unread_output_blocks_nothing() {
    let fake = Fake::new("exit 101");
    let missing = Fake::new("exit 0");
    fs::remove_file(missing.stage.path("bin/it's a program")).unwrap();
    for shell in shells() {
        for fake in [&fake, &missing] {
            let mut child = start(fake, "", &shell, Stdio::null());
            drop((child.stdout.take(), child.stderr.take()));
            assert_eq!(child.wait().unwrap().code(), Some(0), "{shell:?}");
        }
    }
}
