//! The canonical form of a record's content, and its hash.
//!
//! Keys sorted by their bytes, no white space, texts with the fewest escapes, numbers as
//! significant digits and a power of ten, so that `1`, `1.0` and `10e-1` are one value and
//! `9007199254740993` is not `9007199254740992`.

#[cfg(test)]
use super::scan::Line;
use super::scan::{Kind, Node, Tape};
use std::borrow::Cow;

/// The value of a text node; the escapes were checked by the scanner.
#[inline]
pub(super) fn text<'a>(source: &'a str, node: &Node) -> Cow<'a, str> {
    let raw = source.get(node.start as usize..node.end as usize).unwrap_or_default();
    if node.kind == Kind::Plain { Cow::Borrowed(raw) } else { Cow::Owned(unescape(raw)) }
}

fn unescape(raw: &str) -> String {
    let mut out = String::with_capacity(raw.len());
    let mut rest = raw;
    while let Some(at) = memchr::memchr(b'\\', rest.as_bytes()) {
        let (before, escape) = rest.split_at(at);
        out.push_str(before);
        let (char, taken) = one_escape(escape);
        out.push(char);
        rest = escape.get(taken..).unwrap_or_default();
    }
    out.push_str(rest);
    out
}

/// The character of the escape that `text` begins with, and its length in bytes.
fn one_escape(text: &str) -> (char, usize) {
    let unit = |from: usize| {
        text.get(from + 2..from + 6).and_then(|hex| u32::from_str_radix(hex, 16).ok()).unwrap_or(0)
    };
    let char = match text.as_bytes().get(1) {
        Some(b'b') => '\u{8}',
        Some(b'f') => '\u{c}',
        Some(b'n') => '\n',
        Some(b'r') => '\r',
        Some(b't') => '\t',
        Some(b'u') => {
            let high = unit(0);
            if !(0xD800..0xE000).contains(&high) {
                return (char::from_u32(high).unwrap_or(char::REPLACEMENT_CHARACTER), 6);
            }
            let code = 0x10000 + ((high & 0x3FF) << 10 | unit(6) & 0x3FF);
            return (char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER), 12);
        }
        Some(other) => char::from(*other),
        None => char::REPLACEMENT_CHARACTER,
    };
    (char, 2)
}

/// Members of an object: key node and value node, by index.
pub(super) fn members(tape: &Tape, object: usize) -> impl Iterator<Item = (usize, usize)> + '_ {
    let end = tape.nodes.get(object).map_or(0, |n| n.next as usize);
    let mut at = object + 1;
    std::iter::from_fn(move || {
        if at + 1 >= end {
            return None;
        }
        let pair = (at, at + 1);
        at = tape.nodes.get(at + 1)?.next as usize;
        Some(pair)
    })
}

/// Items of an array, by index.
pub(super) fn items(tape: &Tape, array: usize) -> impl Iterator<Item = usize> + '_ {
    let end = tape.nodes.get(array).map_or(0, |n| n.next as usize);
    let mut at = array + 1;
    std::iter::from_fn(move || {
        let item = at;
        (item < end).then(|| {
            at = tape.nodes.get(item).map_or(end, |n| n.next as usize);
            item
        })
    })
}

/// A key stands twice in one object.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Twice(pub(super) String);

/// Members of objects that are being written: reusable room.
pub(super) type Room = Vec<(u32, u32)>;

/// Appends the canonical form of a value.
pub(super) fn write(
    tape: &Tape,
    source: &str,
    node: usize,
    room: &mut Room,
    out: &mut Vec<u8>,
) -> Result<(), Twice> {
    let Some(n) = tape.nodes.get(node) else { return Ok(()) };
    match n.kind {
        Kind::Object => return write_object(tape, source, node, room, out),
        Kind::Array => {
            out.push(b'[');
            for item in items(tape, node) {
                write(tape, source, item, room, out)?;
                out.push(b',');
            }
            out.push(b']');
        }
        Kind::Plain => {
            // As it stands, with its quotes.
            let (start, end) = (n.start as usize - 1, n.end as usize + 1);
            out.extend_from_slice(source.as_bytes().get(start..end).unwrap_or_default());
        }
        Kind::Escaped => write_text(&text(source, n), out),
        Kind::Number => write_number(raw(source, n), out),
        Kind::True | Kind::False | Kind::Null => out.extend_from_slice(raw(source, n).as_bytes()),
    }
    Ok(())
}

/// Appends a member as it stands, where that is its canonical form; tells whether it is.
pub(super) fn copy_member(source: &str, key: &Node, value: &Node, out: &mut Vec<u8>) -> bool {
    let quote = match value.kind {
        Kind::Plain => 1,
        Kind::Number if is_shortest(raw(source, value)) => 0,
        Kind::True | Kind::False | Kind::Null => 0,
        _ => return false,
    };
    // A closing quote and a colon, and nothing else, stand between key and value.
    if key.kind != Kind::Plain || key.end + 2 + quote != value.start {
        return false;
    }
    let member = key.start as usize - 1..(value.end + quote) as usize;
    out.extend_from_slice(source.as_bytes().get(member).unwrap_or_default());
    true
}

/// The bytes of a node as they stand.
pub(super) fn raw<'a>(source: &'a str, node: &Node) -> &'a str {
    source.get(node.start as usize..node.end as usize).unwrap_or_default()
}

fn write_object(
    tape: &Tape,
    source: &str,
    node: usize,
    room: &mut Room,
    out: &mut Vec<u8>,
) -> Result<(), Twice> {
    let first = room.len();
    room.extend(members(tape, node).map(|(key, value)| (key as u32, value as u32)));
    let own = room.get_mut(first..).unwrap_or_default();
    let node = |at: u32| tape.nodes.get(at as usize);
    let twice = if own.iter().all(|(key, _)| node(*key).is_some_and(|n| n.kind == Kind::Plain)) {
        sort(own, |key| node(key).map_or("", |key| raw(source, key)))
    } else {
        sort(own, |key| node(key).map_or(Cow::Borrowed(""), |key| text(source, key)))
    };
    if let Some(key) = twice.and_then(node) {
        return Err(Twice(text(source, key).into_owned()));
    }
    out.push(b'{');
    for at in first..room.len() {
        let Some((name, value)) = room.get(at).copied() else { break };
        let member = tape.nodes.get(name as usize).zip(tape.nodes.get(value as usize));
        if !member.is_some_and(|(name, value)| copy_member(source, name, value, out)) {
            write(tape, source, name as usize, room, out)?;
            out.push(b':');
            write(tape, source, value as usize, room, out)?;
        }
        out.push(b',');
    }
    room.truncate(first);
    out.push(b'}');
    Ok(())
}

/// Sorts members by their keys; gives a key that stands there twice.
fn sort<K: Ord + AsRef<str>>(members: &mut [(u32, u32)], key: impl Fn(u32) -> K) -> Option<u32> {
    members.sort_unstable_by(|(a, _), (b, _)| {
        let (a, b) = (key(*a), key(*b));
        head(a.as_ref()).cmp(&head(b.as_ref())).then_with(|| a.cmp(&b))
    });
    members.array_windows().find(|[a, b]| key(a.0) == key(b.0)).map(|[a, _]| a.0)
}

/// The first bytes of a text as a number: those of different size are in the order of the texts.
fn head(text: &str) -> u64 {
    let bytes = text.as_bytes();
    bytes.first_chunk().map_or_else(
        || {
            bytes
                .iter()
                .zip((0..8).rev())
                .fold(0, |sum, (byte, at)| sum | u64::from(*byte) << (8 * at))
        },
        |first| u64::from_be_bytes(*first),
    )
}

/// Appends what stands before the value of a member.
pub(super) fn write_key(key: &str, out: &mut Vec<u8>) {
    write_text(key, out);
    out.push(b':');
}

fn write_text(value: &str, out: &mut Vec<u8>) {
    out.push(b'"');
    let mut rest = value.as_bytes();
    while let Some(at) = rest.iter().position(|byte| matches!(byte, b'"' | b'\\' | 0..0x20)) {
        let (before, escaped) = rest.split_at(at);
        out.extend_from_slice(before);
        match escaped.first() {
            Some(byte @ (b'"' | b'\\')) => out.extend_from_slice(&[b'\\', *byte]),
            Some(byte) => out.extend_from_slice(format!("\\u{byte:04x}").as_bytes()),
            None => {}
        }
        rest = escaped.get(1..).unwrap_or_default();
    }
    out.extend_from_slice(rest);
    out.push(b'"');
}

/// Whether a number is written as [`write_number`] does.
fn is_shortest(raw: &str) -> bool {
    raw.bytes().all(|b| b.is_ascii_digit()) && !raw.ends_with('0')
}

/// Appends a number as sign, significant digits and, unless it is 0, `e` and a power of ten.
fn write_number(raw: &str, out: &mut Vec<u8>) {
    if is_shortest(raw) {
        out.extend_from_slice(raw.as_bytes());
        return;
    }
    let (mantissa, exponent) = raw.split_once(['e', 'E']).unwrap_or((raw, "0"));
    let (negative, mantissa) = match mantissa.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, mantissa),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let tail = fraction.trim_end_matches('0');
    let head = if tail.is_empty() { whole.trim_end_matches('0') } else { whole };
    let dropped = whole.len() - head.len();
    let places = tail.len();
    let head = head.trim_start_matches('0');
    let tail = if head.is_empty() { tail.trim_start_matches('0') } else { tail };
    if head.is_empty() && tail.is_empty() {
        out.push(b'0');
        return;
    }
    let Ok(power) = exponent.parse::<i64>() else {
        // Beyond any quantity: two such numbers are equal when they are written alike.
        out.extend_from_slice(raw.as_bytes());
        return;
    };
    let power = i128::from(power) + dropped as i128 - places as i128;
    if negative {
        out.push(b'-');
    }
    out.extend_from_slice(head.as_bytes());
    out.extend_from_slice(tail.as_bytes());
    if power != 0 {
        out.extend_from_slice(format!("e{power}").as_bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn canonical(json: &str) -> String {
        let mut tape = Tape::default();
        let mut out = Vec::new();
        assert_eq!(
            tape.scan(json.as_bytes(), 0, Line::at(json.as_bytes(), 0), 128),
            Ok(json.len())
        );
        write(&tape, json, 0, &mut Room::new(), &mut out).map_or_else(
            |t| format!("twice {}", t.0),
            |()| String::from_utf8_lossy(&out).into_owned(),
        )
    }

    #[test]
    fn numbers_of_one_value_have_one_form() {
        for (form, all) in [
            ("1", &["1", "1.0", "1e0", "10e-1", "0.1E+1"][..]),
            ("0", &["0", "-0", "0.00", "0e5"]),
            ("1e2", &["100", "1e2", "1E+2", "1000e-1"]),
            ("-433e-2", &["-4.33", "-433e-2"]),
            ("9007199254740993", &["9007199254740993"]),
        ] {
            for number in all {
                assert_eq!(canonical(number), form, "{number}");
            }
        }
    }

    #[test]
    fn keys_are_sorted_and_escapes_decoded() {
        assert_eq!(
            canonical(r#"{"b":"\u00e9\/\n","a":[{}]}"#),
            "{\"a\":[{},],\"b\":\"é/\\u000a\",}"
        );
        assert_eq!(canonical(r#"{"a":{"x":1,"\u0078":2}}"#), "twice x");
        assert_eq!(canonical(r#""\ud83d\ude00""#), "\"😀\"");
    }

    fn json() -> impl Strategy<Value = serde_json::Value> {
        let leaf = prop_oneof![
            Just(serde_json::Value::Null),
            any::<bool>().prop_map(Into::into),
            (-1000..1000_i64).prop_map(Into::into),
            (-1000..1000_i64).prop_map(|n| (n as f64 / 10.0).into()),
            "[a-c\"\n\u{e9} ]{0,4}".prop_map(Into::into),
        ];
        leaf.prop_recursive(3, 24, 5, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..4).prop_map(Into::into),
                prop::collection::hash_map("[a-c\"\u{e9}]{0,3}", inner, 0..5).prop_map(|members| {
                    members.into_iter().collect::<serde_json::Map<_, _>>().into()
                }),
            ]
        })
    }

    proptest! {
        #[test]
        fn heads_differ_only_in_the_order_of_the_texts(a in "[a\0é]{0,10}", b in "[a\0é]{0,10}") {
            prop_assert!(head(&a).cmp(&head(&b)).then_with(|| a.cmp(&b)) == a.cmp(&b));
        }

        /// Members are copied as they stand only where nothing stands between key and value.
        #[test]
        fn form_is_the_same_with_and_without_white_space(value in json()) {
            let spaced = serde_json::to_string_pretty(&value).unwrap();
            prop_assert_eq!(canonical(&value.to_string()), canonical(&spaced));
        }
    }
}
