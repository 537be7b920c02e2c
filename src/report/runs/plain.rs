//! Runs of judging again, for people.

use super::document::{ItemRow, OneRun, RoundRow, RunRow, Runs};
use super::{cost, failures, money, remedy, spent};
use crate::report::PlainOrJson;
use crate::text::escape;
use std::io::{self, Write};

/// Columns of the lines that are no table.
const WIDTH: usize = 100;
/// Columns of a text in a table; of the last one, which has nothing behind it.
const CELL: usize = 32;
const LAST: usize = 80;
/// Digits of an id and of a hash in a table.
const DIGITS: usize = 12;

impl PlainOrJson for Runs {
    fn write_plain(&self, out: &mut dyn Write) -> io::Result<()> {
        if self.runs.is_empty() {
            return writeln!(out, "nothing was re-judged; `r` in the console re-judges a record");
        }
        let head =
            ["id", "begun", "by", "model", "prompt", "judged", "failed", "changed", "cost", ""];
        table(out, &head, self.runs.iter().map(run_cells))
    }
}

fn run_cells(run: &RunRow) -> Vec<String> {
    let figures = &run.figures;
    let prompt = format!("{} {}", digits(&run.prompt.sha, 8), run.asked);
    let repeats = run.repeats.iter().map(|run| format!("repeats {}", digits(run, DIGITS)));
    let open = run.ended.is_none().then(|| "end not recorded".to_owned());
    let task = run.task.iter().map(|task| format!("task {}, {}", task.id, task.depth));
    let failed = failures(figures);
    let note = task.chain(failed).chain(repeats).chain(open).collect::<Vec<_>>().join("; ");
    vec![
        digits(&run.id, DIGITS).to_owned(),
        minute(&run.begun),
        run.reviewer.clone(),
        run.model.clone(),
        prompt,
        format!("{} of {}", figures.judged, figures.items),
        figures.failed().to_string(),
        figures.changed.to_string(),
        cost(figures).trim_start_matches("cost ").to_owned(),
        note,
    ]
}

impl PlainOrJson for OneRun {
    fn write_plain(&self, out: &mut dyn Write) -> io::Result<()> {
        for (label, text) in about(&self.run) {
            out.write_all(escape::field(0, label, &text, WIDTH).as_bytes())?;
        }
        for row in &self.comparisons {
            writeln!(out)?;
            writeln!(out, "{}", row.title())?;
            for text in row.words() {
                out.write_all(escape::block(&text, "  ", WIDTH).as_bytes())?;
            }
        }
        let is_task = self.run.task.is_some();
        let lost = self.run.repeats.as_deref().filter(|_| !is_task && !self.knows_before());
        if let Some(run) = lost {
            writeln!(out)?;
            writeln!(
                out,
                "run {} is in no local ledger, so it is not compared",
                digits(run, DIGITS)
            )?;
        }
        writeln!(out)?;
        let head = ["", "before", "now", "scores", "commit", "file", "record", ""];
        table(out, &head, self.items.iter().map(item_cells))?;
        if self.run.task.is_none() {
            return Ok(());
        }
        writeln!(out)?;
        let head = ["round", "judge", "model", "verdict", "scores"];
        table(out, &head, self.items.iter().flat_map(|item| &item.rounds).map(round_cells))
    }
}

fn about(run: &RunRow) -> Vec<(&'static str, String)> {
    let figures = &run.figures;
    let ended = run.ended.clone().unwrap_or_else(|| {
        "no end was recorded: it is still running, or its console was killed".to_owned()
    });
    let failed = failures(figures).unwrap_or_else(|| "0 failed".to_owned());
    let judged =
        format!("{} of {}; {failed}, {} changed", figures.judged, figures.items, figures.changed);
    let mut lines = vec![
        ("run:", run.id.clone()),
        ("begun:", format!("{} by {}", run.begun, run.reviewer)),
        ("ended:", ended),
        ("asked:", format!("{}, {}", run.model, run.asked)),
        ("prompt:", run.prompt.sha.clone()),
        ("judged:", judged),
        ("spent:", spent(figures)),
    ];
    lines.extend(remedy(figures).map(|text| ("next:", text.to_owned())));
    if let Some(cap) = run.cap {
        lines.push(("cap:", money(cap)));
    }
    let task = run.task.iter().map(|task| ("task:", format!("{}, {}", task.id, task.depth)));
    lines.extend(task);
    lines.extend(run.repeats.iter().map(|run| ("repeats:", run.clone())));
    lines
}

fn item_cells(item: &ItemRow) -> Vec<String> {
    let file = item.files.first().map_or("-", String::as_str);
    let more = match item.files.len() {
        0 | 1 => String::new(),
        n => format!(" +{}", n - 1),
    };
    let scores: Vec<_> = item.scores.iter().map(|(of, score)| format!("{of} {score}")).collect();
    vec![
        item.number.to_string(),
        word(item.was).to_owned(),
        match (item.now, &item.error) {
            (None, Some(_)) => "failed".to_owned(),
            (now, _) => word(now).to_owned(),
        },
        scores.join(", "),
        item.commit.as_deref().map_or("-", |commit| digits(commit, 8)).to_owned(),
        format!("{}{more}", escape::truncate_start(&escape::line(file), CELL - 5)),
        item.record.as_deref().map_or("-", |record| digits(record, DIGITS)).to_owned(),
        note(item),
    ]
}

fn round_cells(round: &RoundRow) -> Vec<String> {
    let text = |text: &Option<String>| text.clone().unwrap_or_else(|| "-".to_owned());
    let scores: Vec<_> = round.scores.iter().map(|(of, score)| format!("{of} {score}")).collect();
    vec![
        round.round.map_or("-".to_owned(), |round| round.to_string()),
        text(&round.tier),
        text(&round.model),
        round.error.clone().unwrap_or_else(|| text(&round.verdict)),
        scores.join(", "),
    ]
}

fn word(outcome: Option<&str>) -> &'static str {
    match outcome {
        None => "-",
        Some("go") => "GO",
        Some("no_go") => "NO-GO",
        Some(_) => "UNDETERMINED",
    }
}

/// What is to be said of an item beside its verdicts.
fn note(item: &ItemRow) -> String {
    let unanswered = item.now.is_none() && item.error.is_none();
    let no_answer = || unanswered.then(|| "no answer".to_owned());
    let why = item.not_judged.as_ref().map(|why| format!("not judged: {why}"));
    let error = item.error.as_ref().map(|error| format!("error: {error}"));
    let decision = item.decision.as_ref().map(|decision| match decision.as_str() {
        "escalate" => "a person decides".to_owned(),
        decision => decision.to_owned(),
    });
    let changed = item.changed.then(|| "CHANGED".to_owned());
    let other = item.then.filter(|then| item.now.is_some_and(|now| now != *then));
    let other = other.map(|then| format!("{} in the run before", word(Some(then))));
    let remarks = [decision, changed, other, error, why.or_else(no_answer)];
    remarks.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

/// Rows with their columns below each other. What is too long for its column is cut, with a sign.
fn table(
    out: &mut dyn Write,
    head: &[&str],
    rows: impl Iterator<Item = Vec<String>>,
) -> io::Result<()> {
    let head: Vec<String> = head.iter().map(|cell| (*cell).to_owned()).collect();
    let columns = head.len();
    let harmless = |row: Vec<String>| -> Vec<String> {
        let most = |at| if at + 1 == columns { LAST } else { CELL };
        let cut = |(at, cell): (usize, &String)| {
            escape::truncate(&escape::line(cell), most(at)).into_owned()
        };
        row.iter().enumerate().map(cut).collect()
    };
    let rows: Vec<Vec<String>> = std::iter::once(head).chain(rows).map(harmless).collect();
    let width = |at: usize| {
        let cells = rows.iter().filter_map(|row| row.get(at));
        cells.map(|cell| escape::width(cell)).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..columns).map(width).collect();
    for row in &rows {
        let cells = row.iter().zip(&widths).map(|(cell, width)| escape::pad(cell, *width));
        writeln!(out, "{}", cells.collect::<Vec<_>>().join("  ").trim_end())?;
    }
    Ok(())
}

/// `2026-02-20 12:34`.
fn minute(time: &str) -> String {
    digits(time, 16).replace('T', " ")
}

/// The beginning of a hash, an id or a time. Whatever stands in the place of one may be none.
fn digits(text: &str, most: usize) -> &str {
    text.get(..text.floor_char_boundary(most)).unwrap_or(text)
}
