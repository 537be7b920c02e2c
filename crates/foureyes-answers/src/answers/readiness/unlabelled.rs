//! What to do where nobody has labelled anything that counts yet.

use foureyes_calibration::calibration::{Readiness, no_window};
use foureyes_page::page::{Block, Forms, Role, Row, Text, Untrusted};
use foureyes_page::text;

/// The keys of a console that open the records to label, and label one; as they are shown.
#[derive(Debug)]
pub struct LabelKeys {
    /// Opens the queue.
    pub queue: String,
    /// Labels a record acceptable.
    pub acceptable: String,
    /// Labels a record poor.
    pub poor: String,
    /// Labels a record unsure.
    pub unsure: String,
}

/// That there are no labels, or no window, and what makes some; `None` where both are there.
pub fn unlabelled(r: &Readiness, keys: Option<&LabelKeys>) -> Option<Block> {
    let mut rows: Vec<(Role, Text)> = Vec::new();
    let is_begun = r.window.from.is_some();
    if !is_begun {
        let text = no_window(r.family);
        let start: String = text.chars().take(1).flat_map(char::to_uppercase).collect();
        let rest = text.chars().skip(1).collect::<String>();
        rows.push((Role::Warning, Untrusted(&(start + &rest)).into()));
    }
    let rates = r.kpis.iter().chain(&r.beside);
    let strata = rates.map(|kpi| &kpi.strata).max_by_key(|strata| strata.len());
    let labelled: u64 = strata.into_iter().flatten().map(|stratum| stratum.labelled).sum();
    let has_labels = r.agreement.judge.as_ref().is_some_and(|pair| pair.items > 0);
    // Of labels without a window its start says what they count for.
    if labelled == 0 && (is_begun || !has_labels) {
        let none = match has_labels {
            true => "No closed day of the window has labels yet.",
            false => "No labels yet.",
        };
        rows.push((Role::Title, none.into()));
        rows.extend(keys.map(|keys| (Role::Text, hint(keys))));
        let text = "`foureyes label ID acceptable|poor|unsure` labels a record.";
        rows.push((Role::Text, text.into()));
    }
    let mut block = Block::untitled("first").only(Forms::Console);
    for (at, (role, text)) in rows.into_iter().enumerate() {
        block.add(Row::new(role, text).focus(at.to_string()));
    }
    (!block.items.is_empty()).then_some(block)
}

fn hint(keys: &LabelKeys) -> Text {
    text!(
        "{} opens the records to label: {} acceptable, {} poor, {} unsure.",
        Untrusted(&keys.queue),
        Untrusted(&keys.acceptable),
        Untrusted(&keys.poor),
        Untrusted(&keys.unsure)
    )
}
