//! What a person can do about boxes, ledgers and overrides that could not be read or written.

use crate::backup::BackupError;
use crate::domain::chain;
use crate::failure::Failure;
use crate::overrides::{BackError, BookError, DecideError, Decisions};
use crate::pull::{Bound, Error};
use crate::source::session;
use crate::source::ssh::{Error as SshError, Reason};
use crate::store::ledger::LedgerError;

/// One sentence, where there is something to do.
pub fn of_pull(error: &Error, name: &str) -> Option<String> {
    let hint = match error {
        Error::Connect(error) => of_ssh(error, name)?,
        Error::RemoteSession { source: session::Error::NoAnswer { .. }, .. } => {
            "the account needs a shell that can run sh and dd".to_owned()
        }
        Error::RemoteSession { source: session::Error::NoSize { .. }, .. } => {
            "the box needs wc, a dd that counts what it reads, or stat and xargs -0".to_owned()
        }
        Error::RemoteSession { source, .. } if source.is_mixture() => {
            "check whether a login script on the box prints in the background".to_owned()
        }
        Error::RemoteSession { .. } | Error::TooLong(_) => {
            "what arrived is kept; pull again to go on from there".to_owned()
        }
        Error::Beyond { bound: Bound::Disk, .. } => {
            "free some space, or move the data with `--data-dir DIR`".to_owned()
        }
        Error::Beyond { bound, .. } => format!(
            "what arrived is kept; check whether {name} should have so much data, or raise `{}`",
            bound.key()
        ),
        Error::TooManyFiles { .. } => format!(
            "the others are pulled; move files that are not logs of {name} out of its log directories"
        ),
        Error::TooManyCopies { .. } => format!(
            "check what makes so many files on {name}; its mirror can be moved away, and is pulled again"
        ),
        Error::NothingThere => format!("check the log paths of {name}: `foureyes config show`"),
        Error::Mirror(_) => PLACE.to_owned(),
        Error::Task => return None,
    };
    Some(hint)
}

/// What to do about files of our own that cannot be read or written.
pub const PLACE: &str =
    "the disk may be full or read-only: `--data-dir DIR` puts the data elsewhere";

/// What to do about a box whose clock is off.
pub const CLOCK: &str = "correct the time on one of them; both need a time service (docs/faq.md#records-may-fall-on-the-wrong-day)";

/// Tells whether this machine is at fault and not the box.
pub fn is_local(error: &Error) -> bool {
    matches!(error, Error::Mirror(_) | Error::Connect(SshError::Control { .. }))
}

/// The same for a connection alone.
pub fn of_ssh(error: &SshError, name: &str) -> Option<String> {
    let hint = match error {
        SshError::Connect { reason, .. } => return Some(of_reason(*reason, name)),
        SshError::Program { .. } => "install the OpenSSH client",
        SshError::Destination { .. } => {
            "define a plain alias for the host in your ssh config and use that"
        }
        SshError::Control { .. } => PLACE,
        SshError::Run { .. } | SshError::Forward { .. } => return None,
    };
    Some(hint.to_owned())
}

fn of_reason(reason: Reason, name: &str) -> String {
    let hint = match reason {
        Reason::HostUnknown => {
            "connect once by hand with ssh, compare the fingerprint, and accept it (docs/faq.md#the-host-key-is-not-known)"
        }
        Reason::HostKeyChanged => {
            "find out why first; if the box was reinstalled, remove the old key with ssh-keygen -R"
        }
        Reason::HostKeyRevoked => "do not connect; ask whoever revoked the key",
        Reason::AuthRefused => {
            "load your key into the agent (ssh-add), or set it in your ssh config; foureyes never prompts (docs/faq.md#no-key-was-accepted)"
        }
        Reason::Refused | Reason::TimedOut | Reason::Unreachable => {
            "check that the box is up and the port is correct"
        }
        Reason::NameNotResolved => {
            "check the host's name, and your ssh config where it is an alias"
        }
        Reason::Configuration => "check that ssh itself connects with this configuration",
        Reason::Cut => {
            return format!(
                "try the same command again; if it is cut again, try ssh to {name} by hand"
            );
        }
        Reason::Other => return format!("try ssh to {name} by hand, then the same command again"),
    };
    hint.to_owned()
}

/// What to do about a ledger that could not be read or written.
pub fn of_ledger(error: LedgerError) -> Failure {
    match &error {
        LedgerError::Read { .. } => {
            Failure::local(error).hint("check that it is readable; it is never rewritten")
        }
        LedgerError::Write { .. }
        | LedgerError::NotThere { .. }
        | LedgerError::NoRandomness { .. } => Failure::local(error)
            .hint("nothing was saved: `foureyes label --export` lists what is")
            .hint(PLACE),
        LedgerError::Broken { .. } => Failure::local(error)
            .hint("`foureyes ledger verify` shows the damage; `foureyes ledger restore FILE --data-dir DIR` unpacks a backup elsewhere")
            .hint("`foureyes ledger verify --renew` starts a new file; what precedes that line counts"),
        LedgerError::NotBroken { .. } | LedgerError::TooLong { .. } | LedgerError::Empty { .. } => {
            Failure::usage(error)
        }
    }
}

/// What to do about the journal of what was written to boxes.
pub fn of_outbox(error: BookError) -> Failure {
    let hint = match error.is_write() {
        true => PLACE,
        false => "check that it is readable; it records which boxes have confirmed what",
    };
    Failure::local(error).hint(hint)
}

/// What is kept, where anything is.
///
/// # Errors
/// Where nothing is kept: names all records.
pub fn of_refusals(mut decided: Decisions) -> Result<Decisions, Failure> {
    if !decided.kept.is_empty() {
        return Ok(decided);
    }
    match decided.refused.len() {
        0 => Ok(decided),
        1 => decided.refused.pop().map_or(Ok(decided), |one| Err(of_decision(one.why))),
        _ => {
            let all: Vec<String> = decided.refused.iter().map(|one| chain(&one.why)).collect();
            Err(Failure::usage(all.join("\n"))
                .hint("nothing was saved")
                .hint("`foureyes show ID` lists the boxes that have a record"))
        }
    }
}

/// What to do about overrides that could not be decided.
pub fn of_decision(error: DecideError) -> Failure {
    match error {
        DecideError::Ledger(error) => of_ledger(error),
        DecideError::Outbox(error) => of_outbox(error),
        DecideError::Place { .. } => Failure::usage(error)
            .hint("nothing was saved")
            .hint("`foureyes show ID` lists the boxes that have a record"),
        _ => Failure::usage(error).hint("nothing was saved"),
    }
}

/// What to do about overrides that could not be revoked or restored.
pub fn of_revocation(error: BackError) -> Failure {
    match error {
        BackError::Ledger(error) => of_ledger(error),
        BackError::Outbox(error) => of_outbox(error),
        BackError::Partly { .. } => Failure::local(error)
            .hint("the first ones are saved, and every pull delivers them")
            .hint("repeat the command for those listed"),
        BackError::Elsewhere { .. } => {
            Failure::usage(error).hint("undo it there: that machine knows its box")
        }
        _ => Failure::usage(error).hint("nothing was saved"),
    }
}

/// What to do about a backup that could not be written or restored.
pub fn of_backup(error: BackupError) -> Failure {
    let hint = match &error {
        BackupError::Read { .. } => "check that it is readable",
        BackupError::Changed { .. } => "run the command again",
        BackupError::Busy { .. } => "run the command again when the pull has ended",
        BackupError::Write(_) => "no backup was written; the disk may be full or read-only",
        BackupError::Archive(_) | BackupError::Damaged(_) => {
            "nothing was changed; take another backup, or a fresh copy of this one"
        }
        BackupError::Occupied { .. } => {
            "nothing was changed; restore to another place with `--data-dir DIR`, or move that directory away"
        }
        BackupError::Restore { .. } => "check that the place is writable and the disk is not full",
    };
    Failure::local(error).hint(hint)
}
