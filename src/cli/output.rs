//! Writing to stdout, where a reader that went away is no failure, and to stderr, where nothing is.

use super::Failure;
use crate::text::CommandLine;
use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether the last line of a terminal on stderr is one that is renewed.
static HAS_STATUS: AtomicBool = AtomicBool::new(false);
/// Moves to the beginning of a line and empties it.
const EMPTY: &str = "\r\x1b[K";

/// Writes to stdout. A broken pipe is success: whoever read had enough.
pub(super) fn print(text: impl AsRef<[u8]>) -> Result<(), Failure> {
    to_stdout(|out| out.write_all(text.as_ref()))
}

/// Lets a writer write to stdout, buffered. A broken pipe is success.
pub(super) fn to_stdout(
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), Failure> {
    let mut out = io::BufWriter::with_capacity(1 << 16, io::stdout().lock());
    pipe(write(&mut out).and_then(|()| out.flush()))
}

/// Writes a line to stderr. Where that cannot be written, as on a full disk, the line is lost and the
/// exit code stays what it is.
pub(super) fn to_stderr(line: &str) {
    let empty = if HAS_STATUS.swap(false, Ordering::Relaxed) { EMPTY } else { "" };
    let _ = writeln!(io::stderr().lock(), "{empty}{line}");
}

/// Renews the last line of a terminal on stderr, until another line is written; an empty text takes it away.
pub(super) fn status(text: &str) {
    let before = HAS_STATUS.swap(!text.is_empty(), Ordering::Relaxed);
    if before || !text.is_empty() {
        let mut err = io::stderr().lock();
        let _ = write!(err, "{EMPTY}{text}").and_then(|()| err.flush());
    }
}

/// Takes a broken pipe for success.
pub(super) fn pipe(result: io::Result<()>) -> Result<(), Failure> {
    match result {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error.into()),
        _ => Ok(()),
    }
}

/// Writes to stderr what failed, why, and what to do; commands in it have the options of the run.
pub(super) fn report(failure: &Failure, command_line: CommandLine) {
    for line in failure.error.to_string().lines() {
        to_stderr(&format!("error: {}", command_line.complete(&visible(line))));
    }
    let mut next = failure.error.source();
    while let Some(cause) = next {
        to_stderr(&format!("  because: {}", visible(&cause.to_string())));
        next = cause.source();
    }
    failure.hints.iter().for_each(|text| hint(text, command_line));
}

/// Writes to stderr what to do; commands in it have the options of the run.
pub(super) fn hint(text: &str, command_line: CommandLine) {
    to_stderr(&format!("  hint: {}", command_line.complete(&visible(text))));
}

/// One line of text from elsewhere, with control and hidden characters visible.
pub(super) fn visible(text: &str) -> String {
    crate::text::escape::line(text).into_owned()
}
