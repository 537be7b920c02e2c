//! Memories picked through the service, by a box that has no key of a judge.

use super::forged::passed_on;
use super::{Service, exchange, posted};
use crate::cli::Home;
use crate::http::{Request, Server, answer, json};
use foureyes::engine::judgements::{RelevanceJudgement, RelevanceRequest, SignedJudgement};
use foureyes::provider::service::ServiceKeys;
use serde_json::{Value, json};
use std::fs;
use std::io::Write;
use std::process::Stdio;
use std::sync::{Arc, Mutex};

/// A judge of memories that keeps two of them.
fn keeps(request: &Request) -> Vec<crate::http::Action> {
    let text = request.json()["messages"].to_string();
    assert!(!text.contains("ghp_"), "{text}");
    answer("{\"keep\": [2, 0]}")
}

fn start(model: &Server) -> Service {
    Service::start(model, "[judges.relevance]\nmodel = \"small-1\"\n")
}

/// A box with six memories.
struct Box {
    home: Home,
    token: String,
}

impl Box {
    fn new(address: &str, key: &str, token: String) -> Self {
        let home = Home::new();
        for dir in [".openclaw/memories", ".config/foureyes"] {
            fs::create_dir_all(home.path().join(dir)).unwrap();
        }
        let mut listing = String::new();
        for n in 0..6 {
            home.write(&format!(".openclaw/memories/{n}.md"), format!("Body {n} of it.\n"));
            listing += &format!("- [Deploy the service{}]({n}.md) [runbook]\n", " more".repeat(n));
        }
        home.write(".openclaw/memories/index.md", listing);
        let config = format!(
            "[judge]\nkind = \"service\"\nendpoint = \"{address}\"\nservice_key = [\"{key}\"]\nmodel = \"north-1\"\n\
             [memories]\njudge = true\n"
        );
        home.write(".config/foureyes/config.toml", config);
        Self { home, token }
    }

    fn of(service: &Service, client: &str) -> Self {
        Self::new(&format!("http://{}", service.address), &service.key, service.token(client))
    }

    /// What the hook prints before a prompt, and the line that it logs.
    fn hook(&self, prompt: &str) -> (String, Value) {
        let mut command = self.home.command(&["memories", "hook"]);
        command.env("FOUREYES_TOKEN", &self.token).env("NO_PROXY", "127.0.0.1");
        let mut child = command.stdin(Stdio::piped()).spawn().unwrap();
        let input = json!({"prompt": prompt, "hook_event_name": "UserPromptSubmit"}).to_string();
        child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success());
        let dir = self.home.path().join(".openclaw/memory-picks");
        let mut files: Vec<_> = dir.read_dir().unwrap().map(|e| e.unwrap().path()).collect();
        files.sort();
        let text = fs::read_to_string(files.last().unwrap()).unwrap();
        let line = serde_json::from_str(text.lines().last().unwrap()).unwrap();
        (String::from_utf8(output.stdout).unwrap(), line)
    }
}

const PROMPT: &str = "How do we deploy the service?";

#[test]
fn box_without_a_key_picks_by_the_service_and_the_same_is_judged_once() {
    let model = Server::start(keeps);
    let service = start(&model);
    let (one, other) = (Box::of(&service, "one"), Box::of(&service, "other"));
    let prompt = format!("{PROMPT} ghp_{}", "a1".repeat(18));
    let (block, first) = one.hook(&prompt);
    assert_eq!(first["choice"], "kept", "{first}");
    let kept = |line: &Value| -> Vec<String> {
        let all = line["candidates"].as_array().unwrap().iter();
        all.filter(|c| c["kept"] == true).map(|c| c["position"].to_string()).collect()
    };
    let mut positions = kept(&first);
    positions.sort();
    assert_eq!(positions, ["0", "2"]);
    assert_eq!(block.matches("<memory source=").count(), 2, "{block}");
    assert_eq!(
        (&first["model"], &first["served_model"]),
        (&"small-1".into(), &"served-model".into())
    );
    assert!(first["usage"]["prompt_tokens"].as_u64().unwrap() > 0, "{first}");
    // The same of another client: no second question, and nothing is paid for it.
    let (_, second) = other.hook(&prompt);
    assert_eq!((kept(&second), &second["choice"]), (kept(&first), &"kept".into()));
    assert_eq!((&second["usage"], second["cost"].as_f64()), (&Value::Null, Some(0.0)));
    assert_eq!(model.requests().len(), 1);
    // A line for each client: numbers, hashes, model and usage, and no word of prompt or memory.
    let log = service.log();
    assert_eq!(log.len(), 2);
    assert_eq!((&log[1]["of"], &log[1]["client"]), (&log[0]["id"], &"other".into()));
    assert_eq!(log[0]["choice"]["kept"], json!([2, 0]));
    assert_eq!(log[0]["four_eyes"]["decision"], "not_applicable");
    assert_eq!(first["prompt_sha"], log[0]["choice"]["prompt_sha"]);
    let text = serde_json::to_string(&log).unwrap().to_lowercase();
    assert!(!text.contains("deploy") && !text.contains("runbook"), "{text}");
    // Each client reads its own again, and nobody else's, after a restart as well.
    let (tokens, ids) = ([&one.token, &other.token], [&log[0]["id"], &log[1]["id"]]);
    let config = super::configuration(&model.url(), "[judges.relevance]\nmodel = \"small-1\"\n");
    let service = service.restarted(&config);
    let read = |id: &Value, token: &str| {
        service.get(&format!("/v1/judgements/{}?nonce=a1", id.as_str().unwrap()), token)
    };
    for n in 0..2 {
        let signed: SignedJudgement = serde_json::from_str(&read(ids[n], tokens[n]).body).unwrap();
        let judgement: RelevanceJudgement = serde_json::from_str(&signed.judgement).unwrap();
        assert_eq!((judgement.choice.kept, judgement.nonce.as_str()), (Some(vec![2, 0]), "a1"));
        assert_eq!(read(ids[n], tokens[1 - n]).status, 404);
    }
    assert!(service.get("/v1/models", &one.token).body.contains("small-1"));
    let again = Box::new(&format!("http://{}", service.address), &service.key, one.token.clone());
    assert_eq!(kept(&again.hook(&prompt).1), kept(&first));
    assert_eq!((model.requests().len(), service.log().len()), (1, 2));
}

#[test]
fn forged_repeated_and_foreign_answers_are_fallbacks_and_never_choices() {
    let model = Server::start(keeps);
    let (service, stranger) = (start(&model), start(&model));
    let (token, strange) = (service.token("box"), stranger.token("box"));
    let (at, elsewhere) = (service.address, stranger.address);
    let kept: Arc<Mutex<Option<Value>>> = Arc::default();
    let keep = Arc::clone(&kept);
    let recorded = Server::start(move |request| {
        let answer = passed_on(at, request, |_| {});
        *keep.lock().unwrap() = Some(answer.clone());
        json_of(&answer)
    });
    let good = Box::new(&recorded.url(), &service.key, token.clone());
    assert_eq!(good.hook(PROMPT).1["choice"], "kept");
    let refused = |server: &Server, token: &str, why: &str| {
        let (block, line) = Box::new(&server.url(), &service.key, token.to_owned()).hook(PROMPT);
        assert_eq!((&line["choice"], &line["fallback"]), (&"fallback".into(), &"invalid".into()));
        assert!(line["error"].as_str().unwrap().contains(why), "{why}: {line}");
        // The two best of the search, and not what was answered.
        assert_eq!(block.matches("<memory source=").count(), 2, "{block}");
        let ranks: Vec<_> = line["candidates"].as_array().unwrap().iter().collect();
        assert!(ranks.iter().all(|c| (c["kept"] == true) == (c["rank"].as_u64() <= Some(2))));
    };
    let other = Server::start(move |request| json_of(&passed_on(elsewhere, request, |_| {})));
    refused(&other, &strange, "not by a key of `service_key`");
    let turned = Server::start(move |request| {
        let mut answer = passed_on(at, request, |_| {});
        let text = answer["judgement"].as_str().unwrap().replace("[2,0]", "[1,3]");
        answer["judgement"] = text.into();
        json_of(&answer)
    });
    refused(&turned, &token, "not by a key of `service_key`");
    let replay = Server::start(move |_| json_of(kept.lock().unwrap().as_ref().unwrap()));
    refused(&replay, &token, "another request (nonce)");
    // Signed, and about other memories, or another prompt.
    for field in ["/candidates/0/title", "/prompt"] {
        let foreign = Server::start(move |request| {
            let change = |body: &mut Value| *body.pointer_mut(field).unwrap() = "else".into();
            json_of(&passed_on(at, request, change))
        });
        refused(&foreign, &token, "another question");
    }
    // A verdict, signed by the right key, is no choice.
    let push = json!({"kind": "push", "files": [{"path": "a", "content": "b"}]});
    let verdict = Server::start(move |request| {
        let change = |body: &mut Value| {
            let nonce = body["nonce"].clone();
            *body = push.clone();
            body["nonce"] = nonce;
        };
        json_of(&passed_on(at, request, change))
    });
    refused(&verdict, &token, "not a judgement");
}

fn json_of(value: &Value) -> Vec<crate::http::Action> {
    json(200, value)
}

#[test]
fn outage_a_narrow_token_and_a_judge_that_fails_are_fallbacks() {
    let model = Server::start(|_| answer("I keep none."));
    let mut service = start(&model);
    let reason = |home: &Box| {
        let (_, line) = home.hook(PROMPT);
        let error = line["error"].as_str().unwrap_or_default().to_owned();
        (line["fallback"].as_str().unwrap().to_owned(), error)
    };
    let stage = Box::of(&service, "box");
    let (fallback, error) = reason(&stage);
    assert_eq!(fallback, "invalid");
    assert!(error.contains("the judge of the service: its answer is not a choice"), "{error}");
    // Of a judge that failed nothing stays, and no word of it is logged.
    reason(&stage);
    let log = service.log();
    assert_eq!((log.len(), model.requests().len()), (2, 4));
    assert_eq!(log[0]["choice"]["error"], "invalid_answer");
    assert!(!log[0].to_string().contains("none."), "{}", log[0]);
    let address = format!("http://{}", service.address);
    let narrow = service.home.good(&["serve", "token", "add", "narrow"]);
    let narrow = Box::new(&address, &service.key, narrow.trim().to_owned());
    let (fallback, error) = reason(&narrow);
    assert!(fallback == "error" && error.contains("does not allow judgements of memories"));
    let wide = service.home.good(&["serve", "token", "add", "wide", "--kind", "relevance"]);
    let wide = Box::new(&address, &service.key, wide.trim().to_owned());
    assert_eq!(reason(&wide).0, "invalid");
    let push = super::body(&super::push("a"));
    assert_eq!(service.post(&wide.token, &push).code(), "scope");
    service.signal("-TERM");
    service.ended();
    assert_eq!(reason(&stage).0, "error");
}

#[test]
fn what_a_client_that_goes_has_asked_is_logged_and_a_deadline_is_kept() {
    let gated = super::models::Gated::start();
    let service = start(&gated.server);
    let token = service.token("box");
    let request = json!({
        "kind": "relevance", "nonce": "0123456789abcdef", "mode": "strict", "prompt": PROMPT,
        "candidates": [{"title": "Deploy"}], "deadline_ms": 1000,
    });
    let late = exchange(service.address, posted(&token, &request.to_string()).as_bytes());
    assert_eq!((late.status, late.code().as_str()), (504, "deadline"));
    service.wait_metric("judgements_cancelled_total", 1.0);
    let mut open = request;
    open["deadline_ms"] = Value::Null;
    let mut stream = std::net::TcpStream::connect(service.address).unwrap();
    stream.write_all(posted(&token, &open.to_string()).as_bytes()).unwrap();
    service.wait_metric("judgements_running", 1.0);
    drop(stream);
    service.wait_metric("judgements_cancelled_total", 2.0);
    let log = service.log();
    assert_eq!((log.len(), service.calls().len()), (2, 2));
    assert!(log.iter().all(|line| line["choice"]["error"] == "timeout"), "{log:?}");
}

#[test]
fn signed_choice_of_what_was_not_sent_does_not_count() {
    // Nothing that is checked here needs a service: one that lies, with the right key.
    let dir = tempfile::tempdir().unwrap();
    let key = foureyes::service::SigningKey::create(&dir.path().join("key")).unwrap();
    let keys = ServiceKeys::pinned(&[key.public().to_owned()]).unwrap();
    let request: RelevanceRequest = serde_json::from_value(json!({
        "kind": "relevance", "nonce": "0123456789abcdef", "mode": "strict", "prompt": PROMPT,
        "candidates": vec![json!({"title": "Deploy"}); 5],
    }))
    .unwrap();
    let verified = |kept: &[usize]| {
        let judgement = json!({
            "schema": "foureyes/relevance-judgement/1", "id": "00", "nonce": request.nonce,
            "client": "box", "kind": "relevance", "question_sha": request.question_sha(),
            "content_sha": request.content_sha(), "at_us": 0, "reused": false,
            "choice": {"kept": kept, "judge_model": "m", "latency_ms": 1, "attempts": 1,
                "prompt_sha": "", "judge_sha": ""},
        })
        .to_string();
        let signature = key.sign(&SignedJudgement::signed_bytes(&judgement));
        let signed = SignedJudgement { judgement, signature, key: key.public().to_owned() };
        keys.chosen(&signed, &request).is_ok()
    };
    assert!(verified(&[4, 0, 1]) && verified(&[]));
    for kept in [&[5][..], &[1, 1], &[0, 1, 2, 3]] {
        assert!(!verified(kept), "{kept:?}");
    }
}
