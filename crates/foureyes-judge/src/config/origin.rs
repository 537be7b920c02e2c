//! Where each setting came from.

use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt;

/// Who gave a setting its value.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(tag = "from", rename_all = "snake_case")]
pub enum SettingOrigin {
    /// Nobody: the default.
    Default,
    /// The file, in this line.
    File {
        /// Line, from 1.
        line: usize,
    },
    /// An environment variable.
    Environment {
        /// Its name.
        name: &'static str,
    },
}

/// Origins by key as in the file (`pull.parallel`); a key that is not there has its default.
pub type Origins = BTreeMap<String, SettingOrigin>;

impl fmt::Display for SettingOrigin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Default => f.write_str("default"),
            Self::File { line } => write!(f, "file, line {line}"),
            Self::Environment { name } => write!(f, "environment, {name}"),
        }
    }
}
