//! One run of the fixed script on a box: what we ask, what it answers.
//!
//! The first answer lists all files; a second one, where something is new, brings the bytes.

mod error;
mod frame_reader;
mod request;
mod script;

pub use error::Error;
pub use request::{Answer, Candidate, Request, ResponsePart};
pub use script::command;

pub(in crate::source) use frame_reader::{FrameReader, send};
pub(in crate::source) use script::{BEGIN, LOCK, Script, line};

use super::framing::{Piece, random_word};
use super::inflate::Inflate;
use super::listing::{self, Abilities, Compression, Listing};
use error::Flow;
use request::Items;
use std::convert::Infallible;
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite};

/// Most output of a login script before the script starts.
const NOISE: usize = 1 << 20;
/// Longest listing, unpacked.
const LISTING: usize = 64 << 20;

/// A run of the script, over its standard input and output.
pub struct RemoteSession<R, W> {
    output: W,
    reader: FrameReader<R>,
    word: String,
    compression: Compression,
    round_trips: u32,
}

impl<R: AsyncRead + Unpin, W: AsyncWrite + Unpin> RemoteSession<R, W> {
    /// A session with what runs [`command`]; `idle` bounds every wait for a byte.
    ///
    /// # Errors
    /// The system gives no random numbers.
    pub fn new(input: R, output: W, idle: Duration) -> Result<Self, Error> {
        let word = random_word()?;
        let reader = FrameReader::new(input, &word, idle);
        Ok(Self { output, reader, word, compression: Compression::Raw, round_trips: 0 })
    }

    /// Bytes received so far, noise and frames among them.
    pub fn received(&self) -> u64 {
        self.reader.received()
    }

    /// Questions asked so far.
    pub fn round_trips(&self) -> u32 {
        self.round_trips
    }

    /// Starts the script and has all files below the configured paths listed.
    pub async fn list(&mut self, roots: &[String]) -> Result<Listing, Error> {
        let text = script::opening(&self.word, roots)?;
        self.round_trips += 1;
        let mut response = Response::default();
        let ask = send(&mut self.output, text);
        let answer =
            self.reader.until("O L", |piece| response.take(piece).map_err(Flow::RemoteSession));
        let done: Result<_, Flow<Infallible>> = tokio::try_join!(ask, answer);
        match done {
            Ok(_) => {}
            Err(Flow::RemoteSession(Error::Cut)) if response.abilities.is_none() => {
                response.noise.extend(self.reader.rest());
                return Err(Error::NoAnswer { output: response.noise });
            }
            Err(Flow::RemoteSession(error)) => return Err(error),
        }
        let listing = response.listing()?;
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
        let mut items = Items::new(&self.word);
        let ask = send(&mut self.output, text);
        let answer = self.reader.until("O B", |piece| match piece {
            Piece::Mark(_) => Ok(()),
            Piece::Data(bytes) => inflate.feed(bytes, |plain| items.feed(plain, &mut take)),
        });
        let done: Result<_, Flow<E>> = tokio::try_join!(ask, answer);
        done?;
        if items.whole() { Ok(()) } else { Err(Error::Cut.into()) }
    }
}

pub use error::FetchError;

/// The parts of a listing as they come.
#[derive(Default)]
struct Response {
    noise: Vec<u8>,
    abilities: Option<Abilities>,
    roots: Vec<u8>,
    packed: Option<Inflate>,
    files: Vec<u8>,
}

impl Response {
    fn take(&mut self, piece: Piece<'_>) -> Result<(), Error> {
        match (piece, &mut self.packed) {
            (Piece::Data(bytes), Some(packed)) => {
                let files = &mut self.files;
                packed.feed(bytes, |plain| bounded(files, plain, LISTING)).map_err(Error::unpack)
            }
            (Piece::Data(bytes), None) if self.abilities.is_some() => {
                Ok(bounded(&mut self.roots, bytes, NOISE)?)
            }
            (Piece::Data(bytes), None) => Ok(bounded(&mut self.noise, bytes, NOISE)?),
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

    fn listing(self) -> Result<Listing, Error> {
        let abilities = self.abilities.ok_or(Error::NoAnswer { output: self.noise })?;
        let roots = listing::roots(&self.roots)?;
        Ok(Listing { abilities, roots, files: listing::files(&self.files)? })
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
