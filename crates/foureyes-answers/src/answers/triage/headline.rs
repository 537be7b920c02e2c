//! What a reader must know first, a sentence each.

use crate::answers::links;
use foureyes_app::assess::WITHDRAWN;
use foureyes_app::overview::What;
use foureyes_core::domain::{BoxState, Timestamp, Triage, Window};
use foureyes_page::page::chart::{Chart, Totals};
use foureyes_page::page::{
    Block, Focus, Item, Part, Role, Row, Sign, Text, Untrusted, counted, day, minute,
};
use foureyes_page::text;

/// Name of the block.
pub const NAME: &str = "top";

/// The headline of documents.
pub fn block(triage: &Triage) -> Block {
    let mut block = Block::untitled(NAME);
    let withdrawn = triage.caveats.iter().filter(|caveat| caveat.id == WITHDRAWN);
    let rows = withdrawn.map(|caveat| Row::new(Role::Error, Untrusted(&caveat.text)));
    rows.for_each(|row| block.add(row));
    block.add(flagged(triage));
    news(triage, true).into_iter().for_each(|row| block.add(row));
    warnings(triage).into_iter().for_each(|row| block.add(row));
    block
}

/// The span of time a document covers.
pub fn window_sentence(window: &Window) -> Text {
    text!("Window: {}.", span(window, Text::from))
}

/// The span of time, and when it was counted, in few words.
pub fn counted_window(triage: &Triage) -> Text {
    let window = match (triage.window.from, triage.window.to) {
        (None, None) => "everything".into(),
        _ => span(&triage.window, |time| day(time).into()),
    };
    text!("{}, counted {}", window, minute(triage.generated))
}

fn span(window: &Window, show: fn(Timestamp) -> Text) -> Text {
    match (window.from, window.to) {
        (None, None) => "everything, including undated records".into(),
        (Some(from), None) => text!("from {}", show(from)),
        (None, Some(to)) => text!("before {}", show(to)),
        (Some(from), Some(to)) => text!("from {}, before {}", show(from), show(to)),
    }
}

/// How much is flagged: `127 of 448 verdicts flagged.`
pub fn flagged(triage: &Triage) -> Row {
    let c = &triage.counts;
    let verdicts = counted(c.go + c.no_go + c.undetermined, "verdict", "verdicts");
    let text = text!("{} of {} flagged.", triage.flagged_total, verdicts);
    let row = Row::default().link(Role::Figure, text, Some(links::whole(triage, What::Flagged)));
    let row = row.focus("flagged");
    match triage.flagged_total > 0 && c.repeats > 0 {
        true => row.note("repeats are not in the queue"),
        false => row,
    }
}

/// That counts leave out so many hidden pushes, where they leave out any.
pub fn left_out(hidden: u64) -> Option<Row> {
    let pushes = counted(hidden, "hidden push is", "hidden pushes are");
    let row = || Row::new(Role::Dim, text!("{} left out: so few would tell verdicts.", pushes));
    (hidden > 0).then(row)
}

/// What came since somebody looked, where anybody did, and in `tells` how much of it is flagged: of few records that
/// would tell their verdicts.
pub fn news(triage: &Triage, tells: bool) -> Option<Row> {
    let new = triage.new_since?;
    let since = minute(new.seen);
    if new.records == 0 {
        return Some(Row::new(Role::Notice, text!("Nothing new since {}.", since)));
    }
    let text = match tells {
        true => text!("{} new since {}, {} flagged.", new.records, since, new.flagged),
        false => text!("{} new since {}.", new.records, since),
    };
    Some(Row::default().link(Role::Notice, text, Some(links::new(new.records))).focus("new"))
}

/// What is new and how much is flagged, to be read out.
pub fn spoken(triage: &Triage, tells: bool) -> impl Iterator<Item = Row> {
    let c = &triage.counts;
    let verdicts = counted(c.go + c.no_go + c.undetermined, "verdict", "verdicts");
    let flagged = text!("Flagged: {} of {}.", triage.flagged_total, verdicts);
    news(triage, tells).into_iter().chain(std::iter::once(Row::new(Role::Text, flagged)))
}

/// That boxes are stale, lines unaccounted for, or the window empty, each where it is so.
pub fn warnings(triage: &Triage) -> Vec<Row> {
    let with_state = |state| triage.boxes.iter().filter(|b| b.state == state).count();
    let (stale, empty) = (with_state(BoxState::Stale), with_state(BoxState::Empty));
    let boxes = counted(triage.boxes.len() as u64, "box", "boxes");
    let stale = (stale + empty > 0).then(|| {
        let text = text!("Of {}, {} STALE and {} without data.", boxes, stale, empty);
        Row::new(Role::Stale, text)
    });
    let unbalanced = (!triage.counts.accounting.balances()).then(|| {
        let text = "The accounting does NOT balance: some lines are unaccounted for.";
        Row::new(Role::Error, text)
    });
    stale.into_iter().chain(unbalanced).collect()
}

/// The records of the window by outcome, those of every family; picks where they are in no row of their own.
pub fn outcomes(triage: &Triage, has_picks: bool) -> Item {
    let c = &triage.counts;
    let counts = [
        (Sign::Go, c.go, What::Go),
        (Sign::NoGo, c.no_go, What::NoGo),
        (Sign::Undetermined, c.undetermined, What::Undetermined),
        (Sign::Override, c.overrides, What::Overrides),
        (Sign::Memories, c.picks + c.prompts, What::Memories),
    ];
    let is_listed = |sign: Sign, count: u64| sign != Sign::Memories || has_picks && count > 0;
    let counts = counts.into_iter().filter(|(sign, count, _)| is_listed(*sign, *count));
    let counts = counts.map(|(sign, count, what)| (sign, count, Some(links::whole(triage, what))));
    Item::Chart(Chart::Totals(Totals {
        focus: Focus::new("outcomes"),
        counts: counts.collect(),
        all: Part {
            role: Role::Text,
            text: text!("records {}", c.in_window),
            link: Some(links::whole(triage, What::Records)),
        },
    }))
}
