//! The Overview document against filters, `triage` and `trend`, which count in other ways.

mod figures;
mod same;
mod shape;
mod speed;

use foureyes::collect::{Collected, given};
use foureyes::domain::review::Reviews;
use foureyes::domain::{Timestamp, Window};
use foureyes::files::paths::DataDir;
use foureyes::frame::query::{Query, Scope};
use foureyes::generate::{Spec, generate};
use foureyes::jsonl::Settings;
use foureyes::overview::{Breakdowns, breakdowns};
use foureyes::store::cache::Archive;
use foureyes::thesaurus::Thesaurus;
use std::path::Path;

/// 2026-02-20T12:00:00Z.
pub(crate) const NOW: Timestamp = Timestamp(1_771_588_800_000_000);

/// Opened logs. A directory below that of the logs is a box.
pub(crate) struct Opened {
    _data: tempfile::TempDir,
    pub(crate) collected: Collected,
    pub(crate) archive: Archive,
}

impl Opened {
    pub(crate) fn at(logs: &Path) -> Self {
        let data = tempfile::tempdir().unwrap();
        let dir = DataDir::at(data.path());
        let collected = given(&dir, &[logs.to_owned()], NOW, &mut std::io::empty()).unwrap();
        let thesaurus = Some(Thesaurus::built_in().clone());
        let settings = Settings { thesaurus, ..Settings::default() };
        let archive = collected.open(&settings, &|_| {}).unwrap();
        Self { _data: data, collected, archive }
    }

    /// Logs of one line each, by box.
    pub(crate) fn new(logs: &[(&str, String)]) -> Self {
        let dir = tempfile::tempdir().unwrap();
        for (i, (name, text)) in logs.iter().enumerate() {
            let place = dir.path().join(name);
            std::fs::create_dir_all(&place).unwrap();
            std::fs::write(place.join(format!("{i}.jsonl")), text).unwrap();
        }
        // Counting reads only the cache.
        Self::at(dir.path())
    }

    pub(crate) fn generated(spec: &Spec) -> Self {
        let dir = tempfile::tempdir().unwrap();
        generate(spec, dir.path()).unwrap();
        Self::at(&dir.path().join("boxes"))
    }

    pub(crate) fn breakdowns(&self, window: Window) -> Breakdowns {
        breakdowns(
            &self.archive,
            &self.collected,
            window,
            (&Default::default(), &Default::default(), NOW),
            &|| false,
        )
        .unwrap()
        .unwrap()
    }

    /// How many records a filter finds, read from its text.
    pub(crate) fn found(&self, query: &str, window: Window) -> u64 {
        let query = Query::parse(query).unwrap_or_else(|e| panic!("{}", e.render(query)));
        let scope = Scope { boxes: self.archive.boxes(), now: NOW, reviews: Reviews::none() };
        self.archive.matching(&query, &scope, window).unwrap().len() as u64
    }
}

pub(crate) fn days(days: u32) -> Window {
    Window { from: Some(Timestamp::of_day(NOW.day()).minus_days(days - 1)), to: None }
}

/// Generated logs of some days, dirt and all families among them.
pub(crate) fn spec(records: u64, days: u32, seed: u64) -> Spec {
    Spec { repository: false, boxes: 3, dirt: 0.2, ..Spec::new(records, days, seed, NOW) }
}

/// A push evaluation as a line.
pub(crate) fn push(commit: &str, day: &str, more: &str) -> String {
    format!(
        "{{\"commit\":\"{commit}\",\"timestamp\":\"{day}T09:00:00Z\",\"judge_model\":\"m\"{more}}}\n"
    )
}
