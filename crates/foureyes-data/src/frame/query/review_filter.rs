//! Conditions on what people said of records, which stands in no column: the ids are looked up.

use super::ast::{Claimant, Decision, Label, Match, Peer};
use super::find;
use crate::domain::RecordId;
use crate::domain::review::{OverrideWord, PeerOpinion, Review, Reviews, Word};
use crate::frame::text_test::TextTest;
use crate::frame::{Frame, schema};
use polars::prelude::{BooleanChunked, PolarsResult};
use std::collections::HashMap;

/// The remaining words of ids, by their first one.
type Ids = HashMap<u64, Vec<[u64; 3]>>;

/// Some records, or all others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Among {
    /// Their ids, in no order.
    pub ids: Vec<RecordId>,
    /// All others are meant.
    pub others: bool,
}

/// Records with such a label.
pub fn label(label: Label, reviews: &Reviews) -> Among {
    let is = |review: &Review| match label {
        Label::None | Label::Any => review.label.is_some(),
        Label::Acceptable => review.label == Some(Word::Acceptable),
        Label::Poor => review.label == Some(Word::Poor),
        Label::Unsure => review.label == Some(Word::Unsure),
        Label::Conflict => review.conflict,
        Label::SecondLook => review.is_in_doubt(),
    };
    matching(reviews, is, label == Label::None)
}

/// Records with such an override in the ledgers; those in logs are not among them.
pub fn decision_here(decision: Decision, reviews: &Reviews) -> Among {
    let is = |review: &Review| match decision {
        Decision::None | Decision::Any => review.decision.is_some(),
        Decision::Accept => review.decision == Some(OverrideWord::Accept),
        Decision::Reject => review.decision == Some(OverrideWord::Reject),
        Decision::Confirmed => review.decision.is_some() && review.held == Some(true),
        // Also where an override was taken back and its box was not heard to hold that.
        Decision::Unconfirmed => review.held == Some(false),
    };
    matching(reviews, is, decision == Decision::None)
}

/// Records of which such a reviewer said anything.
pub fn by(how: Match, text: &str, reviews: &Reviews) -> Among {
    let contains = find::Contains::new(text);
    let is = |name: &String| match how {
        Match::Exact => name == text,
        Match::Loose => contains.holds(name),
    };
    matching(reviews, |review| review.reviewers.iter().any(is), false)
}

/// Records with such a claim.
pub fn claimed(claimant: &Claimant, reviews: &Reviews) -> Among {
    of(claimant, reviews, |review| review.claimed_by.as_slice())
}

/// Records that are assigned so and wait.
pub fn assigned(claimant: &Claimant, reviews: &Reviews) -> Among {
    of(claimant, reviews, |review| &review.assigned_to)
}

/// Records with such a name among those of the review.
fn of(claimant: &Claimant, reviews: &Reviews, names: impl Fn(&Review) -> &[String]) -> Among {
    let contains = match claimant {
        Claimant::Named(Match::Loose, text) => Some(find::Contains::new(text)),
        _ => None,
    };
    let is = |name: &String| match (claimant, &contains) {
        (Claimant::Named(_, text), None) => name == text,
        (Claimant::Me, _) => reviews.reader() == Some(name),
        (_, Some(contains)) => contains.holds(name),
        (_, None) => true,
    };
    let held = |review: &Review| names(review).iter().any(is);
    matching(reviews, held, *claimant == Claimant::None)
}

/// Records with such a review by a peer.
pub fn peer(peer: Peer, reviews: &Reviews) -> Among {
    let is = |review: &Review| match peer {
        Peer::None | Peer::Any => review.peer.is_some(),
        Peer::Agrees => review.peer == Some(PeerOpinion::Agrees),
        Peer::Differs => review.peer == Some(PeerOpinion::Differs),
        Peer::Undetermined => review.peer == Some(PeerOpinion::Undetermined),
    };
    matching(reviews, is, peer == Peer::None)
}

/// Records of which anybody said anything.
pub fn by_anybody(reviews: &Reviews) -> Among {
    matching(reviews, |review| !review.reviewers.is_empty(), false)
}

/// Records of which that is true, or all others.
fn matching(reviews: &Reviews, is: impl Fn(&Review) -> bool, others: bool) -> Among {
    let ids = reviews.iter().filter(|(_, review)| is(review)).map(|(id, _)| id).collect();
    Among { ids, others }
}

impl Among {
    /// Where the id of a row is one of these, or is none of them.
    ///
    /// # Errors
    /// A frame without [`schema::ID`].
    pub(super) fn mask(&self, frame: &Frame) -> PolarsResult<BooleanChunked> {
        let mut ids = Ids::new();
        for id in &self.ids {
            let [head, rest @ ..] = words(*id);
            ids.entry(head).or_default().push(rest);
        }
        let column = |name: &&str| frame.column(name)?.u64();
        let columns = schema::ID.iter().map(column).collect::<PolarsResult<Vec<_>>>()?;
        let found = |row: usize, rest: &[u64; 3]| {
            let own = columns.iter().skip(1).map(|column| column.get(row));
            own.eq(rest.iter().map(|word| Some(*word)))
        };
        let holds = |(row, head): (usize, Option<u64>)| {
            let rests = head.and_then(|head| ids.get(&head));
            rests.is_some_and(|rests| rests.iter().any(|rest| found(row, rest))) != self.others
        };
        let heads = columns.first().into_iter().flat_map(|column| column.iter());
        Ok(heads.enumerate().map(|row| Some(holds(row))).collect())
    }
}

fn words(id: RecordId) -> [u64; 4] {
    [0, 1, 2, 3].map(|i| id.word(i))
}
