//! What verdicts cost, and which versions of the judge boxes run, by day, box, model or version.

use crate::domain::review::Reviews;
use crate::domain::{CallKey, CallSums, Calls, Timestamp, Window};
use crate::engine::cost::Prices;
use crate::frame::query::{Node, Query, Scope, Term, TextField};
use crate::store::cache::{Archive, CacheError, RowError};
use std::collections::BTreeMap;

/// By what verdicts are counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UsageBy {
    /// A UTC day.
    Day,
    /// A box.
    Box,
    /// The model that answered where that is known, else the one that was asked.
    Model,
    /// What a box runs: model, served model, prompt with rubric, and settings of the judge.
    Version,
}

impl UsageBy {
    /// Its word.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Day => "day",
            Self::Box => "box",
            Self::Model => "model",
            Self::Version => "version",
        }
    }

    /// What of a key tells rows apart.
    fn key(self, key: &CallKey) -> CallKey {
        let key = key.clone();
        match self {
            Self::Day => CallKey { day: key.day, ..CallKey::default() },
            Self::Box => CallKey { box_name: key.box_name, ..CallKey::default() },
            Self::Model => CallKey { model: key.served_model.or(key.model), ..CallKey::default() },
            Self::Version => CallKey { day: None, ..key },
        }
    }
}

/// A row: verdicts that have something in common.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct UsageRow {
    /// What they have in common; all else is empty.
    pub key: CallKey,
    /// What is counted of them.
    pub sums: CallSums,
    /// Verdicts whose tokens and price are known.
    pub priced: u64,
    /// What those cost, in the currency of the prices.
    pub cost: f64,
    /// Of a version: it gave the last verdict of its box.
    pub current: bool,
}

/// Why verdicts cannot be counted.
#[derive(Debug, thiserror::Error)]
pub enum UsageError {
    /// The cache cannot be read.
    #[error(transparent)]
    Cache(#[from] CacheError),
    /// A record cannot be read.
    #[error(transparent)]
    Row(#[from] RowError),
}

/// The verdicts of judges in a window, of whatever family; each record once. It reads all of them.
///
/// # Errors
/// A cache or a log that cannot be read.
pub fn calls(archive: &Archive, window: Window, now: Timestamp) -> Result<Calls, UsageError> {
    let verdict = Node::Not(Box::new(Node::Term(Term::Outcome(None))));
    let query = Query::new(Node::And(vec![verdict, Node::Term(Term::Has(TextField::Model))]));
    let scope = Scope { boxes: archive.boxes(), now, reviews: Reviews::none() };
    let rows = archive.matching(&query, &scope, window)?;
    let mut calls = Calls::new();
    archive.each_record(&rows, |located| {
        let judge_sha = located.record.extra("judge_sha");
        let record = located.record;
        let key = CallKey {
            day: record.timestamp.map(Timestamp::day),
            box_name: record.box_name,
            model: record.model,
            served_model: record.served_model,
            prompt_sha: record.prompt_sha,
            judge_sha,
        };
        calls.entry(key).or_default().merge(&CallSums::one(record.timestamp, record.usage));
        Ok::<(), UsageError>(())
    })?;
    Ok(calls)
}

/// The rows of a table. Those of versions are in the order of boxes, the last one first.
pub fn usage(calls: &Calls, by: UsageBy, prices: &Prices) -> Vec<UsageRow> {
    let mut rows: BTreeMap<CallKey, UsageRow> = BTreeMap::new();
    for (key, sums) in calls {
        let row = rows.entry(by.key(key)).or_default();
        row.sums.merge(sums);
        let asked = key.model.as_deref().or(key.served_model.as_deref()).unwrap_or_default();
        let price = prices.of_call(asked, key.served_model.as_deref());
        if let Some(cost) = price.and_then(|price| price.cost(&sums.usage())) {
            row.priced += sums.counted;
            row.cost += cost;
        }
    }
    let mut rows: Vec<UsageRow> =
        rows.into_iter().map(|(key, row)| UsageRow { key, ..row }).collect();
    if by == UsageBy::Version {
        rows.sort_by(|a, b| {
            let of = |row: &UsageRow| std::cmp::Reverse(row.sums.last);
            (&a.key.box_name, of(a), &a.key).cmp(&(&b.key.box_name, of(b), &b.key))
        });
        let mut last: Option<String> = None;
        for row in &mut rows {
            row.current = last.as_ref() != Some(&row.key.box_name) && row.sums.last.is_some();
            last = Some(row.key.box_name.clone());
        }
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::Usage;
    use crate::engine::cost::Price;

    fn key(day: i32, name: &str, model: &str, served: Option<&str>, prompt: &str) -> CallKey {
        CallKey {
            day: Some(day),
            box_name: name.to_owned(),
            model: Some(model.to_owned()),
            served_model: served.map(str::to_owned),
            prompt_sha: Some(prompt.to_owned()),
            judge_sha: None,
        }
    }

    fn sums(day: i32, tokens: &[Option<u64>]) -> CallSums {
        let mut sums = CallSums::default();
        for tokens in tokens {
            let usage =
                tokens.map(|n| Usage { prompt_tokens: Some(n), completion_tokens: Some(1) });
            sums.merge(&CallSums::one(Some(Timestamp::of_day(day)), usage));
        }
        sums
    }

    #[test]
    fn rows_add_up_and_cost_has_its_denominator() {
        let price =
            |model: &str, prompt| Price { model: model.to_owned(), prompt, completion: 0.0 };
        let prices = Prices(vec![price("a", 1.0), price("b", 10.0)]);
        let calls = Calls::from([
            (key(1, "x", "a", None, "p"), sums(1, &[Some(1_000_000), None])),
            (key(2, "x", "a", Some("b"), "p"), sums(2, &[Some(1_000_000)])),
            (key(2, "y", "c", None, "q"), sums(2, &[Some(5), Some(5)])),
        ]);
        let of = |by| usage(&calls, by, &prices);
        for by in [UsageBy::Day, UsageBy::Box, UsageBy::Model, UsageBy::Version] {
            let rows = of(by);
            assert_eq!(rows.iter().map(|row| row.sums.verdicts).sum::<u64>(), 5, "{by:?}");
            assert_eq!(rows.iter().map(|row| row.priced).sum::<u64>(), 2, "{by:?}");
        }
        let x = &of(UsageBy::Box)[0];
        // The one that answered has the price.
        assert_eq!((x.sums.verdicts, x.sums.counted, x.priced), (3, 2, 2));
        assert!((x.cost - 11.0).abs() < 1e-9);
        let models: Vec<_> =
            of(UsageBy::Model).into_iter().filter_map(|row| row.key.model).collect();
        assert_eq!(models, ["a", "b", "c"]);
    }

    #[test]
    fn last_version_of_a_box_is_the_current_one() {
        let calls = Calls::from([
            (key(1, "x", "a", None, "p"), sums(1, &[None])),
            (key(4, "x", "a", None, "p"), sums(4, &[None])),
            (key(3, "x", "a", None, "q"), sums(3, &[None])),
            (key(2, "y", "a", None, "q"), sums(2, &[None])),
        ]);
        let rows = usage(&calls, UsageBy::Version, &Prices::default());
        let shown: Vec<_> = rows
            .iter()
            .map(|row| {
                let day = |at: Option<Timestamp>| at.map(Timestamp::day);
                let prompt = row.key.prompt_sha.as_deref().unwrap_or_default();
                (
                    row.key.box_name.as_str(),
                    prompt,
                    day(row.sums.first),
                    day(row.sums.last),
                    row.current,
                )
            })
            .collect();
        assert_eq!(
            shown,
            [
                ("x", "p", Some(1), Some(4), true),
                ("x", "q", Some(3), Some(3), false),
                ("y", "q", Some(2), Some(2), true),
            ]
        );
    }
}
