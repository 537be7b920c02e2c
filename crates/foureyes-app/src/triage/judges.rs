//! Boxes on which more than one configuration judged.

use crate::domain::{Caveat, Window};
use crate::frame::Configured;
use crate::store::cache::{Archive, CacheError};
use crate::text::counted;

/// So many configurations of a box are named.
const NAMED: usize = 5;
/// Digits of `judge_sha` that are shown.
const DIGITS: usize = 12;

/// What a window shows of the configurations (`judge_sha`) of each box: one that ended before the
/// next began is a change, and several in turns are a finding.
pub(super) fn caveats(archive: &Archive, window: Window) -> Result<Vec<Caveat>, CacheError> {
    let all = archive.configured(window)?;
    let of_boxes = all.chunk_by(|a, b| a.box_index == b.box_index);
    let mut of_boxes: Vec<&[Configured]> = of_boxes.filter(|of_box| of_box.len() > 1).collect();
    of_boxes.sort_by_key(|of_box| name(archive, of_box));
    Ok(of_boxes.into_iter().map(|of_box| caveat(archive, of_box)).collect())
}

fn name<'a>(archive: &'a Archive, all: &[Configured]) -> &'a str {
    all.first().and_then(|c| archive.boxes().get(c.box_index as usize)).map_or("", |b| b)
}

/// Of several configurations of a box, in the order of their first record.
fn caveat(archive: &Archive, all: &[Configured]) -> Caveat {
    let box_name = name(archive, all);
    let mut named: Vec<String> = all.iter().take(NAMED).map(one).collect();
    if all.len() > NAMED {
        named.push(format!("and {} more", all.len() - NAMED));
    }
    let (count, named) = (all.len(), named.join("; "));
    let changed = all.is_sorted_by(|a, b| a.last < b.first);
    let (id, text) = if changed {
        ("judge_changed", format!("{box_name}: the configuration of the judge changed: {named}"))
    } else {
        (
            "judge_mixed",
            format!(
                "{box_name}: {count} configurations of the judge (endpoint, model or settings) were in use at \
                 the same time: {named}; look for FOUREYES_CONFIG, HOME or another account there"
            ),
        )
    };
    Caveat { id: id.to_owned(), text }
}

fn one(configured: &Configured) -> String {
    let Configured { judge, records, first, .. } = configured;
    let sha: String = format!("{judge:016x}").chars().take(DIGITS).collect();
    let records = counted(*records, "record", "records");
    format!("{sha}, {records} since {first}")
}
