//! What is known of the question of a record, in a mirror too.

use super::state::BoxStore;
use crate::domain::Record;
use crate::engine::task_question::KnownQuestion;
use crate::questions;
use std::path::Path;

/// The question of the task that a record is of, from beside the log on this machine that holds it; `None` of what is
/// no line of a task. Of a copy, the state of its mirror tells why the question is not there.
pub fn known(record: &Record, log: Option<&Path>) -> Option<KnownQuestion> {
    let known = questions::known(record, log)?;
    let mirrored = match (&known, log, record.task_sha.as_deref()) {
        (KnownQuestion::NotKept, Some(log), Some(sha)) => of_mirror(log, sha),
        _ => None,
    };
    Some(mirrored.unwrap_or(known))
}

/// Why a mirror lacks a question; `None` where the log is no copy.
fn of_mirror(log: &Path, sha: &str) -> Option<KnownQuestion> {
    let files = log.parent().filter(|dir| dir.ends_with("files"))?;
    let mirror = files.parent()?;
    let store = BoxStore::read(mirror, mirror.file_name()?.to_str()?).ok()?;
    let copy = log.file_name()?.to_str()?;
    let copy = store.files.iter().find(|entry| entry.local == copy)?;
    if let Some(open) = store.open_questions.iter().find(|open| open.sha == sha) {
        let why = open.why.clone().unwrap_or_else(|| "the next pull asks for it".to_owned());
        return Some(KnownQuestion::NotTaken(why));
    }
    if store.record.last_error.is_some() && copy.asked_upto < copy.cursor.offset {
        return Some(KnownQuestion::NotTaken("the last pull failed".to_owned()));
    }
    let why = "see `keep_questions` in `[task]`, here and on the box";
    Some(KnownQuestion::NotHere(why.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::Timestamp;
    use crate::store::state::OpenQuestion;

    #[test]
    fn state_of_a_mirror_tells_why_a_question_is_not_there() {
        let dir = tempfile::tempdir().unwrap();
        let (mirror, sha) = (dir.path().join("box"), "a".repeat(64));
        let files = mirror.join("files");
        std::fs::create_dir_all(&files).unwrap();
        let log = files.join("%2Fverdicts.jsonl");
        std::fs::write(&log, "{}\n").unwrap();
        let (mut store, _) = BoxStore::read_or_recover(&mirror, "box").unwrap();
        let why = |store: &BoxStore, log: &Path| {
            store.save(&mirror).unwrap();
            of_mirror(log, &sha).and_then(|known| known.absence())
        };
        store.files[0].asked_upto = 3;
        assert!(why(&store, &log).unwrap().starts_with("not here: see `keep_questions`"));
        store.record.last_error = Some("no route".to_owned());
        assert!(why(&store, &log).unwrap().starts_with("not here: see `keep_questions`"));
        store.files[0].asked_upto = 0;
        assert_eq!(why(&store, &log).unwrap(), "not taken: the last pull failed");
        let open = |why: Option<&str>| OpenQuestion {
            directory: "/questions".to_owned(),
            sha: sha.clone(),
            at: Timestamp(1),
            why: why.map(str::to_owned),
        };
        store.open_questions = vec![open(Some("it may not be read"))];
        assert_eq!(why(&store, &log).unwrap(), "not taken: it may not be read");
        store.open_questions = vec![open(None)];
        assert_eq!(why(&store, &log).unwrap(), "not taken: the next pull asks for it");
        // A log that is no copy.
        assert_eq!(why(&store, &dir.path().join("verdicts.jsonl")), None);
        assert_eq!(why(&store, &files.join("another.jsonl")), None);
    }
}
