//! Who may have made the result of a task, and which judges are asked for that.

use super::home::Home;
use super::{judges, rules, run, says, task};
use foureyes::engine::four_eyes::Rule;
use foureyes::engine::panel::{Depth, Reason};
use foureyes::engine::record::RecordError;
use foureyes::judging::Item;
use foureyes::judging::task::{Judges, Rules, Task};
use foureyes::provider::Provider;
use foureyes::provider::scripted::{Answer, Scripted};
use serde_json::{Value, json};
use std::sync::Arc;

/// A home with these agents, in which the rule holds and this model judges first.
fn home(agents: &str, rule: &str, quick: &str) -> Home {
    let home = Home::new(["accept"; 3], "");
    home.write(
        ".config/foureyes/config.toml",
        &format!(
            "agents = {agents}\n[judge]\nscript = \"~/answers.toml\"\nfour_eyes = \"{rule}\"\n\
             [judges.quick]\nmodel = \"{quick}\"\n[judges.deep]\nmodel = \"gpt-5\"\n\
             [[family]]\nname = \"ours\"\nauthors = [\"Our Agent\"]\nmodels = [\"ours-*\"]\n"
        ),
    );
    home.write("answers.toml", &format!("[[answer]]\nalways = true\ntext = '''{ACCEPT}'''\n"));
    home
}

const ACCEPT: &str = r#"{"scores":{"semantic":5,"pragmatic":5,"syntactic":5},"verdict":"accept","reasoning":"fine","improvements":[]}"#;

#[test]
fn author_who_is_not_named_is_any_of_the_agents() {
    const AGENTS: &str = "[\"Our Agent\", \"Claude\", \"Codex\"]";
    for (quick, more, expected) in [
        // Any of their families is the author's.
        ("ours-1", &[][..], Some("family_refused")),
        ("claude-haiku-4-5", &[], Some("family_refused")),
        ("opencode/gpt-5-nano", &[], Some("family_refused")),
        ("deepseek-v4", &[], None),
        // Who is named is the author, and nobody else.
        ("claude-haiku-4-5", &["--author", "Codex"], None),
        ("claude-haiku-4-5", &["--author", "claude-opus-4-5"], Some("family_refused")),
        ("ours-1", &["--author", "Our Agent"], Some("family_refused")),
        ("ours-1", &["--author", "Anna"], None),
        // A blank name is none.
        ("ours-1", &["--author="], Some("family_refused")),
        ("claude-haiku-4-5", &["--author= "], Some("family_refused")),
        ("claude-haiku-4-5", &["--author", "\t\u{200b}"], Some("family_refused")),
        ("deepseek-v4", &["--author="], None),
    ] {
        let home = home(AGENTS, "refuse", quick);
        let (code, document) = home.json(more);
        let log = home.log();
        assert_eq!(log[0].get("error").and_then(Value::as_str), expected, "{quick} {more:?}");
        assert_eq!(code, Some(if expected.is_some() { 2 } else { 0 }), "{document:#}");
        // Nobody knows which of the agents it was.
        let author =
            more.get(1).filter(|author| author.trim() != "\u{200b}").map(|author| json!(author));
        assert_eq!(log[0].get("author").cloned(), author);
        assert_eq!(log[0].get("served_model"), None);
    }
}

#[test]
fn agents_of_no_family_are_a_caveat_as_before_and_refused_where_families_are_required() {
    const UNKNOWN: &str = "[\"OpenClaw Agent\"]";
    for (agents, rule, quick, error) in [
        (UNKNOWN, "refuse", "claude-haiku-4-5", None),
        (UNKNOWN, "caveat", "claude-haiku-4-5", None),
        (UNKNOWN, "require", "claude-haiku-4-5", Some("family_unknown")),
        ("[\"Claude\", \"OpenClaw Agent\"]", "require", "gpt-5-nano", Some("family_unknown")),
        ("[\"Claude\"]", "require", "fastest", Some("family_unknown")),
        ("[\"Claude\"]", "require", "gpt-5-nano", None),
        ("[\"Claude\"]", "require", "claude-haiku-4-5", Some("family_refused")),
        ("[]", "require", "gpt-5-nano", Some("family_unknown")),
        ("[\"Claude\"]", "caveat", "claude-haiku-4-5", None),
    ] {
        let home = home(agents, rule, quick);
        let (code, document) = home.json(&[]);
        let first = &home.log()[0];
        assert_eq!(first.get("error").and_then(Value::as_str), error, "{agents} {rule} {quick}");
        assert_eq!(code, Some(if error.is_some() { 2 } else { 0 }), "{document:#}");
        if agents == UNKNOWN {
            assert!(first["caveats"].as_array().unwrap().contains(&json!("family_unknown")));
        }
    }
}

#[test]
fn check_says_what_the_command_does() {
    for (agents, rule, quick) in [
        ("[\"Claude\"]", "refuse", "claude-haiku-4-5"),
        ("[\"Claude\"]", "caveat", "claude-haiku-4-5"),
        ("[\"Claude\"]", "refuse", "fastest"),
        ("[\"Claude\"]", "require", "fastest"),
        ("[\"OpenClaw Agent\"]", "refuse", "gpt-5-nano"),
        ("[\"OpenClaw Agent\"]", "require", "gpt-5-nano"),
        ("[\"Claude\", \"Our Agent\"]", "require", "gpt-5-nano"),
        ("[\"Our Agent\"]", "refuse", "ours-2"),
    ] {
        let home = home(agents, rule, quick);
        let is_asked = home.task(&[]).status.code() == Some(0);
        let check = home.foureyes(&["hook", "check", "--json"]);
        let document: Value = serde_json::from_slice(&check.stdout).unwrap();
        let eyes = document["checks"].as_array().unwrap().iter();
        let eyes = eyes.filter(|one| one["name"] == "task four eyes");
        let quick_fails = eyes
            .filter(|one| one["text"].as_str().unwrap().starts_with("quick: "))
            .any(|one| one["state"] == "fail");
        assert_eq!(quick_fails, !is_asked, "{agents} {rule} {quick}: {document:#}");
        let explained = home.task(&["--explain"]);
        let text = String::from_utf8(explained.stdout).unwrap();
        assert!(text.contains("author: not given, so any of the agents: "), "{text}");
    }
}

fn by(author: &str, task: Task) -> Task {
    Task { item: Item { author: Some(author.to_owned()), ..task.item.clone() }, ..task }
}

fn requiring(mut judges: Judges) -> Judges {
    for judge in &mut judges.0 {
        Arc::get_mut(judge).unwrap().settings.four_eyes = Rule::Require;
    }
    judges
}

#[test]
fn answer_of_a_model_of_no_known_family_does_not_count_where_families_are_required() {
    for (served, expected) in [
        (None, None),
        (Some("gpt-5"), None),
        (Some("route-7"), Some(RecordError::FamilyUnknown)),
        (Some("claude-opus-4-5"), Some(RecordError::FamilyRefused)),
    ] {
        let answer = Answer { served_model: served.map(str::to_owned), ..says("accept") };
        let mut all = requiring(judges([says("accept"), says("accept"), says("accept")]));
        Arc::get_mut(&mut all.0[0]).unwrap().provider =
            Provider::Scripted(Scripted::by(move |_| answer.clone()));
        let (run, _) = run(&all, &by("Claude", task("x")), || rules(Depth::Quick));
        let record = &run.rounds[0].record;
        assert_eq!(record.error, expected, "{served:?}");
        assert_eq!(run.decision.exit_code() == 0, expected.is_none());
        assert_eq!(record.scores.semantic.is_none(), expected.is_some());
    }
}

#[test]
fn spent_cap_and_spent_calls_are_causes_of_their_own() {
    let all = || judges([says("improve"), says("accept"), says("accept")]);
    let limits: [(fn() -> Rules, RecordError); 2] = [
        (|| Rules { calls: 1, ..rules(Depth::Panel) }, RecordError::CallLimit),
        (|| Rules { cap: Some(1.0), ..rules(Depth::Panel) }, RecordError::SpendCap),
    ];
    for (limited, error) in limits {
        let (run, _) = run(&all(), &task("x"), limited);
        assert_eq!(run.decision.reason, Some(Reason::Limit));
        let errors: Vec<_> = run.rounds.iter().filter_map(|round| round.record.error).collect();
        // The other one is not asked for the same cause.
        assert_eq!(errors, [error; 2], "{run:#?}");
    }
}
