//! From logs and ledgers to the gate: whether the judge may block.
//!
//! The rules are pure and stand in [`crate::calibration`]; here they are given what they rest on:
//! push evaluations of an open archive, labels and rules of the ledgers, the policy in force.

mod absent;
mod added_boxes;
mod agents;
mod blocking;
mod by_id;
mod calibration;
mod caveats;
mod damage;
mod drawn;
mod drift;
mod evaluations;
mod folded;
mod keyed;
mod label_queue;
mod labels;
mod later;
mod look;
mod modes;
mod natural;
mod open_days;
mod operation;
mod packed_scores;
mod parts;
mod replay;
mod report;
mod retried;
mod rules;
mod runbook;
mod shown;
mod spent;
mod strata;
mod suppression;
mod trends;
mod waiting;
mod window;
mod words;

pub use absent::{Gone, Held, gone, held};
pub use added_boxes::{add_boxes, lacks_boxes};
pub use agents::{AGENTS_SCHEMA, AgentsDocument, agents_in};
pub use blocking::{WITHDRAWN, Withdrawal, blocking_caveat, blocking_caveats, withdrawal};
pub use calibration::{
    BREAKDOWN_SCHEMA, BreakdownDocument, CALIBRATION_SCHEMA, Calibration, DRIFT_SCHEMA,
    DriftDocument, Picked, WHAT_IF_SCHEMA, WhatIfDocument,
};
pub use drawn::drawn;
pub use drift::{CUSUM, Point, Week, drift};
pub use evaluations::Evaluations;
pub use keyed::keyed;
pub use label_queue::{Due, Turn, Wanted, due, stopped_first};
pub use labels::all_labels;
pub use look::record_look;
pub use modes::{BoxMode, Modes};
pub use natural::{Begun, NaturalOffer, first_label_without_window, natural_offer, natural_window};
pub use open_days::{OpenDays, record_exposure};
pub use operation::{
    BlindState, BlockReason, BlockingBox, Operation, PullProgress, Sources, StaleBox, Watch,
    WindowState, Work, family_in_view, is_behind, state_with_report,
};
pub use replay::{Breakdown, Divided, breakdown, contents_of, part_names, picked, replays};
pub use report::Report;
pub use rules::{RateSaid, Rules, policies_in_force, policy_in_force};
pub use runbook::{Progress, Runbook, Step, runbooks, watch_hours};
pub use shown::{show, show_family};
pub use strata::{NO_GO, STRATA, stratum};
pub use suppression::{FEWEST_HIDDEN, suppressed};
pub use trends::{
    Change, EventKind, Figure, MEASURES, PartKind, Span, TrendDay, TrendEvent, TrendPart, Trends,
    Unlabelled, change, trends,
};
pub use waiting::{Reviewer, Waiting, waiting};
pub use window::in_force as window_in_force;

use crate::calibration::{
    Allowance, Contents, Input, Inputs, Labelled, Policy, Readiness, Release, WindowRules,
};
use crate::collect::{Outdated, SourceBox};
use crate::domain::review::Present;
use crate::domain::{BoxState, IdMap, JudgementKind, RecordId, Scores, Timestamp};
use crate::store::cache::{Archive, CacheError};
use std::borrow::Cow;
use std::collections::HashSet;

/// What is asked.
#[derive(Clone, Copy)]
pub struct Ask<'a> {
    /// Whose evaluations are assessed, by whose rules.
    pub family: JudgementKind,
    /// The present.
    pub now: Timestamp,
    /// A policy to use in place of that of the ledger: its name for people, and itself.
    pub policy: Option<(&'a str, &'a Policy)>,
    /// Until when the data of every box are known to be complete.
    pub complete_until: Timestamp,
    /// Boxes and sources that have no data at all.
    pub missing_boxes: &'a [String],
    /// Boxes that are known here beside those that are read.
    pub known_boxes: &'a [String],
    /// Push evaluations that other logs of this machine hold: these must be among those that are read.
    pub held: &'a [Held],
    /// Records that were labelled and of which the logs hold nothing; [`gone`] finds them.
    pub gone: &'a Gone,
    /// The release as which to answer.
    pub release: Release,
    /// Tells whether nobody waits for the answer any more.
    pub cancel: &'a (dyn Fn() -> bool + Sync),
}

impl<'a> Ask<'a> {
    /// The usual question: the policy of the ledger, of all that is there, to its end.
    pub fn new(
        family: JudgementKind,
        now: Timestamp,
        complete_until: Timestamp,
        missing_boxes: &'a [String],
    ) -> Self {
        Self {
            family,
            now,
            policy: None,
            complete_until,
            missing_boxes,
            known_boxes: &[],
            held: &[],
            gone: Gone::NOTHING,
            release: Release::V03,
            cancel: &|| false,
        }
    }
}

impl std::fmt::Debug for Ask<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut shown = f.debug_struct("Ask");
        shown
            .field("family", &self.family)
            .field("now", &self.now)
            .field("policy", &self.policy.map(|p| p.0));
        shown.field("complete_until", &self.complete_until).finish_non_exhaustive()
    }
}

/// Until when the data of every source that has any are complete, and the names of the others.
///
/// A source that was never read to its end holds the first back to 1970.
pub fn completeness(boxes: &[SourceBox], now: Timestamp) -> (Timestamp, Vec<String>) {
    let missing = boxes.iter().filter(|b| b.state == BoxState::Empty);
    let there = boxes.iter().filter(|b| b.state != BoxState::Empty);
    let until = there.map(|b| b.complete.unwrap_or(Timestamp(0))).min();
    (until.unwrap_or(now).min(now), missing.map(|b| b.name.clone()).collect())
}

/// The names of the sources that have data.
pub fn with_data(boxes: &[SourceBox]) -> Vec<String> {
    boxes.iter().filter(|b| b.state != BoxState::Empty).map(|b| b.name.clone()).collect()
}

/// The answer and what it rests on.
#[derive(Debug, Clone, PartialEq)]
pub struct Assessment {
    /// The answer. Text in it may come from logs or reviewers: escape it before it is shown.
    pub readiness: Readiness,
    /// The policy that was used.
    pub policy: Policy,
    /// What the ledgers say of window, policy and audit sample.
    pub rules: Rules,
    /// Labels that count: what reviewers said of records that are among the logs.
    pub labels: usize,
}

/// The question could not be answered.
#[derive(Debug, thiserror::Error)]
pub enum AssessError {
    /// The cache.
    #[error("failed to read the evaluations")]
    Cache(#[from] CacheError),
}

impl Outdated for AssessError {
    fn is_outdated(&self) -> bool {
        let Self::Cache(error) = self;
        error.is_outdated()
    }
}

/// Says whether the judge may block; `None` where it was cancelled. Evaluations of a store elsewhere are
/// folded as they come, so what is kept of them does not grow with those that have no label.
///
/// # Errors
/// A cache that cannot be read.
pub fn assess(
    archive: &Archive,
    present: &Present,
    ask: &Ask<'_>,
) -> Result<Option<Assessment>, AssessError> {
    let Some(evaluations) = Evaluations::folded(archive, present, ask)? else {
        return Ok(None);
    };
    let gone = &gone(archive, &evaluations, present, ask.now)?;
    let ask = &Ask { gone, ..*ask };
    Ok((!(ask.cancel)()).then(|| assess_loaded(&evaluations, present, ask)))
}

/// The same of evaluations that are loaded already: they change only with the logs.
pub fn assess_loaded(evaluations: &Evaluations, present: &Present, ask: &Ask<'_>) -> Assessment {
    let present = as_of_release(present, ask.release);
    let present = present.as_ref();
    answer(Basis::new(evaluations, present, ask), evaluations, present, ask).0
}

/// The answer with what it takes to compute it again; `None` where it was cancelled.
///
/// # Errors
/// A cache that cannot be read.
pub fn report(
    archive: &Archive,
    present: &Present,
    ask: &Ask<'_>,
) -> Result<Option<Report>, AssessError> {
    let Some(evaluations) = Evaluations::folded(archive, present, ask)? else {
        return Ok(None);
    };
    let gone = &gone(archive, &evaluations, present, ask.now)?;
    let ask = &Ask { gone, ..*ask };
    Ok((!(ask.cancel)()).then(|| report_loaded(&evaluations, present, ask)))
}

/// The same of evaluations that are loaded already.
pub fn report_loaded(evaluations: &Evaluations, present: &Present, ask: &Ask<'_>) -> Report {
    let present = as_of_release(present, ask.release);
    let present = present.as_ref();
    let basis = Basis::new(evaluations, present, ask);
    let (assessment, inputs) = answer(basis, evaluations, present, ask);
    Report::new(assessment, inputs, ask)
}

/// What the ledgers say, as a release read it: 0.2 believed the form of every entry.
fn as_of_release(present: &Present, release: Release) -> Cow<'_, Present> {
    match release {
        Release::V02 if present.known.outdated() > 0 => Cow::Owned(present.as_written()),
        _ => Cow::Borrowed(present),
    }
}

fn answer(
    basis: Basis<'_>,
    evaluations: &Evaluations,
    present: &Present,
    ask: &Ask<'_>,
) -> (Assessment, Inputs) {
    let (mut readiness, inputs) = crate::calibration::decided(&basis.input(ask));
    readiness.caveats.extend(caveats::doubts(&basis, evaluations, present, ask));
    if basis.is_priced(ask) {
        let policy = &basis.rules.policy;
        readiness.prices = natural::prices_of(evaluations, present, policy, ask.now);
    }
    let assessment = Assessment {
        readiness,
        policy: basis.rules.policy.clone(),
        labels: basis.labels.len(),
        rules: basis.rules,
    };
    (assessment, inputs)
}

/// What the pure rules are given, owned.
struct Basis<'a> {
    rules: Rules,
    all: &'a Evaluations,
    labels: Vec<Labelled>,
    /// Words that were changed.
    words: words::Words,
    /// Records that somebody called poor in this program, taken back or not.
    called_poor: HashSet<RecordId>,
    /// Labels of records that are not among the evaluations.
    elsewhere: usize,
    /// Entries that rules name as written before them and that are in no ledger here.
    entries_gone: usize,
    scores: IdMap<Scores>,
    /// Records of the window that had labels when its start was chosen.
    late: window::Late,
    /// What the windows before left of the allowed error.
    allowance: Allowance,
    /// What counts, where the window begins with the first record ever of its judge.
    counted: Option<natural::Counted>,
}

impl<'a> Basis<'a> {
    fn new(all: &'a Evaluations, present: &Present, ask: &Ask<'_>) -> Self {
        let (labels, scores, elsewhere) = labels::labels(all, present);
        let rules = Rules::new(all, present, ask);
        let window = window::in_force(present, all.kind(), ask.now);
        let late = window.map(|window| {
            let from = window::chosen_from(present, window);
            let from = rules.policy_since.map_or(from, |policy| policy.max(from));
            window::late(all, present, window, from)
        });
        let allowance = spent::allowance(all, present, &rules.all_rates, ask.now);
        let late = late.unwrap_or_default();
        let words = words::Words::new(all, present, &labels, (rules.window_rules, ask));
        let entries_gone = present.known.gone();
        let called_poor = labels::called_poor(all, present);
        let begun = rules.natural.as_ref();
        let counted = begun.map(|begun| natural::Counted::new(all, begun, ask));
        Self {
            rules,
            all,
            labels,
            words,
            called_poor,
            elsewhere,
            entries_gone,
            scores,
            late,
            allowance,
            counted,
        }
    }

    /// Whether to say what an answer costs: no window of the present rules runs.
    fn is_priced(&self, ask: &Ask<'_>) -> bool {
        ask.release >= Release::V03 && self.rules.window_rules < WindowRules::Current
    }

    /// The contents of the window; their places are among all evaluations.
    fn contents(&self, ask: &Ask<'_>) -> Contents {
        let mut contents = crate::calibration::contents(&self.input(ask));
        if let Some(counted) = &self.counted {
            for place in &mut contents.places {
                *place = counted.places.get(*place as usize).copied().unwrap_or(*place);
            }
        }
        contents
    }

    fn input<'s>(&'s self, ask: &Ask<'s>) -> Input<'s> {
        Input {
            family: self.all.kind(),
            evaluations: self.counted.as_ref().map_or(self.all.all(), |counted| &counted.rows),
            folded: self.all.folded_in(),
            labels: &self.labels,
            changed: &self.words.changed,
            as_words_stand: false,
            spoken: None,
            called_poor: &self.called_poor,
            first_labels: self.words.first.as_deref(),
            later: &self.words.later,
            scores: &self.scores,
            strata: &self.rules.strata,
            fingerprints: self.all.fingerprints(),
            rounds: self.counted.as_ref().map_or(self.all.rounds(), |counted| &counted.rounds),
            plan: &self.rules.plan,
            policy: &self.rules.policy,
            policy_since: self.rules.policy_since,
            window_start: self.rules.window_start,
            counted_from: self.rules.counted_from,
            natural: self.counted.as_ref().map(|counted| &counted.facts),
            allowance: self.allowance,
            labelled_before_window: self.late.proven,
            rules: self.rules.window_rules,
            release: ask.release,
            now: ask.now,
            complete_until: ask.complete_until,
            missing_boxes: ask.missing_boxes,
            damaged: self.all.damaged(),
            absent: absent::absent(self.all, ask, self.rules.window_start, self.entries_gone),
        }
    }
}
