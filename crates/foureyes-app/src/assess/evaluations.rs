//! The evaluations of a kind in an archive, in order of time.

use super::{AssessError, stratum};
use crate::calibration::{DamagedLog, Evaluation, Fingerprint, mark_first};
use crate::domain::{JudgementKind, RecordId, Scores, Timestamp};
use crate::engine::panel::Depth;
use crate::frame::{EvaluationRow, EvaluationRows};
use crate::store::cache::{Archive, Row};
use rayon::prelude::*;
use std::collections::{HashMap, HashSet};
use std::hash::Hash;

/// All evaluations of a kind by a judge that have a time, in order of time.
///
/// They change only with the logs: whoever asks often keeps them.
#[derive(Debug, Clone, Default)]
pub struct Evaluations {
    kind: JudgementKind,
    all: Vec<Evaluation>,
    scores: Vec<Scores>,
    /// Where each stands in the archive.
    rows: Vec<Row>,
    boxes: Vec<u32>,
    fingerprints: Vec<Fingerprint>,
    rounds: Vec<(Timestamp, u32)>,
    round_ids: HashSet<RecordId>,
    depths: Vec<Option<Depth>>,
    by_id: ById,
    /// Evaluations of other kinds.
    others: HashSet<RecordId>,
    undated: u64,
    scripted: u64,
    unfinished: u64,
    damaged: Vec<DamagedLog>,
}

impl Evaluations {
    /// Reads them; `None` where it was cancelled.
    ///
    /// # Errors
    /// A cache that cannot be read.
    pub fn load(
        archive: &Archive,
        kind: JudgementKind,
        cancel: &(dyn Fn() -> bool + Sync),
    ) -> Result<Option<Self>, AssessError> {
        let Some(segments) = archive.evaluation_rows(kind, cancel)? else { return Ok(None) };
        let damaged = super::damage::damaged(archive, kind)?;
        Ok((!cancel()).then(|| Self { kind, damaged, ..Self::new(segments) }))
    }

    fn new(segments: Vec<(usize, EvaluationRows)>) -> Self {
        let mut judges: Numbers<Fingerprint> = Numbers::default();
        let mut agents: Numbers<Option<String>> = Numbers::default();
        let mut rows: Vec<(usize, EvaluationRow)> = Vec::new();
        let (mut others, mut round_ids, mut rounds) = (HashSet::new(), HashSet::new(), Vec::new());
        let (mut undated, mut scripted, mut unfinished) = (0, 0, 0);
        for (segment, part) in segments {
            let judge = |[model, served_model, prompt_sha, tier]: [Option<String>; 4]| {
                judges.number(Fingerprint { model, served_model, prompt_sha, tier })
            };
            let numbers: Vec<u32> = part.judges.into_iter().map(judge).collect();
            let authors: Vec<u32> = part.authors.into_iter().map(|a| agents.number(a)).collect();
            undated += part.undated;
            scripted += part.scripted;
            unfinished += part.unfinished;
            others.extend(part.others);
            rounds.extend(part.rounds.iter().map(|(at, judge, _)| {
                (*at, numbers.get(*judge as usize).copied().unwrap_or(u32::MAX))
            }));
            round_ids.extend(part.rounds.into_iter().map(|(.., id)| id));
            rows.extend(part.rows.into_iter().map(|mut row| {
                row.judge = numbers.get(row.judge as usize).copied().unwrap_or(u32::MAX);
                row.author = authors.get(row.author as usize).copied().unwrap_or(u32::MAX);
                (segment, row)
            }));
        }
        // Of equal times the id decides, so that the order does not depend on the segments.
        rows.par_sort_unstable_by_key(|(_, r)| (r.at, r.id));
        rounds.par_sort_unstable();
        let mut all: Vec<Evaluation> = rows.iter().map(|(_, r)| evaluation(r)).collect();
        mark_repeated(&mut all, &rows);
        let contents: Vec<Option<u64>> = rows.iter().map(|(_, r)| r.content).collect();
        mark_first(&mut all, &contents);
        let by_id = ById::new(&all);
        Self {
            kind: JudgementKind::default(),
            scores: rows.iter().map(|(_, r)| r.scores).collect(),
            boxes: rows.iter().map(|(_, r)| r.box_index).collect(),
            rows: rows.iter().map(|(segment, r)| place(*segment, r)).collect(),
            fingerprints: judges.all,
            rounds,
            round_ids,
            depths: rows.iter().map(|(_, r)| r.depth).collect(),
            all,
            by_id,
            others,
            undated,
            scripted,
            unfinished,
            damaged: Vec::new(),
        }
    }

    /// What they are evaluations of.
    pub fn kind(&self) -> JudgementKind {
        self.kind
    }

    /// The evaluations, in order of time.
    pub fn all(&self) -> &[Evaluation] {
        &self.all
    }

    /// The judge's scores of each.
    pub fn scores(&self) -> &[Scores] {
        &self.scores
    }

    /// Where each stands in the archive.
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// The index of the box of each.
    pub fn boxes(&self) -> &[u32] {
        &self.boxes
    }

    /// The judges; text in them is hostile.
    pub fn fingerprints(&self) -> &[Fingerprint] {
        &self.fingerprints
    }

    /// The judges of the other rounds of tasks, in order of time, as indices into the judges.
    pub fn rounds(&self) -> &[(Timestamp, u32)] {
        &self.rounds
    }

    /// Whether a record is such a round.
    pub fn is_round(&self, id: RecordId) -> bool {
        self.round_ids.contains(&id)
    }

    /// How many judges the run of each was to ask.
    pub fn depths(&self) -> &[Option<Depth>] {
        &self.depths
    }

    /// Whether a record is an evaluation of another kind.
    pub fn is_of_another_kind(&self, id: RecordId) -> bool {
        self.others.contains(&id)
    }

    /// Evaluations without a usable time, which count in no window.
    pub fn undated(&self) -> u64 {
        self.undated
    }

    /// Records of the kind that a file of answers was asked about, whenever that was: they are none.
    pub fn scripted(&self) -> u64 {
        self.scripted
    }

    /// Runs of tasks that did not end, whenever they began: they are no evaluations.
    pub fn unfinished(&self) -> u64 {
        self.unfinished
    }

    /// The logs of such verdicts in which something is no record.
    pub fn damaged(&self) -> &[DamagedLog] {
        &self.damaged
    }

    /// Where a record is in the archive.
    pub fn row(&self, id: RecordId) -> Option<Row> {
        self.rows.get(self.find(id)?).copied()
    }

    /// The place of a record among them.
    pub fn find(&self, id: RecordId) -> Option<usize> {
        self.by_id.of_head(id.head()).find(|at| self.all.get(*at).is_some_and(|e| e.id == id))
    }
}

/// Evaluations by the heads of their ids.
#[derive(Debug, Clone, Default)]
struct ById {
    /// Heads in order, with the places of the evaluations.
    heads: Vec<(u64, u32)>,
    /// Where in `heads` those begin that share their first bits; ids are hashes, so few do.
    starts: Vec<u32>,
}

impl ById {
    fn new(all: &[Evaluation]) -> Self {
        let mut heads: Vec<(u64, u32)> = (0..).zip(all).map(|(i, e)| (e.id.head(), i)).collect();
        heads.par_sort_unstable();
        let mut by_id = Self { starts: Vec::new(), heads };
        let groups = 1 << by_id.bits();
        by_id.starts.reserve(groups + 1);
        for (at, (head, _)) in (0..).zip(&by_id.heads) {
            let group = by_id.group(*head);
            while by_id.starts.len() <= group {
                by_id.starts.push(at);
            }
        }
        by_id.starts.resize(groups + 1, by_id.heads.len() as u32);
        by_id
    }

    /// First bits by which they are told apart: about as many groups as heads.
    fn bits(&self) -> u32 {
        self.heads.len().checked_ilog2().unwrap_or_default()
    }

    fn group(&self, head: u64) -> usize {
        head.checked_shr(u64::BITS - self.bits()).unwrap_or_default() as usize
    }

    /// The places of the evaluations whose id has a head.
    fn of_head(&self, head: u64) -> impl Iterator<Item = usize> {
        let group = self.group(head);
        let ends = self.starts.get(group).zip(self.starts.get(group + 1));
        let same = ends.and_then(|(from, to)| self.heads.get(*from as usize..*to as usize));
        let same = same.unwrap_or_default().iter().filter(move |(known, _)| *known == head);
        same.map(|(_, at)| *at as usize)
    }
}

fn evaluation(row: &EvaluationRow) -> Evaluation {
    Evaluation {
        id: row.id,
        at: row.at,
        outcome: row.outcome,
        cause: row.cause,
        reports_outages: row.reports_outages,
        latency_ms: row.latency_ms,
        stratum: stratum(&row.scores),
        fingerprint: row.judge,
        agent: row.author,
        repeated: None,
        first: false,
    }
}

/// Says of each evaluation when the next one of its unit was made; few units have more than one.
fn mark_repeated(all: &mut [Evaluation], rows: &[(usize, EvaluationRow)]) {
    let unit = |row: &EvaluationRow| (row.box_index, row.unit);
    let earlier = rows.iter().filter(|(_, row)| !row.latest);
    let mut next: HashMap<(u32, u64), Option<Timestamp>> =
        earlier.map(|(_, row)| (unit(row), None)).collect();
    if next.is_empty() {
        return;
    }
    for (evaluation, (_, row)) in all.iter_mut().zip(rows).rev() {
        if let Some(next) = next.get_mut(&unit(row)) {
            evaluation.repeated = next.replace(evaluation.at);
        }
    }
}

fn place(segment: usize, row: &EvaluationRow) -> Row {
    Row { ts: row.at.0, segment: segment as u32, row: row.row }
}

/// Names of all segments, each once.
struct Numbers<T> {
    numbers: HashMap<T, u32>,
    all: Vec<T>,
}

impl<T> Default for Numbers<T> {
    fn default() -> Self {
        Self { numbers: HashMap::new(), all: Vec::new() }
    }
}

impl<T: Clone + Eq + Hash> Numbers<T> {
    fn number(&mut self, name: T) -> u32 {
        let next = self.all.len() as u32;
        let number = *self.numbers.entry(name.clone()).or_insert(next);
        if number == next {
            self.all.push(name);
        }
        number
    }
}

#[cfg(test)]
impl Evaluations {
    /// Some that no log holds, in order of time, and their judges.
    pub(super) fn planted(all: Vec<Evaluation>, fingerprints: Vec<Fingerprint>) -> Self {
        Self { by_id: ById::new(&all), all, fingerprints, ..Self::default() }
    }
}

#[cfg(test)]
pub(super) fn an_evaluation(id: RecordId) -> Evaluation {
    Evaluation {
        id,
        at: Timestamp(0),
        outcome: crate::domain::Outcome::Go,
        cause: None,
        reports_outages: true,
        latency_ms: None,
        stratum: 0,
        fingerprint: 0,
        agent: 0,
        repeated: None,
        first: true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn evaluations_are_found_by_id() {
        let id = |n: u64| RecordId(*blake3::hash(&n.to_be_bytes()).as_bytes());
        // One that shares its head with another.
        let mut same = id(4);
        same.0[31] ^= 1;
        for count in [0_u64, 1, 2, 3, 70, 1000] {
            let mut ids: Vec<RecordId> = (4..4 + count).map(id).collect();
            if count > 2 {
                ids.extend([RecordId([0; 32]), RecordId([255; 32]), same]);
            }
            let all: Vec<Evaluation> = ids.iter().map(|id| an_evaluation(*id)).collect();
            let found = Evaluations { by_id: ById::new(&all), all, ..Evaluations::default() };
            for (at, id) in ids.iter().enumerate() {
                assert_eq!(found.find(*id), Some(at), "{count}");
            }
            assert!((9000..9100).all(|n| found.find(id(n)).is_none()));
            let mut other = id(4);
            other.0[31] ^= 2;
            assert_eq!(found.find(other), None);
        }
    }
}
