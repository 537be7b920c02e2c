//! Something that is said in the ledger and takes a line to type.

use crate::assess::STRATA;
use tui_input::Input;

/// What is said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FormKind {
    /// That a step of a runbook is done; the line is a note.
    Step {
        /// Which runbook.
        runbook: &'static str,
        /// Which step.
        step: &'static str,
    },
    /// The rate of the audit sample; the line is the rate.
    Rate {
        /// The place of the stratum in [`STRATA`]; all of them where there is none.
        stratum: Option<usize>,
    },
}

/// A line that is typed for the ledger. Only `ctrl-s` says it.
#[derive(Debug, Clone)]
pub struct Form {
    /// What is said.
    pub kind: FormKind,
    /// The text and where the cursor is in it.
    pub input: Input,
}

impl Form {
    /// A form whose line begins with a text.
    pub fn new(kind: FormKind, text: &str) -> Self {
        Self { kind, input: Input::new(text.to_owned()) }
    }

    /// The stratum that a rate is of; `None` for all.
    pub fn stratum(&self) -> Option<&'static str> {
        match self.kind {
            FormKind::Rate { stratum: Some(at) } => STRATA.get(at).copied(),
            _ => None,
        }
    }

    /// The next stratum, or the one before; none stands between the last and the first.
    pub fn choose(&mut self, by: isize) {
        if let FormKind::Rate { stratum } = &mut self.kind {
            let at = stratum.map_or(0, |at| at + 1) as isize;
            let next = (at + by).rem_euclid(STRATA.len() as isize + 1) as usize;
            *stratum = next.checked_sub(1);
        }
    }

    /// The rate that is typed.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn rate(&self) -> Result<f64, &'static str> {
        let typed = self.input.value().trim();
        let number = typed.parse::<f64>().ok().filter(|n| (0.0..=1.0).contains(n));
        number.ok_or("a rate is a number from 0 to 1: 0.3 draws three of ten that pass")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strata_are_chosen_in_a_round_and_a_rate_is_a_probability() {
        let mut form = Form::new(FormKind::Rate { stratum: None }, "0.3");
        let mut seen = Vec::new();
        for _ in 0..=STRATA.len() {
            form.choose(1);
            seen.push(form.stratum());
        }
        assert_eq!(seen, [Some("weak"), Some("strong"), Some("unscored"), None]);
        form.choose(-1);
        assert_eq!((form.stratum(), form.rate()), (Some("unscored"), Ok(0.3)));
        for bad in ["", "1.1", "-0", "nan", "30%"] {
            let form = Form::new(FormKind::Rate { stratum: None }, bad);
            assert!(form.rate().is_err() || bad == "-0", "{bad}");
        }
    }
}
