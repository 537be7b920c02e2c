//! Logs of verdicts in which not every line could be read.

use crate::calibration::DamagedLog;
use crate::collect::rank_of_log;
use crate::domain::{JudgementKind, Timestamp, log_name};
use crate::frame::LogSpan;
use crate::instruments::Capability;
use crate::store::cache::{Archive, CacheError, FileReport};
use std::collections::BTreeSet;

/// The logs of a kind's verdicts that hold something that is no record, in the order of the logs.
///
/// A log is one of them where it holds such a verdict; one of push verdicts also where it is named after a
/// day and holds nothing that could be read. Its days are that of its name, else those of its records.
///
/// # Errors
/// A cache that cannot be read.
pub(super) fn damaged(
    archive: &Archive,
    kind: JudgementKind,
) -> Result<Vec<DamagedLog>, CacheError> {
    let files = archive.files();
    let hurt = |f: &FileReport| f.accounting.rejected > 0 || f.accounting.incomplete > 0;
    let numbered = || (0_u32..).zip(files).filter(|(_, file)| hurt(file));
    let wanted: BTreeSet<u32> = numbered().map(|(number, _)| number).collect();
    if wanted.is_empty() {
        return Ok(Vec::new());
    }
    let spans = archive.log_spans(kind, &wanted)?;
    let mut all: Vec<(u32, &FileReport)> = numbered().collect();
    all.sort_by_key(|(_, file)| rank_of_log(&file.box_name, &file.name));
    Ok(all.into_iter().filter_map(|(number, file)| log(file, kind, spans.get(&number))).collect())
}

fn log(file: &FileReport, kind: JudgementKind, span: Option<&LogSpan>) -> Option<DamagedLog> {
    let name = file.name.rsplit('/').next().unwrap_or_default();
    let named = log_name::day(name.as_bytes()).map(Timestamp::day);
    let days = match (named, span) {
        (Some(day), None) if kind.has(Capability::EmptyLogs) && file.accounting.records == 0 => {
            [day, day]
        }
        (Some(day), Some(span)) => [day, last_day(day, span)],
        (None, Some(span)) => span.first.zip(span.last).map_or(
            // Without any time it may be of any day, today among them.
            [i32::MIN, i32::MAX],
            |(first, (_, last))| [first.day(), last.day()],
        ),
        (_, None) => return None,
    };
    Some(DamagedLog {
        name: format!("{} {name}", file.box_name),
        days,
        rejected: file.accounting.rejected,
        incomplete: file.accounting.incomplete > 0,
    })
}

/// A log of one day may grow on the next, where clocks differ.
fn last_day(named: i32, span: &LogSpan) -> i32 {
    let last = span.last.map_or(named, |(_, at)| at.day());
    if last == named.saturating_add(1) { last } else { named }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::domain::Accounting;

    fn days(name: &str, records: u64, span: Option<[i32; 2]>) -> Option<[i32; 2]> {
        let file = FileReport {
            box_name: "night".to_owned(),
            name: name.to_owned(),
            path: Default::default(),
            bytes: 0,
            done: 0,
            gzip: false,
            settled: 0,
            accounting: Accounting { records, rejected: 2, incomplete: 1, ..Default::default() },
            print: Default::default(),
            cut: false,
            chain: Default::default(),
            repeated: 0,
            blocks: Default::default(),
        };
        let span = span.map(|[first, last]| LogSpan {
            first: Some(Timestamp::of_day(first)),
            last: Some((9, Timestamp::of_day(last))),
        });
        log(&file, JudgementKind::Push, span.as_ref()).map(|log| log.days)
    }

    #[test]
    fn log_day_comes_from_name_or_else_records() {
        // 1970-01-10 is the ninth day after the first.
        assert_eq!(days("a/1970-01-10.jsonl", 4, Some([9, 9])), Some([9, 9]));
        assert_eq!(days("1970-01-10.jsonl.2.gz", 4, Some([9, 9])), Some([9, 9]));
        assert_eq!(days("1970-01-10.jsonl", 4, Some([9, 10])), Some([9, 10]), "it ran on");
        assert_eq!(days("1970-01-10.jsonl", 4, Some([3, 4_000])), Some([9, 9]), "a wrong clock");
        assert_eq!(days("1970-01-10.jsonl", 0, None), Some([9, 9]), "nothing could be read");
        assert_eq!(days("pushes.jsonl", 4, Some([3, 7])), Some([3, 7]));
    }

    #[test]
    fn a_log_without_a_push_verdict_is_none_of_them() {
        assert_eq!(days("verdicts.jsonl", 4, None), None);
        assert_eq!(days("verdicts.jsonl", 0, None), None);
        assert_eq!(days("1970-01-10.jsonl", 4, None), None, "it holds something else");
    }
}
