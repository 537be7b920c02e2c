//! Claims of escalations, in a line of a list and in a record.

use crate::domain::Record;
use crate::domain::review::{Claim, Dated};
use crate::report::claims::minute;
use crate::tui::model::Model;
use crate::tui::page::sheet::Writer;

/// The claims of a record, that which holds first.
fn of<'a>(model: &'a Model, row: &Record) -> &'a [Dated<Claim>] {
    let ledger = model.labels.ledger.as_ref();
    ledger.and_then(|ledger| ledger.present.claims.get(&row.id)).map_or(&[], Vec::as_slice)
}

/// Who holds a record that nobody has decided yet, as it was logged.
pub(super) fn holder<'a>(model: &'a Model, row: &Record) -> Option<&'a str> {
    let decided = model.labels.overrides(row.id).iter().any(|one| one.counts);
    of(model, row).first().filter(|_| !decided).map(|held| held.reviewer.as_str())
}

/// Who claimed a record, and since when.
pub(super) fn write(writer: &mut Writer, model: &Model, row: &Record) {
    for (at, held) in of(model, row).iter().enumerate() {
        let text = format!("by {} since {}", held.reviewer, minute(held.time));
        writer.field(if at == 0 { "claimed" } else { "and" }, &text);
    }
}
