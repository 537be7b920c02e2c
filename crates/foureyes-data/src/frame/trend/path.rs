//! Path prefixes of judged files.

use super::PathBy;
use std::collections::HashMap;

/// The prefixes of judged files, by number.
pub(super) struct Prefixes<'a> {
    by: &'a PathBy,
    /// The prefixes, each at its number.
    pub(super) names: Vec<String>,
    index: HashMap<String, u32>,
    of_record: Vec<u32>,
}

impl<'a> Prefixes<'a> {
    pub(super) fn new(by: &'a PathBy) -> Self {
        let names = match by {
            PathBy::Depth(_) => Vec::new(),
            PathBy::Prefixes(prefixes) => prefixes.clone(),
        };
        Self { by, names, index: HashMap::new(), of_record: Vec::new() }
    }

    /// Those of a record's files, given with a NUL before each: each prefix once.
    pub(super) fn ids(&mut self, files: &str) -> &[u32] {
        self.of_record.clear();
        for file in files.split('\0').filter(|f| !f.is_empty()) {
            match self.by {
                PathBy::Depth(depth) => {
                    let number = self.number(directory(file, *depth));
                    self.of_record.push(number);
                }
                PathBy::Prefixes(prefixes) => {
                    let of_file = (0_u32..).zip(prefixes).filter(|(_, p)| file.starts_with(*p));
                    self.of_record.extend(of_file.map(|(i, _)| i));
                }
            }
        }
        self.of_record.sort_unstable();
        self.of_record.dedup();
        &self.of_record
    }

    fn number(&mut self, name: &str) -> u32 {
        if let Some(number) = self.index.get(name) {
            return *number;
        }
        // More than 2^32 prefixes do not fit into memory.
        let number = u32::try_from(self.names.len()).unwrap_or(u32::MAX);
        self.names.push(name.to_owned());
        self.index.insert(name.to_owned(), number);
        number
    }
}

/// The first directories of a path, at most `depth`; `./` for a file outside any.
pub fn directory(path: &str, depth: usize) -> &str {
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
