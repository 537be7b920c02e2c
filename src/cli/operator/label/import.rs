//! `foureyes label --import`.

use super::{Args, find};
use crate::cli::operator::{file, ledger, reading};
use crate::cli::{Context, Failure};
use crate::domain::RecordId;
use crate::domain::review::Reviewer;
use crate::domain::review::{Act, Import, Label};
use crate::report::label_row::LabelRow;
use crate::report::saved::Document;
use crate::store::ledger::{LONGEST_LINE, Ledger, id_of};
use std::collections::HashMap;
use std::path::Path;

/// Takes over the labels of a file as one entry, so that all of them are saved or none.
///
/// The name of the entry comes from the file: the same file twice is saved once.
pub(super) fn run(context: &Context, args: &Args, file: &Path) -> Result<Document, Failure> {
    let name = file.file_name().unwrap_or(file.as_os_str()).to_string_lossy().into_owned();
    let reviewer = ledger::reviewer(context, args.reviewer.as_deref())?;
    let bytes = file::read(file, format!("the labels in {name}"), LONGEST_LINE)?;
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
    Ok(Document::new(reviewer, context.now, act, &saved).without_window(&present, context.now))
}

/// The lines with their numbers; blank ones are passed over.
fn rows(name: &str, bytes: &[u8]) -> Result<Vec<(usize, LabelRow)>, Failure> {
    let mut rows = Vec::new();
    let mut problems = Vec::new();
    for (number, line) in (1..).zip(bytes.split(|b| *b == b'\n')) {
        if line.trim_ascii().is_empty() {
            continue;
        }
        match LabelRow::read(line) {
            Ok(row) => rows.push((number, row)),
            Err(problem) => problems.push(format!("{name}:{number}: {problem}")),
        }
    }
    find::none_or(problems, rows)
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
    let known = find::load(context, &collected, &words)?;
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
