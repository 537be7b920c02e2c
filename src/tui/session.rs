//! How the console was left, so that it opens there again.

mod drafts;

pub use drafts::{Draft, Drafts, put as put_draft};

use super::model::{Days, Screen, Sight, Tab};
use crate::domain::{RecordId, chain};
use crate::store::atomic;
use serde::{Deserialize, Serialize};
use std::io;
use std::path::Path;

/// The file's name in the session's directory.
const NAME: &str = "console.json";

/// How the console was left. What a later version adds has a default; what it drops is ignored.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Session {
    /// The screen.
    pub screen: Screen,
    /// How far back.
    pub days: Option<Days>,
    /// The queue.
    pub queue: Left,
    /// The list of records.
    pub records: Left,
    /// The order of the queue, by its name.
    pub order: String,
    /// The side of a record.
    pub tab: Tab,
    /// The theme that was chosen in the console; empty for the configured one.
    pub theme: String,
    /// Filters with names.
    pub views: Vec<View>,
    /// Filters that held, the last one first; at most 50.
    pub filters: Vec<String>,
    /// Whether verdicts are hidden until one's own word is given.
    pub sight: Sight,
    /// Notes that were typed and not yet given. They are kept apart from all else.
    #[serde(skip)]
    pub drafts: Drafts,
    /// Tells whether there was a session before.
    #[serde(skip)]
    pub known: bool,
}

/// How a list was left.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Left {
    /// Its filter as typed.
    pub filter: String,
    /// The selected record.
    pub selected: Option<RecordId>,
}

/// A filter with a name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct View {
    /// Its name.
    pub name: String,
    /// The filter as typed.
    pub filter: String,
}

impl Session {
    /// Reads how the console was left. A file that cannot be read is told of, and a fresh session
    /// begins.
    pub fn load(dir: &Path) -> (Self, Option<String>) {
        let (mut session, damaged) = Self::read(dir);
        let drafts = drafts::load(dir);
        let lost = drafts.as_ref().err().map(|e| chain(e));
        session.drafts = drafts.unwrap_or_default();
        (session, damaged.or(lost))
    }

    fn read(dir: &Path) -> (Self, Option<String>) {
        let path = dir.join(NAME);
        match std::fs::read(&path) {
            Err(e) if e.kind() == io::ErrorKind::NotFound => (Self::default(), None),
            Err(e) => (Self::default(), Some(format!("cannot read {}: {e}", path.display()))),
            Ok(bytes) => match serde_json::from_slice::<Self>(&bytes) {
                Ok(session) => (Self { known: true, ..session }, None),
                Err(e) => {
                    let text = format!("{} is damaged: {}", path.display(), chain(&e));
                    (Self { known: true, ..Self::default() }, Some(text))
                }
            },
        }
    }

    /// Replaces the file: after a crash there is the old one or the new one.
    ///
    /// # Errors
    /// A directory or file that cannot be written.
    pub fn save(&self, dir: &Path) -> io::Result<()> {
        atomic::private_dir(dir)?;
        let mut bytes = serde_json::to_vec(self)?;
        bytes.push(b'\n');
        atomic::write(&dir.join(NAME), &bytes)
    }
}
