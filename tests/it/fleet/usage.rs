//! Tokens, cost and versions: the nodes count what one machine counts.

use super::{Desk, SHARED, database, generated};
use crate::cli::Home;
use serde_json::Value;

/// A verdict with tokens, where they are given.
fn verdict(commit: u32, day: u32, model: &str, prompt: &str, tokens: Option<(u64, u64)>) -> String {
    let usage = tokens.map_or(String::new(), |(asked, answered)| {
        format!(",\"usage\":{{\"prompt_tokens\":{asked},\"completion_tokens\":{answered}}}")
    });
    format!(
        "{{\"commit\":\"{commit:07x}\",\"verdict\":\"GO\",\"timestamp\":\"2026-02-{day:02}T10:00:00Z\",\
         \"judge_model\":\"asked\",\"served_model\":\"{model}\",\"prompt_sha\":\"{prompt}\",\
         \"judge_sha\":\"j\",\"files_evaluated\":[\"a.md\"]{usage}}}\n"
    )
}

fn rows(desk: &Desk, by: &str, more: &[&str]) -> Vec<Value> {
    let args = [&["fleet", "usage", "--by", by][..], more].concat();
    desk.json(&args)["rows"].as_array().unwrap().clone()
}

#[test]
fn nodes_count_tokens_cost_and_versions_as_one_machine_does() {
    let made = Home::new();
    let (boxes, name) = (generated(&made, 800, 31), database());
    let log = |name: &str, text: String| {
        std::fs::create_dir_all(boxes.join(name)).unwrap();
        std::fs::write(boxes.join(name).join("own.jsonl"), text).unwrap();
    };
    let (million, some) = (Some((1_000_000, 2_000_000)), Some((10, 20)));
    let shared = verdict(1, 3, "cheap", "p1", million);
    log("cabin", shared.clone() + &verdict(2, 4, "dear'); --", "p2", some));
    // The same record on another box is that of the first box by name.
    log("barn", shared + &verdict(3, 5, "cheap", "p1", None));
    let more = "user = \"default\"\n[prices]\n\"cheap\" = { prompt = 1.0, completion = 0.25 }\n";
    let desk = Desk::new("anna", &boxes, &SHARED.ports, &name);
    desk.configure(&boxes, &SHARED.ports, &name, more);
    desk.good(&["fleet", "init"]);
    desk.publish();
    for by in ["day", "box", "model", "version"] {
        for days in ["36500", "3"] {
            let here = rows(&desk, by, &["--days", days]);
            assert_eq!(here, rows(&desk, by, &["--days", days, "--fleet"]), "{by} {days}");
            assert!(here.len() > 1, "{by} {days}");
        }
    }
    let of = |by: &str, key: &str, value: &str| -> Value {
        let all = rows(&desk, by, &["--days", "36500", "--fleet"]);
        all.into_iter().find(|row| row[key] == value).unwrap()
    };
    let barn = of("box", "box", "barn");
    assert_eq!((&barn["verdicts"], &barn["counted"]), (&2.into(), &1.into()), "{barn}");
    assert_eq!(of("box", "box", "cabin")["verdicts"], 1, "the shared one is barn's");
    let cheap = of("model", "model", "cheap");
    assert_eq!((&cheap["priced"], &cheap["cost"]), (&1.into(), &1.5.into()), "{cheap}");
    let dear = of("model", "model", "dear'); --");
    assert_eq!((&dear["prompt_tokens"], &dear["cost"]), (&10.into(), &Value::Null), "{dear}");
    let version = of("version", "prompt_sha", "p1");
    assert_eq!(
        (&version["first"], &version["current"]),
        (&"2026-02-03T10:00:00Z".into(), &true.into())
    );
    let text = desk.good(&["fleet", "usage", "--by", "version", "--days", "36500"]);
    assert!(
        text.contains("barn, asked, answered by cheap, prompt p1, judge j, current\n"),
        "{text}"
    );
}
