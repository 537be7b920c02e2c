//! Sending to a box and reading its framed output.

use super::error::{Error, Flow};
use crate::source::framing::{Frames, Piece};
use std::io;
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::sync::mpsc;
use tokio::task::JoinSet;

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

/// Portions that are read while one is worked on. What ssh cannot hand over at once it keeps in a buffer that it
/// copies each time it grows, and nothing comes meanwhile.
const AHEAD: usize = 8;

/// Reads the framed output of a box.
pub(in crate::source) struct FrameReader {
    portions: mpsc::Receiver<io::Result<Vec<u8>>>,
    /// Those that were worked on, to read into again.
    spare: mpsc::Sender<Vec<u8>>,
    /// Reads until this is dropped.
    _reading: JoinSet<()>,
    frames: Frames,
    idle: Duration,
    received: u64,
}

impl FrameReader {
    /// Reads what is framed by a word; `idle` bounds every wait for a byte.
    pub(in crate::source) fn new(
        input: impl AsyncRead + Send + Unpin + 'static,
        word: &str,
        idle: Duration,
    ) -> Self {
        let (portion, portions) = mpsc::channel(AHEAD);
        let (spare, spares) = mpsc::channel(AHEAD + 2);
        let mut reading = JoinSet::new();
        reading.spawn(read_ahead(input, portion, spares));
        let frames = Frames::new(word);
        Self { portions, spare, _reading: reading, frames, idle, received: 0 }
    }

    /// Bytes taken in so far, noise and frames among them; a little more may have been received.
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
        let mut done = false;
        while !done {
            let read = tokio::time::timeout(self.idle, self.portions.recv()).await;
            let portion = read.map_err(|_| Error::Idle(self.idle))?.ok_or(Error::Cut)?;
            let portion = portion.map_err(Error::Read)?;
            self.received += portion.len() as u64;
            self.frames.feed(&portion, |piece| {
                done |= matches!(piece, Piece::Mark(m) if m == last);
                take(piece)
            })?;
            let _ = self.spare.try_send(portion);
        }
        Ok(())
    }
}

/// Reads portions until nobody takes them any more, the stream ends or cannot be read.
async fn read_ahead(
    mut input: impl AsyncRead + Unpin,
    portion: mpsc::Sender<io::Result<Vec<u8>>>,
    mut spares: mpsc::Receiver<Vec<u8>>,
) {
    loop {
        let mut buffer = spares.try_recv().unwrap_or_default();
        buffer.clear();
        buffer.reserve_exact(PORTION);
        let read = input.read_buf(&mut buffer).await;
        let goes_on = matches!(read, Ok(1..));
        if matches!(read, Ok(0)) || portion.send(read.map(|_| buffer)).await.is_err() || !goes_on {
            break;
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use tokio::time::timeout;

    #[tokio::test]
    async fn bytes_are_read_before_they_are_asked_for_but_not_without_bound() {
        const ROOM: usize = 1 << 10;
        let (mut sender, input) = tokio::io::duplex(ROOM);
        let mut reader = FrameReader::new(input, "word", Duration::from_secs(60));
        let bytes = [b'a'; (AHEAD + 1) * ROOM];
        timeout(Duration::from_secs(60), sender.write_all(&bytes)).await.unwrap().unwrap();
        let more = [b'b'; 3 * ROOM];
        timeout(Duration::from_millis(50), sender.write_all(&more)).await.unwrap_err();
        drop(sender);
        let mut taken = 0;
        let take = |piece: Piece<'_>| {
            taken += if let Piece::Data(data) = piece { data.len() } else { 0 };
            Ok::<(), Flow<()>>(())
        };
        let ended = reader.until("mark", take).await;
        assert!(matches!(ended, Err(Flow::RemoteSession(Error::Cut))), "{ended:?}");
        taken += reader.rest().len();
        assert!((bytes.len()..bytes.len() + more.len()).contains(&taken), "{taken}");
    }
}
