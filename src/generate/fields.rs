//! One record as text: keys in their order, values already JSON.

use std::ops::Range;

/// A record under construction; reused, so that a record costs no allocation.
#[derive(Debug, Clone, Default)]
pub(super) struct Fields {
    bytes: Vec<u8>,
    parts: Vec<(&'static str, Range<usize>)>,
}

impl Fields {
    pub(super) fn clear(&mut self) {
        self.bytes.clear();
        self.parts.clear();
    }

    /// Adds a value that `write` writes as JSON.
    pub(super) fn put(&mut self, key: &'static str, write: impl FnOnce(&mut Vec<u8>)) {
        let start = self.bytes.len();
        write(&mut self.bytes);
        self.parts.push((key, start..self.bytes.len()));
    }

    /// Adds a value that is JSON already.
    pub(super) fn raw(&mut self, key: &'static str, json: &str) {
        self.put(key, |out| out.extend_from_slice(json.as_bytes()));
    }

    /// Adds a text.
    pub(super) fn text(&mut self, key: &'static str, text: &str) {
        self.put(key, |out| string(out, text));
    }

    /// Sets the value of a key where it stands, or adds it.
    pub(super) fn set(&mut self, key: &'static str, write: impl FnOnce(&mut Vec<u8>)) {
        let start = self.bytes.len();
        write(&mut self.bytes);
        let range = start..self.bytes.len();
        match self.parts.iter_mut().find(|(k, _)| *k == key) {
            Some(part) => part.1 = range,
            None => self.parts.push((key, range)),
        }
    }

    /// Takes a key away; says whether it was there.
    pub(super) fn remove(&mut self, key: &str) -> bool {
        let before = self.parts.len();
        self.parts.retain(|(k, _)| *k != key);
        self.parts.len() < before
    }

    /// Turns the order of the keys by so many places.
    pub(super) fn turn(&mut self, by: usize) {
        let len = self.parts.len().max(1);
        self.parts.rotate_left(by % len);
    }

    /// The JSON of a value.
    pub(super) fn get(&self, key: &str) -> Option<&[u8]> {
        let (_, range) = self.parts.iter().find(|(k, _)| *k == key)?;
        self.bytes.get(range.clone())
    }

    /// Writes the record on one line, without a newline.
    pub(super) fn compact(&self, out: &mut Vec<u8>) {
        for (i, (key, range)) in self.parts.iter().enumerate() {
            out.push(if i == 0 { b'{' } else { b',' });
            out.push(b'"');
            out.extend_from_slice(key.as_bytes());
            out.extend_from_slice(b"\":");
            out.extend_from_slice(&self.bytes[range.clone()]);
        }
        out.push(b'}');
    }

    /// Writes the record over several lines, as a model indents; gives the number of line breaks.
    pub(super) fn indented(&self, out: &mut Vec<u8>) -> u64 {
        let start = out.len();
        for (i, (key, range)) in self.parts.iter().enumerate() {
            out.extend_from_slice(if i == 0 { b"{\n" } else { b",\n" });
            out.extend_from_slice(format!("  \"{key}\": ").as_bytes());
            let compact = &self.bytes[range.clone()];
            let value: Option<serde_json::Value> = serde_json::from_slice(compact).ok();
            let pretty = value.and_then(|v| serde_json::to_string_pretty(&v).ok());
            match pretty {
                Some(pretty) => out.extend_from_slice(pretty.replace('\n', "\n  ").as_bytes()),
                None => out.extend_from_slice(compact),
            }
        }
        out.extend_from_slice(b"\n}");
        out[start..].iter().filter(|b| **b == b'\n').count() as u64
    }
}

/// Writes a JSON string; control characters come out escaped.
pub(super) fn string(out: &mut Vec<u8>, text: &str) {
    // Writing to memory cannot fail, and every text is a JSON string.
    let _ = serde_json::to_writer(out, text);
}

/// Writes a JSON list.
pub(super) fn list<T>(out: &mut Vec<u8>, items: &[T], mut write: impl FnMut(&mut Vec<u8>, &T)) {
    out.push(b'[');
    for (i, item) in items.iter().enumerate() {
        if i > 0 {
            out.push(b',');
        }
        write(out, item);
    }
    out.push(b']');
}

/// Writes a whole number.
pub(super) fn number(out: &mut Vec<u8>, number: u64) {
    let mut digits = [0; 20];
    let (mut at, mut left) = (digits.len(), number);
    loop {
        at -= 1;
        digits[at] = b'0' + (left % 10) as u8;
        left /= 10;
        if left == 0 {
            break;
        }
    }
    out.extend_from_slice(&digits[at..]);
}

/// Writes bytes of numbers as lower-case hexadecimal digits in quotes.
pub(super) fn hex(out: &mut Vec<u8>, words: &[u64], digits: usize) {
    out.push(b'"');
    let nibbles = words.iter().flat_map(|w| (0..16).rev().map(move |i| (w >> (i * 4)) & 15));
    out.extend(nibbles.take(digits).map(|n| b"0123456789abcdef"[n as usize]));
    out.push(b'"');
}

/// An instant as JSON.
pub(super) fn time(out: &mut Vec<u8>, time: crate::domain::Timestamp) {
    out.extend_from_slice(format!("\"{time}\"").as_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Fields {
        let mut fields = Fields::default();
        fields.text("a", "x\u{1b}\"\n");
        fields.put("b", |out| number(out, 4_294_967_296));
        fields.put("c", |out| list(out, &["p", "q"], |out, text| string(out, text)));
        fields.put("d", |out| hex(out, &[0x0123_4567_89ab_cdef, 1 << 60], 17));
        fields
    }

    #[test]
    fn both_forms_hold_the_same_record() {
        let (mut one, mut many) = (Vec::new(), Vec::new());
        sample().compact(&mut one);
        let breaks = sample().indented(&mut many);
        assert_eq!(breaks, 8);
        let [one, many] = [one, many].map(|t| serde_json::from_slice::<serde_json::Value>(&t));
        let one = one.unwrap();
        assert_eq!(one, many.unwrap());
        assert_eq!(one["b"], 4_294_967_296_u64);
        assert_eq!(one["d"], "0123456789abcdef1");
    }

    #[test]
    fn keys_are_set_removed_and_turned() {
        let mut fields = sample();
        fields.set("a", |out| number(out, 0));
        assert!(fields.remove("c") && !fields.remove("c"));
        fields.turn(1);
        let mut out = Vec::new();
        fields.compact(&mut out);
        let text = String::from_utf8(out).unwrap();
        assert_eq!(text, r#"{"b":4294967296,"d":"0123456789abcdef1","a":0}"#);
        assert_eq!(fields.get("a"), Some(&b"0"[..]));
    }
}
