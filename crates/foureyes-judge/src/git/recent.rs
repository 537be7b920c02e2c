//! The last commits of a repository, counted by who made them and what they change.

use super::history::{By, Kept};
use super::{Call, Error, Links, ObjectId, Selection, Surroundings, history};
use std::collections::{BTreeMap, HashMap};
use std::path::Path;

/// What the last commits are.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Recent {
    /// All of them.
    pub all: usize,
    /// Those of agents.
    pub agents: usize,
    /// Those of agents that change what is judged.
    pub judged: usize,
    /// Of the others: how many each committer made; hostile names.
    pub committers: BTreeMap<String, usize>,
    /// Paths that agents change and that are not judged: their directory and ending, with how many.
    pub elsewhere: BTreeMap<String, usize>,
    /// The links through which watched paths are reached.
    pub links: Links,
}

/// Looks at the last commits of what is checked out. None where there is no commit.
///
/// # Errors
/// When git fails.
pub fn recent(dir: &Path, selection: &Selection, most: usize) -> Result<Recent, Error> {
    let call = |name| Call::new(dir, name, Surroundings::User);
    let head = call("rev-parse").args(["-q", "--verify", "HEAD"]).output();
    let head = match head {
        Err(Error::Failed { .. }) => return Ok(Recent::default()),
        other => ObjectId::from_bytes(other?.trim_ascii_end()),
    };
    let watching = selection.watching();
    let links = Links::find(call("cat-file").arg("--batch").start(), head.as_slice(), &watching);
    let count = format!("--max-count={most}");
    let out = call("rev-list").args(history::STORED).args([&count, "HEAD", "--"]).output()?;
    let stored = history::stored(&out);
    let mut recent = Recent { all: stored.len(), links, ..Recent::default() };
    let (agents, others): (Vec<_>, Vec<_>) =
        stored.into_iter().partition(|s| selection.is_agents(&s.object));
    for other in others {
        *recent.committers.entry(other.object.committer).or_default() += 1;
    }
    recent.agents = agents.len();
    if agents.is_empty() {
        return Ok(recent);
    }
    let ids = agents.iter().flat_map(|s| format!("{}\n", s.id).into_bytes()).collect();
    let changed = history::changed(&call("log").args(history::CHANGES).input(ids).output()?)?;
    for paths in changed.into_values() {
        for (path, _) in paths.iter().filter(|(path, _)| !watching.is_judged(path)) {
            *recent.elsewhere.entry(kind(path)).or_default() += 1;
        }
        let by = By { watching: &watching, links: &recent.links, made: (&HashMap::new(), 0) };
        if !Kept::new(paths, &by).changed.is_empty() {
            recent.judged += 1;
        }
    }
    Ok(recent)
}

/// A path's first directory and its ending: `docs/*.md`.
fn kind(path: &[u8]) -> String {
    let path = String::from_utf8_lossy(path);
    let dir = path.split_once('/').map_or(String::new(), |(dir, _)| format!("{dir}/"));
    let name = path.rsplit('/').next().unwrap_or_default();
    match name.rsplit_once('.') {
        Some((before, ending)) if !before.is_empty() => format!("{dir}*.{ending}"),
        _ => format!("{dir}{name}"),
    }
}

#[cfg(test)]
mod tests {
    use super::kind;

    #[test]
    fn paths_are_grouped_by_directory_and_extension() {
        for (path, expected) in [
            ("docs/a/b.md", "docs/*.md"),
            ("x.rs", "*.rs"),
            ("a/Makefile", "a/Makefile"),
            (".env", ".env"),
        ] {
            assert_eq!(kind(path.as_bytes()), expected);
        }
    }
}
