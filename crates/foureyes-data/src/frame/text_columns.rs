//! The texts of records, before they are a frame.

use super::format::write_texts;
use super::packed::Texts;
use super::{Frame, FrameError, schema};
use polars::prelude::*;
use std::io::Write;

/// A list for each of [`schema::TEXTS`].
pub struct TextColumns(pub(super) Vec<Texts>);

impl TextColumns {
    /// Writes them as [`super::write`] does their frame.
    ///
    /// # Errors
    /// The writer's failure.
    pub fn write(&self, out: impl Write) -> Result<(), FrameError> {
        write_texts(&schema::TEXTS, &self.0, out).map_err(FrameError::Write)
    }

    /// Their frame.
    ///
    /// # Errors
    /// Columns that do not fit together.
    pub fn to_frame(&self) -> Result<Frame, FrameError> {
        let rows = self.0.first().map_or(0, Texts::len);
        let column = |(name, texts): (&&str, &Texts)| {
            StringChunked::from_iter_options((*name).into(), texts.iter()).into_column()
        };
        let columns = schema::TEXTS.iter().zip(&self.0).map(column).collect();
        DataFrame::new(rows, columns).map(Frame).map_err(FrameError::build)
    }
}
