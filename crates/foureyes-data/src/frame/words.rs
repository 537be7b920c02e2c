//! A look at one column of hashes.

use super::{Frame, FrameError};
use polars::prelude::*;

impl Frame {
    /// Whether any row has one of some words in a column of hashes.
    ///
    /// # Errors
    /// A frame without that column.
    pub fn has_word(&self, column: &str, is: impl Fn(u64) -> bool) -> Result<bool, FrameError> {
        let words = || -> PolarsResult<&[u64]> { self.column(column)?.u64()?.cont_slice() };
        let words = words().map_err(|e| FrameError::Read(Box::new(e)))?;
        Ok(words.iter().any(|word| is(*word)))
    }
}
