//! What happened in a window: counts, KPIs, flagged verdicts, boxes.

pub mod boxes;
pub mod counts;
pub mod headline;
pub mod kpis;
mod listed;

pub use listed::{foreign, reject};

use super::head;
use super::texts::{Texts, ready};
use foureyes_core::domain::{Caveat, Triage};
use foureyes_page::page::{Block, Forms, Mark, Page, Role, Row, Text, Untrusted};
use foureyes_page::text;

/// The page of a document; `is_masked` tells whether its writer replaces secrets, which are counted here.
pub fn page(triage: &Triage, is_masked: bool) -> Page {
    let mut marks = Marks::new(is_masked);
    let mut page = Page::new("Triage");
    let mut head = Block::untitled("head");
    head.add(head::made(triage.generated));
    head.text(Role::Dim, headline::window_sentence(&triage.window));
    let blocks = &mut page.blocks;
    blocks.extend([head, headline::block(triage), counts::window(triage)]);
    blocks.push(counts::accounting(triage));
    blocks.extend(kpis::blocks(triage, &mut marks));
    blocks.push(listed::flagged(triage, &mut marks));
    blocks.push(boxes::block(&triage.boxes, None, &mut marks));
    blocks.extend(boxes::coverage(triage, &mut marks));
    blocks.push(listed::rejects(triage, &mut marks));
    blocks.extend(listed::foreign_logs(triage, &mut marks));
    triage.caveats.iter().for_each(|caveat| marks.count(caveat));
    let masked = marks.caveat();
    blocks.push(caveats(triage.caveats.iter().chain(&masked)));
    page
}

/// What a reader of the numbers must know.
pub fn caveats<'a>(caveats: impl Iterator<Item = &'a Caveat>) -> Block {
    let rows: Vec<Row> = caveats
        .map(|caveat| {
            let row = Row::new(Role::Text, Untrusted(&caveat.text)).mark(Mark::Bullet);
            row.focus(caveat.id.clone())
        })
        .collect();
    let mut block = Block::new("caveats", text!("Caveats: {}", rows.len()));
    rows.into_iter().for_each(|row| block.add(row));
    block
}

/// The caveat that secrets were masked, where some were.
pub fn masked_caveat(masked: usize) -> Option<Caveat> {
    (masked > 0).then(|| Caveat {
        id: "masked_secrets".to_owned(),
        text: format!("Secrets masked in this document: {masked}."),
    })
}

/// That some rows of a listing were cut, where they were.
fn cut(listed: usize, total: u64) -> Text {
    match listed as u64 == total {
        true => Text::EMPTY,
        false => text!("{} of {} shown", listed, total),
    }
}

/// What cannot be seen in rows, and how many secrets are masked in all of them.
#[derive(Debug)]
pub struct Marks {
    is_masked: bool,
    masked: usize,
}

impl Marks {
    /// Before any row.
    pub fn new(is_masked: bool) -> Self {
        Self { is_masked, masked: 0 }
    }

    /// How many secrets are masked so far.
    pub fn masked(&self) -> usize {
        self.masked
    }

    /// That texts of a row hide characters, or are masked; each where it is so.
    pub fn rows<T: Texts>(&mut self, row: &T) -> Vec<Row> {
        let ready = ready(row, self.is_masked);
        self.masked += ready.masked;
        let hidden = Text::joined(ready.hidden.iter().copied(), ", ");
        let hidden = (!hidden.is_empty()).then(|| text!("hidden characters in: {}", hidden));
        let masked = (ready.masked > 0).then(|| text!("secrets masked: {}", ready.masked));
        let rows = hidden.into_iter().chain(masked);
        rows.map(|text| Row::new(Role::Hidden, text).only(Forms::Documents)).collect()
    }

    /// Counts the secrets of a row that has no rows of its own.
    fn count<T: Texts>(&mut self, row: &T) {
        self.masked += ready(row, self.is_masked).masked;
    }

    fn caveat(&self) -> Option<Caveat> {
        masked_caveat(self.masked)
    }
}
