//! Who judges: endpoint, names of models and families, the variable of the key.

use super::{Verdict, has_hidden};
use crate::engine::four_eyes::Rule;

/// Refuses what is no address of an endpoint, or holds a key or a user.
pub(in crate::config) fn endpoint(text: &str) -> Verdict {
    let rest = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"));
    let Some(rest) = rest else { return Err("an endpoint begins with https:// or http://") };
    if text.len() > 1024 {
        return Err("an endpoint has at most 1024 bytes");
    }
    if has_hidden(text) || text.contains(char::is_whitespace) {
        return Err("an endpoint has no blanks, control or hidden characters");
    }
    if text.contains(['?', '#', '@']) {
        return Err("an endpoint has a host and a path, and no user, query or fragment");
    }
    if rest.split('/').next().is_none_or(str::is_empty) {
        return Err("an endpoint has a host");
    }
    Ok(())
}

/// Tells whether an endpoint is spoken to in plain http, and is another machine.
pub(in crate::config) fn is_plain_to_others(endpoint: &str) -> bool {
    let Some(rest) = endpoint.strip_prefix("http://") else { return false };
    let place = rest.split('/').next().unwrap_or_default();
    let host = match place.strip_prefix('[') {
        Some(bracketed) => bracketed.split(']').next().unwrap_or_default(),
        None => place.split(':').next().unwrap_or_default(),
    };
    let address = host.parse::<std::net::IpAddr>();
    host != "localhost" && !address.is_ok_and(|ip| ip.is_loopback())
}

/// Refuses what cannot be the name of a variable.
pub(in crate::config) fn variable(text: &str) -> Verdict {
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
pub(in crate::config) fn named(text: &str) -> Verdict {
    if text.trim().is_empty() || text.trim() != text {
        return Err("a name is not empty and has no blanks around it");
    }
    if text.len() > 256 || has_hidden(text) {
        return Err("a name has at most 256 bytes and no control or hidden characters");
    }
    Ok(())
}

/// Refuses a command that cannot be one.
pub(in crate::config) fn command(text: &str) -> Verdict {
    if text.trim().is_empty() || text.len() > 4096 || has_hidden(text) {
        return Err("a command is one visible line of at most 4096 bytes");
    }
    Ok(())
}

/// Refuses what is no rule for a judge of the author's family.
pub(in crate::config) fn four_eyes(text: &str) -> Verdict {
    match Rule::WORDS.iter().any(|(word, _)| *word == text) {
        true => Ok(()),
        false => Err("it is `refuse` or `caveat`"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_endpoint_is_an_address_without_a_user() {
        for good in ["http://127.0.0.1:3456", "https://api.example.org/v1", "http://[::1]:80/x/"] {
            assert_eq!(endpoint(good), Ok(()), "{good}");
        }
        for bad in [
            "",
            "api.example.org",
            "ftp://a",
            "https://",
            "https:///v1",
            "https://key@host/v1",
            "https://a/v1?key=x",
            "https://a b",
            "https://a\u{202e}",
            "file:///etc/passwd",
        ] {
            assert!(endpoint(bad).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn plain_http_is_for_this_machine() {
        for here in ["http://127.0.0.1:3456", "http://localhost/x", "http://[::1]:1", "https://a"] {
            assert!(!is_plain_to_others(here), "{here}");
        }
        for away in
            ["http://10.0.0.1", "http://localhost.example.org", "http://127.0.0.1.example.org:1"]
        {
            assert!(is_plain_to_others(away), "{away}");
        }
    }

    #[test]
    fn a_key_is_no_name_of_a_variable() {
        assert_eq!(variable("TERRAPHIM_API_KEY"), Ok(()));
        for bad in ["", "1A", "sk-abc", "A B", "$KEY"] {
            assert!(variable(bad).is_err(), "{bad:?}");
        }
        assert!(named(" x").is_err() && named("").is_err() && named("a\nb").is_err());
        assert_eq!(named("south-*"), Ok(()));
    }
}
