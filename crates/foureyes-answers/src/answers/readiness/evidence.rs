//! What the answer was counted from: judges, and the hash of all inputs.

use super::rules::cells;
use foureyes_calibration::calibration::Readiness;
use foureyes_core::engine::judged::JudgeSeen;
use foureyes_core::text::short_hash;
use foureyes_page::page::{
    Block, Column, Forms, Item, Place, Role, Row, Table, Text, Untrusted, day,
};

/// The judges of the window; `None` where no record names one.
pub(super) fn judges(r: &Readiness) -> Option<Block> {
    let name = |name: &Option<String>| match name {
        Some(name) => Untrusted(name).into(),
        None => Text::from("not named"),
    };
    let row = |judge: &JudgeSeen| {
        let prompt = judge.prompt_sha.as_deref().map(|sha| short_hash(sha).to_owned());
        let texts =
            [day(judge.from).into(), name(&judge.model), name(&judge.served_model), name(&prompt)];
        cells(texts.map(|text| (Role::Text, text)))
    };
    let columns = ["first seen", "model", "answered by", "prompt"].map(Column::text).into();
    let rows = r.judges.iter().map(row).collect();
    let mut block = Block::new("judges", "Judges").only(Forms::Documents);
    block.items.push(Item::Table(Table { columns, rows, ..Table::default() }));
    (!r.judges.is_empty()).then_some(block)
}

/// What the answer can be checked by.
pub(super) fn hash(r: &Readiness) -> Block {
    let block = Block::new("evidence", "Evidence").note("hash of all inputs").at(Place::Below);
    let mut block = block.folded("hash of all inputs");
    block.add(Row::new(Role::Dim, Untrusted(&r.evidence)).focus("hash"));
    let text = "`foureyes readiness verify REPORT` recomputes a report that `--json` wrote.";
    block.add(Row::new(Role::Dim, text).only(Forms::Documents));
    block
}
