//! Drafts to columns.

use super::hashes::{Hashes, Judge, asked, content, hash};
use super::role::{is_name, round_as_written};
use super::slim_columns::SlimColumns;
use super::text_builder::TextBuilder;
use super::text_columns::TextColumns;
use super::texts::{self, Named, TermNames};
use super::{Role, Roles, RunLengths, schema};
use crate::domain::{Cause, Dimension, Family, JudgementKind, Outcome, Timestamp};
use crate::jsonl::{Draft, Forms, Span};
use std::borrow::Cow;

/// What decides whether a record is a double or a repeat, a row a record.
#[derive(Debug, Clone, Default)]
pub struct Keys {
    /// First half of the id.
    pub id: Vec<u128>,
    /// What it is one of within a box: the KPI unit of a push evaluation, the task of a task
    /// verdict or of its override; `None` for what stands alone.
    pub unit: Vec<Option<u64>>,
    /// A judge gave it for a part of another commit's NO-GO: it counts no more than a repeat does.
    pub part_of: Vec<bool>,
    /// What it is to the runs of its task.
    pub role: Roles,
    /// Microseconds since 1970; `None` where undated.
    pub ts: Vec<Option<i64>>,
    /// Its log.
    pub logs: RunLengths<LogIndex>,
    /// Offset in it.
    pub byte: Vec<u64>,
}

/// Which log a record stands in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LogIndex {
    /// Index of the box.
    pub box_index: u32,
    /// Index of the file.
    pub file: u32,
}

impl Keys {
    fn reserve(&mut self, rows: usize) {
        self.id.reserve(rows);
        self.unit.reserve(rows);
        self.part_of.reserve(rows);
        self.ts.reserve(rows);
        self.byte.reserve(rows);
    }
}

/// Grows the columns of a segment record by record.
pub struct Columns {
    /// What later rows are compared with.
    keys: Keys,
    slim: SlimColumns,
    /// Of the last rows, which have no id yet.
    forms: Forms,
    /// Rows that are a unit of their own, named by their id.
    alone: Vec<usize>,
    units: Hashes,
    contents: Hashes,
    texts: Vec<TextBuilder>,
    joined: String,
    terms: TermNames,
    judge: Judge,
    bytes: usize,
    /// Bytes of log still to come when room is made for their rows; 0 after that.
    expected: usize,
}

/// Bytes of log by which the rows of those to come are estimated.
const SAMPLE: usize = 1 << 18;

impl Default for Columns {
    fn default() -> Self {
        let texts = schema::TEXTS.iter().map(|_| TextBuilder::default()).collect();
        Self::of(SlimColumns::default(), texts)
    }
}

impl Columns {
    /// Without rows, in the room of others that are done with: the system clears each page that it gives out.
    pub fn reusing((mut slim, texts): (SlimColumns, TextColumns)) -> Self {
        slim.clear();
        Self::of(slim, texts.into_builders())
    }

    fn of(slim: SlimColumns, texts: Vec<TextBuilder>) -> Self {
        Self {
            keys: Keys::default(),
            slim,
            forms: Forms::default(),
            alone: Vec::new(),
            units: Hashes::default(),
            contents: Hashes::default(),
            texts,
            joined: String::new(),
            terms: TermNames::default(),
            judge: Judge::default(),
            bytes: 0,
            expected: 0,
        }
    }

    /// Rows so far.
    pub fn len(&self) -> usize {
        self.slim.line.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Bytes of log that the rows were read from.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// Tells how many bytes of log the rows will be of, more or less, so that room for them is made at once.
    pub fn expect(&mut self, bytes: usize) {
        self.expected = bytes;
    }

    /// Makes room for the rows of what is still to come, as the rows so far let expect.
    fn reserve(&mut self) {
        let to_come = std::mem::take(&mut self.expected).saturating_sub(self.bytes);
        // A little more, since one row too many costs a copy of all.
        let of = |sofar: usize| sofar.saturating_mul(to_come) / self.bytes.max(1) / 16 * 17;
        let rows = of(self.len());
        self.keys.reserve(rows);
        self.slim.reserve(rows);
        self.texts.iter_mut().for_each(|texts| texts.reserve(rows, of(texts.bytes())));
    }

    /// Adds a record of a part of a file; line and byte are those of the part.
    pub fn push(&mut self, draft: &Draft<'_>, span: Span, file: u32, box_index: u32) {
        let named = Named::new(draft);
        let full = self.forms.push(draft);
        self.push_place(span, file, box_index);
        self.push_kind(draft, &named);
        self.push_values(draft, &named);
        self.push_texts(draft, named);
        if full {
            self.name();
            self.texts.iter_mut().for_each(TextBuilder::flush);
        }
    }

    /// Makes the ids of the last rows, and what they are one of.
    fn name(&mut self) {
        for id in self.forms.ids() {
            for (i, column) in self.slim.id.iter_mut().enumerate() {
                column.push(id.word(i));
            }
            self.keys.id.push(u128::from(id.word(0)) << 64 | u128::from(id.word(1)));
        }
        let [heads, ..] = &self.slim.id;
        let alone = self.alone.drain(..).filter_map(|row| Some((row, *heads.get(row)?)));
        for (row, unit) in alone.chain(self.units.take()) {
            self.slim.unit[row] = unit.max(1);
            self.keys.unit[row] = self.keys.unit[row].map(|_| unit.max(1));
        }
        for (row, content) in self.contents.take() {
            self.slim.content[row] = content.max(1);
        }
    }

    /// Where it stands.
    fn push_place(&mut self, span: Span, file: u32, box_index: u32) {
        self.keys.logs.push(LogIndex { box_index, file });
        self.slim.line.push(u32::try_from(span.line).unwrap_or(u32::MAX));
        self.keys.byte.push(span.byte);
        self.slim.len.push(u32::try_from(span.len).unwrap_or(u32::MAX));
        self.bytes += span.len as usize;
        if self.expected > 0 && self.bytes > SAMPLE {
            self.reserve();
        }
    }

    /// What it counts as, and with which records it is one.
    fn push_kind(&mut self, draft: &Draft<'_>, named: &Named<'_>) {
        let run = draft.run().map_or(0, |run| hash(&[b"run\0", run.as_bytes()]).max(1));
        let role = Role::of_draft(draft, named.task.as_deref(), run);
        let is_part = draft.family == Family::Push && draft.part_of().is_some();
        let evaluation = draft.family.evaluation(draft.cause, is_part || draft.leaves_run_open());
        let row = self.slim.unit.len();
        let unit = match (named.commit.as_deref(), named.task.as_deref()) {
            _ if is_part => PART,
            (_, Some(task)) if role != Role::None && is_name(task) => {
                self.units.add(row, &[b"task\0", task.as_bytes()])
            }
            _ if role != Role::None => run,
            // Not the model that answered: an outage has none, and its retry replaces it.
            (Some(commit), _) if !evaluation.is_some_and(JudgementKind::has_rounds) => {
                let asked = [named.model.as_deref(), named.prompt.as_deref()];
                let judge = self.judge.hash_of(asked.map(Option::unwrap_or_default));
                self.units.add(row, &[judge.as_bytes(), commit.as_bytes()])
            }
            _ => {
                self.alone.push(row);
                0
            }
        };
        let judged = !draft.cause.is_some_and(Cause::has_no_judge);
        self.slim.unit.push(unit);
        self.keys.unit.push((evaluation.is_some() || role != Role::None).then_some(unit));
        self.keys.part_of.push(is_part && judged);
        self.slim.evaluation.push(evaluation.map_or(0, |kind| u32::from(kind.code())));
        self.slim.escalation.push(draft.awaits_person());
        self.slim.reports_outages.push(draft.reports_outages());
        self.slim.run.push(match role {
            Role::Override(answer) => answer.record,
            Role::None | Role::Round(_) => run,
        });
        self.slim.role.push(role.code());
        self.keys.role.push(role);
    }

    /// What it says that fits into a number.
    fn push_values(&mut self, draft: &Draft<'_>, named: &Named<'_>) {
        self.keys.ts.push(draft.timestamp.map(|Timestamp(t)| t));
        self.slim.family.push(u32::from(draft.family.code()));
        let outcome = draft.outcome.map_or(Outcome::NONE_CODE, |outcome| outcome.code());
        self.slim.outcome.push(u32::from(outcome));
        self.slim.cause.push(draft.cause.map_or(0, |cause| u32::from(cause.code())));
        let row = self.slim.content.len();
        let add = |parts: &[&[u8]]| self.contents.add(row, parts);
        self.slim.content.push(content(draft, named, add));
        self.slim.asked.push(match self.keys.role.get(row) {
            Role::Override(answer) => answer.entry,
            _ => asked(draft.judge_sha().as_deref()),
        });
        self.slim.round.push(round_as_written(draft));
        self.slim.latency.push(draft.latency_ms().and_then(|ms| i64::try_from(ms).ok()));
        for (column, dimension) in self.slim.scores.iter_mut().zip(Dimension::ALL) {
            column.push(draft.scores.usable(dimension));
        }
        self.slim.odd_score.push(draft.scores.out_of_range());
    }

    /// What it says in words, in the order of [`schema::TEXTS`].
    fn push_texts(&mut self, draft: &Draft<'_>, named: Named<'_>) {
        self.joined.clear();
        for file in draft.files() {
            self.joined.push('\0');
            self.joined.push_str(&file);
        }
        let files = Some(Cow::Borrowed(self.joined.as_str())).filter(|f| !f.is_empty());
        let texts = texts::values(draft, named, files, self.terms.of(draft).map(Cow::Borrowed));
        for (column, text) in self.texts.iter_mut().zip(texts) {
            column.push(text.as_deref());
        }
    }

    /// The columns in two lists, and what later rows are compared with.
    pub fn finish(mut self) -> (SlimColumns, TextColumns, Keys) {
        self.name();
        let texts = TextColumns::new(self.len(), self.texts.into_iter());
        (self.slim, texts, self.keys)
    }
}

/// What a verdict on a part of another commit's NO-GO has for a unit: it is one of none.
pub(super) const PART: u64 = 0;
