/// Who writes, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reviewer {
    /// Whose words they are.
    pub name: String,
    /// The machine: each has a ledger of its own, so that two never write the same file.
    pub machine: String,
}
