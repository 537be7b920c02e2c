//! From a scanned object to a draft of a record, or the reason why it is none.

use super::Settings;
use super::canonical::{Room, Twice, copy_member, members, raw, text, write};
use super::draft::Draft;
use super::fields::{FIELDS, Field, Shapeless, Shapes};
use super::ownership::{self, Ownership};
use super::scan::{Kind, Line, Stop, Tape};
use crate::domain::{
    Cause, Dimension, Family, PICK_SCHEMA, PROMPT_SCHEMA, RecordId, Scores, TASK_SCHEMA, Timestamp,
};
use std::borrow::Cow;

/// Reusable room for decoding one object after another.
#[derive(Debug, Default)]
pub(super) struct Decoder {
    pub(super) tape: Tape,
    shapes: Shapes,
    room: Room,
    canonical: Vec<u8>,
    /// What is read is known to be a record: somebody names it.
    pub(super) is_named: bool,
}

/// Why an object is no record.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum NoRecord {
    /// It is of another program; with the id that it has where somebody takes it for a record.
    Foreign(Option<RecordId>),
    /// A fault of its own.
    Faulty(String),
}

impl Decoder {
    /// Scans the value at `at`; see [`Tape::scan`].
    pub(super) fn scan(
        &mut self,
        bytes: &[u8],
        at: usize,
        line: Line,
        depth: usize,
    ) -> Result<usize, Stop> {
        self.tape.scan(bytes, at, line, depth)
    }

    /// Bytes that the last scan looked at, as far as its nodes tell; at least one.
    pub(super) fn scanned(&self, from: usize, end: usize) -> usize {
        let last = self.tape.nodes.last().map_or(0, |n| n.start.max(n.end) as usize);
        (last + 1).min(end - from)
    }

    /// Whether the object scanned last, whose bytes these are, names a verdict and what it
    /// is of, or is a record without one: enough to take it out of damage around it. A verdict alone is
    /// not: records have such objects in them. Whether it then is a record, or rejected
    /// for a reason of its own, is not asked here: a fault of its own never hides where it begins.
    pub(super) fn qualifies(&self, object: &[u8]) -> bool {
        let Ok(source) = std::str::from_utf8(object) else { return false };
        let (mut verdict, mut subject) = (false, false);
        for (key, _) in members(&self.tape, 0) {
            let Some(node) = self.tape.nodes.get(key) else { continue };
            match text(source, node).as_ref() {
                "verdict" => verdict = true,
                "commit" | "task_id" | "timestamp" => subject = true,
                _ => {}
            }
        }
        verdict && subject || ownership::without_verdict(&self.tape, source)
    }

    /// Decodes the object scanned last, whose bytes are `source`.
    pub(super) fn decode<'a>(
        &'a mut self,
        source: &'a str,
        settings: &'a Settings,
    ) -> Result<Draft<'a>, NoRecord> {
        let Self { tape, shapes, room, canonical, is_named } = self;
        let faulty = |reason: String| match ownership::of_keys(tape, source) {
            true => NoRecord::Faulty(reason),
            false => NoRecord::Foreign(None),
        };
        if tape.lone_surrogate {
            return Err(faulty("a text with a lone surrogate, half of a pair".to_owned()));
        }
        if tape.no_number {
            return Err(faulty(
                "a number that is NaN or infinite, which JSON does not have".to_owned(),
            ));
        }
        let (shape, members) = shapes.shape(tape, source).map_err(|e| match e {
            Shapeless::Twice(twice) => faulty(ambiguous(&twice)),
            Shapeless::TooManyKeys => faulty("more keys than a record can have".to_owned()),
        })?;
        let mut slots = [0; FIELDS];
        for (field, (_, value)) in shape.fields.iter().zip(members) {
            if let Some(slot) = slots.get_mut(*field as usize) {
                *slot = *value;
            }
        }
        let reading = Reading { tape, source, slots };
        let ownership = ownership::of(|field| reading.has(field), reading.schema().as_deref());
        if ownership == Ownership::Foreign {
            return Err(NoRecord::Foreign(None));
        }
        canonical.clear();
        room.clear();
        for (i, label) in shape.sorted.iter().zip(&shape.labels) {
            let Some((key, value)) = members.get(usize::from(*i)) else { continue };
            let member = tape.nodes.get(*key as usize).zip(tape.nodes.get(*value as usize));
            if !member.is_some_and(|(key, value)| copy_member(source, key, value, canonical)) {
                canonical.extend_from_slice(label);
                let written = write(tape, source, *value as usize, room, canonical);
                written.map_err(|twice| faulty(ambiguous(&twice)))?;
            }
            canonical.push(b',');
        }
        if ownership == Ownership::Named && !*is_named {
            let id = RecordId(*blake3::hash(canonical).as_bytes());
            if !settings.named.has(id) {
                return Err(NoRecord::Foreign(Some(id)));
            }
        }
        Ok(reading.draft(canonical, settings))
    }
}

/// The value of a number.
fn number(raw: &str) -> Option<f64> {
    // Most are counts, and those of so few digits are exact.
    let count = if raw.len() < 16 { raw.parse::<u64>().ok() } else { None };
    count.map(|count| count as f64).or_else(|| raw.parse().ok())
}

/// Characters of a key that a reason quotes: a key may be as long as a line.
const QUOTED: usize = 100;

fn ambiguous(twice: &Twice) -> String {
    let mut rest = twice.0.chars();
    let quoted: String = rest.by_ref().take(QUOTED).collect();
    let more = if rest.next().is_some() { "…" } else { "" };
    format!("ambiguous: the key \"{quoted}{more}\" is given twice")
}

/// The values of one object by field.
#[derive(Clone, Copy)]
pub(super) struct Reading<'a> {
    pub(super) tape: &'a Tape,
    pub(super) source: &'a str,
    slots: [u32; FIELDS],
}

impl<'a> Reading<'a> {
    /// The node of a field that is there.
    pub(super) fn node(&self, field: Field) -> Option<usize> {
        self.slots.get(field as usize).copied().filter(|n| *n > 0).map(|n| n as usize)
    }

    /// Whether a node is the value of a field that has a name here.
    pub(super) fn is_known(&self, node: usize) -> bool {
        self.slots.iter().any(|slot| *slot as usize == node)
    }

    /// A field as text; what is no text stands as its JSON, `null` as nothing.
    pub(super) fn text(&self, field: Field) -> Option<Cow<'a, str>> {
        self.text_at(self.node(field)?)
    }

    pub(super) fn text_at(&self, node: usize) -> Option<Cow<'a, str>> {
        let n = self.tape.nodes.get(node)?;
        match n.kind {
            Kind::Plain | Kind::Escaped => Some(text(self.source, n)),
            Kind::Null => None,
            _ => Some(Cow::Borrowed(raw(self.source, n))),
        }
    }

    /// A field where it is text and nothing else.
    fn strict_text(&self, field: Field) -> Option<Cow<'a, str>> {
        let n = self.tape.nodes.get(self.node(field)?)?;
        matches!(n.kind, Kind::Plain | Kind::Escaped).then(|| text(self.source, n))
    }

    /// A number, or text that is one.
    fn number_at(&self, node: usize) -> Option<f64> {
        let n = self.tape.nodes.get(node)?;
        match n.kind {
            Kind::Number => number(raw(self.source, n)),
            Kind::Plain | Kind::Escaped => {
                text(self.source, n).trim().parse().ok().filter(|v: &f64| v.is_finite())
            }
            _ => None,
        }
    }

    pub(super) fn number(&self, field: Field) -> Option<f64> {
        self.number_at(self.node(field)?)
    }

    /// A count: a number that is neither negative nor beyond 64 bits.
    pub(super) fn count(&self, field: Field) -> Option<u64> {
        let value = self.number(field)?;
        (0.0..=1e18).contains(&value).then_some(value.round() as u64)
    }

    pub(super) fn flag(&self, field: Field) -> bool {
        self.kind(field) == Some(Kind::True)
    }

    fn kind(&self, field: Field) -> Option<Kind> {
        Some(self.tape.nodes.get(self.node(field)?)?.kind)
    }

    fn has(&self, field: Field) -> bool {
        self.node(field).is_some()
    }

    /// A member of an object field.
    pub(super) fn member(&self, object: usize, key: &str) -> Option<usize> {
        let is_object = self.tape.nodes.get(object)?.kind == Kind::Object;
        let of = |k: usize| self.tape.nodes.get(k).is_some_and(|n| text(self.source, n) == key);
        members(self.tape, object).filter(|_| is_object).find(|(k, _)| of(*k)).map(|(_, v)| v)
    }

    pub(super) fn member_number(&self, object: usize, key: &str) -> Option<f64> {
        self.number_at(self.member(object, key)?)
    }

    fn draft(self, form: &'a [u8], settings: &'a Settings) -> Draft<'a> {
        let written = self.strict_text(Field::Verdict);
        let alias = written.as_deref().and_then(|v| settings.aliases.get(v));
        let word = alias.map(String::as_str).or(written.as_deref());
        let family = self.family(word);
        let outcome = match family {
            Family::Override | Family::Pick | Family::Prompt => None,
            _ => Some(
                word.and_then(|w| family.outcome(w))
                    .unwrap_or(crate::domain::Outcome::Undetermined),
            ),
        };
        let undetermined = outcome == Some(crate::domain::Outcome::Undetermined);
        // Nobody judged, whatever stands as the verdict.
        let unjudged = family.kind().and_then(|_| self.without_judge());
        let cause = unjudged.or_else(|| undetermined.then(|| self.cause(family, word)));
        let stamp = self.strict_text(Field::Timestamp);
        let timestamp = stamp.as_deref().and_then(Timestamp::parse).map(|t| self.exact(t));
        let scores = self.scores();
        let verdict = written;
        let thesaurus = settings.thesaurus.as_deref();
        Draft { reading: self, form, family, outcome, verdict, cause, timestamp, scores, thesaurus }
    }

    /// Why no judge was to be asked: somebody skipped it, it is history from before the first verdict,
    /// its files are empty, or a file of answers stood in its place. `None` where one was.
    fn without_judge(&self) -> Option<Cause> {
        let error = self.strict_text(Field::Error);
        let named = error.map(|e| Cause::from_error(&e)).filter(|c| c.has_no_judge());
        let caveats = self.node(Field::Caveats).and_then(|at| self.tape.nodes.get(at));
        let scripted = caveats.is_some_and(|n| raw(self.source, n).contains("\"scripted\""));
        named.or(scripted.then_some(Cause::Scripted))
    }

    /// The instant that `at_us` gives beside a timestamp.
    fn exact(&self, timestamp: Timestamp) -> Timestamp {
        let at = self.node(Field::AtUs).and_then(|n| self.tape.nodes.get(n));
        let at = at.filter(|n| n.kind == Kind::Number);
        timestamp.exact(at.and_then(|n| raw(self.source, n).parse().ok()))
    }

    fn family(&self, word: Option<&str>) -> Family {
        let says = |field, text: &str| self.strict_text(field).as_deref() == Some(text);
        let by_person = says(Field::Mode, "override") || says(Field::Model, "human");
        if let Some(family) = self.own_family() {
            return family;
        }
        // A line that hands a task to a person is no word of that person.
        if self.flag(Field::HumanOverride) || by_person && !self.is_escalation() {
            return Family::Override;
        }
        let of_word = word.and_then(Family::of_verdict);
        let push = [Field::Commit, Field::JudgeModel, Field::Files].iter().any(|f| self.has(*f));
        let task = [
            Field::TaskId,
            Field::JudgeTier,
            Field::Round,
            Field::PreviousRounds,
            Field::Improvements,
            Field::Consensus,
            Field::Reasoning,
        ]
        .iter()
        .any(|f| self.has(*f));
        // A verdict on a task may name the commit that its content is of.
        let push = push && !self.is_of_task_writer();
        match (push, task) {
            (true, false) => Family::Push,
            (false, true) if of_word == Some(Family::Ladder) => Family::Ladder,
            (false, true) => Family::Task,
            // Where the word does not decide: only a push has a `judge_model`.
            _ => of_word.unwrap_or(match self.has(Field::TaskId) && !self.has(Field::JudgeModel) {
                true => Family::Task,
                false => Family::Push,
            }),
        }
    }

    /// The family that its schema alone tells: such a record has none of the fields of verdicts, so that
    /// programs which do not know it reject it and count it as none.
    fn own_family(&self) -> Option<Family> {
        let schema = self.schema()?;
        let own = [(PICK_SCHEMA, Family::Pick), (PROMPT_SCHEMA, Family::Prompt)];
        own.into_iter().find(|(name, _)| schema.starts_with(name)).map(|(_, family)| family)
    }

    fn schema(&self) -> Option<Cow<'a, str>> {
        self.strict_text(Field::Schema)
    }

    /// Whether it is the closing line of a task's run that a person must decide.
    pub(super) fn is_escalation(&self) -> bool {
        self.strict_text(Field::Mode).as_deref() == Some("escalation")
    }

    pub(super) fn is_of_task_writer(&self) -> bool {
        self.schema().is_some_and(|name| name.starts_with(TASK_SCHEMA))
    }

    /// Why an UNDETERMINED record is that.
    fn cause(&self, family: Family, word: Option<&str>) -> Cause {
        if let Some(error) = self.strict_text(Field::Error) {
            return Cause::from_error(&error);
        }
        let Some(word) = word else { return Cause::MissingVerdict };
        if family.outcome(word).is_none() {
            return Cause::UnknownVerdict;
        }
        if family != Family::Push {
            let reason = self.strict_text(Field::Reason).filter(|_| self.is_escalation());
            let named = reason.and_then(|reason| Cause::from_reason(&reason));
            return named.unwrap_or(family.cause_of_word());
        }
        // A record of ours would say so in `error`; only older ones say it in their findings.
        if self.has(Field::Schema) {
            return Cause::NoConfidence;
        }
        let findings = self.text(Field::Findings).unwrap_or_default().to_lowercase();
        if findings.contains("timeout") {
            Cause::Timeout
        } else if findings.contains("unavailable") {
            Cause::Unavailable
        } else {
            Cause::NoConfidence
        }
    }

    /// Scores under `scores`, else flat beside the verdict.
    fn scores(&self) -> Scores {
        let mut scores = Scores::default();
        for dimension in Dimension::ALL {
            let flat = match dimension {
                Dimension::Semantic => Field::Semantic,
                Dimension::Pragmatic => Field::Pragmatic,
                Dimension::Syntactic => Field::Syntactic,
            };
            *scores.slot(dimension) = self.number(flat).map(|score| score as f32);
        }
        let nested =
            self.node(Field::Scores).filter(|_| self.kind(Field::Scores) == Some(Kind::Object));
        for (key, value) in nested.into_iter().flat_map(|object| members(self.tape, object)) {
            let key = self.tape.nodes.get(key).map_or(Cow::Borrowed(""), |n| text(self.source, n));
            let of = Dimension::ALL.into_iter().find(|dimension| dimension.as_str() == key);
            if let Some((dimension, score)) = of.zip(self.number_at(value)) {
                *scores.slot(dimension) = Some(score as f32);
            }
        }
        scores
    }
}
