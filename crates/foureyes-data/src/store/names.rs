//! Names of local files made from remote paths, whatever bytes these hold.

use super::cursor::RemotePath;

/// Longest name without its generation; file systems allow 255 bytes.
const LONGEST: usize = 180;

/// The name for the copy of a remote path: `%XX` for all but letters, digits, `.`, `_`, `-`.
///
/// A leading dot or dash is written `%XX` too. A name that would be too long is cut and ends in
/// `~` and a hash of the whole path.
pub(super) fn local_name(path: &RemotePath) -> String {
    encode(&path.0, LONGEST)
}

/// The same for any bytes, with at most so many bytes of name; no fewer than 40.
pub fn encode(bytes: &[u8], longest: usize) -> String {
    let mut name = String::new();
    for byte in bytes {
        let plain = byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-');
        let first = name.is_empty();
        if plain && (byte.is_ascii_alphanumeric() || !first) {
            name.push(char::from(*byte));
        } else {
            name.push_str(&format!("%{byte:02X}"));
        }
    }
    if name.len() > longest {
        let hash = blake3::hash(bytes).to_hex();
        name.truncate(longest - 33);
        name.push('~');
        name.push_str(&hash[..32]);
    }
    name
}

/// The name of a generation: the first has none of its own.
pub(super) fn with_generation(base: &str, generation: u32) -> String {
    if generation == 0 { base.to_owned() } else { format!("{base}+{generation}") }
}

/// A name without its generation; no other part of a name has a plus sign.
pub(super) fn base_of(name: &str) -> &str {
    name.rsplit_once('+').map_or(name, |(base, _)| base)
}

/// The path and generation a name was made from. A cut name gives itself as its path.
pub(super) fn path_of(name: &str) -> (RemotePath, u32) {
    let (base, generation) = match name.rsplit_once('+') {
        Some((base, number)) => (base, number.parse().unwrap_or(0)),
        None => (name, 0),
    };
    (RemotePath(decode(base.as_bytes()).unwrap_or_else(|| base.as_bytes().to_vec())), generation)
}

fn decode(base: &[u8]) -> Option<Vec<u8>> {
    let mut path = Vec::with_capacity(base.len());
    let mut rest = base.iter();
    while let Some(byte) = rest.next() {
        path.push(match byte {
            b'~' => return None,
            b'%' => {
                let digits = [*rest.next()?, *rest.next()?];
                u8::from_str_radix(std::str::from_utf8(&digits).ok()?, 16).ok()?
            }
            other => *other,
        });
    }
    Some(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hostile_paths_make_harmless_names() {
        for path in
            [&b"../../etc/passwd"[..], b"-rf", b".hidden", b"a\nb\xff", b"~/x;$(id)", b"a+3"]
        {
            let name = local_name(&RemotePath(path.to_vec()));
            assert!(
                name.bytes().all(|b| b.is_ascii_alphanumeric() || b"%._-".contains(&b)),
                "{name}"
            );
            assert!(!name.starts_with(['.', '-']), "{name}");
            assert_eq!(path_of(&with_generation(&name, 4)), (RemotePath(path.to_vec()), 4));
            assert_eq!(path_of(&name), (RemotePath(path.to_vec()), 0));
        }
    }

    #[test]
    fn long_paths_are_cut_and_stay_apart() {
        let long = |last: u8| {
            let mut path = vec![b'/'; 4096];
            path[4095] = last;
            local_name(&RemotePath(path))
        };
        assert!(long(b'a').len() <= LONGEST);
        assert_ne!(long(b'a'), long(b'b'));
    }
}
