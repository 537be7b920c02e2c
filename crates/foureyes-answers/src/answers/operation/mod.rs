//! How the operation is doing, in one line: it is at the top of every screen.
//!
//! ```text
//! ● small blocks, waiver by Anna to 5 Dec, watch 47 h left · window day 3 of 14 · blind 9 of 11 (80 % needed) · data 22 s
//! ```

mod blocking;
mod sentences;

pub use sentences::sentences;

use foureyes_app::assess::{BlindState, BlockReason, Operation, PullProgress, Work};
use foureyes_calibration::calibration::ReadinessResult;
use foureyes_core::text::{escape, mask};
use foureyes_page::page::{Glyphs, Ours, Role, Sign, date, number};

/// Narrower than this everything is short from the start, so that nothing moves as figures grow.
pub const WIDE: usize = 100;

/// A piece of the line. Its text is harmless, and has been cut to what fits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Piece {
    /// How it looks.
    pub role: Role,
    /// What it says.
    pub text: String,
}

impl Piece {
    fn new(role: Role, text: impl Into<String>) -> Self {
        Self { role, text: text.into() }
    }
}

/// What a part of the line is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Topic {
    /// What kind of console it is.
    Console,
    /// What blocks, and how old the data are.
    Boxes,
    /// The window, and how it stands.
    Window,
    /// What is labelled, and how much of it blind.
    Labels,
    /// What is judged again.
    Runs,
}

/// The keys that lead to what a part is about, as they are typed; empty where there is none.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct StateKeys {
    /// To begin a window.
    pub window: String,
    /// To the boxes.
    pub boxes: String,
    /// To the queue.
    pub queue: String,
}

/// For what the line is written.
#[derive(Debug, Clone, Copy)]
pub struct StateFrame<'a> {
    /// Columns.
    pub width: usize,
    /// What is drawn with.
    pub glyphs: &'a Glyphs,
    /// The keys.
    pub keys: &'a StateKeys,
    /// What comes before it, such as `demo`.
    pub lead: &'a [&'static str],
}

/// What is made short, in the order in which it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Short {
    Nothing,
    Brackets,
    Bytes,
    Window,
    Waiver,
    Names,
    Boxes,
    FreshData,
}

impl Short {
    const ALL: [Self; 8] = [
        Self::Nothing,
        Self::Brackets,
        Self::Bytes,
        Self::Window,
        Self::Waiver,
        Self::Names,
        Self::Boxes,
        Self::FreshData,
    ];
}

/// So many rows the line takes at most.
const MOST_ROWS: usize = 2;

/// The line in as many rows as it takes, two at most; the parts of each with what is between them.
pub fn rows(operation: &Operation, frame: &StateFrame<'_>) -> Vec<Vec<Piece>> {
    laid_out(operation, frame).iter().map(|parts| row(parts, frame.glyphs)).collect()
}

/// What the part at a column of a row is about; both from 0.
pub fn topic_at(
    operation: &Operation,
    frame: &StateFrame<'_>,
    (row, column): (usize, usize),
) -> Option<Topic> {
    let mut start = width(&[Piece::new(Role::Text, BEFORE)]);
    let between = width(&[between(frame.glyphs)]);
    laid_out(operation, frame).get(row)?.iter().find_map(|(topic, part)| {
        let end = start + width(part);
        let is_here = (start..end).contains(&column);
        start = end + between;
        is_here.then_some(*topic)
    })
}

fn laid_out(operation: &Operation, frame: &StateFrame<'_>) -> Vec<Vec<Section>> {
    let least = if frame.width < WIDE { Short::Boxes } else { Short::Nothing };
    let mut parts = Vec::new();
    for short in Short::ALL.into_iter().filter(|short| *short >= least) {
        parts = line_parts(operation, frame, short);
        if width(&row(&parts, frame.glyphs)) <= frame.width {
            return vec![parts];
        }
    }
    // What warns is never left out for what does not.
    let warns = |(_, part): &Section| {
        part.iter().any(|piece| matches!(piece.role, Role::Warning | Role::Error | Role::Stale))
    };
    while wrapped(&parts, frame).len() > MOST_ROWS {
        match parts.iter().rposition(|part| !warns(part)).filter(|at| *at > frame.lead.len()) {
            Some(at) => drop(parts.remove(at)),
            None => break,
        }
    }
    let mut rows = wrapped(&parts, frame);
    rows.truncate(MOST_ROWS);
    rows
}

/// What the window of a terminal is called: what is new, and which boxes block.
pub fn title(operation: &Operation, new: u64) -> String {
    let new = (new > 0).then(|| format!("{} new", Ours::from(new)));
    let blocking = blocking::short(operation);
    let parts: Vec<String> = new.into_iter().chain(blocking).collect();
    match parts.is_empty() {
        true => "foureyes".to_owned(),
        false => format!("foureyes: {}", parts.join(", ")),
    }
}

type Part = Vec<Piece>;

/// A part, and what it is about.
type Section = (Topic, Part);

fn line_parts(operation: &Operation, frame: &StateFrame<'_>, short: Short) -> Vec<Section> {
    let lead = frame.lead.iter().map(|text| vec![Piece::new(Role::Warning, *text)]);
    let lead = lead.map(|part| (Topic::Console, part));
    let first = [
        (Topic::Boxes, blocking::part(operation, frame, short)),
        (Topic::Window, window(operation, frame, short)),
    ];
    let working = match operation.work {
        Some(Work::Judging(..)) => Topic::Runs,
        _ => Topic::Boxes,
    };
    let rest = [
        (Topic::Labels, blind(operation, short)),
        (Topic::Boxes, stale(operation, short)),
        (Topic::Boxes, pull(operation, short)),
        (Topic::Boxes, data(operation, short)),
        (working, work(operation)),
    ];
    let rest = rest.into_iter().filter_map(|(topic, piece)| Some((topic, vec![piece?])));
    lead.chain(first).chain(rest).collect()
}

fn window(operation: &Operation, frame: &StateFrame<'_>, short: Short) -> Part {
    let Some(window) = operation.window else {
        let text = match (short, frame.keys.window.as_str()) {
            (Short::FreshData, _) => "no window".to_owned(),
            (Short::Nothing, key) if !key.is_empty() => {
                format!("no window: labels decide nothing yet ({key})")
            }
            _ => "no window: labels decide nothing yet".to_owned(),
        };
        return vec![Piece::new(Role::Text, text)];
    };
    if window.day == 0 {
        let from = date(window.from, operation.now);
        return vec![Piece::new(Role::Text, format!("window from {from}"))];
    }
    let word = if short < Short::Window { "window day" } else { "day" };
    let day = Ours::from(window.day);
    let is_said = operation.blocking.first().map(|of| &of.reason);
    let is_said = matches!(is_said, Some(BlockReason::Lapsed { .. }));
    let begun = format!("{word} {day}");
    let answered = |role, answer: &str| {
        vec![Piece::new(Role::Text, format!("{begun}, ")), Piece::new(role, answer)]
    };
    match window.result {
        Some(ReadinessResult::Ready) => answered(Role::Go, "READY"),
        Some(ReadinessResult::NotReady) => answered(Role::Error, "NOT READY"),
        Some(ReadinessResult::NotEnoughEvidence) if window.is_lapsed && is_said => {
            vec![Piece::new(Role::Text, begun)]
        }
        Some(ReadinessResult::NotEnoughEvidence) if window.is_lapsed => {
            answered(Role::Warning, "READY lapsed")
        }
        _ if window.day <= window.needed => {
            vec![Piece::new(Role::Text, format!("{begun} of {}", window.needed))]
        }
        Some(ReadinessResult::NotEnoughEvidence) => answered(Role::Text, "undecided"),
        None => vec![Piece::new(Role::Text, format!("{begun} {}", frame.glyphs.ellipsis))],
    }
}

/// What is to be labelled, where nothing was today; else how many labels are blind.
fn blind(operation: &Operation, short: Short) -> Option<Piece> {
    operation.window?;
    let needed = |blind: BlindState| format!("{} needed", number::short_percent(blind.needed));
    let of = |blind: BlindState| {
        format!("blind {} of {}", Ours::from(blind.blind), Ours::from(blind.of))
    };
    if let Some(blind) = operation.blind.filter(|blind| blind.is_short()) {
        return Some(Piece::new(Role::Warning, format!("! {}, {}", of(blind), needed(blind))));
    }
    let lapsed = |of: &BlockReason| matches!(of, BlockReason::Lapsed { .. });
    let is_said = operation.blocking.first().is_some_and(|first| lapsed(&first.reason));
    if !operation.is_labelled_today && operation.to_label > 0 {
        let text = format!("{} to label", Ours::from(operation.to_label));
        return (!is_said).then(|| Piece::new(Role::Notice, text));
    }
    let blind = operation.blind?;
    Some(Piece::new(
        Role::Text,
        match short {
            Short::Nothing => format!("{} ({})", of(blind), needed(blind)),
            _ => of(blind),
        },
    ))
}

fn stale(operation: &Operation, short: Short) -> Option<Piece> {
    let (first, more) = operation.stale.split_first()?;
    let name = name(&first.name, short);
    let age = match first.age_s {
        Some(seconds) => format!("STALE {}", number::span(seconds)),
        None => "EMPTY".to_owned(),
    };
    let more = match more.len() {
        0 => String::new(),
        more if short < Short::Boxes => format!(", {more} more"),
        more => format!(", +{more}"),
    };
    Some(Piece::new(Role::Stale, format!("! {name} {age}{more}")))
}

fn pull(operation: &Operation, short: Short) -> Option<Piece> {
    let PullProgress { done, of, fetching } = operation.pull.as_ref()?;
    let text = match (fetching, short) {
        (None, Short::Nothing | Short::Brackets) => format!("pull {done} of {of}"),
        (None, _) => format!("pull {done}/{of}"),
        (Some((of_box, got, all)), Short::Nothing | Short::Brackets) => {
            format!("pull {done} of {of}, {} {}", name(of_box, short), bytes(*got, *all))
        }
        (Some((_, got, all)), _) if *all > 0 => {
            let share = (got.min(all) * 100 + all / 2) / all;
            format!("pull {done}/{of} {share} %")
        }
        (Some(_), _) => format!("pull {done}/{of}"),
    };
    Some(Piece::new(Role::Notice, text))
}

/// So many bytes of so many: `35 of 48 MB`.
fn bytes(got: u64, all: u64) -> String {
    let (unit, shift) = if got.max(all) >> 20 > 0 { ("MB", 20) } else { ("kB", 10) };
    match all {
        0 => format!("{} {unit}", got >> shift),
        _ => format!("{} of {} {unit}", got >> shift, all >> shift),
    }
}

/// How old data are that nothing is wrong with, while nothing newer is on its way.
fn data(operation: &Operation, short: Short) -> Option<Piece> {
    let is_other = operation.pull.is_some() || !operation.stale.is_empty();
    let age = operation.data_age_s.filter(|_| !is_other && short < Short::FreshData)?;
    Some(Piece::new(Role::Dim, format!("data {}", number::span(age))))
}

fn work(operation: &Operation) -> Option<Piece> {
    let text = match operation.work? {
        Work::Judging(done, of) => format!("judging {done}/{of}"),
        Work::Hook(what) => what.to_owned(),
    };
    Some(Piece::new(Role::Notice, text))
}

/// The name of a box: harmless, in quotes where it could be taken for a mark of ours, and in its middle
/// cut to 12 columns where names are short.
fn name(raw: &str, short: Short) -> String {
    let name = escape::line(&mask::mask(raw).0).into_owned();
    let is_plain = name.chars().next().is_some_and(char::is_alphanumeric);
    let name = if is_plain { name } else { format!("\"{name}\"") };
    if short < Short::Names || escape::width(&name) <= 12 {
        return name;
    }
    // The end is what tells machines apart.
    let start = escape::truncate(&name, 9).into_owned();
    let end = escape::truncate_start(&name, 4);
    format!("{start}{}", end.trim_start_matches('…'))
}

/// What a row begins with.
const BEFORE: &str = " ";

fn between(glyphs: &Glyphs) -> Piece {
    Piece::new(Role::Dim, format!(" {} ", glyphs.separator))
}

/// The parts of a row, with what is between them.
fn row(parts: &[Section], glyphs: &Glyphs) -> Vec<Piece> {
    let mut row = vec![Piece::new(Role::Text, BEFORE)];
    for (at, (_, part)) in parts.iter().enumerate() {
        if at > 0 {
            row.push(between(glyphs));
        }
        row.extend(part.iter().cloned());
    }
    row
}

fn width(row: &[Piece]) -> usize {
    row.iter().map(|piece| escape::width(&piece.text)).sum()
}

/// As many parts in each row as fit.
fn wrapped(parts: &[Section], frame: &StateFrame<'_>) -> Vec<Vec<Section>> {
    let mut rows = Vec::new();
    let mut rest = parts;
    while !rest.is_empty() {
        let fits = |count: &usize| width(&row(&rest[..*count], frame.glyphs)) <= frame.width;
        let count = (1..=rest.len()).take_while(fits).last().unwrap_or(1);
        let (here, later) = rest.split_at(count);
        rows.push(here.to_vec());
        rest = later;
    }
    rows
}

/// The mark of what is withdrawn.
fn withdrawn_mark(glyphs: &Glyphs) -> &'static str {
    glyphs.mark(Sign::NoGo)
}

/// A key in brackets behind a word, where there is one and brackets are not left out.
fn bracketed(key: &str, short: Short) -> String {
    match key.is_empty() || short > Short::Nothing {
        true => String::new(),
        false => format!(" ({key})"),
    }
}

fn day(time: Option<foureyes_core::domain::Timestamp>, operation: &Operation) -> Option<Ours> {
    time.map(|time| date(time, operation.now))
}

#[cfg(test)]
mod tests;
