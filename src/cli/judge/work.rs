//! Files judged, with a word on stderr for each step.

use super::document::{Document, Entry};
use super::kept::Kept;
use super::progress;
use super::stages::Stages;
use crate::cli::{Failure, interrupts};
use crate::config::Config;
use crate::domain::Timestamp;
use crate::engine::cost::Refused;
use crate::judging::configured::run_limits;
use crate::judging::{Control, Evaluation, Event, Item, Judge, Skipped, run};
use std::sync::Arc;
use tokio::sync::{mpsc, watch};

/// Judges all of it. What could not be kept is told beside the result.
pub(super) fn judged(
    config: &Config,
    judge: Judge,
    items: Vec<Item>,
    kept: Option<Kept>,
) -> Result<(Document, Option<Failure>), Failure> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    announce(config, &judge, &items);
    let outcome = runtime.block_on(async {
        let (sender, events) = mpsc::channel(16);
        let (turn, control) = watch::channel(Control::Go);
        let run = run(
            Arc::new(judge),
            items.clone(),
            run_limits(&config.judge, items.len()),
            sender,
            control,
        );
        let entries = items.iter().map(Entry::new).collect();
        let stages = Stages::default();
        let run = stages.shown(run);
        let mut hearing = Hearing { items: &items, entries, kept, advised: false, stages: &stages };
        let both = async { tokio::join!(run, hearing.all(events)) };
        let (summary, ()) = interrupts::until_done(both, &turn).await;
        let document = Document::new(hearing.entries, &summary.spend);
        (document, hearing.kept.and_then(Kept::failed))
    });
    // A name that is still looked up would keep it waiting.
    runtime.shutdown_background();
    Ok(outcome)
}

fn announce(config: &Config, judge: &Judge, items: &[Item]) {
    let items = || items.iter().filter(|item| item.legible().unasked().is_none());
    if items().next().is_none() {
        return;
    }
    let asked = config.judge.asked();
    let bytes: usize = items().flat_map(|i| i.files.iter()).map(|f| f.bytes.len()).sum();
    let files: usize = items().map(|item| item.files.len()).sum();
    let noun = if files == 1 { "file" } else { "files" };
    progress(&format!("asking {} at {asked} about {files} {noun}, {bytes} bytes", judge.model));
}

struct Hearing<'a> {
    items: &'a [Item],
    entries: Vec<Entry>,
    kept: Option<Kept>,
    /// What to do about money was said.
    advised: bool,
    stages: &'a Stages,
}

/// What to do where no call may be made.
fn advice(refused: Refused) -> &'static str {
    match refused {
        Refused::Cap => {
            "`--explain` shows what a call can cost; the cap is `spend_cap` in [judge], and `max_tokens` limits an answer"
        }
        Refused::NoPrice => "add the model's price to [prices], or remove `spend_cap` from [judge]",
    }
}

impl Hearing<'_> {
    async fn all(&mut self, mut events: mpsc::Receiver<Event>) {
        while let Some(event) = events.recv().await {
            match event {
                Event::Started { .. } => {}
                Event::Done { index, evaluation, .. } => self.done(index, &evaluation).await,
                Event::Skipped { index, why } => self.skipped(index, why),
            }
        }
    }

    async fn done(&mut self, index: usize, evaluation: &Evaluation) {
        let (Some(item), Some(entry)) = (self.items.get(index), self.entries.get_mut(index)) else {
            return;
        };
        let at = jiff::Timestamp::now().as_millisecond() * 1000;
        let record = evaluation.record(item, Timestamp(at), None);
        if let Some(kept) = &mut self.kept {
            kept.add(&record).await;
        }
        entry.take(&record, evaluation);
        if self.items.len() > 1 {
            progress(&format!("{}: {}", entry.files.join(", "), evaluation.verdict.word()));
        }
        self.stages.ended(index);
    }

    fn skipped(&mut self, index: usize, why: Skipped) {
        let Some(entry) = self.entries.get_mut(index) else { return };
        progress(&format!("{}: not judged: {}", entry.files.join(", "), why.words()));
        if let Skipped::Spend(refused) = why
            && !std::mem::replace(&mut self.advised, true)
        {
            progress(&format!("-> {}", advice(refused)));
        }
        entry.skipped = Some(why.words().to_owned());
        self.stages.ended(index);
    }
}
