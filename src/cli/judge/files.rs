//! Files of the command line as contents to be judged.

use super::Args;
use crate::cli::Failure;
use crate::judging::{File, Item};
use std::io::{self, Read};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// Largest file that is read, in bytes. Far less is shown to a judge.
const MOST_BYTES: u64 = 256 << 20;

/// A file that cannot be judged.
#[derive(Debug, thiserror::Error)]
#[error("failed to read {}", path.display())]
struct Unread {
    path: PathBuf,
    #[source]
    source: io::Error,
}

/// The files, as one content or each as its own.
pub(super) fn items(args: &Args) -> Result<Vec<Item>, Failure> {
    let files = args.files.iter().map(|path| {
        read(path).map_err(|source| {
            Failure::local(Unread { path: path.clone(), source })
                .hint("give files; use a shell pattern for those of a directory")
        })
    });
    let files = files.collect::<Result<Vec<File>, Failure>>()?;
    let item = |files: Vec<File>| Item {
        commit: args.commit.clone(),
        author: args.author.clone(),
        files: files.into(),
        ..Item::default()
    };
    Ok(match args.each {
        true => files.into_iter().map(|file| item(vec![file])).collect(),
        false => vec![item(files)],
    })
}

fn read(path: &Path) -> io::Result<File> {
    let other = |what: &str| io::Error::new(io::ErrorKind::InvalidInput, what);
    // Asked before opening: opening a FIFO would wait for a writer.
    let meta = std::fs::metadata(path)?;
    if meta.is_dir() {
        return Err(other("it is a directory"));
    }
    if !meta.is_file() {
        return Err(other("it is not a regular file"));
    }
    if meta.len() > MOST_BYTES {
        return Err(other("it has more than 256 MiB"));
    }
    let mut bytes = Vec::new();
    std::fs::File::open(path)?.take(MOST_BYTES).read_to_end(&mut bytes)?;
    Ok(File { path: path.as_os_str().as_bytes().to_vec(), bytes })
}
