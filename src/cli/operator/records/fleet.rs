//! `foureyes records --fleet`.

use super::{Context, Failure};
use crate::cli::operator::exposure::Exposed;
use crate::cli::operator::{fleet, reading};
use crate::cli::output;
use crate::domain::RecordId;
use crate::domain::review::Claims;
use crate::fleet::Question;
use crate::report::Options;
use crate::report::record_columns::ChosenColumns;
use crate::report::records::{Listing, Records};
use std::collections::BTreeMap;
use std::io;
use std::process::ExitCode;

/// Writes the records of the store to standard output as they are fetched.
pub(super) fn run(
    context: &Context,
    question: &Question<'_>,
    listing: Listing,
    (options, columns): (Options, Option<ChosenColumns>),
    claims: BTreeMap<RecordId, Claims>,
) -> Result<ExitCode, Failure> {
    let mut exposed = Exposed::begin(context, "records");
    // Begun with the first record: until then the store may refuse.
    let mut begun = None;
    let mut begin = Some(|| {
        let out = io::BufWriter::new(io::stdout());
        Records::begin(out, listing, options, columns).map(|records| records.with_claims(claims))
    });
    let found = fleet::found(context, question, async |reader, rows| {
        let settlements = match listing {
            Listing::JsonLines => Some(fleet::settlements(context, reader, &rows).await?),
            Listing::Plain | Listing::Csv | Listing::Markdown => None,
        };
        let write = || -> io::Result<()> {
            if let Some(begin) = begin.take() {
                begun = Some(begin()?);
            }
            let Some(records) = &mut begun else { return Ok(()) };
            if let Some(settlements) = settlements {
                records.set_settlements(settlements);
            }
            rows.iter().try_for_each(|located| {
                exposed.iter_mut().for_each(|shown| shown.take(&located.record));
                records.row(&located.record)
            })
        };
        let written = write();
        let goes_on = written.is_ok();
        output::pipe(written).map(|()| goes_on)
    })?;
    let found = match found {
        Ok(found) => found,
        Err(code) => return Ok(code),
    };
    let finish = || match begin {
        Some(begin) => begin()?.finish(),
        None => begun.map_or_else(|| Ok(Default::default()), Records::finish),
    };
    exposed.into_iter().for_each(|shown| shown.finish(None));
    let mut masked = 0;
    output::pipe(finish().map(|written| masked = written.masked))?;
    if found == 0 {
        reading::note("no record matches");
    }
    reading::note_masked(masked);
    Ok(ExitCode::SUCCESS)
}
