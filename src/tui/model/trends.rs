//! The trends: what was counted last, and what of it is shown.

use super::{Load, Loadable, PageModel, Problem};
use crate::answers::trends::Choice;
use crate::assess::{OpenDays, PartKind, Report, Trends};
use crate::domain::{JudgementKind, Measure};
use crate::tui::page::same;
use crate::tui::theme::Glyphs;
use std::sync::Arc;

/// What trends are counted of; something else means that they are counted anew.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TrendsKey {
    /// Number of the archive.
    pub edition: u64,
    /// Whose evaluations.
    pub family: JudgementKind,
    /// The change of the ledger.
    pub serial: u64,
    /// Days, at most, today the last.
    pub days: i32,
    /// Days since 1970: the last day.
    pub today: i32,
    /// The days whose verdicts are hidden.
    pub open_days: Option<OpenDays>,
}

/// What the page is made of.
#[derive(Debug, Clone)]
pub struct TrendsPageKey {
    /// What was counted.
    pub trends: Arc<Trends>,
    /// What of it is shown.
    pub choice: Choice,
    /// The assessment that has the day since which the judge is READY.
    pub assessed: Option<Arc<Report>>,
    /// Width in columns.
    pub width: usize,
    /// What is drawn with.
    pub glyphs: &'static Glyphs,
}

impl PartialEq for TrendsPageKey {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.trends, &other.trends)
            && same(&self.assessed, &other.assessed)
            && (self.choice, self.width) == (other.choice, other.width)
            && std::ptr::eq(self.glyphs, other.glyphs)
    }
}

/// The trends, and where the person is in them.
#[derive(Debug, Clone)]
pub struct TrendsModel {
    /// What was counted last.
    pub result: Loadable<Arc<Trends>>,
    /// What that is of, or will be.
    pub asked: Option<TrendsKey>,
    /// Number of the last request; answers to older requests are dropped.
    pub generation: u64,
    /// What of it is shown.
    pub choice: Choice,
    /// The page, and the cursor on it.
    pub place: PageModel,
    /// What the page was made of.
    pub made: Option<TrendsPageKey>,
}

impl Default for TrendsModel {
    fn default() -> Self {
        let choice = Choice { measure: Measure::GoRate, kind: PartKind::Agent, parts: [0, 1] };
        let (result, place) = (Loadable::default(), PageModel::default());
        Self { result, asked: None, generation: 0, choice, place, made: None }
    }
}

impl TrendsModel {
    /// Takes what was counted; what answers an older request comes too late.
    pub fn settle(&mut self, generation: u64, result: Result<Arc<Trends>, Problem>) {
        if self.generation == generation {
            self.result.settle(result);
            // The parts may be others now, and fewer.
            let all = self.result.value.iter().flat_map(|trends| &trends.parts);
            let parts = all.filter(|(kind, _)| *kind == self.choice.kind);
            let count: usize = parts.map(|(_, parts)| parts.len()).sum();
            if self.choice.parts.iter().any(|at| *at >= count) {
                self.choice.parts = [0, 1];
            }
        }
    }

    /// Notes what is asked for. What was counted with other verdicts hidden is not shown meanwhile.
    pub fn ask(&mut self, key: TrendsKey, generation: u64) {
        let before = self.asked.as_ref();
        if before.is_some_and(|of| (of.family, &of.open_days) != (key.family, &key.open_days)) {
            self.result.value = None;
        }
        self.result.load = Load::Busy;
        (self.asked, self.generation) = (Some(key), generation);
    }

    /// Turns to another KPI; after the last comes the first.
    pub fn turn(&mut self, by: isize) {
        let all: Vec<Measure> = Measure::kpis().collect();
        let at = all.iter().position(|of| *of == self.choice.measure).unwrap_or(0);
        if let Some(measure) = all.get(moved(at, by, all.len())) {
            self.choice.measure = *measure;
        }
    }

    /// Turns to parts of another kind, or in place of one of the two to another part.
    pub fn choose(&mut self, chooser: usize, by: isize) {
        match chooser.checked_sub(1) {
            None => {
                let all = PartKind::ALL;
                let at = all.iter().position(|of| *of == self.choice.kind).unwrap_or(0);
                let kind = all.get(moved(at, by, all.len())).copied();
                (self.choice.kind, self.choice.parts) = (kind.unwrap_or(self.choice.kind), [0, 1]);
            }
            Some(place) => {
                let parts = self.result.value.iter().flat_map(|trends| &trends.parts);
                let mut parts = parts.filter(|(kind, _)| *kind == self.choice.kind);
                let count = parts.next().map_or(0, |(_, all)| all.len());
                let [first, second] = self.choice.parts;
                let (before, other) = if place == 0 { (first, second) } else { (second, first) };
                // A part beside itself tells nothing: of two, they change places.
                let (at, other) = match (count, moved(before, by, count)) {
                    (..2, _) => return,
                    (2, at) if at == other => (at, before),
                    (_, at) if at == other => (moved(at, by.signum(), count), other),
                    (_, at) => (at, other),
                };
                self.choice.parts = if place == 0 { [at, other] } else { [other, at] };
            }
        }
    }
}

/// A place so many further on; after the last comes the first.
fn moved(at: usize, by: isize, count: usize) -> usize {
    let by = by.rem_euclid(count.max(1) as isize) as usize;
    (at + by) % count.max(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assess::{Span, TrendPart};
    use crate::domain::Timestamp;

    fn with_parts(count: usize) -> TrendsModel {
        let part = || TrendPart { name: None, known: Span::default() };
        let trends = Trends {
            family: JudgementKind::DEFAULT,
            generated: Timestamp(0),
            thresholds: Vec::new(),
            days: Vec::new(),
            weeks: [Span::default(), Span::default()],
            parts: vec![(PartKind::Agent, (0..count).map(|_| part()).collect())],
            events: Vec::new(),
        };
        let mut model = TrendsModel::default();
        model.settle(0, Ok(Arc::new(trends)));
        model
    }

    #[test]
    fn two_parts_are_never_the_same_where_there_are_more() {
        let mut model = with_parts(3);
        let mut chosen = Vec::new();
        for _ in 0..3 {
            model.choose(1, 1);
            chosen.push(model.choice.parts);
        }
        assert_eq!(chosen, [[2, 1], [0, 1], [2, 1]]);
        model.choose(0, -1);
        assert_eq!((model.choice.kind, model.choice.parts), (PartKind::Judge, [0, 1]));
        model.choose(2, 1);
        assert_eq!(model.choice.parts, [0, 1], "there is no judge");
        let mut two = with_parts(2);
        two.choose(2, 1);
        assert_eq!(two.choice.parts, [1, 0]);
    }

    #[test]
    fn figures_come_round() {
        let mut model = TrendsModel::default();
        model.turn(-1);
        assert_eq!(model.choice.measure, Measure::FalseNegativeRate);
        model.turn(1);
        assert_eq!(model.choice.measure, Measure::GoRate);
    }
}
