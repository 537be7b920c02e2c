//! Requests that are too large, too slow, or that nobody waits for.

use super::{Service, body, configuration, exchange, model, posted, push};
use crate::http::{Action, PATIENCE, Server};
use std::io::Write;
use std::net::TcpStream;

#[test]
fn large_and_malformed_requests_are_refused() {
    let model = model();
    let service = Service::start(&model, "max_body_bytes = 2048\nmemory_bytes = 1048576");
    let token = service.token("box");
    let large = service.post(&token, &"x".repeat(3000));
    assert_eq!((large.status, large.code().as_str()), (413, "size"));
    let chunk = format!("{:x}\r\n{}\r\n", 1500, "x".repeat(1500));
    let chunked = format!(
        "POST /v1/judgements HTTP/1.1\r\nhost: x\r\nconnection: close\r\nauthorization: Bearer {token}\r\n\
         transfer-encoding: chunked\r\n\r\n{chunk}{chunk}0\r\n\r\n"
    );
    assert_eq!(exchange(service.address, chunked.as_bytes()).status, 413);
    let good = serde_json::to_value(push("a")).unwrap();
    let with = |key: &str, value: serde_json::Value| {
        let mut request = good.clone();
        request[key] = value;
        request.to_string()
    };
    for wrong in [
        "".to_owned(),
        "[]".to_owned(),
        "{\"kind\":".to_owned(),
        with("nonce", "short".into()),
        with("files", serde_json::json!([])),
        with("tier", "quick".into()),
        with("kind", "pick".into()),
        with("xyzzy", 1.into()),
    ] {
        let reply = service.post(&token, &wrong);
        assert_eq!((reply.status, reply.code().as_str()), (400, "request"), "{wrong}");
    }
    assert_eq!(model.requests().len(), 0);
    assert_eq!(service.judged(&token, "still there").evaluation.verdict, "GO");
}

#[test]
fn half_open_and_slow_connections_end_and_make_room() {
    let model = model();
    let service = Service::start(
        &model,
        "connections = 2\nheader_timeout_s = 1\nbody_timeout_s = 1\nmax_body_bytes = 1024",
    );
    let token = service.token("box");
    let open = |bytes: &str| {
        let mut stream = TcpStream::connect(service.address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream.write_all(bytes.as_bytes()).unwrap();
        stream
    };
    // All connections are taken by those that send nothing, or half a header.
    let silent = open("");
    let half = open("POST /v1/judgements HTTP/1.1\r\nhost:");
    assert_eq!(service.judged(&token, "a").evaluation.verdict, "GO");
    for stream in [silent, half] {
        assert!([0, 408].contains(&super::read(stream).status));
    }
    let whole = posted(&token, &body(&push("b")));
    let slow = super::read(open(&whole[..whole.len() - 5]));
    assert_eq!((slow.status, slow.code().as_str()), (408, "slow"));
    // One that is kept open between two requests ends as well.
    let kept = open("GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n");
    assert_eq!(super::read(kept).status, 200);
}

#[test]
fn judge_is_no_longer_asked_where_the_client_goes_or_its_deadline_is_over() {
    let model = Server::always(vec![Action::Hang]);
    let service = Service::start(&model, "");
    let token = service.token("box");
    let mut stream = TcpStream::connect(service.address).unwrap();
    stream.write_all(posted(&token, &body(&push("a"))).as_bytes()).unwrap();
    model.wait_for(1, PATIENCE);
    drop(stream);
    assert!(model.closed(0, PATIENCE).is_some(), "the judge is still asked");
    let mut request = push("b");
    request.deadline_ms = Some(300);
    let late = service.post(&token, &body(&request));
    assert_eq!((late.status, late.code().as_str()), (504, "deadline"));
    assert!(model.closed(1, PATIENCE).is_some(), "the judge is still asked");
    let header =
        posted(&token, &body(&push("c"))).replacen("\r\n", "\r\nX-Deadline-Ms: 300\r\n", 1);
    assert_eq!(exchange(service.address, header.as_bytes()).status, 504);
    assert!(service.log().is_empty());
    service.wait_metric("judgements_cancelled_total", 3.0);
}

#[test]
fn service_does_not_start_without_key_or_beyond_this_machine_in_plain_http() {
    let model = model();
    let home = crate::cli::Home::new();
    std::fs::create_dir_all(home.path().join(".config/foureyes")).unwrap();
    let start = |config: &str, key: Option<&str>| {
        home.write(".config/foureyes/config.toml", config);
        let mut command = home.command(&["serve"]);
        command.envs(key.map(|key| ("TERRAPHIM_API_KEY", key)));
        let output = command.output().unwrap();
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    };
    let config = configuration(&model.url(), "");
    let (code, err) = start(&config, Some("k"));
    assert!(code == Some(64) && err.contains("signing key") && err.contains("serve key"), "{err}");
    home.good(&["serve", "key"]);
    let (code, err) = start(&config, None);
    assert!(code == Some(64) && err.contains("TERRAPHIM_API_KEY"), "{err}");
    let (code, err) = start(&config.replace("127.0.0.1:0", "0.0.0.0:0"), Some("k"));
    assert!(code == Some(64) && err.contains("certificate"), "{err}");
    let (code, err) = start(&config.replace("[judge]", "[judge]\nkind = \"service\""), Some("k"));
    assert!(code == Some(64) && err.contains("cannot ask a service"), "{err}");
}
