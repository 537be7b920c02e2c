//! Verdicts of judges, counted by the nodes.

use super::error::FleetError;
use super::fold;
use super::list::Reader;
use super::lookup::within;
use super::row_binary::{Columns, Torn};
use crate::domain::{CallKey, CallSums, Calls, Outcome, Timestamp, Window};

impl Reader {
    /// The verdicts of judges in a window, of whatever family; each record once. The nodes count, and only
    /// sums travel.
    ///
    /// # Errors
    /// A node that does not answer.
    pub async fn calls(&self, window: Window) -> Result<Calls, FleetError> {
        let condition = format!(
            "outcome != {} AND (isNotNull(model) OR isNotNull(served_model)) AND {}",
            Outcome::NONE_CODE,
            within(window)
        );
        let columns =
            ", ts, day, model, served_model, prompt, judge_sha, prompt_tokens, completion_tokens";
        let select = format!(
            "SELECT isNull(ts) AS undated, toInt64(day), box, model, served_model, prompt, judge_sha, \
             toUInt64(count()), toUInt64(sum(whole)), toUInt64(sum(whole * ifNull(prompt_tokens, 0))), \
             toUInt64(sum(whole * ifNull(completion_tokens, 0))), toInt64(min(at)), toInt64(max(at)) \
             FROM (SELECT *, (isNotNull(prompt_tokens) AND isNotNull(completion_tokens)) AS whole FROM ({})) \
             GROUP BY undated, day, box, model, served_model, prompt, judge_sha",
            fold::first_places(self.store().names(), columns, &condition, &within(window))
        );
        let rows = self.store().rows("count verdicts", &select, row).await?;
        let mut calls = Calls::new();
        for (key, sums) in rows {
            calls.entry(key).or_default().merge(&sums);
        }
        Ok(calls)
    }
}

fn row(row: &mut Columns<'_>) -> Result<(CallKey, CallSums), Torn> {
    let (undated, day) = (row.u8()? != 0, row.i64()?);
    let key = CallKey {
        day: i32::try_from(day).ok().filter(|_| !undated),
        box_name: row.text()?,
        model: row.nullable(Columns::text)?,
        served_model: row.nullable(Columns::text)?,
        prompt_sha: row.nullable(Columns::text)?,
        judge_sha: row.nullable(Columns::text)?,
    };
    let (verdicts, counted) = (row.u64()?, row.u64()?);
    let (prompt_tokens, completion_tokens) = (row.u64()?, row.u64()?);
    let [first, last] = [row.i64()?, row.i64()?].map(|at| (!undated).then_some(Timestamp(at)));
    Ok((key, CallSums { verdicts, counted, prompt_tokens, completion_tokens, first, last }))
}
