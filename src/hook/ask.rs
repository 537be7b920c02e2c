//! Who is asked.

use super::Content;
use crate::domain::Timestamp;
use crate::engine::four_eyes::{Decision, Rule};
use crate::engine::record::PushRecord;
use crate::judging::{self, Control, Event, Item, Judge, RunLimits, Skipped};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::{mpsc, watch};

/// A judge of contents, as the hook knows it.
pub trait Judges {
    /// The model that is asked for.
    fn model(&self) -> &str;

    /// Version of its question: see [`crate::engine::prompt::Template::prompt_sha`].
    fn prompt_sha(&self) -> String;

    /// Tells whether it may not judge what this author wrote. Then no verdict of it counts, not
    /// even one that was given before.
    fn refuses(&self, author: &str) -> bool;

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

/// Why nobody can be asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NoJudge {
    /// There is no key: what says so.
    NoKey(String),
    /// Prompt, rubric or configuration cannot be used: why.
    Unusable(String),
}

/// A judge that is asked about several contents at the same time.
#[derive(Debug)]
pub struct Endpoint {
    /// Whoever is asked, and how.
    pub judge: Arc<Judge>,
    /// Time for one content, repeated calls included.
    pub each: Duration,
    /// Most that one push may cost.
    pub cap: Option<f64>,
}

impl Judges for Endpoint {
    fn model(&self) -> &str {
        &self.judge.model
    }

    fn prompt_sha(&self) -> String {
        self.judge.prompt_sha()
    }

    fn refuses(&self, author: &str) -> bool {
        let decision = self.judge.families.decide(Some(author), &self.judge.model);
        self.judge.settings.four_eyes == Rule::Refuse && matches!(decision, Decision::Same { .. })
    }

    fn judge(
        &self,
        contents: &[&Content],
        parallel: usize,
        until: Instant,
        each: &mut dyn FnMut(usize, Result<PushRecord, Skipped>),
    ) {
        let item = |content: &&Content| Item {
            commit: Some(content.commit.to_string()),
            author: Some(content.author.clone()),
            files: content.files.clone(),
        };
        let items: Vec<_> = contents.iter().map(item).collect();
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let Ok(runtime) = runtime else {
            (0..items.len()).for_each(|index| each(index, Err(Skipped::Failed)));
            return;
        };
        let (each_at_most, cap) = (self.each, self.cap);
        let limits = RunLimits { parallel, each: each_at_most, until: until.into(), cap };
        runtime.block_on(async {
            let (events, mut said) = mpsc::channel(items.len().max(1) * 2);
            let (_control, control) = watch::channel(Control::Go);
            let running =
                judging::run(Arc::clone(&self.judge), items.clone(), limits, events, control);
            let mut running = std::pin::pin!(running);
            let mut over = false;
            loop {
                let event = tokio::select! {
                    event = said.recv() => event,
                    _ = &mut running, if !over => {
                        over = true;
                        continue;
                    }
                };
                let now = Timestamp(jiff::Timestamp::now().as_microsecond());
                match event {
                    Some(Event::Started { .. }) => {}
                    Some(Event::Done { index, evaluation, .. }) => {
                        if let Some(item) = items.get(index) {
                            each(index, Ok(evaluation.record(item, now, None)));
                        }
                    }
                    Some(Event::Skipped { index, why }) => each(index, Err(why)),
                    None => return,
                }
            }
        });
        // A look-up of a name that hangs is not waited for.
        runtime.shutdown_background();
    }
}
