//! Opening a collection: from its cache, or aside from it where that cannot be written.

use super::archive::Archive;
use super::collection::{Aside, Collection};
use super::ingest;
use super::manifest;
use super::{CacheError, Cached, Cancel, FileReport, Request};
use crate::files::atomic;
use crate::frame::FrameError;
use std::io::ErrorKind;
use std::path::Path;
use tempfile::TempDir;

/// Where a cache is in memory, on systems that have such a place.
const IN_MEMORY: &str = "/dev/shm";

impl Archive {
    /// Opens a collection: see [`Collection::open`].
    ///
    /// # Errors
    /// A log that cannot be read, or a cache that can be written nowhere.
    pub fn open(request: &Request<'_>) -> Result<Self, CacheError> {
        Collection::open(request).map(Self::from)
    }

    /// Why the cache could not be written, where it could not; raw text.
    pub fn aside(&self) -> Option<&str> {
        self.here().and_then(Collection::aside)
    }

    /// What of the logs lies beyond a bound and is not read, a sentence a log. Raw text.
    pub fn beyond_bounds(&self) -> impl Iterator<Item = String> + '_ {
        self.files().iter().filter_map(FileReport::beyond_bounds)
    }

    /// Reads what lists, filters and records need: see [`Collection::warm`].
    ///
    /// # Errors
    /// As [`Archive::tally`].
    pub fn warm(&self, cancel: Cancel<'_>) -> Cached<bool> {
        self.here().map_or(Ok(true), |here| here.warm(cancel))
    }

    /// Bytes kept in memory now.
    pub fn kept_bytes(&self) -> usize {
        self.here().map_or(0, Collection::kept_bytes)
    }

    /// Drops what the cache says, so that the next opening reads the logs anew.
    pub fn forget(&self) {
        if let Some(here) = self.here() {
            here.forget();
        }
    }
}

impl Collection {
    /// Opens a collection, reading first what its logs have grown.
    ///
    /// A damaged cache is made again once; the logs are only read. A cache that cannot be written is
    /// read as it is, where nothing grew since; else one is made in memory, for this archive alone.
    ///
    /// # Errors
    /// A log that cannot be read, or a cache that can be written nowhere.
    pub fn open(request: &Request<'_>) -> Result<Self, CacheError> {
        let error = match Self::open_writing(request) {
            Err(error) if cannot_write(&error) => error,
            other => return other,
        };
        let why = crate::domain::chain(&error);
        let (mut archive, dir) = match Self::open_reading(request) {
            Ok(Some(archive)) => (archive, None),
            _ => match Self::open_elsewhere(request) {
                Some((archive, dir)) => (archive, Some(dir)),
                None => (Self::open_in_memory(request)?, None),
            },
        };
        archive.aside = Some(Aside { why, _dir: dir });
        Ok(archive)
    }

    /// Why the cache could not be written, where it could not; raw text.
    pub fn aside(&self) -> Option<&str> {
        self.aside.as_ref().map(|aside| &*aside.why)
    }

    fn open_writing(request: &Request<'_>) -> Cached<Self> {
        let dir = request.dir;
        atomic::private_dir(dir).map_err(CacheError::file("make", dir))?;
        let lock_path = dir.join("lock");
        let lock =
            atomic::private_file(&lock_path).map_err(CacheError::file("open", &lock_path))?;
        lock.lock().map_err(CacheError::file("lock", &lock_path))?;
        let mut archive = match Self::open_locked(request) {
            Err(error) if error.is_damage() => {
                let manifest = dir.join(manifest::NAME);
                std::fs::remove_file(&manifest).map_err(CacheError::file("remove", &manifest))?;
                Self::open_locked(request)
            }
            other => other,
        }?;
        let path = dir.join("readers");
        let readers = manifest::readers(dir).map_err(CacheError::file("open", &path))?;
        readers.lock_shared().map_err(CacheError::file("lock", &path))?;
        archive._readers = Some(readers);
        Ok(archive)
    }

    fn open_locked(request: &Request<'_>) -> Cached<Self> {
        let (manifest, order) = ingest::refresh(request)?;
        Self::made_of(request, &manifest, &order)
    }

    /// The cache as it is, where it holds all that the logs do.
    fn open_reading(request: &Request<'_>) -> Cached<Option<Self>> {
        let path = request.dir.join("readers");
        let readers = std::fs::File::open(&path).map_err(CacheError::file("open", &path))?;
        readers.lock_shared().map_err(CacheError::file("lock", &path))?;
        let Some((manifest, order)) = ingest::unchanged(request)? else { return Ok(None) };
        let mut archive = Self::made_of(request, &manifest, &order)?;
        archive._readers = Some(readers);
        Ok(Some(archive))
    }

    /// An archive with a cache of its own, in memory or where temporary files are.
    fn open_elsewhere(request: &Request<'_>) -> Option<(Self, TempDir)> {
        let in_memory = || tempfile::tempdir_in(Path::new(IN_MEMORY));
        let places: [&dyn Fn() -> std::io::Result<TempDir>; 2] = [&in_memory, &tempfile::tempdir];
        places.into_iter().find_map(|make| {
            let dir = make().ok()?;
            let own = Request { dir: dir.path(), ..*request };
            Some((Self::open_writing(&own).ok()?, dir))
        })
    }
}

/// Whether the place of a cache takes no bytes. A wrong path is a mistake to report instead.
fn cannot_write(error: &CacheError) -> bool {
    let kind = match error {
        CacheError::File { source, .. } => source.kind(),
        CacheError::Frame { source: FrameError::Write(source), .. } => source.kind(),
        _ => return false,
    };
    matches!(
        kind,
        ErrorKind::PermissionDenied
            | ErrorKind::ReadOnlyFilesystem
            | ErrorKind::StorageFull
            | ErrorKind::QuotaExceeded
            | ErrorKind::FileTooLarge
            | ErrorKind::IsADirectory
    )
}
