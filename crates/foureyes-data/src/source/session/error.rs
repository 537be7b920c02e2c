//! How a session fails.

use crate::source::framing::Damaged;
use crate::source::listing::Unclear;
use std::convert::Infallible;
use std::io;
use std::time::Duration;

/// A session with a box that ended early.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A configured path that cannot be put on a line.
    #[error("the path {path:?} holds a line break or nothing")]
    Path {
        /// The path.
        path: String,
    },
    /// The connection ended in the middle, or the script did.
    #[error("the connection was cut")]
    Cut,
    /// The box ended without starting the script.
    #[error("the box did not run the script; it said {:?}", String::from_utf8_lossy(&output[..output.len().min(512)]))]
    NoAnswer {
        /// Its output instead.
        output: Vec<u8>,
    },
    /// No byte came for so long.
    #[error("the box was silent for {} s", .0.as_secs_f32())]
    Idle(Duration),
    /// Reading failed.
    #[error("failed to read from the box")]
    Read(#[source] io::Error),
    /// What came cannot be unpacked.
    #[error("what the box sent cannot be unpacked")]
    Unpack(#[source] io::Error),
    /// More came than can be: noise, or a listing without end.
    #[error("the box says more than it was asked for")]
    TooMuch,
    /// The system gives no random numbers, without which anybody could imitate a frame.
    #[error("the system gives no random numbers")]
    NoRandomness(#[from] getrandom::Error),
    /// Somebody else wrote on the stream.
    #[error("what the box sent is mixed with something else")]
    Frames(#[from] Damaged),
    /// The listing cannot be understood.
    #[error("the box's list of files is damaged")]
    Listing(#[source] Unclear),
    /// No program of the box gives the size of a file that is there.
    #[error("stat, wc and dd of the box give no size of {}", String::from_utf8_lossy(path))]
    NoSize {
        /// The file, raw.
        path: Vec<u8>,
    },
}

impl From<Unclear> for Error {
    fn from(unclear: Unclear) -> Self {
        match unclear {
            Unclear::NoSize { path } => Self::NoSize { path },
            Unclear::Part { .. } => Self::Listing(unclear),
        }
    }
}

impl Error {
    /// Whether something else was mixed into what the box sent, so that none of it counts.
    pub fn is_mixture(&self) -> bool {
        matches!(self, Self::Unpack(_) | Self::TooMuch | Self::Frames(_) | Self::Listing(_))
    }

    pub(super) fn unpack(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::FileTooLarge => Self::TooMuch,
            _ => Self::Unpack(error),
        }
    }
}

impl From<io::Error> for Error {
    fn from(error: io::Error) -> Self {
        Self::unpack(error)
    }
}

/// Fetching ended early: the session broke off, or the receiver refused the bytes.
#[derive(Debug)]
pub enum FetchError<E> {
    /// The session broke off.
    RemoteSession(Error),
    /// By whoever takes the bytes.
    Taker(E),
}

impl<E> From<Error> for FetchError<E> {
    fn from(error: Error) -> Self {
        Self::RemoteSession(error)
    }
}

impl From<FetchError<Infallible>> for Error {
    fn from(error: FetchError<Infallible>) -> Self {
        match error {
            FetchError::RemoteSession(error) => error,
        }
    }
}

/// The same, inside.
pub(super) type Flow<E> = FetchError<E>;

impl<E> From<Damaged> for FetchError<E> {
    fn from(error: Damaged) -> Self {
        Self::RemoteSession(error.into())
    }
}

impl<E> From<io::Error> for FetchError<E> {
    fn from(error: io::Error) -> Self {
        Self::RemoteSession(Error::unpack(error))
    }
}
