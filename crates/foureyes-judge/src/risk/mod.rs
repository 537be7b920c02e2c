//! How deep a change is to be judged: the rules of the configuration, what is known of the change, and the
//! rates of its author.
//!
//! Everything that is not known is taken for the worst, so no failure makes a judgement shallower.

mod facts;
mod of_task;
mod rates;

pub use rates::{
    MOST_BYTES as MOST_RATES, RatesError, RatesReport, RatesState, published as published_rates,
    read as read_rates, take as take_rates,
};

use crate::config::{Config, TaskConfig};
use crate::domain::{JudgementKind, Timestamp};
use crate::engine::risk::{
    Assessment, AuthorRate, Certainty, Change, ChangeKind, ChangedPath, RatesSnapshot, RiskDepth,
    RiskRule, assess, author_rate,
};
use crate::git::{CommitId, Error, Header, ObjectId, Outgoing};
use crate::instruments::Capability;
use crate::verdict_log::ChangedBefore;
use std::collections::HashMap;
use std::path::Path;

const HOUR_US: i64 = 3_600_000_000;
/// Most bytes of all headers of commits.
const MOST_HEADERS: u64 = 64 << 20;

/// The rules that hold here, and what they need.
#[derive(Debug)]
pub struct RiskRules {
    /// The rules.
    pub rules: Vec<RiskRule>,
    /// The rates of authors, or why there are none.
    pub rates: Result<RatesSnapshot, RatesError>,
    /// Since when the changes of an author are added up.
    pub since: Timestamp,
    /// How deep everything is judged at least.
    pub floor: RiskDepth,
    window_us: i64,
    family: JudgementKind,
    task: TaskConfig,
}

/// Commits of which facts are wanted.
#[derive(Debug, Clone, Copy)]
pub struct Commits<'a> {
    /// The commits.
    pub ids: &'a [CommitId],
    /// Commits whose links give other names to paths.
    pub tips: &'a [ObjectId],
    /// What results must meet, which may make them sensitive.
    pub acceptance: Option<&'a str>,
}

impl RiskRules {
    /// The rules of a configuration for judgements of a family; `None` where there are none.
    pub fn new(
        config: &Config,
        family: JudgementKind,
        home: Option<&Path>,
        now: Timestamp,
    ) -> Option<Self> {
        let risk = &config.risk;
        if risk.rules.is_empty() {
            return None;
        }
        let rates = match risk.rates_file(home).filter(|_| risk.is_about_authors()) {
            Some(path) => rates::read(&path, &risk.rates_key, risk.rates_days, now),
            None => Err(RatesError::Unconfigured),
        };
        let floor = match family.has(Capability::Tiers) {
            false => RiskDepth::Quick,
            // Sensitive content is judged by `[task]` as deep as that says.
            true => config.task.depth.depth(false).into(),
        };
        let window_us = i64::from(risk.window_h) * HOUR_US;
        Some(Self {
            rules: risk.rules.clone(),
            rates,
            since: Timestamp(now.0.saturating_sub(window_us)),
            window_us,
            floor,
            family,
            task: config.task.clone(),
        })
    }

    /// The time in which the changes of an author are added up, in microseconds.
    pub fn window_us(&self) -> i64 {
        self.window_us
    }

    /// Whether a rule is about sizes, and so about what was changed before.
    pub fn is_about_sizes(&self) -> bool {
        self.rules.iter().any(|rule| rule.lines.is_some() || rule.files.is_some())
    }

    /// Why authors are unknown, where a rule is about them.
    pub fn without_rates(&self) -> Option<&RatesError> {
        self.rates.as_ref().err().filter(|_| self.rules.iter().any(RiskRule::is_about_author))
    }

    /// Applies the rules.
    pub fn assess(&self, change: &Change) -> Assessment {
        assess(&self.rules, change, self.floor)
    }

    /// The record of those who had a hand in something.
    pub fn author<'a>(&self, people: impl IntoIterator<Item = &'a str>) -> Option<AuthorRate> {
        author_rate(self.rates.as_ref().ok()?, self.family, people)
    }

    /// What commits change, as git knows it; who made them is not among it, nor what was before.
    ///
    /// # Errors
    /// When git fails or is not done in time.
    pub fn changes(
        &self,
        git: &Outgoing,
        commits: Commits<'_>,
    ) -> Result<HashMap<CommitId, (Change, Option<Header>)>, Error> {
        let wish = facts::Wish {
            binary: self.rules.iter().any(|rule| rule.changes.contains(&ChangeKind::Binary)),
            paths: self.rules.iter().any(|rule| !rule.paths.is_empty()),
        };
        let mut paths = facts::paths(git, commits.ids, commits.tips, wish)?;
        let headers = git.headers(commits.ids, MOST_HEADERS)?;
        let all = commits.ids.iter().zip(headers).map(|(id, header)| {
            let paths = paths.remove(id).unwrap_or_default();
            let message = header.as_ref().map(|header| header.message.as_str());
            let texts = [message.unwrap_or_default(), commits.acceptance.unwrap_or_default()];
            let change = Change { paths, is_complete: true, ..Change::default() };
            let change = self.with_sensitive(change, &texts, message.is_some());
            (id.clone(), (change, header))
        });
        Ok(all.collect())
    }

    /// A change of which only files are known, as they are now: whether they were there before is not.
    pub fn of_files(&self, files: &[(String, Vec<u8>)], texts: &[&str]) -> Change {
        let paths = files.iter().map(|(path, bytes)| {
            let is_text = std::str::from_utf8(bytes).is_ok() && !bytes.contains(&0);
            let lines = memchr::memchr_iter(b'\n', bytes).count() as u64 + 1;
            use ChangeKind::{Added, Binary, Mode, Modified, Renamed};
            let kinds = if is_text { Vec::new() } else { vec![Binary] };
            let maybe = vec![Added, Modified, Renamed, Mode];
            ChangedPath { path: path.clone(), kinds, maybe, lines: Some(lines) }
        });
        let change = Change { paths: paths.collect(), is_complete: true, ..Change::default() };
        self.with_sensitive(change, texts, true)
    }

    /// A change of which nothing is known: git failed, or was not done in time.
    pub fn unknown() -> Change {
        Change { sensitive: Certainty::Maybe, ..Change::default() }
    }

    /// A change with who made it, and what they changed before.
    pub fn with_author<'a>(
        &self,
        change: Change,
        people: impl IntoIterator<Item = &'a str> + Clone,
        before: Option<&ChangedBefore>,
        without: impl Fn(&str) -> bool,
    ) -> Change {
        let earlier = before.and_then(|before| before.by(people.clone().into_iter(), without));
        Change { author: self.author(people), earlier, ..change }
    }

    /// The word or path that makes something sensitive, as it is configured.
    pub fn sensitive(&self, texts: &[&str], paths: &[String]) -> Option<String> {
        self.task.sensitive(texts, paths).map(str::to_owned)
    }

    fn with_sensitive(&self, change: Change, texts: &[&str], all_read: bool) -> Change {
        let paths: Vec<_> = change.paths.iter().map(|path| path.path.clone()).collect();
        let by = self.sensitive(texts, &paths);
        let sensitive = match (&by, all_read) {
            (Some(_), _) => Certainty::Yes,
            (None, true) => Certainty::No,
            (None, false) => Certainty::Maybe,
        };
        Change { sensitive, sensitive_by: by, ..change }
    }
}
