//! Tasks of which one runs at a time.

use crate::domain::JudgementKind;
use crate::tui::model::ListId;

/// What a newer asking of the same kind ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum TaskKind {
    Guide,
    Open,
    Summary,
    Assess(JudgementKind),
    Picks,
    Trends,
    Replay,
    List(ListId),
    Rows,
    Record,
    Content,
    Newer,
}
