//! Realistic logs with planted truth, made from a seed.
//!
//! What is made: the logs of some boxes (`boxes/<name>/.openclaw/…`), the repository whose files
//! were judged (`repository`), the planted truth (`truth.jsonl`), where picks are asked for also the
//! memories and sessions of a coding agent (`memories`, `sessions`), and a configuration that reads it
//! all (`foureyes.toml`). The same [`Spec`] gives the same logs and the same commits on every
//! machine; only git's own files and the paths in `foureyes.toml` may differ.

mod corruption;
mod demo_box;
mod dirt;
mod event;
mod fields;
mod folder;
mod job;
mod memory;
mod opinion;
mod overrides;
mod page;
mod picks;
mod plan;
mod protocol_run;
mod push;
mod recipe;
mod repository;
mod schedule;
mod spec;
mod stream;
mod summary;
mod task;
mod truth;

pub use demo_box::{DemoJudge, MADE, homes, is_demo_box};
pub use dirt::Kind;
pub use spec::{Families, Rates, Spec, demo_spec};
pub use summary::{Summary, Truth};

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

/// Why nothing, or not all, was made.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A number lies outside what can be made.
    #[error("{what} must be {allowed}")]
    Spec {
        /// The number.
        what: &'static str,
        /// What it may be.
        allowed: &'static str,
    },
    /// The embedded vocabulary cannot be read.
    #[error("failed to read the embedded vocabulary")]
    Recipe {
        /// Why.
        source: toml::de::Error,
    },
    /// The directory holds something, and not from an earlier run.
    #[error("{} is not empty and was not made by this command", path.display())]
    Occupied {
        /// The directory.
        path: PathBuf,
    },
    /// A file stands where one of ours would be removed or read.
    #[error("{} was not made by this command", path.display())]
    Foreign {
        /// The file.
        path: PathBuf,
    },
    /// A directory could not be made.
    #[error("preparing the directory {}", path.display())]
    Prepare {
        /// The directory.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// A file could not be written or removed.
    #[error("failed to write {}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// A file or directory could not be read.
    #[error("failed to read {}", path.display())]
    Read {
        /// The file or directory.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// git could not make the repository.
    #[error("making the repository")]
    Git {
        /// Why.
        source: crate::git::Error,
    },
}

/// The configuration's file.
pub const CONFIG: &str = "foureyes.toml";

/// Makes everything that a spec asks for in a directory.
///
/// The directory must be absent, empty, or of an earlier run, whose files are then replaced; files
/// of anybody else are never removed or overwritten.
///
/// # Errors
/// When the spec cannot be met, the directory is not ours, or writing or git fails. What was made
/// until then stays, and the next run replaces it.
pub fn generate(spec: &Spec, out: &Path) -> Result<Summary, Error> {
    spec.check()?;
    let plan = plan::Plan::new(spec, recipe::Recipe::load()?);
    let folder = folder::Folder::prepare(out)?;
    let jobs = job::all(&plan);
    let mut planned: Vec<PathBuf> = jobs.iter().flat_map(|j| j.files(&plan)).collect();
    let memories = if spec.picks > 0 { memory::files(&plan) } else { Vec::new() };
    planned.extend([crate::domain::log_name::TRUTH.into(), CONFIG.into()]);
    planned.extend(memories.iter().map(|(path, _)| path.clone()));
    folder.claim(&planned)?;
    let commits = if spec.repository {
        repository::make(&plan, &folder)?
    } else {
        repository::Commits::default()
    };
    let mut summary = job::run(&plan, &folder, &commits, &jobs)?;
    summary.agent_commits = commits.watched;
    summary.unjudged_commits = commits.unjudged;
    for (path, text) in &memories {
        write_new(&folder.place(path)?, text)?;
    }
    write_config(&plan, &folder)?;
    folder.seal(&planned)?;
    Ok(summary)
}

/// Writes the configuration that names the boxes as local directories.
fn write_config(plan: &plan::Plan, folder: &folder::Folder) -> Result<(), Error> {
    let quote = |path: PathBuf| toml::Value::from(path.to_string_lossy().into_owned()).to_string();
    let agents: toml::Value = plan.recipe.agents.clone().into();
    let mut text = format!("# Written by `foureyes generate`.\nagents = {agents}\n");
    for number in 0..plan.spec.boxes {
        let name = plan.recipe.box_name(number);
        let home = folder.root().join(job::home(plan, number));
        let count = if plan.spec.families == Families::All { 3 } else { 1 };
        let mut logs = [job::VERDICTS, job::OVERRIDES, job::TASKS][..count].to_vec();
        if number == 0 && plan.spec.picks > 0 {
            logs.extend([job::PICKS, job::PROMPTS]);
        }
        let logs: Vec<String> = logs.into_iter().map(|log| quote(home.join(log))).collect();
        let logs = logs.join(", ");
        let _ = write!(text, "\n[[box]]\nname = \"{name}\"\nlocal = true\nlogs = [{logs}]\n");
    }
    if plan.spec.repository {
        let path = quote(folder.root().join("repository"));
        let _ = write!(text, "\n[[repository]]\npath = {path}\n");
    }
    if plan.spec.picks > 0 {
        let directory = quote(folder.root().join(memory::MEMORIES));
        let log = quote(folder.root().join(job::home(plan, 0)).join(job::PICKS));
        let _ = write!(text, "\n[memories]\ndirectory = {directory}\nlog = {log}\n");
    }
    write_new(&folder.place(Path::new(CONFIG))?, &text)
}

fn write_new(path: &Path, text: &str) -> Result<(), Error> {
    let write = |mut file: fs::File| std::io::Write::write_all(&mut file, text.as_bytes());
    let made = fs::File::create_new(path).and_then(write);
    made.map_err(|source| Error::Write { path: path.to_owned(), source })
}
