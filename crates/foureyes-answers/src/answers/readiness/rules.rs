//! Rules other than KPIs: what blocks, what is waived, what a reader must know, and the policy.

use foureyes_app::assess::{BlockReason, BlockingBox, Operation};
use foureyes_calibration::calibration::{Policy, Readiness, Waiver};
use foureyes_page::page::{
    Block, Column, Forms, Item, Mark, Part, Place, Role, Row, Sign, Table, TableRow, Text,
    Untrusted, day,
};
use foureyes_page::text;
use serde_json::Value;

/// The name of the block of the rules; each row is named by its rule and its place.
pub const BLOCKS: &str = "blocks";

/// Rules that block READY, and those that somebody waived.
pub(super) fn block(r: &Readiness) -> Block {
    let mut block = Block::new(BLOCKS, "Blocks and waivers").at(Place::Right);
    if r.blocks.is_empty() {
        block.add(Row::new(Role::Text, "nothing blocks READY").focus("none"));
    }
    for (at, rule) in r.blocks.iter().enumerate() {
        let (id, text) = (Untrusted(&rule.id), Untrusted(&rule.text));
        let (sign, text) = match &rule.waived {
            None => (Sign::NoGo, text!("{}: {}", id, text)),
            Some(who) => (Sign::Override, text!("{}, waived: {}; {}", id, text, Untrusted(who))),
        };
        let row = Row::new(sign.role(), text).mark(Mark::Sign(sign));
        block.add(row.focus(format!("{} {at}", rule.id)));
    }
    block
}

/// What a reader must know.
pub(super) fn caveats(r: &Readiness) -> Block {
    let title = text!("Caveats: {}", r.caveats.len());
    let first = r.caveats.first().map(|caveat| Untrusted(&caveat.text).into());
    let block = Block::new("caveats", title).at(Place::Below);
    let mut block = block.folded(first.unwrap_or(Text::EMPTY));
    for caveat in &r.caveats {
        let text = text!("{}: {}", Untrusted(&caveat.id), Untrusted(&caveat.text));
        block.add(Row::new(Role::Text, text).focus(caveat.id.as_str()));
    }
    block
}

/// Whose names stand for what is waived: boxes that block without READY, and rules.
pub(super) fn waivers(policy: &Policy, operation: Option<&Operation>) -> Block {
    let row = |waiver: &Waiver| {
        let texts = [&waiver.what, &waiver.name, &waiver.reason, &waiver.until];
        cells(texts.map(|text| (Role::Text, Untrusted(text).into())))
    };
    let boxes = operation.into_iter().flat_map(|operation| &operation.blocking);
    let rows = boxes.filter_map(box_waiver).chain(policy.waivers.iter().map(row));
    let table = Table {
        columns: ["what", "who answers for it", "reason", "until"].map(Column::text).into(),
        rows: rows.collect(),
        none: "Nothing is waived.".into(),
        ..Table::default()
    };
    let mut block = Block::new("waivers", "Waivers").only(Forms::Documents);
    block.items.push(Item::Table(table));
    block
}

/// The waiver on which a box blocks.
fn box_waiver(of: &BlockingBox) -> Option<TableRow> {
    let BlockReason::Waiver { until, name, why } = &of.reason else { return None };
    let what = match &of.name {
        Some(of_box) => text!("READY, for box {}", Untrusted(of_box)),
        None => "READY".into(),
    };
    let texts = [what, Untrusted(name).into(), Untrusted(why).into(), day(*until).into()];
    Some(cells(texts.map(|text| (Role::Text, text))))
}

/// Each setting of the policy beside its default.
pub(super) fn policy(policy: &Policy) -> Block {
    let as_map = |policy: &Policy| serde_json::to_value(policy).unwrap_or_default();
    let (ours, default) = (as_map(policy), as_map(&Policy::default()));
    let settings = ours.as_object().into_iter().flatten().filter(|(key, _)| *key != "waivers");
    let rows = settings.map(|(key, value)| {
        let (set, usual) = (setting(Some(value)), setting(default.get(key)));
        let role = if set == usual { Role::Text } else { Role::Title };
        let key = Untrusted(key).into();
        cells([(Role::Text, key), (role, set), (Role::Text, usual)])
    });
    let columns = ["setting", "in force", "default"].map(Column::text).into();
    let table = Table { columns, rows: rows.collect(), ..Table::default() };
    let mut block = Block::new("policy", "Policy").note("what differs from the default is bold");
    block.items.push(Item::Table(table));
    block.only(Forms::Html)
}

fn setting(value: Option<&Value>) -> Text {
    match value {
        None | Some(Value::Null) => "none".into(),
        Some(Value::String(text)) => Untrusted(text).into(),
        Some(Value::Array(all)) if all.is_empty() => "none".into(),
        Some(Value::Array(all)) => Text::joined(all.iter().map(|value| setting(Some(value))), ", "),
        Some(value) => Untrusted(&value.to_string()).into(),
    }
}

/// A row of cells with one part each.
pub(super) fn cells<const N: usize>(cells: [(Role, Text); N]) -> TableRow {
    let cell = |(role, text)| vec![Part { role, text, link: None }];
    TableRow { cells: cells.map(cell).into(), ..TableRow::default() }
}
