//! Texts of hexadecimal digits, as commits are: two digits in a byte. Nothing else makes those of hashes shorter.

use super::packed::{self, Texts};
use std::io;

/// Bytes that are looked at before the next ones are: enough for wide operations.
const SOME: usize = 1 << 12;

impl Texts {
    /// Appends texts of which all characters are digits, the letters in lower case; nothing, and `false`, where
    /// some are not.
    pub(super) fn put_digits(&self, out: &mut Vec<u8>) -> bool {
        let whole = self.whole().as_bytes();
        let is_digit = |byte: &u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
        let all_are = |some: &[u8]| some.iter().fold(true, |all, byte| all & is_digit(byte));
        if whole.is_empty() || !whole.chunks(SOME).all(all_are) {
            return false;
        }
        packed::put(self.lengths().into_iter(), out);
        let (pairs, rest) = whole.as_chunks();
        out.extend(pairs.iter().map(pack));
        out.extend(rest.iter().map(|last| pack(&[*last, b'0'])));
        true
    }

    /// Takes as many texts as were put there.
    pub(super) fn take_digits(input: &mut &[u8], count: usize) -> io::Result<Self> {
        let (ends, sum) = Self::take_ends(input, count)?;
        let length = usize::try_from(sum).map_err(|_| packed::damage())?;
        let body = packed::piece(input, length.div_ceil(2))?;
        let mut whole: Vec<u8> = body.iter().copied().flat_map(unpack).collect();
        whole.truncate(length);
        Self::of_parts(ends, sum, whole)
    }
}

fn pack(pair: &[u8; 2]) -> u8 {
    let [high, low] = pair.map(|digit| (digit & 15) + 9 * (digit >> 6));
    high << 4 | low
}

fn unpack(byte: u8) -> [u8; 2] {
    [byte >> 4, byte & 15].map(|digit| digit + if digit > 9 { b'a' - 10 } else { b'0' })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn digits_come_back_in_half_the_bytes(texts in proptest::collection::vec(proptest::option::of("[0-9a-f]{0,41}"), 1..40)) {
            let texts: Texts = texts.iter().map(Option::as_deref).collect();
            let mut bytes = Vec::new();
            let lengths = |bytes: &mut Vec<u8>| packed::put(texts.lengths().into_iter(), bytes);
            if !texts.put_digits(&mut bytes) {
                prop_assert!(texts.whole().is_empty() && bytes.is_empty());
                return Ok(());
            }
            let mut head = Vec::new();
            lengths(&mut head);
            prop_assert_eq!(bytes.len(), head.len() + texts.whole().len().div_ceil(2));
            let mut input = bytes.as_slice();
            let back = Texts::take_digits(&mut input, texts.len()).unwrap();
            prop_assert!(input.is_empty() && back.iter().eq(texts.iter()));
            for end in 0..bytes.len() {
                prop_assert!(Texts::take_digits(&mut &bytes[..end], texts.len()).is_err());
            }
        }

        #[test]
        fn what_is_no_digit_is_left_alone(before in "[0-9a-f]{0,9}", other in "[^0-9a-f]", after in "[0-9a-f]{0,9}") {
            let text = format!("{before}{other}{after}");
            let mut bytes = Vec::new();
            prop_assert!(!Texts::from_iter([Some(text.as_str())]).put_digits(&mut bytes));
            prop_assert!(bytes.is_empty());
        }
    }
}
