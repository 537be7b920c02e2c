//! Texts of people that are given by a flag, or on standard input where the flag says `-`: what is an
//! argument can be read by everybody on the machine while the command runs.

use super::{Failure, output};
use std::io::{self, IsTerminal, Read};

/// Most bytes of a reason.
pub(super) const REASON: usize = 4096;
/// Most bytes of a text about a task: what a judge is shown of one.
pub(super) const TASK_TEXT: usize = crate::engine::prompt::Section::MOST_BYTES;

/// The text of a flag; `@FILE` is what the file says. A text that begins with `@` itself is given as a file.
pub(super) fn file_or_text(
    given: Option<&str>,
    flag: &str,
    most: usize,
) -> Result<Option<String>, Failure> {
    let Some(path) = given.and_then(|given| given.strip_prefix('@')) else {
        if given.is_some_and(|text| text.len() > most) {
            return Err(too_long(flag, most));
        }
        return match given {
            Some(text) if text.trim().is_empty() => {
                Err(Failure::usage(format!("the text for `{flag}` is empty")))
            }
            given => Ok(given.map(str::to_owned)),
        };
    };
    // Looked at before it is opened: opening a FIFO would wait for a writer.
    let file = std::fs::metadata(path)
        .and_then(|meta| match meta.is_file() {
            true => std::fs::File::open(path),
            false => Err(io::Error::other("it is not a regular file")),
        })
        .map_err(|source| {
            Failure::local(Unopened { path: path.into(), source })
                .hint(format!("`{flag} @FILE` reads a file, and `{flag} TEXT` is the text itself"))
        })?;
    let mut bytes = Vec::new();
    file.take(most as u64 + 1).read_to_end(&mut bytes)?;
    if bytes.len() > most {
        return Err(too_long(flag, most));
    }
    String::from_utf8(bytes)
        .map(Some)
        .map_err(|_| Failure::usage(format!("the file for `{flag}` is not UTF-8 text")))
}

fn too_long(flag: &str, most: usize) -> Failure {
    Failure::usage(format!("the text for `{flag}` is longer than {most} bytes"))
        .hint("judges are shown no more of it: shorten it, or put it among the files")
}

/// A file that a flag names could not be opened.
#[derive(Debug, thiserror::Error)]
#[error("failed to open {}", path.display())]
struct Unopened {
    path: std::path::PathBuf,
    #[source]
    source: io::Error,
}

/// The text of a flag; `-` is what stands on standard input, up to its end.
pub(super) fn text(
    given: Option<&str>,
    flag: &str,
    most: usize,
) -> Result<Option<String>, Failure> {
    if given != Some("-") {
        return Ok(given.map(str::to_owned));
    }
    let input = io::stdin().lock();
    if input.is_terminal() {
        ask(flag);
    }
    read(input, flag, most).map(Some)
}

fn ask(flag: &str) {
    output::to_stderr(&format!("{flag}: type it here, and end with ctrl-D on a line of its own"));
}

/// Reads a whole text; line ends at its end are left out.
fn read(input: impl Read, flag: &str, most: usize) -> Result<String, Failure> {
    let mut bytes = Vec::new();
    // A line end more than the text may have; what is longer than that is too long whatever it is.
    let limit = most as u64 + 2;
    input.take(limit + 1).read_to_end(&mut bytes).map_err(|source| {
        Failure::local(Unreadable { flag: flag.to_owned(), source })
            .hint("give the text on standard input, such as `… - < reason.txt`")
    })?;
    let text = String::from_utf8(bytes)
        .map_err(|_| Failure::usage(format!("standard input for `{flag} -` is not text")))?;
    let text = text.trim_end_matches(['\n', '\r']);
    if text.trim().is_empty() {
        return Err(Failure::usage(format!("standard input for `{flag} -` is empty"))
            .hint("pass it there, such as `… - < reason.txt`"));
    }
    if text.len() > most {
        return Err(Failure::usage(format!("the text for `{flag} -` is longer than {most} bytes")));
    }
    Ok(text.to_owned())
}

/// Standard input could not be read.
#[derive(Debug, thiserror::Error)]
#[error("failed to read the text for `{flag}` from standard input")]
struct Unreadable {
    flag: String,
    #[source]
    source: io::Error,
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_taken_whole_without_its_last_line_end() {
        assert_eq!(read(&b"two\nlines\r\n"[..], "--note", 20).unwrap(), "two\nlines");
        let most = "x".repeat(20) + "\n";
        assert_eq!(read(most.as_bytes(), "--note", 20).unwrap().len(), 20);
        assert_eq!(text(Some("as it is"), "--note", 3).unwrap().unwrap(), "as it is");
        assert_eq!(text(None, "--note", 3).unwrap(), None);
    }

    #[test]
    fn invalid_utf8_argument_is_rejected() {
        let long = "x".repeat(21);
        for bad in [&b""[..], b" \n\n", b"\xff", long.as_bytes(), &[b'x'; 4000]] {
            assert!(read(bad, "--note", 20).is_err(), "{bad:?}");
        }
    }
}
