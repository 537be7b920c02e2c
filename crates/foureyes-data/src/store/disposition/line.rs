//! A line of the file, to and from text.

use super::Disposition;
use crate::domain::{RecordId, Timestamp};
use serde::{Deserialize, Serialize};

/// Written into every line; one of another version says nothing to this one.
const SCHEMA: &str = "foureyes/dealt/1";

/// What a line says.
pub(super) enum Line {
    /// What was done with an item.
    Disposition { id: RecordId, deal: Disposition, at: Timestamp },
    /// Since when the queue of a collection is shown.
    Start { collection: String, start: Timestamp },
    /// Nothing that is known here.
    Other,
}

/// The fields of all kinds of line; others are passed over.
#[derive(Serialize, Deserialize)]
struct Fields {
    schema: String,
    at: Timestamp,
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<RecordId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    deal: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    collection: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    start: Option<Timestamp>,
}

impl Fields {
    fn at(at: Timestamp) -> Self {
        let schema = SCHEMA.to_owned();
        Self { schema, at, id: None, deal: None, collection: None, start: None }
    }

    fn text(&self) -> String {
        // Strings, ids and times: no value of this type fails.
        serde_json::to_string(self).unwrap_or_default() + "\n"
    }
}

/// The line of an item.
pub(super) fn of_deal(id: &RecordId, deal: Disposition, at: Timestamp) -> String {
    let deal = Some(deal.as_str().to_owned());
    Fields { id: Some(*id), deal, ..Fields::at(at) }.text()
}

/// The line of a start.
pub(super) fn of_start(collection: &str, start: Timestamp, at: Timestamp) -> String {
    let collection = Some(collection.to_owned());
    Fields { collection, start: Some(start), ..Fields::at(at) }.text()
}

/// Reads a line without its end.
pub(super) fn read(line: &[u8]) -> Line {
    let Ok(fields) = serde_json::from_slice::<Fields>(line) else { return Line::Other };
    if fields.schema != SCHEMA {
        return Line::Other;
    }
    let named = |word: String| Disposition::ALL.into_iter().find(|deal| deal.as_str() == word);
    match (fields.id, fields.deal.and_then(named), fields.collection, fields.start) {
        (Some(id), Some(deal), None, None) => Line::Disposition { id, deal, at: fields.at },
        (None, None, Some(collection), Some(start)) => Line::Start { collection, start },
        _ => Line::Other,
    }
}
