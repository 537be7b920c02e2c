//! Each term as a condition, as `frame::query` has it over columns of a frame.

use super::{Beyond, Condition, Decided, FleetError, sql, text};
use crate::domain::review::OverrideWord;
use crate::domain::{Cause, Dimension, Family, HookMode, Outcome, RecordId, Timestamp};
use crate::frame::query::review_filter::{self, Among};
use crate::frame::query::{CauseTest, Day, Decision, FREE, Match, Term, Test, TextField, scores};
use crate::frame::schema;
use crate::thesaurus::MARKED_DOWN;

/// Microseconds of a day.
const DAY: i64 = 86_400_000_000;
/// Ids in a statement, at most.
const MOST_IDS: usize = 1000;

/// The condition of a term.
///
/// # Errors
/// A term that the store cannot answer as one machine does.
pub(super) fn condition(term: &Term, beyond: &Beyond<'_>) -> Result<Condition, FleetError> {
    let own = match term {
        Term::Free(needle) => text::any_contains(&FREE, needle),
        Term::Outcome(outcome) => is_outcome(*outcome),
        Term::Verdict(verdict) => text::is(schema::VERDICT, verdict),
        Term::Family(family) => equal(schema::FAMILY, family.code()),
        Term::Text(TextField::Box, how, name) => return Ok(of_box(*how, name)),
        Term::Text(field, how, needle) => of_text(*field, *how, needle, beyond)?,
        Term::Has(field) => has(*field, beyond)?,
        Term::Cause(CauseTest::None) => equal(schema::CAUSE, 0),
        Term::Cause(CauseTest::Any) => format!("({} > 0)", schema::CAUSE),
        Term::Cause(CauseTest::NoJudge) => no_judge(),
        Term::Cause(CauseTest::Is(cause)) => equal(schema::CAUSE, cause.code()),
        Term::Id(digits) => id(digits),
        Term::Score(dimension, test) => {
            any(scores(*dimension), |name| compare(name, *test, sql::f32))
        }
        Term::Latency(test) => compare(schema::LATENCY, *test, sql::i64),
        Term::Round(test) => {
            let stated = compare(schema::ROUND, *test, |n| n.to_string());
            format!("({} > 0 AND {stated})", schema::ROUND)
        }
        Term::Since(moment) => since(moment.at(beyond.now)),
        Term::Until(moment) => until(moment.at(beyond.now)),
        Term::Day(day) => within(*day, beyond),
        Term::Undated(true) => format!("isNull({})", schema::TS),
        Term::Undated(false) => format!("isNotNull({})", schema::TS),
        Term::OddScore => equal(schema::ODD_SCORE, 1),
        Term::Unexplained => unexplained(),
        Term::Label(label) => among("label", review_filter::label(*label, beyond.reviews))?,
        Term::Peer(peer) => among("peer", review_filter::peer(*peer, beyond.reviews))?,
        Term::Claimed(claimant) => {
            among("claimed", review_filter::claimed(claimant, beyond.reviews))?
        }
        Term::Assigned(claimant) => {
            among("assigned", review_filter::assigned(claimant, beyond.reviews))?
        }
        Term::Evaluation(_)
        | Term::Escalation
        | Term::Unfinished
        | Term::Repeat(_)
        | Term::Flagged
        | Term::Stopped
        | Term::Override(_) => return decided(term, beyond),
        Term::New => {
            return Err(refused("what is new to you is known of logs here, not of the store"));
        }
    };
    Ok(Condition::own(own))
}

/// Terms on what other rows decide.
fn decided(term: &Term, beyond: &Beyond<'_>) -> Result<Condition, FleetError> {
    let repeat = || Condition::Decided(Decided::Repeat);
    let last = || repeat().not();
    let all = |own: String, rest: Vec<Condition>| {
        Condition::And([vec![Condition::own(own)], rest].concat())
    };
    Ok(match term {
        Term::Evaluation(kind) => all(equal(schema::EVALUATION, kind.code()), vec![last()]),
        Term::Repeat(true) => repeat(),
        Term::Repeat(false) => last(),
        Term::Escalation => {
            let newest = Condition::Decided(Decided::Overtaken).not();
            let open = overridden(Decision::None, beyond)?;
            all(equal(schema::ESCALATION, 1), vec![last(), newest, open])
        }
        Term::Unfinished => {
            let of_task = any(Family::with_rounds(), |of| equal(schema::FAMILY, of.code()));
            let open = equal(schema::EVALUATION, 0);
            all(format!("({of_task} AND {open} AND NOT {})", no_judge()), vec![last()])
        }
        Term::Flagged => {
            let asked = any([Outcome::NoGo, Outcome::Undetermined], |o| is_outcome(Some(o)));
            let push = Condition::own(equal(schema::FAMILY, Family::Push.code()));
            let open = Condition::Decided(Decided::Settled(None));
            let own = format!("({asked} AND NOT {})", no_judge());
            all(own, vec![Condition::Or(vec![push, last()]), open])
        }
        Term::Stopped => {
            let push = equal(schema::FAMILY, Family::Push.code());
            let no_go = is_outcome(Some(Outcome::NoGo));
            let blocks = text::is(schema::MODE, HookMode::Blocking.as_str());
            let own = format!("({push} AND {no_go} AND {blocks} AND NOT {})", no_judge());
            all(own, vec![last(), overridden(Decision::None, beyond)?])
        }
        Term::Override(decision) => overridden(*decision, beyond)?,
        _ => return Err(refused("a term that is not known")),
    })
}

fn overridden(decision: Decision, beyond: &Beyond<'_>) -> Result<Condition, FleetError> {
    let ids = review_filter::decision_here(decision, beyond.reviews);
    let here = Condition::own(among("override", ids)?);
    let settled = |word| Condition::Decided(Decided::Settled(word));
    Ok(match decision {
        Decision::None => Condition::And(vec![here, settled(None)]),
        Decision::Any => Condition::Or(vec![here, settled(None).not()]),
        Decision::Accept => Condition::Or(vec![here, settled(Some(OverrideWord::Accept))]),
        Decision::Reject => Condition::Or(vec![here, settled(Some(OverrideWord::Reject))]),
        Decision::Confirmed | Decision::Unconfirmed => here,
    })
}

/// The places of a record may be on several boxes.
fn of_box(how: Match, name: &str) -> Condition {
    let sql = match how {
        Match::Exact => text::is(schema::BOX, name),
        Match::Loose => text::contains(schema::BOX, name),
    };
    Condition::Own { sql, of_place: true }
}

fn of_text(
    field: TextField,
    how: Match,
    needle: &str,
    beyond: &Beyond<'_>,
) -> Result<String, FleetError> {
    let listed = matches!(field, TextField::Terms)
        || matches!((field, how), (TextField::Path, Match::Exact));
    if listed && needle.contains('\0') {
        return Err(refused(&format!("`{}:` with a NUL in its text", field.as_str())));
    }
    let one = |column: &str| match (field, how) {
        (TextField::Path, Match::Loose) => text::path_begins(column, needle),
        (TextField::Path, Match::Exact) => text::path_is(column, needle),
        (TextField::Terms, _) => text::path_is(column, &needle.to_lowercase()),
        (_, Match::Exact) => text::is(column, needle),
        (TextField::Commit, _) => text::begins(column, needle),
        (_, Match::Loose) => text::contains(column, needle),
    };
    let found = match field {
        TextField::Judge => one(&format!("ifNull({}, {})", schema::SERVED_MODEL, schema::MODEL)),
        _ => any(field.columns(), |name| one(name)),
    };
    if field != TextField::Reviewer {
        return Ok(found);
    }
    let here = among("reviewer", review_filter::by(how, needle, beyond.reviews))?;
    Ok(format!("({found} OR {here})"))
}

fn has(field: TextField, beyond: &Beyond<'_>) -> Result<String, FleetError> {
    Ok(match field {
        TextField::Path | TextField::Terms => any(field.columns(), |name| text::any_path(name)),
        // Every record is on a box.
        TextField::Box => "1".to_owned(),
        TextField::Reviewer => {
            let here = among("reviewer", review_filter::by_anybody(beyond.reviews))?;
            format!("(isNotNull({}) OR {here})", schema::REVIEWER)
        }
        _ => any(field.columns(), |name| format!("isNotNull({name})")),
    })
}

/// The record is one of these.
fn among(term: &str, of: Among) -> Result<String, FleetError> {
    let Among { ids, others } = of;
    if ids.len() > MOST_IDS {
        let count = ids.len();
        return Err(refused(&format!(
            "`{term}:` means {count} records of the ledgers here, and at most {MOST_IDS} can be asked for"
        )));
    }
    let sql = match ids.is_empty() {
        true => "0".to_owned(),
        false => format!("(id IN ({}))", sql::list(ids.iter().map(|RecordId(id)| sql::fixed(id)))),
    };
    Ok(if others { format!("(NOT {sql})") } else { sql })
}

fn refused(what: &str) -> FleetError {
    FleetError::Filter { what: what.to_owned() }
}

fn any<T>(of: impl IntoIterator<Item = T>, make: impl Fn(T) -> String) -> String {
    let all: Vec<String> = of.into_iter().map(make).collect();
    format!("({})", all.join(" OR "))
}

fn is_outcome(outcome: Option<Outcome>) -> String {
    equal(schema::OUTCOME, outcome.map_or(Outcome::NONE_CODE, Outcome::code))
}

pub(in super::super) fn no_judge() -> String {
    any(Cause::NO_JUDGE, |cause| equal(schema::CAUSE, cause.code()))
}

fn within(day: Day, beyond: &Beyond<'_>) -> String {
    let start = day.start(beyond.now);
    format!("({} AND {})", since(start), until(Timestamp(start.0.saturating_add(DAY))))
}

/// From an instant on. Rows are kept in the order of days: those of others are not read.
fn since(at: Timestamp) -> String {
    let after = compare(schema::TS, Test::AtLeast(at.0), sql::i64);
    format!("(day >= {} AND {after})", at.day())
}

/// Before an instant.
fn until(at: Timestamp) -> String {
    let before = compare(schema::TS, Test::Below(at.0), sql::i64);
    format!("(day <= {} AND {before})", at.day())
}

/// A dimension is marked down, and terms were sought and none of it found.
fn unexplained() -> String {
    let all = any(Dimension::ALL.into_iter().zip(schema::SCORES), |(dimension, score)| {
        let low = compare(score, Test::AtMost(MARKED_DOWN), sql::f32);
        format!("({low} AND NOT {})", text::path_is(schema::TERMS, dimension.as_str()))
    });
    format!("(isNotNull({}) AND {all})", schema::TERMS)
}

fn id(digits: &str) -> String {
    let head: String = digits.chars().take(16).collect();
    let end = |fill: &str| {
        let full = format!("{head}{}", fill.repeat(16 - head.len()));
        u64::from_str_radix(&full, 16).unwrap_or_default()
    };
    let head = format!("head >= {} AND head <= {}", end("0"), end("f"));
    match digits.len() > 16 {
        true => format!("({head} AND startsWith(lower(hex(id)), {}))", sql::text(digits)),
        false => format!("({head})"),
    }
}

fn compare<T: Copy>(column: &str, test: Test<T>, literal: impl Fn(T) -> String) -> String {
    let with = |sign: &str, value| format!("{column} {sign} {}", literal(value));
    let holds = match test {
        Test::Below(v) => with("<", v),
        Test::AtMost(v) => with("<=", v),
        Test::Above(v) => with(">", v),
        Test::AtLeast(v) => with(">=", v),
        Test::Equal(v) => with("=", v),
        Test::Between(a, b) => format!("{} AND {}", with(">=", a), with("<=", b)),
    };
    format!("ifNull({holds}, 0)")
}

fn equal(name: &str, code: u8) -> String {
    format!("({name} = {code})")
}
