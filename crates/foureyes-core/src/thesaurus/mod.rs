//! A thesaurus of quality terms: which dimension a text really speaks of.
//!
//! A file of terms is Markdown: a title, and lines that begin with `synonyms::`. [`Thesaurus`] is made of
//! files once, and then finds terms in any number of texts in time linear in their length.

mod bounds;
mod built_in;
mod enrichment;
mod file;
mod folded;
mod matcher;
mod prefixes;
mod problem;
mod term;

pub use bounds::{MAX_FILE, MAX_TERM, MAX_TERMS};
pub use built_in::{BUILT_IN, BuiltIn};
pub use enrichment::{Answer, Enrichment, MARKED_DOWN, marked_down};
pub use problem::{Fault, Problem};
pub use term::{Dimensions, Found, Term, Topic};

use matcher::Matcher;
use std::collections::HashMap;
use std::sync::{Arc, LazyLock};

static OF_BUILT_IN: LazyLock<Arc<Thesaurus>> =
    LazyLock::new(|| Arc::new(Thesaurus::new(&built_in::sources()).0));

/// One file of terms.
#[derive(Debug, Clone)]
pub struct Source<'a> {
    /// Its name, without a directory.
    pub name: &'a str,
    /// What is in it.
    pub bytes: &'a [u8],
}

/// Terms, ready to be found.
#[derive(Debug, Clone)]
pub struct Thesaurus {
    terms: Vec<Term>,
    /// Dimension and heading of each term in lower case.
    names: Vec<Vec<String>>,
    matcher: Matcher,
}

impl PartialEq for Thesaurus {
    fn eq(&self, other: &Self) -> bool {
        self.terms == other.terms
    }
}

impl Eq for Thesaurus {}

impl Thesaurus {
    /// The five files that come with the program.
    pub fn built_in() -> &'static Arc<Self> {
        &OF_BUILT_IN
    }

    /// Reads files. What is wrong is left out and reported, all of it, and the rest is used.
    pub fn new(sources: &[Source<'_>]) -> (Self, Vec<Problem>) {
        let (mut terms, mut problems) = (Vec::new(), Vec::new());
        for source in sources {
            let (of_file, faults) = file::parse(source);
            terms.extend(of_file);
            problems.extend(faults);
        }
        let terms = distinct(terms, &mut problems);
        let (matcher, whole) = Matcher::new(&terms);
        if !whole {
            problems.extend(terms.first().map(|term| term.problem(Fault::TooManyTerms)));
        }
        let names = terms.iter().map(Term::names).collect();
        (Self { terms, names, matcher }, problems)
    }

    /// All terms, in the order of the files.
    pub fn terms(&self) -> &[Term] {
        &self.terms
    }

    /// A text that names what is found of it: the same for the same terms under the same headings.
    pub fn fingerprint(&self) -> String {
        let mut hasher = blake3::Hasher::new();
        for term in &self.terms {
            for part in [&term.text, &term.normalized, term.topic.as_str()] {
                hasher.update(part.as_bytes());
                hasher.update(b"\0");
            }
        }
        hasher.finalize().to_hex().to_string()
    }

    /// Terms in a text, by their places: those that are part of no longer one. Of two that overlap in
    /// part, both are found.
    pub fn find(&self, text: &str) -> Vec<Found<'_>> {
        let mut all = Vec::new();
        self.matcher.find(text, |number, span| {
            all.extend(self.terms.get(number).map(|term| Found { term, span }));
        });
        all
    }

    /// The dimensions that a text speaks of.
    pub fn dimensions(&self, text: &str) -> Dimensions {
        self.find(text).into_iter().filter_map(|found| found.term.topic.dimension()).collect()
    }
}

/// Drops terms that are listed before, and those beyond the bound.
fn distinct(terms: Vec<Term>, problems: &mut Vec<Problem>) -> Vec<Term> {
    let mut first: HashMap<String, (String, usize)> = HashMap::new();
    let mut kept: Vec<Term> = Vec::new();
    for term in terms {
        let key = folded::fold(&term.text);
        if let Some((file, line)) = first.get(&key) {
            let fault =
                Fault::ListedBefore { term: term.text.clone(), file: file.clone(), line: *line };
            problems.push(term.problem(fault));
        } else if kept.len() == MAX_TERMS {
            problems.push(term.problem(Fault::TooManyTerms));
            break;
        } else {
            first.insert(key, (term.file.clone(), term.position.line));
            kept.push(term);
        }
    }
    kept
}

#[cfg(test)]
mod tests;
