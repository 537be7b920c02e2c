//! The content of a question: what is shown of it, and how it is fenced in.

use super::fence::{self, Harmless};
use super::limits::Limits;
use super::parts::{Piece, parts};
use super::section::{Section, SectionKind};
use super::share::shares;
use super::signs;
use crate::engine::legibility::is_blank;
use crate::text::counted;
use std::fmt::Write;

/// Most files that are shown.
pub(super) const MOST_FILES: usize = 1000;
/// Longest path that is shown, in characters.
const MOST_PATH: usize = 400;
/// Bytes of a file beyond those that may be shown that are looked at, so that no secret is cut in two.
const BEYOND: usize = 16 << 10;
/// Bytes behind what is shown that are searched for signs that the content speaks to its judge.
const SEARCHED: usize = 8 << 20;
/// Bytes by which such a search overlaps what was looked at before.
const OVERLAP: usize = 512;
/// Bytes at the end of a file cut short that are not shown, since they may be half of a secret.
const DOUBTFUL: usize = 1 << 10;

/// A file as it is judged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JudgedFile {
    /// Its path in the repository, as git has it: any bytes.
    pub path: Vec<u8>,
    /// Its bytes.
    pub bytes: Vec<u8>,
}

/// What is judged together.
#[derive(Debug, Clone, Copy)]
pub struct Material<'a> {
    /// The files, in any order.
    pub files: &'a [JudgedFile],
    /// Texts beside the files, in the order in which they are shown: before them, and in every part.
    pub sections: &'a [Section],
}

/// What was not shown of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cut {
    /// The file's path; what is no UTF-8 in it is replaced.
    pub path: String,
    /// Bytes that are shown.
    pub shown: usize,
    /// Bytes of the file.
    pub bytes: usize,
}

impl<'a> Material<'a> {
    /// Files alone.
    pub fn new(files: &'a [JudgedFile]) -> Self {
        Self { files, sections: &[] }
    }

    /// In how many parts it is judged: 1 where it is shown at once, whole or cut.
    pub fn parts(&self, limits: Limits) -> usize {
        let files = self.ordered();
        parts(&files, limits.in_bytes(&files)).map_or(1, |parts| parts.len())
    }

    /// Bytes of all files.
    pub fn bytes(&self) -> usize {
        self.files.iter().map(|file| file.bytes.len()).sum()
    }

    /// The files by their paths: the order in which they are shown and hashed.
    fn ordered(&self) -> Vec<&JudgedFile> {
        let mut files: Vec<&JudgedFile> = self.files.iter().collect();
        files.sort_by(|a, b| a.path.cmp(&b.path).then_with(|| a.bytes.cmp(&b.bytes)));
        files
    }

    /// BLAKE3 over paths and bytes with their lengths, in the order of the paths, in hexadecimal
    /// digits: the same for the same content, whatever is shown of it.
    pub fn sha(&self) -> String {
        let mut hasher = blake3::Hasher::new();
        let mut part = |bytes: &[u8]| {
            hasher.update(&(bytes.len() as u64).to_le_bytes());
            hasher.update(bytes);
        };
        for file in self.ordered() {
            part(&file.path);
            part(&file.bytes);
        }
        hasher.finalize().to_hex().to_string()
    }

    /// The paths, in order; what is no UTF-8 in them is replaced.
    pub fn paths(&self) -> Vec<String> {
        self.ordered().iter().map(|file| lossy_path(file)).collect()
    }
}

fn lossy_path(file: &JudgedFile) -> String {
    String::from_utf8_lossy(&file.path).into_owned()
}

/// The content as it is sent, and what was done to it.
#[derive(Debug, Default)]
pub(super) struct Fenced {
    /// Between the delimiters, with them.
    pub(super) text: String,
    pub(super) bytes: usize,
    pub(super) shown: usize,
    /// What stands before the files.
    pub(super) sections: Vec<SectionKind>,
    /// Which part it is, and of how many, where it is one of several.
    pub(super) part: Option<(usize, usize)>,
    pub(super) cuts: Vec<Cut>,
    pub(super) masked: usize,
    pub(super) neutralised: usize,
    pub(super) lossy: usize,
    /// Files of which nothing shows.
    pub(super) blank: usize,
    pub(super) injection: bool,
    pub(super) hidden: bool,
    /// Bytes behind what is shown that were searched.
    pub(super) searched: usize,
}

/// A file made ready, before it is known how much of it is shown.
struct Ready {
    path: String,
    /// Its text, or what it begins with.
    head: String,
    /// What it ends with, where not all of it is there.
    tail: Option<String>,
}

impl Ready {
    fn size(&self) -> usize {
        self.path.len() + self.head.len() + self.tail.as_ref().map_or(0, String::len)
    }
}

impl Fenced {
    /// Fences content in with a mark: all of it, cut where it does not fit, or one of its parts.
    pub(super) fn new(
        material: &Material<'_>,
        part: Option<usize>,
        mark: &str,
        limits: Limits,
    ) -> Self {
        let files = material.ordered();
        let limits = limits.in_bytes(&files);
        let made = part.and_then(|number| Some((number, parts(&files, limits)?)));
        let (part, pieces) = match made {
            Some((number, made)) => {
                let count = made.len();
                (Some((number + 1, count)), made.into_iter().nth(number).unwrap_or_default())
            }
            None => (None, files.iter().map(|file| Piece::whole(file)).collect()),
        };
        let bytes = pieces.iter().map(|piece| piece.bytes().len()).sum();
        let blank =
            pieces.iter().filter(|piece| piece.is_whole() && is_blank(piece.bytes())).count();
        let mut fenced = Self { bytes, part, blank, ..Self::default() };
        let first = pieces.get(..MOST_FILES).unwrap_or(&pieces);
        // No more of a file is looked at than may be shown of it: there may be a thousand large ones.
        let sizes: Vec<usize> = first.iter().map(|p| p.file.path.len() + p.bytes().len()).collect();
        let most = shares(&sizes, limits.content_bytes);
        let ready: Vec<Ready> =
            first.iter().zip(most).map(|(piece, most)| fenced.ready(piece, mark, most)).collect();
        let sizes: Vec<usize> = ready.iter().map(Ready::size).collect();
        let shares = shares(&sizes, limits.content_bytes);
        let _ = writeln!(fenced.text, "{}", fence::begin(mark));
        let count = material.sections.len();
        for (i, section) in material.sections.iter().enumerate() {
            fenced.section(section, (i + 1, count), mark);
        }
        for (i, ((piece, ready), share)) in pieces.iter().zip(&ready).zip(shares).enumerate() {
            let room = share.saturating_sub(ready.path.len());
            fenced.push(piece, ready, room, (i + 1, pieces.len()), mark);
        }
        fenced.leave_out(pieces.get(MOST_FILES..).unwrap_or_default(), mark);
        let _ = writeln!(fenced.text, "{}", fence::end(mark));
        fenced
    }

    /// Adds a text beside the files: it is data like them.
    fn section(&mut self, section: &Section, (number, count): (usize, usize), mark: &str) {
        let (title, bytes) = (section.kind.title(), section.text.len());
        let _ =
            writeln!(self.text, "=== TEXT {number} OF {count} {mark} === {title}, {bytes} bytes");
        let shown = section.text.floor_char_boundary(Section::MOST_BYTES);
        let text = self.text(section.text.get(..shown).unwrap_or_default().as_bytes(), mark, false);
        self.put(&text);
        if shown < bytes {
            self.search(section.text.get(shown..).map(str::as_bytes));
            let _ = writeln!(self.text, "=== CUT {mark} === its end is not shown");
            self.cuts.push(Cut { path: title.to_owned(), shown, bytes });
        }
        self.sections.push(section.kind);
    }

    fn ready(&mut self, piece: &Piece<'_>, mark: &str, most: usize) -> Ready {
        let path = lossy_path(piece.file);
        self.injection |= signs::speaks_to_the_judge(&path);
        let bytes = piece.bytes();
        let (head, tail) =
            match bytes.len() <= most.saturating_add(BEYOND) {
                true => (self.text(bytes, mark, false), None),
                false => {
                    let each = most / 2 + BEYOND;
                    let begins = character_start(bytes, bytes.len().saturating_sub(each));
                    let head = bytes.get(..each.min(begins)).unwrap_or_default();
                    self.search(bytes.get(
                        head.len().saturating_sub(OVERLAP)..(begins + OVERLAP).min(bytes.len()),
                    ));
                    let mut head = self.text(head, mark, true);
                    head.truncate(head.floor_char_boundary(head.len().saturating_sub(DOUBTFUL)));
                    let mut tail = self.text(bytes.get(begins..).unwrap_or_default(), mark, false);
                    tail.drain(..tail.ceil_char_boundary(DOUBTFUL.min(tail.len())));
                    (head, Some(tail))
                }
            };
        let path: String = self.harmless(&path, mark).chars().take(MOST_PATH).collect();
        Ready { path: format!("{path:?}"), head, tail }
    }

    /// Bytes as a text that may be shown. Where they are `cut`, their last character may be half of one.
    fn text(&mut self, bytes: &[u8], mark: &str, cut: bool) -> String {
        let text = String::from_utf8_lossy(bytes);
        let wrong = matches!(std::str::from_utf8(bytes), Err(e) if !cut || e.error_len().is_some());
        self.lossy += usize::from(wrong);
        self.injection |= signs::speaks_to_the_judge(&text);
        self.hidden |= has_hidden(&text);
        self.harmless(&text, mark)
    }

    /// Looks for signs in bytes that are not shown.
    fn search(&mut self, rest: Option<&[u8]>) {
        let rest = rest.unwrap_or_default();
        let room = SEARCHED.saturating_sub(self.searched);
        let rest = rest.get(..room).unwrap_or(rest);
        if self.injection || rest.is_empty() {
            return;
        }
        self.searched += rest.len();
        self.injection = signs::speaks_to_the_judge(&String::from_utf8_lossy(rest));
    }

    /// A text without secrets, and without anything that could end the content.
    fn harmless(&mut self, text: &str, mark: &str) -> String {
        let Harmless { text, masked, neutralised } = fence::harmless(text, mark);
        self.masked += masked;
        self.neutralised += neutralised;
        text
    }

    fn push(
        &mut self,
        piece: &Piece<'_>,
        ready: &Ready,
        room: usize,
        (number, count): (usize, usize),
        mark: &str,
    ) {
        let bytes = piece.bytes().len();
        let of = match piece.is_whole() {
            true => format!("{bytes} bytes"),
            false => format!(
                "bytes {} to {} of {}",
                piece.range.start,
                piece.range.end,
                piece.file.bytes.len()
            ),
        };
        // Writing to a string does not fail.
        let _ = writeln!(self.text, "=== FILE {number} OF {count} {mark} === {}, {of}", ready.path);
        if ready.tail.is_none() && ready.head.len() <= room {
            self.put(&ready.head);
            // Masks and pictures change the length: what is there whole is shown whole.
            self.shown += bytes;
            return;
        }
        let end = ready.head.floor_char_boundary((room / 2).min(ready.head.len()));
        let head = ready.head.get(..end).unwrap_or_default();
        let tail = ready.tail.as_ref().unwrap_or(&ready.head);
        let start = tail.ceil_char_boundary(tail.len().saturating_sub(room / 2));
        let tail = tail.get(start..).unwrap_or_default();
        let shown = (head.len() + tail.len()).min(bytes);
        self.put(head);
        let _ = writeln!(
            self.text,
            "=== CUT {mark} === the middle of this file is not shown: {shown} of {bytes} bytes are"
        );
        self.put(tail);
        self.shown += shown;
        self.cuts.push(Cut { path: lossy_path(piece.file), shown, bytes });
    }

    /// Adds a text, and the end of its last line.
    fn put(&mut self, text: &str) {
        self.text.push_str(text);
        if !text.is_empty() && !text.ends_with('\n') {
            self.text.push('\n');
        }
    }

    fn leave_out(&mut self, pieces: &[Piece<'_>], mark: &str) {
        if pieces.is_empty() {
            return;
        }
        let count = pieces.len();
        let _ = writeln!(self.text, "=== CUT {mark} === {count} further files are not shown");
        for piece in pieces {
            self.search(Some(piece.bytes()));
        }
        let cut = |piece: &Piece<'_>| Cut {
            path: lossy_path(piece.file),
            shown: 0,
            bytes: piece.bytes().len(),
        };
        self.cuts.extend(pieces.iter().map(cut));
    }

    /// What the judge must know about what it sees, said outside the delimiters.
    pub(super) fn notes(&self, files: usize) -> String {
        let mut out =
            format!("It has {}, {} bytes in all.", counted(files, "file", "files"), self.bytes);
        out.push_str(&SectionKind::introduction(&self.sections));
        if let Some((number, count)) = self.part {
            let _ = write!(
                out,
                " This is part {number} of {count}; the other parts are judged separately. Judge this part by what is in it, and do not lower a score for what another part may hold."
            );
        }
        if !self.cuts.is_empty() {
            let cut = counted(self.cuts.len(), "file", "files");
            let _ = write!(
                out,
                " {cut} did not fit. Of each only the beginning and the end are shown, or nothing, and a line says so: what you cannot see you cannot judge."
            );
        }
        if self.masked > 0 {
            let _ = write!(
                out,
                " Secrets in it were replaced by [masked …] before you were asked: the masks are no defect."
            );
        }
        if self.lossy > 0 {
            let not = counted(self.lossy, "file", "files");
            let _ = write!(out, " {not} with bytes that are no UTF-8, which show as \u{fffd}.");
        }
        if self.blank > 0 {
            let empty = if self.blank == 1 { "file is" } else { "files are" };
            let _ = write!(out, " {} {empty} empty.", self.blank);
        }
        if self.neutralised > 0 {
            let _ = write!(
                out,
                " Where it had delimiters or control characters, blanks or pictures stand in them."
            );
        }
        out
    }
}

/// The first byte from here on that begins a character.
fn character_start(bytes: &[u8], from: usize) -> usize {
    let rest = bytes.get(from..).unwrap_or_default();
    from + rest.iter().take(3).take_while(|byte| **byte & 0xc0 == 0x80).count()
}

/// Characters that show nothing, other than those that text needs.
fn has_hidden(text: &str) -> bool {
    let needed = |c: char| {
        matches!(c, '\n' | '\r' | '\t' | '\u{feff}' | '\u{200d}' | '\u{fe0e}' | '\u{fe0f}')
    };
    text.chars().any(|c| !needed(c) && crate::text::is_hidden(c))
}
