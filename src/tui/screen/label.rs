//! Labels, in a line of a list and in a record.

use crate::domain::review::{Given, Label};
use crate::domain::{Dimension, JudgementKind, Record};
use crate::tui::model::{Model, OwnLabel, agrees};
use crate::tui::page::sheet::Writer;
use crate::tui::theme::Role;
use crate::tui::widget::counted;

/// What is shown in place of an outcome that is hidden; its first letter is no sign of one.
pub(in crate::tui) const HIDDEN: &str = "- hidden";

/// One's own label in a list: whether the judge agrees, and while the verdict is still hidden only that there is one.
pub(super) fn in_list(model: &Model, row: &Record) -> Option<(Role, &'static str, &'static str)> {
    let word = match model.own_label(row.id) {
        OwnLabel::None => return None,
        OwnLabel::Changing | OwnLabel::Saving(_) => {
            return Some((Role::Dim, model.glyphs.ellipsis, "saving"));
        }
        OwnLabel::Saved(given) => given.label.label,
    };
    Some(match agrees(word, row.outcome) {
        _ if model.is_hidden(row) => (Role::Key, "", "labelled"),
        Some(true) => (Role::Key, "=", "agree"),
        Some(false) => (Role::Warning, "!", "differ"),
        None => (Role::Key, "~", "unsure"),
    })
}

/// Who labelled a record, as what, when, and why; what others say only beside one's own.
pub(super) fn write(writer: &mut Writer, model: &Model, row: &Record) {
    let reviewer = model.facts.labelling.reviewer.as_deref();
    let own = model.own_label(row.id);
    let others = model.labels.others(row.id, reviewer);
    let draft = model.labels.drafts.get(&row.id);
    if own == OwnLabel::None && others.is_empty() && draft.is_none() {
        return;
    }
    writer.gap();
    writer.title("Labels");
    match own {
        OwnLabel::None => {}
        OwnLabel::Changing => writer.paragraph(Role::Dim, "saving…"),
        OwnLabel::Saving(label) => write_label(writer, "you", label, "saving…"),
        OwnLabel::Saved(given) => {
            write_label(writer, "you", &given.label, &given.time.to_string());
            if let Some(same) = agrees(given.label.label, row.outcome) {
                let text =
                    if same { "you agree with the judge" } else { "you disagree with the judge" };
                writer.paragraph(Role::Notice, text);
            }
        }
    }
    if let Some(draft) = draft {
        let parts = [draft.note.as_str(), draft.reason.as_deref().unwrap_or(""), &draft.scores];
        let parts: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
        writer.field("draft", &parts.join(" "));
    }
    match model.saved_label(row.id) {
        Some(_) => others.iter().for_each(|given| other(writer, given)),
        None if others.is_empty() => {}
        None => {
            let labels = counted(others.len(), "label", "labels");
            let text = format!("{labels} by other reviewers, shown once yours is saved");
            writer.paragraph(Role::Dim, &text);
        }
    }
}

/// Says, before a label is given, that it will not count since nothing of the content was on the screen;
/// `absent` where it cannot be. A label of a record without a commit counts as stated.
pub(super) fn warn_unseen(writer: &mut Writer, model: &Model, row: &Record, absent: bool) {
    let labels = model.facts.labelling.reviewer.is_some() && !model.facts.read_only;
    let is_seen = model.labels.shown_content(row.id).is_content();
    let early = !absent && !has_window(model);
    if !labels || is_seen || row.outcome.is_none() || early {
        return;
    }
    let text = match (row.commit.is_some(), absent) {
        (false, _) => {
            "Nothing of this record can be shown here. A label of it is stated: it counts, and never as blind."
        }
        (true, true) => "There is no content to see. A label without it does not count.",
        (true, false) => {
            "You have not seen the content yet. A label does not count until you have."
        }
    };
    writer.paragraph(Role::Warning, text);
}

/// Whether labels are counted at all: a window was started.
fn has_window(model: &Model) -> bool {
    let Some(ledger) = &model.labels.ledger else { return false };
    JudgementKind::ALL.into_iter().any(|family| !ledger.present.of(family).windows.is_empty())
}

fn other(writer: &mut Writer, given: &Given) {
    write_label(writer, "other", &given.label, &given.time.to_string());
    writer.field("by", &given.reviewer);
}

/// A label with all that it says.
fn write_label(writer: &mut Writer, who: &str, label: &Label, when: &str) {
    let mut text = label.label.as_str().to_owned();
    let blind = crate::report::label::blindness(label);
    let seconds = label.seconds.map(|s| format!(", {s} s")).unwrap_or_default();
    text.push_str(&format!(", {when}, {blind}{seconds}"));
    writer.field(who, &text);
    if label.is_unseen() {
        writer.paragraph(Role::Warning, "it does not count: no content was shown");
    }
    if let Some(reason) = &label.reason {
        writer.field("reason", reason);
    }
    if let Some(scores) = label.scores {
        let one = |(dimension, score): (Dimension, Option<u8>)| {
            let score = score.map_or("-".to_owned(), |score| score.to_string());
            format!("{} {score}", dimension.as_str())
        };
        let all = Dimension::ALL.into_iter().zip(scores.all()).map(one);
        writer.field("scores", &all.collect::<Vec<_>>().join(", "));
    }
    if let Some(note) = &label.note {
        writer.field("note", note);
    }
}
