//! One question in its file.

use super::{TEMPORARY, is_sha, name};
use crate::engine::task_question::{MaskedQuestion, TaskQuestion};
use crate::files::atomic;
use serde::{Deserialize, Serialize};
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

/// Most bytes of a file: two texts of 32 KiB, of which JSON may write every byte as six.
pub const MOST_BYTES: u64 = 512 << 10;

/// Name and version of the format.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
enum Format {
    #[default]
    #[serde(rename = "foureyes/question/1")]
    Question1,
}

/// What a file says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Written {
    schema: Format,
    #[serde(flatten)]
    question: TaskQuestion,
    /// Secrets that are masked in it: then its hash is another one than that of the task.
    #[serde(default)]
    masked: usize,
}

/// Why the file of a question is not used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Unusable {
    /// Its name is no hash.
    #[error("its name is not a hash")]
    Name,
    /// It is a link, a directory, a pipe or the like.
    #[error("it is not a regular file")]
    Kind,
    /// It is longer than any question.
    #[error("it has more than {MOST_BYTES} bytes")]
    Long,
    /// It cannot be read.
    #[error("it cannot be read")]
    Read(#[source] io::Error),
    /// It is not what is written here.
    #[error("it is not a question file")]
    Format(#[source] serde_json::Error),
    /// Its texts are others than its name says.
    #[error("its texts do not have the hash that it is named by")]
    Hash,
}

/// Reads the bytes of a file by the hash that names it. Texts without a masked secret have that hash. What looks like a
/// secret here is masked, whatever the writer did.
///
/// # Errors
/// Bytes that are no question, or that of another one.
pub fn parse(sha: &str, bytes: &[u8]) -> Result<MaskedQuestion, Unusable> {
    if bytes.len() as u64 > MOST_BYTES {
        return Err(Unusable::Long);
    }
    let Written { question, masked, .. } =
        serde_json::from_slice(bytes).map_err(Unusable::Format)?;
    if masked == 0 && question.sha() != sha {
        return Err(Unusable::Hash);
    }
    let shown = MaskedQuestion::new(&question);
    Ok(MaskedQuestion { masked: shown.masked.saturating_add(masked), ..shown })
}

/// Reads the question of a hash from a directory; `None` where there is none.
///
/// # Errors
/// A file that is there and is not used.
pub fn read(directory: &Path, sha: &str) -> Result<Option<MaskedQuestion>, Unusable> {
    if !is_sha(sha) {
        return Err(Unusable::Name);
    }
    let path = directory.join(name(sha));
    // Looked at before it is opened: a pipe would wait, and a link lead elsewhere.
    let meta = match fs::symlink_metadata(&path) {
        Err(error) if is_absent(&error) => return Ok(None),
        found => found.map_err(Unusable::Read)?,
    };
    if !meta.is_file() {
        return Err(Unusable::Kind);
    }
    let mut bytes = Vec::new();
    let file = File::open(&path).map_err(Unusable::Read)?;
    file.take(MOST_BYTES + 1).read_to_end(&mut bytes).map_err(Unusable::Read)?;
    parse(sha, &bytes).map(Some)
}

/// Whether nothing can be there: a directory is missing, or a file is in its place.
fn is_absent(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

/// Writes a question under a hash into a directory, which is made where it is missing; whole or not at all, and
/// readable by nobody else.
///
/// # Errors
/// A step that failed.
pub fn write(directory: &Path, sha: &str, held: &MaskedQuestion) -> io::Result<()> {
    private(directory)?;
    let MaskedQuestion { question, masked } = held.clone();
    let bytes = serde_json::to_vec(&Written { schema: Format::default(), question, masked })?;
    if !is_sha(sha) || bytes.len() as u64 > MOST_BYTES {
        return Err(io::Error::other("its texts are too long, or its name is not a hash"));
    }
    atomic::write_by(TEMPORARY, &directory.join(name(sha)), &bytes)
}

/// Makes the directory. One that others may use is somebody else's and stays as it is.
fn private(directory: &Path) -> io::Result<()> {
    match fs::symlink_metadata(directory) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => atomic::private_dir(directory),
        Ok(meta) if meta.is_dir() => match is_private(&meta) {
            true => Ok(()),
            false => Err(io::Error::other(
                "others may use the directory: give it to this user alone, with mode 0700",
            )),
        },
        Ok(_) => Err(io::Error::other("it is not a directory")),
        Err(error) => Err(error),
    }
}

/// Whether a directory is this user's, and nobody else's.
#[cfg(unix)]
fn is_private(meta: &fs::Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    meta.mode() & 0o077 == 0 && meta.uid() == rustix::process::geteuid().as_raw()
}

#[cfg(not(unix))]
fn is_private(_: &fs::Metadata) -> bool {
    true
}
