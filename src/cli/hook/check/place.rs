//! Where verdicts are logged: whether that can be written, and how much room is left.

use crate::config::{Config, HookProtocol};
use crate::domain::Timestamp;
use crate::hook::check::Finding;
use crate::verdict_log::VerdictLog;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Kibibytes below which a disk is full.
const FULL: u64 = 1 << 10;
/// Kibibytes below which it will be soon.
const LITTLE: u64 = 100 << 10;

/// The log of a protocol: where it is, and whether it can be written.
pub(in crate::cli::hook) struct Log {
    /// A directory of pushes, or one file of tasks; `None` where it is in a home that is not known.
    pub(in crate::cli::hook) path: Option<PathBuf>,
    pub(in crate::cli::hook) found: Finding,
}

/// Log and disk.
pub(super) fn check(config: &Config, protocol: HookProtocol, home: Option<&Path>) -> Vec<Finding> {
    let Log { path, found } = log(config, protocol, home);
    let disk = path.as_deref().map(|path| disk(existing(path)));
    [found].into_iter().chain(disk).collect()
}

/// Whether verdicts of a protocol can be logged.
pub(in crate::cli::hook) fn log(
    config: &Config,
    protocol: HookProtocol,
    home: Option<&Path>,
) -> Log {
    let (path, section) = match protocol {
        HookProtocol::Push => (config.hook.log_dir(home), "[hook]"),
        HookProtocol::Task => (config.task.log_file(home), "[task]"),
    };
    let found = match (&path, protocol) {
        (None, _) => Finding::fail("log", "no log: the home directory is unknown")
            .hint(format!("set HOME, or `log` in {section}")),
        (Some(dir), HookProtocol::Push) => directory(dir),
        (Some(file), HookProtocol::Task) => one_file(file),
    };
    Log { path, found }
}

/// The log of tasks. Nothing is appended.
fn one_file(file: &Path) -> Finding {
    let shown = file.display();
    let there = existing(file.parent().unwrap_or(file));
    let hint = "give this user write access, or set `log` in [task]";
    // Asked before opening: opening a pipe would wait for a reader.
    match std::fs::metadata(file) {
        Ok(meta) if !meta.is_file() => {
            Finding::fail("log", format!("{shown} is not a file, so nothing can be logged"))
                .hint("move it away")
        }
        Ok(_) => match std::fs::File::options().append(true).open(file) {
            Ok(_) => Finding::ok("log", format!("{shown} is writable")),
            Err(error) => {
                Finding::fail("log", format!("failed to append to {shown}: {error}")).hint(hint)
            }
        },
        Err(_) => match temporary(there) {
            Ok(_) => Finding::ok("log", format!("{shown} does not exist yet and can be created")),
            Err(error) => {
                Finding::fail("log", format!("{shown} cannot be created: {error}")).hint(hint)
            }
        },
    }
}

/// What is there of a directory.
fn existing(dir: &Path) -> &Path {
    dir.ancestors().find(|d| d.exists()).unwrap_or(Path::new("/"))
}

/// A file in a directory that is gone once it is dropped.
fn temporary(dir: &Path) -> std::io::Result<tempfile::NamedTempFile> {
    tempfile::Builder::new().prefix(crate::files::atomic::TEMPORARY).tempfile_in(dir)
}

/// Nothing is appended: a file is made beside and removed, and that of the day is opened.
fn directory(dir: &Path) -> Finding {
    let (shown, there) = (dir.display(), existing(dir));
    let hint = "give this user write access, or set `log` in [hook]";
    if let Err(error) = temporary(there) {
        return Finding::fail("log", format!("{shown} is not writable: {error}")).hint(hint);
    }
    if there != dir {
        return Finding::ok("log", format!("{shown} does not exist yet and can be created"));
    }
    let today = VerdictLog::at(dir).file(Timestamp(jiff::Timestamp::now().as_microsecond()));
    // Asked before opening: opening a pipe would wait for a reader.
    if std::fs::metadata(&today).is_ok_and(|meta| !meta.is_file()) {
        let text = format!("{} is not a file, so nothing can be logged today", today.display());
        return Finding::fail("log", text).hint("move it away");
    }
    match std::fs::File::options().append(true).open(&today) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            let text = format!("failed to append to {}: {error}", today.display());
            Finding::fail("log", text).hint(hint)
        }
        _ => Finding::ok("log", format!("{shown} is writable")),
    }
}

fn disk(there: &Path) -> Finding {
    let asked = Command::new("df").arg("-Pk").arg(there).stdin(Stdio::null()).output();
    let left = asked.ok().and_then(|out| left(&String::from_utf8_lossy(&out.stdout)));
    let shown = there.display();
    let hint = "free some space: verdicts that cannot be written are lost";
    match left {
        None => Finding::warn("disk", format!("`df` does not report the free space of {shown}")),
        Some(kib) => {
            let text = format!("{} MiB are free for {shown}", kib >> 10);
            match kib {
                ..FULL => Finding::fail("disk", text).hint(hint),
                FULL..LITTLE => Finding::warn("disk", text).hint(hint),
                _ => Finding::ok("disk", text),
            }
        }
    }
}

/// Kibibytes that are free, as `df -Pk` says in its second line.
fn left(output: &str) -> Option<u64> {
    output.lines().nth(1)?.split_whitespace().nth(3)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn df_output_is_parsed_on_linux_and_macos() {
        let linux = "Filesystem     1024-blocks      Used Available Capacity Mounted on\n/dev/sda1         10255636   5132820   4581968      53% /\n";
        let mac = "Filesystem     1024-blocks      Used Available Capacity  Mounted on\n/dev/disk3s5     482797652 210000000 250000000    46%    /System/Volumes/Data\n";
        assert_eq!((left(linux), left(mac)), (Some(4_581_968), Some(250_000_000)));
        assert_eq!(left("df: no such file\n"), None);
    }

    #[test]
    fn a_directory_that_cannot_be_written_fails_and_nothing_stays() {
        let dir = tempfile::tempdir().unwrap();
        let log = dir.path().join("logs");
        std::fs::create_dir(&log).unwrap();
        assert!(directory(&log).text.ends_with("is writable"));
        assert_eq!(std::fs::read_dir(&log).unwrap().count(), 0);
        let file = dir.path().join("file");
        std::fs::write(&file, "").unwrap();
        assert_eq!(directory(&file).state, super::super::State::Fail);
        let made = directory(&log.join("a/b"));
        assert!(made.text.ends_with("can be created"), "{}", made.text);
    }
}
