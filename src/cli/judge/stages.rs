//! How far the judgements are that a service is asked for, on the last line of a terminal.

use crate::cli::output;
use crate::engine::judgements::JudgementStage;
use crate::provider::followed;
use std::collections::BTreeMap;
use std::io::IsTerminal;
use std::sync::{Arc, Mutex, PoisonError};

/// How far each is that has not ended, by its number.
#[derive(Clone, Default)]
pub(super) struct Stages(Arc<Mutex<BTreeMap<usize, JudgementStage>>>);

impl Stages {
    /// Runs a future, and shows how far the judgements are that are asked for in it. Where stderr is no
    /// terminal, nothing is shown and no service is asked for it.
    pub(super) async fn shown<F: Future>(&self, future: F) -> F::Output {
        if !std::io::stderr().is_terminal() {
            return future.await;
        }
        let stages = self.clone();
        let on = Arc::new(move |of, stage| stages.change(|all| all.insert(of, stage)));
        let output = followed(on, future).await;
        output::status("");
        output
    }

    /// Notes that one has ended.
    pub(super) fn ended(&self, of: usize) {
        self.change(|all| all.remove(&of));
    }

    fn change(
        &self,
        how: impl FnOnce(&mut BTreeMap<usize, JudgementStage>) -> Option<JudgementStage>,
    ) {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let before = all.clone();
        how(&mut all);
        if *all != before {
            output::status(&line(&all));
        }
    }
}

fn line(all: &BTreeMap<usize, JudgementStage>) -> String {
    let places = all.values().filter_map(|stage| match stage {
        JudgementStage::Queued { place } => Some(*place),
        JudgementStage::Judging { .. } => None,
    });
    let (queued, first) = (places.clone().count(), places.min().unwrap_or_default());
    match (all.len(), queued) {
        (0, _) => String::new(),
        (1, _) => all.values().map(JudgementStage::words).collect(),
        (judging, 0) => format!("{judging} judging"),
        (count, _) => {
            format!("{} judging, {queued} queued, the first at place {first}", count - queued)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_names_the_one_or_counts_them() {
        let queued = |place| JudgementStage::Queued { place };
        let judging = |attempt| JudgementStage::Judging { attempt, model: "m".to_owned() };
        for (stages, expected) in [
            (vec![], ""),
            (vec![queued(3)], "queued, place 3"),
            (vec![judging(2)], "judging, attempt 2"),
            (vec![judging(1), judging(1)], "2 judging"),
            (vec![queued(4), judging(1), queued(2)], "1 judging, 2 queued, the first at place 2"),
        ] {
            assert_eq!(line(&stages.into_iter().enumerate().collect()), expected);
        }
    }
}
