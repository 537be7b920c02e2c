//! What a reader must know of what the decision was given.

use super::{Ask, Basis, Evaluations};
use crate::domain::review::{Dated, EntryId, Moved, Present, WindowStart};
use crate::domain::{Caveat, Timestamp};

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
    add("windows", windows(present, ask.now));
    add("window_taken_back", window_back(present, ask.now));
    add("window_backdated", backdated(basis, present, ask.now));
    add("window_share", share(basis, present, ask.now));
    add("window_after_stated_labels", late_window(basis));
    add("window_order", order(basis));
    add("audit_rates", rates(basis));
    add("audit_reaches_back", chosen(basis));
    for why in &basis.rules.unusable {
        add("unusable_rule", Some(why.clone()));
    }
    for rule in &present.moved {
        add("rule_moved", Some(moved(rule)));
    }
    add("rules_taken_back", taken_back(present));
    add("broken_ledger", broken(present));
    add("ledger_gone", gone(present));
    add("unknown_entries", unknown(present));
    add("labels_elsewhere", elsewhere(basis.elsewhere));
    add("undated", undated(all.undated()));
    add("scripted", scripted(all.scripted()));
    caveats
}

fn policy_file(basis: &Basis<'_>, present: &Present) -> Option<String> {
    match &basis.rules.policy_file {
        Some(name) => Some(format!(
            "the policy is that of the file {name}, for this report alone; it is in no ledger"
        )),
        None if present.policies.is_empty() => {
            Some("no policy was set, so the one that comes with the program holds".to_owned())
        }
        None => None,
    }
}

/// Names the last of several and the one before it.
fn policies(basis: &Basis<'_>, present: &Present, ask: &Ask<'_>) -> Option<String> {
    let held: Vec<_> = present.policies.iter().filter(|p| p.what.from <= ask.now).collect();
    let [.., before, last] = held.as_slice() else { return None };
    basis.rules.policy_file.is_none().then(|| {
        format!(
            "the policy was set {} times: that which {} set on {} holds, the one before it was \
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
    let said = super::policy_in_force(present, ask.now).1.filter(|_| kept > start)?;
    Some(format!(
        "the policy that {} set on {} changes waivers alone, so what was judged before still counts",
        said.reviewer,
        said.time.day_text()
    ))
}

/// A later policy would be chosen by what the labels of the window show.
fn next_policy(basis: &Basis<'_>, present: &Present) -> Option<String> {
    let entry = basis.rules.policy_next?;
    let said = present.policies.iter().find(|said| said.entry == entry)?;
    Some(format!(
        "the policy that {} set on {} changes more than waivers: it holds from the next window on, and \
         only its waivers hold in this one",
        said.reviewer,
        said.time.day_text()
    ))
}

/// Says that none is running, though one was.
fn window_back(present: &Present, now: Timestamp) -> Option<String> {
    let all = super::window::windows(present, now);
    let (start, back) = all.last().and_then(|last| Some((last.start, last.back?)))?;
    Some(format!(
        "{} took back on {} the window start at {} of {}: no window is running, and the one before it \
         stays ended",
        back.reviewer,
        back.time.day_text(),
        start.what.from.day_text(),
        start.reviewer
    ))
}

/// A first day that lies before the entry that names it.
fn backdated(basis: &Basis<'_>, present: &Present, now: Timestamp) -> Option<String> {
    let window = super::window_in_force(present, now)?;
    let (from, said) = (window.what.from, window.time);
    if said.day() <= from.day() || present.known.is_of_switch(window.entry) {
        return None;
    }
    let counts = match (window.what.is_old(), basis.rules.counted_from) {
        (true, _) => "an earlier version did that, so what was judged before it counts",
        (false, Some(_)) => {
            "what was judged before it counts in the error rates alone, since all of it is audited"
        }
        (false, None) => "what was judged before it counts in no KPI",
    };
    Some(format!(
        "the window was started at {said} with {} as its first day: {counts}",
        from.day_text()
    ))
}

/// A window of an earlier version had the whole allowed error, whichever it was.
fn share(basis: &Basis<'_>, present: &Present, now: Timestamp) -> Option<String> {
    let window = super::window_in_force(present, now).filter(|window| window.what.is_old())?;
    let number = basis.allowance.window;
    (number > 1).then(|| {
        format!(
            "the window of {} is number {number} of its judge and was started by an earlier version: \
             it has the whole allowed error, which the windows of a judge share now",
            window.what.from.day_text()
        )
    })
}

/// Neither of two ledgers knew the other's entry.
fn order(basis: &Basis<'_>) -> Option<String> {
    let count = basis.late.by_clock;
    (count > 0).then(|| {
        format!(
            "that the start of the window was chosen before the labels of {count} of its records rests \
             on clocks alone: they are in ledgers that did not know the start"
        )
    })
}

/// Names the one that counts, and the one before it.
fn windows(present: &Present, now: Timestamp) -> Option<String> {
    let held = super::window::held(present, now).filter(|held| held.said > 1)?;
    let of = |w: &Dated<WindowStart>| (w.what.from.day_text(), w.reviewer.clone());
    let (start, reviewer) = of(held.window);
    let before = held.before.map(of).map_or(String::new(), |(start, reviewer)| {
        format!(", the one before it was at {start}, said by {reviewer}")
    });
    let times = held.said;
    Some(format!(
        "the window was started {times} times: the start at {start} said by {reviewer} holds{before}"
    ))
}

/// What labels state of themselves cannot be proven, nor is it passed over.
fn late_window(basis: &Basis<'_>) -> Option<String> {
    let count = basis.late.stated;
    (count > 0).then(|| {
        format!(
            "labels of {count} records of the window state that they were given before its start \
             was chosen"
        )
    })
}

fn rates(basis: &Basis<'_>) -> Option<String> {
    let rates = &basis.rules.rates;
    let said = |r: &super::RateSaid| {
        let stratum = r.stratum.as_deref().unwrap_or("all that passes");
        format!("{} of {stratum} from {} on", r.rate, r.from.day_text())
    };
    let shown: Vec<String> = rates.iter().map(said).collect();
    (rates.len() > 1)
        .then(|| format!("the audit rate was set {} times: {}", rates.len(), shown.join("; ")))
}

/// A sample of records that whoever set its rate could look at first.
fn chosen(basis: &Basis<'_>) -> Option<String> {
    let chosen: Vec<_> = basis.rules.rates.iter().filter(|rate| rate.chosen).collect();
    let first = chosen.first()?;
    Some(format!(
        "an audit rate of {} from {} on was set after those records were here, by {} in an earlier \
         version: their sample could have been chosen",
        first.rate,
        first.from.day_text(),
        first.reviewer
    ))
}

/// Nothing tells which of two clocks was wrong, so a person must.
fn moved(rule: &Moved) -> String {
    let short = |id: EntryId| id.to_string().chars().take(12).collect::<String>();
    format!(
        "what {} said at {} (entry {}) counts as said at {}, the time of entry {} before it in that \
         ledger: the clock was ahead there, or was set back since",
        rule.reviewer,
        rule.said,
        short(rule.rule),
        rule.counts_at,
        short(rule.by)
    )
}

fn taken_back(present: &Present) -> Option<String> {
    let count = present.known.refused();
    (count > 0).then(|| {
        format!(
            "`label --undo` takes back {count} window starts, policies or audit rates in ledgers: these \
             hold all the same, until another is said"
        )
    })
}

fn broken(present: &Present) -> Option<String> {
    let count = present.distrusted;
    (count > 0).then(|| {
        format!(
            "{count} words of reviewers do not count, since their ledger is not as it was written"
        )
    })
}

fn gone(present: &Present) -> Option<String> {
    let count = present.known.gone();
    (count > 0).then(|| {
        format!(
            "{count} ledgers ended later than they do here, or are not here at all: entries name what \
             came before them, and that is gone"
        )
    })
}

fn unknown(present: &Present) -> Option<String> {
    let count = present.unknown;
    (count > 0)
        .then(|| format!("{count} entries of the ledgers are of a kind this version does not know"))
}

fn elsewhere(count: usize) -> Option<String> {
    (count > 0)
        .then(|| format!("{count} labels are on records that are no push evaluation of these logs"))
}

fn undated(count: u64) -> Option<String> {
    (count > 0).then(|| format!("{count} push evaluations carry no usable time and count nowhere"))
}

/// A file of answers is no judge.
fn scripted(count: u64) -> Option<String> {
    (count > 0).then(|| {
        let records = if count == 1 { "record is" } else { "records are" };
        format!("{count} {records} of a file of answers, not of a judge, and no evidence")
    })
}
