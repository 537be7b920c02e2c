//! Objects that are asked for one after the other, of one git.

use super::call::Started;
use super::object::header;
use super::streams::{Rest, drain};
use super::{Error, Object};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{ChildStdin, ChildStdout};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;
use std::time::Instant;

/// The longest object that is read whole, in bytes; of a longer one it is the beginning.
const MOST: u64 = 16 << 20;
/// Most bytes of a line before an object.
const MOST_LINE: u64 = 4 << 10;
/// The most of its errors that is held, in bytes.
const MOST_STDERR: u64 = 4 << 10;

/// A `git cat-file --batch` that goes on waiting for names. It ends with this.
#[derive(Debug)]
pub(super) struct Batch {
    git: Started,
    names: Option<ChildStdin>,
    objects: Receiver<io::Result<Option<Object>>>,
}

impl Batch {
    /// Takes one that was started and waits for its input.
    pub(super) fn new(mut git: Started) -> Self {
        let (send, objects) = mpsc::channel();
        if let Some(out) = git.child.stdout.take() {
            thread::spawn(move || give(BufReader::new(out), &send));
        }
        // What it complains of comes with a missing object; an unread pipe would stop it.
        drop(drain(git.child.stderr.take(), MOST_STDERR, Rest::Drop));
        let names = git.child.stdin.take();
        Self { git, names, objects }
    }

    /// An object by its id, or what `ID^{KIND}` stands for; `None` where it is not here.
    ///
    /// # Errors
    /// When git ends before it answers, or is not done in time.
    pub(super) fn object(&mut self, name: &str) -> Result<Option<Object>, Error> {
        let broken = |source| Error::Read { call: "cat-file".to_owned(), source };
        let names = self.names.as_mut().ok_or_else(|| broken(io::ErrorKind::BrokenPipe.into()))?;
        names
            .write_all(format!("{name}\n").as_bytes())
            .and_then(|()| names.flush())
            .map_err(broken)?;
        let left = self.git.deadline.saturating_duration_since(Instant::now());
        match self.objects.recv_timeout(left) {
            Ok(object) => object.map_err(broken),
            Err(mpsc::RecvTimeoutError::Timeout) => Err(self.git.timed_out()),
            Err(mpsc::RecvTimeoutError::Disconnected) => {
                Err(broken(io::ErrorKind::UnexpectedEof.into()))
            }
        }
    }
}

/// Reads object after object until the end, or until nobody takes them.
fn give(mut out: BufReader<ChildStdout>, send: &Sender<io::Result<Option<Object>>>) {
    loop {
        let object = one(&mut out).transpose();
        let Some(object) = object else { return };
        let has_failed = object.is_err();
        if send.send(object).is_err() || has_failed {
            return;
        }
    }
}

/// The next object, `Some(None)` for one that is not there; `None` at the end.
fn one(out: &mut impl BufRead) -> io::Result<Option<Option<Object>>> {
    let mut line = Vec::new();
    out.by_ref().take(MOST_LINE).read_until(b'\n', &mut line)?;
    let Some(line) = line.strip_suffix(b"\n") else { return Ok(None) };
    let Some((kind, size)) = header(line) else { return Ok(Some(None)) };
    let mut bytes = Vec::new();
    out.by_ref().take(size.min(MOST)).read_to_end(&mut bytes)?;
    let rest = (size - size.min(MOST)).saturating_add(1);
    io::copy(&mut out.by_ref().take(rest), &mut io::sink())?;
    if (bytes.len() as u64) < size.min(MOST) {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    Ok(Some(Some(Object { kind, size, bytes })))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn objects_are_told_apart_by_their_sizes() {
        let id = "a".repeat(40);
        let inner = format!("{id} blob 3\n");
        let text = format!(
            "{id} blob {}\n{inner}\n{id} missing\n{id} tree 0\n\n{id} blob 9\ncut",
            inner.len()
        );
        let mut bytes = text.as_bytes();
        let mut next = || one(&mut bytes);
        assert_eq!(next().unwrap().unwrap().unwrap().bytes, inner.as_bytes());
        assert_eq!(next().unwrap(), Some(None));
        assert_eq!(next().unwrap().unwrap().unwrap().size, 0);
        next().unwrap_err();
        assert_eq!(next().unwrap(), None);
    }
}
