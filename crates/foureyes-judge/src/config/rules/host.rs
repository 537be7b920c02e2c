//! Hosts, before they can reach `ssh`.

use super::{Verdict, is_plain_word};
use std::net::Ipv6Addr;

/// Refuses what is no host name, no alias of the SSH configuration and no address.
///
/// A scoped IPv6 address (`fe80::1%eth0`) is refused, since `ssh` expands `%`: it needs an alias.
pub(in crate::config) fn host(text: &str) -> Verdict {
    if text.len() > 253 {
        return Err("a host has at most 253 bytes");
    }
    if text.contains(':') {
        let address = text.parse::<Ipv6Addr>().map(|_| ());
        return address.map_err(|_| "with a colon it must be an IPv6 address, and it is none");
    }
    if is_plain_word(text) {
        return Ok(());
    }
    Err("a host has letters, digits, `.`, `_`, `-` and no leading dash, or is an IPv6 address")
}

#[cfg(test)]
mod tests {
    use super::host;

    #[test]
    fn names_and_addresses_pass() {
        for good in ["box", "a.example", "_x", "10.0.0.1", "::1", "2001:db8::a", "::ffff:1.2.3.4"] {
            assert_eq!(host(good), Ok(()), "{good}");
        }
    }

    #[test]
    fn nothing_that_ssh_or_a_shell_would_take_otherwise_passes() {
        let long = "x".repeat(300);
        for bad in [
            "-oProxyCommand=touch canary",
            "-v",
            "a b",
            "$(id)",
            "`id`",
            "x%h",
            "fe80::1%eth0",
            "[::1]",
            "user@box",
            "box:22",
            "ssh://box",
            "a/b",
            "",
            "bücher",
            "a\n",
            "a\0",
            &long,
        ] {
            assert!(host(bad).is_err(), "{bad:?}");
        }
    }
}
