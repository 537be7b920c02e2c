//! Saying something in the ledger that is no label: a step of a runbook, a rate of the sample.

use crate::assess::policy_in_force;
use crate::assess::{NaturalOffer, Progress};
use crate::calibration::{Opens, Waiver};
use crate::domain::review::{Act, AuditRate, PolicyChange, StepSaid, WindowStart};
use crate::instruments::Capability;
use crate::page::number;
use crate::report::words;
use crate::tui::effect::Effect;
use crate::tui::key::{Code, Key};
use crate::tui::model::{Form, FormKind, Model, Overlay, Problem, WindowBegins};

/// Opens the line for the selected step of a runbook, where it may be done.
pub(super) fn open_step(model: &mut Model) {
    if lacks_reviewer(model) {
        return;
    }
    if !model.family.has(Capability::Runbooks) {
        let text = "the runbooks are about the hook of pushes";
        return model.notices.note(text, model.now);
    }
    let Some((runbook, step)) = crate::tui::screen::assess::step(model) else {
        let key = model
            .keymap
            .hint(crate::tui::model::key_context(model), crate::tui::action::Action::GoReadiness);
        let there = key.map_or(String::new(), |key| format!(": {key} shows them"));
        let text = format!("no runbook step is selected{there}");
        return model.notices.note(text, model.now);
    };
    let progress = progress(model).into_iter().find(|p| p.runbook.id == runbook);
    let Some(why) = progress.map(|p| p.refusal(step, model.now)) else { return };
    match why {
        Some(why) => model.notices.note(why, model.now),
        None => {
            let kind = FormKind::Step { runbook, step };
            model.overlay = Some(Overlay::Form(Form::new(kind, model.family, "")));
        }
    }
}

/// Opens the line for a rate of the audit sample.
pub(super) fn open_rate(model: &mut Model) {
    if lacks_reviewer(model) {
        return;
    }
    let kind = FormKind::Rate { stratum: None };
    model.overlay = Some(Overlay::Form(Form::new(kind, model.family, "")));
}

/// Opens the line for a waiver of the selected rule.
pub(super) fn open_waiver(model: &mut Model) {
    if lacks_reviewer(model) {
        return;
    }
    match crate::tui::screen::assess::waivable(model) {
        Some(rule) => {
            let kind = FormKind::Waiver { rule, span: 1 };
            model.overlay = Some(Overlay::Form(Form::new(kind, model.family, "")));
        }
        None => {
            let text = "no rule that can be waived is selected";
            model.notices.note(text.to_owned(), model.now);
        }
    }
}

/// Opens the line for the start of a calibration window, with the first day that has no labels.
pub(super) fn open_window(model: &mut Model) {
    if lacks_reviewer(model) {
        return;
    }
    let report = model.assess().result.value.as_ref();
    let steps = report.map_or(&[][..], |report| &report.readiness.steps);
    let day = steps.iter().find_map(|step| match &step.opens {
        Some(Opens::Window(day)) => Some(day.clone()),
        _ => None,
    });
    let day = day.unwrap_or_else(|| model.now.day_text());
    // Without a record of a judge there is nothing that it could begin with.
    let begins = match natural_offer(model).is_some() {
        true => WindowBegins::Thin,
        false => WindowBegins::Day,
    };
    model.overlay = Some(Overlay::Form(Form::new(FormKind::Window { begins }, model.family, &day)));
}

/// The window that would begin with the first record ever of the judge in use, as far as it is known.
fn natural_offer(model: &Model) -> Option<&NaturalOffer> {
    model.assess().parts.value.as_ref()?.natural.as_ref()
}

/// Warns where no reviewer is known.
fn lacks_reviewer(model: &mut Model) -> bool {
    let nobody = model.facts.labelling.reviewer.is_none();
    if nobody {
        let next = "set `name` under `[reviewer]` in the configuration and restart";
        model.notices.warn("your name is unknown, so nothing can be saved", next, model.now);
    } else if model.labels.ledger.is_none() {
        model.notices.note("the ledgers are still loading", model.now);
        return true;
    }
    nobody
}

fn progress(model: &Model) -> Vec<Progress> {
    let ledger = model.labels.ledger.as_ref();
    ledger.map(|ledger| Progress::all(&ledger.present, model.now)).unwrap_or_default()
}

/// A key while the line is typed. Only `ctrl-s` saves it, so that neither Enter nor a burst does.
pub(super) fn press(model: &mut Model, key: Key) -> Vec<Effect> {
    let Some(Overlay::Form(form)) = &mut model.overlay else { return Vec::new() };
    match (key.code, key.ctrl) {
        (Code::Esc, _) => leave(model),
        (Code::Char('c'), true) if form.input.value().is_empty() => leave(model),
        (Code::Char('s'), true) => return accept(model),
        (Code::Tab | Code::Down, _) => form.choose(1),
        (Code::BackTab | Code::Up, _) => form.choose(-1),
        _ if !form.has_line() => {}
        _ => {
            super::line::press(&mut form.input, key);
        }
    }
    Vec::new()
}

fn leave(model: &mut Model) {
    model.overlay = None;
    model.notices.note("nothing was said", model.now);
}

/// What is wrong with what is typed.
pub(in crate::tui) fn problem(form: &Form) -> Option<&'static str> {
    match form.kind {
        FormKind::Step { .. } => None,
        FormKind::Rate { .. } => form.rate().err(),
        FormKind::Waiver { .. } if form.input.value().trim().is_empty() => {
            Some("a waiver needs a reason; every report shows it with your name")
        }
        FormKind::Waiver { .. } => None,
        FormKind::Window { begins: WindowBegins::Day } => form.day().err(),
        FormKind::Window { .. } => None,
    }
}

fn accept(model: &mut Model) -> Vec<Effect> {
    let Some(Overlay::Form(form)) = &model.overlay else { return Vec::new() };
    // What is wrong is below the line, which stays.
    let Some((act, text)) = act(model, form) else { return Vec::new() };
    model.overlay = None;
    let entry = model.labels.new_entry_id(model.facts.labelling.run);
    model.labels.pending_notes.push((entry, text));
    vec![Effect::Review { entry, act, further: Vec::new() }]
}

/// The entry, and the notice once it is saved.
fn act(model: &Model, form: &Form) -> Option<(Act, String)> {
    let (typed, now, family) = (form.input.value().trim(), model.now, form.family);
    let whose = form.whose();
    match form.kind {
        FormKind::Waiver { .. } if typed.is_empty() => None,
        FormKind::Waiver { rule, .. } => {
            let present = &model.labels.ledger.as_ref()?.present;
            let until = now.plus_days(form.days()).day_text();
            let name = model.facts.labelling.reviewer.clone()?;
            let text = format!("Saved: `{rule}` is waived{whose} until {until}.");
            let waiver = Waiver { what: rule.to_owned(), name, reason: typed.to_owned(), until };
            let policy = policy_in_force(present, family, now).0.with(waiver);
            let policy = serde_json::to_value(policy).ok()?;
            Some((Act::Policy(PolicyChange { family, from: now, policy }), text))
        }
        FormKind::Step { runbook, step } => {
            let note = (!typed.is_empty()).then(|| typed.to_owned());
            let (of, step_id) = (runbook.to_owned(), Some(step.to_owned()));
            let act = Act::Step(StepSaid { runbook: of, step: step_id, note });
            Some((act, format!("Saved: step `{step}` of `{runbook}` is done.")))
        }
        FormKind::Window { begins } if begins.draw().is_some() => {
            let draw = begins.draw().unwrap_or_default();
            let offer = natural_offer(model)?;
            let text = format!(
                "Saved: the calibration window{whose} starts. {}.",
                words::capitalized(&offer.summary(draw))
            );
            Some((Act::Window(offer.with_draw(draw)), text))
        }
        FormKind::Window { .. } => {
            let day = form.day().ok()?;
            let from = day.day_text();
            let text = format!("Saved: the calibration window{whose} starts on {from}.");
            Some((Act::Window(WindowStart::new(day).of(family)), text))
        }
        FormKind::Rate { .. } => {
            let rate = form.rate().ok()?;
            let stratum = form.stratum();
            let of = stratum.unwrap_or("all that passes");
            let share = number::percent(rate);
            let text = format!("Saved: {share} of {of}{whose} is sampled from now on.");
            let stratum = stratum.map(str::to_owned);
            Some((Act::Rate(AuditRate::new(now, stratum, rate, None).of(family)), text))
        }
    }
}

/// It is on the disk, or could not be written.
pub(super) fn saved(
    model: &mut Model,
    entry: crate::domain::review::EntryId,
    result: &Result<(), Problem>,
) {
    let at = model.labels.pending_notes.iter().position(|(of, _)| *of == entry);
    let Some((_, text)) = at.map(|at| model.labels.pending_notes.remove(at)) else { return };
    match result {
        Ok(()) => {
            model.notices.note(text, model.now);
            // What waits for a label may be something else now.
            model.queue.serial += 1;
        }
        Err(problem) => model.notices.problem(problem.clone(), model.now),
    }
}
