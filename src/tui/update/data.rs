//! What came from outside: logs, lists, records, pulls.

use super::dispositions;
use crate::assess::Report;
use crate::calibration::Replayed;
use crate::domain::review::EntryId;
use crate::domain::{JudgementKind, RecordId, Triage};
use crate::overview::Breakdowns;
use crate::store::cache::Row;
use crate::tui::effect::Effect;
use crate::tui::message::{Listing, Message};
use crate::tui::model::{
    AssessmentDetails, HighlightedContent, LedgerSnapshot, Level, ListId, Load, Loadable, Loaded,
    Model, Problem, RecordDetails, ShownRecord,
};
use crate::tui::theme::Theme;
use std::sync::Arc;

pub(super) fn take(model: &mut Model, message: Message) -> Vec<Effect> {
    match message {
        // What a person asks for is done elsewhere.
        Message::Input(_) | Message::Command(_) => {}
        Message::Guide(guide) => model.guide.settle(Ok(guide)),
        Message::Due => return super::act::pull_again(model),
        Message::Clock(now) => model.now = now,
        Message::Reading(bytes) => *model.opening.value.get_or_insert_default() += bytes,
        Message::Opened(loaded) => opened(model, loaded),
        Message::Outdated(edition) => return outdated(model, edition),
        Message::OpenFailed(problem) => {
            model.opening.load = Load::Failed(problem.clone());
            model.notices.problem(problem, model.now);
        }
        Message::Summary { generation, result } => summary(model, generation, result),
        Message::Breakdowns { generation, result } => breakdowns(model, generation, result),
        Message::Assessed { generation, result } => assessed(model, generation, result),
        Message::Parts { generation, result } => parts(model, generation, result),
        Message::Picks { generation, result } => super::picks::found(model, generation, result),
        Message::Replayed { generation, result } => replayed(model, generation, result),
        Message::Listed { list, edition, generation, result } => {
            listed(model, list, edition, generation, result);
        }
        Message::Ranged { list, generation, result } => {
            super::movement::ranged(model, list, generation, result);
        }
        Message::Rows { edition, result, asked } => rows(model, edition, result, &asked),
        Message::Record { id, result } => record(model, id, result),
        Message::Content { id, highlighted } => content(model, id, highlighted),
        Message::Pulling { box_name, event } => model.pulls.apply(box_name, &event),
        Message::BoxTask { number, event } => super::box_task::received(model, number, event),
        Message::Activity { edition, result } => model.boxes.settle_activity(edition, result),
        Message::Trends { generation, result } => model.trends.settle(generation, result),
        Message::PullLog { box_name, result } => model.boxes.settle_log(&box_name, result),
        Message::Pulled { news, problems } => return pulled(model, news, problems),
        Message::Dispositions { relist, result } => dispositions::written(model, relist, result),
        Message::Ledger(result) => super::labels::ledger_read(model, result),
        Message::Saved { entry, result, ledger } => return saved(model, entry, result, ledger),
        Message::Newer { record, edition, result } => {
            super::decide::newest(model, record, edition, result);
        }
        Message::Decided { name, result, ledger } => {
            return super::decide::decided(model, name, result, ledger);
        }
        Message::Claimed { result, ledger } => super::claims::claimed(model, result, ledger),
        Message::TakenBack { step, change, result, ledger } => {
            return super::decide::taken_back(model, step, change, result, ledger);
        }
        Message::Sent(sent) => super::decide::sent(model, sent),
        Message::Judging(event) => return super::runs::take(model, event),
        Message::ReportWritten { path, name } => super::export::written(model, path, &name, true),
        Message::Exported { path, name } => super::export::written(model, path, &name, false),
        Message::Note(text) => model.notices.note(text, model.now),
        Message::Failed(problem) => model.notices.problem(problem, model.now),
        Message::Themed(theme) => themed(model, theme),
    }
    Vec::new()
}

/// An entry of the ledger is on the disk, or could not be written.
fn saved(
    model: &mut Model,
    entry: EntryId,
    result: Result<(), Problem>,
    ledger: Option<Arc<LedgerSnapshot>>,
) -> Vec<Effect> {
    if result.is_ok() {
        model.ledger_changed();
    }
    super::form::saved(model, entry, &result);
    super::picks::saved(model, entry, &result);
    super::labels::saved(model, entry, result, ledger)
}

fn themed(model: &mut Model, theme: Arc<Theme>) {
    model.notices.note(format!("theme: {}", theme.name()), model.now);
    model.preferences.theme = theme.name().to_owned();
    model.theme = theme;
}

fn report_problem<T>(model: &mut Model, result: &Result<T, Problem>) {
    if let Err(problem) = result {
        model.notices.problem(problem.clone(), model.now);
    }
}

// Answers to what nobody asks any more are dropped.

fn summary(model: &mut Model, generation: u64, result: Result<Arc<Triage>, Problem>) {
    if generation != model.overview.generation {
        return;
    }
    report_problem(model, &result);
    if result.is_ok() {
        model.overview.shown = model.overview.asked.as_ref().map(|asked| asked.edition);
    }
    model.overview.summary.settle(result);
}

fn breakdowns(model: &mut Model, generation: u64, result: Result<Arc<Breakdowns>, Problem>) {
    if generation == model.overview.generation {
        report_problem(model, &result);
        model.overview.breakdowns.settle(result);
    }
}

fn assessed(model: &mut Model, generation: u64, result: Result<Arc<Report>, Problem>) {
    let Some(family) = asked_for(model, generation) else { return };
    report_problem(model, &result);
    let assess = model.assessments.get_mut(family);
    if result.is_err() {
        assess.parts.load = Load::Idle;
    }
    assess.result.settle(result);
}

/// The family whose assessment was asked for last under a number.
fn asked_for(model: &Model, generation: u64) -> Option<JudgementKind> {
    let mut all = model.assessments.iter();
    all.find_map(|(family, assess)| (assess.generation == generation).then_some(family))
}

fn parts(model: &mut Model, generation: u64, result: Result<Arc<AssessmentDetails>, Problem>) {
    let Some(family) = asked_for(model, generation) else { return };
    report_problem(model, &result);
    let assess = model.assessments.get_mut(family);
    assess.version += u64::from(result.is_ok());
    assess.parts.settle(result);
}

fn replayed(model: &mut Model, generation: u64, result: Arc<Vec<Replayed>>) {
    for family in JudgementKind::ALL {
        let rules = &mut model.assessments.get_mut(family).rules;
        if generation == rules.generation && rules.of.is_some() {
            rules.replayed.settle(Ok(Arc::clone(&result)));
            rules.revision += 1;
        }
    }
}

fn rows(
    model: &mut Model,
    edition: u64,
    result: Result<Vec<(Row, Arc<ShownRecord>)>, Problem>,
    asked: &[Row],
) {
    match result {
        Ok(records) => model.rows.put(edition, records, &mut model.gate),
        Err(problem) => {
            model.rows.fail(edition, asked);
            // Rows of a list that is being made again, or of one that was replaced, are not waited for.
            let lists = [&model.queue, &model.records];
            if lists.iter().any(|list| list.edition == edition && !list.rows.is_busy()) {
                model.notices.problem(problem, model.now);
            }
        }
    }
}

fn record(model: &mut Model, id: RecordId, result: Result<Arc<RecordDetails>, Problem>) {
    if Some(id) == model.record.id {
        let pass = |details| Arc::new(model.gate.pass_details(id, Arc::unwrap_or_clone(details)));
        let result = result.map(pass);
        model.record.is_kept = model.gate.keeps(id);
        model.record.details.settle(result);
        model.record.revision += 1;
    }
}

fn content(model: &mut Model, id: RecordId, highlighted: Arc<HighlightedContent>) {
    if Some(id) == model.record.id {
        model.record.content = Loadable { value: Some(highlighted), load: Load::Idle };
        model.record.revision += 1;
    }
}

fn opened(model: &mut Model, loaded: Loaded) {
    let before = model.loaded.as_ref().map_or(loaded.records, |l| l.records);
    let more = loaded.records.saturating_sub(before);
    if more > 0 {
        let records = crate::tui::widget::counted(more as usize, "new record", "new records");
        model.notices.note(records, model.now);
    }
    let shown = [model.queue.edition, model.records.edition];
    model.rows.keep([shown[0].max(shown[1]), loaded.edition]);
    model.opening = Loadable::default();
    model.loaded = Some(loaded);
}

/// Opens the logs again, once for each archive.
fn outdated(model: &mut Model, edition: u64) -> Vec<Effect> {
    let present = model.loaded.as_ref().is_some_and(|l| l.edition == edition);
    if !present || model.opening.is_busy() {
        return Vec::new();
    }
    model.opening.load = Load::Busy;
    vec![Effect::Open]
}

fn listed(
    model: &mut Model,
    id: ListId,
    edition: u64,
    generation: u64,
    result: Result<Listing, Problem>,
) {
    if model.list_of(id).generation != generation {
        return;
    }
    match result {
        Ok(listing) => {
            super::queues::listed(model, &listing);
            let Listing { rows, whole, beyond, hidden, at, near, later, marks, .. } = listing;
            let list = model.list_of(id);
            list.made = list.asked.clone().map(|asked| (list.filter.clone(), asked));
            list.later = later;
            list.sort_marks(&marks);
            let (same, above) = (list.edition == edition, list.above);
            list.edition = edition;
            (list.whole, list.beyond, list.hidden) = (whole, beyond, hidden);
            list.take(rows, at, &near);
            if same {
                // Of the same archive nothing is new: something else was asked for.
                list.above = above;
            }
            model.rows.put(edition, near, &mut model.gate);
        }
        Err(problem) => {
            model.notices.problem(problem.clone(), model.now);
            model.list_of(id).rows.load = Load::Failed(problem);
        }
    }
}

/// The pull ended. Without news nothing is read again.
fn pulled(model: &mut Model, news: bool, problems: Vec<Problem>) -> Vec<Effect> {
    model.pulls.end();
    if problems.is_empty() && !news {
        model.notices.note("nothing new on the boxes", model.now);
    }
    for problem in problems {
        model.notices.push(Level::Error, problem.text, problem.next, model.now);
    }
    // Also without news: how the boxes are, and how old their data, has changed.
    vec![Effect::Open]
}
