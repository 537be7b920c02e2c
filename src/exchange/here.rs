//! Ledgers in a directory of this machine.

use super::compare::{Step, compare};
use crate::store::atomic;
use crate::store::journal::Steps;
use crate::store::ledger::is_name;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

/// A ledger and its bytes.
pub(super) type Ledger = (String, io::Result<Vec<u8>>);

/// The ledgers of a directory by name; none where it is absent.
pub(super) fn all(dir: &Path) -> io::Result<Vec<Ledger>> {
    let entries = match fs::read_dir(dir) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(error),
    };
    let mut found = Vec::new();
    for entry in entries {
        let entry = entry?;
        let Ok(name) = entry.file_name().into_string() else { continue };
        // Nothing but a regular file is opened: a pipe would wait for a writer.
        if is_name(&name) && fs::metadata(entry.path()).is_ok_and(|meta| meta.is_file()) {
            found.push((name, fs::read(entry.path())));
        }
    }
    found.sort_by(|a, b| a.0.cmp(&b.0));
    Ok(found)
}

/// Adds to a copy what goes on where it ends, under its lock, and reads back what then stands there.
/// One that is for others to read too is made as the account makes files.
pub(super) fn add(
    path: &Path,
    comes: &[u8],
    for_others: bool,
    steps: &dyn Steps,
) -> io::Result<Step> {
    if comes.is_empty() {
        return Ok(if path.exists() { Step::Behind } else { Step::Same });
    }
    if fs::metadata(path).is_ok_and(|meta| !meta.is_file()) {
        return Err(io::Error::other("it is no regular file"));
    }
    if path.is_symlink() && !path.exists() {
        // Opened, it would be made wherever somebody else wants.
        return Err(io::Error::other("it is a link to nowhere"));
    }
    let mut file = open(path, for_others)?;
    steps.lock(&file)?;
    let mut there = Vec::new();
    file.read_to_end(&mut there)?;
    let step = compare(&there, comes);
    if let Step::Append(at) = step {
        let mut rest = comes.get(at..).unwrap_or_default();
        while !rest.is_empty() {
            let taken = steps.write(&mut file, rest)?;
            if taken == 0 {
                return Err(io::ErrorKind::WriteZero.into());
            }
            rest = rest.get(taken..).unwrap_or_default();
        }
        steps.sync(&file)?;
        if let (0, Some(dir)) = (at, path.parent()) {
            steps.sync_dir(dir)?;
        }
        if fs::read(path)? != comes {
            return Err(io::Error::other("it does not hold what was written to it"));
        }
    }
    Ok(step)
}

fn open(path: &Path, for_others: bool) -> io::Result<File> {
    let Some(dir) = path.parent() else { return Err(io::ErrorKind::InvalidInput.into()) };
    if for_others {
        fs::create_dir_all(dir)?;
        return File::options().create(true).append(true).read(true).open(path);
    }
    atomic::private_dir(dir)?;
    atomic::private().append(true).read(true).open(path)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    /// Ends a write after some bytes.
    #[derive(Debug)]
    struct Short(usize);

    impl Steps for Short {
        fn write(&self, file: &mut File, bytes: &[u8]) -> io::Result<usize> {
            file.write_all(&bytes[..self.0.min(bytes.len())])?;
            Err(io::Error::other("the disk is full"))
        }
    }

    #[test]
    fn a_copy_that_was_cut_is_completed_and_one_that_is_apart_is_left_alone() {
        let real = crate::store::journal::Real;
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("new/anna@desk.jsonl");
        let comes = b"one\ntwo\nthree\n";
        for most in 0..comes.len() {
            let _ = fs::remove_file(&path);
            assert!(add(&path, comes, false, &Short(most)).is_err());
            assert_eq!(fs::read(&path).unwrap(), &comes[..most]);
            assert_eq!(add(&path, comes, false, &real).unwrap(), Step::Append(most));
            assert_eq!(fs::read(&path).unwrap(), comes);
        }
        assert_eq!(add(&path, b"one\n", false, &real).unwrap(), Step::Behind);
        assert_eq!(add(&path, b"one\n2\n", false, &real).unwrap(), Step::Apart);
        assert_eq!(fs::read(&path).unwrap(), comes);
        assert!(add(dir.path(), comes, false, &real).is_err());
        let (link, target) = (dir.path().join("link"), dir.path().join("elsewhere"));
        std::os::unix::fs::symlink(&target, &link).unwrap();
        assert!(add(&link, comes, true, &real).is_err() && !target.exists());
    }
}
