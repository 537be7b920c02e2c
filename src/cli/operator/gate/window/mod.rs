//! `foureyes gate window`.

mod natural;
mod undo;

use super::{Context, Document, Failure, day, ledger};
use crate::cli::operator::draw::draws;
use crate::cli::operator::family::OfFamily;
use crate::cli::operator::reading::From;
use crate::domain::review::{Act, Draw, WindowStart};
use crate::domain::{JudgementKind, Timestamp};
use crate::report::counted;
use crate::store::ledger::{Ledger, fresh_id};
use std::process::ExitCode;

/// Start the calibration window over everything the judge in use has judged, or on a UTC day
///
/// Without a day, the window begins with the first record ever of the judge in use: its records
/// count, and so do labels given before. What was judged before this command is drawn by a public
/// rule, all of it or at the thin rate; what is judged from now on is drawn at the same rate with a
/// secret seed, until `gate audit` sets another.
///
/// With a day, only records judged after this command count. A start ends the previous window. All
/// windows of a judge share the allowed error, so the second needs more labels than the first, and a
/// start on a day counts as the second where the judge has been used before.
///
/// `--undo` takes back the last start; the previous window stays ended. Its share of the allowed
/// error stays spent, unless no day of it has ended and none of its records was ever labelled.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// First day, YYYY-MM-DD, instead of the first record of the judge in use
    #[arg(value_name = "DATE", value_parser = day)]
    date: Option<Timestamp>,
    /// Begin with the first record ever of the judge in use (the default)
    #[arg(long, conflicts_with_all = ["date", "undo"])]
    from_first: bool,
    /// How much of what was judged before to draw: `thin` can be raised to `all` once, later
    /// [default: thin]
    #[arg(long, value_name = "PLAN", value_parser = draws(), conflicts_with_all = ["date", "undo"])]
    draw: Option<Draw>,
    /// Undo the last start
    #[arg(long, conflicts_with = "date")]
    undo: bool,
    #[command(flatten)]
    family: OfFamily,
    /// Reviewer who makes the entry [default: as configured, else the account name]
    #[arg(long, value_name = "NAME")]
    reviewer: Option<String>,
    #[command(flatten)]
    from: From,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub(super) fn run(context: &Context, args: &Args) -> Result<ExitCode, Failure> {
    match (args.date, args.undo) {
        (Some(date), _) => start(context, args, date),
        (None, true) => undo::run(context, args),
        (None, false) => natural::run(context, args),
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
        document = document.with_caveat("first_day_past", past(family));
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
fn past(family: JudgementKind) -> String {
    format!(
        "what was judged before now counts in no KPI of it. It counts in a window that begins with the \
         first record of the judge: `foureyes gate window{}`",
        family.option()
    )
}
