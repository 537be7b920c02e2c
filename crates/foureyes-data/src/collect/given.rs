//! Logs given on the command line: no configuration, no network.

use super::names::box_of;
use super::offer::{Offer, names};
use super::{CollectError, Collected, SourceBox, collection_of};
use crate::domain::Timestamp;
use crate::domain::log_name::{GENERATED, NameKind, TRUTH, kind};
use crate::files::paths::DataDir;
use crate::store::cache::LogFile;
use crate::store::unpacked::is_packed;
use std::collections::BTreeMap;
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
            if copy(&file).map_err(CollectError::Stdin)? == 0 {
                return Err(CollectError::NothingPiped);
            }
            let file = named_by_content(file).map_err(CollectError::Stdin)?;
            found.of("stdin").offer(&file, NameKind::Log, "stdin", "-");
            spool = Some(dir);
            continue;
        }
        let given = |source| CollectError::Given { path: path.clone(), source };
        whole.push(path.canonicalize().map_err(given)?);
        if path.is_dir() {
            found.walk(path, path);
        } else {
            found.add(path, NameKind::Log, path);
        }
    }
    if let (Some(instead), Some(path)) = (found.instead(), paths.first()) {
        return Err(CollectError::NoLog { path: path.clone(), instead });
    }
    let boxes = found.sources(now);
    let mut files: Vec<LogFile> = found.boxes.into_values().flat_map(|offer| offer.files).collect();
    // By name first, so that days of all boxes stand together in the cache.
    files.sort_by(|a, b| {
        (a.path.file_name(), &a.box_name, &a.path).cmp(&(b.path.file_name(), &b.box_name, &b.path))
    });
    let collection = match &spool {
        Some(dir) => dir.path().join("cache"),
        None => collection_of(data, &whole),
    };
    Ok(Collected { files, boxes, collection, spool, store: None })
}

#[derive(Default)]
struct Found {
    /// What each box offers, by its name.
    boxes: BTreeMap<String, Offer>,
}

impl Found {
    fn walk(&mut self, dir: &Path, given: &Path) {
        let names = match names(dir) {
            Ok(names) => names,
            Err(error) => return self.of(&box_of(dir, given)).fail(dir, &error),
        };
        for name in names {
            let path = dir.join(&name);
            // Of a link to a directory only the link is seen: no loops.
            let is_dir = path.symlink_metadata().is_ok_and(|m| m.is_dir());
            if is_dir && name != ".git" {
                self.walk(&path, given);
            } else if !is_dir && !is_truth(&path) {
                self.add(&path, kind(name.as_encoded_bytes()), given);
            }
        }
    }

    fn add(&mut self, path: &Path, kind: NameKind, given: &Path) {
        let box_name = box_of(path, given);
        self.of(&box_name).offer(path, kind, &box_name, &path.display().to_string());
    }

    fn of(&mut self, box_name: &str) -> &mut Offer {
        self.boxes.entry(box_name.to_owned()).or_default()
    }

    /// What is there instead, where there is no log and nothing failed.
    fn instead(&self) -> Option<String> {
        let mut all = Offer::default();
        self.boxes.values().for_each(|offer| all.add_others(offer));
        self.boxes.values().all(Offer::has_no_log).then(|| all.instead())
    }

    /// The boxes that have a file that looks like a log, or that could not be read.
    fn sources(&self, now: Timestamp) -> Vec<SourceBox> {
        let sources = self.boxes.iter().map(|(name, offer)| offer.source(name, now));
        sources.filter(|s| s.error.is_some() || s.listed.is_some_and(|l| l.offered > 0)).collect()
    }
}

/// Renames what came without a name, where it is compressed.
fn named_by_content(file: PathBuf) -> io::Result<PathBuf> {
    let mut first = Vec::new();
    std::fs::File::open(&file)?.take(4).read_to_end(&mut first)?;
    if !is_packed(&first) {
        return Ok(file);
    }
    let packed = file.with_extension("jsonl.gz");
    std::fs::rename(&file, &packed)?;
    Ok(packed)
}

/// Whether a file is the planted truth of a directory that was generated.
fn is_truth(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name == TRUTH) && path.with_file_name(GENERATED).is_file()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn compressed_standard_input_is_unpacked_whatever_it_is_packed_with() {
        let home = tempfile::tempdir().unwrap();
        let data = DataDir::at(home.path());
        let zst = b"\x28\xb5\x2f\xfd\0";
        for (bytes, packed) in [(&b"{}\n"[..], false), (b"\x1f\x8b\x08", true), (zst, true)] {
            let found = given(&data, &["-".into()], Timestamp(0), &mut &*bytes).unwrap();
            assert_eq!((found.files[0].gzip, found.files[0].name.as_str()), (packed, "-"));
        }
    }

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
