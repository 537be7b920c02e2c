//! What a person can do about a box that could not be pulled.

use crate::pull::{Bound, Error};
use crate::source::ssh::{Error as SshError, Reason};
use crate::source::talk;

/// One sentence, where there is something to do.
pub fn of_pull(error: &Error, name: &str) -> Option<String> {
    let hint = match error {
        Error::Connect(error) => of_ssh(error, name)?,
        Error::Talk { source: talk::Error::NoAnswer { .. }, .. } => {
            "the account needs a shell that runs sh and dd".to_owned()
        }
        Error::Talk { source, .. } if source.is_mixture() => {
            "see whether a login script of the box writes in the background".to_owned()
        }
        Error::Talk { .. } | Error::TooLong(_) => {
            "what arrived is kept; pull again to go on from there".to_owned()
        }
        Error::Beyond { bound: Bound::Disk, .. } => {
            "free some space, or `--data-dir DIR` puts the data elsewhere".to_owned()
        }
        Error::Beyond { bound, .. } => format!(
            "what arrived is kept; see whether {name} should have so much, or raise `{}`",
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
    "the disk may be full, or the place read-only: `--data-dir DIR` puts the data elsewhere";

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
            "give such a host a plain name in your ssh config and use that"
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
            "find out why before anything else; if the box was made anew, remove the old key with ssh-keygen -R"
        }
        Reason::HostKeyRevoked => "do not connect; ask whoever revoked the key",
        Reason::AuthRefused => {
            "load your key into the agent (ssh-add), or name it in your ssh config; nothing is asked for here"
        }
        Reason::Refused | Reason::TimedOut | Reason::Unreachable => {
            "see whether the box is up and its port is right"
        }
        Reason::NameNotResolved => {
            "check the host's name, and your ssh config where it is an alias"
        }
        Reason::Configuration => "see that ssh itself connects with this configuration",
        Reason::Other => return format!("try ssh by hand, then: foureyes pull {name}"),
    };
    hint.to_owned()
}
