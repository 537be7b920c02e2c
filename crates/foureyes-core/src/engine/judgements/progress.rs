//! How far a judgement is, as a service reports it by events.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// How far a judgement is that somebody waits for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum JudgementStage {
    /// It waits.
    Queued {
        /// Its place in the queue; 1 is the next one.
        place: usize,
    },
    /// The judge is asked.
    Judging {
        /// The number of the call, from 1.
        attempt: u32,
        /// The model. Of a service this is a hostile text.
        model: String,
    },
}

impl JudgementStage {
    /// The name of its event.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Queued { .. } => "queued",
            Self::Judging { .. } => "judging",
        }
    }

    /// What its event carries.
    pub fn json(&self) -> Value {
        // Numbers and texts always have a form in JSON.
        serde_json::to_value(self).unwrap_or_default()
    }

    /// The stage of an event; `None` of any other event.
    pub fn read(name: &str, data: &[u8]) -> Option<Self> {
        serde_json::from_slice::<Self>(data).ok().filter(|stage| stage.name() == name)
    }

    /// It in a few words, without anything that somebody else wrote.
    pub fn words(&self) -> String {
        match self {
            Self::Queued { place } => format!("queued, place {place}"),
            Self::Judging { attempt: 0 | 1, .. } => "judging".to_owned(),
            Self::Judging { attempt, .. } => format!("judging, attempt {attempt}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stage_is_read_as_it_was_written_and_only_from_its_own_event() {
        let queued = JudgementStage::Queued { place: 3 };
        let judging = JudgementStage::Judging { attempt: 2, model: "north-1".to_owned() };
        for (stage, other, words) in
            [(&queued, &judging, "queued, place 3"), (&judging, &queued, "judging, attempt 2")]
        {
            let data = stage.json().to_string();
            assert_eq!(JudgementStage::read(stage.name(), data.as_bytes()).as_ref(), Some(stage));
            assert_eq!(JudgementStage::read(other.name(), data.as_bytes()), None);
            assert_eq!(stage.words(), words);
        }
        assert_eq!(JudgementStage::read("queued", b"{\"place\":-1}"), None);
        assert_eq!(JudgementStage::read("judgement", b"{}"), None);
    }
}
