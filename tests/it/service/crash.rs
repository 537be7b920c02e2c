//! The service is killed, or asked to end.

use super::models::Gated;
use super::{Service, body, configuration, exchange, model, posted, push};
use crate::http::PATIENCE;
use std::collections::BTreeMap;
use std::io::Write;
use std::net::TcpStream;
use std::sync::Mutex;
use std::thread;

#[test]
fn acknowledged_judgement_outlives_a_kill_under_load() {
    let model = model();
    let config = configuration(&model.url(), "");
    let service = Service::start_in(crate::cli::Home::new(), &config);
    let token = service.token("box");
    let acknowledged = Mutex::new(BTreeMap::new());
    let pid = service.child.id().to_string();
    thread::scope(|scope| {
        for worker in 0..8 {
            let (token, acknowledged, address) = (&token, &acknowledged, service.address);
            scope.spawn(move || {
                for n in 0.. {
                    let text = format!("content {worker} {n}");
                    let Ok(mut stream) = TcpStream::connect(address) else { return };
                    stream.set_read_timeout(Some(PATIENCE)).unwrap();
                    let sent = stream.write_all(posted(token, &body(&push(&text))).as_bytes());
                    if sent.is_err() {
                        return;
                    }
                    let reply = super::read(stream);
                    if reply.status != 200
                        || serde_json::from_str::<serde_json::Value>(&reply.body).is_err()
                    {
                        return;
                    }
                    let judgement = reply.json()["judgement"].as_str().unwrap().to_owned();
                    acknowledged.lock().unwrap().insert(text, judgement);
                }
            });
        }
        while acknowledged.lock().unwrap().len() < 40 {
            thread::yield_now();
        }
        assert!(std::process::Command::new("kill").args(["-9", &pid]).status().unwrap().success());
    });
    let acknowledged = acknowledged.into_inner().unwrap();
    // A line that the kill left without an end, as a disk may have it.
    let mut files = service.log_dir("").read_dir().unwrap().map(|entry| entry.unwrap().path());
    let log = files.find(|path| path.is_file()).unwrap();
    let mut file = std::fs::File::options().append(true).open(&log).unwrap();
    file.write_all(b"{\"schema\":\"foureyes/judgement-log/1\",\"id\":\"00").unwrap();
    let before = std::fs::read(&log).unwrap();
    let service = service.restarted(&config);
    assert_eq!(service.metric("log_torn_at_start"), 1.0);
    assert_eq!(service.metric("log_broken_links_at_start"), 0.0);
    let asked = model.requests().len();
    for (text, judgement) in &acknowledged {
        let judgement: serde_json::Value = serde_json::from_str(judgement).unwrap();
        let again = service.judged(&token, text);
        assert_eq!(again.id, judgement["id"].as_str().unwrap(), "{text}");
        assert_eq!(serde_json::to_value(&again.evaluation).unwrap(), judgement["evaluation"]);
        let id = &again.id;
        assert_eq!(service.get(&format!("/v1/judgements/{id}"), &token).status, 200);
    }
    assert_eq!(model.requests().len(), asked, "what was acknowledged was judged again");
    // The chain goes on behind the torn line, and nothing before it was touched.
    service.judged(&token, "one more");
    let service = service.restarted(&config);
    assert_eq!(service.metric("log_broken_links_at_start"), 0.0);
    assert!(std::fs::read(&log).unwrap().starts_with(&before));
}

#[test]
fn changed_line_is_not_believed() {
    let model = model();
    let config = configuration(&model.url(), "");
    let service = Service::start_in(crate::cli::Home::new(), &config);
    let token = service.token("box");
    service.judged(&token, "text POOR");
    service.judged(&token, "fine");
    let mut files = service.log_dir("").read_dir().unwrap().map(|entry| entry.unwrap().path());
    let log = files.find(|path| path.is_file()).unwrap();
    let text = std::fs::read_to_string(&log).unwrap();
    std::fs::write(&log, text.replace("\"NO-GO\"", "\"GO\"")).unwrap();
    let service = service.restarted(&config);
    assert_eq!(service.metric("log_broken_links_at_start"), 1.0);
    let reply = service.post(&token, &body(&push("text POOR")));
    assert_eq!((reply.status, reply.code().as_str()), (500, "damaged"));
    assert_eq!(service.metric("log_unverified"), 1.0);
    assert!(service.judged(&token, "fine").reused);
}

#[test]
fn terminated_service_ends_what_runs_and_takes_nothing_new() {
    let gated = Gated::start();
    let mut service = Service::start(&gated.server, "workers = 1");
    let token = service.token("box");
    let asked = |text: &str| {
        let request = posted(&token, &body(&push(text)));
        let address = service.address;
        thread::spawn(move || exchange(address, request.as_bytes()))
    };
    let running = asked("running");
    gated.server.wait_for(1, PATIENCE);
    let waiting = asked("waiting");
    service.wait_metric("queue_length", 1.0);
    service.signal("-TERM");
    let said = service.wait_for("shutting down");
    assert!(said.contains("1 running, 1 waiting"), "{said}");
    let waiting = waiting.join().unwrap();
    assert_eq!((waiting.status, waiting.code().as_str()), (503, "shutdown"));
    assert!(waiting.header("retry-after").is_some());
    // The one that runs is not cut off, and nobody else is taken.
    gated.open();
    assert_eq!(running.join().unwrap().status, 200);
    assert_eq!(service.ended().code(), Some(0));
    assert_eq!(service.log().len(), 1);
    assert!(TcpStream::connect(service.address).is_err());
}

#[test]
fn log_belongs_to_one_service() {
    let model = model();
    let service = Service::start(&model, "");
    let mut command = service.home.command(&["serve"]);
    command.env("TERRAPHIM_API_KEY", "k");
    let output = command.output().unwrap();
    let err = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.code() == Some(74) && err.contains("another service"), "{err}");
}
