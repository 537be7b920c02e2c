//! Ledgers in a directory of this machine.

use super::compare::{Step, compare};
use crate::files::atomic;
use crate::source::ledgers::MOST;
use crate::store::journal::Steps;
use crate::store::ledger::is_name;
use rustix::fs::OFlags;
use std::fs::{self, File, Metadata, Permissions};
use std::io::{self, Read as _};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt, PermissionsExt};
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
    let mut names = Vec::new();
    for entry in entries {
        let Ok(name) = entry?.file_name().into_string() else { continue };
        if is_name(&name) && fs::symlink_metadata(dir.join(&name)).is_ok_and(|meta| is_read(&meta))
        {
            names.push(name);
        }
    }
    names.sort();
    let mut left = MOST;
    let one = |name: String| {
        let bytes = read(&dir.join(&name), left);
        left -= bytes.as_ref().map_or(0, Vec::len);
        (name, bytes)
    };
    Ok(names.into_iter().map(one).collect())
}

/// A pipe or a device is passed over; a link is reported.
fn is_read(meta: &Metadata) -> bool {
    meta.is_file() || meta.is_symlink()
}

/// The bytes of a regular file, at most so many. Others may write to the directory, so it may be
/// replaced at any time: no link is followed, and nothing that would wait for a writer is waited for.
fn read(path: &Path, most: usize) -> io::Result<Vec<u8>> {
    let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK;
    let file = File::options().read(true).custom_flags(flags.bits() as i32).open(path);
    let file = file.map_err(|error| no_link(path, error))?;
    bounded(&file, most)
}

fn no_link(path: &Path, error: io::Error) -> io::Error {
    if path.is_symlink() { io::Error::other("it is a link, not a regular file") } else { error }
}

fn bounded(file: &File, most: usize) -> io::Result<Vec<u8>> {
    let meta = file.metadata()?;
    if !meta.is_file() {
        return Err(io::Error::other("it is not a regular file"));
    }
    let mut bytes = Vec::new();
    if meta.len() <= most as u64 {
        // It may grow meanwhile.
        file.take(most as u64 + 1).read_to_end(&mut bytes)?;
    }
    if meta.len() > most as u64 || bytes.len() > most {
        let mib = MOST >> 20;
        let text =
            format!("with it the ledgers there have more than {mib} MiB, which is the limit");
        return Err(io::Error::other(text));
    }
    Ok(bytes)
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
        return Err(io::Error::other("it is not a regular file"));
    }
    let mut file = open(path, for_others).map_err(|error| no_link(path, error))?;
    steps.lock(&file)?;
    let there = bounded(&file, MOST)?;
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
        let own = rustix::process::geteuid().as_raw();
        let readable = readable(&fs::metadata(dir)?, own);
        let mut options = File::options();
        options.create(true).append(true).read(true);
        // Through a link it would be written wherever somebody else wants.
        options.custom_flags(OFlags::NOFOLLOW.bits() as i32);
        let file = options.mode(readable.unwrap_or(0o666)).open(path)?;
        let meta = file.metadata()?;
        if let Some(most) = readable
            && meta.uid() == own
            && meta.mode() & 0o777 & !most != 0
        {
            file.set_permissions(Permissions::from_mode(meta.mode() & most))?;
        }
        return Ok(file);
    }
    atomic::private_dir(dir)?;
    atomic::private().append(true).read(true).open(path)
}

/// Who may read a ledger that is made in a directory: a ledger holds the seed of its reviewer's audit
/// sample, so nobody but the group that may read the directory. `None` where that is not ours to say:
/// the directory is somebody else's, or everybody is to write there.
fn readable(dir: &Metadata, own: u32) -> Option<u32> {
    let ours = dir.uid() == own && dir.mode() & 0o002 == 0;
    ours.then(|| 0o600 | dir.mode() & 0o040)
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
    fn shared_copy_is_readable_only_by_directory_group() {
        let real = crate::store::journal::Real;
        let dir = tempfile::tempdir().unwrap();
        for (directory, most) in [(0o700, 0o600), (0o755, 0o640), (0o2775, 0o640), (0o777, 0o777)] {
            let shared = dir.path().join(format!("{directory:o}"));
            fs::create_dir(&shared).unwrap();
            fs::set_permissions(&shared, Permissions::from_mode(directory)).unwrap();
            let path = shared.join("anna@desk.jsonl");
            add(&path, b"one\n", true, &real).unwrap();
            let mode = |path: &Path| fs::metadata(path).unwrap().mode() & 0o777;
            assert_eq!(mode(&path) & !most, 0, "{directory:o}: {:o}", mode(&path));
            // A copy that an earlier version made is closed too.
            fs::set_permissions(&path, Permissions::from_mode(0o664)).unwrap();
            assert_eq!(add(&path, b"one\ntwo\n", true, &real).unwrap(), Step::Append(4));
            assert_eq!(mode(&path), 0o664 & most, "{directory:o}");
            assert_eq!(fs::read(&path).unwrap(), b"one\ntwo\n");
        }
    }

    #[test]
    fn truncated_copy_is_completed_and_diverged_copy_is_kept() {
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
        fs::write(&target, b"one\n").unwrap();
        let refused = add(&link, comes, true, &real).unwrap_err().to_string();
        assert_eq!(refused, "it is a link, not a regular file");
        assert_eq!(fs::read(&target).unwrap(), b"one\n");
    }

    #[test]
    fn links_pipes_and_files_beyond_the_limit_are_not_read() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        fs::write(at("anna@desk.jsonl"), b"one\n").unwrap();
        fs::write(at("secret"), b"not theirs\n").unwrap();
        std::os::unix::fs::symlink(at("secret"), at("eve@desk.jsonl")).unwrap();
        fs::create_dir(at("dir@desk.jsonl")).unwrap();
        // Sparse: it takes no room.
        File::create(at("big@desk.jsonl")).unwrap().set_len(3 << 30).unwrap();
        let found = all(dir.path()).unwrap();
        let names: Vec<&str> = found.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["anna@desk.jsonl", "big@desk.jsonl", "eve@desk.jsonl"]);
        let [(_, anna), (_, big), (_, eve)] = &found[..] else { panic!() };
        assert_eq!(anna.as_deref().unwrap(), b"one\n");
        assert!(big.as_ref().unwrap_err().to_string().contains("256 MiB"));
        assert!(eve.as_ref().unwrap_err().to_string().contains("a link"));
    }
}
