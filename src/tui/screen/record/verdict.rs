//! The verdict.

use super::rounds;
use crate::answers::record_fields;
use crate::domain::review::Word;
use crate::domain::{Dimension, Improvement, Origin, Record, Section, Value};
use crate::engine::task_question::{KnownQuestion, NO_ACCEPTANCE};
use crate::report::words;
use crate::tui::action::Action;
use crate::tui::keymap::Context;
use crate::tui::link;
use crate::tui::model::{Model, ShownRecord};
use crate::tui::page::sheet::Writer;
use crate::tui::screen::{claims, label, overrides};
use crate::tui::theme::{Role, Sign};

/// Files that are named; all of them are on the tab of the content.
const FILES: usize = 200;

/// What is not the judge's word: what was judged, and whose it is.
pub(super) fn write_hidden(writer: &mut Writer, model: &Model, shown: &ShownRecord) {
    let row = &shown.row;
    // The date would mark what comes back, and the author reveals much.
    let bare = model.hides_source_of(row.id);
    let time = if bare { String::new() } else { moment(row) };
    writer.parts(&[
        (Role::Dim, label::HIDDEN),
        (Role::Text, "  "),
        (Role::Text, &time),
        (Role::Dim, "  "),
        (Role::Dim, &row.box_name),
    ]);
    if let Some(task) = &row.task_id {
        writer.field("task", task);
    }
    files(writer, row);
    write_question(writer, model, row);
    writer.gap();
    writer.paragraph(Role::Dim, "The verdict is hidden until you have saved your label.");
    writer.gap();
    writer.title("Details");
    let fields = [("commit", &row.commit), ("author", &row.author), ("content", &row.content_sha)];
    for (name, text) in fields {
        if let Some(text) = text.as_ref().filter(|_| !(bare && name == "author")) {
            writer.linked_field(name, text, address(model, name, text));
        }
    }
    writer.field("id", &row.id.to_string());
}

/// What was said on it, and what it is an answer to.
pub(super) fn write_question(writer: &mut Writer, model: &Model, row: &Record) {
    label::write(writer, model, row);
    question(writer, model);
}

/// When it was judged, as far as that is known.
fn moment(row: &Record) -> String {
    let time = row.timestamp.map(|t| t.to_string()).or_else(|| row.timestamp_text.clone());
    time.unwrap_or_else(|| "undated".to_owned())
}

fn files(writer: &mut Writer, row: &Record) {
    for (i, file) in row.files.iter().enumerate() {
        if i == FILES {
            let more = crate::tui::widget::counted(row.files.len() - i, "more file", "more files");
            writer.paragraph(Role::Dim, &more);
            break;
        }
        writer.field(if i == 0 { "files" } else { "" }, file);
    }
}

pub(super) fn write(writer: &mut Writer, model: &Model, shown: &ShownRecord) {
    let row = &shown.row;
    head(writer, model, row);
    stopped(writer, model, row);
    label::write(writer, model, row);
    overrides::write(writer, model, row);
    badges(writer, shown);
    scores(writer, row);
    findings(writer, row);
    question(writer, model);
    writer.gap();
    details(writer, model, row);
    if !row.extra.is_empty() {
        writer.gap();
        writer.title("Other fields");
        for (name, value) in record_fields::extra(row) {
            writer.block(Role::Text, &format!("{name}: {value}"));
            if writer.is_full() {
                break;
            }
        }
    }
    writer.gap();
    origins(writer, row);
}

/// What it is about, and why there is no decision: what is read first.
fn head(writer: &mut Writer, model: &Model, row: &Record) {
    let sign = Sign::of(row);
    let time = moment(row);
    let sign_text = writer.glyphs.sign(sign);
    writer.parts(&[
        (sign.role(), sign_text),
        (Role::Text, "  "),
        (Role::Text, &time),
        (Role::Dim, "  "),
        (Role::Dim, &row.box_name),
    ]);
    if let Some(verdict) = record_fields::other_verdict(row) {
        writer.field("verdict", verdict);
    }
    if let Some(task) = &row.task_id {
        let round =
            row.round.filter(|r| *r > 0).map(|r| format!(", round {r}")).unwrap_or_default();
        writer.field("task", &format!("{task}{round}"));
    }
    if let Some(decision) = rounds::decision(row) {
        writer.field("decision", &decision);
    }
    if let Some(reason) = rounds::reason(row) {
        writer.field("reason", reason);
    }
    claims::write(writer, model, row);
    files(writer, row);
    if let Some(cause) = row.cause {
        writer.field("cause", cause.as_str());
    }
    if let Some(error) = &row.error {
        writer.field("error", error);
    }
    if row.inconsistent {
        writer.paragraph(Role::Warning, "the model's own verdict differs from the rubric's");
    }
}

/// That it stopped a push on which nobody decided, and what is due where the reviewer finds the content acceptable.
fn stopped(writer: &mut Writer, model: &Model, row: &Record) {
    let is_decided = model.labels.overrides(row.id).iter().any(|one| one.counts);
    if !row.is_stopped() || is_decided {
        return;
    }
    let own = model.saved_label(row.id).map(|given| given.label.label);
    let key = model.keymap.hint(Context::List, Action::Override);
    let due = match (own, key) {
        (Some(Word::Acceptable), Some(key)) => {
            format!("stopped · your label: acceptable · {key} lets this content pass")
        }
        _ => "stopped: the push was refused".to_owned(),
    };
    writer.parts(&[(Role::NoGo, model.glyphs.stopped), (Role::Text, " "), (Role::Text, &due)]);
}

/// What the task was, once it was read; or why nobody here knows.
fn question(writer: &mut Writer, model: &Model) {
    let details = model.record.details.value.as_ref();
    let Some(known) = details.and_then(|details| details.question.as_ref()) else { return };
    writer.gap();
    let is_one = matches!(known, KnownQuestion::Kept(held) if held.question.is_one_text());
    writer.title(if is_one { "Question and acceptance criteria" } else { "Question" });
    let KnownQuestion::Kept(held) = known else {
        writer.paragraph(Role::Dim, &known.absence().unwrap_or_default());
        return;
    };
    writer.block(Role::Text, &held.question.description);
    if !is_one {
        writer.gap();
        writer.title("Acceptance criteria");
        match &held.question.acceptance {
            Some(acceptance) => writer.block(Role::Text, acceptance),
            None => writer.paragraph(Role::Dim, NO_ACCEPTANCE),
        }
    }
    if held.masked > 0 {
        let text =
            crate::tui::widget::counted(held.masked, "secret is masked", "secrets are masked");
        writer.paragraph(Role::Dim, &text);
    }
}

/// Fields that are above, or in a way of their own.
const ELSEWHERE: [&str; 6] = ["task_id", "files", "round", "average", "decision", "consensus"];

/// Who wrote and who judged, and all else that the record has.
fn details(writer: &mut Writer, model: &Model, row: &Record) {
    writer.title("Details");
    let fields = [Section::Subject, Section::Details].into_iter().flat_map(|of| row.section(of));
    for (field, value) in fields.filter(|(field, _)| !ELSEWHERE.contains(&field.name)) {
        if let Some(text) = record_fields::value(field, value) {
            let text = text.raw();
            writer.linked_field(field.label, &text, address(model, field.name, &text));
        }
    }
    writer.field("id", &row.id.to_string());
}

/// Where a field leads: a commit to its page.
fn address(model: &Model, name: &str, text: &str) -> Option<String> {
    link::commit(model.facts.commit_url.as_deref(), text).filter(|_| name == "commit")
}

/// What cannot be seen in the texts.
fn badges(writer: &mut Writer, shown: &ShownRecord) {
    if !shown.hidden.is_empty() {
        let text = format!("hidden characters in: {}", shown.hidden.join(", "));
        writer.paragraph(Role::Hidden, &text);
    }
    if shown.masked > 0 {
        writer.paragraph(Role::Warning, &format!("secrets masked: {}", shown.masked));
    }
}

/// A bar a dimension, on the scale from 1 to 5.
fn scores(writer: &mut Writer, row: &Record) {
    let has_scores = !row.scores.is_empty() || row.average.is_some();
    // A person does not score: the zeros of an override are no scores.
    if !has_scores || row.outcome.is_none() {
        return;
    }
    writer.gap();
    let width = writer.width().saturating_sub(24).min(20) as u16;
    for dimension in Dimension::ALL {
        let Some(score) = row.scores.get(dimension) else {
            writer.parts(&[(Role::Dim, &format!("{:<10} -", dimension.as_str()))]);
            continue;
        };
        let usable = row.scores.usable(dimension);
        let bar = usable.map(|v| writer.glyphs.bar(f64::from(v) / 5.0, width)).unwrap_or_default();
        let odd = if usable.is_none() { "outside 1 to 5" } else { "" };
        writer.parts(&[
            (Role::Dim, &format!("{:<10} ", dimension.as_str())),
            (Role::Text, &format!("{:<4} ", score.to_string())),
            (Role::Gauge, &bar),
            (Role::Warning, odd),
        ]);
    }
    if let Some(average) = row.average {
        writer.parts(&[(Role::Dim, "average    "), (Role::Text, &average.to_string())]);
    }
}

/// Findings, suggestions, a person's reason: in full, under a title each.
fn findings(writer: &mut Writer, row: &Record) {
    // Why a person decides is above, in a sentence.
    let above = rounds::reason(row).map(|_| "reason");
    let fields = row.section(Section::Findings);
    for (field, value) in fields.filter(|(field, _)| Some(field.name) != above) {
        writer.gap();
        if matches!(value, Value::Text(_)) {
            writer.stop();
        }
        writer.title(&words::capitalized(field.label));
        match value {
            Value::Text(text) => writer.block(Role::Text, text),
            Value::Improvements(all) => improvements(writer, all),
            Value::Texts(texts) => texts.iter().for_each(|text| {
                writer.stop();
                writer.block(Role::Text, text);
            }),
            value => {
                if let Some(shown) = record_fields::value(field, value) {
                    writer.block(Role::Warning, &shown.raw());
                }
            }
        }
    }
}

/// What a judge wants changed, one below the other.
pub(super) fn improvements(writer: &mut Writer, all: &[Improvement]) {
    for improvement in all {
        writer.stop();
        writer.block(Role::Text, &suggestion(improvement));
        if writer.is_full() {
            break;
        }
    }
}

fn suggestion(improvement: &Improvement) -> String {
    let Improvement { dimension, location, issue, suggestion } = improvement;
    let mut text = String::from("- ");
    if let Some(dimension) = dimension {
        text.push_str(&format!("[{dimension}] "));
    }
    if let Some(location) = location {
        text.push_str(&format!("{location}: "));
    }
    text.push_str(issue.as_deref().unwrap_or_default());
    if let Some(suggestion) = suggestion {
        text.push_str(&format!(" > {suggestion}"));
    }
    text
}

/// Every place where the record is.
pub(super) fn origins(writer: &mut Writer, row: &Record) {
    writer.title("Origin");
    for (i, origin) in row.origins.iter().enumerate().take(FILES) {
        let Origin { box_name, file, line, byte, len } = origin;
        let label = if i == 0 { "first" } else { "also" };
        let text = format!("{box_name}: {file}, line {line}, byte {byte}, {len} bytes");
        writer.field(label, &text);
    }
}
