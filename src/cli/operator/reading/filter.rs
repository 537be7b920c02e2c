//! Reading a filter.

use crate::cli::Failure;
use crate::frame::query::Query;

/// Reads a filter, or points at what is wrong with it.
pub(in crate::cli::operator) fn parse(text: &str) -> Result<Query, Failure> {
    Query::parse(text).map_err(|error| {
        Failure::usage(error.render(text)).hint(
            "`foureyes records --help` lists the fields; docs/filter.md has the language in full",
        )
    })
}
