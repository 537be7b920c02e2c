//! What a person sees: a frame only once it is whole, as a terminal shows it.

use std::num::NonZero;

const FRAME_BEGINS: &[u8] = b"\x1b[?2026h";
const FRAME_ENDS: &[u8] = b"\x1b[?2026l";

/// A screen on which frames appear at once.
pub(super) struct Frames {
    parser: vt100::Parser,
    /// The beginning of a frame, or of its mark.
    open: Vec<u8>,
}

impl Frames {
    pub(super) fn new(width: u16, height: u16) -> Self {
        Self { parser: vt100::Parser::new(cells(height), cells(width), 0), open: Vec::new() }
    }

    pub(super) fn screen(&self) -> &vt100::Screen {
        self.parser.screen()
    }

    pub(super) fn resize(&mut self, width: u16, height: u16) {
        self.parser.screen_mut().set_size(cells(height), cells(width));
    }

    /// Takes what came of a terminal, in whatever pieces, and shows what is whole.
    pub(super) fn take(&mut self, bytes: &[u8]) {
        self.open.extend_from_slice(bytes);
        let whole = whole(&self.open);
        self.parser.process(&self.open[..whole]);
        self.open.drain(..whole);
    }

    /// Nothing more comes: a frame that broke off is shown as it is.
    pub(super) fn close(&mut self) {
        self.parser.process(&std::mem::take(&mut self.open));
    }
}

/// A screen that is drawn has at least one cell.
fn cells(number: u16) -> NonZero<u16> {
    NonZero::new(number).unwrap_or(NonZero::<u16>::MIN)
}

/// How many bytes are outside of an unfinished frame.
fn whole(bytes: &[u8]) -> usize {
    let mut from = 0;
    while let Some(begin) = memchr::memmem::find(&bytes[from..], FRAME_BEGINS) {
        let begin = from + begin;
        let Some(end) = memchr::memmem::find(&bytes[begin..], FRAME_ENDS) else { return begin };
        from = begin + end + FRAME_ENDS.len();
    }
    let rest = &bytes[from..];
    let mark = (1..FRAME_BEGINS.len()).rev().find(|n| rest.ends_with(&FRAME_BEGINS[..*n]));
    bytes.len() - mark.unwrap_or(0)
}

#[test]
fn no_frame_is_seen_in_part_wherever_it_is_cut() {
    let bytes = b"before\x1b[?2026h\x1b[Hone\x1b[?2026l\x1b[?2026h\x1b[Htwo\x1b[?2026lafter";
    let seen = ["", "b", "be", "bef", "befo", "befor", "before", "oneore", "twoore"];
    for size in [1, 2, 3, 7, 11, 19] {
        let mut frames = Frames::new(40, 4);
        for piece in bytes.chunks(size) {
            frames.take(piece);
            let text = frames.screen().contents();
            assert!(seen.contains(&text.as_str()) || text.starts_with("twoa"), "{size}: {text}");
        }
        assert_eq!(frames.screen().contents(), "twoafter");
    }
    let mut frames = Frames::new(40, 4);
    frames.take(b"\x1b[?2026hbroken");
    assert_eq!(frames.screen().contents(), "");
    frames.close();
    assert_eq!(frames.screen().contents(), "broken");
}
