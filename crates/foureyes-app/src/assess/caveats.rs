//! What a reader must know of what the decision was given.

use super::{Ask, Basis, Evaluations};
use crate::calibration::Release;
use crate::domain::review::{Dated, EntryId, Moved, Present, WindowStart};
use crate::domain::{Caveat, JudgementKind, Timestamp};
use crate::engine::panel::Depth;
use crate::text::counted;

/// Doubts about labels and rules; those about the numbers come from the gate.
pub(super) fn doubts(
    basis: &Basis<'_>,
    all: &Evaluations,
    present: &Present,
    ask: &Ask<'_>,
) -> Vec<Caveat> {
    let mut caveats = Vec::new();
    let mut add = |id: &str, text: Option<String>| {
        caveats.extend(text.map(|text| Caveat { id: id.to_owned(), text }));
    };
    add("policy_file", policy_file(basis, present));
    add("policies", policies(basis, present, ask));
    add("waivers_later", waivers(basis, present, ask));
    add("policy_next_window", next_policy(basis, present));
    add("windows", windows(present, all.kind(), ask.now));
    add("window_taken_back", window_back(present, all.kind(), ask.now));
    add("window_backdated", backdated(basis, present, ask.now));
    add("window_share", share(basis, present, ask.now));
    add("window_after_stated_labels", late_window(basis));
    add("window_order", order(basis));
    add("audit_rates", rates(basis));
    add("audit_reaches_back", chosen(basis));
    for why in &basis.rules.unusable {
        add("unusable_rule", Some(why.clone()));
    }
    for rule in &present.of(all.kind()).moved {
        add("rule_moved", Some(moved(rule)));
    }
    add("rules_taken_back", taken_back(present, all.kind()));
    add("broken_ledger", broken(present));
    add("ledger_gone", gone(present).filter(|_| ask.release == Release::V02));
    add("outdated_rules", outdated(present).filter(|_| ask.release == Release::V03));
    add("unknown_entries", unknown(present));
    let on_rounds = on_rounds(all, present);
    add("labels_elsewhere", elsewhere(basis.elsewhere.saturating_sub(on_rounds), all.kind()));
    add("labels_on_rounds", rounds(on_rounds));
    add("depths", depths(basis));
    add("undated", undated(all.undated(), all.kind()));
    add("scripted", scripted(all.scripted()));
    add("unfinished", unfinished(all.unfinished()));
    caveats
}

fn policy_file(basis: &Basis<'_>, present: &Present) -> Option<String> {
    match &basis.rules.policy_file {
        Some(name) => Some(format!(
            "the policy comes from the file {name}, for this report only; it is not in a ledger"
        )),
        None if present.of(basis.all.kind()).policies.is_empty() => {
            Some("no policy was set, so the default policy of the program applies".to_owned())
        }
        None => None,
    }
}

/// Names the last of several and the one before it.
fn policies(basis: &Basis<'_>, present: &Present, ask: &Ask<'_>) -> Option<String> {
    let held: Vec<_> =
        present.of(basis.all.kind()).policies.iter().filter(|p| p.what.from <= ask.now).collect();
    let [.., before, last] = held.as_slice() else { return None };
    basis.rules.policy_file.is_none().then(|| {
        format!(
            "the policy was set {} times: the one that {} set on {} applies; the one before it was \
             set by {} on {}",
            held.len(),
            last.reviewer,
            last.time.day_text(),
            before.reviewer,
            before.time.day_text()
        )
    })
}

/// What a waiver was given for had been seen.
fn waivers(basis: &Basis<'_>, present: &Present, ask: &Ask<'_>) -> Option<String> {
    let (kept, start) = (basis.rules.policy_kept?, basis.rules.window_start?);
    let entry =
        super::policy_in_force(present, basis.all.kind(), ask.now).1.filter(|_| kept > start)?;
    Some(format!(
        "the policy that {} set on {} changes only waivers, so earlier evaluations still count",
        entry.reviewer,
        entry.time.day_text()
    ))
}

/// A later policy would be chosen by what the labels of the window show.
fn next_policy(basis: &Basis<'_>, present: &Present) -> Option<String> {
    let entry = basis.rules.policy_next?;
    let policies = &present.of(basis.all.kind()).policies;
    let entry = policies.iter().find(|policy| policy.entry == entry)?;
    Some(format!(
        "the policy that {} set on {} changes more than waivers: it applies from the next window \
         on, and only its waivers apply in this one",
        entry.reviewer,
        entry.time.day_text()
    ))
}

/// Says that none is running, though one was.
fn window_back(present: &Present, family: JudgementKind, now: Timestamp) -> Option<String> {
    let all = super::window::windows(present, family, now);
    let (start, back) = all.last().and_then(|last| Some((last.start, last.back?)))?;
    Some(format!(
        "the window start {} by {} was taken back by {} on {}: no window is running, and the one \
         before it stays ended",
        start.what.from.day_text(),
        start.reviewer,
        back.reviewer,
        back.time.day_text()
    ))
}

/// A first day that lies before the entry that names it.
fn backdated(basis: &Basis<'_>, present: &Present, now: Timestamp) -> Option<String> {
    let window = super::window_in_force(present, basis.all.kind(), now)?;
    let (from, entry) = (window.what.from, window.time);
    let is_natural = window.what.natural.is_some();
    if entry.day() <= from.day() || is_natural || present.known.is_of_switch(window.entry) {
        return None;
    }
    let counts = match (window.what.is_old(), basis.rules.counted_from) {
        (true, _) => "an earlier version started it, so evaluations before that time count",
        (false, Some(_)) => {
            "evaluations before that time count only in the error rates, because all are audited"
        }
        (false, None) => "evaluations before that time count in no KPI",
    };
    Some(format!(
        "the window was started at {entry} with {} as its first day: {counts}",
        from.day_text()
    ))
}

/// A window of an earlier version had the whole allowed error, whichever it was.
fn share(basis: &Basis<'_>, present: &Present, now: Timestamp) -> Option<String> {
    let window = super::window_in_force(present, basis.all.kind(), now)
        .filter(|window| window.what.is_old())?;
    let number = basis.allowance.window;
    (number > 1).then(|| {
        format!(
            "the window of {} is window number {number} of its judge. An earlier version started \
             it, so it has the whole allowed error, which the windows of a judge share now",
            window.what.from.day_text()
        )
    })
}

/// Neither of two ledgers knew the other's entry.
fn order(basis: &Basis<'_>) -> Option<String> {
    let count = basis.late.by_clock;
    (count > 0).then(|| {
        format!(
            "for {} of the window, only clocks show that its start was chosen before their labels: \
             these are in ledgers that did not know the start",
            counted(count, "record", "records")
        )
    })
}

/// Names the one that counts, and the one before it.
fn windows(present: &Present, family: JudgementKind, now: Timestamp) -> Option<String> {
    let held = super::window::held(present, family, now).filter(|held| held.starts > 1)?;
    let of = |w: &Dated<WindowStart>| (w.what.from.day_text(), w.reviewer.clone());
    let (start, reviewer) = of(held.window);
    let before = held.before.map(of).map_or(String::new(), |(start, reviewer)| {
        format!("; the one before it was on {start} by {reviewer}")
    });
    let times = held.starts;
    Some(format!(
        "the window was started {times} times: the start on {start} by {reviewer} applies{before}"
    ))
}

/// What labels state of themselves cannot be proven, nor is it passed over.
fn late_window(basis: &Basis<'_>) -> Option<String> {
    let count = basis.late.stated;
    (count > 0).then(|| {
        format!(
            "labels on {} of the window state that they were given before its start was chosen",
            counted(count, "record", "records")
        )
    })
}

fn rates(basis: &Basis<'_>) -> Option<String> {
    let rates = &basis.rules.rates;
    let entry = |r: &super::RateSaid| {
        let stratum = r.stratum.as_deref().unwrap_or("all that passes");
        format!("{} of {stratum} from {} on", r.rate, r.from.day_text())
    };
    let shown: Vec<String> = rates.iter().map(entry).collect();
    (rates.len() > 1)
        .then(|| format!("the audit rate was set {} times: {}", rates.len(), shown.join("; ")))
}

/// A sample of records that whoever set its rate could look at first.
fn chosen(basis: &Basis<'_>) -> Option<String> {
    let chosen: Vec<_> = basis.rules.rates.iter().filter(|rate| rate.chosen).collect();
    let first = chosen.first()?;
    Some(format!(
        "an audit rate of {} from {} on was set when its records already existed, by {} in an \
         earlier version: their sample could have been chosen",
        first.rate,
        first.from.day_text(),
        first.reviewer
    ))
}

/// Nothing tells which of two clocks was wrong, so a person must.
fn moved(rule: &Moved) -> String {
    let short = |id: EntryId| crate::text::short_hash(&id.to_string()).to_owned();
    format!(
        "the rule that {} set at {} (entry {}) counts from {}, the time of entry {} before it in \
         that ledger: the clock was ahead at that entry, or was set back later",
        rule.reviewer,
        rule.written,
        short(rule.rule),
        rule.counts_at,
        short(rule.by)
    )
}

fn taken_back(present: &Present, family: JudgementKind) -> Option<String> {
    let count = present.known.refused(family);
    (count > 0).then(|| {
        format!(
            "in ledgers, `label --undo` takes back {}, which it cannot undo: a window start, policy or \
             audit rate applies until another one is set",
            counted(count, "rule", "rules")
        )
    })
}

fn broken(present: &Present) -> Option<String> {
    let count = present.distrusted;
    (count > 0).then(|| {
        format!(
            "{} not count, because the ledger was changed afterwards",
            counted(count, "label or override does", "labels or overrides do")
        )
    })
}

fn gone(present: &Present) -> Option<String> {
    let count = present.known.gone();
    (count > 0).then(|| {
        format!(
            "{} incomplete or missing here: other entries name earlier ones that are gone",
            counted(count, "ledger is", "ledgers are")
        )
    })
}

fn outdated(present: &Present) -> Option<String> {
    let count = present.known.outdated();
    (count > 0).then(|| {
        let (one, many) = (
            "window start or audit rate is in the form of an earlier version, but follows",
            "window starts or audit rates are in the form of an earlier version, but follow",
        );
        let rules = counted(count, one, many);
        format!("{rules} entries of a later one: the rules of this version apply")
    })
}

fn unknown(present: &Present) -> Option<String> {
    let count = present.unknown;
    (count > 0).then(|| {
        let entries = counted(count, "ledger entry has", "ledger entries have");
        format!("{entries} a kind that this version does not know")
    })
}

fn elsewhere(count: usize, family: JudgementKind) -> Option<String> {
    let evaluations = family.evaluations();
    (count > 0).then(|| {
        let (one, many) = ("label is on a record", "labels are on records that are");
        let labels = counted(count, one, many);
        let not = if count == 1 { "that is none of the" } else { "not" };
        format!("{labels} {not} {evaluations} in these logs")
    })
}

/// Labels on rounds with which a run of a task went on.
fn on_rounds(all: &Evaluations, present: &Present) -> usize {
    let on_rounds = present.labels.iter().filter(|(record, _)| all.is_round(**record));
    on_rounds.map(|(_, given)| given.len()).sum()
}

fn rounds(count: usize) -> Option<String> {
    (count > 0).then(|| {
        format!(
            "{} on rounds that did not end their run, and not counted: label the last round instead",
            counted(count, "label is", "labels are")
        )
    })
}

fn undated(count: u64, family: JudgementKind) -> Option<String> {
    let evaluations = family.evaluations();
    (count > 0).then(|| format!("{count} {evaluations} have no usable time and are not counted"))
}

/// An accept of one judge is not the evidence that one of two is.
fn depths(basis: &Basis<'_>) -> Option<String> {
    let from = basis.rules.window_start?;
    let rows = basis.all.all().iter().zip(basis.all.depths());
    let mut counts = [(Depth::Quick, 0_u64), (Depth::Sequential, 0), (Depth::Panel, 0)];
    for (e, depth) in rows.filter(|(e, _)| e.at >= from) {
        let same = counts.iter_mut().filter(|(of, _)| Some(*of) == *depth);
        same.for_each(|(_, count)| *count += u64::from(e.times));
    }
    let seen: Vec<_> = counts.into_iter().filter(|(_, count)| *count > 0).collect();
    (seen.len() > 1).then(|| {
        let all = seen.iter().map(|(depth, count)| format!("{count} {}", depth.name()));
        format!(
            "the depth of runs changed in the window: {}; error rates are those of all together",
            all.collect::<Vec<_>>().join(", ")
        )
    })
}

/// Nobody knows what they would have come to.
fn unfinished(count: u64) -> Option<String> {
    (count > 0).then(|| {
        let runs = if count == 1 { "run of a task is" } else { "runs of tasks are" };
        format!("{count} {runs} unfinished, and no evidence: `foureyes records is:unfinished`")
    })
}

/// A file of answers is no judge.
fn scripted(count: u64) -> Option<String> {
    (count > 0).then(|| {
        let records = if count == 1 { "record is" } else { "records are" };
        format!("{count} {records} from a file of answers, not from a judge, and no evidence")
    })
}
