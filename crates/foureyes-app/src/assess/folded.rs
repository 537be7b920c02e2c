//! Evaluations of a store elsewhere, folded as they come: what a question needs one by one is kept, and the
//! rest is counted.

use super::by_id::ById;
use super::evaluations::{Gathered, evaluation};
use super::retried::Stopped;
use super::{Ask, AssessError, Basis, Evaluations, window};
use crate::calibration::{Evaluation, Folding, Input, Place};
use crate::domain::review::{Change, Present};
use crate::domain::{JudgementKind, Outcome, RecordId, Timestamp};
use crate::engine::panel::Depth;
use crate::frame::{EvaluationRow, EvaluationRows, OtherEvaluations};
use crate::store::cache::{Archive, CacheError, EvaluationParts};
use rayon::prelude::*;
use std::collections::{BTreeMap, HashSet};

impl Evaluations {
    /// Those of a question: of a store elsewhere folded, for this question alone; of this machine as
    /// [`Evaluations::load`] reads them. `None` where it was cancelled.
    ///
    /// # Errors
    /// A cache that cannot be read, or a store that does not answer.
    pub fn folded(
        archive: &Archive,
        present: &Present,
        ask: &Ask<'_>,
    ) -> Result<Option<Self>, AssessError> {
        let kind = ask.family;
        // Which records are of a judge only all of them together tell.
        let natural = super::natural_window(present, kind, ask.now);
        let parts = archive.evaluation_parts(kind)?.filter(|_| natural.is_none());
        let Some(parts) = parts else {
            return Self::load(archive, kind, ask.cancel);
        };
        let parts = parts.as_ref();
        let keep = labelled(present);
        let ids: Vec<RecordId> = keep.iter().copied().collect();
        let known = Self { kind, ..Self::of_part(parts.some(&ids)?) };
        // What the ledgers say holds does not depend on evaluations without a label.
        let basis = Basis::new(&known, present, ask);
        let Some(bounds) = bounds(parts, ask)? else { return Ok(None) };
        let input = Input { evaluations: &bounds, ..basis.input(ask) };
        let cuts = instants(present, kind, ask.now);
        let mut kept = Kept::new(Folding::new(&input, &keep, &cuts), &cuts, parts.others(), ask);
        for at in 0..parts.count() {
            if (ask.cancel)() {
                return Ok(None);
            }
            kept.take(parts.part(at)?);
        }
        let damaged = super::damage::damaged(archive, kind)?;
        let (others, round_ids) = (known.others.clone(), known.round_ids.clone());
        Ok(Some(Self { kind, damaged, others, round_ids, ..kept.end() }))
    }
}

/// The records that anybody ever labelled.
fn labelled(present: &Present) -> HashSet<RecordId> {
    let changed = present.changes.iter().map(Change::record);
    let labels = present.labels.keys().copied();
    present.known.records().iter().copied().chain(labels).chain(changed).collect()
}

/// The first evaluation of all, and the last before today; `None` where it was cancelled.
fn bounds(
    parts: &dyn EvaluationParts,
    ask: &Ask<'_>,
) -> Result<Option<Vec<Evaluation>>, CacheError> {
    let today = ask.now.min(ask.complete_until).day();
    let order = |row: &EvaluationRow| (row.at, row.id);
    let mut found = Vec::new();
    for at in 0..parts.count() {
        if (ask.cancel)() {
            return Ok(None);
        }
        let rows = parts.part(at)?.rows;
        if let Some(first) = rows.iter().min_by_key(|row| order(row)) {
            found.push(evaluation(first));
            break;
        }
    }
    for at in (0..parts.count()).rev() {
        if (ask.cancel)() {
            return Ok(None);
        }
        let rows = parts.part(at)?.rows;
        let before = rows.iter().filter(|row| row.at.day() < today);
        if let Some(last) = before.max_by_key(|row| order(row)) {
            found.push(evaluation(last));
            break;
        }
    }
    Ok(Some(found))
}

/// The instants that windows begin and end with.
fn instants(present: &Present, kind: JudgementKind, now: Timestamp) -> Vec<Timestamp> {
    let of = |window: &window::Window<'_>| {
        let start = window.start;
        let counts = window::counts_from(present, start);
        let back = window.back.map(|back| back.time);
        [Some(start.what.from), Some(start.time), Some(counts), back]
    };
    let mut all: Vec<Timestamp> =
        window::windows(present, kind, now).iter().flat_map(of).flatten().collect();
    all.sort_unstable();
    all
}

/// What is kept of the evaluations so far.
struct Kept<'a> {
    folding: Folding<'a>,
    cuts: &'a [Timestamp],
    others: &'a OtherEvaluations,
    /// Contents that had a verdict, of those that may have several.
    seen: HashSet<u64>,
    /// The same of any evaluation.
    seen_at_all: HashSet<u64>,
    stopped: Stopped,
    gathered: Gathered,
    all: Evaluations,
    /// When each judge of rounds was first asked after each instant.
    rounds: BTreeMap<(usize, u32), Timestamp>,
    wanted: HashSet<RecordId>,
}

impl<'a> Kept<'a> {
    fn new(
        folding: Folding<'a>,
        cuts: &'a [Timestamp],
        others: &'a OtherEvaluations,
        ask: &Ask<'_>,
    ) -> Self {
        Self {
            folding,
            cuts,
            others,
            seen: HashSet::new(),
            seen_at_all: HashSet::new(),
            stopped: Stopped::default(),
            gathered: Gathered::default(),
            all: Evaluations::default(),
            rounds: BTreeMap::new(),
            wanted: ask.held.iter().map(|(id, _)| *id).collect(),
        }
    }

    /// Takes the next part.
    fn take(&mut self, mut part: EvaluationRows) {
        let works = std::mem::take(&mut part.works);
        let rows = self.gathered.take(part);
        // Which record is a round is asked of those with labels alone.
        self.gathered.round_ids.clear();
        for (at, judge) in self.gathered.rounds.drain(..) {
            let past = self.cuts.partition_point(|cut| *cut <= at);
            let first = self.rounds.entry((past, judge)).or_insert(at);
            *first = (*first).min(at);
        }
        let mut rows: Vec<(EvaluationRow, &[u32])> =
            rows.into_iter().enumerate().map(|(at, row)| (row, works.of(at))).collect();
        rows.par_sort_unstable_by_key(|(row, _)| (row.at, row.id));
        rows.iter().for_each(|(row, works)| self.row(row, works));
    }

    fn row(&mut self, row: &EvaluationRow, works: &[u32]) {
        let decided = row.outcome != Outcome::Undetermined;
        let mut is_new =
            |content: u64| !self.others.contents.contains(&content) || self.seen.insert(content);
        let others = self.others;
        let seen_at_all = &mut self.seen_at_all;
        let mut is_new_at_all =
            |content: u64| !others.contents.contains(&content) || seen_at_all.insert(content);
        let evaluation = Evaluation {
            first_seen: row.content.is_none_or(&mut is_new_at_all),
            retried_after: self.stopped.take(row.outcome, row.at, works).into(),
            first: decided && row.content.is_none_or(&mut is_new),
            repeated: self.others.next(row).map(Timestamp::day).into(),
            ..evaluation(row)
        };
        let depth = row.depth.map_or(0, |depth: Depth| 1 + depth as u8);
        if self.folding.take(&evaluation, depth) == Place::Row {
            self.all.scores.push(self.gathered.scores.number(row.scores.into()));
            self.all.boxes.push(row.box_index);
            self.all.depths.push(row.depth);
        }
        self.all.newest = Some(row.judge);
        if self.wanted.contains(&row.id) {
            self.all.held.insert(row.id);
        }
    }

    fn end(self) -> Evaluations {
        let (rows, folded) = self.folding.end();
        let mut rounds: Vec<(Timestamp, u32)> =
            self.rounds.into_iter().map(|((_, judge), at)| (at, judge)).collect();
        rounds.sort_unstable();
        Evaluations {
            by_id: ById::new(&rows),
            all: rows,
            folded: Some(folded),
            rounds,
            ..self.gathered.end(self.all)
        }
    }
}
