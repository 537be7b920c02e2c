//! Turns an effect into one task that ends in one message. Nothing here decides anything.

mod archive;
mod assess;
mod content;
mod decide;
pub mod guide;
mod judging;
mod outward;
mod pull;
mod queues;
mod review;
mod world;
mod writer;

pub use judging::{Asker, Make};
pub use outward::{Clipboard, External, TERMINAL_MOST};
pub use world::{PresenceCheck, Reader, World};

use super::effect::{Decision, Effect, Running};
use super::judging::{Do, Told};
use super::message::Message;
use super::model::{ListId, Problem, Tab};
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio::runtime::Handle;
use tokio::sync::mpsc::{Receiver, Sender};
use tokio::task::AbortHandle;
use writer::Writer;

/// What a newer asking of the same kind ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Kind {
    Guide,
    Open,
    Summary,
    Assess,
    Replay,
    List(ListId),
    Rows,
    Record,
    Content,
    Newer,
}

/// Tells a task that nobody waits for it any more.
pub(super) type Flag = Arc<AtomicBool>;

/// What is to be done by the loop itself, since it owns the terminal.
#[derive(Debug, Clone, PartialEq)]
pub enum Own {
    /// Draw everything again.
    Redraw,
    /// Stop until `fg`.
    Suspend,
    /// Give the terminal to an editor.
    Edit {
        /// What the copy's name ends with.
        suffix: &'static str,
        /// The text.
        text: Arc<str>,
    },
    /// Write these bytes to the terminal: a text for its clipboard.
    Clipboard(Arc<str>),
    /// End.
    Quit,
}

/// Does effects.
pub struct Performer {
    world: Arc<World>,
    runtime: Handle,
    messages: Sender<Message>,
    flags: HashMap<Kind, Flag>,
    pull: Option<AbortHandle>,
    /// What is being told to boxes.
    sending: Vec<AbortHandle>,
    writer: Writer,
    judging: judging::Runner,
}

impl Performer {
    /// One that tells its messages to `messages`.
    pub fn new(world: Arc<World>, runtime: Handle, messages: Sender<Message>) -> Self {
        let writer = Writer::new();
        let (flags, sending) = (HashMap::new(), Vec::new());
        let judging = judging::Runner::default();
        Self { world, runtime, messages, flags, pull: None, sending, writer, judging }
    }

    /// Begins an effect; gives back what only the loop can do.
    pub fn perform(&mut self, effect: Effect) -> Option<Own> {
        if self.world.read_only
            && let Some(refusal) = refusal(&effect)
        {
            self.once(move |_, tell| tell.tell(refusal));
            return None;
        }
        match effect {
            Effect::Summarise { .. }
            | Effect::Assess { .. }
            | Effect::Replay { .. }
            | Effect::List { .. }
            | Effect::Range { .. }
            | Effect::Rows { .. }
            | Effect::Record { .. }
            | Effect::Content { .. }
            | Effect::Newer { .. } => self.ask(effect),
            Effect::WriteReport(_)
            | Effect::Disposition { .. }
            | Effect::Review { .. }
            | Effect::Decide(_)
            | Effect::TakeBack { .. }
            | Effect::Typed { .. }
            | Effect::Draft { .. }
            | Effect::MarkSeen { .. }
            | Effect::SaveSession(_) => self.keep(effect),
            Effect::Guide => self.start(Kind::Guide, guide::read),
            Effect::Open => self.start(Kind::Open, archive::open),
            Effect::Looked { edition } => self.world.look(edition),
            Effect::Close { before } => self.world.close(before),
            Effect::PullLog { box_name } => {
                self.once(move |w, tell| pull::log(w, tell, box_name));
            }
            Effect::Pull => self.pull(),
            Effect::Stop(running) => self.stop(running),
            Effect::Send { entries } => self.send(entries),
            Effect::Judging(act) => {
                self.judging.perform(act, &self.world, &self.runtime, &self.messages);
            }
            Effect::Copy { what, text } => return self.copy(what, text),
            Effect::OpenCommit { commit } => {
                self.once(move |w, tell| outward::open_commit(w, tell, &commit));
            }
            Effect::Theme(name) => self.once(move |w, tell| outward::theme(w, tell, &name)),
            Effect::Edit { suffix, text } => return Some(Own::Edit { suffix, text }),
            Effect::Redraw => return Some(Own::Redraw),
            Effect::Suspend => return Some(Own::Suspend),
            Effect::Quit => return Some(Own::Quit),
        }
        None
    }

    /// Asks the archive, or for what a record in it is of.
    fn ask(&mut self, effect: Effect) {
        match effect {
            Effect::Summarise { edition, window, generation } => {
                self.start(Kind::Summary, move |w, tell, cancel| {
                    archive::summarise(w, tell, cancel, edition, window, generation);
                });
            }
            Effect::Assess { edition, generation } => {
                self.start(Kind::Assess, move |w, tell, cancel| {
                    assess::run(w, tell, cancel, edition, generation);
                });
            }
            Effect::Replay { records, rules, confidence, generation } => {
                self.start(Kind::Replay, move |w, tell, cancel| {
                    (w.pause)(Duration::from_millis(60));
                    assess::replay(tell, cancel, &records, &rules, confidence, generation);
                });
            }
            Effect::List { edition, list, generation, ask } => {
                self.start(Kind::List(list), move |w, tell, cancel| {
                    archive::list(w, tell, cancel, (edition, list, generation), &ask);
                });
            }
            Effect::Range { edition, list, generation, rows } => {
                self.once(move |w, tell| {
                    archive::range(w, tell, (edition, list, generation), &rows)
                });
            }
            // Rows are never given up: what was asked for is not asked for again.
            Effect::Rows { edition, rows } => {
                self.flags.remove(&Kind::Rows);
                self.start(Kind::Rows, move |w, tell, _| archive::rows(w, tell, edition, rows));
            }
            Effect::Record { edition, row, id, reveal } => {
                self.start(Kind::Record, move |w, tell, cancel| {
                    archive::record(w, tell, cancel, edition, row, id, reveal);
                });
            }
            Effect::Content { id, commit, files, box_name } => {
                let request = crate::content::Request { commit, files, box_name };
                self.start(Kind::Content, move |w, tell, cancel| {
                    content::load(w, tell, cancel, id, &request);
                });
            }
            Effect::Newer { edition, of } => {
                self.start(Kind::Newer, move |w, tell, cancel| {
                    decide::newer(w, tell, cancel, edition, &of);
                });
            }
            // No other effect asks.
            _ => {}
        }
    }

    /// Writes something of ours.
    fn keep(&mut self, effect: Effect) {
        match effect {
            Effect::WriteReport(report) => {
                self.write(move |world| Some(assess::write(world, &report)));
            }
            Effect::Disposition { deals, relist } => {
                self.write(move |world| Some(archive::deal(world, &deals, relist)));
            }
            Effect::Review { entry, act, further } => {
                self.write(move |world| Some(review::write(world, entry, act, &further)));
            }
            Effect::Decide(decision) => {
                self.write(move |world| Some(decide::write(world, &decision)));
            }
            Effect::TakeBack { entries, step, way } => {
                self.write(move |world| Some(decide::take_back(world, &entries, step, way)));
            }
            Effect::Typed { record, typed } => {
                self.write(move |world| review::draft(world, record, typed));
            }
            Effect::Draft { record, draft } => {
                self.write(move |world| review::draft(world, record, draft));
            }
            Effect::MarkSeen { edition } => {
                self.write(move |world| archive::mark_seen(world, edition));
            }
            Effect::SaveSession(session) => self.write(move |world| save(world, &session)),
            // No other effect is kept.
            _ => {}
        }
    }

    /// Starts a task of a kind; the one before it learns that nobody waits for it.
    fn start(&mut self, kind: Kind, task: impl FnOnce(&World, &Tell, &Flag) + Send + 'static) {
        let flag = Flag::default();
        if let Some(before) = self.flags.insert(kind, Arc::clone(&flag)) {
            before.store(true, Ordering::Relaxed);
        }
        self.once(move |world, tell| task(world, tell, &flag));
    }

    /// Starts a task that blocks.
    fn once(&self, task: impl FnOnce(&World, &Tell) + Send + 'static) {
        let world = Arc::clone(&self.world);
        let tell = Tell(self.messages.clone());
        self.runtime.spawn_blocking(move || task(&world, &tell));
    }

    fn pull(&mut self) {
        let (world, messages) = (Arc::clone(&self.world), self.messages.clone());
        let task = self.runtime.spawn(pull::run(world, messages));
        self.pull = Some(task.abort_handle());
    }

    /// Tells boxes of entries; what is not heard of when the program ends is unconfirmed.
    fn send(&mut self, entries: Vec<crate::domain::review::EntryId>) {
        let (world, messages) = (Arc::clone(&self.world), self.messages.clone());
        let task = self.runtime.spawn(decide::send(world, messages, entries));
        self.sending.retain(|task| !task.is_finished());
        self.sending.push(task.abort_handle());
    }

    fn stop(&mut self, running: Running) {
        let kind = match running {
            Running::Pull => {
                if let Some(pull) = self.pull.take() {
                    pull.abort();
                    let ended = Message::Pulled { news: true, problems: Vec::new() };
                    self.once(move |_, tell| tell.tell(ended));
                }
                return;
            }
            Running::List(list) => Kind::List(list),
            Running::Content(Tab::Content | Tab::Diff) => Kind::Content,
            Running::Content(_) => return,
        };
        if let Some(flag) = self.flags.remove(&kind) {
            flag.store(true, Ordering::Relaxed);
        }
    }

    /// Writes something of ours, after all that was asked for before it.
    fn write(&mut self, task: impl FnOnce(&World) -> Option<Message> + Send + 'static) {
        let world = Arc::clone(&self.world);
        self.writer.put(self.messages.clone(), move || task(&world));
    }

    /// Ends all that runs, and waits until what is to be kept is written. Gives what could not be
    /// written and was told to nobody: `messages` is what the loop did not take any more.
    pub fn finish(&mut self, mut messages: Receiver<Message>) -> Option<Problem> {
        self.stop_all();
        messages.close();
        let mut untold = None;
        while let Ok(message) = messages.try_recv() {
            untold = writer::failure(message).or(untold);
        }
        self.writer.finish().or(untold)
    }

    fn stop_all(&self) {
        for flag in self.flags.values() {
            flag.store(true, Ordering::Relaxed);
        }
        self.pull.iter().chain(&self.sending).for_each(AbortHandle::abort);
        self.judging.end();
    }

    /// Copies by a program of this machine where there is one, else through the terminal.
    fn copy(&self, what: &'static str, text: Arc<str>) -> Option<Own> {
        if self.world.outward.clipboard == Clipboard::Terminal {
            let fits = text.len() <= outward::TERMINAL_MOST;
            let told = outward::sent_to_terminal(what, fits);
            self.once(move |_, tell| tell.tell(told));
            return fits.then_some(Own::Clipboard(text));
        }
        self.once(move |w, tell| outward::copy(w, tell, what, &text));
        None
    }
}

impl Drop for Performer {
    fn drop(&mut self) {
        self.stop_all();
    }
}

fn save(world: &World, session: &super::session::Session) -> Option<Message> {
    let error = session.save(&world.data.session()).err()?;
    let next = "check that the data directory is writable";
    let text = format!("failed to save the session: {error}");
    Some(Message::Failed(Problem::new(text, next)))
}

/// What is told in place of an effect that writes, in a run that only looks. The model asks for
/// none there: this is the second lock.
fn refusal(effect: &Effect) -> Option<Message> {
    let text = "nothing was written: this session is read-only";
    let problem = Problem::new(text, "restart without `--read-only`");
    match effect {
        Effect::Disposition { relist, .. } => {
            Some(Message::Dispositions { relist: *relist, result: Err(problem) })
        }
        Effect::Pull => Some(Message::Pulled { news: false, problems: vec![problem] }),
        Effect::Review { entry, .. } => {
            Some(Message::Saved { entry: *entry, result: Err(problem), said: None })
        }
        Effect::Judging(Do::Begin(plan)) => {
            let (run, result) = (plan.run, Err(problem));
            Some(Message::Judging(Told::Ended { run, result, said: None }))
        }
        Effect::Decide(Decision { name, .. }) => {
            Some(Message::Decided { name: *name, result: Err(problem), said: None })
        }
        Effect::TakeBack { step, way, .. } => {
            let (step, way) = (step.clone(), *way);
            Some(Message::TookBack { step, way, result: Err(problem), said: None })
        }
        Effect::MarkSeen { .. }
        | Effect::SaveSession(_)
        | Effect::Draft { .. }
        | Effect::Typed { .. }
        | Effect::Send { .. } => Some(Message::Failed(problem)),
        _ => None,
    }
}

/// Where a task tells its message.
pub(super) struct Tell(Sender<Message>);

impl Tell {
    /// Tells a message; where nobody listens any more, nobody misses it.
    pub(super) fn tell(&self, message: Message) {
        let _ = self.0.blocking_send(message);
    }
}
