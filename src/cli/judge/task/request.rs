//! A task as it is to be judged, and what comes of it.

use super::depth::{self, WithoutEffect};
use super::input;
use crate::cli::judge::stages::Stages;
use crate::cli::judge::{Args, failure, unfit};
use crate::cli::{Context, Failure, output};
use crate::config::Config;
use crate::domain::{Timestamp, chain};
use crate::engine::panel::Tier;
use crate::escalation::{self, Document, Notice, Page};
use crate::judging::task::{Event, Judges, Task};
use crate::task::{self, Logs, Outcome, Unusable, Wish};
use crate::verdict_log;
use std::io;
use std::path::PathBuf;
use std::time::Instant;
use tokio::signal::unix::{Signal, SignalKind, signal};

/// A task as it is to be judged.
pub(super) struct Request {
    pub(super) config: Config,
    pub(super) task: Task,
    pub(super) wish: Wish,
    written: PathBuf,
    configured: Option<PathBuf>,
}

impl Request {
    /// What the arguments ask for. The budget of the run begins here.
    pub(super) fn new(context: &Context, args: &Args) -> Result<Self, Failure> {
        let until = tokio::time::Instant::now() + context.config.task.budget;
        let config = input::config(context, args)?;
        let tiers = Tier::ALL.map(|tier| (Some(tier.name()), config.judge_of(tier).1));
        unfit::refuse(context, tiers)?;
        let (written, configured) = input::logs(context, args, &config)?;
        let task = input::task(args)?;
        let log = configured.as_ref().unwrap_or(&written);
        let task = input::with_risk(context, &config, task, log);
        // Rules of risk are about authors that are named.
        let task = Task { item: task::by_agents(&config, task.item), ..task };
        let wish = Wish { depth: args.task.depth, fresh: args.task.fresh, until: Some(until) };
        Ok(Self { config, task, wish, written, configured })
    }

    pub(super) fn logs(&self) -> Logs<'_> {
        Logs { written: &self.written, configured: self.configured.as_deref() }
    }

    /// The judges of the configuration. Says which have no key.
    pub(super) fn judges(&self, context: &Context) -> Result<Judges, Failure> {
        input::warn_of_keys(&self.config);
        let refused = context.data.refused();
        let until = self.wish.until.unwrap_or_else(tokio::time::Instant::now);
        task::judges(&self.config, Some(&refused), until).map_err(unusable)
    }

    /// Decides about the task, and calls back for each step; `None` where ctrl-c ended it.
    pub(super) fn outcome(
        &self,
        judges: &Judges,
        stages: &Stages,
        on: impl FnMut(&Event),
    ) -> Result<Option<Outcome>, Failure> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let outcome = runtime.block_on(async {
            // Before a lock is taken or a line is written.
            let interrupt = signal(SignalKind::interrupt());
            let (config, logs) = (&self.config, self.logs());
            let decided = task::decide(config, judges, &self.task, self.wish, logs, now, on);
            tokio::select! {
                outcome = stages.shown(decided) => outcome.map(Some),
                () = interrupted(interrupt) => Ok(None),
            }
        });
        runtime.shutdown_background();
        outcome.map_err(unread)
    }

    /// Says on stderr what is to be known beside the decision; gives the depth that had no effect.
    pub(super) fn note(&self, outcome: &Outcome) -> Option<WithoutEffect> {
        if outcome.unlocked {
            output::to_stderr(
                "the log's directory has no usable locks, so judges are asked in each simultaneous run of the same content",
            );
        }
        outcome.unkept.iter().for_each(|error| output::to_stderr(&output::visible(&chain(error))));
        let depth = depth::without_effect(&self.config, self.wish, outcome);
        depth.iter().for_each(|depth| crate::cli::judge::progress(&depth.sentence()));
        depth
    }

    /// Sends what a person needs who must decide, on the ways that are configured and until a moment at
    /// most. Gives the document where no issue has it.
    pub(super) fn escalate(&self, outcome: &Outcome, until: Option<Instant>) -> Option<Document> {
        let document = Document::for_task(&self.config.task, &self.task, outcome)?;
        let mut has_issue = false;
        escalation::send(&self.config.task, &document, until, |notice| {
            has_issue |= matches!(notice, Notice::Issue(_));
            output::to_stderr(&output::visible(&notice.sentence()));
        });
        (!has_issue).then_some(document)
    }
}

/// Prints a document for a person on stderr.
pub(super) fn print_document(document: &Document) {
    let Page { title, body } = &document.printed;
    output::to_stderr(&format!("\n{title}\n\n{body}"));
}

pub(super) fn unread(error: verdict_log::Error) -> Failure {
    let hint = match &error {
        verdict_log::Error::Directory { .. } | verdict_log::Error::Open { .. } => {
            "nobody was asked, since the verdict would be lost: mount or make the directory, or correct `log` of the section [task]"
        }
        _ => "the log may hold a verdict on this task: correct `log` of the section [task]",
    };
    Failure::local(error).hint(hint)
}

pub(super) fn unusable((tier, error): (Tier, Unusable)) -> Failure {
    let hint = format!("correct [judges.{}] or [judge] in the configuration", tier.name());
    match error {
        Unusable::Judge(error) => failure(error).hint(hint),
        Unusable::Key(error) => Failure::usage(error).hint(hint),
    }
}

/// Waits for ctrl-c. Where it cannot be received, the system ends the program as it always does.
async fn interrupted(interrupt: io::Result<Signal>) {
    match interrupt {
        Ok(mut interrupt) => drop(interrupt.recv().await),
        Err(_) => std::future::pending().await,
    }
}

fn now() -> Timestamp {
    Timestamp(jiff::Timestamp::now().as_microsecond())
}
