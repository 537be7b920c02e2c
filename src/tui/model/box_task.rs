//! Work on the hook of a box: what is confirmed before it begins, and how it goes.

use super::Problem;
use crate::domain::{JudgementKind, Timestamp};
use tui_input::Input;

/// What is done with the hook of a box.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BoxTask {
    /// Look at its setup; changes nothing.
    Check,
    /// Let it block pushes, with a rehearsal.
    Enable,
    /// Return it to advisory.
    RollBack,
}

impl BoxTask {
    /// Its heading.
    pub fn title(self) -> &'static str {
        match self {
            Self::Check => "Check a box",
            Self::Enable => "Let a box block",
            Self::RollBack => "Roll a box back",
        }
    }

    /// What is being done, while it runs.
    pub fn running(self) -> &'static str {
        match self {
            Self::Check => "checking a box",
            Self::Enable => "letting a box block",
            Self::RollBack => "rolling a box back",
        }
    }

    /// What it does, in order.
    pub fn steps(self) -> &'static [&'static str] {
        match self {
            Self::Check => &["Check the hook's setup on the box."],
            Self::Enable => &[
                "Assess readiness again, from the logs as they are now.",
                "Check the hook's setup on the box.",
                "Switch to blocking on trial, for an hour at most.",
                "Rehearse a poor push and a bypass against a temporary remote.",
                "Record in your ledger that the box blocks, then switch for good.",
            ],
            Self::RollBack => &[
                "Switch the box to advisory: it logs verdicts and stops no push.",
                "Record that in your ledger.",
            ],
        }
    }
}

/// What is confirmed before a task changes a box.
#[derive(Debug, Clone)]
pub struct BoxForm {
    /// Which task.
    pub task: BoxTask,
    /// Whose readiness [`BoxTask::Enable`] rests on.
    pub family: JudgementKind,
    /// Names of the boxes to choose from; at least one.
    pub boxes: Vec<String>,
    /// The chosen one, from 0.
    pub chosen: usize,
    /// The name typed to confirm [`BoxTask::Enable`], or the reason of [`BoxTask::RollBack`].
    pub input: Input,
}

impl BoxForm {
    /// The name of the chosen box.
    pub fn box_name(&self) -> &str {
        self.boxes.get(self.chosen).map_or("", String::as_str)
    }

    /// Its heading, with whose readiness counts where that is not pushes'.
    pub fn title(&self) -> String {
        let (title, whose) = (self.task.title(), self.family.suffix("of"));
        match self.task {
            BoxTask::Enable if !whose.is_empty() => format!("{title}: readiness{whose}"),
            _ => title.to_owned(),
        }
    }

    /// Chooses the next box, or the one before. What was typed was for the other one.
    pub fn choose(&mut self, by: isize) {
        let count = self.boxes.len().max(1) as isize;
        let next = (self.chosen as isize + by).rem_euclid(count) as usize;
        if next != self.chosen {
            (self.chosen, self.input) = (next, Input::default());
        }
    }

    /// What is missing before the task may begin.
    pub fn problem(&self) -> Option<&'static str> {
        let confirmed = self.input.value().trim() == self.box_name();
        (self.task == BoxTask::Enable && !confirmed)
            .then_some("type the name of the box to confirm")
    }

    /// The reason that is typed, where one is asked for and given.
    pub fn reason(&self) -> Option<String> {
        let reason = self.input.value().trim();
        (self.task == BoxTask::RollBack && !reason.is_empty()).then(|| reason.to_owned())
    }
}

/// A task on a box, running or ended.
#[derive(Debug, Clone)]
pub struct BoxRun {
    /// Which one of this session, from 1.
    pub number: u64,
    /// Which task.
    pub task: BoxTask,
    /// On which box.
    pub box_name: String,
    /// What was begun so far, and when.
    pub steps: Vec<(Timestamp, String)>,
    /// How it goes.
    pub state: BoxRunState,
}

/// How a task on a box goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BoxRunState {
    /// It runs.
    Running,
    /// It was told to stop, and undoes what it has to.
    Cancelling,
    /// It ended.
    Ended(BoxEnd),
}

/// How a task on a box ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BoxEnd {
    /// Whether it reached what it was for.
    pub succeeded: bool,
    /// What the box now does, in lines; empty where it could not be asked.
    pub report: String,
    /// What went wrong.
    pub problem: Option<Problem>,
}

/// What a task on a box sends while it runs.
#[derive(Debug, Clone)]
pub enum BoxEvent {
    /// A step begins.
    Step(String),
    /// It ended.
    Ended(BoxEnd),
}

impl BoxRun {
    /// Whether it has not ended.
    pub fn is_running(&self) -> bool {
        !matches!(self.state, BoxRunState::Ended(_))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn enabling_needs_the_name_of_the_chosen_box() {
        let boxes = vec!["north".to_owned(), "south".to_owned()];
        let (task, input) = (BoxTask::Enable, Input::new(" north ".to_owned()));
        let family = JudgementKind::Push;
        let mut form = BoxForm { task, family, boxes, chosen: 0, input };
        assert_eq!((form.problem(), form.reason()), (None, None));
        form.choose(-1);
        assert_eq!((form.box_name(), form.input.value()), ("south", ""));
        assert!(form.problem().is_some());
    }

    #[test]
    fn rolling_back_needs_nothing_and_takes_a_reason() {
        let boxes = vec!["north".to_owned()];
        let (task, family, input) = (BoxTask::RollBack, JudgementKind::Push, Input::default());
        let mut form = BoxForm { task, family, boxes, chosen: 0, input };
        assert_eq!((form.problem(), form.reason()), (None, None));
        form.input = Input::new("the endpoint is slow".to_owned());
        form.choose(1);
        assert_eq!(form.reason().as_deref(), Some("the endpoint is slow"));
    }
}
