//! What an agent passes to its hook on standard input. Nothing depends on it but whether it is about an end:
//! what cannot be read says nothing.

use crate::cli::output;
use serde::Deserialize;
use std::io::{self, IsTerminal, Read};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

/// Most bytes that are read: the document may hold the agent's last message.
const MOST_BYTES: u64 = 16 << 20;
/// How long it is waited for: an agent passes it at once, and others may leave their standard input open.
const PATIENCE: Duration = Duration::from_secs(2);
/// Events at which exit code 2 makes the agent go on with its work. At others it would forbid something else.
const ENDS: [&str; 3] = ["Stop", "SubagentStop", "TaskCompleted"];

#[derive(Debug, Default, Deserialize)]
struct Event {
    hook_event_name: Option<String>,
}

/// The name of the event, where it is given and is not the end of the agent's work.
pub(super) fn other_than_an_end() -> Option<String> {
    other(&input())
}

fn input() -> Vec<u8> {
    if io::stdin().is_terminal() {
        return Vec::new();
    }
    let (send, receive) = mpsc::channel();
    let read = move || {
        let mut bytes = Vec::new();
        let _ = io::stdin().lock().take(MOST_BYTES).read_to_end(&mut bytes);
        let _ = send.send(bytes);
    };
    // A thread of its own: a read that waits cannot be ended.
    match thread::Builder::new().spawn(read) {
        Ok(_) => receive.recv_timeout(PATIENCE).unwrap_or_default(),
        Err(_) => Vec::new(),
    }
}

fn other(input: &[u8]) -> Option<String> {
    let event: Event = serde_json::from_slice(input).unwrap_or_default();
    let name = event.hook_event_name?;
    (!ENDS.contains(&name.as_str())).then(|| output::visible(&name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_an_event_that_is_named_and_is_no_end_is_another() {
        let stop =
            r#"{"session_id":"a","cwd":"/p","hook_event_name":"Stop","stop_hook_active":true}"#;
        for nothing in [
            stop,
            "",
            "{}",
            "[1]",
            "null",
            "{\"hook_event_name\":",
            "{\"hook_event_name\":7}",
            "\u{0}",
        ] {
            assert_eq!(other(nothing.as_bytes()), None, "{nothing}");
        }
        assert_eq!(other(b"\xff\xfe"), None);
        let tool = r#"{"hook_event_name":"PreToolUse\u001b[2J","tool_name":"Bash"}"#;
        let name = other(tool.as_bytes()).unwrap_or_default();
        assert!(name.starts_with("PreToolUse") && !name.contains('\u{1b}'), "{name}");
    }
}
