//! How the console was left, so that it opens there again.

mod arrangement;
mod blind_mode;
mod days;
mod drafts;
mod queue_kind;
mod screen;
mod tab;

pub use arrangement::Arrangement;
pub use blind_mode::BlindMode;
pub use days::Days;
pub use drafts::{
    Draft, Drafts, OverrideDraft, OverrideDrafts, StoredDraft, put as put_draft, typed_scores,
};
pub use queue_kind::QueueKind;
pub use screen::Screen;
pub use tab::Tab;

use crate::domain::{RecordId, chain};
use crate::files::atomic;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::io;
use std::path::Path;

/// The file's name in the session's directory.
const NAME: &str = "console.json";

/// The file beside it that one console at a time holds while it replaces that one.
const LOCK: &str = "console.lock";

/// Filters that are kept.
pub const FILTERS: usize = 50;

/// How the console was left. What a later version adds has a default.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Session {
    /// The screen that was open.
    pub screen: Screen,
    /// How far back the window reaches; `None` for the configured default.
    pub days: Option<Days>,
    /// Filter and selection of the queue.
    pub queue: ListPosition,
    /// The list of records.
    pub records: ListPosition,
    /// The order of the queue as version 0.2 wrote it; it is read and no longer written.
    #[serde(skip_serializing)]
    pub order: String,
    /// The side of a record.
    pub tab: Tab,
    /// The theme that was chosen in the console; empty for the configured one.
    pub theme: String,
    /// Saved filters, each with a name.
    pub views: Vec<View>,
    /// Filters that held, the last one first; at most [`FILTERS`].
    pub filters: Vec<String>,
    /// Whether verdicts are hidden until one's own word is given.
    pub sight: BlindMode,
    /// The kind of queue that was chosen.
    pub queue_kind: Option<QueueKind>,
    /// What a later version keeps here: it is written back as it was.
    #[serde(flatten)]
    pub unknown: serde_json::Map<String, serde_json::Value>,
    /// Notes that were typed and not yet given. They are kept apart from all else.
    #[serde(skip)]
    pub drafts: Drafts,
    /// Overrides that were begun and not yet saved, kept likewise.
    #[serde(skip)]
    pub typed: OverrideDrafts,
    /// The views as they were when the file was read: what differs was changed here.
    #[serde(skip)]
    pub before: Vec<View>,
    /// Whether there was a session before.
    #[serde(skip)]
    pub known: bool,
}

/// How a list was left.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ListPosition {
    /// Its filter as typed.
    pub filter: String,
    /// The selected record; `None` for the first line.
    pub selected: Option<RecordId>,
    /// The name of its order; empty for the usual one.
    pub sort: String,
    /// The names of its columns; none for the usual ones.
    pub columns: Vec<String>,
    /// How it shares the screen with its record.
    pub arrangement: Arrangement,
    /// The same of a queue that is labelled, which is beside its record.
    pub beside: Arrangement,
}

/// A filter with a name, and the order and the columns that it was saved with.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct View {
    /// Unique among the views.
    pub name: String,
    /// The filter as typed.
    pub filter: String,
    /// The name of its order; empty for the usual one.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub sort: String,
    /// The names of its columns; none for the usual ones.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub columns: Vec<String>,
}

impl Session {
    /// Reads how the console was left. A file that cannot be read is reported, and a fresh session
    /// begins; the file is set aside once this one is kept.
    pub fn load(dir: &Path) -> (Self, Option<String>) {
        let (mut session, damaged) = Self::read(dir);
        let (notes, typed) = (drafts::load(dir), drafts::load(dir));
        let lost = notes.as_ref().err().or(typed.as_ref().err()).map(|e| chain(e));
        session.drafts = notes.unwrap_or_default();
        session.typed = typed.unwrap_or_default();
        (session, damaged.or(lost))
    }

    /// The views of a session whose file has at most `most` bytes; none where it cannot be read.
    pub fn saved_views(dir: &Path, most: u64) -> Vec<View> {
        let path = dir.join(NAME);
        let is_fit = std::fs::metadata(&path).is_ok_and(|m| m.is_file() && m.len() <= most);
        let session = if is_fit { read(&path).ok().flatten() } else { None };
        session.map(|session| session.views).unwrap_or_default()
    }

    fn read(dir: &Path) -> (Self, Option<String>) {
        let path = dir.join(NAME);
        match read(&path) {
            Ok(None) => (Self::default(), None),
            Ok(Some(session)) => {
                let before = session.views.clone();
                (Self { known: true, before, ..session }, None)
            }
            Err(problem) => (Self { known: true, ..Self::default() }, Some(problem)),
        }
    }

    /// Replaces the file: after a crash there is the old one or the new one. Views that another
    /// console changed meanwhile stay; a file that cannot be read is set aside under another name.
    ///
    /// # Errors
    /// A directory or file that cannot be written.
    pub fn save(&self, dir: &Path) -> io::Result<()> {
        atomic::private_dir(dir)?;
        let lock = atomic::private().append(true).open(dir.join(LOCK))?;
        lock.lock()?;
        let path = dir.join(NAME);
        let merged = match read(&path) {
            Ok(there) => self.merged(there.unwrap_or_default()),
            Err(_) => {
                set_aside(&path)?;
                self.clone()
            }
        };
        let mut bytes = serde_json::to_vec(&merged)?;
        bytes.push(b'\n');
        atomic::write(&path, &bytes)
    }

    /// This session with the views and filters of one that another console kept meanwhile: of a
    /// view that was changed here counts what is here, of any other what is there.
    fn merged(&self, there: Self) -> Self {
        fn named<'a>(views: &'a [View], name: &str) -> Option<&'a View> {
            views.iter().find(|v| v.name == name)
        }
        let names: BTreeSet<&str> =
            self.views.iter().chain(&there.views).map(|v| v.name.as_str()).collect();
        let holds = |name: &str| {
            let (ours, before) = (named(&self.views, name), named(&self.before, name));
            if ours == before { named(&there.views, name).cloned() } else { ours.cloned() }
        };
        let views = names.into_iter().filter_map(holds).collect();
        let mut filters = self.filters.clone();
        filters.extend(there.filters.into_iter().filter(|f| !self.filters.contains(f)));
        filters.truncate(FILTERS);
        Self { views, filters, unknown: there.unknown, ..self.clone() }
    }
}

/// What a file says, where there is one; or what is wrong with it.
fn read(path: &Path) -> Result<Option<Session>, String> {
    match std::fs::read(path) {
        Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(e) => Err(format!("failed to read {}: {e}", path.display())),
        Ok(bytes) => serde_json::from_slice(&bytes)
            .map(Some)
            .map_err(|e| format!("{} is damaged: {}", path.display(), chain(&e))),
    }
}

/// Gives a file a name that no other has.
fn set_aside(path: &Path) -> io::Result<()> {
    let aside = |n: u32| path.with_extension(format!("json.damaged-{n}"));
    let free = (1..).map(aside).find(|aside| !aside.exists());
    free.map_or(Ok(()), |free| std::fs::rename(path, free))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn view(name: &str, filter: &str) -> View {
        View { name: name.to_owned(), filter: filter.to_owned(), ..View::default() }
    }

    fn with(before: &Session, views: &[View]) -> Session {
        Session { views: views.to_vec(), ..before.clone() }
    }

    #[test]
    fn views_of_two_consoles_merge_without_restoring_deleted_ones() {
        let dir = tempfile::tempdir().unwrap();
        with(&Session::default(), &[view("a", "box:a"), view("b", "box:b")])
            .save(dir.path())
            .unwrap();
        let (start, _) = Session::load(dir.path());
        // One adds and changes, the other deletes and adds.
        let one = with(&start, &[view("a", "box:x"), view("b", "box:b"), view("c", "box:c")]);
        let other = with(&start, &[view("a", "box:a"), view("d", "box:d")]);
        one.save(dir.path()).unwrap();
        other.save(dir.path()).unwrap();
        let both = [view("a", "box:x"), view("c", "box:c"), view("d", "box:d")];
        assert_eq!(Session::load(dir.path()).0.views, both);
        assert_eq!(Session::saved_views(dir.path(), 1 << 20), both);
        assert!(Session::saved_views(dir.path(), 10).is_empty());
        assert!(Session::saved_views(&dir.path().join("none"), 1 << 20).is_empty());
    }

    #[test]
    fn unknown_fields_of_later_version_are_preserved() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join(NAME), r#"{"order":"severity","pins":["x"]}"#).unwrap();
        let (session, _) = Session::load(dir.path());
        assert_eq!(session.order, "severity");
        session.save(dir.path()).unwrap();
        Session::default().save(dir.path()).unwrap();
        let text = std::fs::read_to_string(dir.path().join(NAME)).unwrap();
        assert!(text.contains(r#""pins":["x"]"#), "{text}");
    }

    #[test]
    fn a_damaged_file_is_set_aside_and_never_overwritten() {
        let dir = tempfile::tempdir().unwrap();
        for damage in ["{\"views\":[", "no"] {
            std::fs::write(dir.path().join(NAME), damage).unwrap();
            let (session, problem) = Session::load(dir.path());
            assert!(problem.is_some_and(|t| t.contains("damaged")));
            session.save(dir.path()).unwrap();
        }
        let aside = |n| std::fs::read_to_string(dir.path().join(format!("{NAME}.damaged-{n}")));
        assert_eq!(
            (aside(1).unwrap(), aside(2).unwrap()),
            ("{\"views\":[".to_owned(), "no".to_owned())
        );
        assert_eq!(Session::load(dir.path()).1, None);
    }
}
