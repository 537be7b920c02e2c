//! Pushes whose verdicts are hidden, left out of the counts that would tell them.

use super::what::{EVALUATION, query};
use crate::assess::suppressed;
use crate::calibration::kpi::NO_EVALUATIONS;
use crate::domain::review::Reviews;
use crate::domain::{
    Cause, Counts, Dimension, Distinct, Kpi, Measure, Outcome, Record, RecordId, Timestamp, Triage,
    Window,
};
use crate::frame::grid::{Grid, Names, Scored, Sums};
use crate::frame::query::Scope;
use crate::frame::schema;
use crate::frame::trend::directory;
use crate::stats::binomial;
use crate::store::cache::{Archive, Row, RowError};
use crate::triage::TriageError;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::hash::Hash;

/// Caveats that count verdicts.
const TELLING: [&str; 3] = ["asked_until_go", "unexplained", "unjudged_while_blocking"];

/// Pushes of a window whose verdicts are hidden, as its tables count them.
#[derive(Debug, Clone, Default)]
pub struct Hidden(Grid);

/// How many hidden pushes the parts of the breakdowns leave out.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct LeftOut {
    /// Of the days, the boxes and the means.
    pub days: u64,
    /// Of the judges.
    pub models: u64,
    /// Of the authors.
    pub agents: u64,
    /// Of the paths; one with files in several may be left out of each.
    pub paths: u64,
    /// Of the terms, likewise.
    pub terms: u64,
}

/// What is counted of a hidden push.
#[derive(Debug, Clone, Copy, Default)]
struct Counted {
    sums: Sums,
    cause: Option<Cause>,
}

impl Hidden {
    /// Reads those that stand in some rows of a window; `None` where `cancel` said so.
    ///
    /// # Errors
    /// A cache or a log that cannot be read.
    pub fn read(
        archive: &Archive,
        rows: &[Row],
        (window, now): (Window, Timestamp),
        cancel: &(dyn Fn() -> bool + Sync),
    ) -> Result<Option<Self>, TriageError> {
        let mut hidden = Self::default();
        if rows.is_empty() {
            return Ok(Some(hidden));
        }
        let Some(counted) = counted(archive, rows, (window, now), cancel)? else {
            return Ok(None);
        };
        let boxes = archive.box_names(rows)?;
        let texts = |column: &str| archive.texts(rows, column);
        let (asked, served) = (texts(schema::MODEL)?, texts(schema::SERVED_MODEL)?);
        let (authors, files) = (texts(schema::AUTHOR)?, texts(schema::FILES)?);
        let terms = texts(schema::TERMS)?;
        for (at, (row, counted)) in rows.iter().zip(counted).enumerate() {
            let text = |texts: &Distinct<Option<String>>| texts.get(at).cloned().flatten();
            let day = (row.ts != i64::MIN).then(|| Timestamp(row.ts).day());
            let name = text(&boxes);
            let index = archive.boxes().iter().position(|one| Some(one) == name.as_ref());
            let index = index.and_then(|at| u32::try_from(at).ok()).unwrap_or_default();
            let grid = &mut hidden.0;
            grid.cells.entry((day, index)).or_default().merge(&counted.sums);
            let judge = text(&served).or_else(|| text(&asked));
            grid.judges.entry(judge).or_default().merge(&counted.sums);
            grid.authors.entry(text(&authors)).or_default().merge(&counted.sums);
            add_each(&mut grid.paths, text(&files), |file| directory(file, 1), &counted.sums);
            add_each(&mut grid.terms, text(&terms), |term| term, &counted.sums);
            hidden.add_unit(&counted);
        }
        Ok(Some(hidden))
    }

    fn add_unit(&mut self, counted: &Counted) {
        let cause = counted.cause.map_or(0, |cause| usize::from(cause.code()));
        if let Some(count) = self.0.causes.get_mut(cause) {
            *count += counted.sums.unit_undetermined;
        }
        for (bins, scored) in self.0.histogram.iter_mut().zip(counted.sums.scores) {
            let Some(score) = scored.mean() else { continue };
            let nearest = (score + 0.5).floor().clamp(1.0, 5.0) as usize;
            if let Some(bin) = bins.get_mut(nearest - 1) {
                bin.n += 1;
                bin.whole += u64::from(score.fract() == 0.0);
            }
        }
    }

    fn whole(&self) -> Sums {
        let mut whole = Sums::default();
        self.0.cells.values().for_each(|sums| whole.merge(sums));
        whole
    }

    /// Leaves them out of the counts of the whole window, if those would tell them.
    pub fn leave_out_of(&self, triage: &mut Triage) {
        let whole = self.whole();
        if suppressed(&[whole.records]) != [true] {
            return;
        }
        let Counts { in_window, go, no_go, undetermined, .. } = &mut triage.counts;
        let counts = [
            (in_window, whole.records),
            (go, whole.go),
            (no_go, whole.no_go),
            (undetermined, whole.undetermined),
            (&mut triage.flagged_total, whole.flagged),
        ];
        for (count, less) in counts {
            *count = count.saturating_sub(less);
        }
        triage.hidden = whole.records;
        let kpis = triage.kpis.iter_mut().filter(|kpi| kpi.id == Measure::GoRate);
        kpis.for_each(|kpi| remove_units(kpi, &whole));
        triage.caveats.retain(|caveat| !TELLING.contains(&caveat.id.as_str()));
    }

    /// Leaves them out of those parts of a grid that would tell them.
    pub(super) fn leave_out(&self, grid: &mut Grid) -> LeftOut {
        let Self(hidden) = self;
        if suppressed(&[self.whole().records]) == [true] {
            for (count, less) in grid.causes.iter_mut().zip(hidden.causes) {
                *count = count.saturating_sub(less);
            }
            let bins = grid.histogram.iter_mut().flatten();
            for (bin, less) in bins.zip(hidden.histogram.iter().flatten()) {
                bin.n = bin.n.saturating_sub(less.n);
                bin.whole = bin.whole.saturating_sub(less.whole);
            }
        }
        LeftOut {
            days: take_out(&mut grid.cells, &hidden.cells),
            models: take_out(&mut grid.judges, &hidden.judges),
            agents: take_out(&mut grid.authors, &hidden.authors),
            paths: take_out(&mut grid.paths, &hidden.paths),
            terms: take_out(&mut grid.terms, &hidden.terms),
        }
    }
}

/// What is counted of rows, in their order; `None` where `cancel` said so.
fn counted(
    archive: &Archive,
    rows: &[Row],
    (window, now): (Window, Timestamp),
    cancel: &(dyn Fn() -> bool + Sync),
) -> Result<Option<Vec<Counted>>, TriageError> {
    let scope = Scope { boxes: archive.boxes(), now, reviews: Reviews::none() };
    let Some(units) = archive.list(&query(vec![EVALUATION]), &scope, window, cancel)? else {
        return Ok(None);
    };
    let units: HashSet<(u32, u32)> = units.iter().map(|row| (row.segment, row.row)).collect();
    let ids = archive.ids(rows)?;
    let is_unit = |row: &Row| units.contains(&(row.segment, row.row));
    let units: HashSet<RecordId> =
        rows.iter().zip(&ids).filter(|(row, _)| is_unit(row)).map(|(_, id)| *id).collect();
    let mut counted: HashMap<RecordId, Counted> = HashMap::new();
    archive.each_record(rows, |located| {
        let record = &located.record;
        counted.insert(record.id, count(record, units.contains(&record.id)));
        Ok::<_, RowError>(())
    })?;
    Ok(Some(ids.iter().map(|id| counted.get(id).copied().unwrap_or_default()).collect()))
}

fn count(record: &Record, is_unit: bool) -> Counted {
    let is = |outcome| u64::from(record.outcome == Some(outcome));
    let [go, no_go, undetermined] = [Outcome::Go, Outcome::NoGo, Outcome::Undetermined].map(is);
    let is_judged = !record.cause.is_some_and(Cause::has_no_judge);
    let unit = u64::from(is_unit);
    let scored = |dimension| {
        let score = record.scores.usable(dimension).filter(|_| is_unit);
        Scored { n: u64::from(score.is_some()), sum: score.map_or(0.0, f64::from) }
    };
    let sums = Sums {
        records: 1,
        go,
        no_go,
        undetermined,
        flagged: (no_go + undetermined) * u64::from(is_judged),
        units: unit,
        unit_go: go * unit,
        unit_no_go: no_go * unit,
        unit_undetermined: undetermined * unit,
        scores: Dimension::ALL.map(scored),
        ..Sums::default()
    };
    Counted { sums, cause: record.cause }
}

/// Adds a push under what each of its texts stands for; they have a NUL before each.
fn add_each(names: &mut Names, texts: Option<String>, name: fn(&str) -> &str, sums: &Sums) {
    let texts = texts.unwrap_or_default();
    let found = texts.split('\0').filter(|text| !text.is_empty());
    let found: BTreeSet<&str> = found.map(name).collect();
    if found.is_empty() {
        names.entry(None).or_default().merge(sums);
    }
    for name in found {
        names.entry(Some(name.to_owned())).or_default().merge(sums);
    }
}

/// Takes hidden pushes out of the cells that would tell them; gives how many.
fn take_out<K: Ord + Hash>(all: &mut HashMap<K, Sums>, hidden: &HashMap<K, Sums>) -> u64 {
    let mut cells: Vec<(&K, &Sums)> =
        hidden.iter().filter(|(key, _)| all.contains_key(key)).collect();
    // Of two that are equally small, always the same one.
    cells.sort_unstable_by_key(|(key, _)| *key);
    let counts: Vec<u64> = cells.iter().map(|(_, sums)| sums.records).collect();
    let mut left_out = 0;
    for ((key, sums), is_out) in cells.into_iter().zip(suppressed(&counts)) {
        if let Some(cell) = all.get_mut(key).filter(|_| is_out) {
            cell.remove(sums);
            // Where nothing is counted any more, something came all the same.
            cell.doubles += sums.records;
            left_out += sums.records;
        }
    }
    left_out
}

/// Takes units out of a rate of GO.
fn remove_units(kpi: &mut Kpi, hidden: &Sums) {
    kpi.numerator = kpi.numerator.saturating_sub(hidden.unit_go);
    kpi.denominator = kpi.denominator.saturating_sub(hidden.units);
    let share = binomial::share(kpi.numerator, kpi.denominator);
    kpi.estimate = share.as_ref().map(|(share, _)| *share);
    kpi.lower = share.as_ref().map(|(_, interval)| interval.lower);
    kpi.upper = share.as_ref().map(|(_, interval)| interval.upper);
    kpi.reason = share.is_none().then(|| NO_EVALUATIONS.to_owned());
}
