//! What the outside could answer: real answers of real logs, kept and told again.

use super::content;
use super::logs;
use super::picks;
use super::planted;
use super::world::{Setup, World};
use foureyes::assess::Report;
use foureyes::domain::Triage;
use foureyes::overview::Breakdowns;
use foureyes::store::cache::Row;
use foureyes::tui::message::Listing;
use foureyes::tui::model::{
    AssessmentDetails, Days, HighlightedContent, LedgerSnapshot, Loaded, PicksReport, Problem,
    QueueState, RecordDetails, ShownRecord,
};
use foureyes::tui::theme::Theme;
use foureyes::tui::{Effect, Message};
use std::sync::{Arc, LazyLock};

/// Records of one archive, the newest first, and what was said of it.
struct Archive {
    rows: Vec<(Row, Arc<ShownRecord>)>,
    summary: Arc<Triage>,
    breakdowns: Arc<Breakdowns>,
}

/// All that can be answered.
pub(super) struct Pool {
    /// An empty one, a small one, the same with more, and a long one.
    archives: Vec<Archive>,
    dossier: Arc<RecordDetails>,
    contents: Vec<Arc<HighlightedContent>>,
    assessed: Vec<(Arc<Report>, Arc<AssessmentDetails>)>,
    /// Some picks, the same with fewer, and none.
    picks: Vec<Arc<PicksReport>>,
}

static POOL: LazyLock<Pool> = LazyLock::new(Pool::new);

/// One of the ways in which git can answer.
pub(super) fn highlighted(at: usize) -> Arc<HighlightedContent> {
    let contents = &Pool::get().contents;
    Arc::clone(&contents[at % contents.len()])
}

impl Pool {
    pub(super) fn get() -> &'static Self {
        &POOL
    }

    fn new() -> Self {
        let mut more = logs::mixed();
        more.push(("east/2026-02-20.jsonl", logs::flagged(7)));
        let empty = vec![("north/2026-02-19.jsonl", String::new())];
        let long = vec![("north/2026-02-19.jsonl", logs::flagged(300))];
        let logs = [empty, logs::mixed(), more, long];
        let (archives, dossiers): (Vec<_>, Vec<_>) = logs.iter().map(|l| archive(l)).unzip();
        let dossier = dossiers.into_iter().flatten().next().unwrap();
        let contents = content::all().into_iter().map(|(_, highlighted)| highlighted).collect();
        let windows = [
            planted::Planted::default(),
            planted::unlabelled(),
            planted::faultless(),
            planted::hostile(),
        ];
        let assessed = windows.iter().map(|p| (p.assessed(), p.parts())).collect();
        let picks = [picks::logs(5), picks::logs(2), logs[1].clone()].map(|logs| found(&logs));
        Self { archives, dossier, contents, assessed, picks: picks.to_vec() }
    }

    /// The answer to an effect, where there is one. `shift` is added to what it answers.
    pub(super) fn answer(
        &self,
        effect: Effect,
        newest: u64,
        by: u64,
        fails: bool,
        shift: u64,
    ) -> Option<Message> {
        let problem = || Problem::new("it cannot be read", "try again");
        let of = |edition: u64| &self.archives[edition as usize % self.archives.len()];
        Some(match effect {
            Effect::Open if fails => Message::OpenFailed(problem()),
            Effect::Open => Message::Opened(Loaded {
                edition: newest,
                boxes: Arc::new(vec!["north".to_owned(), "south".to_owned()]),
                records: of(newest).rows.len() as u64,
            }),
            Effect::Summarise { edition, generation, .. } if by.is_multiple_of(2) => {
                let ok = Arc::clone(&of(edition).summary);
                let result = if fails { Err(problem()) } else { Ok(ok) };
                Message::Summary { generation: generation + shift, result }
            }
            Effect::Summarise { edition, generation, .. } => {
                let ok = Arc::clone(&of(edition).breakdowns);
                let result = if fails { Err(problem()) } else { Ok(ok) };
                Message::Breakdowns { generation: generation + shift, result }
            }
            Effect::Assess { generation, .. } if by.is_multiple_of(2) => {
                let ok = || Arc::clone(&self.assessed[by as usize / 2 % self.assessed.len()].0);
                let result = if fails { Err(problem()) } else { Ok(ok()) };
                Message::Assessed { generation: generation + shift, result }
            }
            Effect::Assess { generation, .. } => {
                let ok = || Arc::clone(&self.assessed[by as usize / 2 % self.assessed.len()].1);
                let result = if fails { Err(problem()) } else { Ok(ok()) };
                Message::Parts { generation: generation + shift, result }
            }
            Effect::Picks { generation, .. } => {
                let ok = || Arc::clone(&self.picks[by as usize / 2 % self.picks.len()]);
                let result = if fails { Err(problem()) } else { Ok(ok()) };
                Message::Picks { generation: generation + shift, result }
            }
            Effect::Replay { records, rules, confidence, generation } => {
                let records = &records[..records.len().min(40)];
                let result = foureyes::calibration::what_if(records, &rules, confidence);
                Message::Replayed { generation: generation + shift, result: Arc::new(result) }
            }
            Effect::List { edition, list, generation, ask } => {
                let result =
                    if fails { Err(problem()) } else { Ok(listing(of(edition), by, &ask)) };
                Message::Listed { list, edition, generation: generation + shift, result }
            }
            Effect::Range { edition, list, generation, rows } => {
                let known = &of(edition).rows;
                let find = |row: &Row| Some(known.iter().find(|(r, _)| r == row)?.1.row.id);
                let found: Option<Vec<_>> = rows.iter().map(find).collect();
                let result = found.filter(|_| !fails).ok_or_else(problem);
                Message::Ranged { list, generation: generation + shift, result }
            }
            Effect::Rows { edition, rows } => {
                let known = &of(edition).rows;
                let find = |row: &Row| known.iter().find(|(r, _)| r == row).cloned();
                let found: Option<Vec<_>> = rows.iter().map(find).collect();
                let result = found.filter(|_| !fails).ok_or_else(problem);
                Message::Rows { edition: edition + shift, result, asked: rows }
            }
            Effect::Record { id, .. } => {
                let id =
                    if shift > 0 { foureyes::domain::RecordId::from_words([shift; 4]) } else { id };
                let result = if fails { Err(problem()) } else { Ok(Arc::clone(&self.dossier)) };
                Message::Record { id, result }
            }
            Effect::Content { id, .. } => {
                Message::Content { id, highlighted: highlighted(by as usize) }
            }
            Effect::Pull => {
                let problems = if fails { vec![problem(); by as usize % 4] } else { Vec::new() };
                Message::Pulled { news: by.is_multiple_of(2), problems }
            }
            Effect::PullLog { box_name } => {
                let result = if fails { Err(problem()) } else { Ok(Arc::default()) };
                Message::PullLog { box_name, result }
            }
            Effect::Disposition { relist, .. } => Message::Dispositions {
                relist,
                result: if fails { Err(problem()) } else { Ok(()) },
            },
            Effect::Review { entry, .. } => {
                let result = if fails { Err(problem()) } else { Ok(()) };
                let ledger = by.is_multiple_of(2).then(|| Arc::new(LedgerSnapshot::default()));
                Message::Saved { entry, result, ledger }
            }
            Effect::Judging(act) => super::again::answer(act, by, fails, shift)?,
            Effect::Theme(name) => Message::Themed(Arc::new(Theme::load(&name, None).unwrap())),
            _ if fails => Message::Failed(problem()),
            _ => return None,
        })
    }
}

/// A list of the archive's records, now and then without some of them.
fn listing(archive: &Archive, by: u64, ask: &foureyes::tui::effect::ListAsk) -> Listing {
    let without = (by >> 8) as usize % 4;
    let rows: Vec<_> = match without {
        0 => archive.rows.iter().skip((by >> 16) as usize % 5).collect(),
        1 if by.is_multiple_of(5) => Vec::new(),
        _ => archive.rows.iter().filter(|(r, _)| r.row as usize % (without + 7) != 6).collect(),
    };
    let at = ask.anchor.and_then(|id| rows.iter().position(|(_, s)| s.row.id == id));
    let near = if by.is_multiple_of(3) { 0 } else { ask.near };
    let from = at.unwrap_or(0).saturating_sub(near);
    let near = rows.iter().skip(from).take(2 * near).map(|r| (*r).clone()).collect();
    let here = |id| rows.iter().any(|(_, s)| s.row.id == id);
    let marks = ask.marks.iter().map(|id| (*id, here(*id))).collect();
    let later = (by >> 24) as usize % 3;
    let rows: Vec<_> = rows.into_iter().map(|(row, _)| *row).collect();
    let whole = rows.len();
    let calibrates = ask.selection.kind == foureyes::tui::model::QueueKind::Calibration;
    let back = |row: &Row| archive.rows.iter().find(|(r, _)| r == row).map(|(_, s)| s.row.id);
    let repeats = rows.iter().filter(|row| row.row % 3 == 1).filter_map(back).collect();
    let state = calibrates.then(|| Arc::new(QueueState { repeats, ..QueueState::default() }));
    Listing {
        hidden: 0,
        later: later.min(whole),
        rows: Arc::new(rows),
        whole,
        beyond: 0,
        at,
        near,
        marks,
        state,
    }
}

/// The picks that a console over logs finds.
fn found(logs: &[(&str, String)]) -> Arc<PicksReport> {
    let world = World::ready(&Setup::default(), logs);
    world.model.picks.result.value.clone().unwrap()
}

/// What a console over logs heard when it looked at all of them.
fn archive(logs: &[(&str, String)]) -> (Archive, Option<Arc<RecordDetails>>) {
    let mut setup = Setup { size: (120, 400), ..Setup::default() };
    setup.facts.days = Days::All;
    let mut world = World::ready(&setup, logs);
    world.keys("3");
    let list = world.model.list().unwrap();
    let of = |line| {
        let row = list.row(line)?;
        Some((row, Arc::clone(world.model.rows.get(list.edition, row)?)))
    };
    let rows: Vec<_> = (0..list.len()).map_while(of).collect();
    assert_eq!(rows.len(), list.len(), "a record was not read");
    let summary = world.model.overview.summary.value.clone().unwrap();
    let breakdowns = world.model.overview.breakdowns.value.clone().unwrap();
    let dossier = world.model.record.details.value.clone();
    (Archive { rows, summary, breakdowns }, dossier)
}
