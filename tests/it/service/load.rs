//! Many clients at once: nothing is lost, nothing is judged twice, and each has its turn.

use super::models::Gated;
use super::{Service, body, exchange, model, posted, push};
use crate::http::PATIENCE;
use std::collections::BTreeMap;
use std::net::TcpStream;
use std::thread;

#[test]
fn fifty_clients_at_once_get_all_answers_and_nothing_is_judged_twice() {
    const CLIENTS: usize = 50;
    const CONTENTS: usize = 12;
    let model = model();
    let service = Service::start(&model, "queue = 1000\nclient_queue = 1000");
    let tokens: Vec<String> = (0..CLIENTS).map(|n| service.token(&format!("box-{n}"))).collect();
    let answers: Vec<Vec<_>> = thread::scope(|scope| {
        let all: Vec<_> = tokens
            .iter()
            .enumerate()
            .map(|(n, token)| {
                let service = &service;
                scope.spawn(move || {
                    let texts = (0..CONTENTS).map(|i| (i + n) % CONTENTS);
                    texts.map(|i| (i, service.judged(token, &format!("content {i}")))).collect()
                })
            })
            .collect();
        all.into_iter().map(|one| one.join().unwrap()).collect()
    });
    assert_eq!(model.requests().len(), CONTENTS);
    let mut by_content = BTreeMap::new();
    for (content, judgement) in answers.into_iter().flatten() {
        let known = by_content.entry(content).or_insert_with(|| judgement.evaluation.clone());
        assert_eq!(*known, judgement.evaluation);
    }
    let log = service.log();
    assert_eq!(log.len(), CLIENTS * CONTENTS);
    assert_eq!(log.iter().filter(|line| line["evaluation"].is_object()).count(), CONTENTS);
    assert_eq!(service.metric("judgements_judged_total"), CONTENTS as f64);
    assert_eq!(service.metric("log_unverified"), 0.0);
}

#[test]
fn client_with_few_contents_does_not_wait_behind_one_with_many() {
    let gated = Gated::start();
    let service = Service::start(&gated.server, "workers = 1");
    let (many, few) = (service.token("many"), service.token("few"));
    let asked = |token: &str, text: &str| {
        let request = posted(token, &body(&push(text)));
        let address = service.address;
        thread::spawn(move || exchange(address, request.as_bytes()).status)
    };
    let mut all = vec![asked(&many, "ZZmany 0")];
    gated.server.wait_for(1, PATIENCE);
    for n in 1..8 {
        all.push(asked(&many, &format!("ZZmany {n}")));
    }
    service.wait_metric("queue_length", 7.0);
    all.push(asked(&few, "ZZfew 0"));
    service.wait_metric("queue_length", 8.0);
    all.push(asked(&few, "ZZfew 1"));
    service.wait_metric("queue_length", 9.0);
    gated.open();
    assert!(all.into_iter().all(|one| one.join().unwrap() == 200));
    let order: Vec<bool> = gated
        .server
        .requests()
        .iter()
        .map(|request| request.json()["messages"].to_string().contains("ZZfew"))
        .collect();
    // One of the many was asked about before; then both take turns.
    assert_eq!(order.iter().position(|few| *few), Some(2), "{order:?}");
    assert_eq!(order.iter().rposition(|few| *few), Some(4), "{order:?}");
}

#[test]
fn full_queue_is_refused_with_a_time_and_room_is_free_where_a_client_goes() {
    let gated = Gated::start();
    let service = Service::start(&gated.server, "workers = 1\nqueue = 2\nclient_queue = 1");
    let tokens: Vec<String> = (0..4).map(|n| service.token(&format!("box-{n}"))).collect();
    let send = |token: &str, text: &str| {
        use std::io::Write;
        let mut stream = TcpStream::connect(service.address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream.write_all(posted(token, &body(&push(text))).as_bytes()).unwrap();
        stream
    };
    let running = send(&tokens[0], "a");
    gated.server.wait_for(1, PATIENCE);
    let waiting = send(&tokens[0], "b");
    service.wait_metric("queue_length", 1.0);
    let own = service.post(&tokens[0], &body(&push("c")));
    assert_eq!((own.status, own.code().as_str()), (429, "client_queue"));
    let other = send(&tokens[1], "d");
    service.wait_metric("queue_length", 2.0);
    let full = service.post(&tokens[2], &body(&push("e")));
    assert_eq!((full.status, full.code().as_str()), (429, "queue"));
    let seconds: u64 = full.header("retry-after").unwrap().parse().unwrap();
    assert!((1..=30).contains(&seconds), "{seconds}");
    // Who joins what is on its way takes no room.
    let joined = send(&tokens[3], "d");
    drop(waiting);
    service.wait_metric("queue_length", 1.0);
    let late = send(&tokens[2], "e");
    service.wait_metric("queue_length", 2.0);
    gated.open();
    for stream in [running, other, joined, late] {
        assert_eq!(super::read(stream).status, 200);
    }
    assert_eq!(gated.server.requests().len(), 3);
}

/// A number of what `wrk` prints.
fn printed(text: &str, before: &str, after: &str) -> f64 {
    let line = text.lines().find(|line| line.contains(before) && line.contains(after));
    let line = line.unwrap_or_else(|| panic!("no {before:?} and {after:?}: {text}"));
    let number = line.split(after).next().unwrap().rsplit(before).next().unwrap().trim();
    number.parse().unwrap_or_else(|e| panic!("{e}: {line}"))
}

#[test]
fn load_tester_of_others_counts_what_the_metrics_count() {
    const CONTENTS: usize = 20;
    const CONNECTIONS: f64 = 16.0;
    let model = model();
    let service = Service::start(&model, "queue = 1000\nclient_queue = 1000");
    let token = service.token("wrk");
    let bodies: Vec<_> = (0..CONTENTS)
        .map(|n| format!("  [==[{}]==],\n", body(&push(&format!("content {n}")))))
        .collect();
    let script = service.home.write(
        "post.lua",
        format!(
            "local bodies = {{\n{}}}\nlocal at = 0\nwrk.method = 'POST'\n\
             wrk.headers['Authorization'] = 'Bearer {token}'\n\
             wrk.headers['Content-Type'] = 'application/json'\n\
             request = function()\n  at = at % #bodies + 1\n  return wrk.format(nil, nil, nil, bodies[at])\nend\n",
            bodies.concat()
        ),
    );
    let output = std::process::Command::new("wrk")
        .args(["--threads", "2", "--connections", "16", "--duration", "3s", "--script"])
        .arg(script)
        .arg(format!("http://{}/v1/judgements", service.address))
        .output()
        .expect("wrk is needed");
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success() && !text.contains("Non-2xx"), "{text}");
    assert!(!text.contains("Socket errors"), "{text}");
    let counted = printed(&text, " ", " requests in");
    let answered = service.metric("http_requests_total{route=\"/v1/judgements\",status=\"200\"}");
    // When its time is over, it no longer reads what each connection is about to get.
    assert!(
        counted > 0.0 && (counted..=counted + CONNECTIONS).contains(&answered),
        "{answered}: {text}"
    );
    assert_eq!(service.metric("judgements_judged_total"), CONTENTS as f64);
    let reused = service.metric("judgements_reused_total");
    assert!(
        (counted..=counted + CONNECTIONS).contains(&(reused + CONTENTS as f64)),
        "{reused}: {text}"
    );
    assert_eq!(model.requests().len(), CONTENTS);
}
