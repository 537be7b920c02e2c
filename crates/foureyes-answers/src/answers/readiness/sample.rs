//! The audit sample: which rates hold, and what of its days waits for a label.

use foureyes_app::assess::RateSaid;
use foureyes_calibration::calibration::{DayState, Readiness};
use foureyes_page::page::{Block, Forms, Place, Role, Row, Text, Untrusted, counted, day, number};
use foureyes_page::text;

/// What is known of the sample.
#[derive(Debug)]
pub struct Sample<'a> {
    /// The rates that hold.
    pub rates: &'a [RateSaid],
    /// Entries that are not in force, a sentence each.
    pub unusable: &'a [String],
}

/// The rates that hold, which entries are not in force, and what is missing.
pub(super) fn block(r: &Readiness, sample: &Sample<'_>) -> Block {
    const NONE: &str = "No audit rate is set, so the share of poor content that passes is unknown.";
    let summary = sample.rates.last().map_or(NONE.into(), describe);
    let mut block = Block::new("sample", "Audit sample").note("of what passes").folded(summary);
    if sample.rates.is_empty() {
        block.add(Row::new(Role::Warning, NONE).focus("none"));
    }
    for (at, rate) in sample.rates.iter().enumerate() {
        block.add(Row::new(Role::Text, describe(rate)).focus(format!("rate {at}")));
    }
    for (at, why) in sample.unusable.iter().enumerate() {
        block.add(Row::new(Role::Warning, Untrusted(why)).focus(format!("unusable {at}")));
    }
    let open = r.days.iter().filter(|day| day.state == DayState::Open);
    let missing: u64 =
        open.map(|d| (d.no_go - d.no_go_labelled) + (d.audit - d.audit_labelled)).sum();
    let text = match missing {
        0 => "no full day needs labels".into(),
        n => text!("{} for a label", counted(n, "record waits", "records wait")),
    };
    block.add(Row::new(Role::Dim, text).focus("missing"));
    block.at(Place::Below).only(Forms::Console)
}

/// `30 % of everything that passes, since 2026-02-01 (set by anna)`.
fn describe(rate: &RateSaid) -> Text {
    let stratum = match &rate.stratum {
        Some(stratum) => Untrusted(stratum).into(),
        None => Text::from("everything that passes"),
    };
    text!(
        "{} of {}, since {} (set by {})",
        number::percent(rate.rate),
        stratum,
        day(rate.from),
        Untrusted(&rate.reviewer)
    )
}
