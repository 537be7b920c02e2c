//! Putting the hook into a repository, and taking it out again. A hook that is there is kept.

mod place;
mod wrapper;

pub use place::{Found, Kind, Line, Place, Scope};
pub use wrapper::{Fixed, Wrapper};

use crate::config::HookMode;
use crate::files::atomic;
use crate::git;
use std::io::{self, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::Duration;
use wrapper::Values;

/// Seconds beyond the time of the program itself after which the script ends it.
pub(super) const GRACE: u64 = 10;
/// Behind the name of the hook: one that was there before.
const KEPT: &str = "foureyes-kept";
/// Behind the name of the hook: a script of ours that a hand had changed.
const CHANGED: &str = "foureyes-changed";

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
    #[error("failed to read {}", path.display())]
    Read {
        /// The path.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A step failed; the hook is what it was.
    #[error("failed to write {}", path.display())]
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
    /// Another program owns the hooks there.
    #[error("the hooks of {} are owned by {owner}", path.display())]
    Owned {
        /// The hook.
        path: PathBuf,
        /// The program.
        owner: &'static str,
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
    /// What is fixed where a push arrives.
    pub fixed: Fixed,
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
    /// A hook of the old judge, or a script of ours that a hand had changed, which was put aside and
    /// is not run.
    pub aside: Option<PathBuf>,
    /// What could not be read of a script that a hand had changed, and is now as if it was new.
    pub unread: Vec<&'static str>,
    /// Tells that nothing had to be written.
    pub unchanged: bool,
}

/// What uninstalling did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Removed {
    /// There was no hook.
    Nothing,
    /// Ours is gone.
    Gone,
    /// Ours is gone, and the one that was there before stands again.
    Restored,
}

/// Puts the hook into a repository. What is there is kept, and is run first unless it is the old
/// judge's; each moment one of the two stands there whole. A script of ours that a hand changed is
/// put aside, and what can be read of it holds.
///
/// # Errors
/// A step that failed, or the old judge's hook without leave to replace it.
pub fn install(place: &Place, wish: &Wish) -> Result<Installed, Error> {
    let (path, found) = (place.hook(), place.look()?);
    if let Some(owner) = place.owner()?.filter(|_| !matches!(found, Found::Ours(_))) {
        return Err(Error::Owned { path, owner });
    }
    if found == Found::OldJudge && !wish.replace_old {
        return Err(Error::OldJudge { path });
    }
    std::fs::create_dir_all(&place.dir)
        .map_err(|source| Error::Write { path: place.dir.clone(), source })?;
    let old = place::script(&path)?;
    let (before, unread) = before(place, old.as_deref());
    let mut wrapper = Wrapper {
        kind: place.kind,
        binary: wish.binary.clone(),
        kept: before.kept.flatten(),
        mode: match wish.mode {
            WishedMode::AsItIs => before.mode.flatten(),
            WishedMode::Configured => None,
            WishedMode::Fixed(mode) => Some(mode),
        },
        within: wish.budget.as_secs() + GRACE,
        fixed: match place.kind {
            Kind::PreReceive => wish.fixed.clone(),
            Kind::PrePush => Fixed::default(),
        },
    };
    let mut aside = None;
    match &found {
        Found::Foreign { .. } => wrapper.kept = Some(keep(place, KEPT)?),
        Found::OldJudge => aside = Some(place.dir.join(keep(place, KEPT)?)),
        Found::Nothing | Found::Ours(_) => {}
    }
    let text = wrapper.render();
    let unchanged = old.as_deref() == Some(&text) && is_run(&path);
    if !unchanged {
        aside = aside.or(set_aside(place, old.as_deref(), &text)?);
        write(&path, &text).map_err(|source| Error::Write { path: path.clone(), source })?;
    }
    Ok(Installed { path, found, wrapper, aside, unread, unchanged })
}

/// What a script of ours was made with, and what of it cannot be read. The hook that runs before it
/// is then the last one that stands beside.
fn before(place: &Place, script: Option<&[u8]>) -> (Values, Vec<&'static str>) {
    let Some(mut values) = script.and_then(Values::parse) else { return Default::default() };
    let mut unread = Vec::new();
    if values.kept.is_none() {
        unread.push("kept");
        values.kept = Some(beside(place));
    }
    if values.mode.is_none() {
        unread.push("mode");
    }
    (values, unread)
}

/// The last hook that was put beside, unless it is the old judge's, which is not run.
fn beside(place: &Place) -> Option<String> {
    let there =
        names(place, KEPT).take_while(|name| place.dir.join(name).symlink_metadata().is_ok());
    let run = |name: &String| {
        let script = place::script(&place.dir.join(name)).ok().flatten();
        !script.is_some_and(|script| place::is_old_judge(&script))
    };
    there.filter(run).last()
}

/// Gives a script of ours a second name where it is not as we wrote it, and is not to stay.
fn set_aside(place: &Place, old: Option<&[u8]>, new: &[u8]) -> Result<Option<PathBuf>, Error> {
    let Some(old) = old.filter(|old| *old != new && Wrapper::is_ours(old)) else {
        return Ok(None);
    };
    if Wrapper::parse(old).is_some_and(|w| w.render() == old || w.earlier() == old) {
        return Ok(None);
    }
    Ok(Some(place.dir.join(keep(place, CHANGED)?)))
}

/// The names that stand behind that of the hook, in their order.
fn names(place: &Place, end: &'static str) -> impl Iterator<Item = String> {
    let first = format!("{}.{end}", place.kind.name());
    (1..100).map(move |n| if n == 1 { first.clone() } else { format!("{first}-{n}") })
}

/// Gives the hook a second name, and tells which.
fn keep(place: &Place, end: &'static str) -> Result<String, Error> {
    let hook = place.hook();
    let mut failed = io::Error::other("all names for it are taken");
    for name in names(place, end) {
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
    Err(Error::Write { path: place.hook(), source: failed })
}

fn is_same(one: &Path, other: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let id = |path: &Path| path.symlink_metadata().ok().map(|m| (m.dev(), m.ino()));
    id(one).is_some() && id(one) == id(other)
}

/// Tells whether a file is there that may be run, by somebody at least.
pub fn is_run(path: &Path) -> bool {
    path.metadata().is_ok_and(|m| m.is_file() && m.permissions().mode() & 0o111 != 0)
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

/// Takes the hook out, and puts back what was there before. Gives the second name of a script that a
/// hand had changed, which is kept.
///
/// # Errors
/// A step that failed, or a hook that is not ours.
pub fn uninstall(place: &Place) -> Result<(Removed, Option<PathBuf>), Error> {
    let path = place.hook();
    match place.look()? {
        Found::Nothing => return Ok((Removed::Nothing, None)),
        Found::Foreign { .. } | Found::OldJudge => return Err(Error::Foreign { path }),
        Found::Ours(_) => {}
    }
    let old = place::script(&path)?;
    let (before, _) = before(place, old.as_deref());
    let aside = set_aside(place, old.as_deref(), b"")?;
    let usual = || format!("{}.{KEPT}", place.kind.name());
    let kept = place.dir.join(before.kept.flatten().unwrap_or_else(usual));
    let failed = |source| Error::Write { path: path.clone(), source };
    let there = kept.symlink_metadata().is_ok();
    let done = if there { std::fs::rename(&kept, &path) } else { std::fs::remove_file(&path) };
    done.map_err(failed)?;
    atomic::sync_dir(&place.dir).map_err(failed)?;
    Ok((if there { Removed::Restored } else { Removed::Gone }, aside))
}

#[cfg(test)]
mod tests;
