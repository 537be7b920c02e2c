//! The switch of a box: whether its hook blocks, whatever its configuration says.
//!
//! It is a small file of its own, so that one command turns it and one command turns it back, and
//! so that it says on which evidence it was turned. A switch that cannot be read means advisory.

mod order;
mod status;

pub use order::{Expected, Order, Refused};
pub use status::{ModeReport, ModeStatus, Source};

use crate::config::HookMode;
use crate::domain::Timestamp;
use crate::files::{atomic, lock};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Value of `schema` in the file.
pub const SCHEMA: &str = "foureyes/hook-switch/1";
/// Largest switch, in bytes.
const MOST: u64 = 256 << 10;
/// Largest report, in bytes.
pub const LARGEST_REPORT: usize = 16 << 20;
/// How long an order waits for another one to be followed.
const PATIENCE: Duration = Duration::from_secs(10);

/// What the switch was turned to, by whom, and why: its file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Switch {
    /// `foureyes/hook-switch/1`.
    pub schema: String,
    /// What it was turned to.
    pub mode: HookMode,
    /// When.
    #[schemars(with = "String")]
    pub time: Timestamp,
    /// By whom. Raw text.
    pub by: String,
    /// Why, where somebody said so. Raw text.
    #[serde(default)]
    pub reason: Option<String>,
    /// From when on it blocks no more; `null` for no end.
    #[serde(default)]
    #[schemars(with = "Option<String>")]
    pub until: Option<Timestamp>,
    /// The report that it rests on, which is kept beside it.
    #[serde(default)]
    pub report: Option<Evidence>,
    /// What stood before, where it is on trial; `null` where it holds for good.
    #[serde(default)]
    pub trial: Option<Trial>,
}

/// The switch is on trial: where that ends, by an order or by the clock, all is as it was before.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Trial {
    /// The switch that stood before; `null` where there was none.
    pub before: Option<Box<Switch>>,
}

/// A report that is kept beside the switch.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Evidence {
    /// BLAKE3 of its bytes, hexadecimal.
    pub blake3: String,
    /// How many there are.
    pub bytes: u64,
    /// What it says: `ready`, `not_ready` or `not_enough_evidence`.
    pub result: String,
}

/// What stands where the switch belongs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Found {
    /// It was never turned.
    Nothing,
    /// A switch.
    Switch(Switch),
    /// Something that says nothing; what is wrong with it.
    Damaged(String),
}

impl Found {
    /// What counts of it at a time: where a trial is over, what stood before.
    pub fn at(self, now: Timestamp) -> Self {
        match self {
            Self::Switch(Switch { trial: Some(trial), until: Some(until), .. }) if until <= now => {
                trial.before.map_or(Self::Nothing, |before| Self::Switch(*before))
            }
            other => other,
        }
    }

    /// When it was turned; `None` where nothing can be read.
    fn time(&self) -> Option<Timestamp> {
        match self {
            Self::Switch(switch) => Some(switch.time),
            Self::Nothing | Self::Damaged(_) => None,
        }
    }
}

/// The switch was not turned.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// What was asked for cannot be done.
    #[error("the order cannot be followed")]
    Refused(#[from] Refused),
    /// Another order is being followed for too long; the switch is not touched.
    #[error("waiting for the lock of {}", path.display())]
    Lock {
        /// The directory.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A step failed; the switch is what it was.
    #[error("failed to write {}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
}

/// Where the switch is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    dir: PathBuf,
}

impl Place {
    /// In a directory, which need not be there.
    pub fn at(dir: impl Into<PathBuf>) -> Self {
        Self { dir: dir.into() }
    }

    /// Its file.
    pub fn file(&self) -> PathBuf {
        self.dir.join("mode.json")
    }

    /// The file of a report.
    pub fn report(&self, evidence: &Evidence) -> PathBuf {
        self.dir.join(format!("readiness-{}.json", digits(&evidence.blake3)))
    }

    /// Reads it.
    pub fn read(&self) -> Found {
        let path = self.file();
        let bytes = match read(&path, MOST) {
            Ok(Some(bytes)) => bytes,
            Ok(None) => return Found::Nothing,
            Err(error) => return Found::Damaged(format!("it cannot be read: {error}")),
        };
        match serde_json::from_slice::<Switch>(&bytes) {
            Ok(switch) if switch.schema != SCHEMA => {
                Found::Damaged(format!("its schema is {:?}", switch.schema))
            }
            Ok(switch) => Found::Switch(switch),
            Err(error) => Found::Damaged(format!("it is not a switch: {error}")),
        }
    }

    /// Turns it; gives what stands there then. A report that came with the order stands beside it
    /// before it counts; of a crash the old switch stays or the new one.
    ///
    /// From the look at what stands there to the write nobody else turns it, but on a file system
    /// without locks: so of several orders that expect the same switch one is followed. The clock
    /// is asked when the wait for that is over.
    ///
    /// # Errors
    /// An order that cannot be followed, another one that is not done, or a step that failed.
    pub fn turn(&self, order: &Order, clock: impl Fn() -> Timestamp) -> Result<Found, Error> {
        // Where nothing was ever turned there is nothing to undo, even on a disk that is full.
        if !order.undo {
            let made = atomic::private_dir(&self.dir);
            made.map_err(|source| Error::Write { path: self.dir.clone(), source })?;
        }
        let held = lock::in_directory(&self.dir, Instant::now() + PATIENCE);
        let _held = held.map_err(|source| Error::Lock { path: self.dir.clone(), source })?;
        let now = clock();
        let there = self.read().at(now);
        order.check(&there, now)?;
        if order.undo {
            return self.undo(there);
        }
        let switch = order.switch(there, now)?;
        if let (Some(evidence), Some(report)) = (&switch.report, &order.report) {
            self.write(self.report(evidence), report.as_bytes())?;
        }
        self.put(&switch)?;
        Ok(Found::Switch(switch))
    }

    /// Ends a trial: what stood before it stands again. What is no trial stays.
    fn undo(&self, there: Found) -> Result<Found, Error> {
        let Found::Switch(Switch { trial: Some(trial), .. }) = there else { return Ok(there) };
        let Some(before) = trial.before else {
            let path = self.file();
            let removed = std::fs::remove_file(&path);
            return match removed {
                Err(source) => Err(Error::Write { path, source }),
                Ok(()) => Ok(Found::Nothing),
            };
        };
        self.put(&before)?;
        Ok(Found::Switch(*before))
    }

    fn put(&self, switch: &Switch) -> Result<(), Error> {
        let text = serde_json::to_string_pretty(switch).map_err(io::Error::from);
        let text = text.map_err(|source| Error::Write { path: self.file(), source })?;
        self.write(self.file(), (text + "\n").as_bytes())
    }

    fn write(&self, path: PathBuf, bytes: &[u8]) -> Result<(), Error> {
        atomic::write(&path, bytes).map_err(|source| Error::Write { path, source })
    }

    /// The report of a switch; `None` where it is not there as it was sent.
    pub fn kept(&self, evidence: &Evidence) -> Option<Vec<u8>> {
        let bytes = read(&self.report(evidence), LARGEST_REPORT as u64).ok()??;
        (blake3::hash(&bytes).to_hex().as_str() == evidence.blake3).then_some(bytes)
    }

    /// What is wrong with the report of a switch, where anything is.
    pub fn doubt(&self, evidence: &Evidence) -> Option<String> {
        match read(&self.report(evidence), LARGEST_REPORT as u64) {
            Ok(Some(bytes)) => (blake3::hash(&bytes).to_hex().as_str() != evidence.blake3)
                .then(|| "it is not the one that the switch was turned with".to_owned()),
            Ok(None) => Some("it is not there".to_owned()),
            Err(error) => Some(format!("it cannot be read: {error}")),
        }
    }
}

/// The beginning of a hash, for the name of a file. Of one that is none no path is made.
pub fn digits(hash: &str) -> String {
    hash.chars().filter(char::is_ascii_hexdigit).take(16).collect()
}

/// The bytes of a regular file; `None` where nothing is there.
fn read(path: &Path, most: u64) -> io::Result<Option<Vec<u8>>> {
    let meta = match path.metadata() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        other => other?,
    };
    if !meta.is_file() {
        return Err(io::Error::other("it is not a regular file"));
    }
    let mut bytes = Vec::new();
    std::fs::File::open(path)?.take(most + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        return Err(io::ErrorKind::FileTooLarge.into());
    }
    Ok(Some(bytes))
}

#[cfg(test)]
mod tests;
