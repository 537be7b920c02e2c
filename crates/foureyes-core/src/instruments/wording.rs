//! How sentences name a family.

/// How sentences name a family.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Wording {
    /// One thing that is judged: `push`.
    pub singular: &'static str,
    /// Several: `pushes`.
    pub plural: &'static str,
    /// The same at the beginning of a line: `Pushes`.
    pub heading: &'static str,
    /// What its verdicts are, as help has it: `Verdicts on pushes`.
    pub verdicts: &'static str,
    /// What its evaluations are called: `push evaluations`.
    pub evaluations: &'static str,
    /// Why there are no scores of weeks.
    pub no_weeks: &'static str,
    /// What its KPIs are over, as a note.
    pub kpi_unit: &'static str,
    /// What the rates of a trend are over, as it follows "are".
    pub trend_unit: &'static str,
    /// What it costs that the judge flags what is acceptable.
    pub cost_of_wrong_flags: &'static str,
    /// The question that readiness answers.
    pub question: &'static str,
}
