//! Push evaluations, column by column: what error rates and readiness rest on.

use super::build::PART;
use super::{Flags, Frame, FrameError, schema};
use crate::domain::{Cause, Dimension, Family, Outcome, RecordId, Scores, Timestamp};
use polars::prelude::*;
use std::collections::HashMap;
use std::hash::Hash;

/// A push evaluation of a commit by a judge, is no double and has a time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PushRow {
    /// The record.
    pub id: RecordId,
    /// When it was judged.
    pub at: Timestamp,
    /// What was said.
    pub outcome: Outcome,
    /// Why it is UNDETERMINED.
    pub cause: Option<Cause>,
    /// Duration of the whole call in milliseconds.
    pub latency_ms: Option<u64>,
    /// What was judged, [`schema::CONTENT`]; `None` for what stands alone.
    pub content: Option<u64>,
    /// Index of its box.
    pub box_index: u32,
    /// Its judge, as an index into [`PushRows::judges`].
    pub judge: u32,
    /// Its author, as an index into [`PushRows::authors`].
    pub author: u32,
    /// What it is one of within its box, [`schema::UNIT`].
    pub unit: u64,
    /// Whether no later evaluation repeats it.
    pub latest: bool,
    /// Scores of the judge from 1 to 5.
    pub scores: Scores,
    /// Its row in the frame.
    pub row: u32,
}

/// The push evaluations of a frame.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PushRows {
    /// In the order of the frame.
    pub rows: Vec<PushRow>,
    /// The judges: the model that was asked for, the one that answered, the prompt. Hostile text.
    pub judges: Vec<[Option<String>; 3]>,
    /// The authors of what was judged. Hostile text.
    pub authors: Vec<Option<String>>,
    /// Push evaluations without a usable time, which are in no window.
    pub undated: u64,
    /// Records of pushes that a file of answers was asked about: no evaluations.
    pub scripted: u64,
}

/// What names a judge, as it stands in the columns.
type Name<'a> = [Option<&'a str>; 3];

/// Numbers names in the order in which they are first seen.
struct Numbers<T> {
    numbers: HashMap<T, u32>,
    names: Vec<T>,
    /// The one before: a log names the same judge line after line.
    last: Option<(T, u32)>,
}

impl<T> Default for Numbers<T> {
    fn default() -> Self {
        Self { numbers: HashMap::new(), names: Vec::new(), last: None }
    }
}

impl<T: Copy + Eq + Hash> Numbers<T> {
    fn number(&mut self, name: T) -> u32 {
        if let Some((_, number)) = self.last.filter(|(last, _)| *last == name) {
            return number;
        }
        let next = u32::try_from(self.names.len()).unwrap_or(u32::MAX);
        let number = *self.numbers.entry(name).or_insert(next);
        if number == next {
            self.names.push(name);
        }
        self.last = Some((name, number));
        number
    }
}

impl Frame {
    /// The slim columns that [`Frame::push_rows`] reads.
    pub const PUSHES: [&'static str; 16] = [
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
        schema::CONTENT,
        schema::UNIT,
        schema::LATENCY,
        schema::SCORES[0],
        schema::SCORES[1],
        schema::SCORES[2],
    ];

    /// The text columns that [`Frame::push_rows`] reads.
    pub const PUSH_TEXTS: [&'static str; 4] =
        [schema::MODEL, schema::SERVED_MODEL, schema::PROMPT, schema::AUTHOR];

    /// The push evaluations; `texts` are the text columns of the same rows.
    ///
    /// # Errors
    /// A frame without [`Frame::PUSHES`], or texts without [`Frame::PUSH_TEXTS`].
    pub fn push_rows(&self, texts: &Self, flags: &Flags) -> Result<PushRows, FrameError> {
        self.read_pushes(texts, flags).map_err(|e| FrameError::Read(Box::new(e)))
    }

    fn read_pushes(&self, texts: &Self, flags: &Flags) -> PolarsResult<PushRows> {
        let words = |name: &str| self.0.column(name)?.u64()?.cont_slice();
        let codes = |name: &str| self.0.column(name)?.u32()?.cont_slice();
        let text = |name: &str| texts.0.column(name)?.str();
        let [a, b, c, d] = schema::ID;
        let id = [words(a)?, words(b)?, words(c)?, words(d)?];
        let (family, outcome) = (codes(schema::FAMILY)?, codes(schema::OUTCOME)?);
        let (cause, boxes) = (codes(schema::CAUSE)?, codes(schema::BOX)?);
        let (content, unit) = (words(schema::CONTENT)?, words(schema::UNIT)?);
        let evaluation = self.0.column(schema::EVALUATION)?.bool()?;
        let ts = self.0.column(schema::TS)?.i64()?;
        let latency = self.0.column(schema::LATENCY)?.i64()?;
        let score = |name: &str| self.0.column(name)?.f32();
        let [s, p, x] = schema::SCORES;
        let scores = [score(s)?, score(p)?, score(x)?];
        let name = [text(schema::MODEL)?, text(schema::SERVED_MODEL)?, text(schema::PROMPT)?];
        let push = u32::from(Family::Push.code());
        let authors = text(schema::AUTHOR)?;
        let (mut judges, mut by_author) = (Numbers::default(), Numbers::default());
        let mut found = PushRows::default();
        for row in 0..family.len() {
            let double = flags.duplicate.get(row) == Some(&true);
            let is_part = unit[row] == PART;
            let by_script = cause[row] == u32::from(Cause::Scripted.code());
            found.scripted += u64::from(by_script && family[row] == push && !double && !is_part);
            if evaluation.get(row) != Some(true) || double {
                continue;
            }
            let Some(outcome) = Outcome::from_code(outcome[row] as u8) else { continue };
            let Some(at) = ts.get(row).map(Timestamp) else {
                found.undated += 1;
                continue;
            };
            let of = |dimension: Dimension| scores[dimension as usize].get(row);
            found.rows.push(PushRow {
                id: RecordId::from_words(id.map(|column| column[row])),
                at,
                outcome,
                cause: Cause::from_code(cause[row] as u8),
                latency_ms: latency.get(row).and_then(|ms| u64::try_from(ms).ok()),
                content: Some(content[row]).filter(|c| *c != 0),
                box_index: boxes[row],
                judge: judges.number([name[0].get(row), name[1].get(row), name[2].get(row)]),
                author: by_author.number(authors.get(row)),
                unit: unit[row],
                latest: flags.repeat.get(row) != Some(&true),
                scores: Scores {
                    semantic: of(Dimension::Semantic),
                    pragmatic: of(Dimension::Pragmatic),
                    syntactic: of(Dimension::Syntactic),
                },
                row: row as u32,
            });
        }
        let owned = |name: Name<'_>| name.map(|part| part.map(str::to_owned));
        found.judges = judges.names.into_iter().map(owned).collect();
        found.authors = by_author.names.into_iter().map(|name| name.map(str::to_owned)).collect();
        Ok(found)
    }
}
