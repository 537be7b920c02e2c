//! Files of the command line as contents to be judged.

use super::Args;
use crate::cli::Failure;
use crate::judging::{File, Item};
use std::ffi::OsStr;
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

/// Which files are judged.
#[derive(Debug, clap::Args)]
pub(super) struct FileArgs {
    /// Files to judge
    #[arg(required_unless_present = "files_from", value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Judge the files whose paths are in this file, one per line
    #[arg(long, value_name = "FILE")]
    files_from: Option<PathBuf>,
}

impl FileArgs {
    fn paths(&self) -> Result<Vec<PathBuf>, Failure> {
        let mut paths = self.files.clone();
        if let Some(list) = &self.files_from {
            let unread = |source| Failure::local(Unread { path: list.clone(), source });
            paths.extend(listed(&read(list).map_err(unread)?.bytes));
        }
        match paths.is_empty() {
            true => Err(Failure::usage("the file for `--files-from` has no path")
                .hint("write the path of each file to it, one per line")),
            false => Ok(paths),
        }
    }
}

/// The paths in a list: its lines without their ends, which may be those of Windows. Blank lines are none.
fn listed(bytes: &[u8]) -> Vec<PathBuf> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let lines = bytes.split(|byte| *byte == b'\n');
    let lines = lines.map(|line| line.strip_suffix(b"\r").unwrap_or(line));
    let lines = lines.filter(|line| !line.trim_ascii().is_empty());
    lines.map(|line| OsStr::from_bytes(line).into()).collect()
}

/// The files, as one content or each as its own.
pub(super) fn items(args: &Args) -> Result<Vec<Item>, Failure> {
    let paths = args.files.paths()?;
    let files = paths.iter().map(|path| {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_of_a_list_are_its_lines_and_nothing_of_them_is_interpreted() {
        let list = b"\xef\xbb\xbfa.md\r\n\n  \r\n-t\n it's \"b\" $(c).md\n\xff.md\r\nlast";
        let expected: [&[u8]; 5] = [b"a.md", b"-t", b" it's \"b\" $(c).md", b"\xff.md", b"last"];
        assert_eq!(listed(list), expected.map(|path| PathBuf::from(OsStr::from_bytes(path))));
        assert_eq!(listed(b"\r\n \n\t\r\n"), Vec::<PathBuf>::new());
    }
}
