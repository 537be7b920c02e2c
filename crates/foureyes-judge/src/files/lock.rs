//! Locks between processes: on a file, on a directory, or by a name.

use super::atomic;
use std::fs::{File, Metadata, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Time between two tries for the lock.
const STEP: Duration = Duration::from_micros(500);
/// How often a file is opened that others remove.
const MOST_TRIES: usize = 100;

/// How a lock is tried for.
pub type TryLock = fn(&File) -> Result<(), TryLockError>;

/// Waits for the lock of a directory, which is free once the file is dropped or its process is gone.
/// `None` where there is none to be had: the directory cannot be opened, or its file system has no
/// locks.
///
/// # Errors
/// Another process has it until `until`.
pub fn in_directory(dir: &Path, until: Instant) -> io::Result<Option<File>> {
    let Ok(file) = File::open(dir) else { return Ok(None) };
    Ok(wait(&file, until, File::try_lock)?.then_some(file))
}

/// Waits for a lock; tells whether there is one. A file system that has none (many a network's) is
/// no reason to lose a record.
///
/// # Errors
/// Another process has it until `until`.
pub fn wait(file: &File, until: Instant, try_lock: TryLock) -> io::Result<bool> {
    loop {
        match try_lock(file) {
            Ok(()) => return Ok(true),
            Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(TryLockError::Error(_)) => return Ok(false),
            Err(TryLockError::WouldBlock) if Instant::now() >= until => {
                return Err(io::Error::new(io::ErrorKind::TimedOut, "another process has it"));
            }
            Err(TryLockError::WouldBlock) => std::thread::sleep(STEP),
        }
    }
}

/// A lock by a name: a file that nobody else has. It is gone once this is dropped; where its process is
/// killed, the file stays, and its lock is free.
#[derive(Debug)]
pub struct Named {
    path: PathBuf,
    _file: File,
}

/// What came of a try for a lock by a name.
#[derive(Debug)]
pub enum Tried {
    /// Nobody else has it.
    Held(Named),
    /// Another process has it.
    Busy,
    /// There is none to be had: its file cannot be made, or the file system has no locks.
    Unlocked,
}

/// Tries once for the lock of a name in a directory, which is made where it is absent. The name is a file
/// name of ours.
pub fn by_name(dir: &Path, name: &str) -> Tried {
    by_name_with(dir, name, File::try_lock)
}

fn by_name_with(dir: &Path, name: &str, try_lock: TryLock) -> Tried {
    let path = dir.join(name);
    let mut failures = 0;
    // Whoever had it before may remove it, or its directory, between any two of these steps.
    for _ in 0..MOST_TRIES {
        if let Err(error) = atomic::private_dir(dir) {
            let other = dir.symlink_metadata().is_ok_and(|meta| !meta.is_dir());
            let gone = [io::ErrorKind::NotFound, io::ErrorKind::AlreadyExists];
            failures += 1;
            match !other && gone.contains(&error.kind()) {
                true => continue,
                false => return Tried::Unlocked,
            }
        }
        // What is made behind a link has another name.
        if path.is_symlink() {
            return Tried::Unlocked;
        }
        let file = match atomic::private().append(true).open(&path) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                failures += 1;
                continue;
            }
            Err(_) => return Tried::Unlocked,
        };
        match try_lock(&file) {
            Ok(()) if is_at(&file, &path) => return Tried::Held(Named { path, _file: file }),
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Tried::Busy,
            Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(TryLockError::Error(_)) => {
                remove(&path);
                return Tried::Unlocked;
            }
        }
    }
    // What fails each time is not removed by others: there is no place for it.
    if failures == MOST_TRIES { Tried::Unlocked } else { Tried::Busy }
}

/// Whether an open file is the one that has this path.
fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let number = |meta: Metadata| (meta.dev(), meta.ino());
    let there = std::fs::symlink_metadata(path).map(number);
    there.is_ok_and(|there| file.metadata().map(number).is_ok_and(|own| own == there))
}

/// Removes a file, and its directory where it was the last.
fn remove(path: &Path) {
    // What stays is an empty file.
    let _ = std::fs::remove_file(path);
    let _ = path.parent().map(std::fs::remove_dir);
}

impl Drop for Named {
    fn drop(&mut self) {
        // Before the lock is free: who waits for it then finds that its file is not there any more.
        remove(&self.path);
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    #[test]
    fn one_at_a_time_has_a_name_and_nothing_is_left() {
        let root = tempfile::tempdir().unwrap();
        let dir = root.path().join("a/locks");
        let first = by_name(&dir, "x");
        assert!(matches!(first, Tried::Held(_)) && matches!(by_name(&dir, "x"), Tried::Busy));
        assert!(matches!(by_name(&dir, "y"), Tried::Held(_)), "another name is another lock");
        drop(first);
        assert!(!dir.exists() && matches!(by_name(&dir, "x"), Tried::Held(_)));
        // What a killed process left has no lock.
        std::fs::create_dir_all(&dir).unwrap();
        std::fs::write(dir.join("x"), "").unwrap();
        assert!(matches!(by_name(&dir, "x"), Tried::Held(_)));
        assert!(!dir.exists());
    }

    #[test]
    fn without_locks_there_is_none_to_wait_for() {
        let root = tempfile::tempdir().unwrap();
        let none: TryLock = |_| Err(TryLockError::Error(io::ErrorKind::Unsupported.into()));
        assert!(matches!(by_name_with(&root.path().join("l"), "x", none), Tried::Unlocked));
        assert!(!root.path().join("l").exists());
        std::fs::write(root.path().join("file"), "").unwrap();
        assert!(matches!(by_name(&root.path().join("file"), "x"), Tried::Unlocked));
    }

    #[test]
    fn directory_that_cannot_be_made_is_not_taken_for_a_lock_of_others() {
        let root = tempfile::tempdir().unwrap();
        let path = |name: &str| root.path().join(name);
        std::fs::write(path("file"), "").unwrap();
        std::os::unix::fs::symlink("/no/such/disk", path("link")).unwrap();
        std::os::unix::fs::symlink("loop", path("loop")).unwrap();
        for dir in
            ["link", "link/locks", "link/a/locks", "file/locks", "file/a/locks", "loop/locks"]
        {
            assert!(matches!(by_name(&path(dir), "x"), Tried::Unlocked), "{dir}");
        }
        std::fs::create_dir(path("locks")).unwrap();
        for (name, target) in [("a", "/no/such/disk/lock"), ("b", "elsewhere"), ("c", "../file")] {
            std::os::unix::fs::symlink(target, path("locks").join(name)).unwrap();
            assert!(matches!(by_name(&path("locks"), name), Tried::Unlocked), "{name}");
        }
        assert!(!path("locks/elsewhere").exists());
    }

    #[test]
    fn many_that_try_have_it_one_after_the_other() {
        let root = tempfile::tempdir().unwrap();
        let (dir, inside) = (root.path().join("locks"), AtomicUsize::new(0));
        let had = AtomicUsize::new(0);
        let one = || {
            for _ in 0..200 {
                if let Tried::Held(_held) = by_name(&dir, "x") {
                    assert_eq!(inside.fetch_add(1, Ordering::SeqCst), 0);
                    had.fetch_add(1, Ordering::SeqCst);
                    inside.fetch_sub(1, Ordering::SeqCst);
                }
            }
        };
        std::thread::scope(|all| (0..4).for_each(|_| drop(all.spawn(one))));
        assert!(had.load(Ordering::SeqCst) > 0);
    }
}
