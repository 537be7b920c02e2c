//! Documents: their shapes, their numbers, and that every form says the same.

#![allow(clippy::unwrap_used)]

mod document;

pub(crate) use document::{BARE, documents, full, listing, text};

use document::{empty, full_record, plain};
use foureyes::domain::{Accounting, Record, RejectRow, Triage};
use foureyes::report::records::Listing;
use foureyes::report::{Options, json, record, rejects};
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// The schema of a document, from its own file or from one that holds those of several.
fn schema(name: &str) -> Value {
    let file = match name.split('-').next().unwrap() {
        "hook" | "box" => "hook",
        "calibration" => "calibration",
        "risk" => "risk",
        _ => name,
    };
    let path = format!("{}/assets/{file}.schema.json", env!("CARGO_MANIFEST_DIR"));
    let schema: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    match &schema["$defs"][name] {
        Value::Null => schema,
        one => one.clone(),
    }
}

/// Fails with the first thing that a schema does not allow.
pub(crate) fn conforms(name: &str, document: &str) {
    let schema = schema(name);
    jsonschema::meta::validate(&schema).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let document = serde_json::from_str(document).unwrap();
    if let Err(error) = validator.validate(&document) {
        panic!("{name}: {error} at {}", error.instance_path());
    }
}

#[test]
fn documents_conform_to_their_schemas() {
    for triage in [empty(), full()] {
        conforms("triage", &text(|out| json::write(out, &triage, &Options::default())));
    }
    let full = full();
    let sparse: Record = serde_json::from_value(json!({
        "id": "0".repeat(64), "box": "b", "timestamp": null, "family": "override", "outcome": null,
        "verdict": null, "commit": null, "task_id": null, "author": null, "model": null, "files": [],
        "scores": {"semantic": null, "pragmatic": null, "syntactic": null}, "findings": null,
        "cause": null, "origins": [],
    }))
    .unwrap();
    for row in [sparse, full.flagged[0].clone()] {
        conforms("record", &listing(&[row], Listing::JsonLines, &BARE));
    }
    conforms("reject", &text(|out| rejects::json(out, &full.rejects, &BARE).map(|_| ())));
}

#[test]
fn schemas_are_closed_and_ask_for_a_reason() {
    let validator = jsonschema::validator_for(&schema("triage")).unwrap();
    let good = serde_json::to_value(full()).unwrap();
    assert!(validator.is_valid(&good));
    for (pointer, wrong) in [
        ("/counts/lines", json!(-1)),
        ("/kpis/0/reason", json!("a number and a reason")),
        ("/kpis/4/reason", json!(null)),
        ("/kpis/0/estimate", json!(1.5)),
        ("/flagged/0/id", json!("abc")),
        ("/flagged/0/outcome", json!("GO")),
        ("/flagged/0/cause", json!("because")),
        ("/boxes/0/state", json!("fine")),
        ("/generated", json!("yesterday")),
        ("/schema", json!("foureyes/triage/2")),
    ] {
        let mut bad = good.clone();
        *bad.pointer_mut(pointer).unwrap() = wrong;
        assert!(!validator.is_valid(&bad), "{pointer}");
    }
    for parent in ["", "/counts", "/kpis/0", "/flagged/0", "/flagged/0/origins/0", "/boxes/0"] {
        let mut bad = good.clone();
        bad.pointer_mut(parent).unwrap()["unknown"] = json!(1);
        assert!(!validator.is_valid(&bad), "{parent}");
    }
}

/// Compares the names in a document that has them all with those of its schema.
fn same_names(root: &Value, schema: &Value, value: &Value, place: &str) {
    let schema = match schema.get("$ref").or_else(|| schema.pointer("/anyOf/0/$ref")) {
        Some(to) => root.pointer(to.as_str().unwrap().trim_start_matches('#')).unwrap(),
        None => schema,
    };
    match value {
        Value::Object(fields) if schema.get("properties").is_some() => {
            let known = schema["properties"].as_object().unwrap();
            let names =
                |o: &serde_json::Map<String, Value>| o.keys().cloned().collect::<BTreeSet<_>>();
            assert_eq!(names(fields), names(known), "{place}");
            fields
                .iter()
                .for_each(|(n, v)| same_names(root, &known[n], v, &format!("{place}/{n}")));
        }
        Value::Array(items) => {
            let first =
                items.first().unwrap_or_else(|| panic!("{place} is empty in the full document"));
            same_names(root, &schema["items"], first, &format!("{place}/0"));
        }
        _ => {}
    }
}

#[test]
fn schemas_name_exactly_the_fields_of_the_types() {
    let triage = schema("triage");
    let document = serde_json::to_value(full()).unwrap();
    same_names(&triage, &triage, &document, "");
    let (record, reject) = (schema("record"), schema("reject"));
    let without_schema = |of: &Value| {
        let mut names = of["properties"].clone();
        names.as_object_mut().unwrap().remove("schema");
        names
    };
    let mut in_list = without_schema(&record);
    // What people did with a record, and what stands beside its log, is no field of it.
    for beside in ["overrides", "claims", "settled", "question"] {
        assert!(in_list.as_object_mut().unwrap().remove(beside).is_some());
    }
    assert_eq!(in_list, triage["$defs"]["record"]["properties"]);
    assert_eq!(without_schema(&reject), triage["$defs"]["reject"]["properties"]);
    for name in ["instant", "scores", "improvement", "usage", "origin"] {
        assert_eq!(record["$defs"][name], triage["$defs"][name], "{name}");
    }
}

#[test]
fn json_written_row_by_row_is_the_document_itself() {
    let triage = full();
    for (form, document) in documents(&triage, &BARE) {
        if form == "json" {
            let value: Value = serde_json::from_str(&document).unwrap();
            assert_eq!(value, serde_json::to_value(&triage).unwrap());
            assert_eq!(serde_json::from_str::<Triage>(&document).unwrap(), triage);
        }
    }
}

/// Every number in a text, as written but for the commas between its thousands.
fn numbers(text: &str) -> Vec<String> {
    text.split(|c: char| !c.is_ascii_digit() && c != '.' && c != ',')
        .flat_map(grouped)
        .map(|t| t.trim_matches('.').to_owned())
        .filter(|t| !t.is_empty())
        .collect()
}

/// The numbers between which commas stand that separate no thousands.
fn grouped(text: &str) -> Vec<String> {
    let is_group = |part: &str| part.split('.').next().is_some_and(|whole| whole.len() == 3);
    let mut all: Vec<String> = Vec::new();
    for part in text.split(',') {
        match all.last_mut().filter(|last| !last.is_empty() && is_group(part)) {
            Some(last) => last.push_str(part),
            None => all.push(part.to_owned()),
        }
    }
    all
}

/// Every number of a document, with the forms in which a person is shown it.
fn known_numbers(value: &Value, known: &mut Vec<f64>) {
    match value {
        Value::Number(n) => {
            let n = n.as_f64().unwrap();
            known.push(n);
            if value.is_f64() && n <= 1.0 {
                known.push(n * 100.0);
            }
        }
        Value::Array(items) => items.iter().for_each(|v| known_numbers(v, known)),
        Value::Object(fields) => {
            // Ages: whole minutes, hours and days.
            if let Some(age) = fields.get("data_age_s").and_then(Value::as_f64) {
                known.extend([60.0, 3600.0, 86400.0].map(|unit| (age / unit).floor()));
            }
            fields.values().for_each(|v| known_numbers(v, known));
        }
        Value::String(text) => {
            known.extend(numbers(text).iter().filter_map(|n| n.parse::<f64>().ok()));
        }
        _ => {}
    }
}

#[test]
fn every_number_of_plain_and_markdown_is_one_of_json() {
    let triage = full();
    let mut known = Vec::new();
    known_numbers(&serde_json::to_value(&triage).unwrap(), &mut known);
    // Thresholds, the place in a list, boxes counted, and rows shown of a listing.
    known.extend([70.0, 90.0, 15.0, 95.0, 30.0, 10.0, 5.0, 1.0, 2.0, 3.0]);
    // Evaluations of all families.
    known.push(701.0 + 97.0 + 61.0);
    for (form, document) in &documents(&triage, &BARE)[..2] {
        let id = triage.flagged[0].id;
        let document = document.replace(&id.to_string(), "").replace(&id.short(), "");
        for shown in numbers(&document) {
            let value: f64 = shown.parse().unwrap();
            let decimals = shown.split_once('.').map_or(0, |(_, d)| d.len() as i32);
            let half = if decimals == 0 { 0.0 } else { 0.5 * 0.1_f64.powi(decimals) + 1e-9 };
            assert!(known.iter().any(|k| (k - value).abs() <= half), "{form}: {shown}");
        }
    }
}

#[test]
fn every_number_of_json_is_in_plain_and_markdown() {
    let triage = full();
    for (form, document) in &documents(&triage, &BARE)[..2] {
        let shown = numbers(document);
        let c = serde_json::to_value(triage.counts).unwrap();
        let mut needed: Vec<String> =
            c.as_object().unwrap().values().map(Value::to_string).collect();
        for kpi in &triage.kpis {
            needed.extend([kpi.numerator.to_string(), kpi.denominator.to_string()]);
            let seconds = kpi.unit == "seconds";
            for value in [kpi.estimate, kpi.lower, kpi.upper].into_iter().flatten() {
                needed.push(if seconds {
                    format!("{value:.2}")
                } else {
                    format!("{:.1}", value * 100.0)
                });
            }
        }
        needed.extend(
            ["151", "17", "127", "23", "45", "31", "307", "73019", "443", "499", "408", "7", "9"]
                .map(str::to_owned),
        );
        for number in needed {
            assert!(shown.contains(&number), "{form} lacks {number}");
        }
    }
}

#[test]
fn plain_report_has_counts_kpis_and_boxes_in_eighty_columns() {
    let shown = plain(&full(), &BARE);
    for expected in [
        "151 of 859 verdicts flagged.",
        "127 new since 2026-02-21 07:00 UTC, 23 flagged.",
        "Of 3 boxes, 1 STALE and 1 without data.",
        "  lines 1,080 + split 13 = records 907 + duplicates 53 + rejected 17 +\n    foreign 71 + incomplete 2 + joined 24 + blank 19\n",
        "records 931: GO 701, NO-GO 97, UNDETERMINED 61, overrides 4",
        "  GO rate: 82.0 %, 673 of 821\n    interval: 79.2 to 84.5 %\n    threshold: 70 to 90 %\n",
        "  false positive rate (FPR): no estimate, 0 of 0\n    threshold: below 10 %\n    reason: no labels yet\n",
        "  Intervals have 95 % confidence.\n",
        "1. ✖ NO-GO  2026-02-15T10:30:00Z  3f2ab8c91d02  push",
        "verdict as written: nogo",
        "      | Too thin.\n      |     No source.\n",
        "  far: state STALE, data 3 d ago, holds 408 records in 9 files\n    error: connection refused\n",
        "  small: state ok, data 2 h ago, holds 499 records in 7 files\n    67 lines from other programs",
        "  new: state EMPTY, no data yet, holds 0 records in 0 files",
        "  2026-02-15: GAP 31 of 45 judged, bypassed 5, history 5, scripted 1, empty 2,",
        "Rejected: 17 (1 of 17 shown)\n",
        "Logs with lines from other programs: 2 (1 of 2 shown)\n  39 lines from other programs\n    box: small\n",
        "  * The data of far are old.",
    ] {
        assert!(shown.contains(expected), "lacks {expected:?} in\n{shown}");
    }
    let widest = shown.lines().map(|l| l.chars().count()).max().unwrap();
    assert!(widest <= 80, "{widest} columns");
    let box_drawing = |c: char| ('\u{2500}'..='\u{259f}').contains(&c);
    assert!(!shown.contains(box_drawing));
}

#[test]
fn empty_night_shows_no_rates() {
    for (form, shown) in &documents(&empty(), &BARE)[..2] {
        assert!(shown.contains("0 of 0 verdicts flagged."), "{form}\n{shown}");
        assert!(shown.contains("no estimate"), "{form}");
        assert!(!shown.contains("0.0 %") && !shown.contains("NaN"), "{form}\n{shown}");
    }
}

#[test]
fn broken_accounting_equation_is_reported() {
    let mut triage = full();
    triage.counts.accounting = Accounting { lines: 1, ..Accounting::default() };
    for (form, shown) in &documents(&triage, &BARE)[..2] {
        assert!(shown.contains("does NOT balance"), "{form}");
    }
}

/// Reads a CSV document with a parser that is not ours.
pub(crate) fn read_csv(document: &str) -> Vec<Vec<String>> {
    use csv_core::{ReadRecordResult, Reader};
    let (mut reader, mut input) = (Reader::new(), document.as_bytes());
    let mut rows = Vec::new();
    loop {
        let (mut output, mut ends) = (vec![0; document.len() + 1], vec![0; 100]);
        let (result, read, _, fields) = reader.read_record(input, &mut output, &mut ends);
        input = &input[read..];
        match result {
            ReadRecordResult::Record => {
                let starts = std::iter::once(0).chain(ends.iter().copied());
                let cells = starts.zip(&ends).take(fields).map(|(s, e)| output[s..*e].to_vec());
                rows.push(cells.map(|c| String::from_utf8(c).unwrap()).collect());
            }
            ReadRecordResult::End => return rows,
            ReadRecordResult::InputEmpty => {}
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn csv_gives_every_value_back() {
    let rows = read_csv(&listing(&full().flagged, Listing::Csv, &BARE));
    assert_eq!(rows.len(), 2);
    let cell = |name: &str| {
        let at = rows[0].iter().position(|n| n == name).unwrap_or_else(|| panic!("no {name}"));
        rows[1][at].as_str()
    };
    // Each field of the record has a column, or several.
    let nested = ["scores", "usage", "origins"];
    for (name, value) in full_record().as_object().unwrap() {
        if let Value::String(text) = value {
            assert_eq!(cell(name), text.replace('\t', "    "), "{name}");
        } else if !nested.contains(&name.as_str()) {
            assert_ne!(cell(name), "", "{name}");
        }
    }
    for (name, expected) in [
        ("files", "research/a.md\nresearch/b.md"),
        ("semantic", "2"),
        ("pragmatic", "3.5"),
        ("average", "4.25"),
        ("improvements", "semantic / top / thin / cite"),
        ("latency_ms", "31007"),
        ("prompt_tokens", "1201"),
        ("inconsistent", "true"),
        ("extra", "{\"colour\":{\"deep\":[\"blue\"]}}"),
        ("origin_file", "/logs/a.jsonl"),
        ("origin_place", "line 211 byte 41011 length 523"),
    ] {
        assert_eq!(cell(name), expected);
    }
}

#[test]
fn listings_have_a_line_a_record() {
    let rows = vec![full().flagged[0].clone(); 3];
    let shown = listing(&rows, Listing::Plain, &BARE);
    let expected = "2026-02-15T10:30 ✖ NO-GO 3f2ab8c9 2 3.5 7 small    abcdef   research/a.md +1";
    assert_eq!(shown.lines().next(), Some(expected), "{shown}");
    let wide = listing(&rows, Listing::Plain, &Options { width: 120, ..*BARE });
    let expected = "2026-02-15T10:30:00Z ✖ NO-GO    3f2ab8c91d02 2 3.5 7 small        abcdef       \
                    research/a.md +1";
    assert_eq!(wide.lines().next(), Some(expected), "{wide}");
    assert_eq!(shown.lines().count(), 3);
    assert_eq!(listing(&rows, Listing::JsonLines, &BARE).lines().count(), 3);
    let table = listing(&rows, Listing::Markdown, &BARE);
    assert_eq!(table.lines().filter(|l| l.starts_with("| ✖ NO-GO |")).count(), 3);
    assert!(table.contains("Records: 3."));
}

#[test]
fn one_record_is_shown_with_its_raw_bytes_and_origin() {
    let raw = b"{\"verdict\":\"nogo\",\"x\":\"\x1b[2J\x9b\"}";
    let row = &full().flagged[0];
    let shown = text(|out| record::write(out, row, None, Some(raw), &BARE));
    for expected in [
        "✖ NO-GO  3f2ab8c91d0244556677889900aabbccddeeff00112233445566778899aabbcc  push\n",
        "latency: 31,007 ms\n",
        "tokens: 1,201 prompt, 87 answer\n",
        "other field: colour = {\"deep\":[\"blue\"]}\n",
        "origin: line 211, byte 41011, length 523\n",
        "       | {\"verdict\":\"nogo\",\"x\":\"␛[2J⟨0x9B⟩\"}\n",
        "suggestion: cite\n",
    ] {
        assert!(shown.contains(expected), "lacks {expected:?} in\n{shown}");
    }
}

#[test]
fn rejects_are_listed_with_place_and_reason() {
    let rows: Vec<RejectRow> = full().rejects;
    let shown = text(|out| rejects::plain(out, &rows, &BARE).map(|_| ()));
    assert_eq!(
        shown,
        "  line 307, byte 73019, length 443\n    reason: no JSON\n    box: small\n    file: /logs/a.jsonl\n"
    );
}
