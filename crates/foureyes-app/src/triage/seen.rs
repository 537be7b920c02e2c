//! What the operator has seen: how far each log reached when it was looked at.

use crate::domain::{NewSince, Timestamp, Window};
use crate::files::atomic;
use crate::files::paths::DataDir;
use crate::store::cache::{Archive, CacheError, FileReport};
use crate::store::fingerprint::Fingerprint;
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
    /// Of those bytes; a mark of an earlier version has none.
    #[serde(default)]
    print: Option<Fingerprint>,
}

impl SeenLog {
    /// How many bytes of a log were seen: none where another log stands in its place.
    fn reached_in(&self, file: &FileReport) -> Result<u64, CacheError> {
        if self.bytes > file.bytes {
            return Ok(0);
        }
        let same = self.print.as_ref().map_or(Ok(true), |print| file.begins_as(print))?;
        Ok(if same { self.bytes } else { 0 })
    }
}

/// The mark could not be read or written.
#[derive(Debug, thiserror::Error)]
#[error("failed to {attempt} {}", path.display())]
pub struct SeenError {
    attempt: &'static str,
    path: PathBuf,
    #[source]
    source: io::Error,
}

impl SeenError {
    /// Tells whether it was to be written.
    pub fn is_write(&self) -> bool {
        self.attempt == "write"
    }
}

const SCHEMA: &str = "foureyes/seen/1";

impl Seen {
    /// Marks what an archive of this machine holds now.
    pub fn mark(archive: &Archive, at: Timestamp) -> Self {
        let log = |f: &FileReport| SeenLog {
            box_name: f.box_name.clone(),
            name: f.path.display().to_string(),
            bytes: f.settled,
            print: Some(f.print.clone()),
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
            Ok(text) => Self::parse(&text).map(Some).map_err(fail),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(fail(error)),
        }
    }

    /// Reads a mark. What is in one of a later version is not known here.
    fn parse(text: &[u8]) -> io::Result<Self> {
        let mark: Self = serde_json::from_slice(text)?;
        if mark.schema != SCHEMA {
            let text = format!("its schema is {:?}, not {SCHEMA:?}", mark.schema);
            return Err(io::Error::new(io::ErrorKind::InvalidData, text));
        }
        Ok(mark)
    }

    /// Keeps the mark. One that cannot be read, of a later version too, is not replaced.
    ///
    /// # Errors
    /// A session directory that cannot be written, or a file there that is no mark.
    pub fn save(&self, data: &DataDir, collection: &Path) -> Result<(), SeenError> {
        Self::load(data, collection)?;
        let path = file(data, collection);
        let write = || -> io::Result<()> {
            atomic::private_dir(&data.session())?;
            atomic::write(&path, &serde_json::to_vec(self)?)
        };
        write().map_err(|source| SeenError { attempt: "write", path: path.clone(), source })
    }

    /// How many bytes of each log of an archive were seen, in the order of its files.
    ///
    /// # Errors
    /// A log that cannot be read.
    pub fn reached(&self, archive: &Archive) -> Result<Vec<u64>, CacheError> {
        let known: HashMap<(&str, &str), &SeenLog> =
            self.logs.iter().map(|l| ((l.box_name.as_str(), l.name.as_str()), l)).collect();
        let reached = archive.files().iter().map(|file| {
            let path = file.path.display().to_string();
            let log = known.get(&(file.box_name.as_str(), path.as_str()));
            log.map_or(Ok(0), |log| log.reached_in(file))
        });
        reached.collect()
    }

    /// Counts what came after the mark: records at places that no log reached then.
    ///
    /// # Errors
    /// A cache or a log that cannot be read.
    pub fn new_in(&self, archive: &Archive, window: Window) -> Result<NewSince, CacheError> {
        let reached = self.reached(archive)?;
        let beyond = archive.here().map(|here| here.beyond(window, &reached)).transpose()?;
        let (records, flagged) = beyond.unwrap_or_default();
        Ok(NewSince { seen: self.at, records, flagged })
    }
}

fn file(data: &DataDir, collection: &Path) -> PathBuf {
    let name = collection.file_name().map(|n| n.to_string_lossy().into_owned());
    data.session().join(format!("seen-{}.json", name.unwrap_or_default()))
}
