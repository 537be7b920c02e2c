//! An item: the verdict of a record and the new one, side by side where there is room.

use super::status::{self, money};
use super::{HIDDEN, UNCHANGED, compare, differ, is_hidden};
use crate::domain::review::{Dated, EntryId, Evaluated, Run};
use crate::domain::{Dimension, Record};
use crate::text::{escape, separated};
use crate::tui::model::{Load, Model, ShownRecord};
use crate::tui::page::sheet::{SheetLine, Writer};
use crate::tui::theme::{Role, Sign};
use crate::tui::widget::Pen;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

/// From so many columns on both are side by side.
pub(super) const BESIDE: usize = 100;

/// The lines of an item.
pub(super) fn lines(model: &Model, run: EntryId, at: usize, width: usize) -> Vec<SheetLine> {
    let rest = "the ledger has the whole of it".to_owned();
    let mut writer = Writer::new(width, model.glyphs, rest.clone());
    let Some((run, item)) = model.run(run).and_then(|r| Some((r, r.begun.what.items.get(at)?)))
    else {
        return writer.lines();
    };
    let Some(evaluated) = run.evaluation(at) else {
        unanswered(&mut writer, model, run, at);
        return writer.lines();
    };
    if is_hidden(model, item) {
        writer.paragraph(Role::Dim, HIDDEN);
        return writer.lines();
    }
    let Some(new) = status::shown(evaluated) else {
        writer.paragraph(Role::Error, "the entry in the ledger is not an evaluation");
        return writer.lines();
    };
    let old = model.runs.original.value.as_ref().and_then(|old| old.as_deref());
    let old = old.filter(|old| Some(old.row.id) == item.record);
    writer.title("What changed");
    compare::write(&mut writer, old.map(|old| &old.row), &new.row, &evaluated.what.prompt);
    if let Some(text) = super::comparison::earlier_outcome(model, run, at) {
        writer.field("then", &text);
    }
    missing(&mut writer, model, item.record.is_some(), old.is_some());
    writer.paragraph(Role::Dim, UNCHANGED);
    let mut lines = writer.lines();
    lines.push(Vec::new());
    lines.extend(sides(model, old, &new, evaluated, width, &rest));
    if let Some(old) = old {
        lines.extend(findings(model, &old.row, &new.row, width));
    }
    lines
}

/// Why the verdict of the record is not known.
fn missing(writer: &mut Writer, model: &Model, answers: bool, known: bool) {
    match (&model.runs.original.load, &model.runs.original.value) {
        _ if !answers => {
            writer.paragraph(Role::Dim, "A file on this machine: no record to compare with.");
        }
        _ if known => {}
        (Load::Failed(problem), _) => {
            writer.quote(Role::Error, &problem.text);
            writer.quote(Role::Text, &model.next_step(problem));
        }
        (_, Some(None)) => {
            writer.paragraph(Role::Warning, "The original record is not in the open logs.");
        }
        _ => writer.paragraph(Role::Dim, "reading the record…"),
    }
}

fn unanswered(writer: &mut Writer, model: &Model, run: &Run, at: usize) {
    let live = model.runs.live.as_ref().filter(|live| live.run.id() == run.id());
    let text = match (live.and_then(|live| live.items.get(at)), run.left(at)) {
        (_, Some(why)) => format!("It was not judged: {why}."),
        (Some(crate::tui::model::ItemState::Skipped(why)), None) => {
            format!("It was not judged: {why}.")
        }
        (Some(_), None) if model.runs.is_on() => "There is no answer yet.".to_owned(),
        _ => "There is no answer, and no reason was recorded.".to_owned(),
    };
    writer.quote(Role::Warning, &text);
}

/// Both evaluations: side by side, or one above the other.
fn sides(
    model: &Model,
    old: Option<&ShownRecord>,
    new: &ShownRecord,
    evaluated: &Dated<Evaluated>,
    width: usize,
    rest: &str,
) -> Vec<SheetLine> {
    let two_columns = width >= BESIDE && old.is_some();
    let half = if two_columns { (width - 3) / 2 } else { width };
    let side = |title: &str, shown: &ShownRecord, cost: Option<&Evaluated>| {
        let mut writer = Writer::new(half, model.glyphs, rest.to_owned());
        write_side(&mut writer, title, shown, cost);
        writer.lines()
    };
    let now = side("Now", new, Some(&evaluated.what));
    let Some(old) = old else { return now };
    let before = side("Before", old, None);
    if two_columns {
        return zip(before, now, half, model.glyphs.gutter);
    }
    let mut lines = before;
    lines.push(Vec::new());
    lines.extend(now);
    lines
}

/// Lines of two columns as lines of one.
pub(super) fn zip(
    left: Vec<SheetLine>,
    right: Vec<SheetLine>,
    width: usize,
    rule: &str,
) -> Vec<SheetLine> {
    let count = left.len().max(right.len());
    let mut left = left.into_iter();
    let mut right = right.into_iter();
    let one = |_| {
        let mut line = left.next().unwrap_or_default();
        let used: usize = line.iter().map(|(_, text)| escape::width(text)).sum();
        line.push((Role::Text, " ".repeat(width.saturating_sub(used))));
        line.push((Role::Border, format!(" {rule}")));
        line.extend(right.next().unwrap_or_default());
        line
    };
    (0..count).map(one).collect()
}

fn write_side(writer: &mut Writer, title: &str, shown: &ShownRecord, now: Option<&Evaluated>) {
    let row = &shown.row;
    let sign = Sign::of(row);
    writer.title(title);
    let time = row.timestamp.map(|t| t.to_string()).unwrap_or_else(|| "undated".to_owned());
    let text = writer.glyphs.sign(sign);
    writer.parts(&[(sign.role(), text), (Role::Text, "  "), (Role::Dim, &time)]);
    let scores = Dimension::ALL.map(|d| {
        let score = row.scores.usable(d).map_or("-".to_owned(), |score| score.to_string());
        format!("{} {score}", d.as_str())
    });
    writer.field("scores", &scores.join(", "));
    fields(writer, row);
    if let Some(now) = now {
        writer.field("question", &status::prompt(&now.prompt));
        let cost = now.cost.map_or("not known".to_owned(), money);
        writer.field("cost", &cost);
    }
    if shown.masked > 0 {
        writer.paragraph(Role::Warning, &format!("secrets masked: {}", shown.masked));
    }
    if !shown.hidden.is_empty() {
        let text = format!("hidden characters in: {}", shown.hidden.join(", "));
        writer.paragraph(Role::Hidden, &text);
    }
    if row.inconsistent {
        writer.paragraph(Role::Warning, "the model's own verdict differs from the rubric's");
    }
    if let Some(findings) = &row.findings {
        writer.title("Findings");
        writer.block(Role::Text, findings);
    }
    if !row.improvements.is_empty() {
        writer.title("Suggestions");
        for improvement in &row.improvements {
            let text = improvement.issue.as_deref().or(improvement.suggestion.as_deref());
            writer.block(Role::Text, &format!("- {}", text.unwrap_or_default()));
        }
    }
}

fn fields(writer: &mut Writer, row: &Record) {
    let texts = [
        ("error", row.error.as_deref()),
        ("judge", row.model.as_deref()),
        ("served by", row.served_model.as_deref()),
        ("prompt", row.prompt_sha.as_deref().map(compare::short)),
        ("content", row.content_sha.as_deref().map(compare::short)),
    ];
    for (label, text) in texts.into_iter().filter_map(|(label, text)| Some((label, text?))) {
        writer.field(label, text);
    }
    if let Some(ms) = row.latency_ms {
        writer.field("latency", &format!("{:.2} s", ms as f64 / 1000.0));
    }
    if let Some(usage) = &row.usage {
        let count = |n: Option<u64>| n.map_or("?".to_owned(), separated);
        let (prompt, completion) = (count(usage.prompt_tokens), count(usage.completion_tokens));
        writer.field("tokens", &format!("{prompt} in, {completion} out"));
    }
    let worth = |name: &str| matches!(name, "caveats" | "answer");
    for (name, value) in row.extra.iter().filter(|(name, _)| worth(name)) {
        let words = |list: &Vec<serde_json::Value>| {
            list.iter().filter_map(|word| word.as_str()).collect::<Vec<_>>().join(", ")
        };
        let text = value.as_array().map(words).or_else(|| value.as_str().map(str::to_owned));
        let text = text.unwrap_or_else(|| value.to_string());
        writer.field(name, &text);
    }
}

/// What differs in the findings.
fn findings(model: &Model, old: &Record, new: &Record, width: usize) -> Vec<SheetLine> {
    let text = |row: &Record| row.findings.clone().unwrap_or_default();
    let (old, new) = (text(old), text(new));
    let title = match old == new {
        true => " Findings: identical",
        false => " Findings: changes  [-before-] {+now+}",
    };
    let mut lines = vec![Vec::new(), vec![(Role::Title, title.to_owned())]];
    if old != new {
        let gutter = format!(" {} ", model.glyphs.gutter);
        lines.extend(differ::lines(&old, &new, width, &gutter));
    }
    lines
}

/// Draws the item.
pub(super) fn draw(
    model: &Model,
    run: &Run,
    at: usize,
    pen: &Pen<'_>,
    buffer: &mut Buffer,
    body: Rect,
) {
    let items = &run.begun.what.items;
    let item = items.get(at);
    let commit = item.and_then(|item| item.commit.as_deref()).unwrap_or_default();
    let file = item.and_then(|item| item.files.first()).map_or("", String::as_str);
    let commit: String = commit.chars().take(8).collect();
    let words = match &run.begun.what.task {
        Some(task) => format!(" Task {} {commit} {file} ", task.id),
        None => format!(" Item {} of {} {commit} {file} ", at + 1, items.len()),
    };
    let heading = crate::tui::widget::fit(&words, usize::from(body.width.saturating_sub(16)));
    pen.heading(buffer, body, true, &pen.line([(Role::Title, heading.as_str())]));
    let inside = Rect { y: body.y + 1, height: body.height.saturating_sub(1), ..body };
    let lines = &model.runs.sheet.lines;
    let room = usize::from(inside.height);
    let scroll = model.runs.scroll.min(lines.len().saturating_sub(room));
    if lines.len() > room && room > 0 {
        let place = format!(" {}-{}/{} ", scroll + 1, scroll + room, lines.len());
        pen.put_right(buffer, body, 0, &pen.line([(Role::Dim, place.as_str())]));
    }
    for (row, line) in lines.iter().skip(scroll).take(room).enumerate() {
        let parts = line.iter().map(|(role, text)| Span::styled(text.as_str(), pen.style(*role)));
        pen.put(buffer, inside, row as u16, &Line::from(parts.collect::<Vec<_>>()));
    }
}
