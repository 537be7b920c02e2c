//! What is known of a line that is completed, and of the place where it would run.

use super::Find;
use super::candidate::{candidates, unquoted};
use super::line::{joined, values_of};
use crate::cli::{Context, Global};
use crate::config::Environment;
use clap_complete::engine::CompletionCandidate;
use std::ffi::{OsStr, OsString};
use std::path::PathBuf;
use std::sync::OnceLock;

/// Shells that quote what they put into a line.
const QUOTING: [&str; 2] = ["zsh", "fish"];

/// The line, and what it would be run with: found out where an argument asks for it.
pub(in crate::cli) struct Known {
    words: Vec<OsString>,
    /// Whether the shell quotes what it puts into the line.
    pub(super) quotes: bool,
    context: OnceLock<Option<Context>>,
}

impl Known {
    pub(super) fn new(shell: &str, words: &[OsString]) -> Self {
        let words = match shell {
            "bash" => joined(words, words.len()).0,
            _ => words.to_vec(),
        };
        Self { words, quotes: QUOTING.contains(&shell), context: OnceLock::new() }
    }

    /// The configuration and the data directory as they are, those of the demo where it was made; `None`
    /// where something is wrong with them.
    pub(in crate::cli) fn context(&self) -> Option<&Context> {
        self.context.get_or_init(|| Context::as_it_is(self.global())).as_ref()
    }

    /// Tells whether a word is on the line.
    pub(in crate::cli) fn has(&self, word: &str) -> bool {
        self.words.iter().any(|given| given == word)
    }

    /// The paths that an option is given.
    pub(in crate::cli) fn paths(&self, option: &str) -> Vec<PathBuf> {
        values_of(&self.words, option).into_iter().map(path).collect()
    }

    fn global(&self) -> Global {
        Global {
            config: self.paths("--config").pop(),
            data_dir: self.paths("--data-dir").pop(),
            demo: cfg!(feature = "console") && self.has("--demo"),
        }
    }

    /// The candidates for an argument.
    pub(super) fn offered(&self, find: Find, typed: &OsStr) -> Vec<CompletionCandidate> {
        let Some(typed) = unquoted(typed) else { return Vec::new() };
        candidates(find(self, typed), typed, self.quotes)
    }
}

/// A path as it was typed; the shell has not put the home in yet.
fn path(word: &OsStr) -> PathBuf {
    let below_home = word.to_str().and_then(|word| word.strip_prefix("~/"));
    let of_home = |below: &str| Some(Environment::of_process().home()?.join(below));
    below_home.and_then(of_home).unwrap_or_else(|| PathBuf::from(word))
}
