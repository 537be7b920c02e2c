//! The window, its days, and what is missing.

use crate::answers::links;
use foureyes_app::assess::{Report, suppressed};
use foureyes_calibration::calibration::{Day, DayState, Readiness, ShareRow, no_window};
use foureyes_core::domain::Timestamp;
use foureyes_page::page::{
    Block, Forms, Ours, Place, Role, Row, Text, Untrusted, counted, day, day_of, minute, number,
};
use foureyes_page::text;

/// Open days, and days without data, that are listed.
const LISTED: usize = 10;

/// The window, how far its days are labelled, and until when data are complete.
pub(super) fn block(report: &Report) -> Block {
    let r = &report.readiness;
    let w = &r.window;
    let block = Block::new("window", "Window").note("UTC days").at(Place::Below);
    let mut block = block.folded(text!("{}; {}", period(r).1, closed(r)));
    let mut add = |id: &str, role, text: Text, forms| {
        block.add(Row::new(role, text).focus(id).only(forms));
    };
    let (role, period) = period(r);
    // Documents have the two in the facts below the answer.
    add("span", role, period, Forms::Console);
    let is_enough = w.days_with_data >= w.days_needed;
    let with_data = counted(w.days_with_data, "day", "days");
    let text = text!("{} with data ({} needed)", with_data, w.days_needed);
    add("data", if is_enough { Role::Text } else { Role::Warning }, text, Forms::All);
    if let Some(row) = &w.share {
        add("share", Role::Text, share(row), Forms::All);
    }
    add("closed", Role::Text, closed(r), Forms::All);
    if !w.missing_days.is_empty() {
        let text = text!("no data for {}", days(&w.missing_days));
        add("missing", Role::Warning, text, Forms::All);
    }
    if !r.pending_looks.is_empty() {
        let text = text!("declared looks that wait for labels: {}", days(&r.pending_looks));
        add("looks", Role::Warning, text, Forms::All);
    }
    add("complete", Role::Dim, complete(report), Forms::Console);
    open_days(&mut block, r);
    block
}

/// The span of time that a report is about.
pub(super) fn period(r: &Readiness) -> (Role, Text) {
    let w = &r.window;
    match (w.from, w.to) {
        (Some(from), Some(to)) => {
            let last = Timestamp::of_day(to.day() - 1);
            let days = counted(w.days, "full day", "full days");
            (Role::Text, text!("{} to {}: {}", day(from), day(last), days))
        }
        (Some(from), None) => (Role::Text, text!("from {}: no full day yet", day(from))),
        (None, _) => (Role::Warning, Untrusted(&no_window(r.family)).into()),
    }
}

/// Until when the data of every source are complete.
pub(super) fn complete(report: &Report) -> Text {
    text!("data complete until {}", minute(report.complete_until))
}

/// Which window of its judge it is, and what a KPI takes to be met in it.
pub fn share(share: &ShareRow) -> Text {
    let part = number::short_percent(share.part);
    let met = match share.bar {
        Some(bar) => text!("a KPI is met when the evidence is {} to 1", bar.round() as u64),
        None => text!("the declared days share {}", number::short_percent(share.alpha)),
    };
    text!("window {} of this judge, with {} of the allowed error: {}", share.window, part, met)
}

/// How many days count, and from which on none does.
fn closed(r: &Readiness) -> Text {
    let closed = counted(r.window.closed_days, "day counts", "days count");
    match &r.window.first_open_day {
        Some(day) => {
            text!("{}; {} is not fully labelled: later days wait for it", closed, day_of(day))
        }
        None => text!("{}; every day is fully labelled", closed),
    }
}

/// The first days of some, and how many more there are.
fn days(all: &[String]) -> Text {
    let listed = Text::joined(all.iter().take(LISTED).map(|day| day_of(day)), ", ");
    match all.len().saturating_sub(LISTED) {
        0 => listed,
        more => text!("{} and {} more", listed, more),
    }
}

/// How many days are closed, and what each that waits for labels lacks.
fn open_days(block: &mut Block, r: &Readiness) {
    let count = |state| r.days.iter().filter(|day| day.state == state).count();
    let open = || r.days.iter().filter(|day| day.state == DayState::Open);
    let text = text!(
        "days: {} fully labelled, {} not, {} without data",
        count(DayState::Closed),
        count(DayState::Open),
        count(DayState::Empty)
    );
    block.add(Row::new(Role::Dim, text).focus("days"));
    for day in open().take(LISTED) {
        block.add(Row::new(Role::Dim, missing(day)).focus(day.day.as_str()));
        if let Some(date) = Timestamp::parse_day(&day.day) {
            let link = links::unlabelled(r.family, date.day());
            let row = Row::default().focus(format!("{} records", day.day)).level(1);
            let row = row.link(Role::Figure, "unlabelled records of this day", Some(link));
            block.add(row.only(Forms::Console));
        }
    }
    let more = open().count().saturating_sub(LISTED) as u64;
    if more > 0 {
        let text: Ours =
            counted(more, "more day is not fully labelled", "more days are not fully labelled");
        block.add(Row::new(Role::Dim, text).focus("more"));
    }
}

/// `2026-11-24 open: 0 of 11 NO-GO and 0 of 36 audited labelled; next f1cf3357463f`. Where few wait, which of them are
/// flagged would be told.
fn missing(day: &Day) -> Text {
    let (labelled, all) = (day.no_go_labelled + day.audit_labelled, day.no_go + day.audit);
    let mut text = match suppressed(&[all.saturating_sub(labelled)]) == [true] {
        true => text!("{} open: {} of {} labelled", day_of(&day.day), labelled, all),
        false => text!(
            "{} open: {} of {} NO-GO and {} of {} audited labelled",
            day_of(&day.day),
            day.no_go_labelled,
            day.no_go,
            day.audit_labelled,
            day.audit
        ),
    };
    let second = day.unconfirmed.len();
    if second > 0 {
        text.push(text!(", {} called poor need a second label", second));
    }
    if let Some(id) = day.missing.first().or(day.unconfirmed.first()) {
        text.push(text!("; next {}", Untrusted(&id.short().to_string())));
    }
    text
}
