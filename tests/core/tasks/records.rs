//! The lines of a run: by schema, by the reader of logs, and in both vocabularies.

use super::{Home, fails, judges, rules, run, says, task};
use foureyes::domain::{Family, Outcome};
use foureyes::engine::panel::Depth;
use foureyes::engine::record::task_schema;
use foureyes::engine::verdict::Vocabulary;
use foureyes::jsonl;
use foureyes::judging::task::Rules;
use serde_json::Value;
use std::sync::Arc;

fn stored() -> Value {
    serde_json::from_str(include_str!("../../../assets/task.schema.json")).unwrap()
}

#[test]
fn the_schema_in_the_assets_is_that_of_the_record() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/assets/task.schema.json");
    let text = serde_json::to_string_pretty(&task_schema()).unwrap() + "\n";
    if std::env::var_os("UPDATE_ASSETS").is_some() {
        std::fs::write(path, &text).unwrap();
    }
    assert_eq!(std::fs::read_to_string(path).unwrap(), text, "run once with UPDATE_ASSETS=1");
}

/// The schema of what is read, or a part of it.
fn read_schema(part: Option<&str>) -> jsonschema::Validator {
    let mut schema: Value =
        serde_json::from_str(include_str!("../../../assets/task-log.schema.json")).unwrap();
    if let Some(part) = part {
        schema = serde_json::json!({"$ref": format!("#/$defs/{part}"), "$defs": schema["$defs"]});
    }
    jsonschema::validator_for(&schema).unwrap()
}

#[test]
fn lines_of_other_programs_hold_against_what_is_read() {
    let (all, person) = (read_schema(None), read_schema(Some("override")));
    let mut overrides = 0;
    for line in include_str!("../../data/tasks/verdicts.jsonl").lines() {
        let value: Value = serde_json::from_str(line).unwrap();
        let errors: Vec<_> = all.iter_errors(&value).map(|e| e.to_string()).collect();
        assert!(errors.is_empty(), "{line}: {errors:?}");
        let is_override = value["human_override"] == true;
        assert_eq!(person.is_valid(&value), is_override, "{line}");
        overrides += u32::from(is_override);
    }
    assert!(overrides > 0);
    for wrong in [r#"{"task_id":"x"}"#, r#"{"verdict":"GO"}"#, r#"{"verdict":"accept","round":-1}"#]
    {
        assert!(!all.is_valid(&serde_json::from_str(wrong).unwrap()), "{wrong}");
    }
}

#[test]
fn every_line_holds_against_its_schema_and_is_read_as_it_was_meant() {
    let validator = jsonschema::validator_for(&stored()).unwrap();
    let read_too = read_schema(None);
    let words = ["accept", "improve", "reject", "escalate"];
    let mut answers: Vec<_> = words.map(says).into();
    answers.extend(["timeout", "unavailable"].map(fails));
    for quick in &answers {
        for deep in &answers {
            let judges = judges([quick.clone(), deep.clone(), says("accept")]);
            for depth in [Depth::Sequential, Depth::Panel] {
                let (run, _) = run(&judges, &task("x"), || rules(depth));
                for round in &run.rounds {
                    let line = round.record.line().unwrap();
                    let value: Value = serde_json::from_str(&line).unwrap();
                    let errors: Vec<_> =
                        validator.iter_errors(&value).map(|e| e.to_string()).collect();
                    assert!(errors.is_empty(), "{line}: {errors:?}");
                    assert!(read_too.is_valid(&value), "{line}");
                    let read = jsonl::read(line.as_bytes(), &jsonl::Settings::default());
                    let record = &read.found[0].record;
                    assert_eq!(record.family, Family::Task, "{line}");
                    assert_eq!(record.task_id.as_deref(), Some("issue-42"));
                    assert!(record.timestamp.is_some() && record.outcome.is_some());
                    assert_eq!(record.files, ["a.md"], "{line}");
                }
                let last = &run.rounds.last().unwrap().record;
                assert!(run.rounds.len() <= 4 && last.round as usize == run.rounds.len());
                assert_eq!(last.decision.as_deref(), Some(run.decision.word()));
                let ended = run.rounds.iter().filter(|round| round.record.decision.is_some());
                assert_eq!(ended.count(), 1, "only the last line has a decision");
                assert_eq!(last.reason.is_some(), run.decision.exit_code() == 2);
            }
        }
    }
}

#[test]
fn ladder_is_spoken_throughout_where_it_is_chosen() {
    let words = ["FIX_FIRST", "SAFE_TO_DEPLOY_AFTER_RUNTIME_CHECK", "BLOCK"];
    let mut judges = judges(words.map(says));
    for judge in &mut judges.0 {
        Arc::get_mut(judge).unwrap().kind = Vocabulary::Ladder.kind();
    }
    let ladder = |depth| move || Rules { vocabulary: Vocabulary::Ladder, ..rules(depth) };
    let (done, _) = run(&judges, &task("x"), ladder(Depth::Sequential));
    let verdicts: Vec<_> = done.rounds.iter().map(|round| round.record.verdict.as_str()).collect();
    assert_eq!(verdicts, words[..2]);
    let last = &done.rounds[1].record;
    assert_eq!((done.decision.exit_code(), last.decision.as_deref()), (0, Some("accept")));
    assert!(last.advice.is_some());
    let line = last.line().unwrap();
    let read = jsonl::read(line.as_bytes(), &jsonl::Settings::default());
    let record = &read.found[0].record;
    assert_eq!((record.family, record.outcome), (Family::Ladder, Some(Outcome::Go)));
    let (person, _) = run(&judges, &task("x"), ladder(Depth::Panel));
    assert_eq!(person.rounds.last().unwrap().record.verdict, "BLOCK");
}

#[test]
fn secrets_of_judges_and_outages_are_as_in_records_of_pushes() {
    let leak = foureyes::provider::scripted::Answer {
        text: super::verdict("reject").replace("because of reject", "password=hunter2hunter2"),
        always: true,
        ..Default::default()
    };
    let judges = judges([leak, fails("timeout"), says("accept")]);
    let (done, _) = run(&judges, &task("x"), || rules(Depth::Panel));
    let lines: Vec<_> = done.rounds.iter().map(|round| round.record.line().unwrap()).collect();
    assert!(!lines[0].contains("hunter2"), "{}", lines[0]);
    let value: Value = serde_json::from_str(&lines[1]).unwrap();
    assert!(value["reasoning"].as_str().unwrap().starts_with("timeout: "), "{value}");
    assert!(!value["timestamp"].as_str().unwrap().contains('.'), "{value}");
}

#[test]
fn times_of_the_document_are_whole_seconds_and_the_instant_is_beside() {
    let home = Home::new(["improve"; 3], "");
    home.json(&[]);
    home.write("a.md", "# Another\n");
    let (_, document) = home.json(&[]);
    let earlier = &document["earlier"][0]["at"];
    let rounds = document["rounds"].as_array().unwrap();
    assert_eq!(rounds.len(), 3);
    for (round, logged) in rounds.iter().zip(&home.log()[3..]) {
        assert_eq!(
            (&round["timestamp"], &round["at_us"]),
            (&logged["timestamp"], &logged["at_us"])
        );
        assert!(round["at_us"].is_i64(), "{round}");
    }
    for time in rounds.iter().map(|round| &round["timestamp"]).chain([earlier]) {
        let time = time.as_str().unwrap();
        assert!(time.len() == 20 && time.ends_with('Z'), "{time}");
    }
    let pushed = home.run(&["a.md", "--json"]);
    let document: Value = serde_json::from_slice(&pushed.stdout).unwrap();
    let record = &document["contents"][0]["record"];
    assert_eq!(record["timestamp"].as_str().map(str::len), Some(20), "{record}");
    assert!(record["at_us"].is_i64(), "{record}");
}
