//! A document for a context that has room for so many characters.

use super::{Document, Entry, LeftOut};
use crate::text::room::{beginning, utf16};

/// Characters of a reason that would fill the document; stderr has all of it.
const MOST_REASON: usize = 60;

impl Document {
    /// Shortens it to so many characters, at least 1,000: memories that do not fit are left out whole and named, and
    /// the text of the best is cut where it fills the document by itself. Returns the places of those that
    /// are left out.
    pub(in crate::cli::memories) fn shorten(&mut self, most: usize, json: bool) -> Vec<usize> {
        if self.is_within(most, json) {
            return Vec::new();
        }
        let all = std::mem::take(&mut self.memories);
        if !self.is_within(most / 2, json) {
            self.error = self.error.take().map(|why| why.chars().take(MOST_REASON).collect());
        }
        // The longest that the number can be, and room for names.
        self.left_out = Some(LeftOut { count: all.len(), memories: Vec::new() });
        let room = most - most / 8;
        let mut left_out = Vec::new();
        for (place, entry) in all.iter().enumerate() {
            let taken = self.take(entry, room, json) || (place == 0 && self.cut(entry, room, json));
            if !taken {
                left_out.push(place);
            }
        }
        let names = left_out.iter().filter_map(|place| all.get(*place));
        self.name(names.map(|entry| entry.memory.clone()).collect(), most, json);
        left_out
    }

    fn is_within(&self, most: usize, json: bool) -> bool {
        // What is longer by far is not escaped for nothing.
        let texts: usize = self.memories.iter().map(|entry| entry.body.len()).sum();
        texts / 4 <= most && self.written(json).is_ok_and(|text| utf16(&text) <= most)
    }

    /// Takes a memory whole, if there is room for it.
    fn take(&mut self, entry: &Entry, room: usize, json: bool) -> bool {
        self.memories.push(entry.clone());
        let fits = self.is_within(room, json);
        if !fits {
            self.memories.pop();
        }
        fits
    }

    /// Takes the beginning of one that has no other beside it.
    fn cut(&mut self, entry: &Entry, room: usize, json: bool) -> bool {
        let with = |part: &str| Entry { body: part.to_owned(), cut: true, ..entry.clone() };
        let fits = |part: &str| {
            let alone = Self { memories: vec![with(part)], ..self.clone() };
            alone.is_within(room, json)
        };
        let part = beginning(&entry.body, room, fits);
        !part.is_empty() && self.take(&with(part), room, json)
    }

    /// Names what is left out, as far as there is room.
    fn name(&mut self, names: Vec<String>, most: usize, json: bool) {
        let count = names.len();
        self.left_out = (count > 0).then(|| LeftOut { count, memories: Vec::new() });
        for name in names {
            let Some(left_out) = &mut self.left_out else { return };
            left_out.memories.push(name);
            if !self.is_within(most, json) {
                self.left_out.iter_mut().for_each(|one| drop(one.memories.pop()));
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::record::PickChoice;

    fn entry(place: usize, body: String) -> Entry {
        Entry {
            memory: format!("notes/{place}.md"),
            title: Some("A title".to_owned()),
            category: None,
            tags: Vec::new(),
            rank: place as u32 + 1,
            score: 1.0,
            body,
            cut: false,
        }
    }

    fn document(bodies: Vec<String>) -> Document {
        Document {
            schema: "foureyes/memories/1",
            pick: "0123456789abcdef".to_owned(),
            choice: PickChoice::Unjudged,
            fallback: None,
            error: None,
            memories: bodies.into_iter().enumerate().map(|(at, body)| entry(at, body)).collect(),
            left_out: None,
        }
    }

    #[test]
    fn what_does_not_fit_is_left_out_whole_and_named() {
        for json in [true, false] {
            let body = |length: usize| "z".repeat(length);
            let mut document = document(vec![body(3_000), body(9_000), body(500)]);
            assert_eq!(document.shorten(9_500, json), [1]);
            assert!(!document.memories.iter().any(|entry| entry.cut));
            let text = document.written(json).unwrap();
            assert!(text.contains("notes/1.md") && utf16(&text) <= 9_500, "{text}");
            assert!(document.shorten(9_500, json).is_empty(), "it fits now");
        }
    }

    #[test]
    fn reason_and_names_that_would_fill_it_are_cut() {
        for json in [true, false] {
            let mut document = document(vec!["z".repeat(3_000); 20]);
            document.error = Some("\u{202e}".repeat(500));
            document.memories.iter_mut().for_each(|entry| entry.memory = "\u{202e}".repeat(2_000));
            let left_out = document.shorten(1_000, json);
            let text = document.written(json).unwrap();
            assert!(utf16(&text) <= 1_000, "{}", utf16(&text));
            assert_eq!(document.left_out.unwrap().count, left_out.len());
        }
    }

    proptest::proptest! {
        #![proptest_config(proptest::test_runner::Config::with_cases(32))]
        #[test]
        fn no_combination_of_sizes_breaks_the_bound(
            bodies in proptest::collection::vec(
                (0_usize..4_000, proptest::sample::select(&["a", "\"", "\n", "\u{1f980}", "\u{200b}"][..])),
                1..8,
            ),
            most in 1_000_usize..12_000,
            json in proptest::bool::ANY,
        ) {
            let bodies: Vec<String> =
                bodies.into_iter().map(|(length, sign)| sign.repeat(length)).collect();
            let count = bodies.len();
            let mut document = document(bodies);
            let left_out = document.shorten(most, json);
            proptest::prop_assert!(utf16(&document.written(json).unwrap()) <= most);
            proptest::prop_assert_eq!(document.memories.len() + left_out.len(), count);
            proptest::prop_assert!(!left_out.contains(&0));
        }
    }
}
