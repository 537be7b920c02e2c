//! Claims of escalations, as text.

use crate::domain::review::{Claim, Dated};
use crate::domain::{Record, Timestamp};
use crate::overrides::Claimed;
use crate::text::escape::line as visible;
use serde::Serialize;
use std::io::{self, Write};

/// The claims of a record, beside its own fields in JSON; left out where it has none.
#[derive(Debug, Default, Serialize)]
pub struct Beside {
    #[serde(skip_serializing_if = "Vec::is_empty")]
    claims: Vec<One>,
    #[serde(skip_serializing_if = "Option::is_none")]
    settled: Option<Settled>,
}

#[derive(Debug, Serialize)]
struct One {
    reviewer: String,
    since: String,
    entry: String,
}

/// What answers a run that a person had to decide.
#[derive(Debug, Serialize)]
struct Settled {
    #[serde(rename = "override")]
    word: Option<String>,
    reviewer: Option<String>,
    time: Option<String>,
    record: String,
}

impl Beside {
    /// The claims of a record, and the override in a log that answers its run.
    pub fn new(claims: &[Dated<Claim>], settling: Option<&Record>) -> Self {
        let one = |held: &Dated<Claim>| One {
            reviewer: held.reviewer.clone(),
            since: held.time.to_string(),
            entry: held.entry.to_string(),
        };
        let settled = |row: &Record| Settled {
            word: row.verdict.clone(),
            reviewer: row.reviewer.clone(),
            time: row.timestamp.map(|time| time.to_string()),
            record: row.id.to_string(),
        };
        Self { claims: claims.iter().map(one).collect(), settled: settling.map(settled) }
    }
}

/// What answers a run: `accept by M. Ortega, 2026-02-19 10:30`. Raw text of a log.
pub fn settled(row: &Record) -> String {
    let who = row.reviewer.as_deref().map(|who| format!(" by {who}")).unwrap_or_default();
    let time = row.timestamp.map_or("undated".to_owned(), minute);
    let word = row.verdict.as_deref().unwrap_or_default();
    format!("{word}{who}, {time}")
}

/// A time to the minute, in UTC: `2026-02-19 10:30`.
pub fn minute(time: Timestamp) -> String {
    time.to_string().get(..16).unwrap_or_default().replace('T', " ")
}

/// Who claimed it, and since when.
pub fn text(held: &Dated<Claim>) -> String {
    format!("claimed by {} since {}", visible(&held.reviewer), minute(held.time))
}

/// Writes what became of a claim or a release by a reviewer.
///
/// # Errors
/// Those of the writer.
pub fn write(out: &mut dyn Write, done: &Claimed, reviewer: &str) -> io::Result<()> {
    match done {
        Claimed::Saved => writeln!(out, "claimed by {}", visible(reviewer)),
        Claimed::Already(held) | Claimed::Taken(held) => writeln!(out, "already {}", text(held)),
        Claimed::Released(claims) => {
            claims.iter().try_for_each(|held| writeln!(out, "released: {}", text(held)))
        }
        Claimed::Free => writeln!(out, "nobody had claimed it"),
    }
}

/// Writes the claims of a record below it, and the override in a log that answers its run.
///
/// # Errors
/// Those of the writer.
pub fn write_below(
    out: &mut dyn Write,
    claims: &[Dated<Claim>],
    settling: Option<&Record>,
) -> io::Result<()> {
    claims.iter().try_for_each(|held| writeln!(out, "     {}", text(held)))?;
    settling.map_or(Ok(()), |row| writeln!(out, "     settled: {}", visible(&settled(row))))
}
