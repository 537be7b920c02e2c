//! What a person can do about boxes and ledgers that could not be read or written.

use crate::failure::Failure;
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
        Error::NothingThere => format!("check the log paths of {name}: foureyes config show"),
        Error::Mirror(_) => PLACE.to_owned(),
        Error::Task => return None,
    };
    Some(hint)
}

/// What to do about files of our own that cannot be read or written.
pub const PLACE: &str =
    "the disk may be full or read-only: `--data-dir DIR` puts the data elsewhere";

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
            "connect once by hand with ssh, compare the fingerprint, and accept it"
        }
        Reason::HostKeyChanged => {
            "find out why first; if the box was reinstalled, remove the old key with ssh-keygen -R"
        }
        Reason::HostKeyRevoked => "do not connect; ask whoever revoked the key",
        Reason::AuthRefused => {
            "load your key into the agent (ssh-add), or set it in your ssh config; foureyes never prompts"
        }
        Reason::Refused | Reason::TimedOut | Reason::Unreachable => {
            "check that the box is up and the port is correct"
        }
        Reason::NameNotResolved => {
            "check the host's name, and your ssh config where it is an alias"
        }
        Reason::Configuration => "check that ssh itself connects with this configuration",
        Reason::Other => return format!("try ssh by hand, then: foureyes pull {name}"),
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
