//! `foureyes --demo`.

mod answers;
mod boxes;
pub(super) mod judge;
mod labels;
mod peers;
mod relevance;
mod second_labels;
mod truth;
mod window;

use super::clock::Clock;
use super::console::tools::on_path;
use super::{Context, Failure, generate, output};
use crate::domain::Timestamp;
use crate::files::atomic;
use crate::files::paths::DataDir;
use crate::generate::{CONFIG, MADE, Spec, demo_spec, homes};
use std::io::Write;
use std::path::Path;

/// Microseconds of a second.
const SECOND: i64 = 1_000_000;

/// For so many seconds the data are used. By then it is evening by the demo's clock; on its next day
/// there would be one more day without records.
const KEPT_S: i64 = 12 * 3_600;

/// Data may be newer by so many seconds than the time at which a run began that waited for them.
const WAITED_S: i64 = 600;

/// Rules of risk to try, and how much a peer reviews: what the configuration that is generated has no need of.
const FURTHER: &str = r#"
[peer]
rate = 0.12
doubt_rate = 0.4
[[risk.rules]]
name = "plans"
depth = "panel"
paths = ["nimbalyst-local/plans/"]

[[risk.rules]]
name = "large"
depth = "sequential"
lines = 400

[[risk.rules]]
name = "removed"
depth = "sequential"
changes = ["deleted"]
"#;

/// Whoever tries it, where nobody says who that is.
const GUEST: &str = "guest";

/// What the demo lacks without git.
const NO_GIT: &str =
    "note: git is not installed, so the demo has verdicts, but not the texts that were judged";

/// What is made: without git, no repository.
fn spec(context: &Context) -> Spec {
    // Without a `PATH` the system looks in places of its own.
    let is_unknown = context.environment.get("PATH").is_none();
    Spec { repository: is_unknown || on_path(&context.environment, "git"), ..demo_spec() }
}

/// Turns the run to made-up data in a directory of its own: no network, no configuration.
///
/// The data are made once, of a fixed morning, and used for some hours with a clock that began on
/// that morning when they were made: so the demo is the same whenever it is started, and goes on
/// where it was left.
pub(in crate::cli) fn enter(context: &mut Context) -> Result<(), Failure> {
    let root = context.data.cache().join("demo");
    atomic::private_dir(&root)?;
    // Of several that start at once one makes the data, and the others wait for it.
    let lock = atomic::private_file(&root.join("lock"))?;
    lock.lock()?;
    let spec = spec(context);
    let (machine, edition) = (context.now, edition(&spec));
    let made = match latest(&root, &edition, machine) {
        Some(made) => made,
        None => {
            forget_others(&root);
            machine.0.div_euclid(SECOND)
        }
    };
    let dir = root.join(format!("{edition}{made}"));
    let data = dir.join("foureyes");
    context.data = DataDir::at(&data);
    context.global.data_dir = Some(data);
    context.homes = Some(homes(&dir));
    context.clock = clock(spec.end, Timestamp(made * SECOND));
    // A run that waited for the data began before them.
    context.now = context.clock.at(machine).max(spec.end);
    if !dir.join(MADE).is_file() {
        if !spec.repository {
            output::to_stderr(NO_GIT);
        }
        crate::generate::generate(&spec, &dir).map_err(generate::failure)?;
        let mut config = std::fs::OpenOptions::new().append(true).open(dir.join(CONFIG))?;
        config.write_all(FURTHER.as_bytes())?;
        labels::plant(context, &dir)?;
        boxes::make(context, &spec, &dir)?;
        std::fs::write(dir.join(MADE), b"")?;
    }
    context.global.config = Some(dir.join(CONFIG));
    Ok(())
}

/// Turns the run to the data that an earlier one made, where they are still in use; tells whether there are any.
pub(in crate::cli) fn enter_made(context: &mut Context) -> bool {
    let root = context.data.cache().join("demo");
    let edition = edition(&spec(context));
    let Some(made) = latest(&root, &edition, context.now) else { return false };
    let dir = root.join(format!("{edition}{made}"));
    context.data = DataDir::at(dir.join("foureyes"));
    context.global.config = Some(dir.join(CONFIG));
    true
}

/// What the names of directories begin with whose data this program would make again: its version,
/// and a fingerprint of what is generated and of how it is labelled, since programs of one version
/// can differ in both. The second since 1970 at which the data were made follows.
fn edition(spec: &Spec) -> String {
    let mut made_from = blake3::Hasher::new();
    made_from.update(format!("{spec:?}\0").as_bytes());
    made_from.update(include_bytes!("../../../../assets/demo.toml"));
    made_from.update(FURTHER.as_bytes());
    made_from.update(include_bytes!("boxes.rs"));
    made_from.update(include_bytes!("labels.rs"));
    made_from.update(include_bytes!("peers.rs"));
    made_from.update(include_bytes!("relevance.rs"));
    made_from.update(include_bytes!("truth.rs"));
    let fingerprint = made_from.finalize().to_hex();
    format!("{}-{}-", env!("CARGO_PKG_VERSION"), &fingerprint[..16])
}

/// When the data that are there were made, in seconds since 1970; `None` where they are incomplete,
/// of another edition, or of a morning that is over.
fn latest(root: &Path, edition: &str, machine: Timestamp) -> Option<i64> {
    let now = machine.0.div_euclid(SECOND);
    let made = |entry: std::fs::DirEntry| {
        let name = entry.file_name().into_string().ok()?;
        let made: i64 = name.strip_prefix(edition)?.parse().ok()?;
        let age = now - made;
        let usable = (-WAITED_S..KEPT_S).contains(&age) && entry.path().join(MADE).is_file();
        usable.then_some(made)
    };
    std::fs::read_dir(root).ok()?.flatten().filter_map(made).max()
}

/// A clock that showed `shown` when the machine's showed `machine`.
fn clock(shown: Timestamp, machine: Timestamp) -> Clock {
    Clock { ahead: shown.0.saturating_sub(machine.0) }
}

/// Names somebody whose labels these are, where neither configuration nor account does: a container
/// often has no account to speak of. Names also the repository that the boxes push from.
pub(in crate::cli) fn introduce(context: &mut Context) {
    boxes::add_repository(&mut context.config);
    let nobody = crate::config::reviewer(&context.config, &context.environment, None).is_none();
    if nobody {
        context.config.reviewer.name = Some(GUEST.to_owned());
    }
}

/// Removes data that were made before. They can always be made again.
fn forget_others(root: &Path) {
    for entry in std::fs::read_dir(root).into_iter().flatten().flatten() {
        if entry.path().is_dir() {
            let _ = std::fs::remove_dir_all(entry.path());
        }
    }
}

#[cfg(test)]
mod tests;
