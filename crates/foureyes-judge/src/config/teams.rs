//! Teams of an organisation, and the reviewers among whom records are shared out.

use super::rules::Text;
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
    #[schemars(extend("text" = Text::Name))]
    pub boxes: Vec<String>,
    /// Its agents, as their records name the author.
    #[schemars(extend("text" = Text::Agent))]
    pub agents: Vec<String>,
    /// Beginnings of paths of its files.
    #[schemars(extend("text" = Text::Prefix))]
    pub paths: Vec<String>,
}

impl TeamConfig {
    /// Whether a record is of this team.
    pub fn owns<'f>(
        &self,
        box_name: &str,
        author: Option<&str>,
        files: impl IntoIterator<Item = &'f str>,
    ) -> bool {
        self.boxes.iter().any(|name| name == box_name)
            || self.agents.iter().any(|name| Some(name.as_str()) == author)
            || begins(&self.paths, files)
    }
}

/// The team of a record: the first by name that it is of.
pub fn team_of<'t, 'f>(
    teams: &'t Teams,
    box_name: &str,
    author: Option<&str>,
    files: impl IntoIterator<Item = &'f str> + Clone,
) -> Option<&'t str> {
    let mut of = teams.iter().filter(|(_, team)| team.owns(box_name, author, files.clone()));
    of.next().map(|(name, _)| name.as_str())
}

/// A reviewer among whom records are shared out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct ReviewerShare {
    /// Their team, one of `[fleet.teams]`.
    #[schemars(extend("text" = Text::Name))]
    pub team: Option<String>,
    /// Beginnings of paths of the files that they know.
    #[schemars(extend("text" = Text::Prefix))]
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

fn begins<'f>(prefixes: &[String], files: impl IntoIterator<Item = &'f str>) -> bool {
    files.into_iter().any(|file| prefixes.iter().any(|prefix| file.starts_with(prefix.as_str())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn record_is_of_the_first_team_that_has_its_box_agent_or_path() {
        let team = |boxes: &[&str], agents: &[&str], paths: &[&str]| {
            let own = |all: &[&str]| all.iter().map(|text| (*text).to_owned()).collect();
            TeamConfig { boxes: own(boxes), agents: own(agents), paths: own(paths) }
        };
        let teams = Teams::from([
            ("a".to_owned(), team(&[], &["Ann"], &["research/"])),
            ("b".to_owned(), team(&["small"], &[], &[])),
        ]);
        let of = |name, author, files: &[&'static str]| {
            team_of(&teams, name, author, files.iter().copied())
        };
        assert_eq!(of("small", None, &["x.md"]), Some("b"));
        assert_eq!(of("small", Some("Ann"), &[]), Some("a"), "the first by name");
        assert_eq!(of("big", None, &["x.md", "research/y.md"]), Some("a"));
        assert_eq!(of("big", Some("ann"), &["old/research/y.md"]), None);
    }
}
