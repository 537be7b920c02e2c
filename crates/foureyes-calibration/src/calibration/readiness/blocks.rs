//! Rules other than KPIs that keep the answer from READY.

use super::{Fold, contradictions, day_text, double_labels, expiry, natural, together, unnamed};
use crate::calibration::WindowRules;
use crate::calibration::damage;
use crate::calibration::number_text::some;
use crate::calibration::{Block, Fingerprint};
use crate::domain::{JudgementKind, Timestamp};
use crate::engine::judged::JudgeSeen;
use crate::text::counted;

/// That the calibration window of a family was not started, and the command that starts one: as each
/// report and screen has it.
pub fn no_window(family: JudgementKind) -> String {
    let option = family.option();
    format!("no calibration window is running; start one: `foureyes gate window{option}`")
}

/// All that speaks against READY, waived or not.
pub(super) fn blocks(fold: &Fold<'_>) -> Vec<Block> {
    let input = fold.input;
    let mut found = Vec::new();
    if input.window_start.is_none() {
        found.push(("no_window", no_window(input.family)));
    }
    let late = input.labelled_before_window;
    if late > 0 {
        let (one, many) = (
            "record of the window already had a label",
            "records of the window already had labels",
        );
        let text = format!("{} when its start was chosen", counted(late, one, many));
        found.push(("window_after_labels", text));
    }
    let with_data = fold.days_with_data();
    if with_data < u64::from(input.policy.days) {
        let text = format!(
            "the window has {} with data; it needs {}",
            counted(with_data, "whole day", "whole days"),
            input.policy.days
        );
        found.push(("short_window", text));
    }
    let missing = fold.missing_days();
    if !missing.is_empty() {
        let text = format!(
            "no data for {}: {}",
            counted(missing.len() as u64, "day", "days"),
            some(&missing)
        );
        found.push(("missing_days", text));
    }
    if !input.missing_boxes.is_empty() {
        found.push(("missing_boxes", format!("no data from {}", some(input.missing_boxes))));
    }
    let stale = i64::from(input.policy.stale_after_hours) * 3600;
    if input.now.seconds_since(input.complete_until) > stale {
        found
            .push(("stale_data", format!("data are complete only until {}", input.complete_until)));
    } else if fold.silent_days().len() as i64 * 86_400 > stale {
        // Logs that are there and say nothing are no evidence on the judge of today.
        let last = day_text(input.end_day().saturating_sub(1));
        found.push(("stale_data", format!("the last evaluation was on {last}")));
    }
    found.extend(damage::incomplete(input).map(|text| ("incomplete_tail", text)));
    if input.rules != WindowRules::Earlier {
        found.extend(together::found(fold).map(|text| ("misses_cluster", text)));
    }
    found.extend(changes(fold).into_iter().map(|text| ("fingerprint", text)));
    found.extend(contradictions::blocks(fold));
    found.extend(expiry::contradicted(fold).map(|text| ("contradicted", text)));
    found.extend(double_labels::blocks(fold));
    found.extend(natural::blocks(fold));
    found.into_iter().map(|(id, text)| block(fold, id, text)).collect()
}

pub(super) fn block(fold: &Fold<'_>, id: &str, text: String) -> Block {
    let waiver = fold.input.policy.waiver(id, fold.input.now);
    let waived = waiver.map(|w| format!("{}: {} (until {})", w.name, w.reason, w.until));
    Block { id: id.to_owned(), text, waived }
}

/// Each judge of the window, with the day it was first seen, in that order.
pub(super) fn judges<'a>(fold: &Fold<'a>) -> Vec<(Timestamp, &'a Fingerprint)> {
    let of = |(index, at): (&u32, &Timestamp)| {
        Some((*at, fold.input.fingerprints.get(usize::try_from(*index).ok()?)?))
    };
    let mut judges: Vec<_> = fold.judges.iter().filter_map(of).collect();
    judges.sort();
    judges
}

/// The same for the document.
pub(super) fn seen(fold: &Fold<'_>) -> Vec<JudgeSeen> {
    let seen = |(from, judge): (Timestamp, &Fingerprint)| {
        let Fingerprint { model, served_model, prompt_sha, tier } = judge.clone();
        JudgeSeen { model, served_model, prompt_sha, tier, from }
    };
    judges(fold).into_iter().map(seen).collect()
}

/// Parts of a judge that had more than one value, a sentence a change. Each tier of a panel has its own.
fn changes(fold: &Fold<'_>) -> Vec<String> {
    let judges = judges(fold);
    let mut tiers: Vec<Option<&str>> = judges.iter().map(|(_, j)| j.tier.as_deref()).collect();
    tiers.sort_unstable();
    tiers.dedup();
    let of = |tier: &Option<&str>| {
        let same = judges.iter().filter(|(_, judge)| judge.tier.as_deref() == *tier);
        let mut texts = changes_in(*tier, &same.copied().collect::<Vec<_>>());
        if fold.input.has_new_rules() {
            texts.extend(unnamed::unnamed(fold, *tier));
        }
        texts
    };
    tiers.iter().flat_map(of).collect()
}

/// The same of the judges of a tier.
fn changes_in(tier: Option<&str>, judges: &[(Timestamp, &Fingerprint)]) -> Vec<String> {
    let whose = tier.map_or(String::new(), |tier| format!(" in tier {tier}"));
    let mut texts = Vec::new();
    for part in 0..Fingerprint::default().parts().len() {
        let mut seen: Vec<&str> = Vec::new();
        for (at, judge) in judges {
            let (name, Some(value)) = judge.parts()[part] else { continue };
            if let Some(before) = seen.last().filter(|_| !seen.contains(&value)) {
                let day = day_text(at.day());
                let due = match name {
                    "prompt" => "; verdicts are requested again, and a new window is needed",
                    _ => "",
                };
                texts.push(format!(
                    "another {name}{whose} since {day}: {value}, before that {before}{due}"
                ));
            }
            seen.push(value);
        }
    }
    texts
}
