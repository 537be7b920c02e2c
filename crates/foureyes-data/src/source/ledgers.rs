//! Ledgers in a directory of a box: one run of a fixed script that sends them and adds to them.

use super::framing::{Damaged, Piece};
use super::session::{BEGIN, Error, FetchError, LOCK, Script, ScriptRun, line};
use std::convert::Infallible;
use std::sync::LazyLock;
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite};

/// Most bytes of all ledgers of a directory.
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
    #[error("it is not a regular file")]
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
pub struct Ledgers<W> {
    run: ScriptRun<W>,
}

impl<W: AsyncWrite + Unpin> Ledgers<W> {
    /// A session with what runs [`command`]; `idle` bounds every wait for a byte.
    ///
    /// # Errors
    /// The system gives no random numbers.
    pub fn new(
        input: impl AsyncRead + Send + Unpin + 'static,
        output: W,
        idle: Duration,
    ) -> Result<Self, Error> {
        Ok(Self { run: ScriptRun::new(input, output, idle)? })
    }

    /// Starts the script and has all ledgers of a directory sent.
    ///
    /// # Errors
    /// When the path cannot stand on a line, or the session breaks off.
    pub async fn all(&mut self, dir: &str) -> Result<Vec<Found>, Error> {
        let text = format!("{}{}\nL\n", SCRIPT.opening(self.run.word()), line(dir)?);
        let mut response = Response::default();
        let asked: Result<(), FetchError<Infallible>> =
            self.run.ask(text.into_bytes(), "O L", |piece| Ok(response.take(piece)?)).await;
        asked?;
        Ok(response.found)
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
        let answer = |piece: Piece<'_>| {
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
        };
        let asked: Result<(), FetchError<Infallible>> = self.run.ask(text, "O D", answer).await;
        asked?;
        Ok(match result {
            Some(Some(refusal)) => Err(refusal),
            Some(None) if back == bytes => Ok(()),
            _ => Err(Refusal::NotThere),
        })
    }
}

/// Ledgers as they come.
#[derive(Default)]
struct Response {
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
                    // Between ledgers nothing is sent.
                    None => return Err(Damaged.into()),
                }
            }
            Piece::Mark(mark) if mark.starts_with("O H 1 ") => {}
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
