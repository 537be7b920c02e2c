//! Reading objects of a repository on a box: one run of a second fixed script.
//!
//! A path of a log never travels: objects are asked for by their names, which are hexadecimal.

use super::framing::{Damaged, Piece};
use super::session::{Error, FetchError, Script, ScriptRun, line};
use crate::git::{Ask, Reply};
use std::convert::Infallible;
use std::fmt::Write;
use std::sync::LazyLock;
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite};

static SCRIPT: LazyLock<Script> =
    LazyLock::new(|| Script::new(&[include_str!("../../../../assets/content.sh")]));

/// The one command that reading objects gives to a box.
pub fn command() -> String {
    SCRIPT.command()
}

/// What a path on a box is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RepositoryState {
    /// A repository.
    Whole,
    /// A repository whose history is cut off.
    Shallow,
    /// Nothing that git takes for a repository of its user.
    NoRepository,
    /// There is no git on the box.
    NoGit,
}

/// A run of the script, over its standard input and output.
pub struct Objects<W> {
    run: ScriptRun<W>,
}

impl<W: AsyncWrite + Unpin> Objects<W> {
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

    /// Starts the script for a repository; a leading `~/` of the path is the home there.
    ///
    /// # Errors
    /// When the path cannot stand on a line, or the session breaks off.
    pub async fn open(&mut self, repository: &str) -> Result<RepositoryState, Error> {
        let text = format!("{}{}\n.\n", SCRIPT.opening(self.run.word()), line(repository)?);
        let mut state = None;
        let answer = |piece: Piece<'_>| match piece {
            Piece::Mark(mark) if mark.starts_with("O H ") => {
                state = Some(state_of(mark)?);
                Ok(())
            }
            Piece::Data(_) | Piece::Mark(_) => Ok(()),
        };
        let asked: Result<(), FetchError<Infallible>> =
            self.run.ask(text.into_bytes(), "O .", answer).await;
        asked?;
        state.ok_or_else(|| self.run.no_answer())
    }

    /// Has questions answered, in their order, in one round trip.
    ///
    /// # Errors
    /// When the session breaks off; not when git fails on the box, which is an answer.
    pub async fn ask(&mut self, asks: &[Ask]) -> Result<Vec<Reply>, Error> {
        let mut response = Response { asks, replies: Vec::new(), open: false };
        self.run.ask(text(asks), "O .", |piece| response.take(piece)).await?;
        match response.replies.len() == asks.len() && !response.open {
            true => Ok(response.replies),
            false => Err(Damaged.into()),
        }
    }
}

/// The questions as the script reads them; one byte more than is wanted shows that there is more.
fn text(asks: &[Ask]) -> Vec<u8> {
    let mut text = String::new();
    for ask in asks {
        let most = ask.most().saturating_add(1);
        let _ = match ask {
            Ask::Find(prefix) => writeln!(text, "F {} {most}", prefix.as_str()),
            Ask::Object { id, .. } => writeln!(text, "O {id} {most}"),
            Ask::Changes { old, new, .. } => writeln!(text, "C {old} {new} {most}"),
            Ask::Diff { old, new, .. } => writeln!(text, "D {old} {new} {most}"),
        };
    }
    text.push_str(".\n");
    text.into_bytes()
}

/// Answers as they come.
struct Response<'a> {
    asks: &'a [Ask],
    replies: Vec<Reply>,
    open: bool,
}

impl Response<'_> {
    fn take(&mut self, piece: Piece<'_>) -> Result<(), FetchError<Infallible>> {
        match piece {
            Piece::Mark("O B") if !self.open && self.replies.len() < self.asks.len() => {
                self.replies.push(Reply::default());
                self.open = true;
                Ok(())
            }
            Piece::Mark("O .") if !self.open => Ok(()),
            Piece::Mark(mark) => match mark.strip_prefix("O E") {
                Some(status) if self.open => {
                    self.close(status.trim());
                    Ok(())
                }
                _ => Err(Damaged.into()),
            },
            Piece::Data(bytes) => {
                let most = self.most().saturating_add(1);
                match self.replies.last_mut().filter(|_| self.open) {
                    Some(reply) => keep(&mut reply.bytes, bytes, most),
                    None => Err(Error::TooMuch.into()),
                }
            }
        }
    }

    fn close(&mut self, status: &str) {
        self.open = false;
        let most = self.most();
        let Some(reply) = self.replies.last_mut() else { return };
        reply.cut = reply.bytes.len() > most;
        reply.bytes.truncate(most);
        if !reply.cut && status != "0" {
            *reply = Reply { failed: Some(String::new()), ..Reply::default() };
        }
    }

    /// Most bytes of the answer that comes.
    fn most(&self) -> usize {
        let ask = self.replies.len().checked_sub(1).and_then(|i| self.asks.get(i));
        usize::try_from(ask.map_or(0, Ask::most)).unwrap_or(usize::MAX)
    }
}

fn state_of(mark: &str) -> Result<RepositoryState, Error> {
    match mark.strip_prefix("O H 1 ") {
        Some("ok") => Ok(RepositoryState::Whole),
        Some("shallow") => Ok(RepositoryState::Shallow),
        Some("none") => Ok(RepositoryState::NoRepository),
        Some("nogit") => Ok(RepositoryState::NoGit),
        _ => Err(Damaged.into()),
    }
}

fn keep(all: &mut Vec<u8>, more: &[u8], most: usize) -> Result<(), FetchError<Infallible>> {
    if all.len() + more.len() > most {
        return Err(Error::TooMuch.into());
    }
    all.extend_from_slice(more);
    Ok(())
}

#[cfg(test)]
mod tests;
