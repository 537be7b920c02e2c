//! Window, policy and audit sample, as the ledgers say they hold.

mod rates;

use super::{Ask, Begun, Evaluations, STRATA};
use crate::calibration::{OnWithdrawn, Plan, Policy, WindowRules};
use crate::domain::review::{Dated, EntryId, Known, PolicyChange, Present, WindowStart};
use crate::domain::{ByKind, JudgementKind, RecordId, Timestamp};

/// What holds at present.
#[derive(Debug, Clone, PartialEq)]
pub struct Rules {
    /// The policy: that which was asked for, else the one in force at the first label of the window,
    /// else the one said last, else the default. Its waivers are those that hold now.
    pub policy: Policy,
    /// Since when that of the ledger binds.
    pub policy_since: Option<Timestamp>,
    /// From when it would bind by itself, where it binds since the one before it did: it differs
    /// from that one in waivers alone.
    pub policy_kept: Option<Timestamp>,
    /// The entry of a policy that differs in more than waivers and holds from the next window on.
    pub policy_next: Option<EntryId>,
    /// The file that was asked for in place of the ledger's policy.
    pub policy_file: Option<String>,
    /// The first instant at which anything counts in the window; `None` where none is running.
    pub window_start: Option<Timestamp>,
    /// The first instant at which the rates count that need no labels, where that is later.
    pub counted_from: Option<Timestamp>,
    /// The rules that it was begun under.
    pub window_rules: WindowRules,
    /// What the window fixes, where it begins with the first record ever of its judge.
    pub natural: Option<Begun>,
    /// Whether each evaluation counts in such a window; `None` where all from its start on do.
    pub(super) inside: Option<Vec<bool>>,
    /// The audit sample. Its keys are secret.
    pub plan: Plan,
    /// Names of the strata of what passed, whatever rates there are: a rate that is set later must
    /// not change what earlier days say.
    pub strata: Vec<String>,
    /// The same without keys, and with the rates whose seed was not published: what is drawn whole is known
    /// everywhere.
    pub(super) all_rates: Plan,
    /// The rates that are in the plan, in its order.
    pub rates: Vec<RateSaid>,
    /// What was said and cannot be used, a sentence each.
    pub unusable: Vec<String>,
}

/// A rate of the audit sample, without its key.
#[derive(Debug, Clone, PartialEq)]
pub struct RateSaid {
    /// From when it binds.
    pub from: Timestamp,
    /// Which stratum; `None` for all.
    pub stratum: Option<String>,
    /// Probability to be drawn.
    pub rate: f64,
    /// Who said it. Raw text.
    pub reviewer: String,
    /// It draws, with a probability below 1, from what was here when it was set. Only an earlier version
    /// wrote such an entry.
    pub chosen: bool,
}

impl Rules {
    /// What holds at a time of asking.
    pub fn new(all: &Evaluations, present: &Present, ask: &Ask<'_>) -> Self {
        let labelled = Labelled { all, known: &present.known };
        let window = super::window::in_force(present, all.kind(), ask.now);
        let natural = window.and_then(|window| Begun::new(present, window));
        let mut rules = Self {
            policy: Policy::for_family(all.kind()),
            policy_since: None,
            policy_kept: None,
            policy_next: None,
            policy_file: None,
            // A rate reaches back to its first day; what counts from when depends on the rates.
            window_start: window.map(|window| window.what.from),
            counted_from: None,
            window_rules: window.map_or(WindowRules::NotStarted, |w| begun_under(&w.what)),
            inside: natural.as_ref().map(|begun| begun.inside(all)),
            natural,
            plan: Plan::default(),
            strata: STRATA.map(str::to_owned).to_vec(),
            all_rates: Plan::default(),
            rates: Vec::new(),
            unusable: Vec::new(),
        };
        rules.take_natural_rates(window);
        rules.take_rates(present.of(all.kind()), window, &labelled);
        if let Some(window) = window {
            let start = super::window::starts(all, present, window, &rules.all_rates);
            let counted = super::window::counts_from(present, window);
            rules.window_start = Some(start);
            rules.counted_from = Some(counted).filter(|counted| *counted > start);
        }
        rules.take_policy(present, ask, &labelled, window);
        rules
    }

    fn take_policy(
        &mut self,
        present: &Present,
        ask: &Ask<'_>,
        labelled: &Labelled<'_>,
        window: Option<&Dated<WindowStart>>,
    ) {
        if let Some((name, policy)) = ask.policy {
            self.policy = policy.clone();
            self.policy_file = Some(name.to_owned());
            return;
        }
        let family = labelled.all.kind();
        let mut held: Vec<Held> = Vec::new();
        for entry in present.of(family).policies.iter().filter(|p| p.what.from <= ask.now) {
            match policy_of(&entry.what) {
                Ok(policy) => {
                    let binds = labelled.binding(entry.what.from, entry);
                    held.push(Held::after(&held, policy, entry, binds));
                }
                Err(why) => {
                    let day = entry.time.day_text();
                    self.unusable.push(format!("the policy set on {day} is not valid: {why}"));
                }
            }
        }
        if let Some(window) = window.filter(|window| window.what.natural.is_some()) {
            let rules = present.of(family);
            return self
                .take_policy_at(&held, |of| rules.is_said_before(of.entry, of.written, window));
        }
        let start = self.window_start.filter(|_| window.is_some_and(|w| !w.what.is_old()));
        match start.and_then(|start| labelled.first_from(start)) {
            Some(first) => self.take_first(&held, first, labelled),
            None => {
                if let Some(Held { policy, since, kept, .. }) = held.pop() {
                    (self.policy, self.policy_since, self.policy_kept) = (policy, since, kept);
                }
            }
        }
    }

    /// Takes the policy that was in force at the first label of the window: another one later would be
    /// chosen by what the labels show. Waivers hold as they were said last.
    fn take_first(&mut self, held: &[Held], first: First, labelled: &Labelled<'_>) {
        let in_force = |of: &&Held| {
            labelled.known.before(of.entry).len() <= first.place && of.from <= first.time
        };
        let (decides, last) = (held.iter().rev().find(in_force), held.last());
        if let Some(Held { policy, from, .. }) = decides {
            // None of what it reaches had a label when it was said.
            (self.policy, self.policy_since) = (policy.clone(), Some(*from));
        }
        self.take_last(decides, last);
    }

    /// Takes the policy that was in force when the window was begun; it binds ever since.
    fn take_policy_at(&mut self, held: &[Held], is_earlier: impl Fn(&Held) -> bool) {
        let decides = held.iter().rev().find(|of| is_earlier(of));
        if let Some(Held { policy, .. }) = decides {
            self.policy = policy.clone();
        }
        self.take_last(decides, held.last());
    }

    /// Waivers hold as they were said last; more than that holds from the next window on.
    fn take_last(&mut self, decides: Option<&Held>, last: Option<&Held>) {
        let Some(last) = last.filter(|last| decides.map(|of| of.entry) != Some(last.entry)) else {
            return;
        };
        self.policy.waivers.clone_from(&last.policy.waivers);
        // It decides nothing: what is done with boxes is as it was said last, too.
        self.policy.on_withdrawn = last.policy.on_withdrawn;
        match self.policy == last.policy {
            true => self.policy_kept = Some(last.written),
            false => self.policy_next = Some(last.entry),
        }
    }
}

/// The rules of the version that began a window.
pub(super) fn begun_under(window: &WindowStart) -> WindowRules {
    match window.rules {
        0 => WindowRules::Earlier,
        1 => WindowRules::Shared,
        _ => WindowRules::Current,
    }
}

/// A policy of the ledgers.
struct Held {
    entry: EntryId,
    policy: Policy,
    /// When it was said.
    written: Timestamp,
    /// From when it was to hold.
    from: Timestamp,
    /// Since when it binds; `None` is ever since, as the one that comes with the program does.
    since: Option<Timestamp>,
    /// From when it would bind by itself, where it binds since the one before it did.
    kept: Option<Timestamp>,
}

impl Held {
    /// A policy that was said after others, and would bind from some instant on by itself.
    ///
    /// A waiver takes nothing from what is tested and how: it names what is left to somebody's
    /// word, until a day, and is shown. So it may be given when what it is of was seen, and a
    /// policy that changes nothing but waivers begins nothing anew. What it is held against is the
    /// one that held when it began, whatever was said of later days meanwhile. What is done with boxes once
    /// READY is withdrawn decides nothing either.
    fn after(
        before: &[Self],
        policy: Policy,
        entry: &Dated<PolicyChange>,
        binds: Timestamp,
    ) -> Self {
        let from = entry.what.from;
        let begins = from.max(entry.time);
        let last = before.iter().rev().find(|held| held.from <= begins);
        let program = Policy::for_family(entry.what.family);
        let (old, since) = last.map_or((&program, None), |held| (&held.policy, held.since));
        let aside = |of: &Policy| Policy {
            waivers: Vec::new(),
            on_withdrawn: OnWithdrawn::default(),
            ..of.clone()
        };
        let same = aside(old) == aside(&policy);
        let kept = (same && since < Some(binds)).then_some(binds);
        let since = kept.map_or(Some(binds), |_| since);
        Self { entry: entry.entry, policy, written: entry.time, from, since, kept }
    }
}

/// The policy of a family that holds at an instant by the ledgers, and who said it; else the default.
pub fn policy_in_force(
    present: &Present,
    family: JudgementKind,
    now: Timestamp,
) -> (Policy, Option<&Dated<PolicyChange>>) {
    let held = present.of(family).policies.iter().rev().filter(|p| p.what.from <= now);
    let mut usable = held.filter_map(|entry| Some((policy_of(&entry.what).ok()?, Some(entry))));
    usable.next().unwrap_or_else(|| (Policy::for_family(family), None))
}

/// The policy of each family that holds at an instant.
pub fn policies_in_force(present: &Present, now: Timestamp) -> ByKind<Policy> {
    ByKind::new(|family| policy_in_force(present, family, now).0)
}

/// Reads a policy of a ledger.
fn policy_of(change: &PolicyChange) -> Result<Policy, String> {
    let policy: Policy =
        serde_json::from_value(change.policy.clone()).map_err(|error| error.to_string())?;
    match policy.problem() {
        Some((key, why)) => Err(format!("{key}: {why}")),
        None => Ok(policy),
    }
}

/// What had been labelled when rules were said.
struct Labelled<'a> {
    all: &'a Evaluations,
    known: &'a Known,
}

/// The first label of the records of a window.
#[derive(Clone, Copy)]
struct First {
    /// How many records had one before.
    place: usize,
    /// When it was given.
    time: Timestamp,
}

impl Labelled<'_> {
    /// The first label of a record that was judged from an instant on; one that was taken back is one.
    fn first_from(&self, from: Timestamp) -> Option<First> {
        let inside = |record: &RecordId| {
            let judged = self.all.find(*record).and_then(|at| self.all.all().get(at));
            judged.is_some_and(|e| e.at >= from)
        };
        let place = self.known.records().iter().position(inside)?;
        Some(First { place, time: self.known.first_time(place)? })
    }

    /// From when something binds that was said to hold from an instant on.
    ///
    /// It binds what is judged after it was said. It reaches back only where none of the records
    /// that it would reach had been labelled by then, in the ledgers or as a label states itself.
    /// A label that was corrected or taken back since had been given all the same.
    fn binding<T>(&self, from: Timestamp, entry: &Dated<T>) -> Timestamp {
        if from >= entry.time {
            return from;
        }
        let judged = |record: RecordId| Some(self.all.all().get(self.all.find(record)?)?.at);
        let reached = |record: RecordId| judged(record).is_some_and(|at| at >= from);
        let in_ledgers = self.known.before(entry.entry).iter().copied();
        if in_ledgers.chain(self.known.stated_before(entry.time)).any(reached) {
            entry.time
        } else {
            from
        }
    }
}
