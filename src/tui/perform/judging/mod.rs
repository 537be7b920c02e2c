//! Judging again: getting ready, asking, and keeping what was answered.

mod contents;
mod past;
mod prompts;
mod run;
mod way;

use super::world::World;
use super::{Flag, Tell};
use crate::engine::prompt::Template;
use crate::engine::rubric::Rubric;
use crate::judging::Control;
use crate::provider::Provider;
use crate::tui::judging::{Do, Told};
use crate::tui::message::Message;
use crate::tui::model::Problem;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::runtime::Handle;
use tokio::sync::mpsc::Sender;
use tokio::sync::watch;
use tokio::task::AbortHandle;
use tokio::time::Instant;

/// Longest wait for the names of models.
const MODELS: Duration = Duration::from_secs(15);

/// Makes whoever is asked: the endpoint, through a socket of this machine where one is given.
pub type Make = Arc<dyn Fn(Option<PathBuf>) -> Result<Provider, Problem> + Send + Sync>;

/// Who can be asked.
#[derive(Clone)]
pub struct Asker {
    /// Who that is, for people.
    pub whom: String,
    /// Makes it; may take a while.
    pub make: Make,
}

impl std::fmt::Debug for Asker {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Asker").field("whom", &self.whom).finish_non_exhaustive()
    }
}

impl Asker {
    /// One for a console that has nobody to ask.
    pub fn nobody() -> Self {
        let make =
            |_| Err(Problem::new("no endpoint can be asked from here", "configure `[judge]`"));
        Self { whom: "nobody".to_owned(), make: Arc::new(make) }
    }
}

/// Questions that were read, by their hashes.
#[derive(Debug, Default)]
pub(super) struct Prompts {
    by_sha: Mutex<BTreeMap<String, (Template, Rubric)>>,
}

/// The run that is on, and what is being made ready.
#[derive(Default)]
pub(super) struct Runner {
    control: Option<watch::Sender<Control>>,
    task: Option<AbortHandle>,
    preparing: Flag,
}

impl Runner {
    /// Begins what is to be done.
    pub(super) fn perform(
        &mut self,
        act: Do,
        world: &Arc<World>,
        runtime: &Handle,
        messages: &Sender<Message>,
    ) {
        let (world, messages) = (Arc::clone(world), messages.clone());
        match act {
            Do::Prepare { what, generation } => {
                self.preparing.store(true, Ordering::Relaxed);
                self.preparing = Flag::default();
                let (flag, tell) = (Arc::clone(&self.preparing), Tell(messages));
                runtime.spawn_blocking(move || {
                    contents::prepare(&world, &tell, &flag, &what, generation);
                });
            }
            Do::FetchPrompt { box_name, form } => {
                runtime.spawn(prompts::fetch(world, messages, box_name, form));
            }
            Do::Models { form } => {
                runtime.spawn(models(world, messages, form));
            }
            Do::Forget => self.preparing.store(true, Ordering::Relaxed),
            Do::Begin(plan) => {
                let (control, controlled) = watch::channel(Control::Go);
                self.control = Some(control);
                let task = runtime.spawn(run::run(world, messages, plan, controlled));
                self.task = Some(task.abort_handle());
            }
            Do::Stop => self.control(Control::Stop),
            Do::Drop => self.control(Control::Drop),
            Do::Old { edition, record } => {
                runtime.spawn_blocking(move || {
                    past::old(&world, &Tell(messages), edition, record);
                });
            }
        }
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

async fn models(world: Arc<World>, messages: Sender<Message>, form: u64) {
    let asked = async {
        let way = way::open(&world).await?;
        let until = Instant::now() + MODELS;
        let names = way.provider.models(until).await.map_err(|failure| {
            let next = "type the name of a model; Tab asks again";
            Problem::new(format!("failed to list the models: {}", failure.what), next)
        })?;
        Ok(Arc::new(names))
    };
    let result = asked.await;
    let told = Told::Models { form, result };
    let _ = messages.send(Message::Judging(told)).await;
}
