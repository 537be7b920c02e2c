//! What was typed and not yet given: small files, one written whenever something in it changes.

use crate::config::reasons;
use crate::domain::RecordId;
use crate::domain::review::{GivenScores, Label, OverrideWord, ScoresError};
use crate::files::atomic;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

/// What was typed to go with a label, and not yet given.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Draft {
    /// The note; empty where none was typed.
    pub note: String,
    /// The code of the reason that was chosen.
    pub reason: Option<String>,
    /// The scores as they were typed, `4,2,-`; empty where none were.
    pub scores: String,
}

impl Draft {
    /// Puts what was typed into a label. Scores that are none change nothing: the reviewer is warned
    /// before.
    pub fn put(&self, label: &mut Label) {
        if let Ok(scores) = typed_scores(&self.scores) {
            label.scores = scores;
        }
        let note = self.note.trim();
        label.note = (!note.is_empty()).then(|| note.to_owned());
        label.reason.clone_from(&self.reason);
        label.reasons = label.reason.as_ref().map(|_| reasons::version());
    }

    /// Whether a label says what was typed.
    pub fn is_in(&self, label: &Label) -> bool {
        label.note.as_deref().unwrap_or_default() == self.note.trim()
            && label.reason == self.reason
            && typed_scores(&self.scores) == Ok(label.scores)
    }
}

/// The scores that a text names; none where nothing is typed, or a dash for each.
///
/// # Errors
/// What is wrong with it.
pub fn typed_scores(text: &str) -> Result<Option<GivenScores>, ScoresError> {
    if text.trim().is_empty() {
        return Ok(None);
    }
    let scores: GivenScores = text.parse()?;
    Ok((scores != GivenScores::default()).then_some(scores))
}

/// An override that was begun and not yet saved.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct OverrideDraft {
    /// What is to be done.
    pub word: Option<OverrideWord>,
    /// Free text; empty where nothing was typed.
    pub reason: String,
}

/// Something that is kept while it is typed.
pub trait StoredDraft: Serialize + DeserializeOwned {
    /// The file's name in the session's directory.
    const NAME: &'static str;
}

impl StoredDraft for Draft {
    const NAME: &'static str = "drafts.json";
}

impl StoredDraft for OverrideDraft {
    const NAME: &'static str = "override-drafts.json";
}

/// Notes by the records that they are of.
pub type Drafts = BTreeMap<RecordId, Draft>;

/// Overrides that were begun, by their records.
pub type OverrideDrafts = BTreeMap<RecordId, OverrideDraft>;

/// One draft in the file.
#[derive(Serialize, Deserialize)]
struct Line<D> {
    record: RecordId,
    #[serde(flatten)]
    draft: D,
}

/// The file cannot be read or written.
#[derive(Debug, thiserror::Error)]
#[error("failed to {attempt} what was typed in {}", path.display())]
pub struct DraftError {
    attempt: &'static str,
    path: PathBuf,
    #[source]
    source: io::Error,
}

/// Reads them; there are none where there is no file.
///
/// # Errors
/// A file that is there and cannot be read, or is damaged.
pub(super) fn load<D: StoredDraft>(dir: &Path) -> Result<BTreeMap<RecordId, D>, DraftError> {
    let path = dir.join(D::NAME);
    let read = || -> io::Result<BTreeMap<RecordId, D>> {
        let bytes = match std::fs::read(&path) {
            Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(BTreeMap::new()),
            other => other?,
        };
        let lines: Vec<Line<D>> = serde_json::from_slice(&bytes)?;
        Ok(lines.into_iter().map(|line| (line.record, line.draft)).collect())
    };
    read().map_err(|source| DraftError { attempt: "read", path: path.clone(), source })
}

/// Keeps a draft, or no longer keeps it; those of other records stay, whoever wrote them.
///
/// # Errors
/// A file that is damaged, which is left as it is, or one that cannot be written.
pub fn put<D: StoredDraft>(
    dir: &Path,
    record: RecordId,
    draft: Option<D>,
) -> Result<(), DraftError> {
    let mut drafts = load::<D>(dir)?;
    match draft {
        Some(draft) => drop(drafts.insert(record, draft)),
        None if drafts.remove(&record).is_none() => return Ok(()),
        None => {}
    }
    let path = dir.join(D::NAME);
    let write = || -> io::Result<()> {
        let lines = drafts.into_iter().map(|(record, draft)| Line { record, draft });
        let mut bytes = serde_json::to_vec(&lines.collect::<Vec<_>>())?;
        bytes.push(b'\n');
        atomic::private_dir(dir)?;
        atomic::write(&path, &bytes)
    };
    write().map_err(|source| DraftError { attempt: "keep", path: path.clone(), source })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drafts_are_stored_side_by_side_and_damaged_file_is_preserved() {
        let dir = tempfile::tempdir().unwrap();
        let dir = dir.path().join("session");
        let draft = |note: &str| Some(Draft { note: note.to_owned(), ..Draft::default() });
        let [one, two] = [1, 2].map(|n| RecordId([n; 32]));
        put(&dir, one, draft("a\u{202e}\"\n")).unwrap();
        put(&dir, two, draft("b")).unwrap();
        let typed = OverrideDraft { word: Some(OverrideWord::Accept), reason: "c".to_owned() };
        put(&dir, one, Some(typed.clone())).unwrap();
        assert_eq!(load::<Draft>(&dir).unwrap()[&one].note, "a\u{202e}\"\n");
        put::<Draft>(&dir, one, None).unwrap();
        assert_eq!(load::<Draft>(&dir).unwrap().into_keys().collect::<Vec<_>>(), [two]);
        assert_eq!(load::<OverrideDraft>(&dir).unwrap()[&one], typed);
        std::fs::write(dir.join(Draft::NAME), "[{").unwrap();
        assert!(put(&dir, one, draft("c")).is_err());
        assert_eq!(std::fs::read_to_string(dir.join(Draft::NAME)).unwrap(), "[{");
    }
}
