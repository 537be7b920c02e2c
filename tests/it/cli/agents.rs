//! `calibration agents` over logs whose figures are counted by hand.

use super::Home;
use super::units::{log, push};
use serde_json::{Value, json};

#[test]
fn next_version_of_a_flagged_file_is_that_of_its_agent() {
    let home = Home::new();
    let by = |second: u64, verdict: &str, agent: &str, files: &[&str], semantic: f64| {
        let more = json!({
            "commit": format!("c{second}"), "content_sha": format!("{second:064x}"), "author": agent,
            "files_evaluated": files, "scores": {"semantic": semantic, "pragmatic": 4, "syntactic": 4},
        });
        push(second, verdict, more)
    };
    let ahead = json!({"commit": "c9", "author": "a", "timestamp": "2199-01-01T00:00:00Z"});
    let records = [
        by(1, "NO-GO", "a", &["x.md", "y.md"], 2.0),
        by(2, "GO", "b", &["x.md"], 4.0),
        by(3, "NO-GO", "a", &["y.md"], 1.0),
        // A verdict on the same content again is none of its own.
        push(4, "GO", json!({"commit": "c3", "content_sha": format!("{:064x}", 3), "author": "a"})),
        by(5, "GO", "a", &["x.md"], 5.0),
        by(6, "GO", "a", &["y.md"], 3.0),
        push(7, "NO-GO", ahead),
    ];
    home.write("logs/a.jsonl", log(&records));
    let asked = ["calibration", "agents", "--days", "36500", "--json", "--from", "logs"];
    let got: Value = serde_json::from_str(&home.good(&asked)).unwrap();
    let of =
        |rate: &Value| (rate["numerator"].as_u64().unwrap(), rate["denominator"].as_u64().unwrap());
    let agent = &got["agents"][0];
    assert_eq!((agent["name"].as_str(), of(&agent["no_go"])), (Some("a"), (2, 4)));
    assert_eq!(of(&agent["marked_down"]["semantic"]), (2, 4));
    // x.md and y.md come next as y.md, which is flagged again, and that is good at last.
    assert_eq!(of(&agent["next"]["go_after_no_go"]), (1, 2));
    assert_eq!(of(&agent["next"]["go_after_go"]), (0, 0));
    assert_eq!(got["agents"][1]["name"], "b");
}
