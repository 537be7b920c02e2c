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
        // All by name, so that none is forgotten.
        let Self {
            id: [id0, id1, id2, id3],
            line,
            len,
            family,
            outcome,
            cause,
            evaluation,
            escalation,
            reports_outages,
            unit,
            content,
            asked,
            round,
            run,
            role,
            latency,
            scores: [semantic, pragmatic, syntactic],
            odd_score,
        } = self;
        [
            id0,
            id1,
            id2,
            id3,
            line,
            len,
            family,
            outcome,
            cause,
            evaluation,
            escalation,
            reports_outages,
            unit,
            content,
            asked,
            round,
            run,
            role,
            latency,
            semantic,
            pragmatic,
            syntactic,
            odd_score,
        ]
    }

    /// Writes them, and those of the keys, as [`super::write`] does their frame.
    ///
    /// # Errors
    /// The writer's failure.
    pub fn write(&self, keys: &Keys, out: impl Write) -> Result<(), FrameError> {
        write_lists(self.len(), &self.lists(keys, &boxes_and_files(keys)), out)
            .map_err(FrameError::Write)
    }

    /// Their frame, with those of the keys.
    ///
    /// # Errors
    /// Columns that do not fit together.
    pub fn to_frame(&self, keys: &Keys) -> Result<Frame, FrameError> {
        Frame::of_lists(self.len(), &self.lists(keys, &boxes_and_files(keys)))
    }

    fn lists<'l>(
        &'l self,
        keys: &'l Keys,
        (boxes, files): &'l (Vec<u32>, Vec<u32>),
    ) -> Vec<(&'static str, List<'l>)> {
        let ids = schema::ID.into_iter().zip(self.id.iter().map(|words| List::Words(words)));
        let scores = self.scores.iter().map(|scores| List::Scores(scores));
        ids.chain([
            (schema::BOX, List::Codes(boxes)),
            (schema::FILE, List::Codes(files)),
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
fn boxes_and_files(keys: &Keys) -> (Vec<u32>, Vec<u32>) {
    keys.logs.iter().map(|log| (log.box_index, log.file)).unzip()
}
