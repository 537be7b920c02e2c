//! Picks of memories: what they come to, and the one that is labelled.

use super::{Loadable, Model, PageModel, PickMode, PicksReport, Screen};
use crate::domain::review::EntryId;
use crate::domain::{JudgementKind, RecordId};
use crate::pick_labels::{self, Picks};
use crate::relevance::Pick;
use crate::report::picks;
use crate::tui::page::same;
use crate::tui::theme::Glyphs;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// What Calibration and Readiness are about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Subject {
    /// Verdicts of a family.
    Verdicts(JudgementKind),
    /// Picks of memories.
    Picks(PickMode),
}

impl Subject {
    /// Its name on the screen.
    pub fn title(self) -> String {
        match self {
            Self::Verdicts(family) => family.plural().to_owned(),
            Self::Picks(mode) => format!("picks ({})", mode.title()),
        }
    }
}

/// A pick as a reviewer is shown it: without the judge's choice, harmless, secrets masked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PickCard {
    /// The pick.
    pub record: RecordId,
    /// What was asked.
    pub prompt: String,
    /// What was said before it, the oldest first.
    pub context: Vec<String>,
    /// The candidates, shuffled.
    pub candidates: Vec<CandidateCard>,
}

/// A candidate as a reviewer is shown it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CandidateCard {
    /// Its place in the pick.
    pub place: usize,
    /// Category, title and tags.
    pub title: String,
    /// How the memory begins, where that is kept.
    pub body: Option<String>,
}

impl PickCard {
    fn new(all: &Picks, pick: &Pick) -> Option<Self> {
        let text = all.text(pick)?;
        let candidate = |place: usize| {
            let one = pick.candidates.get(place)?;
            let body = text.bodies.get(&one.memory).map(String::as_str);
            let (title, body) = (picks::candidate(one), picks::beginning(body));
            Some(CandidateCard { place, title, body })
        };
        Some(Self {
            record: pick.record,
            prompt: picks::text(&text.prompt),
            context: text.context.iter().map(|line| picks::text(line)).collect(),
            candidates: pick_labels::shuffled(pick).into_iter().filter_map(candidate).collect(),
        })
    }
}

/// What is known of picks, and where the person is in them.
#[derive(Debug, Clone, Default)]
pub struct PicksModel {
    /// Which picks Calibration and Readiness show; `None` where they show a family of verdicts.
    pub mode: Option<PickMode>,
    /// What the picks come to; `None` until they are read.
    pub result: Loadable<Arc<PicksReport>>,
    /// Number of the last request; answers to older requests are dropped.
    pub generation: u64,
    /// Counts the changes of the ledger that this console knows of.
    pub serial: u64,
    /// The archive and the change of the ledger that were asked for last.
    pub asked: Option<(u64, u64)>,
    /// What is left to label, in its order: what was put off is at the end.
    pub queue: Vec<RecordId>,
    /// What was put off in this run, the earliest first.
    pub later: Vec<RecordId>,
    /// The pick that is shown, and its place in the queue.
    pub card: Option<Arc<PickCard>>,
    /// Where it is in the queue.
    pub place: usize,
    /// The pick that is to come next, wherever it is in the queue.
    pub wanted: Option<RecordId>,
    /// Candidates that help, by their picks.
    pub marks: BTreeMap<RecordId, BTreeSet<usize>>,
    /// Labels on their way.
    pub pending: Vec<(EntryId, RecordId)>,
    /// The screen of calibration.
    pub calibration: PicksPage,
    /// The screen of readiness.
    pub readiness: PicksPage,
}

/// A page of picks.
#[derive(Debug, Clone, Default)]
pub struct PicksPage {
    /// Where the person is on it.
    pub place: PageModel,
    /// What its rows were made of.
    pub key: Option<PicksKey>,
}

/// What a page of picks is made of; something else means another page.
#[derive(Debug, Clone)]
pub struct PicksKey {
    /// What is drawn.
    pub report: Arc<PicksReport>,
    /// Which of it.
    pub mode: PickMode,
    /// The pick that is labelled.
    pub card: Option<Arc<PickCard>>,
    /// Candidates of it that help.
    pub marks: BTreeSet<usize>,
    /// What is left to label.
    pub left: usize,
    /// Width in columns.
    pub width: usize,
    /// What is drawn with.
    pub glyphs: &'static Glyphs,
}

impl PartialEq for PicksKey {
    /// The very same report and pick, without a look inside.
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.report, &other.report)
            && self.mode == other.mode
            && same(&self.card, &other.card)
            && self.marks == other.marks
            && self.left == other.left
            && self.width == other.width
            && std::ptr::eq(self.glyphs, other.glyphs)
    }
}

impl Model {
    /// Which picks are on the screen.
    pub fn shown_picks(&self) -> Option<PickMode> {
        let here = matches!(self.screen, Screen::Calibration | Screen::Readiness);
        self.picks.mode.filter(|_| here)
    }

    /// The pick on the screen that is labelled.
    pub fn labelled_pick(&self) -> Option<&Arc<PickCard>> {
        let here = self.screen == Screen::Calibration && self.picks.mode.is_some();
        self.picks.result.value.as_ref().filter(|_| here)?;
        self.picks.card.as_ref()
    }
}

impl PicksModel {
    /// The candidates of a pick which help, by their places in it.
    pub fn marks_of(&self, record: RecordId) -> BTreeSet<usize> {
        self.marks.get(&record).cloned().unwrap_or_default()
    }

    /// Lists what is left to label, without what `is_labelled`, and shows the pick whose turn it is.
    pub fn arrange(&mut self, is_labelled: impl Fn(RecordId) -> bool) {
        let Some((report, mode)) = self.result.value.clone().zip(self.mode) else { return };
        let is_left = |record: &RecordId| {
            let is_saving = self.pending.iter().any(|(_, of)| of == record);
            !is_saving && !is_labelled(*record)
        };
        let due = report.assessment(mode).due.iter().copied().filter(is_left);
        let (later, mut queue): (Vec<_>, Vec<_>) =
            due.partition(|record| self.later.contains(record));
        let put_off = self.later.iter().copied().filter(|record| later.contains(record));
        queue.extend(put_off);
        let shown = self.card.as_ref().map(|card| card.record);
        let place_of =
            |wanted: Option<RecordId>| queue.iter().position(|record| Some(*record) == wanted);
        let wanted = place_of(self.wanted);
        if wanted.is_some() {
            self.wanted = None;
        }
        let last = queue.len().saturating_sub(1);
        self.place = wanted.or_else(|| place_of(shown)).unwrap_or(self.place.min(last));
        let record = queue.get(self.place).copied();
        self.queue = queue;
        if record != shown {
            let pick = record.and_then(|record| report.pick(record));
            self.card = pick.and_then(|pick| PickCard::new(&report.picks, pick)).map(Arc::new);
            // The next pick begins at its first line.
            self.calibration.place = PageModel::default();
            self.calibration.key = None;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::Window;
    use crate::relevance::{Inputs, Policy, assess};
    use crate::report::picks::Document;
    use crate::tui::page::picks_report::PickAssessment;

    fn record(n: u8) -> RecordId {
        RecordId([n; 32])
    }

    /// Picks that are due in this order; nothing is known of them.
    fn picks(due: &[u8]) -> PicksModel {
        let nothing = Inputs {
            items: Vec::new(),
            is_lenient: false,
            windows: &[],
            configured: Policy::default(),
            days: Window::ALL,
            elsewhere: 0,
        };
        let assessment = |due: Vec<RecordId>| PickAssessment {
            document: Document::new(assess(&nothing), due.is_empty()),
            due,
            without_text: 0,
        };
        let report = PicksReport {
            picks: Arc::default(),
            strict: assessment(due.iter().map(|n| record(*n)).collect()),
            lenient: assessment(Vec::new()),
        };
        let mode = Some(PickMode::Strict);
        let result = Loadable { value: Some(Arc::new(report)), ..Loadable::default() };
        PicksModel { mode, result, ..PicksModel::default() }
    }

    fn queue(picks: &PicksModel) -> Vec<u8> {
        picks.queue.iter().map(|record| record.0[0]).collect()
    }

    #[test]
    fn what_is_labelled_or_on_its_way_is_not_left_and_what_was_put_off_is_last() {
        let mut picks = picks(&[3, 1, 4, 2, 5]);
        picks.arrange(|_| false);
        assert_eq!((queue(&picks), picks.place), (vec![3, 1, 4, 2, 5], 0));
        picks.later = vec![record(4), record(3), record(9)];
        picks.pending.push((EntryId([1; 16]), record(1)));
        picks.arrange(|of| of == record(5));
        assert_eq!(queue(&picks), [2, 4, 3]);
    }

    #[test]
    fn wanted_pick_comes_up_once_it_is_there_and_the_place_stays_in_the_queue() {
        let mut picks = picks(&[1, 2, 3]);
        picks.wanted = Some(record(3));
        picks.arrange(|of| of == record(3));
        assert_eq!((picks.place, picks.wanted), (0, Some(record(3))));
        picks.arrange(|_| false);
        assert_eq!((picks.place, picks.wanted), (2, None));
        picks.arrange(|of| of == record(3));
        assert_eq!(picks.place, 1);
        picks.arrange(|_| true);
        assert_eq!((queue(&picks), picks.place), (vec![], 0));
    }
}
