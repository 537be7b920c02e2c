//! Which columns a listing has, and by which it is ordered.

use super::Failure;
use crate::domain::{Column, Sort, Timestamp};
use crate::frame::query::nearest;
use crate::queue::arrange;
use crate::report::record_columns::ChosenColumns;
use crate::store::cache::{Archive, CacheError, Row};

/// How a listing is ordered, and what it shows.
#[derive(Debug, clap::Args)]
pub(super) struct Order {
    /// Sort by a column; `-` before it reverses the order [default: age]
    ///
    /// One of path, finding, state, scores, box, author, model, latency, age. Among equal ones the
    /// newest is first.
    #[arg(long, value_name = "COLUMN", allow_hyphen_values = true)]
    #[arg(conflicts_with_all = ["rejects", "fleet"])]
    sort: Option<String>,
    /// Show these columns, such as path,finding,age
    #[arg(long, value_name = "COLUMNS", conflicts_with_all = ["rejects", "json"])]
    columns: Option<String>,
}

impl Order {
    /// The order; the newest first where none is given.
    pub(super) fn sort(&self) -> Result<Sort, Failure> {
        self.sort.as_deref().map_or_else(|| Ok(Sort::default()), sort)
    }

    /// The columns, where some are given.
    pub(super) fn columns(&self, now: Timestamp) -> Result<Option<ChosenColumns>, Failure> {
        let columns = self.columns.as_deref().map(columns).transpose()?;
        Ok(columns.map(|columns| ChosenColumns { columns, now }))
    }
}

/// The first rows in an order.
pub(super) fn first(
    sort: Sort,
    archive: &Archive,
    mut rows: Vec<Row>,
    most: usize,
) -> Result<Vec<Row>, CacheError> {
    // The newest suffice where they come first.
    archive.first(&mut rows, if sort == Sort::default() { most } else { usize::MAX })?;
    let mut rows = arrange(sort, archive, rows)?;
    rows.truncate(most);
    Ok(rows)
}

/// The order of a name, `-` before it where it is reversed.
fn sort(text: &str) -> Result<Sort, Failure> {
    let name = text.strip_prefix('-').unwrap_or(text);
    Sort::parse(text).ok_or_else(|| unknown(name))
}

/// Columns by their names, with commas between them; none twice.
fn columns(text: &str) -> Result<Vec<Column>, Failure> {
    let mut columns: Vec<Column> = Vec::new();
    for name in text.split(',').map(str::trim) {
        let column = Column::from_name(name).ok_or_else(|| unknown(name))?;
        if !columns.contains(&column) {
            columns.push(column);
        }
    }
    Ok(columns)
}

fn unknown(name: &str) -> Failure {
    let names = Column::ALL.map(Column::as_str);
    let meant = nearest(name, &names).map(|near| format!(". Did you mean `{near}`?"));
    Failure::usage(format!("`{name}` is not a column{}", meant.unwrap_or_default()))
        .hint(format!("columns: {}", names.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_keep_their_order_and_orders_are_reversed_by_a_dash() {
        let [age, path] = [Column::Age, Column::Path];
        assert_eq!(columns("age, path,age").unwrap(), [age, path]);
        assert_eq!(sort("-age").unwrap(), Sort { column: age, is_reversed: true });
        assert_eq!(sort("severity").unwrap(), Sort::by(Column::Scores));
    }

    #[test]
    fn an_unknown_column_names_the_nearest() {
        let text = |failure: Failure| failure.error.to_string();
        assert_eq!(
            text(columns("pth").unwrap_err()),
            "`pth` is not a column. Did you mean `path`?"
        );
        assert_eq!(
            text(sort("-latncy").unwrap_err()),
            "`latncy` is not a column. Did you mean `latency`?"
        );
        assert_eq!(text(sort("zebra").unwrap_err()), "`zebra` is not a column");
    }
}
