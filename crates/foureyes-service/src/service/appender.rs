//! A thread that appends to files: what waits is written at once, and reported as written after one fsync.
//!
//! A write that failed is kept in mind. Until one succeeds again nothing is done that the files must have.

use crate::files::atomic;
use std::io::{self, Write};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::{mpsc, oneshot};

/// Items that are written at once.
const BATCH: usize = 256;
/// Bytes that are tried to write: more than any line has that is written then.
const PROBE: usize = 64 << 10;
/// Shortest time between two tries to write again after a failure.
const PAUSE: Duration = Duration::from_secs(1);

/// Tries whether a directory takes a new file, and its disk some more bytes.
///
/// # Errors
/// It does not.
pub(super) fn probe(dir: &Path) -> io::Result<()> {
    let path = dir.join(format!("{}-probe", atomic::TEMPORARY));
    let written = atomic::private_file(&path).and_then(|mut file| {
        file.write_all(&[0; PROBE])?;
        file.sync_data()
    });
    let removed = std::fs::remove_file(&path);
    written.and(removed)
}

/// What a thread appends to.
pub(super) trait Sink: Send + 'static {
    /// What is appended.
    type Item: Send + 'static;

    /// Appends items, and makes them durable.
    ///
    /// # Errors
    /// Not all of them are on the disk.
    fn append(&mut self, items: Vec<Self::Item>) -> io::Result<()>;

    /// After a failure: writes what is still to be written, or tries whether anything can be.
    ///
    /// # Errors
    /// Nothing can.
    fn retry(&mut self) -> io::Result<()>;
}

/// The way to such a thread, which ends with this.
#[derive(Debug)]
pub(super) struct Appender<T> {
    sender: mpsc::Sender<Order<T>>,
    failing: Arc<AtomicBool>,
    /// When it was tried last to write again.
    tried: Mutex<Option<Instant>>,
}

/// What the thread is to do, and where it reports that.
#[derive(Debug)]
struct Order<T> {
    /// None where it is to try again.
    item: Option<T>,
    done: oneshot::Sender<io::Result<()>>,
}

impl<T: Send + 'static> Appender<T> {
    /// Starts the thread.
    ///
    /// # Errors
    /// There is no thread to be had.
    pub(super) fn start(name: &str, sink: impl Sink<Item = T>) -> io::Result<Self> {
        let (sender, receiver) = mpsc::channel(BATCH * 4);
        let failing = Arc::new(AtomicBool::new(false));
        let of_thread = Arc::clone(&failing);
        let thread = std::thread::Builder::new().name(name.to_owned());
        thread.spawn(move || run(sink, receiver, &of_thread))?;
        Ok(Self { sender, failing, tried: Mutex::new(None) })
    }

    /// Appends an item, and waits until it is on the disk.
    ///
    /// # Errors
    /// It is not.
    pub(super) async fn append(&self, item: T) -> io::Result<()> {
        self.order(Some(item)).await
    }

    /// Whether the last write failed.
    pub(super) fn is_failing(&self) -> bool {
        self.failing.load(Ordering::Acquire)
    }

    /// Tries to write again where the last write failed, though not at every call.
    pub(super) async fn recover(&self) {
        if !self.is_failing() {
            return;
        }
        {
            let mut tried = self.tried.lock().unwrap_or_else(PoisonError::into_inner);
            if tried.is_some_and(|tried| tried.elapsed() < PAUSE) {
                return;
            }
            *tried = Some(Instant::now());
        }
        // Whether it failed again is noted by the thread.
        let _ = self.order(None).await;
    }

    async fn order(&self, item: Option<T>) -> io::Result<()> {
        let ended = || io::Error::other("its thread ended");
        let (done, report) = oneshot::channel();
        self.sender.send(Order { item, done }).await.map_err(|_| ended())?;
        report.await.map_err(|_| ended())?
    }
}

fn run<S: Sink>(mut sink: S, mut receiver: mpsc::Receiver<Order<S::Item>>, failing: &AtomicBool) {
    let mut batch = Vec::new();
    while receiver.blocking_recv_many(&mut batch, BATCH) > 0 {
        let (items, waiting): (Vec<_>, Vec<_>) =
            batch.drain(..).map(|order| (order.item, order.done)).unzip();
        let items: Vec<_> = items.into_iter().flatten().collect();
        let written = if items.is_empty() { sink.retry() } else { sink.append(items) };
        failing.store(written.is_err(), Ordering::Release);
        for done in waiting {
            let own = written.as_ref().copied();
            // Who no longer waits is not told.
            let _ = done.send(own.map_err(|error| io::Error::new(error.kind(), error.to_string())));
        }
    }
}
