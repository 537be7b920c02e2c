//! Every text of a row, by the name of its field.
//!
//! Rows are taken apart field by field, so that a field added later cannot be left unmasked.

use crate::domain::{
    BoxReport, Caveat, CoverageRow, Improvement, Kpi, Origin, RecordRow, RejectRow,
};
use crate::report::Masking;
use crate::report::mask::mask_in;
use crate::text::escape;
use serde_json::Value;

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

/// Masks a copy of a row, and finds which of its fields hold hidden characters.
pub fn ready<T: Texts>(row: &T, masking: Masking) -> Ready<T> {
    let mut ready = Ready { row: row.clone(), masked: 0, hidden: Vec::new() };
    let (masked, hidden) = (&mut ready.masked, &mut ready.hidden);
    ready.row.each(&mut |name, text| {
        *masked += mask_in(text, masking);
        if escape::has_hidden(text) && !hidden.contains(&name) {
            hidden.push(name);
        }
    });
    ready
}

/// Masks a copy of a row; tells how many secrets were masked.
pub(super) fn masked<T: Texts>(row: &T, masking: Masking) -> (T, usize) {
    let (mut row, mut count) = (row.clone(), 0);
    if masking == Masking::On {
        row.each(&mut |_, text| count += mask_in(text, masking));
    }
    (row, count)
}

impl Texts for RecordRow {
    fn each(&mut self, see: &mut dyn FnMut(&'static str, &mut String)) {
        let Self {
            id: _,
            box_name,
            timestamp: _,
            timestamp_text,
            family: _,
            outcome: _,
            verdict,
            commit,
            part_of,
            task_id,
            author,
            model,
            served_model,
            files,
            scores: _,
            scores_out_of_range: _,
            average: _,
            findings,
            improvements,
            cause: _,
            error,
            latency_ms: _,
            mode,
            judge_tier,
            round: _,
            consensus,
            prompt_sha,
            content_sha,
            inconsistent: _,
            usage: _,
            reviewer,
            reason,
            answers,
            extra,
            origins,
        } = self;
        see("box", box_name);
        let named = [
            ("time", timestamp_text),
            ("verdict", verdict),
            ("commit", commit),
            ("judged for", part_of),
            ("task", task_id),
            ("author", author),
            ("model", model),
            ("served model", served_model),
            ("findings", findings),
            ("error", error),
            ("mode", mode),
            ("tier", judge_tier),
            ("consensus", consensus),
            ("prompt", prompt_sha),
            ("content", content_sha),
            ("reviewer", reviewer),
            ("reason", reason),
            ("answers", answers),
        ];
        for (name, text) in named {
            text.iter_mut().for_each(|t| see(name, t));
        }
        files.iter_mut().for_each(|f| see("files", f));
        improvements.iter_mut().for_each(|i| each_of_improvement(i, see));
        origins.iter_mut().for_each(|o| each_of_origin(o, see));
        each_of_extra(extra, see);
    }
}

fn each_of_improvement(
    improvement: &mut Improvement,
    see: &mut dyn FnMut(&'static str, &mut String),
) {
    let Improvement { dimension, location, issue, suggestion } = improvement;
    for text in [dimension, location, issue, suggestion].into_iter().flatten() {
        see("suggestions", text);
    }
}

fn each_of_origin(origin: &mut Origin, see: &mut dyn FnMut(&'static str, &mut String)) {
    let Origin { box_name, file, line: _, byte: _, len: _ } = origin;
    see("origin", box_name);
    see("origin", file);
}

/// Names of unknown fields are texts as well, so the map is built anew.
fn each_of_extra(
    extra: &mut serde_json::Map<String, Value>,
    see: &mut dyn FnMut(&'static str, &mut String),
) {
    let old = std::mem::take(extra);
    for (mut name, mut value) in old {
        see("other fields", &mut name);
        each_of_value(&mut value, see);
        // Two names that are masked alike must not become one field.
        while extra.contains_key(&name) {
            name.push('\'');
        }
        extra.insert(name, value);
    }
}

fn each_of_value(value: &mut Value, see: &mut dyn FnMut(&'static str, &mut String)) {
    match value {
        Value::String(text) => see("other fields", text),
        Value::Array(items) => items.iter_mut().for_each(|v| each_of_value(v, see)),
        Value::Object(fields) => each_of_extra(fields, see),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
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
            notices,
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
