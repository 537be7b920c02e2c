//! Pointers and ciphers that are written in letters: known by their form, all of it. What only begins like
//! one, or quotes one, is a text.

use std::str::from_utf8;

/// Most bytes of a pointer of git-lfs or DVC.
const MOST_POINTER: usize = 1024;
/// Most bytes of a pointer of git-annex.
const MOST_ANNEX: usize = 32 << 10;
/// How openssl's `Salted__` begins in base64.
const TRANSCRYPT: &str = "U2FsdGVkX1";
/// What stands between `-----BEGIN ` and `-----`, and the words for "it is …".
const ARMOURS: [(&str, &str); 4] = [
    ("AGE ENCRYPTED FILE", "encrypted with age"),
    ("PGP MESSAGE", "encrypted with PGP"),
    ("CMS", "encrypted as CMS"),
    ("PKCS7", "encrypted as PKCS #7"),
];
/// Lines that may stand before the letters of an armour.
const HEADERS: [&str; 5] = ["Version: ", "Comment: ", "Hash: ", "MessageID: ", "Charset: "];
/// Keys of a pointer of DVC.
const DVC: [&str; 11] = [
    "outs", "md5", "etag", "checksum", "hash", "size", "nfiles", "isexec", "path", "wdir", "frozen",
];

/// The kind of pointer or cipher that all of a text is; where it was cut, all that was read.
pub(super) fn name(bytes: &[u8], is_cut: bool) -> Option<&'static str> {
    // All of them are ASCII: what is not is none.
    let text = from_utf8(bytes).ok().filter(|text| text.is_ascii())?.trim();
    if !is_cut && is_lfs(text) {
        return Some("a git-lfs pointer");
    }
    if !is_cut && is_annex(text) {
        return Some("a git-annex pointer");
    }
    if !is_cut && is_dvc(text) {
        return Some("a DVC pointer");
    }
    if text.starts_with(TRANSCRYPT) && text.len() > 20 && text.bytes().all(is_base64_or_end) {
        return Some("encrypted with transcrypt or OpenSSL");
    }
    if is_vault(text) {
        return Some("encrypted with Ansible Vault");
    }
    let is = |(name, _): &&(&str, &str)| is_armour(text, name, is_cut);
    ARMOURS.iter().find(is).map(|(_, what)| *what)
}

/// `KEY VALUE` lines, of which the first names the version.
fn is_lfs(text: &str) -> bool {
    const VERSIONS: [&str; 2] =
        ["version https://git-lfs.github.com/spec/", "version https://hawser.github.com/spec/"];
    let is_line = |line: &str| {
        let mut words = line.split(' ');
        let is_key = words.next().is_some_and(|key| {
            matches!(key, "version" | "oid" | "size") || key.starts_with("ext-")
        });
        is_key && words.next().is_some_and(|value| !value.is_empty()) && words.next().is_none()
    };
    text.len() <= MOST_POINTER
        && VERSIONS.iter().any(|version| text.starts_with(version))
        && text.lines().all(is_line)
}

/// The path of a key, in a file or as what a link points to.
fn is_annex(text: &str) -> bool {
    // A key has its backend, and its name behind two hyphens.
    let is_pointer = || {
        text.starts_with("/annex/objects/")
            && text.lines().next().is_some_and(|line| line.contains("--"))
            && text.lines().all(|line| line.starts_with("/annex/") && !line.contains(' '))
    };
    let is_link = || {
        let above = text.trim_start_matches("../").trim_start_matches("./");
        let in_git = above.starts_with(".git/annex/objects/");
        let in_module = above.starts_with(".git/modules/") && above.contains("/annex/objects/");
        in_git || in_module
    };
    let one_line = |text: &str| !text.contains('\n') && !text.contains(' ');
    text.len() <= MOST_ANNEX && (is_pointer() || one_line(text) && is_link())
}

/// Nothing but keys of such a file, with the hash of what it stands for.
fn is_dvc(text: &str) -> bool {
    let key = |line: &str| {
        let (key, value) = line.trim_start().trim_start_matches("- ").split_once(':')?;
        (value.is_empty() || value.starts_with(' '))
            .then(|| (key.to_owned(), value.trim().to_owned()))
    };
    let is_line = |line: &str| key(line).is_some_and(|(key, _)| DVC.contains(&key.as_str()));
    let is_md5 = |line: &str| {
        key(line).is_some_and(|(key, value)| {
            let digits = value.strip_suffix(".dir").unwrap_or(&value);
            key == "md5" && digits.len() == 32 && digits.bytes().all(|b| b.is_ascii_hexdigit())
        })
    };
    text.len() <= MOST_POINTER
        && text.lines().any(|line| line == "outs:")
        && text.lines().any(is_md5)
        && text.lines().all(is_line)
}

/// A first line that names it, and hexadecimal digits.
fn is_vault(text: &str) -> bool {
    let mut lines = text.lines();
    let is_first = lines.next().is_some_and(|line| {
        line.starts_with("$ANSIBLE_VAULT;") && line.len() < 200 && !line.contains(' ')
    });
    let is_hex = |line: &str| line.trim_end().bytes().all(|b| b.is_ascii_hexdigit());
    is_first && text.lines().nth(1).is_some() && lines.all(is_hex)
}

/// One armour after the other, with nothing but base64 in them.
fn is_armour(text: &str, name: &str, is_cut: bool) -> bool {
    let (begin, end) = (format!("-----BEGIN {name}-----"), format!("-----END {name}-----"));
    let (mut inside, mut has_letters, mut seen) = (false, false, false);
    for line in text.lines().map(str::trim_end) {
        match inside {
            false if line == begin => (inside, has_letters) = (true, false),
            false if line.is_empty() => {}
            false => return false,
            true if line == end => (inside, seen) = (false, true),
            true if !has_letters && HEADERS.iter().any(|header| line.starts_with(header)) => {}
            true if line.bytes().all(is_base64_or_end) => has_letters |= !line.is_empty(),
            true => return false,
        }
    }
    // The end may be what was not read.
    seen && !inside || is_cut && inside && has_letters
}

fn is_base64_or_end(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=' | b'\r' | b'\n')
}
