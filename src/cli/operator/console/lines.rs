//! `foureyes --plain`: the console line by line, on a terminal or with commands from a file or a pipe.

use super::{Args, Begun, appearance, failure, prepare};
use crate::cli::operator::reading::columns;
use crate::cli::{Context, Failure};
use crate::tui::lines::{LineTerminal, run as converse};
use std::fs::File;
use std::io::{self, BufRead, IsTerminal, Read};
use std::os::fd::AsFd;
use std::os::unix::fs::FileTypeExt;
use std::process::ExitCode;

/// Most bytes of a line; what is behind is read as a line of its own.
const LONGEST: u64 = 64 << 10;

/// Where commands come from.
pub(super) enum Source {
    /// A person at a terminal.
    Person,
    /// A file or a pipe, with its first line.
    Script(String),
}

/// Where commands come from; `None` where nobody gives any, so that the console would end at once.
pub(super) fn source() -> Result<Option<Source>, Failure> {
    if io::stdin().is_terminal() {
        return Ok(io::stdout().is_terminal().then_some(Source::Person));
    }
    match has_commands() {
        true => Ok(line()?.map(Source::Script)),
        false => Ok(None),
    }
}

/// Whether the standard input is a file, a pipe or a socket: `/dev/null` is none.
fn has_commands() -> bool {
    let input = io::stdin().as_fd().try_clone_to_owned().map(File::from);
    let kind = input.and_then(|input| input.metadata()).map(|about| about.file_type());
    kind.is_ok_and(|kind| kind.is_file() || kind.is_fifo() || kind.is_socket())
}

/// Reads a line; `None` at the end of the input.
pub(in crate::cli::operator) fn line() -> io::Result<Option<String>> {
    let mut bytes = Vec::new();
    let read = io::stdin().lock().take(LONGEST).read_until(b'\n', &mut bytes)?;
    Ok((read > 0).then(|| String::from_utf8_lossy(&bytes).trim().to_owned()))
}

/// Runs it.
pub(super) fn run(
    context: &Context,
    args: &Args,
    (source, begun): (Source, Begun),
) -> Result<ExitCode, Failure> {
    let dir = appearance::settings_dir(context);
    let (start, services) = prepare(context, args, dir.as_deref(), &begun)?;
    let (prompts, mut first) = match source {
        Source::Person => (true, None),
        Source::Script(first) => (false, Some(first)),
    };
    let mut read = || first.take().map_or_else(line, |first| Ok(Some(first)));
    let mut out = io::BufWriter::with_capacity(1 << 16, io::stdout().lock());
    // Nobody reads lines of a script before they are whole.
    let width = if prompts { columns() } else { usize::MAX };
    let terminal = LineTerminal { read: &mut read, out: &mut out, prompts, width };
    converse(start, services, terminal).map_err(failure)?;
    Ok(ExitCode::SUCCESS)
}
