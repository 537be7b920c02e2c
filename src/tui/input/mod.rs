//! What comes from the terminal and from the system, as values that a test can write down.
//!
//! Bytes are understood here and nowhere else, in two pure steps: [`Decoder`] makes keys and
//! pasted text of them, and [`gather`] distinguishes typing from a burst. The library for events that
//! comes with the terminal backend is not used for reading: its reader cannot be made to let go
//! of the keyboard while an editor has it, spins on a terminal that is gone, takes the answer to
//! a question somebody else asked for typing, and does not say which keys arrived together.

mod decode;
mod escape;
mod gather;
mod mouse;

pub use decode::{Decoder, Token};
pub(super) use gather::characters;
pub use gather::{BURST, gather};
pub use mouse::{Mouse, MouseKind};

use crate::tui::key::Key;
use serde::{Deserialize, Serialize};

/// The longest text that one paste delivers, in bytes.
pub const PASTE_LIMIT: usize = 1 << 20;

/// All that the terminal and the system can report to the console.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Input {
    /// A key was pressed, or repeats while it is held.
    Key(Key),
    /// The mouse was pressed, or its wheel turned.
    Mouse(Mouse),
    /// Text was pasted, or came faster than a hand types. It never counts as actions.
    Paste(Paste),
    /// The terminal has another size now.
    Resize {
        /// Columns, at least 1.
        width: u16,
        /// Rows, at least 1.
        height: u16,
    },
    /// The process was stopped and goes on; the next draw repaints all.
    Resumed,
    /// The terminal is gone: save and end with [`GONE_CODE`].
    Gone,
    /// The system asks to end: save and end with [`Signal::code`].
    Signal(Signal),
    /// A task outside the loop panicked and its report is printed: end with [`PANIC_CODE`].
    Panicked,
}

/// The exit code where the terminal went away: the same as for a hang-up.
pub const GONE_CODE: u8 = 129;

/// The exit code of a bug.
pub const PANIC_CODE: u8 = 101;

impl Input {
    /// The exit code that this input asks for, where it asks to end.
    pub const fn end(&self) -> Option<u8> {
        match self {
            Self::Gone => Some(GONE_CODE),
            Self::Signal(signal) => Some(signal.code()),
            Self::Panicked => Some(PANIC_CODE),
            Self::Key(_)
            | Self::Mouse(_)
            | Self::Paste(_)
            | Self::Resize { .. }
            | Self::Resumed => None,
        }
    }
}

/// Text that was pasted.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Paste {
    /// The text, at most [`PASTE_LIMIT`] bytes. Line ends are `\n`; the rest is as it came, control
    /// characters too.
    pub text: String,
    /// Bytes that were cut off at the end.
    pub cut: u64,
    /// The terminal did not say that this is a paste; it came too fast for typing.
    pub burst: bool,
}

/// A signal that asks the process to end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Signal {
    /// SIGHUP: the terminal hung up.
    HangUp,
    /// SIGINT from outside; ctrl-c in the console is a key.
    Interrupt,
    /// SIGQUIT.
    Quit,
    /// SIGABRT from outside.
    Abort,
    /// SIGALRM.
    Alarm,
    /// SIGTERM; also SIGUSR1 and what else would end the process with the terminal as it is.
    Terminate,
}

impl Signal {
    /// The exit code that says which signal it was: 128 and its number.
    pub const fn code(self) -> u8 {
        match self {
            Self::HangUp => 129,
            Self::Interrupt => 130,
            Self::Quit => 131,
            Self::Abort => 134,
            Self::Alarm => 142,
            Self::Terminate => 143,
        }
    }
}
