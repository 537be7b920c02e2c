//! `foureyes --plain` on a terminal: the walk through the queue line by line, without drawing.
//!
//! For a screen reader, or a terminal that can do nothing but print. Same queues, same labels, same
//! keys as the console; nothing here moves the cursor or writes a colour.

mod ask;
mod command;
mod item;
mod label;
mod queue;

use self::command::Command;
use self::queue::Calibrating;
use super::console::{Args, queue_since};
use super::reading::{self, Show, Trouble};
use super::{Context, Failure, coverage, output, pull};
use crate::collect::Collected;
use crate::domain::review::EntryId;
use crate::domain::review::Reviewer;
use crate::domain::{Record, RecordId, Timestamp, Window};
use crate::frame::query::{Node, Query};
use crate::queue::Order;
use crate::report::{Options, plain};
use crate::store::cache::{Archive, Row};
use crate::store::disposition::{Disposition, Dispositions};
use crate::triage::{Ask, Seen, triage};
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
    window: Window,
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
    calibrating: Calibrating,
    sitting: Sitting,
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
        window: args.span.window(&args.from, &context.config, context.now),
        options: Show { reveal: false }.options(),
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
        reviewer: crate::config::reviewer(&context.config, &context.environment, None),
        calibrates: false,
        calibrating: Calibrating::default(),
        sitting: Sitting::default(),
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

impl PlainConsole<'_> {
    /// Does something; where the cache turns out not to say what the logs do, they are read anew
    /// and it is done once more.
    fn mended(
        &mut self,
        mut act: impl FnMut(&mut Self) -> Result<(), Trouble>,
    ) -> Result<(), Failure> {
        match act(self) {
            Err(Trouble::Outdated(_)) => {
                self.archive.forget();
                self.archive = ask::open(self.context, &self.collected)?;
                output::print("the logs changed: they were read again\n")?;
                act(self).map_err(Trouble::into_failure)
            }
            other => other.map_err(Trouble::into_failure),
        }
    }

    /// What happened, then the first item.
    fn begin(&mut self) -> Result<(), Trouble> {
        let seen = Seen::load(&self.context.data, &self.collected.collection)
            .map_err(|e| Failure::local(e).hint("it only says what was seen: remove the file"))?;
        let found = coverage::survey(&self.context.config, &self.archive, self.given, self.window);
        let (archive, collected) = (&self.archive, &self.collected);
        let now = self.context.now;
        let present = self.present()?;
        let (policy, _) = crate::assess::policy_in_force(&present, now);
        let ask = Ask { window: self.window, limit: 0, now, policy: &policy };
        let triage = triage(archive, collected, seen.as_ref(), found, ask)?;
        output::to_stdout(|out| plain::summary(out, &triage, &self.options))?;
        // As in the console: the calibration, once its window stands, for who may label.
        let started = crate::assess::window_in_force(&present, now).is_some();
        self.calibrates = started && self.reviewer.is_some() && !self.read_only;
        self.list(None)?;
        self.count()?;
        self.show()
    }

    fn follow(&mut self, command: &Command) -> Result<(), Trouble> {
        match command {
            Command::Next => self.go(1),
            Command::Previous => self.go(-1),
            Command::Again => self.show(),
            Command::Whole => self.whole(),
            Command::Label(word) => self.label(*word),
            Command::Wrong => self.wrong(),
            Command::Note(text) => self.note(text.as_deref()),
            Command::Reason(text) => self.reason(text.as_deref()),
            Command::Guide => self.guide(),
            Command::OtherQueue => self.other(),
            Command::Seen => self.deal(Disposition::Seen),
            Command::Later => self.deal(Disposition::Later),
            Command::Undo => self.undo(),
            Command::Redo => self.redo(),
            Command::Content => self.content(false),
            Command::Diff => self.content(true),
            Command::Raw => self.raw(),
            Command::Filter(query) if self.calibrates && query.asks_words() => {
                let text = "This filter would reveal the verdict, which is hidden. Use path:, box:, \
                    commit: or day:.\n";
                Ok(output::print(text)?)
            }
            Command::Filter(query) => {
                self.filter = (**query).clone();
                self.start_over()
            }
            Command::Order(_) if self.calibrates => {
                Ok(output::print("The calibration queue is always the earliest open day first.\n")?)
            }
            Command::Order(order) => {
                self.order = *order;
                self.start_over()
            }
            Command::Help => Ok(output::print(command::help(self.read_only))?),
            Command::Quit => Ok(()),
        }
    }

    /// Turns to the other queue.
    fn other(&mut self) -> Result<(), Trouble> {
        if !self.calibrates && (self.read_only || self.reviewer.is_none()) {
            let text = "The calibration queue is for labels: this run cannot save any.\n";
            return Ok(output::print(text)?);
        }
        self.calibrates = !self.calibrates;
        if self.calibrates && self.filter.asks_words() {
            self.filter = Query::new(Node::All);
        }
        self.start_over()
    }

    fn start_over(&mut self) -> Result<(), Trouble> {
        self.at = 0;
        self.list(None)?;
        self.count()?;
        self.show()
    }

    fn go(&mut self, by: isize) -> Result<(), Trouble> {
        let to = self.at.checked_add_signed(by).filter(|to| *to < self.rows.len());
        match to {
            Some(to) => {
                self.at = to;
                self.show()
            }
            None if self.rows.is_empty() => self.show(),
            None if by > 0 => Ok(output::print("that was the last item\n")?),
            None => Ok(output::print("this is the first item\n")?),
        }
    }

    /// Notes what was done with the item; the next moves up.
    fn deal(&mut self, deal: Disposition) -> Result<(), Trouble> {
        if self.read_only {
            let text = format!("`{}` is refused: this session is read-only\n", deal.as_str());
            return Ok(output::print(text)?);
        }
        if self.calibrates && deal == Disposition::Seen {
            let text = "Items leave this queue only by a label (a, p, s). z puts one off.\n";
            return Ok(output::print(text)?);
        }
        let Some(record) = self.record()? else { return self.show() };
        let before = self.dispositions.deal(&record.id);
        self.put(record.id, deal)?;
        self.steps.push(Step::Dispositions(record.id, before, deal));
        self.undone.clear();
        output::print(format!("{}: {}\n", deal.as_str(), record.id.short()))?;
        let anchor = self.after()?;
        self.list(anchor)?;
        self.show()
    }

    /// The item after this one: what leaves or is put off is not here any more, and the walk goes
    /// on where it was.
    fn after(&self) -> Result<Option<RecordId>, Trouble> {
        match self.rows.get(self.at + 1) {
            Some(next) => Ok(self.archive.ids(&[*next])?.first().copied()),
            None => Ok(None),
        }
    }

    fn undo(&mut self) -> Result<(), Trouble> {
        let Some(step) = self.steps.pop() else {
            let text = "There is nothing to undo in this run. `foureyes label --undo` takes back \
                earlier labels.\n";
            return Ok(output::print(text)?);
        };
        self.undone.push(step.clone());
        match step {
            Step::Dispositions(id, before, deal) => {
                self.put(id, before)?;
                output::print(format!("undone: {} {}\n", deal.as_str(), id.short()))?;
                self.list(Some(id))?;
                self.show()
            }
            step @ Step::Labelled { .. } => self.turn(&step, true),
        }
    }

    fn redo(&mut self) -> Result<(), Trouble> {
        let Some(step) = self.undone.pop() else {
            return Ok(output::print("There is nothing to redo.\n")?);
        };
        self.steps.push(step.clone());
        match step {
            Step::Dispositions(id, _, deal) => {
                self.put(id, deal)?;
                output::print(format!("redone: {} {}\n", deal.as_str(), id.short()))?;
                self.list(None)?;
                self.show()
            }
            step @ Step::Labelled { .. } => self.turn(&step, false),
        }
    }

    fn put(&mut self, id: RecordId, deal: Disposition) -> Result<(), Failure> {
        let put = self.dispositions.put(&[id], deal, self.context.clock.now());
        put.map_err(|error| Failure::local(error).hint("look at the data directory"))
    }

    /// The record of the item, where there is one.
    fn record(&self) -> Result<Option<Record>, Trouble> {
        let Some(at) = self.rows.get(self.at) else { return Ok(None) };
        Ok(self.archive.records(&[*at])?.pop().map(|located| located.record))
    }

    /// All that is here was looked at: the next run says what is new since.
    fn leave(&self) -> Result<ExitCode, Failure> {
        if !self.read_only {
            let mark = Seen::mark(&self.archive, self.context.clock.now());
            mark.save(&self.context.data, &self.collected.collection).map_err(Failure::local)?;
        }
        Ok(ExitCode::SUCCESS)
    }
}
