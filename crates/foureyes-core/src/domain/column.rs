//! Columns of lists of records, and orders by them: the same on the console and on the command line.

use std::fmt;

/// A column of a list of records.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, strum::VariantArray)]
pub enum Column {
    /// The first file that was judged and how many more there are, or the task.
    Path,
    /// The findings in one line, or why there are none.
    Finding,
    /// What was done about it: stopped, labelled, overridden, claimed.
    State,
    /// The three scores.
    Scores,
    /// The box.
    Box,
    /// Who wrote the content.
    Author,
    /// The judge that answered, else the one that was asked for.
    Model,
    /// How long the call took.
    Latency,
    /// How long ago it was judged.
    Age,
}

impl Column {
    /// All of them, in the order of a list.
    pub const ALL: [Self; 9] = super::variants();

    /// The name on the command line and in files.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Path => "path",
            Self::Finding => "finding",
            Self::State => "state",
            Self::Scores => "scores",
            Self::Box => "box",
            Self::Author => "author",
            Self::Model => "model",
            Self::Latency => "latency",
            Self::Age => "age",
        }
    }

    /// What stands above it.
    pub const fn head(self) -> &'static str {
        match self {
            Self::Path => "file",
            other => other.as_str(),
        }
    }

    /// The column of a name or a head.
    pub fn from_name(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|column| [column.as_str(), column.head()].contains(&text))
    }

    /// Columns of the terminal that its cells take; `None` for those that share what is left.
    pub const fn width(self) -> Option<usize> {
        match self {
            Self::Path | Self::Finding => None,
            Self::State => Some(9),
            Self::Scores => Some(6),
            Self::Box => Some(7),
            Self::Author => Some(11),
            Self::Model => Some(14),
            Self::Latency | Self::Age => Some(8),
        }
    }

    /// Whether its cells end at the right.
    pub const fn is_right(self) -> bool {
        matches!(self, Self::Latency | Self::Age)
    }

    /// Whether it hints at the verdict: cell and place alike.
    pub const fn is_telling(self) -> bool {
        matches!(
            self,
            Self::Finding | Self::State | Self::Scores | Self::Author | Self::Model | Self::Latency
        )
    }
}

/// An order by a column. Among equal ones the newest is first.
///
/// Not reversed, names come by their letters, ages the newest first, latencies the longest first, scores the worst
/// first and states those that want something first; what has no value comes last, reversed or not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Sort {
    /// What is compared.
    pub column: Column,
    /// The other way round.
    pub is_reversed: bool,
}

impl Default for Sort {
    fn default() -> Self {
        Self::by(Column::Age)
    }
}

impl Sort {
    /// The order by a column, not reversed.
    pub const fn by(column: Column) -> Self {
        Self { column, is_reversed: false }
    }

    /// The order of a name: that of a column, `-` before it where it is reversed; and the names of orders that
    /// version 0.2 had.
    pub fn parse(text: &str) -> Option<Self> {
        let (name, is_reversed) = text.strip_prefix('-').map_or((text, false), |name| (name, true));
        let column = match name {
            "newest" => Column::Age,
            "severity" => Column::Scores,
            name => Column::from_name(name)?,
        };
        Some(Self { column, is_reversed })
    }

    /// The order after a column was chosen: by it, or reversed where it was by it already.
    #[must_use]
    pub fn chosen(self, column: Column) -> Self {
        match self.column == column {
            true => Self { is_reversed: !self.is_reversed, ..self },
            false => Self::by(column),
        }
    }
}

impl fmt::Display for Sort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.is_reversed { "-" } else { "" };
        write!(f, "{sign}{}", self.column.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_heads_lead_to_their_columns() {
        for column in Column::ALL {
            assert_eq!(Column::from_name(column.as_str()), Some(column));
            assert_eq!(Column::from_name(column.head()), Some(column));
            assert!(column.width().is_none_or(|width| width >= column.head().len()));
        }
        assert_eq!(Column::from_name("Path"), None);
    }

    #[test]
    fn orders_are_read_as_they_are_written() {
        for column in Column::ALL {
            for is_reversed in [false, true] {
                let sort = Sort { column, is_reversed };
                assert_eq!(Sort::parse(&sort.to_string()), Some(sort));
            }
        }
        let old = ["newest", "severity", "file", "", "-", "oldest"].map(Sort::parse);
        let by = |column| Some(Sort::by(column));
        assert_eq!(old, [by(Column::Age), by(Column::Scores), by(Column::Path), None, None, None]);
    }

    #[test]
    fn choosing_the_same_column_again_reverses() {
        let by_age = Sort::default();
        assert!(by_age.chosen(Column::Age).is_reversed);
        assert_eq!(by_age.chosen(Column::Age).chosen(Column::Age), by_age);
        assert_eq!(by_age.chosen(Column::Age).chosen(Column::Box), Sort::by(Column::Box));
    }
}
