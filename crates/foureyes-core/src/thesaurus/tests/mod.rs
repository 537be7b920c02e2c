//! Terms found in texts, files read, and judgements enriched.

mod enrichment;
mod files;
mod peer;
mod sentences;

use super::*;
use crate::domain::Dimension;
use sentences::SENTENCES;

/// A thesaurus of one file.
fn of(synonyms: &str) -> Thesaurus {
    let text = format!("# own\nsynonyms:: {synonyms}\n");
    let (thesaurus, problems) =
        Thesaurus::new(&[Source { name: "own.md", bytes: text.as_bytes() }]);
    assert_eq!(problems, [], "{synonyms}");
    thesaurus
}

/// The parts of a text that are found.
fn parts<'t>(thesaurus: &Thesaurus, text: &'t str) -> Vec<&'t str> {
    thesaurus.find(text).into_iter().map(|found| &text[found.span]).collect()
}

#[test]
fn every_listed_term_is_found_in_its_own_sentence() {
    let thesaurus = Thesaurus::built_in();
    let terms: Vec<_> = thesaurus.terms().iter().map(|term| term.text.as_str()).collect();
    let listed: Vec<_> = SENTENCES.iter().map(|(term, _)| *term).collect();
    assert_eq!(terms, listed);
    for (term, sentence) in SENTENCES {
        let found: Vec<_> =
            thesaurus.find(sentence).into_iter().map(|found| found.term.text.as_str()).collect();
        assert!(found.contains(&term), "{term}: {sentence}: {found:?}");
    }
}

#[test]
fn the_files_have_the_numbers_of_terms_that_are_documented() {
    let (thesaurus, problems) = Thesaurus::new(&built_in::sources());
    assert_eq!(problems, []);
    let count = |normalized: &str| {
        thesaurus.terms().iter().filter(|term| term.normalized == normalized).count()
    };
    let counts = ["semantic", "pragmatic", "syntactic", "verdict", "ladder"].map(count);
    assert_eq!(counts, [14, 15, 15, 11, 10]);
    let topics = |topic| thesaurus.terms().iter().filter(|term| term.topic == topic).count();
    assert_eq!([topics(Topic::Verdict), topics(Topic::Checklist)], [21, 11]);
    assert_eq!(thesaurus.terms().len(), 76);
}

#[test]
fn factual_correctness_and_actionability_are_two_dimensions() {
    let named = Thesaurus::built_in().dimensions("factual correctness and actionability");
    assert_eq!(named.iter().collect::<Vec<_>>(), [Dimension::Semantic, Dimension::Pragmatic]);
    assert!(Thesaurus::built_in().dimensions("nothing of the kind").is_empty());
}

#[test]
fn a_shorter_term_is_found_where_the_longer_one_is_no_word() {
    let thesaurus = of("data, data base");
    assert_eq!(parts(&thesaurus, "two data bases"), ["data"]);
    assert_eq!(parts(&thesaurus, "one data base"), ["data base"]);
}

#[test]
fn words_end_where_unicode_ends_them() {
    let thesaurus = of("SLA, C++");
    for no in ["slate", "SLAs", "SLA_x", "x_SLA", "SLA2", "ÉSLA", "SLAé", "SLA\u{301}", "ωSLA"] {
        assert_eq!(parts(&thesaurus, no), [""; 0], "{no}");
    }
    for yes in ["SLA", "(sla)", "SLA's", "an SLA.", "—SLA—", "\u{feff}Sla\u{a0}"] {
        assert_eq!(parts(&thesaurus, yes).len(), 1, "{yes}");
    }
    assert_eq!(parts(&thesaurus, "C++11 and c++, not C+"), ["C++", "c++"]);
    // Ideographs have nothing between their words.
    assert_eq!(parts(&of("语法"), "这里有语法错误"), ["语法"]);
}

#[test]
fn case_is_ignored_by_unicode() {
    let thesaurus = of("straße, ÉTAT, ὀδυσσεύς, kelvin");
    assert_eq!(parts(&thesaurus, "die STRASSE"), ["STRASSE"]);
    assert_eq!(parts(&thesaurus, "l'état"), ["état"]);
    assert_eq!(parts(&thesaurus, "ὈΔΥΣΣΕΎΣ"), ["ὈΔΥΣΣΕΎΣ"]);
    assert_eq!(parts(&thesaurus, "\u{212a}elvin"), ["\u{212a}elvin"]);
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
    let thesaurus = of("next steps,act  on");
    let text = "next\r\n\t steps, Next\u{a0}\u{2003}Steps — ACT\non; next,steps nextsteps";
    assert_eq!(parts(&thesaurus, text), ["next\r\n\t steps", "Next\u{a0}\u{2003}Steps", "ACT\non"]);
}

#[test]
fn of_overlapping_terms_both_are_found_and_of_nested_ones_the_longest() {
    let thesaurus = of("broken link, link text, link, broken link text here");
    assert_eq!(parts(&thesaurus, "a broken link text"), ["broken link", "link text"]);
    assert_eq!(parts(&thesaurus, "a broken link text here"), ["broken link text here"]);
    assert_eq!(parts(&thesaurus, "link"), ["link"]);
}

#[test]
fn places_are_bytes_of_the_text_as_it_was_given() {
    let text = "ﬁrst — ß  \n É\u{301}\u{308} wrong, ŉ «Wrong»\u{301} WRONG";
    let found = Thesaurus::built_in().find(text);
    let expected: Vec<_> = ["wrong", "Wrong", "WRONG"].map(|w| text.find(w).unwrap()).to_vec();
    assert_eq!(found.iter().map(|f| f.span.start).collect::<Vec<_>>(), expected);
    assert!(found.iter().all(|f| f.span.len() == 5));
}

#[test]
fn nothing_is_found_where_there_is_nothing() {
    let (empty, problems) = Thesaurus::new(&[]);
    assert_eq!((empty.find("wrong"), problems), (vec![], vec![]));
    assert_eq!(Thesaurus::built_in().find(""), []);
}
