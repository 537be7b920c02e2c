//! Names out of a repository as a record has them. git bounds neither a path nor an author, and a line that
//! is longer than any record is read by nobody, so that its verdict would hold for nothing.

use super::Content;

/// Longest name, in bytes: no file system has a longer path.
const MOST_NAME: usize = 4096;
/// Most bytes of all paths of a record. Escaped they take six times that at most.
const MOST_PATHS: usize = 1 << 20;

/// A path or the name of a person; one that is too long is cut.
pub(super) fn name(text: &str) -> String {
    match text.get(..text.floor_char_boundary(MOST_NAME)) {
        Some(start) if start.len() < text.len() => format!("{start}…"),
        _ => text.to_owned(),
    }
}

/// Paths, and how many are left out.
pub(super) fn paths(all: &[String]) -> Vec<String> {
    let mut room = MOST_PATHS;
    let mut paths = Vec::new();
    for path in all {
        let path = name(path);
        let Some(left) = room.checked_sub(path.len()) else {
            paths.push(format!("… and {} more", all.len() - paths.len()));
            break;
        };
        room = left;
        paths.push(path);
    }
    paths
}

/// Sizes, with the paths of what was cut.
pub(super) fn content(all: &Content) -> Content {
    let mut content = all.clone();
    content.cuts.iter_mut().for_each(|cut| cut.file = name(&cut.file));
    content
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_cut_and_paths_bounded() {
        assert_eq!(name("ä"), "ä");
        let long = name(&"ä".repeat(17 << 20));
        assert_eq!((long.len(), long.ends_with("ä…")), (MOST_NAME + '…'.len_utf8(), true));
        let few = ["a".to_owned(), "b".to_owned()];
        assert_eq!(paths(&few), few);
        let many = paths(&vec!["x".repeat(1024); 1100]);
        assert_eq!((many.len(), many.last().map(String::as_str)), (1025, Some("… and 76 more")));
    }
}
