//! What is known of a task before any judge is asked. [`decide`](super::decide) begins with it; a preview ends
//! there: nobody is asked, nothing is written, and nobody is waited for.

use super::{Logs, Outcome, Wish, refused, rules};
use crate::config::{Config, TaskConfig};
use crate::engine::panel::{Decision, Depth, Reason};
use crate::engine::risk::RiskDepth;
use crate::judging::task::{Judges, Rules, Task};
use crate::verdict_log::{self, TaskQuery, history};

/// What would come of a task before any judge is asked.
#[derive(Debug)]
pub struct Preview {
    /// What is known. Where judges would be asked, its decision is none yet.
    pub outcome: Outcome,
    /// Whether judges would be asked.
    pub is_asked: bool,
    /// Hash of all that makes a run the same.
    pub run_sha: String,
}

/// Looks at the logs as [`decide`](super::decide) does.
///
/// # Errors
/// A log that is there and cannot be read or, where judges would be asked, written; a log whose directory cannot be
/// made.
pub fn preview(
    config: &Config,
    judges: &Judges,
    task: &Task,
    wish: Wish,
    logs: Logs<'_>,
) -> Result<Preview, verdict_log::Error> {
    let Plan { depth, sensitive, rules, run_sha } = Plan::new(config, judges, task, wish);
    logs.check_directories()?;
    let query = TaskQuery { task_id: task.id.clone(), run_sha: run_sha.clone() };
    let mut outcome = Outcome::new(history(&logs.all(), &query)?, depth, sensitive, logs.written);
    let known = outcome.known((config, judges, task), wish, &rules, None);
    let is_asked = matches!(known, Known::Asked);
    if let Known::Refused(decision, why) = known {
        (outcome.decision, outcome.explanation) = (decision, Some(why));
    }
    // A log that is absent would be made.
    if is_asked && logs.written.exists() {
        verdict_log::check_appendable(logs.written)?;
    }
    Ok(Preview { outcome, is_asked, run_sha })
}

/// How a task is to be decided.
pub(super) struct Plan {
    pub(super) depth: Depth,
    /// What makes it sensitive, as it is configured.
    pub(super) sensitive: Option<String>,
    pub(super) rules: Rules,
    pub(super) run_sha: String,
}

impl Plan {
    pub(super) fn new(config: &Config, judges: &Judges, task: &Task, wish: Wish) -> Self {
        let settings = &config.task;
        let texts = [task.description.as_str(), task.acceptance.as_deref().unwrap_or_default()];
        let sensitive =
            settings.sensitive(&texts, &task.item.material().paths()).map(str::to_owned);
        let [configured, wanted] = [settings.depth, wish.depth.unwrap_or(settings.depth)]
            .map(|rule| rule.depth(sensitive.is_some()));
        let risk = task.risk.as_ref().map(|note| note.depth);
        let depth = configured.max(wanted).max(risk.map_or(Depth::Quick, RiskDepth::judges));
        let person = person_for_accept(settings, sensitive.is_some(), risk);
        let rules = rules(config, depth, person, wish.until);
        Self { depth, sensitive, rules, run_sha: judges.run_sha(task) }
    }
}

/// Why a person decides about a task, whatever its judges accept.
pub fn person_for_accept(
    settings: &TaskConfig,
    is_sensitive: bool,
    risk: Option<RiskDepth>,
) -> Option<Reason> {
    let is_risk = risk == Some(RiskDepth::Person);
    let sensitive = (is_sensitive && settings.sensitive_needs_person).then_some(Reason::Sensitive);
    sensitive.or(is_risk.then_some(Reason::Risk))
}

/// What is known before anybody is asked.
pub(super) enum Known {
    /// What it comes to.
    Decided,
    /// That nobody may be asked, and why.
    Refused(Decision, String),
    /// Nothing that decides: judges are asked.
    Asked,
}

impl Outcome {
    /// Decides by the log and the rules, as far as they do; `busy` is why nobody can be asked whatever they say.
    pub(super) fn known(
        &mut self,
        (config, judges, task): (&Config, &Judges, &Task),
        wish: Wish,
        rules: &Rules,
        busy: Option<(Decision, String)>,
    ) -> Known {
        let mut unasked = busy.or_else(|| self.damaged());
        if unasked.is_none() && !wish.fresh {
            if self.take_logged(|run| run.is_valid_for(judges, task, rules)) {
                return Known::Decided;
            }
            unasked = self.unfinished();
        }
        let unasked = unasked.or_else(|| {
            let refused = refused(&config.task, (judges, task), self.tries)?;
            Some(self.unfinished().unwrap_or(refused))
        });
        match unasked {
            // Where nobody can be asked, what was rejected is so all the same.
            Some(_) if self.take_rejection() => Known::Decided,
            Some((decision, why)) => Known::Refused(decision, why),
            None => Known::Asked,
        }
    }
}
