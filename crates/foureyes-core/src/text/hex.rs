//! Bytes as hexadecimal digits.

/// The digits of bytes, in small letters.
pub fn encode(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The bytes of digits in any case; `None` where they are not all digits, two to a byte.
pub fn decode(digits: &str) -> Option<Vec<u8>> {
    let digit = |byte: &u8| char::from(*byte).to_digit(16);
    let pair = |pair: &[u8]| match pair {
        [high, low] => u8::try_from(digit(high)? << 4 | digit(low)?).ok(),
        _ => None,
    };
    digits.as_bytes().chunks(2).map(pair).collect()
}

#[cfg(test)]
mod tests {
    use super::{decode, encode};

    #[test]
    fn digits_round_trip_and_anything_else_is_none() {
        let all: Vec<u8> = (0..=255).collect();
        assert_eq!(decode(&encode(&all)), Some(all));
        assert_eq!(decode("aB0f"), Some(vec![0xab, 0x0f]));
        for wrong in ["a", "abc", "0x", "-1", "é"] {
            assert_eq!(decode(wrong), None, "{wrong}");
        }
    }
}
