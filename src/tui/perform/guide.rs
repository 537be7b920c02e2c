//! Reading what to label by: the rubric, and the guideline of the team.

use super::services::Services;
use super::{CancelFlag, MessageSender};
use crate::config::Config;
use crate::judging::configured;
use crate::tui::message::Message;
use crate::tui::model::{Guide, Guideline, Problem};
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;

/// Bytes of a guideline that are read: more than anybody reads beside an item.
const MOST: u64 = 256 << 10;

/// Reads both; what cannot be read is a part of the answer.
fn load(config: &Config) -> Guide {
    let next = "correct the rubric, or leave `rubric` out of `[judge]`";
    let rubric = configured::rubric(config.judge.rubric.as_deref());
    let rubric = rubric.map_err(|error| Problem::from_error(&error, next));
    let guideline = config.reviewer.guideline.as_deref().map(|path| {
        guideline(path).map_err(|error| {
            let text = format!("failed to read the guideline {}: {error}", path.display());
            Problem::new(text, "correct `guideline` under `[reviewer]` in the configuration")
        })
    });
    Guide { rubric, guideline }
}

pub(super) fn read(services: &Services, sender: &MessageSender, _: &CancelFlag) {
    sender.send(Message::Guide(Arc::new(load(&services.config))));
}

fn guideline(path: &Path) -> io::Result<Guideline> {
    // What is no regular file may never end, or never begin.
    if !std::fs::metadata(path)?.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "not a regular file"));
    }
    let mut bytes = Vec::new();
    File::open(path)?.take(MOST + 1).read_to_end(&mut bytes)?;
    let cut = bytes.len() as u64 > MOST;
    bytes.truncate(MOST as usize);
    let text = String::from_utf8_lossy(&bytes).into_owned();
    Ok(Guideline { file: path.display().to_string(), text, cut })
}
