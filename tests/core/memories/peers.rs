//! The judge of memories behind programs that nobody here wrote: LiteLLM and `llmock`, of PyPI.

use super::{Home, outcome, sources};
use crate::chat;
use crate::http::{Server, answer};
use crate::tools::{Tool, post, program};
use foureyes::engine::record::PickRecord;
use serde_json::json;

fn home(url: &str) -> Home {
    let home = Home::new(&format!(
        "[memories]\njudge = true\n[judges.relevance]\nkind = \"chat\"\nendpoint = {url:?}\nmodel = \"fastest\"\nkey_env = \"KEY\"\n"
    ));
    // The proxy takes its own key alone.
    Home { key: chat::KEY, ..home }
}

#[test]
fn proxy_is_asked_and_its_model_keeps() {
    let upstream = Server::always(answer("{\"keep\":[0]}"));
    let proxy = chat::proxy(&upstream);
    let home = home(&proxy.url());
    let answered = |_| {
        let block = home.prompt("deploy the service");
        (block, home.last())
    };
    // Its first requests take longer than a prompt waits: it loads what it needs.
    let kept = |(_, pick): &(_, PickRecord)| outcome(pick).0 == "kept";
    let (block, pick) = (0..20).map(answered).find(kept).unwrap();
    let kept = pick.candidates.iter().find(|candidate| candidate.position == 0).unwrap();
    assert_eq!(sources(&block), [kept.memory.as_str()]);
    assert_eq!(pick.usage.unwrap().completion_tokens, Some(34));
}

#[test]
fn client_grader_finds_no_faults_in_the_hook_and_its_answers_are_fallbacks() {
    let grader = Tool::start("llmock", "/health", |_, port| {
        ["serve", "-h", "127.0.0.1", "-p", &port.to_string()].map(str::to_owned).to_vec()
    });
    let home = home(&grader.url());
    let fails = |status: u16| {
        let behavior = json!({"type": "fail", "status": status, "times": 1});
        post(grader.port, "/_llmock/scenario", &json!({"behaviors": [behavior]})).unwrap();
    };
    // It answers, and knows nothing of a call word.
    assert_eq!(sources(&home.prompt("deploy the service")), ["0.md", "1.md"]);
    assert_eq!(outcome(&home.last()), ("fallback".to_owned(), "invalid".to_owned()));
    for (status, fallback) in [(401, "error"), (404, "error"), (400, "invalid")] {
        fails(status);
        assert_eq!(sources(&home.prompt(&format!("deploy service {status}"))), ["0.md", "1.md"]);
        assert_eq!(outcome(&home.last()), ("fallback".to_owned(), fallback.to_owned()), "{status}");
    }
    let report = std::process::Command::new(program("llmock"))
        .args(["report", "--url", &grader.url(), "--strict"])
        .output()
        .unwrap();
    assert!(report.status.success(), "{}", String::from_utf8_lossy(&report.stdout));
}
