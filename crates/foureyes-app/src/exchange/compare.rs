//! What one copy of a ledger has to do with another.

/// What is to be done with the copy that is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Step {
    /// They are the same.
    Same,
    /// What comes goes on where the copy that is there ends, at this byte.
    Append(usize),
    /// The copy that is there goes on where what comes ends.
    Behind,
    /// Neither is the beginning of the other.
    Apart,
}

/// Compares a copy that is there with one that comes.
pub(super) fn compare(there: &[u8], comes: &[u8]) -> Step {
    if there == comes {
        Step::Same
    } else if comes.starts_with(there) {
        // Bytes and not lines: what a killed copy left in the middle of a line is completed.
        Step::Append(there.len())
    } else if there.starts_with(comes) {
        Step::Behind
    } else {
        Step::Apart
    }
}

/// The whole lines: what follows them is still being written, or was left by a killed writer.
pub(super) fn whole(bytes: &[u8]) -> &[u8] {
    let end = memchr::memrchr(b'\n', bytes).map_or(0, |at| at + 1);
    bytes.get(..end).unwrap_or(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_continuations_are_appended() {
        assert_eq!(compare(b"", b""), Step::Same);
        assert_eq!(compare(b"a\n", b"a\n"), Step::Same);
        assert_eq!(compare(b"", b"a\n"), Step::Append(0));
        assert_eq!(compare(b"a\nb", b"a\nbc\n"), Step::Append(3));
        assert_eq!(compare(b"a\nb\n", b"a\n"), Step::Behind);
        assert_eq!(compare(b"a\nx\n", b"a\nb\nc\n"), Step::Apart);
        assert_eq!(whole(b"a\nb"), b"a\n");
        assert_eq!((whole(b"ab"), whole(b"")), (&b""[..], &b""[..]));
    }
}
