//! Byte-exact copies of the boxes' logs.
//!
//! `mirror/<box>/` holds `files/` with the copies, and in `files/questions/` the questions of tasks, `state.json` with how far each goes, `pulls.jsonl`
//! with how the last pulls went, and `lock`.
//! Bytes are written and synced first, then the state: what stands behind a cursor after a crash
//! does not count and is cut off by the next pull. A copy that counted is never shortened.

use super::cursor::RemotePath;
use super::names;
use super::state::{BoxRecord, BoxStore, Entry, PullEntry, history};
use crate::domain::log_name::is_packed;
use crate::files::atomic;
use crate::files::paths::DataDir;
use crate::questions;
use std::collections::HashMap;
use std::fs::{self, DirBuilder, File};
use std::io::{self, Seek, SeekFrom};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

/// The mirror of a box could not be read or written.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A name that cannot be a directory's.
    #[error("{name:?} cannot name a box's mirror")]
    BoxName {
        /// The name.
        name: String,
    },
    /// Reading failed.
    #[error("failed to read {}", path.display())]
    Read {
        /// What was read.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// Writing failed.
    #[error("failed to write {}", path.display())]
    Write {
        /// What was written.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The lock could not be taken for another reason than that somebody has it.
    #[error("failed to lock {}", path.display())]
    Lock {
        /// The lock's file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The state is no JSON of ours.
    #[error("{} is damaged", path.display())]
    Damaged {
        /// The state's file.
        path: PathBuf,
        /// Where.
        source: serde_json::Error,
    },
    /// The state is another box's or another version's.
    #[error("{} belongs to box {box_name:?} and has schema {schema:?}", path.display())]
    Foreign {
        /// The state's file.
        path: PathBuf,
        /// Whose it says it is.
        box_name: String,
        /// The schema it names.
        schema: String,
    },
    /// What came goes beyond a bound of the pull.
    #[error("more came than a bound allows")]
    Bound,
    /// A copy is shorter than it was.
    #[error("{} is shorter than what was copied", path.display())]
    Shortened {
        /// The copy.
        path: PathBuf,
    },
}

/// A copy, for reading.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MirrorFile {
    /// Where it is here.
    pub local: PathBuf,
    /// Where it stands, or last stood, on the box; lossy where that is no UTF-8, and raw.
    pub remote: String,
    /// Which content of that name it is, from 0; higher is later.
    pub generation: u32,
    /// How many bytes count. Never read past them.
    pub committed: u64,
    /// Whether its content is compressed.
    pub gzip: bool,
    /// Whether it stood on the box when last looked at.
    pub live: bool,
}

/// The copies of a box, and its last pulls: one small file is read. Nothing where nothing was
/// pulled yet.
pub fn files(data: &DataDir, box_name: &str) -> Result<(Vec<MirrorFile>, BoxRecord), Error> {
    let dir = directory(data, box_name)?;
    let store = BoxStore::read(&dir, box_name)?;
    let counts = counting(&store.files);
    let files = store.files.into_iter().filter(|f| counts(f)).map(|f| MirrorFile {
        local: dir.join("files").join(&f.local),
        remote: f.path.lossy(),
        generation: f.generation,
        committed: f.cursor.offset,
        gzip: f.gzip,
        live: f.live,
    });
    Ok((files.collect(), store.record))
}

/// The copies of a box where what is remembered of it has at most `most` bytes; and how many it has.
pub fn files_within(data: &DataDir, box_name: &str, most: u64) -> Option<(Vec<MirrorFile>, u64)> {
    let state = directory(data, box_name).ok()?.join("state.json");
    let bytes = fs::metadata(state).ok()?.len();
    if bytes > most {
        return None;
    }
    let (copies, _) = files(data, box_name).ok()?;
    Some((copies, bytes))
}

/// The boxes that anything was ever pulled from, those that are no longer configured among them, in the
/// order of their names.
pub fn boxes(data: &DataDir) -> Vec<String> {
    let found = fs::read_dir(data.mirror()).into_iter().flatten().filter_map(Result::ok);
    let name = |entry: fs::DirEntry| entry.file_name().into_string().ok();
    let is_box =
        |name: &String| directory(data, name).is_ok_and(|dir| dir.join("state.json").is_file());
    let mut names: Vec<String> = found.filter_map(name).filter(is_box).collect();
    names.sort_unstable();
    names
}

/// Tells which copies count: of a damaged one the box's file is the better one, as soon as it is here again.
pub fn counting(files: &[Entry]) -> impl Fn(&Entry) -> bool + use<> {
    let whole = |f: &&Entry| f.live && !f.damaged && f.cursor.stamp.is_some();
    let again: HashMap<RemotePath, u64> =
        files.iter().filter(whole).map(|f| (f.path.clone(), f.cursor.offset)).collect();
    move |f| !f.damaged || again.get(&f.path).is_none_or(|offset| *offset < f.cursor.offset)
}

/// How the last fifty pulls of a box went, the newest first. None where nothing was pulled yet.
pub fn pulls(data: &DataDir, box_name: &str) -> Result<Vec<PullEntry>, Error> {
    history::read(&directory(data, box_name)?)
}

fn directory(data: &DataDir, box_name: &str) -> Result<PathBuf, Error> {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-');
    let bad = box_name.is_empty() || box_name.len() > 64 || box_name.starts_with('-');
    if bad || matches!(box_name, "." | "..") || !box_name.chars().all(plain) {
        return Err(Error::BoxName { name: box_name.to_owned() });
    }
    Ok(data.mirror().join(box_name))
}

/// The first generation that is free, by the name without one.
#[derive(Debug, Default)]
pub struct Generations(HashMap<String, u32>);

impl Generations {
    /// Those of the copies that are known.
    pub fn new(known: &[Entry]) -> Self {
        let mut taken = HashMap::new();
        for entry in known {
            let base = names::base_of(&entry.local);
            let free = taken.entry(base.to_owned()).or_insert(0);
            *free = entry.generation.saturating_add(1).max(*free);
        }
        Self(taken)
    }
}

/// The mirror of one box, for writing. Whoever writes holds its lock.
#[derive(Debug, Clone)]
pub struct BoxMirror {
    dir: PathBuf,
    files: PathBuf,
    name: String,
}

impl BoxMirror {
    /// Opens it; its directories are made where they are missing, for their owner only.
    pub fn open(data: &DataDir, box_name: &str) -> Result<Self, Error> {
        let dir = directory(data, box_name)?;
        let files = dir.join("files");
        DirBuilder::new()
            .recursive(true)
            .mode(0o700)
            .create(&files)
            .map_err(|source| Error::Write { path: files.clone(), source })?;
        Ok(Self { dir, files, name: box_name.to_owned() })
    }

    /// The directory of the box.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// What is remembered, and whether it had to be made again.
    pub fn load(&self) -> Result<(BoxStore, bool), Error> {
        self.sweep();
        BoxStore::read_or_recover(&self.dir, &self.name)
    }

    /// Remembers how a pull went.
    pub fn remember(&self, entry: PullEntry) -> Result<(), Error> {
        history::add(&self.dir, entry)
    }

    /// Removes states that a crash kept from being put in place.
    fn sweep(&self) {
        for entry in fs::read_dir(&self.dir).into_iter().flatten().flatten() {
            if entry.file_name().as_encoded_bytes().starts_with(atomic::TEMPORARY.as_bytes()) {
                let _ = fs::remove_file(entry.path());
            }
        }
    }

    /// Where a copy is.
    pub fn path(&self, local: &str) -> PathBuf {
        self.files.join(local)
    }

    /// Where the questions of tasks are: beside the copies, as on the box they are beside the log.
    pub fn questions(&self) -> PathBuf {
        self.files.join(questions::DIRECTORY)
    }

    /// Opens a copy for reading.
    pub fn read(&self, local: &str) -> io::Result<File> {
        File::open(self.path(local))
    }

    /// Tells how long a copy is, what does not count included; 0 where there is none.
    pub fn length(&self, local: &str) -> u64 {
        fs::metadata(self.files.join(local)).map_or(0, |m| m.len())
    }

    /// Begins a copy under a name that no copy has.
    pub fn create(
        &self,
        path: &RemotePath,
        taken: &mut Generations,
    ) -> Result<(Entry, File), Error> {
        let base = names::local_name(path);
        let mut generation = taken.0.get(&base).copied().unwrap_or(0);
        loop {
            let local = names::with_generation(&base, generation);
            let at = self.files.join(&local);
            match File::options().read(true).write(true).create_new(true).mode(0o600).open(&at) {
                Ok(file) => {
                    taken.0.insert(base, generation + 1);
                    let entry = Entry {
                        path: path.clone(),
                        generation,
                        local,
                        live: true,
                        gzip: is_packed(&path.0),
                        archived: false,
                        damaged: false,
                        cursor: super::cursor::Cursor::default(),
                        asked_upto: 0,
                    };
                    return Ok((entry, file));
                }
                // Left from a crash, or of a name that differs in case only.
                Err(e) if e.kind() == io::ErrorKind::AlreadyExists => generation += 1,
                Err(source) => return Err(Error::Write { path: at, source }),
            }
        }
    }

    /// Opens a copy to add behind `offset`; what stands there does not count and is cut off.
    pub fn append(&self, local: &str, offset: u64) -> Result<File, Error> {
        let path = self.files.join(local);
        let open = || -> io::Result<Option<File>> {
            let mut file = File::options().read(true).write(true).open(&path)?;
            if file.metadata()?.len() < offset {
                return Ok(None);
            }
            file.set_len(offset)?;
            file.seek(SeekFrom::Start(offset))?;
            Ok(Some(file))
        };
        match open() {
            Ok(Some(file)) => Ok(file),
            Ok(None) => Err(Error::Shortened { path }),
            Err(source) => Err(Error::Write { path, source }),
        }
    }

    /// Removes a copy that was begun and never counted.
    pub fn forget(&self, begun: &Entry) {
        let _ = fs::remove_file(self.files.join(&begun.local));
    }

    /// Makes names of new copies last.
    pub fn sync_names(&self) -> Result<(), Error> {
        File::open(&self.files)
            .and_then(|d| d.sync_all())
            .map_err(|source| Error::Write { path: self.files.clone(), source })
    }
}

#[cfg(test)]
mod tests;
