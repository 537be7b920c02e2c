//! One content, one verdict: whoever pushes it, how often, and how many at the same time.

use super::model::{Model, verdict};
use super::pushing::{push, stage};
use super::stage::{AGENT, PERSON, Stage, errors};
use crate::call_word::{call_word, with_word};
use crate::http::{Server, answer, completion};
use serde_json::{Value, json};
use std::fs;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::Stdio;
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// An endpoint that answers two questions only when both are asked: NO-GO to the one, GO to the other.
fn fickle() -> (String, JoinHandle<usize>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let serve = move || {
        let (mut asked, end) = (Vec::new(), Instant::now() + Duration::from_secs(30));
        while asked.len() < 2 && Instant::now() < end {
            match listener.accept() {
                Ok((stream, _)) => asked.push(read(stream)),
                Err(_) => thread::sleep(Duration::from_millis(5)),
            }
        }
        for ((stream, call), word) in asked.iter_mut().zip(["NO-GO", "GO"]) {
            let body =
                completion(&verdict(if word == "GO" { 4 } else { 2 }, word, word)).to_string();
            let body = String::from_utf8(with_word(body.as_bytes(), call)).unwrap();
            let length = body.len();
            let head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close";
            write!(stream, "{head}\r\ncontent-length: {length}\r\n\r\n{body}").unwrap();
        }
        asked.len()
    };
    (url, thread::spawn(serve))
}

/// Reads a request; gives its call word.
fn read(mut stream: TcpStream) -> (TcpStream, String) {
    stream.set_nonblocking(false).unwrap();
    let (mut bytes, mut block) = (Vec::new(), [0; 4096]);
    loop {
        let count = stream.read(&mut block).unwrap();
        bytes.extend(&block[..count]);
        let text = String::from_utf8_lossy(&bytes).to_ascii_lowercase();
        let Some((head, body)) = text.split_once("\r\n\r\n") else { continue };
        let length = head.lines().find_map(|line| line.strip_prefix("content-length: "));
        if count == 0 || body.len() >= length.unwrap().parse().unwrap() {
            let call = call_word(text.as_bytes()).unwrap();
            return (stream, call);
        }
    }
}

#[test]
fn two_pushes_at_the_same_moment_end_by_the_same_verdict() {
    let (url, served) = fickle();
    let mut stage = Stage::new();
    stage.configure(&format!("[judge]\nendpoint = \"{url}\"\n[hook]\nmode = \"blocking\"\n"));
    stage.set("TERRAPHIM_API_KEY", "key-of-the-test");
    stage.set("NO_PROXY", "127.0.0.1");
    stage.install();
    stage.commit(AGENT, &[("research/a.md", "a\n")]);
    let start = |to: &str| {
        let mut command = stage.command("git", &stage.work());
        command.args(["push", "origin", &format!("HEAD:refs/heads/{to}")]);
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    };
    let pushes = ["b1", "b2"].map(start).map(|push| push.wait_with_output().unwrap());
    assert_eq!(served.join().unwrap(), 2, "both asked at the same time");
    let through = pushes.each_ref().map(|output| output.status.success());
    let said = pushes.each_ref().map(errors);
    assert_eq!(through[0], through[1], "{said:?}");
    let log = stage.log();
    assert_eq!(log.len(), 2, "no answer is lost");
    let (first, second) = (&log[0], &log[1]);
    assert_eq!(first["verdict"], second["verdict"]);
    assert_eq!(through[0], first["verdict"] == json!("GO"));
    assert_eq!((first.get("late"), first.get("reused")), (None, None));
    assert_ne!(second["late"]["verdict"], second["verdict"], "what was answered is told");
    assert_eq!(second["late"]["findings"], second["late"]["verdict"]);
    assert!(second["usage"].is_object() && second["reused"].is_string());
    assert!(
        said.iter().any(|said| said.contains("on the same content first, which applies")),
        "{said:?}"
    );
    // From then on the same stands, and nobody is asked: there is nobody there.
    assert_eq!(push(&stage, &["origin", "HEAD:refs/heads/b3"]), through[0]);
    assert_eq!(stage.log().len(), 2);
}

#[test]
fn failing_judge_during_concurrent_no_go_does_not_bypass_it() {
    let log = Arc::new(Mutex::new(None::<(PathBuf, Vec<u8>)>));
    let there = Arc::clone(&log);
    let model = Model(Server::start(move |_| match there.lock().unwrap().as_ref() {
        None => answer(&verdict(2, "NO-GO", "poor")),
        // The verdict of another push comes into the log while this one is asked about.
        Some((file, line)) => {
            fs::write(file, line).unwrap();
            crate::http::json(500, &json!({"error": {"message": "no"}}))
        }
    }));
    let stage = stage(&model);
    stage.commit(AGENT, &[("research/a.md", "a\n")]);
    assert!(!push(&stage, &["origin", "main"]));
    let file = fs::read_dir(stage.log_dir()).unwrap().next().unwrap().unwrap().path();
    *log.lock().unwrap() = Some((file.clone(), fs::read(&file).unwrap()));
    fs::remove_file(&file).unwrap();
    let output = stage.git(&["push", "origin", "main"]);
    let said = errors(&output);
    assert!(
        !output.status.success() && said.contains("the NO-GO in the log still applies"),
        "{said}"
    );
    let errors: Vec<_> = stage.log().iter().map(|r| r.get("error").cloned()).collect();
    assert_eq!((errors, model.asked()), (vec![None, Some(json!("server_error"))], 9));
}

#[test]
fn go_after_a_no_go_without_the_word_is_no_verdict_in_any_later_push() {
    let mut count = 0;
    let model = Model(Server::start(move |_| {
        count += 1;
        match count {
            // An object in which no call word is put.
            1 => answer(&format!("{{}} {}", verdict(2, "NO-GO", "poor"))),
            _ => answer(&verdict(4, "GO", "fine")),
        }
    }));
    let stage = stage(&model);
    stage.commit(AGENT, &[("research/a.md", "a\n")]);
    assert!(push(&stage, &["origin", "main"]), "it is no NO-GO that counts");
    stage.git(&["push", "--delete", "origin", "main"]);
    stage.git(&["push", "origin", "main:other"]);
    let said = |record: &Value| (record["verdict"].clone(), record["error"].clone());
    let all: Vec<_> = stage.log().iter().map(said).collect();
    let contradicted = (json!("UNDETERMINED"), json!("contradicted_answer"));
    assert!(all.iter().all(|one| *one == contradicted), "{all:?}");
    assert_eq!(model.asked(), 2, "nobody is asked again: {all:?}");
}

#[test]
fn the_same_content_by_two_authors_is_one_question() {
    let model = Model::start();
    let stage = stage(&model);
    stage.commit(AGENT, &[("research/a.md", "1\n")]);
    stage.commit(AGENT, &[("research/a.md", "2\n")]);
    stage.write("research/a.md", "1\n");
    stage.done_as(AGENT, &["add", "-A"]);
    stage.done_as(AGENT, &["commit", "-q", "--author", "Eve <e@example.org>", "-m", "again"]);
    assert!(push(&stage, &["origin", "main"]));
    assert_eq!((model.asked(), stage.log().len()), (2, 3));
    let repeats: Vec<_> = stage.log().into_iter().filter(|r| r.get("reused").is_some()).collect();
    assert_eq!(repeats.len(), 1);
}

/// A configuration in which Otto's family is not the judge's, and the agent's is.
fn families(model: &Model, rule: &str) -> String {
    format!(
        "agents = [\"{AGENT}\", \"Otto\"]\n[judge]\nendpoint = \"{}\"\nfour_eyes = \"{rule}\"\n\
         [hook]\nmode = \"blocking\"\n\
         [[family]]\nname = \"north\"\nauthors = [\"{AGENT}\"]\nmodels = [\"served-*\"]\n\
         [[family]]\nname = \"south\"\nauthors = [\"Otto\"]\nmodels = [\"other-*\"]\n",
        model.0.url()
    )
}

fn caveats(record: &Value) -> Vec<&str> {
    let list = record.get("caveats").and_then(Value::as_array);
    list.into_iter().flatten().filter_map(Value::as_str).collect()
}

#[test]
fn four_eyes_is_checked_again_for_logged_verdict() {
    let model = Model::start();
    let stage = stage(&model);
    stage.configure(&families(&model, "refuse"));
    stage.commit("Otto", &[("research/a.md", "POOR\n")]);
    assert!(!push(&stage, &["origin", "main"]));
    assert!(caveats(&stage.log()[0]).is_empty(), "they are apart");
    // The same by somebody of the judge's family: it may not judge that.
    let amend = |who| stage.done_as(who, &["commit", "-q", "--amend", "--reset-author", "-m", "x"]);
    amend(AGENT);
    assert!(push(&stage, &["origin", "HEAD:refs/heads/b1"]));
    let log = stage.log();
    assert_eq!((log.len(), &log[1]["error"]), (2, &json!("family_refused")), "{log:#?}");
    assert_eq!((caveats(&log[1]), log[1].get("reused")), (vec!["same_family"], None));
    // Where that is a caveat it is one, and somebody unknown gets their own.
    stage.configure(&families(&model, "caveat"));
    amend(AGENT);
    stage.done_as(AGENT, &["commit", "-q", "--amend", "-m", "other"]);
    assert!(!push(&stage, &["origin", "HEAD:refs/heads/b2"]));
    let log = stage.log();
    assert_eq!((caveats(&log[2]), &log[2]["verdict"]), (vec!["same_family"], &json!("NO-GO")));
    assert!(log[2]["reused"].is_string());
    stage.done_as("Otto", &["commit", "-q", "--amend", "--author", "Eve <e@x.org>", "-m", "x"]);
    assert!(!push(&stage, &["origin", "HEAD:refs/heads/b3"]));
    assert_eq!(caveats(&stage.log()[3]), ["family_unknown"]);
    assert_eq!(model.asked(), 2);
}

#[test]
fn another_authors_name_does_not_hide_who_commits() {
    let model = Model::start();
    let stage = stage(&model);
    stage.configure(&families(&model, "refuse"));
    stage.write("research/a.md", "good\n");
    stage.done_as(AGENT, &["add", "-A"]);
    stage.done_as(AGENT, &["commit", "-q", "--author", "Otto <o@example.org>", "-m", "x"]);
    assert!(push(&stage, &["origin", "main"]));
    let log = stage.log();
    assert_eq!(
        (&log[0]["error"], caveats(&log[0])),
        (&json!("family_refused"), vec!["same_family"])
    );
}

#[test]
fn truncated_content_is_judged_again_when_more_is_shown() {
    let model = Model::start();
    let stage = stage(&model);
    let most = |bytes: u32| {
        stage.configure(&format!(
            "[judge]\nendpoint = \"{}\"\nmax_content_bytes = {bytes}\n[hook]\nmode = \"blocking\"\n",
            model.0.url()
        ));
    };
    let again = |branch: &str| {
        stage.done_as(AGENT, &["commit", "-q", "--amend", "-m", branch]);
        assert!(push(&stage, &["origin", &format!("HEAD:refs/heads/{branch}")]));
        let log = stage.log();
        (model.asked(), log.len(), log.last().unwrap()["verdict"].clone())
    };
    most(2000);
    stage.commit(AGENT, &[("research/a.md", &"good words\n".repeat(1000))]);
    assert_eq!(again("b1"), (1, 1, json!("UNDETERMINED")));
    assert_eq!(again("b2"), (1, 2, json!("UNDETERMINED")), "as much was shown");
    most(100_000);
    assert_eq!(again("b3"), (2, 3, json!("GO")));
}

#[test]
fn unreadable_log_file_hides_no_verdict_and_does_not_block() {
    let model = Model::start();
    let stage = stage(&model);
    stage.commit(AGENT, &[("research/a.md", "POOR\n")]);
    assert!(!push(&stage, &["origin", "main"]));
    let now = jiff::Timestamp::now();
    let day = |back: i64| {
        let day = now - jiff::SignedDuration::from_hours(24 * back);
        stage.log_dir().join(format!("{}.jsonl", &day.to_string()[..10]))
    };
    let made = stage.command("mkfifo", &stage.work()).arg(day(5)).status().unwrap();
    assert!(made.success());
    fs::create_dir(day(7)).unwrap();
    let output = stage.git(&["push", "origin", "main"]);
    let said = errors(&output);
    assert!(!output.status.success() && said.contains("NO-GO S2 P4 X5 (from the log)"), "{said}");
    assert_eq!(said.matches("failed to look up").count(), 1, "{said}");
    assert!(said.contains("(and 1 more file)"), "{said}");
    assert_eq!(model.asked(), 1);
    // The agents' next commits are judged as ever.
    fs::remove_dir(day(7)).unwrap();
    stage.commit(PERSON, &[("research/a.md", "mended\n")]);
    stage.commit(AGENT, &[("research/b.md", "good\n")]);
    assert!(push(&stage, &["origin", "main"]));
    assert_eq!(model.asked(), 2);
}

#[test]
fn overlong_content_passes_unless_configured_and_outage_always_passes() {
    let model = Model::start();
    let mut stage = stage(&model);
    let with = |stage: &mut Stage, more: &str, hook: &str| {
        let url = model.0.url();
        stage.configure(&format!(
            "[judge]\nendpoint = \"{url}\"\nmax_content_bytes = 2000\nmax_parts = 2\n{more}\n\
             [hook]\nmode = \"blocking\"\n{hook}\n"
        ));
    };
    stage.commit(AGENT, &[("research/a.md", &"good words\n".repeat(1000))]);
    with(&mut stage, "", "");
    assert!(push(&stage, &["-n", "origin", "main"]));
    with(&mut stage, "", "cut = \"stop\"");
    let output = stage.git(&["push", "origin", "main"]);
    let said = errors(&output);
    assert!(!output.status.success() && said.contains("did not see all"), "{said}");
    assert_eq!(stage.log()[0]["verdict"], json!("UNDETERMINED"));
    with(&mut stage, "temperature = 1.0", "cut = \"stop\"");
    drop(model);
    assert!(push(&stage, &["origin", "main"]), "nobody could be asked");
}
