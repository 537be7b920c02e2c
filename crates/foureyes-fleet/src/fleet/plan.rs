//! What the store lacks of what this machine knows.

use super::connection::Store;
use super::error::FleetError;
use super::identity::{Identity, identities};
use super::ledgers::{self, Placed};
use super::logs_behind::{Behind, TOGETHER, grouped, of_log};
use super::{Known, copies};
use crate::store::cache::{Collection, Occurrence};
use std::ops::Range;

/// What the store lacks.
pub(super) struct Plan<'a> {
    /// The identities of all logs, by their index.
    pub(super) identities: Vec<Identity>,
    /// Logs of which it has less.
    pub(super) behind: Vec<Behind>,
    /// Entries that it does not have, each with its ledger and its place there.
    pub(super) entries: Vec<Placed<'a>>,
}

/// Compares the store with what this machine knows; with `all` everything is to be sent.
pub(super) async fn plan<'a>(
    store: &Store,
    known: Known<'a>,
    all: bool,
) -> Result<Plan<'a>, FleetError> {
    let mut identities = identities(known.archive)?;
    let behind = copies::matched(store, known.archive, &mut identities, all).await?;
    let entries = ledgers::lacking(store, known.ledger, all).await?;
    Ok(Plan { identities, behind, entries })
}

/// What of a log is to be sent.
pub(super) struct Rest<'o> {
    /// Its records that are read for good.
    pub(super) settled: &'o [Occurrence],
    /// Those at its end, which may be read anew.
    pub(super) tail: &'o [Occurrence],
}

impl Plan<'_> {
    /// The logs behind in groups of bounded size, as ranges of their places in the plan.
    pub(super) fn groups(&self, archive: &Collection) -> Vec<Range<usize>> {
        let records = |b: &Behind| archive.files().get(b.file).map_or(0, |f| f.accounting.records);
        grouped(self.behind.iter().map(records), TOGETHER)
    }

    /// Where the records of a group of logs are, in the order of logs and bytes.
    pub(super) fn occurrences(
        &self,
        archive: &Collection,
        group: Range<usize>,
    ) -> Result<Vec<Occurrence>, FleetError> {
        let mut wanted = vec![false; archive.files().len()];
        for behind in self.behind.get(group).unwrap_or_default() {
            wanted[behind.file] = true;
        }
        Ok(archive.occurrences(&wanted)?)
    }
}

/// What of each log of a group is to be sent, given the records of all of them in the order of logs and
/// bytes.
pub(super) fn rests<'o>(
    archive: &Collection,
    plan: &Plan<'_>,
    group: Range<usize>,
    occurrences: &'o [Occurrence],
) -> Vec<Rest<'o>> {
    let logs = plan.behind.get(group).unwrap_or_default().iter();
    let rest = |behind: &Behind| {
        let (settled, tail) = of_log(occurrences, behind.file, archive.files().get(behind.file)?);
        Some(Rest { settled: settled.get(behind.whole..).unwrap_or_default(), tail })
    };
    logs.filter_map(rest).collect()
}
