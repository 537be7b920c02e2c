//! `foureyes --demo`.

pub(super) mod judge;
mod labels;

use super::{Context, Failure, generate};
use crate::generate::demo_spec;
use crate::store::atomic;
use crate::store::paths::DataDir;
use std::path::Path;

/// Stands beside data that were made whole.
const MADE: &str = ".made";

/// Whoever tries it, where nobody says who that is.
const GUEST: &str = "guest";

/// Turns the run to made-up data in a directory of its own: no network, no configuration.
///
/// The data are those of today and of this version: made once, used until tomorrow.
pub(super) fn enter(context: &mut Context) -> Result<(), Failure> {
    let root = context.data.cache().join("demo");
    let name = format!("{}-{}", context.now.day_text(), env!("CARGO_PKG_VERSION"));
    let dir = root.join(&name);
    let config = dir.join("foureyes.toml");
    atomic::private_dir(&root)?;
    // Of several that start at once one makes the data, and the others wait for it.
    let lock = atomic::private_file(&root.join("lock"))?;
    lock.lock()?;
    context.data = DataDir::at(dir.join("foureyes"));
    if !dir.join(MADE).is_file() {
        forget_others(&root);
        crate::generate::generate(&demo_spec(context.now), &dir).map_err(generate::failure)?;
        labels::plant(context, &dir)?;
        std::fs::write(dir.join(MADE), b"")?;
    }
    context.global.config = Some(config);
    Ok(())
}

/// Names somebody whose labels these are, where neither configuration nor account does: a container
/// often has no account to speak of.
pub(super) fn introduce(context: &mut Context) {
    let nobody = crate::config::reviewer(&context.config, &context.environment, None).is_none();
    if nobody {
        context.config.reviewer.name = Some(GUEST.to_owned());
    }
}

/// Removes the data of other days. They can always be made again.
fn forget_others(root: &Path) {
    for entry in std::fs::read_dir(root).into_iter().flatten().flatten() {
        if entry.path().is_dir() {
            let _ = std::fs::remove_dir_all(entry.path());
        }
    }
}
