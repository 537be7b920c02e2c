//! Which verdicts are reviewed.

use super::{STRONG, stratum};
use crate::assess::Evaluations;
use crate::domain::review::{PeerDraw, Present};
use crate::domain::{RecordId, Timestamp};
use crate::engine::four_eyes::Families;
use crate::stats::sample::{self, KEY_BYTES};
use std::collections::HashMap;

/// How often a peer that gives no verdict is asked about the same content.
const MOST_TRIES: u32 = 3;

/// What is drawn.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Draw {
    /// What waits for a review, in an order that depends on nothing but the key: so that a part of it, too, is a
    /// sample.
    pub waiting: Vec<RecordId>,
    /// Verdicts from that time on.
    pub verdicts: u64,
    /// Verdicts that are drawn.
    pub drawn: u64,
    /// Those of them that have a review.
    pub reviewed: u64,
    /// Those of them of which the peer gave no verdict after three tries.
    pub given_up: u64,
    /// Those of them by a judge that may be of the peer's family: it is not asked.
    pub same_family: u64,
}

/// Nothing can be drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NoDraw {
    /// Whoever knows how draws are made could write content that is not drawn.
    #[error("no audit sample was set up, so there is no secret key to draw by")]
    NoKey,
}

/// Draws among the verdicts from a time on, for a peer that is such a model.
///
/// # Errors
/// No key.
pub fn draw(
    all: &Evaluations,
    present: &Present,
    rates: PeerDraw,
    from: Timestamp,
    (families, model): (&Families, &str),
) -> Result<Draw, NoDraw> {
    let key = key(present).ok_or(NoDraw::NoKey)?;
    let tried = tried(present);
    let same = same_family(all, families, model);
    let mut draw = Draw::default();
    let mut waiting = Vec::new();
    for evaluation in all.all().iter().filter(|evaluation| evaluation.at >= from) {
        let Some(stratum) = stratum(evaluation) else { continue };
        draw.verdicts += 1;
        let rate = if stratum == STRONG { rates.rate } else { rates.doubt_rate };
        let number = sample::draw(&key, &evaluation.id.0);
        if number >= rate {
            continue;
        }
        draw.drawn += 1;
        match tried.get(&evaluation.id) {
            Some(Tried { has_verdict: true, .. }) => draw.reviewed += 1,
            Some(Tried { times, .. }) if *times >= MOST_TRIES => draw.given_up += 1,
            _ if same.get(evaluation.fingerprint as usize).copied().unwrap_or_default() => {
                draw.same_family += 1;
            }
            // Uniform within a stratum, whatever its rate.
            _ => waiting.push((number / rate, evaluation.id)),
        }
    }
    waiting.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    draw.waiting = waiting.into_iter().map(|(_, id)| id).collect();
    Ok(draw)
}

/// Whether each judge may be of the family of a model, or is that model.
pub(super) fn same_family(all: &Evaluations, families: &Families, model: &str) -> Vec<bool> {
    let own: Vec<&str> = families.of_model(model);
    let is_same = |judge: &Option<String>| {
        judge.as_deref().is_some_and(|judge| {
            judge == model || families.of_model(judge).iter().any(|family| own.contains(family))
        })
    };
    let all = all.fingerprints().iter();
    all.map(|judge| is_same(&judge.model) || is_same(&judge.served_model)).collect()
}

/// The key of the draws: of no use to whoever knows that of the audit sample and nothing else.
fn key(present: &Present) -> Option<[u8; KEY_BYTES]> {
    let rates = &present.of(super::family()).rates;
    let seed = rates.iter().rev().find_map(|rate| rate.what.seed)?;
    Some(blake3::derive_key("foureyes 2026 peer review of verdicts", &seed.0))
}

#[derive(Debug, Clone, Copy, Default)]
struct Tried {
    times: u32,
    has_verdict: bool,
}

/// What peers were asked about before.
fn tried(present: &Present) -> HashMap<RecordId, Tried> {
    let mut all: HashMap<RecordId, Tried> = HashMap::new();
    for run in present.runs.iter().filter(|run| run.begun.what.peer.is_some()) {
        for evaluation in &run.evaluations {
            let Some(record) = evaluation.what.record else { continue };
            let tried = all.entry(record).or_default();
            tried.times += 1;
            let is_failed = evaluation.what.evaluation.get("error").is_some_and(|e| !e.is_null());
            tried.has_verdict |= !is_failed;
        }
    }
    all
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::domain::review::{AuditRate, Dated, EntryId, Seed};

    /// What holds where the audit sample was set up with these seeds, one after the other.
    fn present(seeds: &[Option<Seed>]) -> Present {
        let mut present = Present::default();
        present.rules.get_mut(crate::peer::family()).rates = seeds
            .iter()
            .map(|seed| Dated {
                entry: EntryId([1; 16]),
                time: Timestamp(0),
                reviewer: "anna".to_owned(),
                what: AuditRate::new(Timestamp(0), None, 0.5, *seed),
            })
            .collect();
        present
    }

    #[test]
    fn draws_hang_on_the_seed_of_the_audit_sample_and_are_others_than_its() {
        let [one, other] = [Seed([1; 32]), Seed([2; 32])];
        assert_eq!(key(&present(&[])), None);
        assert_eq!(key(&present(&[None])), None);
        let own = key(&present(&[Some(one)])).unwrap();
        assert_ne!(own, one.0);
        assert_ne!(own, key(&present(&[Some(other)])).unwrap());
        // A rate without a seed of its own has that of the one before it.
        assert_eq!(own, key(&present(&[Some(other), Some(one), None])).unwrap());
    }
}
