//! Orders of the queue.

use crate::domain::{Groups, Outcome};
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
                let mut tasks = tasks.iter();
                let mut task = || tasks.next().copied().flatten();
                Ok(by(files.iter().map(|file| subject(*file, &mut task)).collect(), &rows))
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
    let groups = Groups::new(different.len(), ranks.into_iter());
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

/// What the order by file compares, of the ranks of the first file and, without one, of the task.
fn subject(file: Option<u32>, task: impl FnOnce() -> Option<u32>) -> u64 {
    match file.map(u64::from) {
        Some(file) => file,
        None => task().map_or(2 << 32, |task| 1 << 32 | u64::from(task)),
    }
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
        let order = [(Some(0), Some(3)), (Some(u32::MAX), None), (None, Some(0))];
        let order = order.into_iter().chain([(None, Some(u32::MAX)), (None, None)]);
        assert!(order.map(|(file, task)| subject(file, || task)).is_sorted_by(|a, b| a < b));
    }

    #[test]
    fn names_round_trip() {
        for order in Order::ALL {
            assert_eq!(Order::from_name(order.as_str()), Some(order));
        }
        assert_eq!(Order::from_name("Newest"), None);
    }
}
