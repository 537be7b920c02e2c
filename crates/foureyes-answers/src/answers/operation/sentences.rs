//! The same facts as sentences: in documents, and line by line.

use foureyes_app::assess::{BlockReason, Operation, WindowState};
use foureyes_calibration::calibration::ReadinessResult;
use foureyes_page::page::{Ours, Role, Row, Text, Untrusted, counted, date, number};
use foureyes_page::text;

/// What of the facts no other row of a page says; which boxes block is on it already.
pub fn sentences(operation: &Operation) -> Vec<Row> {
    let rows = [blocking(operation), Some(window(operation)), labels(operation), blind(operation)];
    let mut rows: Vec<Row> = rows.into_iter().flatten().collect();
    rows.extend(operation.stale.iter().map(|of| {
        let name = Untrusted(&of.name);
        let text = match of.age_s {
            Some(age) => text!("Data of {} are STALE: {} old.", name, number::span(age)),
            None => text!("There are no data of {}: its pulls fail.", name),
        };
        Row::new(Role::Stale, text)
    }));
    if let (Some(age), true) = (operation.data_age_s, operation.stale.is_empty()) {
        rows.push(Row::new(Role::Text, text!("Data are {} old.", number::span(age))));
    }
    rows
}

/// That nothing blocks, or that READY lapsed where something does.
fn blocking(operation: &Operation) -> Option<Row> {
    let Some(worst) = operation.blocking.first() else {
        return Some(Row::new(Role::Text, "Nothing blocks pushes."));
    };
    match &worst.reason {
        BlockReason::Lapsed { since, labels } => {
            let since = since.map(|day| text!(" since {}", date(day, operation.now)));
            let labels = counted(*labels, "record", "records");
            let text = text!(
                "READY lapsed: no day is fully labelled{}. Label {}.",
                since.unwrap_or_default(),
                labels
            );
            Some(Row::new(Role::Warning, text))
        }
        BlockReason::Undecided => {
            Some(Row::new(Role::Warning, "Pushes are blocked, but the judge is not READY now."))
        }
        _ => None,
    }
}

fn window(operation: &Operation) -> Row {
    let Some(window) = operation.window else {
        return Row::new(Role::Text, "No window runs: labels decide nothing yet.");
    };
    let WindowState { day, needed, .. } = window;
    if day == 0 {
        let from = date(window.from, operation.now);
        return Row::new(Role::Text, text!("The window begins on {}.", from));
    }
    let of = |answer: &'static str| text!("Day {} of the window: {}.", Ours::from(day), answer);
    let (role, text): (Role, Text) = match window.result {
        Some(ReadinessResult::Ready) => (Role::Go, of("READY")),
        Some(ReadinessResult::NotReady) => (Role::Error, of("NOT READY")),
        Some(ReadinessResult::NotEnoughEvidence) if window.is_lapsed => {
            (Role::Warning, of("READY lapsed"))
        }
        _ if day <= needed => (Role::Text, text!("Day {} of {} of the window.", day, needed)),
        Some(ReadinessResult::NotEnoughEvidence) => (Role::Text, of("undecided")),
        None => (Role::Text, of("not counted yet")),
    };
    Row::new(role, text)
}

fn labels(operation: &Operation) -> Option<Row> {
    let count = operation.to_label;
    let text = match count {
        0 => return None,
        1 => text!("1 record waits for a label."),
        _ => text!("{} records wait for a label.", Ours::from(count)),
    };
    operation.window.map(|_| Row::new(Role::Text, text))
}

fn blind(operation: &Operation) -> Option<Row> {
    let blind = operation.blind.filter(|_| operation.window.is_some())?;
    let needed = number::short_percent(blind.needed);
    let (some, all) = (Ours::from(blind.blind), Ours::from(blind.of));
    Some(match blind.is_short() {
        true => {
            let text =
                text!("Too few labels are blind: {} of {}; {} are needed.", some, all, needed);
            Row::new(Role::Warning, text)
        }
        false => Row::new(
            Role::Text,
            text!("Blind labels of open days: {} of {} ({} needed).", some, all, needed),
        ),
    })
}
