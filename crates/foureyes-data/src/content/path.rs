//! A record's text for a file, as a path in a tree.

use super::Absence;

/// Longest path, in bytes; git itself makes none that is longer.
const LONGEST: usize = 4096;

/// The names on the way to a file, from the top of the repository.
pub(super) type Names = Vec<Vec<u8>>;

/// What a text may mean: itself, and what it says where git had put it in quotes.
pub(super) fn readings(text: &str) -> Result<Vec<Names>, Absence> {
    let own = names(text.as_bytes())?;
    let mut all = vec![own];
    if let Some(Ok(inner)) = unquoted(text).map(|bytes| names(&bytes)) {
        all.push(inner);
    }
    Ok(all)
}

fn names(path: &[u8]) -> Result<Names, Absence> {
    let path = path.strip_prefix(b"./").unwrap_or(path);
    if path.is_empty() || path.len() > LONGEST || path.contains(&0) {
        return Err(Absence::NoPath);
    }
    if path.starts_with(b"/") || path.split(|b| *b == b'/').any(|name| name == b"..") {
        return Err(Absence::PathLeaves);
    }
    let names: Names = path.split(|b| *b == b'/').map(<[u8]>::to_vec).collect();
    let odd = |name: &Vec<u8>| name.is_empty() || name == b".";
    if names.iter().any(odd) { Err(Absence::NoPath) } else { Ok(names) }
}

/// Undoes the quoting that git gives to names that are no plain ASCII.
fn unquoted(text: &str) -> Option<Vec<u8>> {
    let mut rest = text.strip_prefix('"')?.strip_suffix('"')?.bytes();
    let mut bytes = Vec::new();
    while let Some(b) = rest.next() {
        bytes.push(if b == b'\\' { escape(&mut rest)? } else { b });
    }
    Some(bytes)
}

fn escape(rest: &mut impl Iterator<Item = u8>) -> Option<u8> {
    Some(match rest.next()? {
        b'a' => 7,
        b'b' => 8,
        b't' => b'\t',
        b'n' => b'\n',
        b'v' => 11,
        b'f' => 12,
        b'r' => b'\r',
        b @ (b'"' | b'\\') => b,
        high @ b'0'..=b'3' => {
            let mut digit = || rest.next().filter(|b| (b'0'..=b'7').contains(b)).map(|b| b - b'0');
            let (middle, low) = (digit()?, digit()?);
            (high - b'0') * 64 + middle * 8 + low
        }
        _ => return None,
    })
}

/// Whether a name in a tree is the one that is meant; `lossy` accepts one whose bytes are no
/// UTF-8 and came into the record as replacement characters.
pub(super) fn is_named(name: &[u8], wanted: &[u8], lossy: bool) -> bool {
    name == wanted
        || lossy
            && wanted.windows(3).any(|w| w == "\u{fffd}".as_bytes())
            && String::from_utf8_lossy(name).as_bytes() == wanted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_that_leaves_is_refused_and_an_odd_one_is_itself() {
        for bad in ["../../etc/passwd", "/etc/passwd", "a/../../b", "..", "a/.."] {
            assert_eq!(readings(bad), Err(Absence::PathLeaves), "{bad}");
        }
        for bad in ["", "a//b", "a/./b", "a/", "./", "a\0b", &"x/".repeat(3000)] {
            assert_eq!(readings(bad), Err(Absence::NoPath), "{bad}");
        }
        for odd in ["-rf", "$(touch x)", "a;b", "a\nb", "~", "..a", ":(glob)*", &"x".repeat(4096)] {
            assert_eq!(readings(odd).unwrap(), [vec![odd.as_bytes().to_vec()]], "{odd}");
        }
        assert_eq!(readings("~/x").unwrap()[0], [b"~".to_vec(), b"x".to_vec()]);
        assert_eq!(readings("./a/b").unwrap()[0], [b"a".to_vec(), b"b".to_vec()]);
    }

    #[test]
    fn a_quoted_path_is_read_both_ways_and_cannot_leave() {
        let both = readings(r#""r\303\251\n\"/a""#).unwrap();
        assert_eq!(both[1], ["ré\n\"".as_bytes().to_vec(), b"a".to_vec()]);
        for odd in [r#""\056\056/x""#, r#""\9""#, r#""\""#, r#"""#, r#""\400""#] {
            assert_eq!(readings(odd).map(|all| all.len()), Ok(1), "{odd}");
        }
    }

    #[test]
    fn non_utf8_name_is_found_by_lossy_form() {
        assert!(is_named(b"a\xff", "a\u{fffd}".as_bytes(), true));
        assert!(!is_named(b"a\xff", "a\u{fffd}".as_bytes(), false));
        assert!(!is_named(b"b\xff", "a\u{fffd}".as_bytes(), true));
    }
}
