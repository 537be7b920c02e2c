//! What a run of the hook is given, and what it knows.

use super::arriving::Tips;
use super::refused::Unjudged;
use super::{Note, Side};
use crate::config::HookMode;
use crate::engine::verdict::Vocabulary;
use crate::git::{Known, Outgoing, Push, Selection};
use crate::risk::RiskRules;
use crate::verdict_log::VerdictLog;
use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

/// Where and how tasks are logged.
#[derive(Debug, Clone)]
pub struct TaskLog {
    /// The file.
    pub path: PathBuf,
    /// The words of its verdicts.
    pub vocabulary: Vocabulary,
}

/// What a run is given.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Whether a NO-GO stops the push.
    pub mode: HookMode,
    /// Whose commits are judged, and which of their files.
    pub selection: Selection,
    /// On which side of the push this is.
    pub side: Side,
    /// What is known to be there already.
    pub known: Known,
    /// The log; `None` where there is no place for it.
    pub log: Option<VerdictLog>,
    /// The log of tasks, where commits are judged as tasks.
    pub task_log: Option<TaskLog>,
    /// The log of tasks, where commits are judged as pushes and rules may have judges of tasks look at some.
    pub deep_log: Option<TaskLog>,
    /// The rules of risk, where there are any.
    pub risk: Option<Arc<RiskRules>>,
    /// What results of tasks must meet.
    pub acceptance: Option<String>,
    /// The model that is asked for, for records of what nobody was asked about.
    pub model: String,
    /// Somebody skips the evaluation.
    pub skip: bool,
    /// Somebody wants new evaluations of what was judged before.
    pub fresh: bool,
    /// Commits judged at the same time.
    pub parallel: usize,
    /// Most commits that are judged.
    pub commits: usize,
    /// UTC days in which a verdict stands.
    pub reuse_days: u32,
    /// Whether content of which the judge did not see all is stopped like a NO-GO.
    pub cut_stops: bool,
    /// Whether a push is refused of which something of an agent could not be judged.
    pub unjudged_stops: bool,
    /// The directory in which people leave overrides.
    pub overrides: Option<PathBuf>,
    /// When the judge is waited for no longer.
    pub asked_until: Instant,
    /// When all must be over.
    pub until: Instant,
}

/// One run of the hook.
pub(super) struct Run<'a> {
    pub(super) settings: &'a Settings,
    pub(super) git: Outgoing,
    pub(super) push: Push,
    pub(super) notify: &'a mut dyn FnMut(Note),
    /// That the log has no lock was said.
    pub(super) unlocked: bool,
    /// Files of the log that cannot be read, of which that was said.
    pub(super) unread: HashSet<PathBuf>,
    pub(super) tips: Tips,
    pub(super) unjudged: Unjudged,
}

impl<'a> Run<'a> {
    pub(super) fn new(settings: &'a Settings, push: Push, notify: &'a mut dyn FnMut(Note)) -> Self {
        let git = Outgoing::here(settings.until);
        let (tips, unread) = (Tips::default(), HashSet::new());
        let unjudged = Unjudged::default();
        Self { settings, git, push, notify, unlocked: false, unread, tips, unjudged }
    }
}
