//! What a reader must know of what the decision was given.

use super::{Ask, Evaluations, Ground};
use crate::domain::review::{Dated, EntryId, Moved, Present, WindowStart};
use crate::domain::{Caveat, Timestamp};

/// Doubts about labels and rules; those about the numbers come from the gate.
pub(super) fn doubts(
    ground: &Ground<'_>,
    all: &Evaluations,
    present: &Present,
    ask: &Ask<'_>,
) -> Vec<Caveat> {
    let mut caveats = Vec::new();
    let mut add = |id: &str, text: Option<String>| {
        caveats.extend(text.map(|text| Caveat { id: id.to_owned(), text }));
    };
    add("policy_file", policy_file(ground, present));
    add("policies", policies(ground, present, ask));
    add("waivers_later", waivers(ground, present, ask));
    add("windows", windows(present, ask.now));
    add("window_after_stated_labels", late_window(ground));
    add("audit_rates", rates(ground));
    add("audit_reaches_back", chosen(ground));
    for why in &ground.rules.unusable {
        add("unusable_rule", Some(why.clone()));
    }
    for rule in &present.moved {
        add("rule_moved", Some(moved(rule)));
    }
    add("rules_taken_back", taken_back(present));
    add("broken_ledger", broken(present));
    add("unknown_entries", unknown(present));
    add("labels_elsewhere", elsewhere(ground.elsewhere));
    add("undated", undated(all.undated()));
    caveats
}

fn policy_file(ground: &Ground<'_>, present: &Present) -> Option<String> {
    match &ground.rules.policy_file {
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
fn policies(ground: &Ground<'_>, present: &Present, ask: &Ask<'_>) -> Option<String> {
    let held: Vec<_> = present.policies.iter().filter(|p| p.what.from <= ask.now).collect();
    let [.., before, last] = held.as_slice() else { return None };
    ground.rules.policy_file.is_none().then(|| {
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
fn waivers(ground: &Ground<'_>, present: &Present, ask: &Ask<'_>) -> Option<String> {
    let (kept, start) = (ground.rules.policy_kept?, ground.rules.window_start?);
    let said = super::policy_in_force(present, ask.now).1.filter(|_| kept > start)?;
    Some(format!(
        "the policy that {} set on {} changes waivers alone, so what was judged before still counts",
        said.reviewer,
        said.time.day_text()
    ))
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
fn late_window(ground: &Ground<'_>) -> Option<String> {
    let count = ground.late.stated;
    (count > 0).then(|| {
        format!(
            "labels of {count} records of the window state that they were given before its start \
             was chosen"
        )
    })
}

fn rates(ground: &Ground<'_>) -> Option<String> {
    let rates = &ground.rules.rates;
    let said = |r: &super::RateSaid| {
        let stratum = r.stratum.as_deref().unwrap_or("all that passes");
        format!("{} of {stratum} from {} on", r.rate, r.from.day_text())
    };
    let shown: Vec<String> = rates.iter().map(said).collect();
    (rates.len() > 1)
        .then(|| format!("the audit rate was set {} times: {}", rates.len(), shown.join("; ")))
}

/// A sample of records that whoever set its rate could look at first.
fn chosen(ground: &Ground<'_>) -> Option<String> {
    let chosen: Vec<_> = ground.rules.rates.iter().filter(|rate| rate.chosen).collect();
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
            "ledgers take back {count} window starts, policies or audit rates: these hold all the \
             same, until another is said"
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
