//! Overrides and their delivery, as a document.

use crate::domain::Timestamp;
use crate::engine::task_question::{KnownQuestion, MaskedQuestion};
use crate::overrides::{Decisions, Delivery, Sent};
use crate::report::{Masking, PlainOrJson, claims, counted, mask};
use crate::source::append::Synced;
use crate::text::escape::line as visible;
use crate::text::short_hash;
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::HashMap;
use std::io::{self, Write};

/// How overrides stand: the answer of `override`, its `undo`, `redo`, `retry` and `status`; in
/// the answer of `show` those of the record.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Document {
    /// `foureyes/override/1`.
    schema: &'static str,
    /// How many of them no box was heard to hold, and are tried again.
    unconfirmed: u64,
    /// The overrides, the earliest first.
    overrides: Vec<One>,
    /// Records that were to be overridden by this command and are not.
    refused: Vec<OneRefused>,
}

/// A record that was to be overridden and is not.
#[derive(Debug, Serialize, JsonSchema)]
struct OneRefused {
    /// The record's id.
    record: String,
    /// Why.
    error: String,
}

/// How an override stands.
#[derive(Debug, Serialize, JsonSchema)]
struct One {
    /// Name of its entry in the ledger, and `id` of its record on the box.
    id: String,
    /// The record's id.
    record: String,
    /// `accept` or `reject`.
    #[serde(rename = "override")]
    word: &'static str,
    /// Who says so.
    reviewer: String,
    /// Why.
    reason: String,
    /// When.
    time: String,
    /// It counts: nobody took it back, and its ledger is believed.
    counts: bool,
    /// `confirmed` (read back from the box), `unconfirmed` (tried again), `superseded` (no box was
    /// heard to hold it, and its reviewer decided again), `taken_back` (before any box was heard to
    /// hold it), `undone` (revoked, confirmed by the box), `undo_unconfirmed` (taken back; the
    /// box is told again), `elsewhere` (decided on another machine).
    state: &'static str,
    /// Which box; `null` of one that was decided elsewhere.
    #[serde(rename = "box")]
    box_name: Option<String>,
    /// Which file there.
    path: Option<String>,
    /// When the box was heard to hold it, or that it is taken back.
    confirmed: Option<String>,
    /// Tries after which nobody knew.
    tries: u32,
    /// Why, the last time.
    error: Option<String>,
    /// The same decision was there already; nothing was added to the ledger.
    already: bool,
    /// What was noticed at the box, this time.
    notices: Vec<String>,
}

/// The overrides and claims of a record, beside its own fields.
#[derive(Debug, Serialize)]
pub struct Beside {
    overrides: Vec<One>,
    #[serde(flatten)]
    claims: claims::Beside,
    #[serde(skip_serializing_if = "Option::is_none")]
    question: Option<Question>,
}

/// What is known of the question of a task.
#[derive(Debug, Serialize)]
struct Question {
    /// Whether it was kept.
    kept: bool,
    /// What was to be done, masked.
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<String>,
    /// What the result had to meet, masked, where that was given.
    #[serde(skip_serializing_if = "Option::is_none")]
    acceptance: Option<String>,
    /// Secrets that are masked in both.
    masked: usize,
    /// Why it is not there.
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<String>,
}

impl From<&KnownQuestion> for Question {
    fn from(known: &KnownQuestion) -> Self {
        let held = known.kept().cloned();
        let (kept, MaskedQuestion { question, masked }) =
            (held.is_some(), held.unwrap_or_default());
        Self {
            kept,
            description: kept.then_some(question.description),
            acceptance: question.acceptance,
            masked,
            why: known.absence(),
        }
    }
}

impl Document {
    /// How these stand, with what was noticed when they were sent.
    pub fn new(deliveries: Vec<Delivery>, sent: &[Sent]) -> Self {
        let unconfirmed = deliveries.iter().filter(|s| s.state.is_waiting()).count();
        let noticed = |s: &Delivery| {
            let of = |one: &&Sent| one.id == s.id || Some(one.id) == s.back;
            sent.iter().filter(of).flat_map(notices).collect()
        };
        let overrides = deliveries.into_iter().map(|s| one(noticed(&s), s)).collect();
        let (schema, unconfirmed) = ("foureyes/override/1", unconfirmed as u64);
        Self { schema, unconfirmed, overrides, refused: Vec::new() }
    }

    /// The same with which of them were there already, and what was refused.
    pub fn with(mut self, decisions: &Decisions) -> Self {
        let refused = decisions.refused.iter();
        let refused =
            refused.map(|one| OneRefused { record: one.record.to_string(), error: one.reason() });
        self.refused = refused.collect();
        let decided: HashMap<String, _> =
            decisions.kept.iter().map(|one| (one.id.to_string(), one)).collect();
        for one in &mut self.overrides {
            let decided = decided.get(&one.id);
            one.already = decided.is_some_and(|decided| decided.already);
            if decided.and_then(|d| d.saved.as_ref()).is_some_and(|saved| saved.repaired) {
                one.notices.push("the ledger ended in half a line, left by a killed writer. It was completed; no acknowledged entry was lost".to_owned());
            }
        }
        self
    }

    /// How many of them wait for a box to confirm them.
    pub fn unconfirmed(&self) -> u64 {
        self.unconfirmed
    }

    /// Of several, those that are not done once more at the end, where nothing scrolls them away.
    fn write_failures(&self, out: &mut dyn Write) -> io::Result<()> {
        let waits: Vec<&One> = self.overrides.iter().filter(|one| one.waits()).collect();
        if self.overrides.len() > 1 && !waits.is_empty() {
            writeln!(out, "{} of {} UNCONFIRMED:", waits.len(), self.overrides.len())?;
        }
        for one in waits.iter().filter(|_| self.overrides.len() > 1) {
            let error = one.error.as_deref().unwrap_or("its box was not contacted yet");
            writeln!(out, "  {}: {}", short_hash(&one.record), visible(error))?;
        }
        if !self.refused.is_empty() {
            let all = self.overrides.len() + self.refused.len();
            writeln!(out, "{} of {all} NOT SAVED:", self.refused.len())?;
        }
        self.refused.iter().try_for_each(|one| {
            writeln!(out, "  {}: {}", short_hash(&one.record), visible(&one.error))
        })
    }
}

impl PlainOrJson for Document {
    fn write_plain(&self, out: &mut dyn Write) -> io::Result<()> {
        if self.overrides.is_empty() && self.refused.is_empty() {
            return writeln!(out, "there are no overrides");
        }
        self.overrides.iter().try_for_each(|one| one.write(out))?;
        self.write_failures(out)
    }
}

impl Document {
    /// What stands beside the fields of the record that it is of, with its claims and its question.
    pub fn extra_fields(
        mut self,
        claims: claims::Beside,
        question: Option<&KnownQuestion>,
        masking: Masking,
    ) -> Beside {
        if masking == Masking::On {
            for one in &mut self.overrides {
                one.reason = mask::mask(&one.reason).0.into_owned();
            }
        }
        Beside { overrides: self.overrides, claims, question: question.map(Question::from) }
    }

    /// Writes it below the record that it is of.
    pub fn write_below(&self, out: &mut dyn Write, masking: Masking) -> io::Result<()> {
        for one in &self.overrides {
            let (word, reviewer) = (one.word, visible(&one.reviewer));
            writeln!(
                out,
                "     override: {word} by {reviewer}, {}: {}",
                one.time,
                one.delivery_text()
            )?;
            let reason = match masking {
                Masking::On => mask::mask(&one.reason).0,
                Masking::Off => (&*one.reason).into(),
            };
            writeln!(out, "       {}", visible(&reason))?;
        }
        Ok(())
    }
}

impl One {
    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let (record, id) = (short_hash(&self.record), short_hash(&self.id));
        let reviewer = visible(&self.reviewer);
        let already = if self.already { "already decided: " } else { "" };
        writeln!(
            out,
            "{already}{record} {} by {reviewer} (entry {id}): {}",
            self.word,
            self.delivery_text()
        )?;
        writeln!(out, "  {}", visible(&self.reason))?;
        if let Some(error) = self.error.as_ref().filter(|_| self.waits()) {
            let tries = counted(u64::from(self.tries), "try", "tries");
            writeln!(out, "  after {tries}: {}", visible(error))?;
        }
        self.notices.iter().try_for_each(|notice| writeln!(out, "  note: {}", visible(notice)))
    }

    /// Tells whether its box is asked again.
    fn waits(&self) -> bool {
        ["unconfirmed", "undo_unconfirmed"].contains(&self.state)
    }

    fn delivery_text(&self) -> String {
        let place = match (&self.box_name, &self.path) {
            (Some(name), Some(path)) => format!("{} {}", visible(name), visible(path)),
            _ => String::new(),
        };
        let back = if self.counts { "" } else { ", and does not count any more" };
        match self.state {
            "confirmed" => format!("confirmed, in {place}{back}"),
            "unconfirmed" => format!("UNCONFIRMED, for {place}"),
            "superseded" => format!("superseded before {place} confirmed it"),
            "undone" => format!("revoked, confirmed by {place}"),
            "undo_unconfirmed" => format!("revoked; UNCONFIRMED by {place}"),
            "taken_back" => format!("revoked before {place} confirmed it"),
            _ => format!("decided elsewhere{back}"),
        }
    }
}

fn one(notices: Vec<String>, s: Delivery) -> One {
    One {
        id: s.id.to_string(),
        record: s.record.to_string(),
        word: s.word.as_str(),
        reviewer: s.reviewer,
        reason: s.reason,
        time: s.time.to_string(),
        counts: s.counts,
        state: s.state.as_str(),
        box_name: s.box_name,
        path: s.path,
        confirmed: s.confirmed.map(|time: Timestamp| time.to_string()),
        tries: s.tries,
        error: s.error,
        already: false,
        notices,
    }
}

/// What a reader must know of how a box took it.
fn notices(sent: &Sent) -> Vec<String> {
    let Ok(appended) = &sent.outcome else { return Vec::new() };
    let mut notices = Vec::new();
    let mut add = |text: &str| notices.push(text.to_owned());
    if appended.already {
        add("it was already there: nothing was added");
    }
    if appended.repaired {
        add("the file's last line had no line end; one was added");
    }
    match appended.synced {
        Synced::File => {}
        Synced::All => add("the box cannot sync one file; it synced all"),
        Synced::No => add("the box does not confirm that it is on disk"),
    }
    if appended.others > 0 {
        let lines = counted(appended.others, "other line", "other lines");
        add(&format!("{lines} of the file have its id: the file was edited"));
    }
    notices
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stored_schema_is_that_of_the_document() {
        let schema = schemars::schema_for!(Document);
        crate::asset_tests::assert_asset("override.schema.json", &schema);
    }
}
