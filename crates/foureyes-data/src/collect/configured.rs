//! Logs of the configured boxes: the mirror's, and those of local directories.

use super::offer::Offer;
use super::{Collected, SourceBox};
use crate::config::{BoxConfig, Config, Place};
use crate::domain::log_name::stem;
use crate::domain::{BoxState, Timestamp, chain};
use crate::files::paths::DataDir;
use crate::store::cache::LogFile;
use crate::store::mirror;
use crate::store::state::Fact;
use std::collections::HashSet;
use std::io;
use std::path::Path;

/// What is behind the path of a log that is not the first of that path.
const CONTENT: &str = " (content ";

/// The path that a log has whatever rotation and pulls made of it: without number and ending of
/// compression.
pub fn path_of_log(name: &str) -> &str {
    let path = name.split(CONTENT).next().unwrap_or(name);
    path.get(..stem(path.as_bytes()).len()).unwrap_or(path)
}

/// Lists what the boxes' last pulls brought, and the logs of local directories as they are.
pub fn configured(data: &DataDir, config: &Config, now: Timestamp) -> Collected {
    let mut files = Vec::new();
    let mut boxes = Vec::new();
    for source in &config.boxes {
        boxes.push(match source.place {
            Place::Local => local(source, now, &mut files),
            Place::Ssh(_) => mirrored(data, source, &mut files),
        });
    }
    // By name first, so that days of all boxes stand together in the cache. The store that operators share
    // has the same order.
    files.sort_by(|a: &LogFile, b| {
        rank_of_log(&a.box_name, &a.name).cmp(&rank_of_log(&b.box_name, &b.name))
    });
    // A log that two settings of a box name is one log.
    let mut known = HashSet::new();
    files.retain(|f| known.insert((f.box_name.clone(), f.path.clone())));
    let collection = data.cache().join("boxes");
    Collected { files, boxes, collection, spool: None, store: None }
}

/// Where a log stands among all: by its name, then box, then path.
pub fn rank_of_log<'a>(box_name: &'a str, path: &'a str) -> (&'a str, &'a str, &'a str) {
    (path.rsplit('/').next().unwrap_or_default(), box_name, path)
}

fn local(source: &BoxConfig, now: Timestamp, files: &mut Vec<LogFile>) -> SourceBox {
    let mut offer = Offer::default();
    for log in &source.logs {
        let path = Path::new(log);
        match offer.list(path, &source.name) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => offer.fail(path, &error),
            _ => {}
        }
    }
    offer.note_nothing(&source.logs.join(", "));
    files.append(&mut offer.files);
    offer.source(&source.name, now)
}

/// What the last pulls of a box brought. Its failures are the box's state, not an error here.
fn mirrored(data: &DataDir, source: &BoxConfig, files: &mut Vec<LogFile>) -> SourceBox {
    let name = source.name.clone();
    let (copies, record) = match mirror::files(data, &name) {
        Ok(found) => found,
        Err(error) => {
            let error = Some(format!("its mirror cannot be read: {}", chain(&error)));
            let (state, complete, notices) = (BoxState::Empty, None, Vec::new());
            return SourceBox {
                name,
                state,
                complete,
                error,
                notices,
                listed: None,
                lacking: 0,
                clock_ahead_s: None,
            };
        }
    };
    for copy in copies {
        let generation = match copy.generation {
            0 => String::new(),
            n => format!("{CONTENT}{} of that name)", n + 1),
        };
        files.push(LogFile {
            box_name: name.clone(),
            name: format!("{}{generation}", copy.remote),
            path: copy.local,
            limit: Some(copy.committed),
            gzip: copy.gzip,
        });
    }
    let state = match (&record.last_success, &record.last_error) {
        (None, _) => BoxState::Empty,
        (Some(_), Some(_)) => BoxState::Stale,
        (Some(_), None) => BoxState::Ok,
    };
    SourceBox {
        name,
        state,
        complete: record.last_success,
        error: record.last_error,
        clock_ahead_s: record.notices.iter().find_map(|n| match n.fact {
            Fact::ClockOff { ahead_s } => Some(ahead_s),
            _ => None,
        }),
        notices: record.notices.iter().map(|n| n.fact.to_string()).collect(),
        lacking: record.notices.iter().filter(|n| n.fact.is_loss()).count() as u64,
        listed: record.listed,
    }
}
