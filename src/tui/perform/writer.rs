//! Writes what must not be lost: one thing after the other, in the order in which it was asked for,
//! and all of it before the program ends.

use crate::tui::message::Message;
use crate::tui::model::Problem;
use std::sync::mpsc;
use std::thread::JoinHandle;
use tokio::sync::mpsc::Sender;

/// Something to be written and reported; it gives what failed where nobody listens any more.
type Task = Box<dyn FnOnce() -> Option<Problem> + Send>;

/// Writes, on a thread of its own.
pub(super) struct Writer {
    tasks: Option<mpsc::Sender<Task>>,
    /// Ends with the last failure that nobody could be shown any more.
    thread: Option<JoinHandle<Option<Problem>>>,
}

impl Writer {
    /// One that has nothing to write yet, and no thread.
    pub(super) fn new() -> Self {
        Self { tasks: None, thread: None }
    }

    /// Writes after all that was asked for before; sends what the task gives, where it gives any.
    pub(super) fn put(
        &mut self,
        messages: Sender<Message>,
        task: impl FnOnce() -> Option<Message> + Send + 'static,
    ) {
        if self.tasks.is_none() {
            self.start();
        }
        let Some(tasks) = &self.tasks else {
            // Without a thread keys wait for the disk, but nothing is lost.
            if let Some(message) = task() {
                let _ = messages.try_send(message);
            }
            return;
        };
        let task: Task = Box::new(move || {
            let sent = messages.blocking_send(task()?);
            sent.err().and_then(|unsent| failure(unsent.0))
        });
        let _ = tasks.send(task);
    }

    fn start(&mut self) {
        let (sender, tasks) = mpsc::channel::<Task>();
        let work = move || tasks.into_iter().filter_map(|task| task()).last();
        if let Ok(thread) = std::thread::Builder::new().name("writer".to_owned()).spawn(work) {
            (self.tasks, self.thread) = (Some(sender), Some(thread));
        }
    }

    /// Waits until all that was asked for so far is written. So many reports must have room among the
    /// messages.
    pub(super) fn wait(&self) {
        let (sender, done) = mpsc::channel();
        let task: Task = Box::new(move || {
            let _ = sender.send(());
            None
        });
        if self.tasks.as_ref().is_some_and(|tasks| tasks.send(task).is_ok()) {
            let _ = done.recv();
        }
    }

    /// Waits until all is written; gives what failed since nobody listens any more.
    ///
    /// The receiver of the messages must be closed by then.
    pub(super) fn finish(&mut self) -> Option<Problem> {
        self.tasks = None;
        self.thread.take()?.join().unwrap_or_default()
    }
}

/// What a message says that something was not written.
pub(super) fn failure(message: Message) -> Option<Problem> {
    match message {
        Message::Dispositions { result: Err(problem), .. }
        | Message::Saved { result: Err(problem), .. }
        | Message::Decided { result: Err(problem), .. }
        | Message::TakenBack { result: Err(problem), .. }
        | Message::Failed(problem) => Some(problem),
        Message::Decided { result: Ok(results), .. } => super::decide::unreported(&results),
        _ => None,
    }
}
