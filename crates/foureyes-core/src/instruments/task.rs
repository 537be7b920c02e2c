//! Verdicts on tasks, in either of their two vocabularies.

use super::{Capability, EntryKinds, EvaluationUnit, Instrument, ReadyStep, Vocabulary, Wording};
use crate::domain::{Cause, Family, JudgementKind, Measure, Outcome};

pub(super) const ROW: Instrument = Instrument {
    kind: JudgementKind::Task,
    name: "task",
    option: " --family task",
    filter: "(family:task | family:ladder)",
    records: &[
        Vocabulary {
            family: Family::Task,
            outcomes: &[
                ("accept", Outcome::Go),
                ("improve", Outcome::NoGo),
                ("reject", Outcome::NoGo),
                ("escalate", Outcome::Undetermined),
            ],
            undetermined: Cause::Escalated,
        },
        Vocabulary {
            family: Family::Ladder,
            outcomes: &[
                ("SAFE_TO_COMMIT", Outcome::Go),
                ("SAFE_TO_DEPLOY_AFTER_RUNTIME_CHECK", Outcome::Go),
                ("FIX_FIRST", Outcome::NoGo),
                ("BLOCK", Outcome::NoGo),
                ("INSUFFICIENT_EVIDENCE", Outcome::Undetermined),
            ],
            undetermined: Cause::InsufficientEvidence,
        },
    ],
    unit: EvaluationUnit::Run,
    // An agent is expected to be sent back to work, so neither a wrong rejection nor a low GO rate is
    // against trusting what is accepted; and nobody waits as at a push.
    reported: &[Measure::FalsePositiveRate, Measure::GoRate, Measure::MedianLatency],
    ready_step: ReadyStep {
        title: "Trust what the panel accepts",
        text: "Nothing else is left to do. What the panel accepts needs no second reader; watch \
               what it accepts for 48 hours, and keep the audit sample.",
        command: None,
    },
    entries: EntryKinds {
        window: "task_window",
        window_undo: "task_window_undo",
        window_addition: "task_window_addition",
        policy: "task_policy",
        rate: "task_audit_rate",
        look: "task_look",
        mode: "task_hook_mode",
    },
    wording: Wording {
        singular: "task",
        plural: "tasks",
        heading: "Tasks",
        verdicts: "Verdicts on tasks",
        evaluations: "evaluations of tasks",
        no_weeks: "no evaluation of a task has a timestamp yet",
        kpi_unit: "the last round of each run of a task",
        trend_unit: "one evaluation per run of a task (its last round); availability counts those whose \
                     record would name an outage",
        cost_of_wrong_flags: "agents redo work that was good",
        question: "May what the judges of tasks accept be trusted?",
    },
    capabilities: &[Capability::Question, Capability::Tiers],
};
