//! The loop: wait, take everything in, draw once.

use super::command::Command;
use super::effect::Effect;
use super::input::{Input, Mouse, MouseKind};
use super::message::Message;
use super::model::{Model, Problem, Start};
use super::perform::{Performer, Services, TerminalEffect};
use super::terminal::{Error, Inputs, Screen};
use super::{begin, links, update, view};
use crate::answers::operation;
use crate::domain::Timestamp;
use std::ffi::OsString;
use std::io::Write;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::mpsc::{Receiver, channel};

/// So long after a store could not be opened it is tried again.
const RETRY: Duration = Duration::from_secs(5);

/// Messages that may wait. A task that sends more waits for the loop.
pub(super) const WAITING: usize = 1024;

/// The console could not run.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The terminal.
    #[error("the terminal cannot be used")]
    Terminal(#[from] Error),
    /// The tasks beside the loop.
    #[error("failed to start the console's tasks")]
    Runtime(#[source] std::io::Error),
    /// Lines, where it is a console of lines.
    #[error("failed to read or write a line")]
    Lines(#[from] std::io::Error),
    /// The logs, without which there is nothing to show.
    #[error("{}", .0.text)]
    Unopened(Problem),
    /// Something was still to be written when the console was left, and could not be.
    #[error("{}", .0.text)]
    Unwritten(Problem),
}

/// Runs the console until the person leaves it; gives the exit code. A terminal that was taken before goes on.
///
/// # Errors
/// A terminal that cannot be taken, drawn on or given back.
pub fn run(
    start: Start,
    services: Services,
    taken: Option<(Screen, Inputs)>,
) -> Result<u8, RunError> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .map_err(RunError::Runtime)?;
    let (sender, mut messages) = channel(WAITING);
    let services = Arc::new(services);
    let performer = Performer::new(Arc::clone(&services), runtime.handle().clone(), sender);
    let mut model = Model::new(start);
    let effects = begin(&mut model);
    let mut console = Console { model, performer, services, code: 0, watch: None };
    // What is read takes longer than taking the terminal: it goes first.
    let mut own = console.perform(effects);
    let (mut screen, mut inputs) = taken.map_or_else(Screen::enter, Ok)?;
    let size = screen.size();
    console.model.size = (size.width, size.height);
    let ended = runtime.block_on(console.run(&mut screen, &mut inputs, &mut messages, &mut own));
    // What is left to be written takes a moment; it is not waited for on a dead screen.
    drop(screen);
    let unwritten = console.performer.finish(messages);
    // A task that hangs in a foreign program does not keep the person waiting.
    runtime.shutdown_timeout(Duration::from_millis(300));
    match (ended, unwritten) {
        (Ok(_), Some(problem)) => Err(RunError::Unwritten(problem)),
        (ended, _) => ended,
    }
}

struct Console {
    model: Model,
    performer: Performer,
    services: Arc<Services>,
    code: u8,
    /// When the next pull of `--watch` is due.
    watch: Option<tokio::time::Instant>,
}

impl Console {
    async fn run(
        &mut self,
        screen: &mut Screen,
        inputs: &mut Inputs,
        messages: &mut Receiver<Message>,
        own: &mut Vec<TerminalEffect>,
    ) -> Result<u8, RunError> {
        loop {
            for own in own.drain(..) {
                if self.perform_in_terminal(screen, own)? {
                    return Ok(self.code);
                }
            }
            own.extend(self.fit(screen));
            screen.draw_linked(|frame| view(&self.model, frame), &links(&self.model))?;
            screen.name(title(&self.model))?;
            let first = self.wait(inputs, messages).await;
            own.extend(self.take(first));
            // Tasks that never stop sending do not keep the picture from being drawn.
            for _ in 1..WAITING {
                let Some(message) = waiting(inputs, messages) else { break };
                own.extend(self.take(message));
            }
        }
    }

    /// Gives the model another size: while the process is stopped, nobody reports it.
    fn fit(&mut self, screen: &Screen) -> Vec<TerminalEffect> {
        let size = screen.size();
        if self.model.size == (size.width, size.height) {
            return Vec::new();
        }
        let input = Input::Resize { width: size.width, height: size.height };
        self.take(Message::Input(input))
    }

    /// Waits for whatever comes first: a key, the end of a task, the next minute, the next pull.
    async fn wait(&self, inputs: &mut Inputs, messages: &mut Receiver<Message>) -> Message {
        let now = (self.services.clock)();
        let due = async {
            match self.watch {
                Some(at) => tokio::time::sleep_until(at).await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            input = inputs.next() => Message::Input(input),
            Some(message) = messages.recv() => message,
            () = tokio::time::sleep(until_next_minute(now)) => Message::Clock((self.services.clock)()),
            () = due => Message::Due,
        }
    }

    fn take(&mut self, message: Message) -> Vec<TerminalEffect> {
        // What is typed behind the end is for the shell.
        if self.model.ended {
            return Vec::new();
        }
        if let Message::Input(input) = &message
            && let Some(code) = input.end()
        {
            self.code = code;
        }
        // Where no box is asked, the logs are looked at again where they are.
        let asks = self.model.facts.boxes && !self.model.facts.read_only;
        let pulled = match &message {
            Message::Pulled { .. } => true,
            Message::Opened(_) | Message::OpenFailed(_) => !asks,
            _ => false,
        };
        // A store that does not answer is opened anew until it does.
        let failed = self.model.facts.fleet && matches!(message, Message::OpenFailed(_));
        if matches!(message, Message::Due) {
            self.watch = None;
        }
        let message = clicked_tab(&self.model, &message).unwrap_or(message);
        let mut effects = Vec::new();
        if matches!(message, Message::Input(_)) {
            // What a person does is done at a time, to the second.
            effects = update(&mut self.model, Message::Clock((self.services.clock)()));
        }
        effects.extend(update(&mut self.model, message));
        let pause = match (pulled, self.model.facts.watch) {
            _ if failed => Some(RETRY),
            (true, Some(seconds)) => Some(Duration::from_secs(seconds.into())),
            _ => None,
        };
        if let Some(pause) = pause {
            self.watch = Some(tokio::time::Instant::now() + pause);
        }
        self.perform(effects)
    }

    fn perform(&mut self, effects: Vec<Effect>) -> Vec<TerminalEffect> {
        effects.into_iter().filter_map(|effect| self.performer.perform(effect)).collect()
    }

    /// Does what needs the terminal; returns whether the console ends.
    fn perform_in_terminal(
        &mut self,
        screen: &mut Screen,
        effect: TerminalEffect,
    ) -> Result<bool, RunError> {
        match effect {
            TerminalEffect::Quit => return Ok(true),
            TerminalEffect::Redraw => screen.repaint(),
            TerminalEffect::Suspend => screen.stop()?,
            TerminalEffect::Mouse(is_on) => screen.set_mouse(is_on)?,
            TerminalEffect::Clipboard(text) => screen.copy(&text)?,
            TerminalEffect::Edit { suffix, text } => {
                if let Err(problem) = edit(screen, &self.services, suffix, &text) {
                    let effects = update(&mut self.model, Message::Failed(problem));
                    self.perform(effects);
                }
            }
        }
        Ok(false)
    }
}

/// What a click on a tab asks for; nothing while something lies above the screen.
fn clicked_tab(model: &Model, message: &Message) -> Option<Message> {
    let Message::Input(Input::Mouse(Mouse { kind: MouseKind::Press, x, y: 0 })) = message else {
        return None;
    };
    let screen = super::view::header::tab_at(model, *x).filter(|_| model.overlay.is_none())?;
    Some(Message::Command(Command::Action(screen.action())))
}

/// What the terminal's window is called.
fn title(model: &Model) -> String {
    let new = model.overview.summary.value.as_ref().and_then(|triage| triage.new_since);
    let new = new.map_or(0, |new| new.records);
    let title = model.operation.as_ref().map(|operation| operation::title(operation, new));
    title.unwrap_or_else(|| "foureyes".to_owned())
}

/// What is there already: first what the terminal says.
fn waiting(inputs: &mut Inputs, messages: &mut Receiver<Message>) -> Option<Message> {
    inputs.try_next().map(Message::Input).or_else(|| messages.try_recv().ok())
}

/// So long the clock on the screen stays right.
fn until_next_minute(now: Timestamp) -> Duration {
    let past = now.0.rem_euclid(60_000_000);
    Duration::from_micros((60_000_000 - past).unsigned_abs())
}

/// Opens a copy of a text in the editor, and removes it afterwards.
fn edit(screen: &mut Screen, services: &Services, suffix: &str, text: &str) -> Result<(), Problem> {
    let Some(editor) = &services.external.editor else {
        return Err(Problem::new("no editor is configured", "set VISUAL or EDITOR to your editor"));
    };
    let made = |error: std::io::Error| {
        Problem::new(format!("failed to make a copy for the editor: {error}"), "")
    };
    let mut file =
        tempfile::Builder::new().prefix("foureyes-").suffix(suffix).tempfile().map_err(made)?;
    file.write_all(text.as_bytes()).map_err(made)?;
    let mut argv: Vec<OsString> = editor.clone();
    argv.push(file.path().as_os_str().to_owned());
    match screen.run_child(&argv) {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => {
            let next = "it edited a copy, so nothing is lost; try the editor on its own";
            Err(Problem::new(format!("the editor ended with {status}"), next))
        }
        Err(error) => Err(Problem::from_error(&error, "check VISUAL and EDITOR")),
    }
}
