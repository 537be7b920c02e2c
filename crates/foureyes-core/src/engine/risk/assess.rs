//! Which rules apply to a change, and how deep it is judged.

use super::{Certainty, Change, ChangedPath, RiskDepth, RiskRule, fits};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Most paths that a match names.
const MOST_NAMED: usize = 5;

/// A rule that applies to a change, or may.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Match {
    /// Its name.
    pub rule: String,
    /// How deep it has changes judged.
    pub depth: RiskDepth,
    /// Whether it applies: `yes`, or `maybe` where not enough is known of the change.
    pub applies: Certainty,
    /// On what: paths, sizes, the author's record. Hostile text.
    pub on: Vec<String>,
}

/// How deep a change is judged, and why.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Assessment {
    /// How deep it is judged for what is certain.
    pub depth: RiskDepth,
    /// How deep it is judged where everything that is not known is taken for the worst. The hook judges
    /// so deep.
    pub at_most: RiskDepth,
    /// The rules that apply, or may.
    pub rules: Vec<Match>,
}

/// Applies rules to a change that is judged at least as deep as `floor`.
pub fn assess(rules: &[RiskRule], change: &Change, floor: RiskDepth) -> Assessment {
    let matches = rules.iter().filter_map(|rule| of(rule, change)).collect::<Vec<_>>();
    let deepest = |least: Certainty| {
        let of = matches.iter().filter(|one| one.applies >= least).map(|one| one.depth);
        of.max().unwrap_or_default().max(floor)
    };
    let (depth, at_most) = (deepest(Certainty::Yes), deepest(Certainty::Maybe));
    Assessment { depth, at_most, rules: matches }
}

fn of(rule: &RiskRule, change: &Change) -> Option<Match> {
    let mut on = Vec::new();
    let applies = [
        paths(rule, change, &mut on),
        lines(rule, change, &mut on),
        files(rule, change, &mut on),
        sensitive(rule, change, &mut on),
        author(rule, change, &mut on),
    ];
    let applies = applies.into_iter().min().unwrap_or_default();
    (applies > Certainty::No && rule.has_condition()).then(|| Match {
        rule: rule.name.clone(),
        depth: rule.depth,
        applies,
        on,
    })
}

/// Whether a path is one that a rule is about.
fn is_of(rule: &RiskRule, path: &ChangedPath) -> Certainty {
    if !rule.paths.is_empty() && !rule.paths.iter().any(|pattern| fits(pattern, &path.path)) {
        return Certainty::No;
    }
    let has = |kinds: &[super::ChangeKind]| kinds.iter().any(|kind| rule.changes.contains(kind));
    match rule.changes.is_empty() || has(&path.kinds) {
        true => Certainty::Yes,
        false if has(&path.maybe) => Certainty::Maybe,
        false => Certainty::No,
    }
}

fn paths(rule: &RiskRule, change: &Change, on: &mut Vec<String>) -> Certainty {
    if !rule.names_paths() {
        return Certainty::Yes;
    }
    let found = change.paths.iter().map(|path| (is_of(rule, path), path));
    let found: Vec<_> = found.filter(|(of, _)| *of > Certainty::No).collect();
    on.extend(found.iter().take(MOST_NAMED).map(|(_, path)| path.path.clone()));
    if found.len() > MOST_NAMED {
        on.push(format!("{} more paths", found.len() - MOST_NAMED));
    }
    let most = found.iter().map(|(of, _)| *of).max().unwrap_or_default();
    // A path that is not known may be one of them.
    if change.is_complete { most } else { most.max(Certainty::Maybe) }
}

/// Whether a sum reaches a number: for certain, and where all that is not known is as much as can be.
fn reaches(rule: &RiskRule, change: &Change, least: u64, of: Sum) -> (Certainty, u64) {
    if let (Some(total), Some(earlier), false) =
        (&change.total, &change.earlier, rule.names_paths())
    {
        let count = (of.before)(total).saturating_add((of.before)(earlier));
        return ((count >= least).into(), count);
    }
    let earlier = change.earlier.unwrap_or_default();
    // What was before is counted whole: which of its files a rule is about is not known.
    let before = match rule.names_paths() {
        true => 0,
        false => (of.before)(&earlier),
    };
    let certain = change.paths.iter().filter(|path| is_of(rule, path) == Certainty::Yes);
    let certain: u64 = certain.filter_map(|path| (of.one)(path)).fold(before, u64::saturating_add);
    let possible = change.paths.iter().filter(|path| is_of(rule, path) > Certainty::No);
    let possible = possible.map(|path| (of.one)(path)).collect::<Option<Vec<u64>>>();
    let before = (of.before)(&earlier);
    let is_known = change.is_complete && change.earlier.is_some();
    let most = possible.filter(|_| is_known);
    let most = most.map(|all| all.into_iter().fold(before, u64::saturating_add));
    match most {
        _ if certain >= least => (Certainty::Yes, certain),
        Some(most) if most < least => (Certainty::No, certain),
        _ => (Certainty::Maybe, certain),
    }
}

/// What is added up.
#[derive(Clone, Copy)]
struct Sum {
    one: fn(&ChangedPath) -> Option<u64>,
    before: fn(&super::Earlier) -> u64,
}

fn lines(rule: &RiskRule, change: &Change, on: &mut Vec<String>) -> Certainty {
    let Some(least) = rule.lines else { return Certainty::Yes };
    let sum = Sum { one: |path| path.lines, before: |earlier| earlier.lines };
    let (applies, count) = reaches(rule, change, least, sum);
    note(on, applies, count, "lines");
    applies
}

fn files(rule: &RiskRule, change: &Change, on: &mut Vec<String>) -> Certainty {
    let Some(least) = rule.files else { return Certainty::Yes };
    let sum = Sum { one: |_| Some(1), before: |earlier| earlier.files };
    let (applies, count) = reaches(rule, change, least, sum);
    note(on, applies, count, "files");
    applies
}

fn note(on: &mut Vec<String>, applies: Certainty, count: u64, what: &str) {
    match applies {
        Certainty::Yes => on.push(format!("{count} {what}")),
        Certainty::Maybe => on.push(format!("an unknown number of {what}, at least {count}")),
        Certainty::No => {}
    }
}

fn sensitive(rule: &RiskRule, change: &Change, on: &mut Vec<String>) -> Certainty {
    if !rule.sensitive {
        return Certainty::Yes;
    }
    on.extend(change.sensitive_by.as_ref().map(|by| format!("sensitive: {by}")));
    change.sensitive
}

fn author(rule: &RiskRule, change: &Change, on: &mut Vec<String>) -> Certainty {
    if !rule.is_about_author() {
        return Certainty::Yes;
    }
    let Some(rate) = &change.author else {
        on.push("the author's record is not known".to_owned());
        return Certainty::Maybe;
    };
    let error = match (rule.author_error, rate.poor) {
        (None, _) => Certainty::Yes,
        (Some(least), Some(poor)) => {
            on.push(format!("poor content of the author: up to {:.1} %", 100.0 * poor.high));
            (poor.high >= least).into()
        }
        (Some(_), None) => {
            on.push("the author's rate is not known".to_owned());
            Certainty::Maybe
        }
    };
    let overrides = rule.author_overrides.map_or(Certainty::Yes, |least| {
        on.push(format!("{} overrides", rate.overrides));
        (rate.overrides >= least).into()
    });
    error.min(overrides)
}
