//! How the labels came about: by whom, how many blind, which were changed.

use super::rules::cells;
use crate::answers::agreement;
use foureyes_calibration::calibration::{BlindShare, ChangedWords, Readiness, ReviewerLabels};
use foureyes_page::page::{
    Block, Column, Focus, Forms, Item, Role, Row, Table, TableRow, Text, Untrusted, number,
};
use foureyes_page::text;

/// The labels of the sample; `None` in a report that was made before there was such a part.
pub fn label_quality(r: &Readiness) -> Option<Block> {
    let quality = r.label_quality.as_ref()?;
    let mut block = Block::new("label quality", "Label quality").note("labels of the sample");
    let columns = [Column::text("reviewer"), Column::number("labelled"), Column::number("blind")];
    let rows = quality.reviewers.iter().map(reviewer).collect();
    let none = "no content of the sample has a label".into();
    block.items.push(Item::Table(Table {
        columns: columns.into(),
        rows,
        none,
        ..Table::default()
    }));
    let shares = [("no_go", "NO-GO", &quality.no_go), ("go", "audited GO", &quality.go)];
    for (id, name, share) in shares {
        block.add(Row::new(Role::Text, blind(name, share)).focus(id));
    }
    // Documents have it with the agreement of judge and labels.
    let agreement = agreement::among_labels(&r.agreement).into_iter();
    agreement.for_each(|row| block.add(row.only(Forms::Console)));
    if quality.changed.is_empty() {
        let text = "no reviewer changed a label unasked";
        block.add(Row::new(Role::Text, text).focus("changed"));
    }
    for (at, some) in quality.changed.iter().enumerate() {
        block.add(Row::new(Role::Text, changed(some)).focus(format!("changed {at}")));
    }
    Some(block)
}

fn reviewer(r: &ReviewerLabels) -> TableRow {
    let share = number::percent(r.blind as f64 / r.labelled.max(1) as f64);
    let texts = [Untrusted(&r.name).into(), r.labelled.into(), text!("{} ({})", r.blind, share)];
    let focus = Some(Focus::new(format!("reviewer {}", r.name)));
    TableRow { focus, ..cells(texts.map(|text: Text| (Role::Text, text))) }
}

/// `NO-GO: 36 of 40 labelled blind (90.0 %), 4 by several reviewers, 2 repeated by one`.
fn blind(name: &'static str, share: &BlindShare) -> Text {
    let Some(blind) = share.share() else { return text!("{}: none labelled", name) };
    text!(
        "{}: {} of {} labelled blind ({}), {} by several reviewers, {} repeated by one",
        name,
        share.blind,
        share.labelled,
        number::percent(blind),
        share.by_several,
        share.repeated
    )
}

/// `changed by anna: 9 GO from poor to acceptable, 1 settled`.
fn changed(c: &ChangedWords) -> Text {
    let verdict = if c.verdict == "no_go" { "NO-GO" } else { "GO" };
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
