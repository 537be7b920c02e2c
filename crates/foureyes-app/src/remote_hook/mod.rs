//! The hook of a box, from the operator's machine: asking the program there, over the box's own SSH.
//!
//! What a box says is its own word: documents are parsed and shown by whoever asked, as hostile text.

mod clock;

pub use crate::source::program::{Answer, RemoteCommand};
pub use clock::difference;

use crate::config::{BoxConfig, Place, PullConfig};
use crate::domain::Timestamp;
use crate::source::client::{Broken, converse, in_parentheses};
use crate::source::program::{Program, command};
use crate::source::session;
use crate::source::ssh::{Error as SshError, Link};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

/// A box that could not be asked, or whose answer was not heard.
#[derive(Debug, thiserror::Error)]
pub enum Trouble {
    /// No connection.
    #[error("connecting failed")]
    Connect(#[source] SshError),
    /// The shell of this machine, which is the box.
    #[error("starting a shell on this machine")]
    Shell(#[source] std::io::Error),
    /// The talk broke off: nobody knows what was done.
    #[error("the answer was lost{}", in_parentheses(.output))]
    RemoteSession {
        /// How.
        #[source]
        source: session::Error,
        /// What ssh or the box said about it, raw; often nothing.
        output: String,
    },
}

/// What was heard.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Response {
    /// The program's answer; `None` where the box has no program where it is looked for.
    pub answer: Option<Answer>,
    /// What was written on standard error there, its beginning. Raw text.
    pub complaint: String,
    /// This machine's clock before it was asked.
    pub before: Timestamp,
    /// This machine's clock when the answer was there.
    pub after: Timestamp,
}

/// A way to a box, which stands until it is dropped.
pub struct Line {
    way: Way,
    limits: PullConfig,
}

enum Way {
    Ssh(Box<Link>),
    /// This machine as it is, or a directory of it that is the home of a box.
    Here(Option<PathBuf>),
}

impl Line {
    /// Connects. `cache` is where control sockets may be kept.
    ///
    /// # Errors
    /// A box that cannot be reached.
    pub async fn open(
        target: &BoxConfig,
        cache: &Path,
        limits: &PullConfig,
    ) -> Result<Self, Trouble> {
        let way = match &target.place {
            Place::Local => Way::Here(None),
            Place::Ssh(remote) => {
                let (connect, idle) = (limits.connect_timeout, limits.idle_timeout);
                let link = Link::open(remote, cache, connect, idle).await;
                Way::Ssh(Box::new(link.map_err(Trouble::Connect)?))
            }
        };
        Ok(Self { way, limits: *limits })
    }

    /// A way to a box that is a directory of this machine. Nothing is connected.
    pub fn in_home(home: PathBuf, limits: &PullConfig) -> Self {
        Self { way: Way::Here(Some(home)), limits: *limits }
    }

    /// The session that it stands on; `None` where the box is this machine.
    pub fn link(&self) -> Option<&Link> {
        match &self.way {
            Way::Ssh(link) => Some(link),
            Way::Here(_) => None,
        }
    }

    /// Asks the program there, and waits for it as long as `within` besides what a box is waited
    /// for anyway. `repositories` are directories of the box.
    ///
    /// # Errors
    /// A talk that broke off: then nobody knows what the program did.
    pub async fn ask(
        &self,
        errand: RemoteCommand,
        repositories: &[String],
        input: &[u8],
        within: Duration,
    ) -> Result<Response, Trouble> {
        let idle = self.limits.idle_timeout + within;
        let before = now();
        let (answer, complaint) = match &self.way {
            Way::Ssh(link) => over_ssh(link, errand, repositories, input, idle).await?,
            Way::Here(home) => here(home.as_deref(), (errand, repositories, input), idle).await?,
        };
        Ok(Response { answer, complaint, before, after: now() })
    }
}

fn now() -> Timestamp {
    Timestamp(jiff::Timestamp::now().as_microsecond())
}

type RemoteOutput = (Option<Answer>, String);

async fn over_ssh(
    link: &Link,
    errand: RemoteCommand,
    repositories: &[String],
    input: &[u8],
    idle: Duration,
) -> Result<RemoteOutput, Trouble> {
    let speak = async |output, stdin| {
        Program::new(output, stdin, idle)?.ask(errand, repositories, input).await
    };
    let (answer, running) =
        converse(link, &command(), idle, speak).await.map_err(|broken| match broken {
            Broken::Connect(error) => Trouble::Connect(error),
            Broken::RemoteSession { source, output } => Trouble::RemoteSession { source, output },
        })?;
    Ok((answer, running.complaint().await))
}

/// Asks the program of this machine; with a home, the one in its `bin`, which knows of that home only.
async fn here(
    home: Option<&Path>,
    (errand, repositories, input): (RemoteCommand, &[String], &[u8]),
    idle: Duration,
) -> Result<RemoteOutput, Trouble> {
    let mut shell = tokio::process::Command::new("sh");
    if let Some(home) = home {
        let mut path = home.join("bin").into_os_string();
        path.push(":/usr/bin:/bin");
        shell.env_clear().env("PATH", path).env("HOME", home);
        shell.env("TMPDIR", home.join("tmp")).env("GIT_CONFIG_NOSYSTEM", "1").current_dir(home);
    }
    let mut child = shell
        .args(["-c", &command()])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .kill_on_drop(true)
        .spawn()
        .map_err(Trouble::Shell)?;
    let (Some(stdin), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
        return Err(Trouble::Shell(std::io::Error::other("no pipes")));
    };
    let done = match Program::new(output, stdin, idle) {
        Ok(program) => program.ask(errand, repositories, input).await,
        Err(source) => Err(source),
    };
    let answer = done.map_err(|source| Trouble::RemoteSession { source, output: String::new() })?;
    Ok((answer, String::new()))
}
