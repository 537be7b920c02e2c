//! The queue and the list of records: a list, and the selected record beside it.

use super::{claims, empty_state, label, overrides, record, sitting};
use crate::assess::Turn;
use crate::domain::{Dimension, Record};
use crate::text::escape;
use crate::tui::model::{BlindMode, List, ListId, Load, Model, Pane, QueueKind, ShownRecord};
use crate::tui::theme::{Role, Sign};
use crate::tui::view::layout;
use crate::tui::widget::{Pen, cell, counted, fit, fit_end};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

/// Why the queue holds another number than the overview calls flagged.
const OTHER_NUMBER: &str = "Other than the flagged verdicts of the overview, the queue leaves out \
    repeats and what was dealt with; undated items are in it.";

/// Draws the list, the record, or both.
pub fn draw(model: &Model, pen: &Pen<'_>, buffer: &mut Buffer, body: Rect) {
    let Some(list) = model.list() else { return };
    let split = layout::split(body, model.pane, model.screen);
    if let Some(area) = split.list {
        draw_list(model, list, pen, buffer, area);
    }
    if let Some(area) = split.record {
        record::draw(model, pen, buffer, area);
        if split.list.is_some() {
            pen.rule(buffer, area.x - 1, area);
        }
    }
}

fn draw_list(model: &Model, list: &List, pen: &Pen<'_>, buffer: &mut Buffer, area: Rect) {
    let focused = model.pane == Pane::List;
    pen.heading(buffer, area, focused, &heading(model, list, pen));
    let inside = Rect { y: area.y + 1, height: area.height.saturating_sub(1), ..area };
    if list.is_empty() {
        empty_state::draw(model, list, pen, buffer, inside);
        return;
    }
    sitting::draw(model, pen, buffer, inside);
    let rows = inside.height.saturating_sub(layout::sitting_lines(model));
    let inside = Rect { height: rows, ..inside };
    let columns = Columns::fit(usize::from(inside.width));
    differs(model, list, pen, buffer, inside);
    for (row, (line, key)) in list.visible(usize::from(inside.height)).enumerate() {
        let shown = model.rows.get(list.edition, key);
        let text = match shown {
            Some(shown) => columns.line(pen, model, (list, line), shown),
            None if model.rows.has_failed(list.edition, key) => {
                pen.line([(Role::Error, "   this record could not be read: see the messages")])
            }
            None => pen.line([(Role::Dim, "   reading…")]),
        };
        pen.put(buffer, inside, row as u16, &text);
        let in_range = list.span().is_some_and(|span| span.contains(&line));
        if line == list.cursor || in_range {
            let place = Rect { y: inside.y + row as u16, height: 1, ..inside };
            buffer.set_style(place, pen.style(Role::Selection));
            if line == list.cursor {
                buffer.set_stringn(
                    place.x,
                    place.y,
                    pen.glyphs.cursor,
                    1,
                    pen.style(Role::Selection),
                );
            }
        }
    }
}

/// Below the items, where there is room: why the overview counts another number.
fn differs(model: &Model, list: &List, pen: &Pen<'_>, buffer: &mut Buffer, area: Rect) {
    let end = list.len().saturating_sub(list.top);
    let flagged = model.overview.summary.value.as_ref().map(|t| t.flagged_total);
    let same = flagged.is_none_or(|f| f == list.len() as u64);
    let triage = list.id == ListId::Queue && model.calibrate.selection.kind == QueueKind::Triage;
    if !triage || !list.filter.is_all() || same {
        return;
    }
    let block = escape::block(OTHER_NUMBER, " ", usize::from(area.width));
    for (i, line) in block.lines().enumerate() {
        let row = u16::try_from(end + 1 + i).unwrap_or(u16::MAX);
        pen.put(buffer, area, row, &pen.line([(Role::Dim, line)]));
    }
}

/// Name, length, order, filter, marks: all that says what the list is.
fn heading(model: &Model, list: &List, pen: &Pen<'_>) -> Line<'static> {
    let name = match list.id {
        ListId::Queue => "Queue",
        ListId::Records => "Records",
    };
    let mut parts: Vec<Span<'static>> = vec![pen.span(Role::Title, &format!(" {name} "))];
    if list.rows.value.is_some() {
        let at = if list.is_empty() { 0 } else { list.cursor + 1 };
        parts.push(pen.span(Role::Figure, &format!("{at}/{} ", list.len())));
    }
    let mut push = |role, text: String| parts.push(pen.span(role, &text));
    // What the next key acts on goes before what the list is.
    if let Some(marks) = marks(list, pen) {
        push(Role::Mark, marks);
    }
    let sight = sight(model, list);
    // A warning goes before what may be cut.
    if let Some((Role::Warning, text)) = sight {
        push(Role::Warning, format!("{text} "));
    }
    if list.id == ListId::Queue {
        push(Role::Title, format!("{} ", queue_title(model)));
    }
    if let Some(lacks) = lacks(model, list) {
        push(Role::Warning, format!("{lacks} "));
    }
    if list.rows.is_busy() {
        push(Role::Dim, "… ".to_owned());
    }
    if list.above > 0 {
        push(Role::Notice, format!("{} {} new above ", pen.glyphs.up, list.above));
    }
    match model.labels.pending.len() {
        0 => {}
        saving => push(Role::Notice, format!("saving {saving} ")),
    }
    if let Some((Role::Notice, text)) = sight {
        push(Role::Notice, format!("{text} "));
    }
    if let (Load::Failed(_), false) = (&list.rows.load, list.is_empty()) {
        push(Role::Error, "not made anew ".to_owned());
    }
    if list.later > 0 {
        push(Role::Dim, format!("{} put off ", list.later));
    }
    // What narrows the list goes before what is the same on most days.
    if !list.filter.is_all() {
        push(Role::Key, "filter ".to_owned());
        push(Role::Match, format!("{} ", fit(&list.filter.text, 60)));
    }
    if list.folded() > 0 {
        let rounds = counted(list.folded(), "earlier round", "earlier rounds");
        push(Role::Dim, format!("+ {rounds} "));
    }
    let (role, order) = order(model, list);
    push(role, format!("{order} "));
    Line::from(parts)
}

/// Which queue it is, and of which family where that is not pushes.
fn queue_title(model: &Model) -> String {
    let kind = model.calibrate.selection.kind;
    match kind == QueueKind::Calibration && !model.family.is_push() {
        true => format!("{} of {}", kind.title(), model.family.plural()),
        false => kind.title().to_owned(),
    }
}

/// The span of time of all records, or the order of a queue.
fn order(model: &Model, list: &List) -> (Role, String) {
    let text = match (list.id, model.calibrate.selection.kind) {
        (ListId::Records, _) => model.days.title(),
        (ListId::Queue, QueueKind::Triage) => format!("{} first", list.order.as_str()),
        (ListId::Queue, QueueKind::Conflicts | QueueKind::SecondLook) => "newest first".to_owned(),
        (ListId::Queue, QueueKind::Calibration) => match model.calibrate.selection.turn {
            Turn::Mixed => "oldest open day first, mixed".to_owned(),
            Turn::Decides => return (Role::Notice, "what decides first".to_owned()),
        },
    };
    (Role::Dim, text)
}

/// Whether verdicts are hidden and, in the calibration queue, what a label of the selected item
/// would count as.
fn sight(model: &Model, list: &List) -> Option<(Role, &'static str)> {
    let mixed = model.in_calibration() && lacks(model, list).is_none();
    let counts = list.selected.is_none_or(|record| model.counts_blind(record));
    match model.sight() {
        BlindMode::Blind if mixed && !counts => Some((Role::Warning, "not blind")),
        BlindMode::Blind => Some((Role::Notice, "blind")),
        BlindMode::Open if mixed => Some((Role::Warning, "not blind")),
        BlindMode::Open => None,
    }
}

/// Why being in the calibration queue reveals the verdict, or what its labels do not count for.
fn lacks(model: &Model, list: &List) -> Option<&'static str> {
    let state = model.calibrate.state.as_ref();
    let state = state.filter(|_| list.id == ListId::Queue && model.in_calibration())?;
    match (state.window, state.audited) {
        (None, _) => Some("no window"),
        (_, false) => Some("no sample"),
        _ => None,
    }
}

/// How many are marked, and how many of those the list does not hold.
pub(super) fn marks(list: &List, pen: &Pen<'_>) -> Option<String> {
    if let Some(span) = list.span() {
        let beside = match list.marks.len() {
            0 => String::new(),
            marks => format!("({marks} marked) "),
        };
        return Some(format!("range of {} {beside}", span.count()));
    }
    let away = match list.away.len() {
        0 => String::new(),
        away => format!("(+{away} not in it) "),
    };
    let any = !list.marks.is_empty() || !list.away.is_empty();
    any.then(|| format!("{} {} marked {away}", pen.glyphs.marked, list.marks.len()))
}

/// Which columns fit.
struct Columns {
    width: usize,
    date: bool,
    word: bool,
    scores: bool,
    place: bool,
    judge: bool,
    commit: bool,
}

impl Columns {
    fn fit(width: usize) -> Self {
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

    fn line(
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
            parts.push(self.verdict(pen, Sign::from_outcome(row.outcome), hidden, width));
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
        (None, None) => row.reason.clone().or_else(|| row.error.clone()).unwrap_or_default(),
    }
}
