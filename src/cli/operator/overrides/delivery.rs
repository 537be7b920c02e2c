//! Overrides on their way to boxes.

use crate::advice;
use crate::cli::operator::signals::unless_interrupted;
use crate::cli::operator::{ledger, reading};
use crate::cli::{Context, Failure};
use crate::domain::review::EntryId;
use crate::domain::{Caveat, RecordId};
use crate::overrides::{self, Delivery, Due, Outbox, Sent};
use crate::report::counted;
use crate::report::overrides::Document;
use crate::store::ledger::Ledger;
use std::process::ExitCode;

/// What boxes are to hold by some entries.
pub(super) fn due(
    context: &Context,
    ledgers: &Ledger,
    book: &Outbox,
    entries: &[EntryId],
) -> Vec<Due> {
    let mut due = overrides::pending(ledgers, book, context.now);
    due.retain(|due| entries.contains(&due.id));
    due
}

/// How some overrides stand.
pub(super) fn deliveries_of(
    context: &Context,
    ledgers: &Ledger,
    book: &Outbox,
    overrides: &[EntryId],
) -> Vec<Delivery> {
    let mut all = overrides::deliveries(ledgers, book, context.now);
    all.retain(|one| overrides.contains(&one.id));
    all
}

/// Gives overrides to their boxes; gives an exit code where a signal asked to end.
pub(super) fn send(
    context: &Context,
    book: &mut Outbox,
    due: &[Due],
) -> Result<Result<Vec<Sent>, ExitCode>, Failure> {
    if due.is_empty() {
        return Ok(Ok(Vec::new()));
    }
    let sending = overrides::send(&context.config, &context.data, book, due, context.now);
    match unless_interrupted(sending)? {
        Ok(sent) => Ok(Ok(sent.map_err(advice::of_outbox)?)),
        Err(code) => Ok(Err(code)),
    }
}

/// The ledgers, and what was written to boxes.
pub(in crate::cli::operator) fn open(context: &Context) -> Result<(Ledger, Outbox), Failure> {
    let ledgers = Ledger::load(&context.data).map_err(ledger::failure)?;
    let book = Outbox::load(&context.data).map_err(advice::of_outbox)?;
    Ok((ledgers, book))
}

/// The overrides of a record in the ledgers here.
pub(in crate::cli::operator) fn of_record(
    context: &Context,
    record: RecordId,
) -> Result<Document, Failure> {
    let (ledgers, book) = open(context)?;
    let mut all = overrides::deliveries(&ledgers, &book, context.now);
    all.retain(|delivery| delivery.record == record);
    Ok(Document::new(all, &[]))
}

/// What a reader of what boxes say must know: some do not hold what was decided here.
pub(in crate::cli::operator) fn caveat(context: &Context) -> Result<Option<Caveat>, Failure> {
    let (ledgers, book) = open(context)?;
    let text = match overrides::count_unconfirmed(&ledgers, &book, context.now) {
        0 => return Ok(None),
        1 => "1 override is not yet confirmed by its box".to_owned(),
        n => format!("{n} overrides are not yet confirmed by their boxes"),
    };
    Ok(Some(Caveat { id: "unconfirmed_overrides".to_owned(), text }))
}

/// Says on stderr how many overrides no box was heard to hold.
pub(in crate::cli::operator) fn warn_unconfirmed(sent: &[Sent]) {
    let held = sent.iter().filter(|one| one.outcome.is_ok()).count();
    if held > 0 {
        let overrides = counted(held as u64, "override", "overrides");
        reading::note(&format!("{overrides} confirmed that had been pending"));
    }
    for one in sent {
        if let Err(error) = &one.outcome {
            let id = one.id.to_string();
            let id = crate::text::short_hash(&id);
            reading::note(&format!(
                "override {id} is still unconfirmed: {}: {error}",
                one.box_name
            ));
        }
    }
}
