//! Terms found in texts, files read, and judgements enriched.

mod enrichment;
mod files;
mod peer;
mod sentences;

use super::*;
use crate::domain::Dimension;
use sentences::SENTENCES;

/// A vocabulary of one file.
fn of(synonyms: &str) -> Vocabulary {
    let text = format!("# own\nsynonyms:: {synonyms}\n");
    let (vocabulary, problems) =
        Vocabulary::new(&[Source { name: "own.md", bytes: text.as_bytes() }]);
    assert_eq!(problems, [], "{synonyms}");
    vocabulary
}

/// The parts of a text that are found.
fn parts<'t>(vocabulary: &Vocabulary, text: &'t str) -> Vec<&'t str> {
    vocabulary.find(text).into_iter().map(|found| &text[found.span]).collect()
}

#[test]
fn every_listed_term_is_found_in_its_own_sentence() {
    let vocabulary = Vocabulary::built_in();
    let terms: Vec<_> = vocabulary.terms().iter().map(|term| term.text.as_str()).collect();
    let listed: Vec<_> = SENTENCES.iter().map(|(term, _)| *term).collect();
    assert_eq!(terms, listed);
    for (term, sentence) in SENTENCES {
        let found: Vec<_> =
            vocabulary.find(sentence).into_iter().map(|found| found.term.text.as_str()).collect();
        assert!(found.contains(&term), "{term}: {sentence}: {found:?}");
    }
}

#[test]
fn the_files_have_the_numbers_of_terms_that_are_documented() {
    let (vocabulary, problems) = Vocabulary::new(&built_in::sources());
    assert_eq!(problems, []);
    let count = |normalized: &str| {
        vocabulary.terms().iter().filter(|term| term.normalized == normalized).count()
    };
    let counts = ["semantic", "pragmatic", "syntactic", "verdict", "ladder"].map(count);
    assert_eq!(counts, [14, 15, 15, 11, 10]);
    let topics = |topic| vocabulary.terms().iter().filter(|term| term.topic == topic).count();
    assert_eq!([topics(Topic::Verdict), topics(Topic::Checklist)], [21, 11]);
    assert_eq!(vocabulary.terms().len(), 76);
}

#[test]
fn factual_correctness_and_actionability_are_two_dimensions() {
    let named = Vocabulary::built_in().dimensions("factual correctness and actionability");
    assert_eq!(named.iter().collect::<Vec<_>>(), [Dimension::Semantic, Dimension::Pragmatic]);
    assert!(Vocabulary::built_in().dimensions("nothing of the kind").is_empty());
}

#[test]
fn a_shorter_term_is_found_where_the_longer_one_is_no_word() {
    let vocabulary = of("data, data base");
    assert_eq!(parts(&vocabulary, "two data bases"), ["data"]);
    assert_eq!(parts(&vocabulary, "one data base"), ["data base"]);
}

#[test]
fn words_end_where_unicode_ends_them() {
    let vocabulary = of("SLA, C++");
    for no in ["slate", "SLAs", "SLA_x", "x_SLA", "SLA2", "ÉSLA", "SLAé", "SLA\u{301}", "ωSLA"] {
        assert_eq!(parts(&vocabulary, no), [""; 0], "{no}");
    }
    for yes in ["SLA", "(sla)", "SLA's", "an SLA.", "—SLA—", "\u{feff}Sla\u{a0}"] {
        assert_eq!(parts(&vocabulary, yes).len(), 1, "{yes}");
    }
    assert_eq!(parts(&vocabulary, "C++11 and c++, not C+"), ["C++", "c++"]);
    // Ideographs have nothing between their words.
    assert_eq!(parts(&of("语法"), "这里有语法错误"), ["语法"]);
}

#[test]
fn case_is_ignored_by_unicode() {
    let vocabulary = of("straße, ÉTAT, ὀδυσσεύς, kelvin");
    assert_eq!(parts(&vocabulary, "die STRASSE"), ["STRASSE"]);
    assert_eq!(parts(&vocabulary, "l'état"), ["état"]);
    assert_eq!(parts(&vocabulary, "ὈΔΥΣΣΕΎΣ"), ["ὈΔΥΣΣΕΎΣ"]);
    assert_eq!(parts(&vocabulary, "\u{212a}elvin"), ["\u{212a}elvin"]);
    assert_eq!(parts(&of("iki"), "ıkı İKİ"), [""; 0]);
}

#[test]
fn composed_and_decomposed_letters_are_the_same() {
    for (term, text) in [("café", "un cafe\u{301}!"), ("cafe\u{301}", "un café!")] {
        let found = parts(&of(term), text);
        assert_eq!(found.len(), 1, "{term}");
        assert!(text.contains(&format!("un {}!", found[0])), "{found:?}");
    }
    assert_eq!(parts(&of("cafe"), "un cafe\u{301}!"), [""; 0]);
}

#[test]
fn words_may_have_any_white_space_between_them() {
    let vocabulary = of("next steps,act  on");
    let text = "next\r\n\t steps, Next\u{a0}\u{2003}Steps — ACT\non; next,steps nextsteps";
    assert_eq!(
        parts(&vocabulary, text),
        ["next\r\n\t steps", "Next\u{a0}\u{2003}Steps", "ACT\non"]
    );
}

#[test]
fn of_overlapping_terms_both_are_found_and_of_nested_ones_the_longest() {
    let vocabulary = of("broken link, link text, link, broken link text here");
    assert_eq!(parts(&vocabulary, "a broken link text"), ["broken link", "link text"]);
    assert_eq!(parts(&vocabulary, "a broken link text here"), ["broken link text here"]);
    assert_eq!(parts(&vocabulary, "link"), ["link"]);
}

#[test]
fn places_are_bytes_of_the_text_as_it_was_given() {
    let text = "ﬁrst — ß  \n É\u{301}\u{308} wrong, ŉ «Wrong»\u{301} WRONG";
    let found = Vocabulary::built_in().find(text);
    let expected: Vec<_> = ["wrong", "Wrong", "WRONG"].map(|w| text.find(w).unwrap()).to_vec();
    assert_eq!(found.iter().map(|f| f.span.start).collect::<Vec<_>>(), expected);
    assert!(found.iter().all(|f| f.span.len() == 5));
}

#[test]
fn nothing_is_found_where_there_is_nothing() {
    let (empty, problems) = Vocabulary::new(&[]);
    assert_eq!((empty.find("wrong"), problems), (vec![], vec![]));
    assert_eq!(Vocabulary::built_in().find(""), []);
}
