//! Putting the hook into a repository, and taking it out again. A hook that is there is kept.

mod place;
mod wrapper;

pub use place::{Found, Place, Scope};
pub use wrapper::Wrapper;

use crate::config::HookMode;
use crate::git;
use crate::store::atomic;
use std::io::{self, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Seconds beyond the time of the program itself after which the script ends it.
pub(super) const GRACE: u64 = 10;
/// Name beside the script of a hook that was there before.
const KEPT: &str = "pre-push.foureyes-kept";

/// Why the hook was not put in or taken out.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// git knows no repository there, or cannot be asked.
    #[error("finding the hooks of {}", path.display())]
    Repository {
        /// The directory.
        path: PathBuf,
        /// What git said.
        source: git::Error,
    },
    /// What stands there could not be read.
    #[error("reading {}", path.display())]
    Read {
        /// The path.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A step failed; the hook is what it was.
    #[error("writing {}", path.display())]
    Write {
        /// The path.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The old judge's hook is there, and nobody said that it may go.
    #[error("{} is the hook of the older judge", path.display())]
    OldJudge {
        /// The hook.
        path: PathBuf,
    },
    /// The hook there is somebody else's, and there is nothing of ours to take out.
    #[error("{} is not a hook of ours", path.display())]
    Foreign {
        /// The hook.
        path: PathBuf,
    },
}

/// What is wanted.
#[derive(Debug, Clone)]
pub struct Wish {
    /// The program that the hook runs; an absolute path.
    pub binary: PathBuf,
    /// What becomes of the mode.
    pub mode: WishedMode,
    /// Time that the program takes at most.
    pub budget: Duration,
    /// Whether the old judge's hook may be replaced.
    pub replace_old: bool,
}

/// What becomes of the mode that a script sets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WishedMode {
    /// What the script says now; where there is none, what the configuration says.
    AsItIs,
    /// What the configuration says.
    Configured,
    /// This one, whatever the configuration says.
    Fixed(HookMode),
}

/// What installing did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Installed {
    /// The hook's file.
    pub path: PathBuf,
    /// What stood there.
    pub found: Found,
    /// What the script is made with.
    pub wrapper: Wrapper,
    /// A hook of the old judge that was put aside, and is not run.
    pub aside: Option<PathBuf>,
    /// Tells that nothing had to be written.
    pub unchanged: bool,
}

/// What uninstalling did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Removed {
    /// There was no hook.
    Nothing,
    /// Ours is gone.
    Gone,
    /// Ours is gone, and the one that was there before stands again.
    Restored,
}

/// Puts the hook into a repository. What is there is kept, and is run first unless it is the old
/// judge's; each moment one of the two stands there whole.
///
/// # Errors
/// A step that failed, or the old judge's hook without leave to replace it.
pub fn install(place: &Place, wish: &Wish) -> Result<Installed, Error> {
    let (path, found) = (place.hook(), place.look()?);
    let before = match &found {
        Found::Ours(wrapper) => wrapper.clone(),
        Found::OldJudge if !wish.replace_old => return Err(Error::OldJudge { path }),
        _ => None,
    };
    std::fs::create_dir_all(&place.dir)
        .map_err(|source| Error::Write { path: place.dir.clone(), source })?;
    let mut wrapper = Wrapper {
        binary: wish.binary.clone(),
        kept: before.as_ref().and_then(|w| w.kept.clone()),
        mode: match wish.mode {
            WishedMode::AsItIs => before.as_ref().and_then(|w| w.mode),
            WishedMode::Configured => None,
            WishedMode::Fixed(mode) => Some(mode),
        },
        within: wish.budget.as_secs() + GRACE,
    };
    let mut aside = None;
    match &found {
        Found::Foreign { .. } => wrapper.kept = Some(keep(place)?),
        Found::OldJudge => aside = Some(place.dir.join(keep(place)?)),
        Found::Nothing | Found::Ours(_) => {}
    }
    let text = wrapper.render();
    let unchanged = place::script(&path)?.is_some_and(|old| old == text) && is_run(&path);
    if !unchanged {
        write(&path, &text).map_err(|source| Error::Write { path: path.clone(), source })?;
    }
    Ok(Installed { path, found, wrapper, aside, unchanged })
}

/// Gives the hook a second name, and tells which.
fn keep(place: &Place) -> Result<String, Error> {
    let hook = place.hook();
    let names = (1..100).map(|n| if n == 1 { KEPT.to_owned() } else { format!("{KEPT}-{n}") });
    let mut failed = io::Error::other("all names for it are taken");
    for name in names {
        let path = place.dir.join(&name);
        if is_same(&hook, &path) {
            // An installation was ended before its last step.
            return Ok(name);
        }
        match std::fs::hard_link(&hook, &path) {
            Ok(()) => return Ok(name),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => {
                failed = error;
                break;
            }
        }
    }
    Err(Error::Write { path: place.dir.join(KEPT), source: failed })
}

fn is_same(one: &Path, other: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let id = |path: &Path| path.symlink_metadata().ok().map(|m| (m.dev(), m.ino()));
    id(one).is_some() && id(one) == id(other)
}

fn is_run(path: &Path) -> bool {
    path.metadata().is_ok_and(|m| m.permissions().mode() & 0o111 == 0o111)
}

/// Writes the script whole or not at all.
fn write(path: &Path, text: &[u8]) -> io::Result<()> {
    let dir = path.parent().unwrap_or(Path::new("."));
    let mut file = tempfile::Builder::new().prefix(atomic::TEMPORARY).tempfile_in(dir)?;
    file.write_all(text)?;
    file.as_file().set_permissions(std::fs::Permissions::from_mode(0o755))?;
    file.as_file().sync_all()?;
    file.persist(path).map_err(|e| e.error)?;
    atomic::sync_dir(dir)
}

/// Takes the hook out, and puts back what was there before.
///
/// # Errors
/// A step that failed, or a hook that is not ours.
pub fn uninstall(place: &Place) -> Result<Removed, Error> {
    let path = place.hook();
    let wrapper = match place.look()? {
        Found::Nothing => return Ok(Removed::Nothing),
        Found::Foreign { .. } | Found::OldJudge => return Err(Error::Foreign { path }),
        Found::Ours(wrapper) => wrapper,
    };
    let kept = wrapper.and_then(|w| w.kept).unwrap_or_else(|| KEPT.to_owned());
    let kept = place.dir.join(kept);
    let failed = |source| Error::Write { path: path.clone(), source };
    let there = kept.symlink_metadata().is_ok();
    let done = if there { std::fs::rename(&kept, &path) } else { std::fs::remove_file(&path) };
    done.map_err(failed)?;
    atomic::sync_dir(&place.dir).map_err(failed)?;
    Ok(if there { Removed::Restored } else { Removed::Gone })
}

#[cfg(test)]
mod tests;
