//! What is remembered of a box: one small file, replaced as a whole.

pub(in crate::store) mod history;
mod notice;

pub use history::PullEntry;
pub use notice::{Fact, NAMED, Notice};

use super::cursor::{Cursor, RemotePath};
use super::mirror::Error;
use super::names;
use crate::domain::log_name::is_packed;
use crate::domain::{FileCounts, Timestamp};
use crate::files::atomic;
use serde::{Deserialize, Serialize};
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

/// Written into the file; another one is not touched.
const SCHEMA: &str = "foureyes/mirror/1";
/// The file's name in the box's directory.
const NAME: &str = "state.json";

/// The last pulls of a box, as far as they are remembered.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct BoxRecord {
    /// Start of the last pull that got everything.
    pub last_success: Option<Timestamp>,
    /// Start of the last pull.
    pub last_attempt: Option<Timestamp>,
    /// Why the last pull failed; `None` where it did not. Raw text: escape it to print it.
    pub last_error: Option<String>,
    /// What the last pull noticed, and what recent ones noticed that must not be missed.
    pub notices: Vec<Notice>,
    /// Where the files went that the last listing showed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub listed: Option<FileCounts>,
}

/// A copy: one content that stood, or stands, under a path.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// Where it stands on the box, or last stood.
    pub path: RemotePath,
    /// Which content of that name it is, from 0.
    pub generation: u32,
    /// Name of the copy.
    pub local: String,
    /// Whether it still stood there when last looked at.
    pub live: bool,
    /// Whether the copy is compressed, as the file on the box is.
    pub gzip: bool,
    /// Whether the file on the box is the copy, compressed: it was compressed since.
    pub archived: bool,
    /// The copy is not what was pulled. It does not count once the file was pulled again.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub damaged: bool,
    /// How far it was copied.
    pub cursor: Cursor,
    /// Bytes of it that were searched for tasks whose questions are to be asked for.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub asked_upto: u64,
}

/// A question of a task that a log on a box names, and that is still to be taken.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OpenQuestion {
    /// Its directory on the box.
    pub directory: String,
    /// The hash in its name.
    pub sha: String,
    /// When the task was last judged; where no line says, when the line was read.
    pub at: Timestamp,
    /// Why the last try took nothing; `None` where it was not tried.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
}

fn is_zero(number: &u64) -> bool {
    *number == 0
}

/// All that is remembered of a box.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BoxStore {
    schema: String,
    #[serde(rename = "box")]
    box_name: String,
    /// The last pulls.
    #[serde(flatten)]
    pub record: BoxRecord,
    /// What its link brought.
    #[serde(default)]
    pub speed: Speed,
    /// How many copies were checked in turn, over all pulls.
    #[serde(default)]
    pub checked: u64,
    /// Questions that the next pull asks for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub open_questions: Vec<OpenQuestion>,
    /// Copies, in the order they were begun. None is ever taken out.
    pub files: Vec<Entry>,
}

/// What the link to a box brought of late, in bytes of logs a second.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Speed {
    /// Compressed on the way; `None` where nobody measured it.
    pub packed: Option<u64>,
    /// As they are; `None` where nobody measured it.
    pub plain: Option<u64>,
    /// Whether they come as they are.
    pub plainly: bool,
    /// Pulls that brought much since both were measured.
    pub pulls: u32,
}

impl BoxStore {
    fn new(box_name: &str) -> Self {
        Self {
            schema: SCHEMA.to_owned(),
            box_name: box_name.to_owned(),
            record: BoxRecord::default(),
            speed: Speed::default(),
            checked: 0,
            open_questions: Vec::new(),
            files: Vec::new(),
        }
    }

    /// Reads it; an empty one where there is none. A damaged one is an error.
    pub(super) fn read(dir: &Path, box_name: &str) -> Result<Self, Error> {
        let path = dir.join(NAME);
        let bytes = match fs::read(&path) {
            Ok(bytes) => bytes,
            Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(Self::new(box_name)),
            Err(source) => return Err(Error::Read { path, source }),
        };
        let read: Self = serde_json::from_slice(&bytes)
            .map_err(|source| Error::Damaged { path: path.clone(), source })?;
        let named = read.files.iter().all(|f| is_name(&f.local));
        if read.schema != SCHEMA || read.box_name != box_name || !named {
            return Err(Error::Foreign { path, box_name: read.box_name, schema: read.schema });
        }
        Ok(read)
    }

    /// Reads it for pulling: a damaged one is put aside and made again from the copies.
    pub(super) fn read_or_recover(dir: &Path, box_name: &str) -> Result<(Self, bool), Error> {
        match Self::read(dir, box_name) {
            Err(Error::Damaged { path, .. }) => {
                let aside = free_name(&path);
                fs::rename(&path, &aside).map_err(|source| Error::Write { path, source })?;
                Ok((Self::recover(dir, box_name)?, true))
            }
            Ok(read) if read.files.is_empty() && read.record.last_attempt.is_none() => {
                let recovered = Self::recover(dir, box_name)?;
                let any = !recovered.files.is_empty();
                Ok((recovered, any))
            }
            other => other.map(|read| (read, false)),
        }
    }

    /// Takes up copies that no state tells of. Their names tell their paths; the next pull
    /// compares them with the box before it adds to them.
    fn recover(dir: &Path, box_name: &str) -> Result<Self, Error> {
        let files = dir.join("files");
        let failed = |source| Error::Read { path: files.clone(), source };
        let mut store = Self::new(box_name);
        for entry in fs::read_dir(&files).map_err(failed)? {
            let entry = entry.map_err(failed)?;
            // Questions of tasks are in a directory there.
            if entry.file_type().map_err(failed)?.is_dir() {
                continue;
            }
            let Ok(local) = entry.file_name().into_string() else { continue };
            let mut file = File::open(entry.path()).map_err(failed)?;
            let offset = file.metadata().map_err(failed)?.len();
            let (head, tail) = Cursor::blocks(&mut file, offset).map_err(failed)?;
            let (path, generation) = names::path_of(&local);
            let gzip = is_packed(&path.0);
            let cursor = Cursor { offset, stamp: None, head, tail, hashes: None };
            let live = true;
            store.files.push(Entry {
                path,
                generation,
                local,
                live,
                gzip,
                archived: false,
                damaged: false,
                cursor,
                asked_upto: 0,
            });
        }
        store.files.sort_by(|a, b| (&a.path, a.generation).cmp(&(&b.path, b.generation)));
        for i in 1..store.files.len() {
            let again = store.files[i].path == store.files[i - 1].path;
            store.files[i - 1].live = !again;
        }
        Ok(store)
    }

    /// Replaces the file: after a crash there is the old one or the new one.
    pub fn save(&self, dir: &Path) -> Result<(), Error> {
        let path = dir.join(NAME);
        let write = || atomic::write(&path, &serde_json::to_vec(self)?);
        write().map_err(|source: io::Error| Error::Write { path: path.clone(), source })
    }
}

/// One plain component: the state may not point out of its directory.
fn is_name(local: &str) -> bool {
    !local.is_empty() && !local.contains(['/', '\0']) && local != "." && local != ".."
}

fn free_name(path: &Path) -> PathBuf {
    let name = |n: u32| path.with_extension(format!("json.damaged-{n}"));
    (1..).map(name).find(|p| !p.exists()).unwrap_or_else(|| name(0))
}
