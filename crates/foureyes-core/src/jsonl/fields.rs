//! Which top-level key is which field, remembered by shape.
//!
//! A writer gives its keys in the same order line after line. So the order in which they sort,
//! and what each means, is worked out once for a shape and found again by comparing keys.

use super::canonical::{Twice, members, text, write_key};
use super::scan::{Kind, Tape};
use std::borrow::Cow;

macro_rules! fields {
    ($($name:ident = $key:literal),* $(,)?) => {
        /// A top-level field that we know, or [`Field::Other`].
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub(super) enum Field { $($name),*, Other }

        impl Field {
            pub(super) fn from_key(key: &str) -> Self {
                match key { $($key => Self::$name,)* _ => Self::Other }
            }
        }
    };
}

fields! {
    Commit = "commit", Timestamp = "timestamp", Author = "author", JudgeModel = "judge_model",
    Files = "files_evaluated", Scores = "scores", Verdict = "verdict", Findings = "findings",
    Suggestions = "revision_suggestions", Schema = "schema", ServedModel = "served_model",
    Latency = "latency_ms", Error = "error", PromptSha = "prompt_sha", ContentSha = "content_sha",
    Inconsistent = "inconsistent", Mode = "mode", Usage = "usage", TaskId = "task_id",
    Model = "model", Average = "average", Reasoning = "reasoning", Improvements = "improvements",
    Round = "round", JudgeTier = "judge_tier", PreviousRounds = "previous_rounds",
    Consensus = "consensus", HumanOverride = "human_override", Id = "id", Reviewer = "reviewer",
    Reason = "reason", Record = "record", Semantic = "semantic", Pragmatic = "pragmatic",
    Syntactic = "syntactic", PartOf = "part_of", Caveats = "caveats", AtUs = "at_us",
    JudgeSha = "judge_sha", Run = "run", Depth = "depth", Decision = "decision",
    TaskSha = "task_sha", RunSha = "run_sha", Advice = "advice", TaskFiles = "files",
    Undoes = "undoes", Redoes = "redoes",
}

/// One index for every known field.
pub(super) const FIELDS: usize = Field::Other as usize;

/// The keys of a record in the order of the log, and what they mean.
#[derive(Debug, Default)]
pub(super) struct Shape {
    keys: Vec<String>,
    /// Positions in the order in which the keys sort.
    pub(super) sorted: Vec<u16>,
    /// What stands in the canonical form before the value of each, in the same order.
    pub(super) labels: Vec<Vec<u8>>,
    /// The field at each position.
    pub(super) fields: Vec<Field>,
}

impl Shape {
    fn new(keys: Vec<String>) -> Result<Self, Twice> {
        let mut sorted: Vec<u16> = (0..keys.len() as u16).collect();
        let key = |i: &u16| keys.get(usize::from(*i)).map_or("", String::as_str);
        sorted.sort_unstable_by(|a, b| key(a).cmp(key(b)));
        if let Some([one, _]) = sorted.array_windows().find(|[a, b]| key(a) == key(b)) {
            return Err(Twice(key(one).to_owned()));
        }
        let fields = keys.iter().map(|k| Field::from_key(k)).collect();
        let label = |i: &u16| {
            let mut label = Vec::new();
            write_key(key(i), &mut label);
            label
        };
        let labels = sorted.iter().map(label).collect();
        Ok(Self { sorted, labels, fields, keys })
    }

    fn fits(&self, tape: &Tape, source: &str, members: &[Member]) -> bool {
        self.keys.len() == members.len()
            && self.keys.iter().zip(members).all(|(key, (node, _))| {
                tape.nodes.get(*node as usize).is_some_and(|n| {
                    let place = n.start as usize..n.end as usize;
                    n.kind == Kind::Plain && source.as_bytes().get(place) == Some(key.as_bytes())
                })
            })
    }
}

/// Key node and value node.
pub(super) type Member = (u32, u32);

/// The shapes seen last.
#[derive(Debug, Default)]
pub(super) struct Shapes {
    known: Vec<Shape>,
    members: Vec<Member>,
    /// Which keys the first one is known to fit: [`super::expected_keys::ExpectedKeys::version`].
    first: Option<u64>,
}

/// How many shapes are remembered; the logs of one writer have a handful.
const KNOWN: usize = 8;

/// More keys than any record has; beyond it an object is no record.
const MOST_KEYS: usize = 4096;

/// Why an object has no shape.
#[derive(Debug)]
pub(super) enum Shapeless {
    Twice(Twice),
    TooManyKeys,
}

impl Shapes {
    /// The shape of the object that the tape holds, and its members (key node, value node).
    pub(super) fn shape(
        &mut self,
        tape: &Tape,
        source: &str,
    ) -> Result<(&Shape, &[Member]), Shapeless> {
        self.members.clear();
        self.members.extend(members(tape, 0).map(|(k, v)| (k as u32, v as u32)));
        if self.members.len() > MOST_KEYS {
            return Err(Shapeless::TooManyKeys);
        }
        let version = tape.keys.version();
        let fits = |shape: &Shape| shape.fits(tape, source, &self.members);
        let at = match version.is_some() && version == self.first {
            true => Some(0),
            false => self.known.iter().position(fits),
        };
        self.first = None;
        let at = match at {
            Some(at) => at,
            None => {
                let key = |node: &u32| {
                    tape.nodes.get(*node as usize).map_or(Cow::Borrowed(""), |n| text(source, n))
                };
                let keys = self.members.iter().map(|(k, _)| key(k).into_owned()).collect();
                let shape = Shape::new(keys).map_err(Shapeless::Twice)?;
                self.known.truncate(KNOWN - 1);
                self.known.push(shape);
                self.known.len() - 1
            }
        };
        // The shape in use comes first, so that a run of one writer's lines finds it at once.
        if at > 0 {
            self.known.swap(0, at);
        }
        self.first = version;
        match self.known.first() {
            Some(shape) => Ok((shape, &self.members)),
            None => Err(Shapeless::TooManyKeys),
        }
    }
}
