use super::super::memory::Hit;
use super::super::planted_tests::{Numbers, Place, planted, text};
use super::super::query::Query;
use super::*;
use rusqlite::{Connection, params};

#[test]
fn results_equal_those_of_bm25_by_hand_on_200_queries() {
    let place = Place::new();
    let rows = planted(&place, 400);
    assert_eq!((place.update().total, place.update().added), (400, 0));
    let peer = Connection::open_in_memory().unwrap();
    peer.execute_batch(
        "CREATE VIRTUAL TABLE head USING fts5(path UNINDEXED, title, tags);
         CREATE VIRTUAL TABLE whole USING fts5(path UNINDEXED, title, tags, body);",
    )
    .unwrap();
    for [path, title, tags, body] in &rows {
        peer.execute("INSERT INTO head VALUES (?1, ?2, ?3)", params![path, title, tags]).unwrap();
        peer.execute("INSERT INTO whole VALUES (?1, ?2, ?3, ?4)", params![path, title, tags, body])
            .unwrap();
    }
    let mut numbers = Numbers(99);
    let (index, mut found) = (Index::open(&place.index_path()).unwrap(), 0);
    for number in 0..200 {
        let words = text(&mut numbers, 5);
        let (scope, table, limit) =
            if number % 2 == 0 { (Scope::Head, "head", 15) } else { (Scope::Whole, "whole", 20) };
        let mut by_hand: Vec<&str> = words.split(' ').collect();
        by_hand.sort_unstable();
        by_hand.dedup();
        let by_hand: Vec<_> = by_hand
            .iter()
            .map(|w| if w.chars().count() < 3 { format!("\"{w}\"") } else { format!("\"{w}\" *") })
            .collect();
        let sql = format!(
            "SELECT path, -bm25({table}) FROM {table} WHERE {table} MATCH ?1 ORDER BY bm25({table}), path LIMIT {limit}"
        );
        let mut statement = peer.prepare(&sql).unwrap();
        let expected: Vec<(String, f64)> = statement
            .query_map([by_hand.join(" OR ")], |row| Ok((row.get(0)?, row.get(1)?)))
            .unwrap()
            .map(Result::unwrap)
            .collect();
        let hits = index.search(&Query::new(&words), scope, limit).unwrap();
        found += hits.len();
        // The order of words may move the last bit of a sum.
        let close = |a: f64, b: f64| (a - b).abs() <= 1e-12 * a.abs().max(1e-9);
        let scores = hits.iter().zip(&expected).all(|(hit, (_, score))| close(hit.score, *score));
        assert!(scores && hits.len() == expected.len(), "{words}: {hits:?} {expected:?}");
        let same = |hit: &Hit, (path, score): &(String, f64)| {
            // Equal but for the last bit, two may change places.
            hit.path == *path
                || expected.iter().any(|(p, s)| *p == hit.path && close(*s, *score))
                || close(expected.last().unwrap().1, *score)
        };
        assert!(hits.iter().zip(&expected).all(|(hit, one)| same(hit, one)), "{words}");
        assert!(hits.iter().zip(1..).all(|(hit, rank)| hit.rank == rank));
    }
    assert!(found > 2_000, "{found}");
}
