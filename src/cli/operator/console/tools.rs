//! The programs outside that this machine has: editor, browser, clipboard.

use crate::cli::Context;
use crate::config::Environment;
use crate::tui::theme::Depth;
use crate::tui::{Clipboard, ExternalTools};
use std::ffi::OsString;
use std::path::PathBuf;

/// The programs outside that this machine has.
pub(super) fn outward(context: &Context, themes: Option<PathBuf>, depth: Depth) -> ExternalTools {
    let environment = &context.environment;
    let words = |name: &str| -> Option<Vec<OsString>> {
        let text = environment.text(name)?;
        let words: Vec<OsString> = text.split_whitespace().map(OsString::from).collect();
        (!words.is_empty()).then_some(words)
    };
    let program = |argv: &[&str]| -> Option<Vec<OsString>> {
        let found = on_path(environment, argv.first()?);
        found.then(|| argv.iter().map(OsString::from).collect())
    };
    let editor = words("VISUAL").or_else(|| words("EDITOR")).or_else(|| program(&["vi"]));
    let mac = cfg!(target_os = "macos");
    let browser = words("BROWSER").or_else(|| program(&[if mac { "open" } else { "xdg-open" }]));
    // Over SSH a program here would fill the clipboard of the wrong machine.
    let over_ssh = environment.get("SSH_CONNECTION").is_some();
    let graphic = |name: &str| environment.get(name).is_some();
    let by_program = match over_ssh {
        true => None,
        false if mac => program(&["pbcopy"]),
        false if graphic("WAYLAND_DISPLAY") => program(&["wl-copy"]),
        false if graphic("DISPLAY") => program(&["xclip", "-selection", "clipboard"])
            .or_else(|| program(&["xsel", "--clipboard", "--input"])),
        false => None,
    };
    let clipboard = by_program.map_or(Clipboard::Terminal, Clipboard::Program);
    let commit_url = context.config.console.commit_url.clone();
    ExternalTools { clipboard, editor, browser, commit_url, themes, depth }
}

/// Whether a program is there to be run.
pub(in crate::cli::operator) fn on_path(environment: &Environment, name: &str) -> bool {
    let path = environment.get("PATH").unwrap_or_default();
    std::env::split_paths(path).any(|dir| dir.join(name).is_file())
}
