//! The text columns: one table of their names, their meanings, and what each holds of a record.

use crate::jsonl::Draft;
use crate::thesaurus::Thesaurus;
use polars::prelude::PlHashMap;
use std::borrow::Cow;

/// Texts of a draft that columns and keys are both made of, decoded once.
pub(super) struct Named<'d> {
    pub(super) commit: Option<Cow<'d, str>>,
    pub(super) task: Option<Cow<'d, str>>,
    pub(super) model: Option<Cow<'d, str>>,
    pub(super) prompt: Option<Cow<'d, str>>,
}

impl<'d> Named<'d> {
    /// Reads them.
    pub(super) fn new(draft: &Draft<'d>) -> Self {
        Self {
            commit: draft.commit(),
            task: draft.task_id(),
            model: draft.model(),
            prompt: draft.prompt_sha(),
        }
    }
}

/// Headings and dimensions of the terms in words, a NUL before each. Texts that come back are not looked
/// through again: judges say many things more than once.
#[derive(Default)]
pub(super) struct TermNames {
    /// Numbers of the terms in a text.
    known: PlHashMap<String, Box<[usize]>>,
    asked: usize,
    missed: usize,
    /// Names of the terms with such numbers.
    named: PlHashMap<Vec<usize>, String>,
    /// Numbers of the terms of one record.
    numbers: Vec<usize>,
}

/// So many texts and sets of terms are known at once, no text longer than [`LONGEST`] bytes.
const KNOWN: usize = 4096;
const LONGEST: usize = 1024;

impl TermNames {
    /// Those of a draft; empty where there are none, and `None` where none are sought.
    pub(super) fn of(&mut self, draft: &Draft<'_>) -> Option<&str> {
        let (thesaurus, words) = draft.judged_words()?;
        self.numbers.clear();
        words.for_each(|text| self.add(thesaurus, &text));
        self.numbers.sort_unstable();
        self.numbers.dedup();
        if self.numbers.is_empty() {
            return Some("");
        }
        if self.named.len() == KNOWN {
            self.named.clear();
        }
        let numbers = self.numbers.as_slice();
        Some(self.named.entry_ref(numbers).or_insert_with(|| thesaurus.names(numbers)))
    }

    /// Adds the numbers of the terms in a text.
    fn add(&mut self, thesaurus: &Thesaurus, text: &str) {
        if text.len() > LONGEST || !self.is_worthwhile() {
            return thesaurus.add_numbers(text, &mut self.numbers);
        }
        self.asked += 1;
        if self.known.len() == KNOWN {
            self.known.clear();
        }
        let known = self.known.entry_ref(text).or_insert_with(|| {
            self.missed += 1;
            thesaurus.numbers([text]).into()
        });
        self.numbers.extend_from_slice(known);
    }

    /// Whether a quarter of the texts, or more, came back.
    fn is_worthwhile(&self) -> bool {
        self.asked < KNOWN || self.missed <= self.asked / 4 * 3
    }
}

/// Declares the columns: name, and what a record holds of it. They are in a text frame in this order.
macro_rules! texts {
    (
        ($draft:ident, $named:ident, $files:ident, $terms:ident)
        $($(#[$meta:meta])* $column:ident = $name:literal => $text:expr;)*
    ) => {
        $($(#[$meta])* pub const $column: &str = $name;)*

        /// The text columns, in the order in which they are in a text frame.
        pub const TEXTS: [&str; [$($name),*].len()] = [$($column),*];

        /// What a record holds of each, in the same order; `files` and `terms` are the columns of these.
        pub(super) fn values<'d: 't, 't>(
            $draft: &Draft<'d>,
            $named: Named<'d>,
            $files: Option<Cow<'t, str>>,
            $terms: Option<Cow<'t, str>>,
        ) -> [Option<Cow<'t, str>>; TEXTS.len()] {
            [$($text),*]
        }
    };
}

texts! {
    (draft, named, files, terms)
    /// Judged commit: `String`.
    COMMIT = "commit" => named.commit;
    /// Judged task: `String`.
    TASK = "task" => named.task;
    /// Who wrote the content: `String`.
    AUTHOR = "author" => draft.author();
    /// The judge that was asked for: `String`.
    MODEL = "model" => named.model;
    /// The judge that answered: `String`.
    SERVED_MODEL = "served_model" => draft.served_model();
    /// The verdict as written: `String`.
    VERDICT = "verdict" => draft.verdict.clone();
    /// Judged files, a NUL before each, so that `\0research/` finds a path prefix: `String`.
    FILES = "files" => files;
    /// Findings of a push judge, reasoning of a task judge: `String`.
    FINDINGS = "findings" => draft.findings();
    /// Headings and dimensions of the terms in findings and improvements, a NUL before each; null where no
    /// terms are sought: `String`.
    TERMS = "terms" => terms;
    /// Hook mode or tier: `String`.
    MODE = "mode" => draft.mode();
    /// Who decided, in an override: `String`.
    REVIEWER = "reviewer" => draft.reviewer();
    /// Which prompt template was used: `String`.
    PROMPT = "prompt" => named.prompt;
    /// How the judges of a task agreed: `String`.
    CONSENSUS = "consensus" => draft.consensus();
    /// Tier of a task judge: `String`.
    TIER = "tier" => draft.tier();
    /// How many judges a run of a task was to ask: `String`.
    DEPTH = "depth" => draft.depth();
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::domain::Reject;
    use crate::jsonl::{Reader, Settings, Sink, Span};
    use crate::thesaurus::Thesaurus;

    /// What was found, and what a look at all words finds.
    #[derive(Default)]
    struct Both {
        terms: TermNames,
        found: Vec<Option<String>>,
        wanted: Vec<Option<String>>,
    }

    impl Sink for Both {
        fn record(&mut self, draft: &Draft<'_>, _: Span) {
            self.found.push(self.terms.of(draft).map(str::to_owned));
            let wanted = draft.judged_words();
            let names =
                |(thesaurus, words): (&Thesaurus, _)| thesaurus.names(&thesaurus.numbers(words));
            self.wanted.push(wanted.map(names));
        }

        fn reject(&mut self, reject: Reject) {
            panic!("{reject:?}");
        }
    }

    /// The share of looks, where each of so many findings comes in turn.
    fn missed(different: usize, records: usize) -> f64 {
        let settings =
            Settings { thesaurus: Some(Thesaurus::built_in().clone()), ..Settings::default() };
        let (mut both, mut reader) = (Both::default(), Reader::new(&settings));
        for n in 0..records {
            let word = ["wrong", "owner", "date", "fine", "evidence"][n % different % 5];
            let remedy = if n % 10 == 3 { "Name an owner." } else { "" };
            let line = serde_json::json!({
                "commit": n.to_string(), "verdict": "GO", "scores": {"semantic": n % 5 + 1},
                "findings": format!("{word} {}", n % different),
                "revision_suggestions": if remedy.is_empty() { vec![] } else { vec![remedy] },
            });
            reader.push(format!("{line}\n").as_bytes(), &mut both);
        }
        assert_eq!(both.found.len(), records);
        assert_eq!(both.found, both.wanted);
        assert!(both.found.iter().flatten().any(|names| names.contains("semantic")));
        both.terms.missed as f64 / records as f64
    }

    #[test]
    fn terms_of_words_that_come_back_are_known() {
        assert!(missed(100, 1000) < 0.11);
        // More than are known at once.
        let none = missed(2 * KNOWN, 6 * KNOWN);
        assert!(none < 0.25, "given up: {none}");
        // None comes back.
        assert!(missed(6 * KNOWN, 6 * KNOWN) < 0.25);
    }
}
