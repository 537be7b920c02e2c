//! The console line by line, for a screen reader, a simple terminal, or commands from a file.
//!
//! It is a view of the console and nothing else. The model is the console's own, and so are its actions,
//! `update` and the tasks of `perform`: a typed line becomes a [`Command`], which `update` takes as it takes a
//! key. Then the loop waits until nothing more is on its way (`settled`), and `text` writes what the
//! model says now: new notices, then what differs from what was written before. A sheet, a page, a notice or
//! the heading of a list is the text that the screen draws; only their order and the item's number are ours.
//! The model has a screen of no lines here, so of a list it shows, reads and notes as seen one record at a
//! time. No line begins with a digit or a bar, which would be read out before what it is about. What draws a form, or needs the terminal, is refused with the way to it. Nothing is read ahead: a
//! line is done, and what it wrote is on the disk, before the next one is read.

mod settled;
mod spoken;
mod text;

use super::action::Action;
use super::command::{Command, Typed, parse, parse_helping};
use super::effect::Effect;
use super::message::Message;
use super::model::{Load, Model, Overlay, Start, Tab, key_context};
use super::perform::{Performer, Services, TerminalEffect};
use super::run::{RunError, WAITING};
use super::session::Session;
use super::theme::Glyphs;
use super::update::note_written;
use super::{begin, update};
use std::io::{self, Write};
use std::sync::Arc;
use std::time::Duration;
use text::Written;
use tokio::sync::mpsc::{Receiver, channel};

/// Where lines come from, and where text goes.
pub struct LineTerminal<'a> {
    /// Reads the next line; `None` at the end of the input.
    pub read: &'a mut dyn FnMut() -> io::Result<Option<String>>,
    /// Takes what is written.
    pub out: &'a mut dyn Write,
    /// Whether a person types, and is asked for each line.
    pub prompts: bool,
    /// Columns after which a line goes on in the next one.
    pub width: usize,
}

/// Runs it until the person leaves or the input ends.
///
/// # Errors
/// Logs that cannot be opened, lines that cannot be read or written, and what could not be saved.
pub fn run(
    start: Start,
    mut services: Services,
    terminal: LineTerminal<'_>,
) -> Result<(), RunError> {
    // Nobody runs past an item here: each is waited for.
    services.pause = |_| {};
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .map_err(RunError::Runtime)?;
    let (sender, messages) = channel(WAITING);
    let services = Arc::new(services);
    let performer = Performer::new(Arc::clone(&services), runtime.handle().clone(), sender);
    let model = Model::new(without_screen(start));
    let mut console = LineConsole {
        model,
        performer,
        services,
        messages,
        terminal,
        reported: 0,
        written: Written::default(),
    };
    let ended = console.converse();
    let unwritten = console.performer.finish(console.messages);
    runtime.shutdown_timeout(Duration::from_millis(300));
    match (ended, unwritten) {
        (Ok(()), Some(problem)) => Err(RunError::Unwritten(problem)),
        // Whoever read had enough.
        (Err(RunError::Lines(error)), None) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        (ended, _) => ended,
    }
}

/// Begins at the beginning, whatever screen the console was left on; what is typed and not saved is kept.
fn without_screen(start: Start) -> Start {
    let Session { drafts, typed, .. } = start.session;
    let session = Session { drafts, typed, ..Session::default() };
    Start { size: (0, 0), glyphs: &Glyphs::LINES, session, ..start }
}

struct LineConsole<'a> {
    model: Model,
    performer: Performer,
    services: Arc<Services>,
    messages: Receiver<Message>,
    terminal: LineTerminal<'a>,
    /// So many notices were written.
    reported: u64,
    /// What was written last.
    written: Written,
}

impl LineConsole<'_> {
    fn converse(&mut self) -> Result<(), RunError> {
        let effects = begin(&mut self.model);
        self.perform(effects);
        if self.model.pulls.running {
            self.write("pulling the boxes\n")?;
        }
        self.settle();
        if let (None, Load::Failed(problem)) = (&self.model.loaded, &self.model.opening.load) {
            return Err(RunError::Unopened(problem.clone()));
        }
        self.write(&text::start(&self.model)?)?;
        self.act(Action::GoQueue);
        self.write_news()?;
        self.write_place()?;
        while !self.model.ended {
            match self.ask()? {
                Some(line) => self.follow(&line)?,
                None => self.take(Message::Command(Command::Leave)),
            }
        }
        Ok(self.terminal.out.flush()?)
    }

    /// Asks for a line; `None` at the end of the input.
    fn ask(&mut self) -> io::Result<Option<String>> {
        if self.terminal.prompts {
            self.write(&text::prompt(&self.model))?;
        }
        self.terminal.out.flush()?;
        let line = (self.terminal.read)()?;
        if line.is_none() && self.terminal.prompts {
            // The shell goes on below, not behind the prompt.
            self.write("\n")?;
        }
        Ok(line)
    }

    /// Does what a line asks for, and writes what came of it.
    fn follow(&mut self, line: &str) -> io::Result<()> {
        self.take(Message::Clock((self.services.clock)()));
        match self.read(line) {
            Ok(Typed::Again) => self.write_whole_place(),
            Ok(Typed::Reasons) => self.write(&text::reasons(&self.model)),
            Ok(Typed::Command(Command::Action(Action::Open))) if self.model.list().is_some() => {
                self.write_whole_place()
            }
            Ok(Typed::Command(Command::Action(action))) if text::needs_screen(action) => {
                self.write(&text::refusal(action))
            }
            Ok(Typed::Command(command)) => self.command(command),
            Err(why) => self.write(&format!("{why}\n")),
        }
    }

    /// What a line is here: an answer where something is asked.
    fn read(&self, line: &str) -> Result<Typed, String> {
        if matches!(self.model.overlay, Some(Overlay::Confirm(_))) {
            let yes = matches!(line.trim().to_lowercase().as_str(), "y" | "yes");
            return Ok(Typed::Command(Command::Answer(yes)));
        }
        let candidates = self.model.labelled_pick().map(|card| card.candidates.len());
        if let Some(helping) = candidates.and_then(|candidates| parse_helping(line, candidates)) {
            return helping.map(|helping| Typed::Command(Command::Helping(helping)));
        }
        parse(line, &self.model.keymap, key_context(&self.model))
    }

    fn command(&mut self, command: Command) -> io::Result<()> {
        let reported = self.model.notices.reported();
        let by = text::direction(&command);
        self.take(Message::Command(command));
        self.settle();
        if self.model.ended {
            return Ok(());
        }
        self.write_news()?;
        if self.write_overlay()? {
            return Ok(());
        }
        self.turn_back();
        let is_new = self.write_place()?;
        match (is_new || self.model.notices.reported() > reported, by) {
            (true, _) => Ok(()),
            (false, Some(end)) if self.model.list().is_some_and(|list| !list.is_empty()) => {
                self.write(end)
            }
            (false, _) => self.write_whole_place(),
        }
    }

    /// Of another record the side is shown first that is always first.
    fn turn_back(&mut self) {
        let first = if self.model.record.hides { Tab::Content } else { Tab::Verdict };
        let is_other = self.model.record.id != self.written.record;
        if is_other && self.model.list().is_some() && self.model.record.tab != first {
            self.take(Message::Command(Command::Tab(first)));
            self.settle();
        }
    }

    fn act(&mut self, action: Action) {
        self.take(Message::Command(Command::Action(action)));
        self.settle();
    }

    fn take(&mut self, message: Message) {
        let effects = update(&mut self.model, message);
        self.perform(effects);
    }

    fn perform(&mut self, effects: Vec<Effect>) {
        // How the full-screen console was left stays as it is.
        for effect in effects.into_iter().filter(|e| !matches!(e, Effect::SaveSession(_))) {
            match self.performer.perform(effect) {
                None | Some(TerminalEffect::Quit | TerminalEffect::Mouse(_)) => {}
                Some(_) => self.model.notices.note(text::FULL_SCREEN, self.model.now),
            }
        }
    }

    /// Waits until what was asked for is there and what is to be kept is on the disk.
    fn settle(&mut self) {
        loop {
            self.performer.wait_written();
            while let Ok(message) = self.messages.try_recv() {
                self.take(message);
            }
            if !settled::is_waiting(&self.model) {
                return;
            }
            let Some(message) = self.messages.blocking_recv() else { return };
            self.take(message);
        }
    }

    fn write(&mut self, text: &str) -> io::Result<()> {
        let text = spoken::lines(text, self.terminal.width);
        self.terminal.out.write_all(text.as_bytes())
    }

    /// Writes the notices that came since.
    fn write_news(&mut self) -> io::Result<()> {
        let news = text::notices(&self.model.notices.since(self.reported));
        self.reported = self.model.notices.reported();
        self.write(&news)
    }

    /// Writes what lies above the screen and closes it, unless it is a question; returns whether anything does.
    fn write_overlay(&mut self) -> io::Result<bool> {
        let Some(overlay) = &self.model.overlay else { return Ok(false) };
        let (text, stays) = text::overlay(&self.model, overlay);
        if !stays {
            self.model.overlay = None;
        }
        self.write(&text)?;
        Ok(true)
    }

    /// Writes what differs from what was written before; returns whether anything does.
    fn write_place(&mut self) -> io::Result<bool> {
        note_written(&mut self.model);
        let (text, now) = text::place(&self.model, &self.written)?;
        self.written = now;
        self.write(&text)?;
        Ok(!text.is_empty())
    }

    fn write_whole_place(&mut self) -> io::Result<()> {
        self.written = Written::default();
        self.write_place().map(drop)
    }
}
