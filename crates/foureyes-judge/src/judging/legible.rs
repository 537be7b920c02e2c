//! What of a content a judge can read, and what that makes of its verdict: the same for a push, a task, files
//! of the command line or the console, and what a client sends to a service.

use super::{Evaluation, File, Item};
use crate::engine::legibility::Legibility;
use crate::engine::record::{Caveat, RecordCut, RecordError};
use crate::engine::verdict::{Kind, Verdict};
use std::borrow::Cow;
use std::fmt::Write;
use std::sync::Arc;

/// How the words begin by which a verdict is taken back.
const NOT_ALL: &str = "Not all of it is text";
/// Most files that a sentence names.
const MOST_NAMED: usize = 3;
/// Most characters of a path in a sentence.
const MOST_PATH: usize = 120;

/// The files of a content as a judge is shown them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Legible {
    /// The files: as they are, in UTF-8, or with a line in their place.
    pub files: Arc<[File]>,
    /// Those that are not, or not only, text.
    illegible: Vec<Illegible>,
    blank: usize,
}

/// A file that no judge can read, or not as it is.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Illegible {
    path: String,
    /// The words for "it is …".
    what: &'static str,
    /// Its bytes.
    bytes: usize,
    /// Bytes of the line in its place; `None` where it is shown all the same.
    instead: Option<usize>,
}

impl Legible {
    /// Looks at files.
    pub fn new(files: &Arc<[File]>) -> Self {
        let (mut shown, mut illegible, mut blank) = (Vec::new(), Vec::new(), 0);
        for (at, file) in files.iter().enumerate() {
            let note = |what, instead| Illegible {
                path: String::from_utf8_lossy(&file.path).chars().take(MOST_PATH).collect(),
                what,
                bytes: file.bytes.len(),
                instead,
            };
            let text = match Legibility::of(&file.bytes) {
                Legibility::Blank => {
                    blank += 1;
                    continue;
                }
                Legibility::Text(text) => text,
                Legibility::Partly(text, what) => {
                    illegible.push(note(what, None));
                    text
                }
                Legibility::None(what) => {
                    let line =
                        format!("[not shown: this file is {what}, {} bytes]\n", file.bytes.len());
                    illegible.push(note(what, Some(line.len())));
                    line.into_bytes().into()
                }
            };
            if let Cow::Owned(text) = text {
                shown.push((at, text));
            }
        }
        let files = match shown.is_empty() {
            true => Arc::clone(files),
            false => {
                let mut all = files.to_vec();
                for (at, bytes) in shown {
                    if let Some(file) = all.get_mut(at) {
                        file.bytes = bytes;
                    }
                }
                all.into()
            }
        };
        Self { files, illegible, blank }
    }

    /// Why nobody is asked, where no file has a text: as a record says it, and as a sentence.
    pub fn unasked(&self) -> Option<(RecordError, String)> {
        let hidden = self.hidden().count();
        match (hidden, hidden + self.blank) {
            (_, all) if all < self.files.len() || all == 0 => None,
            (0, 1) => Some((RecordError::Empty, "Not asked: the file is empty.".to_owned())),
            (0, _) => Some((RecordError::Empty, "Not asked: all files are empty.".to_owned())),
            _ => Some((
                RecordError::PromptMissing,
                format!("Not asked, as there is no text: {}.", self.named()),
            )),
        }
    }

    /// Whether all of it can be read: else no verdict passes it, not even one that was given before.
    pub fn is_all_text(&self) -> bool {
        self.illegible.is_empty()
    }

    /// What is no text, by name: `a.png is a PNG image`; of many files the first ones.
    pub fn named(&self) -> String {
        let mut out = String::new();
        for (at, file) in self.illegible.iter().take(MOST_NAMED).enumerate() {
            // Writing to a string does not fail.
            let _ = write!(out, "{}{} is {}", if at > 0 { ", " } else { "" }, file.path, file.what);
        }
        match self.illegible.len().saturating_sub(MOST_NAMED) {
            0 => out,
            more => format!("{out}, and {more} more"),
        }
    }

    fn hidden(&self) -> impl Iterator<Item = (&Illegible, usize)> {
        self.illegible.iter().filter_map(|file| Some((file, file.instead?)))
    }

    /// An item as a judge is shown it.
    pub(super) fn of_item(&self, item: &Item) -> Item {
        Item { files: Arc::clone(&self.files), ..item.clone() }
    }

    /// Has an evaluation of what was shown be one of the content: what nobody saw does not pass, and the cause
    /// is named. A service does the same, if it is no older one.
    pub(super) fn settle<V: Verdict>(
        &self,
        evaluation: &mut Evaluation<V>,
        kind: &Kind<V>,
        by_service: bool,
    ) {
        if !by_service {
            self.count(evaluation);
        }
        if self.illegible.is_empty() || evaluation.error.is_some() {
            return;
        }
        evaluation.note(Caveat::ContentCut);
        let is_said = !evaluation.verdict.passes() && evaluation.findings.starts_with(NOT_ALL);
        if !evaluation.verdict.fails() && !is_said {
            let passed = kind.word(evaluation.verdict);
            let named = self.named();
            let why = match evaluation.verdict.passes() {
                true => format!("{NOT_ALL}, so there is no {passed}: {named}."),
                false => format!("{NOT_ALL}: {named}."),
            };
            evaluation.take_back(None, &why);
        }
    }

    /// Counts the bytes of files that have a line in their place.
    fn count<V>(&self, evaluation: &mut Evaluation<V>) {
        let Some(content) = &mut evaluation.content else { return };
        for (file, instead) in self.hidden() {
            let instead = instead as u64;
            content.bytes = content.bytes.saturating_sub(instead) + file.bytes as u64;
            content.shown = content.shown.saturating_sub(instead);
            let cut = RecordCut { file: file.path.clone(), shown: 0, bytes: file.bytes as u64 };
            content.add_cut(cut);
        }
    }
}

impl Item {
    /// Its files as a judge is shown them.
    pub fn legible(&self) -> Legible {
        Legible::new(&self.files)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::verdict::{PUSH, PushVerdict};

    fn files(all: &[(&str, &[u8])]) -> Arc<[File]> {
        let file = |(path, bytes): &(&str, &[u8])| File {
            path: path.as_bytes().to_vec(),
            bytes: bytes.to_vec(),
        };
        all.iter().map(file).collect()
    }

    const PNG: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR\0\0\x01\xff\xfe\x90\x91";
    const VAULT: &[u8] = b"$ANSIBLE_VAULT;1.1;AES256\n62313365396662343061393464336163\n";

    #[test]
    fn content_without_a_text_is_asked_of_nobody() {
        let unasked = |all: &[(&str, &[u8])]| Legible::new(&files(all)).unasked();
        for blank in [b"".as_slice(), b" \n", b"\xef\xbb\xbf", b"\xff\xfe\n\0"] {
            let (error, why) = unasked(&[("a.md", blank)]).unwrap();
            assert_eq!(
                (error, why.as_str()),
                (RecordError::Empty, "Not asked: the file is empty.")
            );
            assert_eq!(unasked(&[("a.md", blank), ("b.md", b"\n")]).unwrap().0, RecordError::Empty);
            assert_eq!(unasked(&[("a.md", blank), ("b.md", b"text")]), None);
            let (error, why) = unasked(&[("a.md", blank), ("b.png", PNG)]).unwrap();
            assert_eq!(error, RecordError::PromptMissing);
            assert_eq!(why, "Not asked, as there is no text: b.png is a PNG image.");
        }
        assert_eq!(unasked(&[]), None, "no files are no empty ones");
        assert_eq!(unasked(&[("a.md", b"a\0 text of a few words")]), None);
        let all: Vec<_> = ["a", "b", "c", "d", "e"].map(|path| (path, VAULT)).to_vec();
        let why = unasked(&all).unwrap().1;
        assert!(why.ends_with("c is encrypted with Ansible Vault, and 2 more."), "{why}");
    }

    #[test]
    fn what_is_no_text_has_a_line_in_its_place() {
        let all = files(&[("a.md", b"text\n"), ("b.png", PNG), ("c.md", b"\xff\xfeh\0i\0")]);
        let legible = Legible::new(&all);
        let shown: Vec<_> = legible.files.iter().map(|file| file.bytes.clone()).collect();
        let line = format!("[not shown: this file is a PNG image, {} bytes]\n", PNG.len());
        assert_eq!(shown, [b"text\n".to_vec(), line.into_bytes(), b"hi".to_vec()]);
        let plain = files(&[("a.md", b"text\n"), ("b.md", b"")]);
        assert!(Arc::ptr_eq(&Legible::new(&plain).files, &plain), "what is text is not copied");
    }

    #[test]
    fn what_nobody_saw_does_not_pass() {
        let of = |all: &[(&str, &[u8])], verdict| {
            let legible = Legible::new(&files(all));
            let item = Item { files: files(all), ..Item::default() };
            let none = Evaluation::not_asked("m", &item, RecordError::Timeout, "fine");
            let mut evaluation = Evaluation { error: None, verdict, ..none };
            legible.settle(&mut evaluation, &PUSH, false);
            // A service that did the same has said so.
            legible.settle(&mut evaluation, &PUSH, true);
            (evaluation.verdict, evaluation.caveats, evaluation.findings)
        };
        let mixed: [(&str, &[u8]); 2] = [("a.md", b"text\n"), ("b.png", PNG)];
        let (verdict, caveats, findings) = of(&mixed, PushVerdict::Go);
        assert_eq!((verdict, caveats), (PushVerdict::Undetermined, vec![Caveat::ContentCut]));
        assert_eq!(
            findings,
            "Not all of it is text, so there is no GO: b.png is a PNG image. It said: fine"
        );
        let (verdict, caveats, findings) = of(&mixed, PushVerdict::NoGo);
        assert_eq!((verdict, findings.as_str()), (PushVerdict::NoGo, "fine"));
        assert_eq!(caveats, [Caveat::ContentCut]);
        let nul: [(&str, &[u8]); 1] = [("a.md", b"a\0 text of a few words")];
        assert_eq!(of(&nul, PushVerdict::Go).0, PushVerdict::Undetermined);
        assert_eq!(of(&nul, PushVerdict::NoGo).0, PushVerdict::NoGo);
        let text: [(&str, &[u8]); 2] = [("a.md", b"PNG and git-crypt\n"), ("b.md", b"")];
        assert_eq!(of(&text, PushVerdict::Go), (PushVerdict::Go, Vec::new(), "fine".to_owned()));
    }
}
