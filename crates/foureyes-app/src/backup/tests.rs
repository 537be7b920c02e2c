use super::*;
use crate::files::paths::DataDir;
use std::fs;
use std::io::Write;
use std::path::Path;

const NOW: Timestamp = Timestamp(1_771_151_400_000_000);

/// A data directory with a ledger, a mirror and files that are no part of a backup.
fn data(root: &Path) -> DataDir {
    let put = |path: &str, text: &[u8]| {
        let path = root.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    put("ledger/anna@desk.jsonl", b"{\"a\":1}\n{\"b\":2}\n{\"torn");
    put("mirror/alpha/log.jsonl", b"no line feed at the end");
    put("mirror/alpha/lock", b"");
    put("mirror/beta/log.jsonl", b"line\n");
    put("session/state.json", b"{}");
    put("cache/columns", b"made again");
    put("ledger/.tmp123", b"left by a crash");
    DataDir::at(root)
}

fn backup(data: &DataDir, config: Option<&Path>) -> (Vec<u8>, Summary) {
    let mut bytes = Vec::new();
    let summary = create(data, config, NOW, &mut bytes).unwrap();
    (bytes, summary)
}

/// An archive with these entries and no manifest.
fn archive(entries: &[(&str, &[u8])]) -> Vec<u8> {
    let mut tar = tar::Builder::new(zstd::Encoder::new(Vec::new(), 0).unwrap());
    for (name, bytes) in entries {
        let mut header = tar::Header::new_gnu();
        header.set_size(bytes.len() as u64);
        // Not `append_data`, which refuses what a hostile archive has.
        header.as_mut_bytes()[..name.len()].copy_from_slice(name.as_bytes());
        header.set_cksum();
        tar.append(&header, *bytes).unwrap();
    }
    tar.into_inner().unwrap().finish().unwrap()
}

#[test]
fn restore_returns_files_and_ledgers_end_at_complete_line() {
    let dir = tempfile::tempdir().unwrap();
    let config = dir.path().join("config.toml");
    fs::write(&config, "days = 3\n").unwrap();
    let (bytes, summary) = backup(&data(&dir.path().join("old")), Some(&config));
    assert_eq!((summary.files, summary.ledgers, summary.boxes), (5, 1, 2));
    assert!(summary.has_config && summary.left_out.is_empty());
    assert_eq!(check(bytes.as_slice()).unwrap(), summary);

    let (root, target) = (dir.path().join("new"), dir.path().join("new.toml"));
    let (restored, placed) = restore(bytes.as_slice(), &DataDir::at(&root), Some(&target)).unwrap();
    assert_eq!((restored, placed), (summary, RestoredConfig::Restored(target.clone())));
    let read = |path: &str| fs::read_to_string(root.join(path)).unwrap();
    assert_eq!(read("ledger/anna@desk.jsonl"), "{\"a\":1}\n{\"b\":2}\n");
    assert_eq!(read("mirror/alpha/log.jsonl"), "no line feed at the end");
    assert_eq!(fs::read_to_string(&target).unwrap(), "days = 3\n");
    assert!(!root.join("cache").exists() && !root.join("ledger/.tmp123").exists());
    let left: Vec<_> = fs::read_dir(dir.path()).unwrap().map(|e| e.unwrap().file_name()).collect();
    assert_eq!(left.len(), 4, "nothing is left over: {left:?}");
}

#[test]
fn restore_overwrites_neither_data_nor_configuration() {
    let dir = tempfile::tempdir().unwrap();
    let config = dir.path().join("config.toml");
    fs::write(&config, "days = 3\n").unwrap();
    let old = data(&dir.path().join("old"));
    let (bytes, _) = backup(&old, Some(&config));
    let error = restore(bytes.as_slice(), &old, None).unwrap_err();
    assert!(matches!(error, BackupError::Occupied { .. }), "{error}");

    // A cache can be made again, so it is no data.
    let root = dir.path().join("new");
    fs::create_dir_all(root.join("cache")).unwrap();
    fs::write(&config, "days = 9\n").unwrap();
    let (_, placed) = restore(bytes.as_slice(), &DataDir::at(&root), Some(&config)).unwrap();
    assert_eq!(placed, RestoredConfig::Beside(root.join("config.restored.toml")));
    assert_eq!(fs::read_to_string(&config).unwrap(), "days = 9\n");
    assert_eq!(fs::read_to_string(root.join("config.restored.toml")).unwrap(), "days = 3\n");
}

#[test]
fn a_changed_or_cut_archive_is_refused_and_leaves_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let (bytes, _) = backup(&data(&dir.path().join("old")), None);
    let plain = zstd::decode_all(bytes.as_slice()).unwrap();
    let packed = |plain: &[u8]| zstd::encode_all(plain, 0).unwrap();
    let at = plain.windows(9).position(|w| w == b"{\"a\":1}\n{").unwrap();
    let mut changed = plain.clone();
    changed[at + 5] = b'7';
    let headless = packed(&plain[..plain.len() / 2]);
    for (what, broken) in [
        ("a changed byte", packed(&changed)),
        ("half of the archive", headless),
        ("half of the file", bytes[..bytes.len() / 2].to_vec()),
        ("no archive", b"{}".to_vec()),
        ("nothing", Vec::new()),
    ] {
        let root = dir.path().join("new");
        assert!(check(broken.as_slice()).is_err(), "{what}");
        assert!(restore(broken.as_slice(), &DataDir::at(&root), None).is_err(), "{what}");
        assert!(!root.exists(), "{what}");
    }
}

#[test]
fn an_entry_that_leads_elsewhere_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    for name in ["../evil", "/evil", "data/../../evil", "data//evil", "data/a/./b", "other/x"] {
        let bytes = archive(&[(name, b"x")]);
        let error = restore(bytes.as_slice(), &DataDir::at(dir.path().join("new")), None);
        assert!(matches!(error, Err(BackupError::Damaged(_))), "{name}: {error:?}");
    }
    let twice = archive(&[("data/a", b"x"), ("data/a", b"y")]);
    assert!(matches!(check(twice.as_slice()), Err(BackupError::Damaged(_))));
    assert!(!dir.path().join("evil").exists() && !dir.path().join("new").exists());
}

#[test]
fn a_mirror_that_a_pull_writes_is_not_backed_up() {
    let dir = tempfile::tempdir().unwrap();
    let data = data(&dir.path().join("old"));
    let lock = crate::store::lock::BoxLock::try_take(&data.mirror().join("alpha")).unwrap();
    let error = create(&data, None, NOW, Vec::new()).unwrap_err();
    assert!(matches!(error, BackupError::Busy { .. }), "{error}");
    drop(lock);
    assert!(create(&data, None, NOW, Vec::new()).is_ok());
}

#[test]
fn an_output_that_fails_is_an_error() {
    struct Full;
    impl Write for Full {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(io::Error::other("full"))
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let dir = tempfile::tempdir().unwrap();
    let error = create(&data(&dir.path().join("old")), None, NOW, Full).unwrap_err();
    assert!(matches!(error, BackupError::Write(_)), "{error}");
}
