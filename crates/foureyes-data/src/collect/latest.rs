//! The records that came last, for whoever may neither wait nor write, such as a shell that completes a word.
//!
//! They are read from the ends of logs. The cache could not tell them as cheaply: it has to be brought up to
//! date before it is believed, and its ids stand in columns of whole segments, whose blocks are hashed. An end has
//! a size of its own, whatever the log has, so the work is bounded by the number of logs that are looked at.

use crate::config::{Config, Place};
use crate::domain::Record;
use crate::domain::log_name::{NameKind, is_packed, kind};
use crate::files::paths::DataDir;
use crate::jsonl::{self, Settings};
use crate::store::mirror;
use std::cmp::Reverse;
use std::collections::HashSet;
use std::fs::{self, File, Metadata};
use std::io::{self, Read, Seek, SeekFrom};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// Logs whose ends are read: those that were written last.
const LOGS: usize = 8;

/// Bytes of an end.
const END: u64 = 128 << 10;

/// Files that are looked at, to find out which were written last.
const NAMES: usize = 1_000;

/// Bytes that are read of what is remembered of pulled boxes; a box with more than that is left out.
const STATES: u64 = 2 << 20;

/// What stands at the ends of logs.
#[derive(Debug, Default)]
pub struct Latest {
    /// The newest first, each once; those without a time are last.
    pub records: Vec<Record>,
    /// Bytes of logs that were read.
    pub bytes: u64,
}

impl Latest {
    /// Most bytes of logs that are read.
    pub const MOST_BYTES: u64 = LOGS as u64 * END;
}

/// The records that came last from the configured boxes: nothing is pulled, made or written. What cannot be
/// read is left out.
pub fn latest(data: &DataDir, config: &Config) -> Latest {
    let mut ends = Ends::default();
    for source in &config.boxes {
        match source.place {
            Place::Local => source.logs.iter().for_each(|log| ends.list(Path::new(log))),
            Place::Ssh(_) => ends.list_mirror(data, &source.name),
        }
    }
    ends.read()
}

/// The same of files and directories; not of those below them.
pub fn latest_given(paths: &[PathBuf]) -> Latest {
    let mut ends = Ends::default();
    paths.iter().for_each(|path| ends.list(path));
    ends.read()
}

/// Logs of which the last ones are read.
#[derive(Debug)]
struct Ends {
    logs: Vec<Log>,
    /// Files that may still be looked at.
    names: usize,
    /// Bytes that may still be read of what is remembered of boxes.
    states: u64,
}

#[derive(Debug)]
struct Log {
    path: PathBuf,
    /// How many of its bytes count.
    committed: u64,
    modified: SystemTime,
}

impl Default for Ends {
    fn default() -> Self {
        Self { logs: Vec::new(), names: NAMES, states: STATES }
    }
}

impl Ends {
    fn list(&mut self, path: &Path) {
        if !path.is_dir() {
            return self.add(path, u64::MAX);
        }
        for entry in fs::read_dir(path).into_iter().flatten().flatten() {
            let Some(names) = self.names.checked_sub(1) else { return };
            let path = entry.path();
            match kind(path.as_os_str().as_bytes()) {
                NameKind::Log => self.add(&path, u64::MAX),
                _ => self.names = names,
            }
        }
    }

    fn list_mirror(&mut self, data: &DataDir, box_name: &str) {
        let found = mirror::files_within(data, box_name, self.states);
        let Some((copies, bytes)) = found else { return };
        self.states -= bytes;
        // The last ones were begun last.
        for copy in copies.iter().rev().filter(|copy| !copy.gzip) {
            self.add(&copy.local, copy.committed);
        }
    }

    /// Takes a regular file, so that nothing waits for ever. What is compressed has no end to be read.
    fn add(&mut self, path: &Path, committed: u64) {
        let Some(names) = self.names.checked_sub(1) else { return };
        self.names = names;
        if is_packed(path.as_os_str().as_bytes()) {
            return;
        }
        let found = fs::metadata(path).ok().filter(Metadata::is_file);
        if let Some(Ok(modified)) = found.map(|meta| meta.modified()) {
            self.logs.push(Log { path: path.to_owned(), committed, modified });
        }
    }

    fn read(mut self) -> Latest {
        self.logs.sort_by(|a, b| (b.modified, &a.path).cmp(&(a.modified, &b.path)));
        // Two settings may name the same log.
        self.logs.dedup_by(|a, b| a.path == b.path);
        let (mut latest, mut known) = (Latest::default(), HashSet::new());
        for log in self.logs.iter().take(LOGS) {
            let Ok((bytes, read)) = log.end() else { continue };
            latest.bytes += read;
            let found = jsonl::read(&bytes, &Settings::default()).found;
            let records = found.into_iter().rev().map(|found| found.record);
            latest.records.extend(records.filter(|record| known.insert(record.id)));
        }
        latest.records.sort_by_key(|record| Reverse(record.timestamp));
        latest
    }
}

impl Log {
    /// The whole lines at its end, and how many bytes were read for them.
    fn end(&self) -> io::Result<(Vec<u8>, u64)> {
        let mut file = File::open(&self.path)?;
        let length = file.metadata()?.len().min(self.committed);
        let from = length.saturating_sub(END);
        file.seek(SeekFrom::Start(from))?;
        let mut bytes = Vec::new();
        file.take(length - from).read_to_end(&mut bytes)?;
        let read = bytes.len() as u64;
        if from > 0 {
            // The beginning of the first line is missing.
            let rest = memchr::memchr(b'\n', &bytes).map_or(bytes.len(), |at| at + 1);
            bytes.drain(..rest);
        }
        Ok((bytes, read))
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::store::cursor::RemotePath;
    use crate::store::mirror::{BoxMirror, Generations};
    use std::io::Write;
    use std::os::unix::net::UnixListener;

    /// Records of a minute each, from a number on.
    fn lines(from: u32, count: u32) -> String {
        let line = |n| {
            let (day, hour, minute) = (n / 1440 % 28 + 1, n / 60 % 24, n % 60);
            format!(
                "{{\"commit\":\"{n:07x}\",\"verdict\":\"GO\",\"timestamp\":\"2026-02-{day:02}T{hour:02}:{minute:02}:00Z\"}}\n"
            )
        };
        (from..from + count).map(line).collect()
    }

    fn commits(latest: &Latest) -> Vec<&str> {
        latest.records.iter().filter_map(|record| record.commit.as_deref()).collect()
    }

    #[test]
    fn only_the_end_of_a_huge_log_is_read() {
        let dir = tempfile::tempdir().unwrap();
        let log = dir.path().join("a.jsonl");
        fs::write(&log, lines(0, 40_000)).unwrap();
        assert!(fs::metadata(&log).unwrap().len() > 20 * END);
        let latest = latest_given(&[dir.path().to_owned(), log]);
        assert_eq!(latest.bytes, END, "one log, named twice");
        let found = commits(&latest);
        assert!(found.contains(&"0009c3f"), "the last one");
        assert!(found.len() > 500 && found.len() as u64 * 60 < END, "{}", found.len());
        assert!(latest.records.is_sorted_by_key(|record| Reverse(record.timestamp)));
    }

    #[test]
    fn many_logs_cost_no_more_than_a_few() {
        let dir = tempfile::tempdir().unwrap();
        for n in 0..30 {
            fs::write(dir.path().join(format!("{n}.jsonl")), lines(n * 3_000, 3_000)).unwrap();
        }
        let latest = latest_given(&[dir.path().to_owned()]);
        assert!(latest.bytes <= Latest::MOST_BYTES, "{}", latest.bytes);
        assert!(latest.bytes > Latest::MOST_BYTES / 2, "{}", latest.bytes);
    }

    #[test]
    fn copies_of_a_box_are_read_as_far_as_they_count() {
        let dir = tempfile::tempdir().unwrap();
        let data = DataDir::at(dir.path());
        let mirror = BoxMirror::open(&data, "attic").unwrap();
        let (mut store, _) = mirror.load().unwrap();
        let path = RemotePath(b"/l.jsonl".to_vec());
        let (mut entry, mut file) = mirror.create(&path, &mut Generations::default()).unwrap();
        let counted = lines(1, 2);
        file.write_all((counted.clone() + &lines(3, 1)).as_bytes()).unwrap();
        entry.cursor.offset = counted.len() as u64;
        store.files.push(entry);
        store.save(mirror.dir()).unwrap();
        let (config, _, problems) = crate::config::check(b"[[box]]\nname = \"attic\"\n", None);
        assert!(problems.is_empty(), "{problems:?}");
        assert_eq!(commits(&super::latest(&data, &config)), ["0000002", "0000001"]);
    }

    #[test]
    fn what_is_no_log_is_not_opened_and_torn_lines_hide_nothing() {
        let dir = tempfile::tempdir().unwrap();
        let _socket = UnixListener::bind(dir.path().join("s.jsonl")).unwrap();
        fs::create_dir(dir.path().join("d.jsonl")).unwrap();
        fs::write(dir.path().join("notes.txt"), lines(0, 1)).unwrap();
        fs::write(dir.path().join("b.jsonl.gz"), "\x1f").unwrap();
        let torn = format!("{{\"a\n{}{{\"commit\":\"to", lines(7, 2));
        fs::write(dir.path().join("a.jsonl"), torn).unwrap();
        let latest = latest_given(&[dir.path().to_owned(), dir.path().join("none")]);
        assert_eq!(commits(&latest), ["0000008", "0000007"]);
        let nothing = super::latest(&DataDir::at(dir.path()), &Config::default());
        assert_eq!((nothing.bytes, nothing.records.len()), (0, 0));
    }
}
