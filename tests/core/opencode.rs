//! The real program `opencode`, as `./test.sh` installs it, with a model of the test's own.
//!
//! Each start takes some seconds: there is one for each way in which it can end.

use crate::http::{Action, PATIENCE, Server, head, json, reply};
use crate::tools::program;
use foureyes::provider::opencode::{Opencode, Settings};
use foureyes::provider::{Ask, Failure, FailureKind as Kind, Message, Reply, Role};
use secrecy::SecretString;
use serde_json::{Value, json as value};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::mpsc;
use std::time::Duration;

const KEY: &str = "sk-very-secret-key-0123456789";
const ANSWER: &str = r#"{"verdict":"GO"}"#;
const CONTENT: &str = "Content with {env:HOME}, `$(touch run)` and \"quotes\".";

fn ask() -> Ask {
    Ask {
        model: "maker/model-1".to_owned(),
        messages: vec![
            Message { role: Role::System, text: "Judge.".to_owned() },
            Message { role: Role::User, text: CONTENT.to_owned() },
        ],
        temperature: Some(0.0),
        max_tokens: Some(512),
        schema: None,
        call: None,
        calls: None,
        paid: None,
    }
}

/// The program behind a script that notes what this test wants to know of it.
struct Stage {
    dir: tempfile::TempDir,
    /// Receives when nobody has open any more what the program and all that it starts inherit.
    ended: mpsc::Receiver<()>,
    server: Server,
    program: PathBuf,
}

impl Stage {
    fn new(server: Server) -> Self {
        Self::with(server, "")
    }

    /// `change` is done to the arguments before the program gets them.
    fn with(server: Server, change: &str) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let program = dir.path().join("opencode");
        let (place, real) = (dir.path().display(), program_path());
        let script = format!(
            "#!/bin/sh\n{change}\nexec 9>'{place}/pipe'\necho \"$HOME\" > '{place}/home'\n\
            '{real}' \"$@\"\ncode=$?\n\
            grep -rl {KEY} \"$HOME/..\" > '{place}/key'\n\
            grep -rl 'touch run' \"$HOME/..\" > '{place}/question'\nexit $code\n"
        );
        // A process of its own writes it: a program that somebody still has open cannot be started, and
        // other tests fork meanwhile.
        let make = "printf '%s' \"$2\" > \"$1\" && chmod 755 \"$1\"";
        let mut shell = Command::new("sh");
        shell.args(["-c", make, "sh"]).arg(&program).arg(script);
        assert!(shell.status().unwrap().success());
        let pipe = dir.path().join("pipe");
        assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        let (send, ended) = mpsc::channel();
        std::thread::spawn(move || fs::read(pipe).is_ok_and(|_| send.send(()).is_ok()));
        Self { dir, ended, server, program }
    }

    fn asked(&self, ask: &Ask, within: Duration) -> Result<Reply, Failure> {
        let path = ("PATH".into(), std::env::var_os("PATH").unwrap());
        // What it would fetch there is a request more.
        let registry = ("npm_config_registry".into(), self.server.url().into());
        let opencode = Opencode::new(Settings {
            base: Some(self.server.url()),
            key: Some(SecretString::from(KEY)),
            environment: vec![path, registry],
            whole: within,
            ..Settings::new(&self.program)
        });
        let opencode = opencode.unwrap();
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let until = tokio::time::Instant::now() + Duration::from_secs(600);
        runtime.block_on(opencode.ask(ask, until))
    }

    fn fails(&self, kind: Kind, words: &str) -> Failure {
        let failure = self.asked(&ask(), PATIENCE * 2).unwrap_err();
        assert_eq!(failure.kind, kind, "{failure:?}");
        assert!(failure.what.contains(words), "{words:?} is not in {failure:?}");
        self.assert_ended();
        failure
    }

    /// Nothing is left of what it started, nor of its home.
    fn assert_ended(&self) {
        self.ended.recv_timeout(PATIENCE).expect("something that it started is still there");
        let home = fs::read_to_string(self.dir.path().join("home")).unwrap();
        assert!(home.contains("foureyes-opencode-") && !Path::new(home.trim()).exists(), "{home}");
    }

    fn requests(&self) -> usize {
        self.server.requests().len()
    }
}

fn program_path() -> String {
    program("opencode").display().to_string()
}

fn piece(delta: &Value, finish: Option<&str>) -> Value {
    let choice = value!({"index": 0, "delta": delta, "finish_reason": finish});
    value!({"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "served",
        "choices": [choice]})
}

/// A stream of events, as OpenAI's endpoint sends it, without its last line.
fn stream(pieces: &[Value]) -> Vec<Action> {
    let head = head(200, &[("content-type", "text/event-stream")]);
    let piece = |piece: &Value| Action::Send(format!("data: {piece}\n\n").into_bytes());
    std::iter::once(Action::Send(head)).chain(pieces.iter().map(piece)).collect()
}

/// Pieces and the end of a stream.
fn ended(pieces: &[Value]) -> Vec<Action> {
    let mut actions = stream(pieces);
    actions.push(Action::Send(b"data: [DONE]\n\n".to_vec()));
    actions
}

fn answer() -> Vec<Action> {
    let usage = value!({"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "served",
        "choices": [], "usage": {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}});
    let text = piece(&value!({"role": "assistant", "content": ANSWER}), None);
    ended(&[text, piece(&value!({}), Some("stop")), usage])
}

#[test]
fn question_is_asked_once_with_nothing_beside_it() {
    let stage = Stage::new(Server::always(answer()));
    let answer = stage.asked(&ask(), PATIENCE * 2).unwrap();
    assert_eq!(
        (answer.text.as_str(), answer.finish.is_cut(true), answer.attempts),
        (ANSWER, false, 1)
    );
    let usage = answer.usage.unwrap();
    assert_eq!((usage.prompt_tokens, usage.completion_tokens), (Some(10), Some(5)));
    stage.assert_ended();

    let requests = stage.server.requests();
    let [request] = &requests[..] else { panic!("{requests:?}") };
    assert_eq!(request.path, "/v1/chat/completions");
    assert_eq!(request.header("authorization"), Some(format!("Bearer {KEY}").as_str()));
    let body = request.json();
    assert_eq!(body["model"], "maker/model-1");
    assert_eq!((&body["max_tokens"], &body["temperature"]), (&value!(512), &value!(0)));
    assert_eq!(body["messages"][1]["content"], format!("Judge.\n\n{CONTENT}"));
    assert_eq!(body["messages"].as_array().unwrap().len(), 2);
    assert!(body["tools"].is_null(), "{body}");
    assert!(!body.to_string().contains(KEY));
    let files_with = |what: &str| fs::read_to_string(stage.dir.path().join(what)).unwrap();
    assert_eq!((files_with("key"), files_with("question").is_empty()), (String::new(), false));
}

#[test]
fn refusals_keep_their_class_and_what_they_ask() {
    let stage = Stage::new(Server::always(reply(
        429,
        &[("retry-after", "1"), ("content-type", "application/json")],
        value!({"error": {"message": "slow down"}}).to_string(),
    )));
    let failure =
        stage.fails(Kind::RateLimited, "too many requests (429): slow down; it asks to wait 1 s");
    assert_eq!(failure.attempts as usize, stage.requests());
}

#[test]
fn failing_endpoint_is_called_no_more_often_than_allowed() {
    let stage = Stage::new(Server::always(json(500, &value!({"error": {"message": "it broke"}}))));
    // By itself it would call five times more, for more than a minute.
    let failure = stage.asked(&Ask { calls: Some(1), ..ask() }, PATIENCE * 2).unwrap_err();
    assert_eq!(failure.kind, Kind::ServerError, "{failure:?}");
    assert!(failure.what.ends_with("failed once: AI_APICallError: it broke"), "{failure:?}");
    assert_eq!((failure.attempts, stage.requests()), (1, 1));
    stage.assert_ended();
}

#[test]
fn hanging_endpoint_is_a_timeout_and_leaves_no_orphan() {
    let stage = Stage::new(Server::always(vec![Action::Hang]));
    let failure = stage.asked(&ask(), Duration::from_secs(12)).unwrap_err();
    assert_eq!(failure.kind, Kind::Timeout, "{failure:?}");
    stage.assert_ended();
    assert!((0..stage.server.connections()).all(|n| stage.server.closed(n, PATIENCE).is_some()));
}

#[test]
fn stream_without_an_end_is_ended() {
    let text = piece(&value!({"role": "assistant", "content": ANSWER}), None);
    let stage = Stage::new(Server::always(stream(&[text])));
    stage.fails(Kind::InvalidAnswer, "the model's answer broke off 2 times");
}

#[test]
fn tool_that_the_model_asks_for_does_not_run() {
    let place = tempfile::tempdir().unwrap();
    let made = place.path().join("made");
    let command = value!({"command": format!("touch '{}'", made.display()), "description": "x"});
    let call = value!({"index": 0, "id": "call_1", "type": "function",
        "function": {"name": "bash", "arguments": command.to_string()}});
    let asks = ended(&[
        piece(&value!({"role": "assistant", "tool_calls": [call]}), None),
        piece(&value!({}), Some("tool_calls")),
    ]);
    let stage = Stage::new(Server::in_order(vec![asks, answer()]));
    stage.fails(Kind::InvalidAnswer, "the model asked for a tool (bash)");
    assert!(!made.exists());
}

#[test]
fn other_agent_than_the_judge_is_a_failure() {
    let change = "for a; do shift; [ \"$a\" != judge ] || a=juge; set -- \"$@\" \"$a\"; done";
    let stage = Stage::with(Server::always(answer()), change);
    stage.fails(Kind::Unavailable, "did not find its agent \"judge\"");
}

#[test]
fn answer_is_not_lost_with_a_program_that_stays_or_ends_badly() {
    // The script that started the program stays, or ends with a code of its own.
    for end in ["sleep 3600", "exit 1"] {
        let change = format!("trap 'echo Update available; {end}' EXIT");
        let stage = Stage::with(Server::always(answer()), &change);
        let answer = stage.asked(&ask(), PATIENCE * 2).unwrap();
        assert_eq!((answer.text.as_str(), answer.attempts), (ANSWER, 1), "{end}");
        stage.assert_ended();
        assert_eq!(stage.requests(), 1, "{end}");
    }
}

#[test]
fn program_names_its_version() {
    let opencode = Opencode::new(Settings::new(program("opencode"))).unwrap();
    assert_eq!(opencode.base(), "opencode 1.18.33 agent/1");
}
