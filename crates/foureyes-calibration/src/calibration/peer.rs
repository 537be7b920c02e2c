//! Peer review: how often a judge of another family comes to another verdict, and where.
//!
//! Two judges that differ are not both right, and two that agree may both be wrong: these figures say where
//! to look, and are no error rates.

use super::differences::FEW;
use crate::domain::{Dimension, Distinct};
use crate::stats::paired::Paired;
use crate::stats::stratified::{Cell, more_in_group};
use crate::stats::{CONFIDENCE, binomial, multiple};
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;

/// All that stands out together does so by accident with at most that chance.
const LEVEL: f64 = 0.05;

/// One verdict that a peer was asked about.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PeerItem {
    /// Index of its stratum.
    pub stratum: usize,
    /// Whether the judge flagged it.
    pub flagged: bool,
    /// Whether the peer did; `None` where it gave no verdict.
    pub peer: Option<bool>,
    /// Scores of the judge and of the peer, by dimension, where both gave one that counts.
    pub scores: [Option<(f64, f64)>; 3],
}

impl PeerItem {
    /// Whether the two differ; `None` without a verdict of the peer.
    fn differs(&self) -> Option<bool> {
        self.peer.map(|peer| peer != self.flagged)
    }
}

/// A share with an interval that holds it with 95 % confidence at the least.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, JsonSchema)]
pub struct PeerShare {
    /// The estimate; `None` where a stratum has no review.
    pub estimate: Option<f64>,
    /// Lower end.
    pub lower: f64,
    /// Upper end.
    pub upper: f64,
}

/// Verdicts that are drawn at one rate.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct PeerStratum {
    /// Its name.
    pub name: String,
    /// Verdicts in it.
    pub verdicts: u64,
    /// Reviews with a verdict.
    pub reviewed: u64,
    /// Reviews without one.
    pub undetermined: u64,
    /// Reviews whose verdict differs.
    pub differ: u64,
    /// Share of the reviews that differ.
    pub share: PeerShare,
}

/// How the peer scores one dimension.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, JsonSchema)]
pub struct PeerDimension {
    /// Which.
    pub dimension: Dimension,
    /// Reviews in which both gave a score.
    pub compared: u64,
    /// Reviews in which the peer's is lower.
    pub lower: u64,
    /// Reviews in which the peer's is higher.
    pub higher: u64,
    /// Chance of a split as uneven if neither were likelier, corrected for all that is looked at.
    pub p: f64,
    /// Whether it stands out.
    pub stands_out: bool,
}

/// A part of what was reviewed, beside the rest.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct PeerPart {
    /// Its name, raw: escape it before it is shown.
    pub name: String,
    /// Reviews with a verdict.
    pub reviewed: u64,
    /// Reviews whose verdict differs.
    pub differ: u64,
    /// Share of the reviews that differ; not weighted by strata.
    pub share: PeerShare,
    /// Chance of as many that differ if the part were like the rest of each stratum, corrected for all that is
    /// looked at; `None` below ten reviews.
    pub p: Option<f64>,
    /// Whether more differ than elsewhere.
    pub stands_out: bool,
}

/// What a peer review says.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct PeerFigures {
    /// The strata, in order.
    pub strata: Vec<PeerStratum>,
    /// Share of all verdicts on which the two would differ.
    pub disagreement: PeerShare,
    /// Reviews that only the judge flags.
    pub only_judge: u64,
    /// Reviews that only the peer flags.
    pub only_peer: u64,
    /// Chance of a split as uneven if neither were likelier (McNemar, mid-p); not corrected.
    pub mid_p: f64,
    /// The three dimensions.
    pub dimensions: Vec<PeerDimension>,
    /// Parts by each thing that tells them apart, in the order of the input.
    pub parts: Vec<Vec<PeerPart>>,
}

/// Compares verdicts with those of a peer.
///
/// `strata` has name and size of each; `axes` has the part of each item for each thing that tells parts apart.
/// The estimate weighs each stratum by its size; its interval is the sum of exact ones, each as much more
/// confident as there are strata (Bonferroni).
pub fn compare(
    strata: &[(&str, u64)],
    items: &[PeerItem],
    axes: &[Distinct<String>],
) -> PeerFigures {
    let own: Vec<PeerStratum> = strata
        .iter()
        .enumerate()
        .map(|(at, (name, verdicts))| {
            let items = items.iter().filter(move |item| item.stratum == at);
            stratum(name, *verdicts, items)
        })
        .collect();
    let only = |flagged: bool| {
        let is = |item: &&PeerItem| item.flagged == flagged && item.differs() == Some(true);
        items.iter().filter(is).count() as u64
    };
    let reviewed = items.iter().filter(|item| item.peer.is_some()).count() as u64;
    let (only_judge, only_peer) = (only(true), only(false));
    let paired = Paired { first_only: only_judge, second_only: only_peer, items: reviewed };
    let mut dimensions: Vec<PeerDimension> =
        Dimension::ALL.into_iter().enumerate().map(|(at, d)| dimension(at, d, items)).collect();
    let mut parts: Vec<Vec<PeerPart>> =
        axes.iter().map(|names| parts(names, items, strata.len())).collect();
    // One correction over everything that is looked at.
    let tested = parts.iter_mut().flatten().filter_map(|part| part.p.as_mut());
    let mut values: Vec<&mut f64> = dimensions.iter_mut().map(|d| &mut d.p).chain(tested).collect();
    let adjusted = multiple::holm(&values.iter().map(|p| **p).collect::<Vec<_>>());
    for (value, adjusted) in values.iter_mut().zip(adjusted) {
        **value = adjusted;
    }
    for dimension in &mut dimensions {
        dimension.stands_out = dimension.p <= LEVEL;
    }
    for part in parts.iter_mut().flatten() {
        part.stands_out = part.p.is_some_and(|p| p <= LEVEL);
    }
    let (disagreement, mid_p) = (together(&own), paired.mid());
    PeerFigures { strata: own, disagreement, only_judge, only_peer, mid_p, dimensions, parts }
}

fn stratum<'a>(
    name: &str,
    verdicts: u64,
    items: impl Iterator<Item = &'a PeerItem> + Clone,
) -> PeerStratum {
    let count =
        |is: &dyn Fn(&PeerItem) -> bool| items.clone().filter(|item| is(item)).count() as u64;
    let (reviewed, differ) =
        (count(&|item| item.peer.is_some()), count(&|item| item.differs() == Some(true)));
    let undetermined = count(&|item| item.peer.is_none());
    let share = share(differ, reviewed, CONFIDENCE);
    PeerStratum { name: name.to_owned(), verdicts, reviewed, undetermined, differ, share }
}

/// A share with its exact interval; all is possible where nothing was reviewed.
fn share(differ: u64, reviewed: u64, confidence: f64) -> PeerShare {
    let estimate = (reviewed > 0).then(|| differ as f64 / reviewed as f64);
    let interval = binomial::two_sided(differ, reviewed, confidence);
    let (lower, upper) = interval.map_or((0.0, 1.0), |i| (i.lower, i.upper));
    PeerShare { estimate, lower, upper }
}

/// The share over all strata, each weighed by its size.
fn together(strata: &[PeerStratum]) -> PeerShare {
    let present: Vec<&PeerStratum> = strata.iter().filter(|s| s.verdicts > 0).collect();
    let all: u64 = present.iter().map(|s| s.verdicts).sum();
    if all == 0 {
        return PeerShare { estimate: None, lower: 0.0, upper: 1.0 };
    }
    let each = 1.0 - (1.0 - CONFIDENCE) / present.len() as f64;
    let shares: Vec<(f64, PeerShare)> = present
        .iter()
        .map(|s| (s.verdicts as f64 / all as f64, share(s.differ, s.reviewed, each)))
        .collect();
    let sum = |of: &dyn Fn(&PeerShare) -> f64| shares.iter().map(|(w, s)| w * of(s)).sum::<f64>();
    PeerShare {
        estimate: shares.iter().map(|(weight, s)| Some(weight * s.estimate?)).sum(),
        lower: sum(&|s| s.lower),
        upper: sum(&|s| s.upper).min(1.0),
    }
}

fn dimension(at: usize, dimension: Dimension, items: &[PeerItem]) -> PeerDimension {
    let scores: Vec<(f64, f64)> = items.iter().filter_map(|item| *item.scores.get(at)?).collect();
    let lower = scores.iter().filter(|(judge, peer)| peer < judge).count() as u64;
    let higher = scores.iter().filter(|(judge, peer)| peer > judge).count() as u64;
    let compared = scores.len() as u64;
    let p = Paired { first_only: lower, second_only: higher, items: compared }.exact();
    PeerDimension { dimension, compared, lower, higher, p, stands_out: false }
}

/// The parts by one thing, those with the largest share of differences first.
fn parts(names: &Distinct<String>, items: &[PeerItem], strata: usize) -> Vec<PeerPart> {
    let judged = items
        .iter()
        .zip(names.iter())
        .filter_map(|(item, name)| Some((name.as_str(), item.stratum, item.differs()?)));
    let mut all = vec![Cell::default(); strata];
    let mut cells: BTreeMap<&str, Vec<Cell>> = BTreeMap::new();
    for (name, stratum, differs) in judged {
        let own = cells.entry(name).or_insert_with(|| vec![Cell::default(); strata]);
        for (cell, is_group) in [(all.get_mut(stratum), false), (own.get_mut(stratum), true)] {
            let Some(cell) = cell else { continue };
            match is_group {
                true => {
                    (cell.group, cell.group_events) =
                        (cell.group + 1, cell.group_events + u64::from(differs))
                }
                false => {
                    (cell.items, cell.events) = (cell.items + 1, cell.events + u64::from(differs))
                }
            }
        }
    }
    let alone = cells.len() < 2;
    let mut parts: Vec<PeerPart> = cells
        .into_iter()
        .map(|(name, own)| {
            let whole: Vec<Cell> = own
                .iter()
                .zip(&all)
                .map(|(own, all)| Cell { items: all.items, events: all.events, ..*own })
                .collect();
            let reviewed: u64 = own.iter().map(|cell| cell.group).sum();
            let differ: u64 = own.iter().map(|cell| cell.group_events).sum();
            // Whether it is tested depends on how many were reviewed, and on nothing that came of it.
            let p = (reviewed >= FEW && !alone).then(|| more_in_group(&whole));
            let share = share(differ, reviewed, CONFIDENCE);
            PeerPart { name: name.to_owned(), reviewed, differ, share, p, stands_out: false }
        })
        .collect();
    parts.sort_by(|a, b| {
        b.share.estimate.unwrap_or_default().total_cmp(&a.share.estimate.unwrap_or_default())
    });
    parts
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::stats::near;
    use crate::stats::sample::{KEY_BYTES, Stream};

    fn item(stratum: usize, flagged: bool, peer: Option<bool>) -> PeerItem {
        PeerItem { stratum, flagged, peer, scores: [None; 3] }
    }

    #[test]
    fn strata_are_weighed_by_their_sizes_and_missing_ones_leave_it_open() {
        let mut items = vec![item(0, true, Some(false)); 5];
        items.extend(vec![item(0, true, Some(true)); 5]);
        items.extend(vec![item(1, false, Some(false)); 20]);
        items.push(item(1, false, None));
        let got = compare(&[("doubt", 100), ("plain", 900)], &items, &[]);
        near(got.disagreement.estimate.unwrap(), 0.05, 1e-12);
        assert!(got.disagreement.lower > 0.01 && got.disagreement.upper < 0.27, "{got:?}");
        assert_eq!((got.only_judge, got.only_peer, got.strata[1].undetermined), (5, 0, 1));
        let open = compare(&[("doubt", 100), ("plain", 900), ("other", 1)], &items, &[]);
        assert_eq!(open.disagreement.estimate, None);
        let none = compare(&[("doubt", 0)], &[], &[]);
        assert_eq!((none.disagreement.estimate, none.disagreement.upper), (None, 1.0));
        assert_eq!(none.mid_p, 1.0);
    }

    #[test]
    fn dimension_that_the_peer_scores_lower_stands_out() {
        let scores = [Some((4.0, 4.0)), Some((5.0, 3.0)), None];
        let items = vec![PeerItem { scores, ..item(0, false, Some(false)) }; 20];
        let got = compare(&[("all", 100)], &items, &[]);
        let [semantic, pragmatic, syntactic] = got.dimensions[..] else { panic!("{got:?}") };
        assert_eq!((semantic.compared, semantic.lower, semantic.stands_out), (20, 0, false));
        assert_eq!((pragmatic.lower, pragmatic.higher, pragmatic.stands_out), (20, 0, true));
        assert_eq!((syntactic.compared, syntactic.stands_out), (0, false));
    }

    /// Reviews of ten agents and six paths in two strata; the peer differs with these chances.
    fn drawn(seed: u8, chance: impl Fn(usize, usize, usize) -> f64) -> PeerFigures {
        let mut stream = Stream::new(&[seed; KEY_BYTES]);
        let (mut items, mut agents, mut paths) = (Vec::new(), Vec::new(), Vec::new());
        for _ in 0..600 {
            let (stratum, agent, path) = (stream.below(2), stream.below(10), stream.below(6));
            let differs = stream.unit() < chance(stratum, agent, path);
            items.push(item(stratum, stratum == 0, Some((stratum == 0) != differs)));
            agents.push(format!("agent {agent}"));
            paths.push(format!("path {path}"));
        }
        compare(
            &[("doubt", 2_000), ("plain", 20_000)],
            &items,
            &[agents, paths].map(Distinct::from_iter),
        )
    }

    fn named(figures: &PeerFigures) -> Vec<&str> {
        let all = figures.parts.iter().flatten().filter(|part| part.stands_out);
        all.map(|part| part.name.as_str()).collect()
    }

    #[test]
    fn weak_corner_is_found_and_none_is_named_where_there_is_none() {
        let base = |stratum: usize| if stratum == 0 { 0.3 } else { 0.05 };
        let (mut found, mut wrong, mut covered) = (0, 0, 0);
        for seed in 0..100 {
            let weak = drawn(seed, |stratum, agent, path| {
                let more = if path == 3 { 0.35 } else { 0.0 };
                let _ = agent;
                base(stratum) + more
            });
            found += u32::from(named(&weak).contains(&"path 3"));
            let even = drawn(seed + 100, |stratum, _, _| base(stratum));
            wrong += u32::from(!named(&even).is_empty());
            let truth = (2_000.0 * 0.3 + 20_000.0 * 0.05) / 22_000.0;
            covered +=
                u32::from((even.disagreement.lower..=even.disagreement.upper).contains(&truth));
        }
        assert!(found >= 95, "found in {found} of 100");
        assert!(wrong <= 5, "named where there is none in {wrong} of 100");
        assert!(covered >= 95, "covered in {covered} of 100");
    }

    #[test]
    fn part_with_few_reviews_is_not_looked_at() {
        let items = vec![item(0, false, Some(true)); 9];
        let mut names = vec!["small".to_owned(); 9];
        let more = vec![item(0, false, Some(false)); 40];
        names.extend(vec!["large".to_owned(); 40]);
        let got = compare(&[("all", 100)], &[items, more].concat(), &[names.into_iter().collect()]);
        assert_eq!((got.parts[0][0].name.as_str(), got.parts[0][0].p), ("small", None));
        assert!(got.parts[0][1].p.is_some() && named(&got).is_empty());
    }
}
