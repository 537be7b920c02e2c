//! A window over what was judged before it was begun: which records are of its judge.

use super::{Evaluation, Fingerprint};
use crate::domain::review::JudgeVersion;
use crate::domain::{Numbering, Timestamp};
use std::collections::HashMap;

/// What is known of a window with the natural start, beside its rules.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NaturalWindow {
    /// When its entry was written: what was judged before was here already.
    pub entered: Timestamp,
    /// What is drawn with from then on, and double labels everywhere; `None` where it was not published.
    pub key: Option<[u8; 32]>,
    /// Whether the records of its judge name no prompt.
    pub is_prompt_unknown: bool,
    /// Days before its entry on which only other judges judged: days since 1970, ascending.
    pub other_days: Vec<i32>,
    /// The first record of its judge, where it is older than the window's start.
    pub earlier: Option<Timestamp>,
    /// The boxes of the window. Hostile text.
    pub boxes: Vec<String>,
    /// Boxes of the window of which nothing is read. Hostile text.
    pub boxes_gone: Vec<String>,
    /// Boxes that are known here and are not in the window. Hostile text.
    pub boxes_beside: Vec<String>,
    /// The first sign of its judge anywhere.
    pub first_sign: Timestamp,
}

/// Which judge version each evaluation is of.
#[derive(Debug, Clone, Default)]
pub struct Versions {
    all: Vec<JudgeVersion>,
    of: Vec<u32>,
}

impl Versions {
    /// Those of evaluations in order of time.
    ///
    /// A record that names no served model is of the version of the next record in time with the same
    /// tier, model and prompt that names one; of the last one that did where none follows.
    pub fn new(rows: &[Evaluation], fingerprints: &[Fingerprint]) -> Self {
        let mut numbers = Numbering::default();
        let judges: Vec<(u32, bool)> = fingerprints
            .iter()
            .map(|judge| {
                let version = judge.version();
                let named = !version.is_served_unknown();
                (numbers.number(version), named)
            })
            .collect();
        let all = numbers.values();
        let of = served(rows, &judges, &unserved(&all));
        Self { all, of }
    }

    /// The version of the evaluation at a place.
    pub fn get(&self, place: usize) -> Option<&JudgeVersion> {
        self.all.get(*self.of.get(place)? as usize)
    }
}

/// A number for each version that those share which differ in the served model alone.
fn unserved(all: &[JudgeVersion]) -> Vec<u32> {
    let mut numbers = Numbering::default();
    let rest = |v: &JudgeVersion| (v.tier.clone(), v.model.clone(), v.prompt.clone());
    all.iter().map(|version| numbers.number(rest(version))).collect()
}

/// The version of each row; `judges` has that of each fingerprint as it stands, and whether it names who
/// answered.
fn served(rows: &[Evaluation], judges: &[(u32, bool)], rest: &[u32]) -> Vec<u32> {
    let own =
        |e: &Evaluation| judges.get(e.fingerprint as usize).copied().unwrap_or((u32::MAX, true));
    let mut of: Vec<u32> = rows.iter().map(|e| own(e).0).collect();
    let mut fill = |places: &mut dyn Iterator<Item = usize>, is_open: &mut [bool]| {
        let mut known: HashMap<u32, u32> = HashMap::new();
        for place in places {
            let (Some(version), Some(open)) = (of.get_mut(place), is_open.get_mut(place)) else {
                continue;
            };
            let Some(rest) = rest.get(*version as usize) else { continue };
            match (*open, known.get(rest)) {
                (false, _) => drop(known.insert(*rest, *version)),
                (true, Some(next)) => (*version, *open) = (*next, false),
                (true, None) => {}
            }
        }
    };
    let mut is_open: Vec<bool> = rows.iter().map(|e| !own(e).1).collect();
    fill(&mut (0..rows.len()).rev(), &mut is_open);
    fill(&mut (0..rows.len()), &mut is_open);
    of
}

impl Fingerprint {
    /// The judge as windows tell versions apart.
    pub fn version(&self) -> JudgeVersion {
        JudgeVersion::new(self.tier.as_deref(), self.parts().map(|(_, part)| part))
    }

    /// The judge that a window's entry names. A prompt that no record names is one of its own; any served
    /// model may be that of records that name none.
    pub fn from_version(version: &JudgeVersion) -> Self {
        let served = (!version.is_served_unknown()).then(|| version.served_model.clone());
        Self {
            model: Some(version.model.clone()),
            served_model: served,
            prompt_sha: Some(version.prompt.clone()),
            tier: version.tier.clone(),
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::calibration::evaluation::tests::evaluation;
    use crate::domain::Outcome;

    fn judge(served: Option<&str>, prompt: Option<&str>) -> Fingerprint {
        let text = |text: &str| text.to_owned();
        Fingerprint {
            model: Some("Judge".to_owned()),
            served_model: served.map(text),
            prompt_sha: prompt.map(text),
            tier: None,
        }
    }

    /// Served model and prompt of each row, one a day.
    fn of(judges: &[(Option<&str>, Option<&str>)]) -> Vec<(String, String)> {
        let fingerprints: Vec<Fingerprint> = judges.iter().map(|(s, p)| judge(*s, *p)).collect();
        let row = |n: usize| Evaluation {
            fingerprint: n as u32,
            ..evaluation(n as u64, n as i32, Outcome::Go)
        };
        let rows: Vec<Evaluation> = (0..judges.len()).map(row).collect();
        let versions = Versions::new(&rows, &fingerprints);
        let text = |v: &JudgeVersion| (v.served_model.clone(), v.prompt.clone());
        (0..rows.len()).map(|at| text(versions.get(at).unwrap())).collect()
    }

    fn served_of(judges: &[(Option<&str>, Option<&str>)]) -> Vec<String> {
        of(judges).into_iter().map(|(served, _)| served).collect()
    }

    #[test]
    fn record_without_served_model_is_of_the_next_that_names_it() {
        let p = Some("p");
        let all = [(None, p), (Some("a"), p), (None, p), (Some("b"), p), (None, p)];
        assert_eq!(served_of(&all), ["a", "a", "b", "b", "b"]);
        // Of another prompt it is none.
        let other = [(None, Some("q")), (Some("a"), p), (None, Some("q"))];
        assert_eq!(served_of(&other), ["unknown", "a", "unknown"]);
    }

    #[test]
    fn record_without_prompt_is_of_a_version_of_its_own() {
        let all = [(Some("a"), None), (Some("a"), Some("P 1")), (Some("A"), Some("p1"))];
        let prompts: Vec<String> = of(&all).into_iter().map(|(_, prompt)| prompt).collect();
        assert_eq!(prompts, ["unknown", "p1", "p1"]);
    }
}
