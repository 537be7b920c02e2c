//! The streams of a child: what it is given, and what it writes.

use std::io::{Read, Write};
use std::process::Child;
use std::sync::mpsc;
use std::thread;

/// What an empty pipe always takes, even where a user has many.
const PIPE: usize = 4 << 10;

/// Gives a child its input, once, and closes it.
pub(super) fn feed(child: &mut Child, input: Vec<u8>) {
    let Some(mut stdin) = child.stdin.take() else { return };
    let is_short = input.len() <= PIPE;
    // A child that stops reading says why on stderr and in its exit code.
    let write = move || {
        let _ = stdin.write_all(&input);
        drop(stdin);
    };
    if is_short {
        write();
    } else {
        thread::spawn(write);
    }
}

/// What was read of a stream, once it ended.
pub(super) type Drained = mpsc::Receiver<std::io::Result<Vec<u8>>>;

/// What becomes of a stream past the most that is kept.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Rest {
    Close,
    Drop,
}

/// Reads a stream in a thread of its own, keeping at most `most` bytes.
pub(super) fn drain(stream: Option<impl Read + Send + 'static>, most: u64, rest: Rest) -> Drained {
    let (send, receive) = mpsc::channel();
    thread::spawn(move || {
        let mut held = Vec::new();
        let read = match stream {
            None => Ok(0),
            Some(mut stream) => {
                let read = stream.by_ref().take(most).read_to_end(&mut held);
                if rest == Rest::Drop {
                    drop(std::io::copy(&mut stream, &mut std::io::sink()));
                }
                read
            }
        };
        // Nobody listens any more when the call timed out.
        let _ = send.send(read.map(|_| held));
    });
    receive
}

/// What git wrote to stderr, why it failed before all else; where it says that, without its advice.
pub(super) fn reason_first(stderr: &str) -> String {
    let is_reason = |line: &&str| line.starts_with("fatal:") || line.starts_with("error:");
    let (mut lines, mut rest): (Vec<_>, Vec<_>) = stderr.trim_end().lines().partition(is_reason);
    if !lines.is_empty() {
        rest.retain(|line| !line.starts_with("hint:"));
    }
    lines.append(&mut rest);
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reason_of_a_failure_comes_before_advice() {
        let hints = "hint: Support for grafts is deprecated\nhint: and will be removed.\n";
        let reason = "fatal: unable to read tree (aa)\n";
        assert_eq!(reason_first(&format!("{hints}{reason}")), reason.trim_end());
        let both = format!("warning: a\nerror: b\n{hints}fatal: c\n");
        assert_eq!(reason_first(&both), "error: b\nfatal: c\nwarning: a");
        assert_eq!(reason_first(hints), hints.trim_end(), "there is nothing else");
        assert_eq!(reason_first("usage: git\n"), "usage: git");
    }
}
