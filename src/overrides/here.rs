//! Appending to a file of this machine, with the guarantees of a box.

use crate::source::append::{Appended, Refusal, Request, Synced};
use crate::store::journal::{Fold, Journal, Steps};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A record that does not stand in a file of this machine.
#[derive(Debug, thiserror::Error)]
pub(super) enum Trouble {
    #[error("{} takes no override", path.display())]
    Refused {
        path: PathBuf,
        #[source]
        source: Refusal,
    },
    #[error("cannot append to {}", path.display())]
    Io {
        path: PathBuf,
        #[source]
        source: io::Error,
    },
}

/// What is looked for while the file is read.
struct Look<'a> {
    request: &'a Request,
    begins: String,
    ours: u64,
    others: u64,
}

impl Fold for Look<'_> {
    fn reset(&mut self) {
        (self.ours, self.others) = (0, 0);
    }

    fn take(&mut self, line: &[u8]) {
        let line = line.strip_suffix(b"\n").unwrap_or(line);
        let record = self.request.record.as_bytes();
        if line == record {
            self.ours += 1;
        } else if line.starts_with(self.begins.as_bytes()) && !record.starts_with(line) {
            self.others += 1;
        }
    }
}

/// Appends a record unless it stands there, and reads back what then does.
pub(super) fn append(request: &Request, steps: Arc<dyn Steps>) -> Result<Appended, Trouble> {
    let path = PathBuf::from(&request.path);
    allow(&path, request.make).map_err(|source| Trouble::Refused { path: path.clone(), source })?;
    let begins = format!("{{\"id\":\"{}\"", request.id);
    let mut look = Look { request, begins, ours: 0, others: 0 };
    let mut journal = Journal::with(path.clone(), steps);
    let mut already = false;
    let done = journal.append(&mut look, |look| {
        already = look.ours > 0;
        let line = if already { String::new() } else { format!("{}\n", request.record) };
        Ok::<_, io::Error>(line)
    });
    match done {
        Err(source) => Err(Trouble::Io { path, source }),
        Ok(_) if look.ours == 0 => Err(Trouble::Refused { path, source: Refusal::NotThere }),
        Ok(done) => Ok(Appended {
            already,
            synced: Synced::File,
            repaired: done.repaired,
            others: look.others,
        }),
    }
}

/// Nothing but a regular file is opened: a pipe would wait for a reader.
fn allow(path: &Path, make: bool) -> Result<(), Refusal> {
    match std::fs::metadata(path) {
        Ok(meta) if meta.is_file() => Ok(()),
        Ok(_) => Err(Refusal::Kind),
        Err(error) if error.kind() == io::ErrorKind::NotFound && make => match path.is_symlink() {
            true => Err(Refusal::Kind),
            false => Ok(()),
        },
        Err(error) if error.kind() == io::ErrorKind::NotFound => Err(Refusal::Missing),
        Err(_) => Err(Refusal::Closed),
    }
}
