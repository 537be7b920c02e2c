//! The documents of `risk replay` and `risk explain`.

use crate::domain::{JudgementKind, Timestamp};
use crate::engine::panel::Depth;
use crate::engine::risk::{Assessment, RiskDepth};
use schemars::JsonSchema;
use serde::Serialize;

/// Value of `schema` in a replay.
pub const REPLAY_SCHEMA: &str = "foureyes/risk-replay/1";

/// A figure with what bounds it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, JsonSchema)]
pub struct Figure {
    /// The estimate; `null` without enough evidence, or where the number of changes itself is not certain.
    pub estimate: Option<f64>,
    /// What it is at least.
    pub low: Option<f64>,
    /// What it is at most; `null` where nothing bounds it.
    pub high: Option<f64>,
    /// Whether past runs are enough for an interval: else the bounds are those of the protocol.
    pub has_evidence: bool,
}

/// A share with its denominator and interval.
#[derive(Debug, Clone, Default, PartialEq, Serialize, JsonSchema)]
pub struct Share {
    /// How many there are for certain.
    pub least: u64,
    /// How many there may be.
    pub most: u64,
    /// Of how many.
    pub of: u64,
    /// Lower end of the interval.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

/// Changes to which a rule applies.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct RuleCount {
    /// The rule.
    pub rule: String,
    /// Its depth.
    pub depth: RiskDepth,
    /// Changes to which it applies for certain.
    pub least: u64,
    /// Changes to which it may apply.
    pub most: u64,
}

/// Changes that are judged to a depth.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct DepthCount {
    /// The depth.
    pub depth: RiskDepth,
    /// Changes by what is certain.
    pub certain: u64,
    /// Changes, where what is not known is taken for the worst.
    pub worst: u64,
}

/// What past runs took.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Evidence {
    /// Their depth.
    pub depth: Depth,
    /// How many there are.
    pub runs: u64,
    /// Requests of one, on average.
    pub calls: Option<f64>,
    /// Tokens of one, on average over those of which they are known.
    pub tokens: Option<f64>,
    /// Cost of one, likewise.
    pub cost: Option<f64>,
    /// Seconds of one, likewise.
    pub seconds: Option<f64>,
}

/// What rules would have cost, caught and delayed.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct ReplayDocument {
    /// [`REPLAY_SCHEMA`].
    pub schema: &'static str,
    /// Whose changes.
    pub family: JudgementKind,
    /// When it was made.
    #[schemars(with = "String")]
    pub generated: Timestamp,
    /// The first change that could count.
    #[schemars(with = "String")]
    pub since: Timestamp,
    /// Changes that were judged.
    pub changes: u64,
    /// Those of them that a clone has, so that all of the change is known.
    pub in_clones: u64,
    /// How many changes each rule applies to.
    pub rules: Vec<RuleCount>,
    /// How many are judged to each depth.
    pub depths: Vec<DepthCount>,
    /// What past runs of each depth took.
    pub evidence: Vec<Evidence>,
    /// Requests beyond those that were made.
    pub calls: Figure,
    /// Tokens beyond those that were used.
    pub tokens: Figure,
    /// Cost beyond what was spent.
    pub cost: Figure,
    /// Seconds that pushes or tasks would have waited longer, all together.
    pub seconds: Figure,
    /// Of all changes, those that are judged deeper than they were.
    pub deeper: Share,
    /// Of misses that the audit found, those that are judged deeper than they were.
    pub reached: Share,
    /// Of poor content that the first judge accepted, what a panel did not accept.
    pub caught: Option<Share>,
    /// The share of misses that would have been caught: both together.
    pub caught_low: f64,
    /// Its upper end.
    pub caught_high: f64,
    /// Of acceptable content that the first judge accepted, what a panel did not accept.
    pub wrongly_stopped: Option<Share>,
    /// Of runs by a panel, those that were left to a person.
    pub left_to_person: Option<Share>,
    /// The confidence with which all intervals hold together.
    pub confidence: f64,
    /// What a reader must know.
    pub caveats: Vec<String>,
}

/// One change that is explained.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Explained {
    /// What it is: a commit or a record. Hostile text where it is not an id.
    pub change: String,
    /// Who made it. Hostile text.
    pub author: String,
    /// Paths that it touches, as far as they are known.
    pub files: u64,
    /// Lines that are added or removed; absent where that is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lines: Option<u64>,
    /// The depth, and the rules that apply.
    pub assessment: Assessment,
    /// Requests that its depth takes beyond quick, by past runs.
    pub calls: Figure,
    /// Tokens, likewise.
    pub tokens: Figure,
    /// Cost, likewise.
    pub cost: Figure,
    /// Seconds, likewise.
    pub seconds: Figure,
}

impl ExplainDocument {
    /// Edits every text that is from outside.
    pub fn edit_texts(&mut self, edit: &mut dyn FnMut(&mut String)) {
        for one in &mut self.changes {
            edit(&mut one.author);
            one.assessment.rules.iter_mut().flat_map(|rule| &mut rule.on).for_each(&mut *edit);
        }
    }
}

/// Why changes are judged as deep as they are.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct ExplainDocument {
    /// `foureyes/risk-explain/1`.
    pub schema: &'static str,
    /// Whose changes.
    pub family: JudgementKind,
    /// How deep everything is judged at least.
    pub floor: RiskDepth,
    /// The changes.
    pub changes: Vec<Explained>,
    /// What past runs of each depth took.
    pub evidence: Vec<Evidence>,
    /// What a reader must know.
    pub caveats: Vec<String>,
}
