//! Coverage of the configured repositories: their commits held against the records of an archive.

use super::{Before, Judged, rows as compare};
use crate::config::{Config, RepositoryConfig};
use crate::domain::review::Reviews;
use crate::domain::{Caveat, CoverageRow, Timestamp, Window, chain};
use crate::engine::record::History as Unasked;
use crate::frame::query::{Query, Scope};
use crate::frame::{FrameError, Pushed};
use crate::git::{Commit, CommitId, Error, History, Links, Repository};
use crate::store::cache::{Archive, CacheError, RowError};
use crate::text::counted;
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fmt::Display;

/// How many committers are named.
const NAMED: usize = 5;

/// Records from which coverage is counted could not be read.
#[derive(Debug, thiserror::Error)]
pub enum SurveyError {
    /// The cache.
    #[error(transparent)]
    Cache(#[from] CacheError),
    /// The logs.
    #[error(transparent)]
    Row(#[from] RowError),
    /// The columns.
    #[error(transparent)]
    Frame(#[from] FrameError),
}

/// Agent commits pushed against judged; what keeps a repository from being read is a caveat.
///
/// Given logs (`--from`) are of no configured box, so nothing is compared then.
///
/// # Errors
/// Records that cannot be read.
pub fn compared(
    config: &Config,
    archive: &Archive,
    given: bool,
    window: Window,
) -> Result<(Vec<CoverageRow>, Vec<Caveat>), SurveyError> {
    let (mut rows, mut caveats) = (Vec::new(), Vec::new());
    let repositories = &config.repositories;
    // The clones are of this machine's boxes, whatever others are in a store.
    let Some(here) = archive.here().filter(|_| !repositories.is_empty() && !given) else {
        return Ok((rows, caveats));
    };
    // The window is one of commits: the record of one may be undated, or of another day.
    let frame = here.frame(Window::ALL, &Pushed::COLUMNS)?;
    let pushed = frame.pushed()?;
    let unasked = unasked(archive)?;
    let all: Vec<String> = config.boxes.iter().map(|b| b.name.clone()).collect();
    for repository in repositories {
        let path = repository.path.display();
        match history(config, repository, &unasked, window) {
            Ok((history, reached)) => {
                let boxes = if repository.boxes.is_empty() { &all } else { &repository.boxes };
                let judged = pushed.iter().filter_map(|p| {
                    let box_name = archive.boxes().get(p.box_index as usize)?;
                    Some(Judged { box_name, commit: &p.commit, cause: p.cause })
                });
                let before = unasked.iter().zip(&reached).map(|((box_name, one), commits)| {
                    Before { box_name, commits, unasked: one.commits }
                });
                let before: Vec<_> = before.collect();
                rows.extend(compare(&history.commits, judged, &before, boxes));
                caveats.extend(others(&path, &history.others));
                caveats.extend(shallow(&path, history.cut));
                caveats.extend(linked(&path, &history.links));
            }
            Err(error) => {
                let text = format!("{path}: coverage is unknown: {}", chain(&error));
                caveats.push(Caveat { id: "unread_repository".to_owned(), text });
            }
        }
    }
    caveats.extend(gap(&rows));
    Ok((rows, caveats))
}

/// Commits whose parents a shallow clone does not have.
fn shallow(path: &impl Display, commits: usize) -> Option<Caveat> {
    let text = format!(
        "{path}: cannot tell for {} at the edge of the shallow clone whether they had to be judged",
        counted(commits as u64, "commit", "commits")
    );
    (commits > 0).then(|| Caveat { id: "shallow_repository".to_owned(), text })
}

/// Links and submodules that take the place of watched paths, and others that lead to what nobody judges.
fn linked(path: &impl Display, links: &Links) -> Vec<Caveat> {
    let caveat =
        |text: String| Caveat { id: "watched_link".to_owned(), text: format!("{path}: {text}") };
    let why =
        links.gap.iter().map(|why| format!("not all links to watched paths are known: {why}"));
    links.sentences(NAMED).into_iter().chain(why).map(caveat).collect()
}

/// Commits that should have a verdict and have none.
fn gap(rows: &[CoverageRow]) -> Option<Caveat> {
    let with_gap = || rows.iter().filter(|row| row.gap() > 0);
    let missing: u64 = with_gap().map(CoverageRow::gap).sum();
    let days: BTreeSet<&str> = with_gap().map(|row| row.day.as_str()).collect();
    let text = format!(
        "{} on {} {} no verdict: a hook may not have run",
        counted(missing, "agent commit", "agent commits"),
        counted(days.len() as u64, "day", "days"),
        if missing == 1 { "has" } else { "have" },
    );
    (missing > 0).then(|| Caveat { id: "coverage_gap".to_owned(), text })
}

/// Commits that change what is watched, and that nobody judges: whose they are.
fn others(path: &impl Display, commits: &[Commit]) -> Option<Caveat> {
    let mut counts: BTreeMap<&str, u64> = BTreeMap::new();
    for commit in commits {
        *counts.entry(&commit.committer).or_default() += 1;
    }
    let mut names: Vec<_> = counts.into_iter().collect();
    names.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    let shown = names.iter().take(NAMED).map(|(name, count)| format!("{name} {count}"));
    let mut list = shown.collect::<Vec<_>>().join(", ");
    if names.len() > NAMED {
        list.push_str(", …");
    }
    let text = format!(
        "{path}: {} under `watch` by committers not in `agents` ({list}), which the hook does not judge",
        counted(commits.len() as u64, "commit", "commits")
    );
    (!commits.is_empty()).then(|| Caveat { id: "other_committers".to_owned(), text })
}

/// The same, where what cannot be compared at all is a caveat too.
pub fn survey(
    config: &Config,
    archive: &Archive,
    given: bool,
    window: Window,
) -> (Vec<CoverageRow>, Vec<Caveat>) {
    compared(config, archive, given, window).unwrap_or_else(|error| {
        let text = format!("coverage is unknown: {error}");
        (Vec::new(), vec![Caveat { id: "unread_coverage".to_owned(), text }])
    })
}

/// The commits of a repository, and those that each record of history stands for.
fn history(
    config: &Config,
    repository: &RepositoryConfig,
    unasked: &[(String, Unasked)],
    window: Window,
) -> Result<(History, Vec<HashSet<CommitId>>), Error> {
    let selection = config.selection();
    let clone = Repository::open(&repository.path)?;
    let history = clone.history(&repository.refs, &selection, window.from)?;
    let reached = unasked.iter().map(|(_, one)| match one.tip.parse() {
        Ok(tip) => clone.reachable(&tip),
        Err(_) => Ok(HashSet::new()),
    });
    Ok((history, reached.collect::<Result<_, _>>()?))
}

/// What records say of history that was pushed for the first time, with their boxes.
fn unasked(archive: &Archive) -> Result<Vec<(String, Unasked)>, SurveyError> {
    let Ok(query) = Query::parse("error:history") else { return Ok(Vec::new()) };
    let scope = Scope { boxes: archive.boxes(), now: Timestamp(0), reviews: Reviews::none() };
    let rows = archive.matching(&query, &scope, Window::ALL)?;
    let mut all = Vec::new();
    archive.each_record(&rows, |located| {
        let record = located.record;
        all.extend(record.extra("history").map(|history| (record.box_name, history)));
        Ok::<_, RowError>(())
    })?;
    Ok(all)
}
