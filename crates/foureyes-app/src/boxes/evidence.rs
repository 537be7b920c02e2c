//! On which ground a box may block, and what is written down of it.

use super::Context;
use super::mode_reason::ModeReason;
use crate::advice;
use crate::assess::{BoxMode, Modes, Progress, Report, Runbook, Step};
use crate::config::HookMode;
use crate::domain::review::{
    Act, Dated, EntryId, ModeSet, ModeWaiver, Present, Reviewer, StepSaid,
};
use crate::domain::{JudgementKind, Timestamp};
use crate::failure::Failure;
use crate::files::atomic;
use crate::files::paths::DataDir;
use crate::hook::judge_match::EvidenceOf;
use crate::hook::switch::{Order, digits};
use crate::store::ledger::{Ledger, fresh_id};
use std::path::PathBuf;

/// Leave to block without READY.
#[derive(Debug, Clone)]
pub struct Waiver {
    /// Who answers for it.
    pub name: String,
    /// Why.
    pub reason: String,
    /// When it ends.
    pub until: Timestamp,
}

/// The ground of a decision.
pub struct BlockingEvidence {
    /// Whose verdicts it is on.
    pub(super) family: JudgementKind,
    /// What readiness says now.
    now: crate::calibration::ReadinessResult,
    /// Whether the box may block on it.
    pub holds: bool,
    /// What speaks against READY.
    pub against: Vec<String>,
    /// BLAKE3 of the report that is sent.
    pub(super) blake3: String,
    bytes: String,
    waived: Option<Waiver>,
    /// Whose report it is, where it is an earlier one.
    as_box: Option<String>,
}

/// What was written down.
pub(super) struct Recorded {
    pub(super) steps: Vec<&'static str>,
    pub(super) watch_until: Timestamp,
}

impl BlockingEvidence {
    /// Takes what readiness says now under the policy of the ledger, or the report on which another
    /// box blocks.
    ///
    /// # Errors
    /// Ledgers or a kept report that cannot be read, another box that does not block on READY.
    pub fn new(
        context: &Context<'_>,
        report: &Report,
        as_box: Option<&str>,
        waived: Option<Waiver>,
    ) -> Result<Self, Failure> {
        use crate::calibration::ReadinessResult::{NotReady, Ready};
        let now = report.readiness.result;
        let as_box = as_box.filter(|_| now != Ready);
        let (bytes, holds) = match as_box {
            Some(name) => (earlier(context, name, report)?, now != NotReady),
            None => (text(report)?, now == Ready || waived.is_some()),
        };
        Ok(Self {
            family: report.readiness.family,
            now,
            holds,
            against: against(report),
            blake3: blake3::hash(bytes.as_bytes()).to_hex().to_string(),
            bytes,
            // Whoever gives a waiver may need it: not only readiness speaks against a box.
            waived,
            as_box: as_box.map(str::to_owned),
        })
    }

    /// What readiness says now, as its word in documents.
    pub(super) fn result(&self) -> String {
        result_name(self.now)
    }

    /// The exit code of a refusal: 1, NOT READY; 2, NOT ENOUGH EVIDENCE.
    pub fn refusal_code(&self) -> u8 {
        self.now.code().max(1)
    }

    /// Whom and what the report is of.
    pub(super) fn of(&self) -> EvidenceOf {
        EvidenceOf::report(self.bytes.as_bytes())
    }

    /// Whether somebody answers for what speaks against it.
    pub(super) fn is_waived(&self) -> bool {
        self.waived.is_some()
    }

    /// Keeps the report here too; gives its file.
    pub(super) fn keep(&self, data: &DataDir) -> Result<PathBuf, Failure> {
        let path = kept(data, &self.blake3);
        atomic::private_dir(&data.reports())?;
        atomic::write(&path, self.bytes.as_bytes())?;
        Ok(path)
    }

    /// The order for the box.
    pub(super) fn order(&self, by: &str) -> Order {
        let waived = self.waived.as_ref();
        let reason = waived.map(|w| format!("waived by {}: {}", w.name, w.reason));
        let as_box = self.as_box.as_ref().map(|name| format!("on the report of {name}"));
        Order {
            reason: reason.or(as_box),
            until: waived.map(|w| w.until),
            report: Some(self.bytes.clone()),
            ..Order::new(HookMode::Blocking, by)
        }
    }

    /// Writes down that the box blocks, before it does for good.
    pub(super) fn record_mode(
        &self,
        context: &Context<'_>,
        by: &Reviewer,
        name: &str,
        entry: EntryId,
    ) -> Result<(), Failure> {
        let mut ledgers = Ledger::load(context.data).map_err(advice::of_ledger)?;
        let saved = ledgers.append(by, entry, context.clock.now(), &Act::Mode(self.set(name)));
        saved.map(drop).map_err(advice::of_ledger)
    }

    /// Writes down what follows of it once it does: which steps are done. The window goes on, and with it
    /// what may withdraw READY.
    pub(super) fn record(
        &self,
        context: &Context<'_>,
        by: &Reviewer,
        name: &str,
    ) -> Result<Recorded, Failure> {
        let mut ledgers = Ledger::load(context.data).map_err(advice::of_ledger)?;
        let now = context.clock.now();
        let present = ledgers.present(now);
        let mut append = |act: Act| {
            let saved = ledgers.append(by, fresh_id(now), now, &act);
            saved.map(drop).map_err(advice::of_ledger)
        };
        let steps = self.steps();
        if Progress::all(&present, now)
            .iter()
            .any(|p| p.runbook.id == Runbook::ENABLE && begun(p, &steps))
        {
            append(step(None, name))?;
        }
        for done in &steps {
            append(step(Some(done), name))?;
        }
        let modes = Modes::new(&ledgers.present(now), now);
        let watch_until = modes.of_box(name).map_or(now, BoxMode::watch_until);
        Ok(Recorded { steps, watch_until })
    }

    /// Writes down that it was tried, and is advisory.
    pub(super) fn record_back(
        &self,
        context: &Context<'_>,
        by: &Reviewer,
        name: &str,
    ) -> Result<(), Failure> {
        let reason = ModeReason::wrong().reason;
        let set =
            ModeSet { mode: HookMode::Advisory.as_str().to_owned(), reason, ..self.set(name) };
        record(context, by, set)
    }

    fn set(&self, name: &str) -> ModeSet {
        let waiver = self.waived.as_ref().map(|w| ModeWaiver {
            name: w.name.clone(),
            reason: w.reason.clone(),
            until: w.until,
        });
        ModeSet {
            readiness: Some(self.result()),
            report: Some(self.blake3.clone()),
            waiver,
            reason: self.as_box.as_ref().map(|name| format!("on the report of {name}")),
            family: self.family,
            ..ModeSet::new(name, HookMode::Blocking)
        }
    }

    /// The steps that are done by it. What a waiver left out is not, and what the report of
    /// another box stands for is not READY.
    fn steps(&self) -> Vec<&'static str> {
        let all = ["calibrate", "ready", Step::SWITCH, "blocked", "bypass"];
        let done = |step: &&str| match *step {
            "calibrate" => self.waived.is_none(),
            "ready" => self.waived.is_none() && self.as_box.is_none(),
            _ => true,
        };
        all.into_iter().filter(done).collect()
    }
}

/// Writes down that a box was set to advisory. Where it was the last one that blocked, so does the
/// runbook: from then on nobody is taken to be stopped.
pub(super) fn record(context: &Context<'_>, by: &Reviewer, set: ModeSet) -> Result<(), Failure> {
    let mut ledgers = Ledger::load(context.data).map_err(advice::of_ledger)?;
    let now = context.clock.now();
    let append = |ledgers: &mut Ledger, act: &Act| {
        let saved = ledgers.append(by, fresh_id(now), now, act);
        saved.map(drop).map_err(advice::of_ledger)
    };
    let note = Some(format!("box {}", set.box_name));
    let blocks = |ledgers: &Ledger| Modes::new(&ledgers.present(now), now).is_any_blocking();
    let before = blocks(&ledgers);
    append(&mut ledgers, &Act::Mode(set))?;
    if !before || blocks(&ledgers) {
        return Ok(());
    }
    let (runbook, step) = (Runbook::FALSE_POSITIVES.to_owned(), Some(Step::BACK.to_owned()));
    append(&mut ledgers, &Act::Step(StepSaid { runbook, step, note }))
}

/// The report on which a box was let block: one that says READY, as it was kept, and not older than
/// what the window that began with it may take to speak for itself.
fn earlier(context: &Context<'_>, name: &str, report: &Report) -> Result<String, Failure> {
    let (days, family) = (report.policy.days, report.readiness.family);
    let ledgers = Ledger::load(context.data).map_err(advice::of_ledger)?;
    let present = ledgers.present(context.now);
    let set = on_ready(&present, name, context.now).filter(|set| set.what.family == family);
    let Some((set, hash)) = set.and_then(|set| Some((set, set.what.report.as_deref()?))) else {
        return Err(Failure::usage(format!(
            "no ledger records that {name} blocks on READY for {}",
            family.evaluations()
        ))
        .hint("without `--as-box` readiness decides as it is now"));
    };
    if is_old(set.time, context.now, days) {
        let since = set.time.day_text();
        return Err(Failure::usage(format!(
            "{name} blocks on READY since {since}, which is more than {days} days ago"
        ))
        .hint("newer evidence must reach READY on its own: `foureyes readiness`"));
    }
    let path = kept(context.data, hash);
    let shown = path.display();
    let text = std::fs::read_to_string(&path)
        .map_err(|error| Failure::local(format!("failed to read {shown}: {error}")))?;
    if blake3::hash(text.as_bytes()).to_hex().as_str() != hash {
        return Err(Failure::local(format!("{shown} is not the report on which {name} blocks")));
    }
    Ok(text)
}

/// Whether READY was said more than so many days before: then the evidence since can speak.
fn is_old(time: Timestamp, now: Timestamp, days: u32) -> bool {
    i64::from(now.day()) - i64::from(time.day()) > i64::from(days)
}

/// The word by which READY let a box block on the report on which it blocks now. One that a waiver
/// let block says nothing of a further box, and neither does a word that the box did not follow:
/// behind that stands again what it blocks on.
fn on_ready<'a>(present: &'a Present, name: &str, now: Timestamp) -> Option<&'a Dated<ModeSet>> {
    let modes = Modes::new(present, now);
    let blocks = modes.of_box(name).filter(|of| of.blocks)?;
    let report = blocks.set.as_ref()?.report.as_ref()?;
    let ready = |set: &ModeSet| set.readiness.as_deref() == Some("ready") && set.waiver.is_none();
    let of = |set: &ModeSet| ready(set) && set.report.as_ref() == Some(report);
    Modes::said_since(present, name, blocks.since, now).into_iter().rfind(|set| of(&set.what))
}

fn kept(data: &DataDir, hash: &str) -> PathBuf {
    data.reports().join(format!("blocking-{}.json", digits(hash)))
}

/// The report as `readiness --json` prints it.
pub(super) fn text(report: &Report) -> Result<String, Failure> {
    let mut text = serde_json::to_string(report).map_err(Failure::local)?;
    text.push('\n');
    Ok(text)
}

pub(super) fn result_name(result: crate::calibration::ReadinessResult) -> String {
    serde_json::to_value(result)
        .ok()
        .and_then(|v| v.as_str().map(str::to_owned))
        .unwrap_or_default()
}

/// What keeps it from READY, a sentence each.
fn against(report: &Report) -> Vec<String> {
    let readiness = &report.readiness;
    let open = readiness.kpis.iter().filter(|k| k.gated && k.result.title() != "met");
    let kpis = open.map(|k| format!("{}: {}", k.id.title(), k.result.title()));
    kpis.chain(readiness.blocks.iter().map(|b| b.text.clone())).collect()
}

/// Tells whether any of these steps is said to be done already: then the runbook begins anew.
fn begun(progress: &Progress, steps: &[&str]) -> bool {
    let all = progress.runbook.steps.iter().zip(&progress.done);
    all.into_iter().any(|(step, done)| {
        done.is_some()
            && step.id != "calibrate"
            && step.id != "ready"
            && steps.contains(&step.id.as_str())
    })
}

fn step(step: Option<&str>, name: &str) -> Act {
    Act::Step(StepSaid {
        runbook: Runbook::ENABLE.to_owned(),
        step: step.map(str::to_owned),
        note: Some(format!("box {name}")),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const BLOCKING: HookMode = HookMode::Blocking;

    /// A word on the mode of a box: mode, what readiness said, report, hour.
    type Row = (HookMode, Option<&'static str>, &'static str, i64);

    fn present(words: &[Row]) -> Present {
        let set = |(mode, readiness, report, hour): &Row| Dated {
            entry: EntryId([0; 16]),
            time: Timestamp(hour * 3_600_000_000),
            reviewer: "anna".to_owned(),
            what: ModeSet {
                readiness: readiness.map(str::to_owned),
                report: Some((*report).to_owned()),
                ..ModeSet::new("box", *mode)
            },
        };
        Present { modes: words.iter().map(set).collect(), ..Present::default() }
    }

    fn of(words: &[Row]) -> Option<String> {
        let now = Timestamp(900 * 3_600_000_000);
        on_ready(&present(words), "box", now).and_then(|set| set.what.report.clone())
    }

    const READY: Option<&str> = Some("ready");
    const LESS: Option<&str> = Some("not_enough_evidence");

    #[test]
    fn report_of_blocking_box_is_reusable() {
        let one = (BLOCKING, READY, "r1", 1);
        let back = (HookMode::Advisory, None, "r1", 2);
        assert_eq!(of(&[one]).as_deref(), Some("r1"));
        assert_eq!(of(&[one, (BLOCKING, LESS, "r1", 2)]).as_deref(), Some("r1"));
        assert_eq!(of(&[one, back]), None);
        assert_eq!(of(&[one, back, (BLOCKING, LESS, "r2", 3)]), None);
        assert_eq!(of(&[(BLOCKING, LESS, "r1", 1)]), None);
        let before = (HookMode::Advisory, None, "r0", 5);
        assert_eq!(of(&[before, (BLOCKING, READY, "r3", 3)]).as_deref(), Some("r3"));
        assert!(on_ready(&present(&[one]), "other", Timestamp(i64::MAX)).is_none());
    }

    #[test]
    fn report_without_blocking_box_is_not_reusable() {
        // The last order of the second word was not followed, and the first is said again.
        let tried = (BLOCKING, READY, "r2", 2);
        let again = (BLOCKING, None, "r1", 3);
        assert_eq!(of(&[(BLOCKING, LESS, "r1", 1), tried, again]), None, "it blocks on a waiver");
        assert_eq!(of(&[(BLOCKING, READY, "r1", 1), tried, again]).as_deref(), Some("r1"));
        assert_eq!(of(&[(BLOCKING, READY, "r1", 1), tried]).as_deref(), Some("r2"));
    }

    #[test]
    fn report_is_reusable_until_its_window_is_full() {
        let day = |n: i64| Timestamp(n * 86_400_000_000 + 5);
        assert!(!is_old(day(100), day(114), 14));
        assert!(is_old(day(100), day(115), 14));
    }
}
