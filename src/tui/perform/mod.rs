//! Turns an effect into one task that ends in one message. Nothing here decides anything.

mod activity;
mod archive;
mod assess;
mod box_task;
mod claims;
mod content;
mod decide;
mod deliveries;
mod endpoint;
mod export;
mod external;
mod guide;
mod judging;
mod kept;
mod message_sender;
mod next_step;
mod picks;
mod pull;
mod queues;
mod read_progress;
mod records;
mod refusal;
mod review;
mod services;
mod stopped;
mod task_kind;
mod tools;
mod trends;
mod triage;
mod trouble;
mod visit;
mod writer;

pub use endpoint::{JudgeEndpoint, JudgesFactory, ProviderFactory, TaskJudges};
pub use external::TERMINAL_MOST;
pub use next_step::store_problem;
pub use services::{CoverageCheck, LogLister, Services};
pub use tools::{Clipboard, ExternalTools};

use super::effect::{Effect, Running};
use super::message::Message;
use super::model::{Problem, Tab};
use message_sender::MessageSender;
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use task_kind::TaskKind;
use tokio::runtime::Handle;
use tokio::sync::mpsc::{Receiver, Sender};
use tokio::task::AbortHandle;
use writer::Writer;

/// Tells a task that nobody waits for it any more.
pub(super) type CancelFlag = Arc<AtomicBool>;

/// What is to be done by the loop itself, since it owns the terminal.
#[derive(Debug, Clone, PartialEq)]
pub enum TerminalEffect {
    /// Draw everything again.
    Redraw,
    /// Stop until `fg`.
    Suspend,
    /// Give the terminal to an editor.
    Edit {
        /// What the copy's name ends with.
        suffix: &'static str,
        /// Plain text, nothing escaped.
        text: Arc<str>,
    },
    /// Write these bytes to the terminal: a text for its clipboard.
    Clipboard(Arc<str>),
    /// Have the mouse reported, or no longer.
    Mouse(bool),
    /// End the console.
    Quit,
}

/// Runs effects as tasks.
pub struct Performer {
    services: Arc<Services>,
    runtime: Handle,
    messages: Sender<Message>,
    flags: HashMap<TaskKind, CancelFlag>,
    pull: Option<AbortHandle>,
    /// Deliveries to boxes on their way.
    sending: Vec<AbortHandle>,
    writer: Writer,
    judging: judging::Runner,
    /// The task on a box.
    box_task: Option<box_task::Running>,
}

impl Performer {
    /// One that sends its messages to `messages`.
    pub fn new(services: Arc<Services>, runtime: Handle, messages: Sender<Message>) -> Self {
        let writer = Writer::new();
        let (flags, sending) = (HashMap::new(), Vec::new());
        let judging = judging::Runner::default();
        let (pull, box_task) = (None, None);
        Self { services, runtime, messages, flags, pull, sending, writer, judging, box_task }
    }

    /// Begins an effect; gives back what only the loop can do.
    pub fn perform(&mut self, effect: Effect) -> Option<TerminalEffect> {
        if self.services.read_only
            && let Some(refusal) = refusal::refusal(&effect)
        {
            self.spawn(move |_, sender| sender.send(refusal));
            return None;
        }
        match effect {
            Effect::Summarise { .. }
            | Effect::Assess { .. }
            | Effect::Picks { .. }
            | Effect::Trends { .. }
            | Effect::Replay { .. } => self.count(effect),
            Effect::List { .. }
            | Effect::Range { .. }
            | Effect::Rows { .. }
            | Effect::Record { .. }
            | Effect::Content { .. }
            | Effect::Newer { .. } => self.query(effect),
            Effect::WriteReport(_)
            | Effect::Export(_)
            | Effect::Disposition { .. }
            | Effect::Review { .. }
            | Effect::Expose { .. }
            | Effect::Decide(_)
            | Effect::Claim { .. }
            | Effect::TakeBack { .. }
            | Effect::SaveOverrideDraft { .. }
            | Effect::SaveDraft { .. }
            | Effect::MarkSeen { .. }
            | Effect::SaveSession(_) => self.persist(effect),
            Effect::Guide => self.spawn_replacing(TaskKind::Guide, guide::read),
            Effect::Open => self.spawn_replacing(TaskKind::Open, archive::open),
            Effect::Looked { edition } => self.services.look(edition),
            Effect::Close { before } => self.services.close(before),
            Effect::PullLog { box_name } => {
                self.spawn(move |w, sender| pull::log(w, sender, box_name));
            }
            Effect::Activity { edition } => self.spawn(move |w, s| activity::count(w, s, edition)),
            Effect::Pull => self.pull(),
            Effect::BoxTask { .. } | Effect::CancelBoxTask => self.box_task(effect),
            Effect::Stop(running) => self.stop(running),
            Effect::Send { entries } => self.send(entries),
            Effect::Judging(act) => {
                self.judging.perform(act, &self.services, &self.runtime, &self.messages);
            }
            Effect::Copy { what, text } => return self.copy(what, text),
            Effect::OpenCommit { commit } => {
                self.spawn(move |w, sender| external::open_commit(w, sender, &commit));
            }
            Effect::OpenFile { path } => self.spawn(move |w, s| external::open_file(w, s, &path)),
            Effect::Theme(name) => self.spawn(move |w, sender| external::theme(w, sender, &name)),
            Effect::Edit { suffix, text } => return Some(TerminalEffect::Edit { suffix, text }),
            Effect::Redraw => return Some(TerminalEffect::Redraw),
            Effect::Mouse(is_on) => return Some(TerminalEffect::Mouse(is_on)),
            Effect::Suspend => return Some(TerminalEffect::Suspend),
            Effect::Quit => return Some(TerminalEffect::Quit),
        }
        None
    }

    /// Counts what a page shows.
    fn count(&mut self, effect: Effect) {
        match effect {
            Effect::Summarise { edition, span, generation } => {
                self.spawn_replacing(TaskKind::Summary, move |w, sender, cancel| {
                    archive::summarise(w, sender, cancel, (edition, generation), &span);
                });
            }
            Effect::Assess { edition, family, details, generation } => {
                self.spawn_replacing(TaskKind::Assess(family), move |w, sender, cancel| {
                    assess::run(w, sender, cancel, (family, details), (edition, generation));
                });
            }
            Effect::Picks { edition, generation } => {
                self.spawn_replacing(TaskKind::Picks, move |w, sender, cancel| {
                    picks::run(w, sender, cancel, (edition, generation));
                });
            }
            Effect::Trends { key, generation } => {
                self.spawn_replacing(TaskKind::Trends, move |w, sender, cancel| {
                    trends::run(w, sender, cancel, &key, generation);
                });
            }
            Effect::Replay { records, rules, confidence, generation } => {
                self.spawn_replacing(TaskKind::Replay, move |w, sender, cancel| {
                    (w.pause)(Duration::from_millis(60));
                    assess::replay(sender, cancel, &records, &rules, confidence, generation);
                });
            }
            // No other effect counts.
            _ => {}
        }
    }

    /// Asks the archive, or for what a record in it is of.
    fn query(&mut self, effect: Effect) {
        match effect {
            Effect::List { edition, list, generation, ask } => {
                self.spawn_replacing(TaskKind::List(list), move |w, sender, cancel| {
                    archive::list(w, sender, cancel, (edition, list, generation), &ask);
                });
            }
            Effect::Range { edition, list, generation, rows } => {
                self.spawn(move |w, sender| {
                    archive::range(w, sender, (edition, list, generation), &rows)
                });
            }
            // Rows are never given up: what was asked for is not asked for again.
            Effect::Rows { edition, rows } => {
                self.flags.remove(&TaskKind::Rows);
                self.spawn_replacing(TaskKind::Rows, move |w, sender, _| {
                    archive::rows(w, sender, edition, rows)
                });
            }
            Effect::Record { edition, row, id, reveal, history } => {
                self.spawn_replacing(TaskKind::Record, move |w, sender, cancel| {
                    archive::record(w, sender, cancel, (edition, row, id), (reveal, history));
                });
            }
            Effect::Content { id, commit, files, box_name } => {
                let request = crate::content::Request { commit, files, box_name };
                self.spawn_replacing(TaskKind::Content, move |w, sender, cancel| {
                    content::load(w, sender, cancel, id, &request);
                });
            }
            Effect::Newer { edition, record } => {
                self.spawn_replacing(TaskKind::Newer, move |w, sender, cancel| {
                    decide::newer(w, sender, cancel, edition, &record);
                });
            }
            // No other effect asks.
            _ => {}
        }
    }

    /// Writes something of ours.
    fn persist(&mut self, effect: Effect) {
        match effect {
            Effect::WriteReport(report) => self.write(move |w| Some(assess::write(w, &report))),
            Effect::Export(export) => {
                let sender = MessageSender(self.messages.clone());
                self.write(move |w| Some(export::write(w, &sender, &export)));
            }
            Effect::Disposition { changes, relist } => {
                self.write(move |w| Some(archive::set_dispositions(w, &changes, relist)));
            }
            Effect::Review { entry, act, further } => {
                self.write(move |services| Some(review::write(services, entry, act, &further)));
            }
            Effect::Expose { records } => self.write(move |w| review::expose(w, records)),
            Effect::Decide(decision) => self.write(move |w| Some(decide::write(w, &decision))),
            Effect::Claim { record, task, box_name, change } => {
                self.write(move |services| {
                    Some(claims::write(services, record, (&task, &box_name), change))
                });
            }
            Effect::TakeBack { entries, step, change } => {
                self.write(move |services| {
                    Some(decide::take_back(services, &entries, step, change))
                });
            }
            Effect::SaveOverrideDraft { record, typed: draft } => {
                self.write(move |w| review::draft(w, record, draft));
            }
            Effect::SaveDraft { record, draft } => {
                self.write(move |w| review::draft(w, record, draft));
            }
            Effect::MarkSeen { edition } => self.write(move |w| archive::mark_seen(w, edition)),
            Effect::SaveSession(session) => self.write(move |w| w.save_session(&session)),
            // No other effect is kept.
            _ => {}
        }
    }

    /// Starts a task of a kind; the one before it learns that nobody waits for it.
    fn spawn_replacing(
        &mut self,
        kind: TaskKind,
        task: impl FnOnce(&Services, &MessageSender, &CancelFlag) + Send + 'static,
    ) {
        let flag = CancelFlag::default();
        if let Some(before) = self.flags.insert(kind, Arc::clone(&flag)) {
            before.store(true, Ordering::Relaxed);
        }
        self.spawn(move |services, sender| task(services, sender, &flag));
    }

    /// Starts a task that blocks.
    fn spawn(&self, task: impl FnOnce(&Services, &MessageSender) + Send + 'static) {
        let services = Arc::clone(&self.services);
        let sender = MessageSender(self.messages.clone());
        self.runtime.spawn_blocking(move || task(&services, &sender));
    }

    fn box_task(&mut self, effect: Effect) {
        match effect {
            Effect::BoxTask { number, task, family, box_name, reason } => {
                let request = box_task::Request { number, task, family, box_name, reason };
                let (services, messages) = (Arc::clone(&self.services), self.messages.clone());
                self.box_task = Some(box_task::start(services, messages, request));
            }
            _ => self.box_task.iter_mut().for_each(box_task::Running::cancel),
        }
    }

    fn pull(&mut self) {
        let (services, messages) = (Arc::clone(&self.services), self.messages.clone());
        let task = self.runtime.spawn(pull::run(services, messages));
        self.pull = Some(task.abort_handle());
    }

    /// Sends entries to boxes; what is not confirmed when the program ends is unconfirmed.
    fn send(&mut self, entries: Vec<crate::domain::review::EntryId>) {
        let (services, messages) = (Arc::clone(&self.services), self.messages.clone());
        let task = self.runtime.spawn(decide::send(services, messages, entries));
        self.sending.retain(|task| !task.is_finished());
        self.sending.push(task.abort_handle());
    }

    fn stop(&mut self, running: Running) {
        let kind = match running {
            Running::Pull => {
                if let Some(pull) = self.pull.take() {
                    pull.abort();
                    let ended = Message::Pulled { news: true, problems: Vec::new() };
                    self.spawn(move |_, sender| sender.send(ended));
                }
                return;
            }
            Running::List(list) => TaskKind::List(list),
            Running::Content(Tab::Content | Tab::Diff) => TaskKind::Content,
            Running::Content(_) => return,
        };
        if let Some(flag) = self.flags.remove(&kind) {
            flag.store(true, Ordering::Relaxed);
        }
    }

    /// Writes something of ours, after all that was asked for before it.
    fn write(&mut self, task: impl FnOnce(&Services) -> Option<Message> + Send + 'static) {
        let services = Arc::clone(&self.services);
        self.writer.put(self.messages.clone(), move || task(&services));
    }

    /// Waits until what is to be kept so far is written.
    pub fn wait_written(&self) {
        self.writer.wait();
    }

    /// Ends all that runs, and waits until what is to be kept is written. Gives what could not be
    /// written and was reported to nobody: `messages` is what the loop did not take any more.
    pub fn finish(&mut self, mut messages: Receiver<Message>) -> Option<Problem> {
        self.stop_all();
        messages.close();
        if let Some(task) = self.box_task.take() {
            task.finish();
        }
        let mut unreported = None;
        while let Ok(message) = messages.try_recv() {
            unreported = writer::failure(message).or(unreported);
        }
        self.writer.finish().or(unreported)
    }

    fn stop_all(&self) {
        for flag in self.flags.values() {
            flag.store(true, Ordering::Relaxed);
        }
        self.pull.iter().chain(&self.sending).for_each(AbortHandle::abort);
        self.judging.end();
    }

    /// Copies by a program of this machine where there is one, else through the terminal.
    fn copy(&self, what: &'static str, text: Arc<str>) -> Option<TerminalEffect> {
        if self.services.external.clipboard == Clipboard::Terminal {
            let fits = text.len() <= external::TERMINAL_MOST;
            let message = external::sent_to_terminal(what, fits);
            self.spawn(move |_, sender| sender.send(message));
            return fits.then_some(TerminalEffect::Clipboard(text));
        }
        self.spawn(move |w, sender| external::copy(w, sender, what, &text));
        None
    }
}

impl Drop for Performer {
    fn drop(&mut self) {
        self.stop_all();
    }
}
