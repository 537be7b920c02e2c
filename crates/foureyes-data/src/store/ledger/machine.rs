//! Under which name this machine writes, and which ledgers of that name came from elsewhere.
//!
//! A ledger is one reviewer's on one machine. Host names repeat ("ubuntu", "vm", an image of
//! containers), so where another machine writes under a name, this one draws its own, once.

use super::check::is_of_machine;
use super::{ENDING, base, fresh_id};
use crate::domain::Timestamp;
use crate::domain::review::Reviewer;
use crate::files::atomic;
use crate::files::paths::DataDir;
use std::collections::BTreeSet;
use std::fs;
use std::io::{self, Write as _};
use std::path::Path;

/// The name that this machine drew.
const DRAWN: &str = ".machine";
/// Names of ledgers that came from other machines, a line each.
const RECEIVED: &str = ".received";
/// Random digits behind a name.
const DIGITS: usize = 8;

/// How the name of a machine came about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MachineName {
    /// Somebody chose it: it is given up only where a ledger of that very name came from elsewhere.
    Chosen,
    /// The system has it: it is given up as well where another reviewer writes elsewhere as this machine.
    OfSystem,
}

/// The ledgers in a directory and those of them that came from other machines.
#[derive(Debug, Clone, Default)]
pub struct Origins {
    names: BTreeSet<String>,
    received: BTreeSet<String>,
    /// The name that this machine drew, and the one that it had before.
    machines: Vec<String>,
}

impl Origins {
    /// As they stand on the disk; none where there is no directory.
    pub fn load(data: &DataDir) -> Self {
        let dir = data.ledger();
        let received = fs::read_to_string(dir.join(RECEIVED)).unwrap_or_default();
        let drawn = drawn(&dir);
        let before = drawn.as_deref().and_then(|name| name.rsplit_once('-')).map(|(name, _)| name);
        Self {
            names: names(&dir),
            received: received.lines().map(str::to_owned).collect(),
            machines: before.map(str::to_owned).into_iter().chain(drawn.clone()).collect(),
        }
    }

    /// Whether a ledger is written on this machine: it is the reviewer's own, or that of somebody else who
    /// writes here under this machine's name.
    pub fn is_own(&self, file: &str, reviewer: &Reviewer) -> bool {
        let mut machines = self.machines.iter().chain([&reviewer.machine]);
        let here = self.is_here(file) && machines.any(|name| is_of_machine(file, name));
        !self.received.contains(file) && (is_of(file, reviewer) || here)
    }

    /// Whether there is a ledger of this name here, whosever it is.
    pub fn is_here(&self, file: &str) -> bool {
        self.names.contains(file)
    }

    /// Writes down that a ledger is another machine's, before it is taken.
    ///
    /// # Errors
    /// A directory that cannot be written.
    pub fn receive(&mut self, data: &DataDir, file: &str) -> io::Result<()> {
        if self.received.contains(file) {
            return Ok(());
        }
        let dir = data.ledger();
        atomic::private_dir(&dir)?;
        let mut list = atomic::private().append(true).open(dir.join(RECEIVED))?;
        writeln!(list, "{file}")?;
        list.sync_all()?;
        self.received.insert(file.to_owned());
        Ok(())
    }
}

/// The name under which a reviewer writes here, who is given with the name that the machine has.
///
/// It is that name, unless the ledger would be one that another machine writes: in the directory where
/// ledgers are exchanged, or among those that came from there. Then the machine draws a name, at its first
/// entry, and keeps it. A ledger that was begun here keeps its name.
///
/// # Errors
/// A drawn name that cannot be written.
pub fn machine(
    data: &DataDir,
    reviewer: &Reviewer,
    how: MachineName,
    exchange: Option<&Path>,
    now: Timestamp,
) -> io::Result<String> {
    let (origins, dir) = (Origins::load(data), data.ledger());
    let begun = |name: &&String| is_of(name, reviewer) && !origins.received.contains(*name);
    if origins.names.iter().any(|name| begun(&name)) {
        return Ok(reviewer.machine.clone());
    }
    let drawn = drawn(&dir);
    let elsewhere = exchange.map(names).unwrap_or_default();
    let here = |name: &String| origins.names.contains(name) && !origins.received.contains(name);
    let mut others = elsewhere.iter().filter(|name| !here(name)).chain(&origins.received);
    let is_taken = match how {
        MachineName::Chosen => others.any(|name| is_of(name, reviewer)),
        MachineName::OfSystem => {
            drawn.is_some() || others.any(|name| is_of_machine(name, &reviewer.machine))
        }
    };
    match (is_taken, drawn) {
        (false, _) => Ok(reviewer.machine.clone()),
        (true, Some(drawn)) => Ok(drawn),
        (true, None) => {
            let random: String = fresh_id(now).to_string().chars().take(DIGITS).collect();
            let name = format!("{}-{random}", reviewer.machine);
            atomic::private_dir(&dir)?;
            atomic::write(&dir.join(DRAWN), format!("{name}\n").as_bytes())?;
            Ok(name)
        }
    }
}

/// The name that was drawn in a directory of ledgers.
fn drawn(dir: &Path) -> Option<String> {
    let drawn = fs::read_to_string(dir.join(DRAWN)).unwrap_or_default();
    Some(drawn.trim().to_owned()).filter(|name| !name.is_empty())
}

/// Names of the ledgers in a directory; none where it cannot be read.
fn names(dir: &Path) -> BTreeSet<String> {
    let entries = fs::read_dir(dir).into_iter().flatten().flatten();
    let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
    names.filter(|name| super::is_name(name)).collect()
}

/// Whether a ledger is a reviewer's on the machine that is named, whichever file of theirs it is.
fn is_of(file: &str, reviewer: &Reviewer) -> bool {
    let rest = file.strip_prefix(&base(reviewer)).and_then(|rest| rest.strip_suffix(ENDING));
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('+'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use MachineName::{Chosen, OfSystem};

    struct Place {
        dir: tempfile::TempDir,
        data: DataDir,
    }

    impl Place {
        fn new() -> Self {
            let dir = tempfile::tempdir().unwrap();
            let data = DataDir::at(dir.path().join("data"));
            fs::create_dir_all(data.ledger()).unwrap();
            fs::create_dir(dir.path().join("exchange")).unwrap();
            Self { data, dir }
        }

        fn has(&self, file: &str) {
            fs::write(self.data.ledger().join(file), "").unwrap();
        }

        fn offers(&self, file: &str) {
            fs::write(self.dir.path().join("exchange").join(file), "").unwrap();
        }

        fn name(&self, reviewer: &str, how: MachineName) -> String {
            let exchange = self.dir.path().join("exchange");
            machine(&self.data, &who(reviewer), how, Some(&exchange), Timestamp(0)).unwrap()
        }
    }

    fn who(name: &str) -> Reviewer {
        Reviewer { name: name.to_owned(), machine: "vm".to_owned() }
    }

    #[test]
    fn name_that_another_machine_writes_under_is_given_up_once() {
        let free = Place::new();
        assert_eq!(free.name("anna", OfSystem), "vm");
        free.offers("anna@other.jsonl");
        free.offers("anna@vm2.jsonl");
        assert_eq!(free.name("anna", OfSystem), "vm");
        // Containers of one image: the same account, the same host name.
        free.offers("anna@vm+1.jsonl");
        let drawn = free.name("anna", OfSystem);
        assert!(drawn.starts_with("vm-") && drawn.len() == "vm-".len() + DIGITS, "{drawn}");
        assert_eq!(free.name("anna", OfSystem), drawn);
        assert_eq!(free.name("bert", OfSystem), drawn);
        // Two laptops that are both called so.
        let laptop = Place::new();
        laptop.offers("anna@vm.jsonl");
        assert_eq!(laptop.name("bert", Chosen), "vm", "both names together are another's");
        assert_ne!(laptop.name("bert", OfSystem), "vm");
        let chosen = Place::new();
        chosen.offers("anna@vm.jsonl");
        assert_ne!(chosen.name("anna", Chosen), "vm");
    }

    #[test]
    fn ledger_that_was_begun_here_keeps_its_name() {
        let place = Place::new();
        place.has("anna@vm.jsonl");
        place.offers("anna@vm.jsonl");
        assert_eq!(place.name("anna", OfSystem), "vm");
        assert_eq!(place.name("bert", OfSystem), "vm", "anna@vm is this machine's own");
        let mut origins = Origins::load(&place.data);
        assert!(origins.is_own("anna@vm.jsonl", &who("bert")));
        assert!(origins.is_own("bert@vm+2.jsonl", &who("bert")), "lost here, and still ours");
        assert!(!origins.is_own("cleo@vm.jsonl", &who("bert")));
        origins.receive(&place.data, "cleo@vm.jsonl").unwrap();
        origins.receive(&place.data, "cleo@vm.jsonl").unwrap();
        place.has("cleo@vm.jsonl");
        let origins = Origins::load(&place.data);
        assert!(!origins.is_own("cleo@vm.jsonl", &who("bert")));
        assert!(!origins.is_own("cleo@vm.jsonl", &who("cleo")));
        assert_ne!(place.name("cleo", Chosen), "vm", "her file is another machine's");
        assert_eq!(place.name("anna", OfSystem), "vm");
        let list = fs::read_to_string(place.data.ledger().join(RECEIVED)).unwrap();
        assert_eq!(list, "cleo@vm.jsonl\n");
    }
}
