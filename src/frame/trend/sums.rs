//! The counts of each group of records.

use super::row::{AllFamilies, Estimate, MeanScores, Rate, TrendRow};
use crate::domain::{Cause, Family, Outcome};
use crate::frame::schema;
use polars::prelude::{DataFrame, DataType, Expr, LazyFrame, PolarsResult, col, lit};

/// The column of the groups' keys.
pub(super) const KEY: &str = "key";

/// The columns that the counts read, besides the key.
pub(super) const READ: [&str; 9] = [
    schema::FAMILY,
    schema::OUTCOME,
    schema::CAUSE,
    schema::EVALUATION,
    schema::REPEAT,
    schema::LATENCY,
    schema::SCORES[0],
    schema::SCORES[1],
    schema::SCORES[2],
];

/// Groups by the column [`KEY`]; gives the keys, and a row for each without its key.
pub(super) fn group(frame: LazyFrame) -> PolarsResult<(DataFrame, Vec<TrendRow>)> {
    let groups = frame.group_by([col(KEY)]).agg(aggregates()).collect()?;
    let rows = (0..groups.height()).map(|i| Group { groups: &groups, i }.row());
    let rows = rows.collect::<PolarsResult<_>>()?;
    Ok((groups.select([KEY])?, rows))
}

/// The unit of the KPIs: an evaluation that no later one replaces.
fn unit() -> Expr {
    col(schema::EVALUATION).and(repeated().not())
}

fn push() -> Expr {
    is(schema::FAMILY, Family::Push.code())
}

fn repeated() -> Expr {
    col(schema::REPEAT).fill_null(lit(false))
}

fn is(name: &str, code: u8) -> Expr {
    col(name).eq(lit(u32::from(code))).fill_null(lit(false))
}

fn said(outcome: Outcome) -> Expr {
    is(schema::OUTCOME, outcome.code())
}

fn outage() -> Expr {
    any_of(Cause::ALL.into_iter().filter(|c| c.is_outage()))
}

fn any_of(causes: impl Iterator<Item = Cause>) -> Expr {
    causes.map(|c| is(schema::CAUSE, c.code())).fold(lit(false), Expr::or)
}

fn count(test: Expr, name: &str) -> Expr {
    test.sum().cast(DataType::UInt64).alias(name)
}

fn aggregates() -> Vec<Expr> {
    let mut all = vec![
        count(unit(), "evaluations"),
        count(unit().and(said(Outcome::Go)), "go"),
        count(unit().and(said(Outcome::NoGo)), "no_go"),
        count(unit().and(said(Outcome::Undetermined)), "undetermined"),
        count(unit().and(outage().not()), "available"),
        count(said(Outcome::Go), "all_go"),
        count(said(Outcome::NoGo), "all_no_go"),
        count(said(Outcome::Undetermined), "all_undetermined"),
        count(is(schema::OUTCOME, Outcome::NONE_CODE), "overrides"),
        count(is(schema::CAUSE, Cause::Bypassed.code()), "bypassed"),
        count(repeated().and(push()), "repeats"),
        count(repeated().and(push().not()), "earlier_rounds"),
        col(schema::LATENCY).filter(unit()).median().cast(DataType::Float64).alias("median"),
        number_of(schema::LATENCY),
    ];
    for name in schema::SCORES {
        let usable = col(name).filter(unit()).cast(DataType::Float64);
        all.extend([usable.mean().alias(name), number_of(name)]);
    }
    all
}

/// The units that carry a value.
fn number_of(name: &str) -> Expr {
    let count = col(name).filter(unit()).count();
    count.cast(DataType::UInt64).alias(format!("{name}_n"))
}

/// One row of the aggregated columns.
struct Group<'a> {
    groups: &'a DataFrame,
    i: usize,
}

impl Group<'_> {
    fn count(&self, name: &str) -> PolarsResult<u64> {
        Ok(self.groups.column(name)?.u64()?.get(self.i).unwrap_or_default())
    }

    fn estimate(&self, name: &str, of: &str) -> PolarsResult<Estimate> {
        let n = self.count(&format!("{of}_n"))?;
        let value = self.groups.column(name)?.f64()?.get(self.i);
        Ok(Estimate { estimate: value.filter(|_| n > 0), n })
    }

    fn row(&self) -> PolarsResult<TrendRow> {
        let evaluations = self.count("evaluations")?;
        let (go, undetermined) = (self.count("go")?, self.count("undetermined")?);
        let milliseconds = self.estimate("median", schema::LATENCY)?;
        let seconds = milliseconds.estimate.map(|ms| ms / 1_000.0);
        let score = |name| self.estimate(name, name);
        let [semantic, pragmatic, syntactic] = schema::SCORES.map(score);
        Ok(TrendRow {
            key: None,
            evaluations,
            go,
            no_go: self.count("no_go")?,
            undetermined,
            go_rate: Rate::new(go, evaluations),
            undetermined_rate: Rate::new(undetermined, evaluations),
            availability: Rate::new(self.count("available")?, evaluations),
            median_latency: Estimate { estimate: seconds, ..milliseconds },
            scores: MeanScores {
                semantic: semantic?,
                pragmatic: pragmatic?,
                syntactic: syntactic?,
            },
            all: self.all()?,
        })
    }

    fn all(&self) -> PolarsResult<AllFamilies> {
        let (go, no_go) = (self.count("all_go")?, self.count("all_no_go")?);
        let (undetermined, overrides) = (self.count("all_undetermined")?, self.count("overrides")?);
        Ok(AllFamilies {
            records: go + no_go + undetermined + overrides,
            go,
            no_go,
            undetermined,
            overrides,
            bypassed: self.count("bypassed")?,
            repeats: self.count("repeats")?,
            earlier_rounds: self.count("earlier_rounds")?,
        })
    }
}
