//! `foureyes judge --hook` itself: 0 or 2, whatever it is called with.

use super::{Project, Stopped};
use std::process::Stdio;
use std::time::Duration;

/// The arguments of a hook that is right.
const RIGHT: [&str; 8] =
    ["--hook", "claude-code", "-t", "issue-42", "-d", "Write the note.", "--", "a.md"];

fn run(project: &Project, args: &[&str]) -> Stopped {
    let mut command = project.home().command(args);
    command.current_dir(project.dir()).stdin(Stdio::null());
    Stopped::new(&command.output().unwrap())
}

#[test]
fn wrong_arguments_let_the_agent_end() {
    let project = Project::new(["reject"; 3]);
    for args in [
        &["--hook"][..],
        &["--hook", "claude-code"],
        &["--hook", "nobody", "-t", "x", "-d", "y", "a.md"],
        &["--hook=claude-code", "-t", "x", "-d", "y", "--nonsense", "a.md"],
        &["--hook=claude-code", "-t", "x", "-d", "y", "--json", "a.md"],
        &["--hook=claude-code", "-t", "x", "-d", "y", "--explain", "a.md"],
        &["--hook=claude-code", "-t", "x", "-d", "y", "--within", "0", "a.md"],
        &["--hook=claude-code", "-t", "x", "-d", "y"],
        &["--hook=claude-code", "-t", "x", "a.md"],
        &["--hook=claude-code", "-d", "y", "a.md"],
        &["--hook=claude-code", "-t", "x", "-d", "@missing", "a.md"],
        &["--hook=claude-code", "-t", "x", "-d", "y", "--config", "missing.toml", "a.md"],
        &["--hook=claude-code", "-t", "x", "-d", "y", "--files-from", "missing"],
    ] {
        run(&project, args).ends("the result was not judged: ");
    }
    assert!(project.home().log().is_empty());
    let without = run(&project, &["--nonsense", "a.md"]);
    assert_eq!(without.code, Some(64), "without a hook wrong usage is an error");
}

#[test]
fn proof_for_scripts_comes_with_exit_code_2_alone() {
    let project = Project::new(["reject"; 3]);
    let held = run(&project, &RIGHT);
    assert_eq!((held.code, held.out.as_str()), (Some(2), "judges want changes\n"), "{held:?}");
    let again = run(&project, &RIGHT);
    again.ends("rejected, since the same content");
    assert!(again.out.starts_with("{\"systemMessage\":\"foureyes: the agent may end: rejected"));
}

#[test]
fn standard_input_that_stays_open_is_not_waited_for() {
    let project = Project::new(["reject"; 3]);
    let mut command = project.home().command(&RIGHT);
    command.current_dir(project.dir()).stdin(Stdio::piped());
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let open = child.stdin.take();
    assert_eq!(child.wait().unwrap().code(), Some(2));
    drop(open);
}

#[test]
fn what_hangs_is_ended_with_its_time() {
    let project = Project::new(["reject"; 3]);
    std::fs::create_dir(project.home().path().join(".openclaw")).unwrap();
    let log = project.home().path().join(".openclaw/verdicts.jsonl");
    let held = std::fs::File::create(&log).unwrap();
    // Whoever writes the log waits for its lock longer than the hook has.
    held.lock().unwrap();
    let args = [&["--within", "1"], &RIGHT[..]].concat();
    run(&project, &args).ends("the result was not judged: the time limit was reached");
    drop(held);
    let slow =
        serde_json::json!({"model": "quick", "text": "", "delay_ms": 3_600_000, "always": true});
    project.home().write("answers.jsonl", &slow.to_string());
    project.write("a.md", "# Another\n");
    let args = [&["--within", "2"], &RIGHT[..]].concat();
    run(&project, &args).ends("a person decides: ");
}

#[test]
fn interrupted_hook_lets_the_agent_end() {
    let project = Project::new(["accept"; 3]);
    let slow =
        serde_json::json!({"model": "quick", "text": "", "delay_ms": 3_600_000, "always": true});
    project.home().write("answers.jsonl", &slow.to_string());
    let mut command = project.home().command(&RIGHT);
    command.current_dir(project.dir()).stdin(Stdio::null());
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let locks = project.home().path().join(".openclaw/verdicts.jsonl.locks");
    while std::fs::read_dir(&locks).map_or(0, Iterator::count) < 2 {
        std::thread::sleep(Duration::from_millis(10));
    }
    let killed = std::process::Command::new("kill")
        .args(["-s", "INT", &child.id().to_string()])
        .status()
        .unwrap();
    assert!(killed.success());
    let stopped = Stopped::new(&child.wait_with_output().unwrap());
    stopped.ends("the result was not judged: it was interrupted");
}
