//! Every text of a row, by the name of its field.
//!
//! Rows are taken apart field by field, so that a field added later cannot be left unmasked.

use foureyes_core::domain::{
    BoxReport, Caveat, CoverageRow, FamilyKpis, ForeignLog, Kpi, Record, RejectRow,
};
use foureyes_core::text::escape;
use foureyes_core::text::mask::mask;

/// A row whose texts may be hostile.
pub trait Texts: Clone {
    /// Shows each text, with the name of its field.
    fn each(&mut self, see: &mut dyn FnMut(&'static str, &mut String));
}

/// A row ready to be written.
#[derive(Debug)]
pub struct Ready<T> {
    /// The row, its secrets masked.
    pub row: T,
    /// How many were masked.
    pub masked: usize,
    /// Fields that hold hidden characters, each once.
    pub hidden: Vec<&'static str>,
}

/// Masks a copy of a row where texts are masked, and finds which of its fields hold hidden characters.
pub fn ready<T: Texts>(row: &T, is_masked: bool) -> Ready<T> {
    let mut ready = Ready { row: row.clone(), masked: 0, hidden: Vec::new() };
    let (masked, hidden) = (&mut ready.masked, &mut ready.hidden);
    ready.row.each(&mut |name, text| {
        *masked += if is_masked { mask_in(text) } else { 0 };
        if escape::has_hidden(text) && !hidden.contains(&name) {
            hidden.push(name);
        }
    });
    ready
}

/// Masks a copy of a row where texts are masked; tells how many secrets were masked.
pub fn masked<T: Texts>(row: &T, is_masked: bool) -> (T, usize) {
    let (mut row, mut count) = (row.clone(), 0);
    if is_masked {
        row.each(&mut |_, text| count += mask_in(text));
    }
    (row, count)
}

fn mask_in(text: &mut String) -> usize {
    let (shown, count) = mask(text);
    if count > 0 {
        *text = shown.into_owned();
    }
    count
}

impl Texts for Record {
    fn each(&mut self, see: &mut dyn FnMut(&'static str, &mut String)) {
        for field in Self::FIELDS {
            field.edit_texts(self, &mut |text| see(field.label, text));
        }
    }
}

impl Texts for RejectRow {
    fn each(&mut self, see: &mut dyn FnMut(&'static str, &mut String)) {
        let Self { box_name, file, line: _, byte: _, len: _, reason } = self;
        see("box", box_name);
        see("file", file);
        see("reason", reason);
    }
}

impl Texts for ForeignLog {
    fn each(&mut self, see: &mut dyn FnMut(&'static str, &mut String)) {
        let Self { box_name, file, foreign: _ } = self;
        see("box", box_name);
        see("file", file);
    }
}

impl Texts for BoxReport {
    fn each(&mut self, see: &mut dyn FnMut(&'static str, &mut String)) {
        let Self {
            name,
            state: _,
            data_age_s: _,
            complete: _,
            error,
            records: _,
            files: _,
            foreign: _,
            notices,
            listed: _,
        } = self;
        see("name", name);
        error.iter_mut().for_each(|e| see("error", e));
        notices.iter_mut().for_each(|n| see("notices", n));
    }
}

impl Texts for CoverageRow {
    fn each(&mut self, see: &mut dyn FnMut(&'static str, &mut String)) {
        let Self {
            box_name,
            day,
            missing,
            commits: _,
            judged: _,
            bypassed: _,
            history: _,
            scripted: _,
            empty: _,
        } = self;
        see("box", box_name);
        see("day", day);
        missing.iter_mut().for_each(|m| see("missing", m));
    }
}

impl Texts for Caveat {
    fn each(&mut self, see: &mut dyn FnMut(&'static str, &mut String)) {
        let Self { id, text } = self;
        see("id", id);
        see("text", text);
    }
}

impl Texts for FamilyKpis {
    fn each(&mut self, see: &mut dyn FnMut(&'static str, &mut String)) {
        let Self { family: _, kpis } = self;
        kpis.iter_mut().for_each(|kpi| kpi.each(see));
    }
}

impl Texts for Kpi {
    fn each(&mut self, see: &mut dyn FnMut(&'static str, &mut String)) {
        let Self {
            id: _,
            numerator: _,
            denominator: _,
            estimate: _,
            lower: _,
            upper: _,
            confidence: _,
            unit,
            threshold: _,
            threshold_upper: _,
            reason,
        } = self;
        see("unit", unit);
        reason.iter_mut().for_each(|r| see("reason", r));
    }
}
