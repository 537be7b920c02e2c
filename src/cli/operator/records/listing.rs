//! Records on standard output, one by one: no listing is held in memory.

use crate::cli::operator::reading::{self, Trouble};
use crate::cli::output;
use crate::domain::review::Claims;
use crate::domain::{Record, RecordId};
use crate::overrides::Settlements;
use crate::report::Options;
use crate::report::record_columns::ChosenColumns;
use crate::report::records::{Listing, Records, Written};
use crate::store::cache::{Archive, Row, RowError};
use std::collections::BTreeMap;
use std::io;

/// Why a listing ended early.
enum Stop {
    Row(RowError),
    Out(io::Error),
}

impl From<RowError> for Stop {
    fn from(error: RowError) -> Self {
        Self::Row(error)
    }
}

/// Writes records to standard output as they are read.
pub(super) fn list(
    archive: &Archive,
    rows: &[Row],
    listing: Listing,
    (options, columns): (Options, Option<&ChosenColumns>),
    claims: &BTreeMap<RecordId, Claims>,
    mut shown: impl FnMut(&Record),
) -> Result<Written, Trouble> {
    let mut settlements = match listing {
        Listing::JsonLines => Settlements::find(archive)?,
        Listing::Plain | Listing::Csv | Listing::Markdown => Settlements::default(),
    };
    // Begun with the first record: until then the cache may be found wanting and asked anew.
    let mut begun = None;
    let mut begin = || {
        let out = io::BufWriter::new(io::stdout().lock());
        let records = Records::begin(out, listing, options, columns.cloned()).map_err(Stop::Out);
        let settlements = std::mem::take(&mut settlements);
        records.map(|records| records.with_claims(claims.clone()).with_settlements(settlements))
    };
    let mut write = || -> Result<Written, Stop> {
        archive.each_record(rows, |located| {
            let records = match &mut begun {
                Some(records) => records,
                None => begun.insert(begin()?),
            };
            shown(&located.record);
            records.row(&located.record).map_err(Stop::Out)
        })?;
        let records = begun.take().map_or_else(&mut begin, Ok)?;
        records.finish().map_err(Stop::Out)
    };
    match write() {
        Ok(written) => Ok(written),
        // What is printed cannot be taken back.
        Err(Stop::Row(error)) if begun.is_some() => Err(reading::row_failure(error).into()),
        Err(Stop::Row(error)) => Err(error.into()),
        Err(Stop::Out(error)) => Ok(output::pipe(Err(error)).map(|()| Written::default())?),
    }
}
