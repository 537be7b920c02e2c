//! A record that still borrows the bytes it was read from.

use super::canonical::{items, members, raw, text};
use super::decode::Reading;
use super::fields::Field;
use super::scan::Kind;
use crate::domain::{
    Cause, Family, Outcome, PreviousRound, Record, RecordId, Scores, Timestamp, Usage,
};
use crate::thesaurus::Thesaurus;
use std::borrow::Cow;

/// A decoded record before its texts are copied: what columns are built from.
pub struct Draft<'a> {
    pub(super) reading: Reading<'a>,
    /// Canonical form of its content.
    pub(super) form: &'a [u8],
    /// Whose format it has.
    pub family: Family,
    /// What it said; `None` for an override.
    pub outcome: Option<Outcome>,
    /// The verdict as written, where it is text.
    pub verdict: Option<Cow<'a, str>>,
    /// Why it is UNDETERMINED.
    pub cause: Option<Cause>,
    /// When.
    pub timestamp: Option<Timestamp>,
    /// Scores as written.
    pub scores: Scores,
    pub(super) thesaurus: Option<&'a Thesaurus>,
}

/// Words with which a run of a task is handed to a person: those of `engine::panel::Reason`.
const REASONS: [&str; 13] = [
    "disagreement",
    "parse_error",
    "timeout",
    "unreachable",
    "budget",
    "limit",
    "not_asked",
    "sensitive",
    "risk",
    "differs",
    "tries",
    "unfinished",
    "damaged",
];

type Text<'a> = Option<Cow<'a, str>>;

impl<'a> Draft<'a> {
    /// Hash of its content. Of many records [`super::Forms`] makes the ids faster.
    pub fn id(&self) -> RecordId {
        RecordId(*blake3::hash(self.form).as_bytes())
    }

    /// The judged commit.
    pub fn commit(&self) -> Text<'a> {
        self.reading.text(Field::Commit)
    }

    /// The commit with the NO-GO that it decides on, where it is no evaluation of its own.
    pub fn part_of(&self) -> Text<'a> {
        self.reading.text(Field::PartOf)
    }

    /// The judged task.
    pub fn task_id(&self) -> Text<'a> {
        self.reading.text(Field::TaskId)
    }

    /// Who wrote the content.
    pub fn author(&self) -> Text<'a> {
        self.reading.text(Field::Author)
    }

    /// The judge that was asked for.
    pub fn model(&self) -> Text<'a> {
        self.reading.text(Field::JudgeModel).or_else(|| self.reading.text(Field::Model))
    }

    /// The judge that answered.
    pub fn served_model(&self) -> Text<'a> {
        self.reading.text(Field::ServedModel)
    }

    /// Hook mode or tier; a runner that does not write the one may write the other.
    pub fn mode(&self) -> Text<'a> {
        self.reading.text(Field::Mode).or_else(|| self.reading.text(Field::JudgeTier))
    }

    /// Tier of a task judge; a runner that does not write it writes it as the mode.
    pub fn tier(&self) -> Text<'a> {
        let tier = self.reading.text(Field::JudgeTier);
        tier.or_else(|| self.reading.text(Field::Mode)).filter(|_| self.is_of_task())
    }

    /// Run of a task that it is a line of.
    pub fn run(&self) -> Text<'a> {
        self.reading.text(Field::Run).filter(|run| !run.is_empty() && self.is_of_task())
    }

    /// How many judges a run of a task was to ask.
    pub fn depth(&self) -> Text<'a> {
        self.reading.text(Field::Depth)
    }

    /// Which description and acceptance criteria the content was judged by.
    pub fn task_sha(&self) -> Text<'a> {
        self.reading.text(Field::TaskSha)
    }

    /// Which content, task and judges a run of a task was of.
    pub fn run_sha(&self) -> Text<'a> {
        self.reading.text(Field::RunSha).filter(|_| self.is_of_task())
    }

    fn is_of_task(&self) -> bool {
        self.family.has_rounds()
    }

    /// Whether it is the line that closes a run of a task which a person must decide: no judge gave it.
    pub fn is_escalation(&self) -> bool {
        self.is_of_task() && self.reading.is_escalation()
    }

    /// Whether it is a round of this program that leaves its run open, as
    /// [`Record::leaves_run_open`] has it.
    pub fn leaves_run_open(&self) -> bool {
        self.is_of_task()
            && self.reading.is_of_task_writer()
            && self.reading.text(Field::Decision).is_none()
    }

    /// Whether it says that a person must decide on the task: by its verdict, by what its run came to, or
    /// with a reason.
    pub fn awaits_person(&self) -> bool {
        let says = |field, word: &str| self.reading.text(field).as_deref() == Some(word);
        let undecided = matches!(self.cause, Some(Cause::Escalated | Cause::InsufficientEvidence));
        // Other programs give reasons for anything, an accept among it.
        let has_reason = || {
            let ours = self.reading.is_of_task_writer();
            let reason = self.reading.text(Field::Reason).filter(|why| !why.is_empty());
            self.outcome != Some(Outcome::Go)
                && reason.is_some_and(|why| ours || REASONS.contains(&why.as_ref()))
        };
        self.is_of_task()
            && (undecided
                || self.reading.is_escalation()
                || says(Field::Decision, "escalate")
                || has_reason())
    }

    /// Whether it would say so if the judge could not be asked. Every push verdict does; of verdicts on
    /// tasks those of a writer that knows of errors, or of how long a call took.
    pub fn reports_outages(&self) -> bool {
        let knows = [Field::Schema, Field::Error, Field::Latency];
        !self.is_of_task() || knows.iter().any(|field| self.reading.node(*field).is_some())
    }

    /// How the judges of a task agreed.
    pub fn consensus(&self) -> Text<'a> {
        self.reading.text(Field::Consensus)
    }

    /// The id of the record that it answers.
    pub fn answers(&self) -> Text<'a> {
        self.reading.text(Field::Record)
    }

    /// The id that an override has.
    pub fn entry(&self) -> Text<'a> {
        self.reading.text(Field::Id)
    }

    /// The override that it takes back, and the one that it restores.
    pub fn changes(&self) -> [Text<'a>; 2] {
        [Field::Undoes, Field::Redoes].map(|field| self.reading.text(field))
    }

    /// Whether it lists rounds before its own.
    pub fn lists_earlier_rounds(&self) -> bool {
        let node = self.reading.node(Field::PreviousRounds);
        let array = node.filter(|n| self.kind(*n) == Some(Kind::Array));
        array.is_some_and(|n| items(self.reading.tape, n).next().is_some())
    }

    /// Which prompt template was used.
    pub fn prompt_sha(&self) -> Text<'a> {
        self.reading.text(Field::PromptSha)
    }

    /// How the judge was asked: a hash of endpoint, model and settings.
    pub fn judge_sha(&self) -> Text<'a> {
        self.reading.text(Field::JudgeSha)
    }

    /// Which content was judged.
    pub fn content_sha(&self) -> Text<'a> {
        self.reading.text(Field::ContentSha)
    }

    /// Findings, or a task judge's reasoning.
    pub fn findings(&self) -> Text<'a> {
        self.reading.text(Field::Findings).or_else(|| self.reading.text(Field::Reasoning))
    }

    /// Who decided, in an override.
    pub fn reviewer(&self) -> Text<'a> {
        self.reading.text(Field::Reviewer)
    }

    /// Whole call in milliseconds.
    pub fn latency_ms(&self) -> Option<u64> {
        self.reading.count(Field::Latency)
    }

    /// Round of a task run.
    pub fn round(&self) -> Option<u64> {
        self.reading.count(Field::Round)
    }

    /// Judged files, in the order of the record.
    pub fn files(&self) -> impl Iterator<Item = Cow<'a, str>> + '_ {
        self.texts(if self.has_task_files() { Field::TaskFiles } else { Field::Files })
    }

    fn has_task_files(&self) -> bool {
        self.is_of_task() && self.reading.node(Field::Files).is_none()
    }

    /// The texts of a list, or the one text that stands in its place.
    fn texts(&self, field: Field) -> impl Iterator<Item = Cow<'a, str>> + '_ {
        let nodes = self.list(field);
        nodes.filter_map(|node| self.reading.text_at(node))
    }

    /// The items of a list, or the one value that stands in its place.
    pub(super) fn list(&self, field: Field) -> impl Iterator<Item = usize> + '_ {
        let node = self.reading.node(field);
        let array = node.filter(|n| self.kind(*n) == Some(Kind::Array));
        let single = node.filter(|_| array.is_none());
        array.into_iter().flat_map(|n| items(self.reading.tape, n)).chain(single)
    }

    pub(super) fn kind(&self, node: usize) -> Option<Kind> {
        Some(self.reading.tape.nodes.get(node)?.kind)
    }

    /// Earlier rounds that it lists; none where what it has there is no list of objects.
    fn previous_rounds(&self) -> Vec<PreviousRound> {
        let node = self.reading.node(Field::PreviousRounds).filter(|_| self.is_of_task());
        let node = node.and_then(|n| self.reading.tape.nodes.get(n));
        let list = node.and_then(|n| serde_json::from_str(raw(self.reading.source, n)).ok());
        list.unwrap_or_default()
    }

    /// Known fields that the record has no place for: they are shown as they stand.
    fn not_held(&self) -> impl Iterator<Item = usize> + '_ {
        let of_task = self.is_of_task();
        let others = OF_TASKS.into_iter().filter(move |_| !of_task);
        let rounds = of_task && self.previous_rounds().is_empty();
        let rounds = rounds.then_some(Field::PreviousRounds);
        let files = (!self.has_task_files()).then_some(Field::TaskFiles);
        let all = NOT_HELD.into_iter().chain(others).chain(rounds).chain(files);
        all.filter_map(|field| self.reading.node(field))
    }

    /// A field that verdicts on tasks have.
    fn of_task(&self, field: Field) -> Option<String> {
        self.reading.text(field).filter(|_| self.is_of_task()).map(Cow::into_owned)
    }

    fn usage(&self) -> Option<Usage> {
        let node = self.reading.node(Field::Usage)?;
        let count = |key| self.reading.member_number(node, key).map(|v| v.max(0.0) as u64);
        let usage = Usage {
            prompt_tokens: count("prompt_tokens"),
            completion_tokens: count("completion_tokens"),
        };
        (usage != Usage::default()).then_some(usage)
    }

    /// Fields that the record has no place for. A number beyond all range stays text.
    fn extra(&self) -> serde_json::Map<String, serde_json::Value> {
        let tape = self.reading.tape;
        let source = self.reading.source;
        let not_held: Vec<usize> = self.not_held().collect();
        members(tape, 0)
            .filter(|(_, value)| !self.reading.is_known(*value) || not_held.contains(value))
            .filter_map(|(key, value)| {
                let (key, node) = (tape.nodes.get(key)?, tape.nodes.get(value)?);
                let json = match node.kind {
                    Kind::Plain | Kind::Escaped => format!("\"{}\"", raw(source, node)),
                    _ => raw(source, node).to_owned(),
                };
                let value = serde_json::from_str(&json);
                let value = value.unwrap_or(serde_json::Value::String(json));
                Some((text(source, key).into_owned(), value))
            })
            .collect()
    }

    /// Copies everything out.
    pub fn to_record(&self) -> Record {
        let own = |field| self.reading.text(field).map(Cow::into_owned);
        let (findings, improvements) = (self.findings(), self.improvements());
        let enriched = self.enriched(findings.as_deref(), &improvements);
        Record {
            id: self.id(),
            box_name: String::new(),
            family: self.family,
            outcome: self.outcome,
            verdict: self.verdict.as_deref().map(str::to_owned),
            cause: self.cause,
            timestamp: self.timestamp,
            timestamp_text: own(Field::Timestamp).filter(|_| self.timestamp.is_none()),
            commit: own(Field::Commit),
            part_of: own(Field::PartOf),
            task_id: own(Field::TaskId),
            author: own(Field::Author),
            model: self.model().map(Cow::into_owned),
            served_model: own(Field::ServedModel),
            mode: own(Field::Mode),
            judge_tier: own(Field::JudgeTier),
            round: self.round(),
            run: self.of_task(Field::Run),
            depth: self.of_task(Field::Depth),
            previous_rounds: self.previous_rounds(),
            decision: self.of_task(Field::Decision),
            consensus: own(Field::Consensus),
            files: self.files().map(Cow::into_owned).collect(),
            scores: self.scores,
            scores_out_of_range: self.scores.out_of_range(),
            average: self.reading.number(Field::Average).map(|v| v as f32),
            terms: enriched.terms,
            unexplained: enriched.unexplained,
            missing: enriched.missing,
            findings: findings.map(Cow::into_owned),
            improvements,
            latency_ms: self.latency_ms(),
            error: own(Field::Error),
            prompt_sha: own(Field::PromptSha),
            content_sha: own(Field::ContentSha),
            task_sha: self.of_task(Field::TaskSha),
            run_sha: self.of_task(Field::RunSha),
            inconsistent: self.reading.flag(Field::Inconsistent),
            usage: self.usage(),
            reviewer: own(Field::Reviewer),
            advice: self.of_task(Field::Advice),
            reason: own(Field::Reason),
            answers: own(Field::Record),
            extra: self.extra(),
            origins: Vec::new(),
        }
    }
}

/// Fields that only a verdict on a task has a place for.
const OF_TASKS: [Field; 7] = [
    Field::Run,
    Field::Depth,
    Field::Decision,
    Field::TaskSha,
    Field::RunSha,
    Field::Advice,
    Field::PreviousRounds,
];

/// Known fields that no record has a place for.
const NOT_HELD: [Field; 7] = [
    Field::Schema,
    Field::HumanOverride,
    Field::Id,
    Field::Caveats,
    Field::JudgeSha,
    Field::Undoes,
    Field::Redoes,
];
