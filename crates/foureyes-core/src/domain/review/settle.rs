//! What the labels of one record say together: the one rule for lists, queues and the gate.

use super::{Requested, Word};

/// A label, as far as it decides what counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LabelVote<'a> {
    /// Whose word it is.
    pub reviewer: &'a str,
    /// The word.
    pub word: Word,
    /// Whether it settles a difference between reviewers.
    pub adjudicates: bool,
    /// Why the program asked for it, where it did.
    pub requested: Option<Requested>,
}

impl LabelVote<'_> {
    /// Whether it stands beside an earlier word of the same reviewer and does not take its place.
    fn is_second(&self) -> bool {
        matches!(self.requested, Some(Requested::Double | Requested::Confirm))
    }

    /// Whether it is shown only: it was drawn because of what the first word said.
    fn is_compared(&self) -> bool {
        self.requested == Some(Requested::Compare)
    }

    /// Whether it answers a doubt: a second look that is not in doubt itself.
    fn answers(&self) -> bool {
        self.requested == Some(Requested::SecondLook) && self.word != Word::Unsure
    }
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
/// Of a reviewer the latest counts; a double label and a confirmation stand beside the reviewer's
/// first word. What was only to be compared is left out, unless there is nothing else. Words of
/// doubt that were given before a second look are answered by it. Where the rest are not all the
/// same, the last label that adjudicates says what counts: it settles all that was said before it. A
/// label after it with another word is a difference that nobody settled, so the record is unsure
/// again.
pub fn settle(votes: &[LabelVote<'_>]) -> Option<Settled> {
    let only_compared = votes.iter().all(LabelVote::is_compared);
    let counting = || {
        let all = votes.iter().enumerate();
        all.filter(|(_, s)| only_compared || s.adjudicates || !s.is_compared())
    };
    let later = |at: usize, of: &LabelVote<'_>| {
        let mut rest = counting().skip_while(|(place, _)| *place <= at);
        rest.any(|(_, s)| s.reviewer == of.reviewer && s.is_second() == of.is_second())
    };
    let answered = counting().filter(|(_, s)| s.answers()).map(|(at, _)| at).next_back();
    let latest: Vec<(usize, &LabelVote<'_>)> = counting()
        .filter(|(at, s)| !later(*at, s))
        .filter(|(at, s)| s.word != Word::Unsure || answered.is_none_or(|answer| *at > answer))
        .collect();
    let word = latest.first()?.1.word;
    let agree = latest.iter().all(|(_, s)| s.word == word);
    let ruling = counting().rfind(|(_, s)| s.adjudicates);
    let settled = ruling.filter(|(at, s)| {
        let mut since = latest.iter().filter(|(place, _)| place > at);
        since.all(|(_, later)| later.word == s.word)
    });
    let word = match settled {
        _ if agree => word,
        Some((_, ruling)) => ruling.word,
        None => Word::Unsure,
    };
    Some(Settled { word, conflict: !agree && settled.is_none(), reviewers: reviewers(votes) })
}

/// How many people said something.
fn reviewers(votes: &[LabelVote<'_>]) -> usize {
    let first = |at: usize, who: &str| votes.iter().take(at).all(|s| s.reviewer != who);
    votes.iter().enumerate().filter(|(at, s)| first(*at, s.reviewer)).count()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use Word::{Acceptable, Poor, Unsure};

    fn of(labels: &[(&str, Word, bool)]) -> Option<(Word, bool)> {
        let votes: Vec<LabelVote<'_>> = labels
            .iter()
            .map(|&(reviewer, word, adjudicates)| plain(reviewer, word, adjudicates))
            .collect();
        settle(&votes).map(|settled| (settled.word, settled.conflict))
    }

    fn plain(reviewer: &str, word: Word, adjudicates: bool) -> LabelVote<'_> {
        LabelVote { reviewer, word, adjudicates, requested: None }
    }

    fn requested(labels: &[(&str, Word, Option<Requested>)]) -> (Word, bool, usize) {
        let votes: Vec<LabelVote<'_>> = labels
            .iter()
            .map(|&(reviewer, word, requested)| LabelVote {
                requested,
                ..plain(reviewer, word, false)
            })
            .collect();
        let settled = settle(&votes).unwrap();
        (settled.word, settled.conflict, settled.reviewers)
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
    fn label_after_adjudication_reopens_only_when_different() {
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
    fn agreement_needs_no_adjudication() {
        let all = [("anna", Poor, true), ("bert", Acceptable, false), ("anna", Acceptable, false)];
        assert_eq!(of(&all), Some((Acceptable, false)));
    }

    #[test]
    fn double_label_counts_beside_first_by_same_reviewer() {
        for kind in [Requested::Double, Requested::Confirm] {
            let first = ("anna", Poor, None);
            assert_eq!(requested(&[first, ("bert", Poor, Some(kind))]), (Poor, false, 2));
            assert_eq!(requested(&[first, ("bert", Acceptable, Some(kind))]), (Unsure, true, 2));
            assert_eq!(requested(&[first, ("anna", Poor, Some(kind))]), (Poor, false, 1));
            assert_eq!(requested(&[first, ("anna", Acceptable, Some(kind))]), (Unsure, true, 1));
        }
        // A plain repeat takes the place of the earlier word, as it always did.
        let again = ("anna", Acceptable, Some(Requested::Repeat));
        assert_eq!(requested(&[("anna", Poor, None), again]), (Acceptable, false, 1));
    }

    #[test]
    fn a_word_drawn_because_of_the_first_counts_in_nothing() {
        let first = ("anna", Poor, None);
        let other = ("bert", Acceptable, Some(Requested::Compare));
        assert_eq!(requested(&[first, other]), (Poor, false, 2));
        assert_eq!(requested(&[other, first]), (Poor, false, 2));
        assert_eq!(requested(&[first, ("anna", Acceptable, other.2)]), (Poor, false, 1));
        // With nothing else said it is better than no word.
        assert_eq!(requested(&[other]), (Acceptable, false, 1));
    }

    #[test]
    fn second_look_resolves_unsure_but_not_disagreement() {
        let look = |who, word| (who, word, Some(Requested::SecondLook));
        let doubt = ("anna", Unsure, None);
        assert_eq!(requested(&[doubt, look("bert", Acceptable)]), (Acceptable, false, 2));
        assert_eq!(requested(&[doubt, look("bert", Poor)]), (Poor, false, 2));
        assert_eq!(requested(&[doubt, look("anna", Poor)]), (Poor, false, 1), "one's own repeat");
        // Asked for by nobody it is a difference, as it always was.
        assert_eq!(requested(&[doubt, ("bert", Acceptable, None)]), (Unsure, true, 2));
        // One who cannot tell either leaves it to a third.
        let still = [doubt, look("bert", Unsure)];
        assert_eq!(requested(&still), (Unsure, false, 2));
        let third = [still[0], still[1], look("cleo", Poor)];
        assert_eq!(requested(&third), (Poor, false, 3));
        // Two who looked again and differ are a conflict, and so is a doubt that came after.
        let differ = [doubt, look("bert", Poor), look("cleo", Acceptable)];
        assert_eq!(requested(&differ), (Unsure, true, 3));
        let later = [doubt, look("bert", Poor), ("cleo", Unsure, None)];
        assert_eq!(requested(&later), (Unsure, true, 3));
    }
}
