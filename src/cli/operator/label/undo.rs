//! `foureyes label --undo` and `--redo`.

use super::Args;
use crate::cli::operator::ledger;
use crate::cli::{Context, Failure};
use crate::domain::RecordId;
use crate::domain::review::{Act, Entry, EntryId};
use crate::report::saved::Document;
use crate::store::ledger::{Ledger, fresh_id};

/// Takes labels back, or brings them back: the last ones, or those that `id` names.
pub(super) fn run(
    context: &Context,
    args: &Args,
    id: &str,
    undo: bool,
) -> Result<Document, Failure> {
    let reviewer = ledger::reviewer(context, args.reviewer.as_deref())?;
    let mut ledgers = Ledger::load(&context.data).map_err(ledger::failure)?;
    let present = ledgers.present(context.now);
    let stack = present.stacks.get(&reviewer.name).cloned().unwrap_or_default();
    if let Some(rule) = rule(&ledgers, &stack.done, id) {
        return Err(Failure::usage(format!("the entry {} is not a label", rule.id)).hint(
            "a policy or a rate of the sample cannot be taken back: set another, which binds what is \
             judged after it; `foureyes gate window --undo` takes the last window start back",
        ));
    }
    let target = match (undo, id) {
        (true, "") => last(&ledgers, &stack.done),
        (false, "") => last(&ledgers, &stack.undone),
        (true, id) => named(&ledgers, &stack.done, id)?,
        // What was taken back before a later label is brought back by its name.
        (false, id) => {
            let all: Vec<EntryId> = ledgers.entries().map(|entry| entry.id).collect();
            let mut own = all;
            own.retain(|id| {
                let ours = ledgers.entry(*id).is_some_and(|e| e.reviewer == reviewer.name);
                ours && !stack.done.contains(id)
            });
            named(&ledgers, &own, id)?
        }
    };
    let Some(target) = target.cloned() else {
        let what = if undo { "take back" } else { "bring back" };
        let failure = Failure::usage(format!("{} has nothing to {what}", reviewer.name));
        return Err(failure.hint("`foureyes label --export` lists the labels in force"));
    };
    if matches!(target.act, Act::Override(_)) {
        // Its box must hear of it.
        let verb = if undo { "undo" } else { "redo" };
        return Err(Failure::usage(format!("the entry {} is an override", target.id))
            .hint(format!("`foureyes override {verb} {}` also updates its box", target.id)));
    }
    let act = if undo { Act::Undo(target.id) } else { Act::Redo(target.id) };
    let saved = ledgers.append(&reviewer, fresh_id(context.now), context.now, &act);
    let saved = saved.map_err(ledger::failure)?;
    Ok(Document::new(&reviewer, context.now, &act, &saved).with(&target))
}

/// The rule whose name begins so, where no entry that can be taken back is named so.
fn rule<'a>(ledger: &'a Ledger, done: &[EntryId], word: &str) -> Option<&'a Entry> {
    let word = word.to_lowercase();
    let named = |id: &EntryId| word.len() >= 4 && id.to_string().starts_with(&word);
    let mut rules = ledger.entries().filter(|entry| entry.act.is_rule() && named(&entry.id));
    rules.next().filter(|_| !done.iter().any(named))
}

/// The last of some entries that labels anything.
fn last<'a>(ledger: &'a Ledger, ids: &[EntryId]) -> Option<&'a Entry> {
    let entries = ids.iter().rev().filter_map(|id| ledger.entry(*id));
    let is_label = |act: &Act| !act.labels().is_empty() || matches!(act, Act::Relevance(_));
    let mut labels = entries.filter(|entry| is_label(&entry.act));
    labels.next()
}

/// The entry whose name begins so, whatever it says; else the last one that labels a record whose id does.
fn named<'a>(
    ledger: &'a Ledger,
    ids: &[EntryId],
    word: &str,
) -> Result<Option<&'a Entry>, Failure> {
    let word = word.to_lowercase();
    if word.len() < 4 || !word.bytes().all(|b| b.is_ascii_hexdigit()) {
        return Err(Failure::usage(format!("`{word}` is neither an entry nor a record id"))
            .hint("at least the first 4 digits are needed"));
    }
    let entries: Vec<&Entry> = ids.iter().filter_map(|id| ledger.entry(*id)).collect();
    let by_name: Vec<&&Entry> =
        entries.iter().filter(|entry| entry.id.to_string().starts_with(&word)).collect();
    match by_name[..] {
        [] => {}
        [one] => return Ok(Some(one)),
        _ => {
            let names: Vec<String> = by_name.iter().map(|entry| entry.id.to_string()).collect();
            let failure = Failure::usage(format!("`{word}` matches several entries"));
            return Err(failure.hint(format!("give more digits: {}", names.join(", "))));
        }
    }
    let begins = |record: RecordId| record.to_string().starts_with(&word);
    let of = |entry: &&&Entry| match &entry.act {
        Act::Relevance(labels) => begins(labels.pick),
        act => act.labels().iter().any(|label| begins(label.record)),
    };
    Ok(entries.iter().rev().find(of).copied())
}
