//! Who is asked.

use super::{Content, Wanted};
use crate::domain::Timestamp;
use crate::engine::four_eyes::{Decision, Refusal};
use crate::engine::record::PushRecord;
use crate::judging::{self, Control, Event, Item, Judge, RunLimits, Skipped};
use crate::provider::Provider;
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::{mpsc, watch};

/// A judge of contents, as the hook knows it.
pub trait Judges {
    /// The model that is asked for.
    fn model(&self) -> &str;

    /// Why it cannot be asked, though what it said before is known: there is no key.
    fn absent(&self) -> Option<&str>;

    /// Whether a file of answers stands in its place.
    fn is_scripted(&self) -> bool;

    /// Version of its question: see [`crate::engine::prompt::Template::prompt_sha`].
    fn prompt_sha(&self) -> String;

    /// Version of how else it is asked: see [`Judge::judge_sha`].
    fn judge_sha(&self) -> String;

    /// Decides whether it may judge what these people wrote: of the model asked for, or of the one
    /// that served. Where it may not, no verdict of it counts, not even one that was given before.
    fn four_eyes(&self, wanted: &Wanted, served: Option<&str>) -> FourEyes;

    /// Judges contents, so many at the same time, and gives the record of each as it comes; a
    /// failure is a record too. Of one that was not begun it is told why: no time, no money.
    fn judge(
        &self,
        contents: &[&Content],
        parallel: usize,
        until: Instant,
        each: &mut dyn FnMut(usize, Result<PushRecord, Skipped>),
    );
}

/// What is decided about who wrote a content and who judges it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FourEyes {
    /// Their families.
    pub decision: Decision,
    /// Why it may not be judged by this judge.
    pub refusal: Option<Refusal>,
}

/// Why nobody can be asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NoJudge {
    /// Prompt, rubric or configuration cannot be used: why.
    Unusable(String),
}

/// A judge that is asked about several contents at the same time.
#[derive(Debug)]
pub struct Endpoint {
    judge: Arc<Judge>,
    /// Time for one content, repeated calls included.
    each: Duration,
    /// Most that one push may cost.
    cap: Option<f64>,
    /// Why it cannot be asked.
    absent: Option<String>,
    /// What it cost until now.
    spent: Mutex<f64>,
}

impl Endpoint {
    /// Whoever is asked, the time for one content, repeated calls included, the most that one push
    /// may cost, and why it cannot be asked, where it cannot.
    pub fn new(
        judge: Arc<Judge>,
        each: Duration,
        cap: Option<f64>,
        absent: Option<String>,
    ) -> Self {
        Self { judge, each, cap, absent, spent: Mutex::new(0.0) }
    }

    fn spent(&self) -> MutexGuard<'_, f64> {
        self.spent.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Judges for Endpoint {
    fn model(&self) -> &str {
        &self.judge.model
    }

    fn absent(&self) -> Option<&str> {
        self.absent.as_deref()
    }

    fn is_scripted(&self) -> bool {
        matches!(self.judge.provider, Provider::Scripted(_))
    }

    fn prompt_sha(&self) -> String {
        self.judge.prompt_sha()
    }

    fn judge_sha(&self) -> String {
        self.judge.judge_sha()
    }

    fn four_eyes(&self, wanted: &Wanted, served: Option<&str>) -> FourEyes {
        let decision = self.judge.four_eyes(wanted.people(), served);
        let refusal = self.judge.refusal(&decision);
        FourEyes { decision, refusal }
    }

    fn judge(
        &self,
        contents: &[&Content],
        parallel: usize,
        until: Instant,
        each: &mut dyn FnMut(usize, Result<PushRecord, Skipped>),
    ) {
        let items: Vec<_> = contents.iter().map(|content| item(content)).collect();
        let cap = self.cap.map(|cap| cap - *self.spent());
        let limits = RunLimits { parallel, each: self.each, until: until.into(), cap };
        let (sender, mut events) = mpsc::channel(items.len().max(1) * 2);
        let asked = (Arc::clone(&self.judge), items.clone());
        let mut open: BTreeSet<usize> = (0..items.len()).collect();
        // What comes is written to the disk while the others are still asked, so not on their thread.
        std::thread::scope(|scope| {
            let work = || run(asked, limits, sender);
            let running = std::thread::Builder::new().spawn_scoped(scope, work);
            while let Some(event) = events.blocking_recv() {
                let (index, answer) = match event {
                    Event::Started { .. } => continue,
                    Event::Skipped { index, why } => (index, Err(why)),
                    Event::Done { index, evaluation, .. } => {
                        let now = Timestamp(jiff::Timestamp::now().as_microsecond());
                        let Some(item) = items.get(index) else { continue };
                        (index, Ok(evaluation.record(item, now, None)))
                    }
                };
                open.remove(&index);
                each(index, answer);
            }
            let spent = running.ok().and_then(|running| running.join().ok().flatten());
            *self.spent() += spent.unwrap_or_default();
        });
        // Of what nothing was said its judging ended by a bug, or was never begun.
        open.into_iter().for_each(|index| each(index, Err(Skipped::Failed)));
    }
}

/// Asks, on a runtime of its own; gives what it cost.
fn run(
    (judge, items): (Arc<Judge>, Vec<Item>),
    limits: RunLimits,
    events: mpsc::Sender<Event>,
) -> Option<f64> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().ok()?;
    let (_control, control) = watch::channel(Control::Go);
    let summary = runtime.block_on(judging::run(judge, items, limits, events, control));
    // A look-up of a name that hangs is not waited for.
    runtime.shutdown_background();
    Some(summary.spend.spent)
}

pub(super) fn item(content: &Content) -> Item {
    Item {
        commit: Some(content.of.commit.to_string()),
        author: Some(content.of.author.clone()),
        others: content.of.others.clone(),
        files: Arc::clone(&content.files),
        ..Item::default()
    }
}
