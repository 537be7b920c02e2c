//! What a query says, as a tree of plain values.

use crate::domain::{Cause, Dimension, Family, JudgementKind, Outcome, Timestamp};
use crate::frame::schema;

pub use super::opinion::{Claimant, Decision, Label, Peer};

/// A query or a part of one.
#[derive(Debug, Clone, PartialEq)]
pub enum Node {
    /// Every record: the empty query.
    All,
    /// One condition.
    Term(Term),
    /// Records that the part does not match.
    Not(Box<Self>),
    /// Records that all parts match; two parts or more.
    And(Vec<Self>),
    /// Records that any part matches; two parts or more.
    Or(Vec<Self>),
}

/// One condition on a record. A field that the record does not have never matches.
#[derive(Debug, Clone, PartialEq)]
pub enum Term {
    /// A word in any of the texts, whatever its case.
    Free(String),
    /// The grouped outcome; `None` for a record that is no evaluation.
    Outcome(Option<Outcome>),
    /// The verdict exactly as written.
    Verdict(String),
    /// Whose format the record has.
    Family(Family),
    /// A text field.
    Text(TextField, Match, String),
    /// The record has the field at all, be it empty; of paths, one that is not empty.
    Has(TextField),
    /// Why it is UNDETERMINED.
    Cause(CauseTest),
    /// The first hexadecimal digits of the id, lower case, 1 to 64.
    Id(String),
    /// The score of a dimension, `None` for any of the three.
    Score(Option<Dimension>, Test<f32>),
    /// The whole call in milliseconds.
    Latency(Test<i64>),
    /// At that moment or later.
    Since(Moment),
    /// Before that moment.
    Until(Moment),
    /// Within that UTC day.
    Day(Day),
    /// The round that a verdict on a task states.
    Round(Test<u32>),
    /// Without a usable time, or with one.
    Undated(bool),
    /// It counts in the KPIs of such a family.
    Evaluation(JudgementKind),
    /// It ends the last run of a task that came to an end, a person must decide, and nobody did.
    Escalation,
    /// It is the last line of a task's run that did not end.
    Unfinished,
    /// A later push evaluation of the same commit and judge exists, or none does.
    Repeat(bool),
    /// NO-GO or UNDETERMINED, no bypass, and of a task run the last round, where no override in a log
    /// settled it.
    Flagged,
    /// A push that a judge's NO-GO stopped: in blocking mode, not replaced by a later verdict, and nobody decided on it.
    Stopped,
    /// It came after the last visit of the one who reads.
    New,
    /// A score was given outside 1 to 5.
    OddScore,
    /// A dimension has a score of 2 or less, and findings and improvements name no term of it.
    Unexplained,
    /// What reviewers said of the content.
    Label(Label),
    /// What a reviewer decided to do all the same.
    Override(Decision),
    /// Who claimed it.
    Claimed(Claimant),
    /// To whom it is assigned, while it waits for their label.
    Assigned(Claimant),
    /// What a peer found that reviewed the verdict.
    Peer(Peer),
}

/// A field that holds text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, strum::VariantArray)]
pub enum TextField {
    /// The judge that was asked, or the one that answered.
    Model,
    /// The one that answered where the record names it, else the one that was asked.
    Judge,
    /// Who wrote the content.
    Author,
    /// Any of the judged files.
    Path,
    /// The name of the box.
    Box,
    /// The judged commit.
    Commit,
    /// The judged task.
    Task,
    /// Hook mode or tier.
    Mode,
    /// Who decided, in an override, and who labelled the record or overrode its verdict here.
    Reviewer,
    /// How the judges of a task agreed.
    Consensus,
    /// Tier of a task judge.
    Tier,
    /// How many judges a run of a task was to ask.
    Depth,
    /// Findings or reasoning.
    Findings,
    /// Terms of quality in findings or improvements, by dimension and heading.
    Terms,
}

/// How the text of a field is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Match {
    /// As the field does it: a path begins with it (`./` is also that of a file in no directory),
    /// a commit begins with it whatever the case, any other text contains it whatever the case.
    Loose,
    /// The whole text, to the letter.
    Exact,
}

/// A condition on the cause.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CauseTest {
    /// There is none.
    None,
    /// There is one.
    Any,
    /// It is one of [`Cause::NO_JUDGE`].
    NoJudge,
    /// It is this one.
    Is(Cause),
}

/// A comparison of a number.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Test<T> {
    /// `<`
    Below(T),
    /// `<=`
    AtMost(T),
    /// `>`
    Above(T),
    /// `>=`
    AtLeast(T),
    /// `=`, or nothing before the number.
    Equal(T),
    /// `a..b`, both ends within.
    Between(T, T),
}

/// A point in time, part of it relative to now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Moment {
    /// That long before now.
    Ago(u32, Unit),
    /// The first instant of a UTC day.
    Day(Day),
    /// An instant.
    At(Timestamp),
}

/// A unit of time of a [`Moment::Ago`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::VariantArray)]
pub enum Unit {
    /// `m`
    Minute,
    /// `h`
    Hour,
    /// `d`
    Day,
    /// `w`
    Week,
}

/// A UTC day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Day {
    /// The one that now is in.
    Today,
    /// The one before.
    Yesterday,
    /// Days since 1970.
    Date(i32),
}

impl TextField {
    /// All of them.
    pub const ALL: [Self; 14] = crate::domain::variants();

    /// Its word in a query, and the columns that hold its text.
    const fn definition(self) -> (&'static str, &'static [&'static str]) {
        match self {
            Self::Model => ("model", &[schema::MODEL, schema::SERVED_MODEL]),
            Self::Judge => ("judge", &[schema::MODEL, schema::SERVED_MODEL]),
            Self::Author => ("author", &[schema::AUTHOR]),
            Self::Path => ("path", &[schema::FILES]),
            Self::Box => ("box", &[schema::BOX]),
            Self::Commit => ("commit", &[schema::COMMIT]),
            Self::Task => ("task", &[schema::TASK]),
            Self::Mode => ("mode", &[schema::MODE]),
            Self::Reviewer => ("reviewer", &[schema::REVIEWER]),
            Self::Consensus => ("consensus", &[schema::CONSENSUS]),
            Self::Tier => ("tier", &[schema::TIER]),
            Self::Depth => ("depth", &[schema::DEPTH]),
            Self::Findings => ("text", &[schema::FINDINGS]),
            Self::Terms => ("terms", &[schema::TERMS]),
        }
    }

    /// The word in a query.
    pub fn as_str(self) -> &'static str {
        self.definition().0
    }

    /// The columns that hold its text.
    pub fn columns(self) -> &'static [&'static str] {
        self.definition().1
    }
}

impl Unit {
    /// All of them.
    pub const ALL: [Self; 4] = crate::domain::variants();

    /// The letter in a query.
    pub fn letter(self) -> char {
        match self {
            Self::Minute => 'm',
            Self::Hour => 'h',
            Self::Day => 'd',
            Self::Week => 'w',
        }
    }

    /// Its length in microseconds.
    pub fn micros(self) -> i64 {
        let minutes = match self {
            Self::Minute => 1,
            Self::Hour => 60,
            Self::Day => 1_440,
            Self::Week => 10_080,
        };
        minutes * 60_000_000
    }
}

impl Day {
    /// Its first instant.
    pub fn start(self, now: Timestamp) -> Timestamp {
        match self {
            Self::Today => Timestamp::of_day(now.day()),
            Self::Yesterday => Timestamp::of_day(now.day().saturating_sub(1)),
            Self::Date(day) => Timestamp::of_day(day),
        }
    }
}

impl Moment {
    /// The instant it stands for.
    pub fn at(self, now: Timestamp) -> Timestamp {
        match self {
            Self::Ago(amount, unit) => {
                Timestamp(now.0.saturating_sub(i64::from(amount).saturating_mul(unit.micros())))
            }
            Self::Day(day) => day.start(now),
            Self::At(at) => at,
        }
    }
}

impl<T> Test<T> {
    /// The same comparison of other numbers.
    pub(super) fn map<U>(self, f: impl Fn(T) -> U) -> Test<U> {
        match self {
            Self::Below(v) => Test::Below(f(v)),
            Self::AtMost(v) => Test::AtMost(f(v)),
            Self::Above(v) => Test::Above(f(v)),
            Self::AtLeast(v) => Test::AtLeast(f(v)),
            Self::Equal(v) => Test::Equal(f(v)),
            Self::Between(a, b) => Test::Between(f(a), f(b)),
        }
    }
}
