use super::{Answer, Error, Format, Scripted};
use crate::provider::{Ask, FailureKind, Message, Role};
use std::time::Duration;
use tokio::time::Instant;

fn ask(model: &str, text: &str) -> Ask {
    Ask {
        model: model.to_owned(),
        messages: vec![Message { role: Role::User, text: text.to_owned() }],
        temperature: None,
        max_tokens: None,
        schema: None,
        call: None,
        calls: None,
        paid: None,
    }
}

fn block<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap().block_on(future)
}

fn soon() -> Instant {
    Instant::now() + Duration::from_secs(5)
}

const SCRIPT: &str = r#"
models = ["fastest", "deep"]

[[answer]]
when = "weather"
text = "rain"
prompt_tokens = 10
served_model = "served"

[[answer]]
model = "deep"
fail = "rate_limited"
times = 2

[[answer]]
text = "anything"
always = true
"#;

fn text_of(scripted: &Scripted, ask: &Ask) -> Result<String, FailureKind> {
    block(scripted.ask(ask, soon())).map(|reply| reply.text).map_err(|failure| failure.kind)
}

#[test]
fn the_first_answer_that_fits_and_is_left_is_given() {
    let scripted = Scripted::parse(SCRIPT, Format::Toml).unwrap();
    let weather = ask("fast", "the weather?");
    assert_eq!(text_of(&scripted, &weather), Ok("rain".to_owned()));
    assert_eq!(text_of(&scripted, &weather), Ok("anything".to_owned()));
    let deep = ask("deep-1", "what?");
    assert_eq!(text_of(&scripted, &deep), Err(FailureKind::RateLimited));
    assert_eq!(text_of(&scripted, &deep), Err(FailureKind::RateLimited));
    assert_eq!(text_of(&scripted, &deep), Ok("anything".to_owned()));
    assert_eq!(scripted.models(), ["fastest", "deep"]);
    assert_eq!(scripted.asked(), 5);
}

#[test]
fn reply_reports_usage_and_model_after_delay() {
    let line =
        r#"{"text":"a","delay_ms":30,"served_model":"m-2","completion_tokens":7,"cut":true}"#;
    let scripted = Scripted::parse(line, Format::Jsonl).unwrap();
    let reply = block(scripted.ask(&ask("m", "q"), soon())).unwrap();
    assert_eq!(reply.served_model.as_deref(), Some("m-2"));
    assert_eq!(reply.usage.unwrap().completion_tokens, Some(7));
    assert!(reply.finish.is_cut(true) && reply.latency >= Duration::from_millis(30));
}

#[test]
fn exhausted_script_is_unavailable() {
    let scripted = Scripted::new(vec![Answer { text: "a".to_owned(), ..Answer::default() }]);
    assert_eq!(text_of(&scripted, &ask("m", "q")), Ok("a".to_owned()));
    assert_eq!(text_of(&scripted, &ask("m", "q")), Err(FailureKind::Unavailable));
}

#[test]
fn an_answer_after_the_time_is_none() {
    let slow = Answer { delay_ms: 3_600_000, always: true, ..Answer::default() };
    let scripted = Scripted::new(vec![slow]);
    let until = Instant::now() + Duration::from_millis(20);
    let failure = block(scripted.ask(&ask("m", "q"), until)).unwrap_err();
    assert_eq!(failure.kind, FailureKind::Timeout);
}

#[test]
fn function_provides_answers() {
    let scripted =
        Scripted::by(|ask| Answer { text: ask.messages[0].text.to_uppercase(), ..<_>::default() });
    assert_eq!(text_of(&scripted, &ask("m", "loud")), Ok("LOUD".to_owned()));
}

#[test]
fn a_wrong_script_names_its_line() {
    let line = |text: &str, format| match Scripted::parse(text, format) {
        Err(Error::Line { line, .. }) => Some(line),
        _ => None,
    };
    assert_eq!(line("\n[[answer]]\ntekst = 'x'\n", Format::Toml), Some(3));
    assert_eq!(line("[[answer]]\n\n[[answer]]\nfail = 'nope'\n", Format::Toml), Some(3));
    assert_eq!(line("{\"text\":\"a\"}\n\n{\"text\":1}\n", Format::Jsonl), Some(3));
    assert_eq!(line("{\"always\":true,\"times\":1}", Format::Jsonl), Some(1));
    let missing = Scripted::read(std::path::Path::new("no/such/file.toml")).unwrap_err();
    assert!(missing.to_string().contains("no/such/file.toml"), "{missing}");
}
