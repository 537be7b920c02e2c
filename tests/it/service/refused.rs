//! Requests that are too large, too slow, or that nobody waits for.

use super::{Service, body, configuration, exchange, model, posted, push};
use crate::http::PATIENCE;
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
        // An array is no object, and an object no word.
        with("files", serde_json::json!([["note.md", null, "a", null]])),
        with("kind", serde_json::json!({"push": null})),
        serde_json::json!(["push", null, "0123456789abcdef", null, [], [{}]]).to_string(),
        serde_json::json!({"kind": "task", "tier": "deep", "nonce": "0123456789abcdef",
            "files": good["files"], "sections": [["description", "a"]]})
        .to_string(),
        serde_json::json!({"kind": "task", "tier": {"deep": null}, "nonce": "0123456789abcdef",
            "files": good["files"]})
        .to_string(),
        serde_json::json!({"kind": "relevance", "nonce": "0123456789abcdef", "mode": "strict",
            "prompt": "a", "candidates": [[null, null]]})
        .to_string(),
    ] {
        let reply = service.post(&token, &wrong);
        assert_eq!((reply.status, reply.code().as_str()), (400, "request"), "{wrong}");
    }
    assert_eq!(model.requests().len(), 0);
    assert_eq!(service.judged(&token, "still there").evaluation.verdict, "GO");
}

#[test]
fn what_http_says_of_methods_schemes_and_encodings_holds() {
    let model = model();
    let service = Service::start(&model, "");
    let token = service.token("box");
    let send = |head: &str, body: &str| {
        let length = body.len();
        let text = format!(
            "{head}\r\nhost: x\r\nconnection: close\r\ncontent-length: {length}\r\n\r\n{body}"
        );
        exchange(service.address, text.as_bytes())
    };
    for (line, allow) in [
        ("GET /v1/judgements", "POST"),
        ("PUT /v1/judgements", "POST"),
        ("POST /v1/judgements/00", "GET"),
        ("DELETE /v1/models", "GET"),
        ("POST /openapi.json", "GET"),
        ("POST /healthz", "GET"),
        ("OPTIONS /readyz", "GET"),
        ("POST /metrics", "GET"),
    ] {
        let reply = send(&format!("{line} HTTP/1.1"), "");
        assert_eq!((reply.status, reply.header("allow")), (405, Some(allow)), "{line}");
    }
    let post = |more: &str| {
        send(&format!("POST /v1/judgements HTTP/1.1\r\n{more}"), &body(&push("a"))).status
    };
    for scheme in ["Bearer", "bearer", "BEARER"] {
        assert_eq!(post(&format!("authorization: {scheme} {token}")), 200, "{scheme}");
    }
    for wrong in [token.clone(), format!("Basic {token}"), format!("Bearer{token}")] {
        assert_eq!(post(&format!("authorization: {wrong}")), 401, "{wrong}");
    }
    for (encoding, status) in [
        ("identity", 200),
        ("Identity", 200),
        ("gzip", 415),
        ("br", 415),
        ("identity, gzip", 415),
        ("identity\r\ncontent-encoding: deflate", 415),
    ] {
        let more = format!("authorization: Bearer {token}\r\ncontent-encoding: {encoding}");
        assert_eq!(post(&more), status, "{encoding}");
    }
    assert_eq!(model.requests().len(), 1);
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
