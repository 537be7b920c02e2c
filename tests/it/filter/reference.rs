//! A slow evaluator of queries, row by row over plain values.

use super::rows::{REACHED, Row, review};
use foureyes::domain::review::{OverrideWord, PeerOpinion, Word};
use foureyes::domain::{Dimension, Outcome, RecordId, Timestamp};
use foureyes::frame::query::{
    CauseTest, Claimant, Day, Decision, Label, Match, Moment, Node, Peer, Term, Test, TextField,
    Unit,
};

const DAY: i64 = 86_400_000_000;

/// Tells whether the query matches the record.
pub(super) fn matches(node: &Node, row: &Row, boxes: &[String], now: Timestamp) -> bool {
    match node {
        Node::All => true,
        Node::Term(term) => holds(term, row, boxes, now),
        Node::Not(part) => !matches(part, row, boxes, now),
        Node::And(parts) => parts.iter().all(|p| matches(p, row, boxes, now)),
        Node::Or(sides) => sides.iter().any(|p| matches(p, row, boxes, now)),
    }
}

fn holds(term: &Term, row: &Row, boxes: &[String], now: Timestamp) -> bool {
    let open = row.settled == 0 && (row.family == 0 || !row.repeat);
    let flagged = matches!(row.outcome, 1 | 2) && row.cause != 8 && open;
    let since = |at: i64| row.ts.is_some_and(|ts| ts >= at);
    match term {
        Term::Free(word) => {
            let own = [
                &row.findings,
                &row.commit,
                &row.task,
                &row.author,
                &row.model,
                &row.served,
                &row.verdict,
            ];
            own.into_iter().flatten().chain(&row.files).any(|t| within(t, word))
        }
        Term::Outcome(Some(Outcome::Go)) => row.outcome == 0,
        Term::Outcome(Some(Outcome::NoGo)) => row.outcome == 1,
        Term::Outcome(Some(Outcome::Undetermined)) => row.outcome == 2,
        Term::Outcome(None) => row.outcome == 3,
        Term::Verdict(word) => row.verdict.as_ref() == Some(word),
        Term::Family(family) => row.family == *family as u32,
        Term::Text(field, how, word) => text(*field, *how, word, row, boxes),
        Term::Has(field) => has(*field, row),
        Term::Cause(CauseTest::None) => row.cause == 0,
        Term::Cause(CauseTest::Any) => row.cause != 0,
        Term::Cause(CauseTest::NoJudge) => [8, 15, 16].contains(&row.cause),
        Term::Cause(CauseTest::Is(cause)) => row.cause == *cause as u32,
        Term::Id(digits) => RecordId(row.id).to_string().starts_with(digits.as_str()),
        Term::Score(dimension, test) => Dimension::ALL.into_iter().zip(row.scores).any(|(d, s)| {
            dimension.is_none_or(|wanted| wanted == d) && s.is_some_and(|s| compares(*test, s))
        }),
        Term::Latency(test) => row.latency.is_some_and(|ms| compares(*test, ms)),
        Term::Round(test) => row.round > 0 && compares(*test, row.round),
        Term::Since(moment) => since(instant(*moment, now)),
        Term::Until(moment) => row.ts.is_some() && !since(instant(*moment, now)),
        Term::Day(day) => {
            let start = instant(Moment::Day(*day), now);
            since(start) && !since(start + DAY)
        }
        Term::Undated(is) => row.ts.is_none() == *is,
        Term::Evaluation(kind) => row.evaluation() == u32::from(kind.code()) && !row.repeat,
        Term::Escalation => {
            let decided = review(row.id).unwrap_or_default().decision.is_some();
            row.escalation && !row.repeat && !row.overtaken && row.settled == 0 && !decided
        }
        Term::Unfinished => {
            [1, 2].contains(&row.family)
                && row.evaluation() == 0
                && ![8, 15, 16].contains(&row.cause)
                && !row.repeat
        }
        Term::Repeat(is) => row.repeat == *is,
        Term::Flagged => flagged,
        Term::Stopped => {
            let decided = review(row.id).unwrap_or_default().decision.is_some();
            let no_go = row.family == 0 && row.outcome == 1 && ![8, 15, 16].contains(&row.cause);
            let open = !row.repeat && row.settled == 0 && !decided;
            no_go && open && row.mode.as_deref() == Some("blocking")
        }
        Term::New => {
            let reached = REACHED.get(row.box_index as usize);
            reached.is_none_or(|reached| u64::from(row.round) >= *reached)
        }
        Term::OddScore => row.odd_score,
        Term::Unexplained => {
            row.terms.is_some() && {
                let mut scores = Dimension::ALL.into_iter().zip(row.scores);
                scores.any(|(d, s)| s.is_some_and(|s| s <= 2.0) && !named(row, d.as_str()))
            }
        }
        Term::Label(label) => {
            let said = review(row.id).unwrap_or_default();
            match label {
                Label::None => said.label.is_none(),
                Label::Any => said.label.is_some(),
                Label::Acceptable => said.label == Some(Word::Acceptable),
                Label::Poor => said.label == Some(Word::Poor),
                Label::Unsure => said.label == Some(Word::Unsure),
                Label::Conflict => said.conflict,
                Label::SecondLook => said.label == Some(Word::Unsure) && !said.conflict,
            }
        }
        Term::Peer(peer) => {
            let found = review(row.id).unwrap_or_default().peer;
            match peer {
                Peer::None => found.is_none(),
                Peer::Any => found.is_some(),
                Peer::Agrees => found == Some(PeerOpinion::Agrees),
                Peer::Differs => found == Some(PeerOpinion::Differs),
                Peer::Undetermined => found == Some(PeerOpinion::Undetermined),
            }
        }
        Term::Claimed(claimant) => {
            let held = review(row.id).unwrap_or_default().claimed_by;
            match claimant {
                Claimant::None => held.is_none(),
                Claimant::Any => held.is_some(),
                Claimant::Me => held.as_deref() == Some("anna"),
                Claimant::Named(Match::Exact, name) => held.as_deref() == Some(name),
                Claimant::Named(Match::Loose, name) => held.is_some_and(|by| within(&by, name)),
            }
        }
        Term::Assigned(claimant) => {
            let to = review(row.id).unwrap_or_default().assigned_to;
            match claimant {
                Claimant::None => to.is_empty(),
                Claimant::Any => !to.is_empty(),
                Claimant::Me => to.iter().any(|name| name == "anna"),
                Claimant::Named(Match::Exact, name) => to.contains(name),
                Claimant::Named(Match::Loose, name) => to.iter().any(|to| within(to, name)),
            }
        }
        Term::Override(decision) => {
            let said = review(row.id).unwrap_or_default();
            let (word, held) = (said.decision, said.held);
            match decision {
                Decision::None => word.is_none() && row.settled == 0,
                Decision::Any => word.is_some() || row.settled > 0,
                Decision::Accept => word == Some(OverrideWord::Accept) || row.settled == 1,
                Decision::Reject => word == Some(OverrideWord::Reject) || row.settled == 2,
                Decision::Confirmed => word.is_some() && held == Some(true),
                Decision::Unconfirmed => held == Some(false),
            }
        }
    }
}

fn text(field: TextField, how: Match, word: &str, row: &Row, boxes: &[String]) -> bool {
    let one = |value: &Option<String>| {
        value
            .as_ref()
            .is_some_and(|v| if how == Match::Exact { v == word } else { within(v, word) })
    };
    match field {
        TextField::Model => one(&row.model) || one(&row.served),
        TextField::Judge if row.served.is_some() => one(&row.served),
        TextField::Judge => one(&row.model),
        TextField::Author => one(&row.author),
        TextField::Path if how == Match::Exact => row.files.iter().any(|f| f == word),
        TextField::Path => {
            let bare = |f: &String| !f.is_empty() && !f.chars().skip(1).any(|c| c == '/');
            row.files.iter().any(|f| f.starts_with(word) || word == "./" && bare(f))
        }
        TextField::Box => one(&boxes.get(row.box_index as usize).cloned()),
        TextField::Commit if how == Match::Exact => one(&row.commit),
        TextField::Commit => {
            row.commit.as_ref().is_some_and(|c| c.to_lowercase().starts_with(&word.to_lowercase()))
        }
        TextField::Task => one(&row.task),
        TextField::Mode => one(&row.mode),
        TextField::Reviewer => {
            let said = review(row.id).unwrap_or_default().reviewers;
            one(&row.reviewer) || said.into_iter().any(|name| one(&Some(name)))
        }
        TextField::Consensus => one(&row.consensus),
        TextField::Tier => one(&row.tier),
        TextField::Depth => one(&row.depth),
        TextField::Findings => one(&row.findings),
        TextField::Terms => named(row, &word.to_lowercase()),
    }
}

/// Whether a name is among those of the terms, each with a NUL before it.
fn named(row: &Row, name: &str) -> bool {
    row.terms.iter().flat_map(|terms| terms.split('\0').skip(1)).any(|one| one == name)
}

fn has(field: TextField, row: &Row) -> bool {
    match field {
        TextField::Model | TextField::Judge => row.model.is_some() || row.served.is_some(),
        TextField::Author => row.author.is_some(),
        TextField::Path => row.files.iter().any(|f| !f.is_empty()),
        TextField::Box => true,
        TextField::Commit => row.commit.is_some(),
        TextField::Task => row.task.is_some(),
        TextField::Mode => row.mode.is_some(),
        TextField::Reviewer => row.reviewer.is_some() || review(row.id).is_some(),
        TextField::Consensus => row.consensus.is_some(),
        TextField::Tier => row.tier.is_some(),
        TextField::Depth => row.depth.is_some(),
        TextField::Findings => row.findings.is_some(),
        TextField::Terms => row.terms.as_ref().is_some_and(|terms| !terms.is_empty()),
    }
}

fn within(text: &str, word: &str) -> bool {
    text.to_lowercase().contains(&word.to_lowercase())
}

fn compares<T: PartialOrd + Copy>(test: Test<T>, value: T) -> bool {
    match test {
        Test::Below(v) => value < v,
        Test::AtMost(v) => value <= v,
        Test::Above(v) => value > v,
        Test::AtLeast(v) => value >= v,
        Test::Equal(v) => value == v,
        Test::Between(a, b) => a <= value && value <= b,
    }
}

fn instant(moment: Moment, now: Timestamp) -> i64 {
    let today = now.0.div_euclid(DAY) * DAY;
    match moment {
        Moment::At(at) => at.0,
        Moment::Day(Day::Today) => today,
        Moment::Day(Day::Yesterday) => today - DAY,
        Moment::Day(Day::Date(days)) => i64::from(days) * DAY,
        Moment::Ago(n, Unit::Minute) => now.0 - i64::from(n) * 60_000_000,
        Moment::Ago(n, Unit::Hour) => now.0 - i64::from(n) * 3_600_000_000,
        Moment::Ago(n, Unit::Day) => now.0 - i64::from(n) * DAY,
        Moment::Ago(n, Unit::Week) => now.0 - i64::from(n) * 7 * DAY,
    }
}
