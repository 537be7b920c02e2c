//! Statements that look records up: a server reads 262,144 bytes of one, so ids are bounded by the bytes that they
//! take.

use super::fold;
use super::sql::{self, Names};
use crate::domain::{RecordId, Timestamp, Window};
use std::collections::BTreeSet;

/// Bytes of an id and what is asked beside it, at most, where each stands in a statement as often as it does in
/// [`owners`].
const EACH: usize = 92 + 2 * (21 + 12);
/// Ids of a statement: a server reads 262,144 bytes of one, and the rest of it is short.
pub(super) const LOOKED_UP: usize = 200_000 / EACH;

/// The statement that fetches all places of some records.
pub(super) fn places(names: &Names, dated: &[Dated]) -> String {
    let places = fold::places(names, ", line, len, record", &any_of_dated(dated), &near(dated));
    format!(
        "SELECT id, base, box, name, byte, line, len, record FROM ({places}) \
         ORDER BY id, {}, record LIMIT 1 BY id, {}",
        fold::ORDER,
        fold::ORDER
    )
}

/// The statement that looks up what the owners' places of some records say.
pub(super) fn owners(names: &Names, columns: &str, dated: &[Dated]) -> String {
    let places = fold::first_places(names, columns, &any_of_dated(dated), &near(dated));
    format!("SELECT id{columns} FROM ({places})")
}

/// A record and its time, as a row of a list has both.
pub(super) type Dated = (RecordId, i64);

/// A condition on the columns of records: they are some of these, and not none. Rows of other days are not read.
fn any_of_dated(dated: &[Dated]) -> String {
    format!(
        "{} AND id IN ({})",
        near(dated),
        sql::list(dated.iter().map(|(id, _)| sql::fixed(&id.0)))
    )
}

/// A condition on the columns of records that holds for some of these, and for few others. It is short: it stands in
/// a statement more than once.
fn near(dated: &[Dated]) -> String {
    let day = |at: i64| if at == i64::MIN { i32::MIN } else { Timestamp(at).day() };
    let days: BTreeSet<i32> = dated.iter().map(|(_, at)| day(*at)).collect();
    let days = sql::list(days.iter().map(i32::to_string));
    let heads = sql::list(dated.iter().map(|(id, _)| id.head().to_string()));
    format!("day IN ({days}) AND head IN ({heads})")
}

/// A condition on the columns of records: they are some of these, and not none.
pub(super) fn any_of(ids: &[RecordId]) -> String {
    let heads = sql::list(ids.iter().map(|id| id.head().to_string()));
    let ids = sql::list(ids.iter().map(|id| sql::fixed(&id.0)));
    format!("head IN ({heads}) AND id IN ({ids})")
}

/// A condition on the columns of records: they are of a window.
pub(super) fn within(window: Window) -> String {
    if window.is_all() {
        return "1".to_owned();
    }
    let mut all = vec!["isNotNull(ts)".to_owned()];
    // Rows are kept in the order of days: those of others are not read.
    all.extend(
        window
            .from
            .map(|from| format!("day >= {} AND ifNull(ts >= {}, 0)", from.day(), sql::i64(from.0))),
    );
    all.extend(
        window.to.map(|to| format!("day <= {} AND ifNull(ts < {}, 0)", to.day(), sql::i64(to.0))),
    );
    format!("({})", all.join(" AND "))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a server reads of a statement, without a setting.
    const READ: usize = 262_144;

    #[test]
    fn as_many_ids_as_are_looked_up_at_once_fit_into_a_statement() {
        let names = Names { database: "d".repeat(64), cluster: "c".into() };
        // The longest literals: each id on a day of its own, long before 1970.
        let one = |at: usize| (RecordId([255; 32]), (-1_000_000 - at as i64) * 86_400_000_000);
        let dated: Vec<Dated> = (0..LOOKED_UP).map(one).collect();
        let columns = ", outcome, semantic, pragmatic, syntactic, commit, task, author, findings";
        for select in [places(&names, &dated), owners(&names, columns, &dated)] {
            assert!(select.len() < READ - 20_000, "{}", select.len());
            assert_eq!(select.matches("toFixedString").count(), LOOKED_UP, "each id stands once");
        }
        let ids: Vec<RecordId> = dated.iter().map(|(id, _)| *id).collect();
        assert!(any_of(&ids).len() < READ - 20_000, "of records of other kinds too");
    }
}
