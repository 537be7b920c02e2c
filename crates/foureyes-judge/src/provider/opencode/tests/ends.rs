//! The ways in which a program ends or does not, and what is lost by it: no whole answer.

use super::{KEY, ask, asked, block, error, finish, path, program, says, start};
use crate::provider::opencode::{Opencode, Settings};
use crate::provider::{Failure, FailureKind as Kind, Reply};
use secrecy::SecretString;
use serde_json::{Value, json};
use std::process::Command;
use std::time::Duration;
use tokio::time::Instant;

/// More than a test may take: a program that is let stay makes the test hang.
const FOR_EVER: Duration = Duration::from_secs(3600);

/// What comes of a script in which `p 0` prints the first of these texts, `p 1` the second.
fn run_until(texts: &[String], script: &str, limit: Duration) -> Result<Reply, Failure> {
    let dir = tempfile::tempdir().unwrap();
    let place = dir.path().display();
    for (at, text) in texts.iter().enumerate() {
        std::fs::write(dir.path().join(at.to_string()), text).unwrap();
    }
    let script = format!("cat > /dev/null; p() {{ cat \"{place}/$1\"; }}; {script}");
    let made = program(dir.path(), &script).settings;
    let opencode = Opencode::new(Settings { whole: limit, ..made }).unwrap();
    block(async { opencode.ask(&ask(), Instant::now() + limit).await })
}

fn run(texts: &[String], script: &str) -> Result<Reply, Failure> {
    run_until(texts, script, FOR_EVER)
}

fn lines(events: &[Value]) -> String {
    events.iter().map(|event| format!("{event}\n")).collect()
}

fn answer(reason: &str) -> String {
    lines(&[start(), says("the answer"), finish(reason, 9, 5)])
}

fn reset() -> Value {
    let message = "ECONNRESET: The socket connection was closed unexpectedly";
    error("APIError", json!({"message": message, "statusCode": 200, "isRetryable": true}))
}

/// An error as version 2 reports it.
fn error_2(kind: &str, message: &str) -> Value {
    json!({"type": "error", "error": {"type": kind, "message": message}})
}

fn assert_answer(reply: Result<Reply, Failure>, case: &str) -> Reply {
    let reply = reply.unwrap_or_else(|failure| panic!("{case}: {failure:?}"));
    assert_eq!(reply.text, "the answer", "{case}");
    reply
}

fn assert_failure(reply: Result<Reply, Failure>, kind: Kind, what: &str) -> Failure {
    let failure = reply.unwrap_err();
    assert_eq!(failure.kind, kind, "{failure:?}");
    assert!(failure.what.contains(what), "{what:?} is not in {failure:?}");
    assert!(!failure.what.contains(['\n', '\u{1b}']), "{failure:?}");
    failure
}

#[test]
fn program_that_stays_after_its_answer_is_ended() {
    for (reason, stays) in [
        ("stop", "sleep 3600"),
        ("stop", "trap '' TERM HUP; sleep 3600 & wait"),
        ("stop", "exec >&- 2>&-; sleep 3600"),
        ("stop", "while :; do echo '{\"type\":\"noise\"}'; sleep 0.1; done"),
        ("other", "sleep 3600"),
        ("length", "sleep 3600"),
    ] {
        let reply = assert_answer(run(&[answer(reason)], &format!("p 0; {stays}")), stays);
        assert_eq!((reply.attempts, reply.uncounted), (1, 0), "{stays}");
        assert_eq!(
            (reply.finish.is_cut(true), reply.usage.is_some()),
            (reason != "stop", true),
            "{stays}"
        );
    }
}

#[test]
fn program_that_stays_after_its_answer_leaves_nobody() {
    let dir = tempfile::tempdir().unwrap();
    let pipe = dir.path().join("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let reader = std::thread::spawn({
        let pipe = pipe.clone();
        move || std::fs::read(pipe).unwrap()
    });
    let script = format!("exec 3>'{}'; sleep 3600 & p 0; sleep 3600", pipe.display());
    assert_answer(run(&[answer("stop")], &script), "a child");
    // It ends when nobody has the pipe open any more.
    assert_eq!(reader.join().unwrap(), b"");
}

#[test]
fn program_that_stays_after_the_end_of_a_poor_step_is_ended() {
    let filtered = assert_failure(
        run(&[answer("content-filter")], "p 0; sleep 3600"),
        Kind::InvalidAnswer,
        "a filter of the endpoint withheld the answer",
    );
    assert_eq!(filtered.beginning.as_deref(), Some("the answer"));
    assert_failure(
        run(&[answer("error")], "p 0; sleep 3600"),
        Kind::InvalidAnswer,
        "the model ended with an error",
    );
    let blank = lines(&[start(), says(" \n"), finish("stop", 1, 1)]);
    assert_failure(run(&[blank], "p 0; sleep 3600"), Kind::InvalidAnswer, "with an empty answer");
}

#[test]
fn program_that_calls_again_is_let_do_so() {
    for reason in ["unknown", "tool-calls", ""] {
        let texts = [lines(&[start(), says("half"), finish(reason, 1, 1)]), answer("stop")];
        let reply = assert_answer(run(&texts, "p 0; sleep 1.3; p 1; sleep 3600"), reason);
        assert_eq!(reply.attempts, 2, "{reason:?}");
    }
    // Version 2 prints late what it has not printed of a text.
    let late = [lines(&[start(), says("the "), finish("stop", 1, 1)]), lines(&[says("answer")])];
    assert_answer(run(&late, "p 0; sleep 0.2; p 1; sleep 3600"), "late text");
}

#[test]
fn whole_answer_counts_however_the_program_ends() {
    let whole = answer("stop");
    for end in ["exit 1", "exit 127", "kill -9 $$", "kill -ILL $$", "echo bad >&2; exit 3"] {
        assert_answer(run(std::slice::from_ref(&whole), &format!("p 0; {end}")), end);
    }
    let failed = lines(&[error("UnknownError", json!({"message": "cannot save"}))]);
    let again = lines(&[start(), says("ha")]);
    for (more, end) in [(&failed, "exit 1"), (&failed, "sleep 3600"), (&again, "exit 1")] {
        assert_answer(run(&[whole.clone(), more.clone()], &format!("p 0; p 1; {end}")), end);
    }
    let endless = "while :; do p 0; done";
    assert_answer(run(std::slice::from_ref(&whole), endless), endless);
    let failures = "level=ERROR message=\"stream error\" error.error=\"no\"\n".repeat(7);
    assert_answer(run(&[whole.clone(), failures], "p 0; p 1 >&2; sleep 3600"), "too many calls");
    let large = format!("p 0; yes '{}'", "x".repeat(1000));
    assert_answer(run(&[whole], &large), "more than is taken");
}

#[test]
fn text_of_a_step_that_did_not_end_is_no_answer() {
    let half = [lines(&[start(), says("the answer")])];
    assert_failure(run(&half, "p 0; exit 1"), Kind::Unavailable, "ended with exit code 1");
    assert_failure(run(&half, "p 0; kill -9 $$"), Kind::Unavailable, "ended with signal 9");
    assert_failure(run(&half, "p 0"), Kind::InvalidAnswer, "without an answer");
    let late = run_until(&half, "p 0; sleep 3600", Duration::from_secs(1));
    let late = assert_failure(late, Kind::Timeout, "no answer within 1 s");
    assert_eq!(late.beginning.as_deref(), Some("the answer"));
    let open = [answer("unknown")];
    assert_failure(run(&open, "p 0; exit 1"), Kind::Unavailable, "ended with exit code 1");
}

#[test]
fn error_that_the_program_recovers_from_loses_nothing() {
    let transport = error_2("provider.transport", "ECONNRESET: The socket connection was closed");
    let half = || vec![start(), says("half")];
    for (before, attempts) in [
        (vec![start(), reset()], 2),
        (vec![reset()], 2),
        ([half(), vec![transport.clone()], half(), vec![transport]].concat(), 3),
        (vec![start(), error("UnknownError", json!({"message": "?"})), finish("error", 0, 0)], 2),
        (vec![start(), error_2("provider.rate-limit", "slow down"), start(), reset()], 3),
    ] {
        let texts = [lines(&before), answer("stop")];
        let reply =
            assert_answer(run(&texts, "p 0; sleep 1.3; p 1; exit 1"), &format!("{before:?}"));
        assert_eq!((reply.attempts, reply.uncounted), (attempts, attempts - 1), "{before:?}");
    }
    let stays = [lines(&[start(), reset()]), answer("stop")];
    assert_answer(run(&stays, "p 0; p 1; sleep 3600"), "it stays after that");
}

#[test]
fn step_after_an_error_may_take_any_time() {
    let texts = [lines(&[reset(), start()]), lines(&[says("the answer"), finish("stop", 9, 5)])];
    assert_answer(run(&texts, "p 0; sleep 17; p 1; exit 1"), "a slow model");
}

#[test]
fn last_error_ends_a_program_that_does_not_go_on() {
    let data = json!({"message": "no", "statusCode": 401, "isRetryable": false});
    let overflow = error("ContextOverflowError", json!({"message": "too long"}));
    for (events, kind, what) in [
        (vec![error("APIError", data)], Kind::Unauthorized, "refused the key (401): no"),
        (vec![overflow.clone(), overflow], Kind::InvalidAnswer, "longer than the model takes"),
        (
            vec![start(), says("half"), reset()],
            Kind::Unavailable,
            "connection to the endpoint broke",
        ),
        (vec![error_2("provider.auth", "no key")], Kind::Unauthorized, "provider.auth: no key"),
    ] {
        let failure = assert_failure(run(&[lines(&events)], "p 0; sleep 3600"), kind, what);
        assert_eq!(failure.attempts, 1, "{failure:?}");
    }
}

#[test]
fn error_is_the_failure_where_nothing_better_follows() {
    let unknown = |message: &str| error("UnknownError", json!({"message": message}));
    let vague = || unknown("Unexpected server error. Check server logs for details.");
    let wait = json!({"retry-after": "3600"});
    let limit = json!({"message": "slow", "statusCode": 429, "responseHeaders": wait});
    for (events, kind, what) in [
        (vec![unknown("Model not found: a/b."), vague()], Kind::Unavailable, "Model not found"),
        (vec![vague()], Kind::ServerError, "Unexpected server error"),
        (vec![reset(), start(), says("half")], Kind::Unavailable, "ECONNRESET"),
        (vec![reset(), vague()], Kind::Unavailable, "ECONNRESET"),
        (vec![error("APIError", limit)], Kind::RateLimited, "(429): slow; it asks to wait 3600 s"),
        (
            vec![error("MessageAbortedError", json!({"message": "Aborted"}))],
            Kind::ServerError,
            "Aborted",
        ),
        (vec![error_2("unknown", "it broke")], Kind::ServerError, "reports unknown: it broke"),
        (vec![json!({"type": "error", "error": "it broke"})], Kind::ServerError, "it broke"),
    ] {
        for end in ["exit 1", "", "sleep 0.1; kill -9 $$"] {
            let reply = run(&[lines(&events)], &format!("p 0; {end}"));
            assert_failure(reply, kind, what);
        }
    }
    let late = run_until(&[lines(&[reset()])], "p 0; sleep 3600", Duration::from_secs(2));
    assert_failure(late, Kind::Unavailable, "ECONNRESET");
    // What a later step ends with is its own reason.
    let filtered = lines(&[reset(), start(), says("x"), finish("content-filter", 1, 1)]);
    assert_failure(run(&[filtered], "p 0; exit 0"), Kind::InvalidAnswer, "a filter");
}

#[test]
fn errors_without_end_are_ended() {
    for events in [vec![reset()], vec![start(), reset()], vec![start(), says("half"), reset()]] {
        let failure = run(&[lines(&events)], "while :; do p 0; sleep 0.05; done");
        assert_failure(failure, Kind::Unavailable, "ECONNRESET");
    }
}

#[test]
fn broken_connection_is_an_outage_and_no_refusal() {
    for message in [
        "socket hang up",
        "read ECONNRESET",
        "Connection reset by server",
        "other side closed",
        "The network connection was closed",
    ] {
        for status in [json!(200), json!(null)] {
            let data = json!({"message": message, "statusCode": status, "isRetryable": true});
            let failure = run(&[lines(&[start(), error("APIError", data)])], "p 0; exit 1");
            let failure = assert_failure(failure, Kind::Unavailable, message);
            assert!(!failure.what.contains("refused"), "{failure:?}");
            assert_eq!((failure.attempts, failure.uncounted), (1, 1), "{failure:?}");
        }
    }
    let data = json!({"message": "Invalid JSON response", "statusCode": 200, "isRetryable": false});
    let odd = run(&[lines(&[error("APIError", data)])], "p 0; exit 1");
    assert_failure(odd, Kind::InvalidAnswer, "opencode reports APIError: Invalid JSON response");
}

#[test]
fn what_is_no_event_loses_no_answer() {
    let [first, text, last] = [start(), says("the answer"), finish("stop", 9, 5)];
    let long = "x".repeat(100_000);
    for (case, printed) in [
        ("banner", format!("Performing one time database migration...\n{}", answer("stop"))),
        ("banner in the same line", format!("Migrating... {first}\n{text}\n{last}\n")),
        ("between", format!("{first}\n\u{1b}[2Kwait\n[1,2]\n{text}\n{{}}\nnull\n{last}\n")),
        ("after", format!("{}Update available 1.18.34\n", answer("stop"))),
        ("after in the same line", format!("{first}\n{text}\n{last}Update available\n")),
        ("no last newline", answer("stop").trim_end().to_owned()),
        ("CRLF", answer("stop").replace('\n', "\r\n")),
        ("byte order mark", format!("\u{feff}{}", answer("stop"))),
        ("one line", format!("{first}{text}{last}")),
        ("long", format!("{long}\n{}{long}", answer("stop"))),
    ] {
        for end in ["exit 0", "exit 1"] {
            let reply =
                assert_answer(run(std::slice::from_ref(&printed), &format!("p 0; {end}")), case);
            assert_eq!((reply.attempts, reply.uncounted), (1, 0), "{case}");
        }
    }
    let unended = [answer("stop").trim_end().to_owned()];
    assert_answer(run(&unended, "p 0; sleep 3600"), "no last newline, and it stays");
}

#[test]
fn tools_and_agents_are_refused_beside_a_whole_answer() {
    let tool = json!({"type": "tool_use", "part": {"type": "tool", "tool": "bash"}});
    let tool = tool.to_string();
    for script in ["p 1; p 0; sleep 3600", "p 0; p 1; sleep 3600", "p 0; p 1"] {
        let failure = run(&[answer("stop"), tool.clone()], script);
        assert_failure(failure, Kind::InvalidAnswer, "asked for a tool (bash)");
    }
    let other = "printf '! agent \"judge\" not found. Falling back to default agent' >&2";
    for script in [format!("{other}; p 0"), format!("p 0; sleep 0.2; {other}; exit 1")] {
        let failure = run(&[answer("stop")], &script);
        assert_failure(failure, Kind::Unavailable, "would have asked another one");
    }
}

#[test]
fn what_is_printed_for_people_is_the_finding_where_there_is_nothing_else() {
    let unknown = "ProviderModelNotFoundError: Model not found: opencode/gpt-5-nano";
    let bare = "1056 |   throw new ModelNotFoundError()\nProviderModelNotFoundError: \
        ProviderModelNotFoundError\n data: {\n  modelID: \"x\",\n},\n";
    for (stdout, stderr, kind, what) in [
        (
            "",
            unknown,
            Kind::Unavailable,
            "without an answer: ProviderModelNotFoundError: Model not",
        ),
        ("", bare, Kind::Unavailable, "ProviderModelNotFoundError data: { modelID: \"x\", },"),
        (
            unknown,
            "",
            Kind::Unavailable,
            "without an answer: ProviderModelNotFoundError: Model not",
        ),
        ("", "Error: Invalid API key", Kind::Unauthorized, "Invalid API key"),
        ("", "12:00:00.429 \u{1b}[31mbad\u{1b}[0m\nnews", Kind::InvalidAnswer, "\\u{1b}[31mbad"),
        ("Update available", "", Kind::InvalidAnswer, "without an answer: Update available"),
        ("{\"a\":1}", "it broke", Kind::InvalidAnswer, "without an answer: it broke"),
        ("", " \n", Kind::InvalidAnswer, "without an error and without an answer"),
    ] {
        let texts = [stdout.to_owned(), stderr.to_owned()];
        assert_failure(run(&texts, "p 0; p 1 >&2"), kind, what);
    }
    let texts = [unknown.to_owned()];
    let failed = run(&texts, "p 0 >&2; exit 1");
    assert_failure(failed, Kind::Unavailable, "exit code 1: ProviderModelNotFoundError");
    let stays = run_until(&texts, "p 0 >&2; sleep 3600", Duration::from_secs(1));
    assert_failure(stays, Kind::Unavailable, "no answer within 1 s: ProviderModelNotFoundError");
    let large = run(&["not an event\n".to_owned()], "p 0; yes");
    assert_failure(large, Kind::InvalidAnswer, "more than 8388608 bytes: not an event y y");
    let long = run(&["x".repeat(100_000)], "p 0").unwrap_err();
    assert!(long.what.len() < 300, "{long:?}");
}

#[test]
fn key_is_in_no_notice() {
    let held = "sk-very-secret-key";
    assert_ne!(held, KEY);
    for to in ["", ">&2"] {
        let dir = tempfile::tempdir().unwrap();
        let script = format!("echo \"bad $FOUREYES_OPENCODE_KEY\" {to}");
        let made = program(dir.path(), &script).settings;
        let key = Some(SecretString::from(held));
        let opencode = Opencode::new(Settings { key, environment: path(), ..made }).unwrap();
        let failure = asked(&opencode, &ask(), 60).unwrap_err();
        assert!(failure.what.contains("bad [key]"), "{failure:?}");
        assert!(!format!("{failure:?}").contains(held), "{failure:?}");
    }
}
