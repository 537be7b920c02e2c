//! `foureyes --plain` on a terminal: the walk through the queue line by line, without drawing.
//!
//! For a screen reader, or a terminal that can do nothing but print. Same queue, same marks, same
//! words as the console; nothing here moves the cursor or writes a colour.

mod ask;
mod command;
mod item;

use self::command::Command;
use super::console::{Args, queue_since};
use super::reading::{self, Show, Trouble};
use super::{Context, Failure, coverage, output, pull};
use crate::collect::Collected;
use crate::domain::{RecordId, RecordRow, Timestamp, Window};
use crate::frame::query::{Node, Query, Scope};
use crate::overview;
use crate::queue::{self, Order};
use crate::report::{Options, counted, plain};
use crate::store::cache::{Archive, Row};
use crate::store::dealt::{Deal, Dealt};
use crate::triage::{Seen, row};
use std::process::ExitCode;

/// Where the walk is.
pub(super) struct Walk<'a> {
    context: &'a Context,
    collected: Collected,
    archive: Archive,
    options: Options,
    window: Window,
    read_only: bool,
    /// Whether given logs are read, not those of boxes.
    given: bool,
    since: Timestamp,
    dealt: Dealt,
    filter: Query,
    order: Order,
    rows: Vec<Row>,
    /// So many at the end were put off.
    later: usize,
    at: usize,
    /// What can be undone: which item, what it was, what it became.
    done: Vec<(RecordId, Deal, Deal)>,
    undone: Vec<(RecordId, Deal, Deal)>,
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
    let (since, dealt) = queue_since(context, args, &collected)?;
    let archive = ask::open(context, &collected)?;
    let mut walk = Walk {
        context,
        window: args.span.window(&args.from, &context.config, context.now),
        options: Show { reveal: false }.options(),
        read_only: args.read_only,
        given,
        since,
        dealt,
        filter: Query::of(Node::All),
        order: Order::default(),
        rows: Vec::new(),
        later: 0,
        at: 0,
        done: Vec::new(),
        undone: Vec::new(),
        collected,
        archive,
    };
    walk.mended(Walk::begin)?;
    while let Some(line) = ask::line(&walk.prompt())? {
        match command::parse(&line) {
            Ok(Command::Quit) => break,
            Ok(command) => walk.mended(|walk| walk.follow(&command))?,
            Err(text) => output::print(format!("{text}\n"))?,
        }
    }
    walk.leave()
}

impl Walk<'_> {
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
        let triage = overview::summary(archive, collected, seen.as_ref(), found, self.window, now)?;
        output::to_stdout(|out| plain::summary(out, &triage, &self.options))?;
        self.list(None)?;
        self.count()?;
        self.show()
    }

    /// Lists the queue anew; goes to an item where it is named and there, else stays.
    fn list(&mut self, anchor: Option<RecordId>) -> Result<(), Trouble> {
        let reviews = &reading::reviews(self.context, &self.filter)?;
        let labelled = &reading::labelled(self.context)?;
        let ask = queue::Ask {
            since: self.since,
            undated: true,
            order: self.order,
            filter: Some(&self.filter),
            labelled,
            scope: Scope { boxes: self.archive.boxes(), now: self.context.clock.now(), reviews },
            cancel: &|| false,
        };
        let queue = queue::list(&self.archive, &self.dealt, &ask)?.unwrap_or_default();
        self.at = match anchor {
            Some(id) => self.archive.position(&queue.rows, id)?.unwrap_or(self.at),
            None => self.at,
        };
        self.at = self.at.min(queue.rows.len().saturating_sub(1));
        (self.rows, self.later) = (queue.rows, queue.later);
        Ok(())
    }

    /// Says how much there is to walk through.
    fn count(&self) -> Result<(), Failure> {
        let items = counted(self.rows.len() as u64, "item", "items");
        let mut text = format!("\nQueue: {items}, {} first.", self.order.as_str());
        if self.later > 0 {
            text.push_str(&format!(" The last {} were put off.", self.later));
        }
        if !self.filter.is_all() {
            text.push_str(&format!(" Filter: {}", output::visible(&self.filter.to_string())));
        }
        output::print(text + "\n")
    }

    fn follow(&mut self, command: &Command) -> Result<(), Trouble> {
        match command {
            Command::Next => self.go(1),
            Command::Previous => self.go(-1),
            Command::Again => self.show(),
            Command::Seen => self.deal(Deal::Seen),
            Command::Later => self.deal(Deal::Later),
            Command::Undo => self.undo(),
            Command::Redo => self.redo(),
            Command::Content => self.content(false),
            Command::Diff => self.content(true),
            Command::Raw => self.raw(),
            Command::Filter(query) => {
                self.filter = (**query).clone();
                self.start_over()
            }
            Command::Order(order) => {
                self.order = *order;
                self.start_over()
            }
            Command::Help => Ok(output::print(command::help(self.read_only))?),
            Command::Quit => Ok(()),
        }
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
    fn deal(&mut self, deal: Deal) -> Result<(), Trouble> {
        if self.read_only {
            let text = format!("`{}` is refused: this run is read-only\n", deal.as_str());
            return Ok(output::print(text)?);
        }
        let Some(record) = self.record()? else { return self.show() };
        let before = self.dealt.deal(&record.id);
        self.put(record.id, deal)?;
        self.done.push((record.id, before, deal));
        self.undone.clear();
        output::print(format!("{}: {}\n", deal.as_str(), record.id.short()))?;
        // What is put off is behind all others now; the walk goes on where it was.
        let after = self.rows.get(self.at + 1).copied();
        let anchor = match after {
            Some(next) => self.archive.ids(&[next])?.first().copied(),
            None => None,
        };
        self.list(anchor)?;
        self.show()
    }

    fn undo(&mut self) -> Result<(), Trouble> {
        let Some((id, before, deal)) = self.done.pop() else {
            return Ok(output::print("there is nothing to undo\n")?);
        };
        self.put(id, before)?;
        self.undone.push((id, before, deal));
        output::print(format!("undone: {} {}\n", deal.as_str(), id.short()))?;
        self.list(Some(id))?;
        self.show()
    }

    fn redo(&mut self) -> Result<(), Trouble> {
        let Some((id, before, deal)) = self.undone.pop() else {
            return Ok(output::print("there is nothing to redo\n")?);
        };
        self.put(id, deal)?;
        self.done.push((id, before, deal));
        output::print(format!("done again: {} {}\n", deal.as_str(), id.short()))?;
        self.list(None)?;
        self.show()
    }

    fn put(&mut self, id: RecordId, deal: Deal) -> Result<(), Failure> {
        let put = self.dealt.put(&[id], deal, self.context.clock.now());
        put.map_err(|error| Failure::local(error).hint("look at the data directory"))
    }

    /// The record of the item, where there is one.
    fn record(&self) -> Result<Option<RecordRow>, Trouble> {
        let Some(at) = self.rows.get(self.at) else { return Ok(None) };
        Ok(self.archive.records(&[*at])?.pop().map(row))
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
