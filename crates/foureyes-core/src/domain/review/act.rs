//! What an entry of a ledger does.

use super::{
    Assignment, AuditRate, Claim, EntryId, Evaluated, Exposure, Label, Look, PickWindow,
    PolicyChange, Release, Relevance, RunBegun, RunEnded, WindowAddition, WindowStart,
};
use crate::domain::{HookMode, JudgementKind, RecordId, Timestamp};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What an entry does.
#[derive(Debug, Clone, PartialEq)]
pub enum Act {
    /// Labels one record.
    Label(Label),
    /// Labels several at once, or takes over labels from a file: all of them or none.
    Labels {
        /// The labels, at most one of a record and reviewer.
        labels: Vec<Label>,
        /// The file they were taken from.
        import: Option<Import>,
    },
    /// Says what to do with a record whatever the verdict.
    Override(Override),
    /// Takes an entry of the same reviewer back.
    Undo(EntryId),
    /// Lets an entry that was taken back count again.
    Redo(EntryId),
    /// Takes on an escalation.
    Claim(Claim),
    /// Ends a claim.
    Release(Release),
    /// Says who is to label which records.
    Assignment(Assignment),
    /// Labels the candidates of a pick.
    Relevance(Relevance),
    /// Begins a window of the gate of picks.
    PickWindow(PickWindow),
    /// Says when the time of calibration begins.
    Window(WindowStart),
    /// Takes a window start of a family back, whoever said it.
    WindowUndo(EntryId, JudgementKind),
    /// Adds a box to the window that runs, or draws more of what was judged before it.
    WindowAddition(WindowAddition),
    /// Changes the policy of the gate.
    Policy(PolicyChange),
    /// Sets the rate of the audit sample.
    Rate(AuditRate),
    /// Says how far somebody is with a runbook.
    Step(StepSaid),
    /// Says which mode the hook of a box was set to.
    Mode(ModeSet),
    /// What the labels of the window say was shown to the one who writes it.
    Look(Look),
    /// Verdicts were shown to the one who writes it, who had not labelled their records.
    Exposure(Exposure),
    /// A run of judging again begins.
    Run(Box<RunBegun>),
    /// What came of judging one content again. It is no record of a log and counts in no rate.
    Evaluation(Box<Evaluated>),
    /// Such a run ended.
    RunEnd(RunEnded),
    /// Something that this version does not know. It counts for nothing and stays.
    Other {
        /// Its kind.
        kind: String,
        /// What it says.
        body: Value,
    },
}

/// Where labels were taken from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Import {
    /// Name of the file, for people.
    pub name: String,
    /// BLAKE3 of its bytes, hexadecimal.
    pub hash: String,
}

/// What a person decides to do with a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, strum::VariantArray)]
#[serde(rename_all = "snake_case")]
pub enum OverrideWord {
    /// It passes.
    Accept,
    /// It does not.
    Reject,
}

impl OverrideWord {
    /// Both.
    pub const ALL: [Self; 2] = crate::domain::variants();

    /// The word in files, filters and on the command line.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Accept => "accept",
            Self::Reject => "reject",
        }
    }
}

/// A decision on what to do. It says nothing on what is true and changes no rate.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Override {
    /// Which record.
    pub record: RecordId,
    /// What to do.
    #[serde(rename = "override")]
    pub word: OverrideWord,
    /// Why; never empty.
    pub reason: String,
    /// The first entry of those that were decided at once with it, itself among them; none of one
    /// that was decided alone. They are taken back together where a person takes back what was done last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub together: Option<EntryId>,
}

impl Override {
    /// Whether it decides the same of the same record for the same reason.
    pub fn says_as(&self, other: &Self) -> bool {
        (self.record, self.word, &self.reason) == (other.record, other.word, &other.reason)
    }
}

/// How far somebody is with a runbook.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StepSaid {
    /// Which runbook.
    pub runbook: String,
    /// The step that is done; none where the runbook is begun anew.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub step: Option<String>,
    /// What the person adds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// Which mode the hook of a box was set to. The box itself says what holds; this says who did it,
/// and on which evidence.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModeSet {
    /// Name of the box.
    #[serde(rename = "box")]
    pub box_name: String,
    /// Whose verdicts block there; the kind of its entry tells it.
    #[serde(skip)]
    pub family: JudgementKind,
    /// `advisory` or `blocking`; of a later version it may be another word.
    pub mode: String,
    /// What readiness said, where it was asked: `ready`, `not_ready` or `not_enough_evidence`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub readiness: Option<String>,
    /// BLAKE3 of the report's bytes, hexadecimal; the box keeps them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub report: Option<String>,
    /// Who let it block without READY.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub waiver: Option<ModeWaiver>,
    /// Why, where somebody said so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The word that the box did not follow, where this one takes it back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub takes_back: Option<EntryId>,
}

impl ModeSet {
    /// A box and its mode, with no ground named.
    pub fn new(box_name: impl Into<String>, mode: HookMode) -> Self {
        Self {
            box_name: box_name.into(),
            family: JudgementKind::DEFAULT,
            mode: mode.as_str().to_owned(),
            readiness: None,
            report: None,
            waiver: None,
            reason: None,
            takes_back: None,
        }
    }
}

/// Leave to block without READY, until a day.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModeWaiver {
    /// Who answers for it.
    pub name: String,
    /// Why.
    pub reason: String,
    /// From when on it no longer holds.
    pub until: Timestamp,
}

/// The body of several labels.
#[derive(Serialize, Deserialize)]
struct Labels<L> {
    #[serde(default = "none", skip_serializing_if = "Option::is_none")]
    import: Option<Import>,
    labels: L,
}

fn none() -> Option<Import> {
    None
}

/// The body of an undo, of a redo, and of a window start that is taken back.
#[derive(Serialize, Deserialize)]
struct Of {
    of: EntryId,
}

impl Act {
    /// The word for it in the file.
    pub fn kind(&self) -> &str {
        match self {
            Self::Label(_) => "label",
            Self::Labels { .. } => "labels",
            Self::Override(_) => "override",
            Self::Undo(_) => "undo",
            Self::Redo(_) => "redo",
            Self::Claim(_) => "claim",
            Self::Release(_) => "release",
            Self::Assignment(_) => "assignment",
            Self::Relevance(_) => "relevance",
            Self::PickWindow(_) => "pick_window",
            Self::Window(start) => start.family.instrument().entries.window,
            Self::WindowUndo(_, family) => family.instrument().entries.window_undo,
            Self::WindowAddition(added) => added.family.instrument().entries.window_addition,
            Self::Policy(change) => change.family.instrument().entries.policy,
            Self::Rate(rate) => rate.family.instrument().entries.rate,
            Self::Step(_) => "runbook_step",
            Self::Mode(set) => set.family.instrument().entries.mode,
            Self::Look(look) => look.family.instrument().entries.look,
            Self::Exposure(_) => "exposure",
            Self::Run(_) => "run",
            Self::Evaluation(_) => "evaluation",
            Self::RunEnd(_) => "run_end",
            Self::Other { kind, .. } => kind,
        }
    }

    /// What it says, as it stands in the file.
    ///
    /// # Errors
    /// A number that JSON does not have.
    pub fn body(&self) -> Result<Value, serde_json::Error> {
        match self {
            Self::Label(label) => serde_json::to_value(label),
            Self::Labels { labels, import } => {
                serde_json::to_value(Labels { import: import.clone(), labels })
            }
            Self::Override(decision) => serde_json::to_value(decision),
            Self::Undo(of) | Self::Redo(of) | Self::WindowUndo(of, _) => {
                serde_json::to_value(Of { of: *of })
            }
            Self::Claim(claim) => serde_json::to_value(claim),
            Self::Release(release) => serde_json::to_value(release),
            Self::Assignment(assignment) => serde_json::to_value(assignment),
            Self::Relevance(labels) => serde_json::to_value(labels),
            Self::PickWindow(window) => serde_json::to_value(window),
            Self::Window(start) => serde_json::to_value(start),
            Self::WindowAddition(added) => serde_json::to_value(added),
            Self::Policy(change) => serde_json::to_value(change),
            Self::Rate(rate) => serde_json::to_value(rate),
            Self::Step(step) => serde_json::to_value(step),
            Self::Mode(set) => serde_json::to_value(set),
            Self::Look(look) => serde_json::to_value(look),
            Self::Exposure(exposure) => serde_json::to_value(exposure),
            Self::Run(begun) => serde_json::to_value(begun),
            Self::Evaluation(evaluated) => serde_json::to_value(evaluated),
            Self::RunEnd(ended) => serde_json::to_value(ended),
            Self::Other { body, .. } => Ok(body.clone()),
        }
    }

    /// Reads what stands in the file. A kind that is not known, and a body that is not of its
    /// kind, give [`Act::Other`].
    pub fn read(kind: &str, body: Value) -> Self {
        fn decode<T: DeserializeOwned>(body: &Value) -> Option<T> {
            T::deserialize(body).ok()
        }
        let of_family = JudgementKind::ALL.into_iter().find_map(|family| {
            let words = family.instrument().entries;
            match kind {
                _ if kind == words.window => {
                    decode(&body).map(|start: WindowStart| Self::Window(start.of(family)))
                }
                _ if kind == words.window_undo => {
                    decode(&body).map(|Of { of }| Self::WindowUndo(of, family))
                }
                _ if kind == words.window_addition => decode(&body).map(|added: WindowAddition| {
                    Self::WindowAddition(WindowAddition { family, ..added })
                }),
                _ if kind == words.policy => decode(&body)
                    .map(|change: PolicyChange| Self::Policy(PolicyChange { family, ..change })),
                _ if kind == words.rate => {
                    decode(&body).map(|rate: AuditRate| Self::Rate(rate.of(family)))
                }
                _ if kind == words.look => {
                    decode(&body).map(|look: Look| Self::Look(Look { family, ..look }))
                }
                _ if kind == words.mode => {
                    decode(&body).map(|set: ModeSet| Self::Mode(ModeSet { family, ..set }))
                }
                _ => None,
            }
        });
        let act = of_family.or_else(|| match kind {
            "label" => decode(&body).map(Self::Label),
            "labels" => decode(&body)
                .map(|Labels { import, labels }: Labels<_>| Self::Labels { labels, import }),
            "override" => decode(&body).map(Self::Override),
            "undo" => decode(&body).map(|Of { of }| Self::Undo(of)),
            "redo" => decode(&body).map(|Of { of }| Self::Redo(of)),
            "claim" => decode(&body).map(Self::Claim),
            "release" => decode(&body).map(Self::Release),
            "assignment" => decode(&body).map(Self::Assignment),
            "relevance" => decode(&body).map(Self::Relevance),
            "pick_window" => decode(&body).map(Self::PickWindow),
            "runbook_step" => decode(&body).map(Self::Step),
            "exposure" => decode(&body).map(Self::Exposure),
            "run" => decode(&body).map(Self::Run),
            "evaluation" => decode(&body).map(Self::Evaluation),
            "run_end" => decode(&body).map(Self::RunEnd),
            _ => None,
        });
        act.unwrap_or_else(|| Self::Other { kind: kind.to_owned(), body })
    }

    /// The labels in it.
    pub fn labels(&self) -> &[Label] {
        match self {
            Self::Label(label) => std::slice::from_ref(label),
            Self::Labels { labels, .. } => labels,
            _ => &[],
        }
    }

    /// The records of logs that it names.
    pub fn records(&self) -> Vec<RecordId> {
        match self {
            Self::Override(decision) => vec![decision.record],
            Self::Claim(claim) => vec![claim.record],
            Self::Assignment(assignment) => assignment.records.clone(),
            Self::Evaluation(evaluated) => evaluated.record.into_iter().collect(),
            _ => self.labels().iter().map(|label| label.record).collect(),
        }
    }

    /// The family whose rule it is; `None` where it is none.
    pub fn family(&self) -> Option<JudgementKind> {
        match self {
            Self::Window(start) => Some(start.family),
            Self::WindowUndo(_, family) => Some(*family),
            Self::WindowAddition(added) => Some(added.family),
            Self::Policy(change) => Some(change.family),
            Self::Rate(rate) => Some(rate.family),
            _ => None,
        }
    }

    /// Whether it can be taken back. What was done on a box is undone there, and a rule is
    /// followed by another: nobody makes a draw undone once its labels are in.
    pub fn is_undoable(&self) -> bool {
        let happened = matches!(
            self,
            Self::Look(_)
                | Self::Exposure(_)
                | Self::Run(_)
                | Self::Evaluation(_)
                | Self::RunEnd(_)
        );
        !happened
            && !self.is_rule()
            && !matches!(self, Self::Undo(_) | Self::Redo(_) | Self::Mode(_) | Self::Other { .. })
            // A claim is released, by anybody, and so is an assignment.
            && !matches!(self, Self::Claim(_) | Self::Release(_) | Self::Assignment(_))
    }
}
