//! A client believes only what the pinned key signed, of what it asked.

use super::{Service, model, post};
use crate::cli::{Home, Ran};
use crate::http::{Action, Request, Server, json, reply};
use crate::pull::free_port;
use serde_json::Value;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

/// Something between a client and a service that does as it wants with what passes.
fn between(change: impl FnMut(&Request) -> Vec<Action> + Send + 'static) -> Server {
    Server::start(change)
}

/// Hands a request on, with a change, and gives what the service answers.
pub(in super::super) fn passed_on(
    to: SocketAddr,
    request: &Request,
    change: impl Fn(&mut Value),
) -> Value {
    let mut body = request.json();
    change(&mut body);
    let token = request.header("authorization").unwrap().trim_start_matches("Bearer ");
    post(to, token, &body.to_string()).json()
}

fn judge(home: &Home, url: &str, key: &str, token: &str) -> Ran {
    judge_with(home, (url, key, token), "")
}

/// The same with more lines of `[judge]`.
fn judge_with(home: &Home, (url, key, token): (&str, &str, &str), more: &str) -> Ran {
    let config = format!(
        "[judge]\nkind = \"service\"\nendpoint = \"{url}\"\nservice_key = [\"{key}\"]\n{more}\n"
    );
    let path = home.write("client.toml", config);
    home.write("note.md", "text POOR");
    let mut command = home.command(&["judge", "note.md", "--json", "--config"]);
    command.arg(path).env("FOUREYES_TOKEN", token).env("NO_PROXY", "127.0.0.1");
    let output = command.output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    Ran { code: output.status.code().unwrap(), out: text(output.stdout), err: text(output.stderr) }
}

#[test]
fn forged_replayed_and_unsigned_answers_are_no_verdicts() {
    let model = model();
    let service = Service::start(&model, "");
    let stranger = Service::start(&model, "");
    let (token, strange) = (service.token("box"), stranger.token("box"));
    let (at, elsewhere) = (service.address, stranger.address);
    let home = Home::new();
    let good = between(move |request| json(200, &passed_on(at, request, |_| {})));
    let ran = judge(&home, &good.url(), &service.key, &token);
    assert_eq!(ran.code, 1, "{} {}", ran.out, ran.err);
    let kept: Arc<Mutex<Option<Value>>> = Arc::default();
    let (keep, replayed) = (Arc::clone(&kept), Arc::clone(&kept));
    let recorded = between(move |request| {
        let answer = passed_on(at, request, |_| {});
        *keep.lock().unwrap() = Some(answer.clone());
        json(200, &answer)
    });
    assert_eq!(judge(&home, &recorded.url(), &service.key, &token).code, 1);
    let refused = |server: &Server, token: &str, why: &str| {
        let ran = judge(&home, &server.url(), &service.key, token);
        assert_eq!(ran.code, 2, "{why}: {} {}", ran.out, ran.err);
        let record =
            serde_json::from_str::<Value>(&ran.out).unwrap()["contents"][0]["record"].clone();
        let findings = record["findings"].as_str().unwrap();
        assert!(findings.starts_with("Failed to verify the judgement of"), "{findings}");
        assert!(findings.contains(why), "{findings}");
        assert_eq!(
            (&record["verdict"], &record["error"]),
            (&"UNDETERMINED".into(), &"invalid_answer".into())
        );
    };
    // Signed by another service, whose key is not pinned.
    let other = between(move |request| json(200, &passed_on(elsewhere, request, |_| {})));
    refused(&other, &strange, "not by a key of `service_key`");
    // A verdict turned round on its way.
    let turned = between(move |request| {
        let mut answer = passed_on(at, request, |_| {});
        let text = answer["judgement"].as_str().unwrap().replace("\"NO-GO\"", "\"GO\"");
        answer["judgement"] = text.into();
        json(200, &answer)
    });
    refused(&turned, &token, "not by a key of `service_key`");
    // An earlier answer, about the same.
    let replay = between(move |_| json(200, replayed.lock().unwrap().as_ref().unwrap()));
    refused(&replay, &token, "another request (nonce)");
    // An answer to this request, about content that is better.
    let better = between(move |request| {
        let fine = |body: &mut Value| body["files"][0]["content"] = "fine".into();
        json(200, &passed_on(at, request, fine))
    });
    refused(&better, &token, "other content");
    let unsigned = between(|_| reply(200, &[], "{\"verdict\": \"GO\"}"));
    refused(&unsigned, &token, "not a signed judgement");
    let empty = between(move |request| {
        let mut answer = passed_on(at, request, |_| {});
        answer["signature"] = "".into();
        json(200, &answer)
    });
    refused(&empty, &token, "not by a key of `service_key`");
}

#[test]
fn client_without_a_pinned_key_asks_nobody_and_an_outage_is_one() {
    let model = model();
    let mut service = Service::start(&model, "");
    let token = service.token("box");
    let home = Home::new();
    let url = format!("http://{}", service.address);
    let none = judge(&home, &url, "00", &token);
    assert!(none.code == 64 && none.err.contains("64 hexadecimal digits"), "{}", none.err);
    let stolen = judge(&home, &url, &service.key, "stolen");
    assert!(stolen.code == 69 && stolen.out.contains("unauthorized"), "{}", stolen.out);
    assert_eq!(judge(&home, &url, &service.key, &token).code, 1);
    let explained = home.good(&["judge", "note.md", "--explain", "--config", "client.toml"]);
    assert!(explained.contains("it is sent the content whole"), "{explained}");
    service.signal("-TERM");
    service.ended();
    // Its own port may be another test's by now.
    let gone = format!("http://127.0.0.1:{}", free_port());
    let down = judge(&home, &gone, &service.key, &token);
    assert!(down.code == 69 && down.out.contains("unavailable"), "{}", down.out);
}

#[test]
fn judgement_for_another_client_does_not_count_where_the_own_is_pinned() {
    let model = model();
    let service = Service::start(&model, "");
    let (own, other) = (service.token("small-box"), service.token("laxer"));
    let at = service.address;
    // Something on the way asks with the token of another client.
    let relay = between(move |request| {
        let body = String::from_utf8(request.body.clone()).unwrap();
        json(200, &post(at, &other, &body).json())
    });
    let home = Home::new();
    let direct = format!("http://{at}");
    for (url, more, code) in [
        (&direct, "", 1),
        (&direct, "service_client = \"small-box\"", 1),
        (&relay.url(), "", 1),
        (&relay.url(), "service_client = \"small-box\"", 2),
        (&direct, "service_client = \"small-bo\"", 2),
        (&direct, "service_client = \"Small-Box\"", 2),
    ] {
        let ran = judge_with(&home, (url, &service.key, &own), more);
        assert_eq!(ran.code, code, "{more}: {} {}", ran.out, ran.err);
        assert_eq!(ran.out.contains("another client than `service_client`"), code == 2);
    }
}
