//! Two of three: what counts on a record that somebody called poor.
//!
//! One slip in two hundred labels would keep a good judge from READY for good, so a record counts as poor
//! only where two of three words say so, and as acceptable only where two do.

use super::Word;
use crate::domain::Timestamp;

/// A word, as far as it may have a part in two of three.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ballot<'a> {
    /// Whose it is. Raw text.
    pub reviewer: &'a str,
    /// The word; of a word that its reviewer changed unasked the first one.
    pub word: Word,
    /// When it was given.
    pub at: Timestamp,
    /// Whether the program asked for it.
    pub asked: bool,
    /// Whether it was typed where the content was shown.
    pub seen: bool,
    /// Whether the verdict was hidden.
    pub blind: bool,
    /// Whether its reviewer labelled at least [`OTHERS`] other items on that day, so that being asked again
    /// did not tell which word is in question.
    pub among_others: bool,
}

/// A repeat counts only among so many other items.
pub const OTHERS: usize = 2;

/// What the words on a record that was called poor come to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Majority {
    /// A further word is needed.
    Open {
        /// When the first word was given.
        since: Timestamp,
        /// How many words there are: one or two.
        words: usize,
    },
    /// Two words are the same.
    Decided {
        /// That word: poor or acceptable.
        word: Word,
        /// How many words it took: two or three.
        words: usize,
    },
    /// Three words are there, and no two of them are the same poor or acceptable.
    Split,
}

/// What the words on a record come to, given the earliest first; `None` where no word that was typed in
/// this program calls it poor. `called_poor` says whether one did that counts no longer.
///
/// The first word is any that is not unsure. A second and a third are blind, and of a reviewer who has not
/// spoken on it, or of one who was asked again on a later day among other items.
pub fn two_of_three(ballots: &[Ballot<'_>], called_poor: bool) -> Option<Majority> {
    let votes = votes(ballots);
    let first = votes.first()?;
    let is_called = called_poor || votes.iter().any(|vote| vote.word == Word::Poor);
    is_called.then(|| majority(&votes, first.at))
}

fn majority(votes: &[&Ballot<'_>], since: Timestamp) -> Majority {
    let count = |word| votes.iter().filter(|vote| vote.word == word).count();
    let decided = [Word::Poor, Word::Acceptable].into_iter().find(|word| count(*word) >= 2);
    match (decided, votes.len()) {
        (Some(word), words) => Majority::Decided { word, words },
        (None, words @ ..3) => Majority::Open { since, words },
        (None, _) => Majority::Split,
    }
}

/// The words that count, in their order: none after two that are the same.
fn votes<'b, 'a>(ballots: &'b [Ballot<'a>]) -> Vec<&'b Ballot<'a>> {
    let mut votes: Vec<&Ballot<'_>> = Vec::new();
    for ballot in ballots.iter().filter(|ballot| ballot.seen) {
        let is_open = matches!(majority(&votes, ballot.at), Majority::Open { .. });
        if is_open && is_vote(ballot, &votes) {
            votes.push(ballot);
        }
    }
    votes
}

fn is_vote(ballot: &Ballot<'_>, votes: &[&Ballot<'_>]) -> bool {
    let is_sure = ballot.word != Word::Unsure;
    let own = votes.iter().rev().find(|vote| vote.reviewer == ballot.reviewer);
    match own {
        _ if votes.is_empty() => is_sure,
        // Doubt that nobody asked for is no word.
        None => ballot.blind && (is_sure || ballot.asked),
        Some(last) => {
            let is_later = ballot.at.day() > last.at.day();
            ballot.asked && ballot.blind && ballot.among_others && is_later
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Word::{Acceptable, Poor, Unsure};

    /// A word on a day: the first one own, the others asked for and blind.
    fn words<'a>(given: &[(&'a str, Word, i32)]) -> Vec<Ballot<'a>> {
        let one = |(at, (reviewer, word, day)): (usize, &(&'a str, Word, i32))| Ballot {
            reviewer,
            word: *word,
            at: Timestamp::of_day(*day),
            asked: at > 0,
            seen: true,
            blind: true,
            among_others: true,
        };
        given.iter().enumerate().map(one).collect()
    }

    fn of(given: &[(&str, Word, i32)]) -> Option<Majority> {
        two_of_three(&words(given), false)
    }

    fn decided(word: Word, words: usize) -> Option<Majority> {
        Some(Majority::Decided { word, words })
    }

    fn open(words: usize) -> Option<Majority> {
        Some(Majority::Open { since: Timestamp::of_day(1), words })
    }

    #[test]
    fn acceptable_and_unsure_need_no_second_word() {
        assert_eq!(of(&[]), None);
        assert_eq!(of(&[("anna", Acceptable, 1)]), None);
        assert_eq!(of(&[("anna", Unsure, 1), ("bert", Acceptable, 1)]), None);
        assert_eq!(of(&[("anna", Acceptable, 1), ("bert", Acceptable, 1)]), None);
    }

    #[test]
    fn poor_counts_with_a_second_word_or_by_the_majority_of_three() {
        let poor = ("anna", Poor, 1);
        assert_eq!(of(&[poor]), open(1));
        assert_eq!(of(&[poor, ("bert", Poor, 1)]), decided(Poor, 2));
        let differ = [poor, ("bert", Acceptable, 1)];
        assert_eq!(of(&differ), open(2));
        assert_eq!(of(&[&differ[..], &[("cleo", Poor, 1)]].concat()), decided(Poor, 3));
        assert_eq!(of(&[&differ[..], &[("cleo", Acceptable, 1)]].concat()), decided(Acceptable, 3));
        assert_eq!(of(&[&differ[..], &[("cleo", Unsure, 1)]].concat()), Some(Majority::Split));
        let doubt = [poor, ("bert", Unsure, 1)];
        assert_eq!(of(&doubt), open(2));
        assert_eq!(of(&[&doubt[..], &[("cleo", Poor, 1)]].concat()), decided(Poor, 3));
        // What comes after two that are the same, or after three, changes nothing.
        let late = [poor, ("bert", Poor, 1), ("cleo", Acceptable, 1), ("dora", Acceptable, 1)];
        assert_eq!(of(&late), decided(Poor, 2));
    }

    #[test]
    fn double_label_that_differs_is_settled_by_a_third() {
        let differ = [("anna", Acceptable, 1), ("bert", Poor, 1)];
        assert_eq!(of(&differ), open(2));
        assert_eq!(of(&[&differ[..], &[("cleo", Acceptable, 2)]].concat()), decided(Acceptable, 3));
    }

    #[test]
    fn one_reviewer_repeats_on_later_days() {
        let poor = ("anna", Poor, 1);
        assert_eq!(of(&[poor, ("anna", Poor, 1)]), open(1), "not on the same day");
        assert_eq!(of(&[poor, ("anna", Poor, 2)]), decided(Poor, 2));
        let differ = [poor, ("anna", Acceptable, 2)];
        assert_eq!(of(&[&differ[..], &[("anna", Acceptable, 2)]].concat()), open(2));
        assert_eq!(of(&[&differ[..], &[("anna", Acceptable, 3)]].concat()), decided(Acceptable, 3));
    }

    #[test]
    fn repeat_must_be_blind_asked_for_and_among_others() {
        let change = |change: fn(&mut Ballot<'_>)| {
            let mut all = words(&[("anna", Poor, 1), ("anna", Acceptable, 2)]);
            change(&mut all[1]);
            two_of_three(&all, false)
        };
        assert_eq!(change(|_| {}), open(2));
        assert_eq!(change(|b| b.asked = false), open(1));
        assert_eq!(change(|b| b.blind = false), open(1));
        assert_eq!(change(|b| b.among_others = false), open(1));
        assert_eq!(change(|b| b.seen = false), open(1));
        // Another reviewer needs no others, and may come unasked.
        assert_eq!(
            change(|b| (b.reviewer, b.asked, b.among_others) = ("bert", false, false)),
            open(2)
        );
        assert_eq!(change(|b| (b.reviewer, b.blind) = ("bert", false)), open(1));
    }

    #[test]
    fn stated_words_call_nothing_poor() {
        let mut all = words(&[("anna", Poor, 1), ("bert", Acceptable, 1)]);
        all[0].seen = false;
        assert_eq!(two_of_three(&all, false), None);
        assert_eq!(two_of_three(&all, true), open(1), "one that was taken back was typed here");
        all[1].seen = false;
        assert_eq!(two_of_three(&all, true), None);
    }

    #[test]
    fn word_that_was_taken_back_calls_for_a_second_one() {
        let one = words(&[("anna", Acceptable, 1), ("bert", Acceptable, 2)]);
        assert_eq!(two_of_three(&one[..1], true), open(1));
        assert_eq!(two_of_three(&one, true), decided(Acceptable, 2));
    }
}
