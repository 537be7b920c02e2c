//! The mouse: presses of its left button, and its wheel. Moving it is not asked for.

use serde::{Deserialize, Serialize};

/// What the mouse did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum MouseKind {
    /// The left button was pressed, with no key held.
    Press,
    /// The wheel was turned away from the person.
    WheelUp,
    /// The wheel was turned towards the person.
    WheelDown,
}

/// What the mouse did, and where.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mouse {
    /// What it did.
    pub kind: MouseKind,
    /// The column, from 0.
    pub x: u16,
    /// The row, from 0.
    pub y: u16,
}

/// Reads the parameters of a report, `<0;12;3`; `None` for a button let go, another one, or one with a key held.
pub(super) fn report(parameters: &[u8], last: u8) -> Option<Mouse> {
    let text = std::str::from_utf8(parameters).ok()?.strip_prefix('<')?;
    let mut numbers = text.split(';').map(|number| number.parse::<u16>().ok());
    let (Some(Some(button)), Some(Some(x)), Some(Some(y)), None) =
        (numbers.next(), numbers.next(), numbers.next(), numbers.next())
    else {
        return None;
    };
    let kind = match (button, last) {
        (0, b'M') => MouseKind::Press,
        (64, b'M') => MouseKind::WheelUp,
        (65, b'M') => MouseKind::WheelDown,
        _ => return None,
    };
    // The first column is 1; nothing is at 0.
    Some(Mouse { kind, x: x.checked_sub(1)?, y: y.checked_sub(1)? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn left_button_and_wheel_are_read_and_nothing_else() {
        let at = |kind| Some(Mouse { kind, x: 11, y: 2 });
        assert_eq!(report(b"<0;12;3", b'M'), at(MouseKind::Press));
        assert_eq!(report(b"<64;12;3", b'M'), at(MouseKind::WheelUp));
        assert_eq!(report(b"<65;12;3", b'M'), at(MouseKind::WheelDown));
        for (parameters, last) in [
            ("<0;12;3", b'm'),
            ("<2;12;3", b'M'),
            ("<4;12;3", b'M'),
            ("<35;12;3", b'M'),
            ("<0;0;3", b'M'),
            ("<0;12", b'M'),
            ("<0;12;3;4", b'M'),
            ("<0;99999;3", b'M'),
            ("0;12;3", b'M'),
            ("<;;", b'M'),
        ] {
            assert_eq!(report(parameters.as_bytes(), last), None, "{parameters}");
        }
    }
}
