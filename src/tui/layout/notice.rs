//! What the lines above the keys say: the last notice that was not dismissed, or a hint.

use crate::text::escape;
use crate::tui::action::Action;
use crate::tui::model::key_context;
use crate::tui::model::{Level, Model, Notice, Overlay};

/// Lines that the notice takes at a width.
pub(super) fn lines(model: &Model, width: u16) -> u16 {
    u16::try_from(wrapped(model, width).len()).unwrap_or(u16::MAX)
}

/// Most lines that it may take: where all messages are shown it is there already.
fn most(model: &Model) -> usize {
    match (&model.overlay, model.size.1) {
        (Some(Overlay::Messages { .. }), _) | (_, ..=8) => 1,
        (_, ..=12) => 2,
        _ => 3,
    }
}

/// The last notice; where there is none, the hint of the screen.
pub(in crate::tui) fn wrapped(model: &Model, width: u16) -> Vec<String> {
    // The sign and a blank are before it.
    let room = usize::from(width).saturating_sub(2).max(8);
    match model.notices.current() {
        Some(notice) => fitted(model, notice, room),
        None => super::hint::text(model, width).map_or(Vec::new(), |text| folded(&text, room)),
    }
}

fn folded(text: &str, room: usize) -> Vec<String> {
    escape::block(text, "", room).lines().map(str::to_owned).collect()
}

/// All of a text; what is behind it stays in one piece.
fn whole(text: &str, end: &str, room: usize) -> Vec<String> {
    let mut lines = folded(text, room);
    let is_room = |last: &str| escape::width(last) + escape::width(end) <= room;
    match lines.last_mut().filter(|last| is_room(last)) {
        Some(last) => last.push_str(end),
        None => lines.push(end.trim_start().to_owned()),
    }
    lines
}

/// All of it where there is room; else as much as leaves room for where the rest is, and for how
/// to dismiss it.
fn fitted(model: &Model, notice: &Notice, room: usize) -> Vec<String> {
    let (text, most) = (text(notice), most(model));
    let ends = ends(model, notice);
    let whole = whole(&text, &bracketed(&ends[1..]), room);
    if whole.len() <= most {
        return whole;
    }
    let short = |end: &String| escape::width(end) + 10 <= room;
    let mut longest_first = (1..=ends.len()).rev().map(|n| bracketed(&ends[..n]));
    let end = longest_first.find(short).unwrap_or_else(|| bracketed(&ends[..1]));
    let lines = folded(&text, room);
    let (kept, rest) = lines.split_at((most - 1).min(lines.len()));
    let left = room.saturating_sub(escape::width(&end));
    let rest = rest.join(" ");
    let mut kept = kept.to_vec();
    kept.push(format!("{}{end}", escape::truncate(&rest, left)));
    kept
}

/// What the notice says: what happened, what to do.
fn text(notice: &Notice) -> String {
    let mut text = escape::line(&notice.text).into_owned();
    if notice.times > 1 {
        text.push_str(&format!(" (x{})", notice.times));
    }
    if !notice.next.is_empty() {
        text.push_str(&format!(" - {}", escape::line(&notice.next)));
    }
    text
}

/// What is behind it, what matters most first: where all of it is, how to dismiss it, how many
/// more there are.
fn ends(model: &Model, notice: &Notice) -> Vec<String> {
    let key = |action| model.keymap.hint(key_context(model), action);
    let all = key(Action::Messages).map_or("cut".to_owned(), |key| format!("{key} shows all"));
    let mut ends = vec![all];
    // What lies above the screen is closed first.
    let is_next = notice.level > Level::Note && model.overlay.is_none();
    if let Some(key) = key(Action::Back).filter(|_| is_next) {
        ends.push(format!("{key} closes"));
        let more = model.notices.open().saturating_sub(1);
        if more > 0 {
            ends.push(format!("{more} more"));
        }
    }
    ends
}

fn bracketed(parts: &[String]) -> String {
    if parts.is_empty() { String::new() } else { format!("  [{}]", parts.join(", ")) }
}
