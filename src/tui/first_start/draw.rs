//! The four questions on one screen.

use super::questions::{Place, Questions, Sheet};
use super::texts;
use crate::config::FirstBox;
use crate::domain::review::Draw;
use crate::first_start::{CountedFrom, Reached, Sampled};
use crate::text::{counted, escape, separated};
use crate::tui::theme::{Role, Sign};
use crate::tui::widget::{Pen, cell, fit};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::text::Line;

/// Columns of a box's name.
const NAME: usize = 10;

/// A line, and what the cursor may be on in it.
type Row = (Option<Place>, Line<'static>);

/// Draws all; gives where the terminal's cursor belongs, where a text is typed.
pub(super) fn draw(q: &Questions, pen: &Pen<'_>, buffer: &mut Buffer) -> Option<Position> {
    let area = buffer.area;
    buffer.set_style(area, pen.style(Role::Text));
    if area.height < 4 {
        return None;
    }
    pen.put(buffer, area, 0, &pen.line([(Role::Title, " "), (Role::Title, texts::HEAD)]));
    let body = Rect { y: area.y + 2, height: area.height - 3, ..area };
    pen.put(buffer, area, area.height - 1, &footer(q, pen));
    match q.sheet {
        Sheet::None => questions(q, pen, buffer, body),
        Sheet::File => {
            let text = q.decision().map(|decision| decision.file);
            let text = text.unwrap_or_else(|why| why.unwrap_or_else(|| texts::NONE_CHOSEN.into()));
            sheet(q, pen, buffer, body, text.lines().map(str::to_owned).collect());
            None
        }
        Sheet::Help => {
            let line = |(key, what): (&str, &str)| format!("{}{what}", cell(key, 12));
            sheet(q, pen, buffer, body, texts::KEYS.into_iter().map(line).collect());
            None
        }
    }
}

fn sheet(q: &Questions, pen: &Pen<'_>, buffer: &mut Buffer, area: Rect, lines: Vec<String>) {
    let top = q.top.min(lines.len().saturating_sub(1));
    for (row, line) in (0..area.height).zip(lines.iter().skip(top)) {
        pen.put(buffer, area, row, &pen.line([(Role::Gutter, " "), (Role::Text, line.as_str())]));
    }
}

fn questions(q: &Questions, pen: &Pen<'_>, buffer: &mut Buffer, area: Rect) -> Option<Position> {
    let rows = rows(q, pen, usize::from(area.width));
    let place = q.place();
    let selected = rows.iter().position(|(at, _)| *at == Some(place)).unwrap_or(0);
    // The line below is seen as well: what a refusal says, the summary.
    let height = usize::from(area.height);
    let top = (selected + 2).saturating_sub(height).min(rows.len().saturating_sub(height));
    let mut cursor = None;
    for (row, (at, line)) in (0..area.height).zip(rows.iter().skip(top)) {
        pen.put(buffer, area, row, line);
        if *at == Some(place) {
            let own = Rect { y: area.y + row, height: 1, ..area };
            buffer.set_style(own, pen.style(Role::Selection));
            if place == Place::Another {
                let before: String = q.typed.value().chars().take(q.typed.cursor()).collect();
                let width = 7 + texts::ANOTHER.len() + escape::width(&escape::line(&before));
                let x = width.min(usize::from(area.width).saturating_sub(1)) as u16;
                cursor = Some(Position { x: area.x + x, y: area.y + row });
            }
        }
    }
    cursor
}

fn rows(q: &Questions, pen: &Pen<'_>, width: usize) -> Vec<Row> {
    let mut rows = Vec::new();
    logs(q, pen, width, &mut rows);
    days(q, pen, &mut rows);
    each_day(q, pen, &mut rows);
    blocking(q, pen, width, &mut rows);
    summary(q, pen, width, &mut rows);
    rows
}

fn heading(pen: &Pen<'_>, number: u8, title: &str, context: &str) -> Row {
    let title = format!(" {number} {title}");
    let context = if context.is_empty() { String::new() } else { format!("   {context}") };
    (None, pen.line([(Role::Title, title.as_str()), (Role::Dim, context.as_str())]))
}

/// The beginning of a line that can be chosen: the cursor, and whether it is.
fn mark(q: &Questions, pen: &Pen<'_>, place: Place, chosen: Option<bool>, round: bool) -> String {
    let cursor = if q.place() == place { pen.glyphs.cursor } else { " " };
    let mark = match (chosen, round) {
        (None, _) => "   ".to_owned(),
        (Some(true), true) => format!("({})", pen.glyphs.bullet),
        (Some(false), true) => "( )".to_owned(),
        (Some(true), false) => "[x]".to_owned(),
        (Some(false), false) => "[ ]".to_owned(),
    };
    format!(" {cursor} {mark} ")
}

fn logs(q: &Questions, pen: &Pen<'_>, width: usize, rows: &mut Vec<Row>) {
    rows.push(heading(pen, 1, texts::LOGS, ""));
    for (at, one) in q.answers.candidates.iter().enumerate() {
        let place = Place::Candidate(at);
        let start = mark(q, pen, place, Some(one.chosen), false);
        let name = cell(&one.source.name, NAME);
        let (role, sign) = match &one.reached {
            Reached::Asking | Reached::Found { records: 0, .. } => (Role::Dim, " "),
            Reached::Found { .. } => (Role::Go, first_sign(pen, Sign::Go)),
            Reached::Refused { .. } => (Role::Error, first_sign(pen, Sign::NoGo)),
        };
        let there = cell(where_it_is(&one.source), 11);
        let answer = texts::answer(&one.reached, q.now);
        let before = [start.as_str(), &name, " ", &there, " "].concat();
        let answer = fit(&answer, width.saturating_sub(escape::width(&before) + 2));
        let line = pen.line([
            (Role::Text, before.as_str()),
            (role, sign),
            (Role::Text, " "),
            (Role::Text, answer.as_str()),
        ]);
        rows.push((Some(place), line));
        if let (true, Reached::Refused { why, next }) = (q.unfolded == Some(at), &one.reached) {
            for text in [why, next].into_iter().filter(|text| !text.is_empty()) {
                let block = escape::block(text, "       ", width);
                rows.extend(block.lines().map(|line| (None, pen.line([(Role::Warning, line)]))));
            }
        }
    }
    let start = mark(q, pen, Place::Another, None, false);
    let typed = q.typed.value();
    let line = [(Role::Text, start.as_str()), (Role::Dim, texts::ANOTHER), (Role::Text, typed)];
    rows.push((Some(Place::Another), pen.line(line)));
}

fn where_it_is(source: &FirstBox) -> &'static str {
    if source.path.is_some() { "here" } else { "over ssh" }
}

fn first_sign(pen: &Pen<'_>, sign: Sign) -> &'static str {
    pen.glyphs.sign(sign).split(' ').next().unwrap_or_default()
}

fn days(q: &Questions, pen: &Pen<'_>, rows: &mut Vec<Row>) {
    let Some(survey) = &q.survey else {
        rows.push(heading(pen, 2, texts::DAYS, pen.glyphs.ellipsis));
        return;
    };
    let Some(offer) = &survey.offer else { return };
    rows.push(heading(pen, 2, texts::DAYS, texts::HIDDEN));
    let natural = matches!(q.answers.counted, CountedFrom::FirstRecord(_));
    for (from_first, text) in
        [(true, texts::from_first(offer.start.from, q.now)), (false, texts::TODAY.to_owned())]
    {
        let place = Place::From(from_first);
        let start = mark(q, pen, place, Some(natural == from_first), true);
        rows.push((
            Some(place),
            pen.line([(Role::Text, start.as_str()), (Role::Text, text.as_str())]),
        ));
    }
    if !natural {
        return;
    }
    let these = format!("of these {}", counted(offer.backlog.len() as u64, "day", "days"));
    let head = format!(
        "       {}{:>8}{:>9}   READY: misses 0.4 %     1 %",
        cell(&these, 20),
        "labels",
        "about"
    );
    rows.push((None, pen.line([(Role::Dim, head.as_str())])));
    for (draw, price) in [Draw::All, Draw::Thin].into_iter().zip(&survey.prices) {
        let place = Place::Plan(draw);
        let chosen =
            q.answers.counted == CountedFrom::FirstRecord(draw) || survey.prices.len() == 1;
        let start = mark(q, pen, place, Some(chosen), true);
        let [labels, time, better, good] = texts::price(price);
        let name = cell(&texts::plan(draw, price.rate), 20);
        let text = format!("{name}{labels:>8}{time:>9}{better:>22}{good:>8}");
        rows.push((
            Some(place),
            pen.line([(Role::Text, start.as_str()), (Role::Text, text.as_str())]),
        ));
    }
}

fn each_day(q: &Questions, pen: &Pen<'_>, rows: &mut Vec<Row>) {
    let traffic = q.survey.as_ref().and_then(|survey| survey.traffic);
    let forecasts = q.forecasts.filter(|_| q.lacks_days());
    let context = match (traffic, forecasts) {
        (Some(traffic), _) => texts::traffic(traffic),
        (None, Some(_)) => texts::assumed(),
        (None, None) => String::new(),
    };
    rows.push(heading(pen, 3, texts::EACH_DAY, &context));
    let mut head = format!("       {}", cell("sampled of what passes", 24));
    if traffic.is_some() {
        head += &format!("{:>8}{:>10}", "labels", "minutes");
    }
    if forecasts.is_some() {
        head += &format!("{:>16}{:>16}", "READY in half", "in 95 %");
    }
    rows.push((None, pen.line([(Role::Dim, head.trim_end())])));
    for (at, sampled) in Sampled::ALL.into_iter().enumerate() {
        let place = Place::Sampled(sampled);
        let start = mark(q, pen, place, Some(q.answers.sampled == sampled), true);
        let mut text = cell(texts::sampled(sampled), 24);
        if let Some(traffic) = traffic {
            let labels = separated(traffic.labels_per_day(sampled));
            let minutes = separated(traffic.minutes_per_day(sampled));
            text += &format!("{labels:>8}{minutes:>10}");
        }
        if let Some(forecast) = forecasts.as_ref().and_then(|all| all.get(at)) {
            let by = |day| texts::ready_by(sampled, day);
            let [half, most] = [forecast.half, forecast.most].map(by);
            text += &format!("{half:>16}{most:>16}");
        }
        if sampled == Sampled::Nothing && forecasts.is_none() {
            text += "   misses stay unknown";
        }
        rows.push((
            Some(place),
            pen.line([(Role::Text, start.as_str()), (Role::Text, text.as_str())]),
        ));
    }
}

/// Side by side, as many in a line as there is room for.
fn blocking(q: &Questions, pen: &Pen<'_>, width: usize, rows: &mut Vec<Row>) {
    rows.push(heading(pen, 4, texts::BLOCKING, texts::NOTHING_ON));
    let (mut line, mut at) = (String::new(), None);
    let chosen = q.answers.candidates.iter().enumerate().filter(|(_, one)| one.chosen);
    for (number, one) in chosen {
        let place = Place::MayBlock(number);
        let start = mark(q, pen, place, Some(one.source.may_block), false);
        let item = start + &cell(&one.source.name, NAME);
        if !line.is_empty() && escape::width(&line) + escape::width(&item) > width {
            rows.push((at.take(), pen.line([(Role::Text, line.as_str())])));
            line.clear();
        }
        line += &item;
        at = at.or((q.place() == place).then_some(place));
    }
    if !line.is_empty() {
        rows.push((at, pen.line([(Role::Text, line.as_str())])));
    }
}

fn summary(q: &Questions, pen: &Pen<'_>, width: usize, rows: &mut Vec<Row>) {
    rows.push((None, Line::default()));
    let decision = match q.decision() {
        Ok(decision) => decision,
        Err(why) => {
            let why = why.unwrap_or_else(|| texts::NONE_CHOSEN.to_owned());
            rows.push((None, pen.line([(Role::Warning, " "), (Role::Warning, why.as_str())])));
            return;
        }
    };
    let lines = counted(decision.file.lines().count() as u64, "line", "lines");
    let lines = format!("   {lines} (v shows them)");
    let room = width.saturating_sub(9 + lines.len());
    let path = crate::tui::widget::fit_end(&q.path.to_string_lossy(), room);
    let parts =
        [(Role::Title, " Writes  "), (Role::Text, path.as_str()), (Role::Dim, lines.as_str())];
    rows.push((None, pen.line(parts)));
    let offer = q.survey.as_ref().and_then(|survey| survey.offer.as_ref());
    let (role, text) = match &decision.window {
        Ok(window) => (Role::Text, texts::window(window, offer, q.now)),
        Err(why) => (Role::Warning, texts::missing(why)),
    };
    let block = escape::block(&text, "         ", width);
    rows.extend(block.lines().map(|line| (None, pen.line([(role, line)]))));
}

fn footer(q: &Questions, pen: &Pen<'_>) -> Line<'static> {
    if let Some(note) = &q.note {
        return pen.line([(Role::Error, " "), (Role::Error, note.as_str())]);
    }
    let keys: &[(&str, &str)] = match (q.sheet, q.place()) {
        (Sheet::None, Place::Another) => &[
            ("enter", "add"),
            ("ctrl-s", "write and start"),
            ("tab", "next question"),
            ("esc", "only look"),
        ],
        (Sheet::None, _) => &[
            ("ctrl-s", "write and start"),
            ("tab", "next question"),
            ("v", "the file"),
            ("esc", "only look"),
            ("?", "help"),
        ],
        _ => &[("esc", "back")],
    };
    let mut spans = Vec::new();
    for (key, what) in keys {
        spans.push(pen.span(Role::Key, &format!(" {key}")));
        spans.push(pen.span(Role::Dim, &format!(" {what} ")));
    }
    Line::from(spans)
}
