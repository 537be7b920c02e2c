//! What was judged and what the commit changed, coloured; or why it is not here.

use crate::content::highlight::Kind;
use crate::content::{
    Absence, Base, Content, DiffLine, FileContent, LineKind, Nowhere, State, Where,
};
use crate::domain::Record;
use crate::text::counted;
use crate::text::escape;
use crate::tui::link;
use crate::tui::model::{HighlightedContent, Load, Model};
use crate::tui::page::sheet::{SheetLine, Writer};
use crate::tui::screen::label;
use crate::tui::theme::Role;
use std::ops::Range;
use unicode_segmentation::UnicodeSegmentation;

/// The content at the commit.
pub(super) fn write(writer: &mut Writer, model: &Model, row: &Record) {
    let Some((highlighted, content)) = found(writer, model, row) else { return };
    if content.shown_hash().is_none() {
        label::warn_unseen(writer, model, row, true);
    }
    // Read out, the content is what is waited for: names and ids come behind it.
    let is_spoken = writer.glyphs.is_spoken;
    if !is_spoken {
        head(writer, content, model.hides_source_of(row.id));
    }
    for (i, file) in content.files.iter().enumerate() {
        if left_out(writer, content.files.len() - i) {
            break;
        }
        writer.gap();
        writer.stop();
        match content.files.len() {
            _ if !is_spoken => writer.linked_field("file", &file.path, address(content, file)),
            0 | 1 => {}
            all => writer.title(&format!("File {} of {all}", i + 1)),
        }
        absence(writer, file);
        if let State::Text { text, lossy, .. } = &file.state {
            if *lossy {
                writer.paragraph(Role::Warning, "invalid UTF-8 bytes were replaced");
            }
            let empty = Vec::new();
            let kinds = highlighted.kinds.get(i).unwrap_or(&empty);
            let taken = writer.take(text);
            for (number, line) in taken.lines().enumerate() {
                let kinds = kinds.get(number).map_or(&[][..], Vec::as_slice);
                numbered(writer, number + 1, line, kinds);
            }
            if taken.len() < text.len() {
                writer.cut();
            }
        }
        if is_spoken {
            writer.field("file", &file.path);
        }
    }
    if is_spoken {
        writer.gap();
        head(writer, content, model.hides_source_of(row.id));
    }
    foot(writer, model, content, model.hides_source_of(row.id));
}

/// What the commit changed.
pub(super) fn write_diff(writer: &mut Writer, model: &Model, row: &Record) {
    let Some((_, content)) = found(writer, model, row) else { return };
    head(writer, content, model.hides_source_of(row.id));
    for (i, file) in content.files.iter().enumerate() {
        if left_out(writer, content.files.len() - i) {
            break;
        }
        writer.gap();
        writer.linked_field("file", &file.path, address(content, file));
        if matches!(file.state, State::Binary { .. } | State::Absent(_)) {
            absence(writer, file);
        }
        if let Some(from) = &file.diff.from {
            writer.field("was", from);
        }
        if file.diff.lines.is_empty() {
            writer.paragraph(Role::Dim, "no difference");
        }
        for line in &file.diff.lines {
            let taken = writer.take(&line.text);
            if line.kind == LineKind::Hunk {
                writer.stop();
            }
            difference(writer, line, taken);
            if taken.len() < line.text.len() || writer.is_full() {
                writer.cut();
                break;
            }
        }
        if file.diff.cut {
            writer.paragraph(Role::Warning, "the diff is longer than what is shown here");
        }
    }
    foot(writer, model, content, model.hides_source_of(row.id));
}

/// What the commit changed, as text: each file's name, then its lines with their signs.
pub(super) fn unified(content: &Content) -> String {
    let mut text = String::new();
    for file in content.files.iter().filter(|file| !file.diff.lines.is_empty()) {
        let from = file.diff.from.as_ref().unwrap_or(&file.path);
        text.push_str(&format!("--- {from}\n+++ {}\n", file.path));
        for line in &file.diff.lines {
            let (sign, end) = match line.kind {
                LineKind::Hunk => ("@@ ", " @@"),
                LineKind::Context => (" ", ""),
                LineKind::Added => ("+", ""),
                LineKind::Removed => ("-", ""),
                LineKind::Note => ("\\ ", ""),
            };
            text.push_str(&format!("{sign}{}{end}\n", line.text));
        }
    }
    text
}

/// Says that files are left out, where long texts fill the sheet.
fn left_out(writer: &mut Writer, files: usize) -> bool {
    if writer.is_full() {
        writer.gap();
        let text = crate::tui::widget::counted(files, "more file is", "more files are");
        writer.paragraph(Role::Warning, &format!("{text} not shown: too long"));
    }
    writer.is_full()
}

/// What was got from git; where there is nothing, says why.
fn found<'a>(
    writer: &mut Writer,
    model: &'a Model,
    row: &Record,
) -> Option<(&'a HighlightedContent, &'a Content)> {
    if row.commit.is_none() {
        writer.paragraph(
            Role::Dim,
            "this record names no commit, so git cannot show what was judged",
        );
        label::warn_unseen(writer, model, row, true);
        return None;
    }
    match (&model.record.content.value, &model.record.content.load) {
        (Some(highlighted), _) => match &highlighted.content {
            Ok(content) => Some((highlighted, content)),
            Err(nowhere) => {
                label::warn_unseen(writer, model, row, true);
                missing(writer, nowhere);
                None
            }
        },
        (None, Load::Failed(problem)) => {
            writer.quote(Role::Error, &problem.text);
            writer.quote(Role::Text, &model.next_step(problem));
            None
        }
        (None, _) => {
            writer.paragraph(Role::Dim, "asking git…");
            None
        }
    }
}

fn missing(writer: &mut Writer, nowhere: &Nowhere) {
    writer.quote(Role::Warning, &nowhere.why.sentence());
    next_step(writer, &nowhere.why);
    if nowhere.tried.is_empty() {
        return;
    }
    writer.gap();
    writer.title("Searched in");
    for (place, why) in &nowhere.tried {
        writer.block(Role::Text, &format!("{}: {}", place_text(place), why.sentence()));
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

/// The commit in as few lines as it takes: the content is what is wanted. `bare`: without who
/// committed it and when.
fn head(writer: &mut Writer, content: &Content, bare: bool) {
    let id: String = content.commit.to_string().chars().take(10).collect();
    let time = content.time.map(|t| t.to_string()).unwrap_or_default();
    let time = time.get(..16).unwrap_or_default().replace('T', " ");
    let source = format!(" {time} ");
    let who: &[(Role, &str)] = match bare {
        true => &[],
        false => &[(Role::Dim, source.as_str()), (Role::Text, content.author.as_str())],
    };
    let ends = [(Role::Dim, ": "), (Role::Text, content.subject.as_str())];
    // Read out, a line begins with what it is about.
    let lead = if writer.glyphs.is_spoken { "commit " } else { "" };
    let id = [(Role::Dim, lead), (Role::Dim, id.as_str())];
    writer.parts(&[&id, who, &ends].concat());
    match &content.base {
        Base::Root => writer.paragraph(Role::Dim, "first commit: everything is new"),
        Base::Parent(_) => {}
        Base::FirstOf { parents, .. } => {
            let text = format!("merge of {parents}: diff against the first parent");
            writer.paragraph(Role::Dim, &text);
        }
        Base::Cut => {
            writer.paragraph(Role::Warning, "its parent is not in the clone, so there is no diff");
        }
    }
}

/// Where it was found, after all of it.
fn foot(writer: &mut Writer, model: &Model, content: &Content, bare: bool) {
    writer.gap();
    if content.left_out > 0 {
        writer.paragraph(
            Role::Warning,
            &format!("{} not shown", counted(content.left_out, "more file is", "more files are")),
        );
    }
    let commit = content.commit.to_string();
    let page = link::commit(model.facts.commit_url.as_deref(), &commit);
    writer.linked_field("commit", &commit, page);
    if !bare && content.committer != content.author {
        writer.field("committer", &content.committer);
    }
    writer.field("found in", &place_text(&content.source));
}

/// Where a file leads: to itself in the clone that it was found in.
fn address(content: &Content, file: &FileContent) -> Option<String> {
    match &content.source {
        Where::Clone(path) | Where::Fetched { path, .. } => link::file_in(path, &file.path),
        Where::Box { .. } => None,
    }
}

fn absence(writer: &mut Writer, file: &FileContent) {
    if let Some(absence) = file.state.absence() {
        writer.quote(Role::Warning, &absence.sentence());
        next_step(writer, &absence);
    }
    if let State::Link { target } = &file.state {
        writer.field("link to", target);
    }
}

/// A line of the content with its number, wrapped behind the gutter.
fn numbered(writer: &mut Writer, number: usize, line: &str, kinds: &[(Kind, Range<usize>)]) {
    let (start, later) = match writer.glyphs {
        glyphs if glyphs.is_spoken => ("   ".to_owned(), "   ".to_owned()),
        glyphs => {
            (format!("{number:>5} {} ", glyphs.gutter), format!("{:>5} {} ", "", glyphs.gutter))
        }
    };
    let room = writer.width().saturating_sub(escape::width(&start)).max(8);
    for (i, pieces) in wrapped(line, kinds, room).into_iter().enumerate() {
        let head = if i == 0 { start.clone() } else { later.clone() };
        let mut out: SheetLine = vec![(Role::LineNumber, head)];
        out.extend(pieces);
        writer.ready(out);
    }
}

/// Cuts a line into rows of so many columns, each of coloured pieces; between words where it can.
fn wrapped(line: &str, kinds: &[(Kind, Range<usize>)], room: usize) -> Vec<SheetLine> {
    let mut rows: Vec<SheetLine> = vec![Vec::new()];
    let mut used = 0;
    for (kind, text) in pieces(line, kinds) {
        // Tabs become spaces, and what is hostile becomes visible.
        let shown = escape::text(text);
        for word in shown.split_word_bounds() {
            let wide = escape::width(word);
            if used + wide > room && used > 0 && !word.trim().is_empty() {
                rows.push(Vec::new());
                used = 0;
            }
            used = push(&mut rows, role(kind), word, used, room);
        }
    }
    rows
}

/// Adds a word; one that is longer than a row goes on in the next.
fn push(rows: &mut Vec<SheetLine>, role: Role, word: &str, mut used: usize, room: usize) -> usize {
    for cluster in word.graphemes(true) {
        let wide = escape::width(cluster);
        if used + wide > room {
            rows.push(Vec::new());
            used = 0;
        }
        used += wide;
        let Some(row) = rows.last_mut() else { continue };
        match row.last_mut() {
            Some((last, text)) if *last == role => text.push_str(cluster),
            _ => row.push((role, cluster.to_owned())),
        }
    }
    used
}

/// The parts of a line, in order, without gaps.
fn pieces<'a>(line: &'a str, kinds: &[(Kind, Range<usize>)]) -> Vec<(Kind, &'a str)> {
    let mut out = Vec::new();
    let mut at = 0;
    for (kind, range) in kinds {
        let (from, to) = (range.start.max(at).min(line.len()), range.end.min(line.len()));
        if to <= from || !line.is_char_boundary(from) || !line.is_char_boundary(to) {
            continue;
        }
        if from > at {
            out.push((Kind::Plain, &line[at..from]));
        }
        out.push((*kind, &line[from..to]));
        at = to;
    }
    if at < line.len() {
        out.push((Kind::Plain, &line[at..]));
    }
    out
}

fn role(kind: Kind) -> Role {
    match kind {
        Kind::Plain => Role::Text,
        Kind::Keyword => Role::SyntaxKeyword,
        Kind::String => Role::SyntaxString,
        Kind::Comment => Role::SyntaxComment,
        Kind::Number => Role::SyntaxNumber,
        Kind::Function => Role::SyntaxFunction,
        Kind::Type => Role::SyntaxType,
        Kind::Heading => Role::SyntaxHeading,
        Kind::Link => Role::SyntaxLink,
        Kind::Emphasis => Role::SyntaxEmphasis,
    }
}

/// A line of the difference: its sign, its number, its text.
fn difference(writer: &mut Writer, line: &DiffLine, text: &str) {
    let (sign, role) = match line.kind {
        LineKind::Context => (" ", Role::Text),
        LineKind::Added => ("+", Role::Added),
        LineKind::Removed => ("-", Role::Removed),
        LineKind::Hunk => ("@", Role::Hunk),
        LineKind::Note => ("\\", Role::Dim),
    };
    if writer.glyphs.is_spoken {
        let word = match line.kind {
            LineKind::Context | LineKind::Note => "",
            LineKind::Added => "added: ",
            LineKind::Removed => "removed: ",
            LineKind::Hunk => "part: ",
        };
        return writer.block(role, &format!("{word}{text}"));
    }
    let number = line.new.or(line.old).map(|n| n.to_string()).unwrap_or_default();
    let gutter = writer.glyphs.gutter;
    let room = writer.width().saturating_sub(10).max(8);
    for (i, row) in wrapped(text, &[], room).into_iter().enumerate() {
        let number = if i == 0 { number.as_str() } else { "" };
        let head = format!("{number:>5} {gutter}");
        let mut out: SheetLine = vec![(Role::LineNumber, head), (role, format!("{sign} "))];
        out.extend(row.into_iter().map(|(_, text)| (role, text)));
        writer.ready(out);
    }
}

fn next_step(writer: &mut Writer, absence: &Absence) {
    if let Some(text) = absence.next_step() {
        writer.paragraph(Role::Text, text);
    }
}
