//! Telling what we asked for from everything else on a stream: a random word marks it.

use memchr::memmem::Finder;

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

    /// Gives all that is certain by now. Only what may be the beginning of a mark is held back, so
    /// nearly all bytes are handed on from where they are.
    pub(super) fn feed<E: From<Damaged>>(
        &mut self,
        bytes: &[u8],
        mut take: impl FnMut(Piece<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        if self.held.is_empty() {
            let sure = self.cut(bytes, &mut take)?;
            self.held.extend_from_slice(&bytes[sure..]);
            return Ok(());
        }
        self.held.extend_from_slice(bytes);
        let held = std::mem::take(&mut self.held);
        let sure = self.cut(&held, &mut take)?;
        self.held.extend_from_slice(&held[sure..]);
        Ok(())
    }

    /// Cuts what is there at its marks, and tells up to where it is certain.
    fn cut<E: From<Damaged>>(
        &self,
        all: &[u8],
        take: &mut impl FnMut(Piece<'_>) -> Result<(), E>,
    ) -> Result<usize, E> {
        let mut at = 0;
        let word = self.word.needle();
        while let Some(found) = self.word.find(&all[at..]) {
            give(&all[at..at + found], take)?;
            at += found;
            let line = &all[at + word.len()..];
            let Some(end) = memchr::memchr(b'\n', line) else {
                if line.len() > LONGEST_MARK {
                    return Err(Damaged.into());
                }
                return Ok(at);
            };
            let text = std::str::from_utf8(&line[..end]).map_err(|_| Damaged)?;
            take(Piece::Mark(text.trim()))?;
            at += word.len() + end + 1;
        }
        let sure = all.len() - begun(word, &all[at..]);
        give(&all[at..sure], take)?;
        Ok(sure)
    }

    /// What was held back of a stream that has ended: no mark any more.
    pub(super) fn rest(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.held)
    }
}

/// How many bytes at the end may be the beginning of the word.
fn begun(word: &[u8], data: &[u8]) -> usize {
    let end = &data[data.len().saturating_sub(word.len() - 1)..];
    let Some(first) = word.first() else { return 0 };
    let mut starts = memchr::memchr_iter(*first, end);
    starts.find(|at| word.starts_with(&end[*at..])).map_or(0, |at| end.len() - at)
}

fn give<E>(data: &[u8], take: &mut impl FnMut(Piece<'_>) -> Result<(), E>) -> Result<(), E> {
    if data.is_empty() { Ok(()) } else { take(Piece::Data(data)) }
}

/// A word of 128 random bits, which nobody could have written into a log beforehand.
///
/// # Errors
/// The system gives no random numbers: a word that can be guessed is no frame.
pub(super) fn random_word() -> Result<String, getrandom::Error> {
    let mut bits = [0; 16];
    getrandom::fill(&mut bits)?;
    Ok(format!("@{:032x}", u128::from_be_bytes(bits)))
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
    fn only_possible_mark_prefixes_are_held_back() {
        let mut frames = Frames::new("@word");
        let mut given = Vec::new();
        for (part, held) in [
            ("data", ""),
            ("a@b @wo", "@wo"),
            ("n't @", "@"),
            ("@", "@"),
            ("wor", "@wor"),
            ("k", ""),
        ] {
            let taken: Result<(), Damaged> = frames.feed(part.as_bytes(), |piece| {
                if let Piece::Data(data) = piece {
                    given.extend_from_slice(data);
                }
                Ok(())
            });
            taken.unwrap();
            assert_eq!(frames.held, held.as_bytes(), "after {part}");
        }
        assert_eq!(given, b"dataa@b @won't @@work");
    }

    #[test]
    fn words_differ() {
        let (one, other) = (random_word().unwrap(), random_word().unwrap());
        assert_ne!(one, other);
        assert_eq!((one.len(), other.len()), (33, 33));
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
