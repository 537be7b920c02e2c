//! How a connection fails, and why, as far as the messages of ssh show.

use std::io;

/// A connection that could not be made or used.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A destination that ssh could take for something else.
    #[error("{what} {value:?} cannot be given to ssh")]
    Destination {
        /// Which part of it.
        what: &'static str,
        /// The part.
        value: String,
    },
    /// The ssh program cannot be started.
    #[error("failed to run ssh")]
    Program {
        /// Why.
        source: io::Error,
    },
    /// There is no place for a control socket.
    #[error("failed to create a directory for the control socket")]
    Control {
        /// Why.
        source: io::Error,
    },
    /// ssh did not connect.
    #[error("{reason}{}", behind(.output))]
    Connect {
        /// Why, read from the messages of ssh.
        reason: Reason,
        /// All messages of ssh and its proxies, raw.
        output: String,
    },
    /// The connection stands, but leads to no port of the box.
    #[error("no way to port {port} of the box could be opened")]
    Forward {
        /// Which port of its loopback.
        port: u16,
        /// Why.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// The connection stands, but no command can be run on it.
    #[error("no command could be run on the box")]
    Run {
        /// Why.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
}

/// Why ssh did not connect.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reason {
    /// No key of that host is known.
    HostUnknown,
    /// The host's key is not the one that is known.
    HostKeyChanged,
    /// The host's key is marked as revoked.
    HostKeyRevoked,
    /// None of our keys was accepted.
    AuthRefused,
    /// Nobody listens there.
    Refused,
    /// Nobody answered in time.
    TimedOut,
    /// The name means nothing.
    NameNotResolved,
    /// There is no way there.
    Unreachable,
    /// It was cut before it could be used.
    Cut,
    /// ssh does not like its configuration.
    Configuration,
    /// Anything else.
    Other,
}

impl std::fmt::Display for Reason {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::HostUnknown => "the host key is not known",
            Self::HostKeyChanged => "the host key has changed",
            Self::HostKeyRevoked => "the host key is revoked",
            Self::AuthRefused => "no key was accepted",
            Self::Refused => "the connection was refused",
            Self::TimedOut => "no answer in time",
            Self::NameNotResolved => "the name could not be resolved",
            Self::Unreachable => "the host cannot be reached",
            Self::Cut => "the connection was cut while it was made",
            Self::Configuration => "ssh refuses its configuration",
            Self::Other => "ssh could not connect",
        })
    }
}

/// Messages of ssh, the most specific first: a changed key also ends in "verification failed".
const WORDS: [(&str, Reason); 22] = [
    ("REMOTE HOST IDENTIFICATION HAS CHANGED", Reason::HostKeyChanged),
    ("REVOKED HOST KEY", Reason::HostKeyRevoked),
    ("host key is known for", Reason::HostUnknown),
    ("Host key verification failed", Reason::HostUnknown),
    ("Could not resolve hostname", Reason::NameNotResolved),
    ("Permission denied (", Reason::AuthRefused),
    ("Too many authentication failures", Reason::AuthRefused),
    ("No supported authentication methods", Reason::AuthRefused),
    ("Connection refused", Reason::Refused),
    ("timed out", Reason::TimedOut),
    ("Timeout, server", Reason::TimedOut),
    ("Network is unreachable", Reason::Unreachable),
    ("No route to host", Reason::Unreachable),
    ("Host is down", Reason::Unreachable),
    ("Connection closed by", Reason::Cut),
    ("Connection reset by", Reason::Cut),
    ("Broken pipe", Reason::Cut),
    ("closed by remote host", Reason::Cut),
    ("kex_exchange_identification", Reason::Cut),
    ("Bad configuration option", Reason::Configuration),
    ("Bad owner or permissions", Reason::Configuration),
    ("Can't open user config file", Reason::Configuration),
];

/// What ssh wrote, behind the reason. An ssh that wrote nothing is named, so that nobody waits for more.
fn behind(output: &str) -> String {
    match output.trim() {
        "" => " (ssh wrote no message)".to_owned(),
        output => format!(": {output}"),
    }
}

/// Reads the reason from the messages of ssh. One that ends without a message lost its connection, or was
/// ended.
pub(super) fn from_output(output: String) -> Error {
    let reason = WORDS.iter().find(|(words, _)| output.contains(words));
    let silent = if output.trim().is_empty() { Reason::Cut } else { Reason::Other };
    Error::Connect { reason: reason.map_or(silent, |(_, r)| *r), output }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_never_ends_where_the_reason_should_follow() {
        for (output, reason, text) in [
            ("", Reason::Cut, "the connection was cut while it was made (ssh wrote no message)"),
            (" \n", Reason::Cut, "the connection was cut while it was made (ssh wrote no message)"),
            (
                "Connection closed by 1.2.3.4 port 22\r\n",
                Reason::Cut,
                "the connection was cut while it was made: Connection closed by 1.2.3.4 port 22",
            ),
            (
                "kex_exchange_identification: read: Connection reset by peer",
                Reason::Cut,
                "the connection was cut while it was made: kex_exchange_identification: read: Connection reset by peer",
            ),
            (
                "no matching host key type found",
                Reason::Other,
                "ssh could not connect: no matching host key type found",
            ),
            (
                "ssh: connect to host x port 22: Connection refused",
                Reason::Refused,
                "the connection was refused: ssh: connect to host x port 22: Connection refused",
            ),
        ] {
            let error = from_output(output.to_owned());
            assert!(
                matches!(&error, Error::Connect { reason: r, .. } if *r == reason),
                "{error:?}"
            );
            assert_eq!(error.to_string(), text);
        }
        let late = Error::Connect { reason: Reason::TimedOut, output: String::new() };
        assert_eq!(late.to_string(), "no answer in time (ssh wrote no message)");
    }
}
