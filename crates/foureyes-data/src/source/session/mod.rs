//! One run of the fixed script on a box: what we ask, what it answers.
//!
//! The first answer lists all files; a second one, where something is new, brings the bytes.

mod error;
mod frame_reader;
mod request;
mod run;
mod script;

pub use error::Error;
pub use request::{Answer, Candidate, Request, ResponsePart};
pub use script::command;

pub(in crate::source) use run::{NOISE, ScriptRun};
pub(in crate::source) use script::{BEGIN, LOCK, Script, line};

use super::framing::{Damaged, Frames, Piece};
use super::inflate::Inflate;
use super::listing::{self, Abilities, Compression, Listing, Names};
use error::Flow;
use request::Items;
use std::convert::Infallible;
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite};

/// Most that is kept of a listing, unpacked: names and sizes.
const LISTING: usize = 64 << 20;

/// The mark behind an answer that brings files.
const LAST: &str = "O B";

/// A run of the script, over its standard input and output.
pub struct RemoteSession<W> {
    run: ScriptRun<W>,
    compression: Compression,
    round_trips: u32,
}

impl<W: AsyncWrite + Unpin> RemoteSession<W> {
    /// A session with what runs [`command`]; `idle` bounds every wait for a byte.
    ///
    /// # Errors
    /// The system gives no random numbers.
    pub fn new(
        input: impl AsyncRead + Send + Unpin + 'static,
        output: W,
        idle: Duration,
    ) -> Result<Self, Error> {
        let run = ScriptRun::new(input, output, idle)?;
        Ok(Self { run, compression: Compression::Raw, round_trips: 0 })
    }

    /// Bytes taken in so far, noise and frames among them; a little more may have been received.
    pub fn received(&self) -> u64 {
        self.run.received()
    }

    /// Questions asked so far.
    pub fn round_trips(&self) -> u32 {
        self.round_trips
    }

    /// Starts the script and has all files below the configured paths listed.
    pub async fn list(&mut self, roots: &[String]) -> Result<Listing, Error> {
        let text = script::opening(self.run.word(), roots)?;
        self.round_trips += 1;
        let mut response = Response::default();
        let asked: Result<(), Flow<Infallible>> =
            self.run.ask(text, "O L", |piece| Ok(response.take(piece)?)).await;
        asked?;
        let Some(listing) = response.listing()? else { return Err(self.run.no_answer()) };
        self.compression = listing.abilities.compression;
        Ok(listing)
    }

    /// Has files sent; `take` is given each piece of each answer, in the order of the requests.
    pub async fn fetch<E>(
        &mut self,
        requests: &[Request],
        compression: Compression,
        mut take: impl FnMut(ResponsePart<'_>) -> Result<(), E>,
    ) -> Result<(), FetchError<E>> {
        self.round_trips += 1;
        let text = request::text(requests, compression);
        let mut inflate = Inflate::new(compression).map_err(Error::Unpack)?;
        let (mut frames, mut items) =
            (Frames::new(&request::inner(self.run.word())), Items::default());
        let answer = |piece: Piece<'_>| match piece {
            Piece::Mark(LAST) => Ok(()),
            // The marks in what is not compressed are found already.
            piece if compression == Compression::Raw => items.take(piece, &mut take),
            Piece::Mark(_) => Err(Error::from(Damaged).into()),
            Piece::Data(bytes) => inflate
                .feed(bytes, |plain| frames.feed(plain, |piece| items.take(piece, &mut take))),
        };
        self.run.ask(text, LAST, answer).await?;
        if items.whole() { Ok(()) } else { Err(Error::Cut.into()) }
    }
}

pub use error::FetchError;

/// The parts of a listing as they come.
#[derive(Default)]
struct Response {
    abilities: Option<Abilities>,
    roots: Vec<u8>,
    packed: Option<Inflate>,
    names: Names,
}

impl Response {
    fn take(&mut self, piece: Piece<'_>) -> Result<(), Error> {
        match (piece, &mut self.packed) {
            (Piece::Data(bytes), Some(packed)) => {
                let names = &mut self.names;
                packed.feed(bytes, |plain| match names.take(plain, LISTING)? {
                    true => Ok(()),
                    false => Err(Error::TooMuch),
                })
            }
            (Piece::Data(bytes), None) => Ok(bounded(&mut self.roots, bytes, NOISE)?),
            (Piece::Mark("O R"), None) => {
                let zip = self.abilities.map_or(Compression::Raw, |a| a.compression);
                self.packed = Some(Inflate::new(zip).map_err(Error::Unpack)?);
                Ok(())
            }
            (Piece::Mark(mark), _) if mark.starts_with("O H ") => {
                self.abilities = Some(listing::abilities(mark)?);
                Ok(())
            }
            (Piece::Mark(_), _) => Ok(()),
        }
    }

    /// The listing; `None` where the script did not announce what the box can do.
    fn listing(self) -> Result<Option<Listing>, Error> {
        let Some(abilities) = self.abilities else { return Ok(None) };
        let roots = listing::roots(&self.roots)?;
        let (files, left_out) = self.names.finish()?;
        Ok(Some(Listing { abilities, roots, files, left_out }))
    }
}

fn bounded(all: &mut Vec<u8>, more: &[u8], most: usize) -> std::io::Result<()> {
    if all.len() + more.len() > most {
        return Err(std::io::Error::from(std::io::ErrorKind::FileTooLarge));
    }
    all.extend_from_slice(more);
    Ok(())
}

#[cfg(test)]
mod tests;
