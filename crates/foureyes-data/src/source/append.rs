//! Appending records to files of a box: one run of a third fixed script.
//!
//! It is the only one that writes. A record travels on standard input, never as an argument, and
//! what then stands in the file is read back before anything is sent.

use super::framing::{Damaged, Piece};
use super::session::{BEGIN, Error, FetchError, LOCK, NOISE, Script, ScriptRun, line};
use std::convert::Infallible;
use std::sync::LazyLock;
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite};

/// Longest record, in bytes: a box appends it in one write.
pub const LONGEST_RECORD: usize = 65_535;

static SCRIPT: LazyLock<Script> =
    LazyLock::new(|| Script::new(&[BEGIN, LOCK, include_str!("../../../../assets/append.sh")]));

/// The one command that appending gives to a box.
pub fn command() -> String {
    SCRIPT.command()
}

/// A record to append.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    /// The file; a leading `~/` is the home there.
    pub path: String,
    /// It is made where absent, and its directory too; else it must exist.
    pub make: bool,
    /// The record in one line without its end, beginning with `{"id":"ID"`.
    pub record: String,
    /// The record's id: hexadecimal, in lower case.
    pub id: String,
}

/// How sure the box is that the record is on its disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Synced {
    /// The file was synced.
    File,
    /// All of the box was: it cannot sync one file.
    All,
    /// Unknown.
    No,
}

/// A record that stands in its file: it was read back, and is what was asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Appended {
    /// It stood there before.
    pub already: bool,
    /// How sure it is.
    pub synced: Synced,
    /// A last line that had no end was ended first.
    pub repaired: bool,
    /// Lines that bear the id and say something else: somebody changed them.
    pub others: u64,
}

/// Why a record does not stand in its file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// The directory cannot be made.
    #[error("failed to create its directory")]
    Directory,
    /// Something that is no regular file.
    #[error("it is not a regular file")]
    Kind,
    /// No file, where there should be one.
    #[error("it is not there")]
    Missing,
    /// A file that cannot be read and written.
    #[error("it cannot be read and written")]
    Closed,
    /// Another process holds the lock.
    #[error("another process locks it")]
    Locked,
    /// What stands there is not what was written: the disk may be full.
    #[error("it does not hold what was written to it; the disk may be full")]
    NotThere,
}

/// The answer to a request.
pub type Reply = Result<Appended, Refusal>;

/// A run of the script, over its standard input and output.
pub struct Append<W> {
    run: ScriptRun<W>,
}

impl<W: AsyncWrite + Unpin> Append<W> {
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

    /// Has records appended, in their order. Answers are given as they come: of a session that breaks
    /// off those that came count, and of the others nobody knows.
    ///
    /// # Errors
    /// When a request cannot be put on lines, before anything is sent; or when the session breaks off.
    pub async fn run(
        mut self,
        requests: &[Request],
        replies: &mut Vec<Reply>,
    ) -> Result<(), Error> {
        let text = SCRIPT.opening(self.run.word()) + &text(requests)?;
        let mut noise = 0;
        let answer = |piece: Piece<'_>| match piece {
            Piece::Data(bytes) => {
                noise += bytes.len();
                if noise > NOISE { Err(Error::TooMuch.into()) } else { Ok(()) }
            }
            Piece::Mark("O H 1" | "O Q") => Ok(()),
            Piece::Mark(mark) => {
                let reply = mark.strip_prefix("O A ").and_then(reply).ok_or(Damaged)?;
                replies.push(reply);
                Ok(())
            }
        };
        let asked: Result<(), FetchError<Infallible>> =
            self.run.ask(text.into_bytes(), "O Q", answer).await;
        asked?;
        if replies.len() == requests.len() { Ok(()) } else { Err(Damaged.into()) }
    }
}

/// The requests as the script reads them, and what ends them.
fn text(requests: &[Request]) -> Result<String, Error> {
    let mut text = String::new();
    for Request { path, make, record, id } in requests {
        let how = if *make { 'm' } else { 'e' };
        text += &format!("W {how}\n{}\n{}\n.{}\n", line(path)?, line(record)?, line(id)?);
    }
    // As many lines as a record has.
    Ok(text + "Q\nQ\nQ\nQ\n")
}

fn reply(text: &str) -> Option<Reply> {
    let words: Vec<&str> = text.split(' ').collect();
    match words[..] {
        ["x", why] => refusal(why).map(Err),
        [word, synced, repaired, others] => Some(Ok(Appended {
            already: match word {
                "t" => true,
                "w" => false,
                _ => return None,
            },
            synced: match synced {
                "f" => Synced::File,
                "s" => Synced::All,
                "n" => Synced::No,
                _ => return None,
            },
            repaired: repaired == "1",
            others: others.parse().ok()?,
        })),
        _ => None,
    }
}

fn refusal(why: &str) -> Option<Refusal> {
    Some(match why {
        "directory" => Refusal::Directory,
        "kind" => Refusal::Kind,
        "missing" => Refusal::Missing,
        "closed" => Refusal::Closed,
        "locked" => Refusal::Locked,
        "notthere" => Refusal::NotThere,
        _ => return None,
    })
}

#[cfg(test)]
mod tests;
