//! Verdicts on commits that are pushed.

use super::{Capability, EntryKinds, EvaluationUnit, Instrument, ReadyStep, Vocabulary, Wording};
use crate::domain::{Cause, Family, JudgementKind, Outcome};

pub(super) const ROW: Instrument = Instrument {
    kind: JudgementKind::Push,
    name: "push",
    option: "",
    filter: "family:push",
    records: &[Vocabulary {
        family: Family::Push,
        outcomes: &[
            ("GO", Outcome::Go),
            ("NO-GO", Outcome::NoGo),
            ("UNDETERMINED", Outcome::Undetermined),
        ],
        undetermined: Cause::NoConfidence,
    }],
    unit: EvaluationUnit::Content,
    reported: &[],
    ready_step: ReadyStep {
        title: "Switch to blocking",
        text: "Nothing else is left to do. Watch the judge for 48 hours after the switch.",
        command: Some(("For each box:", "foureyes box enable NAME")),
    },
    entries: EntryKinds {
        window: "window",
        window_undo: "window_undo",
        window_addition: "window_addition",
        policy: "policy",
        rate: "audit_rate",
        look: "look",
        mode: "hook_mode",
    },
    wording: Wording {
        singular: "push",
        plural: "pushes",
        heading: "Pushes",
        verdicts: "Verdicts on pushes",
        evaluations: "push evaluations",
        no_weeks: "no push evaluation has a timestamp yet",
        kpi_unit: "the latest one per commit, box, model and prompt",
        trend_unit: "one push evaluation per commit, box, requested model and prompt (the latest; \
                     bypasses excluded)",
        cost_of_wrong_flags: "people who are stopped that often without cause remove the hook",
        question: "May the judge block pushes?",
    },
    capabilities: &[Capability::PeerReview, Capability::Runbooks, Capability::EmptyLogs],
};
