//! Orders of lists.

use crate::domain::{Column, Distinct, Groups, Outcome, Sort};
use crate::frame::{Grade, schema};
use crate::store::cache::{Archive, CacheError, Row};
use rayon::prelude::*;

/// Arranges rows that stand in the order of [`Archive::list`], the newest first: so equal ones stay.
///
/// # Errors
/// A cache that cannot be read.
pub fn arrange(sort: Sort, archive: &Archive, rows: Vec<Row>) -> Result<Vec<Row>, CacheError> {
    if sort == Sort::default() {
        return Ok(rows);
    }
    let ranks = match sort.column {
        Column::Age => ages(&rows),
        Column::Scores => ranked(archive.grades(&rows)?.into_iter().map(severity).map(Some)),
        Column::State => states(archive, &rows)?,
        Column::Latency => {
            // The longest first.
            ranked(
                archive
                    .latencies(&rows)?
                    .into_iter()
                    .map(|ms| Some(u64::MAX - u64::try_from(ms?).ok()?)),
            )
        }
        Column::Path => subjects(archive, &rows)?,
        Column::Box => of_names(archive.box_names(&rows)?),
        Column::Author => of_names(archive.texts(&rows, schema::AUTHOR)?),
        Column::Finding => of_names(archive.parts_of_texts(&rows, schema::FINDINGS, beginning)?),
        Column::Model => {
            let served = archive.texts(&rows, schema::SERVED_MODEL)?;
            let wanted = archive.texts(&rows, schema::MODEL)?;
            let both = served.iter().zip(wanted.iter());
            of_names(
                both.map(|(served, wanted)| served.as_ref().or(wanted.as_ref()).cloned()).collect(),
            )
        }
    };
    Ok(placed(&ranks, sort.is_reversed, &rows))
}

/// A rank for each row, `None` for one that has nothing to compare.
type Ranks = Vec<Option<u32>>;

/// Puts rows in the order of their ranks, those of one as they stand; those without one last, reversed or not.
fn placed(ranks: &[Option<u32>], is_reversed: bool, rows: &[Row]) -> Vec<Row> {
    let count = ranks.iter().flatten().max().map_or(0, |most| most + 1);
    let place = |rank: &Option<u32>| match rank {
        Some(rank) if is_reversed => count - 1 - rank,
        Some(rank) => *rank,
        None => count,
    };
    let groups = Groups::new(count as usize + 1, ranks.iter().map(place));
    groups.places().iter().filter_map(|at| rows.get(*at as usize)).copied().collect()
}

/// The rank of each key, the lowest first.
fn ranked(keys: impl Iterator<Item = Option<u64>>) -> Ranks {
    let keys: Vec<Option<u64>> = keys.collect();
    let mut different: Vec<u64> = keys.iter().flatten().copied().collect();
    different.par_sort_unstable();
    different.dedup();
    let rank = |key: &u64| different.binary_search(key).unwrap_or_else(|rank| rank) as u32;
    keys.par_iter().map(|key| key.as_ref().map(rank)).collect()
}

/// The rank of each name by its letters.
fn of_names(names: Distinct<Option<String>>) -> Ranks {
    names.ranked().iter().copied().collect()
}

/// The newest first; undated ones have no rank.
fn ages(rows: &[Row]) -> Ranks {
    let dated = |row: &Row| (row.ts != i64::MIN).then_some(row.ts);
    // Flipped, negative times come before positive ones, and the newest before all.
    ranked(rows.iter().map(|row| dated(row).map(|ts| u64::MAX - (ts as u64 ^ (1 << 63)))))
}

/// What stopped a push, then NO-GO, UNDETERMINED and GO; what is no evaluation has no rank.
fn states(archive: &Archive, rows: &[Row]) -> Result<Ranks, CacheError> {
    let modes = archive.texts(rows, schema::MODE)?;
    let grades = archive.grades(rows)?;
    let state = |(grade, mode): (&Grade, &Option<String>)| match grade.outcome? {
        Outcome::NoGo if mode.as_deref() == Some("blocking") => Some(0),
        Outcome::NoGo => Some(1),
        Outcome::Undetermined => Some(2),
        Outcome::Go => Some(3),
    };
    Ok(grades.iter().zip(modes.iter()).map(state).collect())
}

/// The beginning of a finding, which is as much as a list shows.
fn beginning(findings: &str) -> Option<&str> {
    let text = findings.trim_start();
    let end = text.floor_char_boundary(text.len().min(LONGEST));
    Some(&text[..end]).filter(|text| !text.is_empty())
}

/// Bytes of a finding that are compared.
const LONGEST: usize = 120;

/// What the order by severity compares: less is worse. The class, then the mean and the lowest score.
fn severity(grade: Grade) -> u64 {
    let class = match grade.outcome {
        Some(Outcome::NoGo) => 0,
        Some(Outcome::Undetermined) => 1,
        _ => 2,
    };
    // Scores are no less than 1: the bits of such numbers are ordered as they are, and the sign bit is 0.
    let bits = |score: f32| u64::from(score.to_bits() & WITHOUT_SIGN);
    let [mean, worst] = [grade.mean, grade.worst].map(bits);
    class << 62 | mean << 31 | worst
}

/// The bits of a number without its sign.
const WITHOUT_SIGN: u32 = u32::MAX >> 1;

/// The first file of a list as its column has it: a zero byte before each.
fn first_file(files: &str) -> Option<&str> {
    files.split('\0').nth(1)
}

/// The ranks of rows by their first file, then of those of a task by its name.
fn subjects(archive: &Archive, rows: &[Row]) -> Result<Ranks, CacheError> {
    let files = archive.parts_of_texts(rows, schema::FILES, first_file)?.ranked();
    let of_none = rows.iter().zip(files.iter()).filter(|(_, file)| file.is_none());
    let of_none: Vec<Row> = of_none.map(|(row, _)| *row).collect();
    let tasks = archive.texts(&of_none, schema::TASK)?.ranked();
    Ok(files_then_tasks(&files, &tasks))
}

/// The ranks of files, then those of the tasks, which are of the rows without a file.
fn files_then_tasks(files: &Distinct<Option<u32>>, tasks: &Distinct<Option<u32>>) -> Ranks {
    let of_files = files.iter().flatten().max().map_or(0, |at| at + 1);
    let mut tasks = tasks.iter();
    let mut task = || tasks.next().copied().flatten().map(|at| of_files + at);
    files.iter().map(|file| file.or_else(&mut task)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_go_lowest_score_and_files_come_first() {
        let grade = |outcome, mean, worst| Grade { outcome: Some(outcome), mean, worst };
        let none = f32::INFINITY;
        let order = [
            grade(Outcome::NoGo, 1.5, 1.0),
            grade(Outcome::NoGo, 10.0 / 3.0, 1.0),
            grade(Outcome::NoGo, 10.0 / 3.0, 2.0),
            grade(Outcome::NoGo, none, none),
            grade(Outcome::Undetermined, 1.0, 1.0),
            grade(Outcome::Undetermined, none, none),
        ];
        assert!(order.map(severity).is_sorted_by(|a, b| a < b));
        let files = [Some(1), None, Some(0), None, None].into_iter().collect();
        let tasks = [Some(1), None, Some(0)].into_iter().collect();
        assert_eq!(files_then_tasks(&files, &tasks), [Some(1), Some(3), Some(0), None, Some(2)]);
        assert!(files_then_tasks(&Distinct::default(), &Distinct::default()).is_empty());
    }

    fn row(ts: i64) -> Row {
        Row { ts, segment: 0, row: 0 }
    }

    #[test]
    fn what_has_no_rank_stays_last_when_reversed() {
        let rows = [9, 8, 7, 6, 5].map(row);
        let ranks = [Some(1), None, Some(0), Some(1), None];
        let times = |is_reversed| placed(&ranks, is_reversed, &rows).iter().map(|r| r.ts).collect();
        let (forth, back): (Vec<i64>, Vec<i64>) = (times(false), times(true));
        assert_eq!((forth, back), (vec![7, 9, 6, 8, 5], vec![9, 6, 7, 8, 5]));
    }

    #[test]
    fn newest_is_first_and_undated_last() {
        let rows = [9, 0, -4, i64::MIN].map(row);
        assert_eq!(ages(&rows), [Some(0), Some(1), Some(2), None]);
    }
}
