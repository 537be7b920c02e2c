//! What the judge finds in the work of each agent, whether that changes, and what comes after a finding.
//!
//! All of it rests on verdicts, not on labels: an agent whose judge errs looks worse than it is.

use super::differences::{ALPHA, Compared, Comparison, Counts, FEW, compared};
use crate::domain::{Dimension, Scores, Timestamp};
use crate::stats::rate::Rate;
use crate::stats::{multiple, trend};
use crate::thesaurus::MARKED_DOWN;
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::{BTreeMap, HashMap};

/// Headings of terms that are listed for an agent, at most.
const TERMS: usize = 5;
/// Microseconds of a day.
const DAY: f64 = 86_400_000_000.0;

/// A content with its first verdict.
#[derive(Debug, Clone, Copy)]
pub struct AgentItem<'a> {
    /// Who wrote it; raw text.
    pub agent: &'a str,
    /// When it was judged.
    pub at: Timestamp,
    /// Who judged it, as a number.
    pub judge: u32,
    /// Its box, as a number.
    pub box_index: u32,
    /// Whether it was flagged.
    pub flagged: bool,
    /// The judge's scores.
    pub scores: Scores,
    /// Its files, each with a NUL before it.
    pub files: &'a str,
    /// The headings and dimensions of the terms of quality that were found in the judge's words, each with a
    /// NUL before it.
    pub terms: &'a str,
}

/// An agent.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Agent {
    /// Its name, raw: escape it before it is shown.
    pub name: String,
    /// NO-GO among its contents with a verdict.
    pub no_go: Rate,
    /// Scores that mark its content down, by dimension: at most 2 of 5.
    pub marked_down: MarkedDown,
    /// What was found most often in its flagged contents: headings of the terms of quality.
    pub terms: Vec<TermCount>,
    /// NO-GO week by week, without weeks of no content.
    pub weeks: Vec<AgentWeek>,
    /// Whether its NO-GO rate changes; null with fewer than ten flagged contents or ten others.
    pub change: Option<Change>,
    /// What becomes of the files of a content: their next version by the same agent on the same box.
    pub next: Next,
    /// Each rate compared with that of all other agents together, adjusted for all comparisons.
    pub comparisons: Vec<Comparison>,
}

/// Scores that mark content down.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, JsonSchema)]
pub struct MarkedDown {
    /// Of the semantic scores.
    pub semantic: Rate,
    /// Of the pragmatic scores.
    pub pragmatic: Rate,
    /// Of the syntactic scores.
    pub syntactic: Rate,
}

impl MarkedDown {
    /// In the order of [`Dimension::ALL`].
    pub fn each(&self) -> [(Dimension, Rate); 3] {
        Dimension::ALL.map(|dimension| {
            let rate = match dimension {
                Dimension::Semantic => self.semantic,
                Dimension::Pragmatic => self.pragmatic,
                Dimension::Syntactic => self.syntactic,
            };
            (dimension, rate)
        })
    }
}

/// A heading of terms of quality.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct TermCount {
    /// Its name.
    pub name: String,
    /// Flagged contents in whose findings it is.
    pub contents: u64,
}

/// The contents of a week.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct AgentWeek {
    /// The day on which it begins.
    pub monday: String,
    /// Flagged ones.
    pub no_go: u64,
    /// All with a verdict.
    pub contents: u64,
}

/// Whether the NO-GO rate rises or falls with time, within each version of the judge.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, JsonSchema)]
pub struct Change {
    /// NO-GO in the earlier half of the contents.
    pub early: Rate,
    /// NO-GO in the later half.
    pub late: Rate,
    /// Standard deviations from no change; below 0 where there is less NO-GO later.
    pub z: f64,
    /// Two-sided p-value, for this agent alone.
    pub p: f64,
    /// The same, adjusted for all agents.
    pub adjusted: f64,
    /// Whether it changes: the adjusted value is below 0.05.
    pub changes: bool,
}

/// What becomes of files that were judged.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, JsonSchema)]
pub struct Next {
    /// GO among the next versions after a NO-GO.
    pub go_after_no_go: Rate,
    /// GO among the next versions after a GO.
    pub go_after_go: Rate,
    /// Flagged contents without a next version.
    pub no_go_without: u64,
}

/// The figures of each agent, in the order of their names. Items are in order of time.
pub fn agents(items: &[AgentItem<'_>]) -> Vec<Agent> {
    let next = next_versions(items);
    let mut parts: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (at, item) in items.iter().enumerate() {
        parts.entry(item.agent).or_default().push(at);
    }
    let tallies: Vec<Tally> = parts.values().map(|own| Tally::new(items, own, &next)).collect();
    let counts: Vec<Counts> = tallies.iter().map(Tally::counts).collect();
    let comparisons = compared(&counts);
    let mut changes: Vec<Option<Change>> = parts.values().map(|own| change(items, own)).collect();
    adjust(&mut changes);
    let figures = parts.into_iter().zip(tallies).zip(comparisons.into_iter().zip(changes));
    figures
        .map(|(((name, own), tally), (comparisons, change))| Agent {
            name: name.to_owned(),
            no_go: rate(tally.flagged),
            marked_down: tally.marked_down(),
            terms: terms(items, &own),
            weeks: weeks(items, &own),
            change,
            next: tally.next(),
            comparisons,
        })
        .collect()
}

/// The next content of the same agent on the same box that has one of the files, for each.
fn next_versions(items: &[AgentItem<'_>]) -> Vec<Option<usize>> {
    let mut seen: HashMap<(&str, u32, &str), usize> = HashMap::new();
    let mut next = vec![None; items.len()];
    for (at, item) in items.iter().enumerate().rev() {
        let key = |file| (item.agent, item.box_index, file);
        next[at] = names(item.files).filter_map(|file| seen.get(&key(file)).copied()).min();
        seen.extend(names(item.files).map(|file| (key(file), at)));
    }
    next
}

/// The names of a text with a NUL before each.
fn names(text: &str) -> impl Iterator<Item = &str> {
    text.split('\0').filter(|name| !name.is_empty())
}

/// What is counted of an agent, as cases and what they are among.
#[derive(Debug, Clone, Copy, Default)]
struct Tally {
    flagged: [u64; 2],
    down: [[u64; 2]; 3],
    again: [u64; 2],
    after_go: [u64; 2],
    without: u64,
}

impl Tally {
    fn new(items: &[AgentItem<'_>], own: &[usize], next: &[Option<usize>]) -> Self {
        let mut tally = Self::default();
        for (item, next) in own.iter().filter_map(|at| Some((items.get(*at)?, next.get(*at)?))) {
            let next = next.and_then(|at| items.get(at)).map(|next| next.flagged);
            count(&mut tally.flagged, item.flagged);
            for (down, dimension) in tally.down.iter_mut().zip(Dimension::ALL) {
                if let Some(score) = item.scores.usable(dimension) {
                    count(down, score <= MARKED_DOWN);
                }
            }
            match (item.flagged, next) {
                (true, Some(flagged)) => count(&mut tally.again, flagged),
                (true, None) => tally.without += 1,
                (false, Some(flagged)) => count(&mut tally.after_go, !flagged),
                (false, None) => {}
            }
        }
        tally
    }

    fn counts(&self) -> Counts {
        let [semantic, pragmatic, syntactic] = self.down;
        vec![
            (Compared::FlagRate, self.flagged),
            (Compared::SemanticMarkedDown, semantic),
            (Compared::PragmaticMarkedDown, pragmatic),
            (Compared::SyntacticMarkedDown, syntactic),
            (Compared::FlaggedAgain, self.again),
        ]
    }

    fn marked_down(&self) -> MarkedDown {
        let [semantic, pragmatic, syntactic] = self.down.map(rate);
        MarkedDown { semantic, pragmatic, syntactic }
    }

    fn next(&self) -> Next {
        let [again, of] = self.again;
        Next {
            go_after_no_go: Rate::new(of - again, of),
            go_after_go: rate(self.after_go),
            no_go_without: self.without,
        }
    }
}

fn count([cases, of]: &mut [u64; 2], is_case: bool) {
    *cases += u64::from(is_case);
    *of += 1;
}

fn rate([cases, of]: [u64; 2]) -> Rate {
    Rate::new(cases, of)
}

fn terms(items: &[AgentItem<'_>], own: &[usize]) -> Vec<TermCount> {
    let mut counts: BTreeMap<&str, u64> = BTreeMap::new();
    for item in own.iter().filter_map(|at| items.get(*at)).filter(|item| item.flagged) {
        let mut found: Vec<&str> = names(item.terms).collect();
        found.sort_unstable();
        found.dedup();
        // Dimensions have scores of their own.
        found.retain(|name| !Dimension::ALL.iter().any(|dimension| dimension.as_str() == *name));
        found.into_iter().for_each(|name| *counts.entry(name).or_default() += 1);
    }
    let mut counts: Vec<_> = counts.into_iter().collect();
    counts.sort_by_key(|(_, contents)| std::cmp::Reverse(*contents));
    let count = |(name, contents): (&str, u64)| TermCount { name: name.to_owned(), contents };
    counts.into_iter().take(TERMS).map(count).collect()
}

fn weeks(items: &[AgentItem<'_>], own: &[usize]) -> Vec<AgentWeek> {
    let mut weeks: BTreeMap<i32, [u64; 2]> = BTreeMap::new();
    for item in own.iter().filter_map(|at| items.get(*at)) {
        count(weeks.entry(item.at.monday()).or_default(), item.flagged);
    }
    let week = |(monday, [no_go, contents]): (i32, [u64; 2])| AgentWeek {
        monday: Timestamp::of_day(monday).day_text(),
        no_go,
        contents,
    };
    weeks.into_iter().map(week).collect()
}

/// The change of an agent, by itself.
fn change(items: &[AgentItem<'_>], own: &[usize]) -> Option<Change> {
    let own: Vec<&AgentItem<'_>> = own.iter().filter_map(|at| items.get(*at)).collect();
    let flagged = own.iter().filter(|item| item.flagged).count();
    if (flagged.min(own.len() - flagged) as u64) < FEW {
        return None;
    }
    let begin = own.first()?.at.0;
    let mut groups: BTreeMap<u32, Vec<(f64, bool)>> = BTreeMap::new();
    for item in &own {
        let days = item.at.0.saturating_sub(begin) as f64 / DAY;
        groups.entry(item.judge).or_default().push((days, item.flagged));
    }
    let trend = trend::trend(groups.values().map(Vec::as_slice))?;
    let half = |part: &[&AgentItem<'_>]| {
        let flagged = part.iter().filter(|item| item.flagged).count();
        Rate::new(flagged as u64, part.len() as u64)
    };
    let (early, late) = own.split_at(own.len() / 2);
    let (early, late) = (half(early), half(late));
    Some(Change { early, late, z: trend.z, p: trend.p, adjusted: trend.p, changes: false })
}

fn adjust(changes: &mut [Option<Change>]) {
    let p: Vec<f64> = changes.iter().flatten().map(|change| change.p).collect();
    for (change, adjusted) in changes.iter_mut().flatten().zip(multiple::holm(&p)) {
        (change.adjusted, change.changes) = (adjusted, adjusted < ALPHA);
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;
