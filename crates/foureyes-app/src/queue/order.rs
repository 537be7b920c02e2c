//! Orders of the queue.

use crate::domain::{Distinct, Groups, Outcome};
use crate::frame::{Grade, schema};
use crate::store::cache::{Archive, CacheError, Row};
use rayon::prelude::*;

/// In which order items come. Among equal ones the newest is first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, strum::VariantArray)]
pub enum Order {
    /// The newest first, undated ones last.
    #[default]
    Newest,
    /// NO-GO before UNDETERMINED; then the lowest mean of the scores, then the lowest score;
    /// items without scores after those that have any.
    Severity,
    /// By the first judged file, then those of a task by its name, then the rest.
    File,
}

impl Order {
    /// All of them.
    pub const ALL: [Self; 3] = crate::domain::variants();

    /// The name in files and on the screen.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Newest => "newest",
            Self::Severity => "severity",
            Self::File => "file",
        }
    }

    /// Finds an order by its name.
    pub fn from_name(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|order| order.as_str() == text)
    }

    /// Arranges rows that stand in the order of [`Archive::list`].
    pub(super) fn arrange(self, archive: &Archive, rows: Vec<Row>) -> Result<Vec<Row>, CacheError> {
        match self {
            Self::Newest => Ok(rows),
            Self::Severity => {
                Ok(by(archive.grades(&rows)?.into_iter().map(severity).collect(), &rows))
            }
            Self::File => {
                let files = archive.parts_of_texts(&rows, schema::FILES, first_file)?.ranked();
                let of_none = rows.iter().zip(files.iter()).filter(|(_, file)| file.is_none());
                let of_none: Vec<Row> = of_none.map(|(row, _)| *row).collect();
                let tasks = archive.texts(&of_none, schema::TASK)?.ranked();
                let (ranks, count) = subjects(&files, &tasks);
                Ok(grouped(&ranks, count, &rows))
            }
        }
    }
}

/// Sorts rows by keys, equal ones as they stand. Few keys differ.
fn by(keys: Vec<u64>, rows: &[Row]) -> Vec<Row> {
    let mut different = keys.clone();
    different.par_sort_unstable();
    different.dedup();
    let rank = |key: &u64| different.binary_search(key).unwrap_or_else(|rank| rank) as u32;
    let ranks: Vec<u32> = keys.par_iter().map(rank).collect();
    grouped(&ranks, different.len(), rows)
}

/// Puts rows in the order of so many ranks, those of one as they stand.
fn grouped(ranks: &[u32], count: usize, rows: &[Row]) -> Vec<Row> {
    let groups = Groups::new(count, ranks.iter().copied());
    groups.places().iter().filter_map(|at| rows.get(*at as usize)).copied().collect()
}

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

/// The ranks of rows by file, and how many ranks there are: those of the files, then those of the tasks, which are
/// of the rows without a file, then that of the rest.
fn subjects(files: &Distinct<Option<u32>>, tasks: &Distinct<Option<u32>>) -> (Vec<u32>, usize) {
    let count = |ranks: &Distinct<Option<u32>>| ranks.iter().flatten().max().map_or(0, |at| at + 1);
    let (of_files, of_tasks) = (count(files), count(tasks));
    let mut tasks = tasks.iter();
    let mut task = || of_files + tasks.next().copied().flatten().unwrap_or(of_tasks);
    let ranks = files.iter().map(|file| file.unwrap_or_else(&mut task)).collect();
    (ranks, (of_files + of_tasks) as usize + 1)
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
        assert_eq!(subjects(&files, &tasks), (vec![1, 3, 0, 4, 2], 5));
        assert_eq!(subjects(&Distinct::default(), &Distinct::default()), (vec![], 1));
    }

    #[test]
    fn names_round_trip() {
        for order in Order::ALL {
            assert_eq!(Order::from_name(order.as_str()), Some(order));
        }
        assert_eq!(Order::from_name("Newest"), None);
    }
}
