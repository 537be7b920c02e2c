//! A sentence of an answer is worded in one file: nothing that shows it words it again.

use proc_macro2::{TokenStream, TokenTree};
use std::collections::BTreeMap;

/// From so many words on a text is a sentence.
const WORDS: usize = 5;

/// Sentences of answers that the program may say too, with the reason.
const ALLOWED: [(&str, &str); 0] = [];

/// Sentences of the answers that stand once more in the program, each with both places.
pub(super) fn repeated(answers: &[(String, String)], program: &[(String, String)]) -> Vec<String> {
    let mut known = BTreeMap::new();
    for (path, text) in answers {
        known.extend(sentences(text).into_iter().map(|sentence| (sentence, path.clone())));
    }
    let mut found = Vec::new();
    for (path, text) in program {
        for said in sentences(text) {
            let twice = known.iter().filter(|(sentence, _)| said.contains(sentence.as_str()));
            let twice =
                twice.filter(|(sentence, _)| !ALLOWED.iter().any(|(one, _)| one == sentence));
            found
                .extend(twice.map(|(sentence, answer)| format!("{answer} and {path}: {sentence}")));
        }
    }
    found
}

/// Texts of a file that are sentences, with `{}` for any value in them; those of its tests are none.
fn sentences(text: &str) -> Vec<String> {
    let code: Vec<&str> = text
        .split("#[cfg(test)]\nmod ")
        .next()
        .unwrap_or_default()
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"))
        .collect();
    let stream: TokenStream = code.join("\n").parse().unwrap();
    let mut all = Vec::new();
    literals(stream, &mut all);
    let all = all.iter().map(|literal| normal(literal));
    all.filter(|text| {
        text.split(' ').filter(|w| w.chars().any(char::is_alphabetic)).count() >= WORDS
    })
    .collect()
}

fn literals(stream: TokenStream, out: &mut Vec<String>) {
    for tree in stream {
        match tree {
            TokenTree::Literal(literal) => out.push(literal.to_string()),
            TokenTree::Group(group) => literals(group.stream(), out),
            _ => {}
        }
    }
}

/// A literal without its quotes, line ends and names of values.
fn normal(literal: &str) -> String {
    let inner = literal.trim_start_matches(['b', 'r', '#']).trim_end_matches('#').trim_matches('"');
    let mut text = String::new();
    let mut depth = 0_usize;
    for c in inner.replace("\\\n", " ").chars() {
        depth = if c == '{' { depth + 1 } else { depth };
        if depth == 0 || c == '{' {
            text.push(c);
        }
        if c == '}' && depth > 0 {
            depth -= 1;
            text.push(c);
        }
    }
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn sentence_that_stands_twice_is_found_however_it_is_broken() {
    let file = |path: &str, text: &str| vec![(path.to_owned(), text.to_owned())];
    let answer = file("a.rs", "fn a() -> Text { text!(\"{} of the days wait for labels\", n) }");
    let again = "/// of the days wait for labels\nfn b() -> String { format!(\"Now {done} of the days \\\n    \
                 wait for labels.\") }\n#[cfg(test)]\nmod tests {}";
    assert_eq!(repeated(&answer, &file("b.rs", again)).len(), 1);
    let other = "fn b() -> &'static str { \"none of the days wait\" }";
    assert!(repeated(&answer, &file("b.rs", other)).is_empty());
}
