//! Parts side by side: by agent, model, box or judge.

use super::counted::{Bounds, Day, figures};
use super::{Counting, Span};
use crate::assess::replay::{Breakdown, Divided, judge_name, part_names};
use crate::assess::{AssessError, Evaluations};
use crate::calibration::error_rates;
use crate::config::Config;
use crate::store::cache::Archive;
use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};

/// By what parts differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::VariantArray)]
pub enum PartKind {
    /// Who wrote the content.
    Agent,
    /// The model that answered, or else the requested one.
    Model,
    /// The box.
    Box,
    /// The judge: asked and served model, prompt.
    Judge,
}

impl PartKind {
    /// All of them, in the order in which they are chosen.
    pub const ALL: [Self; 4] = crate::domain::variants();
}

/// A part.
#[derive(Debug, Clone, PartialEq)]
pub struct TrendPart {
    /// Its name; hostile. `None` where the logs have none.
    pub name: Option<String>,
    /// What is known of it. Days with hidden verdicts are left out; ends are those of 95 % intervals.
    pub known: Span,
}

/// The parts of each kind.
pub(super) fn all(
    archive: &Archive,
    counting: &Counting<'_>,
    divided: &Divided,
    days: &BTreeMap<i32, Day>,
) -> Result<Vec<(PartKind, Vec<TrendPart>)>, AssessError> {
    PartKind::ALL
        .into_iter()
        .map(|kind| {
            let names = names(archive, counting, kind)?;
            Ok((kind, of_kind(counting, divided, days, &names)))
        })
        .collect()
}

/// Names by what tells parts apart in an evaluation.
struct Names {
    kind: PartKind,
    by_key: HashMap<u32, Option<String>>,
}

impl Names {
    fn name(&self, all: &Evaluations, place: usize) -> Option<&str> {
        self.by_key.get(&key(all, self.kind, place)?)?.as_deref()
    }
}

/// What tells parts of a kind apart.
fn key(all: &Evaluations, kind: PartKind, place: usize) -> Option<u32> {
    match kind {
        PartKind::Agent => all.all().get(place).map(|e| e.agent),
        PartKind::Model | PartKind::Judge => all.all().get(place).map(|e| e.fingerprint),
        PartKind::Box => all.boxes().get(place).copied(),
    }
}

/// Looks the names up, one evaluation for each.
fn names(archive: &Archive, counting: &Counting<'_>, kind: PartKind) -> Result<Names, AssessError> {
    let all = counting.all;
    let mut places: BTreeMap<u32, u32> = BTreeMap::new();
    for (place, _) in counting.units() {
        if let Some(key) = key(all, kind, place) {
            places.entry(key).or_insert(place as u32);
        }
    }
    let (keys, places): (Vec<u32>, Vec<u32>) = places.into_iter().unzip();
    let names: Vec<Option<String>> = match kind {
        PartKind::Agent => {
            let names = part_names(archive, all, &places, Breakdown::Agent, &Config::default())?;
            names.iter().map(|name| Some(name.clone()).filter(|name| name != "(none)")).collect()
        }
        PartKind::Model => keys.iter().map(|judge| model(all, *judge)).collect(),
        PartKind::Judge => keys.iter().map(|judge| judge_name(all, Some(*judge))).collect(),
        PartKind::Box => keys.iter().map(|at| all.box_names().get(*at as usize).cloned()).collect(),
    };
    Ok(Names { kind, by_key: keys.into_iter().zip(names).collect() })
}

fn model(all: &Evaluations, judge: u32) -> Option<String> {
    let judge = all.fingerprints().get(judge as usize)?;
    judge.served_model.clone().or_else(|| judge.model.clone())
}

fn of_kind(
    counting: &Counting<'_>,
    divided: &Divided,
    days: &BTreeMap<i32, Day>,
    names: &Names,
) -> Vec<TrendPart> {
    let all = counting.all;
    let mut parts: BTreeMap<Option<&str>, Day> = BTreeMap::new();
    for (place, e) in counting.units() {
        // How many of a part are hidden would tell of their authors.
        if days.get(&e.at.day()).is_some_and(|day| day.hidden == 0) {
            parts.entry(names.name(all, place)).or_default().add(e);
        }
    }
    let labelled = counting.contents(divided);
    let labelled = labelled.map(|(_, place, content)| (names.name(all, place), content));
    let rates = error_rates(labelled, Bounds::Compared.one_sided());
    let parts = parts.iter().map(|(name, day)| {
        let rates = rates.get(name).map_or(&[][..], Vec::as_slice);
        let known = figures(&[day], rates, &divided.policy, Bounds::Compared);
        TrendPart { name: name.map(str::to_owned), known }
    });
    let mut parts: Vec<TrendPart> = parts.collect();
    parts.sort_by_key(|part| (part.name.is_none(), Reverse(part.known.evaluations)));
    parts
}
