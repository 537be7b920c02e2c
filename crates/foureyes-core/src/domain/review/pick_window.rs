//! The window of the gate of picks of memories.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The gate of picks of memories begins to decide on one judge: all picks of it count, from its first on.
///
/// So nobody chooses a start, and the policy that decides is the one written here.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PickWindow {
    /// Whether it is of the answers of searches, and not of what was put into a context unasked.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub lenient: bool,
    /// The judge.
    pub judge: PickJudge,
    /// The whole policy; what is in it is the business of the gate.
    pub policy: Value,
}

/// A judge of memories as windows compare it: case and white space make no other one, and a part that no
/// record names is [`PickJudge::UNKNOWN`]. Raw texts.
#[derive(
    Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
pub struct PickJudge {
    /// The model that was asked for.
    pub model: String,
    /// The model that answered.
    pub served_model: String,
    /// The version of the question.
    pub prompt_sha: String,
}

impl PickJudge {
    /// A part that no record names.
    pub const UNKNOWN: &'static str = "unknown";

    /// A judge by the model that was asked for, the one that answered and the version of the question, as
    /// records name them.
    pub fn new([model, served_model, prompt_sha]: [Option<&str>; 3]) -> Self {
        let part = |text: Option<&str>| {
            let text = folded(text.unwrap_or_default());
            if text.is_empty() { Self::UNKNOWN.to_owned() } else { text }
        };
        Self { model: part(model), served_model: part(served_model), prompt_sha: part(prompt_sha) }
    }
}

/// A text without case and white space.
fn folded(text: &str) -> String {
    text.split_whitespace().flat_map(str::chars).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::review::Act;
    use serde_json::json;

    #[test]
    fn case_and_white_space_make_no_other_judge() {
        let one = PickJudge::new([Some("GPT 5"), None, Some("AB")]);
        assert_eq!(one, PickJudge::new([Some("gpt5 "), Some(" "), Some("ab")]));
        assert_eq!(one.served_model, "unknown");
        assert_ne!(one, PickJudge::new([Some("gpt5"), None, Some("ac")]));
    }

    #[test]
    fn entry_is_read_as_it_was_written_and_cannot_be_undone() {
        let judge = PickJudge::new([Some("m"), Some("m-1"), Some("00")]);
        let act =
            Act::PickWindow(PickWindow { lenient: false, judge, policy: json!({"keeps": 1}) });
        let body = act.body().unwrap();
        let expected = json!({
            "judge": {"model": "m", "served_model": "m-1", "prompt_sha": "00"},
            "policy": {"keeps": 1},
        });
        assert_eq!((act.kind(), &body), ("pick_window", &expected));
        assert_eq!(Act::read("pick_window", body), act);
        assert!(act.is_rule() && !act.is_undoable() && act.family().is_none());
        let later = Act::read("pick_window", json!({"judge": 1}));
        assert_eq!(later.kind(), "pick_window");
        assert!(matches!(later, Act::Other { .. }), "what is not known counts for nothing");
    }
}
