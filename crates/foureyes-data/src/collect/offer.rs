//! What the paths of one source offer: files that are read, and files that are not, each with its reason.

use super::SourceBox;
use super::foreign::foreign;
use crate::domain::log_name::{NameKind, is_log, is_packed, kind, kind_of_file};
use crate::domain::{BoxState, FileCounts, Timestamp};
use crate::store::cache::LogFile;
use crate::store::cursor::RemotePath;
use crate::store::state::{Fact, NAMED};
use crate::text::counted;
use std::collections::HashSet;
use std::ffi::OsString;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// So many names of other files are kept.
const OTHERS: usize = 3;

/// What was listed of a source, counted where it is listed, read or refused.
#[derive(Debug, Default)]
pub(super) struct Offer {
    /// The logs, in the order in which they came.
    pub(super) files: Vec<LogFile>,
    /// Files that were offered: a file that two paths name is one.
    known: HashSet<PathBuf>,
    counts: FileCounts,
    notices: Vec<String>,
    errors: Vec<String>,
    others: Others,
}

/// Files that do not look like logs.
#[derive(Debug, Default)]
struct Others {
    count: u64,
    first: Vec<String>,
}

impl Offer {
    /// Takes the logs of a directory, not of those below it; or one file, with what it was rotated to.
    pub(super) fn list(&mut self, path: &Path, box_name: &str) -> io::Result<()> {
        let found = std::fs::metadata(path);
        if found.as_ref().is_ok_and(std::fs::Metadata::is_dir) {
            for name in names(path)? {
                let path = path.join(name);
                self.offer(
                    &path,
                    kind(bytes(&path)),
                    box_name,
                    &whole(&path).display().to_string(),
                );
            }
            return Ok(());
        }
        let around = path.parent().map(names);
        for name in around.into_iter().flatten().flatten() {
            let near = path.with_file_name(name);
            match kind_of_file(bytes(&near), bytes(path)) {
                NameKind::Other => {}
                // What a file was rotated to is no directory.
                _ if near.is_dir() => {}
                kind => self.offer(&near, kind, box_name, &whole(&near).display().to_string()),
            }
        }
        // What the directory does not list may be there all the same, and else has its error.
        found.map(|_| self.offer(path, NameKind::Log, box_name, &whole(path).display().to_string()))
    }

    /// Takes one file: counted, and read or given a reason. Only regular files are read, so that nothing waits
    /// for ever.
    pub(super) fn offer(&mut self, path: &Path, kind: NameKind, box_name: &str, name: &str) {
        if kind == NameKind::Other {
            return self.others.add(path);
        }
        // A link that is not read is one by itself, and leaves what it leads to to be read.
        let what = if path.is_dir() { Some("a directory") } else { kind.reason() };
        let whole = if what.is_some() { own(path) } else { whole(path) };
        if !self.known.insert(whole.clone()) {
            return;
        }
        self.counts.offered += 1;
        if let Some(what) = what {
            return self.refuse(path, what);
        }
        let gzip = is_packed(bytes(&whole));
        match foreign(path) {
            Err(error) => self.fail_to_read(path, &error),
            // A log that holds something else is read: its rejects say so.
            Ok(Some(what)) if !gzip && !is_log(bytes(path)) => self.refuse(path, what),
            Ok(_) => {
                self.counts.read += 1;
                self.files.push(LogFile {
                    box_name: box_name.to_owned(),
                    name: name.to_owned(),
                    path: whole,
                    limit: None,
                    gzip,
                });
            }
        }
    }

    fn refuse(&mut self, path: &Path, what: &str) {
        self.counts.unread += 1;
        let path = RemotePath(bytes(path).to_vec());
        self.notices.push(Fact::Refused { path, what: what.to_owned() }.to_string());
    }

    fn fail_to_read(&mut self, path: &Path, error: &io::Error) {
        self.counts.unread += 1;
        self.fail(path, error);
    }

    /// Notes what could not be read and is no file that was offered.
    pub(super) fn fail(&mut self, path: &Path, error: &io::Error) {
        self.errors.push(format!("failed to read {}: {error}", path.display()));
    }

    /// Notes that there is no log at all.
    pub(super) fn note_nothing(&mut self, paths: &str) {
        if self.counts.offered == 0 && self.errors.is_empty() {
            self.errors.push(format!("no log at any of: {paths}{}", self.others.in_parentheses()));
        }
    }

    /// Whether nothing was read and nothing failed.
    pub(super) fn has_no_log(&self) -> bool {
        self.counts.read == 0 && self.errors.is_empty()
    }

    /// What is there instead of logs: files that look like some, else others.
    pub(super) fn instead(&self) -> String {
        let left_out = self.notices.len().saturating_sub(OTHERS);
        let mut all: Vec<String> = self.notices.iter().take(OTHERS).cloned().collect();
        if left_out > 0 {
            all.push(Fact::AlsoUnread { files: left_out as u64 }.to_string());
        }
        if all.is_empty() { self.others.to_string() } else { all.join("; ") }
    }

    /// Takes what another part of the same source offers.
    pub(super) fn add_others(&mut self, other: &Self) {
        self.others.count += other.others.count;
        let room = OTHERS.saturating_sub(self.others.first.len());
        self.others.first.extend(other.others.first.iter().take(room).cloned());
        self.notices.extend(other.notices.iter().cloned());
    }

    /// The source, and how it is now.
    pub(super) fn source(&self, name: &str, now: Timestamp) -> SourceBox {
        let read = self.counts.read > 0;
        SourceBox {
            name: name.to_owned(),
            state: if read { BoxState::Ok } else { BoxState::Empty },
            complete: read.then_some(now),
            error: bounded(&self.errors, |more| {
                format!("{} more could not be read", counted(more, "file", "files"))
            }),
            notices: self.bounded_notices(),
            listed: Some(self.counts),
            lacking: 0,
            clock_ahead_s: None,
        }
    }

    fn bounded_notices(&self) -> Vec<String> {
        let mut all: Vec<String> = self.notices.iter().take(NAMED).cloned().collect();
        let left_out = self.notices.len().saturating_sub(NAMED) as u64;
        all.extend((left_out > 0).then(|| Fact::AlsoUnread { files: left_out }.to_string()));
        all
    }
}

/// The first errors in one text; `None` where there is none.
fn bounded(errors: &[String], rest: impl Fn(usize) -> String) -> Option<String> {
    let mut all: Vec<String> = errors.iter().take(NAMED).cloned().collect();
    let left_out = errors.len().saturating_sub(NAMED);
    all.extend((left_out > 0).then(|| rest(left_out)));
    (!all.is_empty()).then(|| all.join("; "))
}

impl Others {
    fn add(&mut self, path: &Path) {
        self.count += 1;
        if self.first.len() < OTHERS {
            let name = path.file_name().unwrap_or_default();
            self.first.push(name.to_string_lossy().into_owned());
        }
    }

    fn in_parentheses(&self) -> String {
        if self.count == 0 { String::new() } else { format!(" ({self})") }
    }
}

impl std::fmt::Display for Others {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.count == 0 {
            return f.write_str("there are no files");
        }
        let more = if self.count > self.first.len() as u64 { ", …" } else { "" };
        let files = counted(self.count, "file with another name", "files with other names");
        write!(f, "{files}: {}{more}", self.first.join(", "))
    }
}

/// The path without links, where it leads to something.
fn whole(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_path_buf())
}

/// The path without links above it.
fn own(path: &Path) -> PathBuf {
    let name = path.file_name().unwrap_or_default();
    path.parent().map_or_else(|| path.to_path_buf(), |dir| whole(dir).join(name))
}

fn bytes(path: &Path) -> &[u8] {
    path.as_os_str().as_bytes()
}

/// The names in a directory, in order.
pub(super) fn names(dir: &Path) -> io::Result<Vec<OsString>> {
    let entries = std::fs::read_dir(dir)?.map(|entry| Ok(entry?.file_name()));
    let mut names = entries.collect::<io::Result<Vec<_>>>()?;
    names.sort();
    Ok(names)
}

#[cfg(test)]
mod tests;
