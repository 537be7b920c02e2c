//! What the labels of one record say together: the one rule for lists, queues and the gate.

use super::Word;

/// A label, as far as it decides what counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Said<'a> {
    /// Whose word it is.
    pub reviewer: &'a str,
    /// The word.
    pub word: Word,
    /// Whether it settles a difference between reviewers.
    pub adjudicates: bool,
}

/// What counts of all labels of a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Settled {
    /// The word: unsure where reviewers differ.
    pub word: Word,
    /// Whether reviewers differ and nobody has settled it.
    pub conflict: bool,
    /// Reviewers who said something.
    pub reviewers: usize,
}

/// What the labels of a record say together, given the earliest first; `None` without any.
///
/// Of a reviewer the latest counts. Where those are not all the same, the last label that
/// adjudicates says what counts: it settles all that was said before it. A label after it with
/// another word is a difference that nobody settled, so the record is unsure again.
pub fn settle(said: &[Said<'_>]) -> Option<Settled> {
    let later = |at: usize, who: &str| said.iter().skip(at + 1).any(|s| s.reviewer == who);
    let latest: Vec<(usize, Word)> = said
        .iter()
        .enumerate()
        .filter(|(at, s)| !later(*at, s.reviewer))
        .map(|(at, s)| (at, s.word))
        .collect();
    let (_, first) = *latest.first()?;
    let agree = latest.iter().all(|(_, word)| *word == first);
    let ruling = said.iter().enumerate().rev().find(|(_, s)| s.adjudicates);
    let settled = ruling.filter(|(at, s)| {
        let mut since = latest.iter().filter(|(place, _)| place > at);
        since.all(|(_, word)| *word == s.word)
    });
    let word = match settled {
        _ if agree => first,
        Some((_, ruling)) => ruling.word,
        None => Word::Unsure,
    };
    let conflict = !agree && settled.is_none();
    Some(Settled { word, conflict, reviewers: latest.len() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use Word::{Acceptable, Poor, Unsure};

    fn of(labels: &[(&str, Word, bool)]) -> Option<(Word, bool)> {
        let said: Vec<Said<'_>> = labels
            .iter()
            .map(|&(reviewer, word, adjudicates)| Said { reviewer, word, adjudicates })
            .collect();
        settle(&said).map(|settled| (settled.word, settled.conflict))
    }

    #[test]
    fn without_labels_nothing_counts() {
        assert_eq!(of(&[]), None);
    }

    #[test]
    fn reviewers_who_differ_are_unsure_and_a_ruling_settles_it() {
        let differ = [("anna", Poor, false), ("bert", Acceptable, false)];
        assert_eq!(of(&differ), Some((Unsure, true)));
        assert_eq!(of(&[&differ[..], &[("cleo", Poor, true)]].concat()), Some((Poor, false)));
        // One of those who differ may settle it too.
        assert_eq!(of(&[&differ[..], &[("bert", Poor, true)]].concat()), Some((Poor, false)));
    }

    #[test]
    fn what_is_said_after_a_ruling_opens_it_again_only_with_another_word() {
        let ruled = [("anna", Poor, false), ("bert", Acceptable, false), ("cleo", Poor, true)];
        let then = |labels: &[(&'static str, Word, bool)]| of(&[&ruled[..], labels].concat());
        assert_eq!(then(&[("bert", Poor, false)]), Some((Poor, false)));
        assert_eq!(then(&[("anna", Poor, false)]), Some((Poor, false)), "a repeat of the ruling");
        assert_eq!(then(&[("cleo", Poor, false)]), Some((Poor, false)), "its own repeat as well");
        assert_eq!(then(&[("bert", Acceptable, false)]), Some((Unsure, true)));
        assert_eq!(then(&[("anna", Unsure, false)]), Some((Unsure, true)));
        assert_eq!(then(&[("cleo", Acceptable, false)]), Some((Unsure, true)));
        // Of what was said since, too, the latest of a reviewer counts.
        let back = [("bert", Acceptable, false), ("bert", Poor, false)];
        assert_eq!(then(&back), Some((Poor, false)));
        let again = [("bert", Acceptable, false), ("anna", Acceptable, true)];
        assert_eq!(then(&again), Some((Acceptable, false)), "a further ruling settles it anew");
    }

    #[test]
    fn where_all_say_the_same_no_ruling_is_needed() {
        let all = [("anna", Poor, true), ("bert", Acceptable, false), ("anna", Acceptable, false)];
        assert_eq!(of(&all), Some((Acceptable, false)));
    }
}
