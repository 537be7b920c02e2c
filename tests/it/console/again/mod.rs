//! Judging again: what is asked, what comes of it, and that nothing else changes.

mod asking;
mod chance;
mod compare;
mod ends;
mod form;
mod harmless;
mod kept;
mod real;
mod repeat;
mod shots;
mod task;
mod task_ends;
mod through;

pub(super) use chance::answer;
pub(super) use shots::CASES;

use super::logs;
use super::paper;
use super::world::{Setup, World};
use crate::http;
use foureyes::config::{Config, RepositoryConfig};
use foureyes::domain::review::{Act, Evaluated, Run};
use foureyes::provider::scripted::{Answer, Scripted};
use foureyes::provider::{Ask, Provider};
use foureyes::tui::JudgeEndpoint;
use foureyes::tui::model::Problem;
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, LazyLock};

/// A judge of this process, and how often it was asked.
#[derive(Clone)]
pub(super) struct Judge {
    pub(super) asker: JudgeEndpoint,
    pub(super) asked: Arc<AtomicU64>,
}

impl Judge {
    /// One that answers what a function says.
    pub(super) fn by(answer: fn(&Ask) -> Answer) -> Self {
        let asked = Arc::new(AtomicU64::new(0));
        let counter = Arc::clone(&asked);
        let judges = task::judges(answer, Arc::clone(&asked));
        let make = move |_| {
            let counter = Arc::clone(&counter);
            let model = move |ask: &Ask| {
                counter.fetch_add(1, Ordering::SeqCst);
                answer(ask)
            };
            let models = ["judge-a", "judge-b", "other-judge"];
            Ok::<_, Problem>(Provider::Scripted(Scripted::by(model).listing(models)))
        };
        let description = "the judge of a test".to_owned();
        let asker = JudgeEndpoint { description, make: Arc::new(make), judges };
        Self { asker, asked }
    }

    pub(super) fn asked(&self) -> u64 {
        self.asked.load(Ordering::SeqCst)
    }
}

/// A verdict as a judge answers it.
pub(super) fn verdict(scores: [u8; 3], findings: &str) -> Answer {
    let go = scores.iter().all(|s| *s >= 3);
    let text = serde_json::json!({
        "scores": {"semantic": scores[0], "pragmatic": scores[1], "syntactic": scores[2]},
        "verdict": if go { "GO" } else { "NO-GO" },
        "findings": findings,
        "revision_suggestions": [],
    });
    let served_model = Some("judge-a-1".to_owned());
    let (prompt_tokens, completion_tokens) = (Some(1200), Some(80));
    let text = text.to_string();
    Answer { text, served_model, prompt_tokens, completion_tokens, ..Answer::default() }
}

/// GO, with other words than the log's.
pub(super) fn good(_: &Ask) -> Answer {
    verdict([4, 4, 5], "What was found in the note: its figures hold.")
}

/// A repository with three commits, each of a note of its own; made once.
pub(super) struct Repository {
    dir: tempfile::TempDir,
    /// The commits, the oldest first.
    pub(super) commits: Vec<String>,
}

/// The repository of all these tests. Its commits are the same in every run.
pub(super) static REPOSITORY: LazyLock<Repository> = LazyLock::new(|| {
    let dir = tempfile::tempdir().unwrap();
    git(dir.path(), &["init", "-q", "-b", "main"]);
    let commits = (1..=3).map(|n| {
        let name = format!("research/note{n}.md");
        std::fs::create_dir_all(dir.path().join("research")).unwrap();
        std::fs::write(dir.path().join(&name), format!("# Note {n}\n\nRates moved.\n")).unwrap();
        git(dir.path(), &["add", "."]);
        git(dir.path(), &["commit", "-q", "-m", &format!("note {n}")]);
        git(dir.path(), &["rev-parse", "HEAD"]).trim().to_owned()
    });
    let commits = commits.collect();
    Repository { dir, commits }
});

fn git(dir: &Path, args: &[&str]) -> String {
    let mut command = Command::new("git");
    command.current_dir(dir).args(args);
    command.env_clear().env("PATH", std::env::var("PATH").unwrap()).env("HOME", dir);
    for who in ["AUTHOR", "COMMITTER"] {
        command.env(format!("GIT_{who}_NAME"), "OpenClaw Agent");
        command.env(format!("GIT_{who}_EMAIL"), "agent@example.org");
        command.env(format!("GIT_{who}_DATE"), "2026-02-19T09:00:00Z");
    }
    let output = command.output().unwrap();
    assert!(output.status.success(), "{args:?}: {output:?}");
    String::from_utf8(output.stdout).unwrap()
}

impl Repository {
    pub(super) fn path(&self) -> &Path {
        self.dir.path()
    }
}

/// A NO-GO record of each commit of the repository, the newest first in the list.
pub(super) fn records() -> Vec<(&'static str, String)> {
    let one = |(n, commit): (usize, &String)| {
        let mut record = logs::push(commit, 19, n as u32, "NO-GO");
        record["scores"] = serde_json::json!({"semantic": 2, "pragmatic": 3, "syntactic": 5});
        record["files_evaluated"] = serde_json::json!([format!("research/note{}.md", n + 1)]);
        record["findings"] =
            "What was found in the note: its figures contradict each other.".into();
        record
    };
    let all: Vec<_> = REPOSITORY.commits.iter().enumerate().map(one).collect();
    vec![("north/2026-02-19.jsonl", logs::lines(&all))]
}

/// A configuration that finds the commits.
pub(super) fn config() -> Config {
    let path = REPOSITORY.path().to_owned();
    let (boxes, refs) = (Vec::new(), vec!["refs/heads/main".to_owned()]);
    let repository = RepositoryConfig {
        path,
        boxes,
        refs,
        fetch: false,
        programs: Vec::new(),
        remote_path: None,
    };
    Config { repositories: vec![repository], ..Config::default() }
}

pub(super) fn setup(judge: &Judge) -> Setup {
    let asker = Some(judge.asker.clone());
    Setup { size: (120, 40), config: config(), asker, ..Setup::default() }
}

/// The list of the three records.
pub(super) fn list(judge: &Judge) -> World {
    with(&setup(judge))
}

pub(super) fn with(setup: &Setup) -> World {
    let mut world = World::ready(setup, &records());
    world.keys("3");
    world
}

pub(super) fn drawn(world: &World) -> String {
    paper::text(&paper::drawn(&world.model))
}

pub(super) fn note(world: &World) -> String {
    world.model.notices.current().map(|n| n.text.clone()).unwrap_or_default()
}

/// The runs that the ledger on the disk has.
pub(super) fn runs(world: &World) -> Vec<Run> {
    world.ledger().present(super::world::NOW).runs
}

/// The evaluations that the ledger on the disk has.
pub(super) fn evaluations(world: &World) -> Vec<Evaluated> {
    let ledger = world.ledger();
    let of = |entry: &foureyes::domain::review::Entry| match &entry.act {
        Act::Evaluation(evaluated) => Some((**evaluated).clone()),
        _ => None,
    };
    ledger.entries().filter_map(of).collect()
}
