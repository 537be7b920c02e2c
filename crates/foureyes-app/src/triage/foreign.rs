//! Logs that hold lines of other programs.

use crate::domain::{Caveat, ForeignLog};
use crate::store::cache::{Archive, FileReport};
use crate::text::{counted, separated};
use std::cmp::Reverse;

/// So many logs are listed.
const LISTED: usize = 50;

fn of(archive: &Archive) -> impl Iterator<Item = &FileReport> {
    archive.files().iter().filter(|file| file.accounting.foreign > 0)
}

/// Those with most of them, and how many there are.
pub(super) fn logs(archive: &Archive) -> (Vec<ForeignLog>, u64) {
    let log = |file: &FileReport| ForeignLog {
        box_name: file.box_name.clone(),
        file: file.name.clone(),
        foreign: file.accounting.foreign,
    };
    let mut logs: Vec<ForeignLog> = of(archive).map(log).collect();
    let total = logs.len() as u64;
    logs.sort_by_key(|log| Reverse(log.foreign));
    logs.truncate(LISTED);
    (logs, total)
}

/// How many lines of other programs the logs of a box hold.
pub(super) fn of_box(archive: &Archive, name: &str) -> u64 {
    of(archive).filter(|file| file.box_name == name).map(|file| file.accounting.foreign).sum()
}

/// That there are such lines, where there are.
pub(super) fn caveat(archive: &Archive) -> Option<Caveat> {
    let logs = counted(of(archive).count() as u64, "log", "logs");
    let text = match archive.accounting().foreign {
        0 => return None,
        1 => format!("1 line in {logs} is from another program and counts in no KPI"),
        n => {
            format!("{} lines in {logs} are from other programs and count in no KPI", separated(n))
        }
    };
    let text = format!("{text} (docs/faq.md#lines-from-other-programs)");
    Some(Caveat { id: "foreign".to_owned(), text })
}
