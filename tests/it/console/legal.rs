//! What holds of a model whatever happened.

use foureyes::domain::Column;
use foureyes::tui::Model;
use foureyes::tui::layout;
use foureyes::tui::model::{List, Load, Menu, Overlay, Pane, PromptKind, Question, Screen};

/// Fails with the first thing that is not as it must be after an update.
pub(super) fn legal(model: &Model) -> Result<(), String> {
    for list in [&model.queue, &model.records] {
        of_list(model, list).map_err(|e| format!("{:?}: {e}", list.id))?;
    }
    if let (Some(list), Some(_)) = (model.list(), &model.loaded) {
        on_screen(model, list).map_err(|e| format!("{:?} on the screen: {e}", list.id))?;
    }
    overlay(model)?;
    let labels = &model.labels;
    hold(labels.pending.len() <= model.history.writing, "a label is on no way to the disk")?;
    hold(labels.pending.is_empty() || !model.facts.read_only, "a run that only reads labels")?;
    let record = model.pane == Pane::Record;
    let panes = model.screen != Screen::Overview;
    hold(!record || panes, "another pane has the keys where there is none")?;
    let notices = &model.notices;
    hold(notices.open() <= notices.all().len(), "more notices are open than there are")?;
    hold(notices.current().is_some() == (notices.open() > 0), "an open notice is not shown")?;
    hold(model.overview.generation <= model.generation, "the overview is ahead")?;
    let figures = foureyes::tui::screen::overview::figures(model);
    hold(model.overview.cursor < figures.max(1), "the cursor of the overview is past its end")?;
    let assess = model.assess();
    hold(assess.generation <= model.generation, "the assessment is ahead")?;
    hold(assess.rules.generation <= model.generation, "the replay is ahead")?;
    hold(assess.rules.tried.len() < 10_000, "more rules were tried than there are")?;
    let picks = &model.picks;
    hold(picks.place < picks.queue.len().max(1), "the pick is past the last one")?;
    hold(picks.pending.len() <= model.history.writing, "a pick is on no way to the disk")?;
    hold(picks.pending.is_empty() || !model.facts.read_only, "a run that only reads labels picks")?;
    let record = &model.record;
    let busy = record.details.load == Load::Busy || record.content.load == Load::Busy;
    hold(!busy || record.id.is_some(), "something of no record is on its way")
}

fn hold(is_so: bool, otherwise: &str) -> Result<(), String> {
    if is_so { Ok(()) } else { Err(otherwise.to_owned()) }
}

/// Of a list wherever the person is.
fn of_list(model: &Model, list: &List) -> Result<(), String> {
    hold(list.cursor < list.len().max(1), "the cursor is past the last line")?;
    hold(list.range.is_none_or(|from| from < list.len().max(1)), "a range begins past the end")?;
    hold(list.generation <= model.generation, "its generation is ahead")?;
    hold(list.edition <= model.loaded.as_ref().map_or(0, |l| l.edition), "its rows are ahead")?;
    hold(list.columns.first() == Some(&Column::Path), "a list does not name its files")?;
    let typed = foureyes::tui::model::Filter::parse(&list.filter.text);
    hold(typed.is_some_and(|f| f == list.filter), "the filter is not what was typed")
}

/// Of the list on the screen: the cursor is seen, and the record beside it is the one below it.
fn on_screen(model: &Model, list: &List) -> Result<(), String> {
    let height = layout::list_height(model).max(1);
    hold(list.top <= list.cursor, "the cursor is above the screen")?;
    hold(list.cursor < list.top + height, "the cursor is below the screen")?;
    let last = list.len().saturating_sub(height);
    hold(list.top <= last, "there is room below the last line")?;
    hold(list.above <= list.top, "more came above than there is above")?;
    let Some(row) = list.row(list.cursor) else { return Ok(()) };
    hold(model.rows.knows(list.edition, row), "the selected row was not asked for")?;
    if let Some(shown) = model.selected() {
        let id = Some(shown.row.id);
        hold(list.selected == id, "the selection is not the record under the cursor")?;
        hold(model.record.id == id, "another record is shown than the selected one")?;
        let asked = !model.record.details.is_untouched();
        hold(asked, "the log was not asked about the record")?;
    }
    if layout::areas(model).is_none() {
        // Nothing is drawn.
        return Ok(());
    }
    let key = model.record.sheet.key.ok_or("the record has no sheet")?;
    let width = layout::record_size(model).0;
    hold(key.id == model.record.id, "the sheet is of another record")?;
    hold(key.tab == model.record.tab, "the sheet is of another tab")?;
    hold(key.width == width, "the sheet is of another width")?;
    hold(key.sight == model.sight(), "the sheet was made for other eyes")?;
    hold(key.revision == model.record.revision, "the sheet is older than the record")
}

fn overlay(model: &Model) -> Result<(), String> {
    match &model.overlay {
        Some(Overlay::Prompt(prompt)) => {
            hold(model.list().is_some(), "a line is typed where there is no list")?;
            let writes = !matches!(prompt.kind, PromptKind::Filter | PromptKind::Search);
            hold(!(writes && model.facts.read_only), "something is kept in a run that only reads")?;
            let value = prompt.input.value();
            hold(prompt.input.cursor() <= value.chars().count(), "the cursor is past the line")?;
            hold(value.len() <= 4096 + 4, "the line is too long")
        }
        Some(Overlay::Palette(menu) | Overlay::Help(menu) | Overlay::Views(menu)) => of_menu(menu),
        Some(Overlay::Sort { cursor }) => {
            hold(model.list().is_some(), "there is no list to sort")?;
            hold(*cursor < Column::ALL.len(), "the cursor is past the last column")
        }
        Some(Overlay::Messages { top }) => {
            let (lines, _) = foureyes::tui::messages::size(model);
            hold(*top < lines.max(1), "messages begin past the last one")
        }
        Some(Overlay::Guide { top, .. }) => {
            let (lines, _) = foureyes::tui::guide::size(model);
            hold(*top < lines.max(1), "the guide begins past its last line")
        }
        Some(Overlay::Confirm(Question::Open)) => {
            hold(!model.facts.read_only && model.in_calibration(), "nothing is blind here")
        }
        Some(Overlay::Confirm(Question::Label { words })) => {
            hold(!model.facts.read_only, "labels are given in a run that only reads")?;
            hold(model.list().is_some() && words.len() > 20, "it is asked for no reason")
        }
        Some(Overlay::Confirm(Question::NoneHelps { record, .. })) => {
            hold(!model.facts.read_only, "picks are labelled in a run that only reads")?;
            hold(model.picks.marks_of(*record).is_empty(), "a marked candidate helps")
        }
        Some(Overlay::Override(form)) => {
            hold(!model.facts.read_only, "something is decided in a run that only reads")?;
            hold(!form.records.is_empty(), "it is of no record")?;
            let evaluated = form.records.iter().all(|shown| shown.row.outcome.is_some());
            hold(evaluated, "an override is overridden")?;
            hold(form.reason.value().len() <= 4096 + 4, "the reason is too long")
        }
        Some(Overlay::Form(form)) => {
            hold(!model.facts.read_only, "something is said in a run that only reads")?;
            let value = form.input.value();
            hold(form.input.cursor() <= value.chars().count(), "the cursor is past the line")?;
            hold(value.len() <= 4096 + 4, "the line is too long")
        }
        Some(Overlay::Judge(form)) => {
            hold(!model.facts.read_only, "somebody is asked in a run that only reads")?;
            for text in [&form.description, &form.acceptance] {
                let value = text.input.value();
                hold(text.input.cursor() <= value.chars().count(), "the cursor is past the text")?;
                hold(value.len() <= (32 << 10) + 4, "the text is too long")?;
            }
            hold(form.generation <= model.generation, "the form is ahead")
        }
        Some(Overlay::BoxForm(form)) => match form.chosen < form.boxes.len() {
            true => Ok(()),
            false => Err(format!("box {} of {}", form.chosen, form.boxes.len())),
        },
        Some(Overlay::BoxRun { .. }) => match &model.boxes.run {
            Some(_) => Ok(()),
            None => Err("the progress of no task is open".to_owned()),
        },
        None => Ok(()),
    }
}

fn of_menu(menu: &Menu) -> Result<(), String> {
    let length = menu.input.value().chars().count();
    hold(menu.input.cursor() <= length, "the cursor is past the search")
}
