//! The columns of fixed width, while their rows come and until they are written.

use super::format::write_lists;
use super::lists::List;
use super::{Frame, FrameError, Keys, schema};
use std::io::Write;

/// A list for each fixed-width column of [`schema`], but for those that [`Keys`] has.
#[derive(Debug, Clone, Default)]
pub struct SlimColumns {
    pub(super) id: [Vec<u64>; 4],
    pub(super) line: Vec<u32>,
    pub(super) len: Vec<u32>,
    pub(super) family: Vec<u32>,
    pub(super) outcome: Vec<u32>,
    pub(super) cause: Vec<u32>,
    pub(super) evaluation: Vec<u32>,
    pub(super) escalation: Vec<bool>,
    pub(super) reports_outages: Vec<bool>,
    pub(super) unit: Vec<u64>,
    pub(super) content: Vec<u64>,
    pub(super) asked: Vec<u64>,
    pub(super) round: Vec<u32>,
    pub(super) run: Vec<u64>,
    pub(super) role: Vec<u32>,
    pub(super) latency: Vec<Option<i64>>,
    pub(super) scores: [Vec<Option<f32>>; 3],
    pub(super) odd_score: Vec<bool>,
}

impl SlimColumns {
    /// Rows.
    pub fn len(&self) -> usize {
        self.line.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Gives all rows up, but not their room.
    pub(super) fn clear(&mut self) {
        self.columns().into_iter().for_each(Column::clear);
    }

    /// Makes room for as many more rows.
    pub(super) fn reserve(&mut self, rows: usize) {
        self.columns().into_iter().for_each(|column| column.reserve(rows));
    }

    fn columns(&mut self) -> [&mut dyn Column; 23] {
        let [id0, id1, id2, id3] = &mut self.id;
        let [semantic, pragmatic, syntactic] = &mut self.scores;
        [
            id0,
            id1,
            id2,
            id3,
            &mut self.line,
            &mut self.len,
            &mut self.family,
            &mut self.outcome,
            &mut self.cause,
            &mut self.evaluation,
            &mut self.escalation,
            &mut self.reports_outages,
            &mut self.unit,
            &mut self.content,
            &mut self.asked,
            &mut self.round,
            &mut self.run,
            &mut self.role,
            &mut self.latency,
            semantic,
            pragmatic,
            syntactic,
            &mut self.odd_score,
        ]
    }

    /// Writes them, and those of the keys, as [`super::write`] does their frame.
    ///
    /// # Errors
    /// The writer's failure.
    pub fn write(&self, keys: &Keys, out: impl Write) -> Result<(), FrameError> {
        let places = Places::of(keys);
        write_lists(self.len(), &self.lists(keys, &places), out).map_err(FrameError::Write)
    }

    /// Their frame, with those of the keys.
    ///
    /// # Errors
    /// Columns that do not fit together.
    pub fn to_frame(&self, keys: &Keys) -> Result<Frame, FrameError> {
        Frame::of_lists(self.len(), &self.lists(keys, &Places::of(keys)))
    }

    fn lists<'l>(&'l self, keys: &'l Keys, places: &'l Places) -> Vec<(&'static str, List<'l>)> {
        let ids = schema::ID.into_iter().zip(self.id.iter().map(|words| List::Words(words)));
        let scores = self.scores.iter().map(|scores| List::Scores(scores));
        ids.chain([
            (schema::BOX, List::Codes(&places.boxes)),
            (schema::FILE, List::Codes(&places.parts)),
            (schema::LINE, List::Codes(&self.line)),
            (schema::BYTE, List::Words(&keys.byte)),
            (schema::LEN, List::Codes(&self.len)),
            (schema::TS, List::Whole(&keys.ts)),
            (schema::FAMILY, List::Codes(&self.family)),
            (schema::OUTCOME, List::Codes(&self.outcome)),
            (schema::CAUSE, List::Codes(&self.cause)),
            (schema::EVALUATION, List::Codes(&self.evaluation)),
            (schema::ESCALATION, List::Flags(&self.escalation)),
            (schema::REPORTS_OUTAGES, List::Flags(&self.reports_outages)),
            (schema::UNIT, List::Words(&self.unit)),
            (schema::CONTENT, List::Words(&self.content)),
            (schema::JUDGE, List::Words(&self.asked)),
            (schema::ROUND, List::Codes(&self.round)),
            (schema::RUN, List::Words(&self.run)),
            (schema::ROLE, List::Codes(&self.role)),
            (schema::LATENCY, List::Whole(&self.latency)),
        ])
        .chain(schema::SCORES.into_iter().zip(scores))
        .chain([(schema::ODD_SCORE, List::Flags(&self.odd_score))])
        .collect()
    }
}

/// A column, whatever it holds.
trait Column {
    fn clear(&mut self);
    fn reserve(&mut self, rows: usize);
}

impl<T> Column for Vec<T> {
    fn clear(&mut self) {
        self.clear();
    }

    fn reserve(&mut self, rows: usize) {
        self.reserve(rows);
    }
}

/// The box and the file of each row.
struct Places {
    boxes: Vec<u32>,
    parts: Vec<u32>,
}

impl Places {
    fn of(keys: &Keys) -> Self {
        let (boxes, parts) = keys.origins.iter().map(|on| (on.box_index, on.part)).unzip();
        Self { boxes, parts }
    }
}
