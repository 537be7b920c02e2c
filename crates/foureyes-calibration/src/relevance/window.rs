//! The window of the gate: whose picks decide, at which bars, by which policy.

use super::Policy;
use crate::domain::Timestamp;
use crate::domain::review::{Dated, PickJudge, PickWindow};
use std::collections::BTreeSet;

/// The window that runs, or without one the window that would begin now.
#[derive(Debug, Clone, PartialEq)]
pub struct GateWindow {
    /// When it was begun; `None` where none runs.
    pub begun: Option<Timestamp>,
    /// The judge whose picks count; `None` where there is none yet.
    pub judge: Option<PickJudge>,
    /// Its number among the windows of this judge, from 1.
    pub number: u64,
    /// The judges that windows were begun for so far, and this one.
    pub judges: u64,
    /// The policy that it was begun with; `None` where none runs, and where that cannot be read.
    pub policy: Option<Policy>,
}

impl GateWindow {
    /// That of a mode, by the windows that were begun, the earliest first, and the judge of the latest pick.
    pub fn new(
        windows: &[Dated<PickWindow>],
        is_lenient: bool,
        latest: Option<&PickJudge>,
    ) -> Self {
        let of_mode: Vec<_> = in_mode(windows, is_lenient).collect();
        let Some((last, before)) = of_mode.split_last() else {
            let judge = latest.cloned();
            return Self { begun: None, judge, number: 1, judges: 1, policy: None };
        };
        let judge = &last.what.judge;
        Self {
            begun: Some(last.time),
            judge: Some(judge.clone()),
            number: number(before, judge),
            judges: judges(&of_mode),
            policy: Policy::read(&last.what.policy),
        }
    }

    /// Whether picks of a judge are of it.
    pub fn is_of(&self, judge: Option<&PickJudge>) -> bool {
        self.judge.as_ref() == judge && judge.is_some()
    }
}

/// The number that a window of a judge would have if it began now.
pub fn next_number(windows: &[Dated<PickWindow>], is_lenient: bool, judge: &PickJudge) -> u64 {
    number(&in_mode(windows, is_lenient).collect::<Vec<_>>(), judge)
}

/// One more than there are windows of a judge: each has used up its share, since from its first pick on
/// there was something to see.
fn number(before: &[&Dated<PickWindow>], judge: &PickJudge) -> u64 {
    1 + before.iter().filter(|window| window.what.judge == *judge).count() as u64
}

fn judges(windows: &[&Dated<PickWindow>]) -> u64 {
    windows.iter().map(|window| &window.what.judge).collect::<BTreeSet<_>>().len() as u64
}

fn in_mode(
    windows: &[Dated<PickWindow>],
    is_lenient: bool,
) -> impl Iterator<Item = &Dated<PickWindow>> {
    windows.iter().filter(move |window| window.what.lenient == is_lenient)
}
