//! What `ssh` means by what it says. A heuristic: it has one exit code for all failures.

/// Why a box could not be asked, as far as the text tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Cause {
    HostKeyUnknown,
    HostKeyChanged,
    KeyRefused,
    NoSuchHost,
    Refused,
    TimedOut,
    NoRoute,
    ControlPath,
    Other,
}

/// Texts of OpenSSH and of the system, each with its meaning; the first that fits counts.
const TEXTS: [(&str, Cause); 16] = [
    ("identification has changed", Cause::HostKeyChanged),
    ("host key for", Cause::HostKeyChanged),
    ("host key is known for", Cause::HostKeyUnknown),
    ("host key verification failed", Cause::HostKeyUnknown),
    ("permission denied (", Cause::KeyRefused),
    ("too many authentication failures", Cause::KeyRefused),
    ("could not resolve", Cause::NoSuchHost),
    ("name or service not known", Cause::NoSuchHost),
    ("connection refused", Cause::Refused),
    ("timed out", Cause::TimedOut),
    ("timeout", Cause::TimedOut),
    ("no route to host", Cause::NoRoute),
    ("network is unreachable", Cause::NoRoute),
    ("too long for unix domain socket", Cause::ControlPath),
    ("path too long", Cause::ControlPath),
    ("path name too long", Cause::ControlPath),
];

impl Cause {
    /// Reads the text of a failure.
    pub(super) fn of(text: &str) -> Self {
        let text = text.to_lowercase();
        let known = TEXTS.iter().find(|(part, _)| text.contains(part));
        known.map_or(Self::Other, |(_, cause)| *cause)
    }

    /// What to do.
    pub(super) fn advice(self, name: &str) -> String {
        match self {
            Self::HostKeyUnknown => format!(
                "compare the key with one you trust, then accept it once by hand: ssh {name}"
            ),
            Self::HostKeyChanged => {
                "find out why before you remove the old key: it may be another machine that answers"
                    .to_owned()
            }
            Self::KeyRefused => {
                "load your key into the agent (ssh-add), or set `identity` and `user` of the box"
                    .to_owned()
            }
            Self::NoSuchHost => {
                "check `host` of the box, or the alias in your SSH configuration".to_owned()
            }
            Self::Refused => "check that sshd runs there, and `port` of the box".to_owned(),
            Self::TimedOut | Self::NoRoute => {
                "check that the box is up, and that your network and VPN lead to it".to_owned()
            }
            Self::ControlPath => "use a shorter directory: `--data-dir`".to_owned(),
            Self::Other => format!("try it by hand: ssh -v {name} true"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_openssh_says_is_understood() {
        for (text, cause) in [
            (
                "No ED25519 host key is known for [127.0.0.1]:12222 and you have requested strict checking.\nHost key verification failed.",
                Cause::HostKeyUnknown,
            ),
            (
                "@ WARNING: REMOTE HOST IDENTIFICATION HAS CHANGED! @\nHost key verification failed.",
                Cause::HostKeyChanged,
            ),
            ("root@127.0.0.1: Permission denied (publickey).", Cause::KeyRefused),
            ("ssh: Could not resolve hostname x: Name or service not known", Cause::NoSuchHost),
            ("ssh: connect to host 127.0.0.1 port 12223: Connection refused", Cause::Refused),
            ("Connection timed out during banner exchange", Cause::TimedOut),
            ("Timeout, server 127.0.0.1 not responding.", Cause::TimedOut),
            ("unix_listener: path \"/x\" too long for Unix domain socket", Cause::ControlPath),
            ("kex_exchange_identification: read: reset", Cause::Other),
        ] {
            assert_eq!(Cause::of(text), cause, "{text}");
            assert!(!cause.advice("b").is_empty());
        }
    }
}
