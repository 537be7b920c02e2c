//! Records of every family, and the many ways in which one content can be written.

use super::json::Tree;

/// A small seeded source of choices, so that a case can be repeated.
pub(super) struct Dice(pub(super) u64);

impl Dice {
    /// A number below `n`; SplitMix64.
    pub(super) fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % n as u64) as usize
    }

    pub(super) fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    pub(super) fn pick<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())]
    }
}

/// How a content is put on disk.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Layout {
    /// As the judge system writes it: no white space at all.
    Compact,
    /// One line, white space wherever it may be.
    Loose,
    /// Newlines between tokens as well.
    Lines,
    /// As an indenting writer does it, two spaces a level.
    Indented,
}

pub(super) fn text(text: &str) -> Tree {
    Tree::Text(text.to_owned())
}

pub(super) fn number(raw: &str) -> Tree {
    Tree::Number(raw.to_owned())
}

const TEXTS: [&str; 8] = [
    "clean",
    "```json\n{\"verdict\":\"GO\"}\n```",
    "Timeout after 45 s",
    "proxy unavailable",
    "é😀\u{202e}",
    "\u{1b}[2J\u{7}\u{0}",
    "}{ \\ \" / {\"verdict\":\"GO\",\"commit\":\"x\"}",
    "",
];
const SCORES: [&str; 9] = ["4", "3", "5", "2.5", "0", "7", "-0", "4.33", "101"];
const TIMES: [&str; 5] = [
    "2026-02-15T10:30:00Z",
    "2026-02-15T11:30:00+01:00",
    "2026-02-16 00:00:01",
    "yesterday",
    "2026-02-17T14:30:00.5Z",
];
const PUSH: [&str; 8] =
    ["GO", "NO-GO", "UNDETERMINED", "go", " GO ", "G\u{41e}", "accept", "BLOCK"];
const TASK: [&str; 6] = ["accept", "improve", "reject", "escalate", "GO", "Accept"];
const LADDER: [&str; 5] = [
    "SAFE_TO_COMMIT",
    "SAFE_TO_DEPLOY_AFTER_RUNTIME_CHECK",
    "FIX_FIRST",
    "BLOCK",
    "INSUFFICIENT_EVIDENCE",
];

/// A content of any family, with the looseness that real ones have.
pub(super) fn record(dice: &mut Dice) -> Tree {
    let mut fields = match dice.below(6) {
        0 | 1 => push(dice),
        2 => task(dice, &TASK),
        3 => task(dice, &LADDER),
        4 => bare(dice),
        _ => person(dice),
    };
    scores(dice, &mut fields);
    if dice.one_in(9) && fields.iter().all(|(key, _)| key != "round") {
        fields.push(("round".to_owned(), number("1")));
    }
    if dice.one_in(6) {
        fields.push(("notes".to_owned(), Tree::Array(vec![Tree::Null, Tree::Object(vec![])])));
    }
    // Something missing, as in real logs; never what makes it a record at all.
    if dice.one_in(5) {
        let gone = dice.pick(&["timestamp", "author", "findings", "model", "reasoning", "average"]);
        fields.retain(|(key, _)| key != gone);
    }
    Tree::Object(fields)
}

fn named(fields: Vec<(&str, Tree)>) -> Vec<(String, Tree)> {
    fields.into_iter().map(|(k, v)| (k.to_owned(), v)).collect()
}

fn verdict(dice: &mut Dice, words: &[&str]) -> Tree {
    match dice.below(12) {
        0 => Tree::Null,
        1 => Tree::Array(vec![text("GO")]),
        2 => number("1"),
        _ => text(dice.pick(words)),
    }
}

fn push(dice: &mut Dice) -> Vec<(String, Tree)> {
    let files = (0..dice.below(3)).map(|i| text(&format!("research/{i}.md"))).collect();
    named(vec![
        ("commit", text(dice.pick(&["abc12345", "deadbeef", "0"]))),
        ("timestamp", text(dice.pick(&TIMES))),
        ("author", text("OpenClaw Agent")),
        ("judge_model", text("fastest")),
        ("files_evaluated", Tree::Array(files)),
        ("verdict", verdict(dice, &PUSH)),
        ("findings", text(dice.pick(&TEXTS))),
        ("revision_suggestions", Tree::Array(vec![])),
    ])
}

fn task(dice: &mut Dice, words: &[&str]) -> Vec<(String, Tree)> {
    let earlier = named(vec![("round", number("1")), ("verdict", text("improve"))]);
    let improvement = match dice.below(3) {
        0 => text("say more"),
        _ => Tree::Object(named(vec![("dimension", text("semantic")), ("issue", text("thin"))])),
    };
    named(vec![
        ("task_id", text(dice.pick(&["issue-42", "unknown"]))),
        ("model", text("opencode/gpt-5-nano")),
        ("mode", text("quick")),
        ("verdict", verdict(dice, words)),
        ("average", number(dice.pick(&["4", "4.33"]))),
        ("reasoning", text(dice.pick(&TEXTS))),
        ("improvements", Tree::Array(vec![improvement])),
        ("timestamp", text(dice.pick(&TIMES))),
        ("round", number("2")),
        ("judge_tier", text("deep")),
        ("previous_rounds", Tree::Array(vec![Tree::Object(earlier)])),
    ])
}

/// Neither format's fields: only the word tells the family.
fn bare(dice: &mut Dice) -> Vec<(String, Tree)> {
    let words = dice.pick(&[&PUSH[..], &TASK, &LADDER]);
    named(vec![("verdict", verdict(dice, words)), ("timestamp", text(dice.pick(&TIMES)))])
}

fn person(dice: &mut Dice) -> Vec<(String, Tree)> {
    named(vec![
        ("task_id", text("issue-42")),
        ("model", text("human")),
        ("mode", text("override")),
        ("verdict", text(dice.pick(&["accept", "reject"]))),
        ("timestamp", text(dice.pick(&TIMES))),
        ("human_override", Tree::Bool(true)),
    ])
}

fn scores(dice: &mut Dice, fields: &mut Vec<(String, Tree)>) {
    let mut own: Vec<_> = ["semantic", "pragmatic", "syntactic"]
        .map(|name| (name.to_owned(), score(dice)))
        .into_iter()
        .filter(|_| !dice.one_in(8))
        .collect();
    match dice.below(4) {
        0 => fields.append(&mut own),
        1 => {}
        _ => fields.push(("scores".to_owned(), Tree::Object(own))),
    }
}

fn score(dice: &mut Dice) -> Tree {
    match dice.below(8) {
        0 => text(dice.pick(&SCORES)),
        1 => text(dice.pick(&["NaN", "Infinity", "", "four", " 4 "])),
        2 => Tree::Null,
        _ => number(dice.pick(&SCORES)),
    }
}

/// The same content with one place changed, so that it is another record.
pub(super) fn other(dice: &mut Dice, tree: &Tree) -> Tree {
    let Tree::Object(mut fields) = tree.clone() else { return tree.clone() };
    let (key, changed) =
        dice.pick(&[("notes", "1"), ("notes", "9007199254740993"), ("notes", "0.1")]);
    fields.retain(|(k, _)| k != key);
    fields.push((
        key.to_owned(),
        match dice.below(3) {
            0 => text(changed),
            1 => Tree::Array(vec![number(changed)]),
            _ => number(changed),
        },
    ));
    Tree::Object(fields)
}

/// Writes a content in one of its many spellings: keys in any order, numbers and escapes too.
pub(super) fn spell(dice: &mut Dice, tree: &Tree, layout: Layout) -> Vec<u8> {
    let mut out = String::new();
    write(dice, tree, layout, 0, &mut out);
    out.into_bytes()
}

fn gap(dice: &mut Dice, layout: Layout, level: usize, out: &mut String) {
    match layout {
        Layout::Compact => {}
        Layout::Loose => out.push_str(dice.pick(&["", "", " ", "\t", " \r "])),
        Layout::Lines => out.push_str(dice.pick(&["", "", "\n", " \n\t", "\r\n", "\n\n"])),
        Layout::Indented => {
            out.push('\n');
            (0..level).for_each(|_| out.push_str("  "));
        }
    }
}

fn write(dice: &mut Dice, tree: &Tree, layout: Layout, level: usize, out: &mut String) {
    match tree {
        Tree::Null => out.push_str("null"),
        Tree::Bool(b) => out.push_str(if *b { "true" } else { "false" }),
        Tree::Number(raw) => write_number(dice, raw, out),
        Tree::Text(text) => write_text(dice, text, out),
        Tree::Array(items) => {
            out.push('[');
            for (i, item) in items.iter().enumerate() {
                out.push_str(if i > 0 { "," } else { "" });
                gap(dice, layout, level + 1, out);
                write(dice, item, layout, level + 1, out);
            }
            gap(dice, layout, level, out);
            out.push(']');
        }
        Tree::Object(fields) => {
            let mut order: Vec<_> = fields.iter().collect();
            (1..order.len()).for_each(|i| order.swap(i, dice.below(i + 1)));
            out.push('{');
            for (i, (key, value)) in order.into_iter().enumerate() {
                out.push_str(if i > 0 { "," } else { "" });
                gap(dice, layout, level + 1, out);
                write_text(dice, key, out);
                out.push(':');
                out.push_str(if layout == Layout::Compact { "" } else { " " });
                write(dice, value, layout, level + 1, out);
            }
            gap(dice, layout, level, out);
            out.push('}');
        }
    }
}

fn write_number(dice: &mut Dice, raw: &str, out: &mut String) {
    out.push_str(raw);
    let plain = !raw.contains(['e', 'E']);
    match dice.below(5) {
        0 if plain && !raw.contains('.') => out.push_str(".00"),
        1 if plain => out.push_str("e0"),
        2 if plain && !raw.contains('.') && !raw.ends_with('0') => out.push_str("0E-1"),
        _ => {}
    }
}

fn write_text(dice: &mut Dice, text: &str, out: &mut String) {
    let escape_all = dice.one_in(6);
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' if !escape_all => out.push_str("\\n"),
            '/' if dice.one_in(2) => out.push_str("\\/"),
            c if c < ' ' || escape_all && dice.one_in(2) => {
                let upper = dice.one_in(2);
                for unit in c.encode_utf16(&mut [0; 2]) {
                    let hex =
                        if upper { format!("\\u{unit:04X}") } else { format!("\\u{unit:04x}") };
                    out.push_str(&hex);
                }
            }
            c => out.push(c),
        }
    }
    out.push('"');
}
