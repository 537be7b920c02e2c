use super::*;
use crate::engine::panel::{Consensus, Reason};
use TaskVerdict::{Accept, AcceptAfterCheck, Escalate, Reject};

fn query() -> TaskQuery {
    TaskQuery { task_id: "t".to_owned(), run_sha: "sha".to_owned() }
}

fn of(lines: &[String]) -> TaskHistory {
    of_text(&lines.join("\n"))
}

fn of_text(text: &str) -> TaskHistory {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("verdicts.jsonl");
    std::fs::write(&path, text).unwrap();
    history(&[&path], &query()).unwrap()
}

fn holds(lines: &[String]) -> Option<TaskVerdict> {
    of(lines).holds().map(|holding| holding.verdict)
}

fn line(more: &str) -> String {
    round("improve", more)
}

fn round(verdict: &str, more: &str) -> String {
    format!(
        r#"{{"task_id":"t","model":"m","mode":"quick","verdict":"{verdict}","scores":{{"semantic":3,"pragmatic":3,"syntactic":3}},"judge_tier":"quick",{more},"timestamp":"2026-02-17T14:30:00Z"}}"#
    )
}

fn run(id: &str, decision: &str) -> String {
    line(&format!(r#""round":1,"run":"{id}","run_sha":"sha","decision":"{decision}""#))
}

fn open(id: &str, verdict: &str) -> String {
    round(verdict, &format!(r#""round":1,"run":"{id}","run_sha":"sha""#))
}

/// The last line of a run that a person decides.
fn closing(id: &str, reason: &str) -> String {
    format!(
        r#"{{"task_id":"t","model":"human","mode":"escalation","verdict":"escalate","judge_tier":"human","round":2,"run":"{id}","run_sha":"sha","decision":"escalate","reason":"{reason}","schema":"foureyes/task/1","timestamp":"2026-02-17T14:31:00Z"}}"#
    )
}

fn person(verdict: &str) -> String {
    format!(
        r#"{{"task_id":"t","model":"human","mode":"override","judge_tier":"human","verdict":"{verdict}","scores":{{"semantic":0,"pragmatic":0,"syntactic":0}},"average":0,"round":0,"human_override":true,"timestamp":"2026-02-18T14:30:00Z"}}"#
    )
}

fn with(line: &str, more: &str) -> String {
    line.replacen('{', &format!("{{{more},"), 1)
}

fn elsewhere(line: &str) -> String {
    line.replace(r#""task_id":"t""#, r#""task_id":"t2""#)
}

fn id_of(line: &str) -> String {
    crate::jsonl::read_one(line.as_bytes(), &Settings::default()).unwrap().id.to_string()
}

#[test]
fn log_that_is_not_there_has_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let none = dir.path().join("none");
    assert_eq!(history(&[&none], &query()).unwrap(), TaskHistory::default());
    assert!(history(&[dir.path()], &query()).is_err());
}

#[test]
fn decision_in_a_log_that_names_neither_task_nor_content_counts() {
    let dir = tempfile::tempdir().unwrap();
    let (first, second) = (dir.path().join("a.jsonl"), dir.path().join("b.jsonl"));
    std::fs::write(&first, elsewhere(&run("a", "improve"))).unwrap();
    std::fs::write(&second, elsewhere(&person("reject"))).unwrap();
    let all = history(&[&first, &second], &query()).unwrap();
    assert_eq!(all.holds().map(|holding| holding.verdict), Some(Reject));
}

#[test]
fn log_that_is_written_with_escapes_is_read_all_the_same() {
    let escaped =
        run("a", "reject").replace("sha\"", "s\\u0068a\"").replace("\"t\"", "\"\\u0074\"");
    assert_eq!(holds(&[escaped]), Some(Reject));
}

#[test]
fn of_equal_verdicts_one_that_its_run_decided_counts() {
    let all = of(&[run("a", "reject"), open("b", "reject")]);
    assert!(all.holds().unwrap().run.is_decided);
}

#[test]
fn decision_on_a_task_is_about_its_last_run_whatever_is_looked_for() {
    let of_another = |line: String| elsewhere(&line.replace("\"sha\"", "\"other\""));
    let rejected = elsewhere(&run("a", "reject"));
    let later = of_another(run("b", "escalate"));
    let accepted = elsewhere(&person("accept"));
    assert_eq!(holds(&[rejected.clone(), accepted.clone()]), Some(Accept));
    let lines = [rejected, later, accepted];
    assert_eq!((holds(&lines), of(&lines).runs.len()), (Some(Reject), 1));
}

#[test]
fn tries_are_runs_with_a_verdict_since_a_person_decided() {
    let other = elsewhere(&line(r#""run":"x""#));
    let all = of(&[run("a", "reject"), run("b", "reject"), other, "no record".to_owned()]);
    assert_eq!((all.tries(), all.runs.len()), (2, 2));
    let decided = of(&[run("a", "reject"), person("accept"), run("b", "reject")]);
    assert_eq!(decided.tries(), 1);
    let failed = r#""run":"c","error":"timeout","decision":"escalate","reason":"timeout""#;
    assert_eq!(of(&[line(failed)]).tries(), 0);
}

#[test]
fn run_that_was_killed_holds_what_it_found_and_is_a_try() {
    for (verdict, held) in [("accept", Escalate), ("improve", Escalate), ("reject", Reject)] {
        let killed = [open("a", verdict)];
        assert_eq!((holds(&killed), of(&killed).tries()), (Some(held), 1), "{verdict}");
    }
    let unanswered = [line(r#""run":"a","run_sha":"sha","error":"timeout""#)];
    assert_eq!((holds(&unanswered), of(&unanswered).tries()), (None, 0));
}

#[test]
fn run_that_failed_holds_what_it_found_and_is_a_try() {
    for reason in ["parse_error", "timeout", "unreachable", "budget", "limit", "not_asked"] {
        let failed = |verdict| [open("a", verdict), closing("a", reason)];
        assert_eq!(holds(&failed("improve")), Some(Escalate), "{reason}");
        assert_eq!(holds(&failed("reject")), Some(Reject), "{reason}");
        assert_eq!(of(&failed("improve")).tries(), 1, "{reason}");
        assert_eq!(holds(&[closing("a", reason)]), None, "{reason}");
    }
    // Nor did anybody judge where the limit of tries was reached.
    let tries = of(&[closing("a", "tries")]);
    assert_eq!((tries.holds(), tries.tries()), (None, 0));
    assert_eq!(tries.last().unwrap().reason, Some(Reason::Tries));
}

#[test]
fn strictest_of_the_same_runs_holds_until_a_person_decides() {
    assert_eq!(holds(&[run("a", "accept")]), Some(Accept));
    let [a, b] = [run("a", "reject"), run("b", "accept")];
    assert_eq!(holds(&[a.clone(), b.clone()]), Some(Reject));
    assert_eq!(holds(&[a.clone(), b, person("accept")]), Some(Accept));
    // Another name for the same content is no way to another verdict.
    assert_eq!(holds(&[elsewhere(&a)]), Some(Reject));
    assert_eq!(holds(&[a.replace("\"sha\"", "\"other\"")]), None);
}

#[test]
fn word_of_a_person_covers_the_runs_before_it() {
    let [a, accept, b] = [run("a", "reject"), person("accept"), run("b", "reject")];
    let all = of(&[a.clone(), accept.clone(), b]);
    let holding = all.holds().unwrap();
    assert_eq!((holding.verdict, holding.by), (Reject, None));
    assert_eq!(holding.run.id.as_deref(), Some("b"));
    let all = of(&[a.clone(), accept.clone(), run("b", "accept")]);
    assert!(all.holds().is_some_and(|holding| holding.by.is_some()));
    assert_eq!(holds(&[a, accept, open("b", "improve")]), Some(Escalate));
    let rejected = [run("a", "accept"), person("reject"), run("b", "accept")];
    assert_eq!(holds(&rejected), Some(Reject));
}

#[test]
fn undo_takes_back_the_word_that_it_names_and_no_other() {
    let a = run("a", "reject");
    let accept = with(&person("accept"), r#""id":"1","reviewer":"ann""#);
    let reject = with(&person("reject"), r#""id":"2","reviewer":"bob""#);
    let undo = with(&person("reject"), r#""id":"3","undoes":"1""#);
    let history = of(&[a.clone(), accept.clone(), reject.clone(), undo.clone()]);
    let by = history.holds().unwrap().by.unwrap();
    assert_eq!((by.verdict, by.reviewer.as_deref()), (Reject, Some("bob")));
    assert!(of(&[a.clone(), accept.clone(), undo.clone()]).holds().unwrap().by.is_none());
    let undo_other = undo.replace(r#""undoes":"1""#, r#""undoes":"2""#);
    assert_eq!(holds(&[a.clone(), accept.clone(), reject, undo_other]), Some(Accept));
    let redo = with(&person("accept"), r#""id":"4","redoes":"1""#);
    let again = with(&person("reject"), r#""id":"5","undoes":"1""#);
    assert_eq!(holds(&[a.clone(), accept.clone(), undo.clone(), redo.clone()]), Some(Accept));
    assert_eq!(holds(&[a, accept, undo, redo, again]), Some(Reject));
}

#[test]
fn word_of_a_person_holds_under_another_name_of_the_task() {
    let accepted = elsewhere(&run("a", "accept"));
    let id = id_of(&accepted);
    let by_record = elsewhere(&with(&person("reject"), &format!(r#""record":"{id}""#)));
    assert_eq!(holds(&[accepted.clone(), by_record]), Some(Reject));
    assert_eq!(holds(&[accepted.clone(), elsewhere(&person("reject"))]), Some(Reject));
    let unrelated = person("reject").replace(r#":"t""#, r#":"t3""#);
    assert_eq!(holds(&[accepted, unrelated]), Some(Accept));
}

#[test]
fn rounds_of_other_writers_make_runs_of_their_own() {
    let foreign = |n: &str, verdict: &str| round(verdict, &format!(r#""round":{n}"#));
    let later = foreign("1", "improve").replace("14:30", "15:30");
    let all = of(&[foreign("1", "improve"), foreign("2", "reject"), later]);
    let verdicts: Vec<_> = all.runs.iter().map(|run| run.verdict).collect();
    assert_eq!(verdicts, [Some(Reject), Some(Escalate)]);
    assert_eq!(all.holds(), None);
    // They are no part of a run of ours, and lift nothing.
    let ours = run("a", "reject");
    let all = of(&[ours.clone(), foreign("2", "accept")]);
    assert_eq!((all.runs.len(), all.holds().unwrap().verdict), (2, Reject));
    assert_eq!(holds(&[ours.clone(), run("a", "accept")]), Some(Reject));
    // Nor of another task's.
    let all = of(&[foreign("1", "improve"), elsewhere(&ours), foreign("2", "reject")]);
    assert_eq!(all.runs[0].verdict, Some(Reject));
    assert_eq!(of(&[foreign("\"1\"", "improve"), foreign("2.0", "reject")]).runs.len(), 1);
}

#[test]
fn log_is_read_as_by_every_other_command() {
    let a = run("a", "reject");
    let spread = a.replace(',', ",\n  ");
    let escaped = a.replace("\"task_id\":\"t\"", "\"task_id\":\"\\u0074\"");
    let torn = &a[..a.len() / 2];
    for text in [spread, format!("{torn}\n{escaped}\n"), format!("{a}{}", elsewhere(&a))] {
        assert_eq!(of_text(&text).tries(), 1, "{text}");
    }
    let text = format!("{a}\n{torn}{}\n", person("accept"));
    assert_eq!(of_text(&text).holds().unwrap().verdict, Accept);
    // The same line twice is one.
    assert_eq!(of(&[line(r#""round":1"#), line(r#""round":1"#)]).runs.len(), 1);
}

#[test]
fn advice_and_consensus_are_those_of_the_run() {
    let decided = r#""decision":"accept","advice":"check","consensus":"majority""#;
    let all = of(&[round("accept", &format!(r#""round":1,"run":"a","run_sha":"sha",{decided}"#))]);
    let Holding { verdict, run, .. } = all.holds().unwrap();
    assert_eq!((verdict, run.consensus), (AcceptAfterCheck, Some(Consensus::Majority)));
    assert_eq!(run.advice.as_deref(), Some("check"));
}

#[test]
fn words_of_another_file_count_by_the_clock() {
    let dir = tempfile::tempdir().unwrap();
    let [one, two] = ["a", "b"].map(|name| dir.path().join(name));
    std::fs::write(
        &one,
        with(&person("accept"), &format!(r#""record":"{}""#, id_of(&run("a", "reject")))),
    )
    .unwrap();
    let at = |time: &str| run("a", "reject").replace("2026-02-17T14:30:00Z", time);
    for (time, held) in [("2026-02-17T14:30:00Z", Accept), ("2026-02-19T14:30:00Z", Reject)] {
        std::fs::write(&two, at(time)).unwrap();
        let all = history(&[&one, &two], &query()).unwrap();
        assert_eq!(all.holds().unwrap().verdict, held, "{time}");
    }
}
