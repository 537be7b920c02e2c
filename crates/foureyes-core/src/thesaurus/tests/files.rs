//! Files of terms, and what is wrong with them.

use super::*;

/// What is wrong with a file of that name and text, a line each.
fn problems(name: &str, text: &str) -> Vec<String> {
    let (_, problems) = Thesaurus::new(&[Source { name, bytes: text.as_bytes() }]);
    problems.iter().map(ToString::to_string).collect()
}

#[test]
fn a_file_is_a_title_and_lists_of_terms_below_headings() {
    let text = "\u{feff}Prose.\r\n# Tone ##\r\n\r\nSynonyms:: polite,\trude  words \r\n\
        #no heading\r\n## jargon\r\n  synonyms:: leverage\r\nsynonyms:: synergy\r\n";
    let (thesaurus, problems) =
        Thesaurus::new(&[Source { name: "tone.md", bytes: text.as_bytes() }]);
    assert_eq!(problems, []);
    let shown = |t: &Term| format!("{} {} = {} ({})", t.position, t.text, t.normalized, t.file);
    assert_eq!(
        thesaurus.terms().iter().map(shown).collect::<Vec<_>>(),
        [
            "4:12 polite = Tone (tone.md)",
            "4:20 rude words = Tone (tone.md)",
            "7:14 leverage = jargon (tone.md)",
            "8:12 synergy = jargon (tone.md)",
        ]
    );
    assert!(thesaurus.terms().iter().all(|term| term.topic == Topic::Own));
}

#[test]
fn the_title_tells_what_a_file_is_about() {
    let text = "# Syntactic\nsynonyms:: house style\n";
    let (thesaurus, _) = Thesaurus::new(&[Source { name: "house.md", bytes: text.as_bytes() }]);
    let named = thesaurus.dimensions("against the house style");
    assert_eq!(named.iter().collect::<Vec<_>>(), [Dimension::Syntactic]);
}

#[test]
fn a_title_may_be_that_of_a_file_for_terraphim() {
    for (name, topic) in [
        ("semantic", Topic::Dimension(Dimension::Semantic)),
        ("pragmatic", Topic::Dimension(Dimension::Pragmatic)),
        ("syntactic", Topic::Dimension(Dimension::Syntactic)),
        ("verdict", Topic::Verdict),
        ("verdicts", Topic::Verdict),
        ("checklist", Topic::Checklist),
    ] {
        for begin in ["", "judge ", "judge-", "judge_", "Judge - ", "JUDGE\t", "-"] {
            assert_eq!(Topic::of_title(&format!("{begin}{name}")), topic, "{begin:?}");
            assert_eq!(Topic::of_title(&format!("{begin}{}", name.to_uppercase())), topic);
        }
        for other in ["judge", "my {}", "{} judge", "judge judge {}", "judge {} of ours", "judge{}"]
        {
            let other = other.replace("{}", name);
            assert_eq!(Topic::of_title(&other), Topic::Own, "{other}");
        }
    }
}

#[test]
fn a_checklist_with_the_title_of_its_file_is_one() {
    let text = "# judge checklist\n\nsynonyms:: verdict file, score table\n\
        ## proof\nsynonyms:: see line\n";
    let file = Source { name: "judge-checklist.md", bytes: text.as_bytes() };
    let (thesaurus, problems) = Thesaurus::new(&[file]);
    assert_eq!(problems, []);
    let scores = crate::domain::Scores { semantic: Some(1.0), ..Default::default() };
    let missing = |findings| {
        let answer = Answer { scores: &scores, findings: Some(findings), improvements: &[] };
        thesaurus.enrich(answer).unwrap().missing
    };
    assert_eq!(missing("bad"), ["judge checklist", "proof"]);
    assert_eq!(missing("bad: see line 3"), ["judge checklist"]);
    assert_eq!(missing("bad, see line 3 of the Score Table"), [""; 0]);
}

#[test]
fn all_problems_come_at_once_with_their_places() {
    let long = "x".repeat(MAX_TERM + 1);
    let text =
        format!("##\nsynonyms: a, b\nsynonyms:: c,, {long}, é, --, x\u{202e}y, C\n# one\n# two\n");
    assert_eq!(
        problems("a.md", &text),
        [
            "\"a.md\": 1:1: the heading is empty",
            "\"a.md\": 2:1: `synonyms` needs two colons: `synonyms:: TERM, TERM`",
            "\"a.md\": 3:14: a term is empty",
            "\"a.md\": 3:16: a term is longer than 100 characters",
            "\"a.md\": 3:122: \"--\" has no letter and no digit",
            "\"a.md\": 3:126: \"x\\u{202e}y\" has a hidden character",
            "\"a.md\": 5:1: the file has a second title: a group of terms has a heading `## NAME`",
            "\"a.md\": 3:131: \"C\" is listed before, in \"a.md\", line 3",
        ]
    );
}

#[test]
fn files_without_title_or_terms_and_no_text_are_reported() {
    assert_eq!(
        problems("a.md", "one\n\ntwo\n"),
        [
            "\"a.md\": 1:1: the file has no title: its first heading must be `# TITLE`",
            "\"a.md\": 3:4: the file lists no term: it needs a line `synonyms:: TERM, TERM`",
        ]
    );
    let (_, found) = Thesaurus::new(&[Source { name: "b\n.md", bytes: b"# a\n\xc3\xa9\xff" }]);
    assert_eq!(found[0].to_string(), "\"b\\n.md\": 2:2: the file is not UTF-8");
    assert_eq!(
        problems("a.md", &" ".repeat(MAX_FILE + 1)),
        ["\"a.md\": 1:1: the file is longer than 262144 bytes"]
    );
}

#[test]
fn a_term_of_an_earlier_file_is_refused_whatever_its_case() {
    let mut sources = built_in::sources().to_vec();
    sources.push(Source { name: "own.md", bytes: b"# own\nsynonyms:: Next  STEP, roadmap\n" });
    let (thesaurus, problems) = Thesaurus::new(&sources);
    assert_eq!(
        problems.iter().map(ToString::to_string).collect::<Vec<_>>(),
        ["\"own.md\": 2:12: \"Next STEP\" is listed before, in \"judge-pragmatic.md\", line 5"]
    );
    assert_eq!(thesaurus.terms().len(), 77);
}

#[test]
fn terms_beyond_the_bound_are_left_out_and_reported_once() {
    let file = |n: usize| {
        let terms: Vec<_> = (0..6_000).map(|i| format!("t{n}x{i}")).collect();
        format!("# own\nsynonyms:: {}\n", terms.join(", "))
    };
    let texts = [file(1), file(2)];
    let sources = texts.each_ref().map(|t| Source { name: "own.md", bytes: t.as_bytes() });
    let (thesaurus, problems) = Thesaurus::new(&sources);
    assert_eq!(thesaurus.terms().len(), MAX_TERMS);
    assert_eq!(problems.iter().map(|p| p.fault.clone()).collect::<Vec<_>>(), [Fault::TooManyTerms]);
    assert_eq!(parts(&thesaurus, "t2x3999 t2x4000"), ["t2x3999"]);
}
