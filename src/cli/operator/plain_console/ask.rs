//! What the walk takes from outside: lines, the time, the open logs.

use super::super::{Context, Failure, output, reading};
use crate::collect::Collected;
use crate::store::cache::Archive;
use std::io::{BufRead, Read};

/// Most bytes of a line; what is behind is read as a line of its own.
const LONGEST: u64 = 64 << 10;

/// Asks for a line; `None` at the end of the input.
pub(super) fn line(prompt: &str) -> Result<Option<String>, Failure> {
    output::print(prompt)?;
    let mut bytes = Vec::new();
    let read = std::io::stdin().lock().take(LONGEST).read_until(b'\n', &mut bytes)?;
    if read == 0 {
        // The shell goes on below, not behind the prompt.
        output::print("\n")?;
        return Ok(None);
    }
    Ok(Some(String::from_utf8_lossy(&bytes).trim().to_owned()))
}

pub(super) fn open(context: &Context, collected: &Collected) -> Result<Archive, Failure> {
    let settings = reading::settings(context, &context.config);
    collected.open(&settings, &|_| {}).map_err(reading::cache_failure)
}
