//! Where on which box an override is written.

use crate::config::{BoxConfig, Config};
use crate::domain::log_name::{is_packed, stem};
use crate::domain::review::Reviewer;
use crate::domain::{Family, Origin, Record};
use crate::store::names;

/// A file of a box.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) box_name: String,
    /// A leading `~/` is the home there.
    pub(super) path: String,
    /// It is made where absent.
    pub(super) make: bool,
}

/// There is no place for an override of a record.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoPlace {
    /// It stands on no box that is configured.
    #[error("it is on no configured box")]
    NoBox,
    /// It does not stand on the box that was asked for.
    #[error("it is not on the box {name:?}, but on {}", there.join(", "))]
    NotThere {
        /// The box.
        name: String,
        /// Those on which it stands.
        there: Vec<String>,
    },
    /// The box has no directory that takes overrides.
    #[error("the box {name:?} has no directory for overrides: its home is not known")]
    NoDirectory {
        /// The box.
        name: String,
    },
    /// An override is no evaluation.
    #[error("it is an override itself")]
    Override,
    /// What a coding agent was shown is no verdict either.
    #[error("it is about memories, and not a verdict")]
    Memories,
}

/// The box of a record, or the one of its boxes that was asked for; and the file there.
pub(super) fn find(
    config: &Config,
    reviewer: &Reviewer,
    row: &Record,
    asked: Option<&str>,
) -> Result<Place, NoPlace> {
    match row.family {
        Family::Override => return Err(NoPlace::Override),
        Family::Pick | Family::Prompt => return Err(NoPlace::Memories),
        Family::Push | Family::Task | Family::Ladder => {}
    }
    let known = |origin: &&Origin| config.boxes.iter().any(|b| b.name == origin.box_name);
    let mut there = row.origins.iter().filter(known);
    let origin = match asked {
        None => there.next().ok_or(NoPlace::NoBox)?,
        Some(name) => there.find(|origin| origin.box_name == name).ok_or_else(|| {
            let mut there: Vec<_> = row.origins.iter().map(|o| o.box_name.clone()).collect();
            there.dedup();
            NoPlace::NotThere { name: name.to_owned(), there }
        })?,
    };
    let target = config.boxes.iter().find(|b| b.name == origin.box_name).ok_or(NoPlace::NoBox)?;
    match row.family {
        Family::Push => apart(target, reviewer),
        _ => Ok(task_log(origin)),
    }
}

/// The verdict directory is read by others: what is in it counts as a verdict.
fn apart(target: &BoxConfig, reviewer: &Reviewer) -> Result<Place, NoPlace> {
    if target.overrides.is_empty() {
        return Err(NoPlace::NoDirectory { name: target.name.clone() });
    }
    let dir = target.overrides.trim_end_matches('/');
    let name = names::encode(reviewer.name.as_bytes(), 180);
    let path = format!("{dir}/{name}.jsonl");
    Ok(Place { box_name: target.name.clone(), path, make: true })
}

/// The log that the record stands in, or that is written to since it was rotated away. It is made
/// by those who write tasks, never by us.
fn task_log(origin: &Origin) -> Place {
    let file = origin.file.as_str();
    let rotated = is_packed(file.as_bytes()) || !file.ends_with(".jsonl");
    let bytes = if rotated { stem(file.as_bytes()) } else { file.as_bytes() };
    let path = file.get(..bytes.len()).unwrap_or(file).to_owned();
    Place { box_name: origin.box_name.clone(), path, make: false }
}
