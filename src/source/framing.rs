//! Telling what we asked for from everything else on a stream: a random word marks it.

use memchr::memmem::Finder;
use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};

/// Longest line after a mark; ours are far shorter.
const LONGEST_MARK: usize = 4096;

/// What stands on the stream.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Piece<'a> {
    /// Bytes that are no mark.
    Data(&'a [u8]),
    /// A line that began with the word, without the word and the line's end.
    Mark(&'a str),
}

/// A line after the word has no end, or is not text: somebody else writes on our stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a frame's mark is damaged")]
pub struct Damaged;

/// Cuts a stream at its marks, whatever the reads it comes in.
pub(super) struct Frames {
    word: Finder<'static>,
    held: Vec<u8>,
}

impl Frames {
    pub(super) fn new(word: &str) -> Self {
        Self { word: Finder::new(word.as_bytes()).into_owned(), held: Vec::new() }
    }

    /// Gives all that is certain by now. At most a word's length of data is held back.
    pub(super) fn feed<E: From<Damaged>>(
        &mut self,
        bytes: &[u8],
        mut take: impl FnMut(Piece<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        self.held.extend_from_slice(bytes);
        let mut at = 0;
        let word = self.word.needle().len();
        while let Some(found) = self.word.find(&self.held[at..]) {
            give(&self.held[at..at + found], &mut take)?;
            at += found;
            let line = &self.held[at + word..];
            let Some(end) = memchr::memchr(b'\n', line) else {
                if line.len() > LONGEST_MARK {
                    return Err(Damaged.into());
                }
                self.held.drain(..at);
                return Ok(());
            };
            let text = std::str::from_utf8(&line[..end]).map_err(|_| Damaged)?;
            take(Piece::Mark(text.trim()))?;
            at += word + end + 1;
        }
        let keep = (self.held.len() - at).min(word - 1);
        let sure = self.held.len() - keep;
        give(&self.held[at..sure], &mut take)?;
        self.held.drain(..sure);
        Ok(())
    }

    /// What was held back of a stream that has ended: no mark any more.
    pub(super) fn rest(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.held)
    }
}

fn give<E>(data: &[u8], take: &mut impl FnMut(Piece<'_>) -> Result<(), E>) -> Result<(), E> {
    if data.is_empty() { Ok(()) } else { take(Piece::Data(data)) }
}

/// A word of 128 bits that nobody could have written into a log beforehand.
pub(super) fn random_word() -> String {
    // The keys of a RandomState come from the system's randomness; hashing them gives no key away.
    let mut seed = blake3::Hasher::new();
    for _ in 0..4 {
        seed.update(&RandomState::new().build_hasher().finish().to_le_bytes());
    }
    seed.update(&std::process::id().to_le_bytes());
    let hash = seed.finalize().to_hex();
    format!("@{}", &hash[..32])
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn cut(parts: &[&[u8]]) -> (Vec<u8>, Vec<String>) {
        let mut frames = Frames::new("@word");
        let (mut data, mut marks) = (Vec::new(), Vec::new());
        for part in parts {
            let taken: Result<(), Damaged> = frames.feed(part, |piece| {
                match piece {
                    Piece::Data(d) => data.extend_from_slice(d),
                    Piece::Mark(m) => marks.push(format!("{m}@{}", data.len())),
                }
                Ok(())
            });
            taken.unwrap();
        }
        (data, marks)
    }

    #[test]
    fn marks_are_found_in_noise() {
        let (data, marks) = cut(&[b"noise @wor @wordO H 1\nab@wordI D -\n@wordI E\ncd@wordO B\n"]);
        assert_eq!(data, b"noise @wor abcd");
        assert_eq!(marks, ["O H 1@11", "I D -@13", "I E@13", "O B@15"]);
    }

    #[test]
    fn an_endless_mark_is_damage() {
        let mut frames = Frames::new("@word");
        let endless = [b"@word".as_slice(), &[b'x'; 5000]].concat();
        let taken: Result<(), Damaged> = frames.feed(&endless, |_| Ok(()));
        assert_eq!(taken, Err(Damaged));
    }

    #[test]
    fn words_differ() {
        assert_ne!(random_word(), random_word());
        assert_eq!(random_word().len(), 33);
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 128, failure_persistence: None, ..ProptestConfig::default() })]
        #[test]
        fn any_split_into_reads_gives_the_same(cuts in proptest::collection::vec(0usize..80, 0..12)) {
            let text = b"no@w@wordO H\nise@word\nx@@wordI D 3\ndata with @wor\nin it@wordO B\nend of the stream of it";
            let mut at: Vec<usize> = cuts.into_iter().map(|c| c.min(text.len())).collect();
            at.sort_unstable();
            let mut parts = Vec::new();
            let mut from = 0;
            for to in at {
                parts.push(&text[from..to]);
                from = to;
            }
            parts.push(&text[from..]);
            prop_assert_eq!(cut(&parts), cut(&[text]));
        }
    }
}
