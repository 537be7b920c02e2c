//! The report: the answer, and what it takes to compute it again.

use super::{Ask, Assessment};
use crate::calibration::{Inputs, Policy, Readiness, ReviewerError, Step};
use crate::domain::{Caveat, Timestamp};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

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
    pub fn of(assessment: Assessment, inputs: Inputs, ask: &Ask<'_>) -> Self {
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
            now: self.readiness.generated,
            policy: self.policy_file.as_deref().map(|name| (name, &self.policy)),
            complete_until: self.complete_until,
            missing_boxes: &self.missing_boxes,
            held: &[],
            gone: 0,
            cancel,
        }
    }

    /// The document without what no window holds (records without a time and lines that are no record
    /// are of no time, so more of them may have come since), and without sentences that say its numbers
    /// once more: a later version may word them otherwise.
    fn comparable(&self) -> Result<serde_json::Value, serde_json::Error> {
        let mut same = self.clone();
        same.readiness.caveats.retain(|c| !["undated", "rejected_lines"].contains(&c.id.as_str()));
        // Names change nothing of an answer: what the logs say does.
        same.boxes.clear();
        let r = &mut same.readiness;
        r.next.iter_mut().for_each(|needed| needed.text.clear());
        for kpi in r.kpis.iter_mut().chain(&mut r.beside) {
            kpi.reason = None;
            kpi.remarks.clear();
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
    /// # Errors
    /// A number that JSON does not have.
    pub fn differences(&self, now: &Self) -> Result<Vec<String>, serde_json::Error> {
        let pairs = self.inputs.parts().into_iter().zip(now.inputs.parts());
        let changed = pairs.filter(|(ours, theirs)| ours.1 != theirs.1);
        let inputs: Vec<String> = changed
            .map(|((name, _), _)| format!("the {name} are other than those it was made of"))
            .collect();
        if !inputs.is_empty() {
            return Ok(inputs);
        }
        let mut now = now.clone();
        if self.readiness.prevalence.is_none() {
            // It was made before there was such a part.
            now.readiness.prevalence = None;
        }
        if self.readiness.window.share.is_none() {
            // Windows shared nothing yet, and less was said of them.
            now.readiness.window.share = None;
            now.readiness.qualifiers.clone_from(&self.readiness.qualifiers);
            let known = |id: &String| self.readiness.caveats.iter().any(|c| c.id == *id);
            now.readiness.caveats.retain(|caveat| known(&caveat.id));
        }
        if self.readiness.reviewer_error == ReviewerError::default() {
            now.readiness.reviewer_error = ReviewerError::default();
            now.readiness.second_look.clone_from(&self.readiness.second_look);
        }
        if self.readiness.steps.is_empty() {
            // So it was where there was no such list.
            now.readiness.steps.clear();
        }
        if self.readiness.history.is_empty() {
            now.readiness.history.clear();
        }
        let mut ours = self.clone();
        if self.readiness.label_quality.is_none() {
            now.readiness.label_quality = None;
            let known = |c: &Caveat| !["labels_changed", "blind_share"].contains(&c.id.as_str());
            now.readiness.caveats.retain(known);
            ours.readiness.caveats.retain(known);
        }
        let (ours, theirs) = (ours.comparable()?, now.comparable()?);
        let fields = theirs.as_object().into_iter().flatten();
        let other = fields.filter(|(key, value)| ours.get(key.as_str()) != Some(value));
        Ok(other.map(|(key, _)| format!("`{key}` is not what its inputs give")).collect())
    }
}
