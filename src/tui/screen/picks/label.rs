//! One pick: prompt, what was said before it, and candidates, without the judge's choice.

use crate::report::counted;
use crate::text::escape;
use crate::tui::model::{CandidateCard, PickCard, PicksKey};
use crate::tui::screen::overview::Page;
use crate::tui::screen::overview::row::{Block, Row, StopId};
use crate::tui::theme::Role;

/// The name of the block of candidates.
const CANDIDATES: &str = "candidates";
/// In front of a candidate.
const HELPS: &str = "[x] ";
const OPEN: &str = "[ ] ";

/// The page of a pick.
pub(super) fn page(card: &PickCard, key: &PicksKey) -> Page {
    let (width, glyphs) = (key.width.saturating_sub(2), key.glyphs);
    let mut prompt = Block::new(width, glyphs, "Prompt", "");
    prompt.text(Row::stop("prompt", "prompt"), Role::Text, &card.prompt);
    let mut context = Block::new(width, glyphs, "Before it", "end of the conversation");
    let mut head = Row::stop("context", "context");
    for line in &card.context {
        context.text(std::mem::take(&mut head), Role::Dim, line);
    }
    let of = card.candidates.len() as u64;
    let title = counted(of, "candidate", "candidates");
    let mut candidates = Block::new(width, glyphs, &title, "which help with the prompt?");
    // Wherever the page is scrolled to, the prompt stays in sight.
    let note = format!("{} of {of} marked. Prompt: {}", key.marks.len(), card.prompt);
    for (at, one) in card.candidates.iter().enumerate() {
        let helps = key.marks.contains(&one.place);
        let row = Row::stop(CANDIDATES, at.to_string()).note(note.clone());
        add(&mut candidates, one, helps, row);
    }
    let mut blocks = vec![prompt];
    blocks.extend((!card.context.is_empty()).then_some(context));
    blocks.push(candidates);
    Page::plain(key.width, blocks, None)
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
        for line in escape::block(body, "    ", block.width).lines() {
            block.add(Row::new().span(Role::Dim, line));
        }
    }
}

/// Which candidate a stop is, as they are shown.
pub(super) fn candidate(id: &StopId) -> Option<usize> {
    id.row.parse().ok().filter(|_| id.block == CANDIDATES)
}
