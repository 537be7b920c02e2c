//! Whether a judge carries the call word: asked, and as the log shows it.

use super::check::fits;
use super::stage::{AGENT, Stage, errors};
use crate::call_word::call_word;
use crate::http::{Action, Request, Server, answer, json, reply};
use serde_json::{Value, json as value};
use std::process::Output;

const VERDICT: &str =
    r#"{"scores":{"semantic":4,"pragmatic":4,"syntactic":4},"verdict":"GO","findings":"fine"}"#;

/// What a model of a name answers.
fn says(request: &Request) -> Vec<Action> {
    if request.method == "GET" {
        return json(200, &value!({"data": [{"id": "sound"}, {"id": "small"}, {"id": "down"}]}));
    }
    let asked = request.json();
    // A small model has no word, or one of its own.
    let without = || {
        let text = VERDICT.replacen('{', r#"{"call":"GO","#, 1);
        json(200, &value!({"choices": [{"message": {"content": text}}]}))
    };
    match asked["model"].as_str().unwrap() {
        "small" => without(),
        "down" => reply(503, &[], "down"),
        _ if asked["messages"].to_string().contains("recipe for bread") => {
            answer(r#"{"keep":[0]}"#)
        }
        _ => answer(VERDICT),
    }
}

/// A stage whose judge is a model; `more` comes behind `[judge]`.
fn stage(server: &Server, model: &str, more: &str) -> Stage {
    let mut stage = Stage::new();
    let url = server.url();
    stage.configure(&format!("[judge]\nendpoint = \"{url}\"\nmodel = \"{model}\"\n{more}"));
    stage.set("TERRAPHIM_API_KEY", "key-of-the-test");
    stage.set("NO_PROXY", "127.0.0.1");
    stage
}

/// The questions that a server was asked, but for lists of models.
fn questions(server: &Server) -> Vec<Request> {
    server.requests().into_iter().filter(|request| request.method == "POST").collect()
}

fn document(output: &Output) -> Value {
    let document = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{error}: {}", errors(output)));
    fits("hook-check", &document);
    document
}

/// State, text and hint of each finding about call words.
fn found(document: &Value) -> Vec<(String, String, String)> {
    let text = |c: &Value, key: &str| c[key].as_str().unwrap_or_default().to_owned();
    let checks = document["checks"].as_array().unwrap().iter();
    let ours = checks.filter(|c| c["name"] == "call word");
    ours.map(|c| (text(c, "state"), text(c, "text"), text(c, "hint"))).collect()
}

#[test]
fn question_is_counted_asked_once_and_logged_nowhere() {
    let server = Server::start(says);
    let stage = stage(&server, "sound", "");
    let free = document(&stage.foureyes(&["hook", "check", "--json"]));
    assert_eq!(found(&free)[0].1, "sound (push): no answer in the log yet");
    assert_eq!(
        free["call_word"],
        value!([{"judges": ["push"], "model": "sound", "now": null, "why": null,
            "answers": 0, "carried": 0, "last": null}])
    );
    assert_eq!(questions(&server).len(), 0, "without --ask it costs nothing");
    for _ in 0..2 {
        let output = stage.foureyes(&["hook", "check", "--json", "--ask"]);
        assert_eq!(errors(&output), "asking 1 question, one per judge: sound\n");
        let asked = document(&output);
        assert_eq!(found(&asked)[0].1, "sound (push) carries the word");
        assert_eq!(
            (found(&asked)[0].0.as_str(), &asked["call_word"][0]["now"]),
            ("ok", &"carries".into())
        );
    }
    let words: Vec<_> = questions(&server).iter().map(|q| call_word(&q.body)).collect();
    assert!(words.len() == 2 && words[0].is_some() && words[0] != words[1], "{words:?}");
    assert!(!stage.path("home/.openclaw").exists(), "nothing is logged");
}

#[test]
fn judge_without_the_word_is_a_warning_and_one_without_answer_a_failure() {
    let server = Server::start(says);
    let small = stage(&server, "small", "");
    let output = small.foureyes(&["hook", "check", "--json", "--ask"]);
    let (state, text, hint) = found(&document(&output)).remove(0);
    assert_eq!((state.as_str(), text.as_str()), ("warn", "small (push) does not carry the word"));
    assert!(hint.contains("larger model") && hint.contains("{{answer}}"), "{hint}");
    assert_eq!(questions(&server).len(), 1, "it is not asked a second time");
    assert_eq!(document(&output)["call_word"][0]["now"], "lacks");

    let down = stage(&server, "down", "");
    let output = down.foureyes(&["hook", "check", "--json", "--ask"]);
    let (state, text, _) = found(&document(&output)).remove(0);
    assert!(state == "fail" && text.starts_with("down (push) cannot answer: "), "{text}");
    assert!(text.contains("503") && output.status.code() == Some(1), "{text}");
    assert_eq!(questions(&server).len(), 2, "one question is one call");

    let mut keyless = stage(&server, "sound", "");
    keyless.set("TERRAPHIM_API_KEY", "");
    let text =
        found(&document(&keyless.foureyes(&["hook", "check", "--json", "--ask"]))).remove(0).1;
    assert!(text.ends_with("TERRAPHIM_API_KEY is not set in this environment"), "{text}");
    let capped = stage(
        &server,
        "sound",
        "spend_cap = 0.0001\n[prices]\nsound = { prompt = 100, completion = 100 }\n",
    );
    let text =
        found(&document(&capped.foureyes(&["hook", "check", "--json", "--ask"]))).remove(0).1;
    assert!(
        text.starts_with("sound (push) cannot answer: ") && text.contains("spend cap"),
        "{text}"
    );
    assert_eq!(questions(&server).len(), 2, "nobody was asked");
}

#[test]
fn each_distinct_judge_is_asked_by_its_own_question() {
    let server = Server::start(says);
    let more = "[judges.quick]\nkind = \"chat\"\nmodel = \"sound\"\n\
        [judges.deep]\nkind = \"chat\"\nmodel = \"small\"\n\
        [judges.tiebreaker]\nkind = \"chat\"\nmodel = \"down\"\n\
        [judges.peer]\nmodel = \"peer\"\n[judges.relevance]\nkind = \"chat\"\n[memories]\njudge = true\n[task]\ndepth = \"panel\"\n";
    let stage = stage(&server, "sound", more);
    let output = stage.foureyes(&["hook", "check", "--json", "--ask"]);
    assert_eq!(
        errors(&output),
        "asking 5 questions, one per judge: sound, small, down, peer, sound\n"
    );
    let document = document(&output);
    let all: Vec<_> = document["call_word"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| (one["judges"].to_string(), one["now"].as_str().unwrap().to_owned()))
        .collect();
    let expected = [
        (r#"["push","quick"]"#, "carries"),
        (r#"["deep"]"#, "lacks"),
        (r#"["tiebreaker"]"#, "no_answer"),
        (r#"["peer"]"#, "carries"),
        (r#"["relevance"]"#, "carries"),
    ];
    assert_eq!(all, expected.map(|(judges, now)| (judges.to_owned(), now.to_owned())));
    let asked = questions(&server);
    let text = |n: usize| asked[n].json()["messages"].to_string();
    assert_eq!(asked.len(), 5);
    assert!(!text(0).contains("task description") && text(1).contains("task description"));
    assert!(text(4).contains("A recipe for bread"), "memories have a question of their own");
}

#[test]
fn judge_that_cannot_be_asked_from_here_is_named() {
    let server = Server::start(says);
    let scripted = stage(&server, "sound", "script = \"/nowhere/answers.jsonl\"\n");
    let output = scripted.foureyes(&["hook", "check", "--json", "--ask"]);
    assert_eq!(errors(&output), "asking 0 questions\n");
    assert!(found(&document(&output))[0].1.contains("answers come from a file"));
    let key = "0".repeat(64);
    let service =
        stage(&server, "sound", &format!("kind = \"service\"\nservice_key = [\"{key}\"]\n"));
    let output = service.foureyes(&["hook", "check", "--json", "--ask"]);
    let (state, text, _) = found(&document(&output)).remove(0);
    assert_eq!(
        (state.as_str(), text.as_str()),
        ("ok", "sound (push): the service asks its own judges")
    );
    assert_eq!(questions(&server).len(), 0);
}

#[test]
fn log_shows_for_free_who_carried_the_word() {
    let server = Server::start(says);
    let stage = stage(&server, "sound", "");
    stage.install();
    let push = |n: u32| {
        stage.commit(AGENT, &[("research/a.md", &format!("text {n}\n"))]);
        assert!(stage.git(&["push", "-q", "origin", "main"]).status.success());
    };
    (0..2).for_each(push);
    let asked = questions(&server).len();
    let today = jiff::Timestamp::now().to_string()[..10].to_owned();
    let (state, text, _) =
        found(&document(&stage.foureyes(&["hook", "check", "--json"]))).remove(0);
    assert_eq!(state, "ok");
    assert_eq!(
        text,
        format!("sound (push) carried the word in 2 of its last 2 answers, last on {today}")
    );
    assert_eq!(questions(&server).len(), asked);
    // Another judge has answers of its own.
    let url = server.url();
    stage.configure(&format!("[judge]\nendpoint = \"{url}\"\nmodel = \"small\"\n"));
    push(2);
    let (state, text, hint) =
        found(&document(&stage.foureyes(&["hook", "check", "--json"]))).remove(0);
    assert_eq!(
        (state.as_str(), text.as_str()),
        ("warn", "small (push) carried the word in 0 of its last 1 answer")
    );
    assert!(hint.contains("larger model"), "{hint}");
}

#[test]
fn installing_asks_once_and_is_never_stopped_by_the_answer() {
    let server = Server::start(says);
    for (model, expected) in [
        ("sound", "  call word: sound (push) carries the word\n"),
        ("small", "warning: call word: small (push) does not carry the word\n"),
        ("down", "warning: call word: down (push) cannot answer: "),
    ] {
        let stage = stage(&server, model, "");
        let before = questions(&server).len();
        let output = stage.foureyes(&["hook", "install"]);
        let text = String::from_utf8(output.stdout.clone()).unwrap();
        assert!(output.status.success() && text.contains(expected), "{text}");
        assert!(stage.work().join(".git/hooks/pre-push").exists());
        assert_eq!(questions(&server).len(), before + 1);
        assert!(stage.foureyes(&["hook", "install"]).status.success());
        assert_eq!(questions(&server).len(), before + 1, "it stood already");
    }
    let quiet = stage(&server, "sound", "");
    let before = questions(&server).len();
    let output = quiet.foureyes(&["hook", "install", "--no-ask", "--json"]);
    let document: Value = serde_json::from_slice(&output.stdout).unwrap();
    fits("hook-change", &document);
    assert_eq!((&document["call_word"], questions(&server).len()), (&value!([]), before));
}

#[test]
fn rehearsal_shows_it_by_its_own_answer() {
    let server = Server::start(says);
    for (model, carried) in [("sound", true), ("small", false)] {
        let stage = stage(&server, model, "");
        let before = questions(&server).len();
        let output = stage.foureyes(&["hook", "rehearse", "--json"]);
        let document: Value = serde_json::from_slice(&output.stdout).unwrap();
        fits("hook-rehearsal", &document);
        assert_eq!(document["steps"][0]["carried"], carried, "{document:#}");
        // The judge may be asked about the poor asset twice: that is the hook's own question.
        let asked = questions(&server).len() - before;
        let plain = stage.foureyes(&["hook", "rehearse"]);
        let text = String::from_utf8(plain.stdout).unwrap();
        let lacking =
            "warn  call word: small does not carry the word\n      -> its answers do not count";
        assert_eq!(text.contains(lacking), !carried, "{text}");
        assert_eq!(questions(&server).len() - before, 2 * asked, "no further question");
    }
}
