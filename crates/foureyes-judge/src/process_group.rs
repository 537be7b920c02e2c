//! Programs that end together with all that they started.

use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, getpgid, kill_process_group, waitid};
use std::io::{self, Read, Write};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

/// Ends a child and what it started; it may be gone already, then there is nothing to end.
///
/// Its group is ended only where it leads one of its own: else the group is ours.
pub fn end(child: &mut Child) {
    if let Some(pid) = pid(child).filter(|pid| getpgid(Some(*pid)) == Ok(*pid)) {
        let _ = kill_process_group(pid, Signal::KILL);
    }
    let _ = child.kill();
    let _ = child.wait();
}

fn pid(child: &Child) -> Option<Pid> {
    i32::try_from(child.id()).ok().and_then(Pid::from_raw)
}

/// A child that leads a group of its own. All of the group is ended when this is dropped.
#[derive(Debug)]
pub struct Group(Child);

impl Group {
    /// Starts a program as the first of a new group.
    ///
    /// # Errors
    /// When the program cannot be started.
    pub fn start(command: &mut Command) -> io::Result<Self> {
        command.process_group(0).spawn().map(Self)
    }

    /// The child, for its pipes. Whoever waits for it gives its group away.
    pub fn child(&mut self) -> &mut Child {
        &mut self.0
    }

    /// Whether the child has ended. Others of its group may be left, and its number stays its own.
    pub fn has_ended(&self) -> bool {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        let ended = pid(&self.0).map(|pid| waitid(WaitId::Pid(pid), options));
        !matches!(ended, Some(Ok(None)))
    }

    /// Ends all that is left of the group, and tells how the child itself ended.
    ///
    /// # Errors
    /// When the system does not say it.
    pub fn end(mut self) -> io::Result<ExitStatus> {
        end(&mut self.0);
        self.0.wait()
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        end(&mut self.0);
    }
}

/// Why a program gave no output.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// It could not be started.
    #[error("failed to start it")]
    Start(#[source] io::Error),
    /// It failed.
    #[error("it ended with {0}")]
    Failed(ExitStatus),
    /// It took too long, and was ended.
    #[error("it did not end within {} ms", .0.as_millis())]
    Late(Duration),
    /// It printed more than is taken, in bytes.
    #[error("it printed more than {0} bytes")]
    TooLong(u64),
    /// What it printed could not be read.
    #[error("failed to read what it prints")]
    Output(#[source] io::Error),
}

/// What a program prints on its standard output, at most so many bytes, once it has ended well.
///
/// Nothing is on its standard input, and what it prints on its standard error is dropped. It blocks.
/// The program and all that it started are ended when it has, or when its time is over.
///
/// # Errors
/// When it does not start, fails, takes longer than `limit`, or prints more than `most` bytes.
pub fn output(command: &mut Command, most: u64, limit: Duration) -> Result<Vec<u8>, Error> {
    command.stdin(Stdio::null()).stderr(Stdio::null());
    let ended = collect(command, Vec::new(), most, limit)?;
    if ended.status.success() { Ok(ended.stdout) } else { Err(Error::Failed(ended.status)) }
}

/// How a program ended, and what it printed.
#[derive(Debug)]
pub struct Ended {
    /// How it ended.
    pub status: ExitStatus,
    /// What it printed on its standard output.
    pub stdout: Vec<u8>,
    /// The beginning of what it printed on its standard error.
    pub stderr: Vec<u8>,
}

/// Runs a program with these bytes on its standard input, as [`output`] does, whether or not it ends
/// well. Of its standard error at most `most` bytes are kept.
///
/// # Errors
/// When it does not start, takes longer than `limit`, or prints more than `most` bytes.
pub fn run(
    command: &mut Command,
    input: Vec<u8>,
    most: u64,
    limit: Duration,
) -> Result<Ended, Error> {
    command.stdin(Stdio::piped()).stderr(Stdio::piped());
    collect(command, input, most, limit)
}

fn collect(
    command: &mut Command,
    input: Vec<u8>,
    most: u64,
    limit: Duration,
) -> Result<Ended, Error> {
    let deadline = Instant::now() + limit;
    command.stdout(Stdio::piped());
    let mut group = Group::start(command).map_err(Error::Start)?;
    if let Some(mut stdin) = group.child().stdin.take() {
        // Whoever ends without reading all of it may do so.
        thread::spawn(move || stdin.write_all(&input));
    }
    let stdout = reader(group.child().stdout.take(), most + 1);
    let stderr = reader(group.child().stderr.take(), most);
    let received = |from: &mpsc::Receiver<io::Result<Vec<u8>>>| {
        let left = deadline.saturating_duration_since(Instant::now());
        from.recv_timeout(left).map_err(|_| Error::Late(limit))?.map_err(Error::Output)
    };
    let stdout = received(&stdout)?;
    if stdout.len() as u64 > most {
        return Err(Error::TooLong(most));
    }
    let stderr = received(&stderr)?;
    let mut pause = Duration::from_micros(100);
    while !group.has_ended() {
        if Instant::now() >= deadline {
            return Err(Error::Late(limit));
        }
        thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(20));
    }
    let status = group.end().map_err(Error::Output)?;
    Ok(Ended { status, stdout, stderr })
}

/// Reads at most so many bytes in a thread of its own.
fn reader(
    from: Option<impl Read + Send + 'static>,
    most: u64,
) -> mpsc::Receiver<io::Result<Vec<u8>>> {
    let (send, receive) = mpsc::channel();
    thread::spawn(move || {
        let mut bytes = Vec::new();
        let read = from.map_or(Ok(0), |from| from.take(most).read_to_end(&mut bytes));
        // Nobody listens any more when the time is over.
        let _ = send.send(read.map(|_| bytes));
    });
    receive
}

#[cfg(test)]
mod tests {
    use super::{Error, Group, output};
    use std::fs;
    use std::path::Path;
    use std::process::Command;
    use std::time::Duration;

    fn shell(script: &str) -> Command {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        command
    }

    /// A pipe, and a thread that reads it until nobody has it open any more.
    fn open_by_others(dir: &Path) -> (String, std::thread::JoinHandle<Vec<u8>>) {
        let pipe = dir.join("pipe");
        assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        let name = pipe.display().to_string();
        let reader = std::thread::spawn(move || fs::read(pipe).unwrap());
        (name, reader)
    }

    #[test]
    fn dropped_group_ends_with_its_children() {
        let dir = tempfile::tempdir().unwrap();
        let (pipe, reader) = open_by_others(dir.path());
        let ready = dir.path().join("ready");
        let script = format!("exec 3>'{pipe}'; sleep 3600 & : >'{}'; sleep 3600", ready.display());
        let group = Group::start(&mut shell(&script)).unwrap();
        while !ready.exists() {
            std::thread::sleep(Duration::from_millis(5));
        }
        assert!(!group.has_ended());
        drop(group);
        assert_eq!(reader.join().unwrap(), b"");
    }

    #[test]
    fn ended_group_takes_along_what_its_leader_left() {
        let dir = tempfile::tempdir().unwrap();
        let (pipe, reader) = open_by_others(dir.path());
        let group = Group::start(&mut shell(&format!("exec 3>'{pipe}'; sleep 3600 & exit 7")));
        let group = group.unwrap();
        while !group.has_ended() {
            std::thread::sleep(Duration::from_millis(5));
        }
        assert_eq!(group.end().unwrap().code(), Some(7));
        assert_eq!(reader.join().unwrap(), b"");
    }

    #[test]
    fn output_is_taken_within_its_bounds() {
        let of = |script: &str, limit| output(&mut shell(script), 4, Duration::from_secs(limit));
        assert_eq!(of("printf 1234; echo no >&2", 60).unwrap(), b"1234");
        assert!(matches!(of("printf 12345", 60), Err(Error::TooLong(4))));
        assert!(matches!(of("exit 3", 60), Err(Error::Failed(status)) if status.code() == Some(3)));
        assert!(matches!(of("sleep 3600", 0), Err(Error::Late(_))));
        let missing = output(&mut Command::new("/no/such"), 4, Duration::from_secs(60));
        assert!(matches!(missing, Err(Error::Start(_))));
    }
}
