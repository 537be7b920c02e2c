//! Long content in parts, each small enough to be shown whole.

use super::limits::Limits;
use super::material::{JudgedFile, MOST_FILES};
use std::ops::Range;

/// Bytes by which a piece of a file overlaps the one before it, at most.
const OVERLAP: usize = 1 << 10;
/// Of the bytes that may be shown a part is made of so much less: masks and blanks lengthen a text.
const SPARE: usize = 8;

/// A file, or a piece of one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Piece<'a> {
    pub(super) file: &'a JudgedFile,
    /// Its bytes of the file.
    pub(super) range: Range<usize>,
}

impl<'a> Piece<'a> {
    pub(super) fn whole(file: &'a JudgedFile) -> Self {
        Self { file, range: 0..file.bytes.len() }
    }

    pub(super) fn bytes(&self) -> &'a [u8] {
        self.file.bytes.get(self.range.clone()).unwrap_or_default()
    }

    pub(super) fn is_whole(&self) -> bool {
        self.range == (0..self.file.bytes.len())
    }
}

/// The content in as few parts as its size needs, in its order; nothing where it is one, or where it
/// would be more than may be made.
///
/// Files are cut at the ends of lines where they have some, and what is cut stands in both parts.
pub(super) fn parts<'a>(files: &[&'a JudgedFile], limits: Limits) -> Option<Vec<Vec<Piece<'a>>>> {
    let size = |file: &JudgedFile| file.path.len().saturating_add(file.bytes.len());
    let total = files.iter().fold(0_usize, |sum, file| sum.saturating_add(size(file)));
    let most = usize::try_from(limits.max_parts).unwrap_or(usize::MAX);
    let room = limits.content_bytes - limits.content_bytes / SPARE;
    if (total <= limits.content_bytes && files.len() <= MOST_FILES) || most < 2 {
        return None;
    }
    // Not even without any loss.
    if total / room.max(1) > most {
        return None;
    }
    let mut made: Vec<Vec<Piece<'a>>> = vec![Vec::new()];
    let mut left = room;
    for file in files {
        let mut from = 0;
        loop {
            let rest = file.bytes.len() - from;
            let full = made.last().is_none_or(|part| part.len() >= MOST_FILES);
            let fits = file.path.len() + rest <= left;
            // What fits into a part of its own is not cut.
            let own = file.path.len() + rest <= room && left < room;
            if full || (!fits && (own || left < room / 2)) {
                if made.len() >= most {
                    return None;
                }
                made.push(Vec::new());
                left = room;
                continue;
            }
            let end = match fits {
                true => file.bytes.len(),
                false => from + line_end(&file.bytes, from, left.checked_sub(file.path.len())?)?,
            };
            made.last_mut()?.push(Piece { file, range: from..end });
            left = left.saturating_sub(file.path.len() + (end - from));
            if end == file.bytes.len() {
                break;
            }
            from = overlap(&file.bytes, from, end);
        }
    }
    Some(made)
}

/// Bytes of a piece that ends with a line, or with a character where there is no line in its second
/// half; `None` where nothing fits.
fn line_end(bytes: &[u8], from: usize, most: usize) -> Option<usize> {
    let piece = bytes.get(from..from.checked_add(most)?)?;
    if piece.len() <= 2 * OVERLAP {
        return None;
    }
    let end = memchr::memrchr(b'\n', piece).map(|at| at + 1).filter(|at| *at > piece.len() / 2);
    Some(end.unwrap_or_else(|| character_end(piece)))
}

/// The end of the last whole character.
fn character_end(piece: &[u8]) -> usize {
    let back = piece.iter().rev().take(4).take_while(|byte| **byte & 0xc0 == 0x80).count();
    if back < 4 { piece.len() - back - 1 } else { piece.len() }
}

/// Where the next piece begins: with a line before the end of the last one, where there is one near.
fn overlap(bytes: &[u8], from: usize, end: usize) -> usize {
    let near = end.saturating_sub(OVERLAP).max(from + 1);
    let lines = bytes.get(near..end.saturating_sub(1)).unwrap_or_default();
    memchr::memchr(b'\n', lines).map_or(near, |at| near + at + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn file(path: &str, bytes: Vec<u8>) -> JudgedFile {
        JudgedFile { path: path.as_bytes().to_vec(), bytes }
    }

    fn limits(content_bytes: usize, max_parts: u32) -> Limits {
        Limits { content_bytes, max_parts, content_characters: None }
    }

    #[test]
    fn fitting_content_is_one_part_and_too_long_content_is_not_split() {
        let text = file("a", b"a line of text\n".repeat(4_000));
        assert_eq!(parts(&[&text], limits(70_000, 8)), None);
        assert_eq!(parts(&[&text], limits(5_000, 8)), None);
        assert_eq!(parts(&[&text], limits(30_000, 1)), None);
        assert_eq!(parts(&[&text], limits(30_000, 8)).unwrap().len(), 3);
    }

    #[test]
    fn file_is_split_at_line_ends_with_overlap_and_small_ones_whole() {
        let long = file("b", b"a line of text\n".repeat(3_000));
        let small = [file("a", b"short\n".to_vec()), file("c", b"x\n".repeat(5_000))];
        let made = parts(&[&small[0], &long, &small[1]], limits(30_000, 8)).unwrap();
        let pieces: Vec<&Piece<'_>> = made.iter().flatten().collect();
        assert!(pieces.iter().all(|p| p.bytes().ends_with(b"\n") && p.range.end > p.range.start));
        let of_long: Vec<_> = pieces.iter().filter(|p| p.file.path == b"b").collect();
        assert!(of_long.len() > 1 && of_long.iter().all(|p| p.bytes().starts_with(b"a line")));
        for pair in of_long.windows(2) {
            let common = pair[0].range.end - pair[1].range.start;
            assert!(common > 0 && common <= OVERLAP, "{common}");
        }
        assert!(pieces.iter().filter(|p| p.file.path != b"b").all(|p| p.is_whole()));
    }

    #[test]
    fn more_files_than_one_part_shows_are_shown_in_several() {
        let files: Vec<_> = (0..1_001).map(|i| file(&format!("{i:04}"), vec![b'x'])).collect();
        let all: Vec<&JudgedFile> = files.iter().collect();
        let made = parts(&all, limits(100_000, 8)).unwrap();
        assert_eq!(made.iter().map(Vec::len).collect::<Vec<_>>(), [1_000, 1]);
    }

    proptest! {
        #[test]
        fn parts_cover_every_byte_within_limit(
            files in proptest::collection::vec(
                (0_usize..20_000, any::<bool>()).prop_map(|(length, lines)| {
                    let line = if lines { "eine Zeile\n" } else { "\u{e9}\u{4e2d}" };
                    file("dir/a.md", line.repeat(length / line.len()).into_bytes())
                }),
                1..12,
            ),
            most in 8_000_usize..60_000,
        ) {
            let all: Vec<&JudgedFile> = files.iter().collect();
            let Some(made) = parts(&all, limits(most, 8)) else { return Ok(()) };
            prop_assert!((2..=8).contains(&made.len()));
            for part in &made {
                let size: usize = part.iter().map(|p| p.file.path.len() + p.bytes().len()).sum();
                prop_assert!(size <= most);
                prop_assert!(part.iter().all(|p| std::str::from_utf8(p.bytes()).is_ok() || !p.is_whole()));
            }
            let mut pieces = made.iter().flatten();
            for file in &all {
                let mut seen = 0;
                while seen < file.bytes.len() || file.bytes.is_empty() {
                    let piece = pieces.next().unwrap();
                    prop_assert!(std::ptr::eq(piece.file, *file) && piece.range.start <= seen);
                    seen = piece.range.end;
                    if file.bytes.is_empty() {
                        break;
                    }
                }
            }
        }
    }
}
