//! From the tree to an expression of the frame.

use super::Scope;
use super::ast::{CauseTest, Day, Decision, Match, Node, Term, Test, TextField};
use super::{find, review_filter};
use crate::domain::{Cause, Dimension, Family, Outcome, Timestamp};
use crate::frame::schema;
use crate::thesaurus::MARKED_DOWN;
use polars::prelude::{Expr, Scalar, col, lit};

/// Microseconds of a day.
const DAY: i64 = 86_400_000_000;

/// The expression of a tree: `Boolean`, as long as the frame, without nulls.
pub(super) fn node(node: &Node, scope: &Scope<'_>) -> Expr {
    match node {
        Node::All => always(true),
        Node::Term(term) => self::term(term, scope),
        Node::Not(part) => self::node(part, scope).not(),
        Node::And(parts) => balanced(parts, &|n| self::node(n, scope), Expr::and),
        Node::Or(sides) => balanced(sides, &|n| self::node(n, scope), Expr::or),
    }
}

/// Joins in halves, so that the depth of the expression is a logarithm of the number of parts.
fn balanced<T>(parts: &[T], make: &impl Fn(&T) -> Expr, join: fn(Expr, Expr) -> Expr) -> Expr {
    match parts {
        [] => always(false),
        [only] => make(only),
        _ => {
            let (a, b) = parts.split_at(parts.len() / 2);
            join(balanced(a, make, join), balanced(b, make, join))
        }
    }
}

fn term(term: &Term, scope: &Scope<'_>) -> Expr {
    match term {
        Term::Free(text) => {
            balanced(&FREE, &|name| find::text(col(*name), find::contains(text)), Expr::or)
        }
        Term::Outcome(outcome) => is_outcome(*outcome),
        Term::Verdict(text) => never_null(col(schema::VERDICT).eq(lit(text.clone()))),
        Term::Family(family) => equal(schema::FAMILY, family.code()),
        Term::Text(field, how, text) => self::text(*field, *how, text, scope),
        Term::Has(field) => has(*field, scope),
        Term::Cause(CauseTest::None) => equal(schema::CAUSE, 0),
        Term::Cause(CauseTest::Any) => never_null(col(schema::CAUSE).gt(lit(0_u32))),
        Term::Cause(CauseTest::NoJudge) => no_judge(),
        Term::Cause(CauseTest::Is(cause)) => equal(schema::CAUSE, cause.code()),
        Term::Id(digits) => id(digits),
        Term::Score(dimension, test) => {
            balanced(&scores(*dimension), &|name| compare(col(*name), *test), Expr::or)
        }
        Term::Latency(test) => compare(col(schema::LATENCY), *test),
        // 0 is no round.
        Term::Round(test) => {
            let given = col(schema::ROUND).gt(typed(0_u32));
            compare(col(schema::ROUND), *test).and(never_null(given))
        }
        Term::Since(moment) => never_null(col(schema::TS).gt_eq(lit(moment.at(scope.now).0))),
        Term::Until(moment) => never_null(col(schema::TS).lt(lit(moment.at(scope.now).0))),
        Term::Day(day) => within(*day, scope.now),
        Term::Undated(true) => col(schema::TS).is_null(),
        Term::Undated(false) => col(schema::TS).is_not_null(),
        Term::Evaluation(kind) => equal(schema::EVALUATION, kind.code()).and(last()),
        Term::Escalation => {
            let open = review_filter::decision(Decision::None, scope.reviews);
            let newest = never_null(col(schema::OVERTAKEN).eq(lit(false)));
            never_null(col(schema::ESCALATION)).and(last()).and(newest).and(open)
        }
        Term::Unfinished => {
            let of_task = [Family::Task, Family::Ladder].map(|of| equal(schema::FAMILY, of.code()));
            let of_task = balanced(&of_task, &Expr::clone, Expr::or);
            of_task.and(equal(schema::EVALUATION, 0)).and(no_judge().not()).and(last())
        }
        Term::Repeat(is) => never_null(col(schema::REPEAT).eq(lit(*is))),
        Term::Flagged => flagged(),
        Term::OddScore => never_null(col(schema::ODD_SCORE)),
        Term::Unexplained => unexplained(),
        Term::Label(label) => review_filter::label(*label, scope.reviews).expr(),
        Term::Override(decision) => review_filter::decision(*decision, scope.reviews),
        Term::Peer(peer) => review_filter::peer(*peer, scope.reviews).expr(),
        Term::Claimed(claimant) => review_filter::claimed(claimant, scope.reviews).expr(),
        Term::Assigned(claimant) => review_filter::assigned(claimant, scope.reviews).expr(),
    }
}

/// The columns that free words are looked for in.
pub const FREE: [&str; 8] = [
    schema::FINDINGS,
    schema::FILES,
    schema::COMMIT,
    schema::TASK,
    schema::AUTHOR,
    schema::MODEL,
    schema::SERVED_MODEL,
    schema::VERDICT,
];

/// The columns of a dimension's scores, all three for none.
pub fn scores(dimension: Option<Dimension>) -> Vec<&'static str> {
    let all = Dimension::ALL.into_iter().zip(schema::SCORES);
    all.filter(|(d, _)| dimension.is_none_or(|wanted| wanted == *d)).map(|(_, name)| name).collect()
}

fn text(field: TextField, how: Match, text: &str, scope: &Scope<'_>) -> Expr {
    let one = |column: &Expr| match (field, how) {
        (TextField::Path, Match::Loose) if text == find::TOP => {
            find::text(column.clone(), find::at_top)
        }
        (TextField::Path, Match::Loose) => find::text(column.clone(), find::path_begins(text)),
        (TextField::Path, Match::Exact) => find::text(column.clone(), find::path_is(text)),
        (TextField::Terms, _) => find::text(column.clone(), find::path_is(&text.to_lowercase())),
        (TextField::Box, _) => find::number(column.clone(), boxes(how, text, scope.boxes)),
        (_, Match::Exact) => never_null(column.clone().eq(lit(text.to_owned()))),
        (TextField::Commit, _) => find::text(column.clone(), find::begins(text)),
        (_, Match::Loose) => find::text(column.clone(), find::contains(text)),
    };
    let columns: Vec<Expr> = match field {
        TextField::Judge => vec![col(schema::SERVED_MODEL).fill_null(col(schema::MODEL))],
        _ => field.columns().iter().map(|name| col(*name)).collect(),
    };
    let found = balanced(&columns, &one, Expr::or);
    match field {
        TextField::Reviewer => found.or(review_filter::by(how, text, scope.reviews).expr()),
        _ => found,
    }
}

/// A record has the field where one of its columns has a text.
fn has(field: TextField, scope: &Scope<'_>) -> Expr {
    let one = |name: &&'static str| match field {
        TextField::Path | TextField::Terms => find::text(col(*name), find::any_path),
        _ => col(*name).is_not_null(),
    };
    let found = balanced(field.columns(), &one, Expr::or);
    match field {
        TextField::Reviewer => found.or(review_filter::by_anybody(scope.reviews).expr()),
        _ => found,
    }
}

/// Which boxes of the archive's list are meant.
fn boxes(how: Match, text: &str, names: &[String]) -> Vec<bool> {
    let contains = find::contains(text);
    let is = |name: &String| match how {
        Match::Exact => name == text,
        Match::Loose => contains(name),
    };
    names.iter().map(is).collect()
}

fn is_outcome(outcome: Option<Outcome>) -> Expr {
    equal(schema::OUTCOME, outcome.map_or(Outcome::NONE_CODE, Outcome::code))
}

fn flagged() -> Expr {
    let asked = is_outcome(Some(Outcome::NoGo)).or(is_outcome(Some(Outcome::Undetermined)));
    let last = equal(schema::FAMILY, Family::Push.code()).or(never_null(col(schema::REPEAT)).not());
    let open = equal(schema::SETTLED, 0);
    asked.and(no_judge().not()).and(last).and(open)
}

/// A dimension is marked down, and terms were sought and none of it found.
fn unexplained() -> Expr {
    let of = |(dimension, score): &(Dimension, &str)| {
        let low = compare(col(*score), Test::AtMost(MARKED_DOWN));
        low.and(find::text(col(schema::TERMS), find::path_is(dimension.as_str())).not())
    };
    let all: Vec<_> = Dimension::ALL.into_iter().zip(schema::SCORES).collect();
    col(schema::TERMS).is_not_null().and(balanced(&all, &of, Expr::or))
}

/// No later record replaces it.
fn last() -> Expr {
    never_null(col(schema::REPEAT).eq(lit(false)))
}

fn no_judge() -> Expr {
    balanced(&Cause::NO_JUDGE, &|cause: &Cause| equal(schema::CAUSE, cause.code()), Expr::or)
}

fn within(day: Day, now: Timestamp) -> Expr {
    let start = day.start(now).0;
    let after = start.saturating_add(DAY);
    never_null(col(schema::TS).gt_eq(lit(start)).and(col(schema::TS).lt(lit(after))))
}

/// The words of the id lie between those of the prefix followed by zeros and by ones.
fn id(digits: &str) -> Expr {
    let word = |i: usize, fill: char| {
        let digits: String = digits.chars().skip(16 * i).take(16).collect();
        let full = format!("{digits}{}", fill.to_string().repeat(16 - digits.len()));
        u64::from_str_radix(&full, 16).unwrap_or_default()
    };
    let words: Vec<usize> = (0..digits.len().div_ceil(16).min(4)).collect();
    let within = |i: &usize| {
        let name = schema::ID[*i];
        let (low, high) = (typed(word(*i, '0')), typed(word(*i, 'f')));
        never_null(col(name).gt_eq(low).and(col(name).lt_eq(high)))
    };
    balanced(&words, &within, Expr::and)
}

fn compare<T>(column: Expr, test: Test<T>) -> Expr
where
    Scalar: From<T>,
{
    never_null(match test {
        Test::Below(v) => column.lt(typed(v)),
        Test::AtMost(v) => column.lt_eq(typed(v)),
        Test::Above(v) => column.gt(typed(v)),
        Test::AtLeast(v) => column.gt_eq(typed(v)),
        Test::Equal(v) => column.eq(typed(v)),
        Test::Between(a, b) => column.clone().gt_eq(typed(a)).and(column.lt_eq(typed(b))),
    })
}

/// A literal of exactly this type. `lit` makes a number that polars reads as `i64` later, which a
/// word of an id need not fit.
fn typed<T>(value: T) -> Expr
where
    Scalar: From<T>,
{
    lit(Scalar::from(value))
}

fn equal(name: &str, code: u8) -> Expr {
    never_null(col(name).eq(lit(u32::from(code))))
}

fn never_null(test: Expr) -> Expr {
    test.fill_null(lit(false))
}

/// The same for every row. Not a literal, which would be one row long whatever the frame.
fn always(is: bool) -> Expr {
    let any = col(schema::OUTCOME).is_null().or(col(schema::OUTCOME).is_not_null());
    if is { any } else { any.not() }
}
