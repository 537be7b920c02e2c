//! Which programs outside there are.

use crate::tui::theme::Depth;
use std::ffi::OsString;
use std::path::PathBuf;

/// How a text gets to the clipboard.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Clipboard {
    /// By a program that reads it: its name and arguments.
    Program(Vec<OsString>),
    /// By the terminal, asked with OSC 52. Whether it did is not known.
    Terminal,
}

/// Programs outside, and what is given to them.
#[derive(Debug, Clone)]
pub struct ExternalTools {
    /// How a text gets to the clipboard.
    pub clipboard: Clipboard,
    /// The editor and its arguments.
    pub editor: Option<Vec<OsString>>,
    /// The program that opens an address.
    pub browser: Option<Vec<OsString>>,
    /// The address of a commit, with `{commit}` in it.
    pub commit_url: Option<String>,
    /// Where the user's themes are.
    pub themes: Option<PathBuf>,
    /// The colours that the terminal has.
    pub depth: Depth,
}
