//! Which commits and files are judged.

use super::{CommitObject, Watching};
use crate::text::spelling::person;

/// Whose commits are judged, and which of their files.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Selection {
    /// Names of agents; `None` where they are not known, so that it may be anybody.
    pub agents: Option<Vec<String>>,
    /// Whether a commit is an agent's by its author too, and not by its committer alone.
    pub authors: bool,
    /// Prefixes of the paths that are judged.
    pub watch: Vec<String>,
    /// Names of the files that are judged: `*` and an ending, or a whole name.
    pub files: Vec<String>,
}

impl Selection {
    /// Tells whether a commit is an agent's, by its name in any spelling. One that does not say who made it counts as
    /// one's.
    pub fn is_agents(&self, commit: &CommitObject) -> bool {
        let Some(agents) = &self.agents else { return true };
        let agents: Vec<_> = agents.iter().map(|name| person(name)).collect();
        let is_one = |name: &str| {
            let name = person(name);
            name.is_empty() || agents.contains(&name)
        };
        is_one(&commit.committer) || (self.authors && is_one(&commit.author))
    }

    /// Tells whether nobody is an agent.
    pub fn is_nobody(&self) -> bool {
        self.agents.as_ref().is_some_and(Vec::is_empty)
    }

    /// The paths that are watched, ready to be compared.
    pub fn watching(&self) -> Watching {
        Watching::new(&self.watch, &self.files)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::git::commit;

    fn texts(all: &[&str]) -> Vec<String> {
        all.iter().map(|t| (*t).to_owned()).collect()
    }

    fn by(author: &str, committer: &str) -> CommitObject {
        let text = format!("tree {}\n{author}\n{committer}\n\nx\n", "1".repeat(40));
        commit(text.as_bytes()).unwrap()
    }

    fn line(role: &str, name: &str) -> String {
        format!("{role} {name} <x@example.org> 5 +0000")
    }

    #[test]
    fn agent_matches_any_spelling() {
        let mut selection =
            Selection { agents: Some(texts(&["OpenClaw Agent"])), ..Selection::default() };
        for name in
            ["OpenClaw Agent", "openclaw AGENT", "OpenClaw\u{a0} Agent", "Open\u{200b}Claw Agent"]
        {
            let commit = by(&line("author", "Ada"), &line("committer", name));
            assert!(selection.is_agents(&commit), "{name}");
        }
        for name in ["OpenClaw", "OpenClaw Agent 2", "GitHub"] {
            let commit = by(&line("author", "OpenClaw Agent"), &line("committer", name));
            assert!(!selection.is_agents(&commit), "{name}");
            assert!(Selection { authors: true, ..selection.clone() }.is_agents(&commit), "{name}");
        }
        selection.agents = Some(texts(&["Jos\u{e9}"]));
        for (name, is_one) in [("Jose\u{301}", true), ("JOS\u{c9}", true), ("Jose", false)] {
            let commit = by(&line("author", "Ada"), &line("committer", name));
            assert_eq!(selection.is_agents(&commit), is_one, "{name}");
        }
        selection.agents = None;
        assert!(selection.is_agents(&by(&line("author", "Ada"), &line("committer", "Ada"))));
    }

    #[test]
    fn commit_without_author_counts_as_agent() {
        let selection =
            Selection { agents: Some(texts(&["OpenClaw Agent"])), ..Selection::default() };
        let author = line("author", "Ada");
        for line in [
            "committer Somebody 5 +0000",
            "committer  <x> 5 +0000",
            "gpgsig x",
            // Programs differ in which of two they take.
            "committer Ada <x> 5 +0000\ncommitter Bob <x> 5 +0000",
        ] {
            assert!(selection.is_agents(&by(&author, line)), "{line}");
        }
    }
}
