//! Judging again: getting ready, asking, and keeping what was answered.

mod connection;
mod contents;
mod journal;
mod original;
mod prompts;
mod run;
mod task;

use super::services::Services;
use super::{CancelFlag, MessageSender};
use crate::judging::Control;
use crate::tui::judging::{JudgingEffect, JudgingEvent};
use crate::tui::message::Message;
use crate::tui::model::Problem;
use journal::Journal;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;
use tokio::runtime::Handle;
use tokio::sync::mpsc::Sender;
use tokio::sync::watch;
use tokio::task::AbortHandle;
use tokio::time::Instant;

/// Longest wait for the names of models.
const MODELS: Duration = Duration::from_secs(15);

/// The run that is on, and what is being made ready.
#[derive(Default)]
pub(super) struct Runner {
    control: Option<watch::Sender<Control>>,
    task: Option<AbortHandle>,
    preparing: CancelFlag,
}

impl Runner {
    /// Begins what is to be done.
    pub(super) fn perform(
        &mut self,
        act: JudgingEffect,
        services: &Arc<Services>,
        runtime: &Handle,
        messages: &Sender<Message>,
    ) {
        let (services, messages) = (Arc::clone(services), messages.clone());
        match act {
            JudgingEffect::Prepare { input, generation } => {
                let (flag, sender) = (self.preparing(), MessageSender(messages));
                runtime.spawn_blocking(move || {
                    contents::prepare(&services, &sender, &flag, &input, generation);
                });
            }
            JudgingEffect::FetchPrompt { box_name, form } => {
                runtime.spawn(prompts::fetch(services, messages, box_name, form));
            }
            JudgingEffect::Models { form } => {
                runtime.spawn(models(services, messages, form));
            }
            JudgingEffect::Forget => self.preparing.store(true, Ordering::Relaxed),
            JudgingEffect::ReadText { path, text, form } => {
                runtime.spawn_blocking(move || {
                    task::read_text(&services, &MessageSender(messages), (path, text), form);
                });
            }
            JudgingEffect::Begin(plan) => {
                let journal = Journal { services, messages, run: plan.run };
                let (control, controlled) = watch::channel(Control::Go);
                self.control = Some(control);
                let task = runtime.spawn(run::run(journal, plan, controlled));
                self.task = Some(task.abort_handle());
            }
            JudgingEffect::Stop => self.control(Control::Stop),
            JudgingEffect::Drop => self.control(Control::Drop),
            JudgingEffect::ReadOriginal { edition, record } => {
                runtime.spawn_blocking(move || {
                    original::load(&services, &MessageSender(messages), edition, record);
                });
            }
        }
    }

    /// The flag of what is made ready now; what was made ready before is not wanted any more.
    fn preparing(&mut self) -> CancelFlag {
        self.preparing.store(true, Ordering::Relaxed);
        self.preparing = CancelFlag::default();
        Arc::clone(&self.preparing)
    }

    fn control(&self, wanted: Control) {
        // Where the run is over already, nobody listens.
        if let Some(control) = &self.control {
            let _ = control.send(wanted);
        }
    }

    /// Ends all of it: connections are closed, and nothing further is kept.
    pub(super) fn end(&self) {
        self.preparing.store(true, Ordering::Relaxed);
        self.task.iter().for_each(AbortHandle::abort);
    }
}

async fn models(services: Arc<Services>, messages: Sender<Message>, form: u64) {
    let asked = async {
        let connection = connection::open(&services).await?;
        let until = Instant::now() + MODELS;
        let names = connection.provider.models(until).await.map_err(|failure| {
            let next = "type the name of a model; Tab asks again";
            Problem::new(format!("failed to list the models: {}", failure.what), next)
        })?;
        Ok(Arc::new(names))
    };
    let result = asked.await;
    let event = JudgingEvent::Models { form, result };
    let _ = messages.send(Message::Judging(event)).await;
}
