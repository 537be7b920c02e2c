//! One pick: prompt, what was said before it, and candidates, without the judge's choice.

use crate::page::write::console::FocusId;
use crate::report::counted;
use crate::text::escape;
use crate::tui::model::{CandidateCard, PickCard, PicksKey};
use crate::tui::page::Page;
use crate::tui::page::row::{Block, Row};
use crate::tui::theme::Role;

/// The name of the block of candidates.
const CANDIDATES: &str = "candidates";
/// In front of a candidate.
const HELPS: &str = "[x] ";
const OPEN: &str = "[ ] ";

/// Lines of a long text from one stop of the cursor to the next.
const STEP: usize = 8;

/// The page of a pick.
pub(super) fn page(card: &PickCard, key: &PicksKey) -> Page {
    let (width, glyphs) = (key.width.saturating_sub(2), key.glyphs);
    let mut asked = Block::new(width, glyphs, "Prompt", "");
    passage(&mut asked, "prompt", Role::Text, std::iter::once(&*card.prompt));
    let mut context = Block::new(width, glyphs, "Before it", "end of the conversation");
    passage(&mut context, "context", Role::Dim, card.context.iter().map(String::as_str));
    let of = card.candidates.len() as u64;
    let title = counted(of, "candidate", "candidates");
    let mut candidates = Block::new(width, glyphs, &title, "which help with the prompt?");
    // Wherever the page is scrolled to, the prompt stays in sight.
    let prompt = card.prompt.split_whitespace().collect::<Vec<_>>().join(" ");
    let note = format!("{} of {of} marked. Prompt: {prompt}", key.marks.len());
    for (at, one) in card.candidates.iter().enumerate() {
        let helps = key.marks.contains(&one.place);
        let row = Row::stop(CANDIDATES, at.to_string()).note(note.clone());
        add(&mut candidates, one, helps, row);
    }
    let mut blocks = vec![asked];
    blocks.extend((!card.context.is_empty()).then_some(context));
    blocks.push(candidates);
    Page::plain(key.width, blocks)
}

fn add(block: &mut Block, one: &CandidateCard, helps: bool, head: Row) {
    let (sign, role) = if helps { (HELPS, Role::Mark) } else { (OPEN, Role::Text) };
    let room = block.width.saturating_sub(sign.len());
    let mut head = Some(head.span(Role::Mark, sign));
    for line in escape::block(&one.title, "", room).lines() {
        let row = head.take().unwrap_or_else(|| Row::new().span(Role::Text, "    "));
        block.add(row.span(role, line));
    }
    if let Some(body) = &one.body {
        quote(block, Role::Dim, body, sign.len());
    }
}

/// Adds texts of which each part can be reached, however long they are.
fn passage<'a>(
    block: &mut Block,
    name: &'static str,
    role: Role,
    texts: impl Iterator<Item = &'a str>,
) {
    let from = block.rows.len();
    texts.for_each(|text| quote(block, role, text, 0));
    for (at, row) in block.rows.iter_mut().skip(from).enumerate().step_by(STEP) {
        let head = Row::stop(name, at.to_string());
        *row = row.parts.drain(..).fold(head, |head, (role, text)| head.span(role, text));
    }
}

/// Adds a text from outside, each of its lines behind a gutter.
fn quote(block: &mut Block, role: Role, text: &str, indent: usize) {
    let gutter = format!("{:indent$}{} ", "", block.glyphs.gutter);
    for line in escape::block(text, "", block.width.saturating_sub(indent + 2)).lines() {
        block.add(Row::new().span(Role::Gutter, &gutter).span(role, line));
    }
}

/// Which candidate a stop is, as they are shown.
pub(super) fn candidate(id: &FocusId) -> Option<usize> {
    id.row.parse().ok().filter(|_| id.block == CANDIDATES)
}
