//! A generator of dirty logs: clean records of every family, and everything that happens to them.

use super::json::Tree;
use super::writer::{Dice, Layout, other, record, spell};
use foureyes::jsonl::Settings;
use proptest::prelude::*;
use std::fmt;

/// What a writer, a crash or a stranger leaves on a line or a few.
#[derive(Debug, Clone, Copy)]
enum Item {
    Clean,
    Loose,
    Indented,
    Lines,
    Again,
    Other,
    Glued,
    Trailing,
    TornLine,
    TornHead,
    Overlay,
    Array,
    Foreign,
    TwiceKeyed,
    LoneSurrogate,
    BadByte,
    OpenHead,
    Deep,
    Long,
    Blank,
    Padding,
    Noise,
    Soup,
}

const ITEMS: [Item; 31] = [
    Item::Clean,
    Item::Clean,
    Item::Clean,
    Item::Clean,
    Item::Indented,
    Item::Again,
    Item::Again,
    Item::Again,
    Item::Other,
    Item::Loose,
    Item::Indented,
    Item::Lines,
    Item::Again,
    Item::Other,
    Item::Glued,
    Item::Trailing,
    Item::TornLine,
    Item::TornHead,
    Item::Overlay,
    Item::Array,
    Item::Foreign,
    Item::TwiceKeyed,
    Item::LoneSurrogate,
    Item::BadByte,
    Item::OpenHead,
    Item::Deep,
    Item::Long,
    Item::Blank,
    Item::Padding,
    Item::Noise,
    Item::Soup,
];

/// Tokens that make and break objects: the shortest way to the corners of the rules.
pub(super) const TOKENS: [&str; 28] = [
    "{",
    "}",
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    "\n",
    "\n",
    "\r\n",
    " ",
    "\"verdict\":\"GO\"",
    "\"commit\":\"x\"",
    "\"a\":",
    "\"a\":{",
    "\"task_id\":null",
    ",\"timestamp\":1",
    "1",
    "-0.5e3",
    "\"",
    "\\",
    "null",
    "{\"verdict\":\"GO\",\"commit\":\"x\"}",
    "{\"verdict\":\"improve\"}",
    "{\"a\":1}",
    "\u{feff}",
    "\t",
];

const NOISE: [&str; 12] = [
    "# a comment",
    "// {\"verdict\":\"GO\",\"commit\":\"x\"}",
    "garbage",
    "null",
    "\"text\"",
    "-1.5e3",
    "[]",
    "{}",
    "{\"verdict\":NaN,\"commit\":\"x\"}",
    "{'verdict':'GO'}",
    "\u{feff}",
    "Feb 15 sshd[1]: {oops}",
];

struct Log {
    bytes: Vec<u8>,
    written: Vec<Tree>,
    dice: Dice,
}

impl Log {
    fn fresh(&mut self) -> Tree {
        let tree = record(&mut self.dice);
        self.written.push(tree.clone());
        tree
    }

    fn earlier(&mut self) -> Tree {
        match self.dice.below(self.written.len() + 1).checked_sub(1) {
            Some(i) => self.written[i].clone(),
            None => self.fresh(),
        }
    }

    fn spelled(&mut self, layout: Layout) -> Vec<u8> {
        let tree = self.fresh();
        spell(&mut self.dice, &tree, layout)
    }

    fn head(&mut self, layout: Layout) -> Vec<u8> {
        let mut bytes = self.spelled(layout);
        bytes.truncate(1 + self.dice.below(bytes.len() - 1));
        bytes
    }

    fn newline(&mut self) {
        self.bytes.extend_from_slice(self.dice.pick(&["\n", "\n", "\r\n", " \t\n"]).as_bytes());
    }

    fn add(&mut self, item: Item) {
        let bytes = self.item(item);
        self.bytes.extend(bytes);
        self.newline();
    }

    fn item(&mut self, item: Item) -> Vec<u8> {
        match item {
            Item::Clean => self.spelled(Layout::Compact),
            Item::Loose => self.spelled(Layout::Loose),
            Item::Indented => self.spelled(Layout::Indented),
            Item::Lines => self.spelled(Layout::Lines),
            Item::Again => {
                let tree = self.earlier();
                let layout = self.dice.pick(&[Layout::Compact, Layout::Loose, Layout::Lines]);
                spell(&mut self.dice, &tree, layout)
            }
            Item::Other => {
                let tree = self.earlier();
                let tree = other(&mut self.dice, &tree);
                self.written.push(tree.clone());
                spell(&mut self.dice, &tree, Layout::Compact)
            }
            Item::Glued => {
                let layout = self.dice.pick(&[Layout::Compact, Layout::Lines, Layout::Indented]);
                [self.spelled(layout), self.gap(), self.spelled(layout)].concat()
            }
            Item::Trailing => {
                let after =
                    self.dice.pick(&[",", "garbage", "{", "}", "]", " {\"a\":", "\"", "\u{feff}"]);
                [self.spelled(Layout::Compact), self.gap(), after.into()].concat()
            }
            Item::TornLine => self.head(Layout::Compact),
            Item::TornHead => [self.head(Layout::Compact), self.spelled(Layout::Compact)].concat(),
            Item::Overlay => self.overlay(),
            Item::Array => {
                let (a, b) = (self.spelled(Layout::Compact), self.spelled(Layout::Loose));
                let between = self.dice.pick(&[",", ",\n", " , "]);
                [b"[".to_vec(), a, between.into(), b, b"]".to_vec()].concat()
            }
            Item::Foreign => {
                (self.dice.pick(&["{\"level\":\"info\"}", "{\"a\":{\"verdict\":1}}"])).into()
            }
            Item::TwiceKeyed => self.with_field(&[
                "\"verdict\":\"GO\",\"verdict\":\"NO-GO\"",
                "\"x\":{\"a\":1,\"a\":1}",
                "\"x\":[{\"a\":1,\"\\u0061\":2}]",
            ]),
            Item::LoneSurrogate => {
                self.with_field(&["\"x\":\"\\ud800\"", "\"\\udfff\":1", "\"x\":[\"\\ud800\\n\"]"])
            }
            Item::BadByte => self.bad_byte(),
            Item::OpenHead => self.open_head(),
            Item::Deep => self.deep(),
            Item::Long => self.with_field(&[&format!("\"x\":\"{}\"", "long ".repeat(300))]),
            Item::Blank => (self.dice.pick(&["", " ", "\t", "\r", "\n\n"])).into(),
            Item::Padding => vec![0; self.dice.pick(&[1, 2, 3, 8, 100, 5_000])],
            Item::Noise => (self.dice.pick(&NOISE)).into(),
            Item::Soup => {
                (0..self.dice.below(24)).flat_map(|_| self.dice.pick(&TOKENS).bytes()).collect()
            }
        }
    }

    fn gap(&mut self) -> Vec<u8> {
        (self.dice.pick(&["", "", " ", "\t\r", "\0", "\0\0", "\0\0\0"])).into()
    }

    /// A record with a field written by hand in front.
    fn with_field(&mut self, fields: &[&str]) -> Vec<u8> {
        let field = self.dice.pick(fields);
        let rest = self.spelled(Layout::Compact);
        [b"{", field.as_bytes(), b",", &rest[1..]].concat()
    }

    /// A line of which another writer has overwritten a part.
    fn overlay(&mut self) -> Vec<u8> {
        let (mut under, over) = (self.spelled(Layout::Compact), self.spelled(Layout::Compact));
        let at = self.dice.below(under.len());
        let end = (at + over.len()).min(under.len());
        under.splice(at..end, over);
        under
    }

    fn bad_byte(&mut self) -> Vec<u8> {
        let mut bytes = self.spelled(Layout::Loose);
        let at = self.dice.below(bytes.len());
        let bad: &[u8] = self.dice.pick::<&[u8]>(&[
            b"\xff",
            b"\xc3",
            b"\x00",
            b"\x1b",
            b"\xed\xa0\x80",
            b"\xc0\xaf",
        ]);
        bytes.splice(at..at + self.dice.below(2), bad.iter().copied());
        bytes
    }

    /// The first lines of an indented record whose rest never came.
    fn open_head(&mut self) -> Vec<u8> {
        let layout = self.dice.pick(&[Layout::Indented, Layout::Lines]);
        let bytes = self.spelled(layout);
        let ends: Vec<_> =
            bytes.iter().enumerate().filter(|(_, b)| **b == b'\n').map(|(i, _)| i).collect();
        let end = ends.get(self.dice.below(ends.len() + 1)).copied().unwrap_or(bytes.len());
        bytes[..end].to_vec()
    }

    fn deep(&mut self) -> Vec<u8> {
        let levels = self.dice.pick(&[1, 2, 3, 4, 5, 126, 127, 128, 129, 200]);
        let nest = format!("\"x\":{}1{}", "[".repeat(levels), "]".repeat(levels));
        self.with_field(&[&nest])
    }

    /// Damage that follows no plan: bytes lost, doubled, put in, put elsewhere.
    fn damage(&mut self) {
        let len = self.bytes.len();
        let at = self.dice.below(len + 1);
        let end = (at + self.dice.below(40)).min(len);
        match self.dice.below(4) {
            0 => drop(self.bytes.drain(at..end)),
            1 => {
                let copy = self.bytes[at..end].to_vec();
                let to = self.dice.below(len + 1);
                self.bytes.splice(to..to, copy);
            }
            2 => {
                let token = self.dice.pick(&TOKENS).bytes();
                self.bytes.splice(at..at, token);
            }
            _ => {
                let token = self.dice.pick(&TOKENS);
                let end = (at + token.len()).min(len);
                self.bytes.splice(at..end, token.bytes());
            }
        }
    }
}

#[derive(Debug, Clone)]
struct Plan {
    items: Vec<(Item, u64)>,
    bom: bool,
    damage: Vec<u64>,
    cut: Option<u16>,
    line_bytes: Option<usize>,
    depth: usize,
}

fn plan() -> impl Strategy<Value = Plan> {
    let item = (proptest::sample::select(&ITEMS[..]), any::<u64>());
    (
        proptest::collection::vec(item, 0..12),
        prop::bool::weighted(0.2),
        proptest::collection::vec(any::<u64>(), 0..3),
        prop::option::weighted(0.3, any::<u16>()),
        prop::option::weighted(0.2, 60..900_usize),
        prop_oneof![4 => Just(128_usize), 1 => 1..5_usize],
    )
        .prop_map(|(items, bom, damage, cut, line_bytes, depth)| Plan {
            items,
            bom,
            damage,
            cut,
            line_bytes,
            depth,
        })
}

fn log(plan: &Plan) -> (Vec<u8>, Settings) {
    let bytes = if plan.bom { b"\xef\xbb\xbf".to_vec() } else { Vec::new() };
    let mut log = Log { bytes, written: Vec::new(), dice: Dice(0) };
    for (item, seed) in &plan.items {
        log.dice = Dice(*seed);
        log.add(*item);
    }
    for seed in &plan.damage {
        log.dice = Dice(*seed);
        log.damage();
    }
    if let Some(cut) = plan.cut {
        log.bytes.truncate(log.bytes.len() * usize::from(cut) / usize::from(u16::MAX));
    }
    let settings = Settings { depth: plan.depth, ..Settings::default() };
    match plan.line_bytes {
        None => (log.bytes, settings),
        Some(limit) => bounded(log.bytes, limit, settings),
    }
}

/// A bound that no line is within four bytes of, since a BOM or a CR may or may not be counted;
/// and no overlong line that waits for its newline, whose length nobody knows yet.
fn bounded(mut bytes: Vec<u8>, mut limit: usize, settings: Settings) -> (Vec<u8>, Settings) {
    let longest = bytes.split(|b| *b == b'\n').next_back().map_or(0, <[u8]>::len);
    if longest > limit {
        bytes.push(b'\n');
    }
    while bytes.split(|b| *b == b'\n').any(|line| line.len().abs_diff(limit) <= 4) {
        limit += 1;
    }
    (bytes, Settings { line_bytes: limit, ..settings })
}

/// A dirty log and how it is read; shows its bytes where a property fails.
pub(super) struct Case {
    pub(super) bytes: Vec<u8>,
    pub(super) settings: Settings,
}

impl fmt::Debug for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{:?}", self.settings)?;
        self.bytes
            .split_inclusive(|b| *b == b'\n')
            .try_for_each(|l| writeln!(f, "{}", l.escape_ascii()))
    }
}

pub(super) fn case() -> impl Strategy<Value = Case> {
    plan().prop_map(|plan| {
        let (bytes, settings) = log(&plan);
        Case { bytes, settings }
    })
}
