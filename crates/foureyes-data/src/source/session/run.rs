//! One run of a script on a box: what is sent to it, and its framed answers.

use super::error::{Error, FetchError};
use super::frame_reader::{FrameReader, send};
use crate::source::framing::{Piece, random_word};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite};

/// Most output of a login script before the script starts, in bytes.
pub(in crate::source) const NOISE: usize = 1 << 20;

/// A run of a script, over its standard input and output.
pub(in crate::source) struct ScriptRun<W> {
    output: W,
    reader: FrameReader,
    word: String,
    /// Whether the script has sent a mark; what comes before is a login script's.
    started: bool,
    noise: Vec<u8>,
}

impl<W: AsyncWrite + Unpin> ScriptRun<W> {
    /// Takes the streams of a script; `idle` bounds every wait for a byte.
    ///
    /// # Errors
    /// The system gives no random numbers.
    pub(in crate::source) fn new(
        input: impl AsyncRead + Send + Unpin + 'static,
        output: W,
        idle: Duration,
    ) -> Result<Self, Error> {
        let word = random_word()?;
        let reader = FrameReader::new(input, &word, idle);
        Ok(Self { output, reader, word, started: false, noise: Vec::new() })
    }

    /// The word that frames the answers.
    pub(in crate::source) fn word(&self) -> &str {
        &self.word
    }

    /// Bytes taken in so far, noise and frames among them; a little more may have been received.
    pub(in crate::source) fn received(&self) -> u64 {
        self.reader.received()
    }

    /// Sends a text, and gives `take` the pieces of the answer up to the mark that ends it.
    ///
    /// # Errors
    /// A session that breaks off, or what `take` refuses. A box that ends before the script started
    /// gives no answer.
    pub(in crate::source) async fn ask<E>(
        &mut self,
        text: Vec<u8>,
        end: &str,
        mut take: impl FnMut(Piece<'_>) -> Result<(), FetchError<E>>,
    ) -> Result<(), FetchError<E>> {
        let Self { output, reader, started, noise, .. } = self;
        let answer = reader.until(end, |piece| match piece {
            Piece::Data(bytes) if !*started && noise.len() + bytes.len() > NOISE => {
                Err(Error::TooMuch.into())
            }
            Piece::Data(bytes) if !*started => {
                noise.extend_from_slice(bytes);
                Ok(())
            }
            piece => {
                *started = true;
                take(piece)
            }
        });
        match tokio::try_join!(send(output, text), answer) {
            Err(FetchError::RemoteSession(Error::Cut)) if !self.started => {
                Err(self.no_answer().into())
            }
            done => done.map(drop),
        }
    }

    /// That the box did not run the script, with its output instead.
    pub(in crate::source) fn no_answer(&mut self) -> Error {
        let mut output = std::mem::take(&mut self.noise);
        output.extend(self.reader.rest());
        Error::NoAnswer { output }
    }
}
