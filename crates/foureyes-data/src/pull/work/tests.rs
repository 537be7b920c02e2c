#![allow(clippy::unwrap_used)]

use super::*;
use crate::files::paths::DataDir;
use crate::store::cursor::{RemotePath, Stamp};

async fn work(dir: &tempfile::TempDir) -> Work {
    let mirror = BoxMirror::open(&DataDir::at(dir.path()), "box").unwrap();
    let lock = BoxLock::take(mirror.dir(), std::time::Duration::ZERO, |_| std::future::ready(()));
    let lock = lock.await.unwrap().unwrap();
    Work::new(mirror, lock).unwrap()
}

#[tokio::test]
async fn more_bytes_than_were_asked_for_are_dropped_even_before_their_end() {
    let stamp = Stamp {
        device: None,
        inode: None,
        size: 4,
        modified: None,
        changed: None,
        nanos: None,
        settled: true,
    };
    let ask = Ask {
        number: 1,
        path: RemotePath("a.jsonl".into()),
        stamp,
        candidates: Vec::new(),
        own: None,
        progress: Progress::New,
    };
    for (bytes, kept) in [(&b"one"[..], 3), (b"one\n", 4), (b"noise one\n", 0)] {
        for cut in [false, true] {
            let dir = tempfile::tempdir().unwrap();
            let mut work = work(&dir).await;
            let mut asks = [ask.clone()];
            let mut next = asks.iter_mut();
            let parts = [ResponsePart::Start(Answer::New), ResponsePart::Data(bytes)];
            for part in parts.into_iter().chain((!cut).then_some(ResponsePart::End)) {
                work.take(&mut next, 100, part).unwrap();
            }
            work.keep_partial().unwrap();
            assert_eq!((work.bytes, work.copied()), (kept, kept));
            assert_eq!(work.take_facts().len(), usize::from(kept == 0));
        }
    }
}

#[tokio::test]
async fn no_state_is_saved_once_bytes_could_not_be_made_to_last() {
    let dir = tempfile::tempdir().unwrap();
    let mut work = work(&dir).await;
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
