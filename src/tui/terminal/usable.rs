//! Whether a console can be drawn at all.

use crate::config::Environment;
use std::io::IsTerminal;

/// Why a console cannot be drawn here; the plain output can.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum UnusableReason {
    /// Keys would come from a file or a pipe.
    #[error("standard input is not a terminal")]
    Input,
    /// The picture would go to a file or a pipe.
    #[error("standard output is not a terminal")]
    Output,
    /// Nothing says what the terminal can do.
    #[error("TERM is not set")]
    Unknown,
    /// The terminal cannot move its cursor.
    #[error("TERM is dumb")]
    Dumb,
}

/// Whether a console can be drawn on the standard input and output.
///
/// # Errors
///
/// The first [`UnusableReason`] that forbids it.
pub fn usable(environment: &Environment) -> Result<(), UnusableReason> {
    if !std::io::stdin().is_terminal() {
        return Err(UnusableReason::Input);
    }
    if !std::io::stdout().is_terminal() {
        return Err(UnusableReason::Output);
    }
    kind(environment.text("TERM").as_deref())
}

fn kind(term: Option<&str>) -> Result<(), UnusableReason> {
    match term {
        None | Some("") => Err(UnusableReason::Unknown),
        Some("dumb") => Err(UnusableReason::Dumb),
        Some(_) => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_terminal_that_cannot_draw_is_not_usable() {
        assert_eq!(kind(None), Err(UnusableReason::Unknown));
        assert_eq!(kind(Some("")), Err(UnusableReason::Unknown));
        assert_eq!(kind(Some("dumb")), Err(UnusableReason::Dumb));
        for term in ["xterm", "xterm-256color", "tmux-256color", "screen", "linux"] {
            assert_eq!(kind(Some(term)), Ok(()));
        }
    }
}
