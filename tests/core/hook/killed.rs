//! The program killed at any moment: the push goes through, and the log stays what can be read.

use super::model::Model;
use super::pushing::push;
use super::stage::{AGENT, Stage, errors};
use crate::http::PATIENCE;
use foureyes::jsonl;
use std::collections::HashSet;
use std::fs;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// How often it is killed.
const TIMES: u32 = 40;

/// A blocking stage whose hook's program says which process it is.
fn stage(model: &Model) -> Stage {
    let mut stage = Stage::new();
    model.serve(&mut stage, "mode = \"blocking\"");
    stage.install();
    stage.names_its_process();
    stage
}

fn start(stage: &Stage) -> Child {
    let _ = fs::remove_file(stage.path("pid"));
    let mut command = stage.command("git", &stage.work());
    command.args(["push", "-q", "origin", "main"]);
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// Waits until the program runs; gives its number.
fn program(stage: &Stage) -> String {
    let start = Instant::now();
    loop {
        let text = fs::read_to_string(stage.path("pid")).unwrap_or_default();
        if text.ends_with('\n') {
            return text.trim_end().to_owned();
        }
        assert!(start.elapsed() < PATIENCE);
        std::thread::sleep(Duration::from_micros(200));
    }
}

/// Commits what an agent writes: two contents, of which each has a record of its own.
fn change(stage: &Stage, number: u32) {
    for file in ["a", "b"] {
        let text = format!("{number} {file}\n");
        stage.commit(AGENT, &[(&format!("research/{file}.md"), &text)]);
    }
}

/// The whole lines of the log, and what follows the last one.
fn lines(stage: &Stage) -> (Vec<Vec<u8>>, Vec<u8>) {
    let bytes = stage.log_bytes();
    let mut lines: Vec<_> = bytes.split(|b| *b == b'\n').map(<[u8]>::to_vec).collect();
    let tail = lines.pop().unwrap_or_default();
    (lines, tail)
}

#[test]
fn killed_program_lets_push_through_and_tears_at_most_one_line() {
    let model = Model::start();
    let stage = stage(&model);
    // The quickest of a few: the first of all takes longer, and so do those that others slow down.
    let took = (0..3).map(|number| {
        change(&stage, TIMES + 2 + number);
        let push = start(&stage);
        program(&stage);
        let began = Instant::now();
        assert!(push.wait_with_output().unwrap().status.success());
        began.elapsed()
    });
    let took = took.min().unwrap();
    let (mut killed, mut tails) = (0, Vec::new());
    for number in 1..=TIMES {
        let before = lines(&stage).0;
        change(&stage, number);
        let push = start(&stage);
        let pid = program(&stage);
        // Spread over the time that a push takes, in an order that is not that of the moments.
        std::thread::sleep(took * (number * 17 % TIMES) / TIMES);
        let mut kill = Command::new("kill");
        let was = kill.args(["-9", &pid]).stderr(Stdio::null()).status().unwrap().success();
        let output = push.wait_with_output().unwrap();
        let said = errors(&output);
        assert!(output.status.success(), "{number}: {said}");
        killed += u32::from(was && said.contains("ended with code"));
        let (whole, tail) = lines(&stage);
        assert!(whole.starts_with(&before), "{number}: what was there is changed");
        // Each line is a record, or half of one that a killed program left and the next one ended.
        let torn = |l: &&Vec<u8>| serde_json::from_slice::<serde_json::Value>(l).is_err();
        let torn: Vec<_> = whole.iter().filter(torn).collect();
        assert!(torn.iter().all(|line| tails.contains(*line)), "{number}: {torn:?}");
        if !tail.is_empty() {
            tails.push(tail);
        }
    }
    // On a busy machine most pushes are through before the signal comes.
    assert!(killed >= TIMES / 8, "only {killed} of {TIMES} were killed while they worked");
    change(&stage, TIMES + 1);
    assert!(push(&stage, &["origin", "main"]));
    let seen = jsonl::read(&stage.log_bytes(), &jsonl::Settings::default());
    assert_eq!(seen.rejects.len(), tails.len(), "{:?}", seen.rejects);
    let commits: HashSet<_> = seen.found.iter().map(|r| r.record.commit.clone()).collect();
    assert!(commits.len() >= 4 && commits.len() == seen.found.len(), "a commit has two records");
}

#[test]
fn half_a_line_of_any_length_is_ended_by_the_next_push() {
    let model = Model::start();
    let stage = stage(&model);
    change(&stage, 0);
    assert!(push(&stage, &["origin", "main"]));
    let whole = stage.log_bytes();
    let line = whole.split_inclusive(|b| *b == b'\n').next().unwrap().to_vec();
    let today = fs::read_dir(stage.log_dir()).unwrap().map(|e| e.unwrap().path()).max().unwrap();
    for (number, cut) in [1, line.len() / 3, line.len() - 2, line.len() - 1].into_iter().enumerate()
    {
        fs::write(&today, [&whole[..], &line[..cut]].concat()).unwrap();
        change(&stage, number as u32 + 1);
        let output = stage.git(&["push", "origin", "main"]);
        assert!(output.status.success(), "{}", errors(&output));
        let bytes = stage.log_bytes();
        assert!(bytes.starts_with(&[&whole[..], &line[..cut], b"\n"].concat()), "{cut}");
        let seen = jsonl::read(&bytes, &jsonl::Settings::default());
        // The last of them has lost its end of line and nothing else.
        let kept = usize::from(cut == line.len() - 1);
        assert_eq!((seen.found.len(), seen.rejects.len()), (4 + kept, 1 - kept), "{cut}");
    }
}
