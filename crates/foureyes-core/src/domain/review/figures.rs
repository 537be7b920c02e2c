//! What a run of judging again came to, in numbers.

use super::{Evaluated, ItemLeft, Run};
use crate::domain::Outcome;
use serde_json::Value;

/// What a run came to, as far as ledgers say it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RunFigures {
    /// Contents that were to be judged.
    pub items: usize,
    /// Those that were.
    pub judged: usize,
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
        let mut figures = Self { items, all_counted: true, ..Self::default() };
        for evaluated in run.evaluations.iter().map(|dated| &dated.what) {
            figures.add(evaluated, run.was(evaluated.item as usize));
        }
        let left = run.ended.iter().flat_map(|ended| &ended.what.left);
        figures.cut = left.filter(|left| left.why == ItemLeft::CUT).count();
        figures
    }

    fn add(&mut self, evaluated: &Evaluated, was: Option<Outcome>) {
        let body = &evaluated.evaluation;
        let tokens = |name| body.get("usage").and_then(|usage| usage.get(name)?.as_u64());
        self.judged += 1;
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
        self.changed += usize::from(was.is_some() && outcome_of(body) != was);
    }
}

/// The outcome of an evaluation as it stands in a ledger; `None` where it names no verdict.
pub fn outcome_of(evaluation: &Value) -> Option<Outcome> {
    match evaluation.get("verdict")?.as_str()? {
        "GO" => Some(Outcome::Go),
        "NO-GO" => Some(Outcome::NoGo),
        _ => Some(Outcome::Undetermined),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::Timestamp;
    use crate::domain::review::{Dated, EntryId, PromptUsed, RunBegun, RunEnded, RunItem};
    use serde_json::json;

    fn dated<T>(what: T) -> Dated<T> {
        let entry = EntryId([1; 16]);
        Dated { entry, time: Timestamp(0), reviewer: "anna".to_owned(), what }
    }

    fn evaluated(item: u32, cost: Option<f64>, evaluation: Value) -> Dated<Evaluated> {
        let (run, prompt) = (EntryId([1; 16]), PromptUsed::default());
        dated(Evaluated { run, item, record: None, prompt, cost, evaluation })
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
            judged: 3,
            changed: 2,
            errors: 1,
            tokens: 2100,
            all_counted: false,
            cost: 0.75,
            unpriced: 1,
            cut: 1,
        };
        assert_eq!(RunFigures::new(&run), expected);
    }
}
