//! A publisher that is killed, and a node that is down.

use super::wire::Wire;
use super::{Desk, SHARED, Servers, database, generated, rows};
use crate::cli::Home;
use crate::console::node_goes_down_and_comes_back;

#[test]
fn publisher_killed_anywhere_is_completed_by_the_next() {
    let made = Home::new();
    let (boxes, alone) = (generated(&made, 1500, 8), database());
    let whole = Desk::new("anna", &boxes, &SHARED.ports, &alone);
    whole.good(&["fleet", "init"]);
    let wire = Wire::to(SHARED.ports[0]);
    whole.configure(&boxes, &[wire.port, SHARED.ports[1]], &alone, "user = \"default\"");
    let sent = whole.publish();
    let (expected, most) = (rows(&SHARED, &alone), wire.sent().len());
    for share in [10, 50, 90, 97] {
        let name = database();
        let wire = Wire::stalling(SHARED.ports[0], most * share / 100);
        let desk = Desk::new("anna", &boxes, &[wire.port, SHARED.ports[1]], &name);
        desk.configure(&boxes, &SHARED.ports, &name, "user = \"default\"");
        desk.good(&["fleet", "init"]);
        desk.configure(&boxes, &[wire.port, SHARED.ports[1]], &name, "user = \"default\"");
        let mut publisher = desk.command(&["fleet", "publish"]).spawn().unwrap();
        wire.until_stalled();
        // On Unix this is SIGKILL.
        publisher.kill().unwrap();
        assert!(!publisher.wait().unwrap().success());
        desk.configure(&boxes, &SHARED.ports, &name, "user = \"default\"");
        desk.publish();
        assert_eq!(rows(&SHARED, &name), expected, "killed after {share} %");
        let status = desk.json(&["fleet", "status"]);
        assert_eq!(status["occurrences"], sent["occurrences"], "{status}");
        assert_eq!(status["lag"]["files"], 0, "{status}");
    }
}

#[test]
fn rows_that_only_one_node_got_are_sent_again() {
    let made = Home::new();
    let (boxes, name) = (generated(&made, 400, 9), database());
    let desk = Desk::new("anna", &boxes, &SHARED.ports, &name);
    desk.good(&["fleet", "init"]);
    desk.publish();
    let expected = rows(&SHARED, &name);
    // What a crash leaves in the middle of a block: one node has its part, and nothing says that logs are
    // there.
    for node in [0, 1] {
        SHARED.sql(node, &format!("TRUNCATE TABLE {name}.files_local"));
    }
    SHARED.sql(1, &format!("TRUNCATE TABLE {name}.occurrences_local"));
    assert_ne!(rows(&SHARED, &name), expected);
    let again = desk.publish();
    assert!(again["occurrences"].as_u64() > Some(300), "{again}");
    assert_eq!(rows(&SHARED, &name), expected);
    // Where all rows are there, only that is sent.
    for node in [0, 1] {
        SHARED.sql(node, &format!("TRUNCATE TABLE {name}.files_local"));
    }
    let again = desk.publish();
    assert!(
        again["occurrences"].as_u64() < Some(10) && again["files"].as_u64() > Some(10),
        "{again}"
    );
    assert_eq!(rows(&SHARED, &name), expected);
}

#[test]
fn node_that_is_down_is_an_error_with_its_share() {
    let (mut servers, made) = (Servers::start(), Home::new());
    let boxes = generated(&made, 100, 1);
    let desk = Desk::new("anna", &boxes, &servers.ports, "foureyes");
    desk.good(&["fleet", "init"]);
    desk.publish();
    let records = desk.json(&["fleet", "status"])["accounting"]["records"].clone();
    for node in [0, 1] {
        servers.kill(node);
        for args in [
            &["fleet", "status"][..],
            &["fleet", "publish"],
            &["fleet", "init"],
            &["triage", "--fleet"],
            &["trend", "--fleet"],
            &["calibration", "--fleet"],
            &["readiness", "--fleet"],
        ] {
            let ran = desk.run(args);
            assert_eq!((ran.code, ran.out.as_str()), (69, ""), "{args:?}: {}", ran.err);
            let named =
                format!("1 of 2 nodes did not answer: http://127.0.0.1:{}", servers.ports[node]);
            assert!(ran.err.contains(&named), "{}", ran.err);
            assert!(ran.err.contains("; 50 % of the records"), "{}", ran.err);
        }
        servers.restart(node);
        assert_eq!(desk.json(&["fleet", "status"])["accounting"]["records"], records);
    }
    node_goes_down_and_comes_back(&desk, &mut servers);
}

#[test]
fn cluster_that_does_not_fit_is_refused() {
    let made = Home::new();
    let boxes = generated(&made, 20, 1);
    let desk = Desk::new("anna", &boxes, &SHARED.ports[..1], &database());
    let ran = desk.run(&["fleet", "init"]);
    assert_eq!(ran.code, 64, "{}", ran.err);
    assert!(ran.err.contains("has 2 shards, and 1 addresses are configured"), "{}", ran.err);
    desk.configure(&boxes, &SHARED.ports, &database(), "user = \"default\"\ncluster = \"other\"");
    let ran = desk.run(&["fleet", "init"]);
    assert_eq!(ran.code, 64, "{}", ran.err);
    assert!(ran.err.contains("cluster other"), "{}", ran.err);
    desk.home.write("c.toml", "");
    let ran = desk.run(&["fleet", "init"]);
    assert_eq!(ran.code, 64, "{}", ran.err);
    assert!(ran.err.contains("no fleet store is configured"), "{}", ran.err);
}

#[test]
fn replicas_are_refused_where_they_could_give_a_smaller_number() {
    let (servers, made) = (Servers::replicas(), Home::new());
    let boxes = generated(&made, 20, 1);
    let desk = Desk::new("anna", &boxes, &servers.ports, "foureyes");
    let init = |code: i32, words: &str| {
        let ran = desk.run(&["fleet", "init"]);
        assert_eq!(ran.code, code, "{}", ran.err);
        assert!(ran.err.contains(words), "{}", ran.err);
    };
    init(64, "has replicas, and `replicas` is not set");
    let more = "user = \"default\"\nreplicas = true";
    desk.configure(&boxes, &servers.ports[..1], "foureyes", more);
    init(64, "has 1 shards with up to 2 replicas, and 1 addresses are configured");
    // Without ZooKeeper there are no copies, so there are no tables.
    desk.configure(&boxes, &servers.ports, "foureyes", more);
    init(69, "ZooKeeper");
    let tables =
        "SELECT name FROM system.tables WHERE database = 'foureyes' AND engine LIKE '%MergeTree'";
    assert_eq!(servers.ask(tables), "schema_local");
    // Tables that an init without replicas left.
    servers.sql(
        1,
        "CREATE TABLE foureyes.files_local (file UInt8) ENGINE = MergeTree() ORDER BY file",
    );
    init(64, "the tables were created without: choose another `database`");
}
