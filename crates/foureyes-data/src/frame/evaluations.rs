//! The evaluations of a kind of judgement, column by column: what error rates and readiness rest on.

use super::build::PART;
use super::text_columns::TextColumn;
use super::works::{self, Works};
use super::{Flags, Frame, FrameError, schema};
use crate::domain::{
    Cause, Dimension, Family, JudgementKind, Numbering, Outcome, RecordId, Scores, Timestamp,
};
use crate::engine::panel::Depth;
use polars::prelude::*;
use std::collections::{HashMap, HashSet};

/// An evaluation of a kind of judgement, which is no double and has a time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct EvaluationRow {
    /// The record.
    pub id: RecordId,
    /// When it was judged.
    pub at: Timestamp,
    /// What was said.
    pub outcome: Outcome,
    /// Why it is UNDETERMINED.
    pub cause: Option<Cause>,
    /// Whether it would say so if the judge could not be asked.
    pub reports_outages: bool,
    /// Duration of the whole call in milliseconds; of a task's run the time in which its judges were at work.
    pub latency_ms: Option<u64>,
    /// What was judged, [`schema::CONTENT`]; `None` for what stands alone.
    pub content: Option<u64>,
    /// Index of its box.
    pub box_index: u32,
    /// Its judge, as an index into [`EvaluationRows::judges`]; beyond them where a person is to judge.
    pub judge: u32,
    /// Its author, as an index into [`EvaluationRows::authors`].
    pub author: u32,
    /// What it is one of within its box: [`schema::UNIT`] of a push, itself of a task's run.
    pub unit: u64,
    /// Whether no later evaluation repeats it.
    pub latest: bool,
    /// Scores of the judge from 1 to 5.
    pub scores: Scores,
    /// How many judges its run was to ask, of a task.
    pub depth: Option<Depth>,
    /// Its row in the frame.
    pub row: u32,
}

/// The evaluations of a kind in a frame.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct EvaluationRows {
    /// In the order of the frame.
    pub rows: Vec<EvaluationRow>,
    /// The judges: the model that was asked for, the one that answered, the prompt, the tier. Hostile
    /// text.
    pub judges: Vec<[Option<String>; 4]>,
    /// The other rounds of tasks, which are no evaluations: when, the judge as an index into `judges`, and
    /// the record.
    pub rounds: Vec<(Timestamp, u32, RecordId)>,
    /// The authors of what was judged. Hostile text.
    pub authors: Vec<Option<String>>,
    /// What each row is about.
    pub works: Works,
    /// Verdicts of judges on other kinds.
    pub others: Vec<RecordId>,
    /// Evaluations without a usable time, which are in no window.
    pub undated: u64,
    /// Records of the kind that a file of answers was asked about: no evaluations.
    pub scripted: u64,
    /// Runs of tasks that did not end: no evaluations.
    pub unfinished: u64,
}

impl EvaluationRows {
    /// Adds those of another frame.
    pub fn join(&mut self, other: Self) {
        let after =
            |more: usize, at: u32| at.saturating_add(if at == u32::MAX { 0 } else { more as u32 });
        let (judges, authors) = (self.judges.len(), self.authors.len());
        self.works.join(other.works, other.rows.len());
        self.rows.extend(other.rows.into_iter().map(|row| EvaluationRow {
            judge: after(judges, row.judge),
            author: after(authors, row.author),
            ..row
        }));
        let rounds = other.rounds.into_iter();
        self.rounds.extend(rounds.map(|(at, judge, id)| (at, after(judges, judge), id)));
        self.judges.extend(other.judges);
        self.authors.extend(other.authors);
        self.others.extend(other.others);
        self.undated += other.undated;
        self.scripted += other.scripted;
        self.unfinished += other.unfinished;
    }
}

/// What other evaluations decide of one where they come part after part, in order of time.
#[derive(Debug, Clone, Default)]
pub struct OtherEvaluations {
    /// Those of which a box has several of one unit, by both: their times and ids, in that order.
    pub units: HashMap<(u32, u64), Vec<(Timestamp, RecordId)>>,
    /// Contents of which there may be several.
    pub contents: HashSet<u64>,
}

impl OtherEvaluations {
    /// When the next evaluation of the unit of one was made.
    pub fn next(&self, row: &EvaluationRow) -> Option<Timestamp> {
        let unit = self.units.get(&(row.box_index, row.unit))?;
        let at = unit.partition_point(|one| *one <= (row.at, row.id));
        unit.get(at).map(|(at, _)| *at)
    }
}

/// The tier of the line that hands a task to a person: no judge gave it.
const HUMAN: &str = "human";

/// What names a judge, as it stands in the columns.
type Name<'a> = [Option<&'a str>; 4];

/// The columns of the rows.
struct View<'a> {
    id: [&'a [u64]; 4],
    family: &'a [u32],
    outcome: &'a [u32],
    cause: &'a [u32],
    boxes: &'a [u32],
    evaluation: &'a [u32],
    content: &'a [u64],
    unit: &'a [u64],
    reports: &'a BooleanChunked,
    ts: &'a Int64Chunked,
    latency: &'a Int64Chunked,
    scores: [&'a Float32Chunked; 3],
    name: [&'a TextColumn; 4],
    author: &'a TextColumn,
    files: &'a TextColumn,
    depth: &'a TextColumn,
}

impl<'a> View<'a> {
    fn new(slim: &'a Frame, texts: &'a Frame) -> PolarsResult<Self> {
        let words = |name: &str| slim.column(name)?.u64()?.cont_slice();
        let codes = |name: &str| slim.column(name)?.u32()?.cont_slice();
        let text = |name: &str| texts.text(name);
        let score = |name: &str| slim.column(name)?.f32();
        let [a, b, c, d] = schema::ID;
        let [s, p, x] = schema::SCORES;
        Ok(Self {
            id: [words(a)?, words(b)?, words(c)?, words(d)?],
            family: codes(schema::FAMILY)?,
            outcome: codes(schema::OUTCOME)?,
            cause: codes(schema::CAUSE)?,
            boxes: codes(schema::BOX)?,
            evaluation: codes(schema::EVALUATION)?,
            content: words(schema::CONTENT)?,
            unit: words(schema::UNIT)?,
            reports: slim.column(schema::REPORTS_OUTAGES)?.bool()?,
            ts: slim.column(schema::TS)?.i64()?,
            latency: slim.column(schema::LATENCY)?.i64()?,
            scores: [score(s)?, score(p)?, score(x)?],
            name: [
                text(schema::MODEL)?,
                text(schema::SERVED_MODEL)?,
                text(schema::PROMPT)?,
                text(schema::TIER)?,
            ],
            author: text(schema::AUTHOR)?,
            files: text(schema::FILES)?,
            depth: text(schema::DEPTH)?,
        })
    }

    fn id(&self, row: usize) -> RecordId {
        RecordId::from_words(self.id.map(|column| column[row]))
    }

    fn has_no_judge(&self, row: usize) -> bool {
        Cause::is_code_without_judge(self.cause[row])
    }

    /// Whether a judge gave it on something of another kind.
    fn is_of_another(&self, row: usize, of: JudgementKind) -> bool {
        let kind = Family::from_code(self.family[row] as u8).and_then(Family::kind);
        kind.is_some_and(|kind| kind != of) && !self.has_no_judge(row) && self.unit[row] != PART
    }

    /// What names the judge of a row; `None` where a person is to judge.
    fn judge(&self, row: usize) -> Option<Name<'a>> {
        let name = self.name.map(|part| part.get(row));
        let [.., tier] = name;
        (tier != Some(HUMAN)).then_some(name)
    }

    /// What a row says by itself.
    fn row(&self, row: usize, outcome: Outcome, at: Timestamp) -> EvaluationRow {
        let score = |dimension: Dimension| self.scores[dimension as usize].get(row);
        EvaluationRow {
            id: self.id(row),
            at,
            outcome,
            cause: Cause::from_code(self.cause[row] as u8),
            reports_outages: self.reports.get(row) == Some(true),
            latency_ms: self.latency.get(row).and_then(|ms| u64::try_from(ms).ok()),
            content: Some(self.content[row]).filter(|c| *c != 0),
            box_index: self.boxes[row],
            judge: u32::MAX,
            author: u32::MAX,
            unit: 0,
            latest: true,
            scores: Scores {
                semantic: score(Dimension::Semantic),
                pragmatic: score(Dimension::Pragmatic),
                syntactic: score(Dimension::Syntactic),
            },
            depth: self.depth.get(row).and_then(Depth::named),
            row: row as u32,
        }
    }
}

impl Frame {
    /// The slim columns that [`Frame::evaluation_rows`] reads.
    pub const EVALUATIONS: [&'static str; 17] = [
        schema::ID[0],
        schema::ID[1],
        schema::ID[2],
        schema::ID[3],
        schema::BOX,
        schema::TS,
        schema::FAMILY,
        schema::OUTCOME,
        schema::CAUSE,
        schema::EVALUATION,
        schema::REPORTS_OUTAGES,
        schema::CONTENT,
        schema::UNIT,
        schema::LATENCY,
        schema::SCORES[0],
        schema::SCORES[1],
        schema::SCORES[2],
    ];

    /// The text columns that [`Frame::evaluation_rows`] reads.
    pub const EVALUATION_TEXTS: [&'static str; 7] = [
        schema::MODEL,
        schema::SERVED_MODEL,
        schema::PROMPT,
        schema::TIER,
        schema::AUTHOR,
        schema::DEPTH,
        schema::FILES,
    ];

    /// The evaluations of a kind; `texts` are the text columns of the same rows.
    ///
    /// Of a task's run only the last round is one: until there is another, the run goes on.
    ///
    /// # Errors
    /// A frame without [`Frame::EVALUATIONS`], or texts without [`Frame::EVALUATION_TEXTS`].
    pub fn evaluation_rows(
        &self,
        of: JudgementKind,
        texts: &Self,
        flags: &Flags,
    ) -> Result<EvaluationRows, FrameError> {
        self.read_evaluations(of, texts, flags).map_err(|e| FrameError::Read(Box::new(e)))
    }

    fn read_evaluations(
        &self,
        of: JudgementKind,
        texts: &Self,
        flags: &Flags,
    ) -> PolarsResult<EvaluationRows> {
        let view = View::new(self, texts)?;
        let is_of_kind =
            |code: u32| Family::from_code(code as u8).and_then(Family::kind) == Some(of);
        let (mut judges, mut by_author) = (Numbering::default(), Numbering::default());
        let mut found = EvaluationRows::default();
        for row in 0..view.family.len() {
            let double = flags.duplicate.get(row) == Some(&true);
            let is_part = view.unit[row] == PART;
            let by_script = view.cause[row] == u32::from(Cause::Scripted.code());
            let counts_here = is_of_kind(view.family[row]) && !double && !is_part;
            found.scripted += u64::from(by_script && counts_here);
            found.others.extend(view.is_of_another(row, of).then(|| view.id(row)));
            let latest = flags.repeat.get(row) != Some(&true);
            let is_open = view.evaluation[row] == 0 && !view.has_no_judge(row) && of.has_rounds();
            found.unfinished += u64::from(is_open && counts_here && latest);
            let is_unit =
                view.evaluation[row] == u32::from(of.code()) && (latest || !of.has_rounds());
            if !is_unit || double {
                let round = view.judge(row).zip(view.ts.get(row));
                let round =
                    round.filter(|_| counts_here && of.has_rounds() && !view.has_no_judge(row));
                found.rounds.extend(
                    round.map(|(name, ts)| (Timestamp(ts), judges.number(name), view.id(row))),
                );
                continue;
            }
            let Some(outcome) = Outcome::from_code(view.outcome[row] as u8) else { continue };
            let Some(at) = view.ts.get(row).map(Timestamp) else {
                found.undated += 1;
                continue;
            };
            let judge = view.judge(row).map_or(u32::MAX, |name| judges.number(name));
            let author = by_author.number(view.author.get(row));
            let unit = if of.has_rounds() { view.id[0][row] } else { view.unit[row] };
            let own = view.row(row, outcome, at);
            let of_run = flags.run_latency.get(row).copied().flatten().map(u64::from);
            let latency_ms = of_run.or(own.latency_ms);
            let of_row = EvaluationRow { judge, author, unit, latest, latency_ms, ..own };
            found.rows.push(of_row);
            let decided = outcome != Outcome::Undetermined;
            let files = view.files.get(row).filter(|_| decided);
            found.works.push(works::of_files(view.author.get(row), files));
        }
        let owned = |name: Name<'_>| name.map(|part| part.map(str::to_owned));
        found.judges = judges.values().into_iter().map(owned).collect();
        found.authors =
            by_author.values().into_iter().map(|name| name.map(str::to_owned)).collect();
        Ok(found)
    }
}
