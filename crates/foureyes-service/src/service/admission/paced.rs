//! A stream whose reader has a limited time for each answer.

use super::Activity;
use std::io::{self, IoSlice};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Sleep, sleep};

/// A stream that notes what moves on it. What is written must be gone in time, however small the steps in which
/// the other side reads it.
#[derive(Debug)]
pub(in crate::service) struct Paced<S> {
    stream: S,
    activity: Arc<Activity>,
    limit: Duration,
    /// Runs from the first write that has to wait until all is gone.
    end: Option<Pin<Box<Sleep>>>,
}

impl<S: Unpin> Paced<S> {
    /// A stream with so much time for each answer.
    pub(in crate::service) fn new(stream: S, activity: Arc<Activity>, limit: Duration) -> Self {
        Self { stream, activity, limit, end: None }
    }

    /// What a write came to, or an error where it has to wait for too long.
    fn paced<T>(
        &mut self,
        context: &mut Context<'_>,
        written: Poll<io::Result<T>>,
    ) -> Poll<io::Result<T>> {
        if written.is_ready() {
            self.activity.moved();
            return written;
        }
        self.activity.stalled(true);
        let limit = self.limit;
        let end = self.end.get_or_insert_with(|| Box::pin(sleep(limit)));
        if end.as_mut().poll(context).is_pending() {
            return Poll::Pending;
        }
        self.activity.was_late();
        Poll::Ready(Err(io::Error::new(io::ErrorKind::TimedOut, "the answer is not read")))
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Paced<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let read = Pin::new(&mut self.stream).poll_read(context, buffer);
        if read.is_ready() {
            self.activity.moved();
        }
        read
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Paced<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.paced(context, written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        pieces: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(context, pieces);
        self.paced(context, written)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    /// Hyper calls this once all that it has to write is written.
    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let flushed = Pin::new(&mut self.stream).poll_flush(context);
        if let Poll::Ready(Ok(())) = flushed {
            self.end = None;
            self.activity.stalled(false);
            return flushed;
        }
        self.paced(context, flushed)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let closed = Pin::new(&mut self.stream).poll_shutdown(context);
        self.paced(context, closed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::io::{AsyncReadExt, AsyncWriteExt, duplex};

    #[tokio::test]
    async fn answer_must_be_gone_in_time_however_small_the_steps_in_which_it_is_read() {
        let (near, mut away) = duplex(8);
        let activity = Arc::new(Activity::new());
        let mut near = Paced::new(near, Arc::clone(&activity), Duration::from_millis(50));
        // It would be read to its end in an hour.
        let reader = tokio::spawn(async move {
            while away.read_u8().await.is_ok() {
                sleep(Duration::from_millis(1)).await;
            }
        });
        let error = near.write_all(&vec![7; 4 << 20]).await.unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
        assert!(activity.is_late());
        drop(near);
        reader.await.unwrap();
    }

    #[tokio::test]
    async fn each_answer_has_a_time_of_its_own() {
        let (near, mut away) = duplex(8);
        let activity = Arc::new(Activity::new());
        let mut near = Paced::new(near, Arc::clone(&activity), Duration::from_secs(3600));
        for _ in 0..3 {
            let (wrote, read) = tokio::join!(near.write_all(&[7; 100]), async {
                let mut bytes = [0; 100];
                away.read_exact(&mut bytes).await.map(|_| bytes)
            });
            assert_eq!((wrote.is_ok(), read.unwrap()), (true, [7; 100]));
            assert!(near.end.is_some(), "it had to wait");
            near.flush().await.unwrap();
            assert!(near.end.is_none() && !activity.is_late());
        }
    }
}
