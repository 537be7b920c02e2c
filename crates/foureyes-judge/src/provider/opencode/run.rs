//! One start of the program, until it has ended or is ended.

use super::error;
use super::events::{Events, Stop};
use super::launch::Home;
use super::log::Log;
use crate::process_group::Group;
use std::io::{self, ErrorKind};
use std::os::fd::OwnedFd;
use std::process::{Command, ExitStatus};
use std::time::Duration;
use tokio::net::unix::pipe;
use tokio::time::{Instant, sleep, sleep_until};

/// How often it is looked whether the program has ended while its children still have its pipes.
const LOOK: Duration = Duration::from_millis(50);
/// How long the program may take to end by itself after its answer, or to report a last failure. Before it
/// calls again it waits longer.
const REPORT: Duration = Duration::from_secs(1);
/// How long after an error it may take to go on, where it may.
///
/// Version 1 tries again without a sign of it, and ends after an error. Version 2 reports each error of a
/// step and tries again after about 2, 4, 8 and 16 s; it prints that a step begins once the model's first
/// bytes are there. So this is long enough for two pauses and a slow model, or three and a quick one, and
/// a program that hangs after its error takes a sixth of what it may.
const RECOVERY: Duration = Duration::from_secs(15);
/// Bytes that are read at once.
const PIECE: usize = 16 << 10;

/// The limits of one start.
pub(super) struct Limits {
    /// When it is ended.
    pub(super) until: Instant,
    /// Most that it may print, in bytes.
    pub(super) most: usize,
    /// Most calls that it may make.
    pub(super) calls: u32,
}

/// How a start came to its end, and what it printed.
#[derive(Debug)]
pub(super) struct Ended {
    pub(super) how: How,
    pub(super) events: Events,
    pub(super) log: Log,
    /// What it printed, where that is no list of events.
    pub(super) printed: Vec<u8>,
}

/// How a start came to its end.
#[derive(Debug)]
pub(super) enum How {
    /// By itself.
    Exited(ExitStatus),
    /// It was ended for what it printed.
    Stopped(Stop),
    /// It was ended when its time was over.
    Late,
    /// Its pipes failed.
    Broken(io::Error),
}

/// The program while it runs. Dropping it ends all of its group, and then removes its home.
pub(super) struct Run {
    /// Its standard input stays open until it has ended: see [`super::launch`].
    group: Group,
    stdout: Option<pipe::Receiver>,
    stderr: Option<pipe::Receiver>,
    _home: Home,
}

/// What happened next.
enum Next {
    Out(Option<Vec<u8>>),
    Err(Option<Vec<u8>>),
    Look,
    Late,
}

/// What follows from what it printed.
enum Watch {
    Go,
    Stop(Stop),
    /// It is ended unless it ends by itself, or goes on, within this time of what happened. The number is
    /// another one when it happened again.
    StopSoon(Duration, Stop, usize),
}

impl Run {
    /// Starts it.
    ///
    /// # Errors
    /// When it cannot be started.
    pub(super) fn start(command: &mut Command, home: Home) -> io::Result<Self> {
        let mut group = Group::start(command)?;
        let child = group.child();
        let receive = pipe::Receiver::from_owned_fd;
        let stdout = child.stdout.take().map(OwnedFd::from).map(receive);
        let stderr = child.stderr.take().map(OwnedFd::from).map(receive);
        Ok(Self { stdout: stdout.transpose()?, stderr: stderr.transpose()?, group, _home: home })
    }

    /// Reads its events.
    pub(super) async fn finish(mut self, limits: &Limits) -> Ended {
        let mut events = Events::new(limits.most);
        let mut log = Log::default();
        let how = self
            .drive(limits.until, |next| {
                let stop = match next {
                    Next::Out(Some(bytes)) => events.take(bytes),
                    Next::Out(None) => events.close(),
                    Next::Err(Some(bytes)) => log.take(bytes),
                    Next::Look => events.look(),
                    Next::Err(None) | Next::Late => None,
                };
                stop.map_or_else(|| watch(&events, &log, limits.calls), Watch::Stop)
            })
            .await;
        let how = self.end(how);
        // Whoever was ended, or left a child with its pipes, may owe the end of a line.
        events.close();
        log.close();
        Ended { how, events, log, printed: Vec::new() }
    }

    /// Reads all that it prints, where that is no list of events.
    pub(super) async fn listing(mut self, limits: &Limits) -> Ended {
        let (mut printed, mut log) = (Vec::new(), Log::default());
        let how = self
            .drive(limits.until, |next| match next {
                Next::Out(Some(bytes)) => {
                    printed.extend_from_slice(bytes);
                    match printed.len() > limits.most {
                        true => Watch::Stop(Stop::TooLong(limits.most)),
                        false => Watch::Go,
                    }
                }
                Next::Err(Some(bytes)) => log.take(bytes).map_or(Watch::Go, Watch::Stop),
                _ => Watch::Go,
            })
            .await;
        Ended { how: self.end(how), events: Events::default(), log, printed }
    }

    /// Ends what is left of it.
    fn end(self, how: Result<Option<Stop>, How>) -> How {
        match how {
            Ok(Some(stop)) => How::Stopped(stop),
            Ok(None) => self.group.end().map_or_else(How::Broken, How::Exited),
            Err(how) => how,
        }
    }

    /// Drains it until it has ended, or `watch` says that it is to be ended.
    async fn drive(
        &mut self,
        until: Instant,
        mut watch: impl FnMut(&Next) -> Watch,
    ) -> Result<Option<Stop>, How> {
        let mut soon: Option<(Instant, Stop, usize)> = None;
        loop {
            if self.stdout.is_none() && self.stderr.is_none() && self.group.has_ended() {
                return Ok(None);
            }
            let end = soon.as_ref().map_or(until, |(end, ..)| until.min(*end));
            let next = self.next(end).await.map_err(How::Broken)?;
            match watch(&next) {
                Watch::Go => soon = None,
                Watch::Stop(stop) => {
                    self.rest(&mut watch);
                    return Ok(Some(stop));
                }
                Watch::StopSoon(time, stop, count) => {
                    let is_known = |(_, s, c): &(Instant, Stop, usize)| (s, *c) == (&stop, count);
                    soon = soon
                        .filter(is_known)
                        .or_else(|| Some((Instant::now() + time, stop.clone(), count)));
                }
            }
            match next {
                Next::Out(None) => self.stdout = None,
                Next::Err(None) => self.stderr = None,
                Next::Out(Some(_)) | Next::Err(Some(_)) => {}
                Next::Look if self.group.has_ended() => return Ok(self.rest(&mut watch)),
                Next::Look => {}
                Next::Late => {
                    let stop = self.rest(&mut watch).or(soon.map(|(_, stop, _)| stop));
                    return stop.map(Some).ok_or(How::Late);
                }
            }
        }
    }

    async fn next(&self, until: Instant) -> io::Result<Next> {
        tokio::select! {
            read = read(self.stdout.as_ref()), if self.stdout.is_some() => Ok(Next::Out(read?)),
            read = read(self.stderr.as_ref()), if self.stderr.is_some() => Ok(Next::Err(read?)),
            () = sleep_until(until) => Ok(Next::Late),
            () = sleep(LOOK) => Ok(Next::Look),
        }
    }

    /// What is still in the pipes of a program that has ended, or is to be: children of it may have them
    /// open. It logs before it prints.
    fn rest(&self, watch: &mut impl FnMut(&Next) -> Watch) -> Option<Stop> {
        let log = stop(watch(&Next::Err(Some(waiting(&self.stderr)))));
        // An answer may be there even where the log is a reason to stop.
        let output = stop(watch(&Next::Out(Some(waiting(&self.stdout)))));
        log.or(output)
    }
}

/// What follows from all that was read, where it may make so many calls.
fn watch(events: &Events, log: &Log, most: u32) -> Watch {
    // A failed call may be in both.
    let failed = log.failed().max(events.refused());
    let calls = events.steps() + failed;
    let (is_spent, is_failing) = (calls >= most, events.is_failing());
    if events.answer().is_some() {
        return Watch::StopSoon(REPORT, Stop::Ended, 1);
    }
    // It calls at once where the model has not come to its end.
    if calls > most || (is_spent && events.is_open()) {
        return Watch::Stop(Stop::Calls);
    }
    match is_failing {
        // It waits before it calls, or reports that it does not.
        _ if is_spent && (is_failing || events.is_idle()) => {
            Watch::StopSoon(REPORT, Stop::Calls, 0)
        }
        true => {
            let time = if error::is_final(events.errors()) { REPORT } else { RECOVERY };
            Watch::StopSoon(time, Stop::Error, log.failed() as usize + events.errors().len())
        }
        false if events.reason().is_some() && !events.is_open() => {
            Watch::StopSoon(REPORT, Stop::Ended, 0)
        }
        false => Watch::Go,
    }
}

fn stop(watch: Watch) -> Option<Stop> {
    match watch {
        Watch::Stop(stop) => Some(stop),
        Watch::Go | Watch::StopSoon(..) => None,
    }
}

/// What is waiting in a pipe.
fn waiting(from: &Option<pipe::Receiver>) -> Vec<u8> {
    let (mut all, mut piece) = (Vec::new(), vec![0; PIECE]);
    // A child that never stops printing is no part of the answer.
    while let (Some(from), true) = (from, all.len() <= MOST_REST) {
        match from.try_read(&mut piece) {
            Ok(read @ 1..) => all.extend_from_slice(&piece[..read]),
            _ => break,
        }
    }
    all
}

/// Most that is read of a program that has ended: what fits into a pipe, and more.
const MOST_REST: usize = 2 << 20;

/// The next bytes; `None` at their end.
async fn read(from: Option<&pipe::Receiver>) -> io::Result<Option<Vec<u8>>> {
    let Some(from) = from else { return Ok(None) };
    let mut piece = vec![0; PIECE];
    loop {
        from.readable().await?;
        match from.try_read(&mut piece) {
            Ok(0) => return Ok(None),
            Ok(read) => {
                piece.truncate(read);
                return Ok(Some(piece));
            }
            Err(error) if error.kind() == ErrorKind::WouldBlock => {}
            Err(error) => return Err(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Settings, launch::Home};
    use super::Run;
    use std::process::Command;
    use std::time::Duration;

    #[test]
    fn program_ends_with_whoever_asks_it() {
        let dir = tempfile::tempdir().unwrap();
        let pipe = dir.path().join("pipe");
        assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        let ready = dir.path().join("ready");
        let script = "trap '' TERM; exec 4>\"$1\"; sleep 3600 & : > \"$2\"; sleep 3600";
        let home = Home::new().unwrap();
        let mut command = home.command(&Settings::new("sh"), true, "").unwrap();
        let place = command.get_current_dir().unwrap().parent().unwrap().to_owned();
        command.args(["-c", script, "sh"]).arg(&pipe).arg(&ready);
        let reader = std::thread::spawn(move || std::fs::read(pipe).unwrap());
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let _inside = runtime.enter();
        let mut run = Run::start(&mut command, home).unwrap();
        while !ready.exists() {
            std::thread::sleep(Duration::from_millis(5));
        }
        // All that the system closes when whoever asked is killed.
        drop(run.group.child().stdin.take());
        assert_eq!(reader.join().unwrap(), b"");
        let deadline = std::time::Instant::now() + Duration::from_secs(60);
        while place.exists() {
            assert!(std::time::Instant::now() < deadline, "its home is still there");
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}
