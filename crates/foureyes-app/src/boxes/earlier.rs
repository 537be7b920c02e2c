//! The question of the newest evaluation, where another one is asked now.

use crate::assess::Evaluations;
use crate::domain::review::Present;
use crate::hook::earlier_question::EarlierQuestion;

/// What the logs and ledgers have of the question of the newest evaluation of pushes; `None` where it is the
/// one that is asked now, or is not known.
pub fn earlier_question(
    all: &Evaluations,
    present: &Present,
    prompt_sha: &str,
) -> Option<EarlierQuestion> {
    let is_other = |sha: &&String| sha.as_str() != prompt_sha;
    let before = all.newest()?.prompt_sha.as_ref().filter(is_other)?;
    let is_of = |fingerprint: u32| {
        let known = all.fingerprints().get(fingerprint as usize);
        known.is_some_and(|known| known.prompt_sha.as_ref() == Some(before))
    };
    let own = || all.all().iter().filter(|e| is_of(e.fingerprint));
    let found = present.labels.keys().filter_map(|record| all.all().get(all.find(*record)?));
    Some(EarlierQuestion {
        tier: None,
        prompt_sha: prompt_sha.to_owned(),
        before: before.clone(),
        records: own().map(|e| u64::from(e.times)).sum(),
        first: own().map(|e| e.at).min()?,
        last: own().map(|e| e.at).max()?,
        labelled: Some(found.filter(|e| is_of(e.fingerprint)).count() as u64),
    })
}
