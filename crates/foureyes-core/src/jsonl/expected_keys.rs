//! The keys of one value, to be expected of the next.
//!
//! A writer gives its keys in the same order line after line. A key that comes where it was expected is
//! compared with the one before; its end need not be searched for.

use super::scan::{Kind, Node};

/// Bytes of a key that are compared at once.
const HEAD: usize = 16;
/// Keys of a value that are remembered; those behind them are scanned.
const MOST: usize = 256;

/// Keys without an escape in the order in which they come.
#[derive(Debug, Default)]
pub(super) struct ExpectedKeys {
    keys: Vec<Key>,
    /// Their bytes, each with its closing quote.
    bytes: Vec<u8>,
    /// Which one comes next.
    next: usize,
    /// How many keys this value has.
    count: usize,
    /// The first of them: their nodes, and how deep they are.
    seen: Vec<(u32, u32)>,
    /// How many of them did not come where they were expected.
    missed: usize,
    /// Counts the values that were learned from.
    version: u64,
}

#[derive(Debug)]
struct Key {
    /// Its first bytes, and which bits of them are its own.
    head: u128,
    mask: u128,
    /// Where it is in `bytes`.
    start: u32,
    end: u32,
    depth: u32,
}

impl ExpectedKeys {
    /// Begins with another value.
    pub(super) fn begin(&mut self) {
        (self.next, self.missed, self.count) = (0, 0, 0);
        self.seen.clear();
    }

    /// The length of the key that text begins with, without its closing quote, where it is the next one or the
    /// one behind that; notes it as key of that node.
    pub(super) fn take(&mut self, text: &[u8], depth: usize, node: usize) -> Option<usize> {
        self.count += 1;
        if self.count <= MOST {
            self.seen.push((node as u32, depth as u32));
        }
        for (at, key) in self.keys.iter().enumerate().skip(self.next).take(2) {
            if key.depth == depth as u32 && key.begins(text, &self.bytes) {
                self.missed += at - self.next;
                self.next = at + 1;
                return Some((key.end - key.start) as usize - 1);
            }
        }
        self.missed += 1;
        None
    }

    /// Ends a value, whose bytes begin at `base`. Where it was unlike what was expected, the next one is expected
    /// to be like it.
    pub(super) fn end(&mut self, bytes: &[u8], base: usize, nodes: &[Node]) {
        let absent = self.keys.len() - self.next;
        if self.missed + absent <= self.count / 4 && !self.keys.is_empty() {
            return;
        }
        self.keys.clear();
        self.bytes.clear();
        self.version += 1;
        for (node, depth) in &self.seen {
            let node = nodes.get(*node as usize).filter(|node| node.kind == Kind::Plain);
            let text = node.map(|n| base + n.start as usize..base + n.end as usize + 1);
            // What comes after an escaped key is not expected.
            let Some(text) = text.and_then(|place| bytes.get(place)) else { break };
            let start = self.bytes.len() as u32;
            self.bytes.extend_from_slice(text);
            self.keys.push(Key::new(text, start, *depth));
        }
        (self.missed, self.next) = (self.count - self.keys.len(), self.keys.len());
    }

    /// The number of the list of keys, depths included, that the value which ended has; `None` where it has
    /// another one.
    pub(super) fn version(&self) -> Option<u64> {
        (self.missed == 0 && self.next == self.keys.len()).then_some(self.version)
    }
}

impl Key {
    fn new(text: &[u8], start: u32, depth: u32) -> Self {
        let mut head = [0; HEAD];
        let own = text.len().min(HEAD);
        head.iter_mut().zip(text).for_each(|(byte, own)| *byte = *own);
        Self {
            head: u128::from_le_bytes(head),
            mask: u128::MAX >> (8 * (HEAD - own)),
            start,
            end: start + text.len() as u32,
            depth,
        }
    }

    fn begins(&self, text: &[u8], bytes: &[u8]) -> bool {
        let own = self.start as usize..self.end as usize;
        let Some(head) = text.first_chunk() else {
            return bytes.get(own).is_some_and(|own| text.starts_with(own));
        };
        (u128::from_le_bytes(*head) ^ self.head) & self.mask == 0
            && (own.len() <= HEAD
                || bytes.get(own.start + HEAD..own.end) == text.get(HEAD..own.len()))
    }
}

#[cfg(test)]
mod tests {
    use super::super::canonical::{items, members, text};
    use super::super::scan::{Line, Tape};
    use super::*;
    use proptest::prelude::*;

    fn value() -> impl Strategy<Value = String> {
        let leaf = prop_oneof![Just("1".to_owned()), Just("\"a\\n\"".to_owned())];
        // Keys that begin alike, some longer than what is compared at once.
        let key = prop_oneof![
            Just("a"),
            Just("ab"),
            Just("a\\u0062"),
            Just("sixteen_letters_"),
            Just("sixteen_letters_x"),
            Just("sixteen_letters_xy"),
        ];
        leaf.prop_recursive(3, 16, 4, move |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..3)
                    .prop_map(|v| format!("[{}]", v.join(","))),
                prop::collection::vec((key.clone(), inner, any::<bool>()), 0..5).prop_map(|v| {
                    let member = |(key, value, space): (&str, String, bool)| {
                        format!("\"{key}\"{}:{value}", if space { " " } else { "" })
                    };
                    format!("{{{}}}", v.into_iter().map(member).collect::<Vec<_>>().join(","))
                }),
            ]
        })
    }

    /// The keys below a node in their order, and how deep each is.
    fn keys(tape: &Tape, source: &str, node: usize, depth: usize) -> Vec<(String, usize)> {
        let below = |node| keys(tape, source, node, depth + 1);
        match tape.nodes[node].kind {
            Kind::Object => members(tape, node)
                .flat_map(|(key, value)| {
                    let own = text(source, &tape.nodes[key]).into_owned();
                    [vec![(own, depth + 1)], below(value)].concat()
                })
                .collect(),
            Kind::Array => items(tape, node).flat_map(below).collect(),
            _ => Vec::new(),
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(500))]

        /// Whatever came before, a value is scanned as if nothing had; and those of one version have the same keys.
        #[test]
        fn expecting_keys_changes_nothing(values in prop::collection::vec((value(), 0..3_usize), 1..12)) {
            let mut tape = Tape::default();
            let mut versions = std::collections::HashMap::new();
            for (text, cut) in values {
                let bytes = &text.as_bytes()[..text.len() - cut.min(text.len())];
                let mut fresh = Tape::default();
                let line = || Line::at(bytes, 0);
                let alone = fresh.scan(bytes, 0, line(), 128);
                let got = tape.scan(bytes, 0, line(), 128);
                prop_assert_eq!(got, alone);
                if got != Ok(text.len()) {
                    continue;
                }
                prop_assert_eq!(format!("{:?}", tape.nodes), format!("{:?}", fresh.nodes));
                if let Some(version) = tape.keys.version() {
                    let keys = keys(&fresh, &text, 0, 0);
                    prop_assert_eq!(&keys, versions.entry(version).or_insert_with(|| keys.clone()));
                }
            }
        }
    }

    #[test]
    fn same_keys_again_are_the_same_version() {
        let mut tape = Tape::default();
        let mut version = |text: &str| {
            tape.scan(text.as_bytes(), 0, Line::at(text.as_bytes(), 0), 128).unwrap();
            tape.keys.version()
        };
        let first = version(r#"{"a":1,"scores":{"b":2,"c":3},"d":[]}"#);
        assert!(first.is_some());
        assert_eq!(version(r#"{"a":[2],"scores":{"b":2,"c":3},"d":"x"}"#), first);
        // One more, or one less, is no reason to expect others.
        assert_eq!(version(r#"{"a":1,"scores":{"b":2,"c":3},"d":[],"e":1}"#), None);
        assert_eq!(version(r#"{"a":1,"scores":{"b":2},"d":[]}"#), None);
        assert_eq!(version(r#"{"a":1,"scores":{"b":2,"c":3},"d":[]}"#), first);
        // The same keys, elsewhere.
        assert_ne!(version(r#"{"a":1,"scores":{"b":2},"c":3,"d":[]}"#), first);
    }
}
