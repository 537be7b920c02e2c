//! A repository that a test makes.

use foureyes::git::{Error, History, Repository, Selection};
use std::path::Path;
use std::process::Command;

pub(super) const AGENT: &str = "OpenClaw Agent";
pub(super) const DAY: i64 = 86_400;
/// 2026-02-15T10:30:00Z
pub(super) const NOON: i64 = 1_771_151_400;

/// What is judged in these tests.
pub(super) fn selection() -> Selection {
    let text = |s: &[&str]| s.iter().map(|s| (*s).to_owned()).collect::<Vec<_>>();
    Selection {
        agents: Some(text(&[AGENT])),
        authors: false,
        watch: text(&["research/", "knowledge/"]),
        files: text(&["*.md"]),
    }
}

/// A repository in a directory of its own, made by a git that knows no configuration of the machine.
pub(super) struct Repo {
    pub(super) dir: tempfile::TempDir,
    pub(super) clock: i64,
}

impl Repo {
    pub(super) fn new(extra: &[&str]) -> Self {
        let repo = Self { dir: tempfile::tempdir().unwrap(), clock: NOON };
        repo.git(&[&["init", "-q", "-b", "main"], extra].concat());
        repo
    }

    pub(super) fn path(&self) -> &Path {
        self.dir.path()
    }

    pub(super) fn git(&self, args: &[&str]) -> String {
        self.git_as(AGENT, AGENT, args)
    }

    pub(super) fn git_as(&self, author: &str, committer: &str, args: &[&str]) -> String {
        let date = format!("@{} +0000", self.clock);
        let out = Command::new("git")
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap())
            .envs([("GIT_CONFIG_NOSYSTEM", "1"), ("GIT_CONFIG_GLOBAL", "/dev/null")])
            .envs([("GIT_AUTHOR_NAME", author), ("GIT_AUTHOR_EMAIL", "a@example.invalid")])
            .envs([("GIT_COMMITTER_NAME", committer), ("GIT_COMMITTER_EMAIL", "c@example.invalid")])
            .envs([("GIT_AUTHOR_DATE", &date), ("GIT_COMMITTER_DATE", &date)])
            .arg("-C")
            .arg(self.path())
            .args(args)
            .output()
            .expect("git must be installed");
        let text = String::from_utf8_lossy(&out.stdout).trim().to_owned();
        assert!(out.status.success(), "git {args:?}: {}", String::from_utf8_lossy(&out.stderr));
        text
    }

    pub(super) fn write(&self, file: impl AsRef<Path>, text: &str) {
        let path = self.path().join(file);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    /// Commits the whole tree, a minute after the commit before.
    pub(super) fn commit_as(&mut self, author: &str, committer: &str) -> String {
        self.clock += 60;
        self.git(&["add", "-A"]);
        self.git_as(author, committer, &["commit", "-q", "--allow-empty", "-m", "work"]);
        self.git(&["rev-parse", "HEAD"])
    }

    /// Commits one watched file as the agent.
    pub(super) fn note(&mut self, name: &str) -> String {
        self.write(format!("research/{name}.md"), &format!("{name} {}\n", self.clock));
        self.commit_as(AGENT, AGENT)
    }

    pub(super) fn history(&self) -> History {
        self.refs(&[]).unwrap()
    }

    pub(super) fn refs(&self, refs: &[&str]) -> Result<History, Error> {
        let text = |s: &[&str]| s.iter().map(|s| (*s).to_owned()).collect::<Vec<_>>();
        Repository::open(self.path())?.history(&text(refs), &selection(), None)
    }

    pub(super) fn ids(&self) -> Vec<String> {
        self.history().commits.iter().map(|c| c.id.to_string()).collect()
    }
}
