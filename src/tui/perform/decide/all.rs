//! Overrides of several records at once, and what is told of those that failed.

use super::super::archive::AGAIN;
use super::super::review;
use super::super::world::{Edition, World};
use super::{NO_TASK, refused, same_content};
use crate::domain::review::{EntryId, OverrideWord, Reviews};
use crate::domain::{RecordId, RecordRow, Timestamp, Window, chain};
use crate::frame::query::{Node, Query, Scope};
use crate::overrides::{self, Decisions, Outbox, Sent, Wish};
use crate::triage;
use crate::tui::message::{ItemResult, Message};
use crate::tui::model::Problem;
use std::collections::{BTreeMap, HashMap};

/// What is to be decided, of which records.
pub(in crate::tui::perform) struct Wishes {
    pub(in crate::tui::perform) of: Vec<(EntryId, RecordId)>,
    pub(in crate::tui::perform) word: OverrideWord,
    pub(in crate::tui::perform) reason: String,
}

/// Keeps decisions; answers once they are on the disk, or known not to be.
pub(in crate::tui::perform) fn write(world: &World, wishes: &Wishes) -> Option<Message> {
    let (name, _) = *wishes.of.first()?;
    let result = decide(world, wishes);
    let said = review::said(world).ok();
    Some(Message::DecidedAll { name, result, said })
}

fn decide(world: &World, wishes: &Wishes) -> Result<Vec<ItemResult>, Problem> {
    let problem = |text: &str| Problem::new(text, "nothing was saved");
    let who = world.reviewer.as_ref().filter(|_| !world.read_only);
    let who = who.ok_or_else(|| problem("your name is unknown, so overrides cannot be saved"))?;
    let open = world.newest().ok_or_else(|| problem("no logs are open"))?;
    let records: Vec<RecordId> = wishes.of.iter().map(|(_, record)| *record).collect();
    let rows = rows(&open, &records)?;
    let newest = newest(&open, &rows)?;
    let mut refusals: HashMap<RecordId, String> = HashMap::new();
    let mut good = Vec::new();
    for (entry, record) in &wishes.of {
        match rows.get(record) {
            None => drop(refusals.insert(*record, "no longer in the logs".to_owned())),
            Some(row) if newest.overtakes(row) => {
                let why = "there is a newer verdict on the same content; override that one";
                refusals.insert(*record, why.to_owned());
            }
            Some(row) => {
                let (word, reason, entry) = (wishes.word, wishes.reason.as_str(), Some(*entry));
                good.push(Wish { row, word, reason, box_name: None, entry });
            }
        }
    }
    let now = (world.clock)();
    let decided = review::with(world, |ledger| {
        let mut book = Outbox::load(&world.data)?;
        overrides::decide(ledger, &mut book, &world.config, who, &good, now)
    });
    let decided = decided.unwrap_or_else(|error| Err(error.into()));
    let decided = decided.map_err(|error| refused(&error))?;
    refusals.extend(decided.refused.iter().map(|one| (one.record, one.reason())));
    Ok(fared(&good, &decided, refusals, &records))
}

/// How each fared, in the order in which they were asked for.
fn fared(
    good: &[Wish<'_>],
    decided: &Decisions,
    mut refusals: HashMap<RecordId, String>,
    records: &[RecordId],
) -> Vec<ItemResult> {
    // What is kept stands in the order of the wishes that were not refused.
    let wished = good.iter().map(|wish| wish.row.id).filter(|id| !refusals.contains_key(id));
    let kept: HashMap<RecordId, (EntryId, bool)> =
        wished.zip(decided.kept.iter().map(|one| (one.id, one.already))).collect();
    let one = |record: &RecordId| {
        let refusal = || refusals.remove(record).unwrap_or_else(|| "not decided".to_owned());
        (*record, kept.get(record).copied().ok_or_else(refusal))
    };
    records.iter().map(one).collect()
}

/// The records that are there, whole.
fn rows(open: &Edition, records: &[RecordId]) -> Result<HashMap<RecordId, RecordRow>, Problem> {
    let archive = &open.archive;
    let failed = |error: &dyn std::error::Error| Problem::new(chain(error), AGAIN);
    let mut rows = Vec::new();
    for record in records {
        rows.extend(archive.find_row(*record).map_err(|e| failed(&e))?);
    }
    let located = archive.records(&rows).map_err(|e| failed(&e))?;
    Ok(located.into_iter().map(triage::row).map(|row| (row.id, row)).collect())
}

/// Of each content the newest evaluation.
struct Newest(HashMap<Content, (RecordId, Option<Timestamp>)>);

/// What was evaluated: a commit, or a task on a box.
type Content = (String, Option<String>);

impl Newest {
    /// Tells whether a newer evaluation of the same content came.
    fn overtakes(&self, row: &RecordRow) -> bool {
        let newest = content(row).and_then(|content| self.0.get(&content));
        newest.is_some_and(|(id, time)| *id != row.id && *time > row.timestamp)
    }
}

fn content(row: &RecordRow) -> Option<Content> {
    match (&row.commit, row.task_id.as_ref().filter(|task| *task != NO_TASK)) {
        (Some(commit), _) => Some((commit.clone(), None)),
        (None, Some(task)) => Some((task.clone(), Some(row.box_name.clone()))),
        (None, None) => None,
    }
}

/// Looks for the newest evaluations of what some records are of, all in one look.
fn newest(open: &Edition, rows: &HashMap<RecordId, RecordRow>) -> Result<Newest, Problem> {
    let archive = &open.archive;
    let failed = |error: &dyn std::error::Error| Problem::new(chain(error), AGAIN);
    let of: BTreeMap<Content, Node> =
        rows.values().filter_map(|row| Some((content(row)?, same_content(row)?))).collect();
    let query = Query::of(Node::Or(of.into_values().collect()));
    // No query of ours is relative to the time.
    let scope = Scope { boxes: archive.boxes(), now: Timestamp(0), reviews: Reviews::none() };
    let found = archive.list(&query, &scope, Window::ALL, &|| false).map_err(|e| failed(&e))?;
    let found = archive.records(&found.unwrap_or_default()).map_err(|e| failed(&e))?;
    let mut newest = HashMap::new();
    // The newest come first. One with a commit and a task is of both.
    for row in found.into_iter().map(triage::row) {
        let (id, time) = (row.id, row.timestamp);
        let task = row.task_id.map(|task| (task, Some(row.box_name)));
        for content in row.commit.map(|commit| (commit, None)).into_iter().chain(task) {
            newest.entry(content).or_insert((id, time));
        }
    }
    Ok(Newest(newest))
}

/// What is told of decisions that are not kept, where nobody listens any more.
pub(in crate::tui::perform) fn untold(fared: &[ItemResult]) -> Option<Problem> {
    let left = fared.iter().filter(|(_, result)| result.is_err());
    let left: Vec<String> = left.map(|(record, _)| record.short()).collect();
    let text =
        format!("{} of {} overrides not saved: {}", left.len(), fared.len(), left.join(", "));
    (!left.is_empty()).then(|| Problem::new(text, "the others are saved"))
}

/// What no box was heard to hold: a problem for each box and reason, with the names of all records.
pub(super) fn unconfirmed(sent: &[Sent]) -> Vec<Problem> {
    let mut failed: Vec<(&str, &str, Vec<&Sent>)> = Vec::new();
    for one in sent {
        let Err(error) = &one.outcome else { continue };
        let same = |(name, why, _): &&mut (&str, &str, Vec<&Sent>)| {
            (*name, *why) == (one.box_name.as_str(), error.as_str())
        };
        match failed.iter_mut().find(same) {
            Some((.., all)) => all.push(one),
            None => failed.push((&one.box_name, error, vec![one])),
        }
    }
    failed.into_iter().map(|(name, why, all)| problem(name, why, &all)).collect()
}

fn problem(box_name: &str, why: &str, all: &[&Sent]) -> Problem {
    let text = match all {
        [one] => {
            let id = one.id.to_string();
            let id = id.get(..12).unwrap_or_default();
            let record = one.record.short();
            format!("{box_name}: override {id} of {record} is unconfirmed: {why}")
        }
        _ => {
            let records: Vec<String> = all.iter().map(|one| one.record.short()).collect();
            let (count, records) = (all.len(), records.join(", "));
            format!("{box_name}: {count} overrides are unconfirmed ({why}): {records}")
        }
    };
    Problem::new(text, "saved here; every pull retries it, R pulls now")
}
