//! The loop: wait, take everything in, draw once.

use super::draw::draw;
use super::keys::Effect;
use super::questions::Questions;
use crate::config::FirstBox;
use crate::first_start::{Forecast, Reached, Survey};
use crate::tui::input::Input;
use crate::tui::model::Problem;
use crate::tui::run::RunError;
use crate::tui::terminal::{Inputs, Screen};
use crate::tui::theme::{Glyphs, Theme};
use crate::tui::widget::Pen;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;
use tokio::runtime::Runtime;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

/// How the first start ended.
#[derive(Debug)]
pub enum Ended {
    /// The console goes on, on the same terminal; with what it is to say first.
    Open(Box<(Screen, Inputs)>, Option<Problem>),
    /// The program ends with a code.
    Leave(u8),
}

/// A box that is being asked.
pub(super) type Asking = Pin<Box<dyn Future<Output = Reached> + Send>>;

/// Counts what the logs of boxes come to.
pub(super) type Count = Arc<dyn Fn(&[FirstBox]) -> Survey + Send + Sync>;

/// Writes what was answered; gives what the console is to say.
pub(super) type Write = Box<dyn Fn(&Questions) -> Result<Option<Problem>, Problem>>;

/// What reaches beyond the screen.
pub struct Services {
    /// Asks a box for its logs; dropping it ends the connection.
    pub ask: Box<dyn Fn(FirstBox) -> Asking>,
    /// Counts what the logs of boxes come to.
    pub count: Count,
    /// Simulates how soon a judge is READY at each rate.
    pub forecast: Arc<dyn Fn() -> [Forecast; 4] + Send + Sync>,
    /// Writes what was answered; gives what the console is to say.
    pub write: Write,
}

enum Message {
    Input(Input),
    Answered(String, Reached),
    Counted(u64, Survey),
    Forecast([Forecast; 4]),
}

/// Asks until the person is done.
///
/// # Errors
/// A terminal that cannot be taken or drawn on.
pub fn first_start(
    questions: Questions,
    services: Services,
    (theme, glyphs): (Arc<Theme>, &'static Glyphs),
) -> Result<Ended, RunError> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .map_err(RunError::Runtime)?;
    let (mut screen, mut inputs) = Screen::enter()?;
    let (sender, messages) = unbounded_channel();
    let mut asking = First { questions, services, theme, glyphs, runtime, sender, messages };
    let ended = asking.converse(&mut screen, &mut inputs);
    // Whoever is still being asked is not waited for.
    asking.runtime.shutdown_timeout(Duration::from_millis(300));
    Ok(match ended? {
        Ok(problem) => Ended::Open(Box::new((screen, inputs)), problem),
        Err(code) => Ended::Leave(code),
    })
}

struct First {
    questions: Questions,
    services: Services,
    theme: Arc<Theme>,
    glyphs: &'static Glyphs,
    runtime: Runtime,
    sender: UnboundedSender<Message>,
    messages: UnboundedReceiver<Message>,
}

impl First {
    /// Until the console is to open, or the program to end with a code.
    fn converse(
        &mut self,
        screen: &mut Screen,
        inputs: &mut Inputs,
    ) -> Result<Result<Option<Problem>, u8>, RunError> {
        let first = self.questions.answers.candidates.iter().map(|one| one.source.clone());
        let mut effects: Vec<Effect> = first.map(Effect::Ask).collect();
        loop {
            for one in std::mem::take(&mut effects) {
                if let Some(ended) = self.perform(one, screen)? {
                    return Ok(ended);
                }
            }
            let pen = Pen { theme: &self.theme, glyphs: self.glyphs };
            let questions = &self.questions;
            screen.draw(|frame| {
                if let Some(place) = draw(questions, &pen, frame.buffer_mut()) {
                    frame.set_cursor_position(place);
                }
            })?;
            let messages = &mut self.messages;
            let first = self.runtime.block_on(async {
                tokio::select! {
                    input = inputs.next() => Message::Input(input),
                    Some(message) = messages.recv() => message,
                }
            });
            effects = self.take(first);
            while effects.is_empty() {
                let more = inputs.try_next().map(Message::Input);
                let Some(more) = more.or_else(|| self.messages.try_recv().ok()) else { break };
                effects = self.take(more);
            }
        }
    }

    fn take(&mut self, message: Message) -> Vec<Effect> {
        match message {
            Message::Input(input) => self.questions.input(&input),
            Message::Answered(name, reached) => self.questions.answered(&name, reached),
            Message::Counted(number, survey) => self.questions.counted(number, survey),
            Message::Forecast(forecasts) => {
                self.questions.forecasts = Some(forecasts);
                Vec::new()
            }
        }
    }

    fn perform(
        &mut self,
        effect: Effect,
        screen: &mut Screen,
    ) -> Result<Option<Result<Option<Problem>, u8>>, RunError> {
        match effect {
            Effect::Ask(source) => {
                let (sender, name) = (self.sender.clone(), source.name.clone());
                let asking = (self.services.ask)(source);
                self.runtime.spawn(async move {
                    // Where nobody waits any more, nobody needs it.
                    let _ = sender.send(Message::Answered(name, asking.await));
                });
            }
            Effect::Count(number, boxes) => {
                let (sender, count) = (self.sender.clone(), Arc::clone(&self.services.count));
                self.runtime.spawn_blocking(move || {
                    let _ = sender.send(Message::Counted(number, count(&boxes)));
                });
            }
            Effect::Forecast => {
                let (sender, forecast) = (self.sender.clone(), Arc::clone(&self.services.forecast));
                self.runtime.spawn_blocking(move || {
                    let _ = sender.send(Message::Forecast(forecast()));
                });
            }
            Effect::Write => match (self.services.write)(&self.questions) {
                Ok(problem) => return Ok(Some(Ok(problem))),
                Err(problem) => self.questions.note = Some(problem.text),
            },
            Effect::Skip => return Ok(Some(Ok(None))),
            Effect::Leave(code) => return Ok(Some(Err(code))),
            Effect::Suspend => screen.stop()?,
        }
        Ok(None)
    }
}
