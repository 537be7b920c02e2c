#![allow(clippy::unwrap_used)]

use super::*;
use crate::files::paths::DataDir;

#[tokio::test]
async fn no_state_is_saved_once_bytes_could_not_be_made_to_last() {
    let dir = tempfile::tempdir().unwrap();
    let mirror = BoxMirror::open(&DataDir::at(dir.path()), "box").unwrap();
    let lock = BoxLock::take(mirror.dir(), std::time::Duration::ZERO, |_| std::future::ready(()));
    let lock = lock.await.unwrap().unwrap();
    let mut work = Work::new(mirror, lock).unwrap();
    let state = work.mirror.dir().join("state.json");
    for name in ["lasts", "fails"] {
        let path = RemotePath(name.into());
        let (entry, _) = work.mirror.create(&path, &mut work.taken).unwrap();
        work.store.files.push(entry);
    }
    work.dirty.push((0, None));
    spawn_blocking(work.commit()).await.unwrap().unwrap();
    assert!(state.exists());
    std::fs::remove_file(&state).unwrap();
    let full = || Err(io::ErrorKind::StorageFull.into());
    work.dirty.push((1, Some(spawn_blocking(full))));
    let failed = work.commit();
    let later = work.commit();
    spawn_blocking(failed).await.unwrap().unwrap_err();
    spawn_blocking(later).await.unwrap().unwrap_err();
    assert!(!state.exists());
}
