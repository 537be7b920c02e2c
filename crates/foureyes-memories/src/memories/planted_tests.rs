//! Directories of memories for tests.

use super::*;
use std::fs;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// A directory of memories and a cache.
pub(super) struct Place {
    pub(super) root: tempfile::TempDir,
}

impl Place {
    pub(super) fn new() -> Self {
        let root = tempfile::tempdir().unwrap();
        fs::create_dir_all(root.path().join("memories")).unwrap();
        Self { root }
    }

    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.root.path().join("memories").join(name)
    }

    pub(super) fn cache(&self) -> PathBuf {
        self.root.path().join("cache")
    }

    pub(super) fn directory(&self) -> Directory {
        Directory::open(&self.path("")).unwrap()
    }

    pub(super) fn write(&self, name: &str, text: &str) {
        fs::create_dir_all(self.path(name).parent().unwrap()).unwrap();
        fs::write(self.path(name), text).unwrap();
    }

    pub(super) fn update(&self) -> Updated {
        update(&self.directory(), &self.cache(), patience(), patience()).unwrap()
    }

    pub(super) fn index_path(&self) -> PathBuf {
        index_path(&self.cache(), &self.directory())
    }

    pub(super) fn paths(&self, text: &str, scope: Scope) -> Vec<String> {
        let found = search(&self.directory(), &self.cache(), &Query::new(text), scope, 20).unwrap();
        assert_eq!(found.method, Method::FullText);
        found.hits.into_iter().map(|hit| hit.path).collect()
    }

    /// Sets the time of a change into the past: what changed just now is always looked at.
    pub(super) fn age(&self, name: &str) {
        let old = std::time::SystemTime::now() - Duration::from_secs(3600);
        fs::File::options().write(true).open(self.path(name)).unwrap().set_modified(old).unwrap();
    }
}

pub(super) fn patience() -> Instant {
    Instant::now() + Duration::from_secs(60)
}

/// Numbers that are the same in every run.
pub(super) struct Numbers(pub(super) u64);

impl Numbers {
    pub(super) fn below(&mut self, most: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % most
    }
}

pub(super) const WORDS: [&str; 40] = [
    "deploy",
    "deployment",
    "rollback",
    "database",
    "migration",
    "token",
    "retry",
    "timeout",
    "cache",
    "caching",
    "queue",
    "worker",
    "billing",
    "invoice",
    "naïve",
    "über",
    "schema",
    "index",
    "login",
    "session",
    "cookie",
    "header",
    "proxy",
    "nginx",
    "docker",
    "build",
    "pipeline",
    "secret",
    "rotate",
    "alert",
    "metric",
    "trace",
    "latency",
    "budget",
    "quota",
    "北京",
    "release",
    "changelog",
    "test",
    "flaky",
];

pub(super) fn text(numbers: &mut Numbers, most: usize) -> String {
    let count = 1 + numbers.below(most);
    (0..count).map(|_| WORDS[numbers.below(WORDS.len())]).collect::<Vec<_>>().join(" ")
}

/// A directory of so many memories, and what is in it: path, title, tags, body.
pub(super) fn planted(place: &Place, count: usize) -> Vec<[String; 4]> {
    let mut numbers = Numbers(7);
    let (mut rows, mut listing) =
        (Vec::new(), "| Title | Tags | Category | Path |\n|-|-|-|-|\n".to_owned());
    for n in 0..count {
        let (title, body) = (text(&mut numbers, 6), text(&mut numbers, 60));
        let tags = [WORDS[numbers.below(40)], WORDS[numbers.below(40)]];
        let path = format!("m/{n:05}.md");
        place.write(&path, &format!("---\ntitle: other\n---\n{body}\n"));
        listing += &format!("| {title} | {}, {} | note | {path} |\n", tags[0], tags[1]);
        let tags = if tags[0] == tags[1] { tags[0].to_owned() } else { tags.join("\n") };
        rows.push([path, title, tags, body]);
    }
    place.write("index.md", &listing);
    rows
}
