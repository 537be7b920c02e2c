//! The push evaluations of an archive, in order of time.

use super::{AssessError, stratum};
use crate::calibration::{Evaluation, Fingerprint, mark_first};
use crate::domain::{RecordId, Scores, Timestamp};
use crate::frame::{PushRow, PushRows};
use crate::store::cache::{Archive, Row};
use rayon::prelude::*;
use std::collections::HashMap;

/// All push evaluations that were not bypassed and have a time, in order of time.
///
/// They change only with the logs: whoever asks often keeps them.
#[derive(Debug, Clone, Default)]
pub struct Evaluations {
    all: Vec<Evaluation>,
    scores: Vec<Scores>,
    /// Where each stands in the archive.
    rows: Vec<Row>,
    boxes: Vec<u32>,
    fingerprints: Vec<Fingerprint>,
    /// Heads of the ids in order, with the places in `all`.
    by_id: Vec<(u64, u32)>,
    undated: u64,
}

impl Evaluations {
    /// Reads them; `None` where it was cancelled.
    ///
    /// # Errors
    /// A cache that cannot be read.
    pub fn load(
        archive: &Archive,
        cancel: &(dyn Fn() -> bool + Sync),
    ) -> Result<Option<Self>, AssessError> {
        let Some(segments) = archive.push_rows(cancel)? else { return Ok(None) };
        Ok((!cancel()).then(|| Self::of(segments)))
    }

    fn of(segments: Vec<(usize, PushRows)>) -> Self {
        let mut judges = Judges::default();
        let mut rows: Vec<(usize, PushRow)> = Vec::new();
        let mut undated = 0;
        for (segment, part) in segments {
            let numbers: Vec<u32> = part.judges.into_iter().map(|j| judges.number(j)).collect();
            undated += part.undated;
            rows.extend(part.rows.into_iter().map(|mut row| {
                row.judge = numbers.get(row.judge as usize).copied().unwrap_or(u32::MAX);
                (segment, row)
            }));
        }
        // Of equal times the id decides, so that the order does not depend on the segments.
        rows.par_sort_unstable_by_key(|(_, r)| (r.at, r.id));
        let mut all: Vec<Evaluation> = rows.iter().map(|(_, r)| evaluation(r)).collect();
        mark_repeated(&mut all, &rows);
        let contents: Vec<Option<u64>> = rows.iter().map(|(_, r)| r.content).collect();
        mark_first(&mut all, &contents);
        let mut by_id: Vec<(u64, u32)> = (0..).zip(&all).map(|(i, e)| (e.id.head(), i)).collect();
        by_id.par_sort_unstable();
        Self {
            scores: rows.iter().map(|(_, r)| r.scores).collect(),
            boxes: rows.iter().map(|(_, r)| r.box_index).collect(),
            rows: rows.iter().map(|(segment, r)| place(*segment, r)).collect(),
            fingerprints: judges.all,
            all,
            by_id,
            undated,
        }
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

    /// Push evaluations without a usable time, which count in no window.
    pub fn undated(&self) -> u64 {
        self.undated
    }

    /// The place of a record among them.
    pub fn find(&self, id: RecordId) -> Option<usize> {
        let head = id.head();
        let from = self.by_id.partition_point(|(h, _)| *h < head);
        let same = self.by_id.iter().skip(from).take_while(|(h, _)| *h == head);
        same.map(|(_, at)| *at as usize).find(|at| self.all.get(*at).is_some_and(|e| e.id == id))
    }
}

fn evaluation(row: &PushRow) -> Evaluation {
    Evaluation {
        id: row.id,
        at: row.at,
        outcome: row.outcome,
        cause: row.cause,
        latency_ms: row.latency_ms,
        stratum: stratum(&row.scores),
        fingerprint: row.judge,
        repeated: None,
        first: false,
    }
}

/// Says of each evaluation when the next one of its unit was made; few units have more than one.
fn mark_repeated(all: &mut [Evaluation], rows: &[(usize, PushRow)]) {
    let unit = |row: &PushRow| (row.box_index, row.unit);
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

fn place(segment: usize, row: &PushRow) -> Row {
    Row { ts: row.at.0, segment: segment as u32, row: row.row }
}

/// Judges of all segments, each once.
#[derive(Default)]
struct Judges {
    numbers: HashMap<Fingerprint, u32>,
    all: Vec<Fingerprint>,
}

impl Judges {
    fn number(&mut self, [model, served_model, prompt_sha]: [Option<String>; 3]) -> u32 {
        let judge = Fingerprint { model, served_model, prompt_sha };
        let next = self.all.len() as u32;
        let number = *self.numbers.entry(judge.clone()).or_insert(next);
        if number == next {
            self.all.push(judge);
        }
        number
    }
}
