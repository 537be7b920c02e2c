//! Asking boxes for their logs before there is a configuration: into a directory that is kept for this run
//! alone, until something is written.

use crate::assess::{Evaluations, natural_offer, policy_in_force, window_in_force};
use crate::cli::operator::{Context, Failure, reading};
use crate::collect::{self, Collected};
use crate::config::{Config, FirstBox, first_file};
use crate::domain::{JudgementKind, Timestamp, chain};
use crate::files::paths::DataDir;
use crate::first_start::{Forecast, Missing, Reached, Survey, Traffic, forecasts};
use crate::jsonl::Settings;
use crate::pull::{self, PullState};
use crate::store::ledger::Ledger;
use std::path::PathBuf;
use std::sync::Arc;

/// What asking and counting need.
pub(super) struct Probe {
    /// Where copies go until something is written; removed at the end.
    held: tempfile::TempDir,
    settings: Settings,
    home: Option<PathBuf>,
    now: Timestamp,
    data: DataDir,
}

impl Probe {
    pub(super) fn new(context: &Context) -> Result<Self, Failure> {
        let held = tempfile::Builder::new().prefix("foureyes-").tempdir()?;
        Ok(Self {
            held,
            settings: reading::settings(context, &context.config),
            home: context.environment.home(),
            now: context.now,
            data: context.data.clone(),
        })
    }

    /// Where copies are held.
    pub(super) fn held(&self) -> DataDir {
        DataDir::at(self.held.path())
    }

    fn config(&self, boxes: &[FirstBox]) -> Result<Config, String> {
        Ok(first_file(boxes, self.home.as_deref())?.1)
    }

    /// Pulls a box as the console would, and counts what came.
    pub(super) async fn ask(self: Arc<Self>, source: FirstBox) -> Reached {
        let refused = |why, next| Reached::Refused { why, next };
        let config = match self.config(std::slice::from_ref(&source)) {
            Ok(config) => config,
            Err(why) => return refused(why, String::new()),
        };
        let pulls =
            pull::run(&config, &self.held(), self.now, Arc::new(|_: &str, _: pull::Event| {}))
                .await;
        let failed = pulls.iter().find(|pull| pull.state == PullState::Failed);
        if let Some(error) = failed.and_then(|pull| pull.error.as_ref()) {
            let next = crate::advice::of_pull(error, &source.name).unwrap_or_default();
            let why = match error {
                pull::Error::Connect(source) => chain(source),
                other => chain(other),
            };
            return refused(why, next);
        }
        let probe = Arc::clone(&self);
        let read = tokio::task::spawn_blocking(move || probe.read(&config, &source.name)).await;
        read.unwrap_or_else(|error| refused(error.to_string(), String::new()))
    }

    /// The logs of boxes, with a cache of their own.
    fn collected(&self, config: &Config, cache: &str) -> Collected {
        let mut collected = collect::configured(&self.held(), config, self.now);
        collected.collection = self.held().cache().join(cache);
        collected
    }

    fn read(&self, config: &Config, name: &str) -> Reached {
        let refused = |why| Reached::Refused { why, next: String::new() };
        let collected = self.collected(config, name);
        let mut errors = collected.boxes.iter().filter_map(|one| one.error.clone());
        if let (true, Some(error)) = (collected.files.is_empty(), errors.next()) {
            return refused(error);
        }
        let records = match collected.open(&self.settings, &|_| {}) {
            Ok(archive) => archive.accounting().records,
            Err(error) => return refused(chain(&error)),
        };
        let all = self.evaluations(&collected).unwrap_or_default();
        let span = all.all().first().zip(all.all().last()).map(|(first, last)| (first.at, last.at));
        Reached::Found { records, span }
    }

    fn evaluations(&self, collected: &Collected) -> Option<Evaluations> {
        let archive = collected.open(&self.settings, &|_| {}).ok()?;
        Evaluations::load(&archive, JudgementKind::DEFAULT, &|| false).ok()?
    }

    /// What the logs of these boxes come to.
    pub(super) fn count(&self, boxes: &[FirstBox]) -> Survey {
        let names: Vec<String> = boxes.iter().map(|one| one.name.clone()).collect();
        let config = self.config(boxes).unwrap_or_default();
        // The name of a directory has at most 255 bytes.
        let key = blake3::hash(names.join(" ").as_bytes()).to_hex();
        let collected = self.collected(&config, &format!("all {}", &key[..16]));
        let not = |hindrance| Survey { hindrance: Some(hindrance), ..Survey::default() };
        let Some(all) = self.evaluations(&collected) else { return not(Missing::Uncounted) };
        let Ok(ledgers) = Ledger::load(&self.data) else { return not(Missing::Uncounted) };
        let present = ledgers.present(self.now);
        let runs = window_in_force(&present, JudgementKind::DEFAULT, self.now).is_some();
        let hindrance = runs.then_some(Missing::Running);
        let policy = policy_in_force(&present, JudgementKind::DEFAULT, self.now).0;
        let offer = natural_offer(&all, &present, &policy, &names, self.now);
        let offer = offer.filter(|offer| offer.start.from.day() < self.now.day());
        let prices = offer.as_ref().map(|offer| offer.prices(&policy)).unwrap_or_default();
        Survey { offer, prices, traffic: Traffic::of_last_days(&all, self.now), hindrance }
    }

    /// How soon a good judge is READY at each rate.
    pub(super) fn forecasts(&self) -> [Forecast; 4] {
        let ledgers = Ledger::load(&self.data).ok();
        let present = ledgers.map(|ledgers| ledgers.present(self.now));
        let family = JudgementKind::DEFAULT;
        let policy = present.map(|present| policy_in_force(&present, family, self.now).0);
        forecasts(&policy.unwrap_or_default())
    }
}
