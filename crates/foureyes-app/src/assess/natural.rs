//! The natural start: a window over all that its judge ever judged here.

use super::{Ask, Evaluations, spent, window};
use crate::calibration::{
    Allowance, BacklogDay, Evaluation, NaturalWindow, PlanPrice, Policy, Versions, backlog_rate,
    prices,
};
use crate::domain::review::{
    Dated, Draw, EntryId, JudgeVersion, NaturalStart, Present, Seed, WindowStart,
};
use crate::domain::{JudgementKind, Outcome, Timestamp};
use crate::text::counted;
use std::collections::{BTreeMap, BTreeSet};

/// A window with the natural start, as its entry and what was added to it say.
#[derive(Debug, Clone, PartialEq)]
pub struct Begun {
    /// What its entry fixed.
    pub start: NaturalStart,
    /// The entry.
    pub entry: EntryId,
    /// Its first instant.
    pub from: Timestamp,
    /// When the entry was written.
    pub entered: Timestamp,
    /// How much of what was judged before is drawn by now.
    pub draw: Draw,
    /// Boxes that were added, each with when.
    pub added: Vec<(String, Timestamp)>,
}

impl Begun {
    /// What a window is, where it has the natural start.
    pub(super) fn new(present: &Present, window: &Dated<WindowStart>) -> Option<Self> {
        let start = window.what.natural.as_deref()?.clone();
        let rules = present.of(window.what.family);
        let own = || rules.additions.iter().filter(|added| added.what.of == window.entry);
        let is_all = own().any(|added| added.what.draw == Some(Draw::All));
        let boxes = own().flat_map(|added| {
            let since = added.time.max(window.time);
            added.what.boxes.iter().map(move |name| (name.clone(), since))
        });
        Some(Self {
            draw: if is_all { Draw::All } else { start.draw },
            added: boxes.collect(),
            start,
            entry: window.entry,
            from: window.what.from,
            entered: window.time,
        })
    }

    /// Probability with which what was judged before is drawn, in (0, 1].
    pub fn backlog_rate(&self) -> f64 {
        self.start.rate_of(self.draw)
    }

    /// The secret that is drawn with from the entry on.
    pub(super) fn key(&self) -> Option<[u8; 32]> {
        self.start.seed.map(|Seed(key)| key)
    }

    /// All boxes of the window.
    pub fn boxes(&self) -> impl Iterator<Item = &str> {
        let added = self.added.iter().map(|(name, _)| name.as_str());
        self.start.boxes.iter().map(String::as_str).chain(added)
    }

    pub(super) fn has_box(&self, name: &str, at: Timestamp) -> bool {
        let since = |(added, since): &(String, Timestamp)| added == name && at >= *since;
        self.start.boxes.iter().any(|own| own == name) || self.added.iter().any(since)
    }

    fn is_of(&self, version: Option<&JudgeVersion>) -> bool {
        version.is_some_and(|version| self.start.versions().any(|own| own == version))
    }

    /// Whether each evaluation counts in the window.
    pub(super) fn inside(&self, all: &Evaluations) -> Vec<bool> {
        let versions = Versions::new(all.all(), all.fingerprints());
        let takes =
            |(at, e): (usize, &Evaluation)| self.takes(e, all.box_name(at), versions.get(at));
        all.all().iter().enumerate().map(takes).collect()
    }

    /// Whether a record counts in the window: it is of one of its boxes and, where it was judged before the
    /// entry, of its judge.
    fn takes(&self, e: &Evaluation, box_name: &str, version: Option<&JudgeVersion>) -> bool {
        e.at >= self.from
            && self.has_box(box_name, e.at)
            && (e.at >= self.entered || self.is_of(version))
    }
}

/// The evaluations that count in a window with the natural start.
#[derive(Debug, Clone)]
pub(super) struct Counted {
    pub(super) rows: Vec<Evaluation>,
    /// Where each of them is among all evaluations.
    pub(super) places: Vec<u32>,
    pub(super) rounds: Vec<(Timestamp, u32)>,
    pub(super) facts: NaturalWindow,
}

impl Counted {
    /// Those of all evaluations.
    pub(super) fn new(all: &Evaluations, begun: &Begun, ask: &Ask<'_>) -> Self {
        let versions = Versions::new(all.all(), all.fingerprints());
        let (mut rows, mut places) = (Vec::new(), Vec::new());
        let (mut days, mut signs) = (Days::default(), Signs::default());
        for (place, e) in all.all().iter().enumerate() {
            let (name, version) = (all.box_name(place), versions.get(place));
            signs.take(e, name, version, begun);
            let takes = begun.takes(e, name, version);
            if takes {
                rows.push(*e);
                places.push(place as u32);
            }
            days.take(e, takes, begun);
        }
        let facts = NaturalWindow {
            entered: begun.entered,
            key: begun.key(),
            is_prompt_unknown: begun.start.versions().any(JudgeVersion::is_prompt_unknown),
            other_days: days.others.difference(&days.own).copied().collect(),
            earlier: signs.in_boxes.into_values().max().filter(|first| *first < begun.from),
            boxes: begun.boxes().map(str::to_owned).collect(),
            boxes_gone: gone(all, begun, ask.missing_boxes),
            boxes_beside: boxes_outside(all, begun, ask.known_boxes),
            first_sign: signs.first.unwrap_or(begun.from),
        };
        Self { rows, places, rounds: rounds(all, begun), facts }
    }
}

/// When the judges of a window were first seen: each in the boxes of its entry, and any of them anywhere.
#[derive(Default)]
struct Signs<'a> {
    in_boxes: BTreeMap<&'a JudgeVersion, Timestamp>,
    first: Option<Timestamp>,
}

impl<'a> Signs<'a> {
    fn take(
        &mut self,
        e: &Evaluation,
        name: &str,
        version: Option<&'a JudgeVersion>,
        begun: &Begun,
    ) {
        let Some(version) = version.filter(|version| begun.is_of(Some(version))) else { return };
        self.first.get_or_insert(e.at);
        if begun.start.boxes.iter().any(|own| own == name) {
            self.in_boxes.entry(version).or_insert(e.at);
        }
    }
}

/// Days before the entry on which something counts, and on which others judged.
#[derive(Default)]
struct Days {
    own: BTreeSet<i32>,
    others: BTreeSet<i32>,
}

impl Days {
    fn take(&mut self, e: &Evaluation, takes: bool, begun: &Begun) {
        if e.at >= begun.from && e.at < begun.entered {
            let days = if takes { &mut self.own } else { &mut self.others };
            days.insert(e.at.day());
        }
    }
}

/// Boxes of the window that are not read. One that is configured and has no data yet is `empty`.
fn gone(all: &Evaluations, begun: &Begun, empty: &[String]) -> Vec<String> {
    let is_read = |name: &&str| all.box_names().iter().chain(empty).any(|own| own == name);
    begun.boxes().filter(|name| !is_read(name)).map(str::to_owned).collect()
}

/// Boxes that are read or known and not in the window.
fn boxes_outside(all: &Evaluations, begun: &Begun, known: &[String]) -> Vec<String> {
    let names: BTreeSet<&String> = all.box_names().iter().chain(known).collect();
    let is_own = |name: &str| begun.boxes().any(|own| own == name);
    names.into_iter().filter(|name| !is_own(name)).cloned().collect()
}

/// The other rounds of its judges; those from the entry on are of whoever judged them.
fn rounds(all: &Evaluations, begun: &Begun) -> Vec<(Timestamp, u32)> {
    let is_own = |judge: u32| {
        let version = all.fingerprints().get(judge as usize).map(|judge| judge.version());
        version.is_some_and(|version| begun.start.versions().any(|own| may_be(own, &version)))
    };
    let counts = |(at, judge): &&(Timestamp, u32)| *at >= begun.entered || is_own(*judge);
    all.rounds().iter().filter(counts).copied().collect()
}

/// Whether a round that may not name who answered is of a judge.
fn may_be(own: &JudgeVersion, round: &JudgeVersion) -> bool {
    let served = round.is_served_unknown() || own.served_model == round.served_model;
    served && (&own.tier, &own.model, &own.prompt) == (&round.tier, &round.model, &round.prompt)
}

/// A window that would begin with the first record ever of the judge in use.
#[derive(Debug, Clone, PartialEq)]
pub struct NaturalOffer {
    /// Its entry, without a seed.
    pub start: WindowStart,
    /// Contents that the judge blocked before now, and those that it let pass.
    pub contents: [u64; 2],
    /// What the judge said on each of them, in order.
    pub backlog: Vec<BacklogDay>,
    /// Its share of the allowed error.
    pub allowance: Allowance,
}

impl NaturalOffer {
    /// The entry by a plan, without its secret.
    pub fn with_draw(&self, draw: Draw) -> WindowStart {
        let mut start = self.start.clone();
        start.natural.iter_mut().for_each(|natural| natural.draw = draw);
        start
    }

    /// The entry by a plan, with a secret of its own.
    pub fn entry(&self, draw: Draw, seed: Seed) -> WindowStart {
        let mut start = self.with_draw(draw);
        start.natural.iter_mut().for_each(|natural| natural.seed = Some(seed));
        start
    }

    /// The judge in use.
    pub fn judge(&self) -> Option<&JudgeVersion> {
        self.start.natural.as_ref().map(|natural| &natural.version)
    }

    /// Probability with which a plan draws what was judged before, in (0, 1].
    pub fn rate_of(&self, draw: Draw) -> f64 {
        self.start.natural.as_ref().map_or(1.0, |natural| natural.rate_of(draw))
    }

    /// About how many labels a plan asks for of what was judged before.
    pub fn labels(&self, draw: Draw) -> u64 {
        let [blocked, passed] = self.contents;
        // Rounded: the draw itself is by chance.
        (self.rate_of(draw) * (blocked + passed) as f64).round() as u64
    }

    /// What each plan costs, and what it is worth.
    pub fn prices(&self, policy: &Policy) -> Vec<PlanPrice> {
        prices(&self.backlog, policy, &self.allowance)
    }

    /// What the window covers, and what a plan asks for.
    pub fn summary(&self, draw: Draw) -> String {
        let [blocked, passed] = self.contents;
        let covers = format!(
            "the judge in use has judged since {}: {} with {blocked} NO-GO and {passed} GO",
            self.start.from.day_text(),
            counted(self.backlog.len() as u64, "day", "days"),
        );
        let labels = counted(self.labels(draw), "label", "labels");
        match draw {
            Draw::Thin if self.rate_of(draw) < 1.0 => format!(
                "{covers}. The thin draw asks for about {labels}; to draw all: `foureyes gate window --draw \
                 all{}`",
                self.start.family.option()
            ),
            _ => format!("{covers}. All of it is drawn: {labels}"),
        }
    }
}

/// The window that would begin now with the first record ever of the judge in use, over these boxes; `None`
/// where nothing was judged yet.
pub fn natural_offer(
    all: &Evaluations,
    present: &Present,
    policy: &Policy,
    boxes: &[String],
    now: Timestamp,
) -> Option<NaturalOffer> {
    let versions = Versions::new(all.all(), all.fingerprints());
    let until = all.all().partition_point(|e| e.at < now);
    let (version, panel) = judges(&versions, until)?;
    let boxes = if boxes.is_empty() { all.box_names().to_vec() } else { boxes.to_vec() };
    let (draw, rate, seed, withheld) = (Draw::Thin, 1.0, None, false);
    let mut natural = NaturalStart { version, panel, boxes, draw, rate, seed, withheld };
    let rows = own_rows(all, &versions, &natural, until);
    let from = first_of_all(&rows)?;
    let counted = || rows.iter().map(|(e, _)| *e).filter(move |e| e.at >= from);
    let backlog = backlog(counted());
    let blocked = backlog.iter().map(|day| day.no_go).sum();
    let judged: u64 = backlog.iter().map(|day| day.judged).sum();
    let start = WindowStart::natural(from, natural.clone()).of(all.kind());
    let allowance = spent::allowance_of_next(all, present, &start, now);
    natural.rate = backlog_rate(blocked, policy.false_negative_below, allowance.bar(policy));
    let start = WindowStart { natural: Some(Box::new(natural)), ..start };
    Some(NaturalOffer { start, contents: [blocked, judged - blocked], backlog, allowance })
}

/// What was said on each day that has any record, the first day first.
fn backlog<'e>(rows: impl Iterator<Item = &'e Evaluation>) -> Vec<BacklogDay> {
    let mut days: BTreeMap<i32, BacklogDay> = BTreeMap::new();
    for e in rows {
        let day = days.entry(e.at.day()).or_insert(BacklogDay { judged: 0, no_go: 0 });
        let times = u64::from(e.times);
        if e.is_judged() && [Outcome::Go, Outcome::NoGo].contains(&e.outcome) {
            day.judged += times;
            day.no_go += if e.outcome == Outcome::NoGo { times } else { 0 };
        }
    }
    days.into_values().collect()
}

/// What an answer from these logs costs. Those of a store elsewhere are not all here: no price is made up
/// for them.
pub(super) fn prices_of(
    all: &Evaluations,
    present: &Present,
    policy: &Policy,
    now: Timestamp,
) -> Vec<PlanPrice> {
    if all.folded_in().is_some() {
        return Vec::new();
    }
    let offer = natural_offer(all, present, policy, &[], now);
    offer.map(|offer| offer.prices(policy)).unwrap_or_default()
}

/// The first so many evaluations, those of the judges and boxes of a window, each with its judge.
fn own_rows<'a>(
    all: &'a Evaluations,
    versions: &'a Versions,
    natural: &NaturalStart,
    until: usize,
) -> Vec<(&'a Evaluation, &'a JudgeVersion)> {
    let row = |at: usize| Some((all.all().get(at)?, versions.get(at)?));
    let is_own = |at: &usize| {
        let of = versions.get(*at).is_some_and(|of| natural.versions().any(|own| own == of));
        of && natural.boxes.iter().any(|name| name == all.box_name(*at))
    };
    (0..until).filter(is_own).filter_map(row).collect()
}

/// The first record ever of a judge; of a panel the first instant at which all of its judges were there.
fn first_of_all(rows: &[(&Evaluation, &JudgeVersion)]) -> Option<Timestamp> {
    let mut first: BTreeMap<&JudgeVersion, Timestamp> = BTreeMap::new();
    for (e, version) in rows {
        first.entry(version).or_insert(e.at);
    }
    first.into_values().max()
}

/// The judge of the latest record, and the latest of each other tier.
fn judges(versions: &Versions, until: usize) -> Option<(JudgeVersion, Vec<JudgeVersion>)> {
    let mut latest = (0..until).rev().filter_map(|at| versions.get(at));
    let version = latest.next()?.clone();
    let mut panel: Vec<JudgeVersion> = Vec::new();
    for other in latest {
        let is_new = other.tier != version.tier && panel.iter().all(|own| own.tier != other.tier);
        if is_new {
            panel.push(other.clone());
        }
    }
    Some((version, panel))
}

/// What to say at a reviewer's first labels where no window runs: they count in nothing yet. `new` are those
/// of them that are in the ledgers already.
pub fn first_label_without_window(
    present: &Present,
    reviewer: &str,
    new: usize,
    now: Timestamp,
) -> Option<String> {
    let runs = |family| window::in_force(present, family, now).is_some();
    let is_first = present.labelled_by(reviewer).len() <= new;
    (is_first && !JudgementKind::ALL.into_iter().any(runs)).then(|| {
        "no calibration window is running, so labels count in no rate yet. `foureyes gate window` starts one \
         in which they do"
            .to_owned()
    })
}

/// The window that runs, where it has the natural start.
pub fn natural_window(present: &Present, family: JudgementKind, now: Timestamp) -> Option<Begun> {
    Begun::new(present, window::in_force(present, family, now)?)
}

#[cfg(test)]
mod tests;
