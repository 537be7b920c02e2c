//! `foureyes override undo` and `redo`.

use super::conclude;
use super::delivery::{deliveries_of, due, open, send};
use crate::advice;
use crate::cli::operator::ledger;
use crate::cli::{Context, Failure};
use crate::domain::RecordId;
use crate::domain::review::Reviewer;
use crate::domain::review::{Act, Entry, EntryId};
use crate::overrides::{Back, take_back};
use crate::report::overrides::Document;
use crate::store::ledger::Ledger;
use std::collections::{BTreeMap, HashSet};
use std::process::ExitCode;

// No doc comment: it would take the place of those of the commands.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Override entries or records, by a prefix of at least 4 digits; for a record, your last
    /// override of it
    #[arg(value_name = "ID", required = true)]
    ids: Vec<String>,
    /// Reviewer whose overrides to change [default: as configured, else the account name]
    #[arg(long, value_name = "NAME")]
    reviewer: Option<String>,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub(super) fn run(context: &Context, args: &Args, back: Back) -> Result<ExitCode, Failure> {
    let reviewer = ledger::reviewer(context, args.reviewer.as_deref())?;
    let (mut ledgers, mut book) = open(context)?;
    let mut targets: Vec<EntryId> = Vec::new();
    for word in &args.ids {
        let id = find(context, &ledgers, &reviewer, word, back)?;
        if !targets.contains(&id) {
            targets.push(id);
        }
    }
    let wishes: Vec<_> = targets.iter().map(|id| (*id, None)).collect();
    let done = take_back(&mut ledgers, &mut book, &reviewer, &wishes, back, context.now);
    let done = done.map_err(advice::of_revocation)?;
    let entries: Vec<EntryId> = done.iter().map(|one| one.id).collect();
    let due = due(context, &ledgers, &book, &entries);
    let sent = match send(context, &mut book, &due)? {
        Ok(sent) => sent,
        Err(code) => return Ok(code),
    };
    conclude(
        context,
        Document::new(deliveries_of(context, &ledgers, &book, &targets), &sent),
        args.json,
    )
}

/// The reviewer's override that a word names: by its entry, else the last one of a record.
fn find(
    context: &Context,
    ledgers: &Ledger,
    reviewer: &Reviewer,
    word: &str,
    back: Back,
) -> Result<EntryId, Failure> {
    let word = word.to_lowercase();
    if word.len() < 4 || !word.bytes().all(|b| b.is_ascii_hexdigit()) {
        return Err(Failure::usage(format!("`{word}` is neither an entry nor a record id"))
            .hint("at least the first 4 digits are needed"));
    }
    let mut named = Vec::new();
    let mut records: BTreeMap<RecordId, EntryId> = BTreeMap::new();
    for (id, record) in standing_so(context, ledgers, reviewer, back) {
        if id.to_string().starts_with(&word) {
            named.push(id);
        }
        if record.to_string().starts_with(&word) {
            // The last one of a record stays.
            records.insert(record, id);
        }
    }
    if named.is_empty() {
        named.extend(records.into_values());
    }
    match named[..] {
        [one] => Ok(one),
        [] => Err(nothing(reviewer, &word, back)),
        _ => {
            let names: Vec<String> = named.iter().map(EntryId::to_string).collect();
            Err(Failure::usage(format!("`{word}` names several overrides"))
                .hint("nothing was saved")
                .hint(format!("give more digits, or the entry: {}", names.join(", "))))
        }
    }
}

/// The reviewer's overrides that count, or those that were taken back, in their order.
fn standing_so(
    context: &Context,
    ledgers: &Ledger,
    reviewer: &Reviewer,
    back: Back,
) -> Vec<(EntryId, RecordId)> {
    let present = ledgers.present(context.now);
    let counts: HashSet<EntryId> = present.overrides.values().flatten().map(|o| o.entry).collect();
    let one = |entry: &Entry| match &entry.act {
        Act::Override(decision) if entry.reviewer == reviewer.name => {
            let wanted = counts.contains(&entry.id) == (back == Back::Undo);
            wanted.then_some((entry.id, decision.record))
        }
        _ => None,
    };
    ledgers.in_order(context.now).into_iter().filter_map(one).collect()
}

fn nothing(reviewer: &Reviewer, word: &str, back: Back) -> Failure {
    let state = if back == Back::Undo { "that counts" } else { "that was revoked" };
    let text = format!("no override of {} {state} matches `{word}`", reviewer.name);
    Failure::usage(text).hint("`foureyes override` lists them")
}
