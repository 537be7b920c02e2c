//! `foureyes label --import`.

use super::find::{self, Known};
use super::row::LabelRow;
use super::{Args, Document};
use crate::cli::operator::{ledger, reading};
use crate::cli::{Context, Failure};
use crate::domain::RecordId;
use crate::domain::review::Reviewer;
use crate::domain::review::{Act, Import, Label};
use crate::store::ledger::{LONGEST_LINE, Ledger, id_of};
use std::collections::HashMap;
use std::io::Read;
use std::path::Path;

/// A file of labels could not be read.
#[derive(Debug, thiserror::Error)]
#[error("failed to read the labels in {name}")]
struct ReadError {
    name: String,
    #[source]
    source: std::io::Error,
}

/// Takes over the labels of a file as one entry, so that all of them are saved or none.
///
/// The name of the entry comes from the file: the same file twice is saved once.
pub(super) fn run(context: &Context, args: &Args, file: &Path) -> Result<Document, Failure> {
    let name = file.file_name().unwrap_or(file.as_os_str()).to_string_lossy().into_owned();
    let reviewer = ledger::reviewer(context, args.reviewer.as_deref())?;
    let bytes = read(file).map_err(|source| {
        Failure::local(ReadError { name: name.clone(), source })
            .hint("check that the path exists and is readable")
    })?;
    let rows = rows(&name, &bytes)?;
    let labels = labels(context, args, &name, rows)?;
    if labels.is_empty() {
        return Err(Failure::usage(format!("{name} has no labels")));
    }
    let hash = blake3::hash(&bytes).to_hex().to_string();
    let key = [reviewer.name.as_str(), &reviewer.machine, &hash].join("\0");
    let id = id_of(key.as_bytes());
    let act = Act::Labels { labels, import: Some(Import { name, hash }) };
    save(context, &reviewer, id, &act)
}

fn save(
    context: &Context,
    reviewer: &Reviewer,
    id: crate::domain::review::EntryId,
    act: &Act,
) -> Result<Document, Failure> {
    let mut ledgers = Ledger::load(&context.data).map_err(ledger::failure)?;
    let present = ledgers.present(context.now);
    let done = present.stacks.get(&reviewer.name).is_some_and(|stack| stack.done.contains(&id));
    if ledgers.entry(id).is_some() && !done {
        return Err(Failure::usage("this file was already imported, and the import was undone")
            .hint(format!("`foureyes label --redo {id}` restores it")));
    }
    let saved = ledgers.append(reviewer, id, context.now, act).map_err(ledger::failure)?;
    Ok(Document::new(reviewer, context.now, act, &saved))
}

fn read(file: &Path) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let most = LONGEST_LINE as u64;
    if file == Path::new("-") {
        std::io::stdin().lock().take(most + 1).read_to_end(&mut bytes)?;
    } else {
        std::fs::File::open(file)?.take(most + 1).read_to_end(&mut bytes)?;
    }
    if bytes.len() > LONGEST_LINE {
        let message = format!("it has more than {LONGEST_LINE} bytes");
        return Err(std::io::Error::new(std::io::ErrorKind::FileTooLarge, message));
    }
    Ok(bytes)
}

/// The lines with their numbers; blank ones are passed over.
fn rows(name: &str, bytes: &[u8]) -> Result<Vec<(usize, LabelRow)>, Failure> {
    let mut rows = Vec::new();
    let mut problems = Vec::new();
    for (number, line) in (1..).zip(bytes.split(|b| *b == b'\n')) {
        if line.trim_ascii().is_empty() {
            continue;
        }
        match serde_json::from_slice::<LabelRow>(line) {
            Ok(row) if row.record.is_some() != row.commit.is_some() => rows.push((number, row)),
            Ok(_) => {
                problems.push(format!("{name}:{number}: it needs `record` or `commit`, not both"))
            }
            Err(error) => problems.push(format!("{name}:{number}: {}", json_error(&error))),
        }
    }
    find::none_or(problems, rows)
}

/// An error of the parser without its line, which is always the first.
fn json_error(error: &serde_json::Error) -> String {
    let text = error.to_string();
    text.rsplit_once(" at line ").map_or(text.clone(), |(what, _)| what.to_owned())
}

fn labels(
    context: &Context,
    args: &Args,
    name: &str,
    rows: Vec<(usize, LabelRow)>,
) -> Result<Vec<Label>, Failure> {
    let word = |row: &LabelRow| row.record.clone().or_else(|| row.commit.clone());
    let words: Vec<String> = rows.iter().filter_map(|(_, row)| word(row)).collect();
    let collected = reading::collect(context, &args.from)?;
    let known = Known::load(context, &collected, &words)?;
    let codes = context.config.all_reasons();
    let mut problems = Vec::new();
    let mut labels = Vec::new();
    let mut seen: HashMap<(RecordId, Option<String>, Option<String>), usize> = HashMap::new();
    for (number, row) in rows {
        let mut one = || -> Result<Label, String> {
            let record = match (&row.record, &row.commit) {
                (Some(id), _) => known.find(id).map_err(|lost| lost.message(id))?,
                (None, commit) => {
                    let commit = commit.clone().unwrap_or_default();
                    known.commit(&commit).map_err(|lost| lost.message(&commit))?
                }
            };
            let key = (record, row.reviewer.clone(), row.time.clone());
            if let Some(earlier) = seen.insert(key, number) {
                return Err(format!("it labels the record of line {earlier} again"));
            }
            if let Some(code) = row.reason.as_ref().filter(|c| !codes.iter().any(|r| r.code == **c))
            {
                return Err(format!("`{code}` is not a known reason"));
            }
            row.clone().label(record, context.now)
        };
        match one() {
            Ok(label) => labels.push(label),
            Err(problem) => problems.push(format!("{name}:{number}: {problem}")),
        }
    }
    find::none_or(problems, labels)
}
