//! The way to a box that blocks, and every way back from it.
//!
//! Whatever is heard on it, the box ends as the ledger says: it blocks for good and that is written
//! down, it is as it was, or it is advisory and that is written down. The ledger says that it blocks
//! before the last order is given: no box blocks for good without that. A trial whose end nobody saw
//! ends by the clock of the box, with what stood before; then the ledger may say more than the box
//! does, and never less.

use super::enabled::{EnableReport, Outcome};
use super::evidence::BlockingEvidence;
use super::mode_reason::ModeReason;
use super::phase::{Phase, Settled, Unswitched};
use super::remote_agent::{AgentError, RemoteAgent};
use super::switch_mode::{Turned, set_back, turn};
use super::{Context, check, judge_match, machine_now, rates, revoke};
use crate::config::HookMode;
use crate::domain::Timestamp;
use crate::domain::review::Reviewer;
use crate::failure::Failure;
use crate::hook::check::{Finding, State, TASK, describe_mode};
use crate::hook::rehearsal_report::{self, RehearsalReport};
use crate::hook::switch::ModeReport;
use crate::hook::switch::{Expected, ModeStatus, Order};
use crate::instruments::Capability;
use crate::remote_hook::RemoteCommand;
use crate::store::ledger::fresh_id;

/// Seconds that a box blocks on trial: where this machine dies meanwhile, it ends by itself.
const TRIAL: u32 = 3600;
/// Microseconds in which an order that was sent must have come.
const FRESH: i64 = 120 * 1_000_000;

/// Lets a box block pushes, if the evidence holds, and proves by a rehearsal that it does. Gives what
/// happened also where something went wrong.
pub fn enable(
    context: &Context<'_>,
    agent: &RemoteAgent<'_>,
    evidence: &BlockingEvidence,
    by: &Reviewer,
) -> (EnableReport, Result<(), Failure>) {
    let name = &agent.target.name;
    let mut report = EnableReport::new(name, evidence.result(), evidence.against.clone());
    if !evidence.holds {
        return (report, Ok(()));
    }
    let done = EnableBlocking { context, agent, evidence, by }.run(&mut report);
    (report, done)
}

/// Everything that it needs.
struct EnableBlocking<'a> {
    context: &'a Context<'a>,
    agent: &'a RemoteAgent<'a>,
    evidence: &'a BlockingEvidence,
    by: &'a Reviewer,
}

impl EnableBlocking<'_> {
    /// Looks, switches on trial, rehearses, writes down that it blocks, switches for good, and writes
    /// down what follows.
    fn run(&self, document: &mut EnableReport) -> Result<(), Failure> {
        document.state = Outcome::Unchanged;
        let Some((before, ahead)) = self.look(document)? else { return Ok(()) };
        document.report = Some(self.evidence.keep(self.context.data)?);
        document.blake3 = Some(self.evidence.blake3.clone());
        let order = self.evidence.order(&self.sender());
        let fresh = || Some(Timestamp(machine_now().0 + ahead + FRESH));

        self.progress("switching on trial");
        let seen = expects(&before);
        let (trial_s, not_after) = (Some(TRIAL), fresh());
        let trial = Order { trial_s, expects: seen, not_after, ..order.clone() };
        let on_trial = match self.switched(&trial) {
            Ok(status) => status,
            Err(Unswitched::Refused(failure)) => {
                let settled = self.refused(&before, &trial);
                return self.ended(document, settled, Phase::Trial, failure);
            }
            Err(Unswitched::Unsure(failure)) => {
                return self.broken_off(document, &before, Phase::Trial, failure);
            }
        };
        self.progress("rehearsing a poor push and a bypass; this takes as long as the judge needs");
        match self.rehearsed(document) {
            Ok(true) => {}
            Ok(false) => return self.went_wrong(document, Phase::Trial),
            Err(failure) => return self.broken_off(document, &before, Phase::Trial, failure),
        }
        self.progress("recording that it blocks");
        let entry = fresh_id(self.context.clock.now());
        let recorded = self.evidence.record_mode(self.context, self.by, &document.box_name, entry);
        if let Err(failure) = recorded {
            return self.broken_off(document, &before, Phase::Unsaid(entry), failure);
        }
        self.progress("switching for good");
        let order = Order { expects: expects(&on_trial), not_after: fresh(), ..order };
        match self.switched(&order) {
            Ok(status) => self.blocks(document, status),
            Err(why) => self.broken_off(document, &before, Phase::Ordered(entry), why.failure()),
        }
    }

    fn progress(&self, what: &str) {
        (self.context.progress)(what);
    }

    fn sender(&self) -> String {
        format!("{}@{}", self.by.name, self.by.machine)
    }

    /// What stands there, and the microseconds that its clock is ahead; `None` where it lacks
    /// something.
    fn look(&self, document: &mut EnableReport) -> Result<Option<(ModeStatus, i64)>, Failure> {
        self.progress("checking its setup");
        let mut seen = check::look(self.agent)?;
        judge_match::put(&mut seen, &self.evidence.of(), self.evidence.is_waived());
        // Of these the switch mends two, and the rehearsal proves the third.
        let mended = ["model", "mode", "report"];
        let pushes = !self.evidence.family.has(Capability::Tiers);
        let stops = |c: &Finding| {
            let name = c.name.strip_prefix(TASK).filter(|_| !pushes).unwrap_or(&c.name);
            // What judges tasks there judges none of its pushes.
            let other = pushes && c.name.starts_with(TASK);
            c.state == State::Fail && !mended.contains(&name) && !other
        };
        let fit = !seen.checks.iter().any(stops);
        let ahead = seen.ahead.unwrap_or_default() * 1_000_000;
        document.checks = seen.checks.into_iter().filter(|c| c.state != State::Ok).collect();
        document.before = seen.there.as_ref().map(|there| there.mode.clone());
        match document.before.clone().filter(|_| fit) {
            None => document.state = Outcome::Unfit,
            // All scripts there say so: whatever the switch says, none of them blocks.
            Some(before) if before.script == Some(HookMode::Advisory) => {
                document.state = Outcome::Unfit;
            }
            Some(before) => {
                rates::renew(self.context, self.agent, seen.there.as_ref(), &mut document.checks)?;
                return Ok(Some((before, ahead)));
            }
        }
        Ok(None)
    }

    /// Turns the switch to blocking; gives what the box then says, which must be just that.
    fn switched(&self, order: &Order) -> Result<ModeStatus, Unswitched> {
        match turn(self.agent, order).map_err(Unswitched::Unsure)? {
            Turned::To(status) if self.is(&status, order) => Ok(status),
            Turned::To(status) => {
                let text = format!("the box was switched but reports: {}", describe_mode(&status));
                Err(Unswitched::Unsure(Failure::remote(text)))
            }
            Turned::Not(finding) => {
                let failure = Failure::remote(finding.text);
                Err(Unswitched::Refused(finding.hint.into_iter().fold(failure, Failure::hint)))
            }
        }
    }

    /// Tells whether a box says what was ordered.
    fn is(&self, status: &ModeStatus, order: &Order) -> bool {
        let Some(switch) = &status.switch else { return false };
        let evidence = switch.report.as_ref().is_some_and(|e| e.blake3 == self.evidence.blake3);
        let end = order.trial_s.is_some() || switch.until == order.until;
        status.mode == HookMode::Blocking
            && evidence
            && end
            && switch.by == order.by
            && switch.trial.is_some() == order.trial_s.is_some()
    }

    /// Rehearses; tells whether it went as it should.
    fn rehearsed(&self, document: &mut EnableReport) -> Result<bool, Failure> {
        match self.agent.document::<RehearsalReport>(RemoteCommand::Rehearse, b"") {
            Ok((rehearsed, _)) => {
                let known =
                    rehearsed.schema == rehearsal_report::SCHEMA && rehearsed.steps.len() >= 2;
                let all = rehearsed.well && rehearsed.steps.iter().all(|step| step.well);
                let evidence = self.evidence;
                let same = rehearsed.protocol.family() == evidence.family;
                let well = known && all && same && rehearsed.mode == HookMode::Blocking;
                let other = judge_match::served(&evidence.of(), &rehearsed, evidence.is_waived());
                let same = other.as_ref().is_none_or(|other| other.state != State::Fail);
                document.checks.extend(other);
                document.rehearsal = Some(rehearsed);
                Ok(well && same)
            }
            Err(AgentError::Failed(failure)) => Err(failure),
            Err(other) => {
                document.checks.push(other.finding()?);
                Ok(false)
            }
        }
    }

    /// It blocks, and that is written down; what follows of it is written down now.
    fn blocks(&self, document: &mut EnableReport, there: ModeStatus) -> Result<(), Failure> {
        (document.there, document.state) = (Some(there), Outcome::Blocking);
        self.progress("recording the runbook");
        let name = &document.box_name;
        let recorded = self.evidence.record(self.context, self.by, name);
        let recorded = recorded.map_err(|failure| {
            failure.hint(format!(
                "{name} blocks, and the ledger says so; the runbook is not recorded: `foureyes box rollback {name}`, or this command once more when the ledger can be written"
            ))
        })?;
        document.steps = recorded.steps;
        document.watch_until = Some(recorded.watch_until.to_string());
        Ok(())
    }

    /// The rehearsal was heard, and is no proof, or the trial does not end: the box stops nobody from
    /// here on.
    fn went_wrong(&self, document: &mut EnableReport, phase: Phase) -> Result<(), Failure> {
        self.progress("setting it back to advisory");
        let name = document.box_name.clone();
        let failure = match set_back(self.agent, &self.sender(), &ModeReason::wrong()) {
            Ok(back) if back.why.is_none() => {
                (document.there, document.state) = (back.there, Outcome::RolledBack);
                document.recorded = false;
                let recorded = self.evidence.record_back(self.context, self.by, &name);
                recorded.map_err(|failure| {
                    failure.hint(format!(
                        "{name} is advisory, and that is not recorded: `foureyes box rollback {name}` once more when the ledger can be written"
                    ))
                })?;
                document.recorded = true;
                return Ok(());
            }
            Ok(back) => {
                document.there = back.there;
                Failure::remote(back.why.unwrap_or_default())
            }
            Err(failure) => failure,
        };
        self.unknown(document, phase, failure)
    }

    /// Nobody knows how the box is, so what the ledger says of it is not known to be so.
    fn unknown(
        &self,
        document: &mut EnableReport,
        phase: Phase,
        failure: Failure,
    ) -> Result<(), Failure> {
        (document.state, document.recorded) = (Outcome::Unknown, false);
        Err(failure.hint(self.may_block(document, phase)))
    }

    /// Something was not heard or not written, so nothing is proven: what stood before is to stand
    /// again.
    fn broken_off(
        &self,
        document: &mut EnableReport,
        before: &ModeStatus,
        phase: Phase,
        failure: Failure,
    ) -> Result<(), Failure> {
        self.progress("ending the trial");
        let settled = self.settle(before);
        self.ended(document, settled, phase, failure)
    }

    /// Tells how it ended, and makes the ledger say so.
    fn ended(
        &self,
        document: &mut EnableReport,
        settled: Settled,
        phase: Phase,
        failure: Failure,
    ) -> Result<(), Failure> {
        let name = document.box_name.clone();
        match settled {
            Settled::AsBefore(there) => {
                let failure =
                    failure.hint(format!("{name} is unchanged: {}", describe_mode(&there)));
                document.state = Outcome::Unchanged;
                Err(self.taken_back(document, phase, there, failure))
            }
            Settled::AsOrdered(there) => match phase {
                Phase::Ordered(_) => {
                    self.progress("its answer was lost; asked again, it confirms that it blocks");
                    self.blocks(document, there)
                }
                // Somebody of the same name gave the same order meanwhile.
                Phase::Trial | Phase::Unsaid(_) => {
                    document.there = Some(there);
                    self.unknown(document, phase, failure)
                }
            },
            Settled::OnTrial => {
                // It does not end its trial: then it is to stop nobody.
                self.went_wrong(document, phase)?;
                Err(failure.hint(format!("{name} is advisory")))
            }
            Settled::Otherwise(there) => {
                let hint = format!(
                    "the switch was changed by somebody else meanwhile: {}",
                    describe_mode(&there)
                );
                document.state = Outcome::Unknown;
                Err(self.taken_back(document, phase, there, failure.hint(hint)))
            }
            Settled::Unknown => self.unknown(document, phase, failure),
        }
    }

    /// The box does not block as the ledger says: where it says so, it is told how the box is.
    fn taken_back(
        &self,
        document: &mut EnableReport,
        phase: Phase,
        there: ModeStatus,
        failure: Failure,
    ) -> Failure {
        let name = &document.box_name;
        let taken = match phase {
            Phase::Trial => Ok(()),
            Phase::Unsaid(entry) | Phase::Ordered(entry) => {
                revoke::take_back(self.context, self.by, name, entry, &there)
            }
        };
        document.there = Some(there);
        let Err(unwritten) = taken else { return failure };
        document.recorded = false;
        let hint = format!(
            "the ledger may say that {name} blocks on this report: check with `foureyes box check {name}`; `foureyes box rollback {name}` makes both advisory when the ledger can be written"
        );
        let cause = crate::domain::chain(&*failure.error);
        let failure = failure.hints.into_iter().fold(unwritten, Failure::hint);
        failure.hint(hint).hint(format!("the failure before: {cause}"))
    }

    /// How a box stands that answered that it does not follow the trial's order. Where it says so
    /// itself nothing is undone there: a program of an older version could not, and a trial of
    /// somebody else's is not to be ended.
    fn refused(&self, before: &ModeStatus, trial: &Order) -> Settled {
        self.progress("checking its mode");
        let answer = self.agent.document::<ModeReport>(RemoteCommand::Mode, b"");
        let same = |there: &ModeStatus| {
            there.switch == before.switch && there.damaged.is_some() == before.damaged.is_some()
        };
        match answer {
            Ok((report, _)) if same(&report.status) => Settled::AsBefore(report.status),
            Ok((report, _)) if !self.is(&report.status, trial) => Settled::Otherwise(report.status),
            // It was followed all the same, or that is not known.
            _ => self.settle(before),
        }
    }

    /// Ends the trial, where there is one, and sees how the box stands.
    fn settle(&self, before: &ModeStatus) -> Settled {
        let undo = Order { undo: true, ..Order::new(HookMode::Advisory, self.sender()) };
        let Ok(Turned::To(status)) = turn(self.agent, &undo) else { return Settled::Unknown };
        let time = |status: &ModeStatus| status.switch.as_ref().map(|switch| switch.time);
        let damaged = before.damaged.is_some() && status.mode == HookMode::Advisory;
        if damaged || time(&status) == time(before) {
            return Settled::AsBefore(status);
        }
        let ours = status.switch.as_ref().is_some_and(|switch| switch.by == undo.by);
        match status.switch.as_ref().is_some_and(|switch| switch.trial.is_some()) {
            true if ours => Settled::OnTrial,
            false if self.is(&status, &self.evidence.order(&undo.by)) => Settled::AsOrdered(status),
            _ => Settled::Otherwise(status),
        }
    }

    /// What to know and to do where a box may block.
    fn may_block(&self, document: &EnableReport, phase: Phase) -> String {
        let name = &document.box_name;
        let then = document.before.as_ref().map_or("what it was".to_owned(), describe_mode);
        let trial = format!("on trial, for an hour at most, and then it is again {then}");
        let how = match phase {
            Phase::Trial => trial,
            Phase::Unsaid(_) => format!("{trial}; the ledger may say that it blocks for good"),
            // The last order has no end of itself.
            Phase::Ordered(..) => {
                format!("for good, as the ledger says, or {trial}")
            }
        };
        format!("{name} may block: {how}; to be sure: `foureyes box rollback {name}`")
    }
}

/// The switch that an order replaces.
fn expects(status: &ModeStatus) -> Option<Expected> {
    Some(Expected { switch: status.switch.as_ref().map(|switch| switch.time) })
}
