//! What reviews say: how often the peer differs, where, and whether that changes.

use super::draw::same_family;
use super::{NAMES, stratum};
use crate::assess::{AssessError, Breakdown, Evaluations, part_names};
use crate::calibration::peer::{PeerFigures, PeerItem, PeerShare, compare};
use crate::config::Config;
use crate::domain::review::{Evaluated, Present, Reviews};
use crate::domain::{Dimension, Outcome, PeerKpi, RecordId, Scores, Timestamp};
use crate::engine::four_eyes::Families;
use crate::stats::CONFIDENCE;
use crate::store::cache::Archive;
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::{BTreeMap, HashMap};

/// Value of `schema` in the document.
pub const PEER_SCHEMA: &str = "foureyes/peer/1";

/// What tells parts apart.
const AXES: [Breakdown; 4] = [Breakdown::Path, Breakdown::Agent, Breakdown::Box, Breakdown::Judge];

/// What peers found about the verdicts on pushes. It decides nothing.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct PeerDocument {
    /// [`PEER_SCHEMA`].
    pub schema: &'static str,
    /// When the document was made.
    #[schemars(with = "String")]
    pub generated: Timestamp,
    /// First instant of the verdicts it is about.
    #[schemars(with = "String")]
    pub since: Timestamp,
    /// Models that reviewed, raw.
    pub peers: Vec<String>,
    /// What they found.
    pub figures: PeerFigures,
    /// What each list of `figures.parts` is by.
    pub by: Vec<Breakdown>,
    /// The weeks with reviews, in order.
    pub weeks: Vec<PeerWeek>,
    /// Records on which the two differ and that nobody labelled, the latest verdict first.
    #[schemars(with = "Vec<String>")]
    pub queue: Vec<RecordId>,
}

/// The verdicts of one week.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct PeerWeek {
    /// Its Monday, `YYYY-MM-DD`.
    pub monday: String,
    /// Verdicts.
    pub verdicts: u64,
    /// Reviews with a verdict.
    pub reviewed: u64,
    /// Reviews whose verdict differs.
    pub differ: u64,
    /// Share of all verdicts of the week on which the two would differ.
    pub disagreement: PeerShare,
}

/// A review, and the place of its verdict among the evaluations.
struct Reviewed {
    place: usize,
    item: PeerItem,
}

/// What reviews say about the verdicts from a time on; `None` where there is no review of any.
///
/// # Errors
/// A cache that cannot be read.
pub fn report(
    archive: &Archive,
    all: &Evaluations,
    (present, reviews): (&Present, &Reviews),
    families: &Families,
    (since, now): (Timestamp, Timestamp),
) -> Result<Option<PeerDocument>, AssessError> {
    let found = evaluated(present);
    let mut peers: Vec<String> = found.values().map(|(model, _)| (*model).to_owned()).collect();
    peers.sort_unstable();
    peers.dedup();
    // A verdict of the peer's own family is never reviewed.
    let same: Vec<Vec<bool>> = peers.iter().map(|peer| same_family(all, families, peer)).collect();
    let is_open = |fingerprint: u32| {
        let of = |same: &Vec<bool>| same.get(fingerprint as usize).copied().unwrap_or_default();
        !same.iter().any(of)
    };
    let mut sizes = [0; NAMES.len()];
    let mut by_week: BTreeMap<i32, ([u64; NAMES.len()], Vec<PeerItem>)> = BTreeMap::new();
    let mut reviewed = Vec::new();
    for (place, evaluation) in all.all().iter().enumerate().filter(|(_, e)| e.at >= since) {
        let Some(stratum) = stratum(evaluation).filter(|_| is_open(evaluation.fingerprint)) else {
            continue;
        };
        let (week_sizes, week_items) = by_week.entry(evaluation.at.monday()).or_default();
        sizes[stratum] += 1;
        week_sizes[stratum] += 1;
        let Some((_, evaluated)) = found.get(&evaluation.id) else { continue };
        let scores = all.scores(place).unwrap_or_default();
        let flagged = evaluation.outcome == Outcome::NoGo;
        let item = item(stratum, flagged, &scores, evaluated);
        week_items.push(item);
        reviewed.push(Reviewed { place, item });
    }
    if reviewed.is_empty() {
        return Ok(None);
    }
    let places: Vec<u32> = reviewed.iter().map(|one| one.place as u32).collect();
    let items: Vec<PeerItem> = reviewed.iter().map(|one| one.item).collect();
    // None of them is told apart by the configuration.
    let axes = AXES.map(|by| part_names(archive, all, &places, by, &Config::default()));
    let axes = axes.into_iter().collect::<Result<Vec<_>, _>>()?;
    let weeks = by_week.into_iter().filter(|(_, (_, items))| !items.is_empty());
    Ok(Some(PeerDocument {
        schema: PEER_SCHEMA,
        generated: now,
        since,
        peers,
        figures: compare(&named(sizes), &items, &axes),
        by: AXES.to_vec(),
        weeks: weeks.map(|(monday, (sizes, items))| week(monday, sizes, &items)).collect(),
        queue: queue(all, &reviewed, reviews),
    }))
}

impl PeerDocument {
    /// What of it stands beside the KPIs.
    pub fn kpi(&self) -> PeerKpi {
        let PeerShare { estimate, lower, upper } = self.figures.disagreement;
        PeerKpi {
            differ: self.figures.only_judge + self.figures.only_peer,
            reviewed: self.figures.strata.iter().map(|stratum| stratum.reviewed).sum(),
            estimate,
            lower,
            upper,
            confidence: CONFIDENCE,
            unlabelled: self.queue.len() as u64,
        }
    }
}

/// The latest review with a verdict of each record, else the latest without, and its model.
fn evaluated(present: &Present) -> HashMap<RecordId, (&str, &Evaluated)> {
    let mut found: HashMap<RecordId, (&str, &Evaluated)> = HashMap::new();
    for run in present.runs.iter().filter(|run| run.begun.what.peer.is_some()) {
        for evaluation in &run.evaluations {
            let evaluated = &evaluation.what;
            let Some(record) = evaluated.record else { continue };
            let model = run.begun.what.model.as_str();
            let known = found.entry(record).or_insert((model, evaluated));
            if verdict(evaluated).is_some() || verdict(known.1).is_none() {
                *known = (model, evaluated);
            }
        }
    }
    found
}

/// Whether the peer flags it; `None` where it gave no verdict.
fn verdict(evaluated: &Evaluated) -> Option<bool> {
    match crate::domain::review::outcome_of(evaluated.family, &evaluated.evaluation)? {
        Outcome::NoGo => Some(true),
        Outcome::Go => Some(false),
        Outcome::Undetermined => None,
    }
}

fn item(stratum: usize, flagged: bool, judge: &Scores, evaluated: &Evaluated) -> PeerItem {
    let scores = evaluated.evaluation.get("scores").cloned().unwrap_or_default();
    let peer: Scores = serde_json::from_value(scores).unwrap_or_default();
    let both = |d| Some((f64::from(judge.usable(d)?), f64::from(peer.usable(d)?)));
    PeerItem { stratum, flagged, peer: verdict(evaluated), scores: Dimension::ALL.map(both) }
}

fn named(sizes: [u64; NAMES.len()]) -> Vec<(&'static str, u64)> {
    NAMES.into_iter().zip(sizes).collect()
}

fn week(monday: i32, sizes: [u64; NAMES.len()], items: &[PeerItem]) -> PeerWeek {
    let figures = compare(&named(sizes), items, &[]);
    PeerWeek {
        monday: Timestamp::of_day(monday).day_text(),
        verdicts: sizes.iter().sum(),
        reviewed: figures.strata.iter().map(|stratum| stratum.reviewed).sum(),
        differ: figures.only_judge + figures.only_peer,
        disagreement: figures.disagreement,
    }
}

/// What differs and has no label, the latest first.
fn queue(all: &Evaluations, reviewed: &[Reviewed], reviews: &Reviews) -> Vec<RecordId> {
    let differs = |one: &&Reviewed| one.item.peer.is_some_and(|peer| peer != one.item.flagged);
    let ids = reviewed.iter().filter(differs).filter_map(|one| Some(all.all().get(one.place)?.id));
    let open = |id: &RecordId| reviews.get(*id).is_none_or(|review| review.label.is_none());
    let mut ids: Vec<RecordId> = ids.filter(open).collect();
    ids.reverse();
    ids
}
