//! What an action does, wherever it came from: a key, the palette, help.

use super::navigate::{go, leave};
use super::prompt::records_of;
use super::{
    box_task, claims, copy, decide, dispositions, export, family, form, guide, labels, menu,
    movement, picks, prompt, queues, runs, search, selected_record,
};
use crate::calibration::Opens;
use crate::domain::review::Word;
use crate::tui::action::{Action, Danger};
use crate::tui::effect::{ClaimChange, Effect, ExportForm};
use crate::tui::layout;
use crate::tui::model::{
    Menu, Model, Overlay, Pane, PickMode, QueueKind, Screen, Tab, key_context,
};
use std::sync::Arc;

/// Percent of the screen by which a list grows or shrinks.
const STEP: i8 = 5;

/// Does what a person asked for; each arm is one line.
pub(super) fn act(model: &mut Model, action: Action) -> Vec<Effect> {
    if model.facts.read_only && action.danger() == Danger::Writes {
        let text = format!("`{}` is refused: this session is read-only", action.name());
        model.notices.note(text, model.now);
        return Vec::new();
    }
    if action.takes_marks()
        && let Some(effects) = movement::end_range(model)
    {
        return effects;
    }
    if action == Action::Back && close_message(model) {
        return Vec::new();
    }
    if let Some(effects) = picks::act(model, action) {
        return effects;
    }
    match action {
        Action::Down => movement::step(model, 1),
        Action::Up => movement::step(model, -1),
        Action::First => movement::to_end(model, false),
        Action::Last => movement::to_end(model, true),
        Action::HalfPageDown => movement::page(model, 1, 2),
        Action::HalfPageUp => movement::page(model, -1, 2),
        Action::PageDown => movement::page(model, 1, 1),
        Action::PageUp => movement::page(model, -1, 1),
        Action::Left => movement::sideways(model, -1),
        Action::Right => movement::sideways(model, 1),
        Action::ScrollDown => movement::scroll(model, 1),
        Action::ScrollUp => movement::scroll(model, -1),
        Action::NextItem => movement::item(model, 1),
        Action::PreviousItem => movement::item(model, -1),
        Action::NextPart => search::part(model, 1),
        Action::PreviousPart => search::part(model, -1),
        Action::Search => search::open(model),
        Action::Open => return open(model),
        Action::Back => back(model),
        Action::Quit => return quit(model),
        Action::Cancel => return super::cancel::cancel(model),
        Action::Suspend => return vec![Effect::Suspend],
        Action::GoOverview
        | Action::GoQueue
        | Action::GoRecords
        | Action::GoCalibration
        | Action::GoReadiness
        | Action::GoRuns
        | Action::GoBoxes
        | Action::GoTrends => Screen::shown_by(action).into_iter().for_each(|to| go(model, to)),
        Action::OtherQueue => queues::other(model),
        Action::OtherFamily => family::switch(model),
        Action::GoConflicts => queues::choose(model, QueueKind::Conflicts),
        Action::GoSecondLook => queues::choose(model, QueueKind::SecondLook),
        Action::GoMine => {
            queues::choose(model, QueueKind::Calibration);
            return prompt::set_filter(model, "assigned:me");
        }
        Action::GoEscalations => {
            let escalations = crate::overview::escalations();
            return records_of(model, &escalations.to_string());
        }
        Action::Unfold => unfold(model),
        Action::StepDone => form::open_step(model),
        Action::AuditRate => form::open_rate(model),
        Action::Waive => form::open_waiver(model),
        Action::StartWindow => form::open_window(model),
        Action::CheckBox | Action::EnableBox | Action::RollBackBox => {
            return box_task::open(model, action);
        }
        Action::WriteReport => return write_report(model),
        Action::OpenReport => return open_report(model),
        Action::NextPane => next_pane(model, 1),
        Action::ShrinkList => movement::grow_list(model, -STEP),
        Action::GrowList => movement::grow_list(model, STEP),
        Action::Zoom => movement::zoom(model),
        Action::PreviousPane => next_pane(model, -1),
        Action::Filter => prompt::open_filter(model),
        Action::Palette => model.overlay = Some(Overlay::Palette(Menu::default())),
        Action::Help => model.overlay = Some(Overlay::Help(Menu::default())),
        Action::Messages => model.overlay = Some(Overlay::Messages { top: 0 }),
        Action::Seen => {
            return dispositions::set(model, crate::store::disposition::Disposition::Seen);
        }
        Action::Later => {
            return dispositions::set(model, crate::store::disposition::Disposition::Later);
        }
        Action::Acceptable => return labels::label(model, Word::Acceptable),
        Action::Poor => return labels::label(model, Word::Poor),
        Action::Unsure => return labels::label(model, Word::Unsure),
        Action::Wrong => return labels::wrong(model),
        Action::Note => labels::open_note(model),
        Action::SavePick => {}
        Action::Guide => return guide::open(model),
        Action::Blind => labels::blind(model),
        Action::Override => decide::open(model),
        Action::Claim => return claims::ask(model, ClaimChange::Claim),
        Action::ReleaseClaim => return claims::ask(model, ClaimChange::Release),
        Action::JudgeAgain => return runs::open(model),
        Action::JudgeFile => return runs::open_file(model),
        Action::RepeatRun => return runs::open_repeat(model),
        Action::StopRun => return runs::stop(model),
        Action::Undo => return dispositions::undo(model),
        Action::Redo => return dispositions::redo(model),
        Action::Mark => movement::mark(model),
        Action::MarkRange => return movement::range(model),
        Action::Order => queues::order(model),
        Action::Rounds => queues::rounds(model),
        Action::WidenWindow => model.choose_days(model.days.wider()),
        Action::NarrowWindow => model.choose_days(model.days.narrower()),
        Action::SaveView => prompt::open_view_name(model),
        Action::Views => menu::open_views(model),
        Action::Reveal => selected_record::reveal(model),
        Action::Edit => return selected_record::edit(model),
        Action::OpenCommit => return selected_record::open_commit(model),
        Action::CopyId
        | Action::CopyRecord
        | Action::CopyCommit
        | Action::CopyPath
        | Action::CopyFinding
        | Action::CopyLink
        | Action::CopyCommand => return copy::copy(model, action),
        Action::ExportCsv => return export::export(model, ExportForm::Csv),
        Action::ExportJson => return export::export(model, ExportForm::Json),
        Action::ExportMarkdown => return export::export(model, ExportForm::Markdown),
        Action::Pull => return pull(model),
        Action::NextTheme => return next_theme(model),
        Action::Redraw => return vec![Effect::Redraw],
        Action::Mouse => return super::mouse::switch(model),
    }
    Vec::new()
}

/// Closes the last message; where there is none, the hint of the screen, if it is there. Tells whether there was
/// anything to close.
fn close_message(model: &mut Model) -> bool {
    if model.notices.current().is_some() {
        model.notices.dismiss();
        return true;
    }
    let is_drawn = layout::areas(model).is_some_and(|areas| areas.notice.height > 0);
    is_drawn && model.hinted.insert(model.screen)
}

/// With two panes on or back is the same; on a page of figures a block is a pane.
fn next_pane(model: &mut Model, by: isize) {
    if model.is_page() {
        crate::tui::screen::page_cursor::block(model, by);
    } else {
        model.pane = match model.pane {
            Pane::List => Pane::Record,
            Pane::Record => Pane::List,
        };
    }
}

/// Shows details of what is under the cursor, or folds them again.
fn unfold(model: &mut Model) {
    if !crate::tui::screen::assess::unfold(model) {
        model.notices.note("nothing is folded here", model.now);
    }
}

/// Enter. It only ever shows something.
fn open(model: &mut Model) -> Vec<Effect> {
    match (model.screen, model.pane) {
        (Screen::Overview, _) if crate::tui::screen::overview::is_of_picks(model) => {
            model.picks.mode = Some(PickMode::Strict);
            go(model, Screen::Readiness);
            Vec::new()
        }
        (Screen::Overview, _) if crate::tui::screen::overview::answer_of(model).is_some() => {
            let of = crate::tui::screen::overview::answer_of(model);
            of.into_iter().for_each(|of| family::choose(model, of));
            go(model, Screen::Readiness);
            Vec::new()
        }
        (Screen::Calibration | Screen::Readiness, _)
            if crate::tui::screen::assess::is_conflict(model) =>
        {
            queues::choose(model, QueueKind::Conflicts);
            Vec::new()
        }
        (Screen::Readiness, _) if crate::tui::screen::assess::opens(model).is_some() => {
            crate::tui::screen::assess::opens(model).map_or(Vec::new(), |to| step(model, to))
        }
        (Screen::Calibration | Screen::Readiness, _)
            if crate::tui::screen::assess::unfold(model) =>
        {
            Vec::new()
        }
        (Screen::Trends, _) => {
            super::trends::look_back(model);
            records_behind(model)
        }
        (Screen::Overview | Screen::Calibration | Screen::Readiness, _) => records_behind(model),
        (Screen::Boxes, _) => {
            let query = crate::tui::screen::boxes::target(model);
            query.map_or(Vec::new(), |text| records_of(model, &text))
        }
        (Screen::Runs, _) => {
            runs::enter(model);
            Vec::new()
        }
        (_, Pane::List) => {
            if !model.list().is_none_or(|l| l.is_empty()) {
                model.pane = Pane::Record;
            }
            Vec::new()
        }
        (_, Pane::Record) if model.record.tab == Tab::History => {
            let query =
                model.selected().and_then(|s| crate::tui::screen::record::history_query(&s.row));
            query.map_or(Vec::new(), |text| records_of(model, &text))
        }
        (_, Pane::Record) => Vec::new(),
    }
}

/// The records behind the selected figure of a page.
fn records_behind(model: &mut Model) -> Vec<Effect> {
    let query = crate::tui::screen::overview::target(model);
    if query.is_none() {
        model.notices.note("there are no records behind this", model.now);
    }
    query.map_or(Vec::new(), |text| records_of(model, &text))
}

/// Shows what a step of What next leads to.
fn step(model: &mut Model, opens: Opens) -> Vec<Effect> {
    match opens {
        Opens::Records(filter) => return records_of(model, &filter),
        Opens::Queue(name) => queues::choose(model, QueueKind::from_title(&name)),
        // As by its key: a console that only reads refuses it.
        Opens::AuditRate => return act(model, Action::AuditRate),
        Opens::Window(_) => return act(model, Action::StartWindow),
    }
    Vec::new()
}

/// Esc: one step back at a time.
fn back(model: &mut Model) {
    if runs::back(model) {
        return;
    }
    if search::end(model) {
        return;
    }
    let all_marks = model.list().is_some_and(|l| l.is_marking());
    let filtered = model.list().is_some_and(|l| !l.filter.is_all());
    if model.pane == Pane::Record {
        model.pane = Pane::List;
        return;
    }
    if movement::drop_range(model) {
        return;
    }
    if all_marks {
        if let Some(list) = model.list_mut() {
            list.unmark();
        }
    } else if filtered {
        prompt::clear_filter(model);
    } else if model.list().is_some() {
        let key = model.keymap.hint(key_context(model), Action::GoOverview);
        let overview = key.map(|key| format!("; {key} shows the overview")).unwrap_or_default();
        model.notices.note(format!("nothing to close here{overview}"), model.now);
    } else if model.screen != Screen::Overview {
        go(model, Screen::Overview);
    }
}

/// q: leaves this place; on the overview, the program.
fn quit(model: &mut Model) -> Vec<Effect> {
    if model.pane == Pane::Record && model.list().is_some() {
        model.pane = Pane::List;
        return Vec::new();
    }
    if runs::back(model) {
        return Vec::new();
    }
    if model.screen != Screen::Overview {
        go(model, Screen::Overview);
        return Vec::new();
    }
    if runs::prevents_quit(model) || box_task::prevents_quit(model) {
        return Vec::new();
    }
    leave(model)
}

fn pull(model: &mut Model) -> Vec<Effect> {
    if !model.facts.boxes {
        let text = match model.facts.fleet {
            true => "with `--fleet` no box is pulled from: the store is read again",
            false => "there is no box to pull from: the logs are read in place",
        };
        model.notices.note(text, model.now);
        return std::iter::once(Effect::Open).chain(decide::waiting(model)).collect();
    }
    if model.pulls.running {
        model.notices.note("a pull is already running", model.now);
        return Vec::new();
    }
    model.pulls.begin();
    vec![Effect::Pull]
}

/// The next pull of `--watch`: without a word where one runs already.
pub(super) fn pull_again(model: &mut Model) -> Vec<Effect> {
    if !model.facts.boxes {
        return vec![Effect::Open];
    }
    if model.facts.read_only {
        // No box is asked; what another console pulled is there to be seen.
        return vec![Effect::Open];
    }
    if model.pulls.running {
        return Vec::new();
    }
    pull(model)
}

/// Writes what is shown, not what would be found now.
fn write_report(model: &mut Model) -> Vec<Effect> {
    match &model.assess().result.value {
        Some(report) => vec![Effect::WriteReport(Arc::clone(report))],
        None => {
            model.notices.note("labels are not assessed yet; open the readiness screen", model.now);
            Vec::new()
        }
    }
}

/// Opens what was written last.
fn open_report(model: &mut Model) -> Vec<Effect> {
    match model.report.clone() {
        Some(path) => vec![Effect::OpenFile { path }],
        None => {
            let key = model.keymap.hint(key_context(model), Action::WriteReport);
            let key = key.map(|key| format!("; {key} writes it")).unwrap_or_default();
            model.notices.note(format!("no report was written in this session{key}"), model.now);
            Vec::new()
        }
    }
}

fn next_theme(model: &mut Model) -> Vec<Effect> {
    let themes = &model.facts.themes;
    let at = themes.iter().position(|t| t == model.theme.name()).map_or(0, |i| i + 1);
    let next = themes.get(at).or_else(|| themes.first());
    next.map(|name| vec![Effect::Theme(name.clone())]).unwrap_or_default()
}
