//! Where git looks for the hook of a repository, and what stands there.

use super::{Error, Wrapper};
use crate::git::{self, Call, Surroundings};
use std::ffi::OsStr;
use std::io::ErrorKind::{NotADirectory, NotFound};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// Most bytes of a script that are looked at.
const MOST: u64 = 1 << 20;

/// Which of git's hooks.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Kind {
    /// The one before a push, in a repository that people and agents work in.
    #[default]
    PrePush,
    /// The one before a push is taken, in a bare repository that is pushed to.
    PreReceive,
}

impl Kind {
    /// Its file, which is also the subcommand that it runs.
    pub fn name(self) -> &'static str {
        match self {
            Self::PrePush => "pre-push",
            Self::PreReceive => "pre-receive",
        }
    }
}

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
    /// A directory of the repository.
    pub repository: PathBuf,
    /// The directory; it need not be there.
    pub dir: PathBuf,
    /// Whose it is.
    pub scope: Scope,
    /// Which hook belongs there: that of a bare repository judges what arrives.
    pub kind: Kind,
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
        let asked = ["--is-bare-repository", "--git-path", "hooks"];
        let out = ask("rev-parse").args(asked).output().map_err(fail)?;
        let out = out.strip_suffix(b"\n").unwrap_or(&out);
        let (kind, dir) = match out.strip_prefix(b"true\n") {
            Some(dir) => (Kind::PreReceive, dir),
            None => (Kind::PrePush, out.strip_prefix(b"false\n").unwrap_or(out)),
        };
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
        Ok(Self { repository: repository.to_owned(), dir, scope, kind })
    }

    /// The hook's file.
    pub fn hook(&self) -> PathBuf {
        self.dir.join(self.kind.name())
    }

    /// The program that owns the hooks of a repository that is pushed to, and writes over ours.
    ///
    /// # Errors
    /// Where a hook that is there cannot be read.
    pub fn owner(&self) -> Result<Option<&'static str>, Error> {
        if self.kind != Kind::PreReceive {
            return Ok(None);
        }
        let script = script(&self.hook())?.unwrap_or_default();
        let lower = script.to_ascii_lowercase();
        let names = [
            ("gitlab", "GitLab"),
            ("gitaly", "GitLab"),
            ("forgejo", "Forgejo"),
            ("gitea", "Gitea"),
        ];
        let by_script = names.into_iter().find(|(word, _)| has(&lower, word)).map(|(_, name)| name);
        let settings = Call::new(&self.repository, "config", Surroundings::Hooks);
        let of_gitlab = || {
            let set = settings.args(["--get", "gitlab.fullpath"]).output().is_ok();
            let hashed = self.dir.components().any(|c| c.as_os_str() == "@hashed");
            (set || hashed).then_some("GitLab")
        };
        let of_gitea = || {
            let beside = ["gitea", "forgejo"].into_iter();
            let mut beside = beside.map(|name| self.dir.join("pre-receive.d").join(name));
            beside.any(|path| path.exists()).then_some("Gitea")
        };
        Ok(by_script.or_else(of_gitlab).or_else(of_gitea))
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
        if self.line(&script).is_none() && (is_old_judge(&script) || is_link_to_old_judge(&path)) {
            return Ok(Found::OldJudge);
        }
        let names = ["husky", "lefthook", "pre-commit", "overcommit"];
        let manager = names.into_iter().find(|name| has(&script, name)).or_else(|| self.manager());
        Ok(Found::Foreign { runs: super::is_run(&path), manager, line: self.line(&script) })
    }

    /// The line by which a hook of others runs the program: in it, in the one that husky runs from its
    /// own, or in the configuration of lefthook.
    fn line(&self, script: &[u8]) -> Option<Line> {
        if has(script, "lefthook")
            && let Some(line) = self.line_of_lefthook()
        {
            return Some(line);
        }
        let behind = || {
            let dir = self.dir.parent().filter(|_| self.dir.ends_with(".husky/_"))?;
            line_of(&self::script(&dir.join(self.kind.name())).ok()??, self.kind)
        };
        line_of(script, self.kind).or_else(behind)
    }

    /// The line in the configuration of lefthook, where that hands git's input on.
    fn line_of_lefthook(&self) -> Option<Line> {
        let call = Call::new(&self.repository, "rev-parse", Surroundings::Hooks);
        let out = call.arg("--show-toplevel").output().ok()?;
        let top = Path::new(OsStr::from_bytes(out.strip_suffix(b"\n").unwrap_or(&out)));
        let names = ["lefthook", ".lefthook", "lefthook-local", ".lefthook-local"];
        let endings = ["yml", "yaml", "toml", "json"];
        let files = names.iter().flat_map(|n| endings.iter().map(move |e| format!("{n}.{e}")));
        let texts = files.filter_map(|name| script(&top.join(name)).ok().flatten());
        let mut lines =
            texts.filter(|text| has(text, "use_stdin")).filter_map(|t| line_of(&t, self.kind));
        lines.next()
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

/// Tells whether a script is that of a judge before this one: one that calls a model by itself, or one
/// that hands the push to a runner beside it.
pub(super) fn is_old_judge(script: &[u8]) -> bool {
    let calls = ["/v1/chat/completions", "curl", "judge-verdicts"];
    let hands_on = ["run-judge.sh", "pre-push-judge", "automation/judge"];
    calls.iter().all(|word| has(script, word)) || hands_on.iter().any(|word| has(script, word))
}

/// Tells whether a link leads to the older judge, also where that is gone.
fn is_link_to_old_judge(path: &Path) -> bool {
    let target = path.read_link().unwrap_or_default();
    target.file_name().is_some_and(|name| name == "pre-push-judge.sh")
}

/// The line of a script that runs our program, remarks left out.
fn line_of(script: &[u8], kind: Kind) -> Option<Line> {
    let command = format!("hook {}", kind.name());
    let mut lines = script.split(|b| *b == b'\n').map(<[u8]>::trim_ascii_start);
    let line = lines.find(|line| !line.starts_with(b"#") && has(line, &command))?;
    Some(if has(line, "--word") { Line::Asks } else { Line::Trusts })
}

/// The text of a script; `None` where nothing stands at the path.
pub(super) fn script(path: &Path) -> Result<Option<Vec<u8>>, Error> {
    let fail = |source| Error::Read { path: path.to_owned(), source };
    match path.symlink_metadata() {
        // Hooks are switched off by a directory that is none, such as /dev/null.
        Err(error) if matches!(error.kind(), NotFound | NotADirectory) => return Ok(None),
        Err(error) => return Err(fail(error)),
        Ok(_) => {}
    }
    // A link that leads nowhere is there all the same, and says nothing.
    let Ok(meta) = path.metadata() else { return Ok(Some(Vec::new())) };
    if !meta.is_file() {
        return Err(fail(std::io::Error::other("it is not a file")));
    }
    let mut text = Vec::new();
    let file = std::fs::File::open(path).map_err(fail)?;
    std::io::Read::read_to_end(&mut std::io::Read::take(file, MOST), &mut text).map_err(fail)?;
    Ok(Some(text))
}
