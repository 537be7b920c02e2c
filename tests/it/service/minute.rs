//! A minute of two hundred clients, some of which behave badly.

use super::{Service, body, exchange, model, posted, push};
use crate::http::PATIENCE;
use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::Mutex;
use std::thread;
use std::time::{Duration, Instant};

const CLIENTS: usize = 200;
/// Contents that all clients ask about.
const SHARED: usize = 100;
const LENGTH: Duration = Duration::from_secs(60);
/// Pause of a client between two requests.
const PAUSE: Duration = Duration::from_secs(3);

/// Connections that never say all of what they began to say.
fn half_open(address: SocketAddr, token: &str, end: Instant) {
    let whole = posted(token, &body(&push("never sent whole")));
    while Instant::now() < end {
        let Ok(mut stream) = TcpStream::connect(address) else { return };
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let _ = stream.write_all(&whole.as_bytes()[..whole.len() / 2]);
        // The service ends it.
        let _ = stream.read_to_end(&mut Vec::new());
    }
}

/// Connections that close as soon as they have asked.
fn gone(address: SocketAddr, token: &str, end: Instant) {
    while Instant::now() < end {
        let Ok(mut stream) = TcpStream::connect(address) else { return };
        let _ = stream.write_all(posted(token, &body(&push("content 0"))).as_bytes());
        drop(stream);
        thread::sleep(Duration::from_millis(100));
    }
}

/// The most memory that the service had, in KiB.
#[cfg(target_os = "linux")]
fn peak(service: &Service) -> u64 {
    let path = format!("/proc/{}/status", service.child.id());
    let status = std::fs::read_to_string(path).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.trim().trim_end_matches(" kB").parse().unwrap()
}

#[test]
fn minute_of_two_hundred_clients_loses_nothing_and_judges_nothing_twice() {
    let model = model();
    let serve = "queue = 1000\nclient_queue = 10\nconnections = 1000\nbody_timeout_s = 2\nheader_timeout_s = 2";
    let service = Service::start(&model, serve);
    let tokens: Vec<String> = (0..CLIENTS).map(|n| service.token(&format!("box-{n}"))).collect();
    let bad = service.token("bad");
    let end = Instant::now() + LENGTH;
    let words: Mutex<BTreeMap<String, String>> = Mutex::default();
    let mut answers = Vec::new();
    thread::scope(|scope| {
        let (service, words) = (&service, &words);
        for _ in 0..10 {
            scope.spawn(|| half_open(service.address, &bad, end));
        }
        scope.spawn(|| gone(service.address, &bad, end));
        let all: Vec<_> = tokens
            .iter()
            .enumerate()
            .map(|(client, token)| {
                scope.spawn(move || {
                    // They do not all come at the same moment.
                    thread::sleep(
                        PAUSE * u32::try_from(client).unwrap() / u32::try_from(CLIENTS).unwrap(),
                    );
                    let mut answered = 0_usize;
                    while Instant::now() < end {
                        let text = match (client + answered) % 4 {
                            0 => format!("content of client {client}, {answered}"),
                            _ => format!("content {}", (client * 7 + answered * 13) % SHARED),
                        };
                        let evaluation = service.judged(token, &text).evaluation;
                        let word = serde_json::to_string(&evaluation).unwrap();
                        let mut words = words.lock().unwrap();
                        assert_eq!(*words.entry(text).or_insert_with(|| word.clone()), word);
                        drop(words);
                        answered += 1;
                        thread::sleep(PAUSE);
                    }
                    answered
                })
            })
            .collect();
        answers.extend(all.into_iter().map(|one| one.join().unwrap()));
    });
    let (fewest, most) = (answers.iter().min().unwrap(), answers.iter().max().unwrap());
    assert!(*fewest * 2 >= *most && *fewest > 0, "between {fewest} and {most} answers a client");
    let contents = words.into_inner().unwrap().len();
    // Who goes at once takes no judgement along: nothing is asked about again.
    assert_eq!(model.requests().len(), contents);
    assert_eq!(service.metric("judgements_judged_total"), contents as f64);
    let log = service.log();
    assert_eq!(log.iter().filter(|line| line["evaluation"].is_object()).count(), contents);
    assert_eq!(service.metric("log_unverified"), 0.0);
    assert_eq!(service.metric("queue_length"), 0.0);
    // The memory is bounded by what is configured, not by how many asked.
    #[cfg(target_os = "linux")]
    {
        let before = peak(&service);
        let total: usize = answers.iter().sum();
        assert!(before < 400 << 10, "{before} KiB after {total} answers");
    }
    // It is as good as before.
    assert_eq!(
        exchange(service.address, b"GET /readyz HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n")
            .status,
        200
    );
}
