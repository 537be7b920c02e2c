//! A task that was judged again: its rounds as they come, beside those of the run before.

use super::status::{self, Figures};
use super::{HIDDEN, UNCHANGED, compare, is_hidden, item};
use crate::domain::review::{EntryId, Run};
use crate::domain::{Outcome, Record};
use crate::text::short_hash;
use crate::tui::model::{ItemState, Load, Model, RunPhase, ShownRecord, TierState};
use crate::tui::page::sheet::{SheetLine, Writer};
use crate::tui::screen::record::rounds::{self, Columns};
use crate::tui::theme::{Role, Sign};

/// What says where the whole of a long text is.
const REST: &str = "the ledger has the whole of it";

/// The lines of a run on a task.
pub(super) fn lines(model: &Model, id: EntryId, width: usize) -> Vec<SheetLine> {
    let mut writer = Writer::new(width, model.glyphs, REST.to_owned());
    let Some(run) = model.run(id) else { return writer.lines() };
    head(&mut writer, model, run);
    let hidden = run.begun.what.items.first().is_some_and(|item| is_hidden(model, item));
    if hidden {
        writer.paragraph(Role::Dim, HIDDEN);
        return writer.lines();
    }
    let now: Vec<ShownRecord> = run.evaluations.iter().filter_map(status::shown).collect();
    result(&mut writer, model, run, &now);
    let mut lines = writer.lines();
    lines.push(Vec::new());
    lines.extend(tables(model, run, &now, width));
    let mut writer = Writer::new(width, model.glyphs, REST.to_owned());
    for shown in &now {
        rounds::found(&mut writer, &shown.row);
    }
    lines.push(Vec::new());
    lines.extend(writer.lines());
    lines
}

/// What is known of the run as a whole.
fn head(writer: &mut Writer, model: &Model, run: &Run) {
    let figures = Figures::count(model, run);
    let (role, state) = status::state(model, run, &figures);
    writer.quote(role, &state);
    let live = model.runs.live.as_ref().filter(|live| live.has_id(run.id()));
    let cap = run.begun.what.cap.map(|cap| format!(" of at most {}", status::money(cap)));
    let took = super::list::took(model, run);
    writer.quote(Role::Dim, &format!("{}{}{took}", figures.spent(), cap.unwrap_or_default()));
    writer.quote(Role::Dim, &format!("asked: {}", super::title(run)));
    if let Some(problem) = live.and_then(|live| live.problem.as_ref()) {
        writer.quote(Role::Error, &problem.text);
        writer.quote(Role::Text, &model.next_step(problem));
    }
    if run.ended.is_none() && live.is_none() {
        let text = "Its end was not recorded: another console is running it, or one was killed. An \
                    answer that had not arrived is lost, and may be charged.";
        writer.paragraph(Role::Warning, text);
    }
    writer.gap();
}

/// What it came to, beside what the record says.
fn result(writer: &mut Writer, model: &Model, run: &Run, now: &[ShownRecord]) {
    if let Some(last) = now.last().map(|shown| &shown.row).filter(|row| row.decision.is_some()) {
        decision(writer, run, last);
    }
    let old = model.runs.original.value.as_ref().and_then(|old| old.as_deref());
    let old = old.filter(|old| {
        run.begun.what.items.first().is_some_and(|item| item.record == Some(old.row.id))
    });
    if let Some((old, first)) = old.zip(now.first()) {
        same(writer, &old.row, &first.row);
    }
    match (&model.runs.original.load, old) {
        (_, Some(_)) => {}
        (Load::Failed(problem), None) => {
            writer.quote(Role::Error, &problem.text);
            writer.quote(Role::Text, &model.next_step(problem));
        }
        (Load::Busy, None) => writer.paragraph(Role::Dim, "reading the record…"),
        (Load::Idle, None) => {
            writer.paragraph(Role::Warning, "The original record is not in the open logs.");
        }
    }
    writer.paragraph(Role::Dim, UNCHANGED);
}

fn decision(writer: &mut Writer, run: &Run, last: &Record) {
    let outcome = run.outcome(0);
    let sign = Sign::from_outcome(outcome);
    let word = rounds::decision(last).unwrap_or_default();
    let code = match outcome {
        Some(Outcome::Go) => 0,
        Some(Outcome::NoGo) => 1,
        _ => 2,
    };
    let compared = match (run.was(0), outcome) {
        (None, _) => "",
        (was, now) if was == now => "  as before",
        _ => "  CHANGED",
    };
    let role = if compared.ends_with("CHANGED") { Role::Warning } else { Role::Dim };
    writer.parts(&[
        (Role::Dim, "decision  "),
        (sign.role(), &word),
        (Role::Dim, &format!(", exit code {code}")),
        (role, compared),
    ]);
    if let Some(reason) = rounds::reason(last) {
        writer.field("reason", reason);
    }
    if let Some(advice) = &last.advice {
        writer.field("advice", advice);
    }
}

/// Whether task and content are those of the record.
fn same(writer: &mut Writer, old: &Record, new: &Record) {
    let word = |old: &Option<String>, new: &Option<String>| match (old, new) {
        (Some(old), Some(new)) if old == new => "same as then, by hash",
        (Some(_), Some(_)) => "NOT the same as then, by hash",
        _ => compare::NO_HASH,
    };
    writer.field("task", word(&old.task_sha, &new.task_sha));
    writer.field("content", word(&old.content_sha, &new.content_sha));
}

/// The rounds before, those of the run that is repeated, and those now; side by side where there is
/// room.
fn tables(model: &Model, run: &Run, now: &[ShownRecord], width: usize) -> Vec<SheetLine> {
    let two_columns = width >= item::BESIDE && !model.runs.rounds.is_empty();
    let half = if two_columns { (width - 3) / 2 } else { width };
    let current = table(model, half, &title("Now", now), now, Some(run));
    let before = &model.runs.rounds;
    let mut earlier = match before.is_empty() {
        true => Vec::new(),
        false => table(model, half, &title("Before", before), before, None),
    };
    if let Some(repeated) = super::comparison::repeated_run(model, run) {
        let then: Vec<ShownRecord> =
            repeated.evaluations.iter().filter_map(status::shown).collect();
        let id = repeated.id().to_string();
        let title = title(&format!("Run {}", short_hash(&id)), &then);
        if !earlier.is_empty() {
            earlier.push(Vec::new());
        }
        earlier.extend(table(model, half, &title, &then, None));
    }
    if two_columns {
        return item::zip(earlier, current, half, model.glyphs.gutter);
    }
    let mut lines = current;
    if !earlier.is_empty() {
        lines.push(Vec::new());
        lines.extend(earlier);
    }
    lines
}

/// `Now: panel, accept (majority)`.
fn title(what: &str, rounds: &[ShownRecord]) -> String {
    let last = rounds.last().map(|shown| &shown.row);
    let depth = last.and_then(|row| row.depth.clone());
    let parts = [depth, last.and_then(rounds::decision)];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    if parts.is_empty() { what.to_owned() } else { format!("{what}: {}", parts.join(", ")) }
}

/// The rounds of a run; of one that is on also those that are not over.
fn table(
    model: &Model,
    width: usize,
    title: &str,
    rounds: &[ShownRecord],
    on: Option<&Run>,
) -> Vec<SheetLine> {
    let mut writer = Writer::new(width, model.glyphs, REST.to_owned());
    writer.title(title);
    let live = on.and_then(|run| model.runs.live.as_ref().filter(|live| live.has_id(run.id())));
    let answered = live.iter().flat_map(|live| &live.tiers).filter_map(|(_, state)| match state {
        TierState::Answered(shown) => Some(&**shown),
        TierState::Asked { .. } => None,
    });
    let columns = Columns::new(&writer, rounds.iter().chain(answered), true);
    columns.head(&mut writer);
    for shown in rounds {
        columns.row(&mut writer, shown, false);
    }
    for (live, (tier, state)) in live.iter().flat_map(|l| l.tiers.iter().map(move |tier| (l, tier)))
    {
        match state {
            TierState::Answered(shown) => columns.row(&mut writer, shown, false),
            TierState::Asked { again } => {
                let text = if *again { "asked again" } else { "asked" };
                let text = live.asked(*tier as usize, text);
                columns.pending(&mut writer, tier.name(), "", &text);
            }
        }
    }
    if rounds.is_empty() && live.is_none_or(|live| live.tiers.is_empty()) {
        let is_on = live.is_some_and(|live| live.phase != RunPhase::Ended);
        let waits = live.is_some_and(|live| live.items.first() == Some(&ItemState::Waiting));
        let text = if is_on && waits { "nobody is asked yet" } else { "no round" };
        writer.paragraph(Role::Dim, text);
    }
    writer.lines()
}
