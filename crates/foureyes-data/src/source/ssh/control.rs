//! Directories for control sockets: short, private, and gone when their owner is.

use super::Error;
use std::fs::{self, File, Permissions};
use std::io::{self, Read};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// All our directories begin so.
const PREFIX: &str = "foureyes-";
/// Longest base: with our directory's name, the socket's, and what ssh adds while it binds, a
/// path stays below the 104 bytes that macOS allows.
const LONGEST: usize = 60;
/// Where there is always room for a path: `$TMPDIR` may itself be long.
const SHORT: &str = "/tmp";
/// A directory younger than this may not have its lock yet.
const YOUNG: Duration = Duration::from_secs(60);
/// Most that is read of a log.
const LOG: u64 = 16 << 10;

/// One connection's directory. The lock in it is free once its process is gone.
pub(super) struct ControlDir {
    path: PathBuf,
    _alive: File,
}

impl ControlDir {
    /// The socket, where the session looks for it.
    pub(super) fn socket(&self) -> PathBuf {
        self.path.join("master")
    }

    /// A socket of our own beside it, a short name each: it goes with the directory.
    pub(super) fn beside(&self, number: u32) -> PathBuf {
        self.path.join(format!("f{number}"))
    }

    /// Whether the master says a word to who connects, or is gone.
    pub(super) fn answers(&self, timeout: Duration) -> bool {
        let Ok(mut stream) = UnixStream::connect(self.socket()) else { return true };
        let end = Instant::now() + timeout;
        loop {
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() || stream.set_read_timeout(Some(left)).is_err() {
                return false;
            }
            match stream.read(&mut [0]) {
                // A signal ends a wait that has a bound, as that of another box's ssh which ended. It
                // says nothing of this master, which would be left alone and stay behind.
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                output => return output.is_ok(),
            }
        }
    }

    /// Nobody finds the master any more.
    pub(super) fn remove_socket(&self) {
        let _ = fs::remove_file(self.socket());
    }

    /// Where ssh logs.
    pub(super) fn log(&self) -> PathBuf {
        self.path.join("log")
    }

    /// Where ssh's proxies write: a file, because a pipe that is closed would end them.
    pub(super) fn stderr(&self) -> io::Result<File> {
        File::create(self.path.join("stderr"))
    }

    /// Messages of ssh and its proxies.
    pub(super) fn output(&self) -> String {
        let mut output = String::new();
        for path in [self.log(), self.path.join("stderr")] {
            let mut bytes = Vec::new();
            if let Ok(file) = File::open(path) {
                let _ = file.take(LOG).read_to_end(&mut bytes);
            }
            output.push_str(&String::from_utf8_lossy(&bytes));
        }
        output.trim().replace("\r\n", "\n")
    }
}

/// Makes a directory of our own below `cache`, or where paths are shorter; removes dead ones.
pub(super) fn make(cache: &Path) -> Result<(TempDir, ControlDir), Error> {
    let base = base(cache).map_err(|source| Error::Control { source })?;
    sweep(&base);
    fresh(&base).map_err(|source| Error::Control { source })
}

fn fresh(base: &Path) -> io::Result<(TempDir, ControlDir)> {
    let private = Permissions::from_mode(0o700);
    let dir = tempfile::Builder::new().prefix(PREFIX).permissions(private).tempdir_in(base)?;
    let alive = File::create(dir.path().join("alive"))?;
    alive.try_lock().map_err(io::Error::from)?;
    let control = ControlDir { path: dir.path().to_owned(), _alive: alive };
    Ok((dir, control))
}

fn base(cache: &Path) -> io::Result<PathBuf> {
    let own = std::path::absolute(cache.join("ssh"))?;
    if own.as_os_str().len() <= LONGEST {
        crate::files::atomic::private_dir(&own)?;
        fs::set_permissions(&own, Permissions::from_mode(0o700))?;
        return Ok(own);
    }
    Ok(PathBuf::from(SHORT))
}

/// Removes what processes left that could not clean up. Others' directories cannot be opened.
fn sweep(base: &Path) {
    for entry in fs::read_dir(base).into_iter().flatten().flatten() {
        let ours = entry.file_name().as_encoded_bytes().starts_with(PREFIX.as_bytes());
        if ours && is_dead(&entry.path()) {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

fn is_dead(dir: &Path) -> bool {
    let old = |meta: fs::Metadata| meta.modified().ok()?.elapsed().ok();
    let age = fs::symlink_metadata(dir).ok().filter(fs::Metadata::is_dir).and_then(old);
    let Ok(alive) = File::open(dir.join("alive")) else { return false };
    age.is_some_and(|age| age > YOUNG) && alive.try_lock().is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::SystemTime;

    #[test]
    fn directories_are_private_and_short_and_dead_ones_go() {
        let home = tempfile::Builder::new().prefix("c").tempdir_in("/tmp").unwrap();
        let (dir, control) = make(home.path()).unwrap();
        let mode = fs::metadata(dir.path()).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o700);
        assert!(control.socket().as_os_str().len() + 18 < 104);
        let old = File::open(dir.path()).unwrap();
        old.set_modified(SystemTime::now() - Duration::from_secs(120)).unwrap();
        drop(make(home.path()).unwrap());
        assert!(dir.path().exists(), "its owner lives");
        drop(control);
        // A process that another test forks holds the lock as well, until it is another program.
        let end = Instant::now() + Duration::from_secs(10);
        while dir.path().exists() && Instant::now() < end {
            old.set_modified(SystemTime::now() - Duration::from_secs(120)).unwrap();
            drop(make(home.path()).unwrap());
        }
        assert!(!dir.path().exists());
    }

    #[test]
    fn stopped_master_is_distinguished_from_live_and_gone() {
        let home = tempfile::Builder::new().prefix("c").tempdir_in("/tmp").unwrap();
        let (_dir, control) = make(home.path()).unwrap();
        let wait = Duration::from_millis(50);
        assert!(control.answers(wait), "nobody there needs no waiting");
        let listener = std::os::unix::net::UnixListener::bind(control.socket()).unwrap();
        assert!(!control.answers(wait), "it accepts, and says nothing");
        let living = std::thread::spawn(move || {
            let _stopped = listener.accept().unwrap();
            io::Write::write_all(&mut listener.accept().unwrap().0, b"hello").unwrap();
        });
        assert!(control.answers(Duration::from_secs(5)));
        living.join().unwrap();
        control.remove_socket();
        assert!(!control.socket().exists());
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn signal_while_waiting_does_not_mark_master_stopped() {
        let home = tempfile::Builder::new().prefix("c").tempdir_in("/tmp").unwrap();
        let (_dir, control) = make(home.path()).unwrap();
        let listener = std::os::unix::net::UnixListener::bind(control.socket()).unwrap();
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let _in = runtime.enter();
        // A signal without a handler would end the tests.
        let kind = tokio::signal::unix::SignalKind::user_defined2();
        let _heard = tokio::signal::unix::signal(kind).unwrap();
        // The kernel gives a signal to the thread whose number it is sent to, where it can.
        let thread = fs::read_link("/proc/thread-self").unwrap();
        let thread = thread.file_name().unwrap().to_owned();
        let living = std::thread::spawn(move || {
            let (mut stream, _) = listener.accept().unwrap();
            for _ in 0..5 {
                std::thread::sleep(Duration::from_millis(30));
                let mut kill = std::process::Command::new("kill");
                assert!(kill.args(["-s", "USR2"]).arg(&thread).status().unwrap().success());
            }
            io::Write::write_all(&mut stream, b"hello").unwrap();
        });
        assert!(control.answers(Duration::from_secs(20)));
        living.join().unwrap();
    }

    #[test]
    fn a_long_home_does_not_make_a_long_socket() {
        let home = tempfile::tempdir().unwrap();
        let long = home.path().join("x".repeat(120));
        let (dir, control) = make(&long).unwrap();
        assert!(control.socket().as_os_str().len() + 18 < 104, "{:?}", dir.path());
        assert!(!long.exists());
    }
}
