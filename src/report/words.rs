//! What plain text and Markdown say in the same words.

use crate::domain::{
    Accounting, BoxReport, BoxState, Caveat, Dimension, Family, Field, ForeignLog, JudgementKind,
    Kpi, Outcome, PeerKpi, PreviousRound, Record, Scores, Timestamp, Triage, Usage, Value, Window,
};
use crate::relevance::{Candidate, Pick};
use crate::report::counted;
use crate::report::number::{age, percent, share_ends};
use std::borrow::Cow;

/// The outcome of a record with its mark, readable without colour; what is no evaluation has marks of its
/// own.
pub(super) fn outcome(row: &Record) -> &'static str {
    match (row.outcome, row.family) {
        (Some(Outcome::Go), _) => "✔ GO",
        (Some(Outcome::NoGo), _) => "✖ NO-GO",
        (Some(Outcome::Undetermined), _) => "? UNDET",
        (None, Family::Pick) => "◇ pick",
        (None, Family::Prompt) => "◇ prompt",
        (None, _) => "◆ override",
    }
}

/// The outcome of a record without a mark, for the ear.
pub(super) fn plain_outcome(row: &Record) -> &'static str {
    match (row.outcome, row.family) {
        (Some(Outcome::Undetermined), _) => "UNDETERMINED",
        _ => outcome(row).get("✔ ".len()..).unwrap_or_default(),
    }
}

/// What was picked, in a few words: `1 of 6 kept`; `None` of a record that is no pick.
pub fn picked(row: &Record) -> Option<String> {
    let pick = Pick::of(row)?;
    let kept = pick.candidates.iter().filter(|one| one.kept).count();
    let why = pick.fallback.map(|why| format!(", {why}")).unwrap_or_default();
    Some(format!("{kept} of {} kept{why}", pick.candidates.len()))
}

/// A record's fields that no table names, each with its value. Of a pick each candidate is one, in the order
/// of search.
pub fn extra(row: &Record) -> Vec<(String, String)> {
    let mut all = Vec::new();
    for (name, value) in &row.extra {
        match Pick::of(row).filter(|_| name == "candidates") {
            None => all.push((name.clone(), value.to_string())),
            Some(pick) => all.extend(pick.candidates.iter().map(|one| {
                let kept = match (one.kept, one.no_room) {
                    (true, _) => "kept",
                    (false, true) => "chosen, no room",
                    (false, false) => "dropped",
                };
                (format!("{}. {kept}", one.rank), candidate(one))
            })),
        }
    }
    all
}

/// A candidate as the judge is shown it, and its path.
fn candidate(one: &Candidate) -> String {
    let title = one.title.as_deref().unwrap_or("untitled");
    let category = one.category.as_deref().unwrap_or("unknown");
    format!("[{category}] {title} (tags: {}), {}", one.tags.join(", "), one.memory)
}

/// The verdict as written, where the outcome alone does not tell it.
pub fn other_verdict(row: &Record) -> Option<&str> {
    let usual = match (row.family, row.outcome) {
        (Family::Push, Some(Outcome::Go)) => "GO",
        (Family::Push, Some(Outcome::NoGo)) => "NO-GO",
        (Family::Push, Some(Outcome::Undetermined)) => "UNDETERMINED",
        _ => "",
    };
    row.verdict.as_deref().filter(|v| *v != usual)
}

/// Scores by name: `semantic 2, pragmatic 3, syntactic 4`.
pub(super) fn scores(scores: &Scores) -> Option<String> {
    let given = |d: &Dimension| scores.get(*d).map(|v| format!("{} {v}", d.as_str()));
    let given: Vec<String> = Dimension::ALL.iter().filter_map(given).collect();
    (!given.is_empty()).then(|| given.join(", "))
}

/// A value of a record in words, as every document and screen writes it; the unit of a number is in
/// the name of its field. `None` for what each form writes in its own way, and for no value.
pub(crate) fn value<'r>(field: &Field, value: Value<'r>) -> Option<Cow<'r, str>> {
    Some(match value {
        Value::Text(text) => text.into(),
        Value::Word(word) => word.into(),
        Value::Id(id) => id.to_string().into(),
        Value::Time(time) => time.to_string().into(),
        Value::Number(number) => number.to_string().into(),
        Value::Count(count) if field.name.ends_with("_ms") => format!("{count} ms").into(),
        Value::Count(count) => count.to_string().into(),
        Value::Scores(given) => scores(given)?.into(),
        Value::Usage(usage) => tokens(usage).into(),
        Value::Rounds(rounds) => earlier_rounds(rounds).into(),
        Value::Dimensions(all) => dimensions(all).into(),
        Value::Absent
        | Value::Texts(_)
        | Value::Flag(_)
        | Value::Improvements(_)
        | Value::Origins(_)
        | Value::Extra(_) => return None,
    })
}

/// Dimensions by name.
fn dimensions(all: &[Dimension]) -> String {
    all.iter().map(|d| d.as_str()).collect::<Vec<_>>().join(", ")
}

/// Tokens in words, as far as they are known.
fn tokens(usage: Usage) -> String {
    let known = [(usage.prompt_tokens, "prompt"), (usage.completion_tokens, "answer")];
    let known = known.iter().filter_map(|(n, of)| n.map(|n| format!("{n} {of}")));
    known.collect::<Vec<_>>().join(", ")
}

/// Earlier rounds of a run, each with what its line lists: `1 quick improve 3.33; 2 deep reject 1.67`.
/// Raw text.
pub(super) fn earlier_rounds(rounds: &[PreviousRound]) -> String {
    let one = |PreviousRound(fields): &PreviousRound| {
        let known = ["round", "judge_tier", "model", "verdict", "average"];
        let first = known.into_iter().filter_map(|name| fields.get(name));
        let rest = fields.iter().filter(|(name, _)| !known.contains(&name.as_str()));
        let mut parts: Vec<String> = first.map(plain_json).collect();
        parts.extend(rest.map(|(name, value)| format!("{name} {}", plain_json(value))));
        parts.join(" ")
    };
    rounds.iter().map(one).collect::<Vec<_>>().join("; ")
}

/// A text without its quotes, any other value as JSON.
fn plain_json(value: &serde_json::Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// A label as the first word of a line.
pub(crate) fn capitalized(label: &str) -> String {
    let mut rest = label.chars();
    rest.next().map_or(String::new(), |first| first.to_uppercase().chain(rest).collect())
}

/// The span of time a document speaks of.
pub(crate) fn window(window: &Window) -> String {
    match (window.from, window.to) {
        (None, None) => "everything, including undated records".to_owned(),
        (Some(from), None) => format!("from {from}"),
        (None, Some(to)) => format!("before {to}"),
        (Some(from), Some(to)) => format!("from {from}, before {to}"),
    }
}

/// The accounting equation with its numbers: left side, and the right side in two parts.
pub(crate) fn equation(a: &Accounting) -> [String; 3] {
    [
        format!("lines {} + split {}", a.lines, a.split),
        format!("= records {} + duplicates {} + rejected {}", a.records, a.duplicates, a.rejected),
        format!(
            "+ foreign {} + incomplete {} + joined {} + blank {}",
            a.foreign, a.incomplete, a.joined, a.blank
        ),
    ]
}

/// What the lines are where none is a record, and none was rejected.
pub(crate) const ALL_FOREIGN: &str = "They are from other programs: check which logs are read.";

/// How many lines of other programs a log holds.
pub(crate) fn foreign(log: &ForeignLog) -> String {
    counted(log.foreign, "line from another program", "lines from other programs")
}

/// What a reader must know first, a sentence each.
pub(super) fn headline(triage: &Triage) -> Vec<String> {
    let mut out = vec![flagged(triage)];
    out.extend(news(triage, &|seen| seen.to_string()));
    out.extend(stale(triage));
    out.extend(unbalanced(triage).map(str::to_owned));
    out
}

/// How much is flagged: `127 of 448 verdicts flagged.`
pub(crate) fn flagged(triage: &Triage) -> String {
    let c = &triage.counts;
    let verdicts = counted(c.go + c.no_go + c.undetermined, "verdict", "verdicts");
    format!("{} of {verdicts} flagged.", triage.flagged_total)
}

/// What came since somebody looked, where anybody did; `show` writes when that was.
pub(crate) fn news(triage: &Triage, show: &dyn Fn(Timestamp) -> String) -> Option<String> {
    let new = triage.new_since?;
    let records = counted(new.records, "record", "records");
    Some(format!("New since {}: {records}, {} flagged.", show(new.seen), new.flagged))
}

/// That boxes are stale or without data, where some are.
pub(crate) fn stale(triage: &Triage) -> Option<String> {
    let of = |state| triage.boxes.iter().filter(|b| b.state == state).count();
    let (stale, empty) = (of(BoxState::Stale), of(BoxState::Empty));
    let boxes = counted(triage.boxes.len() as u64, "box", "boxes");
    (stale + empty > 0).then(|| format!("Of {boxes}, {stale} STALE and {empty} without data."))
}

/// That lines are unaccounted for, where some are.
pub(crate) fn unbalanced(triage: &Triage) -> Option<&'static str> {
    let text = "The accounting does NOT balance: some lines are unaccounted for.";
    (!triage.counts.accounting.balances()).then_some(text)
}

/// State and age of a box's data: `STALE, data 3 d ago`.
pub fn freshness(report: &BoxReport) -> String {
    aged(report, report.data_age_s)
}

/// The same at a later time, where a report stays on the screen.
pub(crate) fn freshness_at(report: &BoxReport, now: Timestamp) -> String {
    aged(report, report.age_at(now))
}

fn aged(report: &BoxReport, seconds: Option<i64>) -> String {
    let state = match report.state {
        BoxState::Ok => "ok",
        BoxState::Stale => "STALE",
        BoxState::Empty => "EMPTY",
    };
    match seconds {
        Some(seconds) => format!("{state}, data {}", age(seconds)),
        None => format!("{state}, no data yet"),
    }
}

/// Records and files of a box: `340 records in 7 files`; and what of its files is in no record.
pub(crate) fn holdings(report: &BoxReport) -> String {
    let parts: Vec<String> =
        [records_in_files(report)].into_iter().chain(not_held(report)).collect();
    parts.join(", ")
}

pub(super) fn records_in_files(report: &BoxReport) -> String {
    let records = counted(report.records, "record", "records");
    format!("{records} in {}", counted(report.files, "file", "files"))
}

/// Files of a box that are not read, and lines that are from other programs, where there are such.
pub(super) fn not_held(report: &BoxReport) -> Vec<String> {
    let unread = report.listed.map_or(0, |listed| listed.unread);
    let unread = (unread > 0).then(|| counted(unread, "file not read", "files not read"));
    let foreign = report.foreign;
    let foreign = (foreign > 0)
        .then(|| counted(foreign, "line from other programs", "lines from other programs"));
    unread.into_iter().chain(foreign).collect()
}

/// That some rows of a listing were cut, where they were.
pub(super) fn cut(shown: usize, total: u64) -> Option<String> {
    (shown as u64 != total).then(|| format!("{shown} of {total} shown"))
}

/// The caveat that secrets were masked, where some were.
pub(super) fn masked_caveat(masked: usize) -> Option<Caveat> {
    (masked > 0).then(|| Caveat {
        id: "masked_secrets".to_owned(),
        text: format!("Secrets masked in this document: {masked}."),
    })
}

/// What the KPIs of a family are over, where the headline is over the verdicts of every family.
pub(crate) const fn kpi_unit(family: JudgementKind) -> &'static str {
    match family {
        JudgementKind::Push => "Per evaluation: latest push verdict by commit, box, model, prompt.",
        JudgementKind::Task => "Per run of a task: its last round.",
    }
}

/// The heading of the KPIs of a family.
pub(crate) const fn kpi_heading(family: JudgementKind) -> &'static str {
    match family {
        JudgementKind::Push => "KPIs",
        JudgementKind::Task => "KPIs of tasks",
    }
}

/// Why the error rates are not judged here.
pub(crate) const NO_DECISION: &str =
    "Thresholds are shown for reference. Nothing is decided without labels.";

/// What stands below the KPIs of a family: who decides by them.
pub(crate) fn decision(family: JudgementKind, kpis: &[Kpi]) -> String {
    match kpis.iter().any(|k| k.id.needs_labels() && k.estimate.is_some()) {
        true => {
            let command = readiness_command(family);
            format!("Thresholds are shown for reference; `{command}` decides.")
        }
        false => NO_DECISION.to_owned(),
    }
}

/// The command that decides on a family.
pub(crate) const fn readiness_command(family: JudgementKind) -> &'static str {
    match family {
        JudgementKind::Push => "foureyes readiness",
        JudgementKind::Task => "foureyes readiness --family task",
    }
}

/// How often a peer differs: `7.5 % of verdicts; 3 of 40 reviews differ, 2 without a label`.
pub(crate) fn peer(kpi: &PeerKpi) -> String {
    let share = kpi.estimate.map_or("unknown share".into(), percent);
    let PeerKpi { differ, reviewed, unlabelled, .. } = kpi;
    format!(
        "{share} of verdicts; {differ} of {reviewed} reviews differ, {unlabelled} without a label"
    )
}

/// The interval of that share.
pub(crate) fn peer_interval(kpi: &PeerKpi) -> String {
    let ends = share_ends(Some(kpi.lower), Some(kpi.upper)).unwrap_or_default();
    format!("{ends} ({:.0} % confidence)", kpi.confidence * 100.0)
}

/// Where more is said of it.
pub(crate) const PEER_HINT: &str = "no threshold; `foureyes peer report` shows where";
