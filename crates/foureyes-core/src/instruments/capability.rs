//! What only some families have.

/// Something that only some families of judgements have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Capability {
    /// Contents are judged against a question of their own: a description, and criteria.
    Question,
    /// Several judges look at a content in turn, each in a tier, as deep as `[task]` says.
    Tiers,
    /// A judge of another model family reviews a sample of verdicts.
    PeerReview,
    /// Runbooks about what to do when the hook has blocked.
    Runbooks,
    /// A log without any record, whose name has a day, counts as damaged evidence of that day.
    EmptyLogs,
}
