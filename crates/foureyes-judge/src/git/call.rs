//! One run of the git program, with a limit on its time.

use super::Error;
use super::streams::{Drained, Rest, drain, feed, reason_first};
use crate::process_group::end;
use std::ffi::OsStr;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// The most output that is held, in bytes.
const MOST: u64 = 1 << 30;
/// The most of stderr that is kept, in bytes.
const MOST_STDERR: u64 = 16 << 10;

/// Configuration that a hostile repository must not decide.
const SAFE: [&str; 9] = [
    "core.fsmonitor=false",
    "core.pager=cat",
    "log.showSignature=false",
    "log.showRoot=true",
    "protocol.allow=never",
    "color.ui=false",
    // It would advise against what is set below.
    "advice.graftFileDeprecated=false",
    // Where git fetches, nothing is packed behind it.
    "gc.auto=0",
    "maintenance.auto=false",
];

/// Hooks run for nothing that is asked here; said too, except where the question is where they are.
const NO_HOOKS: &str = "core.hooksPath=/dev/null";

/// What is set for every call.
const SET: [(&str, &str); 8] = [
    ("LC_ALL", "C"),
    ("GIT_TERMINAL_PROMPT", "0"),
    ("GIT_ASKPASS", "false"),
    ("GIT_PAGER", "cat"),
    ("GIT_NO_LAZY_FETCH", "1"),
    ("GIT_ALLOW_PROTOCOL", "none"),
    ("GIT_OPTIONAL_LOCKS", "0"),
    // What a push takes along heeds no grafts.
    ("GIT_GRAFT_FILE", "/dev/null"),
];

/// Which repository another git around us has opened, and how: forgotten but by its hooks.
const OPENED: [&str; 15] = [
    "GIT_DIR",
    "GIT_WORK_TREE",
    "GIT_COMMON_DIR",
    "GIT_OBJECT_DIRECTORY",
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_QUARANTINE_PATH",
    "GIT_NAMESPACE",
    "GIT_PREFIX",
    "GIT_SHALLOW_FILE",
    "GIT_REPLACE_REF_BASE",
    "GIT_IMPLICIT_WORK_TREE",
    "GIT_INTERNAL_SUPER_PREFIX",
    "GIT_CONFIG",
    "GIT_CONFIG_COUNT",
    "GIT_CONFIG_PARAMETERS",
];

/// What else it may have set, and what would change how git reads a repository.
const FORGOTTEN: [&str; 11] = [
    "GIT_INDEX_FILE",
    "GIT_DEFAULT_HASH",
    "GIT_DEFAULT_REF_FORMAT",
    "GIT_TEMPLATE_DIR",
    "GIT_EXTERNAL_DIFF",
    "GIT_DIFF_OPTS",
    "GIT_GLOB_PATHSPECS",
    "GIT_NOGLOB_PATHSPECS",
    "GIT_ICASE_PATHSPECS",
    "GIT_TRACE",
    "GIT_TRACE_SETUP",
];

/// Whose configuration git reads besides the repository's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Surroundings {
    /// The user's and the system's: they say which foreign repositories are trusted.
    User,
    /// None: what is made is the same on every machine.
    Bare,
    /// As [`Surroundings::User`], and the settings on hooks are seen. For questions that run none.
    Hooks,
    /// As [`Surroundings::Hooks`], in the repository that the git around us has opened: what a hook
    /// of its own has to look at.
    Hook,
}

/// One run of git: arguments, input, time limit.
#[derive(Debug)]
pub struct Call {
    command: Command,
    name: String,
    input: Vec<u8>,
    limit: Duration,
    most: u64,
}

/// The beginning of what a call wrote.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Beginning {
    /// The bytes, at most as many as were asked for.
    pub bytes: Vec<u8>,
    /// Tells whether there was more.
    pub cut: bool,
}

impl Call {
    /// Prepares `git <subcommand>` in a directory.
    ///
    /// What the environment says of other repositories is forgotten; git neither asks questions,
    /// nor fetches, nor runs hooks, pagers or filters of the repository's choosing.
    pub fn new(dir: &Path, subcommand: &str, around: Surroundings) -> Self {
        let mut command = Command::new("git");
        let opened = OPENED.iter().filter(|_| around != Surroundings::Hook);
        FORGOTTEN.iter().chain(opened).for_each(|name| {
            command.env_remove(name);
        });
        command.envs(SET);
        if around == Surroundings::Bare {
            command.envs([("GIT_CONFIG_NOSYSTEM", "1"), ("GIT_CONFIG_GLOBAL", "/dev/null")]);
        }
        command.args(["--no-pager", "--no-optional-locks"]);
        command.args(["--no-replace-objects", "--literal-pathspecs"]);
        let hooks = matches!(around, Surroundings::Hooks | Surroundings::Hook);
        SAFE.iter().chain((!hooks).then_some(&NO_HOOKS)).for_each(|setting| {
            command.args(["-c", setting]);
        });
        command.arg("-C").arg(dir).arg(subcommand);
        Self {
            command,
            name: subcommand.to_owned(),
            input: Vec::new(),
            limit: Duration::from_secs(120),
            most: MOST,
        }
    }

    /// Lets it reach a remote, as [`Call::new`] never does. Nobody is asked for anything, and no
    /// transport runs a program of the remote's choosing.
    ///
    /// `ssh` is the command line that git starts for SSH.
    #[must_use]
    pub(super) fn reaching(mut self, ssh: &str) -> Self {
        use std::os::unix::process::CommandExt;
        self.command.envs([
            ("GIT_ALLOW_PROTOCOL", "file:git:http:https:ssh"),
            ("GIT_SSH_COMMAND", ssh),
            ("GIT_SSH_VARIANT", "ssh"),
            ("SSH_ASKPASS_REQUIRE", "never"),
            ("GCM_INTERACTIVE", "never"),
        ]);
        // Transports are processes of their own: they end with the group.
        self.command.process_group(0);
        self
    }

    /// Sets a variable of its environment.
    #[must_use]
    pub(super) fn env(mut self, name: &str, value: &str) -> Self {
        self.command.env(name, value);
        self
    }

    /// Takes a variable out of its environment.
    #[must_use]
    pub(super) fn env_remove(mut self, name: &str) -> Self {
        self.command.env_remove(name);
        self
    }

    /// Adds an argument. What comes from outside must stand after `--` or be an id.
    #[must_use]
    pub fn arg(mut self, arg: impl AsRef<OsStr>) -> Self {
        self.command.arg(arg);
        self
    }

    /// Adds arguments, as [`Call::arg`] does.
    #[must_use]
    pub fn args<A: AsRef<OsStr>>(mut self, args: impl IntoIterator<Item = A>) -> Self {
        self.command.args(args);
        self
    }

    /// Sets what stands on its standard input.
    #[must_use]
    pub fn input(mut self, input: Vec<u8>) -> Self {
        self.input = input;
        self
    }

    /// Sets how long it may take; two minutes otherwise.
    #[must_use]
    pub fn limit(mut self, limit: Duration) -> Self {
        self.limit = limit;
        self
    }

    /// Sets how many bytes of its output are wanted.
    #[must_use]
    pub fn most(mut self, most: u64) -> Self {
        self.most = most.min(MOST);
        self
    }

    /// Runs it and gives its standard output.
    ///
    /// # Errors
    /// When git cannot be started, fails, takes too long or writes too much. It is ended then.
    pub fn output(self) -> Result<Vec<u8>, Error> {
        self.start()?.output()
    }

    /// Runs it and gives the beginning of its standard output; git is ended where that is enough.
    ///
    /// `cancel` is asked every few hundredths of a second whether nobody waits any more.
    ///
    /// # Errors
    /// When git cannot be started, fails, takes too long, or is cancelled. It is ended then.
    pub fn beginning(self, cancel: &dyn Fn() -> bool) -> Result<Beginning, Error> {
        self.start()?.beginning(cancel)
    }

    /// Starts it; its input can still be set where it has none.
    ///
    /// # Errors
    /// When git cannot be started.
    pub(super) fn start(mut self) -> Result<Started, Error> {
        let deadline = Instant::now() + self.limit;
        self.command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = self.command.spawn().map_err(|source| Error::Start { source })?;
        if !self.input.is_empty() {
            feed(&mut child, std::mem::take(&mut self.input));
        }
        Ok(Started { call: self, child, deadline, has_ended: false })
    }

    /// Feeds and drains the child, and waits for its end.
    fn converse(&mut self, child: &mut Child, until: &Until<'_>) -> Result<Beginning, Error> {
        feed(child, std::mem::take(&mut self.input));
        let out = drain(child.stdout.take(), self.most + 1, Rest::Close);
        let err = drain(child.stderr.take(), MOST_STDERR, Rest::Drop);
        let mut bytes = self.take(&out, until)?;
        if bytes.len() as u64 > self.most {
            bytes.pop();
            return Ok(Beginning { bytes, cut: true });
        }
        let stderr = self.take(&err, until)?;
        let status = self.wait(child, until)?;
        if status.success() {
            return Ok(Beginning { bytes, cut: false });
        }
        let code = status.code().map_or_else(|| "a signal".to_owned(), |c| format!("code {c}"));
        let stderr = reason_first(&String::from_utf8_lossy(&stderr));
        Err(Error::Failed { call: self.name.clone(), code, stderr })
    }

    /// Waits for the end of a stream.
    fn take(&self, from: &Drained, until: &Until<'_>) -> Result<Vec<u8>, Error> {
        loop {
            match from.recv_timeout(until.left()) {
                Ok(read) => {
                    return read.map_err(|source| Error::Read { call: self.name.clone(), source });
                }
                Err(_) => self.patience(until)?,
            }
        }
    }

    /// Waits for the child's exit, which follows the end of its output at once in all but a broken git.
    fn wait(&self, child: &mut Child, until: &Until<'_>) -> Result<ExitStatus, Error> {
        let mut pause = Duration::from_micros(100);
        loop {
            let done = child.try_wait();
            match done.map_err(|source| Error::Read { call: self.name.clone(), source })? {
                Some(status) => return Ok(status),
                None => self.patience(until)?,
            }
            thread::sleep(pause);
            pause = (pause * 2).min(Duration::from_millis(50));
        }
    }

    /// Tells whether to wait on.
    fn patience(&self, until: &Until<'_>) -> Result<(), Error> {
        if (until.cancel)() {
            return Err(Error::Cancelled { call: self.name.clone() });
        }
        if Instant::now() >= until.deadline {
            return Err(Error::TimedOut { call: self.name.clone(), after: self.limit });
        }
        Ok(())
    }
}

/// A git that was started, and waits for its input. It is ended where nobody gives it any.
#[derive(Debug)]
pub(super) struct Started {
    call: Call,
    pub(super) child: Child,
    pub(super) deadline: Instant,
    has_ended: bool,
}

impl Started {
    /// That it was not done in time.
    pub(super) fn timed_out(&self) -> Error {
        Error::TimedOut { call: self.call.name.clone(), after: self.call.limit }
    }

    /// Sets what stands on its standard input, and how many bytes of its output are wanted.
    pub(super) fn input(mut self, input: Vec<u8>, most: u64) -> Self {
        (self.call.input, self.call.most) = (input, most.min(MOST));
        self
    }

    /// As [`Call::output`].
    pub(super) fn output(self) -> Result<Vec<u8>, Error> {
        let (call, limit) = (self.call.name.clone(), self.call.most);
        let beginning = self.beginning(&|| false)?;
        if beginning.cut { Err(Error::TooLong { call, limit }) } else { Ok(beginning.bytes) }
    }

    /// As [`Call::beginning`].
    pub(super) fn beginning(mut self, cancel: &dyn Fn() -> bool) -> Result<Beginning, Error> {
        let until = Until { deadline: self.deadline, cancel };
        let result = self.call.converse(&mut self.child, &until);
        self.has_ended = matches!(&result, Ok(beginning) if !beginning.cut);
        result
    }
}

impl Drop for Started {
    fn drop(&mut self) {
        if !self.has_ended {
            end(&mut self.child);
        }
    }
}

/// How long is waited.
struct Until<'a> {
    deadline: Instant,
    cancel: &'a dyn Fn() -> bool,
}

impl Until<'_> {
    /// For how long, before the question is asked again.
    fn left(&self) -> Duration {
        self.deadline.saturating_duration_since(Instant::now()).min(Duration::from_millis(30))
    }
}
