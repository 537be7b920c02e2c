//! The evaluations of a kind in an archive, in order of time.

use super::by_id::ById;
use super::packed_scores::PackedScores;
use super::parts::Parts;
use super::{AssessError, stratum};
use crate::calibration::{DamagedLog, Evaluation, Fingerprint, Folded};
use crate::domain::{JudgementKind, Numbering, RecordId, Scores, Timestamp};
use crate::engine::panel::Depth;
use crate::frame::{EvaluationRow, EvaluationRows};
use crate::store::cache::{Archive, Row};
use std::collections::HashSet;

/// All evaluations of a kind by a judge that have a time, in order of time.
///
/// They change only with the logs: whoever asks often keeps them.
#[derive(Debug, Clone, Default)]
pub struct Evaluations {
    pub(super) kind: JudgementKind,
    pub(super) all: Vec<Evaluation>,
    /// Which of `different_scores` each has.
    pub(super) scores: Vec<u32>,
    pub(super) different_scores: Vec<PackedScores>,
    /// Row of each in the archive, behind those of the segments before its own.
    pub(super) rows: Vec<u32>,
    /// Where the rows of some segments begin: the number of the first, and the segment.
    pub(super) segments: Vec<(u32, u32)>,
    pub(super) boxes: Vec<u32>,
    pub(super) box_names: Vec<String>,
    pub(super) fingerprints: Vec<Fingerprint>,
    pub(super) rounds: Vec<(Timestamp, u32)>,
    pub(super) round_ids: HashSet<RecordId>,
    pub(super) depths: Vec<Option<Depth>>,
    pub(super) by_id: ById,
    /// Evaluations of other kinds.
    pub(super) others: HashSet<RecordId>,
    pub(super) undated: u64,
    pub(super) scripted: u64,
    pub(super) unfinished: u64,
    pub(super) damaged: Vec<DamagedLog>,
    /// The judge of the last one, as an index into the judges.
    pub(super) newest: Option<u32>,
    /// What was folded into them; then `rows` are unknown, and so are scores of what has no label.
    pub(super) folded: Option<Folded>,
    /// Those of the records asked for as held elsewhere that are folded away.
    pub(super) held: HashSet<RecordId>,
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
        let mut parts = Parts::default();
        parts.expect(archive.accounting().records);
        let take = |segment, rows| parts.take(segment, rows);
        let Some(()) = archive.each_evaluation_rows(kind, cancel, take)? else { return Ok(None) };
        let damaged = super::damage::damaged(archive, kind)?;
        let box_names = archive.boxes().to_vec();
        Ok((!cancel()).then(|| Self { kind, damaged, box_names, ..parts.end() }))
    }

    /// Those of one part, of which nothing is known beside.
    pub(super) fn of_part(part: EvaluationRows) -> Self {
        let mut parts = Parts::default();
        parts.take(0, part);
        parts.end()
    }

    /// What they are evaluations of.
    pub fn kind(&self) -> JudgementKind {
        self.kind
    }

    /// The evaluations, in order of time.
    pub fn all(&self) -> &[Evaluation] {
        &self.all
    }

    /// The judge's scores of one, by its place.
    pub fn scores(&self, at: usize) -> Option<Scores> {
        let number = *self.scores.get(at)?;
        self.different_scores.get(number as usize).map(|scores| (*scores).into())
    }

    /// Where one stands in the archive, by its place.
    pub fn row_at(&self, at: usize) -> Option<Row> {
        let (number, e) = self.rows.get(at).copied().zip(self.all.get(at))?;
        let after = self.segments.partition_point(|(first, _)| *first <= number);
        let (first, segment) = *self.segments.get(after.checked_sub(1)?)?;
        Some(Row { ts: e.at.0, segment, row: number - first })
    }

    /// The index of the box of each.
    pub fn boxes(&self) -> &[u32] {
        &self.boxes
    }

    /// The names of all boxes that are read; hostile text.
    pub fn box_names(&self) -> &[String] {
        &self.box_names
    }

    /// The name of the box of an evaluation, by its place; empty where it is not known.
    pub fn box_name(&self, place: usize) -> &str {
        let name = self.boxes.get(place).and_then(|at| self.box_names.get(*at as usize));
        name.map_or("", String::as_str)
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

    /// The judge of the last evaluation.
    pub fn newest(&self) -> Option<&Fingerprint> {
        self.fingerprints.get(usize::try_from(self.newest?).ok()?)
    }

    /// What was folded into them, where they are not one by one.
    pub fn folded_in(&self) -> Option<&Folded> {
        self.folded.as_ref()
    }

    /// Whether a record is one of them, or one of those that were folded away and asked for.
    pub fn has(&self, id: RecordId) -> bool {
        self.find(id).is_some() || self.held.contains(&id)
    }

    /// Where a record is in the archive.
    pub fn row(&self, id: RecordId) -> Option<Row> {
        self.row_at(self.find(id)?)
    }

    /// The place of a record among them.
    pub fn find(&self, id: RecordId) -> Option<usize> {
        self.by_id.near(id.head()).find(|at| self.all.get(*at).is_some_and(|e| e.id == id))
    }
}

/// What parts bring beside their rows.
#[derive(Default)]
pub(super) struct Gathered {
    judges: Numbering<Fingerprint>,
    agents: Numbering<Option<String>>,
    pub(super) scores: Numbering<PackedScores>,
    pub(super) others: HashSet<RecordId>,
    pub(super) rounds: Vec<(Timestamp, u32)>,
    pub(super) round_ids: HashSet<RecordId>,
    undated: u64,
    scripted: u64,
    unfinished: u64,
}

impl Gathered {
    /// Takes a part; gives its rows, with numbers of judges and authors that are those of all parts.
    pub(super) fn take(&mut self, part: EvaluationRows) -> Vec<EvaluationRow> {
        let judge = |[model, served_model, prompt_sha, tier]: [Option<String>; 4]| {
            self.judges.number(Fingerprint { model, served_model, prompt_sha, tier })
        };
        let judges: Vec<u32> = part.judges.into_iter().map(judge).collect();
        let authors: Vec<u32> = part.authors.into_iter().map(|a| self.agents.number(a)).collect();
        self.undated += part.undated;
        self.scripted += part.scripted;
        self.unfinished += part.unfinished;
        self.others.extend(part.others);
        let number = |numbers: &[u32], at: u32| numbers.get(at as usize).copied();
        self.rounds.extend(
            part.rounds
                .iter()
                .map(|(at, judge, _)| (*at, number(&judges, *judge).unwrap_or(u32::MAX))),
        );
        self.round_ids.extend(part.rounds.into_iter().map(|(.., id)| id));
        let mut rows = part.rows;
        for row in &mut rows {
            row.judge = number(&judges, row.judge).unwrap_or(u32::MAX);
            row.author = number(&authors, row.author).unwrap_or(u32::MAX);
        }
        rows
    }

    /// Adds the judges, and what is only counted.
    pub(super) fn end(self, found: Evaluations) -> Evaluations {
        Evaluations {
            fingerprints: self.judges.values(),
            different_scores: self.scores.values(),
            undated: self.undated,
            scripted: self.scripted,
            unfinished: self.unfinished,
            ..found
        }
    }
}

/// An evaluation as it is by itself.
pub(super) fn evaluation(row: &EvaluationRow) -> Evaluation {
    Evaluation {
        id: row.id,
        at: row.at,
        outcome: row.outcome,
        cause: row.cause,
        reports_outages: row.reports_outages,
        latency_ms: row.latency_ms.into(),
        stratum: stratum(&row.scores),
        fingerprint: row.judge,
        agent: row.author,
        repeated: None.into(),
        first: false,
        first_seen: false,
        retried_after: None.into(),
        times: 1,
    }
}

#[cfg(test)]
impl Evaluations {
    /// Some that no log holds, in order of time, and their judges.
    pub(super) fn planted(all: Vec<Evaluation>, fingerprints: Vec<Fingerprint>) -> Self {
        let newest = all.last().map(|last| last.fingerprint);
        Self { by_id: ById::new(&all), all, fingerprints, newest, ..Self::default() }
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
        latency_ms: None.into(),
        stratum: 0,
        fingerprint: 0,
        agent: 0,
        repeated: None.into(),
        first: true,
        first_seen: true,
        retried_after: None.into(),
        times: 1,
    }
}
