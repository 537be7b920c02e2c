//! The report: the answer, and what it takes to compute it again.

use super::absent::Gone;
use super::{Ask, Assessment};
use crate::calibration::{Inputs, Policy, Readiness, Release, Step};
use crate::domain::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What `foureyes readiness` prints, and `foureyes readiness verify` reads.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Report {
    /// The answer.
    #[serde(flatten)]
    pub readiness: Readiness,
    /// The rules that were used.
    pub policy: Policy,
    /// The file they came from, where they are not those of the ledger.
    pub policy_file: Option<String>,
    /// Until when the data of every source were known to be complete.
    #[schemars(with = "String")]
    pub complete_until: Timestamp,
    /// Sources whose logs were read, by name; empty in a report that does not name them. Text in it is
    /// from the configuration: escape it before it is shown.
    #[serde(default)]
    pub boxes: Vec<String>,
    /// Sources without any data.
    pub missing_boxes: Vec<String>,
    /// Labels on push evaluations of these logs.
    pub labels: u64,
    /// Hashes of the inputs one by one; `evidence` is that of all.
    pub inputs: Inputs,
}

impl Report {
    /// The report of an assessment.
    pub fn new(assessment: Assessment, inputs: Inputs, ask: &Ask<'_>) -> Self {
        Self {
            readiness: assessment.readiness,
            policy: assessment.policy,
            policy_file: assessment.rules.policy_file,
            complete_until: ask.complete_until,
            boxes: Vec::new(),
            missing_boxes: ask.missing_boxes.to_vec(),
            labels: assessment.labels as u64,
            inputs,
        }
    }

    /// What to ask, to compute it again.
    pub fn ask<'a>(&'a self, cancel: &'a (dyn Fn() -> bool + Sync)) -> Ask<'a> {
        Ask {
            family: self.readiness.family,
            now: self.readiness.generated,
            policy: self.policy_file.as_deref().map(|name| (name, &self.policy)),
            complete_until: self.complete_until,
            missing_boxes: &self.missing_boxes,
            known_boxes: &[],
            held: &[],
            gone: Gone::NOTHING,
            release: match self.readiness.rules {
                None => Release::V02,
                Some(_) => Release::V03,
            },
            cancel,
        }
    }

    /// The document with what its inputs decide: ids, numbers, days and their order.
    ///
    /// Left out, in reports of this version and of earlier ones, are
    ///
    /// * all sentences, those of caveats and blocks among them: a later version may word them
    ///   otherwise. Ids of caveats and blocks, and how many qualifiers there are, are compared;
    /// * caveats on no window: records without a time, those that no judge answered and lines that
    ///   are no record are counted over all logs, so more of them may have come since.
    fn comparable(&self) -> Result<Value, serde_json::Error> {
        let mut same = self.clone();
        let of_no_window = ["undated", "scripted", "unfinished", "rejected_lines"];
        same.readiness.caveats.retain(|c| !of_no_window.contains(&c.id.as_str()));
        // Names change nothing of an answer: what the logs say does.
        same.boxes.clear();
        let r = &mut same.readiness;
        r.qualifiers.iter_mut().for_each(String::clear);
        r.wrong_blocks.iter_mut().for_each(String::clear);
        r.caveats.iter_mut().for_each(|caveat| caveat.text.clear());
        r.blocks.iter_mut().for_each(|block| block.text.clear());
        r.next.iter_mut().for_each(|needed| needed.text.clear());
        for kpi in r.kpis.iter_mut().chain(&mut r.beside) {
            kpi.reason = None;
            kpi.remarks.clear();
        }
        if let Some(prevalence) = &mut r.prevalence {
            prevalence.reason = None;
        }
        for step in &mut r.steps {
            *step = Step {
                title: String::new(),
                text: String::new(),
                ways: Vec::new(),
                ..std::mem::take(step)
            };
        }
        serde_json::to_value(same)
    }

    /// In what it differs from what its inputs give now, a sentence each; none where it does not.
    ///
    /// `stored` is the document as it was read. What an earlier version did not know, a field or a row,
    /// is not in it, and is no difference.
    ///
    /// # Errors
    /// A number that JSON does not have.
    pub fn differences(
        &self,
        stored: &Value,
        now: &Self,
    ) -> Result<Vec<String>, serde_json::Error> {
        let pairs = self.inputs.parts().into_iter().zip(now.inputs.parts());
        let changed = pairs.filter(|(ours, theirs)| ours.1 != theirs.1);
        let inputs: Vec<String> = changed
            .map(|((name, _), _)| format!("the {name} input is not what the report was made from"))
            .collect();
        if !inputs.is_empty() {
            return Ok(inputs);
        }
        let earlier = lacks_fields(stored, &serde_json::to_value(self)?);
        let (ours, theirs) = (self.comparable()?, now.comparable()?);
        let same = |key: &str, value: &Value| match (earlier, stored.get(key)) {
            (true, None) => true,
            // Sentences of which there are more today.
            (true, Some(_)) if key == "qualifiers" => true,
            // Advice, which follows from what is compared: another version gives another.
            _ if key == "steps" && self.readiness.rules.is_none() => true,
            (true, Some(stored)) => holds(value, stored, ours.get(key).unwrap_or(&Value::Null)),
            (false, _) => ours.get(key) == Some(value),
        };
        let fields = theirs.as_object().into_iter().flatten();
        let other = fields.filter(|(key, value)| !same(key, value));
        Ok(other.map(|(key, _)| format!("`{key}` is not what the inputs give")).collect())
    }
}

/// Whether a document lacks a field that this version writes: an earlier version made it.
fn lacks_fields(stored: &Value, whole: &Value) -> bool {
    match (stored, whole) {
        (Value::Object(stored), Value::Object(whole)) => whole
            .iter()
            .any(|(key, whole)| stored.get(key).is_none_or(|stored| lacks_fields(stored, whole))),
        (Value::Array(stored), Value::Array(whole)) => {
            stored.iter().zip(whole).any(|(stored, whole)| lacks_fields(stored, whole))
        }
        _ => false,
    }
}

/// Whether `now` holds all that an earlier version wrote: `stored` has its fields, and `ours` their
/// values to compare.
fn holds(now: &Value, stored: &Value, ours: &Value) -> bool {
    match (now, stored, ours) {
        (Value::Object(now), Value::Object(stored), Value::Object(ours)) => {
            ours.iter().all(|(key, ours)| match (stored.get(key), now.get(key)) {
                (None, _) => true,
                (Some(stored), now) => holds(now.unwrap_or(&Value::Null), stored, ours),
            })
        }
        (Value::Array(now), Value::Array(stored), Value::Array(ours)) => {
            let mut pairs = stored.iter().zip(ours);
            // A later version may have more rows, and between them.
            match ours.iter().all(|row| name(row).is_some()) {
                true => pairs.all(|(stored, row)| {
                    now.iter().any(|n| name(n) == name(row) && holds(n, stored, row))
                }),
                false => {
                    let mut rows = pairs.zip(now);
                    now.len() == ours.len() && rows.all(|((s, row), n)| holds(n, s, row))
                }
            }
        }
        _ => now == ours,
    }
}

/// What tells a row from the others of its table.
fn name(row: &Value) -> Option<&str> {
    ["id", "kpi"].iter().find_map(|key| row.get(key)?.as_str())
}
