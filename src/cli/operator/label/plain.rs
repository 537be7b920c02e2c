//! `foureyes label --export`.

use crate::assess::{self, Assessment, Evaluations};
use crate::calibration::Readiness;
use crate::cli::operator::exposure::Exposed;
use crate::cli::operator::ledger;
use crate::cli::operator::reading::{self, From};
use crate::cli::output::{self, visible};
use crate::cli::{Context, Failure};
use crate::domain::JudgementKind;
use crate::domain::review::{Drawn, Given, Present, Selection};
use crate::report::json;
use crate::report::label::blindness;
use crate::report::label_row::LabelRow;
use crate::store::ledger::Ledger;
use std::io::{self, Write};
use std::process::ExitCode;

/// Lists the labels that count, the earliest first, each with how its record was chosen.
pub(super) fn export(context: &Context, from: &From, as_json: bool) -> Result<ExitCode, Failure> {
    let ledgers = Ledger::load(&context.data).map_err(ledger::failure)?;
    ledger::warn_unsound(&ledgers, context.now);
    let present = ledgers.present(context.now);
    let mut given: Vec<Given> = present.labels.values().flatten().cloned().collect();
    // How a record was chosen tells whether it was flagged.
    let mut exposed = Exposed::begin(context, "label");
    let readiness = stated(context, from, &present, (given.as_mut_slice(), exposed.as_mut()))?;
    // Nothing in it depends on which ledger says it.
    given.sort_by(|a, b| {
        let key = |g: &Given| (g.time, g.label.record, g.reviewer.clone());
        key(a).cmp(&key(b))
    });
    let given = &given;
    output::to_stdout(|out| match as_json {
        true => given.iter().try_for_each(|one| json::value(out, &LabelRow::new(one), false)),
        false => given.iter().try_for_each(|one| line(out, one)),
    })?;
    if let Some(exposed) = exposed {
        exposed.write(readiness.as_ref());
    }
    Ok(ExitCode::SUCCESS)
}

/// States of each label that was saved without it how its record was chosen, as the window and the
/// rates of the ledgers have it: elsewhere there may be other rates, or none. Gives what pushes come to, where that was
/// assessed, and takes in whose verdicts are shown by it.
fn stated(
    context: &Context,
    from: &From,
    present: &Present,
    (given, mut exposed): (&mut [Given], Option<&mut Exposed<'_>>),
) -> Result<Option<Readiness>, Failure> {
    let picked = |one: &Given| one.label.drawn().is_none() && one.import.is_none();
    let started = |family: &JudgementKind| !present.of(*family).windows.is_empty();
    let mut families = JudgementKind::ALL.into_iter().filter(started).peekable();
    let is_told = given.iter().any(picked) || exposed.is_some();
    if families.peek().is_none() || !is_told {
        return Ok(None);
    }
    let collected = reading::collect(context, from)?;
    let (complete_until, missing) = assess::completeness(&collected.boxes, context.now);
    let (mut unknown, mut of_pushes) = (None, None);
    for family in families {
        let ask = assess::Ask::new(family, context.now, complete_until, &missing);
        let found = reading::ask(context, &collected, |archive| {
            let all = Evaluations::load(archive, ask.family, ask.cancel)?;
            Ok(all.map(|all| (assess::assess_loaded(&all, present, &ask), all)))
        })?;
        let Some((Assessment { rules, readiness, .. }, all)) = found else { return Ok(None) };
        let elsewhere = |one: &&Given| {
            let record = one.label.record;
            all.find(record).is_none() && !all.is_of_another_kind(record)
        };
        unknown.get_or_insert_with(|| {
            given.iter().filter(|one| picked(one)).filter(elsewhere).count() as u64
        });
        for one in given.iter_mut().filter(|one| picked(one)) {
            let label = &mut one.label;
            (label.selection, label.pi) = match assess::drawn(&all, &rules, label.record) {
                Some(Drawn::Census) => (Selection::Census, None),
                Some(Drawn::Audit(pi)) => (Selection::Audit, Some(pi)),
                None => (label.selection, label.pi),
            };
        }
        if family.is_default() {
            of_pushes = Some(readiness);
            exposed.as_mut().into_iter().for_each(|exposed| show(exposed, &all, given));
        }
    }
    if let Some(unknown) = unknown.filter(|unknown| *unknown > 0) {
        let labels = crate::report::counted(unknown, "label", "labels");
        reading::note(&format!(
            "{labels} on records that are not in these logs: their selection is unknown"
        ));
    }
    Ok(of_pushes)
}

/// Takes in whose verdicts labels show by how their records were chosen.
fn show(exposed: &mut Exposed<'_>, all: &Evaluations, given: &[Given]) {
    for label in given.iter().map(|one| &one.label).filter(|l| l.selection != Selection::Picked) {
        let found = all.find(label.record).and_then(|at| all.all().get(at));
        found.into_iter().for_each(|push| exposed.take_push(label.record, push.at));
    }
}

fn line(out: &mut dyn Write, given: &Given) -> io::Result<()> {
    let label = &given.label;
    write!(out, "{}  {}  {:10}", given.time, label.record.short(), label.label.as_str())?;
    write!(out, "  {:6}", label.selection.as_str())?;
    if let Some(pi) = label.pi {
        write!(out, " {pi}")?;
    }
    write!(out, "  {}", visible(&given.reviewer))?;
    if label.blind {
        write!(out, "  {}", blindness(label))?;
    }
    if let Some(reason) = &label.reason {
        write!(out, "  {}", visible(reason))?;
    }
    if let Some(note) = &label.note {
        write!(out, "  {}", visible(note))?;
    }
    if let Some(import) = &given.import {
        write!(out, "  (from {})", visible(import))?;
    }
    writeln!(out)
}
