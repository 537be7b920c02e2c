//! The store as logs that are asked as those of one machine are: it counts, and what is shown travels.

mod axis;
mod evaluations;
mod group;
mod parts;
mod sums;
mod totals;

use super::list::{Question, Reader};
use super::lookup::{self, Dated, LOOKED_UP};
use super::row_binary::{Columns, Torn};
use super::sql;
use super::{FleetError, FleetRow, Nodes, fold, identity::Key, ledgers};
use crate::collect::SourceBox;
use crate::domain::review::{Entry, Reviews};
use crate::domain::{JudgementKind, Outcome, RecordId, RejectRow, Timestamp, Window};
use crate::frame::grid::Grid;
use crate::frame::query::{Query, Scope};
use crate::frame::trend::TrendSpec;
use crate::frame::{Configured, EvaluationRows, Frame, Grade, LogSpan};
use crate::jsonl::Settings;
use crate::store::cache::{CacheError, EvaluationParts, Located, Row, SharedLogs, Tallied, Totals};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError};
use tokio::runtime::Runtime;

/// Records that are listed for a person, at most.
const LISTED: usize = 10_000;
/// What is flagged, as a filter.
const FLAGGED: &str = "is:flagged";

type Answer<T> = Result<T, CacheError>;

/// The store, open.
pub struct SharedStore {
    reader: Reader,
    /// Waits for answers; taken when it is dropped, which may be where nothing may wait.
    runtime: Option<Runtime>,
    settings: Settings,
    totals: Totals,
    /// The keys of the totals' logs, in their order.
    keys: Vec<Key>,
    sources: Vec<SourceBox>,
    /// Records that are looked for among those of other kinds; all where nobody said which.
    labelled: Mutex<Option<BTreeSet<RecordId>>>,
    /// Records that are listed for a person, at most.
    listed: usize,
    rows: Mutex<Numbers>,
}

/// Numbers that rows have here.
#[derive(Default)]
struct Numbers {
    ids: Vec<Dated>,
    numbers: HashMap<RecordId, u32>,
}

impl fmt::Debug for SharedStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SharedStore").field("reader", &self.reader).finish_non_exhaustive()
    }
}

impl Drop for SharedStore {
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

impl SharedStore {
    /// Opens the store: connects to all nodes and asks what there is in all.
    ///
    /// It waits for answers, so it is called where waiting is allowed, as is every question.
    ///
    /// # Errors
    /// A node that does not answer, or a store of another version.
    pub fn open(nodes: Nodes, settings: Settings) -> Result<Self, FleetError> {
        Self::listing(nodes, settings, LISTED)
    }

    /// The same, of which at most so many records are listed for a person.
    ///
    /// # Errors
    /// As [`SharedStore::open`].
    pub fn listing(nodes: Nodes, settings: Settings, listed: usize) -> Result<Self, FleetError> {
        let mut runtime = tokio::runtime::Builder::new_multi_thread();
        let runtime = runtime.worker_threads(1).enable_all().build();
        let runtime = runtime.map_err(FleetError::Runtime)?;
        let (reader, (totals, keys), sources) = runtime.block_on(async {
            let reader = Reader::connect(nodes).await?;
            let totals = totals::totals(&reader.store).await?;
            let sources = totals::sources(&reader.store).await?;
            Ok::<_, FleetError>((reader, totals, sources))
        })?;
        Ok(Self {
            reader,
            runtime: Some(runtime),
            settings,
            totals,
            keys,
            sources,
            labelled: Mutex::default(),
            listed,
            rows: Mutex::default(),
        })
    }

    /// The boxes, and how fresh their logs are at best.
    pub fn sources(&self) -> &[SourceBox] {
        &self.sources
    }

    fn wait<T>(
        &self,
        answer: impl Future<Output = Result<T, FleetError>>,
    ) -> Result<T, FleetError> {
        match &self.runtime {
            Some(runtime) => runtime.block_on(answer),
            None => Err(FleetError::NotConfigured),
        }
    }

    fn ask<T>(&self, answer: impl Future<Output = Result<T, FleetError>>) -> Answer<T> {
        let explained = async {
            match answer.await {
                Err(error) => Err(self.reader.store.explain(error).await),
                answer => answer,
            }
        };
        self.wait(explained).map_err(CacheError::of_store)
    }

    fn numbers(&self) -> MutexGuard<'_, Numbers> {
        // What a thread that panicked left is whole.
        self.rows.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn labelled(&self) -> MutexGuard<'_, Option<BTreeSet<RecordId>>> {
        self.labelled.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn rows(&self, found: &[FleetRow]) -> Vec<Row> {
        let mut numbers = self.numbers();
        found.iter().map(|row| numbers.row(row.id, row.at)).collect()
    }

    fn question<'a>(
        query: &'a Query,
        (now, reviews): (Timestamp, &'a Reviews),
        window: Window,
        most: Option<usize>,
    ) -> Question<'a> {
        Question { query, window, most, now, reviews }
    }

    /// What the owners' places of rows say, in the order of the rows.
    async fn of_rows<T: Clone>(
        &self,
        dated: &[Dated],
        columns: &str,
        read: impl Fn(&mut Columns<'_>) -> Result<T, Torn>,
    ) -> Result<Vec<T>, FleetError> {
        let store = &self.reader.store;
        let mut found: HashMap<RecordId, T> = HashMap::new();
        for some in dated.chunks(LOOKED_UP) {
            let select = lookup::owners(store.names(), columns, some);
            let read = |row: &mut Columns<'_>| Ok((RecordId(row.fixed()?), read(row)?));
            found.extend(store.rows("look up records", &select, read).await?);
        }
        let of = |(id, _): &Dated| found.get(id).cloned().ok_or(FleetError::Record { id: *id });
        dated.iter().map(of).collect()
    }
}

impl Numbers {
    fn dated(&self, rows: &[Row]) -> Vec<Dated> {
        rows.iter().filter_map(|row| self.ids.get(row.row as usize)).copied().collect()
    }

    fn row(&mut self, id: RecordId, ts: i64) -> Row {
        let next = u32::try_from(self.ids.len()).unwrap_or(u32::MAX);
        let row = *self.numbers.entry(id).or_insert(next);
        if row == next {
            self.ids.push((id, ts));
        }
        Row { ts, segment: 0, row }
    }
}

impl SharedLogs for SharedStore {
    fn totals(&self) -> &Totals {
        &self.totals
    }

    fn ledgers(&self) -> Answer<BTreeMap<String, Vec<Entry>>> {
        self.ask(ledgers::published(&self.reader.store))
    }

    fn look_for(&self, labelled: BTreeSet<RecordId>) {
        *self.labelled() = Some(labelled);
    }

    fn tally(&self, window: Window, most: usize) -> Answer<Tallied> {
        let (rows, flagged) = self.ask(async {
            let axis = axis::Axis::default();
            let rows = group::rows(&self.reader.store, &self.totals.boxes, window, &axis).await?;
            let query = Query::parse(FLAGGED)
                .unwrap_or_else(|_| Query::new(crate::frame::query::Node::All));
            let known = (Timestamp(0), Reviews::none());
            let flagged = match most {
                0 => Vec::new(),
                _ => self.reader.list(&Self::question(&query, known, window, Some(most))).await?,
            };
            Ok((rows, flagged))
        })?;
        let (frame, _, flags) = rows.frames().map_err(CacheError::of_store)?;
        let tally = frame.tally(&flags, Window::ALL).map_err(CacheError::of_store)?;
        Ok(Tallied { tally, first: self.rows(&flagged) })
    }

    fn list(&self, query: &Query, scope: &Scope<'_>, window: Window) -> Answer<Vec<Row>> {
        let question = Self::question(query, (scope.now, scope.reviews), window, None);
        self.ask(self.reader.list(&question)).map(|found| self.rows(&found))
    }

    fn newest(
        &self,
        query: &Query,
        scope: &Scope<'_>,
        window: Window,
    ) -> Answer<(Vec<Row>, usize)> {
        let question = Self::question(query, (scope.now, scope.reviews), window, Some(self.listed));
        let rows = self.ask(self.reader.list(&question)).map(|found| self.rows(&found))?;
        let all = match rows.len() < self.listed {
            true => rows.len(),
            false => self.count(query, scope, window)?,
        };
        let beyond = all.saturating_sub(rows.len());
        Ok((rows, beyond))
    }

    fn count(&self, query: &Query, scope: &Scope<'_>, window: Window) -> Answer<usize> {
        let question = Self::question(query, (scope.now, scope.reviews), window, None);
        let count = self.ask(self.reader.count(&question))?;
        Ok(usize::try_from(count).unwrap_or(usize::MAX))
    }

    fn find_row(&self, id: RecordId) -> Answer<Option<Row>> {
        let at = self.ask(async {
            let names = self.reader.store.names();
            let own = lookup::any_of(&[id]);
            let places = fold::first_places(names, "", &own, &own);
            let select = format!("SELECT at FROM ({places})");
            self.reader.store.rows("look up a record", &select, |row| row.i64()).await
        })?;
        Ok(at.first().map(|at| self.numbers().row(id, *at)))
    }

    fn ids(&self, rows: &[Row]) -> Answer<Vec<RecordId>> {
        Ok(self.numbers().dated(rows).into_iter().map(|(id, _)| id).collect())
    }

    fn records(&self, rows: &[Row]) -> Answer<Vec<Located>> {
        let dated = self.numbers().dated(rows);
        self.ask(self.reader.located_ids(&dated, &self.settings))
    }

    fn left_out(&self) -> Vec<RecordId> {
        self.reader.left_out()
    }

    fn grades(&self, rows: &[Row]) -> Answer<Vec<Grade>> {
        let dated = self.numbers().dated(rows);
        self.ask(self.of_rows(&dated, ", outcome, semantic, pragmatic, syntactic", |row| {
            let outcome = Outcome::from_code(row.u8()?);
            let mut scores = [None; 3];
            for score in &mut scores {
                *score = row.nullable(Columns::f32)?;
            }
            Ok(Grade::of(outcome, scores))
        }))
    }

    fn texts(&self, rows: &[Row], column: &str) -> Answer<Vec<Option<String>>> {
        let dated = self.numbers().dated(rows);
        // Names of columns are our own; that of no column would be no text.
        let known = crate::frame::schema::TEXTS.iter().find(|name| **name == column);
        let columns = known.map_or_else(String::new, |name| format!(", {name}"));
        self.ask(self.of_rows(&dated, &columns, |row| row.nullable(Columns::text)))
    }

    fn rejects(&self, most: usize) -> Answer<Vec<RejectRow>> {
        self.ask(totals::rejects(&self.reader.store, most))
    }

    fn lifted(&self, window: Window) -> Answer<u64> {
        self.ask(sums::lifted(&self.reader.store, window))
    }

    fn configured(&self, window: Window) -> Answer<Vec<Configured>> {
        self.ask(sums::configured(&self.reader.store, &self.totals.boxes, window))
    }

    fn questions(&self, window: Window) -> Answer<Vec<Configured>> {
        self.ask(sums::questions(&self.reader.store, &self.totals.boxes, window))
    }

    fn trend(&self, spec: &TrendSpec, now: Timestamp) -> Answer<Frame> {
        let axis = axis::Axis::of_trend(spec, now);
        let store = &self.reader.store;
        let rows = self.ask(group::rows(store, &self.totals.boxes, spec.window, &axis))?;
        rows.whole().map_err(CacheError::of_store)
    }

    fn grid(&self, of: JudgementKind, window: Window) -> Answer<Grid> {
        self.ask(sums::grid(&self.reader.store, &self.totals.boxes, of, window))
    }

    fn evaluation_rows(&self, of: JudgementKind) -> Answer<Vec<EvaluationRows>> {
        let labelled = self.labelled().clone();
        let (boxes, store) = (&self.totals.boxes, &self.reader.store);
        let mut parts = self.ask(evaluations::rows(store, boxes, of, labelled.as_ref()))?;
        let mut numbers = self.numbers();
        for row in parts.iter_mut().flat_map(|part| &mut part.rows) {
            row.row = numbers.row(row.id, row.at.0).row;
        }
        Ok(parts)
    }

    fn evaluation_parts(&self, of: JudgementKind) -> Answer<Box<dyn EvaluationParts + '_>> {
        Ok(Box::new(parts::Parts::of(self, of)?))
    }

    fn log_spans(
        &self,
        of: JudgementKind,
        wanted: &BTreeSet<u32>,
    ) -> Answer<BTreeMap<u32, LogSpan>> {
        let keys: Vec<(u32, &Key)> =
            wanted.iter().filter_map(|at| Some((*at, self.keys.get(*at as usize)?))).collect();
        self.ask(totals::log_spans(&self.reader.store, of, &keys))
    }
}

/// The numbers of boxes, by their names.
fn numbers_of(boxes: &[String]) -> HashMap<&str, u32> {
    (0..).zip(boxes).map(|(at, name)| (name.as_str(), at)).collect()
}

/// Several keys of logs as literals.
fn keys_list(keys: &[(u32, &Key)]) -> String {
    sql::list(keys.iter().map(|(_, key)| sql::fixed(key)))
}
