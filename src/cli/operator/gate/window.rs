//! `foureyes gate window`.

use super::{Context, Document, Failure, day, ledger};
use crate::calibration::no_window;
use crate::cli::operator::family::OfFamily;
use crate::domain::review::{Act, Dated, WindowStart};
use crate::domain::{JudgementKind, Timestamp};
use crate::report::counted;
use crate::store::ledger::{Ledger, fresh_id};
use std::process::ExitCode;

/// Start the calibration window on a UTC day, or undo its start
///
/// A start ends the previous window. Records judged before this command count in no KPI, even on
/// days inside the window. They count in the error rates only if every pass since the start is
/// audited (`gate audit 1 --since DATE`) and none is labelled yet. All windows of a judge share the
/// allowed error, so the second needs more labels than the first.
///
/// `--undo` takes back the last start; the previous window stays ended. Its share of the allowed
/// error stays spent, unless no day of it has ended and none of its records was ever labelled.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// First day, YYYY-MM-DD
    #[arg(value_name = "DATE", value_parser = day, required_unless_present = "undo")]
    date: Option<Timestamp>,
    /// Undo the last start
    #[arg(long, conflicts_with = "date")]
    undo: bool,
    #[command(flatten)]
    family: OfFamily,
    /// Reviewer who makes the entry [default: as configured, else the account name]
    #[arg(long, value_name = "NAME")]
    reviewer: Option<String>,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub(super) fn run(context: &Context, args: &Args) -> Result<ExitCode, Failure> {
    match args.date {
        Some(date) => start(context, args, date),
        None => undo(context, args),
    }
}

fn start(context: &Context, args: &Args, date: Timestamp) -> Result<ExitCode, Failure> {
    let reviewer = ledger::reviewer(context, args.reviewer.as_deref())?;
    let mut ledgers = Ledger::load(&context.data).map_err(ledger::failure)?;
    let family = args.family.kind();
    let act = Act::Window(WindowStart::new(date).of(family));
    let present = ledgers.present(context.now);
    let running = crate::assess::window_in_force(&present, family, context.now);
    let saved = ledgers.append(&reviewer, fresh_id(context.now), context.now, &act);
    let saved = saved.map_err(ledger::failure)?;
    let mut document = Document::new(&reviewer, context.now, &act, &saved);
    if running.is_some_and(|window| window.what.from == date) {
        return ledger::print(context, &document, args.json);
    }
    if let Some(window) = running {
        document = document.with_caveat("window_ended", ended(window.what.from));
    }
    if date.day() < context.now.day() {
        document = document.with_caveat("first_day_past", past(date, family));
    }
    let labelled = ledgers.present(context.now).known.before(saved.entry).len() as u64;
    // Which of them it reaches only the logs know, and `readiness` reads those.
    if date <= context.now && labelled > 0 {
        let text = format!(
            "{} already: where such a record was judged from that day on, the start was chosen \
             after its label, and `foureyes readiness{}` says so (`window_after_labels`)",
            counted(labelled, "record has a label", "records have labels"),
            family.option()
        );
        document = document.with_caveat("labels_before", text);
    }
    ledger::print(context, &document, args.json)
}

/// What it costs that another window begins.
fn ended(from: Timestamp) -> String {
    format!(
        "it ends the window of {}, whose share of the allowed error stays spent unless no day of it has \
         ended and no record in it ever had a label. Each further window of a judge asks for more labels",
        from.day_text()
    )
}

/// What a first day means that is over.
fn past(day: Timestamp, family: JudgementKind) -> String {
    let (day, option) = (day.day_text(), family.option());
    format!(
        "what was judged before now counts in no KPI. It counts in the error rates where all that \
         passed since {day} is audited (`foureyes gate audit 1 --since {day}{option}`) and nothing of it \
         has a label yet"
    )
}

fn undo(context: &Context, args: &Args) -> Result<ExitCode, Failure> {
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
