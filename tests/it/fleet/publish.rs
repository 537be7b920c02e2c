//! Publishing, however often, by whomever, in whatever order.

use super::{Desk, SHARED, database, generated, rows};
use crate::cli::Home;
use std::path::Path;

/// The accounting of one machine, all times.
fn local(desk: &Desk) -> serde_json::Value {
    desk.json(&["triage", "--no-pull", "--days", "36500", "--limit", "0"])["counts"].clone()
}

fn assert_equal(status: &serde_json::Value, local: &serde_json::Value) {
    for (name, value) in status["accounting"].as_object().unwrap() {
        assert_eq!(value, &local[name], "{name}: {status}");
    }
    assert_eq!(status["undated"], local["undated"], "{status}");
}

#[test]
fn store_counts_as_one_machine_and_publishing_again_changes_nothing() {
    let made = Home::new();
    let (boxes, name) = (generated(&made, 3000, 3), database());
    let desk = Desk::new("anna", &boxes, &SHARED.ports, &name);
    desk.good(&["fleet", "init"]);
    let empty = desk.json(&["fleet", "status"]);
    let lag = &empty["lag"];
    let sent = desk.publish();
    assert_eq!(sent["occurrences"], lag["occurrences"], "{lag}");
    assert_eq!(sent["files"], lag["files"], "{lag}");
    let status = desk.json(&["fleet", "status"]);
    let counts = local(&desk);
    assert_equal(&status, &counts);
    assert!(counts["rejected"].as_u64() > Some(10) && counts["duplicates"].as_u64() > Some(10));
    let rejects =
        SHARED.ask(&format!("SELECT uniqExact(file, byte, line, reason) FROM {name}.rejects"));
    assert_eq!(rejects, counts["rejected"].to_string());
    // Both nodes have a part.
    for node in [0, 1] {
        let part = SHARED.sql(node, &format!("SELECT count() FROM {name}.occurrences_local"));
        let part: u64 = String::from_utf8_lossy(&part).trim().parse().unwrap();
        assert!(part > 1000, "node {node} has {part} rows");
    }
    let all = rows(&SHARED, &name);
    let again = desk.publish();
    assert_eq!((&again["occurrences"], &again["files"]), (&0.into(), &0.into()), "{again}");
    let everything = desk.json(&["fleet", "publish", "--all"]);
    assert_eq!(everything["occurrences"], sent["occurrences"]);
    assert_eq!(rows(&SHARED, &name), all);
    assert_equal(&desk.json(&["fleet", "status"]), &counts);
}

#[test]
fn two_publishers_at_once_give_what_one_gives() {
    let made = Home::new();
    let (boxes, name, alone) = (generated(&made, 2000, 4), database(), database());
    let one = Desk::new("anna", &boxes, &SHARED.ports, &alone);
    one.good(&["fleet", "init"]);
    one.publish();
    let desks = ["anna", "ben"].map(|who| Desk::new(who, &boxes, &SHARED.ports, &name));
    desks[0].good(&["fleet", "init"]);
    let mut running =
        desks.each_ref().map(|desk| desk.command(&["fleet", "publish"]).spawn().unwrap());
    for publisher in &mut running {
        assert!(publisher.wait().unwrap().success());
    }
    assert_eq!(rows(&SHARED, &name), rows(&SHARED, &alone));
    let status = desks[1].json(&["fleet", "status"]);
    assert_equal(&status, &local(&one));
    let names: Vec<&str> = status["operators"]
        .as_array()
        .unwrap()
        .iter()
        .map(|o| o["name"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["anna", "ben"]);
}

/// Makes the name and the bytes of a log.
type Made<'a> = &'a dyn Fn(&str, Vec<u8>) -> (String, Vec<u8>);

/// Copies a tree; `with` makes the name and the bytes of each log.
fn copied(from: &Path, to: &Path, with: Made<'_>) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        match path.is_dir() {
            true => copied(&path, &to.join(name), with),
            false => {
                let (name, bytes) = with(name, std::fs::read(&path).unwrap());
                std::fs::write(to.join(name), bytes).unwrap();
            }
        }
    }
}

/// The beginning of a log: a share of its bytes that its name decides, cut anywhere.
fn cut(name: &str, mut bytes: Vec<u8>, salt: u32) -> Vec<u8> {
    let seed: u32 =
        name.bytes().fold(salt, |sum, b| sum.wrapping_mul(31).wrapping_add(u32::from(b)));
    let most = bytes.len();
    bytes.truncate(most * (seed % 101) as usize / 100);
    bytes
}

#[test]
fn any_parts_in_any_order_give_what_the_whole_gives() {
    let made = Home::new();
    let (boxes, alone) = (generated(&made, 1200, 5), database());
    let whole = Desk::new("anna", &boxes, &SHARED.ports, &alone);
    whole.good(&["fleet", "init"]);
    whole.publish();
    let (expected, counts) = (rows(&SHARED, &alone), local(&whole));
    for salt in 0..3 {
        let name = database();
        // Somebody with a part, somebody with another part after rotation, and the whole, the whole last or
        // first or between.
        let parts: Vec<Desk> = [0, 1]
            .map(|part| {
                let to = made.path().join(format!("part{salt}{part}"));
                copied(&boxes, &to, &|name, bytes| {
                    let cut = cut(name, bytes, salt * 2 + part);
                    let rotated = if part == 1 { format!("{name}.1") } else { name.to_owned() };
                    (rotated, cut)
                });
                Desk::new(&format!("part{part}"), &to, &SHARED.ports, &name)
            })
            .into();
        let all = Desk::new("whole", &boxes, &SHARED.ports, &name);
        all.good(&["fleet", "init"]);
        let mut order = vec![&parts[0], &parts[1]];
        order.insert(salt as usize, &all);
        for desk in order {
            desk.publish();
        }
        assert_eq!(rows(&SHARED, &name), expected, "order {salt}");
        let status = all.json(&["fleet", "status"]);
        assert_equal(&status, &counts);
        assert_eq!(status["lag"]["files"], 0, "{status}");
    }
}

#[test]
fn log_without_whole_first_line_counts_until_it_has_one() {
    let (made, name) = (Home::new(), database());
    let dir = |which: &str| made.path().join("boxes/attic").join(which);
    for which in ["one", "two"] {
        std::fs::create_dir_all(dir(which)).unwrap();
        std::fs::write(dir(which).join("a.jsonl"), "{\"commit\":\"abc").unwrap();
    }
    let whole = crate::cli::push(1, "2026-02-10T10:00:00Z", "GO");
    let desk = Desk::new("anna", &made.path().join("boxes"), &SHARED.ports, &name);
    desk.good(&["fleet", "init"]);
    let counts = |incomplete: u64, records: u64| {
        desk.publish();
        let status = desk.json(&["fleet", "status"]);
        let accounting = &status["accounting"];
        assert_eq!(accounting["incomplete"], incomplete, "{status}");
        assert_eq!(
            (&accounting["records"], &status["occurrences"]),
            (&records.into(), &records.into())
        );
        assert_equal(&status, &local(&desk));
    };
    counts(2, 0);
    // A whole record without its newline may still be written to.
    std::fs::write(dir("one").join("a.jsonl"), whole.trim_end()).unwrap();
    counts(1, 1);
    std::fs::write(dir("one").join("a.jsonl"), &whole).unwrap();
    counts(1, 1);
    let more = crate::cli::push(2, "2026-02-10T10:00:00Z", "GO");
    std::fs::write(dir("two").join("a.jsonl"), &more).unwrap();
    counts(0, 2);
    std::fs::rename(dir("two").join("a.jsonl"), dir("one").join("a.jsonl.1")).unwrap();
    counts(0, 2);
}

#[test]
fn log_compressed_by_rotation_is_the_same_log() {
    use std::io::Write;
    let made = Home::new();
    let (boxes, name) = (generated(&made, 300, 6), database());
    let desk = Desk::new("anna", &boxes, &SHARED.ports, &name);
    desk.good(&["fleet", "init"]);
    desk.publish();
    let before = (rows(&SHARED, &name), desk.json(&["fleet", "status"])["accounting"].clone());
    let to = made.path().join("rotated");
    copied(&boxes, &to, &|name, bytes| {
        let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        packed.write_all(&bytes).unwrap();
        (format!("{name}.2.gz"), packed.finish().unwrap())
    });
    let other = Desk::new("ben", &to, &SHARED.ports, &name);
    assert_eq!(other.publish()["files"], 0);
    other.json(&["fleet", "publish", "--all"]);
    assert_eq!(rows(&SHARED, &name).lines().count(), before.0.lines().count());
    let records = |accounting: &serde_json::Value| accounting["records"].clone();
    assert_eq!(records(&desk.json(&["fleet", "status"])["accounting"]), records(&before.1));
}

#[test]
fn pull_publishes_when_asked_to_and_its_failure_is_a_warning() {
    let made = Home::new();
    let (boxes, name) = (generated(&made, 100, 7), database());
    let desk = Desk::new("anna", &boxes, &SHARED.ports, &name);
    desk.good(&["fleet", "init"]);
    let records = |desk: &Desk| desk.json(&["fleet", "status"])["accounting"]["records"].clone();
    desk.good(&["pull"]);
    assert_eq!(records(&desk), 0);
    desk.configure(&boxes, &SHARED.ports, &name, "user = \"default\"\npublish = true");
    desk.good(&["pull"]);
    assert_eq!(records(&desk), 100);
    desk.configure(&boxes, &[1, 2], &name, "publish = true");
    let ran = desk.run(&["pull"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(
        ran.err.contains("warning: failed to publish: 2 of 2 nodes did not answer"),
        "{}",
        ran.err
    );
}
