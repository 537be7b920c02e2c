//! What one evaluation is.

/// What one evaluation of a family is: the unit of its KPIs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EvaluationUnit {
    /// A content: of all verdicts on a commit, by box, model and prompt, the latest.
    Content,
    /// A run of rounds: its last round.
    Run,
}
