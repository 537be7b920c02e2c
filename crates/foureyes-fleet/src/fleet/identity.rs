//! What makes a log the same for two operators: its box, its name without what rotation adds, and its first
//! line. Names of mirrored copies differ, and so does how much of a log somebody has; these do not.

use super::error::FleetError;
use crate::collect::path_of_log;
use crate::store::cache::{CacheError, Collection, FileReport};
use crate::store::unpacked::Unpacked;
use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Read};

/// A first line counts up to so many bytes.
const LONGEST: u64 = 1 << 16;

/// The key of a log.
pub(super) type Key = [u8; 16];

/// What a log is called over all operators.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Identity {
    /// What all copies of it have: box, directory where it has no whole first line, name, and that line's hash.
    pub(super) common: Common,
    /// Which of the copies it is.
    pub(super) copy: u32,
    /// Its directory and name, without what rotation adds.
    pub(super) stem: String,
}

/// What all copies of a log have.
pub(super) type Common = ([String; 3], Option<[u8; 32]>);

impl Identity {
    /// Its key.
    pub(super) fn key(&self) -> Key {
        self.key_of(self.copy)
    }

    /// The key of a copy of it.
    pub(super) fn key_of(&self, copy: u32) -> Key {
        let (parts, first) = &self.common;
        key(parts.each_ref().map(String::as_str), *first, copy)
    }

    /// It has a whole first line.
    pub(super) fn is_begun(&self) -> bool {
        self.common.1.is_some()
    }
}

/// The identities of the logs of an archive, in their order.
///
/// Logs of one box with the same name and first line are copies: the longest is the first, and each has a
/// key of its own, so that copies are counted as often as some operator has them. Which copy of the store each
/// is, its content tells (`copies`).
pub(super) fn identities(archive: &Collection) -> Result<Vec<Identity>, FleetError> {
    let files = archive.files();
    let mut beginnings = Vec::with_capacity(files.len());
    for file in files {
        beginnings.push(beginning(file)?);
    }
    let mut order: Vec<usize> = (0..files.len()).collect();
    order.sort_by_key(|at| files.get(*at).map(|f| (std::cmp::Reverse(f.bytes), f.name.as_str())));
    let mut copies: HashMap<Common, u32> = HashMap::new();
    let mut found: Vec<Option<Identity>> = vec![None; files.len()];
    for at in order {
        let (Some(file), Some(first)) = (files.get(at), beginnings.get(at)) else { continue };
        let path = path_of_log(&file.name);
        let [directory, name] = last_two(path);
        // Rotation may move a log to another directory: only one without a first line is known by it.
        let directory = if first.is_some() { "" } else { directory };
        let common = ([&file.box_name, directory, name].map(str::to_owned), *first);
        let next = copies.entry(common.clone()).or_default();
        let (copy, stem) = (*next, last_two(path).join("/"));
        *next += 1;
        found[at] = Some(Identity { common, copy, stem });
    }
    Ok(found.into_iter().flatten().collect())
}

/// The directory and the name that a path ends in.
fn last_two(path: &str) -> [&str; 2] {
    let mut parts = path.rsplit('/');
    let name = parts.next().unwrap_or_default();
    [parts.next().unwrap_or_default(), name]
}

fn key(parts: [&str; 3], first: Option<[u8; 32]>, copy: u32) -> Key {
    let mut hasher = blake3::Hasher::new();
    for part in parts {
        hasher.update(&(part.len() as u64).to_le_bytes());
        hasher.update(part.as_bytes());
    }
    hasher.update(&copy.to_le_bytes());
    if let Some(first) = &first {
        hasher.update(first);
    }
    let mut key = [0; 16];
    hasher.finalize_xof().fill(&mut key);
    key
}

/// The hash of the first line of a log; `None` where it has no whole one.
fn beginning(file: &FileReport) -> Result<Option<[u8; 32]>, FleetError> {
    let read = || -> io::Result<Vec<u8>> {
        let log = File::open(&file.path)?;
        let mut bytes = Vec::new();
        if file.gzip {
            // What is damaged ends where the damage is, as it does for whoever reads records.
            let mut log = Unpacked::new(log).take(LONGEST);
            match log.read_to_end(&mut bytes) {
                Err(error) if error.raw_os_error().is_some() => return Err(error),
                _ => return Ok(bytes),
            }
        }
        log.take(file.bytes.min(LONGEST)).read_to_end(&mut bytes)?;
        Ok(bytes)
    };
    let failed = |source| CacheError::Log { path: file.path.clone(), source };
    let bytes = read().map_err(failed)?;
    let end = memchr::memchr(b'\n', &bytes);
    let end = end.or((bytes.len() as u64 >= LONGEST).then_some(bytes.len()));
    Ok(end.and_then(|end| bytes.get(..end)).map(|line| *blake3::hash(line).as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn key_tells_box_name_line_and_copy_apart() {
        let one = Some([1; 32]);
        let keys = [
            key(["a", "", "b"], one, 0),
            key(["ab", "", ""], one, 0),
            key(["a", "b", ""], one, 0),
            key(["a", "", "c"], one, 0),
            key(["a", "", "b"], None, 0),
            key(["a", "", "b"], Some([2; 32]), 0),
            key(["a", "", "b"], one, 1),
        ];
        for (at, key) in keys.iter().enumerate() {
            assert!(!keys[..at].contains(key), "{at}");
        }
        assert_eq!(keys[0], key(["a", "", "b"], one, 0));
        assert_eq!(last_two("/x/y/a.jsonl"), ["y", "a.jsonl"]);
        assert_eq!(last_two("a"), ["", "a"]);
    }
}
