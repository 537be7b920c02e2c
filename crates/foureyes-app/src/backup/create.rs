//! Making an archive while others may write.

use super::hashed::Hashed;
use super::manifest::{CONFIG, DATA, MANIFEST, Manifest, is_entry};
use super::{BackupError, Summary};
use crate::domain::Timestamp;
use crate::files::atomic::TEMPORARY;
use crate::files::paths::DataDir;
use crate::store::lock::BoxLock;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

/// Name of the locks in a data directory: they hold nothing.
const LOCK: &str = "lock";

/// Writes an archive of the data directory and of the configuration file, if there is one.
///
/// Ledgers and sessions end at their last whole line. A mirror is locked while it is read, so that
/// its bytes and its cursor agree.
///
/// # Errors
/// A file that cannot be read or changes, a mirror that is being written, an output that fails.
pub fn create(
    data: &DataDir,
    config: Option<&Path>,
    now: Timestamp,
    out: impl Write,
) -> Result<Summary, BackupError> {
    let mut left_out = Vec::new();
    let mut files = Vec::new();
    list(data.root(), data.cache(), &mut files, &mut left_out)?;
    let _locks = lock_mirrors(&data.mirror())?;

    let stream = zstd::Encoder::new(out, 0).map_err(BackupError::Write)?;
    let mut archive = Archive { tar: tar::Builder::new(stream), manifest: Manifest::new(now) };
    for path in files {
        let inside = path.strip_prefix(data.root()).unwrap_or(&path);
        match inside.to_str().map(|name| format!("{DATA}{name}")).filter(|name| is_entry(name)) {
            Some(name) => archive.add(name, &path, is_lines(data, &path))?,
            None => left_out.push(path),
        }
    }
    if let Some(path) = config {
        archive.add(CONFIG.to_owned(), path, false)?;
    }
    let summary = archive.manifest.summary();
    archive.finish().map_err(BackupError::Write)?;
    Ok(Summary { left_out, ..summary })
}

/// Files whose end may be a line that is being written.
fn is_lines(data: &DataDir, path: &Path) -> bool {
    path.starts_with(data.ledger()) || path.starts_with(data.session())
}

/// Lists the regular files of a directory in the order of their names, without cache, locks and what
/// a crash left.
fn list(
    dir: &Path,
    cache: &Path,
    files: &mut Vec<PathBuf>,
    left_out: &mut Vec<PathBuf>,
) -> Result<(), BackupError> {
    let failed = |source| BackupError::Read { path: dir.to_owned(), source };
    let entries = match fs::read_dir(dir) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        entries => entries.map_err(failed)?,
    };
    let mut entries = entries.collect::<Result<Vec<_>, _>>().map_err(failed)?;
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let (path, name) = (entry.path(), entry.file_name());
        let kind = entry.file_type().map_err(failed)?;
        let temporary = name.as_encoded_bytes().starts_with(TEMPORARY.as_bytes());
        if path == cache || temporary || name == LOCK {
            continue;
        }
        match (kind.is_dir(), kind.is_file()) {
            (true, _) => list(&path, cache, files, left_out)?,
            (_, true) => files.push(path),
            _ => left_out.push(path),
        }
    }
    Ok(())
}

/// Takes the locks of all mirrors.
fn lock_mirrors(mirror: &Path) -> Result<Vec<BoxLock>, BackupError> {
    let Ok(entries) = fs::read_dir(mirror) else { return Ok(Vec::new()) };
    let dirs = entries.flatten().map(|entry| entry.path()).filter(|dir| dir.join(LOCK).is_file());
    dirs.map(|path| match BoxLock::try_take(&path) {
        Ok(Some(lock)) => Ok(lock),
        Ok(None) => Err(BackupError::Busy { path }),
        Err(error) => Err(BackupError::Read { path, source: io::Error::other(error) }),
    })
    .collect()
}

struct Archive<W: Write> {
    tar: tar::Builder<zstd::Encoder<'static, W>>,
    manifest: Manifest,
}

impl<W: Write> Archive<W> {
    /// Adds a file as long as it is now; of lines only the whole ones.
    fn add(&mut self, name: String, path: &Path, lines: bool) -> Result<(), BackupError> {
        let failed = |source| BackupError::Read { path: path.to_owned(), source };
        let mut file = File::open(path).map_err(failed)?;
        let bytes = match lines {
            true => whole_lines(&mut file).map_err(failed)?,
            false => file.metadata().map_err(failed)?.len(),
        };
        let mut reader = Hashed::new(file.take(bytes));
        self.append(&name, bytes, &mut reader).map_err(BackupError::Write)?;
        let entry = reader.entry(name);
        if entry.bytes < bytes {
            return Err(BackupError::Changed { path: path.to_owned() });
        }
        self.manifest.files.push(entry);
        Ok(())
    }

    fn append(&mut self, name: &str, bytes: u64, reader: &mut dyn Read) -> io::Result<()> {
        let mut header = tar::Header::new_gnu();
        header.set_size(bytes);
        header.set_mode(0o600);
        header.set_mtime(self.manifest.created.0.div_euclid(1_000_000).max(0).unsigned_abs());
        self.tar.append_data(&mut header, name, reader)
    }

    fn finish(mut self) -> io::Result<()> {
        let manifest = serde_json::to_vec(&self.manifest)?;
        self.append(MANIFEST, manifest.len() as u64, &mut manifest.as_slice())?;
        self.tar.into_inner()?.finish()?.flush()
    }
}

/// The length of a file up to its last line feed; the file is at its beginning afterwards.
fn whole_lines(file: &mut File) -> io::Result<u64> {
    use std::io::{Seek, SeekFrom};
    const STEP: u64 = 64 << 10;
    let mut end = file.metadata()?.len();
    let mut buffer = Vec::new();
    let length = loop {
        let start = end.saturating_sub(STEP);
        file.seek(SeekFrom::Start(start))?;
        buffer.clear();
        Read::take(&mut *file, end - start).read_to_end(&mut buffer)?;
        if let Some(at) = memchr::memrchr(b'\n', &buffer) {
            break start + at as u64 + 1;
        }
        if start == 0 {
            break 0;
        }
        end = start;
    };
    file.seek(SeekFrom::Start(0))?;
    Ok(length)
}
