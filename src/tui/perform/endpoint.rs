//! Who is asked again, and the questions that were read.

use crate::config::Config;
use crate::engine::prompt::Template;
use crate::engine::rubric::Rubric;
use crate::judging::task::Judges;
use crate::provider::Provider;
use crate::tui::model::Problem;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

/// Makes whoever is asked: the endpoint, through a socket of this machine where one is given.
pub type ProviderFactory = Arc<dyn Fn(Option<PathBuf>) -> Result<Provider, Problem> + Send + Sync>;

/// Makes the judges of tasks; may take a while.
pub type JudgesFactory = Arc<dyn Fn(&Config) -> Result<Judges, Problem> + Send + Sync>;

/// The judges of tasks.
#[derive(Clone)]
pub struct TaskJudges {
    /// Where they are asked, for people; `None` where the configuration says so.
    pub description: Option<String>,
    /// Makes them.
    pub make: JudgesFactory,
}

/// Who can be asked.
#[derive(Clone)]
pub struct JudgeEndpoint {
    /// Who that is, for people.
    pub description: String,
    /// Makes it; may take a while.
    pub make: ProviderFactory,
    /// The judges of tasks.
    pub judges: TaskJudges,
}

impl std::fmt::Debug for JudgeEndpoint {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("JudgeEndpoint")
            .field("description", &self.description)
            .finish_non_exhaustive()
    }
}

impl JudgeEndpoint {
    /// One for a console that has nobody to ask.
    pub fn none() -> Self {
        let none = || Problem::new("no endpoint can be asked from here", "configure `[judge]`");
        let make = move |_: &Config| Err(none());
        Self {
            description: "nobody".to_owned(),
            make: Arc::new(move |_| Err(none())),
            judges: TaskJudges { description: None, make: Arc::new(make) },
        }
    }
}

/// Questions that were read, by their hashes.
#[derive(Debug, Default)]
pub(super) struct Prompts {
    pub(super) by_sha: Mutex<BTreeMap<String, (Template, Rubric)>>,
}
