//! Boxes that block while READY is withdrawn, set back where the policy says so.

use super::Context;
use super::mode_reason::ModeReason;
use super::remote_agent::{Interrupts, RemoteAgent};
use super::rollback::{RollbackReport, rollback_on};
use crate::advice;
use crate::assess::{BoxMode, Modes, Report, policy_in_force};
use crate::calibration::{KpiRow, OnWithdrawn};
use crate::domain::review::{Present, Reviewer};
use crate::domain::{JudgementKind, Timestamp};
use crate::failure::Failure;
use crate::store::ledger::Ledger;

/// What readiness says now of a family.
pub type Assess<'a> = &'a dyn Fn(JudgementKind) -> Result<Report, Failure>;

/// What came of a box: what is known of it, and what went wrong.
pub type SetBack = (RollbackReport, Result<(), Failure>);

/// Sets each box back to advisory that blocks on verdicts of a family of which READY is withdrawn, where the
/// policy in force says so. It is done in the name of whoever set that policy, on the machine of this name.
/// A box that cannot be reached stays as the ledger says, so it is tried again the next time.
///
/// Nothing is assessed, and no box is asked, where no such policy holds or no box blocks.
///
/// # Errors
/// Ledgers or logs that cannot be read. What goes wrong with one box is told with it.
pub fn set_back_withdrawn(
    context: &Context<'_>,
    machine: &str,
    assess: Assess<'_>,
    interrupt: impl Interrupts,
) -> Result<Vec<SetBack>, Failure> {
    let present = Ledger::load(context.data).map_err(advice::of_ledger)?.present(context.now);
    let modes = Modes::new(&present, context.now);
    let mut done = Vec::new();
    for family in JudgementKind::ALL {
        let author = author(&present, family, context.now);
        let Some(name) = author.filter(|_| due(&modes, family).next().is_some()) else { continue };
        let report = assess(family)?;
        let Some(why) = withdrawn_reason(&report)? else { continue };
        why.keep(context.data)?;
        let by = Reviewer { name: name.to_owned(), machine: machine.to_owned() };
        let names = due(&modes, family).filter_map(|of| of.name.as_deref());
        done.extend(names.map(|name| one(context, name, &by, &why, &interrupt)));
    }
    Ok(done)
}

/// Who said that boxes are to be set back; `None` where nobody does.
fn author(present: &Present, family: JudgementKind, now: Timestamp) -> Option<&str> {
    let (policy, entry) = policy_in_force(present, family, now);
    let entry = entry.filter(|_| policy.on_withdrawn == OnWithdrawn::Advisory)?;
    Some(&entry.reviewer)
}

/// The boxes that block on verdicts of a family, but for those that somebody let block by a waiver in
/// spite of NOT READY: who answers for that knows of it.
fn due(modes: &Modes, family: JudgementKind) -> impl Iterator<Item = &BoxMode> {
    let readiness = |of: &BoxMode| of.set.as_ref().and_then(|set| set.readiness.clone());
    let knows =
        move |of: &BoxMode| of.waiver().is_some() && readiness(of).as_deref() == Some("not_ready");
    modes.blocking_on(family).filter(move |of| !knows(of))
}

/// Why boxes are set back, with the report that says so; `None` where READY is not withdrawn.
fn withdrawn_reason(report: &Report) -> Result<Option<ModeReason>, Failure> {
    let one = |k: &KpiRow| {
        let day = k.withdrawn.as_ref().filter(|_| k.is_withdrawn())?;
        Some(format!("{} since {day}", k.id.title()))
    };
    let kpis: Vec<String> = report.readiness.kpis.iter().filter_map(one).collect();
    if kpis.is_empty() {
        return Ok(None);
    }
    let reason = format!("READY is withdrawn: {}", kpis.join(", "));
    ModeReason::on_report(reason, report).map(Some)
}

fn one(
    context: &Context<'_>,
    name: &str,
    by: &Reviewer,
    why: &ModeReason,
    interrupt: &impl Interrupts,
) -> SetBack {
    match RemoteAgent::new(context, name, &[], interrupt) {
        Ok(agent) => rollback_on(context, &agent, by, why),
        Err(failure) => (RollbackReport::failed(name, &failure), Err(failure)),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::calibration::Policy;
    use crate::domain::HookMode;
    use crate::domain::review::{Dated, EntryId, ModeSet, ModeWaiver, PolicyChange};

    fn dated<T>(reviewer: &str, what: T) -> Dated<T> {
        Dated { entry: EntryId([0; 16]), time: Timestamp(5), reviewer: reviewer.to_owned(), what }
    }

    #[test]
    fn boxes_are_set_back_in_the_name_of_the_last_policy_that_says_so() {
        let policy = |on_withdrawn| {
            let policy = Policy { on_withdrawn, ..Policy::default() };
            let policy = serde_json::to_value(policy).unwrap();
            PolicyChange { from: Timestamp(0), policy, family: JudgementKind::Push }
        };
        let of = |policies: Vec<Dated<PolicyChange>>| {
            let mut present = Present::default();
            present.rules.get_mut(JudgementKind::Push).policies = policies;
            author(&present, JudgementKind::Push, Timestamp(9)).map(str::to_owned)
        };
        let (on, off) = (OnWithdrawn::Advisory, OnWithdrawn::Notify);
        assert_eq!(of(vec![]), None, "the default tells, and does nothing");
        assert_eq!(of(vec![dated("ada", policy(on))]).as_deref(), Some("ada"));
        assert_eq!(of(vec![dated("ada", policy(on)), dated("bert", policy(off))]), None);
        let both = vec![dated("ada", policy(off)), dated("bert", policy(on))];
        assert_eq!(of(both).as_deref(), Some("bert"));
    }

    #[test]
    fn box_that_was_let_block_in_spite_of_not_ready_stays() {
        let set = |name: &str, readiness: &str, waived: bool| {
            let waiver = waived.then(|| ModeWaiver {
                name: "Ada".to_owned(),
                reason: "a trial".to_owned(),
                until: Timestamp(99),
            });
            let readiness = Some(readiness.to_owned());
            dated("anna", ModeSet { readiness, waiver, ..ModeSet::new(name, HookMode::Blocking) })
        };
        let modes = vec![
            set("early", "not_enough_evidence", true),
            set("ready", "ready", false),
            set("knowing", "not_ready", true),
        ];
        let modes = Modes::new(&Present { modes, ..Present::default() }, Timestamp(9));
        let names: Vec<_> =
            due(&modes, JudgementKind::Push).filter_map(|of| of.name.as_deref()).collect();
        assert_eq!(names, ["early", "ready"]);
        assert!(due(&modes, JudgementKind::Task).next().is_none());
    }
}
