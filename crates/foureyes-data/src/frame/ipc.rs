//! Frames to and from Arrow IPC.

use super::Frame;
use polars::prelude::*;
use polars_io::ipc::{IpcCompression, IpcReader, IpcWriter};
use polars_io::mmap::MmapBytesReader;
use std::io::{self, Read, Seek, SeekFrom, Write};

/// A frame could not be built, written or read.
#[derive(Debug, thiserror::Error)]
pub enum FrameError {
    /// Columns did not fit together.
    #[error("columns do not form a frame")]
    Build(#[source] Box<PolarsError>),
    /// Writing failed.
    #[error("failed to write a frame")]
    Write(#[source] Box<PolarsError>),
    /// What was read is no frame of ours.
    #[error("failed to read a frame")]
    Read(#[source] Box<PolarsError>),
    /// The bytes of a frame could not be had, or are not those that were written.
    #[error("failed to read the bytes of a frame")]
    Bytes(#[source] io::Error),
}

impl FrameError {
    /// Tells a frame that is not what was written from one that cannot be written.
    pub fn is_damage(&self) -> bool {
        matches!(self, Self::Read(_) | Self::Bytes(_))
    }

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
/// Bytes that cannot be read, that are no Arrow file, or that lack a column.
pub fn read(
    bytes: impl Read + Seek + Send + Sync,
    columns: Option<&[&str]>,
) -> Result<Frame, FrameError> {
    let columns = columns.map(|names| names.iter().map(|n| (*n).to_owned()).collect());
    let mut input = Input { bytes, failure: None };
    let frame = IpcReader::new(&mut input).with_columns(columns).finish();
    match input.failure {
        Some(failure) => Err(FrameError::Bytes(failure)),
        None => frame.map(Frame).map_err(|e| FrameError::Read(Box::new(e))),
    }
}

/// Bytes for polars' reader. It takes a failing read for impossible and panics, but minds an early
/// end: so a failure is kept here, and is an end for it.
struct Input<R> {
    bytes: R,
    failure: Option<io::Error>,
}

impl<R: Read> Read for Input<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if self.failure.is_some() {
            return Ok(0);
        }
        match self.bytes.read(out) {
            Err(error) if error.kind() != io::ErrorKind::Interrupted => {
                self.failure = Some(error);
                Ok(0)
            }
            other => other,
        }
    }
}

impl<R: Seek> Seek for Input<R> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.bytes.seek(to)
    }
}

impl<R: Read + Seek + Send + Sync> MmapBytesReader for Input<R> {}
