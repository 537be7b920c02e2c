//! Whether a hook may stop a push.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Whether a verdict may stop a push.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum HookMode {
    /// It is logged and said, and the push goes on.
    #[default]
    Advisory,
    /// NO-GO stops the push.
    Blocking,
}

impl HookMode {
    /// The words of the configuration and of records.
    pub const WORDS: [&'static str; 2] = ["advisory", "blocking"];

    /// Its word.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Advisory => "advisory",
            Self::Blocking => "blocking",
        }
    }

    /// The mode of a word.
    pub fn from_word(word: &str) -> Option<Self> {
        [Self::Advisory, Self::Blocking].into_iter().find(|m| m.as_str() == word)
    }
}
