//! Pushes at the same time, hooks that are killed, logs that are torn.

use super::model::Model;
use super::stage::{AGENT, PERSON, Stage, errors};
use crate::http::{Action, Server};
use std::fs;
use std::path::PathBuf;
use std::process::{Child, Stdio};
use std::time::Duration;

fn stage(model: &Model) -> Stage {
    let mut stage = Stage::new();
    model.serve(&mut stage, "mode = \"blocking\"");
    stage.install();
    stage
}

fn start(stage: &Stage, dir: &std::path::Path, arguments: &[&str]) -> Child {
    let mut command = stage.command("git", dir);
    command.args(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// The file of the log of today.
fn today(stage: &Stage) -> PathBuf {
    let entries = fs::read_dir(stage.log_dir()).unwrap();
    entries.map(|e| e.unwrap().path()).max().unwrap()
}

/// Makes the programs of so many pushes wait for each other before they begin; gives the directory in
/// which each has left its mark by then.
fn together(stage: &Stage, count: usize) -> PathBuf {
    let (marks, program) = (stage.path("together"), stage.path("program"));
    fs::create_dir(&marks).unwrap();
    let binary = env!("CARGO_BIN_EXE_foureyes");
    let dir = marks.display();
    let text = format!(
        "#!/bin/sh\n: > '{dir}'/$$\n\
         while [ \"$(ls '{dir}' | wc -l)\" -lt {count} ]; do sleep 0.01; done\n\
         exec '{binary}' \"$@\"\n"
    );
    stage.script(&program, &text);
    let hook = stage.work().join(".git/hooks/pre-push");
    let script = fs::read_to_string(&hook).unwrap();
    fs::write(&hook, script.replace(binary, program.to_str().unwrap())).unwrap();
    marks
}

#[test]
fn pushes_at_the_same_time_log_whole_lines() {
    let model = Model::start();
    let stage = stage(&model);
    let together = together(&stage, 4);
    let trees: Vec<_> = (0..4)
        .map(|n| {
            let (tree, branch) = (stage.path(&format!("tree{n}")), format!("b{n}"));
            stage.done(&["worktree", "add", "-q", "-b", &branch, tree.to_str().unwrap(), "main"]);
            fs::create_dir_all(tree.join("research")).unwrap();
            for k in 0..5 {
                fs::write(tree.join("research/a.md"), format!("{n} {k}\n")).unwrap();
                stage.git_in(&tree, AGENT, &["add", "-A"]);
                stage.git_in(&tree, AGENT, &["commit", "-q", "-m", "x"]);
            }
            (tree, branch)
        })
        .collect();
    let pushes: Vec<_> = trees
        .iter()
        .map(|(tree, branch)| start(&stage, tree, &["push", "origin", branch]))
        .collect();
    for push in pushes {
        let output = push.wait_with_output().unwrap();
        assert!(output.status.success(), "{}", errors(&output));
    }
    assert_eq!(fs::read_dir(together).unwrap().count(), 4);
    let mut commits: Vec<_> = stage.log().iter().map(|r| r["commit"].to_string()).collect();
    commits.sort();
    commits.dedup();
    assert_eq!((commits.len(), stage.log().len()), (20, 20));
}

#[test]
fn killed_hook_lets_push_through_and_keeps_log_intact() {
    let (send, asked) = std::sync::mpsc::channel();
    let server = Server::start(move |_| {
        let _ = send.send(());
        vec![Action::Hang]
    });
    let model = Model(server);
    let stage = stage(&model);
    let pid = stage.names_its_process();
    stage.commit(AGENT, &[("research/a.md", "POOR\n")]);
    let push = start(&stage, &stage.work(), &["push", "origin", "main"]);
    asked.recv_timeout(Duration::from_secs(30)).unwrap();
    let pid = fs::read_to_string(&pid).unwrap();
    let mut kill = stage.command("kill", &stage.work());
    assert!(kill.args(["-9", pid.trim()]).status().unwrap().success());
    let output = push.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", errors(&output));
    assert!(errors(&output).contains("the push goes on"), "{}", errors(&output));
    assert!(stage.log().is_empty());
}

#[test]
fn half_a_line_that_a_killed_hook_left_is_ended_by_the_next() {
    let model = Model::start();
    let stage = stage(&model);
    stage.commit(AGENT, &[("research/a.md", "1\n")]);
    assert!(stage.git(&["push", "-q", "origin", "main"]).status.success());
    let whole = fs::read(today(&stage)).unwrap();
    let torn = &whole[..whole.len() / 2];
    fs::write(today(&stage), [&whole[..], torn].concat()).unwrap();
    stage.commit(AGENT, &[("research/a.md", "2\n")]);
    let output = stage.git(&["push", "origin", "main"]);
    assert!(output.status.success());
    assert!(errors(&output).contains("ended in half a line"), "{}", errors(&output));
    let bytes = stage.log_bytes();
    assert!(bytes.starts_with(&[&whole[..], torn, b"\n"].concat()), "nothing is changed");
    let read = foureyes::jsonl::read(&bytes, &foureyes::jsonl::Settings::default());
    assert_eq!((read.found.len(), read.rejects.len()), (2, 1));
}

#[test]
fn verdict_in_dirty_log_still_blocks() {
    let model = Model::start();
    let stage = stage(&model);
    stage.commit(AGENT, &[("research/a.md", "POOR\n")]);
    assert!(!stage.git(&["push", "-q", "origin", "main"]).status.success());
    let line = stage.log_bytes();
    let dirt =
        [b"\xff\0garbage\n{\"content_sha\":\n\n", &line[..], b"{}{}\n\"content_sha\""].concat();
    fs::write(today(&stage), &dirt).unwrap();
    assert!(!stage.git(&["push", "-q", "origin", "main"]).status.success());
    assert_eq!((model.asked(), stage.log_bytes()), (1, dirt));
}

#[test]
fn waiting_for_log_does_not_delay_other_answers() {
    let mut count = 0;
    let server = Server::start(move |_| {
        count += 1;
        let good = crate::http::answer(&super::model::verdict(4, "GO", "fine"));
        let wait = Action::Wait(Duration::from_millis(300));
        // The second question has to be asked once more, when the first answer waits for the log.
        match count {
            2 => [vec![wait], crate::http::reply(503, &[("retry-after", "0")], "")].concat(),
            _ => good,
        }
    });
    let model = Model(server);
    let stage = stage(&model);
    let url = model.0.url();
    stage.configure(&format!("[judge]\nendpoint = \"{url}\"\nbudget_s = 3\n"));
    stage.commit(AGENT, &[("research/a.md", "1\n")]);
    stage.commit(AGENT, &[("research/b.md", "2\n")]);
    fs::create_dir_all(stage.log_dir()).unwrap();
    let day = jiff::Timestamp::now().to_string()[..10].to_owned();
    let held = fs::File::create(stage.log_dir().join(format!("{day}.jsonl"))).unwrap();
    held.lock().unwrap();
    let push = start(&stage, &stage.work(), &["push", "origin", "main"]);
    let end = std::time::Instant::now() + Duration::from_secs(30);
    while model.asked() < 2 && std::time::Instant::now() < end {
        std::thread::sleep(Duration::from_millis(5));
    }
    // Longer than a call may take, and less than the log is waited for.
    std::thread::sleep(Duration::from_millis(3800));
    held.unlock().unwrap();
    assert!(push.wait_with_output().unwrap().status.success());
    let verdicts: Vec<_> = stage.log().iter().map(|r| r["verdict"].to_string()).collect();
    assert_eq!(verdicts, ["\"GO\"", "\"GO\""], "{:?}", stage.log());
}

#[test]
fn held_lock_delays_push_within_budget() {
    let model = Model::start();
    let mut stage = stage(&model);
    model.serve(&mut stage, "budget_s = 2");
    stage.commit(PERSON, &[("x.txt", "x\n")]);
    stage.commit(AGENT, &[("research/a.md", "1\n")]);
    fs::create_dir_all(stage.log_dir()).unwrap();
    let day = jiff::Timestamp::now().to_string()[..10].to_owned();
    let held = fs::File::create(stage.log_dir().join(format!("{day}.jsonl"))).unwrap();
    held.lock().unwrap();
    let output = stage.git(&["push", "origin", "main"]);
    assert!(output.status.success());
    assert!(errors(&output).contains("not in the log"), "{}", errors(&output));
}

#[test]
fn logged_no_go_blocks_although_log_is_unwritable() {
    let model = Model::start();
    let mut stage = stage(&model);
    model.serve(&mut stage, "mode = \"blocking\"\nbudget_s = 2");
    stage.commit(PERSON, &[("x.txt", "x\n")]);
    stage.commit(AGENT, &[("research/a.md", "POOR\n")]);
    assert!(!stage.git(&["push", "origin", "main"]).status.success());
    // The same content in another commit: that gets a line of its own.
    stage.done_as(AGENT, &["commit", "-q", "--amend", "-m", "another message"]);
    let day = jiff::Timestamp::now().to_string()[..10].to_owned();
    let held = fs::File::open(stage.log_dir().join(format!("{day}.jsonl"))).unwrap();
    held.lock().unwrap();
    let output = stage.git(&["push", "origin", "main"]);
    let said = errors(&output);
    assert!(said.contains("not in the log"), "{said}");
    assert!(!output.status.success(), "{said}");
    assert_eq!((model.asked(), stage.log().len()), (1, 1));
}
