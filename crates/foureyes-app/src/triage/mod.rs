//! What happened: the archive of records to one document.

mod chains;
mod explained;
mod foreign;
mod history;
mod judges;
mod questions;
mod seen;
mod store;

pub use history::{History, history, run_of};
pub use seen::{Seen, SeenError};

use crate::calibration::{Policy, kpi};
use crate::collect::{Collected, Outdated, SourceBox};
use crate::domain::{
    BoxReport, BoxState, ByKind, Caveat, Counts, CoverageRow, FamilyKpis, JudgementKind, Record,
    TRIAGE_SCHEMA, Timestamp, Triage, Window,
};
use crate::store::cache::{Archive, CacheError, Lacking, RowError, Tallied};
use crate::store::state::Fact;
use crate::text::separated;

/// What to say.
#[derive(Debug, Clone, Copy)]
pub struct Ask<'a> {
    /// The span of record time.
    pub window: Window,
    /// Most flagged items to list.
    pub limit: usize,
    /// Most rejects to list.
    pub rejects: usize,
    /// The time of asking.
    pub now: Timestamp,
    /// The policies in force: where the thresholds come from.
    pub policies: &'a ByKind<Policy>,
}

/// The document could not be made.
#[derive(Debug, thiserror::Error)]
pub enum TriageError {
    /// The cache.
    #[error("failed to count the logs")]
    Cache(#[from] CacheError),
    /// A record.
    #[error("failed to read a flagged record")]
    Row(#[from] RowError),
}

impl Outdated for TriageError {
    fn is_outdated(&self) -> bool {
        match self {
            Self::Cache(error) => error.is_outdated(),
            Self::Row(error) => error.is_outdated(),
        }
    }
}

/// Makes the document.
///
/// # Errors
/// A cache or a log that cannot be read any more.
pub fn triage(
    archive: &Archive,
    collected: &Collected,
    seen: Option<&Seen>,
    coverage: (Vec<CoverageRow>, Vec<Caveat>),
    ask: Ask<'_>,
) -> Result<Triage, TriageError> {
    archive.count_ahead(ask.window, &[UNJUDGED, explained::MARKED_DOWN, explained::UNEXPLAINED])?;
    let Tallied { tally, first: flagged } = archive.tally(ask.window, ask.limit)?;
    let flagged_total = tally.flagged_total;
    let counts =
        Counts { accounting: archive.accounting(), undated: archive.undated(), ..tally.counts };
    let mut listed: Vec<Record> = Vec::with_capacity(flagged.len());
    archive.each_record(&flagged, |located| {
        listed.push(located.record);
        Ok::<_, RowError>(())
    })?;
    let ahead = archive.tally(ask.window.ahead_of(ask.now), 0)?.tally;
    let tally = tally.without(&ahead);
    let kpis = |of| kpi::kpis(tally.units.get(of), ask.policies.get(of));
    let has_data = |of: &JudgementKind| !of.is_default() && tally.units.get(*of).evaluations > 0;
    let families = JudgementKind::ALL.into_iter().filter(has_data);
    let families = families.map(|family| FamilyKpis { family, kpis: kpis(family) }).collect();
    let boxes: Vec<BoxReport> =
        collected.boxes.iter().map(|b| report(archive, b, ask.now)).collect();
    let mut caveats = caveats((&counts, archive.lacking()), &boxes, ask.window);
    caveats.extend(collected.boxes.iter().filter_map(clock));
    caveats.extend(collected.boxes.iter().flat_map(files));
    caveats.extend(of_archive(archive, &counts, ask)?);
    caveats.extend(coverage.1);
    caveats.extend(future(ahead.counts.in_window));
    caveats.extend(unfinished(tally.unfinished));
    let rejects = archive.rejects(ask.rejects)?;
    let (foreign_logs, foreign_logs_total) = foreign::logs(archive);
    let document = Triage {
        schema: TRIAGE_SCHEMA.to_owned(),
        generated: ask.now,
        window: ask.window,
        counts,
        kpis: kpis(JudgementKind::DEFAULT),
        families,
        peer: None,
        flagged: listed,
        flagged_total,
        hidden: 0,
        boxes,
        rejects_left_out: counts.accounting.rejected.saturating_sub(rejects.len() as u64),
        rejects,
        rejects_total: counts.accounting.rejected,
        foreign_logs,
        foreign_logs_total,
        new_since: seen.map(|s| s.new_in(archive, ask.window)).transpose()?,
        coverage: coverage.0,
        caveats,
    };
    archive.remember();
    Ok(document)
}

/// What the logs themselves, and the way in which they were read, leave open.
fn of_archive(archive: &Archive, counts: &Counts, ask: Ask<'_>) -> Result<Vec<Caveat>, CacheError> {
    let mut caveats: Vec<Caveat> = Vec::new();
    caveats
        .extend(archive.beyond_bounds().map(|text| Caveat { id: "beyond_limit".to_owned(), text }));
    caveats.extend(archive.aside().map(|why| Caveat {
        id: "cache_aside".to_owned(),
        text: format!("the cache is not writable, so logs are read for this run only: {why}"),
    }));
    caveats.extend(foreign::caveat(archive));
    caveats.extend(store::caveats(archive));
    caveats.extend(chains::caveats(archive, ask.window));
    caveats.extend(judges::caveats(archive, ask.window)?);
    caveats.extend(questions::caveats(archive, ask.window)?);
    caveats.extend(explained::caveat(archive, ask.window)?);
    caveats.extend(past(archive, counts, ask)?);
    Ok(caveats)
}

/// Records that a clock ahead of this one dated.
fn future(ahead: u64) -> Option<Caveat> {
    let text = match ahead {
        0 => return None,
        1 => "1 record is dated ahead of this machine's clock and counts in no KPI".to_owned(),
        n => format!(
            "{} records are dated ahead of this machine's clock and count in no KPI",
            separated(n)
        ),
    };
    Some(Caveat { id: "future".to_owned(), text })
}

/// Runs of tasks that were killed, or go on now.
fn unfinished(runs: u64) -> Option<Caveat> {
    let text = match runs {
        0 => return None,
        1 => "1 run of a task is unfinished and counts in no KPI: see `records is:unfinished`"
            .to_owned(),
        n => format!(
            "{n} runs of tasks are unfinished and count in no KPI: see `records is:unfinished`"
        ),
    };
    Some(Caveat { id: "unfinished".to_owned(), text })
}

/// Content that arrived although it was not judged GO, or not at once.
fn past(archive: &Archive, counts: &Counts, ask: Ask<'_>) -> Result<Vec<Caveat>, CacheError> {
    let mut caveats = Vec::new();
    if counts.undetermined > counts.bypassed + counts.history + counts.empty {
        match archive.count_fixed(UNJUDGED, ask.window)? {
            0 => {}
            count => caveats.push(Caveat {
                id: "unjudged_while_blocking".to_owned(),
                text: format!(
                    "{count} {} without a verdict while blocking: see `records {UNJUDGED}`",
                    if count == 1 { "push evaluation passed" } else { "push evaluations passed" }
                ),
            }),
        }
    }
    if counts.scripted > 0 {
        let text = match counts.scripted {
            1 => "1 record comes from a file of answers, not from a judge, and counts in no KPI"
                .to_owned(),
            n => {
                format!(
                    "{} records come from a file of answers, not from a judge, and count in no KPI",
                    separated(n)
                )
            }
        };
        caveats.push(Caveat { id: "scripted".to_owned(), text });
    }
    if counts.no_go > 0 && counts.go > 0 {
        match archive.lifted(ask.window)? {
            0 => {}
            count => caveats.push(Caveat {
                id: "asked_until_go".to_owned(),
                text: format!(
                    "re-asked until GO: {count} {} NO-GO first and GO later, unchanged, by the same judge and prompt",
                    if count == 1 { "content was" } else { "contents were" }
                ),
            }),
        }
    }
    Ok(caveats)
}

/// What passed a blocking hook without a verdict, as a filter.
const UNJUDGED: &str = "mode:=blocking is:evaluation outcome:undetermined";

fn report(archive: &Archive, source: &SourceBox, now: Timestamp) -> BoxReport {
    let (records, files) = archive.seen_on(&source.name);
    BoxReport {
        name: source.name.clone(),
        state: source.state,
        data_age_s: source.complete.map(|t| now.seconds_since(t).max(0)),
        complete: source.complete,
        error: source.error.clone(),
        records,
        files,
        foreign: foreign::of_box(archive, &source.name),
        notices: source.notices.clone(),
        listed: source.listed,
    }
}

/// What of a box's files is not in these numbers.
fn files(source: &SourceBox) -> Vec<Caveat> {
    let mut caveats = Vec::new();
    let mut add = |id: &str, text: &str| {
        let text = format!("{}: {text}", source.name);
        caveats.push(Caveat { id: id.to_owned(), text });
    };
    let listed = source.listed.unwrap_or_default();
    match listed.unread {
        0 => {}
        1 => add("unread_files", "1 file that may hold records is not read; a notice says why"),
        n => add(
            "unread_files",
            &format!("{} files that may hold records are not read; notices say why", separated(n)),
        ),
    }
    match source.lacking {
        0 => {}
        1 => add("missing_bytes", "records may be missing from 1 log; a notice says why"),
        n => add(
            "missing_bytes",
            &format!("records may be missing, for {n} reasons; notices say why"),
        ),
    }
    if !listed.balances() {
        add("unbalanced_files", "a file was neither read nor named: please report this");
    }
    caveats
}

/// Days are cut by the clock that dated the records.
fn clock(source: &SourceBox) -> Option<Caveat> {
    let off = source.clock_ahead_s?;
    let text = format!(
        "{}: {}; its records and days follow that clock",
        source.name,
        Fact::ClockOff { ahead_s: off }
    );
    Some(Caveat { id: "clock_off".to_owned(), text })
}

fn caveats(
    (counts, lacking): (&Counts, Lacking),
    boxes: &[BoxReport],
    window: Window,
) -> Vec<Caveat> {
    let mut caveats = Vec::new();
    let mut add = |id: &str, text: String| caveats.push(Caveat { id: id.to_owned(), text });
    for stale in boxes.iter().filter(|b| b.state == BoxState::Stale) {
        add("stale_box", format!("{}: the last pull failed; its data is older", stale.name));
    }
    for empty in boxes.iter().filter(|b| b.state == BoxState::Empty) {
        add("empty_box", format!("{}: it was never read", empty.name));
    }
    for partial in boxes.iter().filter(|b| b.state == BoxState::Ok && b.error.is_some()) {
        add("unread_log", format!("{}: some of its logs could not be read", partial.name));
    }
    if !counts.accounting.balances() && lacking == Lacking::default() {
        add("unbalanced", "the accounting does not balance: please report this".to_owned());
    }
    if counts.undated > 0 && !window.is_all() {
        let text = match counts.undated {
            1 => "1 record has no usable time and is in no window".to_owned(),
            n => format!("{} records have no usable time and are in no window", separated(n)),
        };
        add("undated", text);
    }
    if counts.accounting.rejected > 0 {
        let text = match counts.accounting.rejected {
            1 => "1 log fragment could not be read as a record".to_owned(),
            n => format!("{} log fragments could not be read as records", separated(n)),
        };
        add("rejected", text);
    }
    if counts.accounting.incomplete > 0 {
        let text = match counts.accounting.incomplete {
            1 => "1 log ends in an incomplete line, which is read once complete".to_owned(),
            n => format!("{n} logs end in an incomplete line, which is read once complete"),
        };
        add("incomplete", text);
    }
    caveats
}
