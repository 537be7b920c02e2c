//! `foureyes judge --each`, stopped before its end: what was paid for is kept.

use super::GO;
use super::cli::{Home, code, text};
use crate::http::{Action, Request, Server, answer};
use std::io::Read;
use std::process::{Child, ChildStderr, Command, Output, Stdio};
use std::time::{Duration, Instant};

/// A server that answers at once, and about what says so not before it is told to, or after a time.
fn server(slow: Action) -> Server {
    Server::start(move |request: &Request| {
        let body = String::from_utf8_lossy(&request.body).into_owned();
        match body.contains("SLOW") {
            true => std::iter::once(slow.clone()).chain(answer(GO)).collect(),
            false => answer(GO),
        }
    })
}

fn start(home: &Home, files: &[&str]) -> Child {
    let args: Vec<_> = files.iter().chain(&["--each", "--output", "out.jsonl"]).copied().collect();
    let mut command = home.command(&args);
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

fn interrupt(child: &Child) {
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(sent.success());
}

fn lines(home: &Home) -> usize {
    std::fs::read_to_string(home.path().join("out.jsonl")).unwrap_or_default().lines().count()
}

fn until(what: &str, met: impl Fn() -> bool) {
    let end = Instant::now() + Duration::from_secs(30);
    while !met() {
        assert!(Instant::now() < end, "{what}");
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// Reads standard error up to a word that is said.
fn heard(stderr: &mut ChildStderr, word: &str) -> String {
    let mut said = Vec::new();
    let mut byte = [0];
    while !text(&said).contains(word) {
        assert_eq!(stderr.read(&mut byte).unwrap(), 1, "{word} is not in {:?}", text(&said));
        said.push(byte[0]);
    }
    text(&said)
}

fn end(child: Child) -> (Option<i32>, String) {
    let output: Output = child.wait_with_output().unwrap();
    (code(&output), text(&output.stdout))
}

#[test]
fn finished_records_are_saved_while_one_hangs_and_second_interrupt_exits() {
    let server = server(Action::Hang);
    let home = Home::asking(&server);
    let names = ["a.md", "b.md", "c.md", "d.md", "e.md", "f.md"];
    names.iter().for_each(|name| std::fs::write(home.path().join(name), "# Fine\n").unwrap());
    std::fs::write(home.path().join("b.md"), "SLOW\n").unwrap();
    let mut child = start(&home, &names);
    until("five records", || lines(&home) == 5);
    assert!(child.try_wait().unwrap().is_none(), "one still hangs");
    let mut stderr = child.stderr.take().unwrap();
    interrupt(&child);
    heard(&mut stderr, "finishing the current request");
    std::thread::sleep(Duration::from_millis(100));
    assert!(child.try_wait().unwrap().is_none(), "what is asked is waited for");
    interrupt(&child);
    heard(&mut stderr, "b.md: not judged: stopped");
    let (code, said) = end(child);
    assert_eq!((code, lines(&home)), (Some(2), 5));
    assert_eq!(said.matches("GO\n  files: ").count(), 5, "{said}");
    assert!(said.contains("not judged: stopped"), "{said}");
    let read = home.log("out.jsonl");
    assert_eq!((read.found.len(), read.rejects.len()), (5, 0));
    assert_eq!(server.connections(), 6);
}

#[test]
fn first_interrupt_finishes_started_items_only() {
    let server = server(Action::Wait(Duration::from_secs(2)));
    let home = Home::new(&format!(
        "[judge]\nendpoint = {:?}\nkey_env = \"KEY\"\nparallel = 1\n",
        server.url()
    ));
    std::fs::write(home.path().join("a.md"), "SLOW\n").unwrap();
    let child = start(&home, &["a.md", "b.md"]);
    server.wait_for(1, Duration::from_secs(30));
    interrupt(&child);
    let (code, said) = end(child);
    assert_eq!((code, lines(&home), server.connections()), (Some(2), 1, 1), "{said}");
    assert!(said.starts_with("GO\n  files: a.md"), "{said}");
    assert!(said.contains("not judged: stopped\n  files: b.md"), "{said}");
}
