//! What the operator has seen: how far each log reached when it was looked at.

use crate::domain::{NewSince, Timestamp, Window};
use crate::store::atomic;
use crate::store::cache::{Archive, CacheError};
use crate::store::paths::DataDir;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};

/// A mark that everything read so far has been looked at.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Seen {
    schema: String,
    /// When it was marked.
    pub at: Timestamp,
    logs: Vec<SeenLog>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct SeenLog {
    #[serde(rename = "box")]
    box_name: String,
    name: String,
    bytes: u64,
}

/// The mark could not be read or written.
#[derive(Debug, thiserror::Error)]
#[error("cannot {attempt} {}", path.display())]
pub struct SeenError {
    attempt: &'static str,
    path: PathBuf,
    #[source]
    source: io::Error,
}

const SCHEMA: &str = "foureyes/seen/1";

impl Seen {
    /// Marks what an archive holds now.
    pub fn mark(archive: &Archive, at: Timestamp) -> Self {
        let log = |f: &crate::store::cache::FileReport| SeenLog {
            box_name: f.box_name.clone(),
            name: f.path.display().to_string(),
            bytes: f.settled,
        };
        let logs = archive.files().iter().map(log).collect();
        Self { schema: SCHEMA.to_owned(), at, logs }
    }

    /// The mark of a collection, where one was set.
    ///
    /// # Errors
    /// A file that is there and cannot be read, or is no mark.
    pub fn load(data: &DataDir, collection: &Path) -> Result<Option<Self>, SeenError> {
        let path = file(data, collection);
        let fail = |source| SeenError { attempt: "read", path: path.clone(), source };
        match std::fs::read(&path) {
            Ok(text) => serde_json::from_slice(&text).map(Some).map_err(|e| fail(e.into())),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(fail(error)),
        }
    }

    /// Keeps the mark.
    ///
    /// # Errors
    /// A session directory that cannot be written.
    pub fn save(&self, data: &DataDir, collection: &Path) -> Result<(), SeenError> {
        let path = file(data, collection);
        let write = || -> io::Result<()> {
            atomic::private_dir(&data.session())?;
            atomic::write(&path, &serde_json::to_vec(self)?)
        };
        write().map_err(|source| SeenError { attempt: "write", path: path.clone(), source })
    }

    /// Counts what came after the mark: records at places that no log reached then.
    ///
    /// # Errors
    /// A cache that cannot be read.
    pub fn new_in(&self, archive: &Archive, window: Window) -> Result<NewSince, CacheError> {
        let known: HashMap<(&str, &str), u64> =
            self.logs.iter().map(|l| ((l.box_name.as_str(), l.name.as_str()), l.bytes)).collect();
        let reached: Vec<u64> = archive
            .files()
            .iter()
            .map(|f| {
                let path = f.path.display().to_string();
                let bytes = known.get(&(f.box_name.as_str(), path.as_str())).copied();
                // One that is shorter now is another one: all of it is new.
                bytes.filter(|bytes| *bytes <= f.bytes).unwrap_or(0)
            })
            .collect();
        let (records, flagged) = archive.beyond(window, &reached)?;
        Ok(NewSince { seen: self.at, records, flagged })
    }
}

fn file(data: &DataDir, collection: &Path) -> PathBuf {
    let name = collection.file_name().map(|n| n.to_string_lossy().into_owned());
    data.session().join(format!("seen-{}.json", name.unwrap_or_default()))
}
