//! Teams of an organisation, and the reviewers among whom records are shared out.

use super::rules::Text;
use crate::domain::team::{Team, begins};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Teams by name.
pub type Teams = BTreeMap<String, TeamConfig>;

/// What the records of a team have. One of the lists is enough.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct TeamConfig {
    /// Names of its boxes.
    #[schemars(extend("x-text" = Text::Name))]
    pub boxes: Vec<String>,
    /// Its agents, as their records name the author.
    #[schemars(extend("x-text" = Text::Agent))]
    pub agents: Vec<String>,
    /// Beginnings of paths of its files.
    #[schemars(extend("x-text" = Text::Prefix))]
    pub paths: Vec<String>,
}

impl TeamConfig {
    /// The team of that name.
    pub fn named(&self, name: &str) -> Team {
        let Self { boxes, agents, paths } = self.clone();
        Team { name: name.to_owned(), boxes, agents, paths }
    }
}

/// A reviewer among whom records are shared out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct ReviewerShare {
    /// Their team, one of `[fleet.teams]`.
    #[schemars(extend("x-text" = Text::Name))]
    pub team: Option<String>,
    /// Beginnings of paths of the files that they know.
    #[schemars(extend("x-text" = Text::Prefix))]
    pub skills: Vec<String>,
    /// Most records that are assigned to them at a time.
    #[schemars(range(min = 1, max = 100_000))]
    pub load: u32,
}

impl ReviewerShare {
    /// Whether they know a file.
    pub fn knows<'f>(&self, files: impl IntoIterator<Item = &'f str>) -> bool {
        begins(&self.skills, files)
    }
}

impl Default for ReviewerShare {
    fn default() -> Self {
        Self { team: None, skills: Vec::new(), load: 50 }
    }
}
