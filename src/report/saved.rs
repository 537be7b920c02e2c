//! An entry of a ledger that was saved, as a document.

use crate::assess::first_label_without_window;
use crate::calibration::Waiver;
use crate::domain::review::{Act, Entry, Label, Present, Reviewer, WindowAddition};
use crate::domain::{JudgementKind, Timestamp};
use crate::instruments::INSTRUMENTS;
use crate::report::{PlainOrJson, counted};
use crate::store::ledger::Saved;
use crate::text::escape::line as visible;
use crate::text::short_hash;
use schemars::JsonSchema;
use serde::Serialize;
use std::io::{self, Write};

/// What was saved: the answer of `label`, `gate window` and `memories window`.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Document {
    /// `foureyes/saved/1`.
    schema: &'static str,
    /// Name of the entry in the ledger.
    entry: String,
    /// `label`, `labels`, `undo`, `redo`, `window`, `window_undo`, `window_addition`,
    /// `audit_rate`, `runbook_step`, `hook_mode` or `pick_window`.
    kind: String,
    /// When.
    time: String,
    /// By whom.
    reviewer: String,
    /// On which machine.
    machine: String,
    /// Name of the file in the directory of the ledgers.
    ledger: String,
    /// It stood there already; nothing was added.
    already: bool,
    /// What was saved, taken back or brought back, in words: `waiver of fingerprint until 2026-03-01`.
    what: String,
    /// The entry that was revoked or brought back.
    #[serde(skip_serializing_if = "Option::is_none")]
    of: Option<String>,
    /// Labels that were given, taken back or brought back.
    labels: Vec<LabelSaved>,
    /// The first instant of the time of calibration.
    #[serde(skip_serializing_if = "Option::is_none")]
    window: Option<String>,
    /// The rate of the audit sample.
    #[serde(skip_serializing_if = "Option::is_none")]
    rate: Option<RateSaved>,
    /// How far somebody is with a runbook.
    #[serde(skip_serializing_if = "Option::is_none")]
    step: Option<StepDone>,
    /// What a reader must know.
    caveats: Vec<Caveat>,
}

/// A step of a runbook that is done.
#[derive(Debug, Serialize, JsonSchema)]
struct StepDone {
    /// Which runbook.
    runbook: String,
    /// Which step; `null` where the runbook was begun anew.
    step: Option<String>,
    /// What the person added.
    note: Option<String>,
}

/// A rate of the audit sample, without its seed, which is secret.
#[derive(Debug, Serialize, JsonSchema)]
struct RateSaved {
    /// From when it is to hold.
    from: String,
    /// Which stratum; all where `null`.
    stratum: Option<String>,
    /// Probability to be drawn.
    rate: f64,
    /// A seed was set with it.
    seeded: bool,
}

/// A label in short.
#[derive(Debug, Serialize, JsonSchema)]
struct LabelSaved {
    /// The record's id.
    record: String,
    /// `acceptable`, `poor` or `unsure`.
    label: &'static str,
}

/// A doubt, with a stable name.
#[derive(Debug, Serialize, JsonSchema)]
struct Caveat {
    /// Stable name.
    id: &'static str,
    /// What a reader must know, in one sentence.
    text: String,
}

impl Document {
    /// An entry of one's own, as it was saved.
    pub fn new(by: &Reviewer, time: Timestamp, act: &Act, saved: &Saved) -> Self {
        let name = saved.path.file_name().unwrap_or_default();
        let window = match act {
            Act::Window(start) => Some(start.from.to_string()),
            _ => None,
        };
        let of = match act {
            Act::WindowUndo(of, _) => Some(of.to_string()),
            _ => None,
        };
        Self {
            schema: "foureyes/saved/1",
            entry: saved.entry.to_string(),
            kind: act.kind().to_owned(),
            time: time.to_string(),
            reviewer: by.name.clone(),
            machine: by.machine.clone(),
            ledger: name.to_string_lossy().into_owned(),
            already: saved.already,
            what: what(act),
            of,
            labels: labels(act),
            window,
            rate: rate(act),
            step: step(act),
            caveats: caveats(time, act, saved),
        }
    }

    /// The same of an undo or a redo, with what it is of.
    pub fn with(mut self, target: &Entry) -> Self {
        let of = target.id.to_string();
        self.labels = labels(&target.act);
        self.what = match self.labels.is_empty() {
            true => format!("entry {}, {}", short_hash(&of), what(&target.act)),
            false => what(&target.act),
        };
        self.of = Some(of);
        self
    }

    /// The same of a policy that differs from the one before it by a waiver.
    pub fn with_waiver(mut self, waiver: &Waiver) -> Self {
        self.what = format!("waiver of {} until {}", waiver.what, waiver.until);
        self
    }

    /// The same of labels, where no window runs in which they count; `present` is what the ledgers said
    /// before them.
    pub fn without_window(self, present: &Present, now: Timestamp) -> Self {
        match first_label_without_window(present, &self.reviewer, 0, now) {
            Some(text) => {
                let text = format!("{text} (docs/faq.md#no-calibration-window-is-running)");
                self.with_caveat("no_window", text)
            }
            None => self,
        }
    }

    /// The same with one more doubt.
    pub fn with_caveat(mut self, id: &'static str, text: String) -> Self {
        self.caveats.push(Caveat { id, text });
        self
    }

    fn write_caveats(&self, out: &mut dyn Write) -> io::Result<()> {
        for caveat in &self.caveats {
            writeln!(out, "note: {}", visible(&caveat.text))?;
        }
        Ok(())
    }
}

impl PlainOrJson for Document {
    fn write_plain(&self, out: &mut dyn Write) -> io::Result<()> {
        let verb = match (self.already, self.kind.as_str()) {
            (true, _) => "already saved",
            (_, "undo") => "taken back",
            (_, kind) if is_window_undo(kind) => "taken back",
            (_, "redo") => "brought back",
            _ => "saved",
        };
        let (what, reviewer) = (visible(&self.what), visible(&self.reviewer));
        // A list of several parts is set off from who wrote it.
        let comma = if self.labels.is_empty() && self.of.is_none() { "," } else { "" };
        let entry = short_hash(&self.entry);
        writeln!(out, "{verb}: {what}{comma} by {reviewer} (entry {entry})")?;
        self.write_caveats(out)
    }
}

/// Whether a kind of entries takes back the start of a window.
fn is_window_undo(kind: &str) -> bool {
    INSTRUMENTS.iter().any(|row| row.entries.window_undo == kind)
}

/// What an entry does, as the words after "saved".
fn what(act: &Act) -> String {
    let whose = |family: JudgementKind| family.suffix("of");
    match act {
        Act::Label(label) => labelled(label),
        Act::Labels { labels, .. } => match &labels[..] {
            [one] => labelled(one),
            many => counted(many.len() as u64, "label", "labels"),
        },
        Act::Override(one) => format!("override of {}: {}", one.record.short(), one.word.as_str()),
        Act::Undo(of) | Act::Redo(of) => format!("entry {}", short_hash(&of.to_string())),
        Act::WindowUndo(of, family) => {
            let of = of.to_string();
            format!("entry {}, start of the calibration{}", short_hash(&of), whose(*family))
        }
        Act::Window(start) => format!("calibration{} from {}", whose(start.family), start.from),
        Act::WindowAddition(added) => window_addition(added),
        Act::Policy(change) => format!("policy{} from {}", whose(change.family), change.from),
        Act::Rate(rate) => {
            let stratum = rate.stratum.as_deref().unwrap_or("all that passes");
            format!("audit {} of {stratum}{} from {}", rate.rate, whose(rate.family), rate.from)
        }
        Act::Step(step) => {
            let done = step.step.as_deref().map_or("begun".to_owned(), |s| format!("{s} done"));
            format!("{}: {done}", step.runbook)
        }
        Act::Mode(set) => format!("mode of {}: {}", set.box_name, set.mode),
        Act::Claim(_) => "claim of an escalation".to_owned(),
        Act::Release(_) => "end of a claim".to_owned(),
        Act::Assignment(_) => "assignment".to_owned(),
        Act::Relevance(_) => "labels of a pick".to_owned(),
        Act::PickWindow(window) => {
            format!("window of picks of memories ({})", super::picks::mode(window.lenient))
        }
        Act::Look(_) => "look at the labels".to_owned(),
        Act::Exposure(_) => "exposure to verdicts".to_owned(),
        Act::Run(_) => "start of a run".to_owned(),
        Act::Evaluation(_) => "evaluation of a run".to_owned(),
        Act::RunEnd(_) => "end of a run".to_owned(),
        Act::Other { kind, .. } => format!("entry of the unknown kind {kind}"),
    }
}

/// What is added to the window that runs.
fn window_addition(added: &WindowAddition) -> String {
    let whose = added.family.suffix("of");
    match added.draw {
        Some(_) => format!("draw of all that was judged before the calibration{whose}"),
        None => format!("calibration{whose} with {}", added.boxes.join(", ")),
    }
}

fn labelled(label: &Label) -> String {
    format!("{} {}", label.record.short(), label.label.as_str())
}

fn labels(act: &Act) -> Vec<LabelSaved> {
    let saved = |label: &Label| LabelSaved {
        record: label.record.to_string(),
        label: label.label.as_str(),
    };
    act.labels().iter().map(saved).collect()
}

fn rate(act: &Act) -> Option<RateSaved> {
    let Act::Rate(rate) = act else { return None };
    Some(RateSaved {
        from: rate.from.to_string(),
        stratum: rate.stratum.clone(),
        rate: rate.rate,
        seeded: rate.seed.is_some(),
    })
}

fn step(act: &Act) -> Option<StepDone> {
    let Act::Step(step) = act else { return None };
    Some(StepDone {
        runbook: step.runbook.clone(),
        step: step.step.clone(),
        note: step.note.clone(),
    })
}

fn caveats(time: Timestamp, act: &Act, saved: &Saved) -> Vec<Caveat> {
    let mut caveats = Vec::new();
    if saved.repaired {
        let text = "the ledger ended in half a line, left by a killed writer. It was completed; no acknowledged entry was lost";
        caveats.push(Caveat { id: "torn_line_ended", text: text.to_owned() });
    }
    if let Act::Labels { labels, import: Some(import) } = act {
        let count = counted(labels.len() as u64, "label", "labels");
        let text = format!(
            "{count} from {}: what it states of selection and pi counts where no audit rate draws",
            import.name
        );
        caveats.push(Caveat { id: "imported_labels", text });
    }
    if let Act::Rate(rate) = act
        && rate.from < time
    {
        let option = rate.family.option();
        let text = format!(
            "it reaches back only where no record that it would reach has a label: `foureyes gate \
             audit{option}` says from when it binds"
        );
        caveats.push(Caveat { id: "reaches_back", text });
    }
    caveats
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stored_schema_is_that_of_the_document() {
        let schema = schemars::schema_for!(Document);
        crate::asset_tests::assert_asset("saved.schema.json", &schema);
    }
}
