//! On which ground a box may block, and what is written down of it.

use super::judged;
use crate::assess::{BoxMode, Modes, Progress, Report};
use crate::cli::reading::From;
use crate::cli::{Context, Failure, ledger, readiness};
use crate::config::HookMode;
use crate::domain::Timestamp;
use crate::domain::review::{Act, ModeSet, ModeWaiver, StepSaid, WindowStart};
use crate::engine::judged::JudgeSeen;
use crate::hook::switch::Order;
use crate::report::json;
use crate::store::atomic;
use crate::store::ledger::{Ledger, Reviewer, fresh_id};
use crate::store::paths::DataDir;
use std::path::{Path, PathBuf};

/// The runbook that is walked.
const RUNBOOK: &str = "enable";

/// Leave to block without READY.
#[derive(Debug, Clone)]
pub(super) struct Waived {
    pub(super) name: String,
    pub(super) reason: String,
    pub(super) until: Timestamp,
}

/// The ground of a decision.
pub(super) struct Ground {
    /// What readiness says now.
    now: crate::calibration::ReadinessResult,
    /// Whether the box may block on it.
    pub(super) holds: bool,
    /// What speaks against READY.
    pub(super) against: Vec<String>,
    /// BLAKE3 of the report that is sent.
    pub(super) blake3: String,
    /// What that report says, as its word.
    says: String,
    bytes: String,
    waived: Option<Waived>,
    /// Whose report it is, where it is an earlier one.
    as_box: Option<String>,
}

/// What was written down.
pub(super) struct Recorded {
    pub(super) steps: Vec<&'static str>,
    pub(super) window: Option<Timestamp>,
    pub(super) watch_until: Timestamp,
}

impl Ground {
    /// Asks readiness, as the command of that name does.
    pub(super) fn of(
        context: &Context,
        policy: Option<&Path>,
        as_box: Option<&str>,
        waived: Option<&Waived>,
    ) -> Result<Self, Failure> {
        use crate::calibration::ReadinessResult::{NotReady, Ready};
        let policy = policy.map(readiness::read_policy).transpose()?;
        let report = readiness::current(context, &From::default(), policy.as_ref())?;
        let now = report.readiness.result;
        let mut bytes = text(&report)?;
        let mut holds = now == Ready || waived.is_some();
        let mut says = word(now);
        if let Some(name) = as_box {
            bytes = earlier(context, name)?;
            holds = now != NotReady;
            says = word(Ready);
        }
        Ok(Self {
            now,
            holds,
            against: against(&report),
            blake3: blake3::hash(bytes.as_bytes()).to_hex().to_string(),
            says,
            bytes,
            // Whoever gives a waiver may need it: not only readiness speaks against a box.
            waived: waived.cloned(),
            as_box: as_box.map(str::to_owned),
        })
    }

    /// What readiness says now, as its word in documents.
    pub(super) fn result(&self) -> String {
        word(self.now)
    }

    /// The exit code of a refusal.
    pub(super) fn code(&self) -> u8 {
        self.now.code().max(1)
    }

    /// The judges that the report is of.
    pub(super) fn judges(&self) -> Vec<JudgeSeen> {
        judged::of_report(self.bytes.as_bytes())
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

    /// Writes down that the box blocks, which steps are done, and from when on evidence counts.
    pub(super) fn record(
        &self,
        context: &Context,
        by: &Reviewer,
        name: &str,
    ) -> Result<Recorded, Failure> {
        let mut ledgers = Ledger::load(&context.data).map_err(ledger::failure)?;
        let now = Timestamp(jiff::Timestamp::now().as_microsecond());
        let present = ledgers.present(now);
        let mut say = |act: Act| {
            let saved = ledgers.append(by, fresh_id(now), now, &act);
            saved.map(drop).map_err(ledger::failure)
        };
        say(Act::Mode(self.set(name)))?;
        // Days count whole, and today is in no window that was read before.
        let first = Modes::of(&present, now).since().is_none();
        let window = first.then(|| Timestamp::of_day(now.day()));
        if let Some(from) = window {
            say(Act::Window(WindowStart { from }))?;
        }
        let steps = self.steps();
        if Progress::all(&present, now).iter().any(|p| p.runbook.id == RUNBOOK && begun(p, &steps))
        {
            say(step(None, name))?;
        }
        for done in &steps {
            say(step(Some(done), name))?;
        }
        let modes = Modes::of(&ledgers.present(now), now);
        let watch_until = modes.of_box(name).map_or(now, BoxMode::watch_until);
        Ok(Recorded { steps, window, watch_until })
    }

    /// Writes down that it was tried, and is advisory.
    pub(super) fn record_back(
        &self,
        context: &Context,
        by: &Reviewer,
        name: &str,
    ) -> Result<(), Failure> {
        let reason = Some("the rehearsal did not go as it should".to_owned());
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
            box_name: name.to_owned(),
            mode: HookMode::Blocking.as_str().to_owned(),
            readiness: Some(self.says.clone()),
            report: Some(self.blake3.clone()),
            waiver,
            reason: self.as_box.as_ref().map(|name| format!("on the report of {name}")),
        }
    }

    /// The steps that are done by it. What a waiver left out is not.
    fn steps(&self) -> Vec<&'static str> {
        let all = ["calibrate", "ready", "switch", "window", "blocked", "bypass"];
        let from = if self.waived.is_some() { 2 } else { 0 };
        all.into_iter().skip(from).collect()
    }
}

/// Writes down that a box was set to advisory. Where it was the last one that blocked, so does the
/// runbook: from then on nobody is taken to be stopped.
pub(super) fn record(context: &Context, by: &Reviewer, set: ModeSet) -> Result<(), Failure> {
    let mut ledgers = Ledger::load(&context.data).map_err(ledger::failure)?;
    let now = Timestamp(jiff::Timestamp::now().as_microsecond());
    let say = |ledgers: &mut Ledger, act: &Act| {
        let saved = ledgers.append(by, fresh_id(now), now, act);
        saved.map(drop).map_err(ledger::failure)
    };
    let note = Some(format!("box {}", set.box_name));
    let blocks = |ledgers: &Ledger| Modes::of(&ledgers.present(now), now).since().is_some();
    let before = blocks(&ledgers);
    say(&mut ledgers, &Act::Mode(set))?;
    if !before || blocks(&ledgers) {
        return Ok(());
    }
    let (runbook, step) = ("false-positives".to_owned(), Some("back".to_owned()));
    say(&mut ledgers, &Act::Step(StepSaid { runbook, step, note }))
}

/// The report on which another box was let block: one that says READY, and as it was kept.
fn earlier(context: &Context, name: &str) -> Result<String, Failure> {
    let ledgers = Ledger::load(&context.data).map_err(ledger::failure)?;
    let modes = Modes::of(&ledgers.present(context.now), context.now);
    let set = modes.of_box(name).filter(|of| of.blocks).and_then(|of| of.said.as_ref());
    // What a waiver let block says nothing of a further box.
    let ready = set.filter(|set| set.readiness.as_deref() == Some("ready") && set.waiver.is_none());
    let Some(hash) = ready.and_then(|set| set.report.as_deref()) else {
        return Err(Failure::usage(format!("no ledger says that {name} blocks on READY"))
            .hint("without `--as-box` readiness decides as it is now"));
    };
    let path = kept(&context.data, hash);
    let shown = path.display();
    let text = std::fs::read_to_string(&path)
        .map_err(|error| Failure::local(format!("cannot read {shown}: {error}")))?;
    if blake3::hash(text.as_bytes()).to_hex().as_str() != hash {
        return Err(Failure::local(format!("{shown} is not the report on which {name} blocks")));
    }
    Ok(text)
}

fn kept(data: &DataDir, hash: &str) -> PathBuf {
    let digits: String = hash.chars().filter(char::is_ascii_hexdigit).take(16).collect();
    data.reports().join(format!("blocking-{digits}.json"))
}

/// The report as `readiness --json` prints it.
fn text(report: &Report) -> Result<String, Failure> {
    let mut bytes = Vec::new();
    json::value(&mut bytes, report, false)?;
    String::from_utf8(bytes).map_err(Failure::local)
}

fn word(result: crate::calibration::ReadinessResult) -> String {
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
        runbook: RUNBOOK.to_owned(),
        step: step.map(str::to_owned),
        note: Some(format!("box {name}")),
    })
}
