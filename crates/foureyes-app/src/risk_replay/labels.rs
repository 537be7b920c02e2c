//! What people said of what was judged.

use crate::assess::{Ask, AssessError, Evaluations, completeness, contents_of};
use crate::calibration::{Content, Word};
use crate::collect::SourceBox;
use crate::domain::review::Present;
use crate::domain::{JudgementKind, RecordId, Timestamp};
use crate::store::cache::Archive;
use std::collections::HashSet;

/// What people said of contents.
#[derive(Debug, Clone, Default)]
pub struct Labels {
    /// Contents that are poor, whoever chose them.
    pub poor: HashSet<RecordId>,
    /// Contents that are acceptable.
    pub acceptable: HashSet<RecordId>,
    /// Poor contents that passed, of one sample of what passed.
    pub misses: HashSet<RecordId>,
}

/// What people said of the contents of the window.
///
/// # Errors
/// A cache that cannot be read.
pub fn labels_of(
    (archive, boxes): (&Archive, &[SourceBox]),
    family: JudgementKind,
    present: &Present,
    now: Timestamp,
) -> Result<Labels, AssessError> {
    let Some(all) = Evaluations::load(archive, family, &|| false)? else {
        return Ok(Labels::default());
    };
    let (complete_until, missing) = completeness(boxes, now);
    let ask = Ask::new(family, now, complete_until, &missing);
    let contents = contents_of(&all, present, &ask).distinct;
    let passed = || contents.iter().filter(|content| !content.flagged && content.covered);
    // What was drawn at several rates is one sample at the smallest of them.
    let rate = passed().filter_map(|content| content.pi).fold(1.0, f64::min);
    let of = |word| {
        let is = contents.iter().filter(move |content| content.word == Some(word));
        is.map(|content| content.id).collect()
    };
    let is_miss =
        |content: &&Content| content.word == Some(Word::Poor) && content.is_drawn_at(rate);
    Ok(Labels {
        poor: of(Word::Poor),
        acceptable: of(Word::Acceptable),
        misses: passed().filter(is_miss).map(|content| content.id).collect(),
    })
}
