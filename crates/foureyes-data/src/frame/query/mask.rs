//! Which rows of a frame a tree holds for.

use super::Scope;
use super::ast::{CauseTest, Day, Decision, Match, Node, Term, Test, TextField};
use super::{find, review_filter};
use crate::domain::review::OverrideWord;
use crate::domain::{Cause, Dimension, Family, HookMode, Outcome};
use crate::frame::slim::settled_code;
use crate::frame::text_test::TextTest;
use crate::frame::{Frame, schema};
use crate::thesaurus::MARKED_DOWN;
use polars::prelude::*;

/// Microseconds of a day.
const DAY: i64 = 86_400_000_000;

/// A row each; none is null.
type Mask = PolarsResult<BooleanChunked>;

/// The rows that a tree is asked of.
#[derive(Clone, Copy)]
pub(super) struct Rows<'a> {
    pub(super) frame: &'a Frame,
    pub(super) scope: &'a Scope<'a>,
}

impl Rows<'_> {
    /// Where a tree holds.
    pub(super) fn node(&self, node: &Node) -> Mask {
        match node {
            Node::All => Ok(self.same(true)),
            Node::Term(term) => self.term(term),
            Node::Not(part) => Ok(!&self.node(part)?),
            Node::And(parts) => self.every(parts.iter().map(|part| self.node(part))),
            Node::Or(sides) => self.any(sides.iter().map(|side| self.node(side))),
        }
    }

    fn same(&self, holds: bool) -> BooleanChunked {
        BooleanChunked::full(PlSmallStr::EMPTY, holds, self.frame.len())
    }

    /// Where all of some hold; what follows is not asked once no row is left.
    fn every(&self, parts: impl IntoIterator<Item = Mask>) -> Mask {
        let mut mask = self.same(true);
        for part in parts {
            mask = mask & part?;
            if !mask.any() {
                break;
            }
        }
        Ok(mask)
    }

    /// Where any of some holds.
    fn any(&self, parts: impl IntoIterator<Item = Mask>) -> Mask {
        parts.into_iter().try_fold(self.same(false), |mask, part| Ok(mask | part?))
    }

    fn term(&self, term: &Term) -> Mask {
        let reviews = self.scope.reviews;
        match term {
            Term::Free(text) => self.texts(&FREE, &find::Contains::new(text)),
            Term::Outcome(outcome) => self.is_outcome(*outcome),
            Term::Verdict(text) => self.texts(&[schema::VERDICT], &|verdict: &str| verdict == text),
            Term::Family(family) => self.equal(schema::FAMILY, family.code()),
            Term::Text(field, how, text) => self.text(*field, *how, text),
            Term::Has(field) => self.has(*field),
            Term::Cause(CauseTest::None) => self.equal(schema::CAUSE, 0_u8),
            Term::Cause(CauseTest::Any) => Ok(!&self.equal(schema::CAUSE, 0_u8)?),
            Term::Cause(CauseTest::NoJudge) => self.no_judge(),
            Term::Cause(CauseTest::Is(cause)) => self.equal(schema::CAUSE, cause.code()),
            Term::Id(digits) => self.id(digits),
            Term::Score(dimension, test) => {
                self.any(scores(*dimension).iter().map(|name| self.score(name, *test)))
            }
            Term::Latency(test) => Ok(compare(self.frame.column(schema::LATENCY)?.i64()?, *test)),
            Term::Round(test) => {
                let rounds = self.frame.column(schema::ROUND)?.u32()?;
                // 0 is no round.
                Ok(compare(rounds, *test) & compare(rounds, Test::Above(0)))
            }
            Term::Since(moment) => self.time(Test::AtLeast(moment.at(self.scope.now).0)),
            Term::Until(moment) => self.time(Test::Below(moment.at(self.scope.now).0)),
            Term::Day(day) => self.within(*day),
            Term::Undated(true) => Ok(self.frame.column(schema::TS)?.is_null()),
            Term::Undated(false) => Ok(self.frame.column(schema::TS)?.is_not_null()),
            Term::Evaluation(kind) => {
                self.every([self.equal(schema::EVALUATION, kind.code()), self.last()])
            }
            Term::Escalation => self.escalation(),
            Term::Unfinished => self.unfinished(),
            Term::Repeat(is) => self.is(schema::REPEAT, *is),
            Term::Flagged => self.flagged(),
            Term::Stopped => self.stopped(),
            Term::New => self.unseen(),
            Term::OddScore => self.is(schema::ODD_SCORE, true),
            Term::Unexplained => self.unexplained(),
            Term::Label(label) => review_filter::label(*label, reviews).mask(self.frame),
            Term::Override(decision) => self.decision(*decision),
            Term::Peer(peer) => review_filter::peer(*peer, reviews).mask(self.frame),
            Term::Claimed(by) => review_filter::claimed(by, reviews).mask(self.frame),
            Term::Assigned(to) => review_filter::assigned(to, reviews).mask(self.frame),
        }
    }

    /// Where a test holds of the text of any of some columns.
    fn texts(&self, names: &[&str], test: &dyn TextTest) -> Mask {
        let columns = names.iter().map(|name| self.frame.text(name));
        let columns = columns.collect::<PolarsResult<Vec<_>>>()?;
        Ok(find::any(&columns, self.frame.len(), test))
    }

    fn text(&self, field: TextField, how: Match, text: &str) -> Mask {
        let test: Box<dyn TextTest> = match (field, how) {
            (TextField::Box, _) => {
                let boxes = boxes(how, text, self.scope.boxes);
                return Ok(find::listed(self.frame.column(schema::BOX)?.u32()?, &boxes));
            }
            (TextField::Path, Match::Loose) if text == find::TOP => Box::new(find::at_top),
            (TextField::Path, Match::Loose) => Box::new(find::path_begins(text)),
            (TextField::Path, Match::Exact) => Box::new(find::path_is(text)),
            (TextField::Terms, _) => Box::new(find::path_is(&text.to_lowercase())),
            (_, Match::Exact) => Box::new(|found: &str| found == text),
            (TextField::Commit, _) => Box::new(find::begins(text)),
            (_, Match::Loose) => Box::new(find::Contains::new(text)),
        };
        match field {
            TextField::Judge => {
                let [served, asked] = [schema::SERVED_MODEL, schema::MODEL];
                let column = |name| self.frame.text(name);
                Ok(find::first([column(served)?, column(asked)?], &*test))
            }
            TextField::Reviewer => {
                let here = review_filter::by(how, text, self.scope.reviews).mask(self.frame);
                self.any([self.texts(field.columns(), &*test), here])
            }
            _ => self.texts(field.columns(), &*test),
        }
    }

    /// A record has the field where one of its columns has a text.
    fn has(&self, field: TextField) -> Mask {
        let is_given = |name: &&str| match self.frame.text(name) {
            Ok(texts) => Ok(texts.is_given()),
            Err(_) => Ok(self.frame.column(name)?.is_not_null()),
        };
        match field {
            TextField::Path | TextField::Terms => self.texts(field.columns(), &find::any_path),
            TextField::Reviewer => {
                let here = review_filter::by_anybody(self.scope.reviews).mask(self.frame);
                self.any(field.columns().iter().map(is_given).chain([here]))
            }
            _ => self.any(field.columns().iter().map(is_given)),
        }
    }

    fn is_outcome(&self, outcome: Option<Outcome>) -> Mask {
        self.equal(schema::OUTCOME, outcome.map_or(Outcome::NONE_CODE, Outcome::code))
    }

    fn flagged(&self) -> Mask {
        let asked = [Outcome::NoGo, Outcome::Undetermined].map(|o| self.is_outcome(Some(o)));
        let last = [self.equal(schema::FAMILY, Family::Push.code()), self.last()];
        let judged = Ok(!&self.no_judge()?);
        self.every([
            self.any(asked),
            judged,
            self.any(last),
            self.equal(schema::SETTLED, settled_code(None)),
        ])
    }

    fn stopped(&self) -> Mask {
        let blocks = |mode: &str| mode == HookMode::Blocking.as_str();
        let judged = Ok(!&self.no_judge()?);
        self.every([
            self.equal(schema::FAMILY, Family::Push.code()),
            self.is_outcome(Some(Outcome::NoGo)),
            judged,
            self.last(),
            self.decision(Decision::None),
            self.texts(&[schema::MODE], &blocks),
        ])
    }

    /// Beyond what the reader saw of its log.
    fn unseen(&self) -> Mask {
        let files = self.frame.column(schema::FILE)?.u32()?;
        let bytes = self.frame.column(schema::BYTE)?.u64()?;
        let new = |(file, byte): (Option<u32>, Option<u64>)| {
            file.zip(byte)
                .is_some_and(|(file, byte)| self.scope.reviews.is_new(file as usize, byte))
        };
        Ok(files.iter().zip(bytes.iter()).map(|place| Some(new(place))).collect())
    }

    fn escalation(&self) -> Mask {
        self.every([
            self.is(schema::ESCALATION, true),
            self.last(),
            self.is(schema::OVERTAKEN, false),
            self.decision(Decision::None),
        ])
    }

    fn unfinished(&self) -> Mask {
        let rounds = Family::with_rounds().map(|f| self.equal(schema::FAMILY, f.code()));
        let judged = Ok(!&self.no_judge()?);
        self.every([self.any(rounds), self.equal(schema::EVALUATION, 0_u8), judged, self.last()])
    }

    /// A dimension is marked down, and terms were sought and none of it found.
    fn unexplained(&self) -> Mask {
        let terms = self.frame.text(schema::TERMS)?;
        let of = |(dimension, score): (Dimension, &str)| {
            let low = self.score(score, Test::AtMost(MARKED_DOWN))?;
            let names = find::path_is(dimension.as_str());
            let mut silent = vec![false; low.len()];
            // Texts cost more: only those of rows that are marked down are looked at.
            for row in rows(&low) {
                silent[row] = !terms.get(row).is_some_and(&names);
            }
            Ok(BooleanChunked::from_bitmap(PlSmallStr::EMPTY, silent.into()))
        };
        let sought = Ok(terms.is_given());
        self.every([sought, self.any(Dimension::ALL.into_iter().zip(schema::SCORES).map(of))])
    }

    /// A person decided so, in a ledger or in a log.
    fn decision(&self, decision: Decision) -> Mask {
        let here = review_filter::decision_here(decision, self.scope.reviews).mask(self.frame);
        // An override in a log that names a task settles the run before it.
        let settled = |word| self.equal(schema::SETTLED, settled_code(word));
        match decision {
            Decision::None => self.every([here, settled(None)]),
            Decision::Any => self.any([here, Ok(!&settled(None)?)]),
            Decision::Accept => self.any([here, settled(Some(OverrideWord::Accept))]),
            Decision::Reject => self.any([here, settled(Some(OverrideWord::Reject))]),
            Decision::Confirmed | Decision::Unconfirmed => here,
        }
    }

    /// No later record replaces it.
    fn last(&self) -> Mask {
        self.is(schema::REPEAT, false)
    }

    fn no_judge(&self) -> Mask {
        self.any(Cause::NO_JUDGE.iter().map(|cause| self.equal(schema::CAUSE, cause.code())))
    }

    fn time(&self, test: Test<i64>) -> Mask {
        Ok(compare(self.frame.column(schema::TS)?.i64()?, test))
    }

    fn within(&self, day: Day) -> Mask {
        let start = day.start(self.scope.now).0;
        self.every(
            [Test::AtLeast(start), Test::Below(start.saturating_add(DAY))].map(|t| self.time(t)),
        )
    }

    fn score(&self, name: &str, test: Test<f32>) -> Mask {
        Ok(compare(self.frame.column(name)?.f32()?, test))
    }

    fn is(&self, name: &str, wanted: bool) -> Mask {
        let flags = self.frame.column(name)?.bool()?;
        Ok(known(if wanted { flags.clone() } else { !flags }))
    }

    fn equal(&self, name: &str, code: impl Into<u32>) -> Mask {
        Ok(compare(self.frame.column(name)?.u32()?, Test::Equal(code.into())))
    }

    /// The words of the id lie between those of the prefix followed by zeros and by ones.
    fn id(&self, digits: &str) -> Mask {
        let word = |i: usize, fill: char| {
            let digits: String = digits.chars().skip(16 * i).take(16).collect();
            let full = format!("{digits}{}", fill.to_string().repeat(16 - digits.len()));
            u64::from_str_radix(&full, 16).unwrap_or_default()
        };
        let within = |(i, name): (usize, &str)| {
            let words = self.frame.column(name)?.u64()?;
            Ok(compare(words, Test::Between(word(i, '0'), word(i, 'f'))))
        };
        let words = digits.len().div_ceil(16);
        self.every(schema::ID.into_iter().enumerate().take(words).map(within))
    }
}

/// The columns that free words are looked for in, those of few and short texts first.
pub const FREE: [&str; 8] = [
    schema::VERDICT,
    schema::MODEL,
    schema::SERVED_MODEL,
    schema::AUTHOR,
    schema::TASK,
    schema::FILES,
    schema::FINDINGS,
    schema::COMMIT,
];

/// The columns of a dimension's scores, all three for none.
pub fn scores(dimension: Option<Dimension>) -> Vec<&'static str> {
    let all = Dimension::ALL.into_iter().zip(schema::SCORES);
    all.filter(|(d, _)| dimension.is_none_or(|wanted| wanted == *d)).map(|(_, name)| name).collect()
}

/// Which boxes of the archive's list are meant.
fn boxes(how: Match, text: &str, names: &[String]) -> Vec<bool> {
    let contains = find::Contains::new(text);
    let is = |name: &String| match how {
        Match::Exact => name == text,
        Match::Loose => contains.holds(name),
    };
    names.iter().map(is).collect()
}

/// Where a test holds of a number; not of a null.
fn compare<T>(column: &ChunkedArray<T>, test: Test<T::Native>) -> BooleanChunked
where
    T: PolarsNumericType,
    ChunkedArray<T>: ChunkCompareEq<T::Native, Item = BooleanChunked>
        + ChunkCompareIneq<T::Native, Item = BooleanChunked>,
{
    known(match test {
        Test::Below(v) => column.lt(v),
        Test::AtMost(v) => column.lt_eq(v),
        Test::Above(v) => column.gt(v),
        Test::AtLeast(v) => column.gt_eq(v),
        Test::Equal(v) => column.equal(v),
        Test::Between(a, b) => column.gt_eq(a) & column.lt_eq(b),
    })
}

/// The same mask, false where it is null.
fn known(mask: BooleanChunked) -> BooleanChunked {
    if mask.null_count() == 0 {
        return mask;
    }
    let mask = mask.rechunk();
    BooleanChunked::from_bitmap(PlSmallStr::EMPTY, mask.downcast_as_array().true_and_valid())
}

/// The rows where a mask holds, in order.
pub fn rows(mask: &BooleanChunked) -> Vec<usize> {
    let mask = mask.rechunk();
    mask.downcast_as_array().true_and_valid().true_idx_iter().collect()
}
