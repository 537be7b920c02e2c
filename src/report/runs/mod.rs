//! Runs of judging again, in words: the same in the console and for the command.

mod comparison;
mod document;
mod plain;

pub use document::{OneRun, Runs};

use crate::domain::review::{PromptSource, PromptUsed, RunFigures};
use crate::report::counted;

/// Tokens and cost of a run, as far as they are known.
pub fn spent(figures: &RunFigures) -> String {
    let tokens = match (figures.tokens, figures.all_counted) {
        (0, false) => "tokens not known".to_owned(),
        (0, true) if figures.cut > 0 => "tokens not known".to_owned(),
        (n, true) => counted(n, "token", "tokens"),
        (n, false) => format!("at least {}", counted(n, "token", "tokens")),
    };
    let cut = match figures.cut {
        0 => String::new(),
        n => format!(", {} cut off, which may be charged", counted(n as u64, "call", "calls")),
    };
    format!("{tokens}, {}{cut}", cost(figures))
}

/// What a run cost, as far as that is known.
pub fn cost(figures: &RunFigures) -> String {
    match ((figures.judged + figures.failed()).max(figures.rounds), figures.unpriced) {
        (0, _) if figures.cut > 0 => "no cost known".to_owned(),
        (0, _) => "nothing spent".to_owned(),
        (all, unpriced) if all == unpriced => "cost not known".to_owned(),
        (_, 0) => format!("cost {}", money(figures.cost)),
        _ => format!("cost at least {}", money(figures.cost)),
    }
}

/// How many contents asking failed about, and why: `3 failed (unauthorized)`; `None` without one.
pub fn failures(figures: &RunFigures) -> Option<String> {
    let failed = figures.failed();
    let why = |(word, count): (&String, &usize)| match (figures.failures.len(), count) {
        (1, _) => word.replace('_', " "),
        (_, count) => format!("{count} {}", word.replace('_', " ")),
    };
    let why: Vec<String> = figures.failures.iter().map(why).collect();
    (failed > 0).then(|| format!("{failed} failed ({})", why.join(", ")))
}

/// What to do about the failure that is most frequent; `None` without one.
pub fn remedy(figures: &RunFigures) -> Option<&'static str> {
    let (why, _) = figures.failures.iter().max_by_key(|(_, count)| **count)?;
    Some(match why.as_str() {
        "unauthorized" => "the key was refused: correct it; `foureyes doctor` checks it",
        "rate_limited" => "try again later, or check the balance of the account",
        "timeout" => "try again, or raise `timeout` in [judge]",
        "unavailable" | "server_error" => "`foureyes doctor` checks whether the judge answers",
        "prompt_missing" => "`foureyes doctor` checks prompt, key and configuration of the judge",
        "no_key" => "set the key: `foureyes doctor` names its variable",
        "spend_cap" => {
            "raise `spend_cap`, or add the model's price to [prices]; `foureyes doctor` checks both"
        }
        "call_limit" => "raise `max_calls` in [task]",
        "family_refused" => "choose a judge of another family than the author's",
        "family_unknown" => "name author and judge in a [[family]]",
        _ => "`foureyes doctor` checks the judge",
    })
}

/// How a prompt is called. The name of a file or box is raw text.
pub fn prompt(prompt: &PromptUsed) -> String {
    match (prompt.source, &prompt.name) {
        (PromptSource::Ours, _) => "our prompt".to_owned(),
        (PromptSource::Own, Some(name)) => format!("the prompt {name}"),
        (PromptSource::Box, Some(name)) => format!("the prompt of {name}"),
        (source, None) => format!("a prompt ({})", source.as_str()),
    }
}

/// An amount: four figures after the point where it is small.
pub fn money(amount: f64) -> String {
    // The sum of no numbers is -0.
    let amount = amount + 0.0;
    if amount != 0.0 && amount.abs() < 1.0 {
        format!("{amount:.4}")
    } else {
        format!("{amount:.2}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_are_read_at_a_glance() {
        let none: f64 = [0.0_f64; 0].iter().sum();
        assert_eq!(money(none), "0.00");
        assert_eq!([money(0.0), money(0.01234), money(12.5)], ["0.00", "0.0123", "12.50"]);
    }

    #[test]
    fn unknown_values_are_not_shown_as_zero() {
        let figures = RunFigures { all_counted: true, ..RunFigures::default() };
        assert_eq!(spent(&figures), "0 tokens, nothing spent");
        let cut = RunFigures { cut: 1, ..figures };
        assert_eq!(
            spent(&cut),
            "tokens not known, no cost known, 1 call cut off, which may be charged"
        );
        let some = RunFigures { judged: 2, unpriced: 1, tokens: 1200, cost: 0.5, ..cut };
        let some = RunFigures { cut: 0, all_counted: false, ..some };
        assert_eq!(spent(&some), "at least 1,200 tokens, cost at least 0.5000");
    }
}
