//! The evaluations of a kind, one by one: which labels are on them, and which are the first of their
//! contents, is decided over all.

use super::super::connection::Store;
use super::super::flag_cache::{AllFlags, short};
use super::super::row_binary::{Columns, Torn};
use super::super::{FleetError, fold, list, sql, tasks};
use crate::domain::{JudgementKind, RecordId};
use crate::frame::grouped::Values;
use crate::frame::{EvaluationRows, Flags, Frame, FrameError, schema};
use std::collections::{BTreeSet, HashMap};

/// Records of a kind that are fetched, at most.
const MOST: u64 = 4_000_000;
/// Ids in a statement, at most.
const IDS: usize = 1000;

/// What names judge, author and the like of a record, in the order of [`Frame::EVALUATION_TEXTS`].
type Names = [Option<String>; 6];

/// The evaluations of a kind, and of the other kinds those that are wanted.
pub(super) async fn rows(
    store: &Store,
    boxes: &[String],
    of: JudgementKind,
    wanted: Option<&BTreeSet<RecordId>>,
) -> Result<EvaluationRows, FleetError> {
    let families = sql::list(of.families().map(|family| family.code().to_string()));
    let of_kind = format!("family IN ({families})");
    let found = fetch(store, boxes, &of_kind).await?;
    let mut evaluations = found.rows(of).map_err(FleetError::Frame)?;
    let others = format!("family NOT IN ({families})");
    match wanted {
        None => {
            let others = fetch(store, boxes, &others).await?.rows(of);
            evaluations.others = others.map_err(FleetError::Frame)?.others;
        }
        Some(wanted) => {
            let wanted: Vec<RecordId> = wanted.iter().copied().collect();
            for some in wanted.chunks(IDS) {
                let some = format!("{others} AND {}", list::any_of(some));
                let others = fetch(store, boxes, &some).await?.rows(of);
                evaluations.others.extend(others.map_err(FleetError::Frame)?.others);
            }
        }
    }
    Ok(evaluations)
}

/// Columns of records, one by one.
#[derive(Debug, Default)]
struct Fetched {
    ids: Vec<RecordId>,
    codes: [Vec<u32>; 5],
    ts: Vec<Option<i64>>,
    reports: Vec<bool>,
    words: [Vec<u64>; 2],
    latency: Vec<Option<i64>>,
    scores: [Vec<Option<f32>>; 3],
    names: Vec<u64>,
    flags: Flags,
    /// Names by their hash.
    all_names: HashMap<u64, Names>,
}

/// The columns of [`Frame::EVALUATION_TEXTS`] in the store.
const NAMES: [&str; 6] = Frame::EVALUATION_TEXTS;

async fn fetch(store: &Store, boxes: &[String], of: &str) -> Result<Fetched, FleetError> {
    let names = store.names();
    let table = names.table(super::super::schema::OCCURRENCES.name);
    let count = format!("SELECT toUInt64(count()) FROM {table} WHERE {of}");
    let count: u64 = store.rows("count records", &count, |row| row.u64()).await?.iter().sum();
    if count > MOST {
        return Err(FleetError::TooMany { what: "evaluations", count, most: MOST });
    }
    let all_names = all_names(store, of).await?;
    let flags = tasks::flags(store, of).await?;
    let columns = format!(
        ", unit, role, family, outcome, cause, evaluation, reports_outages, content, latency, semantic, \
         pragmatic, syntactic, {} AS named",
        hash()
    );
    let select = format!(
        "SELECT id, role, toUInt8(role = 0 AND {}), box, family, outcome, cause, evaluation, at, \
         reports_outages, content, unit, latency, semantic, pragmatic, syntactic, named FROM ({}) \
         ORDER BY {}",
        fold::repeat(names, "1"),
        fold::first_places(names, &columns, of),
        fold::ORDER
    );
    let boxes: HashMap<&str, u32> =
        (0..).zip(boxes).map(|(at, name)| (name.as_str(), at)).collect();
    let mut found = Fetched { all_names, ..Fetched::default() };
    let rows = store.rows("fetch evaluations", &select, |row| found.read(row, &boxes, &flags));
    rows.await?;
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
    fn read(
        &mut self,
        row: &mut Columns<'_>,
        boxes: &HashMap<&str, u32>,
        flags: &AllFlags,
    ) -> Result<(), Torn> {
        let id = RecordId(row.fixed()?);
        let (role, repeat) = (row.u8()?, row.u8()? != 0);
        let of_line = if role != 0 { flags.of(&short(id)) } else { Default::default() };
        let own = boxes.get(row.text()?.as_str()).copied().unwrap_or(u32::MAX);
        self.ids.push(id);
        let [of_box, kinds @ ..] = &mut self.codes;
        of_box.push(own);
        for kind in kinds {
            kind.push(row.u8()?.into());
        }
        self.ts.push(Some(row.i64()?).filter(|at| *at != i64::MIN));
        self.reports.push(row.u8()? != 0);
        for words in &mut self.words {
            words.push(row.u64()?);
        }
        self.latency.push(row.nullable(Columns::i64)?);
        for scores in &mut self.scores {
            scores.push(row.nullable(Columns::f32)?);
        }
        self.names.push(row.u64()?);
        self.flags.duplicate.push(false);
        self.flags.repeat.push(repeat || of_line.repeat);
        self.flags.settled.push(of_line.settled);
        self.flags.overtaken.push(of_line.overtaken);
        Ok(())
    }

    fn rows(self, of: JudgementKind) -> Result<EvaluationRows, FrameError> {
        let text = |at: usize| {
            let name = |hash: &u64| self.all_names.get(hash).and_then(|all| all[at].clone());
            (NAMES[at], Values::Texts(self.names.iter().map(name).collect()))
        };
        let texts = Frame::of_columns((0..NAMES.len()).map(text).collect())?;
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
