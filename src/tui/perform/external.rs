//! Programs outside: the clipboard, the browser, the editor.

use super::MessageSender;
use super::services::Services;
use super::tools::Clipboard;
use crate::tui::link;
use crate::tui::message::Message;
use crate::tui::model::Problem;
use crate::tui::theme::Theme;
use std::ffi::OsString;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;

/// Most bytes that are sent to a terminal's clipboard; what terminals take, encoded, is less
/// than 75,000.
pub const TERMINAL_MOST: usize = 74_994 / 4 * 3;

/// The message about a text for the terminal's clipboard, by whether it is short enough to be sent.
pub(super) fn sent_to_terminal(what: &str, fits: bool) -> Message {
    if fits {
        return Message::Note(format!(
            "Copied {what} (if nothing pastes, allow OSC 52 in your terminal)"
        ));
    }
    let text = format!("{what} is too long for a terminal's clipboard");
    Message::Failed(Problem::new(text, "open it in the editor instead"))
}

pub(super) fn copy(services: &Services, sender: &MessageSender, what: &str, text: &str) {
    let Clipboard::Program(argv) = &services.external.clipboard else { return };
    let message = match feed(argv, text) {
        Ok(name) => Message::Note(format!("Copied {what}, by {name}")),
        Err(error) => {
            let next = "open it in the editor instead";
            Message::Failed(Problem::new(format!("{what} was not copied: {error}"), next))
        }
    };
    sender.send(message);
}

/// Starts a program and writes a text to it.
fn feed(argv: &[OsString], text: &str) -> std::io::Result<String> {
    let (name, args) = argv.split_first().ok_or(std::io::ErrorKind::NotFound)?;
    let mut child = Command::new(name)
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()?;
    if let Some(mut stdin) = child.stdin.take() {
        stdin.write_all(text.as_bytes())?;
    }
    let status = child.wait()?;
    let name = name.to_string_lossy().into_owned();
    if status.success() {
        Ok(name)
    } else {
        Err(std::io::Error::other(format!("{name}: {status}")))
    }
}

/// Opens the page of a commit. Only hexadecimal digits reach the address.
pub(super) fn open_commit(services: &Services, sender: &MessageSender, commit: &str) {
    let result = address(services, commit).and_then(|url| visit(services, &url).map(|()| url));
    sender.send(match result {
        Ok(url) => Message::Note(format!("opened {url}")),
        Err(problem) => Message::Failed(problem),
    });
}

/// Opens a file of this machine, by the program that opens addresses.
pub(super) fn open_file(services: &Services, sender: &MessageSender, path: &Path) {
    let Some(url) = link::file(path) else { return };
    sender.send(match visit(services, &url) {
        Ok(()) => Message::Note(format!("opened {}", super::export::shortened(services, path))),
        Err(problem) => Message::Failed(problem),
    });
}

fn address(services: &Services, commit: &str) -> Result<String, Problem> {
    let Some(template) = &services.external.commit_url else {
        let next = "set `commit_url = \"https://…/{commit}\"` in the configuration";
        return Err(Problem::new("no commit URL is configured", next));
    };
    link::commit(Some(template.as_str()), commit).ok_or_else(|| {
        let next = match link::is_commit(commit) {
            true => "`commit_url` in the configuration is not an address",
            false => "the record's commit is not a commit id",
        };
        Problem::new("the commit cannot be opened", next)
    })
}

fn visit(services: &Services, url: &str) -> Result<(), Problem> {
    let argv = services.external.browser.as_deref().and_then(|argv| argv.split_first());
    let Some((name, args)) = argv else {
        let next = "set BROWSER to a program that opens an address, or open it by hand";
        return Err(Problem::new(format!("{url} was not opened: no browser was found"), next));
    };
    let shown = name.to_string_lossy();
    let status = Command::new(name)
        .args(args)
        .arg(url)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    let (why, next) = match status {
        Ok(status) if status.success() => return Ok(()),
        Ok(status) => (format!("{shown} ended with {status}"), "open the address by hand"),
        Err(error) => (format!("{shown}: {error}"), "check BROWSER, or open the address by hand"),
    };
    Err(Problem::new(format!("{url} was not opened: {why}"), next))
}

pub(super) fn theme(services: &Services, sender: &MessageSender, name: &str) {
    sender.send(match Theme::load(name, services.external.themes.as_deref()) {
        Ok(theme) => Message::Themed(Arc::new(theme.fit(services.external.depth))),
        Err(error) => Message::Failed(Problem::from_error(&error, "the theme before it stays")),
    });
}
