//! The evaluations of a kind part after part: some days at a time, and what those of other parts decide.

use super::super::connection::Store;
use super::super::flag_cache::{AllFlags, Short, short};
use super::super::lookup::LOOKED_UP;
use super::super::row_binary::{Columns, Torn};
use super::super::slices::slices;
use super::super::spans::Span;
use super::super::{FleetError, fold, lookup, spans, sql, tasks};
use super::evaluations::{self, Known};
use super::{Answer, SharedStore};
use crate::domain::{JudgementKind, Outcome, RecordId, Timestamp};
use crate::frame::{EvaluationRows, OtherEvaluations};
use crate::store::cache::{CacheError, EvaluationParts};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// Rows whose units or contents are compared at once, in what is fetched at once.
const COMPARED: u64 = 8;

/// What other records decide of evaluations of a kind.
#[derive(Debug, Default)]
pub(super) struct Decided {
    pub(super) flags: Arc<AllFlags>,
    /// Those that a later one of their unit replaces.
    pub(super) superseded: HashSet<Short>,
    units: HashMap<(u32, u64), Vec<(Timestamp, RecordId)>>,
}

/// The condition that records are of a kind.
pub(super) fn of_kind(of: JudgementKind) -> String {
    let families = sql::list(of.families().map(|family| family.code().to_string()));
    format!("family IN ({families})")
}

impl Decided {
    /// Looks it up; `boxes` are the numbers of boxes by name.
    pub(super) async fn of(
        store: &Store,
        boxes: &HashMap<&str, u32>,
        of: JudgementKind,
    ) -> Result<Self, FleetError> {
        let flags = tasks::flags(store, &of_kind(of)).await?;
        let mut decided = Self { flags, ..Self::default() };
        // Rounds of tasks are among the flags, and what has none stands alone.
        if !of.has_rounds() {
            let count = evaluations::count(store, fold::EVALUATION).await?;
            for slice in slices(count, store.together().saturating_mul(COMPARED)) {
                let select = fold::of_several(store.names(), &slice.of("unit"));
                let read = |row: &mut Columns<'_>| Several::read(row, boxes);
                decided.take(store.rows("look for later evaluations", &select, read).await?);
            }
        }
        Ok(decided)
    }

    /// Takes the evaluations of some units, all of each.
    fn take(&mut self, mut rows: Vec<Several>) {
        rows.sort_unstable();
        for unit in rows.chunk_by(|a, b| a.unit == b.unit) {
            let replaced = unit.split_last().map_or(&[][..], |(_, replaced)| replaced);
            self.superseded.extend(replaced.iter().map(|one| short(one.id)));
            let counting = unit.iter().filter(|one| one.counts && one.at != i64::MIN);
            let mut times: Vec<_> = counting.map(|one| (Timestamp(one.at), one.id)).collect();
            if let (Some(first), 2..) = (unit.first(), times.len()) {
                times.sort_unstable();
                self.units.insert(first.unit, times);
            }
        }
    }
}

/// An evaluation of a unit that has several, in the order in which a later one replaces it.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Several {
    unit: (u32, u64),
    at: i64,
    base: String,
    name: String,
    byte: u64,
    id: RecordId,
    /// Whether it has an outcome.
    counts: bool,
}

impl Several {
    fn read(row: &mut Columns<'_>, boxes: &HashMap<&str, u32>) -> Result<Self, Torn> {
        let own = boxes.get(row.text()?.as_str()).copied().unwrap_or(u32::MAX);
        let (unit, at) = ((own, row.u64()?), row.i64()?);
        let (base, name, byte) = (row.text()?, row.text()?, row.u64()?);
        let id = RecordId(row.fixed()?);
        let counts = Outcome::from_code(row.u8()?).is_some();
        Ok(Self { unit, at, base, name, byte, id, counts })
    }
}

/// The parts, of which each is fetched when it is asked for.
pub(super) struct Parts<'a> {
    store: &'a SharedStore,
    of: JudgementKind,
    boxes: HashMap<&'a str, u32>,
    spans: Vec<Span>,
    flags: Arc<AllFlags>,
    superseded: HashSet<Short>,
    others: OtherEvaluations,
}

impl<'a> Parts<'a> {
    pub(super) fn of(store: &'a SharedStore, of: JudgementKind) -> Answer<Self> {
        let boxes = super::numbers_of(&store.totals.boxes);
        let (asked, condition) = (&store.reader.store, of_kind(of));
        store.ask(async {
            let Decided { flags, superseded, units } = Decided::of(asked, &boxes, of).await?;
            let contents = contents(asked, &condition).await?;
            let others = OtherEvaluations { units, contents };
            let spans = spans::with_at_most(asked, &condition, asked.together()).await?;
            Ok(Self { store, of, boxes, spans, flags, superseded, others })
        })
    }

    fn fetch(&self, condition: &str, days: &str) -> Answer<EvaluationRows> {
        let known = Known { boxes: &self.boxes, flags: &self.flags, superseded: &self.superseded };
        let rows = self.store.ask(async {
            let found =
                evaluations::part(&self.store.reader.store, (condition, days), &known).await?;
            Ok(found.rows(self.of))
        })?;
        rows.map_err(CacheError::of_store)
    }
}

impl EvaluationParts for Parts<'_> {
    fn count(&self) -> usize {
        self.spans.len()
    }

    fn part(&self, at: usize) -> Answer<EvaluationRows> {
        let empty = || Ok(EvaluationRows::default());
        self.spans.get(at).map_or_else(empty, |span| self.fetch(&span.condition, &span.days))
    }

    fn some(&self, ids: &[RecordId]) -> Answer<EvaluationRows> {
        let mut all = EvaluationRows::default();
        for some in ids.chunks(LOOKED_UP) {
            all.join(self.fetch(&lookup::any_of(some), fold::ALL)?);
        }
        Ok(all)
    }

    fn others(&self) -> &OtherEvaluations {
        &self.others
    }
}

/// Contents of which several evaluations hold a condition.
async fn contents(store: &Store, condition: &str) -> Result<HashSet<u64>, FleetError> {
    let (go, no_go) = (Outcome::Go.code(), Outcome::NoGo.code());
    let undetermined = Outcome::Undetermined.code();
    let decided = format!(
        "{condition} AND evaluation != 0 AND outcome IN ({go}, {no_go}, {undetermined}) AND content != 0 \
         AND isNotNull(ts)"
    );
    let mut all = HashSet::new();
    let count = evaluations::count(store, &decided).await?;
    for slice in slices(count, store.together().saturating_mul(COMPARED)) {
        let select = fold::contents_of_several(store.names(), &decided, &slice.of("content"));
        all.extend(
            store
                .rows("look for contents with several evaluations", &select, |row| row.u64())
                .await?,
        );
    }
    Ok(all)
}
