//! The evaluations of a kind, one by one: which labels are on them, and which are the first of their
//! contents, is decided over all. They are fetched in parts of bounded size.

use super::super::connection::Store;
use super::super::flag_cache::{AllFlags, Short, short};
use super::super::lookup::LOOKED_UP;
use super::super::row_binary::{Columns, Torn};
use super::super::slices::slices;
use super::super::{FleetError, fold, lookup};
use super::parts::{Decided, of_kind};
use crate::domain::{JudgementKind, RecordId};
use crate::frame::grouped::Values;
use crate::frame::{EvaluationRows, Flags, Frame, FrameError, schema};
use std::collections::{BTreeSet, HashMap, HashSet};

/// What names judge, author and the like of a record, in the order of [`NAMES`].
type Names = [Option<String>; 6];

/// The evaluations of a kind, and of the other kinds those that are wanted, in parts; `boxes` are the names of
/// boxes by their index.
pub(super) async fn rows(
    store: &Store,
    boxes: &[String],
    of: JudgementKind,
    wanted: Option<&BTreeSet<RecordId>>,
) -> Result<Vec<EvaluationRows>, FleetError> {
    let boxes = super::numbers_of(boxes);
    let (of_kind, decided) = (of_kind(of), Decided::of(store, &boxes, of).await?);
    let Decided { flags, superseded, .. } = &decided;
    let known = Known { boxes: &boxes, flags, superseded };
    let mut parts = fetch(store, &known, of, &of_kind).await?;
    // What other records decide does not matter of those of other kinds.
    let known = Known { boxes: &boxes, flags: &AllFlags::default(), superseded: &HashSet::new() };
    let others = format!("NOT ({of_kind})");
    let mut more = Vec::new();
    match wanted {
        None => more = fetch(store, &known, of, &others).await?,
        Some(wanted) => {
            let wanted: Vec<RecordId> = wanted.iter().copied().collect();
            for some in wanted.chunks(LOOKED_UP) {
                let some = format!("{others} AND {}", lookup::any_of(some));
                more.extend(fetch(store, &known, of, &some).await?);
            }
        }
    }
    let others = more.into_iter().map(|part| part.others);
    parts.extend(others.map(|others| EvaluationRows { others, ..EvaluationRows::default() }));
    Ok(parts)
}

/// Columns of records, one by one.
#[derive(Debug, Default)]
pub(super) struct Fetched {
    ids: Vec<RecordId>,
    codes: [Vec<u32>; 5],
    ts: Vec<Option<i64>>,
    reports: Vec<bool>,
    words: [Vec<u64>; 2],
    latency: Vec<Option<i64>>,
    scores: [Vec<Option<f32>>; 3],
    names: Vec<u64>,
    /// The files of each, as [`schema::FILES`] has them.
    files: Vec<Option<String>>,
    flags: Flags,
    /// Names by their hash.
    all_names: HashMap<u64, Names>,
}

/// The columns of [`Frame::EVALUATION_TEXTS`] in the store that few records tell apart: all but the files.
const NAMES: [&str; 6] = [
    schema::MODEL,
    schema::SERVED_MODEL,
    schema::PROMPT,
    schema::TIER,
    schema::AUTHOR,
    schema::DEPTH,
];

/// The records that hold a condition on their own columns. Only one part of them at a time is here as it was
/// fetched.
async fn fetch(
    store: &Store,
    known: &Known<'_>,
    kind: JudgementKind,
    of: &str,
) -> Result<Vec<EvaluationRows>, FleetError> {
    let count = count(store, of).await?;
    let slices = if count > 0 { slices(count, store.together()) } else { Vec::new() };
    let mut parts = Vec::with_capacity(slices.len());
    for slice in slices {
        let of = format!("{of} AND {}", slice.of("head"));
        let found = part(store, (&of, fold::ALL), known).await?;
        parts.push(found.rows(kind).map_err(FleetError::Frame)?);
    }
    Ok(parts)
}

/// How many rows hold a condition.
pub(super) async fn count(store: &Store, of: &str) -> Result<u64, FleetError> {
    let table = store.names().table(super::super::schema::OCCURRENCES.name);
    let count = format!("SELECT toUInt64(count()) FROM {table} WHERE {of}");
    store.one("count records", &count, |row| row.u64()).await
}

/// What is known of all records.
pub(super) struct Known<'a> {
    pub(super) boxes: &'a HashMap<&'a str, u32>,
    pub(super) flags: &'a AllFlags,
    pub(super) superseded: &'a HashSet<Short>,
}

/// The records that hold a condition on their own columns, and one that holds for few others.
pub(super) async fn part(
    store: &Store,
    (of, days): (&str, &str),
    known: &Known<'_>,
) -> Result<Fetched, FleetError> {
    let names = store.names();
    let all_names = all_names(store, of).await?;
    let columns = format!(
        ", unit, role, family, outcome, cause, evaluation, reports_outages, content, latency, semantic, \
         pragmatic, syntactic, files, {} AS named",
        hash()
    );
    let select = format!(
        "SELECT id, role, toUInt8({}), box, family, outcome, cause, evaluation, at, \
         reports_outages, content, unit, latency, semantic, pragmatic, syntactic, named, files FROM ({})",
        super::super::filter::no_judge(),
        fold::first_places(names, &columns, of, days),
    );
    let mut found = Fetched { all_names, ..Fetched::default() };
    store.rows("fetch evaluations", &select, |row| found.read(row, known)).await?;
    Ok(found)
}

/// A number that names what names the judge of a record and the like.
fn hash() -> String {
    let part = |name: &&str| format!("isNull({name}), ifNull({name}, '')");
    format!("cityHash64({})", NAMES.iter().map(part).collect::<Vec<_>>().join(", "))
}

/// All names of some records, once.
async fn all_names(store: &Store, of: &str) -> Result<HashMap<u64, Names>, FleetError> {
    let columns = NAMES.join(", ");
    let select = format!(
        "SELECT named, {columns} FROM (SELECT {} AS named, {columns} FROM {} WHERE {of}) \
         GROUP BY named, {columns}",
        hash(),
        store.names().table(super::super::schema::OCCURRENCES.name)
    );
    let read = |row: &mut Columns<'_>| {
        let hash = row.u64()?;
        let mut names = Names::default();
        for name in &mut names {
            *name = row.nullable(Columns::text)?;
        }
        Ok((hash, names))
    };
    let mut all = HashMap::new();
    for (hash, names) in store.rows("fetch the names of judges", &select, read).await? {
        if all.insert(hash, names).is_some() {
            return Err(FleetError::Alike);
        }
    }
    Ok(all)
}

impl Fetched {
    fn read(&mut self, row: &mut Columns<'_>, known: &Known<'_>) -> Result<(), Torn> {
        let id = RecordId(row.fixed()?);
        let (role, no_judge) = (row.u8()?, row.u8()? != 0);
        let of_line = if role != 0 { known.flags.of(&short(id)) } else { Default::default() };
        let own = known.boxes.get(row.text()?.as_str()).copied().unwrap_or(u32::MAX);
        self.ids.push(id);
        let [of_box, kinds @ ..] = &mut self.codes;
        of_box.push(own);
        let mut evaluation = 0;
        for kind in kinds {
            evaluation = row.u8()?;
            kind.push(evaluation.into());
        }
        self.ts.push(Some(row.i64()?).filter(|at| *at != i64::MIN));
        self.reports.push(row.u8()? != 0);
        let mut unit = 0;
        for words in &mut self.words {
            unit = row.u64()?;
            words.push(unit);
        }
        self.latency.push(row.nullable(Columns::i64)?);
        for scores in &mut self.scores {
            scores.push(row.nullable(Columns::f32)?);
        }
        self.names.push(row.u64()?);
        self.files.push(row.nullable(Columns::text)?);
        // As `fold::repeat` has it.
        let repeat = match unit {
            0 => !no_judge,
            _ => evaluation != 0 && known.superseded.contains(&short(id)),
        };
        self.flags.duplicate.push(false);
        self.flags.repeat.push(role == 0 && repeat || of_line.repeat);
        self.flags.settled.push(of_line.settled);
        self.flags.overtaken.push(of_line.overtaken);
        self.flags.run_latency.push(of_line.run_latency);
        Ok(())
    }

    /// The evaluations of a kind among them.
    pub(super) fn rows(self, of: JudgementKind) -> Result<EvaluationRows, FrameError> {
        let text = |at: usize| {
            let name = |hash: &u64| self.all_names.get(hash).and_then(|all| all[at].clone());
            (NAMES[at], Values::Texts(self.names.iter().map(name).collect()))
        };
        let files = (schema::FILES, Values::Texts(self.files.clone()));
        let texts = (0..NAMES.len()).map(text).chain([files]);
        let texts = Frame::of_columns(texts.collect())?;
        let id = |at: usize| {
            (schema::ID[at], Values::Words(self.ids.iter().map(|id| id.word(at)).collect()))
        };
        let mut slim = vec![id(0), id(1), id(2), id(3)];
        let codes =
            [schema::BOX, schema::FAMILY, schema::OUTCOME, schema::CAUSE, schema::EVALUATION];
        slim.extend(codes.into_iter().zip(self.codes.into_iter().map(Values::Codes)));
        slim.push((schema::TS, Values::Whole(self.ts)));
        slim.push((schema::REPORTS_OUTAGES, Values::Flags(self.reports)));
        let words = [schema::CONTENT, schema::UNIT];
        slim.extend(words.into_iter().zip(self.words.into_iter().map(Values::Words)));
        slim.push((schema::LATENCY, Values::Whole(self.latency)));
        slim.extend(schema::SCORES.into_iter().zip(self.scores.into_iter().map(Values::Scores)));
        Frame::of_columns(slim)?.evaluation_rows(of, &texts, &self.flags)
    }
}
