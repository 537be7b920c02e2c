//! Why a change is judged as deep as it is, and what that takes.

use super::{Evidences, ExplainDocument, Explained, Past, facts_of};
use crate::config::RepositoryConfig;
use crate::domain::{JudgementKind, chain};
use crate::engine::panel::Depth;
use crate::engine::risk::{Change, Earlier, RiskDepth, author_key};
use crate::git::Outgoing;
use crate::risk::{Commits, RiskRules};
use std::path::Path;
use std::time::{Duration, Instant};

/// Longest time for git.
const PATIENCE: Duration = Duration::from_secs(60);
/// Most commits of a range.
const MOST: usize = 200;
/// Fewest digits of an id.
const DIGITS: usize = 8;
/// Confidence of the figures of one change.
const CONFIDENCE: f64 = 0.95;

/// A change that is asked about.
#[derive(Debug, Clone)]
pub struct Subject {
    /// Its commit or record.
    pub name: String,
    /// Who made it. Hostile text.
    pub author: String,
    /// What is known of it.
    pub change: Change,
}

/// The commits that a revision names, in a repository.
///
/// # Errors
/// Why git does not name any, in a sentence.
pub fn of_revision(rules: &RiskRules, repo: &Path, revision: &str) -> Result<Vec<Subject>, String> {
    let words = |error: crate::git::Error| chain(&error);
    let git = Outgoing::at(repo, Instant::now() + PATIENCE);
    let ids = git.revision(revision, MOST).map_err(words)?;
    let tips: Vec<_> = ids.first().cloned().into_iter().collect();
    let commits = Commits { ids: &ids, tips: &tips, acceptance: None };
    let mut changes = rules.changes(&git, commits).map_err(words)?;
    let of = |id: &crate::git::CommitId| {
        let (change, header) = changes.remove(id)?;
        let (author, committer) = header.map(|h| (h.author, h.committer)).unwrap_or_default();
        let people = [author.as_str(), committer.as_str()];
        let change = Change { author: rules.author(people), ..change };
        Some(Subject { name: id.to_string(), author, change })
    };
    let subjects: Vec<Subject> = ids.iter().filter_map(of).collect();
    Ok(beside_each_other(subjects))
}

/// Sizes of the commits of a range are added up, as those of a push are. What was changed before is in the
/// log of the box, and not counted here.
fn beside_each_other(mut subjects: Vec<Subject>) -> Vec<Subject> {
    let sizes: Vec<_> = subjects
        .iter()
        .map(|one| (author_key(&one.author), one.change.lines(), one.change.paths.len() as u64))
        .collect();
    for (at, one) in subjects.iter_mut().enumerate() {
        let key = author_key(&one.author);
        let others = sizes.iter().enumerate().filter(|(n, (name, ..))| *n != at && *name == key);
        one.change.earlier = others
            .map(|(_, (_, lines, files))| Some(((*lines)?, *files)))
            .try_fold(Earlier::default(), |sum, size| {
                let (lines, files) = size?;
                Some(Earlier { lines: sum.lines + lines, files: sum.files + files })
            });
    }
    subjects
}

/// The records that begin with these digits.
pub fn of_records(
    past: &Past,
    rules: &RiskRules,
    repositories: &[RepositoryConfig],
    digits: &str,
) -> Vec<Subject> {
    let digits = digits.to_lowercase();
    if digits.len() < DIGITS || !digits.bytes().all(|b| b.is_ascii_hexdigit()) {
        return Vec::new();
    }
    if !past.changes.iter().any(|one| one.id.to_string().starts_with(&digits)) {
        return Vec::new();
    }
    // What was changed before is known of all of them together.
    let facts = facts_of(past, rules, repositories);
    let all = past.changes.iter().zip(facts.changes);
    let found = all.filter(|(one, _)| one.id.to_string().starts_with(&digits));
    let of = |(one, change): (&super::PastChange, Change)| {
        let (name, author) = (one.id.to_string(), one.author.clone());
        Subject { name, author, change }
    };
    found.map(of).collect()
}

/// Explains changes.
pub fn explain(
    rules: &RiskRules,
    family: JudgementKind,
    subjects: &[Subject],
    evidences: &Evidences,
) -> ExplainDocument {
    let of = |subject: &Subject| {
        let assessment = rules.assess(&subject.change);
        let draws = |depth: RiskDepth| {
            [Depth::Quick, Depth::Sequential, Depth::Panel].map(|one| {
                let is_asked = depth > RiskDepth::Quick && depth.judges() == one;
                (one, u64::from(is_asked))
            })
        };
        let both = [draws(assessment.depth), draws(assessment.at_most)];
        let [calls, tokens, cost, seconds] = evidences.figures(both, [Some(0.0); 4], CONFIDENCE);
        Explained {
            change: subject.name.clone(),
            author: subject.author.clone(),
            files: subject.change.paths.len() as u64,
            lines: subject.change.lines(),
            assessment,
            calls,
            tokens,
            cost,
            seconds,
        }
    };
    let mut caveats = Vec::new();
    if let Some(error) = rules.without_rates() {
        caveats.push(format!("every author is unknown: {}", error.words()));
    }
    if rules.is_about_sizes() {
        caveats.push(
            "the hook also adds up what the author changed before, as the log of the box says"
                .to_owned(),
        );
    }
    ExplainDocument {
        schema: "foureyes/risk-explain/1",
        family,
        floor: rules.floor,
        changes: subjects.iter().map(of).collect(),
        evidence: evidences.rows(),
        caveats,
    }
}
