//! The form of overrides, above the screen: what is in them of a record is behind a gutter.

use super::prompt::typed;
use crate::domain::review::OverrideWord;
use crate::domain::{Outcome, Record};
use crate::tui::model::{Model, Newer, OverrideForm, ShownRecord};
use crate::tui::screen::label::HIDDEN;
use crate::tui::theme::{Role, Sign};
use crate::tui::widget::{Pen, counted, fit, window};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use std::collections::BTreeMap;
use std::sync::Arc;
use tui_input::Input;

/// Draws it; gives where the reason is typed.
pub(super) fn draw(
    model: &Model,
    form: &OverrideForm,
    pen: &Pen<'_>,
    buffer: &mut Buffer,
    body: Rect,
) -> Option<Position> {
    let of = match form.single() {
        Some(one) => {
            let name = what(&one.row).map_or_else(|| one.row.id.short().to_string(), str::to_owned);
            format!("{name} {} {}", pen.glyphs.separator, one.row.box_name)
        }
        None => counted(form.records.len(), "marked record", "marked records"),
    };
    let area = window(pen, buffer, body, &format!("Override {of}"));
    let mut painter = FormPainter { pen, buffer, area, row: 0 };
    let footer: &[&str] = match form.single() {
        Some(one) => {
            painter.selected(model, form, &one.row);
            &["Rates are not affected. Saved here first; unconfirmed until the box confirms it."]
        }
        None => {
            painter.many(model, form);
            &[
                "One decision and one reason for all. Rates are not affected.",
                "Saved here first, then on the boxes. Failures are listed and stay marked.",
            ]
        }
    };
    painter.line(Role::Text, "");
    painter.word(form.word);
    let place = painter.reason(&form.reason);
    painter.line(Role::Text, "");
    footer.iter().for_each(|text| painter.line(Role::Dim, text));
    place
}

/// What was judged: the file, the task, the commit. Raw.
fn what(row: &Record) -> Option<&str> {
    row.files.first().or(row.task_id.as_ref()).or(row.commit.as_ref()).map(String::as_str)
}

/// How many of the records each box has, the most first. Raw names.
fn boxes(of: &[Arc<ShownRecord>]) -> Vec<(&str, usize)> {
    let mut boxes: BTreeMap<&str, usize> = BTreeMap::new();
    for shown in of {
        *boxes.entry(&shown.row.box_name).or_default() += 1;
    }
    let mut boxes: Vec<_> = boxes.into_iter().collect();
    boxes.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    boxes
}

/// So many boxes are named at most.
const BOXES: usize = 5;

struct FormPainter<'a> {
    pen: &'a Pen<'a>,
    buffer: &'a mut Buffer,
    area: Rect,
    row: u16,
}

impl FormPainter<'_> {
    fn put(&mut self, parts: &[(Role, &str)]) {
        let line = self.pen.line(parts.iter().copied());
        self.pen.put(self.buffer, self.area, self.row, &line);
        self.row += 1;
    }

    fn line(&mut self, role: Role, text: &str) {
        let width = usize::from(self.area.width).saturating_sub(1);
        self.put(&[(Role::Text, " "), (role, &fit(text, width))]);
    }

    /// The selected record, and what came after it.
    fn selected(&mut self, model: &Model, form: &OverrideForm, row: &Record) {
        self.verdict(model, if form.newest().is_some() { "older" } else { "verdict" }, row);
        self.newer(model, form);
    }

    /// What is marked: the verdict, and which boxes have it.
    fn many(&mut self, model: &Model, form: &OverrideForm) {
        self.judged(model, &form.records);
        let boxes = boxes(&form.records);
        // The line that is typed stays in sight.
        let named = usize::from(self.area.height).saturating_sub(7).clamp(1, BOXES);
        for (at, (name, count)) in boxes.iter().take(named).enumerate() {
            self.of_box(model, if at == 0 { "boxes" } else { "" }, *count, name);
        }
        let more: usize = boxes.iter().skip(named).map(|(_, count)| count).sum();
        if more > 0 {
            let boxes = counted(boxes.len() - named, "more box", "more boxes");
            self.line(Role::Text, &format!("{:10}{more} on {boxes}", ""));
        }
        if let Some(away) = form.marked.map(|marked| marked.away).filter(|away| *away > 0) {
            let text = "marked items hidden by the filter are left alone";
            self.line(Role::Dim, &format!("{:10}{away} {text}", ""));
        }
    }

    /// A verdict in two lines: sign and time, then box and content.
    fn verdict(&mut self, model: &Model, name: &str, row: &Record) {
        let sign = Sign::of(row);
        let time = match row.timestamp {
            Some(time) => time.to_string(),
            None if model.gate.keeps(row.id) => String::new(),
            None => "undated".to_owned(),
        };
        let width = usize::from(self.area.width).saturating_sub(12);
        let of = fit(&format!("{} {}", row.box_name, what(row).unwrap_or_default()), width);
        let verdict_span = match model.is_hidden(row) {
            true => (Role::Dim, HIDDEN),
            false => (sign.role(), model.glyphs.sign(sign)),
        };
        self.put(&[
            (Role::Dim, &format!(" {name:<8} ")),
            verdict_span,
            (Role::Text, &format!("  {time}")),
        ]);
        self.put(&[
            (Role::Gutter, &format!("{:10}{} ", "", model.glyphs.gutter)),
            (Role::Text, &of),
        ]);
    }

    /// What came after it, and what is asked about that.
    fn newer(&mut self, model: &Model, form: &OverrideForm) {
        match &form.newer {
            Newer::Unknown => self.line(Role::Dim, "looking for newer verdicts…"),
            Newer::None => {}
            Newer::Gone => self.line(Role::Error, "This record is no longer in the logs."),
            Newer::Undecided(newest) => {
                self.verdict(model, "newer", &newest.row);
                self.line(Role::Warning, "A newer verdict arrived. Which of the two do you mean?");
                let keys = match model.is_hidden(&newest.row) {
                    true => "up: the older one; the newer one is hidden until you have labelled it",
                    false => "up: the older one; down: the newer one",
                };
                self.line(Role::Warning, keys);
            }
            Newer::OlderChosen(newest) => {
                self.verdict(model, "newer", &newest.row);
                let keys = match model.is_hidden(&newest.row) {
                    true => "You mean the older one.",
                    false => "You mean the older one. down: the newer one",
                };
                self.line(Role::Notice, keys);
            }
        }
    }

    fn word(&mut self, chosen: Option<OverrideWord>) {
        let mut parts = vec![(Role::Dim, " decision ".to_owned())];
        for word in OverrideWord::ALL {
            parts.push(match chosen == Some(word) {
                true => (Role::Title, format!("[{}] ", word.as_str())),
                false => (Role::Dim, format!(" {}  ", word.as_str())),
            });
        }
        let parts: Vec<(Role, &str)> = parts.iter().map(|(r, t)| (*r, t.as_str())).collect();
        self.put(&parts);
    }

    /// How many have which verdict.
    fn judged(&mut self, model: &Model, of: &[Arc<ShownRecord>]) {
        let mut parts = vec![(Role::Dim, " verdicts ".to_owned())];
        for outcome in [Outcome::NoGo, Outcome::Go, Outcome::Undetermined].map(Some) {
            let count = of.iter().filter(|shown| shown.row.outcome == outcome).count();
            if count > 0 {
                let sign = Sign::from_outcome(outcome);
                parts.push((Role::Text, format!("{count} ")));
                parts.push((sign.role(), format!("{}  ", model.glyphs.sign(sign))));
            }
        }
        let parts: Vec<(Role, &str)> = parts.iter().map(|(r, t)| (*r, t.as_str())).collect();
        self.put(&parts);
    }

    /// How many a box has.
    fn of_box(&mut self, model: &Model, label: &str, count: usize, name: &str) {
        let width = usize::from(self.area.width).saturating_sub(20);
        self.put(&[
            (Role::Dim, &format!(" {label:<9}")),
            (Role::Text, &format!("{count:>5} ")),
            (Role::Gutter, &format!("{} ", model.glyphs.gutter)),
            (Role::Text, &fit(name, width)),
        ]);
    }

    fn reason(&mut self, reason: &Input) -> Option<Position> {
        let height = self.area.height.checked_sub(self.row).filter(|height| *height > 0)?;
        let area = Rect { y: self.area.y + self.row, height, ..self.area };
        self.row += 1;
        Some(typed(self.pen, self.buffer, area, (Role::Dim, " reason   "), reason).0)
    }
}
