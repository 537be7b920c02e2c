//! The matcher beside one that is slow and plain.

use super::*;
use proptest::prelude::*;
use std::ops::Range;

/// Every place at which a term is, letter by letter, by the same rules.
fn plain(terms: &[String], text: &str) -> Vec<Range<usize>> {
    let words = |c: char| c.is_alphanumeric() || c == '_';
    let joined = |a: Option<char>, b: Option<char>| {
        a.zip(b).is_some_and(|(a, b)| b == '\u{301}' || (words(a) && words(b)))
    };
    let mut all = Vec::new();
    let starts: Vec<_> = text.char_indices().map(|(i, _)| i).chain([text.len()]).collect();
    for start in &starts {
        for end in starts.iter().filter(|end| *end > start) {
            let part: Vec<_> = text[*start..*end].split_whitespace().collect();
            let edges = text[*start..*end].trim() == &text[*start..*end];
            let is = |term: &String| term.to_lowercase() == part.join(" ").to_lowercase();
            let first = text[*start..].chars().next();
            let last = text[..*end].chars().next_back();
            let outer = (text[..*start].chars().next_back(), text[*end..].chars().next());
            if edges && terms.iter().any(is) && !joined(outer.0, first) && !joined(last, outer.1) {
                all.push(*start..*end);
            }
        }
    }
    let within =
        |a: &Range<usize>, b: &Range<usize>| a != b && b.start <= a.start && a.end <= b.end;
    let longest = |span: &&Range<usize>| !all.iter().any(|other| within(span, other));
    all.iter().filter(longest).cloned().collect()
}

/// Short texts of few letters, so that terms meet.
fn text(most: usize) -> impl Strategy<Value = String> {
    let letter = prop::sample::select(vec!['a', 'B', 'b', 'é', 'É', '_', '.', ' ', '\n', '—', '1']);
    prop::collection::vec(letter, 1..most).prop_map(String::from_iter)
}

proptest! {
    #[test]
    fn it_finds_what_a_plain_one_finds(terms in prop::collection::vec(text(5), 1..6), text in text(24)) {
        let lines: String = terms.iter().map(|t| format!("synonyms:: {}\n", t.replace('\n', " "))).collect();
        let source = format!("# own\n{lines}");
        let (thesaurus, _) = Thesaurus::new(&[Source { name: "own.md", bytes: source.as_bytes() }]);
        let kept: Vec<_> = thesaurus.terms().iter().map(|term| term.text.clone()).collect();
        let found: Vec<_> = thesaurus.find(&text).into_iter().map(|found| found.span).collect();
        prop_assert_eq!(found, plain(&kept, &text));
    }

    #[test]
    fn any_text_gives_whole_characters_in_order(text in any::<String>()) {
        let thesaurus = of("a, b, ü, 1, a b");
        let mut before = 0;
        for found in thesaurus.find(&text) {
            prop_assert!(text.get(found.span.clone()).is_some_and(|part| !part.is_empty()));
            prop_assert!(found.span.start >= before);
            before = found.span.start;
        }
    }

    #[test]
    fn any_bytes_are_a_file(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let (_, problems) = Thesaurus::new(&[Source { name: "own.md", bytes: &bytes }]);
        prop_assert!(problems.iter().all(|p| p.position.line >= 1 && p.position.column >= 1));
    }
}
