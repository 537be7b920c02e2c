//! May the judge block? The answer, what it rests on, and what to do next.

use super::{next, rate};
use crate::calibration::{Day, DayState, Readiness, no_window};
use crate::domain::Timestamp;
use crate::report::{counted, readiness};
use crate::text::{CommandLine, escape};
use crate::tui::page::drill_down::DrillDown;
use crate::tui::page::row::{Block, Row};
use crate::tui::page::sanitize;
use crate::tui::screen::phrases;
use crate::tui::theme::{Glyphs, Role, Sign};

/// The answer, and the one that point estimates alone would have given.
pub(super) fn answer(r: &Readiness, width: usize, glyphs: &'static Glyphs) -> Block {
    let mut block = Block::untitled(width, glyphs);
    if !r.family.is_push() {
        block.text(Row::new(), Role::Dim, readiness::question(r.family));
    }
    let (role, text) = phrases::answer(r.result, glyphs);
    let note = format!("{text}: {}", phrases::explanation(r));
    block.add(Row::stop(ANSWER, "result").note(note).span(role, text));
    // What to do is within the first three lines: only one line may come before it.
    let short = |text: &String| escape::width(&sanitize(text)) <= width;
    let before = r.qualifiers.first().filter(|text| short(text)).map_or(0, |_| 1);
    let qualifiers = |block: &mut Block, places: std::ops::Range<usize>| {
        for (at, text) in r.qualifiers.iter().enumerate().skip(places.start).take(places.len()) {
            let row = Row::stop(ANSWER, format!("qualifier {at}"));
            block.text(row, Role::Warning, &sanitize(text));
        }
    };
    qualifiers(&mut block, 0..before);
    first(&mut block, r);
    qualifiers(&mut block, before..r.qualifiers.len());
    if let Some(text) = &r.wrong_blocks {
        block.text(Row::stop(ANSWER, "wrong blocks"), Role::Warning, &sanitize(text));
    }
    block.text(Row::new(), Role::Text, &phrases::explanation(r));
    let literal = match r.literal.passes {
        Some(true) => "would say READY",
        Some(false) => "would say NOT READY",
        None => "say nothing: one is missing",
    };
    let text = format!("For comparison: point estimates alone, ignoring chance, {literal}.");
    block.text(Row::stop(ANSWER, "literal"), Role::Dim, &text);
    block
}

/// What to do first, and how much more there is.
fn first(block: &mut Block, r: &Readiness) {
    let Some(step) = r.steps.first() else { return };
    let more = match r.steps.len() {
        1 => String::new(),
        all => format!(" (1 of {})", counted(all, "step", "steps")),
    };
    let row = Row::stop(ANSWER, FIRST).note(next::note(step));
    block.text(row, Role::Notice, &format!("Next: {}{more}", sanitize(&step.title)));
}

/// Every KPI that decides, then the rates that are shown beside them.
pub(super) fn kpis(
    r: &Readiness,
    confidence: f64,
    width: usize,
    glyphs: &'static Glyphs,
) -> Vec<Block> {
    let mut all = Block::new(width, glyphs, "KPIs", &phrases::intervals(confidence));
    r.kpis.iter().for_each(|kpi| {
        rate::add(&mut all, kpi, "kpis");
        literal(&mut all, r, kpi.id);
    });
    let mut blocks = vec![all];
    if !r.beside.is_empty() {
        let mut beside = Block::new(width, glyphs, "Beside", "decides nothing");
        r.beside.iter().for_each(|kpi| rate::add(&mut beside, kpi, "beside"));
        blocks.push(beside);
    }
    blocks
}

/// What the point estimate alone says of a KPI.
fn literal(block: &mut Block, r: &Readiness, id: crate::calibration::Measure) {
    let Some(row) = r.literal.kpis.iter().find(|k| k.id == id) else { return };
    let text = match (row.estimate, row.passes) {
        (Some(e), Some(true)) => {
            format!("literal: {}, passes", crate::report::number::value(id, e))
        }
        (Some(e), _) => format!("literal: {}, does not pass", crate::report::number::value(id, e)),
        (None, _) => "literal: no estimate".to_owned(),
    };
    block.indented(Role::Dim, &text);
}

/// The window, its days, and what is missing.
pub(super) fn window(
    r: &Readiness,
    command_line: CommandLine,
    width: usize,
    glyphs: &'static Glyphs,
) -> Block {
    let w = &r.window;
    let mut block = Block::new(width, glyphs, "Window", "UTC days");
    let mut add = |id: &str, role, text: String| {
        block.text(Row::stop("window", id), role, &text);
    };
    match (w.from, w.to) {
        (Some(from), Some(to)) => {
            let days = counted(w.days, "whole day", "whole days");
            add("span", Role::Text, format!("{} to {}, {days}", from.day_text(), to.day_text()));
        }
        (Some(from), None) => {
            add("span", Role::Text, format!("from {}: no full day yet", from.day_text()));
        }
        (None, _) => {
            let text = command_line.complete(&no_window(r.family)).into_owned();
            add("span", Role::Warning, text);
        }
    }
    let enough = w.days_with_data >= w.days_needed;
    let with_data = counted(w.days_with_data, "day", "days");
    let text = format!("{with_data} with data ({} needed)", w.days_needed);
    add("data", if enough { Role::Text } else { Role::Warning }, text);
    if let Some(share) = &w.share {
        add("share", Role::Text, crate::report::readiness::share(share));
    }
    let open = w.first_open_day.as_deref().map_or_else(
        || "no day is open".to_owned(),
        |day| format!("the first open day is {}: what follows it does not count", sanitize(day)),
    );
    let closed = counted(w.closed_days, "closed day counts", "closed days count");
    add("closed", Role::Text, format!("{closed}; {open}"));
    if !w.missing_days.is_empty() {
        let all = w.missing_days.iter().map(|d| sanitize(d)).collect::<Vec<_>>().join(", ");
        add("missing", Role::Warning, format!("no data of {all}"));
    }
    if !r.pending_looks.is_empty() {
        let all = r.pending_looks.iter().map(|d| sanitize(d)).collect::<Vec<_>>().join(", ");
        add("looks", Role::Warning, format!("declared looks that wait for labels: {all}"));
    }
    days(&mut block, &r.days);
    block
}

/// So many open days are shown.
const OPEN: usize = 10;

/// Each day that waits for labels; the closed ones are counted above.
fn days(block: &mut Block, days: &[Day]) {
    let open = || days.iter().filter(|d| d.state == DayState::Open);
    for day in open().take(OPEN) {
        let text = format!(
            "{} open: {} of {} NO-GO and {} of {} audited labelled",
            sanitize(&day.day),
            day.no_go_labelled,
            day.no_go,
            day.audit_labelled,
            day.audit
        );
        block.text(Row::stop("window", day.day.as_str()), Role::Dim, &text);
        if let Some(number) = day_number(&day.day) {
            let row = Row::stop("window", format!("{} records", day.day)).span(Role::Text, "  ");
            block.add(row.cell(
                Role::Figure,
                "unlabelled records of this day",
                DrillDown::Unlabelled(number),
            ));
        }
    }
    let more = open().count().saturating_sub(OPEN) as u64;
    if more > 0 {
        let text = counted(more, "more day is open", "more days are open");
        block.text(Row::stop("window", "more"), Role::Dim, &text);
    }
}

/// The block of the rules.
pub(super) const BLOCKS: &str = "blocks";

/// Rules that block READY, and those that somebody waived.
pub(super) fn rules(r: &Readiness, width: usize, glyphs: &'static Glyphs) -> Block {
    let mut block = Block::new(width, glyphs, "Rules", "blocks and waivers");
    if r.blocks.is_empty() {
        block.text(Row::stop(BLOCKS, "none"), Role::Text, "nothing blocks READY");
    }
    for (at, rule) in r.blocks.iter().enumerate() {
        let row = Row::stop(BLOCKS, format!("{} {at}", rule.id));
        let text = sanitize(&rule.text);
        match &rule.waived {
            None => {
                let sign = phrases::mark(Sign::NoGo, glyphs);
                block.text(row, Role::NoGo, &format!("{sign} {text}"));
            }
            Some(waived) => {
                let sign = phrases::mark(Sign::Override, glyphs);
                let text = format!("{sign} waived: {text}; {}", sanitize(waived));
                block.text(row, Role::Override, &text);
            }
        }
    }
    block
}

/// The name of the block of the answer.
pub(super) const ANSWER: &str = "answer";

/// The row of the answer that names the first step.
pub(super) const FIRST: &str = "first";

/// A day of the document as a number since 1970.
fn day_number(day: &str) -> Option<i32> {
    Timestamp::parse_day(day).map(Timestamp::day)
}

/// What a reader must know, and what the answer can be checked by.
pub(super) fn caveats(r: &Readiness, width: usize, glyphs: &'static Glyphs) -> Vec<Block> {
    let mut block = Block::new(width, glyphs, &format!("Caveats: {}", r.caveats.len()), "");
    for caveat in &r.caveats {
        let row = Row::stop("caveats", caveat.id.as_str());
        block.text(row, Role::Text, &sanitize(&caveat.text));
    }
    let mut end = Block::new(width, glyphs, "Evidence", "hash of all inputs");
    end.text(Row::stop("evidence", "hash"), Role::Dim, &sanitize(&r.evidence));
    vec![block, end]
}
