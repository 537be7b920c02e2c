//! The few sequences that are sent besides those of a frame, and how bytes are sent.

use rustix::event::{PollFd, PollFlags};
use rustix::io::Errno;
use std::os::fd::AsFd;

/// Other screen, empty; marks around a paste; no cursor.
pub(super) const ENTER: &[u8] = b"\x1b[?1049h\x1b[0m\x1b[2J\x1b[?2004h\x1b[?25l";

/// All of it back, and what an interrupted frame may have left. A terminal that keeps no title has none
/// then.
pub(super) const LEAVE: &[u8] =
    b"\x1b]2;\x1b\\\x1b[23;2t\x1b[?2026l\x1b[0m\x1b[?1006l\x1b[?1000l\x1b[?2004l\x1b[?25h\x1b[?1049l";

/// Asks the terminal to keep its title. It is asked once before it is given back.
pub(super) const KEEP_TITLE: &[u8] = b"\x1b[22;2t";

/// Back from a program that may have died with its own modes set, on the main screen already.
pub(super) const AFTER_CHILD: &[u8] =
    b"\x1b[0m\x1b[?1006l\x1b[?1003l\x1b[?1002l\x1b[?1000l\x1b[?2004l\x1b[?25h";

/// Presses and the wheel of the mouse are reported, in digits; the terminal selects no text by itself meanwhile.
pub(super) const MOUSE_ON: &[u8] = b"\x1b[?1000h\x1b[?1006h";

/// They are not.
pub(super) const MOUSE_OFF: &[u8] = b"\x1b[?1006l\x1b[?1000l";

/// The terminal shows what follows only when it is whole. Terminals that do not know it ignore it.
pub(super) const FRAME_BEGINS: &[u8] = b"\x1b[?2026h";

/// The frame is whole.
pub(super) const FRAME_ENDS: &[u8] = b"\x1b[?2026l";

/// What names the terminal's window; control characters are not part of a name.
pub(super) fn title(text: &str) -> Vec<u8> {
    let text: String = text.chars().filter(|c| !c.is_control()).collect();
    format!("\x1b]2;{text}\x1b\\").into_bytes()
}

/// Begins a link: cells that follow lead to an address. `None` where that is none that a terminal could be given.
pub(super) fn link(address: &str) -> Option<Vec<u8>> {
    let is_safe = !address.is_empty() && address.bytes().all(|byte| byte.is_ascii_graphic());
    is_safe.then(|| format!("\x1b]8;;{address}\x1b\\").into_bytes())
}

/// Ends a link.
pub(super) const LINK_ENDS: &[u8] = b"\x1b]8;;\x1b\\";

/// Writes all bytes, also where another program left the terminal non-blocking.
pub(super) fn write(fd: impl AsFd, mut bytes: &[u8]) -> Result<(), Errno> {
    while !bytes.is_empty() {
        match rustix::io::write(&fd, bytes) {
            Ok(written) => bytes = &bytes[written..],
            Err(Errno::INTR) => {}
            Err(Errno::AGAIN) => {
                match rustix::event::poll(&mut [PollFd::new(&fd, PollFlags::OUT)], None) {
                    Ok(_) | Err(Errno::INTR) => {}
                    Err(error) => return Err(error),
                }
            }
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_cannot_end_its_sequence() {
        assert_eq!(link("file:///a%20b").as_deref(), Some(&b"\x1b]8;;file:///a%20b\x1b\\"[..]));
        for hostile in ["", "a\x1b\\b", "a\x07b", "a b", "\u{9c}", "ü", "a\nb"] {
            assert_eq!(link(hostile), None, "{hostile:?}");
        }
    }
}
