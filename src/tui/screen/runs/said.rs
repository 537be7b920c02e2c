//! What runs and evaluations say, in words and numbers.

use super::is_hidden;
use crate::domain::Outcome;
use crate::domain::review::{Dated, Evaluated, ItemLeft, PromptSource, PromptUsed, Run};
use crate::report::Masking;
use crate::store::cache::Located;
use crate::tui::model::{Going, ItemState, LiveRun, Model, Shown, outcome_of};
use crate::tui::theme::Role;
use crate::tui::widget::counted;

/// Figures of a run.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Figures {
    pub(super) items: usize,
    pub(super) judged: usize,
    /// Verdicts that differ from those before; `None` where some of them are hidden.
    pub(super) changed: Option<usize>,
    /// Evaluations without a verdict for a reason that is not the content.
    pub(super) errors: usize,
    pub(super) tokens: u64,
    /// Whether all of them say how many tokens they took.
    pub(super) all_counted: bool,
    pub(super) cost: f64,
    /// Evaluations of which nobody knows what they cost.
    pub(super) unpriced: usize,
    /// Calls that were cut off: they may have been charged.
    pub(super) cut: usize,
}

impl Figures {
    pub(super) fn of(model: &Model, run: &Run) -> Self {
        let items = &run.begun.what.items;
        let mut figures = Self { items: items.len(), all_counted: true, ..Self::default() };
        let mut changed = 0;
        for evaluation in run.evaluations.iter().map(|e| &e.what) {
            figures.judged += 1;
            let body = &evaluation.evaluation;
            figures.errors += usize::from(body.get("error").is_some());
            let usage = |name| body.get("usage").and_then(|u| u.get(name)?.as_u64());
            match (usage("prompt_tokens"), usage("completion_tokens")) {
                (Some(prompt), Some(answer)) => figures.tokens += prompt.saturating_add(answer),
                _ => figures.all_counted = false,
            }
            match evaluation.cost {
                Some(cost) => figures.cost += cost,
                None => figures.unpriced += 1,
            }
            let was = items.get(evaluation.item as usize).and_then(|item| item.was);
            changed += usize::from(was.is_some() && outcome_of(body) != was);
        }
        let live = model.runs.live.as_ref().filter(|live| live.run.id() == run.id());
        figures.cut = match (&run.ended, live) {
            (Some(ended), _) => {
                ended.what.left.iter().filter(|left| left.why == ItemLeft::CUT).count()
            }
            (None, Some(live)) => live.count(|item| *item == ItemState::Left(ItemLeft::CUT)),
            (None, None) => 0,
        };
        let hidden = items.iter().any(|item| is_hidden(model, item));
        figures.changed = (!hidden).then_some(changed);
        figures
    }

    /// Tokens and cost, as far as they are known.
    pub(super) fn spent(&self) -> String {
        let tokens = match (self.tokens, self.all_counted) {
            (0, false) => "tokens not known".to_owned(),
            (0, true) if self.cut > 0 => "tokens not known".to_owned(),
            (n, true) => format!("{} tokens", thousands(n)),
            (n, false) => format!("at least {} tokens", thousands(n)),
        };
        let cost = match (self.judged, self.unpriced) {
            (0, _) if self.cut > 0 => "no cost known".to_owned(),
            (0, _) => "nothing spent".to_owned(),
            (all, unpriced) if all == unpriced => "cost not known".to_owned(),
            (_, 0) => format!("cost {}", money(self.cost)),
            _ => format!("cost at least {}", money(self.cost)),
        };
        let cut = match self.cut {
            0 => String::new(),
            n => format!(", {} cut off, which may be charged", counted(n, "call", "calls")),
        };
        format!("{tokens}, {cost}{cut}")
    }
}

/// An amount: four figures after the point where it is small.
pub(in crate::tui) fn money(amount: f64) -> String {
    if amount != 0.0 && amount.abs() < 1.0 {
        format!("{amount:.4}")
    } else {
        format!("{amount:.2}")
    }
}

/// A count with blanks between its thousands.
pub(in crate::tui) fn thousands(count: u64) -> String {
    let digits = count.to_string();
    let mut out = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(' ');
        }
        out.push(digit);
    }
    out
}

/// How a run stands, in words.
pub(super) fn state(model: &Model, run: &Run, figures: &Figures) -> (Role, String) {
    let of = format!("{} of {}", figures.judged, figures.items);
    let live = model.runs.live.as_ref().filter(|live| live.run.id() == run.id());
    match live {
        Some(live) if live.going != Going::Ended => (Role::Notice, going(live, &of)),
        Some(live) if live.problem.is_some() && run.evaluations.is_empty() => {
            (Role::Error, "FAILED: nothing was asked".to_owned())
        }
        Some(live) if live.unkept > 0 => {
            (Role::Error, format!("{of} judged, {} NOT KEPT", live.unkept))
        }
        _ if run.ended.is_none() && live.is_none() => {
            (Role::Warning, format!("{of} judged; its end is not known"))
        }
        _ if figures.judged < figures.items => (Role::Warning, format!("{of} judged")),
        _ => (Role::Text, counted(figures.judged, "judged", "judged")),
    }
}

fn going(live: &LiveRun, of: &str) -> String {
    let asked = live.count(|item| *item == ItemState::Asked);
    match live.going {
        Going::Stopping => format!("STOPPING {of}, {asked} asked"),
        Going::Dropping => format!("ENDING {of}"),
        _ => format!("RUNNING {of}, {asked} asked"),
    }
}

/// How a prompt is called.
pub(super) fn prompt(prompt: &PromptUsed) -> String {
    match (prompt.source, &prompt.name) {
        (PromptSource::Ours, _) => "our prompt".to_owned(),
        (PromptSource::Own, Some(name)) => format!("the prompt {name}"),
        (PromptSource::Box, Some(name)) => format!("the prompt of {name}"),
        (source, None) => format!("a prompt ({})", source.as_str()),
    }
}

/// The outcome of an item's evaluation.
pub(super) fn outcome(run: &Run, item: usize) -> Option<Outcome> {
    outcome_of(&run.of(item)?.what.evaluation)
}

/// An evaluation as any record is shown: read by the same reader, its secrets masked.
pub(super) fn shown(evaluated: &Dated<Evaluated>) -> Option<Shown> {
    let raw = serde_json::to_vec(&evaluated.what.evaluation).ok()?;
    let record = crate::jsonl::read_one(&raw, &crate::jsonl::Settings::default())?;
    let row = crate::triage::row(Located { record, raw, origins: Vec::new() });
    Some(Shown::of(&row, Masking::On))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_and_counts_are_read_at_a_glance() {
        assert_eq!([money(0.0), money(0.01234), money(12.5)], ["0.00", "0.0123", "12.50"]);
        assert_eq!(thousands(999), "999");
        assert_eq!(thousands(1_234_567), "1 234 567");
    }
}
