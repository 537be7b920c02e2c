//! Ledgers in a directory of a box: one run of a fixed script that sends them and adds to them.

use super::framing::{Damaged, Piece, random_word};
use super::session::{BEGIN, Error, FetchError, FrameReader, LOCK, Script, line, send};
use std::convert::Infallible;
use std::sync::LazyLock;
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite};

/// Most bytes of all ledgers of a directory, and of noise before them.
pub const MOST: usize = 256 << 20;

static SCRIPT: LazyLock<Script> =
    LazyLock::new(|| Script::new(&[BEGIN, LOCK, include_str!("../../../../assets/ledgers.sh")]));

/// The one command that an exchange gives to a box.
pub fn command() -> String {
    SCRIPT.command()
}

/// Why a ledger of a box was not added to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// Somebody added to it meanwhile.
    #[error("it changed meanwhile")]
    Moved,
    /// It is no regular file.
    #[error("it is no regular file")]
    Kind,
    /// It cannot be read and written, or its directory cannot be made.
    #[error("it cannot be read and written")]
    Closed,
    /// Another process holds the lock.
    #[error("another process locks it")]
    Locked,
    /// It is not named as a ledger.
    #[error("it is not named as a ledger")]
    Name,
    /// What stands there is not what was sent: the disk may be full.
    #[error("it does not hold what was sent; the disk may be full")]
    NotThere,
}

/// A ledger as it stands on a box.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// Name of its file, as ledgers are named.
    pub name: String,
    /// Its bytes; `None` where it cannot be read.
    pub bytes: Option<Vec<u8>>,
}

/// A run of the script, over its standard input and output.
pub struct Ledgers<R, W> {
    output: W,
    reader: FrameReader<R>,
    word: String,
}

impl<R: AsyncRead + Unpin, W: AsyncWrite + Unpin> Ledgers<R, W> {
    /// A session with what runs [`command`]; `idle` bounds every wait for a byte.
    ///
    /// # Errors
    /// The system gives no random numbers.
    pub fn new(input: R, output: W, idle: Duration) -> Result<Self, Error> {
        let word = random_word()?;
        Ok(Self { output, reader: FrameReader::new(input, &word, idle), word })
    }

    /// Starts the script and has all ledgers of a directory sent.
    ///
    /// # Errors
    /// When the path cannot stand on a line, or the session breaks off.
    pub async fn all(&mut self, dir: &str) -> Result<Vec<Found>, Error> {
        let text = format!("{}{}\nL\n", SCRIPT.opening(&self.word), line(dir)?);
        let mut response = Response::default();
        let ask = send(&mut self.output, text.into_bytes());
        let answer = self.reader.until("O L", |piece| Ok(response.take(piece)?));
        let done: Result<_, FetchError<Infallible>> = tokio::try_join!(ask, answer);
        match done {
            Ok(_) => Ok(response.found),
            Err(FetchError::RemoteSession(Error::Cut)) if !response.started => {
                Err(Error::NoAnswer { output: self.reader.rest() })
            }
            Err(FetchError::RemoteSession(error)) => Err(error),
        }
    }

    /// Has bytes added to a ledger that has just so many, and reads back what then stands there.
    /// After a refusal nothing more can be asked.
    ///
    /// # Errors
    /// When the session breaks off: then nobody knows how much was added.
    pub async fn add(
        &mut self,
        name: &str,
        at: usize,
        bytes: &[u8],
    ) -> Result<Result<(), Refusal>, Error> {
        let mut text = format!("A {} {at} {}\n", line(name)?, bytes.len()).into_bytes();
        text.extend_from_slice(bytes);
        let (mut back, mut result) = (Vec::new(), None);
        let ask = send(&mut self.output, text);
        let answer = self.reader.until("O D", |piece| {
            match piece {
                Piece::Data(more) if back.len() + more.len() <= MOST => {
                    back.extend_from_slice(more);
                }
                Piece::Data(_) => return Err(Error::TooMuch.into()),
                Piece::Mark(mark) => {
                    if let Some(word) = mark.strip_prefix("O R ") {
                        result = Some(refusal(word)?);
                    }
                }
            }
            Ok(())
        });
        let done: Result<_, FetchError<Infallible>> = tokio::try_join!(ask, answer);
        match (done, result) {
            (Err(FetchError::RemoteSession(error)), _) => Err(error),
            (Ok(_), Some(Some(refusal))) => Ok(Err(refusal)),
            (Ok(_), Some(None)) if back == bytes => Ok(Ok(())),
            (Ok(_), _) => Ok(Err(Refusal::NotThere)),
        }
    }
}

/// Ledgers as they come.
#[derive(Default)]
struct Response {
    started: bool,
    found: Vec<Found>,
    open: bool,
    bytes: usize,
}

impl Response {
    fn take(&mut self, piece: Piece<'_>) -> Result<(), Error> {
        match piece {
            Piece::Data(bytes) => {
                self.bytes += bytes.len();
                if self.bytes > MOST {
                    return Err(Error::TooMuch);
                }
                let last = self.found.last_mut().filter(|_| self.open);
                match last.and_then(|found| found.bytes.as_mut()) {
                    Some(all) => all.extend_from_slice(bytes),
                    // Between ledgers nothing is sent; before them a login script may.
                    None if self.started => return Err(Damaged.into()),
                    None => {}
                }
            }
            Piece::Mark(mark) if mark.starts_with("O H 1 ") => self.started = true,
            Piece::Mark("O E") => self.open = false,
            Piece::Mark("O L") => {}
            Piece::Mark(mark) => {
                let (bytes, name) = match (mark.strip_prefix("O F "), mark.strip_prefix("O X ")) {
                    (Some(name), _) => (Some(Vec::new()), name),
                    (_, Some(name)) => (None, name),
                    _ => return Err(Damaged.into()),
                };
                self.open = bytes.is_some();
                self.found.push(Found { name: name.to_owned(), bytes });
            }
        }
        Ok(())
    }
}

/// What an answer means; `None` where it was added.
fn refusal(word: &str) -> Result<Option<Refusal>, Error> {
    Ok(match word {
        "ok" => None,
        "moved" => Some(Refusal::Moved),
        "kind" => Some(Refusal::Kind),
        "closed" => Some(Refusal::Closed),
        "locked" => Some(Refusal::Locked),
        "name" => Some(Refusal::Name),
        _ => return Err(Damaged.into()),
    })
}
