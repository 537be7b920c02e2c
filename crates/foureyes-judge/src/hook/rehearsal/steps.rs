//! What came of the pushes of a rehearsal.

use super::{Answered, Step};
use crate::config::HookMode;
use crate::git::Attempt;
use crate::hook::call_word::carried_by;
use serde_json::Value;
use std::time::Duration;

/// Most characters of what git says that are told.
const SAID: usize = 600;

/// A push, and the records of its commit.
pub(super) struct Pushed<'a> {
    pub(super) attempt: &'a Attempt,
    pub(super) records: &'a [Value],
    pub(super) took: Duration,
}

impl Pushed<'_> {
    /// The poor push, of which a judge of pushes makes one record.
    pub(super) fn judged_as_push(&self, mode: HookMode) -> Step {
        let mut step = self.step("blocked");
        step.carried = self.last().and_then(carried_by);
        let blocks = mode == HookMode::Blocking;
        let flagged = step.verdict.as_deref() == Some("NO-GO");
        step.well = flagged && self.attempt.went != blocks;
        let scores = self.last().map_or(String::new(), scores);
        step.put(match (&step.verdict, self.attempt.went) {
            (Some(_), false) if flagged && blocks => format!("NO-GO{scores}: the push was blocked"),
            (Some(_), true) if flagged && !blocks => {
                format!("NO-GO{scores}: the push went on, as advisory mode lets it")
            }
            (Some(_), true) if flagged => {
                format!("NO-GO{scores}, and the push went on all the same")
            }
            (Some(verdict), true) if verdict == "GO" => {
                format!("GO{scores}: the judge passed deliberately poor content")
            }
            (Some(_), true) => format!("there is no verdict: {}", self.why("findings")),
            (None, true) => "nothing was judged: the log has no record of it".to_owned(),
            (_, false) => self.refused("the push failed, and not by a verdict"),
        });
        step
    }

    /// The poor push, of which judges of tasks make a record each, and the last has the decision.
    pub(super) fn judged_as_task(&self, mode: HookMode) -> Step {
        let mut step = self.step("blocked");
        step.rounds = self.records.iter().filter_map(Answered::of).collect();
        step.carried = step.rounds.iter().filter_map(|round| round.carried).reduce(|a, b| a && b);
        step.verdict = self.decision();
        let blocks = mode == HookMode::Blocking;
        let decided = step.verdict.as_deref();
        let flagged = decided == Some("reject");
        step.well = flagged && self.attempt.went != blocks;
        step.put(match (decided, self.attempt.went) {
            (Some("reject"), false) if blocks => "rejected: the push was blocked".to_owned(),
            (Some("reject"), true) if !blocks => {
                "rejected: the push went on, as advisory mode lets it".to_owned()
            }
            (Some("reject"), true) => "rejected, and the push went on all the same".to_owned(),
            (Some("accept"), true) => {
                "accepted: the judges passed deliberately poor content".to_owned()
            }
            (Some(_), true) => {
                format!(
                    "the judges did not reject it, a person must decide: {}",
                    self.why("reasoning")
                )
            }
            (None, true) => "nothing was judged: the log has no record of it".to_owned(),
            (_, false) => self.refused("the push failed, and not by a rejection"),
        });
        step
    }

    /// A push of which no judge can be reached: it must go on, whatever the mode.
    pub(super) fn escalated(&self) -> Step {
        let mut step = self.step("escalated");
        step.verdict = self.decision();
        let escalated = step.verdict.as_deref() == Some("escalate");
        step.well = self.attempt.went && escalated;
        step.put(match (self.attempt.went, escalated) {
            (true, true) => {
                "without an answer a person must decide: the push went on, and the log says so"
                    .to_owned()
            }
            (true, false) => {
                "the push went on, and the log does not say that a person must decide".to_owned()
            }
            (false, _) => self.refused("the push failed"),
        });
        step
    }

    /// The push past the judge.
    pub(super) fn bypass(&self) -> Step {
        let mut step = self.step("bypass");
        let audited = step.error.as_deref() == Some("bypassed");
        step.well = self.attempt.went && audited;
        step.put(match (self.attempt.went, audited) {
            (true, true) => "the push went on, and the bypass is in the log".to_owned(),
            (true, false) => "the push went on, and the log has no record of the bypass".to_owned(),
            (false, _) => self.refused("the push failed"),
        });
        step
    }

    fn last(&self) -> Option<&Value> {
        self.records.last()
    }

    fn step(&self, name: &str) -> Step {
        let text = |key: &str| self.last().and_then(|r| r[key].as_str()).map(str::to_owned);
        Step {
            name: name.to_owned(),
            well: false,
            text: String::new(),
            arrived: self.attempt.went,
            verdict: text("verdict"),
            error: text("error"),
            served_model: text("served_model"),
            carried: None,
            rounds: Vec::new(),
            took_ms: u64::try_from(self.took.as_millis()).unwrap_or(u64::MAX),
        }
    }

    fn decision(&self) -> Option<String> {
        self.last().and_then(|r| r["decision"].as_str()).map(str::to_owned)
    }

    fn why(&self, key: &str) -> &str {
        let why = self.last().and_then(|r| r[key].as_str());
        why.filter(|text| !text.is_empty()).unwrap_or("the record does not say why")
    }

    fn refused(&self, what: &str) -> String {
        format!("{what}: {}", self.attempt.stderr.trim())
    }
}

impl Step {
    fn put(&mut self, text: String) {
        self.text = text.chars().take(SAID).collect();
    }
}

impl Answered {
    /// What a record says of who was asked; `None` of one of which nobody was.
    fn of(record: &Value) -> Option<Self> {
        let text = |key: &str| record[key].as_str().map(str::to_owned);
        let tier = text("judge_tier").filter(|tier| tier != "human")?;
        Some(Self {
            tier,
            model: text("model")?,
            served_model: text("served_model"),
            carried: carried_by(record),
        })
    }
}

fn scores(record: &Value) -> String {
    let of = |name: &str| record["scores"][name].as_u64();
    match (of("semantic"), of("pragmatic"), of("syntactic")) {
        (Some(s), Some(p), Some(x)) => format!(" S{s} P{p} X{x}"),
        _ => String::new(),
    }
}
