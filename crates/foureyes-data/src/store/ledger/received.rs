//! Assignments that the store of the operators holds: a copy, as of the last question.
//!
//! It can be made again, so a copy that cannot be read is none.

use crate::domain::Timestamp;
use crate::domain::review::{Assignment, Dated, EntryId};
use crate::files::atomic;
use serde::{Deserialize, Serialize};
use std::fs;
use std::io;
use std::path::Path;

/// Value of `schema` in the file.
const SCHEMA: &str = "foureyes/assignments/1";

#[derive(Serialize, Deserialize)]
struct File {
    schema: String,
    assignments: Vec<Row>,
}

#[derive(Serialize, Deserialize)]
struct Row {
    entry: EntryId,
    time: Timestamp,
    by: String,
    #[serde(flatten)]
    what: Assignment,
}

/// Reads the copy.
pub(super) fn read(path: &Path) -> Vec<Dated<Assignment>> {
    let file = fs::read(path).ok().and_then(|bytes| serde_json::from_slice::<File>(&bytes).ok());
    let rows = file.filter(|file| file.schema == SCHEMA).map(|file| file.assignments);
    let dated = |Row { entry, time, by, what }| Dated { entry, time, reviewer: by, what };
    rows.into_iter().flatten().map(dated).collect()
}

/// Writes it.
pub(super) fn write(path: &Path, all: &[Dated<Assignment>]) -> io::Result<()> {
    let row = |one: &Dated<Assignment>| Row {
        entry: one.entry,
        time: one.time,
        by: one.reviewer.clone(),
        what: one.what.clone(),
    };
    let file = File { schema: SCHEMA.to_owned(), assignments: all.iter().map(row).collect() };
    let bytes = serde_json::to_vec(&file).map_err(io::Error::from)?;
    atomic::private_dir(atomic::dir_of(path))?;
    atomic::write(path, &bytes)
}
