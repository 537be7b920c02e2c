//! An entry to and from a line.
//!
//! A line is a JSON object whose last field is `hash`: BLAKE3 of the bytes of the same object
//! without that field. So a change of any byte shows, and bytes that this version does not
//! understand are vouched for as well.

use crate::domain::Timestamp;
use crate::domain::review::{Act, Entry, EntryId, LineHash};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Value of `schema` in a line.
pub const LEDGER_SCHEMA: &str = "foureyes/ledger/1";

/// What stands before the digits of the hash.
const HASH: &[u8] = b",\"hash\":\"";
/// What stands behind them.
const END: &[u8] = b"\"}";
/// Digits of the hash.
const DIGITS: usize = 64;

/// All fields but the hash.
#[derive(Serialize, Deserialize)]
struct Fields {
    schema: String,
    id: EntryId,
    time: Timestamp,
    reviewer: String,
    machine: String,
    kind: String,
    body: Value,
    prev: Option<LineHash>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    seen: Vec<LineHash>,
}

/// Why a line is no entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fault {
    /// It is not whole: a writer was killed, or somebody cut it.
    NotWhole,
    /// Its bytes are not those that its hash is of, or no beginning of such.
    Changed,
}

/// What an entry is before it has a place.
#[derive(Debug, Clone, Copy)]
pub(super) struct Draft<'a> {
    pub(super) id: EntryId,
    pub(super) time: Timestamp,
    pub(super) reviewer: &'a str,
    pub(super) machine: &'a str,
    pub(super) act: &'a Act,
}

/// The line of an entry behind the one of that hash, with its end. `seen` are the last entries of other
/// ledgers that it names.
pub(super) fn write(
    draft: Draft<'_>,
    prev: Option<LineHash>,
    seen: Vec<LineHash>,
) -> Result<String, serde_json::Error> {
    let fields = Fields {
        schema: LEDGER_SCHEMA.to_owned(),
        id: draft.id,
        time: draft.time,
        reviewer: draft.reviewer.to_owned(),
        machine: draft.machine.to_owned(),
        kind: draft.act.kind().to_owned(),
        body: draft.act.body()?,
        prev,
        seen,
    };
    let mut line = serde_json::to_string(&fields)?;
    let hash = blake3::hash(line.as_bytes());
    line.truncate(line.len() - 1);
    line.push_str(&format!(",\"hash\":\"{}\"}}\n", hash.to_hex()));
    Ok(line)
}

/// Reads a line, with its end or without it.
pub(super) fn read(line: &[u8]) -> Result<Entry, Fault> {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    let (object, hash) =
        parts(line).ok_or_else(|| match is_beginning(line) && !was_whole(line) {
            true => Fault::NotWhole,
            false => Fault::Changed,
        })?;
    if blake3::hash(&object).as_bytes() != &hash.0 {
        return Err(Fault::Changed);
    }
    entry(&object, hash).ok_or(Fault::Changed)
}

/// What a line that was changed speaks of, where it can still be read.
pub(super) fn read_changed(line: &[u8]) -> Option<Entry> {
    // Something may have been added behind it.
    let end = memchr::memmem::rfind(line, END)? + END.len();
    let (object, hash) = parts(line.get(..end)?)?;
    entry(&object, hash)
}

/// Whether a line is what a killed writer may leave: the beginning of an object, on some file
/// systems with zeros behind it. What is JSON as a whole, or none, was written to by somebody else.
fn is_beginning(line: &[u8]) -> bool {
    // A number is cut anywhere: of what it has, nothing is needed to see that the object goes on.
    let tail = |b: &u8| *b == 0 || b.is_ascii_digit() || b"+-.eE".contains(b);
    let end = line.iter().rposition(|b| !tail(b)).map_or(0, |at| at + 1);
    let line = line.get(..end).unwrap_or_default();
    let read = serde_json::from_slice::<serde::de::IgnoredAny>(line);
    read.is_err_and(|error| error.is_eof())
}

/// Whether a line was whole once: all digits of the hash, another byte than the quote behind them, and
/// the last brace.
fn was_whole(line: &[u8]) -> bool {
    let digits = memchr::memmem::rfind(line, HASH).map(|at| at + HASH.len());
    let end = digits.and_then(|at| line.get(at + DIGITS..)).unwrap_or_default();
    matches!(end, [_, b'}']) && end != END
}

/// The object without its hash, and the hash.
fn parts(line: &[u8]) -> Option<(Vec<u8>, LineHash)> {
    let rest = line.strip_suffix(END)?;
    let (rest, digits) = rest.split_at_checked(rest.len().checked_sub(DIGITS)?)?;
    let hash = std::str::from_utf8(digits).ok()?.parse().ok()?;
    let mut object = rest.strip_suffix(HASH)?.to_vec();
    object.push(b'}');
    Some((object, hash))
}

fn entry(object: &[u8], hash: LineHash) -> Option<Entry> {
    let fields: Fields = serde_json::from_slice(object).ok()?;
    // An entry of a later version keeps its place in the chain and says nothing to this one.
    let act = match fields.schema == LEDGER_SCHEMA {
        true => Act::read(&fields.kind, fields.body),
        false => Act::Other { kind: fields.kind, body: fields.body },
    };
    Some(Entry {
        id: fields.id,
        time: fields.time,
        reviewer: fields.reviewer,
        machine: fields.machine,
        act,
        prev: fields.prev,
        seen: fields.seen,
        hash,
    })
}
