//! Path prefixes of judged files.

use super::PathBy;
use super::sums::{KEY, READ};
use crate::frame::schema;
use polars::prelude::{Column, DataFrame, IdxCa, IdxSize, NamedFrom, PolarsResult, Series};
use std::collections::HashMap;

/// A row of the frame for each record and each prefix of its files; one without a key for a
/// record that has none.
pub(super) struct Spread {
    /// The columns that counts read, and the key: an index into `names`.
    pub(super) frame: DataFrame,
    /// The prefixes.
    pub(super) names: Vec<String>,
}

/// Spreads records over the prefixes of their files, each prefix once a record.
pub(super) fn spread(frame: &DataFrame, by: &PathBy) -> PolarsResult<Spread> {
    let mut names = Names::new(by);
    let (mut rows, mut keys) = (Vec::<IdxSize>::new(), Vec::<Option<u32>>::new());
    let mut of_record: Vec<u32> = Vec::new();
    for (row, files) in (0..).zip(frame.column(schema::FILES)?.str()?.iter()) {
        of_record.clear();
        for file in files.unwrap_or_default().split('\0').filter(|f| !f.is_empty()) {
            names.add(by, file, &mut of_record);
        }
        of_record.sort_unstable();
        of_record.dedup();
        keys.extend(of_record.iter().copied().map(Some));
        keys.extend(of_record.is_empty().then_some(None));
        rows.resize(keys.len(), row);
    }
    let mut frame = frame.select(READ)?.take(&IdxCa::from_vec(KEY.into(), rows))?;
    frame.with_column(Column::from(Series::new(KEY.into(), keys)))?;
    Ok(Spread { frame, names: names.list })
}

struct Names {
    list: Vec<String>,
    index: HashMap<String, u32>,
}

impl Names {
    fn new(by: &PathBy) -> Self {
        let list = match by {
            PathBy::Depth(_) => Vec::new(),
            PathBy::Prefixes(prefixes) => prefixes.clone(),
        };
        Self { list, index: HashMap::new() }
    }

    /// Adds the prefixes of a file to those of its record.
    fn add(&mut self, by: &PathBy, file: &str, of_record: &mut Vec<u32>) {
        match by {
            PathBy::Depth(depth) => of_record.push(self.number(directory(file, *depth))),
            PathBy::Prefixes(prefixes) => {
                let of_file = (0_u32..).zip(prefixes).filter(|(_, p)| file.starts_with(*p));
                of_record.extend(of_file.map(|(i, _)| i));
            }
        }
    }

    fn number(&mut self, name: &str) -> u32 {
        if let Some(number) = self.index.get(name) {
            return *number;
        }
        // More than 2^32 prefixes do not fit into memory.
        let number = u32::try_from(self.list.len()).unwrap_or(u32::MAX);
        self.list.push(name.to_owned());
        self.index.insert(name.to_owned(), number);
        number
    }
}

/// The first directories of a path, at most `depth`; `./` for a file outside any.
pub(in crate::frame) fn directory(path: &str, depth: usize) -> &str {
    // A slash at the very beginning names no directory.
    let slashes = path.match_indices('/').map(|(i, _)| i).filter(|i| *i > 0);
    slashes.take(depth.max(1)).last().map_or("./", |i| &path[..=i])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_prefix_is_made_of_directories() {
        for (path, depth, prefix) in [
            ("research/a/b.md", 1, "research/"),
            ("research/a/b.md", 2, "research/a/"),
            ("research/a/b.md", 9, "research/a/"),
            ("readme.md", 1, "./"),
            ("/readme.md", 1, "./"),
            ("/etc/motd", 1, "/etc/"),
        ] {
            assert_eq!(directory(path, depth), prefix);
        }
    }
}
