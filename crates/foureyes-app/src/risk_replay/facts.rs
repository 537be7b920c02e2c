//! What is known of past changes: from clones where they are there, else from their records.

use super::{Past, PastChange};
use crate::config::RepositoryConfig;
use crate::domain::RecordId;
use crate::engine::risk::{Certainty, Change, ChangeKind, ChangedPath, Earlier, author_key};
use crate::git::{CommitId, Outgoing};
use crate::risk::{Commits, RiskRules};
use std::collections::{HashMap, VecDeque};
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Longest time for one clone.
const PATIENCE: Duration = Duration::from_secs(300);
/// Commits that are asked about at once.
const CHUNK: usize = 200;

/// What is known of changes.
#[derive(Debug, Default)]
pub struct Facts {
    /// Each in the order of the past.
    pub changes: Vec<Change>,
    /// Those of them that a clone has.
    pub in_clones: u64,
    /// Clones that could not be asked, each with why.
    pub failed: Vec<(PathBuf, String)>,
}

/// What is known of all changes of the past.
pub fn facts_of(past: &Past, rules: &RiskRules, repositories: &[RepositoryConfig]) -> Facts {
    let mut facts = Facts::default();
    let mut known: HashMap<RecordId, Change> = HashMap::new();
    for repository in repositories {
        let open: Vec<_> = past.changes.iter().filter(|one| !known.contains_key(&one.id)).collect();
        let found = of_clone(&open, rules, &repository.path);
        match found {
            Ok(found) => known.extend(found),
            Err(why) => facts.failed.push((repository.path.clone(), why)),
        }
    }
    facts.in_clones = known.len() as u64;
    let of = |one: &PastChange| known.remove(&one.id).unwrap_or_else(|| of_record(one, rules));
    facts.changes = past.changes.iter().map(of).collect();
    let sizes: Vec<_> = past.changes.iter().zip(&facts.changes).map(size).collect();
    let earlier = earlier(past, &sizes, rules.window_us());
    for (change, earlier) in facts.changes.iter_mut().zip(earlier) {
        change.earlier = earlier;
    }
    for (change, one) in facts.changes.iter_mut().zip(&past.changes) {
        change.author = rules.author([one.author.as_str()]);
        // What was counted then is what counts, where a clone does not count it now.
        let note = one.note.as_ref();
        let total = note.and_then(|note| Some(Earlier { lines: note.lines?, files: note.files? }));
        change.total = change.total.or(total.filter(|_| !change.is_complete));
    }
    facts
}

fn of_clone(
    open: &[&PastChange],
    rules: &RiskRules,
    path: &std::path::Path,
) -> Result<HashMap<RecordId, Change>, String> {
    let git = Outgoing::at(path, Instant::now() + PATIENCE);
    let id = |one: &&PastChange| CommitId::from_bytes(one.commit.as_deref()?.as_bytes());
    let named: Vec<_> = open.iter().filter_map(|one| Some((id(one)?, one.id))).collect();
    let ids: Vec<_> = named.iter().map(|(id, _)| id.clone()).collect();
    let words = |error| crate::domain::chain(&error);
    let there = git.sizes(&ids).map_err(words)?;
    let there = named.into_iter().zip(there).filter_map(|(named, size)| size.map(|_| named));
    let there: Vec<_> = there.collect();
    let mut found = HashMap::new();
    for chunk in there.chunks(CHUNK) {
        let ids: Vec<_> = chunk.iter().map(|(id, _)| id.clone()).collect();
        let commits = Commits { ids: &ids, tips: &[], acceptance: None };
        let changes = rules.changes(&git, commits).map_err(words)?;
        let of = |(id, record): &(CommitId, RecordId)| Some((*record, changes.get(id)?.0.clone()));
        found.extend(chunk.iter().filter_map(of));
    }
    Ok(found)
}

/// What a record says of a change: files that were judged, and so were added or changed.
fn of_record(one: &PastChange, rules: &RiskRules) -> Change {
    use ChangeKind::{Added, Binary, Mode, Modified, Renamed};
    let maybe = vec![Added, Modified, Renamed, Mode, Binary];
    let path = |path: &String| ChangedPath {
        path: path.clone(),
        kinds: Vec::new(),
        maybe: maybe.clone(),
        lines: None,
    };
    let paths: Vec<_> = one.files.iter().map(path).collect();
    let files = one.note.as_ref().and_then(|note| note.files);
    let is_complete = files == Some(paths.len() as u64);
    let by = rules.sensitive(&[], &one.files);
    Change {
        paths,
        is_complete,
        // The message is not in the record.
        sensitive: if by.is_some() { Certainty::Yes } else { Certainty::Maybe },
        sensitive_by: by,
        ..Change::default()
    }
}

/// How much a change is: as a clone counts it, else as its record says.
fn size((one, change): (&PastChange, &Change)) -> Option<Earlier> {
    let files = change.paths.len() as u64;
    let counted = change.lines().filter(|_| change.is_complete);
    let noted = || {
        let note = one.note.as_ref()?;
        Some(Earlier { lines: note.lines?, files: note.files? })
    };
    counted.map(|lines| Earlier { lines, files }).or_else(noted)
}

/// What the author of each changed in the time before it; `None` where a size in it is not known.
fn earlier(past: &Past, sizes: &[Option<Earlier>], window_us: i64) -> Vec<Option<Earlier>> {
    let mut before: HashMap<String, VecDeque<(i64, Option<Earlier>)>> = HashMap::new();
    let mut all = Vec::with_capacity(sizes.len());
    for (one, size) in past.changes.iter().zip(sizes) {
        let own = before.entry(author_key(&one.author)).or_default();
        while own.front().is_some_and(|(at, _)| *at < one.at.0.saturating_sub(window_us)) {
            own.pop_front();
        }
        let sum = own.iter().try_fold(Earlier::default(), |sum, (_, size)| {
            let size = (*size)?;
            Some(Earlier {
                lines: sum.lines.saturating_add(size.lines),
                files: sum.files.saturating_add(size.files),
            })
        });
        // What was changed before the first of them is not among them.
        let is_covered =
            past.since.is_none_or(|since| one.at.0 >= since.0.saturating_add(window_us));
        all.push(sum.filter(|_| is_covered));
        own.push_back((one.at.0, *size));
    }
    all
}
