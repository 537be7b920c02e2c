//! What never leaves.

use super::wire::Wire;
use super::{Desk, SHARED, database, generated};
use crate::cli::Home;

/// Every way in which a text could stand in what is sent.
fn spellings(text: &[u8]) -> Vec<Vec<u8>> {
    let hex: String = text.iter().map(|b| format!("{b:02x}")).collect();
    vec![text.to_vec(), hex.to_uppercase().into_bytes(), hex.into_bytes()]
}

fn assert_absent(sent: &[u8], text: &[u8]) {
    for spelled in spellings(text) {
        let found = sent.windows(spelled.len()).position(|window| window == spelled);
        assert_eq!(found, None, "{} was sent", String::from_utf8_lossy(&spelled));
    }
}

#[test]
fn secrets_are_masked_in_all_that_is_sent() {
    let (made, name) = (Home::new(), database());
    let dir = made.path().join("boxes/attic");
    std::fs::create_dir_all(&dir).unwrap();
    let token = format!("ghp_{}", "a1B2".repeat(9));
    let escaped = token.replacen("ghp_", "\\u0067hp_", 1);
    let (password, file) = ("correcthorse9battery", format!("AKIA{}", "Q7".repeat(8)));
    let mut log = String::new();
    for text in [&token, &escaped] {
        log += &format!(
            "{{\"commit\":\"{:07x}\",\"verdict\":\"NO-GO\",\"timestamp\":\"2026-02-10T10:00:00Z\",\
             \"author\":\"x {text}\",\"findings\":\"see {text}!\",\"password\":\"{password}\",\
             \"files_evaluated\":[\"{file}\"],\"extra\":{{\"a\":[\"{text}\"]}}}}\n",
            log.len()
        );
    }
    // A piece that is no record is sent with its reason, which may quote it.
    log += &format!("{{\"verdict\":\"GO\",\"{token}\":1,\"{token}\":2}}\n");
    std::fs::write(dir.join("a.jsonl"), log).unwrap();
    let boxes = made.path().join("boxes");
    let wires = SHARED.ports.map(Wire::to);
    let desk = Desk::new("anna", &boxes, &wires.each_ref().map(|wire| wire.port), &name);
    desk.good(&["fleet", "init"]);
    let records = desk.good(&["records", "--json"]);
    let id =
        serde_json::from_str::<serde_json::Value>(records.lines().next().unwrap()).unwrap()["id"]
            .clone();
    let note = format!("it leaked {token}");
    desk.good(&["label", id.as_str().unwrap(), "poor", "--note", &note]);
    desk.good(&["override", id.as_str().unwrap(), "accept", "--reason", &note]);
    let done = desk.publish();
    assert_eq!(
        (&done["occurrences"], &done["rejects"], &done["entries"]),
        (&2.into(), &1.into(), &2.into())
    );
    let sent: Vec<u8> = wires.iter().flat_map(Wire::sent).collect();
    assert!(sent.len() > 3000);
    for secret in [token.as_str(), &escaped, &token[4..], password, &file] {
        assert_absent(&sent, secret.as_bytes());
    }
    // What is not secret is there.
    assert_eq!(
        SHARED.ask(&format!(
            "SELECT count() FROM {name}.occurrences WHERE record LIKE '%see [masked%'"
        )),
        "2"
    );
    assert_eq!(
        SHARED.ask(&format!(
            "SELECT count() FROM {name}.entries WHERE body LIKE '%it leaked [masked%'"
        )),
        "2"
    );
}

#[test]
fn seeds_and_keys_are_never_sent() {
    let made = Home::new();
    let (boxes, name) = (generated(&made, 60, 2), database());
    let wires = SHARED.ports.map(Wire::to);
    let desk = Desk::new("anna", &boxes, &wires.each_ref().map(|wire| wire.port), &name);
    desk.good(&["fleet", "init"]);
    desk.good(&["gate", "window", "2026-11-01"]);
    for args in [&["gate", "audit", "0.5"][..], &["gate", "audit", "1", "--stratum", "weak"]] {
        desk.good(args);
    }
    let ledger = desk.home.path().join("data/ledger/anna@desk.jsonl");
    let ledger = std::fs::read_to_string(ledger).unwrap();
    let entries: Vec<serde_json::Value> =
        ledger.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let seeds: Vec<&str> =
        entries.iter().filter_map(|entry| entry["body"]["seed"].as_str()).collect();
    assert!(!seeds.is_empty(), "{ledger}");
    desk.publish();
    let sent: Vec<u8> = wires.iter().flat_map(Wire::sent).collect();
    for seed in seeds {
        assert_eq!(seed.len(), 64);
        let bytes: Vec<u8> =
            (0..32).map(|i| u8::from_str_radix(&seed[2 * i..2 * i + 2], 16).unwrap()).collect();
        assert_absent(&sent, seed.as_bytes());
        assert_absent(&sent, &bytes);
    }
    assert!(!sent.windows(6).any(|window| window == b"\"seed\""));
    // The rest of a plan is.
    let rates = "SELECT visitParamExtractFloat(body, 'rate') FROM";
    let rates =
        SHARED.ask(&format!("{rates} {name}.entries WHERE kind = 'audit_rate' ORDER BY time"));
    assert_eq!(rates, "0.5\n1");
    assert_eq!(desk.json(&["fleet", "status"])["entries"], entries.len());
    assert_eq!(desk.publish()["entries"], 0);
}
