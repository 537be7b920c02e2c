//! Sending to a box and reading its framed output.

use super::error::{Error, Flow};
use crate::source::framing::{Frames, Piece};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};

/// Sends all of it, unless the box hangs up.
pub(in crate::source) async fn send<E>(
    output: &mut (impl AsyncWrite + Unpin),
    text: Vec<u8>,
) -> Result<(), Flow<E>> {
    // A box that hangs up while we send may have sent a reason: the reader finds it.
    if output.write_all(&text).await.is_ok() {
        let _ = output.flush().await;
    }
    Ok(())
}

/// Bytes that are read at once.
const PORTION: usize = 256 << 10;

/// Reads the framed output of a box.
pub(in crate::source) struct FrameReader<R> {
    input: R,
    frames: Frames,
    idle: Duration,
    received: u64,
}

impl<R: AsyncRead + Unpin> FrameReader<R> {
    /// Reads what is framed by a word; `idle` bounds every wait for a byte.
    pub(in crate::source) fn new(input: R, word: &str, idle: Duration) -> Self {
        Self { input, frames: Frames::new(word), idle, received: 0 }
    }

    /// Bytes received so far, noise and frames among them.
    pub(in crate::source) fn received(&self) -> u64 {
        self.received
    }

    /// What was held back of a stream that has ended.
    pub(in crate::source) fn rest(&mut self) -> Vec<u8> {
        self.frames.rest()
    }

    /// Reads pieces until a mark. A stream that ends before it was cut.
    pub(in crate::source) async fn until<E>(
        &mut self,
        last: &str,
        mut take: impl FnMut(Piece<'_>) -> Result<(), Flow<E>>,
    ) -> Result<(), Flow<E>> {
        let mut buffer = vec![0; PORTION];
        let mut done = false;
        while !done {
            let read = tokio::time::timeout(self.idle, self.input.read(&mut buffer)).await;
            let n = read.map_err(|_| Error::Idle(self.idle))?.map_err(Error::Read)?;
            if n == 0 {
                return Err(Error::Cut.into());
            }
            self.received += n as u64;
            self.frames.feed(&buffer[..n], |piece| {
                done |= matches!(piece, Piece::Mark(m) if m == last);
                take(piece)
            })?;
        }
        Ok(())
    }
}
