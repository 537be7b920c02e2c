//! The content of a question: what is shown of it, and how it is fenced in.

use super::clean::clean;
use super::share::shares;
use super::{BEGIN, END, signs};
use crate::text::mask::mask;
use std::borrow::Cow;
use std::fmt::Write;

/// Most files that are shown.
const MOST_FILES: usize = 1000;
/// Longest path that is shown, in characters.
const MOST_PATH: usize = 400;
/// Bytes of a file beyond those that may be shown that are looked at, so that no secret is cut in two.
const BEYOND: usize = 16 << 10;
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
}

/// How much is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Most bytes of content, paths and texts together.
    pub content_bytes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { content_bytes: 256 << 10 }
    }
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

impl Material<'_> {
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
    pub(super) cuts: Vec<Cut>,
    pub(super) masked: usize,
    pub(super) neutralised: usize,
    pub(super) lossy: usize,
    pub(super) injection: bool,
    pub(super) hidden: bool,
}

/// A file made ready, before it is known how much of it is shown.
struct Ready {
    path: String,
    text: String,
    /// Bytes of the file that the text stands for are not all there.
    short: bool,
}

impl Fenced {
    /// Fences content in with a mark.
    pub(super) fn of(material: &Material<'_>, mark: &str, limits: Limits) -> Self {
        let files = material.ordered();
        let bytes = files.iter().map(|file| file.bytes.len()).sum();
        let mut fenced = Self { bytes, ..Self::default() };
        let first = files.get(..MOST_FILES).unwrap_or(&files);
        // No more of a file is looked at than may be shown of it: there may be a thousand large ones.
        let sizes: Vec<usize> = first.iter().map(|f| f.path.len() + f.bytes.len()).collect();
        let most = shares(&sizes, limits.content_bytes);
        let ready: Vec<Ready> =
            first.iter().zip(most).map(|(file, most)| fenced.ready(file, mark, most)).collect();
        let sizes: Vec<usize> = ready.iter().map(|r| r.path.len() + r.text.len()).collect();
        let shares = shares(&sizes, limits.content_bytes);
        let _ = writeln!(fenced.text, "=== {BEGIN} {mark} ===");
        for (i, ((file, ready), share)) in files.iter().zip(&ready).zip(shares).enumerate() {
            let room = share.saturating_sub(ready.path.len());
            fenced.push(file, ready, room, (i + 1, files.len()), mark);
        }
        fenced.leave_out(files.get(MOST_FILES..).unwrap_or_default(), mark);
        let _ = writeln!(fenced.text, "=== {END} {mark} ===");
        fenced
    }

    fn ready(&mut self, file: &JudgedFile, mark: &str, most: usize) -> Ready {
        let looked_at = file.bytes.len().min(most.saturating_add(BEYOND));
        let bytes = file.bytes.get(..looked_at).unwrap_or_default();
        let short = looked_at < file.bytes.len();
        let text = String::from_utf8_lossy(bytes);
        // Where it was cut short, the last character may be half of one.
        let wrong =
            matches!(std::str::from_utf8(bytes), Err(e) if !short || e.error_len().is_some());
        self.lossy += usize::from(wrong);
        let path = lossy_path(file);
        self.injection |= signs::speaks_to_the_judge(&text) || signs::speaks_to_the_judge(&path);
        self.hidden |= has_hidden(&text);
        let mut text = self.harmless(&text, mark);
        if short {
            text.truncate(text.floor_char_boundary(text.len().saturating_sub(DOUBTFUL)));
        }
        let path: String = self.harmless(&path, mark).chars().take(MOST_PATH).collect();
        Ready { path: format!("{path:?}"), text, short }
    }

    /// A text without secrets, and without anything that could end the content.
    fn harmless(&mut self, text: &str, mark: &str) -> String {
        let (masked, secrets) = mask(text);
        let (clean, places) = clean(&masked, mark);
        self.masked += secrets;
        self.neutralised += places;
        match clean {
            Cow::Owned(clean) => clean,
            Cow::Borrowed(_) => masked.into_owned(),
        }
    }

    fn push(
        &mut self,
        file: &JudgedFile,
        ready: &Ready,
        room: usize,
        (number, count): (usize, usize),
        mark: &str,
    ) {
        let bytes = file.bytes.len();
        let end = ready.text.floor_char_boundary(room.min(ready.text.len()));
        let shown = ready.text.get(..end).unwrap_or_default();
        let out = &mut self.text;
        // Writing to a string does not fail.
        let _ =
            writeln!(out, "=== FILE {number} OF {count} {mark} === {}, {bytes} bytes", ready.path);
        out.push_str(shown);
        if !shown.is_empty() && !shown.ends_with('\n') {
            out.push('\n');
        }
        if !ready.short && end == ready.text.len() {
            // Masks and pictures change the length: what is there whole is shown whole.
            self.shown += bytes;
            return;
        }
        let shown = end.min(bytes);
        let _ = writeln!(
            out,
            "=== CUT {mark} === the rest of this file is not shown: {shown} of {bytes} bytes are"
        );
        self.shown += shown;
        self.cuts.push(Cut { path: lossy_path(file), shown, bytes });
    }

    fn leave_out(&mut self, files: &[&JudgedFile], mark: &str) {
        if files.is_empty() {
            return;
        }
        let _ =
            writeln!(self.text, "=== CUT {mark} === {} further files are not shown", files.len());
        let cut =
            |file: &&JudgedFile| Cut { path: lossy_path(file), shown: 0, bytes: file.bytes.len() };
        self.cuts.extend(files.iter().map(cut));
    }

    /// What the judge must know about what it sees, said outside the delimiters.
    pub(super) fn notes(&self, files: usize) -> String {
        let mut out = format!("It has {}, {} bytes in all.", counted(files, "file"), self.bytes);
        if !self.cuts.is_empty() {
            let cut = counted(self.cuts.len(), "file");
            let _ = write!(
                out,
                " {cut} did not fit and is or are cut, each where a line says so: what you cannot see you cannot judge."
            );
        }
        if self.masked > 0 {
            let _ = write!(
                out,
                " Secrets in it were replaced by [masked …] before you were asked: the masks are no defect."
            );
        }
        if self.lossy > 0 {
            let not = counted(self.lossy, "file");
            let _ = write!(out, " {not} with bytes that are no UTF-8, which show as \u{fffd}.");
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

fn counted(count: usize, noun: &str) -> String {
    if count == 1 { format!("1 {noun}") } else { format!("{count} {noun}s") }
}

/// Characters that show nothing, other than those that text needs.
fn has_hidden(text: &str) -> bool {
    let needed = |c: char| {
        matches!(c, '\n' | '\r' | '\t' | '\u{feff}' | '\u{200d}' | '\u{fe0e}' | '\u{fe0f}')
    };
    text.chars().any(|c| !needed(c) && crate::text::is_hidden(c))
}
