//! Logs in a directory of their own, and what is said of them by a warm cache and by a cold one.

use foureyes::calibration::Policy;
use foureyes::collect::{Collected, given};
use foureyes::domain::review::Reviews;
use foureyes::domain::{ByKind, Timestamp, Triage, Window};
use foureyes::files::paths::DataDir;
use foureyes::frame::query::{Query, Scope};
use foureyes::jsonl::Settings;
use foureyes::store::cache::Archive;
use foureyes::triage::{Ask, triage};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// 2026-02-20T12:00:00Z.
pub(super) const NOW: Timestamp = Timestamp(1_771_588_800_000_000);

/// Logs, and the data directory that stays between runs.
pub(super) struct World {
    pub(super) home: tempfile::TempDir,
    pub(super) settings: Settings,
}

/// Everything that is said, in a form that is compared.
#[derive(Debug, PartialEq)]
pub(super) struct Said {
    pub(super) all: Triage,
    pub(super) week: Triage,
    pub(super) short: Triage,
    pub(super) records: Vec<String>,
}

impl World {
    pub(super) fn new() -> Self {
        let home = tempfile::tempdir().unwrap();
        std::fs::create_dir(home.path().join("logs")).unwrap();
        Self { home, settings: Settings::default() }
    }

    pub(super) fn logs(&self) -> PathBuf {
        self.home.path().join("logs")
    }

    pub(super) fn data(&self) -> DataDir {
        DataDir::at(self.home.path().join("data"))
    }

    /// The directory of the cache.
    pub(super) fn cache(&self) -> PathBuf {
        let from = std::fs::read_dir(self.data().cache().join("from")).unwrap();
        from.map(|e| e.unwrap().path()).next().unwrap()
    }

    pub(super) fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.logs().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, bytes).unwrap();
        path
    }

    pub(super) fn append(&self, name: &str, bytes: impl AsRef<[u8]>) {
        let path = self.logs().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        let mut file = std::fs::File::options().create(true).append(true).open(path).unwrap();
        std::io::Write::write_all(&mut file, bytes.as_ref()).unwrap();
    }

    pub(super) fn collected(&self, data: &DataDir) -> Collected {
        given(data, &[self.logs()], NOW, &mut std::io::empty()).unwrap()
    }

    pub(super) fn open(&self, data: &DataDir) -> (Collected, Archive) {
        let collected = self.collected(data);
        let archive = collected.open(&self.settings, &|_| {}).unwrap();
        (collected, archive)
    }

    /// What the data directory that stays makes of the logs.
    pub(super) fn warm(&self) -> Said {
        self.said(&self.data())
    }

    /// What a fresh one does.
    pub(super) fn cold(&self) -> Said {
        let fresh = tempfile::tempdir().unwrap();
        self.said(&DataDir::at(fresh.path()))
    }

    fn said(&self, data: &DataDir) -> Said {
        let (collected, archive) = self.open(data);
        let week = Window { from: Some(NOW.minus_days(7)), to: None };
        let ask = |window, limit| {
            let ask = Ask {
                window,
                limit,
                rejects: limit,
                now: NOW,
                policies: &ByKind::new(Policy::for_family),
            };
            triage(&archive, &collected, None, (Vec::new(), Vec::new()), ask).unwrap()
        };
        Said {
            all: ask(Window::ALL, usize::MAX),
            week: ask(week, usize::MAX),
            short: ask(Window::ALL, 2),
            records: records(&archive),
        }
    }

    /// Runs on the data directory that stays, compares with a fresh one, and checks what must
    /// always hold.
    pub(super) fn check(&self) -> Said {
        let before = contents(&self.logs());
        let (warm, cold) = (self.warm(), self.cold());
        assert!(warm.all.counts.accounting.balances(), "{:?}", warm.all.counts);
        if warm != cold {
            let [warm, cold] = [&warm, &cold].map(|said| format!("{said:#?}"));
            let apart = warm.lines().zip(cold.lines()).filter(|(a, b)| a != b).take(12);
            panic!("warm and cold differ: {:#?}", apart.collect::<Vec<_>>());
        }
        assert_eq!(warm.records.len() as u64, warm.all.counts.accounting.records);
        assert_eq!(warm.all.flagged_total, warm.all.flagged.len() as u64);
        let kept = warm.all.rejects.len() as u64;
        assert_eq!(warm.all.rejects_total, kept + warm.all.rejects_left_out);
        assert!(kept >= warm.all.rejects_total.min(1_000), "{kept} rejects are kept");
        assert!(before == contents(&self.logs()), "a log was written to");
        warm
    }
}

/// Every record in the order in which it is listed.
fn records(archive: &Archive) -> Vec<String> {
    let query = Query::parse("").unwrap();
    let scope = Scope { boxes: archive.boxes(), now: NOW, reviews: Reviews::none() };
    let mut rows = archive.matching(&query, &scope, Window::ALL).unwrap();
    archive.first(&mut rows, usize::MAX).unwrap();
    let located = archive.records(&rows).unwrap();
    located.into_iter().map(|l| serde_json::to_string(&l.record).unwrap()).collect()
}

/// Every file below a directory and its bytes.
pub(super) fn contents(dir: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut all = BTreeMap::new();
    for entry in std::fs::read_dir(dir).unwrap().map(Result::unwrap) {
        if entry.file_type().unwrap().is_dir() {
            all.extend(contents(&entry.path()));
        } else {
            all.insert(entry.path(), std::fs::read(entry.path()).unwrap());
        }
    }
    all
}

/// A push record; `day` 0 has no time.
pub(super) fn push(commit: u32, model: u32, day: u32, verdict: &str) -> String {
    let time = match day {
        0 => String::new(),
        day => format!(",\"timestamp\":\"2026-02-{:02}T10:00:00Z\"", day + 9),
    };
    format!(
        "{{\"commit\":\"{commit:07x}\",\"model\":\"m{model}\",\"verdict\":\"{verdict}\"{time}}}"
    )
}
