//! Making the tables, and who may do what.

use super::{Desk, SHARED, Servers, database};
use crate::cli::Home;
use crate::http::PATIENCE;
use std::time::{Duration, Instant};

#[test]
fn init_is_done_once_and_repeating_it_changes_nothing() {
    let (made, name) = (Home::new(), database());
    std::fs::create_dir(made.path().join("boxes")).unwrap();
    let boxes = made.path().join("boxes/attic");
    std::fs::create_dir(&boxes).unwrap();
    std::fs::write(boxes.join("a.jsonl"), "").unwrap();
    let desk = Desk::new("anna", boxes.parent().unwrap(), &SHARED.ports, &name);
    let before = desk.run(&["fleet", "status"]);
    assert_eq!(before.code, 64, "{}", before.err);
    assert!(before.err.contains("has no tables of foureyes"), "{}", before.err);
    assert!(before.err.contains("fleet init"), "{}", before.err);
    let first = desk.run(&["fleet", "init"]);
    assert_eq!(first.code, 0, "{}", first.err);
    assert_eq!(first.err.matches(": created, schema version 3").count(), 2, "{}", first.err);
    // Hashes of the keys are in the file, and the keys beside it.
    let keys: Vec<&str> =
        first.out.lines().filter_map(|l| l.strip_prefix("<!-- the key of ")).collect();
    assert_eq!(keys.len(), 2, "{}", first.out);
    let tables = |node| {
        SHARED.sql(
            node,
            &format!("SELECT name FROM system.tables WHERE database = '{name}' ORDER BY name"),
        )
    };
    let made_tables = tables(0);
    assert_eq!(String::from_utf8_lossy(&made_tables).lines().count(), 15);
    let second = desk.run(&["fleet", "init"]);
    assert_eq!(second.err.matches(": schema version 3, unchanged").count(), 2, "{}", second.err);
    assert_eq!((tables(0), tables(1)), (made_tables.clone(), made_tables));
    assert_ne!(first.out, second.out, "keys are drawn");
    assert_eq!(desk.json(&["fleet", "status"])["accounting"]["records"], 0);
}

/// Columns that later steps added.
const LATER: [(&str, &str); 5] = [
    ("files", "foreign_lines"),
    ("files", "digest"),
    ("files", "epoch"),
    ("files", "repeated"),
    ("files", "unkept"),
];

#[test]
fn newer_schema_is_refused_and_missing_step_is_migrated() {
    let made = Home::new();
    let (boxes, name) = (super::generated(&made, 20, 1), database());
    let desk = Desk::new("anna", &boxes, &SHARED.ports, &name);
    // A run that was ended before its first step was through.
    SHARED.sql(1, &format!("CREATE DATABASE {name}"));
    let version =
        "(version UInt32, applied Int64, program String) ENGINE = MergeTree() ORDER BY version";
    SHARED.sql(1, &format!("CREATE TABLE {name}.schema_local {version}"));
    desk.good(&["fleet", "init"]);
    assert_eq!(
        SHARED.sql(1, &format!("SELECT version FROM {name}.schema_local ORDER BY version")),
        b"1\n2\n3\n"
    );
    let sent = desk.publish();
    assert_eq!(sent["files"], sent["known_files"]);
    // A store that an earlier program made.
    for node in [0, 1] {
        for table in ["arrivals", "arrivals_local", "schema_local"] {
            SHARED.sql(node, &format!("DROP TABLE {name}.{table}"));
        }
        for (table, column) in LATER {
            for table in [format!("{table}_local"), table.to_owned()] {
                SHARED.sql(node, &format!("ALTER TABLE {name}.{table} DROP COLUMN {column}"));
            }
        }
        SHARED.sql(node, &format!("CREATE TABLE {name}.schema_local {version}"));
        SHARED.sql(node, &format!("INSERT INTO {name}.schema_local VALUES (1, 0, 'earlier')"));
    }
    let refused = desk.run(&["fleet", "publish"]);
    assert_eq!(refused.code, 64, "{}", refused.err);
    assert!(refused.err.contains("schema version 1, and this program needs 3"), "{}", refused.err);
    let migrated = desk.run(&["fleet", "init"]);
    let from = "migrated from schema version 1 to 3";
    assert_eq!(migrated.err.matches(from).count(), 2, "{}", migrated.err);
    // One that was ended after it added some columns.
    for node in [0, 1] {
        SHARED.sql(node, &format!("DROP TABLE {name}.schema_local"));
        SHARED.sql(node, &format!("CREATE TABLE {name}.schema_local {version}"));
        SHARED.sql(node, &format!("INSERT INTO {name}.schema_local VALUES (2, 0, 'earlier')"));
    }
    let (table, column) = LATER[LATER.len() - 1];
    SHARED.sql(1, &format!("ALTER TABLE {name}.{table} DROP COLUMN {column}"));
    desk.good(&["fleet", "init"]);
    let known = desk.publish();
    // What is at the end of a log may be read anew.
    assert!(known["occurrences"].as_u64() < Some(5), "what was there is there: {known}");
    assert_eq!(known["files"], known["known_files"], "and each log is compared once");
    assert_eq!(desk.publish()["files"], 0);
    let status = desk.json(&["fleet", "status"]);
    assert_eq!(status["lacking"], serde_json::json!({"records": 0, "rejects": 0}), "{status}");
    for node in [0, 1] {
        SHARED.sql(node, &format!("INSERT INTO {name}.schema_local VALUES (7, 0, 'later')"));
    }
    for args in [&["fleet", "publish"][..], &["fleet", "status"], &["fleet", "init"]] {
        let refused = desk.run(args);
        assert_eq!(refused.code, 64, "{args:?}: {}", refused.err);
        assert!(
            refused.err.contains("schema version 7, and this program knows 3"),
            "{}",
            refused.err
        );
        assert!(refused.err.contains("update foureyes"), "{}", refused.err);
    }
}

#[test]
fn users_may_do_what_they_are_for_and_nothing_else() {
    let (servers, made) = (Servers::start(), Home::new());
    let boxes = super::generated(&made, 50, 1);
    let desk = Desk::new("anna", &boxes, &servers.ports, "foureyes");
    desk.good(&["fleet", "init", "--write", "users"]);
    let users = desk.home.path().join("users");
    for node in [0, 1] {
        std::fs::copy(users.join("foureyes.xml"), servers.users_d(node).join("foureyes.xml"))
            .unwrap();
    }
    let again = desk.run(&["fleet", "init", "--write", "users"]);
    assert_eq!(again.code, 74, "files that are there stay: {}", again.err);
    let wrong = desk.home.write("wrong.key", "0".repeat(64));
    let as_user = |user: &str, key: &std::path::Path| {
        let more = format!("user = \"foureyes_{user}\"\nkey_command = \"cat {}\"", key.display());
        desk.configure(&boxes, &servers.ports, "foureyes", &more);
    };
    // The servers look at their files every two seconds.
    as_user("publisher", &users.join("publisher.key"));
    let end = Instant::now() + PATIENCE;
    while desk.run(&["fleet", "status"]).code != 0 {
        assert!(Instant::now() < end, "{}", desk.run(&["fleet", "status"]).err);
        std::thread::sleep(Duration::from_millis(200));
    }
    assert!(desk.publish()["occurrences"].as_u64() > Some(40));
    let forbidden = desk.run(&["fleet", "init"]);
    assert_eq!(forbidden.code, 69, "{}", forbidden.err);
    assert!(forbidden.err.contains("--user"), "{}", forbidden.err);
    as_user("reader", &users.join("reader.key"));
    assert_eq!(desk.json(&["fleet", "status"])["accounting"]["records"], 50);
    let forbidden = desk.run(&["fleet", "publish"]);
    assert_eq!(forbidden.code, 69, "{}", forbidden.err);
    assert!(forbidden.err.contains("readonly"), "{}", forbidden.err);
    as_user("reader", &wrong);
    let refused = desk.run(&["fleet", "status"]);
    assert_eq!(refused.code, 69, "{}", refused.err);
    assert!(refused.err.contains("refused the user foureyes_reader or the key"), "{}", refused.err);
    assert!(!refused.err.contains(&"0".repeat(64)), "{}", refused.err);
}
