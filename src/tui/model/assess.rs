//! Calibration and readiness: what was last assessed, and where the person is in it.

use super::{LedgerSnapshot, Load, Loadable, Model};
use crate::assess::{NaturalOffer, RateSaid, Report, Week};
use crate::calibration::{Candidate, Part, Replay, Replayed};
use crate::domain::JudgementKind;
use crate::page::write::console::Unfolded;
use crate::peer::PeerDocument;
use crate::tui::page::{Page, same};
use crate::tui::theme::Glyphs;
use std::sync::Arc;

/// What is shown of an assessment besides the document.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct AssessmentDetails {
    /// Labelled contents of the sample: other score rules are replayed over them.
    pub replays: Arc<Vec<Replay>>,
    /// Labels of what nobody drew, which count in no rate: acceptable, poor, unsure.
    pub picked: [u64; 3],
    /// Rates of parts: by what they differ in, and the parts.
    pub rates: Vec<(&'static str, Vec<Part>)>,
    /// Scores from week to week.
    pub drift: Vec<Week>,
    /// The rates of the audit sample that hold, in the order in which they were set.
    pub sample: Vec<RateSaid>,
    /// The window that would begin with the first record ever of the judge in use; `None` where one runs.
    pub natural: Option<NaturalOffer>,
    /// Entries on window, policy and sample that are not in force, a sentence each.
    pub unusable: Vec<String>,
    /// What a judge of another family found, where it reviewed any.
    pub peer: Option<PeerDocument>,
}

/// The assessment of a family, and where the person is on its two screens.
#[derive(Debug, Clone, Default)]
pub struct AssessModel {
    /// The report; `None` until it is assessed.
    pub result: Loadable<Arc<Report>>,
    /// What else is shown of it.
    pub parts: Loadable<Arc<AssessmentDetails>>,
    /// Number of the last request; answers to older requests are dropped.
    pub generation: u64,
    /// Counts the parts that came.
    pub version: u64,
    /// Counts the changes of the ledger that this console knows of.
    pub serial: u64,
    /// The archive and the change of the ledger that were asked for last, and whether all details were.
    pub asked: Option<(u64, u64, bool)>,
    /// The screen of calibration.
    pub calibration: PageModel,
    /// The screen of readiness.
    pub readiness: PageModel,
    /// Other score rules.
    pub rules: Rules,
}

/// Where the person is on a page.
#[derive(Debug, Clone, Default)]
pub struct PageModel {
    /// The selected stop, from 0.
    pub cursor: usize,
    /// The selected cell of it.
    pub cell: usize,
    /// The first line on the screen.
    pub top: usize,
    /// What is unfolded.
    pub unfolded: Unfolded,
    /// Its rows, made anew when what they show has changed.
    pub page: Arc<Page>,
    /// What the rows were made of.
    pub key: Option<PageKey>,
}

/// What a page is made of; something else means another page.
#[derive(Debug, Clone)]
pub struct PageKey {
    /// The report that is drawn.
    pub assessed: Arc<Report>,
    /// What else is shown of it.
    pub parts: Option<Arc<AssessmentDetails>>,
    /// Content of the ledgers.
    pub ledger: Option<Arc<LedgerSnapshot>>,
    /// Width in columns.
    pub width: usize,
    /// What is drawn with.
    pub glyphs: &'static Glyphs,
    /// Counts the changes of the rules.
    pub revision: u64,
}

impl PartialEq for PageKey {
    /// The very same assessment, without a look inside.
    fn eq(&self, other: &Self) -> bool {
        same(&self.parts, &other.parts)
            && same(&self.ledger, &other.ledger)
            && Arc::ptr_eq(&self.assessed, &other.assessed)
            && self.width == other.width
            && self.revision == other.revision
            && std::ptr::eq(self.glyphs, other.glyphs)
    }
}

/// Other score rules, and what they would have done.
#[derive(Debug, Clone, Default)]
pub struct Rules {
    /// The rule that the sliders show.
    pub rule: Candidate,
    /// Every rule that was looked at, in that order: they share the allowed error.
    pub tried: Vec<Candidate>,
    /// What the latest of them would have done, the newest first.
    pub replayed: Loadable<Arc<Vec<Replayed>>>,
    /// Which asking that answers, or will.
    pub generation: u64,
    /// The parts it was asked of, by their version; `None` where a rule changed since.
    pub of: Option<u64>,
    /// Counts what changes the rows.
    pub revision: u64,
}

/// Scores that a slider stops at.
const STEPS: [f32; 8] = [1.5, 2.0, 2.5, 3.0, 3.5, 4.0, 4.5, 5.0];

/// So many of the rules that were tried are shown.
pub const RULES_SHOWN: usize = 4;

impl Rules {
    /// The sliders: three dimensions and the mean.
    pub const SLIDERS: usize = 4;

    /// What a slider asks for; `None` is nothing.
    pub fn value(&self, slider: usize) -> Option<f32> {
        self.rule.minimum.get(slider).copied().unwrap_or(self.rule.average)
    }

    /// Moves a slider by so many steps; returns whether it moved.
    pub fn slide(&mut self, slider: usize, by: isize) -> bool {
        let before = self.value(slider);
        // Step 0 asks for nothing.
        let at = before.map_or(0, |v| STEPS.iter().take_while(|s| **s <= v).count());
        let at = at.saturating_add_signed(by).min(STEPS.len());
        let value = at.checked_sub(1).and_then(|i| STEPS.get(i)).copied();
        match self.rule.minimum.get_mut(slider) {
            Some(minimum) => *minimum = value,
            None => self.rule.average = value,
        }
        if value == before {
            return false;
        }
        if self.rule != Candidate::default() && !self.tried.contains(&self.rule) {
            self.tried.push(self.rule);
        }
        self.replayed.load = Load::Idle;
        self.of = None;
        self.revision += 1;
        true
    }

    /// The rules that are shown: that of the sliders, then the last ones tried before it.
    pub fn shown(&self) -> Vec<Candidate> {
        let none = Candidate::default();
        let present = Some(self.rule).filter(|r| *r != none);
        let before = self.tried.iter().rev().copied().filter(|r| Some(*r) != present);
        present.into_iter().chain(before).take(RULES_SHOWN).collect()
    }
}

impl Model {
    /// The assessment of the family that is shown.
    pub fn assess(&self) -> &AssessModel {
        self.assessments.get(self.family)
    }

    /// The same, to be changed.
    pub fn assess_mut(&mut self) -> &mut AssessModel {
        self.assessments.get_mut(self.family)
    }

    /// Notes that the ledger changed: what was assessed is asked for again.
    pub fn ledger_changed(&mut self) {
        self.picks.serial += 1;
        for family in JudgementKind::ALL {
            self.assessments.get_mut(family).serial += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slider_goes_from_nothing_to_the_highest_score_and_back() {
        let mut rules = Rules::default();
        assert!(!rules.slide(0, -1));
        assert!(rules.slide(0, 1));
        assert_eq!(rules.value(0), Some(1.5));
        assert!(rules.slide(3, isize::MAX));
        assert_eq!((rules.value(3), rules.rule.average), (Some(5.0), Some(5.0)));
        assert!(!rules.slide(3, 1));
        assert!(rules.slide(3, isize::MIN));
        assert_eq!(rules.value(3), None);
    }

    #[test]
    fn each_viewed_rule_counts_once() {
        let mut rules = Rules::default();
        for by in [1, 1, -1, 1, -2] {
            rules.slide(1, by);
        }
        assert_eq!(rules.tried.len(), 2);
        assert_eq!(rules.shown().len(), 2);
        rules.slide(1, 1);
        assert_eq!((rules.tried.len(), rules.shown()[0]), (2, rules.rule));
    }
}
