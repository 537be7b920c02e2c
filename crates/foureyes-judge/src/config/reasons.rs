//! Why a label says what it says: a list of codes that never changes its meaning.

use super::Config;
use serde::Deserialize;
use std::sync::LazyLock;

/// The list that comes with the program.
const LIST: &str = include_str!("../../../../assets/reasons.toml");

/// A reason that a label may name.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reason {
    /// Its code, as it stands in a label.
    pub code: String,
    /// What it means, one sentence.
    pub meaning: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct List {
    version: u32,
    reason: Vec<Reason>,
}

/// A test reads the list: it is never empty.
static FROZEN: LazyLock<List> =
    LazyLock::new(|| toml::from_str(LIST).unwrap_or(List { version: 0, reason: Vec::new() }));

/// Version of the list.
pub fn version() -> u32 {
    FROZEN.version
}

/// The reasons of the list.
pub fn frozen() -> &'static [Reason] {
    &FROZEN.reason
}

impl Config {
    /// The reasons that a label may name: those of the list, then those of the configuration.
    pub fn all_reasons(&self) -> Vec<Reason> {
        let own = self.reasons.iter();
        let own =
            own.map(|(code, meaning)| Reason { code: code.clone(), meaning: meaning.clone() });
        frozen().iter().cloned().chain(own).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_is_the_one_of_version_1() {
        let codes: Vec<&str> = frozen().iter().map(|reason| reason.code.as_str()).collect();
        let known = [
            "wrong_fact",
            "unsupported_claim",
            "contradiction",
            "wrong_term",
            "not_actionable",
            "off_topic",
            "incomplete",
            "bad_structure",
            "broken_reference",
            "judge_misread",
            "judge_too_strict",
            "judge_too_lenient",
            "needs_context",
            "other",
        ];
        assert_eq!((version(), &codes[..]), (1, &known[..]), "a change is a new version");
    }
}
