//! SSH to a box, through the user's own ssh program, keys, agent and jump hosts.
//!
//! Host keys are checked strictly and nothing is ever asked: what would need a prompt fails.

mod ciphers;
mod control;
mod error;
mod forward;
mod options;

pub use error::{Error, Reason};

use crate::config::Remote;
use control::ControlDir;
use openssh::{Child, ChildStderr, ChildStdin, ChildStdout, Session, Stdio};
use rustix::process::{Pid, Signal, kill_process_group};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Stdio as StdStdio;
use std::time::Duration;
use tokio::io::AsyncReadExt;

/// Output of a command on a box.
pub type Output = ChildStdout;
/// Input of a command on a box.
pub type Input = ChildStdin;

/// How long a master may take to answer; a healthy one takes a millisecond.
const ANSWER: Duration = Duration::from_secs(2);
/// ssh makes and frees buffers with each packet. This keeps glibc from giving them back to the system each time.
const KEPT_MEMORY: [(&str, &str); 2] =
    [("MALLOC_TRIM_THRESHOLD_", "134217728"), ("MALLOC_MMAP_THRESHOLD_", "33554432")];
/// Bytes that a pipe from ssh holds. All pipes of a user may hold 64 MiB before Linux makes new ones small.
#[cfg(target_os = "linux")]
const PIPE: usize = 1 << 20;
/// Most that is kept of what ssh or a box complains of.
const COMPLAINT: usize = 4 << 10;

/// Where control sockets are made: below `cache`, or in a shorter place. It can be written.
pub fn control_base(cache: &Path) -> Result<PathBuf, Error> {
    let (dir, _control) = control::make(cache)?;
    Ok(dir.path().parent().unwrap_or(cache).to_owned())
}

/// A connection to a box. Dropping it ends it: no process and no file of it stay.
pub struct Link {
    // Fields drop in this order: the master is asked to end before its directory's lock is let go.
    session: Session,
    control: ControlDir,
}

/// A command that runs on a box.
pub struct Running<'a> {
    child: Child<&'a Session>,
    complaint: tokio::task::JoinHandle<Vec<u8>>,
}

impl Link {
    /// Connects within `timeout`. `cache` is where control sockets may be kept, where it is short
    /// enough; `alive` is how long a silent connection counts as alive.
    pub async fn open(
        remote: &Remote,
        cache: &Path,
        timeout: Duration,
        alive: Duration,
    ) -> Result<Self, Error> {
        options::check(remote)?;
        let (dir, control) = control::make(cache)?;
        // Made before the master is started: whatever happens from here on, dropping it ends the
        // master and removes the directory.
        let session = Session::new_native_mux(dir);
        let link = Self { session, control };
        let mut arguments = options::arguments(remote, &link.control, timeout, alive)?;
        if let Some(option) = ciphers::option(&arguments).await {
            arguments.splice(..0, ["-o".into(), option.into()]);
        }
        let log = link.control.stderr().map_err(|source| Error::Control { source })?;
        let mut master = Process::start(&arguments, StdStdio::null(), log.into())?;
        // ssh's own timeout says what hung; ours is for what ssh does not bound.
        let patience = timeout + Duration::from_secs(1);
        let ended = tokio::time::timeout(patience, master.child.wait()).await;
        match ended {
            Err(_) => {
                Err(Error::Connect { reason: Reason::TimedOut, output: link.control.output() })
            }
            Ok(Err(source)) => Err(Error::Program { source }),
            Ok(Ok(status)) => {
                // A master that gave up leaves its proxy alive where SIGHUP is ignored (nohup): only
                // one that connected is past the need of being ended.
                master.ended = status.success();
                if status.success() {
                    Ok(link)
                } else {
                    Err(error::from_output(link.control.output()))
                }
            }
        }
    }

    /// Runs a fixed command line; the box's login shell reads it.
    pub async fn run(&self, line: &str) -> Result<(Running<'_>, Output, Input), Error> {
        let mut command = self.session.raw_command(line);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child =
            command.spawn().await.map_err(|source| Error::Run { source: source.into() })?;
        let (stdin, stdout, stderr) =
            (child.stdin().take(), child.stdout().take(), child.stderr().take());
        let (Some(stdin), Some(stdout), Some(stderr)) = (stdin, stdout, stderr) else {
            return Err(Error::Run { source: "no pipes".into() });
        };
        widen(&stdout);
        let complaint = tokio::spawn(listen(stderr));
        Ok((Running { child, complaint }, stdout, stdin))
    }

    /// What ssh logged since it connected: why a connection ended, where it knows.
    pub fn output(&self) -> String {
        self.control.output()
    }

    /// Whether the connection is still open.
    pub async fn is_open(&self) -> bool {
        let check = tokio::time::timeout(ANSWER, self.session.check()).await;
        check.is_ok_and(|answer| answer.is_ok())
    }
}

impl Drop for Link {
    fn drop(&mut self) {
        // The session tells its master to end and waits for the answer without a bound. A master
        // that is stopped never answers: without its socket it is not asked, and ends by itself
        // once it goes on and finds nobody there.
        if !self.control.answers(ANSWER) {
            self.control.remove_socket();
        }
    }
}

impl Running<'_> {
    /// What the box wrote on standard error, for a command whose output has ended.
    pub async fn complaint(self) -> String {
        drop(self.child);
        let mut complaint = self.complaint;
        let response = tokio::time::timeout(Duration::from_millis(300), &mut complaint).await;
        complaint.abort();
        let bytes = response.ok().and_then(Result::ok).unwrap_or_default();
        String::from_utf8_lossy(&bytes).into_owned()
    }
}

/// Lets ssh hand over at once what it has received at once. It reads 256 KiB at a time, and what a pipe of
/// the usual 64 KiB does not take piles up: each 32 KiB more of that are copied with all before them.
fn widen(output: &Output) {
    // macOS makes pipes wider by itself, where they need it.
    #[cfg(target_os = "linux")]
    let _ = rustix::pipe::fcntl_setpipe_size(output, PIPE);
}

/// Reads all, so that the box never waits for us; keeps the beginning.
async fn listen(mut stderr: ChildStderr) -> Vec<u8> {
    let mut kept = Vec::new();
    let mut buffer = [0; 1024];
    while let Ok(n @ 1..) = stderr.read(&mut buffer).await {
        let room = COMPLAINT - kept.len();
        kept.extend_from_slice(&buffer[..n.min(room)]);
    }
    kept
}

/// An ssh, with whatever proxies it started; killed unless it came to its end.
///
/// One that connected goes to the background as the master, which the session ends.
struct Process {
    child: tokio::process::Child,
    group: Option<Pid>,
    ended: bool,
}

impl Process {
    fn start(arguments: &[OsString], stdout: StdStdio, stderr: StdStdio) -> Result<Self, Error> {
        let child = tokio::process::Command::new("ssh")
            .args(arguments)
            .env("SSH_ASKPASS_REQUIRE", "never")
            .envs(KEPT_MEMORY)
            .stdin(StdStdio::null())
            .stdout(stdout)
            .stderr(stderr)
            .process_group(0)
            .kill_on_drop(true)
            .spawn()
            .map_err(|source| Error::Program { source })?;
        let group = child.id().and_then(|id| Pid::from_raw(i32::try_from(id).ok()?));
        Ok(Self { child, group, ended: false })
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        if let (false, Some(group)) = (self.ended, self.group) {
            // Jump hosts and proxy commands are in its group and notice nothing by themselves.
            let _ = kill_process_group(group, Signal::KILL);
        }
    }
}
