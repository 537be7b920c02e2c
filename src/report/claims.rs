//! Claims of escalations, as text.

use crate::domain::review::{Claim, Dated};
use crate::overrides::Claimed;
use crate::text::escape::line as visible;
use std::io::{self, Write};

/// Who claimed it, and since when.
pub fn text(held: &Dated<Claim>) -> String {
    format!("claimed by {} since {}", visible(&held.reviewer), held.time)
}

/// Writes what became of a claim or a release by a reviewer.
///
/// # Errors
/// Those of the writer.
pub fn write(out: &mut dyn Write, done: &Claimed, reviewer: &str) -> io::Result<()> {
    match done {
        Claimed::Saved => writeln!(out, "claimed by {}", visible(reviewer)),
        Claimed::Already(held) | Claimed::Taken(held) => writeln!(out, "already {}", text(held)),
        Claimed::Released(claims) => {
            claims.iter().try_for_each(|held| writeln!(out, "released: {}", text(held)))
        }
        Claimed::Free => writeln!(out, "nobody had claimed it"),
    }
}

/// Writes the claims of a record below it.
///
/// # Errors
/// Those of the writer.
pub fn write_below(out: &mut dyn Write, claims: &[Dated<Claim>]) -> io::Result<()> {
    claims.iter().try_for_each(|held| writeln!(out, "     {}", text(held)))
}
