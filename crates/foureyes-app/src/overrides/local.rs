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
    #[error("failed to append to {}", path.display())]
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::journal::Real;
    use std::fs::{self, File};
    use std::io::Write;
    use std::sync::Mutex;

    /// Notes the steps, and fails at one of them after some bytes.
    #[derive(Debug)]
    struct Watched {
        taken: Mutex<Vec<&'static str>>,
        fails: Option<(&'static str, usize)>,
    }

    impl Watched {
        fn step(&self, step: &'static str) -> io::Result<()> {
            self.taken.lock().unwrap().push(step);
            let fails = self.fails.is_some_and(|(at, _)| at == step);
            if fails { Err(io::Error::other("the step failed")) } else { Ok(()) }
        }
    }

    impl Steps for Watched {
        fn lock(&self, file: &File) -> io::Result<()> {
            self.step("lock")?;
            file.lock()
        }

        fn write(&self, file: &mut File, bytes: &[u8]) -> io::Result<usize> {
            match self.step("write") {
                Ok(()) => file.write(bytes),
                Err(error) => {
                    let most = self.fails.map_or(0, |(_, most)| most.min(bytes.len()));
                    file.write_all(&bytes[..most]).and(Err(error))
                }
            }
        }

        fn sync(&self, file: &File) -> io::Result<()> {
            self.step("sync")?;
            file.sync_all()
        }
    }

    fn request(path: &Path) -> Request {
        let id = "0123456789abcdef".repeat(2);
        let record = format!("{{\"id\":\"{id}\",\"reason\":\"$(x) '🦄\"}}");
        Request { path: path.to_str().unwrap().to_owned(), make: true, record, id }
    }

    #[test]
    fn a_record_is_written_under_the_lock_synced_and_read_back() {
        let dir = tempfile::tempdir().unwrap();
        let request = request(&dir.path().join("new/a.jsonl"));
        let watched = Arc::new(Watched { taken: Mutex::default(), fails: None });
        let done = append(&request, watched.clone()).unwrap();
        assert!(!done.already && !done.repaired && done.others == 0);
        assert_eq!(*watched.taken.lock().unwrap(), ["lock", "write", "sync"]);
        let again = append(&request, watched.clone()).unwrap();
        assert!(again.already);
        assert_eq!(watched.taken.lock().unwrap()[3..], ["lock", "sync"]);
        assert_eq!(fs::read_to_string(&request.path).unwrap(), request.record.clone() + "\n");
    }

    #[test]
    fn a_step_that_fails_confirms_nothing_and_a_retry_ends_with_one() {
        for step in ["lock", "write", "sync"] {
            for most in [0, 1, 20, 60, 1000] {
                let dir = tempfile::tempdir().unwrap();
                let request = request(&dir.path().join("a.jsonl"));
                let before = "{}\n{\"theirs\":";
                fs::write(&request.path, before).unwrap();
                let fails = Some((step, most));
                let watched = Watched { taken: Mutex::default(), fails };
                assert!(append(&request, Arc::new(watched)).is_err(), "{step} {most}");
                let between = fs::read_to_string(&request.path).unwrap();
                assert!(between.starts_with(before));
                append(&request, Arc::new(Real)).unwrap();
                let after = fs::read_to_string(&request.path).unwrap();
                assert!(after.starts_with(&between) && after.ends_with('\n'));
                let ours = after.lines().filter(|line| *line == request.record).count();
                assert_eq!(ours, 1, "{step} {most}: {after}");
            }
        }
    }

    #[test]
    fn non_regular_file_is_rejected() {
        let dir = tempfile::tempdir().unwrap();
        let refusal = |request: &Request| match append(request, Arc::new(Real)) {
            Err(Trouble::Refused { source, .. }) => source,
            other => panic!("{other:?}"),
        };
        assert_eq!(refusal(&request(dir.path())), Refusal::Kind);
        let absent = Request { make: false, ..request(&dir.path().join("none")) };
        assert_eq!(refusal(&absent), Refusal::Missing);
        let link = dir.path().join("link");
        std::os::unix::fs::symlink(dir.path().join("nowhere"), &link).unwrap();
        assert_eq!(refusal(&request(&link)), Refusal::Kind);
    }
}
