//! Coverage for `foureyes triage`, where a judged repository is configured.

use super::reading::From;
use super::{Context, Failure};
use crate::domain::{Caveat, CoverageRow, Window};
use crate::store::cache::Archive;

/// Agent commits pushed against judged; what keeps a repository from being read is a caveat.
pub(super) fn rows(
    _context: &Context,
    _archive: &Archive,
    _from: &From,
    _window: Window,
) -> Result<(Vec<CoverageRow>, Vec<Caveat>), Failure> {
    Ok((Vec::new(), Vec::new()))
}
