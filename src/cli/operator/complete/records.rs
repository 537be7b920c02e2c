//! Records, and what is named in them: of those that came last.

use crate::cli::complete::values::words;
use crate::cli::complete::{Known, Offer};
use crate::cli::operator::overrides::with_task_log;
use crate::collect;
use crate::domain::review::{OverrideWord, Word};
use crate::domain::{Family, Record};
use std::collections::HashSet;

/// Most records that are offered.
const MOST: usize = 200;

/// Those of any family.
pub(super) fn all(known: &Known, typed: &str) -> Vec<Offer> {
    ids(known, typed, |_| true)
}

/// Evaluations, which people label and override.
pub(super) fn judged(known: &Known, typed: &str) -> Vec<Offer> {
    ids(known, typed, |record| record.evaluation().is_some())
}

pub(super) fn picks(known: &Known, typed: &str) -> Vec<Offer> {
    ids(known, typed, |record| record.family == Family::Pick)
}

pub(super) fn to_label(known: &Known, typed: &str) -> Vec<Offer> {
    [words(Word::ALL.map(Word::as_str)), judged(known, typed)].concat()
}

pub(super) fn to_override(known: &Known, typed: &str) -> Vec<Offer> {
    [words(OverrideWord::ALL.map(OverrideWord::as_str)), judged(known, typed)].concat()
}

pub(super) fn tasks(known: &Known, typed: &str) -> Vec<Offer> {
    let task = |record: &Record| record.task_id.clone();
    named(&latest(known), typed, task)
}

/// Names in records, those of newer ones first.
pub(super) fn named<N: IntoIterator<Item = String>>(
    records: &[Record],
    typed: &str,
    names: impl Fn(&Record) -> N,
) -> Vec<Offer> {
    let mut known = HashSet::new();
    let fitting = records.iter().flat_map(names).filter(|name| name.starts_with(typed));
    fitting.filter(|name| known.insert(name.clone())).take(MOST).map(Offer::bare).collect()
}

/// The records that came last, from the paths on the line or else from the boxes.
pub(super) fn latest(known: &Known) -> Vec<Record> {
    let Some(context) = known.context() else { return Vec::new() };
    let given = known.paths("--from");
    if !given.is_empty() {
        return collect::latest_given(&given).records;
    }
    let context = with_task_log(context);
    collect::latest(&context.data, &context.config).records
}

/// The newest whose ids begin so. What they are called tells neither verdict nor scores: whoever labels may not
/// have seen them yet.
fn ids(known: &Known, typed: &str, is_wanted: fn(&Record) -> bool) -> Vec<Offer> {
    let records = latest(known);
    let offers = records.iter().filter(|record| is_wanted(record)).map(|record| {
        let day = record.timestamp.map_or("undated".to_owned(), |time| time.day_text());
        let what = record.files.first().or(record.task_id.as_ref()).or(record.commit.as_ref());
        let what = what.map_or("", String::as_str);
        (record.id.short(), format!("{day} {what}"))
    });
    let offers = offers.filter(|(id, _)| id.starts_with(typed)).take(MOST);
    offers.map(|(id, note)| Offer::new(id, note)).collect()
}
