//! Files that are there whole or not at all.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

/// How names begin of files that a crash may leave.
pub const TEMPORARY: &str = ".tmp";

/// Writes a file so that a crash at any point leaves the old one or the new one.
///
/// Temporary file in the same directory, fsync, rename, fsync of the directory; mode 0600.
///
/// # Errors
/// Any step's failure; the old file stands then.
pub fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    write_by(TEMPORARY, path, bytes)
}

/// Does what [`write()`] does, by a temporary file whose name begins with this.
///
/// # Errors
/// Any step's failure; the old file stands then.
pub fn write_by(prefix: &str, path: &Path, bytes: &[u8]) -> io::Result<()> {
    put(&temporary(prefix), path, bytes, false)
}

/// Writes a file that others may read too, as [`write()`] does: mode 0644, less what the umask takes. A new one is
/// never written over another that was made meanwhile.
///
/// # Errors
/// Any step's failure; as those of [`write()`], and where it is new of [`create()`].
pub fn shared(path: &Path, bytes: &[u8], is_new: bool) -> io::Result<()> {
    let mut builder = temporary(TEMPORARY);
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o644));
    put(&builder, path, bytes, is_new)
}

/// Writes a new file, whole or not at all, as [`write()`] does.
///
/// # Errors
/// Any step's failure; [`io::ErrorKind::AlreadyExists`] where something has the name, be it a link that
/// leads nowhere.
pub fn create(path: &Path, bytes: &[u8]) -> io::Result<()> {
    put(&temporary(TEMPORARY), path, bytes, true)
}

fn temporary(prefix: &str) -> tempfile::Builder<'_, 'static> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(prefix);
    builder
}

fn put(
    builder: &tempfile::Builder<'_, '_>,
    path: &Path,
    bytes: &[u8],
    is_new: bool,
) -> io::Result<()> {
    let dir = dir_of(path);
    let mut temp = builder.tempfile_in(dir)?;
    temp.write_all(bytes)?;
    temp.as_file().sync_all()?;
    match is_new {
        true => temp.persist_noclobber(path),
        false => temp.persist(path),
    }
    .map_err(|e| e.error)?;
    sync_dir(dir)
}

/// The directory in which a path is: `.` for a name alone.
pub fn dir_of(path: &Path) -> &Path {
    path.parent().filter(|dir| !dir.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// How files of our own are opened: made where absent, with mode 0600.
pub fn private() -> fs::OpenOptions {
    let mut options = File::options();
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.create(true);
    options
}

/// Opens an empty file to write, with mode 0600.
///
/// # Errors
/// The file cannot be made.
pub fn private_file(path: &Path) -> io::Result<File> {
    private().write(true).truncate(true).open(path)
}

/// Makes renames and new names in a directory durable.
///
/// # Errors
/// The directory cannot be opened or synced.
pub fn sync_dir(dir: &Path) -> io::Result<()> {
    File::open(dir)?.sync_all()
}

/// Makes a directory and its parents; each that is new with mode 0700.
///
/// # Errors
/// The directory cannot be made; where something else is in its way, the error names that.
pub fn private_dir(dir: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.recursive(true).create(dir).map_err(|error| obstacle(dir).unwrap_or(error))
}

/// Looks whether a directory is there or may be made, and makes nothing.
///
/// # Errors
/// Something else is in its way; the error names that.
pub fn check_dir(dir: &Path) -> io::Result<()> {
    obstacle(dir).map_or(Ok(()), Err)
}

/// What is in the way of a directory: a link that leads nowhere, or a file. The system says of both only
/// that something exists.
fn obstacle(dir: &Path) -> Option<io::Error> {
    let (at, meta) = dir.ancestors().find_map(|at| Some((at, at.symlink_metadata().ok()?)))?;
    let shown = at.display();
    if meta.is_symlink()
        && fs::metadata(at).is_err_and(|error| error.kind() == io::ErrorKind::NotFound)
    {
        let target = fs::read_link(at).ok()?;
        let text = format!("{shown} is a link to {}, which does not exist", target.display());
        return Some(io::Error::new(io::ErrorKind::NotFound, text));
    }
    match fs::metadata(at) {
        Ok(meta) if meta.is_dir() => None,
        Ok(_) => {
            let text = format!("{shown} is not a directory");
            Some(io::Error::new(io::ErrorKind::NotADirectory, text))
        }
        Err(error) => Some(error),
    }
}
