//! Where git looks for the hook of a repository, and what stands there.

use super::{Error, Wrapper};
use crate::git::{self, Call, Surroundings};
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// The hook's name.
pub(super) const HOOK: &str = "pre-push";
/// Most bytes of a script that are looked at.
const MOST: u64 = 1 << 20;

/// Whose setting says where the hooks are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Scope {
    /// Nobody's: they are in the repository, where git puts them.
    Repository,
    /// The repository's own setting `core.hooksPath`.
    Setting,
    /// A setting of the user or of the machine: the hooks are those of other repositories too.
    Shared,
}

/// The directory of a repository's hooks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// The directory; it need not be there.
    pub dir: PathBuf,
    /// Whose it is.
    pub scope: Scope,
}

/// What stands where the hook belongs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Found {
    /// Nothing.
    Nothing,
    /// Our script; without its values where they cannot be read.
    Ours(Option<Wrapper>),
    /// The script that judged pushes before: it calls a model by itself and writes the same log.
    OldJudge,
    /// Somebody else's hook; whether git would run it, and which program manages it, if one does.
    Foreign {
        /// It has the permission to be run.
        runs: bool,
        /// Program that writes it.
        manager: Option<&'static str>,
        /// How it runs our program, where it does.
        line: Option<Line>,
    },
}

/// How a hook of others runs our program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Line {
    /// It asks for a word, so that nothing but the program's own word stops a push.
    Asks,
    /// It does not: whatever ends as a NO-GO would stops a push.
    Trusts,
}

impl Place {
    /// Finds the directory of hooks of the repository that a directory belongs to.
    ///
    /// # Errors
    /// Where there is no repository, or git cannot be asked.
    pub fn find(repository: &Path) -> Result<Self, Error> {
        let ask = |name| Call::new(repository, name, Surroundings::Hooks);
        let fail = |source| Error::Repository { path: repository.to_owned(), source };
        let out = ask("rev-parse").args(["--git-path", "hooks"]).output().map_err(fail)?;
        let dir = out.strip_suffix(b"\n").unwrap_or(&out);
        let setting = ask("config").args(["--show-scope", "-z", "--get", "core.hooksPath"]);
        let scope = match setting.output() {
            Ok(text) => match text.split(|b| *b == 0).next() {
                Some(b"local" | b"worktree") => Scope::Setting,
                _ => Scope::Shared,
            },
            // It is not set.
            Err(git::Error::Failed { .. }) => Scope::Repository,
            Err(error) => return Err(fail(error)),
        };
        let dir = repository.join(OsStr::from_bytes(dir));
        let dir = std::path::absolute(&dir).unwrap_or(dir);
        Ok(Self { dir, scope })
    }

    /// The hook's file.
    pub fn hook(&self) -> PathBuf {
        self.dir.join(HOOK)
    }

    /// Looks at what stands there.
    ///
    /// # Errors
    /// Something that is there and cannot be read.
    pub fn look(&self) -> Result<Found, Error> {
        let path = self.hook();
        let Some(script) = script(&path)? else { return Ok(Found::Nothing) };
        if Wrapper::is_ours(&script) {
            return Ok(Found::Ours(Wrapper::parse(&script)));
        }
        if is_old_judge(&script) {
            return Ok(Found::OldJudge);
        }
        let names = ["husky", "lefthook", "pre-commit", "overcommit"];
        let manager = names.into_iter().find(|name| has(&script, name)).or_else(|| self.manager());
        Ok(Found::Foreign { runs: super::is_run(&path), manager, line: self.line(&script) })
    }

    /// The line by which a hook of others runs the program: in it, or in the one that husky runs from
    /// its own.
    fn line(&self, script: &[u8]) -> Option<Line> {
        let behind = || {
            let dir = self.dir.parent().filter(|_| self.dir.ends_with(".husky/_"))?;
            line_of(&self::script(&dir.join(HOOK)).ok()??)
        };
        line_of(script).or_else(behind)
    }

    /// The program whose directory it is, by its name.
    pub fn manager(&self) -> Option<&'static str> {
        let husky = self.dir.components().any(|c| c.as_os_str() == ".husky");
        husky.then_some("husky")
    }
}

fn has(script: &[u8], word: &str) -> bool {
    memchr::memmem::find(script, word.as_bytes()).is_some()
}

/// Tells whether a script is that of the judge before this one.
pub(super) fn is_old_judge(script: &[u8]) -> bool {
    ["/v1/chat/completions", "curl", "judge-verdicts"].iter().all(|word| has(script, word))
}

/// The line of a script that runs our program, remarks left out.
fn line_of(script: &[u8]) -> Option<Line> {
    let mut lines = script.split(|b| *b == b'\n').map(<[u8]>::trim_ascii_start);
    let line = lines.find(|line| !line.starts_with(b"#") && has(line, "hook pre-push"))?;
    Some(if has(line, "--word") { Line::Asks } else { Line::Trusts })
}

/// The text of a script; `None` where nothing stands at the path.
pub(super) fn script(path: &Path) -> Result<Option<Vec<u8>>, Error> {
    let fail = |source| Error::Read { path: path.to_owned(), source };
    match path.symlink_metadata() {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(fail(error)),
        Ok(_) => {}
    }
    // A link that leads nowhere is there all the same, and says nothing.
    let Ok(meta) = path.metadata() else { return Ok(Some(Vec::new())) };
    if !meta.is_file() {
        return Err(fail(std::io::Error::other("it is no file")));
    }
    let mut text = Vec::new();
    let file = std::fs::File::open(path).map_err(fail)?;
    std::io::Read::read_to_end(&mut std::io::Read::take(file, MOST), &mut text).map_err(fail)?;
    Ok(Some(text))
}
