use super::*;
use crate::domain::Timestamp;
use crate::store::cursor::Cursor;
use std::io::{Read, Write};
use std::os::unix::fs::PermissionsExt;

fn mirror() -> (tempfile::TempDir, DataDir, BoxMirror) {
    let dir = tempfile::tempdir().unwrap();
    let data = DataDir::at(dir.path());
    let mirror = BoxMirror::open(&data, "box").unwrap();
    (dir, data, mirror)
}

fn path(text: &str) -> RemotePath {
    RemotePath(text.as_bytes().to_vec())
}

fn copy(mirror: &BoxMirror, store: &mut BoxStore, name: &str, bytes: &[u8]) {
    let (mut entry, mut file) =
        mirror.create(&path(name), &mut Generations::new(&store.files)).unwrap();
    file.write_all(bytes).unwrap();
    let offset = bytes.len() as u64;
    let (head, tail) = Cursor::blocks(&mut file, offset).unwrap();
    entry.cursor = Cursor { offset, stamp: None, head, tail, hashes: None };
    store.files.push(entry);
}

#[test]
fn bytes_beyond_cursor_after_crash_are_ignored() {
    let (_dir, data, mirror) = mirror();
    let (mut store, _) = mirror.load().unwrap();
    copy(&mirror, &mut store, "/l.jsonl", b"one\n");
    store.save(mirror.dir()).unwrap();
    let mut crashed = mirror.append("%2Fl.jsonl", 4).unwrap();
    crashed.write_all(b"half a li").unwrap();
    drop(crashed);
    assert_eq!(files(&data, "box").unwrap().0[0].committed, 4);
    let mut again = mirror.append("%2Fl.jsonl", 4).unwrap();
    again.write_all(b"two\n").unwrap();
    let mut all = String::new();
    mirror.read("%2Fl.jsonl").unwrap().read_to_string(&mut all).unwrap();
    assert_eq!(all, "one\ntwo\n");
}

#[test]
fn generations_never_reuse_a_name() {
    let (_dir, _, mirror) = mirror();
    let (mut store, _) = mirror.load().unwrap();
    copy(&mirror, &mut store, "/l.jsonl", b"one\n");
    copy(&mirror, &mut store, "/l.jsonl", b"two\n");
    std::fs::write(mirror.files.join("%2Fl.jsonl+2"), "left from a crash").unwrap();
    copy(&mirror, &mut store, "/l.jsonl", b"three\n");
    let all: Vec<_> = store.files.iter().map(|f| (f.generation, f.local.as_str())).collect();
    assert_eq!(all, [(0, "%2Fl.jsonl"), (1, "%2Fl.jsonl+1"), (3, "%2Fl.jsonl+3")]);
}

#[test]
fn what_is_remembered_is_read_up_to_a_bound() {
    let (_dir, data, mirror) = mirror();
    assert_eq!(files_within(&data, "box", u64::MAX), None, "nothing was pulled yet");
    let (mut store, _) = mirror.load().unwrap();
    copy(&mirror, &mut store, "/l.jsonl", b"one\n");
    store.save(mirror.dir()).unwrap();
    let (copies, bytes) = files_within(&data, "box", u64::MAX).unwrap();
    assert_eq!((copies[0].committed, copies.len()), (4, 1));
    assert_eq!(files_within(&data, "box", bytes), Some((copies, bytes)));
    assert_eq!(files_within(&data, "box", bytes - 1), None);
    assert_eq!(files_within(&data, "../box", u64::MAX), None);
}

#[test]
fn files_are_private() {
    let (_dir, _, mirror) = mirror();
    let (mut store, _) = mirror.load().unwrap();
    copy(&mirror, &mut store, "/l.jsonl", b"one\n");
    store.save(mirror.dir()).unwrap();
    let mode = |p: &Path| std::fs::metadata(p).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(mirror.dir()), 0o700);
    assert_eq!(mode(&mirror.files), 0o700);
    assert_eq!(mode(&mirror.files.join("%2Fl.jsonl")), 0o600);
    assert_eq!(mode(&mirror.dir().join("state.json")), 0o600);
}

#[test]
fn a_damaged_state_is_put_aside_and_made_again() {
    let (_dir, data, mirror) = mirror();
    let (mut store, _) = mirror.load().unwrap();
    copy(&mirror, &mut store, "/l.jsonl", b"one\n");
    copy(&mirror, &mut store, "/l.jsonl", b"two\n");
    store.record.last_attempt = Some(Timestamp(1));
    store.save(mirror.dir()).unwrap();
    let path = mirror.dir().join("state.json");
    std::fs::write(&path, "{\"schema\":").unwrap();
    assert!(matches!(files(&data, "box"), Err(Error::Damaged { .. })));
    let (again, recovered) = mirror.load().unwrap();
    assert!(recovered && mirror.dir().join("state.json.damaged-1").exists());
    let cursors = |s: &BoxStore| s.files.iter().map(|f| f.cursor.clone()).collect::<Vec<_>>();
    assert_eq!(cursors(&again), cursors(&store));
    assert_eq!(again.files.iter().map(|f| f.live).collect::<Vec<_>>(), [false, true]);
}

#[test]
fn a_state_of_another_version_is_left_alone() {
    let (_dir, data, mirror) = mirror();
    let path = mirror.dir().join("state.json");
    let text = r#"{"schema":"foureyes/mirror/9","box":"box","last_success":null,"last_attempt":null,"last_error":null,"notices":[],"files":[]}"#;
    std::fs::write(&path, text).unwrap();
    assert!(matches!(files(&data, "box"), Err(Error::Foreign { .. })));
    assert!(mirror.load().is_err());
    assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
}

#[test]
fn a_box_name_cannot_leave_the_mirror() {
    let (_dir, data, _) = mirror();
    for bad in ["", "..", ".", "../x", "a/b", "-x", "a b"] {
        assert!(matches!(files(&data, bad), Err(Error::BoxName { .. })), "{bad}");
    }
    assert_eq!(files(&data, "never-pulled").unwrap(), (Vec::new(), BoxRecord::default()));
}
