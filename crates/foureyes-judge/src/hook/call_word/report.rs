//! What is known of one judge, and how it is said.

use crate::domain::Timestamp;
use crate::hook::finding::Finding;
use crate::text::counted;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The name of the finding.
const NAME: &str = "call word";
/// How sentences of records begin that say so.
const MISSING: &str = "call word missing";

/// What to do about a judge that does not carry the word.
const ADVICE: &str = "its answers do not count, and what it was asked about goes through unjudged: choose a larger model (`model`), or try a template of your own (`prompt`) that has {{answer}} behind {{content}} (docs/faq.md#does-not-carry-the-word)";

/// Whether a reason in a record says that the answer lacks the call word.
pub(super) fn is_missing(reason: &str) -> bool {
    reason.get(..MISSING.len()).is_some_and(|start| start.eq_ignore_ascii_case(MISSING))
}

/// That a judge does not carry the word, with what else is known of it.
pub fn lacking(who: &str, more: &str) -> Finding {
    Finding::warn(NAME, format!("{who} does not carry the word{more}")).hint(ADVICE)
}

/// What came of a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum CallWordOutcome {
    /// Its answer carries the word.
    Carries,
    /// Its answer does not carry the word.
    Lacks,
    /// There was no answer that counts, for another reason.
    NoAnswer,
    /// It cannot be asked from here.
    NotAsked,
}

/// Whether a judge carries the call word. Texts in it are hostile.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CallWordReport {
    /// What it judges: `push`, `quick`, `deep`, `tiebreaker`, `peer`, `relevance`; several where the same
    /// judge is asked for several.
    pub judges: Vec<String>,
    /// The model that is asked for.
    pub model: String,
    /// What came of a question now; `null` where it was not asked, and could be.
    pub now: Option<CallWordOutcome>,
    /// Why there is no answer, or no question.
    pub why: Option<String>,
    /// Answers in the log that were looked at: its newest, at most 20. Outages and lines without a call are none.
    pub answers: u32,
    /// Those of them that carry the word.
    pub carried: u32,
    /// When the last of these was given.
    #[schemars(with = "Option<String>")]
    pub last: Option<Timestamp>,
}

impl CallWordReport {
    /// Whether a question can be asked of it, and was not.
    pub fn is_askable(&self) -> bool {
        self.now.is_none()
    }

    /// What is known of it. Where it cannot answer, nothing is judged; that it lacks the word is a warning.
    pub fn finding(&self) -> Finding {
        let who = format!("{} ({})", self.model, self.judges.join(", "));
        let why = self.why.as_deref().unwrap_or("it does not say why");
        let finding = match self.now {
            Some(CallWordOutcome::Carries) => {
                Finding::ok(NAME, format!("{who} carries the word{}", self.in_log("; it ")))
            }
            Some(CallWordOutcome::Lacks) => {
                return lacking(&who, &self.in_log("; it "));
            }
            Some(CallWordOutcome::NoAnswer) => {
                let hint = "see the findings about key, endpoint and model; until it answers, nothing is judged";
                return Finding::fail(NAME, format!("{who} cannot answer: {why}")).hint(hint);
            }
            Some(CallWordOutcome::NotAsked) => {
                Finding::ok(NAME, format!("{who}: {why}{}", self.in_log("; it ")))
            }
            None if self.answers == 0 => {
                Finding::ok(NAME, format!("{who}: no answer in the log yet"))
            }
            None => Finding::ok(NAME, format!("{who}{}", self.in_log(" "))),
        };
        // One in ten may be chance; more is a property of the model.
        match self.carried * 10 < self.answers * 9 {
            true => Finding { state: crate::hook::check::State::Warn, ..finding }.hint(ADVICE),
            false => finding,
        }
    }

    /// What the log says, behind `before`; nothing where it has no answer.
    fn in_log(&self, before: &str) -> String {
        if self.answers == 0 {
            return String::new();
        }
        let last = self.last.map_or(String::new(), |at| format!(", last on {}", at.day_text()));
        format!(
            "{before}carried the word in {} of its last {}{last}",
            self.carried,
            counted(u64::from(self.answers), "answer", "answers")
        )
    }

    /// How many questions are asked, and of whom, in a sentence.
    pub fn announcement(all: &[Self]) -> String {
        let asked: Vec<&str> =
            all.iter().filter(|one| one.is_askable()).map(|one| one.model.as_str()).collect();
        let questions = counted(asked.len() as u64, "question", "questions");
        match asked.is_empty() {
            true => format!("asking {questions}"),
            false => format!("asking {questions}, one per judge: {}", asked.join(", ")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::answer::Fault;
    use crate::hook::check::State;

    fn report(now: Option<CallWordOutcome>, carried: u32, answers: u32) -> CallWordReport {
        CallWordReport {
            judges: vec!["push".to_owned(), "quick".to_owned()],
            model: "m".to_owned(),
            now,
            why: Some("no key".to_owned()),
            answers,
            carried,
            last: (carried > 0).then_some(Timestamp(86_400_000_000)),
        }
    }

    #[test]
    fn reason_of_a_record_is_that_of_the_reader_of_answers() {
        assert!(is_missing(&Fault::NoCall.to_string()));
        assert!(is_missing("Call word missing: x"));
        for other in
            ["", "call", "The answer is empty.", "a call word missing", "call word missin\u{e9}"]
        {
            assert!(!is_missing(other), "{other}");
        }
    }

    #[test]
    fn each_outcome_has_one_sentence_with_its_denominator() {
        use CallWordOutcome as O;
        for (now, carried, answers, state, text) in [
            (None, 0, 0, State::Ok, "m (push, quick): no answer in the log yet"),
            (
                None,
                0,
                3,
                State::Warn,
                "m (push, quick) carried the word in 0 of its last 3 answers",
            ),
            (
                None,
                14,
                20,
                State::Warn,
                "m (push, quick) carried the word in 14 of its last 20 answers, last on 1970-01-02",
            ),
            (
                None,
                18,
                20,
                State::Ok,
                "m (push, quick) carried the word in 18 of its last 20 answers, last on 1970-01-02",
            ),
            (Some(O::Carries), 0, 0, State::Ok, "m (push, quick) carries the word"),
            (
                Some(O::Carries),
                1,
                1,
                State::Ok,
                "m (push, quick) carries the word; it carried the word in 1 of its last 1 answer, last on 1970-01-02",
            ),
            (Some(O::Lacks), 0, 0, State::Warn, "m (push, quick) does not carry the word"),
            (Some(O::NoAnswer), 0, 0, State::Fail, "m (push, quick) cannot answer: no key"),
            (Some(O::NotAsked), 0, 0, State::Ok, "m (push, quick): no key"),
        ] {
            let finding = report(now, carried, answers).finding();
            assert_eq!((finding.state, finding.text.as_str()), (state, text));
            assert_eq!(finding.hint.is_some(), state != State::Ok, "{text}");
        }
    }

    #[test]
    fn questions_are_counted_before_they_are_asked() {
        let all = [report(None, 0, 0), report(Some(CallWordOutcome::NotAsked), 0, 0)];
        assert_eq!(CallWordReport::announcement(&all), "asking 1 question, one per judge: m");
        assert_eq!(CallWordReport::announcement(&all[1..]), "asking 0 questions");
    }
}
