//! After every message: asks for whatever the screen now needs and has not got.

use crate::domain::{JudgementKind, Window};
use crate::tui::effect::{Effect, ListAsk};
use crate::tui::layout;
use crate::tui::model::{
    BlindMode, ListId, ListKey, Load, Loadable, Model, OverviewKey, Pane, QueueKind,
    QueueSelection, RecordModel, Screen, Tab,
};
use crate::tui::page::sheet::SheetKey;
use crate::tui::screen;

pub(super) fn settle(model: &mut Model, effects: &mut Vec<Effect>) {
    super::gate::renew(model);
    let Some(edition) = model.loaded.as_ref().map(|l| l.edition) else { return };
    overview(model, edition, effects);
    answers(model, edition, effects);
    // The queue's length is at the top of every screen. It is not what is waited for on the overview.
    let summary = &model.overview.summary;
    let waits = model.screen == Screen::Overview && summary.value.is_none() && summary.is_busy();
    if model.history.writing == 0 && !waits {
        list(model, ListId::Queue, edition, effects);
    }
    // A list that was looked at is kept up to date, or it would keep an old archive open.
    if model.screen == Screen::Records || model.records.rows.value.is_some() {
        list(model, ListId::Records, edition, effects);
    }
    if model.screen == Screen::Runs {
        effects.extend(screen::runs::ready(model, edition));
    }
    if model.screen == Screen::Boxes {
        effects.extend(screen::boxes::ready(model, edition));
    }
    effects.extend(super::decide::look(model, edition));
    let is_at_end = model.queue.rows.value.as_ref().is_some_and(|rows| rows.is_empty());
    if model.screen == Screen::Queue && is_at_end {
        // The end of the queue is told where its lines were.
        model.pane = Pane::List;
    }
    if model.list().is_some() {
        model.record.hide(model.hides_source());
        rows(model, effects);
        record(model, effects);
        sheet(model);
    }
    match model.screen {
        Screen::Calibration | Screen::Readiness if model.picks.mode.is_some() => {
            super::picks::arrange(model);
            screen::picks::ready(model);
        }
        Screen::Overview => screen::overview::ready(model),
        Screen::Calibration => {
            effects.extend(screen::assess::replay(model));
            screen::assess::ready(model);
        }
        Screen::Readiness => screen::assess::ready(model),
        Screen::Trends => effects.extend(super::trends::ready(model, edition)),
        _ => {}
    }
    if model.screen == Screen::Overview && model.looked != model.overview.shown {
        model.looked = model.overview.shown;
        effects.extend(model.looked.map(|edition| Effect::Looked { edition }));
    }
    close(model, edition, effects);
}

/// Asks for what the judge's labels come to, and for the picks of memories.
fn answers(model: &mut Model, edition: u64, effects: &mut Vec<Effect>) {
    // On the overview the counts come first: they are quicker.
    let counted = !model.overview.summary.is_busy() && !model.overview.breakdowns.is_busy();
    if model.screen == Screen::Overview && !counted {
        return;
    }
    for family in JudgementKind::ALL {
        match shows(model, family) {
            true => assess(model, family, (edition, true), effects),
            // What is at the top of every screen needs the answer alone, and what lists hide the open days.
            false if has_window(model, family) => assess(model, family, (edition, false), effects),
            false => {}
        }
    }
    if model.is_page() {
        super::picks::ask(model, edition, effects);
    }
}

/// Lets go of older archives, which hold much memory, once no list is of them.
fn close(model: &mut Model, edition: u64, effects: &mut Vec<Effect>) {
    let lists = [&model.queue, &model.records];
    let moved = lists.iter().all(|l| l.rows.value.is_none() || l.edition == edition);
    if moved && model.closed < edition {
        model.closed = edition;
        effects.push(Effect::Close { before: edition });
    }
}

/// Keeps the picture whole at the end, when nothing is asked for any more.
pub(super) fn clamp_scroll(model: &mut Model) {
    let height = layout::list_height(model).max(1);
    if let Some(list) = model.list_mut() {
        list.scroll(height);
    }
}

fn overview(model: &mut Model, edition: u64, effects: &mut Vec<Effect>) {
    let (window, open_days) = (model.window(), model.gate.days().cloned());
    let serial = model.assessments.get(JudgementKind::DEFAULT).serial;
    let labels = open_days.as_ref().map_or(0, |_| serial);
    let wanted = OverviewKey { edition, window, open_days: open_days.clone(), labels };
    // What is hidden changes with every label: it is counted anew where the counts are looked at.
    let is_asked = model.overview.asked.as_ref().is_some_and(|asked| match model.screen {
        Screen::Overview => *asked == wanted,
        _ => (asked.edition, asked.window) == (edition, window),
    });
    if is_asked {
        return;
    }
    let generation = model.next_generation();
    model.overview.asked = Some(wanted);
    model.overview.generation = generation;
    model.overview.summary.load = Load::Busy;
    model.overview.breakdowns.load = Load::Busy;
    effects.push(Effect::Summarise { edition, span: (window, open_days), generation });
}

/// Whether the page on the screen shows the assessment of a family: the overview has those of pushes and
/// of whatever else has a window, the two screens of calibration the chosen one.
fn shows(model: &Model, family: JudgementKind) -> bool {
    match model.screen {
        Screen::Overview => family.is_default() || has_window(model, family),
        _ => model.is_page() && family == model.family && model.picks.mode.is_none(),
    }
}

fn has_window(model: &Model, family: JudgementKind) -> bool {
    let ledger = model.labels.ledger.as_ref();
    ledger.is_some_and(|ledger| !ledger.present.of(family).windows.is_empty())
}

/// Asks for the assessment, with its details or without, where the logs or the labels are others than those
/// it was asked of.
fn assess(
    model: &mut Model,
    family: JudgementKind,
    (edition, details): (u64, bool),
    effects: &mut Vec<Effect>,
) {
    let generation = model.generation + 1;
    let assess = model.assessments.get_mut(family);
    let serial = assess.serial;
    let is_asked = assess
        .asked
        .is_some_and(|(of, at, all)| (of, at) == (edition, serial) && (all || !details));
    if is_asked {
        return;
    }
    model.generation = generation;
    assess.asked = Some((edition, serial, details));
    assess.generation = generation;
    assess.result.load = Load::Busy;
    if details {
        assess.parts.load = Load::Busy;
    }
    effects.push(Effect::Assess { edition, family, details, generation });
}

/// Asks for a list where it would be made of something else than the one that was asked for.
fn list(model: &mut Model, id: ListId, edition: u64, effects: &mut Vec<Effect>) {
    let window = match id {
        ListId::Queue => Window { from: model.facts.queue_since, to: None },
        ListId::Records => model.window(),
    };
    let near = layout::list_height(model);
    if id == ListId::Queue {
        super::queues::drop_revealing_filter(model);
    }
    let selection = match id {
        ListId::Queue => super::family::selection(model),
        ListId::Records => QueueSelection::default(),
    };
    let is_gated = id == ListId::Records || selection.kind == QueueKind::Triage;
    let assessed = &model.assessments.get(JudgementKind::DEFAULT).result.load;
    if is_gated && model.gate.is_undecided() && !matches!(assessed, Load::Failed(_)) {
        return;
    }
    let open_days = model.gate.days().filter(|_| is_gated).cloned();
    let is_blind = model.labels.sight == BlindMode::Blind;
    let asked = {
        let list = model.list_of(id);
        let (query, rounds) = (list.filter.query.clone(), list.rounds);
        let (sort, serial) = (list.sort, list.serial);
        let hides = is_blind && sort.column.is_telling();
        ListKey { edition, query, window, sort, hides, selection, rounds, open_days, serial }
    };
    if model.list_of(id).asked.as_ref() == Some(&asked) {
        let list = model.list_of(id);
        list.fresh &= list.rows.is_busy();
        return;
    }
    let generation = model.next_generation();
    let list = model.list_of(id);
    list.generation = generation;
    list.rows.load = Load::Busy;
    list.asked = Some(asked.clone());
    let anchor = list.look();
    let marks = list.all_marks();
    let ListKey { query, sort, hides, rounds, open_days, .. } = asked;
    let ask =
        ListAsk { query, window, sort, hides, selection, rounds, open_days, anchor, near, marks };
    effects.push(Effect::List { edition, list: id, generation, ask });
}

/// Asks for the records of the rows on the screen and around it.
fn rows(model: &mut Model, effects: &mut Vec<Effect>) {
    let height = layout::list_height(model).max(1);
    let Some(list) = model.list_mut() else { return };
    list.scroll(height);
    let (edition, from) = (list.edition, list.top.saturating_sub(height));
    let around: Vec<_> = (from..from + 3 * height).filter_map(|line| list.row(line)).collect();
    let on_screen: Vec<_> = list.visible(height).map(|(_, row)| row).collect();
    // What is on the screen first; what is around it only with something that is.
    if on_screen.iter().all(|row| model.rows.knows(edition, *row)) {
        return;
    }
    let rows = model.rows.missing(edition, on_screen.into_iter().chain(around));
    if !rows.is_empty() {
        effects.push(Effect::Rows { edition, rows });
    }
}

/// Turns the record to the selected row, and asks for what its tab needs.
fn record(model: &mut Model, effects: &mut Vec<Effect>) {
    let selected = model.selected().map(|s| s.row.id);
    let Some(list) = model.list_mut() else { return };
    if let Some(id) = selected {
        list.selected = Some(id);
    }
    let (edition, row) = (list.edition, list.row(list.cursor));
    let empty = list.is_empty() && !list.rows.is_busy();
    if selected.is_some() || empty {
        model.record.turn(selected);
    }
    if let Some(id) = selected {
        let now = model.now;
        model.labels.shown.entry(id).or_insert(now);
    }
    let (Some(id), Some(row)) = (selected, row) else { return };
    let history = model.record.tab == Tab::History;
    let lacks = history && !model.record.asks_history && !model.record.details.is_busy();
    if model.record.details.is_untouched() || lacks {
        model.record.details.load = Load::Busy;
        model.record.asks_history = history;
        effects.push(Effect::Record { edition, row, id, reveal: model.record.reveal, history });
    }
    if matches!(model.record.tab, Tab::Content | Tab::Diff) && model.record.content.is_untouched() {
        content(model, effects);
    }
}

fn content(model: &mut Model, effects: &mut Vec<Effect>) {
    let Some(shown) = model.selected().cloned() else { return };
    let Some(commit) = shown.row.commit.clone() else { return };
    model.record.content = Loadable::busy();
    effects.push(Effect::Content {
        id: shown.row.id,
        commit,
        files: shown.row.files.clone(),
        box_name: shown.row.box_name.clone(),
    });
}

/// Makes the lines of the tab anew where what they show has changed.
fn sheet(model: &mut Model) {
    if layout::areas(model).is_none() {
        // Nothing is drawn.
        return;
    }
    let (width, height) = layout::record_size(model);
    let record = &model.record;
    let (id, tab, revision) = (record.id, record.tab, record.revision);
    let key = SheetKey { id, tab, width, sight: model.sight(), revision };
    if model.record.sheet.key != Some(key) {
        let sheet = screen::record::sheet(model, key);
        let record = &mut model.record;
        let is_other = record.sheet.key.is_none_or(|of| (of.id, of.tab) != (key.id, key.tab));
        record.part = record.part.filter(|_| !is_other);
        record.scroll = record.scroll.min(sheet.lines.len().saturating_sub(height));
        record.sheet = sheet;
    }
    let RecordModel { search, sheet, scroll, .. } = &mut model.record;
    if search.as_mut().is_some_and(|search| search.renew(sheet, *scroll)) {
        super::search::show_match(model);
    }
}

#[cfg(test)]
mod tests {
    use super::super::fixture;
    use super::*;
    use crate::tui::message::Message;
    use crate::tui::model::Problem;
    use crate::tui::session::Session;

    #[test]
    fn overview_asks_for_its_numbers_before_the_queue() {
        let of = |screen| fixture::with(Session { screen, ..Session::default() }, false);
        assert!(of(Screen::Records).queue.asked.is_some());
        let mut model = of(Screen::Overview);
        assert!(model.overview.asked.is_some() && model.queue.asked.is_none());
        // Whatever became of them.
        let generation = model.overview.generation;
        let result = Err(Problem::new("the disk is full", "make room"));
        let _ = crate::tui::update(&mut model, Message::Summary { generation, result });
        assert!(model.queue.asked.is_some());
    }
}
