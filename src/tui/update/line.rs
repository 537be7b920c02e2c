//! A line of text that is typed, whatever it is for.

use crate::tui::key::{Code, Key};
use tui_input::{Input, InputRequest};

/// Bytes that a typed line may have: as many as a reason, [`crate::overrides::LONGEST_REASON`].
pub(super) const LONGEST: usize = crate::overrides::LONGEST_REASON;

/// Changes the line by a key; returns whether it has another text now.
pub(super) fn press(input: &mut Input, key: Key) -> bool {
    press_within(input, key, LONGEST)
}

/// The same for a line of at most so many bytes.
pub(super) fn press_within(input: &mut Input, key: Key, most: usize) -> bool {
    let Some(request) = request(key) else { return false };
    let full = input.value().len() >= most;
    if full && matches!(request, InputRequest::InsertChar(_)) {
        return false;
    }
    input.handle(request).is_some_and(|changed| changed.value)
}

/// Puts a pasted text into the line, its line ends as blanks; says where not all of it found room.
pub(super) fn paste(input: &mut Input, text: &str) -> Option<String> {
    let room = LONGEST.saturating_sub(input.value().len());
    let cut = text.floor_char_boundary(room.min(text.len()));
    for c in text.get(..cut).unwrap_or_default().chars() {
        let c = if c.is_control() { ' ' } else { c };
        let _ = input.handle(InputRequest::InsertChar(c));
    }
    (cut < text.len()).then(|| format!("only {cut} of {} bytes were pasted", text.len()))
}

/// The same for a text of at most so many bytes whose lines stay lines.
pub(super) fn paste_lines(input: &mut Input, text: &str, most: usize) -> Option<String> {
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    let room = most.saturating_sub(input.value().len());
    let cut = text.floor_char_boundary(room.min(text.len()));
    let clean = |c: char| if c.is_control() && c != '\n' && c != '\t' { ' ' } else { c };
    let pasted: String = text.get(..cut).unwrap_or_default().chars().map(clean).collect();
    let cursor = input.cursor();
    let before = input.value().chars().take(cursor);
    let whole: String =
        before.chain(pasted.chars()).chain(input.value().chars().skip(cursor)).collect();
    *input = Input::new(whole).with_cursor(cursor + pasted.chars().count());
    (cut < text.len()).then(|| format!("only {cut} of {} bytes were pasted", text.len()))
}

/// What a key does to a typed line.
fn request(key: Key) -> Option<InputRequest> {
    use InputRequest::{
        DeleteLine, DeleteNextChar, DeletePrevChar, DeletePrevWord, DeleteTillEnd, GoToEnd,
        GoToNextChar, GoToNextWord, GoToPrevChar, GoToPrevWord, GoToStart, InsertChar,
    };
    if key.alt {
        return None;
    }
    Some(match (key.code, key.ctrl) {
        (Code::Char(c), false) => InsertChar(c),
        (Code::Char('a'), true) | (Code::Home, _) => GoToStart,
        (Code::Char('e'), true) | (Code::End, _) => GoToEnd,
        (Code::Char('u' | 'c'), true) => DeleteLine,
        (Code::Char('k'), true) => DeleteTillEnd,
        (Code::Char('w'), true) => DeletePrevWord,
        (Code::Backspace, _) => DeletePrevChar,
        (Code::Delete, _) => DeleteNextChar,
        (Code::Left, true) => GoToPrevWord,
        (Code::Right, true) => GoToNextWord,
        (Code::Left, false) => GoToPrevChar,
        (Code::Right, false) => GoToNextChar,
        _ => return None,
    })
}
