//! A program that has the terminal for a while: an editor, a pager.

use super::guard::{Owner, TerminalGuard};
use super::{Error, phase, shutdown};
use rustix::process::{Pid, WaitId, WaitIdOptions};
use std::ffi::OsString;
use std::io;
use std::process::{Child, Command, ExitStatus};

/// Why a program did not run.
#[derive(Debug, thiserror::Error)]
pub enum ChildError {
    /// There was no name.
    #[error("no program is given")]
    Empty,
    /// It could not be started.
    #[error("failed to start {}", .program.to_string_lossy())]
    Start {
        /// The program, as it was named.
        program: OsString,
        /// The error of the operating system.
        #[source]
        source: io::Error,
    },
    /// Its end could not be waited for.
    #[error("failed to wait for {}", .program.to_string_lossy())]
    Wait {
        /// The program, as it was named.
        program: OsString,
        /// The error of the operating system.
        #[source]
        source: io::Error,
    },
    /// The terminal could not be taken back.
    #[error(transparent)]
    Terminal(#[from] Error),
}

/// Runs a program that has the terminal already, and waits for its end.
pub(super) fn run(guard: &TerminalGuard, argv: &[OsString]) -> Result<ExitStatus, ChildError> {
    let (program, arguments) = argv.split_first().ok_or(ChildError::Empty)?;
    let start = |source| ChildError::Start { program: program.clone(), source };
    let mut child = Command::new(program).args(arguments).spawn().map_err(start)?;
    mark(guard, pid(&child));
    if phase::is_ending() {
        // The end was asked for between: the child was not known yet.
        shutdown::end_child(guard);
    }
    // Only looked at: the number stays the child's until the mark is gone.
    if let Some(pid) = pid(&child) {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
        while let Err(rustix::io::Errno::INTR) = rustix::process::waitid(WaitId::Pid(pid), options)
        {
        }
    }
    mark(guard, None);
    child.wait().map_err(|source| ChildError::Wait { program: program.clone(), source })
}

fn pid(child: &Child) -> Option<Pid> {
    i32::try_from(child.id()).ok().and_then(Pid::from_raw)
}

/// Notes which process has the terminal, unless it was given back for good meanwhile.
fn mark(guard: &TerminalGuard, pid: Option<Pid>) {
    let mut holder = guard.holder();
    if let Owner::Child(current) = &mut *holder {
        *current = pid;
    }
}
