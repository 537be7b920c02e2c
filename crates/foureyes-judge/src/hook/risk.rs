//! How deep each commit of a push is judged.

use super::content::Reader;
use super::run::Outcome;
use super::state::Run;
use super::verdicts::Judged;
use super::{NoJudge, Note, TaskJudges, Wanted};
use crate::domain::Timestamp;
use crate::engine::risk::{Change, Earlier, RiskDepth, RiskNote, author_key};
use crate::git;
use crate::risk::{Commits, RiskRules};
use crate::verdict_log::{ChangedBefore, changed_before};
use std::collections::{HashMap, HashSet};
use std::time::{Duration, Instant};

/// Longest time for what git says of the changes.
const PATIENCE: Duration = Duration::from_secs(10);
const DAY_US: i64 = 86_400_000_000;

impl Run<'_> {
    /// Finds how deep each commit is judged, where there are rules. Where git fails nothing is known, and
    /// every rule holds.
    pub(super) fn with_risk(&mut self, wanted: &mut [Wanted]) {
        let Some(risk) = self.settings.risk.clone() else { return };
        if let Some(error) = risk.without_rates() {
            (self.notify)(Note::NoRates(error.words()));
        }
        let mut changes = self.changes(&risk, wanted).unwrap_or_else(|error| {
            (self.notify)(Note::Unweighed(error));
            HashMap::new()
        });
        let before = self.before(&risk);
        let changes: Vec<_> = wanted
            .iter()
            .map(|one| changes.remove(&one.commit).unwrap_or_else(RiskRules::unknown))
            .collect();
        let pushed: HashSet<String> = wanted.iter().map(|one| one.commit.to_string()).collect();
        let others = OfPush::new(wanted, &changes);
        for (at, change) in changes.into_iter().enumerate() {
            let one = &mut wanted[at];
            let without = |commit: &str| pushed.contains(commit);
            let people: Vec<_> = one.people().collect();
            let change = risk.with_author(change, people, before.as_ref(), without);
            let earlier = change.earlier.zip(others.beside(at)).map(sum);
            let change = Change { earlier, ..change };
            let note = RiskNote::new(&change, &risk.assess(&change));
            if note.depth > risk.floor {
                (self.notify)(Note::Risk(one.commit.clone(), note.clone()));
            }
            one.risk = Some(note);
        }
    }

    fn changes(
        &mut self,
        risk: &RiskRules,
        wanted: &[Wanted],
    ) -> Result<HashMap<git::CommitId, Change>, git::Error> {
        let now = Instant::now();
        let left = self.settings.asked_until.saturating_duration_since(now);
        // Judges have most of the time.
        let git = self.git.within(now + (left / 4).min(PATIENCE));
        let ids: Vec<_> = wanted.iter().map(|one| one.commit.clone()).collect();
        let tips = git.peeled(&self.push.tips)?;
        let tips: Vec<_> = tips.into_iter().flatten().collect();
        let acceptance = self.settings.acceptance.as_deref();
        let commits = Commits { ids: &ids, tips: &tips, acceptance };
        let changes = risk.changes(&git, commits)?;
        Ok(changes.into_iter().map(|(id, (change, _))| (id, change)).collect())
    }

    /// What was changed before, as the log says; `None` where it cannot be read.
    fn before(&mut self, risk: &RiskRules) -> Option<ChangedBefore> {
        if !risk.is_about_sizes() {
            return Some(ChangedBefore::default());
        }
        let files = match (&self.settings.task_log, &self.settings.log) {
            (Some(log), _) => vec![log.path.clone()],
            (None, Some(log)) => {
                let (first, last) = (risk.since.day(), self.common().now.day());
                (first..=last).map(|day| log.file(Timestamp(i64::from(day) * DAY_US))).collect()
            }
            (None, None) => return None,
        };
        let files: Vec<_> = files.iter().map(std::path::PathBuf::as_path).collect();
        match changed_before(&files, risk.since) {
            Ok(before) => Some(before),
            Err(error) => {
                (self.notify)(Note::Unsearched(error, 0));
                None
            }
        }
    }

    /// Has judges of tasks look at commits that rules want to be judged deeper than by the judge of pushes.
    /// They stop nothing: what may stop a push is known of that one alone. A person decides what they leave
    /// open.
    pub(super) fn judge_deeper(
        &mut self,
        judged: &[Judged],
        outcome: Outcome,
        judges: impl FnOnce() -> Result<TaskJudges, NoJudge>,
    ) {
        let Some(log) = self.settings.deep_log.clone() else { return };
        let is_deep = |of: &&Wanted| {
            let depth = of.risk.as_ref().map(|note| note.depth);
            of.part_of.is_none() && depth > Some(RiskDepth::Quick)
        };
        let deep: Vec<_> = judged.iter().map(|one| &one.of).filter(is_deep).cloned().collect();
        // What is stopped comes again.
        if deep.is_empty() || outcome == Outcome::Blocked {
            return;
        }
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let judges = judges().map_err(|NoJudge::Unusable(why)| why);
        let (judges, runtime) =
            match judges.and_then(|j| Ok((j, runtime.map_err(|e| e.to_string())?))) {
                Ok(both) => both,
                Err(why) => return (self.notify)(Note::Undeepened(why, deep.len())),
            };
        (self.notify)(Note::Deeper(deep.len()));
        let mut reader = Reader::new(deep);
        let mut escalated = Vec::new();
        while let Some(contents) = self.contents(&mut reader) {
            for content in contents {
                let (_, document) = self.task(&runtime, &judges, &log, &content);
                escalated.extend(document.map(|document| (content.of.commit.clone(), document)));
            }
        }
        runtime.shutdown_background();
        self.send(&judges.config, &escalated);
    }
}

/// What the commits of a push change, each with who made it.
struct OfPush(Vec<(HashSet<String>, Option<Earlier>)>);

impl OfPush {
    fn new(wanted: &[Wanted], changes: &[Change]) -> Self {
        let of = |(one, change): (&Wanted, &Change)| {
            let size = change.lines().filter(|_| change.is_complete);
            let files = change.paths.len() as u64;
            (one.people().map(author_key).collect(), size.map(|lines| Earlier { lines, files }))
        };
        Self(wanted.iter().zip(changes).map(of).collect())
    }

    /// What the same people change in the other commits; `None` where that is not known.
    fn beside(&self, at: usize) -> Option<Earlier> {
        let (people, _) = self.0.get(at)?;
        let others = self.0.iter().enumerate().filter(|(other, _)| *other != at);
        let mut theirs = others.filter(|(_, (names, _))| !names.is_disjoint(people));
        theirs.try_fold(Earlier::default(), |all, (_, (_, size))| Some(sum((all, (*size)?))))
    }
}

fn sum((a, b): (Earlier, Earlier)) -> Earlier {
    Earlier { lines: a.lines.saturating_add(b.lines), files: a.files.saturating_add(b.files) }
}
