//! `foureyes --plain` on a terminal: the walk through the queue line by line, without drawing.
//!
//! For a screen reader, or a terminal that can do nothing but print. Same queues, same labels, same
//! keys as the console; nothing here moves the cursor or writes a colour.

mod ask;
mod command;
mod dispatch;
mod draft;
mod empty;
mod family;
mod guide;
mod item;
mod label;
mod mine;
mod queue;
mod sitting;
mod walk;
mod words;

use self::command::Command;
use self::queue::Calibrating;
use super::console::{Args, queue_since};
use super::reading::{self, Show};
use super::{Context, Failure, output, pull, triage};
use crate::collect::Collected;
use crate::domain::review::Reviewer;
use crate::domain::review::{ContentHash, EntryId};
use crate::domain::{JudgementKind, RecordId, Timestamp};
use crate::frame::query::{Node, Query};
use crate::queue::Order;
use crate::report::Options;
use crate::store::cache::{Archive, Row};
use crate::store::disposition::{Disposition, Dispositions};
use crate::tui::model::Sitting;
use crate::tui::session::{Drafts, Session};
use std::collections::{BTreeMap, BTreeSet};
use std::process::ExitCode;

/// Something that was done, and can be undone.
#[derive(Debug, Clone, PartialEq)]
enum Step {
    /// Which item, what it was, what it became.
    Dispositions(RecordId, Disposition, Disposition),
    /// A label, by its entry in the ledger.
    Labelled { entry: EntryId, record: RecordId },
}

/// Where the walk is.
pub(super) struct PlainConsole<'a> {
    context: &'a Context,
    collected: Collected,
    archive: Archive,
    options: Options,
    /// What is read out at the start.
    triage: triage::Args,
    read_only: bool,
    /// Whether given logs are read, not those of boxes.
    given: bool,
    since: Timestamp,
    dispositions: Dispositions,
    filter: Query,
    order: Order,
    rows: Vec<Row>,
    /// So many at the end were put off.
    later: usize,
    at: usize,
    /// What can be undone, and redone.
    steps: Vec<Step>,
    undone: Vec<Step>,
    /// Who labels; `None` where nobody is named.
    reviewer: Option<Reviewer>,
    /// Whether it is the calibration queue.
    calibrates: bool,
    /// Whose verdicts that queue is about.
    family: JudgementKind,
    calibrating: Calibrating,
    sitting: Sitting,
    /// Contents that were read out in this run, by their records.
    contents: BTreeMap<RecordId, ContentHash>,
    /// Records whose verdict was read out in this run.
    seen: BTreeSet<RecordId>,
    /// When a record was first read out.
    shown: BTreeMap<RecordId, Timestamp>,
    /// Notes and reasons that wait for a label.
    drafts: Drafts,
}

/// Whether a person is there to walk with.
pub(super) fn possible() -> bool {
    use std::io::IsTerminal;
    std::io::stdin().is_terminal() && std::io::stdout().is_terminal()
}

/// Runs it.
pub(super) fn run(context: &Context, args: &Args) -> Result<ExitCode, Failure> {
    let given = !args.from.from.is_empty();
    if !given && !args.read_only && pull::any_remote(&context.config) {
        output::print("pulling the boxes\n")?;
        if let Some(ended) = pull::in_silence(context)? {
            return Ok(ended);
        }
    }
    let collected = reading::collect(context, &args.from)?;
    if collected.is_spooled() {
        return Err(Failure::usage("the walk does not read logs from standard input")
            .hint("it reads commands there: save the logs in a file and name that"));
    }
    let (since, dispositions) = queue_since(context, args, &collected)?;
    let archive = ask::open(context, &collected)?;
    let mut walk = PlainConsole {
        context,
        triage: triage::Args::of_console(args),
        options: Show { reveal: false }.options(context),
        read_only: args.read_only,
        given,
        since,
        dispositions,
        filter: Query::new(Node::All),
        order: Order::default(),
        rows: Vec::new(),
        later: 0,
        at: 0,
        steps: Vec::new(),
        undone: Vec::new(),
        reviewer: super::ledger::of_session(context, args.read_only),
        calibrates: false,
        family: JudgementKind::default(),
        calibrating: Calibrating::default(),
        sitting: Sitting::default(),
        contents: BTreeMap::new(),
        seen: BTreeSet::new(),
        shown: BTreeMap::new(),
        drafts: Session::load(&context.data.session()).0.drafts,
        collected,
        archive,
    };
    walk.mended(PlainConsole::begin)?;
    while let Some(line) = ask::line(&walk.prompt())? {
        match command::parse(&line) {
            Ok(Command::Quit) => break,
            Ok(command) => walk.mended(|walk| walk.follow(&command))?,
            Err(text) => output::print(format!("{text}\n"))?,
        }
    }
    walk.leave()
}
