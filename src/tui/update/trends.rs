//! The trends: asking for what the screen shows, and what keys and clicks do there.

use crate::domain::{JudgementKind, Timestamp};
use crate::tui::effect::Effect;
use crate::tui::model::{Days, Load, Model, TrendsKey};
use crate::tui::screen;

/// Fewest and most days of the chart.
const DAYS: [i32; 2] = [28, 92];

/// Days of a week.
const WEEK: isize = 7;

/// Asks for the trends where logs, labels, days or what is hidden have changed, and makes the page.
pub(super) fn ready(model: &mut Model, edition: u64) -> Vec<Effect> {
    let effects = ask(model, edition);
    screen::trends::ready(model);
    effects
}

fn ask(model: &mut Model, edition: u64) -> Vec<Effect> {
    let assessed = &model.assessments.get(JudgementKind::DEFAULT).result.load;
    if model.gate.is_undecided() && !matches!(assessed, Load::Failed(_)) {
        return Vec::new();
    }
    let [least, most] = DAYS;
    let days = match model.days {
        Days::Last(days) => i32::try_from(days).unwrap_or(most).clamp(least, most),
        Days::All => most,
    };
    let family = model.family;
    let open_days = model.gate.days().filter(|_| family.is_default()).cloned();
    let serial = model.assessments.get(family).serial;
    let today = model.now.day();
    let key = TrendsKey { edition, family, serial, days, today, open_days };
    if model.trends.asked.as_ref() == Some(&key) {
        return Vec::new();
    }
    let generation = model.next_generation();
    model.trends.ask(key.clone(), generation);
    vec![Effect::Trends { key, generation }]
}

/// Goes to another figure; among the two parts from row to row.
pub(super) fn step(model: &mut Model, by: isize) {
    match screen::trends::is_chart(model) {
        true => model.trends.turn(by),
        false => {
            screen::page_cursor::step(model, by);
            screen::trends::take_figure(model);
        }
    }
}

/// Goes to another day, or chooses another part.
pub(super) fn sideways(model: &mut Model, by: isize) {
    match screen::trends::chooser(model) {
        Some(chooser) => model.trends.choose(chooser, by),
        None => screen::page_cursor::cell(model, by),
    }
}

/// Goes a week on in the chart, elsewhere so many lines.
pub(super) fn page(model: &mut Model, lines: isize) {
    match screen::trends::is_chart(model) {
        true => screen::page_cursor::cell(model, lines.signum() * WEEK),
        false => screen::page_cursor::page(model, lines),
    }
}

/// Looks far enough back for the records of the selected day to be listed, in this session.
pub(super) fn look_back(model: &mut Model) {
    let Some(day) = screen::trends::selected_day(model) else { return };
    while !model.window().holds(Some(Timestamp::of_day(day))) && model.days != Days::All {
        model.days = model.days.wider();
    }
}
