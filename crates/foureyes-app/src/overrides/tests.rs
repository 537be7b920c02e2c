//! A thousand appends at once to one file: two processes of the script that runs on a box, this
//! machine's own half, and somebody who knows of no lock.

use super::local;
use crate::source::append::{Append, Refusal, Reply, Request, command};
use crate::store::journal::Real;
use std::collections::HashSet;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

fn request(path: &Path, number: u32) -> Request {
    let id = format!("{number:032x}");
    let record = format!("{{\"id\":\"{id}\",\"reason\":\"{}\"}}", "é".repeat(300));
    Request { path: path.to_str().unwrap().to_owned(), make: true, record, id }
}

/// Has one run of the script append all of them.
async fn ran(requests: &[Request]) -> Vec<Reply> {
    let mut shell = tokio::process::Command::new("sh");
    shell.arg("-c").arg(command()).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = shell.spawn().unwrap();
    let (input, output) = (child.stdout.take().unwrap(), child.stdin.take().unwrap());
    let mut replies = Vec::new();
    let append = Append::new(input, output, Duration::from_secs(60)).unwrap();
    append.run(requests, &mut replies).await.unwrap();
    child.wait().await.unwrap();
    replies
}

/// Asks a process until each of them stands there: others may hold the lock for too long.
fn script(path: PathBuf, numbers: std::ops::Range<u32>) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let mut left: Vec<Request> = numbers.map(|n| request(&path, n)).collect();
    while !left.is_empty() {
        let replies = runtime.block_on(ran(&left));
        let mut replies = replies.into_iter();
        left.retain(|_| match replies.next().unwrap() {
            Ok(done) => done.others > 0,
            Err(Refusal::Locked) => true,
            Err(refusal) => panic!("{refusal}"),
        });
    }
}

fn ours(path: PathBuf, numbers: std::ops::Range<u32>) {
    for number in numbers {
        let request = request(&path, number);
        while local::append(&request, Arc::new(Real)).is_err() {}
        // It lets the others come to their turn.
        thread::sleep(Duration::from_millis(2));
    }
}

fn foreign(path: PathBuf, numbers: std::ops::Range<u32>) {
    let mut file = std::fs::File::options().create(true).append(true).open(path).unwrap();
    for number in numbers {
        let line = format!("{{\"task_id\":\"{number}\",\"reasoning\":\"{}\"}}\n", "x".repeat(900));
        assert_eq!(file.write(line.as_bytes()).unwrap(), line.len());
        thread::sleep(Duration::from_millis(1));
    }
}

#[test]
fn thousand_concurrent_appends_are_complete() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("verdicts.jsonl");
    let at = |from: u32, to: u32, work: fn(PathBuf, std::ops::Range<u32>)| {
        let path = path.clone();
        thread::spawn(move || work(path, from..to))
    };
    let writers =
        [at(0, 150, script), at(150, 300, script), at(300, 700, ours), at(700, 1000, foreign)];
    for writer in writers {
        writer.join().unwrap();
    }
    let text = std::fs::read_to_string(&path).unwrap();
    // Who sees a stranger's line half written ends it, which leaves an empty one.
    let lines: Vec<&str> = text.lines().filter(|line| !line.is_empty()).collect();
    assert!(text.ends_with('\n') && lines.len() == 1000, "{}", lines.len());
    let whole = |line: &&str| serde_json::from_str::<serde_json::Value>(line).is_ok();
    assert!(lines.iter().all(whole));
    let different: HashSet<&str> = lines.iter().copied().collect();
    assert_eq!(different.len(), 1000);
    // They took turns: else this says nothing of the lock.
    let by_script = |line: &str| {
        let id = line.strip_prefix("{\"id\":\"").and_then(|rest| rest.get(..32));
        id.is_some_and(|id| u32::from_str_radix(id, 16).unwrap() < 300)
    };
    let turns = lines.windows(2).filter(|w| by_script(w[0]) != by_script(w[1])).count();
    assert!(turns > 20, "{turns}");
    assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 1, "no lock is left");
}
