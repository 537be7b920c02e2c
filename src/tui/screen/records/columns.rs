//! A record as a line of a list: which columns fit, and what is in each.

use super::super::{claims, label, overrides};
use crate::domain::{Dimension, Record};
use crate::tui::model::{List, Model, ShownRecord};
use crate::tui::theme::{Role, Sign};
use crate::tui::widget::{Pen, cell, fit, fit_end};
use ratatui::text::{Line, Span};

/// Which columns fit.
pub(super) struct Columns {
    width: usize,
    date: bool,
    word: bool,
    scores: bool,
    place: bool,
    judge: bool,
    commit: bool,
}

impl Columns {
    /// Those that so many columns of the terminal have room for.
    pub(super) fn fit(width: usize) -> Self {
        Self {
            width,
            date: width >= 28,
            word: width >= 44,
            scores: width >= 54,
            place: width >= 58,
            judge: width >= 78,
            commit: width >= 94,
        }
    }

    /// A record as a line of a list.
    pub(super) fn line(
        &self,
        pen: &Pen<'_>,
        model: &Model,
        (list, line): (&List, usize),
        shown: &ShownRecord,
    ) -> Line<'static> {
        let row = &shown.row;
        let hidden = model.is_hidden(row);
        // Of what is hidden everywhere in the list no column reveals anything.
        let bare = model.hides_source();
        let mut parts = vec![Span::raw(" "), state(pen, list, line, row)];
        let mut used = 2;
        if !bare {
            let width = if self.word { 11 } else { 2 };
            parts.push(self.verdict(pen, Sign::of(row), hidden, width));
            used += width;
        }
        // What comes back is older than what waits: its date would mark it.
        if self.date && !bare {
            parts.push(pen.span(Role::Dim, &cell(&moment(row), 12)));
            used += 12;
        }
        if self.scores && !bare {
            let scores = if hidden { "-".to_owned() } else { scores(row) };
            parts.push(pen.span(Role::Text, &cell(&scores, 8)));
            used += 8;
        }
        // Where it ran and who judged are worth more than the commit's name.
        if self.place {
            parts.push(pen.span(Role::Dim, &cell(&fit(&row.box_name, 9), 10)));
            used += 10;
        }
        if self.judge && !bare {
            let judge = row.served_model.as_deref().or(row.model.as_deref()).unwrap_or("-");
            parts.push(pen.span(Role::Dim, &cell(&fit(judge, 17), 18)));
            used += 18;
        }
        if self.commit {
            let commit = row.commit.as_deref().unwrap_or("-");
            parts.push(pen.span(Role::Dim, &cell(&fit(commit, 8), 9)));
            used += 9;
        }
        let marks = by_people(pen, model, row, self.width.saturating_sub(used + 1));
        let room =
            self.width.saturating_sub(used + 1 + marks.iter().map(Span::width).sum::<usize>());
        let is_labelled = !marks.is_empty();
        parts.extend(marks);
        let subject = subject_in(list, row, hidden, room);
        let mut text = fit_end(&subject, room);
        if !is_labelled && text.starts_with('[') {
            // A name from outside does not pass for a label.
            text = fit_end(&format!("{}{subject}", pen.glyphs.gutter), room);
        }
        parts.push(pen.span(Role::Text, &text));
        Line::from(parts)
    }

    /// The verdict, in so many columns.
    fn verdict(&self, pen: &Pen<'_>, sign: Sign, hidden: bool, width: usize) -> Span<'static> {
        match (hidden, self.word) {
            (true, true) => pen.span(Role::Dim, &cell(label::HIDDEN, width)),
            (true, false) => pen.span(Role::Dim, &cell("-", width)),
            (false, true) => pen.sign(sign, width),
            (false, false) => {
                // The mark alone: it differs for each outcome, and the record has its word.
                let mark: String = pen.glyphs.sign(sign).chars().take(1).collect();
                pen.span(sign.role(), &cell(&mark, width))
            }
        }
    }
}

/// How many rounds a run had that this line ends; `None` of one, and of what is no run.
fn rounds(row: &Record) -> Option<u64> {
    let is_person = row.mode.as_deref() == Some("escalation");
    let asked = row.round?.saturating_sub(u64::from(is_person));
    (asked > 1).then_some(asked)
}

/// What people did with a record: their label, their decision, their claim.
fn by_people(pen: &Pen<'_>, model: &Model, row: &Record, room: usize) -> Vec<Span<'static>> {
    let mut all: Vec<Span<'static>> = label::own(pen, model, row).into_iter().collect();
    for mark in [overrides::mark, claims::mark] {
        let left = room.saturating_sub(all.iter().map(Span::width).sum());
        all.extend(mark(pen, model, row, left));
    }
    all
}

/// Whether it is marked, or put off: the letter of the key that does so.
fn state(pen: &Pen<'_>, list: &List, line: usize, row: &Record) -> Span<'static> {
    let in_range = list.span().is_some_and(|span| span.contains(&line));
    if in_range || list.marks.contains(&row.id) {
        pen.span(Role::Mark, pen.glyphs.marked)
    } else {
        pen.span(Role::Dim, if list.is_later(line) { "z" } else { " " })
    }
}

/// Month, day and time, or why there is none.
fn moment(row: &Record) -> String {
    match row.timestamp {
        Some(t) => {
            let text = t.to_string();
            let (day, time) = (text.get(5..10), text.get(11..16));
            format!("{} {}", day.unwrap_or_default(), time.unwrap_or_default())
        }
        None => "undated".to_owned(),
    }
}

/// The three scores: `2/3/4`.
fn scores(row: &Record) -> String {
    // A person does not score: the zeros of an override are no scores.
    if row.scores.is_empty() || row.outcome.is_none() {
        return "-".to_owned();
    }
    let one = |d: Dimension| row.scores.get(d).map_or("-".to_owned(), |v| format!("{v}"));
    Dimension::ALL.map(one).join("/")
}

/// What was judged, as far as there is room and nothing is revealed: in a list whose lines stand for
/// runs with the number of rounds, elsewhere with the round.
fn subject_in(list: &List, row: &Record, hidden: bool, room: usize) -> String {
    let narrow = room < 30;
    match (rounds(row).filter(|_| list.folded() > 0), row.round, row.files.is_empty()) {
        _ if hidden => subject_hidden(row),
        (Some(rounds), ..) if narrow => format!("{} x{rounds}", subject_hidden(row)),
        (Some(rounds), ..) => format!("{}, {rounds} rounds", subject_hidden(row)),
        (None, Some(round @ 1..), true) if narrow => format!("{} r{round}", subject_hidden(row)),
        _ => subject(row),
    }
}

/// What was judged, without the round.
fn subject_hidden(row: &Record) -> String {
    match (row.files.first(), &row.task_id) {
        (None, Some(task)) => task.clone(),
        (None, None) => String::new(),
        _ => subject(row),
    }
}

/// What was judged: the first file and how many more, or the task.
fn subject(row: &Record) -> String {
    let hidden = row.files.len().saturating_sub(1);
    match (row.files.first(), &row.task_id) {
        (Some(file), _) if hidden > 0 => format!("{file} +{hidden}"),
        (Some(file), _) => file.clone(),
        (None, Some(task)) => match row.round {
            Some(round) if round > 0 => format!("{task} round {round}"),
            _ => task.clone(),
        },
        (None, None) => {
            let picked = crate::answers::record_fields::picked(row);
            picked.or_else(|| row.reason.clone().or_else(|| row.error.clone())).unwrap_or_default()
        }
    }
}
