//! Pushing and pulling.

use super::compare::{Step, compare, whole};
use super::{local, remote};
use crate::config::{PullConfig, Remote};
use crate::domain::chain;
use crate::domain::review::Reviewer;
use crate::files::paths::DataDir;
use crate::source::client::ClientError;
use crate::source::ledgers::Found;
use crate::store::journal::Steps;
use crate::store::ledger::{Break, Origins, foreign, is_name, is_of_machine};
use std::io;
use std::path::PathBuf;

/// Where ledgers are exchanged.
#[derive(Debug, Clone)]
pub enum Place<'a> {
    /// A directory of this machine.
    Here(PathBuf),
    /// A directory of a box; a leading `~/` is the home there.
    There {
        /// The box.
        remote: &'a Remote,
        /// How long it may take.
        limits: PullConfig,
        /// The directory.
        dir: String,
    },
}

/// What became of a ledger.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// Both sides have the same.
    Same,
    /// It was not there; so many bytes came.
    New(u64),
    /// It is longer now by so many bytes.
    Grown(u64),
    /// The copy that was to be added to is the longer one.
    Behind,
    /// Neither copy begins with the other. Nothing was written.
    Apart,
    /// The same of a ledger of this machine: another one writes under its reviewer and name.
    Contested,
    /// What comes is not as it was written. Nothing of it was taken.
    Broken(Break),
    /// From this line on its entries are of another reviewer or machine than its name says says. Nothing of it
    /// was taken.
    Stranger(u64),
    /// It is of this reviewer and machine, and elsewhere it goes on: only this machine adds to it.
    Ours,
    /// It could not be read or written.
    Failed(String),
}

impl Outcome {
    /// Tells whether somebody must look at it.
    pub fn is_doubtful(&self) -> bool {
        !matches!(self, Self::Same | Self::New(_) | Self::Grown(_) | Self::Behind)
    }

    /// Of a ledger of this machine: copies that have diverged are of two machines.
    fn contest(&mut self) {
        if *self == Self::Apart {
            *self = Self::Contested;
        }
    }
}

/// A ledger that was looked at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Moved {
    /// Name of its file. Raw text.
    pub file: String,
    /// Entries that are as they were written, in the copy that came.
    pub entries: u64,
    /// What became of it.
    pub outcome: Outcome,
}

/// Nothing was exchanged, or nobody knows how much was.
#[derive(Debug, thiserror::Error)]
pub enum ExchangeError {
    /// A directory of this machine.
    #[error("failed to read {}", path.display())]
    Read {
        /// Which.
        path: PathBuf,
        /// Why.
        #[source]
        source: io::Error,
    },
    /// A box.
    #[error("failed to ask the box")]
    Box(#[from] ClientError),
}

/// Brings the ledgers of this machine to a place, as which a reviewer writes.
///
/// # Errors
/// A directory that cannot be read, or a box that cannot be asked. Where it broke off in the middle,
/// the next push completes what was begun.
pub async fn push(
    place: &Place<'_>,
    data: &DataDir,
    reviewer: &Reviewer,
    steps: &dyn Steps,
) -> Result<Vec<Moved>, ExchangeError> {
    let (dir, origins) = (data.ledger(), Origins::load(data));
    let all = local::all(&dir).map_err(|source| ExchangeError::Read { path: dir, source })?;
    let own = all.into_iter().filter(|(name, _)| origins.is_own(name, reviewer));
    let mut moved = Vec::new();
    let mut ready = Vec::new();
    for (file, bytes) in own {
        match sound(&file, bytes) {
            Ok((bytes, entries)) => ready.push((file, bytes, entries)),
            Err((entries, outcome)) => moved.push(Moved { file, entries, outcome }),
        }
    }
    match place {
        Place::Here(dir) => {
            for (file, bytes, entries) in ready {
                let outcome = outcome_of(local::add(&dir.join(&file), &bytes, true, steps), &bytes);
                moved.push(Moved { file, entries, outcome });
            }
        }
        Place::There { remote, limits, dir } => {
            let session = async |ledgers| bring(ledgers, dir, ready).await;
            moved.extend(remote::with(remote, data.cache(), limits, session).await?);
        }
    }
    moved.sort_by(|a, b| a.file.cmp(&b.file));
    moved.iter_mut().for_each(|one| one.outcome.contest());
    Ok(moved)
}

type RemoteSession = crate::source::ledgers::Ledgers<crate::source::ssh::Input>;

async fn bring(
    mut ledgers: RemoteSession,
    dir: &str,
    ready: Vec<(String, Vec<u8>, u64)>,
) -> Result<Vec<Moved>, crate::source::session::Error> {
    let found = ledgers.all(dir).await?;
    let mut moved = Vec::new();
    let mut over = false;
    for (file, bytes, entries) in ready {
        let there = found.iter().find(|found| found.name == file);
        let outcome = match there.map_or(Some(&[][..]), |found| found.bytes.as_deref()) {
            None => Outcome::Failed("it cannot be read".to_owned()),
            Some(_) if over => Outcome::Failed("it was not tried after that".to_owned()),
            Some(there) => match compare(there, &bytes) {
                Step::Append(at) => {
                    let rest = bytes.get(at..).unwrap_or_default();
                    let done = ledgers.add(&file, at, rest).await?;
                    over = done.is_err();
                    let step = done.map(|()| Step::Append(at)).map_err(io::Error::other);
                    outcome_of(step, &bytes)
                }
                step => outcome_of(Ok(step), &bytes),
            },
        };
        moved.push(Moved { file, entries, outcome });
    }
    Ok(moved)
}

/// Takes the ledgers of others from a place; those of the reviewer on this machine are compared only.
///
/// # Errors
/// As [`push`].
pub async fn pull(
    place: &Place<'_>,
    data: &DataDir,
    reviewer: &Reviewer,
    steps: &dyn Steps,
) -> Result<Vec<Moved>, ExchangeError> {
    let (mut moved, mut origins) = (Vec::new(), Origins::load(data));
    for (file, bytes) in offered(place, data).await? {
        let (entries, outcome) = match sound(&file, bytes) {
            Ok((bytes, entries)) => {
                (entries, take(&file, &bytes, (data, &mut origins), reviewer, steps))
            }
            Err(refused) => refused,
        };
        moved.push(Moved { file, entries, outcome });
    }
    moved.sort_by(|a, b| a.file.cmp(&b.file));
    Ok(moved)
}

async fn offered(place: &Place<'_>, data: &DataDir) -> Result<Vec<local::Ledger>, ExchangeError> {
    match place {
        Place::Here(dir) => {
            // To take from what is not there is a mistake, not an empty answer.
            let read = std::fs::read_dir(dir).and_then(|_| local::all(dir));
            read.map_err(|source| ExchangeError::Read { path: dir.clone(), source })
        }
        Place::There { remote, limits, dir } => {
            let session = async |mut ledgers: RemoteSession| ledgers.all(dir).await;
            let found = remote::with(remote, data.cache(), limits, session).await?;
            let unread = || io::Error::other("it cannot be read");
            let one = |found: Found| (found.name, found.bytes.ok_or_else(unread));
            Ok(found.into_iter().filter(|found| is_name(&found.name)).map(one).collect())
        }
    }
}

/// The whole lines of a ledger and how many entries they are, where they can be believed.
fn sound(file: &str, bytes: io::Result<Vec<u8>>) -> Result<(Vec<u8>, u64), (u64, Outcome)> {
    let bytes = bytes.map_err(|error| (0, Outcome::Failed(error.to_string())))?;
    let bytes = whole(&bytes).to_vec();
    let checked = foreign(file, &bytes);
    match (checked.broken, checked.stranger) {
        (Some(broken), _) => Err((checked.entries, Outcome::Broken(broken))),
        (None, Some(line)) => Err((checked.entries, Outcome::Stranger(line))),
        (None, None) => Ok((bytes, checked.entries)),
    }
}

fn take(
    file: &str,
    bytes: &[u8],
    (data, origins): (&DataDir, &mut Origins),
    reviewer: &Reviewer,
    steps: &dyn Steps,
) -> Outcome {
    let path = data.ledger().join(file);
    if !origins.is_own(file, reviewer) {
        // What is not written down would be taken for ours later, under another name of this machine.
        let is_of_name = is_of_machine(file, &reviewer.machine);
        let known = match is_of_name || !origins.is_here(file) {
            true => origins.receive(data, file),
            false => Ok(()),
        };
        let added = known.and_then(|()| local::add(&path, bytes, false, steps));
        return outcome_of(added, bytes);
    }
    match std::fs::read(&path).map(|there| compare(&there, bytes)) {
        Ok(Step::Append(_)) => Outcome::Ours,
        Ok(Step::Apart) => Outcome::Contested,
        Err(error) if error.kind() == io::ErrorKind::NotFound => Outcome::Ours,
        step => outcome_of(step, bytes),
    }
}

fn outcome_of(step: io::Result<Step>, bytes: &[u8]) -> Outcome {
    match step {
        Ok(Step::Same) => Outcome::Same,
        Ok(Step::Append(0)) => Outcome::New(bytes.len() as u64),
        Ok(Step::Append(at)) => Outcome::Grown((bytes.len() - at) as u64),
        Ok(Step::Behind) => Outcome::Behind,
        Ok(Step::Apart) => Outcome::Apart,
        Err(error) => Outcome::Failed(chain(&error)),
    }
}
