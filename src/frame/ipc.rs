//! Frames to and from Arrow IPC.

use super::Frame;
use polars::prelude::*;
use polars_io::ipc::{IpcCompression, IpcReader, IpcWriter};
use polars_io::mmap::MmapBytesReader;
use std::io::Write;

/// A frame could not be built, written or read.
#[derive(Debug, thiserror::Error)]
pub enum FrameError {
    /// Columns did not fit together.
    #[error("columns do not form a frame")]
    Build(#[source] Box<PolarsError>),
    /// Writing failed.
    #[error("a frame cannot be written")]
    Write(#[source] Box<PolarsError>),
    /// What was read is no frame of ours.
    #[error("a frame cannot be read")]
    Read(#[source] Box<PolarsError>),
}

impl FrameError {
    pub(super) fn build(error: PolarsError) -> Self {
        Self::Build(Box::new(error))
    }
}

/// Writes a frame; `compressed` is for texts.
///
/// # Errors
/// The writer's failure.
pub fn write(frame: &mut Frame, out: impl Write, compressed: bool) -> Result<(), FrameError> {
    let compression = compressed.then_some(IpcCompression::LZ4);
    IpcWriter::new(out)
        .with_compression(compression)
        .finish(&mut frame.0)
        .map_err(|e| FrameError::Write(Box::new(e)))
}

/// Reads a frame, or only some of its columns.
///
/// # Errors
/// A file that is no Arrow file, or lacks a column.
pub fn read(file: impl MmapBytesReader, columns: Option<&[&str]>) -> Result<Frame, FrameError> {
    let columns = columns.map(|names| names.iter().map(|n| (*n).to_owned()).collect());
    IpcReader::new(file)
        .with_columns(columns)
        .finish()
        .map(Frame)
        .map_err(|e| FrameError::Read(Box::new(e)))
}
