//! What was judged, and what the commit changed, as plain text.

use crate::content::{Absence, Base, Content, FileContent, LineKind, Nowhere, State, Where};
use crate::report::page::Page;
use crate::report::{Masking, Options, mask};
use crate::text::counted;
use std::borrow::Cow;
use std::io::{self, Write};

/// Writes the judged files as they are at the commit.
///
/// # Errors
/// Those of the writer.
pub fn write(out: &mut dyn Write, content: &Content, options: &Options) -> io::Result<()> {
    let mut page = Page::new(out, options);
    head(&mut page, content)?;
    for file in &content.files {
        page.field(0, "file:", &file.path)?;
        absence(&mut page, file.state.absence())?;
        match &file.state {
            State::Text { text, lossy, .. } => {
                if *lossy {
                    page.line(2, "invalid UTF-8 bytes were replaced")?;
                }
                page.block(2, "text:", &masked(text, options))?;
            }
            State::Link { target } => page.field(2, "a link to:", target)?,
            State::Binary { .. } | State::Deleted | State::Absent(_) => {}
        }
    }
    left_out(&mut page, content)
}

/// Writes what the commit changed in the judged files.
///
/// # Errors
/// Those of the writer.
pub fn write_diff(out: &mut dyn Write, content: &Content, options: &Options) -> io::Result<()> {
    let mut page = Page::new(out, options);
    head(&mut page, content)?;
    match &content.base {
        Base::Root => page.line(0, "first commit: everything is new")?,
        Base::Parent(_) => {}
        Base::FirstOf { parents, .. } => {
            let text = format!("merge of {parents}: diff against the first parent");
            page.line(0, &text)?;
        }
        Base::Cut => page.line(0, "its parent is not in the clone, so there is no diff")?,
    }
    for file in &content.files {
        page.field(0, "file:", &file.path)?;
        if matches!(file.state, State::Binary { .. } | State::Absent(_)) {
            absence(&mut page, file.state.absence())?;
        }
        difference(&mut page, file, options)?;
    }
    left_out(&mut page, content)
}

/// Writes why there is nothing to show, and where it was looked for.
///
/// # Errors
/// Those of the writer.
pub fn write_absence(out: &mut dyn Write, nowhere: &Nowhere, options: &Options) -> io::Result<()> {
    let mut page = Page::new(out, options);
    absence(&mut page, Some(nowhere.why.clone()))?;
    for (place, why) in &nowhere.tried {
        page.field(2, "looked in:", &format!("{}: {}", place_text(place), why.sentence()))?;
    }
    Ok(())
}

fn head(page: &mut Page<'_>, content: &Content) -> io::Result<()> {
    page.field(0, "commit:", &content.commit.to_string())?;
    page.field(0, "subject:", &content.subject)?;
    let author = Some(content.author.as_str()).filter(|author| !author.is_empty());
    page.maybe(0, "author:", author)?;
    page.field(0, "found in:", &place_text(&content.source))
}

fn absence(page: &mut Page<'_>, absence: Option<Absence>) -> io::Result<()> {
    let Some(absence) = absence else { return Ok(()) };
    page.field(2, "", &absence.sentence())?;
    page.maybe(2, "next:", absence.next_step())
}

/// Each line with its kind as a word's sign, which a screen reader says.
fn difference(page: &mut Page<'_>, file: &FileContent, options: &Options) -> io::Result<()> {
    let mut text = String::new();
    for line in &file.diff.lines {
        let sign = match line.kind {
            LineKind::Added => "+ ",
            LineKind::Removed => "- ",
            LineKind::Hunk => "@ ",
            _ => "  ",
        };
        text.push_str(sign);
        text.push_str(&line.text);
        text.push('\n');
    }
    match text.is_empty() {
        true => page.line(2, "no difference"),
        false => page.block(2, "difference:", &masked(&text, options)),
    }
}

fn left_out(page: &mut Page<'_>, content: &Content) -> io::Result<()> {
    match content.left_out {
        0 => Ok(()),
        more => {
            let files = counted(more, "more file is", "more files are");
            page.line(0, &format!("{files} not read at once"))
        }
    }
}

fn masked<'a>(text: &'a str, options: &Options) -> Cow<'a, str> {
    match options.masking {
        Masking::On => mask::mask(text).0,
        Masking::Off => Cow::Borrowed(text),
    }
}

fn place_text(place: &Where) -> String {
    match place {
        Where::Clone(path) => format!("clone {}", path.display()),
        Where::Fetched { path, remote } => {
            format!("clone {}, fetched from {remote}", path.display())
        }
        Where::Box { name, path } => format!("box {name}, {path}"),
    }
}
