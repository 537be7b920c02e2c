//! What a record was about, as git has it.

use crate::config::Config;
use crate::content::{self, Nowhere, Request, State};
use crate::domain::Record;
use crate::domain::review::RunItem;
use crate::files::paths::DataDir;
use crate::judging::{File, Item};
use crate::text::escape;

/// The contents of the first so many records that are available; tells why others are not.
pub fn available(
    config: &Config,
    data: &DataDir,
    (records, most): (&[Record], usize),
    mut left_out: impl FnMut(&Record, &str),
) -> Vec<(RunItem, Item)> {
    let available =
        records.iter().filter_map(|record| match item(config, data, record, &|| false) {
            Ok(item) => {
                let row = RunItem {
                    record: Some(record.id),
                    was: record.outcome,
                    commit: item.commit.clone(),
                    files: item.material().paths(),
                };
                Some((row, item))
            }
            Err(why) => {
                left_out(record, &why);
                None
            }
        });
    available.take(most).collect()
}

/// The files of a record at its commit, each whole; or why it cannot be judged again.
///
/// # Errors
/// A sentence for people.
pub fn item(
    config: &Config,
    data: &DataDir,
    row: &Record,
    stop: &dyn Fn() -> bool,
) -> Result<Item, String> {
    let Some(commit) = row.commit.clone() else {
        return Err("the record names no commit".to_owned());
    };
    if row.files.is_empty() {
        return Err("the record names no file".to_owned());
    }
    let (files, box_name) = (row.files.clone(), row.box_name.clone());
    let request = Request { commit, files, box_name };
    let found = content::load(&request, config, data, stop);
    let found = found.map_err(|nowhere: Nowhere| nowhere.why.sentence())?;
    if found.left_out > 0 {
        return Err(format!("{} files are more than can be read", found.left_out));
    }
    let mut files = Vec::new();
    for file in found.files {
        let whole = match file.state {
            State::Text { text, cut: false, lossy: false, .. } => text.into_bytes(),
            // What was deleted was not judged either.
            State::Deleted => continue,
            State::Text { cut: true, .. } => return Err(not_whole(&file.path, "is too large")),
            State::Text { .. } => return Err(not_whole(&file.path, "is not UTF-8")),
            State::Link { .. } => return Err(not_whole(&file.path, "is a link")),
            State::Binary { .. } => return Err(not_whole(&file.path, "is not text")),
            State::Absent(absence) => return Err(not_whole(&file.path, &absence.sentence())),
        };
        files.push(File { path: file.path.into_bytes(), bytes: whole });
    }
    if files.is_empty() {
        return Err("the commit deleted all of its files".to_owned());
    }
    let (commit, author) = (Some(found.commit.to_string()), row.author.clone());
    Ok(Item { commit, author, files: files.into(), ..Item::default() })
}

/// What is not there as a whole is not judged: the judge would be asked about something else.
fn not_whole(path: &str, why: &str) -> String {
    format!("{}: {why}", escape::line(path))
}
