//! Assessing the judge by its labels.

use super::services::{Edition, Services, lock};
use super::trouble::failed;
use super::{CancelFlag, MessageSender};
use crate::answers::readiness;
use crate::assess::{
    self, Ask, AssessError, Breakdown, Divided, Evaluations, NaturalOffer, Operation, Report, Rules,
};
use crate::calibration::{Candidate, Replay, what_if};
use crate::config::Config;
use crate::domain::review::Present;
use crate::domain::{Caveat, JudgementKind, RecordId};
use crate::files::atomic;
use crate::instruments::Capability;
use crate::page::write::{self, Options};
use crate::peer;
use crate::report::json;
use crate::store::mirror;
use crate::tui::message::Message;
use crate::tui::model::{AssessmentDetails, Problem};
use std::collections::BTreeSet;
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// The answer first, then what else is shown of it, where that is asked for.
pub(super) fn run(
    services: &Services,
    sender: &MessageSender,
    cancel: &CancelFlag,
    (family, details): (JudgementKind, bool),
    (edition, generation): (u64, u64),
) {
    let Some(open) = services.edition(edition) else {
        let result = Err(super::trouble::gone());
        return sender.send(Message::Assessed { generation, result });
    };
    let stop = || cancel.load(Ordering::Relaxed);
    let now = (services.clock)();
    let (complete_until, missing) = assess::completeness(&open.collected.boxes, now);
    let known_boxes = mirror::boxes(&services.data);
    let ask = Ask {
        held: services.held.get(family),
        known_boxes: &known_boxes,
        cancel: &stop,
        ..Ask::new(family, now, complete_until, &missing)
    };
    let assessed = |problem| Message::Assessed { generation, result: Err(problem) };
    let (all, present) = match load_evidence(services, sender, &open, &ask) {
        Ok(Some(evidence)) => evidence,
        Ok(None) => return,
        Err(problem) => return sender.send(assessed(problem)),
    };
    if stop() {
        return;
    }
    let gone = match assess::gone(&open.archive, &all, &present, now) {
        Ok(gone) => gone,
        Err(error) => return sender.send(assessed(problem(sender, &open, &error))),
    };
    let ask = Ask { gone: &gone, ..ask };
    let mut report = assess::report_loaded(&all, &present, &ask);
    report.boxes = assess::with_data(&open.collected.boxes);
    let result = Ok(Arc::new(report));
    super::review::look(services, sender, &present, family, "console");
    sender.send(Message::Assessed { generation, result });
    if !details {
        return;
    }
    let result = match parts(&open, &services.config, &all, &present, &ask) {
        Ok(None) => return,
        Ok(Some(parts)) => Ok(Arc::new(parts)),
        Err(error) => Err(problem(sender, &open, &error)),
    };
    sender.send(Message::Parts { generation, result });
}

/// Evaluations and ledgers; `None` where nobody waits any more.
pub(super) fn load_evidence(
    services: &Services,
    sender: &MessageSender,
    open: &Edition,
    ask: &Ask<'_>,
) -> Result<Option<(Arc<Evaluations>, Present)>, Problem> {
    let present = super::review::present(services)?;
    let all = evaluations(open, ask, &present).map_err(|e| problem(sender, open, &e))?;
    Ok(all.map(|all| (all, present)))
}

/// The evaluations of an archive: read once, since they change only with the logs. A store elsewhere is asked
/// again where a label is on a record that it was not asked for.
fn evaluations(
    open: &Edition,
    ask: &Ask<'_>,
    present: &Present,
) -> Result<Option<Arc<Evaluations>>, AssessError> {
    let known = lock(&open.evaluations).get(ask.family).clone();
    if let Some(store) = open.collected.store() {
        let labelled: BTreeSet<RecordId> = present.labels.keys().copied().collect();
        let mut asked = lock(&open.asked);
        let asked = asked.get_mut(ask.family);
        let is_new = |id: &&RecordId| !asked.contains(id);
        let is_known = |all: &Arc<Evaluations>| {
            labelled.iter().filter(is_new).all(|id| all.find(*id).is_some() || all.is_round(*id))
        };
        if known.as_ref().is_some_and(is_known) {
            return Ok(known);
        }
        store.look_for(labelled.clone());
        *asked = labelled;
    } else if known.is_some() {
        return Ok(known);
    }
    let loaded = Evaluations::load(&open.archive, ask.family, ask.cancel)?.map(Arc::new);
    lock(&open.evaluations).get_mut(ask.family).clone_from(&loaded);
    Ok(loaded)
}

pub(super) fn problem(sender: &MessageSender, open: &Edition, error: &AssessError) -> Problem {
    match error {
        AssessError::Cache(error) => failed(sender, open, error),
    }
}

/// What is shown besides the answer; `None` where nobody waits any more.
fn parts(
    open: &Edition,
    config: &Config,
    all: &Evaluations,
    present: &Present,
    ask: &Ask<'_>,
) -> Result<Option<AssessmentDetails>, AssessError> {
    let divided = Divided::new(all, present, ask);
    let contents = &divided.contents.distinct;
    let mut rates = Vec::new();
    for by in Breakdown::ALL.into_iter().filter(|by| by.is_configured(config)) {
        if (ask.cancel)() {
            return Ok(None);
        }
        rates.push((by.as_str(), divided.breakdown(&open.archive, all, by, config)?));
    }
    let replays = Arc::new(assess::replays(all, contents));
    let drift = assess::drift(all);
    let Rules { rates: sample, unusable, .. } = Rules::new(all, present, ask);
    let span = (peer::since(ask.now, peer::DAYS), ask.now);
    let peer = match ask.family.has(Capability::PeerReview) {
        true => {
            let (families, reviews) = (config.families.with_makers(), present.reviews());
            peer::report(&open.archive, all, (present, &reviews), &families, span)?
        }
        false => None,
    };
    Ok(Some(AssessmentDetails {
        replays,
        picked: assess::picked(contents),
        rates,
        drift,
        sample,
        natural: natural_offer(open, all, present, ask),
        unusable,
        peer,
    }))
}

/// The window that would begin with the first record ever of the judge in use, where it does not run.
fn natural_offer(
    open: &Edition,
    all: &Evaluations,
    present: &Present,
    ask: &Ask<'_>,
) -> Option<NaturalOffer> {
    let boxes: Vec<String> = open.collected.boxes.iter().map(|of| of.name.clone()).collect();
    let policy = assess::policy_in_force(present, ask.family, ask.now).0;
    let offer = assess::natural_offer(all, present, &policy, &boxes, ask.now)?;
    let running = assess::natural_window(present, ask.family, ask.now);
    (running.map(|begun| begun.start.version).as_ref() != offer.judge()).then_some(offer)
}

/// Writes a report in its three forms; returns where they are.
pub(super) fn write(services: &Services, report: &Report) -> Message {
    let dir = services.data.reports();
    let options = Options { is_masked: true, width: 80, command_line: services.command_line };
    let next = "check that the data directory is writable";
    let state = super::review::present(services)
        .map(|present| assess::state_with_report(&present, report, (services.clock)()));
    // Ledgers that cannot be read are reported where the logs are opened.
    match files(&dir, report, state.ok(), &options) {
        Ok(name) => {
            let path = dir.join(format!("{name}.html"));
            let name = super::export::shortened(services, &path);
            Message::ReportWritten { path, name }
        }
        Err(error) => {
            let text = format!("failed to write the report in {}: {error}", dir.display());
            Message::Failed(Problem::new(text, next))
        }
    }
}

/// The name of the files without what distinguishes them.
fn files(
    dir: &Path,
    report: &Report,
    state: Option<(Vec<Caveat>, Operation)>,
    options: &Options,
) -> io::Result<String> {
    let at = report.readiness.generated.to_string();
    let minute: String = at.chars().take(16).filter(|c| *c != ':').collect();
    // Reports of two families within a minute are two files.
    let of = match report.readiness.family {
        JudgementKind::DEFAULT => String::new(),
        family => format!("{}-", family.as_str()),
    };
    let name = format!("readiness-{of}{minute}Z");
    atomic::private_dir(dir)?;
    let put = |form: &str, write: &dyn Fn(&mut Vec<u8>) -> io::Result<()>| {
        let mut bytes = Vec::new();
        write(&mut bytes)?;
        atomic::write(&dir.join(format!("{name}.{form}")), &bytes)
    };
    let extras = readiness::Extras {
        blocking: state.as_ref().map_or(&[], |(blocking, _)| blocking.as_slice()),
        operation: state.as_ref().map(|(_, operation)| operation),
        ..readiness::Extras::default()
    };
    let page = readiness::page(report, &extras);
    put("html", &|out| write::html(out, &page, options))?;
    put("md", &|out| write::markdown(out, &page, options))?;
    put("json", &|out| json::value(out, report, false))?;
    Ok(name)
}

/// Replays other score rules.
pub(super) fn replay(
    sender: &MessageSender,
    cancel: &CancelFlag,
    records: &[Replay],
    rules: &[Candidate],
    confidence: f64,
    generation: u64,
) {
    if cancel.load(Ordering::Relaxed) {
        return;
    }
    let result = Arc::new(what_if(records, rules, confidence));
    sender.send(Message::Replayed { generation, result });
}
