//! A server that grades clients (`llmock`, of PyPI) finds nothing wrong with this one.
//!
//! It fails what ignores `Retry-After`, tries again what stays refused, storms, never pauses, or
//! gives up too early.

use super::{ask, asked, settings};
use crate::tools::{Tool, post, program};
use foureyes::engine::retry::Policy;
use foureyes::provider::chat::{Chat, Settings};
use foureyes::provider::{Ask, Failure, FailureKind as Kind, Message, Reply, Role};
use serde_json::{Value, json};
use std::process::Command;
use std::time::{Duration, Instant};

struct Grader {
    tool: Tool,
    chat: Chat,
    questions: u32,
}

impl Grader {
    fn start(more: &[&str]) -> Self {
        let tool = Tool::start("llmock", "/health", |_, port| {
            let all = ["serve", "-h", "127.0.0.1", "-p", &port.to_string()];
            all.iter().chain(more).map(|text| (*text).to_owned()).collect()
        });
        // The patience that people get who configure nothing.
        let usual = Settings { retry: Policy::default(), ..settings(&tool.url()) };
        Self { chat: Chat::new(usual).unwrap(), tool, questions: 0 }
    }

    /// Queues what happens to the next calls, and asks one question.
    fn ask(&mut self, behaviors: &[Value]) -> Result<Reply, Failure> {
        if !behaviors.is_empty() {
            let queued =
                post(self.tool.port, "/_llmock/scenario", &json!({"behaviors": behaviors}));
            assert_eq!(queued.map(|(status, _)| status), Some(201));
        }
        // It tells calls apart by their bodies.
        self.questions += 1;
        let text = format!("question {}", self.questions);
        asked(&self.chat, &Ask { messages: vec![Message { role: Role::User, text }], ..ask() })
    }

    fn fails(&mut self, status: u16, times: u32) -> Result<Reply, Failure> {
        self.ask(&[json!({"type": "fail", "status": status, "times": times})])
    }

    /// Whether its report passes, and the report.
    fn report(&self, how: &[&str]) -> (bool, String) {
        let report = Command::new(program("llmock"))
            .args(["report", "--url", &self.tool.url()])
            .args(how)
            .output()
            .unwrap();
        let said = [report.stdout, report.stderr].concat();
        (report.status.success(), String::from_utf8_lossy(&said).into_owned())
    }
}

#[test]
fn client_grader_finds_no_faults() {
    let mut grader = Grader::start(&[]);
    assert_eq!(grader.ask(&[]).unwrap().attempts, 1);

    let began = Instant::now();
    let waits = json!({"type": "fail", "status": 429, "retry_after": 2, "times": 1});
    assert_eq!(grader.ask(&[waits]).unwrap().attempts, 2);
    assert!(began.elapsed() >= Duration::from_secs(2));
    for status in [408, 429, 502, 503, 504] {
        assert_eq!(grader.fails(status, 2).unwrap().attempts, 3, "{status}");
    }
    for (status, kind) in [
        (400, Kind::InvalidAnswer),
        (401, Kind::Unauthorized),
        (403, Kind::Unauthorized),
        (404, Kind::Unavailable),
        (422, Kind::InvalidAnswer),
    ] {
        let failure = grader.fails(status, 1).unwrap_err();
        assert_eq!((failure.kind, failure.attempts), (kind, 1), "{failure:?}");
    }
    assert_eq!(grader.fails(500, 3).unwrap().attempts, 4, "it goes on while there is time");

    let (passes, said) = grader.report(&["--strict"]);
    assert!(passes && said.contains("PASS"), "{said}");
    assert!(said.contains("13 call(s), 27 attempt(s)"), "{said}");
}

#[test]
fn client_grader_detects_missing_backoff() {
    let grader = Grader::start(&[]);
    let waits = json!({"type": "fail", "status": 429, "retry_after": 5, "times": 2});
    post(grader.tool.port, "/_llmock/scenario", &json!({"behaviors": [waits]})).unwrap();
    let body = json!({"model": "m", "messages": [{"role": "user", "content": "now"}]});
    for _ in 0..2 {
        let (status, _) = post(grader.tool.port, "/v1/chat/completions", &body).unwrap();
        assert_eq!(status, 429);
    }
    let (passes, said) = grader.report(&[]);
    assert!(!passes && said.contains("retry_after_ignored"), "{said}");
}

#[test]
fn a_limit_of_calls_a_minute_is_kept_to() {
    let mut grader = Grader::start(&["--rpm", "60"]);
    // The bucket holds sixty; what comes after waits for its second.
    let waited = (0..66).filter(|_| grader.ask(&[]).unwrap().attempts > 1).count();
    assert!(waited > 0, "no call met the limit");
    let (passes, said) = grader.report(&["--strict"]);
    assert!(passes && said.contains("PASS"), "{said}");
}
