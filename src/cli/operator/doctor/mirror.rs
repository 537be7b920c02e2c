//! The mirror, byte by byte.

use super::check::{Check, Part};
use crate::config::{Config, Place};
use crate::domain::chain;
use crate::files::paths::DataDir;
use crate::pull::{Checkup, check_mirror};
use crate::report::counted;

/// A check for each box that is pulled.
pub(super) fn checks(config: &Config, data: &DataDir) -> Vec<Check> {
    let pulled = config.boxes.iter().filter(|b| matches!(b.place, Place::Ssh(_)));
    pulled.map(|b| of_box(data, &b.name).of_box(&b.name)).collect()
}

fn of_box(data: &DataDir, name: &str) -> Check {
    match check_mirror(data, name) {
        Ok(Some(checkup)) => check(&checkup, name),
        Ok(None) => Check::warn("mirror", "not checked: another process is pulling the box")
            .advise("wait for it and run this again"),
        Err(error) => Check::fail("mirror", chain(&error), Part::Local)
            .advise("check the permissions and free space of the data directory"),
    }
}

fn check(checkup: &Checkup, name: &str) -> Check {
    let copies = counted(checkup.copies, "copy is", "copies are");
    let text = format!("{copies} as pulled, {}", counted(checkup.bytes, "byte", "bytes"));
    if let Some(first) = checkup.damaged.first() {
        let count = checkup.damaged.len() as u64;
        let damaged = counted(count, "copy is damaged", "copies are damaged");
        return Check::warn("mirror", format!("{damaged}: {first}; {text}"))
            .advise(format!("`foureyes pull {name}` repairs what the box still has"));
    }
    match checkup.unknown {
        0 => Check::ok("mirror", text),
        count => {
            let more = counted(count, "copy has", "copies have");
            Check::ok("mirror", format!("{text}; {more} no hashes yet; pulls add them"))
        }
    }
}
