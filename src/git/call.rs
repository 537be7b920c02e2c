//! One run of the git program, with a limit on its time.

use super::Error;
use std::ffi::OsStr;
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

/// The most output that is held, in bytes.
const MOST: u64 = 1 << 30;
/// The most of stderr that is kept, in bytes.
const MOST_STDERR: u64 = 16 << 10;

/// Configuration that a hostile repository must not decide.
const SAFE: [&str; 7] = [
    "core.fsmonitor=false",
    "core.hooksPath=/dev/null",
    "core.pager=cat",
    "log.showSignature=false",
    "log.showRoot=true",
    "protocol.allow=never",
    "color.ui=false",
];

/// What is set for every call.
const SET: [(&str, &str); 7] = [
    ("LC_ALL", "C"),
    ("GIT_TERMINAL_PROMPT", "0"),
    ("GIT_ASKPASS", "false"),
    ("GIT_PAGER", "cat"),
    ("GIT_NO_LAZY_FETCH", "1"),
    ("GIT_ALLOW_PROTOCOL", "none"),
    ("GIT_OPTIONAL_LOCKS", "0"),
];

/// What another git around us may have set, and what would change how git reads a repository.
const FORGOTTEN: [&str; 27] = [
    "GIT_DIR",
    "GIT_WORK_TREE",
    "GIT_COMMON_DIR",
    "GIT_INDEX_FILE",
    "GIT_OBJECT_DIRECTORY",
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_QUARANTINE_PATH",
    "GIT_NAMESPACE",
    "GIT_PREFIX",
    "GIT_GRAFT_FILE",
    "GIT_SHALLOW_FILE",
    "GIT_REPLACE_REF_BASE",
    "GIT_IMPLICIT_WORK_TREE",
    "GIT_INTERNAL_SUPER_PREFIX",
    "GIT_CONFIG",
    "GIT_CONFIG_COUNT",
    "GIT_CONFIG_PARAMETERS",
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
}

/// One run of git: arguments, input, time limit.
#[derive(Debug)]
pub struct Call {
    command: Command,
    name: String,
    input: Vec<u8>,
    limit: Duration,
}

impl Call {
    /// Prepares `git <subcommand>` in a directory.
    ///
    /// What the environment says of other repositories is forgotten; git neither asks questions,
    /// nor fetches, nor runs hooks, pagers or filters of the repository's choosing.
    pub fn new(dir: &Path, subcommand: &str, around: Surroundings) -> Self {
        let mut command = Command::new("git");
        FORGOTTEN.iter().for_each(|name| {
            command.env_remove(name);
        });
        command.envs(SET);
        if around == Surroundings::Bare {
            command.envs([("GIT_CONFIG_NOSYSTEM", "1"), ("GIT_CONFIG_GLOBAL", "/dev/null")]);
        }
        command.args(["--no-pager", "--no-optional-locks"]);
        command.args(["--no-replace-objects", "--literal-pathspecs"]);
        SAFE.iter().for_each(|setting| {
            command.args(["-c", setting]);
        });
        command.arg("-C").arg(dir).arg(subcommand);
        Self {
            command,
            name: subcommand.to_owned(),
            input: Vec::new(),
            limit: Duration::from_secs(120),
        }
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

    /// Runs it and gives its standard output.
    ///
    /// # Errors
    /// When git cannot be started, fails, takes too long or writes too much. It is ended then.
    pub fn output(mut self) -> Result<Vec<u8>, Error> {
        let deadline = Instant::now() + self.limit;
        self.command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = self.command.spawn().map_err(|source| Error::Start { source })?;
        let result = self.converse(&mut child, deadline);
        if result.is_err() {
            // It may be gone already; then there is nothing to end.
            let _ = child.kill();
            let _ = child.wait();
        }
        result
    }

    /// Feeds and drains the child, and waits for its end.
    fn converse(&mut self, child: &mut Child, deadline: Instant) -> Result<Vec<u8>, Error> {
        let input = std::mem::take(&mut self.input);
        if let Some(mut stdin) = child.stdin.take() {
            // A child that stops reading says why on stderr and in its exit code.
            thread::spawn(move || drop(stdin.write_all(&input)));
        }
        let out = drain(child.stdout.take(), MOST + 1, Rest::Close);
        let err = drain(child.stderr.take(), MOST_STDERR, Rest::Drop);
        let stdout = self.take(&out, deadline)?;
        if stdout.len() as u64 > MOST {
            return Err(Error::TooLong { call: self.name.clone(), limit: MOST });
        }
        let stderr = self.take(&err, deadline)?;
        let status = self.wait(child, deadline)?;
        if status.success() {
            return Ok(stdout);
        }
        let code = status.code().map_or_else(|| "a signal".to_owned(), |c| format!("code {c}"));
        let stderr = String::from_utf8_lossy(&stderr).trim_end().to_owned();
        Err(Error::Failed { call: self.name.clone(), code, stderr })
    }

    /// Waits for the end of a stream.
    fn take(&self, from: &Drained, deadline: Instant) -> Result<Vec<u8>, Error> {
        let left = deadline.saturating_duration_since(Instant::now());
        match from.recv_timeout(left) {
            Ok(read) => read.map_err(|source| Error::Read { call: self.name.clone(), source }),
            Err(_) => Err(Error::TimedOut { call: self.name.clone(), after: self.limit }),
        }
    }

    /// Waits for the child's exit, which follows the end of its output at once in all but a broken git.
    fn wait(
        &self,
        child: &mut Child,
        deadline: Instant,
    ) -> Result<std::process::ExitStatus, Error> {
        let mut pause = Duration::from_micros(100);
        loop {
            let done = child.try_wait();
            match done.map_err(|source| Error::Read { call: self.name.clone(), source })? {
                Some(status) => return Ok(status),
                None if Instant::now() >= deadline => {
                    return Err(Error::TimedOut { call: self.name.clone(), after: self.limit });
                }
                None => thread::sleep(pause),
            }
            pause = (pause * 2).min(Duration::from_millis(50));
        }
    }
}

type Drained = mpsc::Receiver<std::io::Result<Vec<u8>>>;

/// What becomes of a stream past the most that is kept.
#[derive(Clone, Copy, PartialEq)]
enum Rest {
    Close,
    Drop,
}

/// Reads a stream in a thread of its own, keeping at most `most` bytes.
fn drain(stream: Option<impl Read + Send + 'static>, most: u64, rest: Rest) -> Drained {
    let (send, receive) = mpsc::channel();
    thread::spawn(move || {
        let mut held = Vec::new();
        let read = match stream {
            None => Ok(0),
            Some(mut stream) => {
                let read = stream.by_ref().take(most).read_to_end(&mut held);
                if rest == Rest::Drop {
                    drop(std::io::copy(&mut stream, &mut std::io::sink()));
                }
                read
            }
        };
        // Nobody listens any more when the call timed out.
        let _ = send.send(read.map(|_| held));
    });
    receive
}
