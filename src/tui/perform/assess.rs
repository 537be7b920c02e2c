//! Assessing the judge by its labels.

use super::archive::failed;
use super::world::{Edition, World, lock};
use super::{Flag, Tell};
use crate::assess::{self, Ask, AssessError, Breakdown, Evaluations};
use crate::calibration::{Candidate, Content, Replay, Word, what_if};
use crate::domain::review::Present;
use crate::store::ledger::Ledger;
use crate::tui::message::Message;
use crate::tui::model::{Assessed, Parts, Problem};
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// By what the rates are told apart, in the order in which they are shown.
const BREAKDOWNS: [(&str, Breakdown); 5] = [
    ("judge", Breakdown::Judge),
    ("agent", Breakdown::Agent),
    ("path", Breakdown::Path),
    ("box", Breakdown::Box),
    ("week", Breakdown::Week),
];

/// The answer first, then what else is shown of it.
pub(super) fn run(world: &World, tell: &Tell, cancel: &Flag, edition: u64, generation: u64) {
    let Some(open) = world.edition(edition) else { return };
    let stop = || cancel.load(Ordering::Relaxed);
    let now = (world.clock)();
    let (complete_until, missing) = assess::completeness(&open.collected.boxes, now);
    let ask = Ask { now, policy: None, complete_until, missing_boxes: &missing, cancel: &stop };
    let told = |problem| Message::Assessed { generation, result: Err(problem) };
    let (all, present) = match ground(world, tell, &open, &ask) {
        Ok(Some(ground)) => ground,
        Ok(None) => return,
        Err(problem) => return tell.tell(told(problem)),
    };
    let assessment = assess::assess_loaded(&all, &present, &ask);
    if stop() {
        return;
    }
    let (readiness, policy) = (assessment.readiness, assessment.policy);
    let result = Ok(Arc::new(Assessed { readiness, policy }));
    tell.tell(Message::Assessed { generation, result });
    let result = match parts(&open, &all, &present, &ask) {
        Ok(None) => return,
        Ok(Some(parts)) => Ok(Arc::new(parts)),
        Err(error) => Err(problem(tell, &open, &error)),
    };
    tell.tell(Message::Parts { generation, result });
}

/// Evaluations and ledgers; `None` where nobody waits any more.
fn ground(
    world: &World,
    tell: &Tell,
    open: &Edition,
    ask: &Ask<'_>,
) -> Result<Option<(Arc<Evaluations>, Present)>, Problem> {
    let next = "see that the ledgers may be read; they are never changed";
    let ledger = Ledger::load(&world.data).map_err(|e| Problem::of(&e, next))?;
    let all = evaluations(open, ask).map_err(|e| problem(tell, open, &e))?;
    Ok(all.map(|all| (all, ledger.present(ask.now))))
}

/// The evaluations of an archive: read once, since they change only with the logs.
fn evaluations(open: &Edition, ask: &Ask<'_>) -> Result<Option<Arc<Evaluations>>, AssessError> {
    if let Some(known) = lock(&open.evaluations).clone() {
        return Ok(Some(known));
    }
    let loaded = Evaluations::load(&open.archive, ask.cancel)?.map(Arc::new);
    lock(&open.evaluations).clone_from(&loaded);
    Ok(loaded)
}

fn problem(tell: &Tell, open: &Edition, error: &AssessError) -> Problem {
    match error {
        AssessError::Cache(error) => failed(tell, open, error),
    }
}

/// What is shown besides the answer; `None` where nobody waits any more.
fn parts(
    open: &Edition,
    all: &Evaluations,
    present: &Present,
    ask: &Ask<'_>,
) -> Result<Option<Parts>, AssessError> {
    let contents = assess::contents_of(all, present, ask);
    let mut rates = Vec::new();
    for (name, by) in BREAKDOWNS {
        if (ask.cancel)() {
            return Ok(None);
        }
        rates.push((name, assess::breakdown(&open.archive, all, present, ask, by)?));
    }
    let replays = Arc::new(contents.iter().filter_map(|c| replayable(all, c)).collect());
    let drift = assess::drift(all);
    Ok(Some(Parts { replays, picked: picked(&contents), rates, drift }))
}

/// A labelled content of the sample, with its scores.
fn replayable(all: &Evaluations, content: &Content) -> Option<Replay> {
    let scores = *all.scores().get(all.find(content.id)?)?;
    Some(Replay { flagged: content.flagged, word: content.word?, pi: content.pi?, scores })
}

/// Labels of what nobody drew: acceptable, poor, unsure.
fn picked(contents: &[Content]) -> [u64; 3] {
    let of = |word| {
        let is = |c: &&Content| c.pi.is_none() && c.word == Some(word);
        contents.iter().filter(is).count() as u64
    };
    [of(Word::Acceptable), of(Word::Poor), of(Word::Unsure)]
}

/// Replays other score rules.
pub(super) fn replay(
    tell: &Tell,
    cancel: &Flag,
    records: &[Replay],
    rules: &[Candidate],
    confidence: f64,
    generation: u64,
) {
    if cancel.load(Ordering::Relaxed) {
        return;
    }
    let result = Arc::new(what_if(records, rules, confidence));
    tell.tell(Message::Replayed { generation, result });
}
