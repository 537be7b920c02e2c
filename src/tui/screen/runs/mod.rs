//! What was judged again: the runs, the items of one, and an item beside what it answers.

mod compare;
mod comparison;
mod differ;
mod item;
mod list;
mod status;
mod task;

pub use list::selected;
pub(in crate::tui) use status::{money, prompt};

use crate::domain::RecordId;
use crate::domain::review::{EntryId, Run, RunItem};
use crate::text::short_hash;
use crate::tui::effect::Effect;
use crate::tui::judging::JudgingEffect;
use crate::tui::layout;
use crate::tui::model::{BlindMode, ItemSheet, Loadable, Model, RunsPlace, Screen};
use crate::tui::widget::Pen;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use std::sync::Arc;

/// Why the answers of a judge are not shown.
const HIDDEN: &str = "Hidden until you have saved a label of the record: its new verdicts would reveal the old ones.";

/// What judging again does to what is known.
const UNCHANGED: &str = "Nothing is applied: logs, labels and rates stay as they were.";

/// Whether the verdict on an item's record is hidden until the reviewer's own label.
pub(in crate::tui) fn is_hidden(model: &Model, item: &RunItem) -> bool {
    let hides = |record| match model.labels.sight {
        BlindMode::Blind => model.saved_label(record).is_none(),
        BlindMode::Open => model.gate.keeps_id(record),
    };
    // Of a task nothing is kept back: it names no commit.
    let is_push = item.commit.is_some() || model.labels.sight == BlindMode::Blind;
    item.record.is_some_and(|record| is_push && hides(record))
}

/// Records whose verdicts the open run reveals. That is all of its items, since
/// their counts are.
pub(in crate::tui) fn revealed(model: &Model) -> Vec<RecordId> {
    let open = match model.runs.place {
        RunsPlace::Run(run) | RunsPlace::Item(run, _) if model.screen == Screen::Runs => Some(run),
        _ => None,
    };
    let Some(run) = open.and_then(|run| model.run(run)) else { return Vec::new() };
    let items = run.begun.what.items.iter().enumerate();
    let reveals = |(at, item): &(usize, &RunItem)| {
        (item.was.is_some() || run.evaluation(*at).is_some()) && !is_hidden(model, item)
    };
    items.filter(reveals).filter_map(|(_, item)| item.record).collect()
}

/// The run that an action is about: the one that is open, else the selected one.
pub(in crate::tui) fn target_run(model: &Model) -> Option<EntryId> {
    match model.runs.place {
        _ if model.screen != Screen::Runs => None,
        RunsPlace::Run(run) | RunsPlace::Item(run, _) => Some(run),
        RunsPlace::List => selected(model),
    }
}

/// Moves so many lines: among runs, among items, or through an item.
pub(in crate::tui) fn step(model: &mut Model, lines: isize) {
    match model.runs.place {
        RunsPlace::List => list::step(model, lines),
        RunsPlace::Run(run) => {
            let last = items(model, run).saturating_sub(1);
            let item = &mut model.runs.item;
            *item = (*item).min(last).saturating_add_signed(lines).min(last);
        }
        RunsPlace::Item(..) => {
            let height = layout::list_height(model).saturating_sub(1).max(1);
            let last = model.runs.sheet.lines.len().saturating_sub(height);
            let scroll = &mut model.runs.scroll;
            *scroll = (*scroll).min(last).saturating_add_signed(lines).min(last);
        }
    }
}

/// Moves by so many lines, as a page has.
pub(in crate::tui) fn page(model: &mut Model, lines: isize) {
    step(model, lines);
}

/// Selects what is at a line of the screen; tells whether it was selected already.
pub(in crate::tui) fn press(model: &mut Model, body: Rect, y: u16) -> bool {
    match model.runs.place {
        RunsPlace::List => list::press(model, body, y),
        RunsPlace::Run(run) => list::press_item(model, run, body, y),
        RunsPlace::Item(..) => false,
    }
}

/// Goes to the item beside the one that is open.
pub(in crate::tui) fn sideways(model: &mut Model, by: isize) {
    let RunsPlace::Item(run, item) = model.runs.place else { return };
    let last = items(model, run).saturating_sub(1);
    let to = item.saturating_add_signed(by).min(last);
    if to != item {
        (model.runs.place, model.runs.item) = (RunsPlace::Item(run, to), to);
        model.runs.scroll = 0;
    }
}

fn items(model: &Model, run: EntryId) -> usize {
    model.run(run).map_or(0, |run| run.begun.what.items.len())
}

/// Asks for the record of the open item, and makes its lines where they would be others.
pub(in crate::tui) fn ready(model: &mut Model, edition: u64) -> Option<Effect> {
    let RunsPlace::Item(run, item) = model.runs.place else { return None };
    let record = model.run(run)?.begun.what.items.get(item)?.record;
    let mut ask = None;
    match record {
        None => {
            (model.runs.original, model.runs.original_of) = (Loadable::default(), None);
            model.runs.rounds = Arc::default();
        }
        Some(record) if model.runs.original_of != Some((record, edition)) => {
            model.runs.original = Loadable::busy();
            model.runs.rounds = Arc::default();
            model.runs.original_of = Some((record, edition));
            model.runs.revision += 1;
            ask = Some(Effect::Judging(JudgingEffect::ReadOriginal { edition, record }));
        }
        Some(_) => {}
    }
    sheet(model, run, item);
    ask
}

fn sheet(model: &mut Model, run: EntryId, item: usize) {
    let width = usize::from(model.size.0);
    // A label that is saved meanwhile shows what was hidden.
    let mut revision = model.runs.revision.wrapping_add(model.record.revision << 32);
    // What a run took so far is seen going up.
    if model.runs.is_on() {
        revision = revision.wrapping_add((model.now.0.unsigned_abs() / 1_000_000) << 16);
    }
    let key = Some((run, item, width, revision));
    if model.runs.sheet.key != key {
        let lines = match model.is_task_run(run) {
            true => task::lines(model, run, width),
            false => item::lines(model, run, item, width),
        };
        let lines = Arc::new(lines);
        model.runs.sheet = ItemSheet { key, lines };
    }
}

/// Draws the screen.
pub fn draw(model: &Model, pen: &Pen<'_>, buffer: &mut Buffer, body: Rect) {
    match model.runs.place {
        RunsPlace::List => list::draw(model, pen, buffer, body),
        RunsPlace::Run(run) => match model.run(run) {
            Some(run) => list::draw_items(model, run, pen, buffer, body),
            None => list::draw(model, pen, buffer, body),
        },
        RunsPlace::Item(run, at) => match model.run(run) {
            Some(run) => item::draw(model, run, at, pen, buffer, body),
            None => list::draw(model, pen, buffer, body),
        },
    }
}

/// What a run is called: its prompt and its model, and the run that it repeats.
fn title(run: &Run) -> String {
    let begun = &run.begun.what;
    if let Some(task) = &begun.task {
        let repeats =
            begun.repeats.map(|id| format!("; repeats run {}", short_hash(&id.to_string())));
        let repeats = repeats.unwrap_or_default();
        return format!("task {}, {}: {}{repeats}", task.id, task.depth, begun.model);
    }
    let repeats = begun.repeats.map(|id| id.to_string());
    let repeats = repeats.map(|id| format!("; repeats run {}", short_hash(&id)));
    let prompt = status::prompt(&begun.prompt);
    format!("{}, {prompt}{}", begun.model, repeats.unwrap_or_default())
}
