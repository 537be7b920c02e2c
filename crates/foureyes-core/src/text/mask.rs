//! Masks secrets in texts, so that no listing or export spreads them.
//!
//! Only shapes that issuers document are known, places that name a secret, and the program's own keys
//! by their value. Randomness alone is no sign: commit hashes and record ids are random too, and must
//! stay readable.

use aho_corasick::AhoCorasick;
use regex::{Captures, Regex};
use secrecy::{ExposeSecret, SecretString};
use std::borrow::Cow;
use std::sync::{LazyLock, PoisonError, RwLock};

/// Kind of secret, and its shape. A group `keep` or `tail` around the secret stays.
const SHAPES: [(&str, &str); 14] = [
    (
        "private key",
        r"(?s)-----BEGIN [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----.*?(?:-----END [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----|\z)",
    ),
    ("AWS access key", r"\b(?:AKIA|ASIA)[0-9A-Z]{16}\b"),
    ("GitHub token", r"\b(?:gh[pousr]_[A-Za-z0-9]{16,}|github_pat_[A-Za-z0-9_]{20,})"),
    ("GitLab token", r"\bglpat-[A-Za-z0-9_-]{20,}"),
    ("Slack token", r"\bxox[abeoprs]-[A-Za-z0-9-]{10,}"),
    (
        "API key",
        r"\b(?:sk-[A-Za-z0-9]{20,}|sk-(?:proj|ant|or|svcacct|admin|live|test)-[A-Za-z0-9_-]{16,}|[sr]k_(?:live|test)_[A-Za-z0-9]{16,})",
    ),
    ("API key", r"\bAIza[0-9A-Za-z_-]{35}"),
    ("token", r"\beyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}"),
    (
        "credential",
        r#"(?P<keep>\b(?:[Aa]uthorization|AUTHORIZATION)["']?\s*[:=]\s*["']?(?:(?i:bearer|basic|token)\s+)?)[^\s"',;]{6,}"#,
    ),
    ("credential", r"(?P<keep>\b[Bb]earer\s+)[A-Za-z0-9._~+/=-]{20,}"),
    ("password", r"(?i)(?P<keep>\b[a-z][a-z0-9+.-]*://[^\s/:@]*:)[^\s/@]+(?P<tail>@)"),
    (
        "secret",
        r#"(?P<keep>\b[A-Z][A-Z0-9_]*_(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|PWD)["'`]?\s*[=:]\s*["'`]?)[^\s"'`,;$<>(){}\[\]]{6,}"#,
    ),
    (
        "secret",
        r#"(?P<keep>\b(?i:[a-z0-9_.-]*(?:api[_-]?key|secret[_-]?key|access[_-]?key|auth[_-]?token|access[_-]?token|client[_-]?secret))["'`]?\s*[=:]\s*["'`]?)[^\s"'`,;$<>(){}\[\]]{8,}"#,
    ),
    (
        "password",
        r#"(?P<keep>\b(?i:[a-z0-9_.-]*(?:password|passwd))["'`]?\s*[=:]\s*["'`]?)[^\s"'`,;$<>(){}\[\]]{6,}"#,
    ),
];

/// What every shape begins with or holds, in any case. Most texts hold none of it, and this search is
/// fast, and fast to make.
const SIGNS: [&str; 36] = [
    "private key",
    "akia",
    "asia",
    "ghp_",
    "gho_",
    "ghu_",
    "ghs_",
    "ghr_",
    "github_pat_",
    "glpat-",
    "xox",
    "sk-",
    "k_live_",
    "k_test_",
    "aiza",
    "eyj",
    "authorization",
    "bearer",
    "://",
    "_key",
    "_token",
    "_secret",
    "_pwd",
    "passw",
    "api-key",
    "apikey",
    "secret-key",
    "secretkey",
    "access-key",
    "accesskey",
    "auth-token",
    "authtoken",
    "access-token",
    "accesstoken",
    "client-secret",
    "clientsecret",
];

static ANY: LazyLock<Option<AhoCorasick>> =
    LazyLock::new(|| AhoCorasick::builder().ascii_case_insensitive(true).build(SIGNS).ok());

static EACH: LazyLock<Vec<(&str, Regex)>> = LazyLock::new(|| {
    SHAPES.iter().filter_map(|(kind, shape)| Some((*kind, Regex::new(shape).ok()?))).collect()
});

/// Replaces what looks like a secret by its kind; tells how many were replaced.
///
/// A text without any comes back as it is.
pub fn mask(text: &str) -> (Cow<'_, str>, usize) {
    let (mut shown, mut count) = own(text);
    if !ANY.as_ref().is_none_or(|sign| sign.is_match(shown.as_ref())) {
        return (shown, count);
    }
    for (kind, shape) in EACH.iter() {
        let replaced = shape.replace_all(&shown, |found: &Captures<'_>| {
            let part = |name| found.name(name).map_or("", |m| m.as_str());
            // A mask of an earlier shape stays, and counts once.
            let secret = &found[0][part("keep").len()..];
            if secret == MASK || is_prose(kind, part("keep"), secret) {
                return found[0].to_owned();
            }
            count += 1;
            format!("{}{MASK} {kind}]{}", part("keep"), part("tail"))
        });
        if let Cow::Owned(new) = replaced {
            shown = Cow::Owned(new);
        }
    }
    (shown, count)
}

/// Whether what follows `password:` is a word of a sentence.
fn is_prose(kind: &str, keep: &str, secret: &str) -> bool {
    kind == "password"
        && keep.trim_end().ends_with(':')
        && secret.bytes().all(|b| b.is_ascii_lowercase() || b == b'.')
}

/// Keys that the program itself holds.
static OWN: RwLock<Vec<SecretString>> = RwLock::new(Vec::new());

/// Shorter ones are words that a proxy wants to see, and no secrets.
const SHORTEST: usize = 8;

/// Masks a key of the program by its value from now on, whatever shape it has; one of fewer than eight
/// bytes is not masked.
pub fn remember(key: &SecretString) {
    let value = key.expose_secret();
    let mut own = OWN.write().unwrap_or_else(PoisonError::into_inner);
    if value.len() >= SHORTEST && !own.iter().any(|known| known.expose_secret() == value) {
        own.push(key.clone());
    }
}

/// A text without the program's own keys, and how many places those were.
fn own(text: &str) -> (Cow<'_, str>, usize) {
    let (mut shown, mut count) = (Cow::Borrowed(text), 0);
    for key in OWN.read().unwrap_or_else(PoisonError::into_inner).iter() {
        let found = shown.matches(key.expose_secret()).count();
        if found > 0 {
            count += found;
            shown = Cow::Owned(shown.replace(key.expose_secret(), &format!("{MASK} own key]")));
        }
    }
    (shown, count)
}

/// What a masked place begins with.
const MASK: &str = "[masked";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_shape_is_understood() {
        assert!(ANY.is_some());
        assert_eq!(EACH.len(), SHAPES.len());
    }

    #[test]
    fn secrets_of_known_shape_are_masked_and_counted() {
        // Put together here, so that no scanner takes this file for a leak.
        let long = "Ab1".repeat(14);
        let secrets = [
            format!("AKIA{}", "Q7".repeat(8)),
            format!("ghp_{long}"),
            format!("gho_{long}"),
            format!("github_pat_{long}"),
            format!("glpat-{}", &long[..20]),
            format!("xoxb-1234567890-{long}"),
            format!("sk-{long}"),
            format!("sk-ant-api03-{long}"),
            format!("AIza{}", &long[..35]),
            format!("eyJ{long}.eyJ{long}.{long}"),
        ];
        for secret in &secrets {
            let text = format!("found {secret} in a.md");
            let (shown, count) = mask(&text);
            assert_eq!(count, 1, "{secret}");
            assert!(shown.starts_with("found [masked ") && shown.ends_with("] in a.md"), "{shown}");
        }
        let all = secrets.join(" ");
        let (shown, count) = mask(&all);
        assert_eq!(count, secrets.len());
        assert!(!secrets.iter().any(|s| shown.contains(s.as_str())));
    }

    #[test]
    fn a_private_key_goes_whole_even_without_its_end() {
        for end in ["\n-----END RSA PRIVATE KEY-----", ""] {
            let text = format!("x -----BEGIN RSA {} KEY-----\nMIIE\nabc{end}", "PRIVATE");
            assert_eq!(mask(&text), ("x [masked private key]".into(), 1));
        }
    }

    #[test]
    fn headers_and_urls_keep_non_secret_parts() {
        assert_eq!(
            mask("Authorization: Bearer abc.def-123").0,
            "Authorization: Bearer [masked credential]"
        );
        assert_eq!(
            mask("authorization: Basic dXNlcjpwYXNz").0,
            "authorization: Basic [masked credential]"
        );
        assert_eq!(mask("\"Authorization\": \"Bearer abcdefgh\"").1, 1);
        assert_eq!(mask("https://bob:hunter2@host/x").0, "https://bob:[masked password]@host/x");
        assert_eq!(mask("postgres://:p%40ss@db:5432/x").1, 1);
    }

    #[test]
    fn a_token_in_a_header_counts_once() {
        let text = format!("Authorization: Bearer ghp_{}", "a1".repeat(18));
        let (shown, count) = mask(&text);
        assert_eq!((shown.as_ref(), count), ("Authorization: Bearer [masked GitHub token]", 1));
    }

    #[test]
    fn values_that_a_name_calls_secret_are_masked() {
        for (text, shown) in [
            ("TERRAPHIM_API_KEY=supersecret", "TERRAPHIM_API_KEY=[masked secret]"),
            ("export DB_PASSWORD='hunter2!'", "export DB_PASSWORD='[masked secret]'"),
            ("aws_secret_access_key = wJalr/XUtn+FEMI", "aws_secret_access_key = [masked secret]"),
            ("\"api-key\": \"abcdefgh\",", "\"api-key\": \"[masked secret]\","),
            ("secretkey=abcdefgh", "secretkey=[masked secret]"),
            ("accessKey: abcdefgh", "accessKey: [masked secret]"),
            ("password: hunter22", "password: [masked password]"),
            ("db.password=opensesame", "db.password=[masked password]"),
            ("GITHUB_TOKEN: abcdef", "GITHUB_TOKEN: [masked secret]"),
        ] {
            assert_eq!(mask(text), (shown.into(), 1), "{text}");
        }
        for text in [
            "TERRAPHIM_API_KEY=$OTHER",
            "set TERRAPHIM_API_KEY=<your key>",
            "password: required.",
            "api_key: &str",
            "primary_key = user_identifier",
            "max_tokens = 8192",
            "`key_env = \"TERRAPHIM_API_KEY\"`",
        ] {
            assert_eq!(mask(text), (Cow::Borrowed(text), 0), "{text}");
        }
    }

    #[test]
    fn the_programs_own_key_is_masked_by_its_value() {
        let key = SecretString::from("plain-words-of-ours");
        assert_eq!(mask("so plain-words-of-ours it is").1, 0);
        remember(&key);
        remember(&key);
        remember(&SecretString::from("short"));
        assert_eq!(
            mask("so plain-words-of-ours it is, short"),
            ("so [masked own key] it is, short".into(), 1)
        );
        let named = mask("API_KEY=plain-words-of-ours");
        assert_eq!(named, ("API_KEY=[masked own key]".into(), 1), "counted once");
    }

    #[test]
    fn hashes_ids_and_plain_words_stay() {
        let hash = "3f2ab8c91d02".repeat(5);
        for text in [
            &hash[..40],
            &hash,
            "task-issue-42 and risk-assessment-of-everything-we-know",
            "the bearer of bad news",
            "https://example.org:8080/a@b",
            "ssh://git@host:22/path",
            "sk-learn-is-a-python-library-for-models",
            "AKIA is how an AWS key begins",
            "authorization was missing",
        ] {
            assert_eq!(mask(text), (Cow::Borrowed(text), 0), "{text}");
        }
    }
}
