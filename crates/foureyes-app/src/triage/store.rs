//! What the store that operators share does not have of what its logs are said to have.

use crate::domain::Caveat;
use crate::store::cache::{Archive, Lacking};

/// So many records are named.
const NAMED: usize = 3;

/// Records and rejects that are not there, and records that cannot be read.
pub(super) fn caveats(archive: &Archive) -> Vec<Caveat> {
    let mut caveats = Vec::new();
    let lacking = archive.lacking();
    if lacking != Lacking::default() {
        let text = format!(
            "the store lacks {} of its logs: run `foureyes fleet publish --all` on each machine that has them",
            lacking.described()
        );
        caveats.push(Caveat { id: "unbalanced".to_owned(), text });
    }
    let left_out = archive.left_out();
    let named: Vec<String> = left_out.iter().take(NAMED).map(|id| id.short()).collect();
    let more = if left_out.len() > NAMED { ", …" } else { "" };
    let text = match left_out.len() {
        0 => return caveats,
        1 => {
            format!("1 record of the store cannot be read and is not listed: {}", named.join(", "))
        }
        n => format!(
            "{n} records of the store cannot be read and are not listed: {}{more}",
            named.join(", ")
        ),
    };
    caveats.push(Caveat { id: "unreadable_record".to_owned(), text });
    caveats
}
