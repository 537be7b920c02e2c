//! Whose ledgers are here, by the names of their files alone.

use super::is_name;
use crate::files::paths::DataDir;
use crate::store::names;
use std::collections::BTreeSet;
use std::fs;

/// Sign in a part of a name that was too long and is cut.
const CUT: char = '~';

/// The reviewers of at most `most` ledgers, each once, in the order of their names; raw text. No ledger is opened,
/// so a reviewer whose name is too long for that of a file is left out.
pub fn reviewers(data: &DataDir, most: usize) -> Vec<String> {
    let entries = fs::read_dir(data.ledger()).into_iter().flatten().flatten().take(most);
    let files = entries.filter_map(|entry| entry.file_name().into_string().ok());
    let found: BTreeSet<String> = files.filter_map(|file| reviewer(&file)).collect();
    found.into_iter().collect()
}

fn reviewer(file: &str) -> Option<String> {
    let (part, _) =
        file.split_once('@').filter(|(part, _)| is_name(file) && !part.contains(CUT))?;
    String::from_utf8(names::path_of(part).0.0).ok()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::domain::review::Reviewer;
    use crate::store::ledger::{base, file_name};

    #[test]
    fn names_are_those_that_the_files_were_named_after() {
        let dir = tempfile::tempdir().unwrap();
        let data = DataDir::at(dir.path());
        assert_eq!(reviewers(&data, 100), [""; 0]);
        fs::create_dir(data.ledger()).unwrap();
        let long = "d".repeat(200);
        let names = ["anna", "Bert O'Neill + 1", "\u{1b}[31mcleo", &long];
        for (name, machine) in names.iter().flat_map(|name| [(name, "desk"), (name, "vm+2")]) {
            let who = Reviewer { name: (*name).to_owned(), machine: machine.to_owned() };
            fs::write(data.ledger().join(file_name(&base(&who), 1)), "").unwrap();
        }
        for other in [".machine", ".received", "notes.jsonl", "@vm.jsonl", "x@y"] {
            fs::write(data.ledger().join(other), "").unwrap();
        }
        assert_eq!(reviewers(&data, 100), ["\u{1b}[31mcleo", "Bert O'Neill + 1", "anna"]);
        assert!(reviewers(&data, 1).len() <= 1);
    }
}
