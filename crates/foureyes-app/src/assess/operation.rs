//! How the operation is doing: which boxes block and why they may, how far the window is, what is to be
//! labelled today, and how old the data are. Facts that are at hand; how they read is worded elsewhere.

use super::runbook::watch_hours;
use super::{BoxMode, Modes, Report, blocking_caveats, policy_in_force, window_in_force};
use crate::calibration::{
    BLIND_GO, BLIND_NO_GO, BlindShare, DayState, KpiResult, KpiRow, Readiness, ReadinessResult,
    overdue_labels,
};
use crate::domain::review::{ModeWaiver, Present};
use crate::domain::{BoxReport, BoxState, ByKind, Caveat, JudgementKind, RecordId, Timestamp};
use std::collections::HashSet;

/// One hour in microseconds.
const HOUR: i64 = 3_600_000_000;

/// The rule on the age of the evidence, as reports name it.
const STALE_EVIDENCE: &str = "stale_evidence";

/// How the operation is doing. Names in it are raw text.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Operation {
    /// The time of which it speaks.
    pub now: Timestamp,
    /// The boxes that block, the most doubtful first.
    pub blocking: Vec<BlockingBox>,
    /// Boxes that are known here.
    pub boxes: usize,
    /// The window that runs, or the next one; `None` where none was started.
    pub window: Option<WindowState>,
    /// How many labels of the open days are blind; `None` where none of them has one and none was seen.
    pub blind: Option<BlindState>,
    /// Records of the open days that wait for a label.
    pub to_label: u64,
    /// Whether the reviewer labelled anything today, by UTC.
    pub is_labelled_today: bool,
    /// Seconds since the data of the box that is furthest behind were complete; `None` where no box has any.
    pub data_age_s: Option<i64>,
    /// Boxes whose last pull failed, the oldest data first.
    pub stale: Vec<StaleBox>,
    /// The pull that runs.
    pub pull: Option<PullProgress>,
    /// Work that runs.
    pub work: Option<Work>,
}

/// A box that blocks.
#[derive(Debug, Clone, PartialEq)]
pub struct BlockingBox {
    /// Its name; `None` where only a runbook says that pushes are blocked.
    pub name: Option<String>,
    /// Since when it blocks without a break.
    pub since: Timestamp,
    /// Why it may.
    pub reason: BlockReason,
    /// How its watch stands.
    pub watch: Watch,
}

/// Why a box may block, the most doubtful first.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum BlockReason {
    /// Not any more: READY was withdrawn, on a day where that is known.
    Withdrawn(Option<Timestamp>),
    /// READY lapsed, since no day was fully labelled for too long.
    Lapsed {
        /// The last day that was.
        since: Option<Timestamp>,
        /// So many labels bring it back.
        labels: u64,
    },
    /// The judge is not READY now, for another reason.
    Undecided,
    /// A waiver allows it.
    Waiver {
        /// When it ends.
        until: Timestamp,
        /// Who answers for it. Raw text.
        name: String,
        /// Why. Raw text.
        why: String,
    },
    /// The judge is READY.
    Ready,
    /// READY was given once, and whether it holds is being counted.
    Counting,
}

impl BlockReason {
    /// Whether it may block, as far as is known.
    pub fn is_given(&self) -> bool {
        matches!(self, Self::Waiver { .. } | Self::Ready | Self::Counting)
    }
}

/// How the watch over a box stands that began to block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Watch {
    /// So many hours are left, at least 1.
    Left(u32),
    /// It is over, and nobody said that it is done.
    Over,
    /// It is done.
    Done,
}

/// A window and how it stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WindowState {
    /// Its first instant; it may be in the future.
    pub from: Timestamp,
    /// Whole days of it that are over.
    pub day: u64,
    /// Days that the policy asks for.
    pub needed: u64,
    /// The answer; `None` while it is being counted.
    pub result: Option<ReadinessResult>,
    /// Whether READY lapsed: only the age of the evidence keeps the answer from it.
    pub is_lapsed: bool,
}

/// Labels of the open days, by the nearer of the two limits on their blindness.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BlindState {
    /// Those that were given blind.
    pub blind: u64,
    /// What is labelled, or whose verdict was seen before.
    pub of: u64,
    /// The share that is needed, in (0, 1].
    pub needed: f64,
}

impl BlindState {
    /// Whether too few are.
    pub fn is_short(self) -> bool {
        self.margin() < 0.0
    }

    fn margin(self) -> f64 {
        self.blind as f64 / self.of.max(1) as f64 - self.needed
    }
}

/// A box whose data are older than they should be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StaleBox {
    /// Its name. Raw text.
    pub name: String,
    /// Seconds since its data were complete; `None` where it never had any.
    pub age_s: Option<i64>,
}

/// How far a pull is.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PullProgress {
    /// Boxes that ended.
    pub done: usize,
    /// Boxes that are pulled.
    pub of: usize,
    /// A box of which bytes come, with how many of how many; of all, 0 where that is not known.
    pub fetching: Option<(String, u64, u64)>,
}

/// Work that takes its time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Work {
    /// Contents judged so far, of how many.
    Judging(usize, usize),
    /// Something with the hook of a box, in words that say what.
    Hook(&'static str),
}

/// What the facts are taken from.
#[derive(Clone, Copy)]
pub struct Sources<'a> {
    /// What the ledgers say.
    pub present: &'a Present,
    /// What they say of the hooks of boxes.
    pub modes: &'a Modes,
    /// Whose window is in view; [`family_in_view`] has the usual one.
    pub family: JudgementKind,
    /// The answers that are known, by family.
    pub readiness: ByKind<Option<&'a Readiness>>,
    /// The boxes and how old their data are.
    pub boxes: &'a [BoxReport],
    /// Whose labels count as those of today; those of all where nobody is named.
    pub reviewer: Option<&'a str>,
    /// Whether the verdict on a record without a label was seen.
    pub is_seen: &'a dyn Fn(&RecordId) -> bool,
    /// The time.
    pub now: Timestamp,
}

impl std::fmt::Debug for Sources<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Sources").field("now", &self.now).finish_non_exhaustive()
    }
}

impl Operation {
    /// The facts; nothing of a pull or of work that runs.
    pub fn new(from: &Sources<'_>) -> Self {
        let readiness = *from.readiness.get(from.family);
        let mut blocking: Vec<BlockingBox> =
            from.modes.blocking().map(|of| blocking_box(from, of)).collect();
        blocking.sort_by(|a, b| a.reason.cmp(&b.reason).then_with(|| a.name.cmp(&b.name)));
        let today = from.now.day();
        let given = from.present.labels.values().flatten();
        let own = |name: &str| from.reviewer.is_none_or(|reviewer| reviewer == name);
        let mut of_today = given.filter(|g| g.time.day() == today && g.import.is_none());
        let mut stale: Vec<StaleBox> =
            from.boxes.iter().filter_map(|of| stale_box(of, from.now)).collect();
        stale.sort_by_key(|of| std::cmp::Reverse(of.age_s.unwrap_or(i64::MAX)));
        let fresh = from.boxes.iter().filter(|of| of.state == BoxState::Ok);
        Self {
            now: from.now,
            boxes: from.boxes.len().max(blocking.len()),
            blocking,
            window: window(from, readiness),
            blind: readiness.and_then(|r| blind(r, from.is_seen)),
            to_label: readiness.map_or(0, |r| r.days.iter().map(|d| d.missing.len() as u64).sum()),
            is_labelled_today: of_today.any(|given| own(&given.reviewer)),
            data_age_s: fresh.filter_map(|of| of.age_at(from.now)).max(),
            stale,
            pull: None,
            work: None,
        }
    }
}

/// What a report stands beside: that boxes block, and how the operation is doing as far as the report and
/// the ledgers tell; nothing of boxes whose pulls fail.
pub fn state_with_report(
    present: &Present,
    report: &Report,
    now: Timestamp,
) -> (Vec<Caveat>, Operation) {
    let own = &report.readiness;
    let modes = Modes::new(present, now);
    let operation = Operation::new(&Sources {
        present,
        modes: &modes,
        family: own.family,
        readiness: ByKind::new(|family| (family == own.family).then_some(own)),
        boxes: &[],
        reviewer: None,
        is_seen: &|_| false,
        now,
    });
    (blocking_caveats(&modes, [own], now), operation)
}

/// The family whose window is in view: that of pushes, or the first other one that has a window.
pub fn family_in_view(present: &Present) -> JudgementKind {
    let has_window = |family: &JudgementKind| !present.of(*family).windows.is_empty();
    let default = Some(JudgementKind::DEFAULT).filter(has_window);
    default.or_else(|| JudgementKind::ALL.into_iter().find(has_window)).unwrap_or_default()
}

fn blocking_box(from: &Sources<'_>, of: &BoxMode) -> BlockingBox {
    let left = of.watch_until().0 - from.now.0;
    let hours = u32::try_from((left + HOUR - 1) / HOUR).unwrap_or(0).min(watch_hours());
    let watch = match &of.watched {
        Some(_) => Watch::Done,
        None if left > 0 => Watch::Left(hours),
        None => Watch::Over,
    };
    let readiness = *from.readiness.get(of.family());
    let reason = match (of.waiver(), readiness) {
        (Some(waiver), _) => {
            let ModeWaiver { name, reason, until } = waiver.clone();
            BlockReason::Waiver { until, name, why: reason }
        }
        (None, None) => BlockReason::Counting,
        (None, Some(readiness)) => of_ready(from, readiness),
    };
    BlockingBox { name: of.name.clone(), since: of.since, reason, watch }
}

/// What became of the READY that a box blocks on.
fn of_ready(from: &Sources<'_>, readiness: &Readiness) -> BlockReason {
    let day = |text: &String| Timestamp::parse_day(text);
    match readiness.result {
        ReadinessResult::Ready => BlockReason::Ready,
        ReadinessResult::NotReady => {
            let decides = |k: &&KpiRow| k.gated && k.waived_by.is_none();
            let ended = |k: &KpiRow| match k.result {
                KpiResult::NotMet => k.withdrawn.as_ref().or(k.decided_on.as_ref()).and_then(day),
                _ => k.withdrawn.as_ref().and_then(day),
            };
            BlockReason::Withdrawn(readiness.kpis.iter().filter(decides).filter_map(ended).min())
        }
        ReadinessResult::NotEnoughEvidence if is_lapsed(readiness) => {
            let policy = policy_in_force(from.present, readiness.family, from.now).0;
            BlockReason::Lapsed {
                since: readiness.window.evidence_until.as_ref().and_then(day),
                labels: overdue_labels(&readiness.days, policy.fresh_days),
            }
        }
        ReadinessResult::NotEnoughEvidence => BlockReason::Undecided,
    }
}

/// Whether nothing but the age of the evidence keeps the answer from READY: else no report speaks of it.
fn is_lapsed(readiness: &Readiness) -> bool {
    let is_stale = readiness.blocks.iter().any(|b| b.id == STALE_EVIDENCE && b.waived.is_none());
    is_stale && readiness.result == ReadinessResult::NotEnoughEvidence
}

fn window(from: &Sources<'_>, readiness: Option<&Readiness>) -> Option<WindowState> {
    let Sources { present, family, now, .. } = *from;
    let rules = present.of(family);
    let running = window_in_force(present, family, now).map(|window| window.what.from);
    let next = || {
        let ahead = rules.windows.iter().filter(|window| window.what.from > now);
        let open = ahead.filter(|window| !rules.taken_back.contains_key(&window.entry));
        open.map(|window| window.what.from).min()
    };
    let start = running.or_else(next)?;
    // An answer on an earlier window says nothing of this one.
    let readiness = readiness.filter(|r| running.is_some() && r.window.from.is_some());
    let past = u64::try_from(now.day() - start.day()).unwrap_or(0);
    Some(WindowState {
        from: start,
        day: readiness.map_or(past, |r| r.window.days),
        needed: match readiness {
            Some(readiness) => readiness.window.days_needed,
            None => u64::from(policy_in_force(present, family, now).0.days),
        },
        result: readiness.map(|r| r.result),
        is_lapsed: readiness.is_some_and(is_lapsed),
    })
}

/// What of the open days is labelled, or was seen without a label, by the nearer of the two limits.
fn blind(readiness: &Readiness, is_seen: &dyn Fn(&RecordId) -> bool) -> Option<BlindState> {
    let [no_go, go] = readiness.label_quality.as_ref()?.open_days;
    let mut seen = [0, 0];
    for day in readiness.days.iter().filter(|day| day.state == DayState::Open) {
        let stopped: HashSet<&RecordId> = day.missing_no_go.iter().collect();
        for record in day.missing.iter().filter(|record| is_seen(record)) {
            seen[usize::from(!stopped.contains(record))] += 1;
        }
    }
    let of = |share: BlindShare, seen: u64, needed: f64| {
        let state = BlindState { blind: share.blind, of: share.labelled + seen, needed };
        (state.of > 0).then_some(state)
    };
    let both = [of(no_go, seen[0], BLIND_NO_GO), of(go, seen[1], BLIND_GO)];
    both.into_iter().flatten().min_by(|a, b| a.margin().total_cmp(&b.margin()))
}

/// Whether pulls of a box fail; of one that was never asked they do not.
pub fn is_behind(of: &BoxReport) -> bool {
    match of.state {
        BoxState::Ok => false,
        BoxState::Stale => true,
        BoxState::Empty => of.error.is_some(),
    }
}

fn stale_box(of: &BoxReport, now: Timestamp) -> Option<StaleBox> {
    let age = of.age_at(now).filter(|_| of.state != BoxState::Empty);
    is_behind(of).then(|| StaleBox { name: of.name.clone(), age_s: age })
}

#[cfg(test)]
mod tests;
