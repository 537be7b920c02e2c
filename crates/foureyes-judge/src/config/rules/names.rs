//! Names, words and commands.

use super::Verdict;
use crate::config::reasons;
use crate::domain::Family;
use std::net::Ipv6Addr;

/// Refuses what cannot be a name of somebody: text that is empty, too long, or not all visible.
pub(super) fn visible(text: &str, [empty, long, hidden]: [&'static str; 3]) -> Verdict {
    if text.trim().is_empty() {
        return Err(empty);
    }
    if text.len() > 256 {
        return Err(long);
    }
    if has_hidden(text) {
        return Err(hidden);
    }
    Ok(())
}

/// Refuses an alias for a word that has its meaning already.
pub(super) fn alias_word(text: &str) -> Verdict {
    if Family::of_verdict(text).is_some() {
        return Err("a documented verdict cannot be given another meaning");
    }
    if text.is_empty() || text.len() > 256 {
        return Err("a word has 1 to 256 bytes");
    }
    if has_hidden(text) {
        return Err("a word has no control or hidden characters");
    }
    Ok(())
}

/// Refuses a meaning that is no exact documented verdict.
pub(super) fn alias_verdict(text: &str) -> Verdict {
    Family::of_verdict(text).map(|_| ()).ok_or(
        "an alias maps to one exact verdict: GO, NO-GO, UNDETERMINED, accept, improve, reject, \
         escalate, SAFE_TO_COMMIT, SAFE_TO_DEPLOY_AFTER_RUNTIME_CHECK, FIX_FIRST, BLOCK, \
         INSUFFICIENT_EVIDENCE",
    )
}

/// Refuses what cannot be the code of a reason, and codes of the list that comes with the program.
pub(super) fn reason_code(text: &str) -> Verdict {
    if text.len() > 64 || !is_plain_word(text) {
        return Err("a code has letters, digits, `.`, `_`, `-`, no leading dash, at most 64 bytes");
    }
    if reasons::frozen().iter().any(|reason| reason.code == text) {
        return Err("a code of the list that comes with the program keeps its meaning");
    }
    Ok(())
}

/// Refuses what cannot be the meaning of a reason.
pub(super) fn reason_meaning(text: &str) -> Verdict {
    if text.trim().is_empty() || text.len() > 256 || has_hidden(text) {
        return Err("a meaning is visible text of at most 256 bytes");
    }
    Ok(())
}

/// Refuses what cannot be the name of a box, which is also the name of its directory here.
pub(super) fn name(text: &str) -> Verdict {
    if text.len() > 64 {
        return Err("a name has at most 64 bytes");
    }
    if is_plain_word(text) && !text.starts_with('.') {
        return Ok(());
    }
    Err("a name has letters, digits, `.`, `_`, `-` and no leading dash or dot")
}

/// Refuses what is no plain login name.
pub(super) fn user(text: &str) -> Verdict {
    if text.len() > 64 {
        return Err("a user has at most 64 bytes");
    }
    if is_plain_word(text) {
        return Ok(());
    }
    Err("a user has letters, digits, `.`, `_`, `-` and no leading dash")
}

/// Refuses what is no host name, no alias of the SSH configuration and no address.
///
/// A scoped IPv6 address (`fe80::1%eth0`) is refused, since `ssh` expands `%`: it needs an alias.
pub(super) fn host(text: &str) -> Verdict {
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

/// Refuses what git could take for an option, a range or an expression.
pub(super) fn git_ref(text: &str) -> Verdict {
    if text.is_empty() || text.len() > 255 {
        return Err("a ref has 1 to 255 bytes");
    }
    if text.starts_with('-') {
        return Err("a ref does not begin with a dash");
    }
    let odd = |c: char| c.is_whitespace() || "~^:\\".contains(c);
    if has_hidden(text) || text.contains(odd) || text.contains("..") || text.contains("@{") {
        return Err("a ref has no blanks, none of ~ ^ : \\, no `..` and no `@{`");
    }
    Ok(())
}

/// Refuses what cannot be a name in a database without quotes.
pub(super) fn identifier(text: &str) -> Verdict {
    let word = |b: u8| b.is_ascii_alphanumeric() || b == b'_';
    let starts = text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    if starts && text.len() <= 64 && text.bytes().all(word) {
        return Ok(());
    }
    Err("a name has letters, digits and `_`, no digit first, at most 64 bytes")
}

/// Refuses what cannot be the name of a variable.
pub(super) fn variable(text: &str) -> Verdict {
    let word = |b: u8| b.is_ascii_alphanumeric() || b == b'_';
    let starts = text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    if !starts || text.len() > 128 || !text.bytes().all(word) {
        return Err(
            "a variable has letters, digits and `_`, and no digit first: its name, not the key",
        );
    }
    if is_key(text) {
        return Err("it looks like a key, and is to be the name of the variable that holds it");
    }
    Ok(())
}

/// Tells whether a word is as long and as mixed as keys are that have no sign in them. Names of
/// variables part their words by `_`.
fn is_key(text: &str) -> bool {
    let digits = text.bytes().filter(u8::is_ascii_digit).count();
    text.len() >= 24 && !text.contains('_') && digits >= 3
}

/// Refuses what cannot be a model, a family, an author, or a pattern of one.
pub(super) fn named(text: &str) -> Verdict {
    if text.trim().is_empty() || text.trim() != text {
        return Err("a name is not empty and has no blanks around it");
    }
    if text.len() > 256 || has_hidden(text) {
        return Err("a name has at most 256 bytes and no control or hidden characters");
    }
    Ok(())
}

/// Refuses what is no repository of GitHub, as OWNER/NAME.
pub(super) fn repository(text: &str) -> Verdict {
    match text.split_once('/') {
        Some((owner, name)) if is_plain_word(owner) && is_plain_word(name) => Ok(()),
        _ => Err("a repository is OWNER/NAME"),
    }
}

/// Refuses a command that cannot be one.
pub(super) fn command(text: &str) -> Verdict {
    if text.trim().is_empty() || text.len() > 4096 || has_hidden(text) {
        return Err("a command is one visible line of at most 4096 bytes");
    }
    Ok(())
}

/// Letters, digits, `.`, `_`, `-`, and no leading dash: nothing in such a text can be an option,
/// an expansion or a command, for `ssh` or for a shell.
fn is_plain_word(text: &str) -> bool {
    let plain = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_' | b'-');
    !text.is_empty() && !text.starts_with('-') && text.bytes().all(plain)
}

/// Characters that show nothing, reorder others or mean something to a terminal.
pub(super) fn has_hidden(text: &str) -> bool {
    text.chars().any(crate::text::is_hidden)
}

/// A public key of Ed25519.
pub(super) fn public_key(text: &str) -> Verdict {
    let is_key = crate::text::hex::decode(text).is_some_and(|bytes| bytes.len() == 32);
    is_key
        .then_some(())
        .ok_or("a public key has 64 hexadecimal digits: `foureyes serve key` prints it")
}

/// An address to listen on.
pub(super) fn socket_address(text: &str) -> Verdict {
    let address = text.parse::<std::net::SocketAddr>();
    address.map(|_| ()).map_err(|_| "it is an IP address and a port, as in 127.0.0.1:7300")
}

#[cfg(test)]
mod tests {
    use super::super::Text;
    use super::*;

    #[test]
    fn a_committer_is_visible_text() {
        assert_eq!(Text::Agent.check("OpenClaw Agent"), Ok(()));
        for bad in ["", "  ", "a\nb", "a\u{202e}b", &"x".repeat(257)] {
            assert!(Text::Agent.check(bad).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn a_reviewer_is_visible_text() {
        assert_eq!(Text::Reviewer.check("Anna \"A\" O'Neill $(x) \u{1f984}"), Ok(()));
        for bad in ["", " ", "a\nb", "a\u{202e}b", &"x".repeat(257)] {
            assert!(Text::Reviewer.check(bad).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn new_verdict_words_map_to_exact_verdicts() {
        assert_eq!(alias_word("PASS"), Ok(()));
        assert_eq!(alias_word("go"), Ok(()));
        assert!(alias_word("GO").is_err());
        assert!(alias_word("BLOCK").is_err());
        assert!(alias_word("").is_err());
        assert_eq!(alias_verdict("NO-GO"), Ok(()));
        assert!(alias_verdict("no-go").is_err());
        assert!(alias_verdict("NOGO").is_err());
    }

    #[test]
    fn the_reason_names_every_verdict_that_is_known() {
        let reason = alias_verdict("?").unwrap_err();
        for word in reason.split([' ', ',', ':']).filter(|w| Family::of_verdict(w).is_some()) {
            assert_eq!(alias_verdict(word), Ok(()));
        }
        assert_eq!(
            reason.split([' ', ',', ':']).filter(|w| Family::of_verdict(w).is_some()).count(),
            12
        );
    }

    #[test]
    fn codes_are_plain_words_and_keep_their_meaning() {
        assert_eq!(reason_code("too_long"), Ok(()));
        for bad in ["", "-x", "a b", "wrong_fact", &"x".repeat(65)] {
            assert!(reason_code(bad).is_err(), "{bad:?}");
        }
        assert_eq!(reason_meaning("It is too long"), Ok(()));
        for bad in ["", " ", "a\nb", &"x".repeat(257)] {
            assert!(reason_meaning(bad).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn a_name_is_a_safe_directory() {
        assert_eq!(name("small-2.lan_x"), Ok(()));
        let long = "x".repeat(65);
        for bad in ["", ".", "..", ".hidden", "-x", "a/b", "a b", "é", "a\0", &long] {
            assert!(name(bad).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn only_plain_words_pass() {
        assert_eq!(user("j.doe-2_x"), Ok(()));
        let long = "x".repeat(65);
        for bad in ["", "-l", "a b", "a@b", "$(id)", "`id`", "%r", "a:b", "a\\b", &long] {
            assert!(user(bad).is_err(), "{bad:?}");
        }
    }

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

    #[test]
    fn refs_and_patterns_pass_and_expressions_do_not() {
        for good in ["main", "refs/remotes", "refs/heads/*", "feature/ü"] {
            assert_eq!(git_ref(good), Ok(()), "{good}");
        }
        for bad in ["", "--all", "a b", "a..b", "HEAD~1", "a:b", "HEAD@{1}", "a\nb"] {
            assert!(git_ref(bad).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn key_value_is_not_a_variable_name() {
        assert_eq!(variable("TERRAPHIM_API_KEY"), Ok(()));
        for bad in ["", "1A", "sk-abc", "A B", "$KEY"] {
            assert!(variable(bad).is_err(), "{bad:?}");
        }
        assert!(named(" x").is_err() && named("").is_err() && named("a\nb").is_err());
        assert_eq!(named("south-*"), Ok(()));
    }
}
