//! Claims of escalations, in a line of a list and in a record.

use crate::domain::Record;
use crate::domain::review::{Claim, Dated};
use crate::report::claims::minute;
use crate::text::escape;
use crate::tui::model::Model;
use crate::tui::page::sheet::Writer;
use crate::tui::theme::Role;
use crate::tui::widget::{Pen, fit};
use ratatui::text::Span;

/// Most columns of a name in a line of a list.
const NAME: usize = 12;

/// The claims of a record, that which holds first.
fn of<'a>(model: &'a Model, row: &Record) -> &'a [Dated<Claim>] {
    let ledger = model.labels.ledger.as_ref();
    ledger.and_then(|ledger| ledger.present.claims.get(&row.id)).map_or(&[], Vec::as_slice)
}

/// Who holds a record that nobody has decided yet, in a line of a list: `[claimed anna] `, and where there
/// is little room `[anna] `.
pub(super) fn mark(
    pen: &Pen<'_>,
    model: &Model,
    row: &Record,
    room: usize,
) -> Option<Span<'static>> {
    let held = of(model, row).first().filter(|_| !model.is_hidden(row))?;
    let decided = model.labels.overrides(row.id).iter().any(|one| one.counts);
    let name = fit(&escape::line(&held.reviewer), NAME);
    let text = if room < 40 { format!("[{name}] ") } else { format!("[claimed {name}] ") };
    (!decided).then(|| pen.span(Role::Notice, &text))
}

/// Who claimed a record, and since when.
pub(super) fn write(writer: &mut Writer, model: &Model, row: &Record) {
    for (at, held) in of(model, row).iter().enumerate() {
        let text = format!("by {} since {}", held.reviewer, minute(held.time));
        writer.field(if at == 0 { "claimed" } else { "and" }, &text);
    }
}
