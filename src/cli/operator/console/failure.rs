//! A console that could not run, as a failure with what to do.

use crate::cli::Failure;
use crate::tui::RunError;
use crate::tui::model::Problem;

/// What to do where a console could not run.
pub(in crate::cli::operator) fn failure(error: RunError) -> Failure {
    match error {
        RunError::Terminal(_) => Failure::local(error).hint("`foureyes triage` needs no terminal"),
        RunError::Runtime(_) | RunError::Lines(_) => Failure::local(error),
        RunError::Unopened(Problem { ref next, .. })
        | RunError::Unwritten(Problem { ref next, .. }) => {
            let next = next.clone();
            Failure::local(error).hint(next)
        }
    }
}
