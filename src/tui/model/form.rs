//! An entry for the ledger that takes a typed line.

use crate::assess::STRATA;
use crate::domain::review::Draw;
use crate::domain::{JudgementKind, Timestamp};
use tui_input::Input;

/// What the entry records.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FormKind {
    /// That a step of a runbook is done; the line is a note.
    Step {
        /// Id of the runbook.
        runbook: &'static str,
        /// Id of the step in the runbook.
        step: &'static str,
    },
    /// The rate of the audit sample; the line is the rate.
    Rate {
        /// The place of the stratum in [`STRATA`]; all of them where there is none.
        stratum: Option<usize>,
    },
    /// A waiver of a rule that blocks READY; the line is the reason.
    Waiver {
        /// Which rule: one of [`crate::calibration::Policy::WAIVABLE`].
        rule: &'static str,
        /// The place of its time in [`WAIVER_DAYS`].
        span: usize,
    },
    /// The start of a calibration window; the line is its first day, where it begins on one.
    Window {
        /// How it begins.
        begins: WindowBegins,
    },
}

/// How a calibration window begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::VariantArray)]
pub enum WindowBegins {
    /// With the first record of the judge in use; what was judged before is drawn at the thin rate.
    Thin,
    /// The same; all that was judged before is drawn.
    All,
    /// On the day that is typed.
    Day,
}

impl WindowBegins {
    /// How much of what was judged before is drawn; `None` where the window begins on a day.
    pub fn draw(self) -> Option<Draw> {
        match self {
            Self::Thin => Some(Draw::Thin),
            Self::All => Some(Draw::All),
            Self::Day => None,
        }
    }
}

/// Days for which a rule can be waived in the console; the command line takes any date.
pub const WAIVER_DAYS: [u32; 4] = [14, 30, 90, 180];

/// A line that is typed for the ledger. Only `ctrl-s` saves it.
#[derive(Debug, Clone)]
pub struct Form {
    /// What the entry records.
    pub kind: FormKind,
    /// Whose rules it changes.
    pub family: JudgementKind,
    /// The text and where the cursor is in it.
    pub input: Input,
}

impl Form {
    /// A form whose line begins with a text.
    pub fn new(kind: FormKind, family: JudgementKind, text: &str) -> Self {
        Self { kind, family, input: Input::new(text.to_owned()) }
    }

    /// Whether a text is typed: a window that begins with the first record has none.
    pub fn has_line(&self) -> bool {
        !matches!(self.kind, FormKind::Window { begins } if begins.draw().is_some())
    }

    /// Whose it is, with a blank before it; of pushes nothing.
    pub fn whose(&self) -> String {
        self.family.suffix("for")
    }

    /// The stratum that a rate is of; `None` for all.
    pub fn stratum(&self) -> Option<&'static str> {
        match self.kind {
            FormKind::Rate { stratum: Some(at) } => STRATA.get(at).copied(),
            _ => None,
        }
    }

    /// The next choice, or the one before: a stratum, where none is between the last and the
    /// first, or the time of a waiver.
    pub fn choose(&mut self, by: isize) {
        match &mut self.kind {
            FormKind::Rate { stratum } => {
                let at = stratum.map_or(0, |at| at + 1) as isize;
                let next = (at + by).rem_euclid(STRATA.len() as isize + 1) as usize;
                *stratum = next.checked_sub(1);
            }
            FormKind::Waiver { span, .. } => {
                *span = (*span as isize + by).rem_euclid(WAIVER_DAYS.len() as isize) as usize;
            }
            FormKind::Window { begins } => {
                let all: [WindowBegins; 3] = crate::domain::variants();
                let at = all.iter().position(|one| one == begins).unwrap_or_default() as isize;
                let next = (at + by).rem_euclid(all.len() as isize) as usize;
                *begins = all.get(next).copied().unwrap_or(*begins);
            }
            FormKind::Step { .. } => {}
        }
    }

    /// Days for which a waiver holds; 0 of what is none.
    pub fn days(&self) -> u32 {
        match self.kind {
            FormKind::Waiver { span, .. } => WAIVER_DAYS.get(span).copied().unwrap_or_default(),
            _ => 0,
        }
    }

    /// The day that is typed, in UTC.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn day(&self) -> Result<Timestamp, &'static str> {
        let day = Timestamp::parse_day(self.input.value().trim());
        day.ok_or("a day is written YYYY-MM-DD")
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
    fn the_time_of_a_waiver_is_chosen_in_a_round() {
        let mut form =
            Form::new(FormKind::Waiver { rule: "fingerprint", span: 1 }, JudgementKind::Push, "");
        let mut seen = vec![form.days()];
        for _ in 0..WAIVER_DAYS.len() {
            form.choose(1);
            seen.push(form.days());
        }
        assert_eq!(seen, [30, 90, 180, 14, 30]);
    }

    #[test]
    fn strata_are_chosen_in_a_round_and_a_rate_is_a_probability() {
        let mut form = Form::new(FormKind::Rate { stratum: None }, JudgementKind::Push, "0.3");
        let mut seen = Vec::new();
        for _ in 0..=STRATA.len() {
            form.choose(1);
            seen.push(form.stratum());
        }
        assert_eq!(seen, [Some("weak"), Some("strong"), Some("unscored"), None]);
        form.choose(-1);
        assert_eq!((form.stratum(), form.rate()), (Some("unscored"), Ok(0.3)));
        for bad in ["", "1.1", "-0", "nan", "30%"] {
            let form = Form::new(FormKind::Rate { stratum: None }, JudgementKind::Push, bad);
            assert!(form.rate().is_err() || bad == "-0", "{bad}");
        }
    }
}
