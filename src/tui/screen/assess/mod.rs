//! Calibration and readiness: how often the judge errs, and whether it may block.
//!
//! Both screens are pages of blocks like the overview, made of one assessment: the same numbers
//! are on the overview, here and in every report.

mod next;
mod state;

use crate::answers::calibration::what_if::{self, Replays, WhatIf};
use crate::answers::calibration::{self, Details};
use crate::answers::readiness;
use crate::assess::{Progress, Report};
use crate::instruments::Capability;
use crate::page::Page as Answer;
use crate::page::write::Options;
use crate::page::write::console::{FocusId, Layout};
use crate::tui::effect::Effect;
use crate::tui::layout;
use crate::tui::model::{
    AssessmentDetails, LedgerSnapshot, Load, Loadable, Model, PageKey, Problem, RULES_SHOWN, Rules,
    Screen,
};
use crate::tui::page::Page;
use crate::tui::screen::page_cursor::PageCursor;
use crate::tui::screen::page_view::{PageView, room};
use crate::tui::theme::Role;
use crate::tui::widget::Pen;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

/// Draws the one of the two that is on the screen.
pub fn draw(model: &Model, pen: &Pen<'_>, buffer: &mut Buffer, body: Rect) {
    heading(model, pen, buffer, body);
    if state::draw(model, pen, buffer, room(body)) {
        return;
    }
    let at = PageView::on_screen(model);
    at.rows(pen, buffer, room(body));
    at.draw_status(pen, buffer, body);
}

fn heading(model: &Model, pen: &Pen<'_>, buffer: &mut Buffer, body: Rect) {
    let result = &model.assess().result;
    let (role, how) = match &result.load {
        Load::Failed(_) => (Role::Error, "assessing failed "),
        Load::Busy => (Role::Notice, "assessing… "),
        Load::Idle => (Role::Dim, ""),
    };
    let title = format!(" {} of {} ", model.screen.title(), model.family.plural());
    let mut parts = vec![(Role::Title, title.as_str())];
    let at = result.value.as_ref().map(|a| {
        let text = a.readiness.generated.to_string();
        let minute = text.get(..16).map_or_else(String::new, |t| t.replace('T', " "));
        format!("as of {minute}Z ")
    });
    if let Some(at) = &at {
        parts.extend([(role, how), (Role::Dim, at.as_str())]);
    }
    pen.heading(buffer, body, true, &pen.line(parts));
    if at.is_some() {
        PageView::on_screen(model).more(pen, buffer, body);
    }
}

/// Makes the page on the screen where what it shows has changed, and scrolls to the cursor.
pub(in crate::tui) fn ready(model: &mut Model) {
    let Some(areas) = layout::areas(model) else { return };
    let Some(assessed) = model.assess().result.value.clone() else { return };
    let width = usize::from(areas.body.width);
    let revision = model.assess().rules.revision;
    let parts = model.assess().parts.value.clone();
    let ledger = model.labels.ledger.clone();
    let key = PageKey { assessed, parts, ledger, width, glyphs: model.glyphs, revision };
    let known = &PageView::place(model).key;
    let page = (known.as_ref() != Some(&key)).then(|| match model.screen {
        Screen::Calibration => calibration_page(model, &key),
        _ => readiness_page(model, &key),
    });
    let place = match model.screen {
        Screen::Calibration => &mut model.assess_mut().calibration,
        _ => &mut model.assess_mut().readiness,
    };
    if page.is_some() {
        place.key = Some(key);
    }
    let mut page_cursor = PageCursor::page(place);
    if let Some(page) = page {
        page_cursor.replace_page(page);
    }
    page_cursor.scroll_to_cursor(usize::from(room(areas.body).height));
}

/// What the one of the two says that is on the screen; `None` before it is assessed.
pub(in crate::tui) fn answer(model: &Model) -> Option<Answer> {
    let assess = model.assess();
    let assessed = assess.result.value.as_deref()?;
    Some(match model.screen {
        Screen::Calibration => calibration_answer(model, assessed, assess.parts.value.as_deref()),
        _ => {
            let ledger = model.labels.ledger.as_deref();
            readiness_answer(model, assessed, assess.parts.value.as_deref(), ledger)
        }
    })
}

fn calibration_page(model: &Model, key: &PageKey) -> Page {
    laid_out(model, key, &calibration_answer(model, &key.assessed, key.parts.as_deref()))
}

fn laid_out(model: &Model, key: &PageKey, answer: &Answer) -> Page {
    let unfolded = &PageView::place(model).unfolded;
    let options = options(model, key.width);
    Page::laid_out(Layout::new(answer, key.width, key.glyphs, &options, unfolded))
}

fn calibration_answer(
    model: &Model,
    assessed: &Report,
    parts: Option<&AssessmentDetails>,
) -> Answer {
    let details = Details {
        picked: parts.map(|parts| parts.picked),
        rates: parts.map_or(&[], |parts| parts.rates.as_slice()),
        drift: parts.map(|parts| parts.drift.as_slice()),
        peer: parts.and_then(|parts| parts.peer.as_ref()),
        what_if: Some(what_if(model, parts)),
    };
    let mut page = calibration::page(assessed, &details);
    let first = readiness::unlabelled(&assessed.readiness, state::keys(model).as_ref());
    page.blocks.splice(0..0, first);
    page
}

fn options(model: &Model, width: usize) -> Options {
    Options { is_masked: true, width, command_line: model.facts.command_line }
}

/// What other score rules would do, as far as that is known.
fn what_if<'a>(model: &'a Model, parts: Option<&AssessmentDetails>) -> WhatIf<'a> {
    let (assess, Some(parts)) = (model.assess(), parts) else {
        return match &model.assess().parts.load {
            Load::Failed(Problem { text, next, .. }) => WhatIf::Failed { problem: text, next },
            _ => WhatIf::Reading,
        };
    };
    let Rules { rule, tried, replayed, .. } = &assess.rules;
    let replays = match (&replayed.load, &replayed.value) {
        (Load::Failed(problem), _) => Replays::Failed(&problem.text),
        (Load::Busy, _) | (_, None) => Replays::Running,
        (_, Some(all)) => Replays::Done(all),
    };
    let (records, tried) = (parts.replays.len() as u64, tried.len() as u64);
    WhatIf::Ready { records, rule, tried, replays }
}

fn readiness_page(model: &Model, key: &PageKey) -> Page {
    let (parts, ledger) = (key.parts.as_deref(), key.ledger.as_deref());
    laid_out(model, key, &readiness_answer(model, &key.assessed, parts, ledger))
}

fn readiness_answer(
    model: &Model,
    assessed: &Report,
    parts: Option<&AssessmentDetails>,
    ledger: Option<&LedgerSnapshot>,
) -> Answer {
    let sample =
        parts.map(|parts| readiness::Sample { rates: &parts.sample, unusable: &parts.unusable });
    let ledger = ledger.filter(|_| assessed.readiness.family.has(Capability::Runbooks));
    let runbooks = ledger.map(|ledger| Progress::all(&ledger.present, model.now));
    let blocking = model.blocking_caveats();
    let extras = readiness::Extras {
        blocking: &blocking,
        operation: None,
        keys: state::keys(model),
        sample,
        runbooks: runbooks.as_deref().map(|all| (all, model.now)),
    };
    readiness::page(assessed, &extras)
}

/// The step of a runbook under the cursor, and its runbook.
pub(in crate::tui) fn step(model: &Model) -> Option<(&'static str, &'static str)> {
    let placed =
        PageView::on_screen(model).selected_stop().filter(|_| model.screen == Screen::Readiness)?;
    let id = &placed.stop.id;
    (id.block == readiness::RUNBOOK).then(|| next::runbook_step(&id.row))?
}

/// What the step under the cursor opens, where it opens anything.
pub(in crate::tui) fn opens(model: &Model) -> Option<crate::calibration::Opens> {
    let placed =
        PageView::on_screen(model).selected_stop().filter(|_| model.screen == Screen::Readiness)?;
    let assessed = model.assess().result.value.as_ref()?;
    next::step(&assessed.readiness, &placed.stop.id)?.opens.clone()
}

/// The commands of the step under the cursor, a line each, where it names any.
pub(in crate::tui) fn command(model: &Model) -> Option<String> {
    let placed =
        PageView::on_screen(model).selected_stop().filter(|_| model.screen == Screen::Readiness)?;
    let assessed = model.assess().result.value.as_ref()?;
    let step = next::step(&assessed.readiness, &placed.stop.id)?;
    // The quickest way first.
    let way = step.ways.iter().find(|way| !way.lines.is_empty())?;
    Some(way.lines.join("\n"))
}

/// The rule under the cursor, where it blocks READY and can be waived.
pub(in crate::tui) fn waivable(model: &Model) -> Option<&'static str> {
    let placed =
        PageView::on_screen(model).selected_stop().filter(|_| model.screen == Screen::Readiness)?;
    let (id, assessed) = (&placed.stop.id, model.assess().result.value.as_ref()?);
    // A row of rules is named by its rule and its place.
    let row = id.row.split(' ').next().filter(|_| id.block == readiness::BLOCKS);
    match row {
        Some(name) => next::rule(name),
        None => next::waivable(&assessed.readiness, id),
    }
}

/// Whether the cursor is on what reviewers differ on.
pub(in crate::tui) fn is_conflict(model: &Model) -> bool {
    PageView::on_screen(model).selected_stop().is_some_and(|placed| {
        let id = &placed.stop.id;
        id.block == calibration::AGREEMENT && id.row == calibration::CONFLICTS
    })
}

/// What the cursor is on, where there is more of it to unfold.
fn foldable(model: &Model) -> Option<&FocusId> {
    let is_assessed = matches!(model.screen, Screen::Calibration | Screen::Readiness);
    let stop = &PageView::on_screen(model).selected_stop().filter(|_| is_assessed)?.stop;
    stop.folds.then_some(&stop.id)
}

/// Whether there is more to unfold under the cursor.
pub(in crate::tui) fn has_details(model: &Model) -> bool {
    foldable(model).is_some()
}

/// Shows what is folded under the cursor, or folds it again; returns whether there is anything.
pub(in crate::tui) fn unfold(model: &mut Model) -> bool {
    let Some(id) = foldable(model).cloned() else { return false };
    let place = match model.screen {
        Screen::Calibration => &mut model.assess_mut().calibration,
        _ => &mut model.assess_mut().readiness,
    };
    if !place.unfolded.remove(&id) {
        place.unfolded.insert(id);
    }
    // The rows are made anew.
    place.key = None;
    true
}

/// Moves the slider under the cursor; returns whether there is one.
pub(in crate::tui) fn slide(model: &mut Model, by: isize) -> bool {
    let Some(id) = PageView::on_screen(model).selected_stop().map(|h| h.stop.id.clone()) else {
        return false;
    };
    if id.block != what_if::BLOCK {
        return false;
    }
    let Some(at) = (0..Rules::SLIDERS).find(|at| what_if::slider(*at) == id.row) else {
        return false;
    };
    model.assess_mut().rules.slide(at, by);
    true
}

/// Asks to replay the rules that are shown, where they or the labels have changed.
pub(in crate::tui) fn replay(model: &mut Model) -> Option<Effect> {
    let assessed = model.assess().result.value.clone()?;
    let parts = model.assess().parts.value.clone()?;
    let version = model.assess().version;
    let generation = model.generation + 1;
    let rules = &mut model.assessments.get_mut(model.family).rules;
    let shown = rules.shown();
    if rules.of == Some(version) {
        return None;
    }
    rules.of = Some(version);
    rules.revision += 1;
    if shown.is_empty() {
        rules.replayed = Loadable::default();
        return None;
    }
    debug_assert!(shown.len() <= RULES_SHOWN);
    rules.replayed.load = Load::Busy;
    rules.generation = generation;
    model.generation = generation;
    // The error is split over all that were tried, not only over those that are shown.
    let split = shown.len() as f64 / rules.tried.len().max(1) as f64;
    let confidence = 1.0 - (1.0 - assessed.policy.confidence) * split;
    let records = parts.replays.clone();
    Some(Effect::Replay { records, rules: shown, confidence, generation })
}
