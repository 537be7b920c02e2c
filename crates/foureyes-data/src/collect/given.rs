//! Logs given on the command line: no configuration, no network.

use super::names::box_of;
use super::{CollectError, Collected, SourceBox, collection_of};
use crate::domain::log_name::{GENERATED, TRUTH, is_gzip, is_log};
use crate::domain::{BoxState, Timestamp};
use crate::files::paths::DataDir;
use crate::store::cache::LogFile;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// Lists the logs of files and directories; `-` is standard input.
///
/// A directory gives the logs in it and below it, hidden directories too, `.git` not, nor the
/// planted truth of generated logs.
///
/// # Errors
/// A path that is not there, directories without a log, and a standard input that cannot be spooled.
pub fn given(
    data: &DataDir,
    paths: &[PathBuf],
    now: Timestamp,
    stdin: &mut dyn Read,
) -> Result<Collected, CollectError> {
    let mut found = Found::default();
    let mut spool = None;
    let mut whole = Vec::new();
    for path in paths {
        if path.as_os_str() == "-" && spool.is_some() {
            continue;
        }
        if path.as_os_str() == "-" {
            if spool.is_some() {
                continue;
            }
            let dir = tempfile::tempdir().map_err(CollectError::Stdin)?;
            let file = dir.path().join("stdin.jsonl");
            let mut copy =
                |to: &Path| io::copy(stdin, &mut crate::files::atomic::private_file(to)?);
            copy(&file).map_err(CollectError::Stdin)?;
            found.add(&file, "stdin", "-");
            spool = Some(dir);
            continue;
        }
        let given = |source| CollectError::Given { path: path.clone(), source };
        whole.push(path.canonicalize().map_err(given)?);
        if path.is_dir() {
            found.walk(path, path);
        } else {
            found.add(path, &box_of(path, path), &path.display().to_string());
        }
    }
    // By name first, so that days of all boxes stand together in the cache.
    found.files.sort_by(|a, b| {
        (a.path.file_name(), &a.box_name, &a.path).cmp(&(b.path.file_name(), &b.box_name, &b.path))
    });
    found.files.dedup_by(|a, b| a.path == b.path && a.box_name == b.box_name);
    let collection = match &spool {
        Some(dir) => dir.path().join("cache"),
        None => collection_of(data, &whole),
    };
    let boxes = found.boxes(now);
    if let (true, Some(path)) = (boxes.is_empty(), paths.first()) {
        return Err(CollectError::NoLog { path: path.clone() });
    }
    Ok(Collected { files: found.files, boxes, collection, spool, store: None })
}

#[derive(Default)]
struct Found {
    files: Vec<LogFile>,
    boxes: Vec<String>,
    /// Box and what could not be read of it.
    errors: Vec<(String, String)>,
}

impl Found {
    fn walk(&mut self, dir: &Path, given: &Path) {
        let entries = match std::fs::read_dir(dir) {
            Ok(entries) => entries,
            Err(error) => return self.fail(&box_of(dir, given), dir, &error),
        };
        let mut entries: Vec<_> = entries.flatten().collect();
        entries.sort_by_key(std::fs::DirEntry::file_name);
        for entry in entries {
            let path = entry.path();
            // Of a link to a directory only the link is seen: no loops.
            let is_dir = entry.file_type().is_ok_and(|t| t.is_dir());
            if is_dir && entry.file_name() != ".git" {
                self.walk(&path, given);
            } else if !is_dir && is_log(entry.file_name().as_encoded_bytes()) && !is_truth(&path) {
                self.add(&path, &box_of(&path, given), &path.display().to_string());
            }
        }
    }

    fn add(&mut self, path: &Path, box_name: &str, name: &str) {
        if let Err(error) = readable(path) {
            return self.fail(box_name, path, &error);
        }
        self.enter(box_name);
        self.files.push(LogFile {
            box_name: box_name.to_owned(),
            name: name.to_owned(),
            path: path.canonicalize().unwrap_or_else(|_| path.to_path_buf()),
            limit: None,
            gzip: is_gzip(path.as_os_str().as_encoded_bytes()),
        });
    }

    fn fail(&mut self, box_name: &str, path: &Path, error: &io::Error) {
        self.enter(box_name);
        self.errors
            .push((box_name.to_owned(), format!("failed to read {}: {error}", path.display())));
    }

    fn enter(&mut self, box_name: &str) {
        if !self.boxes.iter().any(|b| b == box_name) {
            self.boxes.push(box_name.to_owned());
        }
    }

    fn boxes(&mut self, now: Timestamp) -> Vec<SourceBox> {
        self.boxes.sort();
        let errors = &self.errors;
        let of = |name: &str| {
            let texts: Vec<&str> =
                errors.iter().filter(|(b, _)| b == name).map(|(_, e)| e.as_str()).collect();
            (!texts.is_empty()).then(|| texts.join("; "))
        };
        let source = |name: &String| {
            let read = self.files.iter().any(|f| f.box_name == *name);
            SourceBox {
                name: name.clone(),
                state: if read { BoxState::Ok } else { BoxState::Empty },
                complete: read.then_some(now),
                error: of(name),
                notices: Vec::new(),
                clock_ahead_s: None,
            }
        };
        self.boxes.iter().map(source).collect()
    }
}

/// Tells why a path cannot be read as a log: only regular files are, so that nothing waits for ever.
pub(super) fn readable(path: &Path) -> io::Result<()> {
    if !std::fs::metadata(path)?.is_file() {
        return Err(io::Error::other("it is not a regular file"));
    }
    std::fs::File::open(path).map(drop)
}

/// Whether a file is the planted truth of a directory that was generated.
fn is_truth(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name == TRUTH) && path.with_file_name(GENERATED).is_file()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_planted_truth_is_a_log_only_where_nothing_was_generated() {
        let dir = tempfile::tempdir().unwrap();
        let put = |name: &str| std::fs::write(dir.path().join(name), "").unwrap();
        put("truth.jsonl");
        put("a.jsonl");
        let names = || {
            let data = DataDir::at(dir.path().join("data"));
            let paths = [dir.path().to_path_buf()];
            let found = given(&data, &paths, Timestamp(0), &mut io::empty()).unwrap();
            let name = |f: LogFile| f.path.file_name().unwrap().to_string_lossy().into_owned();
            found.files.into_iter().map(name).collect::<Vec<_>>()
        };
        assert_eq!(names(), ["a.jsonl", "truth.jsonl"]);
        put(".foureyes-generated");
        assert_eq!(names(), ["a.jsonl"]);
    }
}
