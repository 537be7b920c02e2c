//! Answers about tasks.

use super::*;
use crate::engine::verdict::{LADDER, TASK, TaskVerdict};

const CALL: &str = "abcdefabcdefabcd";

fn of_task(kind: &Kind<TaskVerdict>, text: &str) -> Reading<TaskVerdict> {
    let text = text.replacen('{', &format!("{{\"call\":\"{CALL}\","), 1);
    read(kind, &text, &Rubric::embedded().unwrap(), CALL)
}

#[test]
fn task_answer_has_words_reasoning_and_improvements_of_its_own() {
    let answer = r#"{"scores":{"semantic":4,"pragmatic":3,"syntactic":3},"verdict":"improve",
        "reasoning":"no rollback","improvements":[
        {"dimension":"pragmatic","location":"a.md:3","issue":"no rollback","suggestion":"name one"},
        "and a date",{"note":"odd"},{}]}"#;
    let reading = of_task(&TASK, answer);
    assert_eq!((reading.verdict, reading.inconsistent), (TaskVerdict::Improve, false));
    assert_eq!(reading.findings, "no rollback");
    assert_eq!(reading.suggestions.len(), 4);
    assert_eq!(reading.suggestions[0].location.as_deref(), Some("a.md:3"));
    assert_eq!(reading.suggestions[1], Improvement::text("and a date"));
    assert_eq!(reading.suggestions[2], Improvement::text(r#"{"note":"odd"}"#));
    assert_eq!(reading.suggestions[0].to_string(), "a.md:3: no rollback -> name one (pragmatic)");
    // The same scores with other words: the rule holds, and what contradicts it is noted.
    let accepted = of_task(&TASK, &answer.replace("\"improve\"", "\"accept\""));
    assert_eq!((accepted.verdict, accepted.inconsistent), (TaskVerdict::Improve, true));
    let ladder = of_task(&LADDER, &answer.replace("\"improve\"", "\"FIX_FIRST\""));
    assert_eq!((ladder.verdict, ladder.inconsistent), (TaskVerdict::Improve, false));
}

#[test]
fn a_run_speaks_one_vocabulary() {
    let with = |kind, word: &str| {
        of_task(
            kind,
            &format!(
                r#"{{"scores":{{"semantic":5,"pragmatic":5,"syntactic":5}},"verdict":"{word}"}}"#
            ),
        )
    };
    assert_eq!(
        with(&LADDER, "SAFE_TO_DEPLOY_AFTER_RUNTIME_CHECK").verdict,
        TaskVerdict::AcceptAfterCheck
    );
    assert_eq!(with(&LADDER, "safe-to-commit").verdict, TaskVerdict::Accept);
    assert_eq!(with(&TASK, "Reject").verdict, TaskVerdict::Reject);
    for (kind, word) in
        [(&TASK, "SAFE_TO_COMMIT"), (&LADDER, "accept"), (&TASK, "GO"), (&TASK, "accepted")]
    {
        let reading = with(kind, word);
        assert!(matches!(reading.fault, Some(Fault::UnknownVerdict { .. })), "{word}");
        assert_eq!(reading.verdict, TaskVerdict::Escalate);
    }
    assert!(
        with(&TASK, "GO").fault.unwrap().to_string().ends_with("accept, improve, reject, escalate")
    );
}
