//! How the labels came about: by whom, how many blind, which were changed.

use crate::answers::agreement;
use foureyes_calibration::calibration::{
    BlindShare, ChangedWords, Confirmed, LaterWords, Readiness, ReviewerLabels, TwoOfThree,
};
use foureyes_calibration::stats::binomial;
use foureyes_page::page::{
    Block, Column, Focus, Forms, Item, Part, Role, Row, Table, TableRow, Text, Untrusted, number,
};
use foureyes_page::text;

/// The labels of the sample; `None` in a report that was made before there was such a part.
pub fn label_quality(r: &Readiness) -> Option<Block> {
    let quality = r.label_quality.as_ref()?;
    let mut block = Block::new("label quality", "Label quality").note("labels of the sample");
    let knows_seen = quality.reviewers.iter().any(|one| one.seen.is_some());
    let seen = knows_seen.then(|| Column::number("seen"));
    let columns = [Column::text("reviewer"), Column::number("labelled")].into_iter();
    let columns: Vec<Column> = columns.chain(seen).chain([Column::number("blind")]).collect();
    let rows = quality.reviewers.iter().map(|one| reviewer(one, knows_seen)).collect();
    let none = "no content of the sample has a label".into();
    block.items.push(Item::Table(Table { columns, rows, none, ..Table::default() }));
    let shares = [("no_go", "NO-GO", &quality.no_go), ("go", "audited GO", &quality.go)];
    for (id, name, share) in shares {
        block.add(Row::new(Role::Text, blind(name, share)).focus(id));
    }
    let called = r.reviewer_error.second_words.two_of_three.as_ref();
    if let Some(all) = called.filter(|all| all.no_go.called_poor + all.go.called_poor > 0) {
        block.add(Row::new(Role::Text, called_poor(all)).focus("called poor"));
        block.add(Row::new(Role::Dim, OVERLOOKED).focus("overlooked"));
    }
    // Documents have it with the agreement of judge and labels.
    let agreement = agreement::among_labels(&r.agreement).into_iter();
    agreement.for_each(|row| block.add(row.only(Forms::Console)));
    if quality.changed.is_empty() {
        let text = "no reviewer changed a label unprompted";
        block.add(Row::new(Role::Text, text).focus("changed"));
    }
    for (at, some) in quality.changed.iter().enumerate() {
        block.add(Row::new(Role::Text, changed(some)).focus(format!("changed {at}")));
    }
    for (at, some) in quality.later.iter().enumerate() {
        block.add(Row::new(Role::Text, later(some)).focus(format!("later {at}")));
    }
    Some(block)
}

/// What two of three words cannot tell.
const OVERLOOKED: &str = "This assumes that reviewers overlook misses no more often than other poor \
                          content.";

/// `called poor: of 44 NO-GO 40 confirmed (90.9 %, 78.3 to 97.5 %), of 7 GO 3 confirmed (…); 5 wait for a
/// second or third label`.
fn called_poor(all: &TwoOfThree) -> Text {
    let waiting = match all.waiting() {
        0 => Text::EMPTY,
        1 => "; 1 waits for a second or third label".into(),
        count => text!("; {} wait for a second or third label", count),
    };
    let (no_go, go) = (confirmed("NO-GO", &all.no_go), confirmed("GO", &all.go));
    text!("called poor: {}, {}{}", no_go, go, waiting)
}

fn confirmed(name: &'static str, of: &Confirmed) -> Text {
    let settled = of.settled();
    let Some((share, ends)) = binomial::share(of.confirmed, settled) else {
        return text!("no {} confirmed", name);
    };
    let ends = number::share_ends(Some(ends.lower), Some(ends.upper)).unwrap_or_default();
    let share = number::percent(share);
    text!("of {} {} {} confirmed ({}, {})", settled, name, of.confirmed, share, ends)
}

fn reviewer(r: &ReviewerLabels, knows_seen: bool) -> TableRow {
    let share = number::percent(r.blind as f64 / r.labelled.max(1) as f64);
    let seen = knows_seen.then(|| Text::from(r.seen.unwrap_or(0)));
    let texts: [Text; 2] = [Untrusted(&r.name).into(), r.labelled.into()];
    let texts = texts.into_iter().chain(seen).chain([text!("{} ({})", r.blind, share)]);
    let focus = Some(Focus::new(format!("reviewer {}", r.name)));
    let cell = |text: Text| vec![Part { role: Role::Text, text, link: None }];
    TableRow { focus, cells: texts.map(cell).collect(), ..TableRow::default() }
}

/// `NO-GO: 36 of 40 labelled blind (90.0 %); 38 seen, 2 stated; 4 by several reviewers, 2 repeated by
/// one`.
fn blind(name: &'static str, share: &BlindShare) -> Text {
    let Some(blind) = share.share() else { return text!("{}: none labelled", name) };
    let seen = match share.seen {
        Some(seen) => text!("; {} seen, {} stated;", seen, share.labelled.saturating_sub(seen)),
        None => text!(","),
    };
    text!(
        "{}: {} of {} labelled blind ({}){} {} by several reviewers, {} repeated by one",
        name,
        share.blind,
        share.labelled,
        number::percent(blind),
        seen,
        share.by_several,
        share.repeated
    )
}

/// `later words by cleo (adjudication) on GO: 26 for the judge, 0 against, 1 unsure; 26 not confirmed`.
fn later(l: &LaterWords) -> Text {
    let verdict = if l.verdict == "no_go" { "NO-GO" } else { "GO" };
    let unconfirmed = match l.unconfirmed {
        0 => text!(""),
        count => text!("; {} not confirmed", count),
    };
    text!(
        "later words by {} ({}) on {}: {} for the judge, {} against, {} unsure{}",
        Untrusted(&l.reviewer),
        kind(&l.kind),
        verdict,
        l.for_judge,
        l.against_judge,
        l.unsure,
        unconfirmed
    )
}

/// What a kind of later words is called.
fn kind(name: &str) -> Text {
    match name {
        "second_look" => text!("second look"),
        "settling" => text!("settling a change"),
        "stated" => text!("imported or given on the command line"),
        other => Untrusted(other).into(),
    }
}

/// `changed by anna: 9 GO from poor to acceptable, 1 settled`.
fn changed(c: &ChangedWords) -> Text {
    let verdict = match c.verdict.as_str() {
        "no_go" => "NO-GO",
        "gone" => "gone records",
        _ => "GO",
    };
    let first = Untrusted(&c.first);
    let how = match &c.now {
        Some(now) if c.adjudicated => {
            text!("adjudicated as {} in their own difference ({} at first)", Untrusted(now), first)
        }
        Some(now) => text!("from {} to {}", first, Untrusted(now)),
        None => text!("with {} taken back", first),
    };
    let who = Untrusted(&c.reviewer);
    text!("changed by {}: {} {} {}, {} settled", who, c.records, verdict, how, c.settled)
}
