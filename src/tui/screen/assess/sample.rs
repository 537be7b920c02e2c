//! The audit sample: which rates hold, and what of its days waits for a label.

use crate::assess::RateSaid;
use crate::calibration::{DayState, Readiness};
use crate::report::{counted, number};
use crate::tui::model::AssessmentDetails;
use crate::tui::page::row::{Block, Row};
use crate::tui::page::sanitize;
use crate::tui::theme::{Glyphs, Role};

const NAME: &str = "sample";

/// The rates that hold, which entries are not in force, and what is missing.
pub(super) fn block(
    r: &Readiness,
    parts: &AssessmentDetails,
    width: usize,
    glyphs: &'static Glyphs,
) -> Block {
    let mut block = Block::new(width, glyphs, "Audit sample", "of what passes");
    if parts.sample.is_empty() {
        let text = "No audit rate is set, so the share of poor content that passes is unknown.";
        block.text(Row::stop(NAME, "none"), Role::Warning, text);
    }
    for (at, rate) in parts.sample.iter().enumerate() {
        block.text(Row::stop(NAME, format!("rate {at}")), Role::Text, &describe(rate));
    }
    for (at, why) in parts.unusable.iter().enumerate() {
        let row = Row::stop(NAME, format!("unusable {at}"));
        block.text(row, Role::Warning, &sanitize(why));
    }
    let open = r.days.iter().filter(|day| day.state == DayState::Open);
    let missing: u64 =
        open.map(|d| (d.no_go - d.no_go_labelled) + (d.audit - d.audit_labelled)).sum();
    let text = match missing {
        0 => "no full day needs labels".to_owned(),
        n => format!("{} for a label", counted(n, "record waits", "records wait")),
    };
    block.text(Row::stop(NAME, "missing"), Role::Dim, &text);
    block
}

/// `30 % of everything that passes, since 2026-02-01 (set by anna)`.
fn describe(rate: &RateSaid) -> String {
    let of = rate.stratum.as_deref().unwrap_or("everything that passes");
    format!(
        "{} of {}, since {} (set by {})",
        number::percent(rate.rate),
        sanitize(of),
        rate.from.day_text(),
        sanitize(&rate.reviewer)
    )
}
