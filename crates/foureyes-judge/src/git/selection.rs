//! Which commits and files are judged.

use super::CommitObject;
use crate::text::{Class, class};

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
    /// Tells whether a commit is an agent's. One that does not say who made it counts as one's.
    pub fn is_agents(&self, commit: &CommitObject) -> bool {
        let Some(agents) = &self.agents else { return true };
        let agents: Vec<_> = agents.iter().map(|name| folded(name)).collect();
        let is_one = |name: &str| {
            let name = folded(name);
            name.is_empty() || agents.contains(&name)
        };
        is_one(&commit.committer) || (self.authors && is_one(&commit.author))
    }

    /// Tells whether nobody is an agent.
    pub fn is_nobody(&self) -> bool {
        self.agents.as_ref().is_some_and(Vec::is_empty)
    }

    /// Tells whether a path is a watched one. Case makes no difference: on some file systems it is
    /// the same directory.
    pub fn is_watched(&self, path: &[u8]) -> bool {
        let path = lower(path);
        self.watch.iter().any(|prefix| path.starts_with(&prefix.to_lowercase()))
    }

    /// Tells whether a file is one that is judged: a watched path, and one of the names.
    pub fn is_judged(&self, path: &[u8]) -> bool {
        let lower = lower(path);
        // A blank at the end is not seen in a list.
        let name = lower.rsplit('/').next().unwrap_or_default().trim_end();
        let fits = |pattern: &String| {
            let pattern = pattern.to_lowercase();
            match pattern.strip_prefix('*') {
                Some(ending) => name.ends_with(ending),
                None => name == pattern,
            }
        };
        self.files.iter().any(fits) && self.is_watched(path)
    }
}

fn lower(path: &[u8]) -> String {
    String::from_utf8_lossy(path).to_lowercase()
}

/// A name as people read it: without case, hidden characters, and differences between blanks.
fn folded(name: &str) -> String {
    let seen: String = name
        .chars()
        .map(|c| if c.is_whitespace() { ' ' } else { c })
        .filter(|c| *c == ' ' || class(*c) == Class::Seen)
        .collect();
    seen.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
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

    fn person(role: &str, name: &str) -> String {
        format!("{role} {name} <x@example.org> 5 +0000")
    }

    #[test]
    fn agent_matches_any_spelling() {
        let mut selection =
            Selection { agents: Some(texts(&["OpenClaw Agent"])), ..Selection::default() };
        for name in
            ["OpenClaw Agent", "openclaw AGENT", "OpenClaw\u{a0} Agent", "Open\u{200b}Claw Agent"]
        {
            let commit = by(&person("author", "Ada"), &person("committer", name));
            assert!(selection.is_agents(&commit), "{name}");
        }
        for name in ["OpenClaw", "OpenClaw Agent 2", "GitHub"] {
            let commit = by(&person("author", "OpenClaw Agent"), &person("committer", name));
            assert!(!selection.is_agents(&commit), "{name}");
            assert!(Selection { authors: true, ..selection.clone() }.is_agents(&commit), "{name}");
        }
        selection.agents = None;
        assert!(selection.is_agents(&by(&person("author", "Ada"), &person("committer", "Ada"))));
    }

    #[test]
    fn commit_without_author_counts_as_agent() {
        let selection =
            Selection { agents: Some(texts(&["OpenClaw Agent"])), ..Selection::default() };
        let author = person("author", "Ada");
        for line in ["committer Somebody 5 +0000", "committer  <x> 5 +0000", "gpgsig x"] {
            assert!(selection.is_agents(&by(&author, line)), "{line}");
        }
    }

    #[test]
    fn case_and_blanks_hide_no_file() {
        let selection = Selection {
            watch: texts(&["research/"]),
            files: texts(&["*.md", "*.py", "Makefile"]),
            ..Selection::default()
        };
        for path in [
            "research/p.md",
            "Research/p.MD",
            "research/a/p.md ",
            "research/x.py",
            "research/Makefile",
        ] {
            assert!(selection.is_judged(path.as_bytes()), "{path:?}");
        }
        for path in
            ["p.md", "research/p.txt", "research.md", "research/md", "research/makefile.old"]
        {
            assert!(!selection.is_judged(path.as_bytes()), "{path:?}");
        }
        assert!(selection.is_watched(b"RESEARCH/link") && !selection.is_watched(b"other/link"));
    }
}
