//! Words that several rooms use.

/// A label as the first word of a line.
pub(crate) fn capitalized(label: &str) -> String {
    let mut rest = label.chars();
    rest.next().map_or(String::new(), |first| first.to_uppercase().chain(rest).collect())
}

/// What the lines are where none is a record, and none was rejected.
pub(crate) const ALL_FOREIGN: &str = "They are from other programs: check which logs are read.";
