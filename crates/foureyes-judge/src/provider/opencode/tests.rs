mod ends;
mod launch;

use super::events::{Events, Stop};
use super::log::Log;
use super::{MOST_CALLS, Opencode, Settings, question};
use crate::provider::{Ask, Failure, FailureKind, Message, Reply, Role};
use proptest::prelude::*;
use secrecy::SecretString;
use serde_json::{Value, json};
use std::ffi::OsString;
use std::path::Path;
use std::process::Command;
use std::time::Duration;
use tokio::time::Instant;

const KEY: &str = "sk-very-\"secret\\-key";

fn ask() -> Ask {
    let message = |role, text: &str| Message { role, text: text.to_owned() };
    Ask {
        model: "opencode/gpt-5-nano".to_owned(),
        messages: vec![message(Role::User, "content {env:HOME}"), message(Role::System, "rules")],
        temperature: Some(0.0),
        call: None,
        calls: None,
        paid: None,
        max_tokens: Some(512),
        schema: None,
    }
}

fn path() -> Vec<(OsString, OsString)> {
    vec![("PATH".into(), "/usr/local/bin:/usr/bin:/bin".into()), ("HTTPS_PROXY".into(), "x".into())]
}

/// A program of the test's own in the place of opencode.
fn program(dir: &Path, script: &str) -> Opencode {
    let program = dir.join("opencode");
    // A process of its own writes it: a program that somebody still has open cannot be started, and
    // other tests fork meanwhile.
    let make = "printf '#!/bin/sh\\n%s\\n' \"$2\" > \"$1\" && chmod 755 \"$1\"";
    let mut shell = Command::new("sh");
    assert!(shell.args(["-c", make, "sh"]).arg(&program).arg(script).status().unwrap().success());
    let key = Some(SecretString::from(KEY));
    Opencode::new(Settings { key, environment: path(), ..Settings::new(program) }).unwrap()
}

fn block<T>(future: impl Future<Output = T>) -> T {
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_io().enable_time().build().unwrap();
    runtime.block_on(future)
}

fn asked(opencode: &Opencode, ask: &Ask, seconds: u64) -> Result<Reply, Failure> {
    block(async { opencode.ask(ask, Instant::now() + Duration::from_secs(seconds)).await })
}

/// What comes of a program that prints these lines.
fn printed(lines: &[Value], more: &str) -> Result<Reply, Failure> {
    printed_to(lines, more, &ask())
}

/// The same, to this question.
fn printed_to(lines: &[Value], more: &str, ask: &Ask) -> Result<Reply, Failure> {
    let dir = tempfile::tempdir().unwrap();
    let all: String = lines.iter().map(|line| format!("{line}\n")).collect();
    std::fs::write(dir.path().join("events"), all).unwrap();
    let script = format!("cat > /dev/null; cat '{}/events'; {more}", dir.path().display());
    asked(&program(dir.path(), &script), ask, 60)
}

fn start() -> Value {
    json!({"type": "step_start", "part": {"type": "step-start"}})
}

fn says(text: &str) -> Value {
    json!({"type": "text", "part": {"type": "text", "text": text}})
}

fn finish(reason: &str, input: u64, output: u64) -> Value {
    let tokens =
        json!({"input": input, "output": output, "reasoning": 0, "cache": {"read": 0, "write": 0}});
    json!({"type": "step_finish", "part": {"type": "step-finish", "reason": reason, "tokens": tokens}})
}

fn error(name: &str, data: Value) -> Value {
    json!({"type": "error", "error": {"name": name, "data": data}})
}

#[test]
fn text_of_the_last_step_is_the_answer() {
    let lines = [
        start(),
        says("half of"),
        finish("unknown", 0, 0),
        start(),
        says("the "),
        json!({"type": "reasoning", "part": {"text": "thoughts"}}),
        says("answer"),
        finish("stop", 10, 5),
    ];
    let reply = printed(&lines, "").unwrap();
    assert_eq!((reply.text.as_str(), reply.finish.is_cut(true)), ("the answer", false));
    assert_eq!((reply.attempts, reply.uncounted, reply.served_model), (2, 1, None));
    let usage = reply.usage.unwrap();
    assert_eq!((usage.prompt_tokens, usage.completion_tokens), (Some(10), Some(5)));
    let cut = printed(&[start(), says("the"), finish("length", 0, 0)], "").unwrap();
    assert_eq!((cut.finish.is_cut(true), cut.usage, cut.uncounted), (true, None, 1));
}

#[test]
fn each_failure_has_its_class_and_its_sentence() {
    use FailureKind as K;
    let api = |status: u16, more: Value| {
        let mut data = json!({"message": "no", "statusCode": status, "responseBody": "{}"});
        data.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        vec![error("APIError", data)]
    };
    let wait = json!({"responseHeaders": {"retry-after": "2"}});
    let unknown = |message: &str| vec![error("UnknownError", json!({"message": message}))];
    let tool = json!({"type": "tool_use", "part": {"type": "tool", "tool": "bash"}});
    let open = || [start(), says("a"), finish("unknown", 0, 0)];
    for (lines, more, kind, words) in [
        (api(401, json!({})), "exit 1", K::Unauthorized, "refused the key (401): no"),
        (api(429, wait), "exit 1", K::RateLimited, "requests (429): no; it asks to wait 2 s"),
        (api(408, json!({})), "exit 1", K::Timeout, "gave up waiting (408)"),
        (api(500, json!({})), "exit 1", K::ServerError, "failed (500)"),
        (
            api(400, json!({"responseBody": "credit balance is too low"})),
            "",
            K::RateLimited,
            "(400)",
        ),
        (unknown("The operation timed out."), "exit 1", K::Timeout, "The operation timed out."),
        (unknown("Model not found: a/b."), "exit 1", K::Unavailable, "Model not found"),
        (unknown("Cannot connect to API: Was there a typo?"), "", K::Unavailable, "Cannot connect"),
        (
            unknown("Unexpected server error."),
            "exit 1",
            K::ServerError,
            "opencode reports UnknownError: Unexpected server error.",
        ),
        (unknown("Unexpected"), "exit 1", K::ServerError, "opencode reports UnknownError"),
        (
            vec![error("ContextOverflowError", json!({"message": "too long", "statusCode": 400}))],
            "exit 1",
            K::InvalidAnswer,
            "longer than the model takes: too long",
        ),
        (vec![start(), tool], "sleep 3600", K::InvalidAnswer, "asked for a tool (bash)"),
        ([open(), open()].concat(), "sleep 3600", K::InvalidAnswer, "broke off 2 times"),
        (vec![json!(["no event"])], "", K::InvalidAnswer, "without an answer: [\"no event\"]"),
        (vec![], "", K::InvalidAnswer, "without an error and without an answer"),
        (open().to_vec(), "", K::InvalidAnswer, "before the model had finished"),
        (vec![start(), finish("stop", 1, 1)], "", K::InvalidAnswer, "with an empty answer"),
        (vec![start(), says("a"), finish("content-filter", 1, 1)], "", K::InvalidAnswer, "filter"),
        (vec![], "echo 'Error: bad' >&2; exit 3", K::Unavailable, "exit code 3: Error: bad"),
        (vec![], "kill -9 $$", K::Unavailable, "signal 9"),
        (
            vec![],
            "echo '! agent \"judge\" not found. Falling back to default agent' >&2; sleep 3600",
            K::Unavailable,
            "would have asked another one",
        ),
    ] {
        let failure = printed(&lines, more).unwrap_err();
        assert_eq!(failure.kind, kind, "{failure:?}");
        assert!(failure.what.contains(words), "{words:?} is not in {failure:?}");
        assert!(!failure.what.contains(['\n', '\u{1b}']), "{failure:?}");
    }
}

#[test]
fn program_is_ended_at_the_last_call_that_it_may_make() {
    let words = "AI_APICallError: too many requests";
    let dir = tempfile::tempdir().unwrap();
    let failing = |calls: u32| {
        let line = format!(r#"level=ERROR message="stream error" error.error="{words}""#);
        let lines = format!("{line}\n").repeat(calls as usize);
        std::fs::write(dir.path().join("log"), lines).unwrap();
        let script = format!("cat > /dev/null; cat '{}/log' >&2; sleep 3600", dir.path().display());
        program(dir.path(), &script)
    };
    let opencode = failing(MOST_CALLS);
    let failure = asked(&opencode, &ask(), 60).unwrap_err();
    assert_eq!((failure.kind, failure.attempts), (FailureKind::RateLimited, opencode.calls()));
    assert!(failure.what.contains(&format!("failed 6 times: {words}")), "{failure:?}");
    let few = asked(&failing(1), &Ask { calls: Some(1), ..ask() }, 60).unwrap_err();
    assert_eq!((few.attempts, few.uncounted), (1, 0), "a refused call costs nothing: {few:?}");
    let open = [start(), says("a"), finish("unknown", 0, 0)];
    let once = Ask { calls: Some(1), ..ask() };
    let open = printed_to(&open, "sleep 3600", &once).unwrap_err();
    assert_eq!((open.attempts, open.kind), (1, FailureKind::InvalidAnswer), "{open:?}");
}

#[test]
fn log_names_what_the_events_do_not() {
    let dir = tempfile::tempdir().unwrap();
    let failed = r#"level=ERROR message=failed ref=e1 error="ProviderModelNotFoundError: Model not found: a/\"b\"." cause="x""#;
    std::fs::write(dir.path().join("log"), format!("{failed}\n")).unwrap();
    let event = error("UnknownError", json!({"message": "Unexpected server error."}));
    std::fs::write(dir.path().join("events"), format!("{event}\n")).unwrap();
    let place = dir.path().display();
    let script = format!("cat > /dev/null; cat '{place}/log' >&2; cat '{place}/events'; exit 1");
    let failure = asked(&program(dir.path(), &script), &ask(), 60).unwrap_err();
    assert_eq!((failure.kind, failure.uncounted), (FailureKind::Unavailable, 0), "{failure:?}");
    assert!(failure.what.contains("Model not found: a/\"b\"."), "{failure:?}");

    let refused = r#"level=ERROR message="stream error" error.error="AI_APICallError: Unable to connect." small=false"#;
    std::fs::write(dir.path().join("log"), format!("{refused}\n")).unwrap();
    let script = format!("cat > /dev/null; cat '{place}/log' >&2; sleep 3600");
    let failure = asked(&program(dir.path(), &script), &ask(), 4).unwrap_err();
    assert_eq!(failure.kind, FailureKind::Unavailable, "{failure:?}");
    let words =
        "no answer within 4 s; the endpoint failed once: AI_APICallError: Unable to connect.";
    assert!(failure.what.ends_with(words), "{failure:?}");
}

#[test]
fn dropped_question_ends_the_program_and_its_children() {
    let dir = tempfile::tempdir().unwrap();
    let pipe = dir.path().join("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let reader = std::thread::spawn({
        let pipe = pipe.clone();
        move || std::fs::read(pipe).unwrap()
    });
    let ready = dir.path().join("ready");
    let (pipe, is_ready) = (pipe.display(), ready.display());
    let script = format!("exec 3>'{pipe}'; sleep 3600 & : > '{is_ready}'; sleep 3600");
    let opencode = program(dir.path(), &script);
    block(async {
        let question = ask();
        let mut asked =
            Box::pin(opencode.ask(&question, Instant::now() + Duration::from_secs(600)));
        while !ready.exists() {
            let more = tokio::time::timeout(Duration::from_millis(10), &mut asked).await;
            assert!(more.is_err(), "{more:?}");
        }
    });
    // It ends when nobody has the pipe open any more.
    assert_eq!(reader.join().unwrap(), b"");
}

#[test]
fn late_program_and_endless_output_are_ended() {
    let dir = tempfile::tempdir().unwrap();
    let failure = asked(&program(dir.path(), "sleep 3600 & sleep 3600"), &ask(), 1).unwrap_err();
    assert_eq!(failure.kind, FailureKind::Timeout);
    assert!(failure.what.contains("no answer within 1 s"), "{failure:?}");
    assert_eq!((failure.attempts, failure.uncounted), (1, 1));
    let endless = asked(&program(dir.path(), "yes '{\"type\":\"text\"}'"), &ask(), 60).unwrap_err();
    assert!(endless.what.contains("more than 8388608 bytes"), "{endless:?}");
}

#[test]
fn missing_program_and_unusable_model_are_failures_that_cost_nothing() {
    let missing = Opencode::new(Settings::new("/no/such/opencode")).unwrap();
    let failure = asked(&missing, &ask(), 60).unwrap_err();
    assert_eq!(failure.what, "the program was not found: /no/such/opencode");
    assert_eq!(
        (failure.kind, failure.attempts, failure.uncounted),
        (FailureKind::Unavailable, 0, 0)
    );
    assert_eq!(missing.base(), "opencode of an unknown version agent/1");
    let directory = asked(&Opencode::new(Settings::new("/")).unwrap(), &ask(), 60).unwrap_err();
    assert_eq!(directory.what, "the program cannot be started: /: Permission denied");
    let nameless = Settings {
        environment: vec![("PATH".into(), "/no/bin:/no/such/bin".into())],
        ..Settings::new("opencode")
    };
    let failure = asked(&Opencode::new(nameless).unwrap(), &ask(), 60).unwrap_err();
    assert_eq!(
        failure.what,
        "the program was not found: opencode is not in PATH (/no/bin:/no/such/bin)"
    );
    for model in ["fastest", "-x/y", "a/", "a/{file:b}", "a/b\n", ""] {
        let failure = asked(&missing, &Ask { model: model.to_owned(), ..ask() }, 60).unwrap_err();
        assert!(failure.what.starts_with("the model"), "{model:?}: {failure:?}");
    }
}

#[test]
fn program_without_its_interpreter_is_named_and_no_directory_of_ours() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("opencode");
    for (text, mode) in [("#!/no/such/node\n", 0o755), ("#!/bin/sh\n", 0o644)] {
        std::fs::write(&path, text).unwrap();
        let mode = std::os::unix::fs::PermissionsExt::from_mode(mode);
        std::fs::set_permissions(&path, mode).unwrap();
        let failure = asked(&Opencode::new(Settings::new(&path)).unwrap(), &ask(), 60).unwrap_err();
        let begin = format!("the program cannot be started: {}: ", path.display());
        assert!(failure.what.starts_with(&begin), "{failure:?}");
        assert!(!failure.what.contains("foureyes-opencode-"), "{failure:?}");
    }
}

#[test]
fn version_is_asked_once_and_names_the_judge() {
    let dir = tempfile::tempdir().unwrap();
    let count = dir.path().join("count");
    let script = format!("echo asked >> '{}'; echo 1.18.33", count.display());
    let opencode = program(dir.path(), &script);
    assert_eq!(
        (opencode.base(), opencode.base()),
        ("opencode 1.18.33 agent/1".to_owned(), "opencode 1.18.33 agent/1".to_owned())
    );
    assert_eq!(std::fs::read_to_string(count).unwrap(), "asked\n");
}

#[test]
fn version_that_is_not_named_in_time_is_unknown_and_asked_for_again() {
    let dir = tempfile::tempdir().unwrap();
    let begun = dir.path().join("begun");
    let opencode = program(dir.path(), &format!(": > '{}'; echo 1.18.33", begun.display()));
    block(opencode.find_version(Instant::now()));
    assert_eq!(opencode.base(), "opencode of an unknown version agent/1");
    assert!(!begun.exists(), "there was no time to start it");
    block(async { opencode.find_version(Instant::now() + Duration::from_secs(60)).await });
    assert_eq!(opencode.base(), "opencode 1.18.33 agent/1");
    assert_eq!(opencode.address(), "opencode agent/1");
}

#[test]
fn models_are_those_of_the_provider() {
    let dir = tempfile::tempdir().unwrap();
    let script = "[ \"$1\" = models ] || exit 1; echo opencode/a; echo other/b; \
        echo \"opencode/$OPENCODE_CONFIG_CONTENT\"";
    let made = program(dir.path(), script);
    let list = |provider: Option<&str>| {
        let provider = provider.map(str::to_owned);
        let opencode = Opencode::new(Settings { provider, ..made.settings.clone() }).unwrap();
        block(async { opencode.models(Instant::now() + Duration::from_secs(60)).await }).unwrap()
    };
    assert_eq!(list(None), ["opencode/a", "other/b", "opencode/"]);
    let ours = list(Some("opencode"));
    assert_eq!((ours.len(), ours[0].as_str()), (2, "opencode/a"));
    assert!(ours[1].contains(r#""apiKey":"{env:FOUREYES_OPENCODE_KEY}""#), "{ours:?}");
}

#[test]
fn key_is_in_no_text_of_a_failure_or_an_answer() {
    let held = "sk-very-secret-key";
    let key = Some(SecretString::from(held));
    let dir = tempfile::tempdir().unwrap();
    let failing = program(dir.path(), "echo \"bad $FOUREYES_OPENCODE_KEY\" >&2; exit 1");
    let failing = Opencode::new(Settings { key, ..failing.settings }).unwrap();
    let all = format!("{:?} {failing:?}", asked(&failing, &ask(), 60));
    assert!(all.contains("bad [key]") && !all.contains(held), "{all}");
}

#[test]
fn messages_are_one_text_with_the_rules_first() {
    assert_eq!(question(&ask()), "rules\n\ncontent {env:HOME}");
}

proptest! {
    #[test]
    fn any_split_of_the_output_gives_the_same(cuts in proptest::collection::vec(1..400_usize, 0..8)) {
        let all: String = [start(), says("schön"), finish("stop", 3, 4)].iter().map(|l| format!("{l}\n")).collect();
        let mut events = Events::new(1 << 20);
        let mut rest = all.as_bytes();
        for cut in cuts {
            let (piece, after) = rest.split_at(cut.min(rest.len()));
            prop_assert_eq!(events.take(piece), None);
            rest = after;
        }
        prop_assert_eq!(events.take(rest), None);
        prop_assert_eq!((events.text(), events.reason()), ("schön", Some("stop")));
    }

    #[test]
    fn any_bytes_are_taken_without_a_fault(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
        let _ = Events::new(300).take(&bytes);
        let _ = Log::default().take(&bytes);
    }
}

#[test]
fn long_log_is_kept_at_its_end() {
    let mut log = Log::default();
    for _ in 0..1000 {
        assert_eq!(log.take(&[b'x'; 100]), None);
    }
    assert_eq!(log.take(b"\nFalling back to default agent\n"), Some(Stop::OtherAgent));
    assert!(log.end().len() <= 16 << 10 && log.end().ends_with("default agent\n"));
}
