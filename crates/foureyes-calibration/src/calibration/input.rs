//! What a decision is made from.

use super::audit::{Draws, InForce};
use super::folded::Folded;
use super::window_rules::{Release, WindowRules};
use super::{
    Allowance, ChangedWord, Evaluation, Fingerprint, Labelled, LaterWord, NaturalWindow, Plan,
    Policy,
};
use crate::domain::{IdMap, JudgementKind, RecordId, Scores, Timestamp};
use std::collections::HashSet;
use std::ops::Range;

/// All that a decision rests on.
#[derive(Debug, Clone, Copy)]
pub struct Input<'a> {
    /// What the evaluations are of.
    pub family: JudgementKind,
    /// Evaluations without bypasses, in order of time; those outside the window are left out.
    pub evaluations: &'a [Evaluation],
    /// What was folded into them, where they stand for more than themselves.
    pub folded: Option<&'a Folded>,
    /// Labels that stand.
    pub labels: &'a [Labelled],
    /// Words that reviewers changed without being asked to.
    pub changed: &'a [ChangedWord],
    /// Whether words that wait for others count as they stand.
    pub as_words_stand: bool,
    /// Labels and changes that two of three is decided by, where those that count are others.
    pub spoken: Option<(&'a [Labelled], &'a [ChangedWord])>,
    /// Records on which a word that was typed in this program stood that says poor, taken back or not.
    pub called_poor: &'a HashSet<RecordId>,
    /// The labels with the words first given, where they are others and the change is not settled.
    pub first_labels: Option<&'a [Labelled]>,
    /// Later words: neither first ones nor second words that the program drew.
    pub later: &'a [LaterWord],
    /// Scores of the judge for labelled records, to compare with those of reviewers.
    pub scores: &'a IdMap<Scores>,
    /// Names of the strata of what passed; none where there is but one.
    pub strata: &'a [String],
    /// The judges.
    pub fingerprints: &'a [Fingerprint],
    /// When the judges of rounds were asked with which runs of tasks went on, in order of time. They are
    /// no evaluations, but a change of any of these judges is one of the panel.
    pub rounds: &'a [(Timestamp, u32)],
    /// The audit sample.
    pub plan: &'a Plan,
    /// The rules.
    pub policy: &'a Policy,
    /// Since when they hold; they bind only what was judged after that.
    pub policy_since: Option<Timestamp>,
    /// From when on anything counts in the window that is running; nothing else starts one.
    pub window_start: Option<Timestamp>,
    /// From when on the rates count that need no labels, where that is later: when the window was begun.
    pub counted_from: Option<Timestamp>,
    /// What is known of the window, where it begins with the first record ever of its judge.
    pub natural: Option<&'a NaturalWindow>,
    /// How much of the allowed error the window may spend.
    pub allowance: Allowance,
    /// Records of the window that had labels when its start was chosen.
    pub labelled_before_window: u64,
    /// The rules that the window was begun under.
    pub rules: WindowRules,
    /// The release as which to answer.
    pub release: Release,
    /// The present.
    pub now: Timestamp,
    /// Until when the data of every box are known to be complete.
    pub complete_until: Timestamp,
    /// Boxes and sources that have no data at all.
    pub missing_boxes: &'a [String],
    /// Logs of such verdicts in which something is no record.
    pub damaged: &'a [DamagedLog],
    /// Records that should be there and are not.
    pub absent: Absent,
}

/// Records that should be among the logs and are not.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Absent {
    /// Records that were labelled since the window's start and of which the logs hold nothing; those whose
    /// labels were all taken back are among them from 0.3 on.
    pub labelled: u64,
    /// How many of them were first called acceptable, poor and unsure; not known of a report of 0.2.
    pub first_words: [u64; 3],
    /// Evaluations of the window that the logs of the configured boxes hold and these do not.
    pub held: u64,
    /// Ledger entries that others name and that are in no ledger here; 0.2 did not ask.
    pub entries: u64,
}

/// A log of push verdicts in which something is no record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DamagedLog {
    /// Its box and its name; hostile text.
    pub name: String,
    /// First and last day that it speaks of, as days since 1970.
    pub days: [i32; 2],
    /// Pieces that are no record.
    pub rejected: u64,
    /// Whether it ends in a record that is not whole.
    pub incomplete: bool,
}

impl<'a> Input<'a> {
    /// Whether the factors, the plan and the second words are those of this version: in a window begun
    /// under its rules, and where none was started, to show what one would say.
    pub(super) fn is_current(&self) -> bool {
        match self.rules {
            WindowRules::Current => true,
            WindowRules::NotStarted => self.release == Release::V03,
            WindowRules::Earlier | WindowRules::Shared => false,
        }
    }

    /// What the plan draws from.
    pub(super) fn draws(&self) -> Draws {
        match self.is_current() {
            true => Draws::under(self.rules, self.policy),
            false => Draws::GoAlone,
        }
    }

    /// What the plan has in force at an instant.
    pub(super) fn in_force(&self, at: Timestamp) -> InForce {
        self.plan.in_force(at, self.strata.len(), self.draws())
    }

    /// The first evaluations of their contents among some, which may enter an error rate.
    pub(super) fn judged<'e>(
        &self,
        rows: &'e [Evaluation],
    ) -> impl Iterator<Item = &'e Evaluation> + use<'e> {
        let draws = self.draws();
        rows.iter().filter(move |e| draws.counts(e))
    }

    /// Whether rules hold that are new with 0.3 and can only take READY away.
    pub(super) fn has_new_rules(&self) -> bool {
        self.release >= Release::V03
    }

    /// What a line of such a rule says besides, where the window is of an earlier version.
    pub(super) fn newness(&self) -> &'static str {
        match self.rules {
            WindowRules::Earlier | WindowRules::Shared => " (new with this version)",
            WindowRules::NotStarted | WindowRules::Current => "",
        }
    }

    /// First instant of the window: its start, or that of the policy where it came later; without
    /// a start that of the first evaluation, to have something to show.
    pub(super) fn start(&self) -> Option<Timestamp> {
        match self.window_start {
            Some(start) => Some(self.policy_since.map_or(start, |p| p.max(start))),
            None => self.evaluations.first().map(|e| e.at.max(self.a_year_ago())),
        }
    }

    /// First instant at which evaluations count that need no label.
    pub(super) fn counted_from(&self) -> Timestamp {
        let start = self.start().unwrap_or(Timestamp(i64::MAX));
        self.counted_from.map_or(start, |from| from.max(start))
    }

    /// A record with a wrong date must not make a window of a thousand years.
    fn a_year_ago(&self) -> Timestamp {
        // Without a whole day there is no end: then it begins with 1970.
        Timestamp::of_day(self.end_day().max(366) - 366)
    }

    /// The first day that is not over, or of which the data are not complete.
    pub(super) fn today(&self) -> i32 {
        self.now.min(self.complete_until).day()
    }

    /// The day after the last whole day that has data.
    pub(super) fn end_day(&self) -> i32 {
        let today = self.today();
        let whole = self.evaluations.partition_point(|e| e.at.day() < today);
        let last = whole.checked_sub(1).and_then(|i| self.evaluations.get(i));
        last.map_or(i32::MIN, |e| e.at.day().saturating_add(1))
    }

    /// Where the evaluations of the window's whole days are.
    pub(super) fn window(&self) -> Range<usize> {
        let start = self.start().unwrap_or(Timestamp(i64::MAX));
        let from = self.evaluations.partition_point(|e| e.at < start);
        let to = self.evaluations.partition_point(|e| e.at.day() < self.end_day());
        from..to.max(from)
    }

    /// The evaluations of the window's whole days.
    pub(super) fn in_window(&self) -> &'a [Evaluation] {
        self.evaluations.get(self.window()).unwrap_or_default()
    }

    /// The judges of the other rounds of the window's whole days.
    pub(super) fn rounds_in_window(&self) -> &'a [(Timestamp, u32)] {
        let start = self.start().unwrap_or(Timestamp(i64::MAX));
        let from = self.rounds.partition_point(|(at, _)| *at < start);
        let to = self.rounds.partition_point(|(at, _)| at.day() < self.end_day());
        self.rounds.get(from..to.max(from)).unwrap_or_default()
    }

    /// The evaluations after its last whole day.
    pub(super) fn after_window(&self) -> &'a [Evaluation] {
        let start = self.start().unwrap_or(Timestamp(i64::MAX));
        let end = self.end_day();
        let from = self.evaluations.partition_point(|e| e.at < start || e.at.day() < end);
        self.evaluations.get(from..).unwrap_or_default()
    }
}
