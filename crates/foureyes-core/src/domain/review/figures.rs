//! What a run of judging again came to, in numbers.

use super::{Evaluated, ItemLeft, Run};
use crate::domain::{JudgementKind, Outcome};
use serde_json::Value;
use std::collections::BTreeMap;

/// What a run came to, as far as ledgers say it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RunFigures {
    /// Contents that were to be judged.
    pub items: usize,
    /// Those that were; a task with its decision.
    pub judged: usize,
    /// Those about which asking failed: `unauthorized`, `timeout`; how many of each.
    pub failures: BTreeMap<String, usize>,
    /// Rounds of tasks that judges gave.
    pub rounds: usize,
    /// Verdicts that differ from those before.
    pub changed: usize,
    /// Evaluations without a verdict for a reason that is not the content.
    pub errors: usize,
    /// Tokens of questions and answers, as far as they were counted.
    pub tokens: u64,
    /// Whether all evaluations say how many tokens they took.
    pub all_counted: bool,
    /// What it cost, as far as that is known, in the currency of the prices.
    pub cost: f64,
    /// Evaluations of which nobody knows what they cost.
    pub unpriced: usize,
    /// Calls that were cut off: they may have been charged.
    pub cut: usize,
}

impl RunFigures {
    /// Counts what is known of a run.
    pub fn new(run: &Run) -> Self {
        let items = run.begun.what.items.len();
        let is_task = run.begun.what.task.is_some();
        let mut figures = Self { items, all_counted: true, ..Self::default() };
        for evaluated in run.evaluations.iter().map(|dated| &dated.what) {
            figures.add(evaluated);
            // A task has several evaluations, and is judged once it is decided.
            let is_last = !is_task || evaluated.decision().is_some();
            let (item, was) = (evaluated.item as usize, run.was(evaluated.item as usize));
            if !is_task && let Some(why) = evaluated.failure() {
                figures.fail(why);
                continue;
            }
            figures.judged += usize::from(is_last);
            figures.changed += usize::from(is_last && was.is_some() && run.outcome(item) != was);
        }
        // Of a task the last round tells: one that failed may have been made up for.
        if is_task && let Some(why) = run.failure(0) {
            figures.fail(why);
        }
        let left = run.ended.iter().flat_map(|ended| &ended.what.left);
        figures.cut = left.filter(|left| left.why == ItemLeft::CUT).count();
        figures
    }

    /// How many contents asking failed about.
    pub fn failed(&self) -> usize {
        self.failures.values().sum()
    }

    fn fail(&mut self, why: &str) {
        *self.failures.entry(why.to_owned()).or_default() += 1;
    }

    fn add(&mut self, evaluated: &Evaluated) {
        if !evaluated.is_judged() {
            return;
        }
        let body = &evaluated.evaluation;
        let tokens = |name| body.get("usage").and_then(|usage| usage.get(name)?.as_u64());
        self.rounds += usize::from(evaluated.family.has_rounds());
        self.errors += usize::from(body.get("error").is_some());
        match (tokens("prompt_tokens"), tokens("completion_tokens")) {
            (Some(prompt), Some(answer)) => {
                self.tokens = self.tokens.saturating_add(prompt).saturating_add(answer);
            }
            _ => self.all_counted = false,
        }
        match evaluated.cost {
            Some(cost) => self.cost += cost,
            None => self.unpriced += 1,
        }
    }
}

/// The outcome of an evaluation as it stands in a ledger, by the words of its family; `None` where it
/// names no verdict.
pub fn outcome_of(family: JudgementKind, evaluation: &Value) -> Option<Outcome> {
    let verdict = evaluation.get("verdict")?.as_str()?;
    let known = family.families().find_map(|family| family.outcome(verdict));
    Some(known.unwrap_or(Outcome::Undetermined))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::Timestamp;
    use crate::domain::review::{Dated, EntryId, PromptUsed, RunBegun, RunEnded, RunItem, RunTask};
    use serde_json::json;

    fn dated<T>(what: T) -> Dated<T> {
        let entry = EntryId([1; 16]);
        Dated { entry, time: Timestamp(0), reviewer: "anna".to_owned(), what }
    }

    fn evaluated(item: u32, cost: Option<f64>, evaluation: Value) -> Dated<Evaluated> {
        let (run, prompt) = (EntryId([1; 16]), PromptUsed::default());
        let family = JudgementKind::Push;
        dated(Evaluated { run, item, record: None, prompt, cost, family, evaluation })
    }

    #[test]
    fn verdict_counts_by_the_words_of_its_family_alone() {
        use JudgementKind::{Push, Task};
        use Outcome::{Go, NoGo, Undetermined};
        for (family, word, outcome) in [
            (Push, "GO", Go),
            (Push, "NO-GO", NoGo),
            (Push, "UNDETERMINED", Undetermined),
            (Push, "accept", Undetermined),
            (Push, "SAFE_TO_COMMIT", Undetermined),
            (Task, "accept", Go),
            (Task, "improve", NoGo),
            (Task, "reject", NoGo),
            (Task, "escalate", Undetermined),
            (Task, "SAFE_TO_DEPLOY_AFTER_RUNTIME_CHECK", Go),
            (Task, "BLOCK", NoGo),
            (Task, "INSUFFICIENT_EVIDENCE", Undetermined),
            (Task, "GO", Undetermined),
            (Task, "ACCEPT", Undetermined),
        ] {
            assert_eq!(outcome_of(family, &json!({"verdict": word})), Some(outcome), "{word}");
        }
        for evaluation in [json!({}), json!({"verdict": 1}), json!({"verdict": null})] {
            assert_eq!(outcome_of(Task, &evaluation), None, "{evaluation}");
        }
    }

    #[test]
    fn task_counts_once_it_is_decided_and_its_escalation_is_no_call() {
        let task = Some(RunTask { id: "issue-7".to_owned(), depth: "panel".to_owned() });
        let items = vec![RunItem { was: Some(Outcome::NoGo), ..RunItem::default() }];
        let mut run = Run::new(dated(RunBegun { items, task, ..RunBegun::default() }));
        let mut round = |evaluation: Value, cost| {
            let mut round = evaluated(0, cost, evaluation);
            round.what.family = JudgementKind::Task;
            run.evaluations.push(round);
            (RunFigures::new(&run), run.outcome(0))
        };
        let usage = json!({"prompt_tokens": 1000, "completion_tokens": 50});
        let first = json!({"mode": "quick", "verdict": "accept", "usage": usage});
        let (figures, outcome) = round(first, Some(0.5));
        assert_eq!((figures.judged, figures.rounds, figures.changed, outcome), (0, 1, 0, None));
        let second = json!({"mode": "deep", "verdict": "escalate", "error": "timeout"});
        assert_eq!(round(second, Some(0.25)).0.errors, 1);
        let last = json!({"mode": "escalation", "verdict": "escalate", "decision": "escalate"});
        let (figures, outcome) = round(last, None);
        assert_eq!(outcome, Some(Outcome::Undetermined));
        let expected = RunFigures {
            items: 1,
            judged: 1,
            rounds: 2,
            changed: 1,
            errors: 1,
            tokens: 1050,
            cost: 0.75,
            ..RunFigures::default()
        };
        assert_eq!(figures, expected);
    }

    #[test]
    fn incomplete_run_counts_what_it_did() {
        let item = |was| RunItem { was, ..RunItem::default() };
        let items = [Some(Outcome::NoGo), Some(Outcome::Go), None, None].map(item).to_vec();
        let mut run = Run::new(dated(RunBegun { items, ..RunBegun::default() }));
        assert_eq!(
            RunFigures::new(&run),
            RunFigures { items: 4, all_counted: true, ..RunFigures::default() }
        );
        let usage = json!({"prompt_tokens": 1000, "completion_tokens": 50});
        run.evaluations = vec![
            evaluated(0, Some(0.5), json!({"verdict": "GO", "usage": usage})),
            evaluated(1, None, json!({"verdict": "UNDETERMINED", "error": "timeout"})),
            evaluated(2, Some(0.25), json!({"verdict": "GO", "usage": usage})),
        ];
        let left = vec![ItemLeft { item: 3, why: ItemLeft::CUT.to_owned() }];
        run.ended = Some(dated(RunEnded { run: EntryId([1; 16]), left }));
        let expected = RunFigures {
            items: 4,
            judged: 2,
            failures: BTreeMap::from([("timeout".to_owned(), 1)]),
            rounds: 0,
            changed: 1,
            errors: 1,
            tokens: 2100,
            all_counted: false,
            cost: 0.75,
            unpriced: 1,
            cut: 1,
        };
        assert_eq!(RunFigures::new(&run), expected);
    }

    #[test]
    fn failed_re_judgement_changes_no_verdict() {
        let item = |was| RunItem { was: Some(was), ..RunItem::default() };
        let items = [Outcome::NoGo, Outcome::Go, Outcome::Undetermined, Outcome::Go, Outcome::Go];
        let mut run =
            Run::new(dated(RunBegun { items: items.map(item).to_vec(), ..RunBegun::default() }));
        let failed = |error| json!({"verdict": "UNDETERMINED", "error": error});
        run.evaluations = vec![
            evaluated(0, None, failed("unauthorized")),
            evaluated(1, None, failed("unauthorized")),
            evaluated(2, None, failed("rate_limited")),
            evaluated(3, None, failed("contradicted_answer")),
            evaluated(4, None, json!({"verdict": "UNDETERMINED"})),
        ];
        let figures = RunFigures::new(&run);
        assert_eq!((figures.judged, figures.failed(), figures.changed), (2, 3, 2));
        assert_eq!(
            figures.failures.into_iter().collect::<Vec<_>>(),
            [("rate_limited".to_owned(), 1), ("unauthorized".to_owned(), 2)]
        );
        assert_eq!((run.outcome(0), run.failure(0)), (None, Some("unauthorized")));
        assert_eq!((run.outcome(3), run.failure(3)), (Some(Outcome::Undetermined), None));
    }
}
