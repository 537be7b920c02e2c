//! Taking back a window start.

use super::{Args, Context, Document, Failure, ledger};
use crate::calibration::no_window;
use crate::domain::review::{Act, Dated, WindowStart};
use crate::domain::{JudgementKind, Timestamp};
use crate::store::ledger::{Ledger, fresh_id};
use std::process::ExitCode;

/// Takes back the last start.
pub(super) fn run(context: &Context, args: &Args) -> Result<ExitCode, Failure> {
    let reviewer = ledger::reviewer(context, args.reviewer.as_deref())?;
    let mut ledgers = Ledger::load(&context.data).map_err(ledger::failure)?;
    let present = ledgers.present(context.now);
    let family = args.family.kind();
    let open =
        |window: &&Dated<WindowStart>| !present.of(family).taken_back.contains_key(&window.entry);
    let Some(last) = present.of(family).windows.last().filter(open) else {
        return Err(Failure::usage("no window start can be taken back").hint(no_window(family)));
    };
    let (entry, from) = (last.entry, last.what.from);
    let act = Act::WindowUndo(entry, family);
    let saved = ledgers.append(&reviewer, fresh_id(context.now), context.now, &act);
    let saved = saved.map_err(ledger::failure)?;
    let mut document = Document::new(&reviewer, context.now, &act, &saved);
    let present = ledgers.present(context.now);
    let running = crate::assess::window_in_force(&present, family, context.now);
    document = match running {
        Some(window) => document.with_caveat(
            "window_runs_on",
            format!("the window of {} runs on", window.what.from.day_text()),
        ),
        None => document.with_caveat("no_window", none(from, family)),
    };
    ledger::print(context, &document, args.json)
}

/// What is so once a window was taken back.
fn none(from: Timestamp, family: JudgementKind) -> String {
    format!(
        "the window of {} has ended, and the one before it stays ended. Its share of the allowed error \
         stays spent, unless no day of it has ended and no record in it ever had a label; {}",
        from.day_text(),
        no_window(family)
    )
}
