//! Logs of the hook whose lines do not follow each other.

use crate::collect::rank_of_log;
use crate::domain::{Caveat, Window, log_name};
use crate::store::cache::{Archive, FileReport};

/// So many logs are named.
const NAMED: usize = 10;

/// What the logs of a window show: lines that were changed, added or taken out, and lines of other
/// writers between those of the hook, which are no damage. A log without a day in its name is of any.
pub(super) fn caveats(archive: &Archive, window: Window) -> Vec<Caveat> {
    let mut logs: Vec<&FileReport> =
        archive.files().iter().filter(|file| touches(file, window)).collect();
    logs.sort_by_key(|file| rank_of_log(&file.box_name, &file.name));
    let broken = logs.iter().filter(|file| file.chain.broken > 0).map(|file| broken(file));
    let foreign = logs.iter().filter(|file| file.chain.between > 0).map(|file| foreign(file));
    [("broken_chain", broken.collect()), ("foreign_lines", foreign.collect())]
        .into_iter()
        .flat_map(|(id, texts): (&str, Vec<String>)| named(id, texts))
        .collect()
}

/// A log runs on into the next day where a push does.
fn touches(file: &FileReport, window: Window) -> bool {
    let Some(day) = log_name::day(file.name.as_bytes()) else { return true };
    let before = window.from.is_some_and(|from| day.plus_days(2) <= from);
    !before && window.to.is_none_or(|to| day < to)
}

fn broken(file: &FileReport) -> String {
    let (log, chain) = (log(file), &file.chain);
    let places: Vec<String> = chain.places.iter().map(ToString::to_string).collect();
    let more = if chain.broken > chain.places.len() as u64 { ", …" } else { "" };
    let places = format!("{}{more}", places.join(", "));
    match chain.broken {
        1 => format!(
            "{log}: line {places} does not follow the previous line: a line was changed, added or removed"
        ),
        n => format!(
            "{log}: {n} lines do not follow the previous line ({places}): lines were changed, added or removed"
        ),
    }
}

fn foreign(file: &FileReport) -> String {
    let log = log(file);
    match file.chain.between {
        1 => {
            format!("{log}: 1 line between those of the hook is from another writer or incomplete")
        }
        n => {
            format!(
                "{log}: {n} lines between those of the hook are from other writers or incomplete"
            )
        }
    }
}

fn log(file: &FileReport) -> String {
    format!("{}: {}", file.box_name, file.name)
}

/// A caveat for each, and one for those that are too many.
fn named(id: &str, mut texts: Vec<String>) -> Vec<Caveat> {
    let more = texts.len().saturating_sub(NAMED);
    texts.truncate(NAMED);
    if more > 0 {
        texts.push(format!("the same in {more} more {}", if more == 1 { "log" } else { "logs" }));
    }
    texts.into_iter().map(|text| Caveat { id: id.to_owned(), text }).collect()
}
