//! Days in runs of bounded size: a node compares the places of records of one run at a time.

use super::connection::Store;
use super::error::FleetError;
use super::schema;

/// Rows of a run, in what is fetched at once.
const COMPARED: u64 = 4;

/// Some days of what a condition on the columns of records holds for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Span {
    /// What holds for its records.
    pub(super) condition: String,
    /// That of all records of its days.
    pub(super) days: String,
    /// That of these and of all that was written later, whatever else it is: a record has one time, so it is on
    /// one day wherever it is.
    pub(super) onwards: String,
}

/// Spans that hold together what a condition on the columns of records holds for, the earliest first.
pub(super) async fn of(store: &Store, condition: &str) -> Result<Vec<Span>, FleetError> {
    with_at_most(store, condition, store.together().saturating_mul(COMPARED)).await
}

/// The same, with at most so many rows each, or those of one day.
pub(super) async fn with_at_most(
    store: &Store,
    condition: &str,
    most: u64,
) -> Result<Vec<Span>, FleetError> {
    let select = format!(
        "SELECT toInt64(day) AS number, toUInt64(count()) FROM {} WHERE {condition} GROUP BY number \
         ORDER BY number",
        store.names().table(schema::OCCURRENCES.name)
    );
    let days = store.rows("count rows by day", &select, |row| Ok((row.i64()?, row.u64()?)));
    let runs = runs(&days.await?, most);
    let span = |(first, last): &(i64, i64)| Span {
        condition: match runs.len() {
            1 => condition.to_owned(),
            _ => format!("({condition} AND day >= {first} AND day <= {last})"),
        },
        days: format!("(day >= {first} AND day <= {last})"),
        onwards: format!("day >= {first}"),
    };
    Ok(runs.iter().map(span).collect())
}

/// Days with so many rows, in runs of at most so many, or of one day; each by its first and its last.
fn runs(days: &[(i64, u64)], most: u64) -> Vec<(i64, i64)> {
    let (mut runs, mut rows): (Vec<(i64, i64)>, u64) = (Vec::new(), 0);
    for (day, count) in days {
        match runs.last_mut() {
            Some(run) if rows.saturating_add(*count) <= most => {
                run.1 = *day;
                rows += count;
            }
            _ => {
                runs.push((*day, *day));
                rows = *count;
            }
        }
    }
    runs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_are_bounded_and_leave_no_day_out() {
        assert!(runs(&[], 10).is_empty());
        let undated = i64::from(i32::MIN);
        let days = [(undated, 3), (4, 7), (5, 1), (7, 30), (8, 9), (9, 1), (10, 1)];
        assert_eq!(runs(&days, 10), [(undated, 4), (5, 5), (7, 7), (8, 9), (10, 10)]);
        assert_eq!(runs(&days, 0).len(), days.len());
    }
}
