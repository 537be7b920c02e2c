//! Records written by hand: one of every kind that a screen shows differently.

use serde_json::{Value, json};

/// A push record of a day and minute of February 2026.
pub(super) fn push(commit: &str, day: u32, minute: u32, verdict: &str) -> Value {
    json!({
        "commit": commit, "timestamp": format!("2026-02-{day:02}T09:{minute:02}:00Z"),
        "author": "OpenClaw Agent", "judge_model": "fastest",
        "files_evaluated": [format!("research/{commit}.md")],
        "scores": {"semantic": 4, "pragmatic": 3, "syntactic": 5},
        "verdict": verdict, "findings": format!("What was found in {commit}."),
        "revision_suggestions": []
    })
}

/// Records as the text of a log.
pub(super) fn lines(records: &[Value]) -> String {
    records.iter().map(|r| format!("{r}\n")).collect()
}

/// As many flagged records as wanted, the first one the oldest: `a000001`, a minute apart.
pub(super) fn flagged(count: u32) -> String {
    let one = |i| push(&format!("a{i:06}"), 19, i, "NO-GO");
    lines(&(0..count).map(one).collect::<Vec<_>>())
}

/// One of every kind, at two boxes.
pub(super) fn mixed() -> Vec<(&'static str, String)> {
    vec![
        ("north/2026-02-19.jsonl", lines(&north())),
        ("south/2026-02-18.jsonl", lines(&south())),
        ("south/verdicts.jsonl", lines(&tasks())),
    ]
}

/// Runs of tasks as our own writer logs them: one that waits for a person, and one that a person settled.
pub(super) fn runs() -> Vec<(&'static str, String)> {
    let mut all = panel("issue-7", 8);
    all.extend(panel("issue-8", 9));
    all.push(json!({
        "task_id": "issue-8", "model": "human", "mode": "override", "judge_tier": "human",
        "verdict": "accept", "scores": {"semantic": 0, "pragmatic": 0, "syntactic": 0},
        "average": 0, "round": 0, "human_override": true, "timestamp": "2026-02-19T10:30:00Z",
        "reviewer": "M. Ortega", "reason": "the source was added", "improvements": []
    }));
    vec![("north/verdicts.jsonl", lines(&all))]
}

/// A panel whose judges differ.
fn panel(task: &str, hour: u32) -> Vec<Value> {
    let tiers = [
        ("quick", "gpt-5-nano", "accept", json!([4, 4, 5])),
        ("deep", "deepseek-v4-flash-free", "reject", json!([1, 3, 4])),
        ("tiebreaker", "gpt-5.1-codex-mini", "improve", json!([3, 3, 4])),
        ("human", "human", "escalate", json!([null, null, null])),
    ];
    let line = |(n, (tier, model, verdict, s)): (usize, &(&str, &str, &str, Value))| {
        let person = *tier == "human";
        let mean = s[0].as_f64().map(|_| (0..3).filter_map(|i| s[i].as_f64()).sum::<f64>() / 3.0);
        let earlier = tiers[..n].iter().enumerate().map(|(n, (_, model, verdict, _))| {
            json!({"round": n + 1, "model": format!("opencode/{model}"), "verdict": verdict, "average": 4.0})
        });
        let mut line = json!({
            "task_id": task, "mode": if person { "escalation" } else { tier }, "judge_tier": tier,
            "model": if person { "human".to_owned() } else { format!("opencode/{model}") },
            "verdict": verdict, "average": mean.map(|mean| (mean * 100.0).round() / 100.0),
            "scores": {"semantic": s[0], "pragmatic": s[1], "syntactic": s[2]},
            "reasoning": format!("What {tier} found in the result of {task}."),
            "improvements": if *verdict == "accept" || person { json!([]) } else {
                json!([{"dimension": "semantic", "issue": "no source", "suggestion": "name one"}])
            },
            "timestamp": format!("2026-02-19T{hour:02}:0{n}:00Z"), "round": n + 1,
            "previous_rounds": earlier.collect::<Vec<_>>(), "consensus": null,
            "human_override": null, "schema": "foureyes/task/1", "run": format!("{task}-run"),
            "depth": "panel", "files": ["deliverables/rates.md"]
        });
        if person {
            line["consensus"] = json!("split");
            line["decision"] = json!("escalate");
            line["reason"] = json!("disagreement");
        }
        line
    };
    tiers.iter().enumerate().map(line).collect()
}

fn north() -> Vec<Value> {
    let mut good = push("c0ffee1000000000000000000000000000000001", 19, 1, "GO");
    good["served_model"] = json!("opencode/gpt-5-nano");
    good["latency_ms"] = json!(1840);
    let mut bad = push("dead0002", 19, 2, "NO-GO");
    bad["scores"] = json!({"semantic": 2, "pragmatic": 1, "syntactic": 4});
    bad["files_evaluated"] = json!(["research/market/long-name-of-a-file-about-rates.md", "b.md"]);
    bad["findings"] = json!(
        "The conclusion does not follow from the table: the third column sums to 93 %, and the \
         text speaks of a majority.\nThe sources of 2024 are cited as if they were of this year."
    );
    bad["revision_suggestions"] = json!(["Recompute the third column", "Name the year"]);
    bad["mode"] = json!("advisory");
    bad["inconsistent"] = json!(true);
    let mut timeout = push("feed0003", 19, 3, "UNDETERMINED");
    timeout["scores"] = json!({});
    timeout["findings"] = json!("Judge unavailable: timeout after 30 s");
    timeout["error"] = json!("timeout");
    let mut odd = push("0dd00004", 18, 4, "NO GO");
    odd["scores"] = json!({"semantic": 7, "pragmatic": 0.5, "syntactic": null});
    odd["campaign"] = json!({"name": "spring"});
    let mut undated = push("beef0005", 18, 5, "NO-GO");
    undated["timestamp"] = json!("yesterday");
    vec![good, bad, timeout, odd, undated]
}

fn south() -> Vec<Value> {
    let mut secret = push("5ec2e700", 18, 11, "NO-GO");
    secret["findings"] = json!(format!("The key ghp_{} is in the text.", "Ab1".repeat(12)));
    let again = push("dead0002", 17, 12, "NO-GO");
    let wide = push("ca11ab1e", 17, 13, "NO-GO");
    let mut wide = wide;
    wide["files_evaluated"] = json!(["研究/信号.md"]);
    wide["findings"] = json!("结论与表格不符。 👩\u{200d}🔬 says so.");
    vec![secret, again, wide]
}

fn tasks() -> Vec<Value> {
    let one = |round: u32, verdict: &str, tier: &str| {
        json!({
            "task_id": "issue-42", "model": "opencode/gpt-5-nano", "mode": tier,
            "verdict": verdict, "judge_tier": tier, "round": round,
            "scores": {"semantic": 3, "pragmatic": 2, "syntactic": 5}, "average": 3.33,
            "reasoning": "The summary leaves out the second half.",
            "improvements": [{"dimension": "pragmatic", "location": "section 2",
                "issue": "no example", "suggestion": "add one"}],
            "timestamp": format!("2026-02-19T08:0{round}:00Z"), "previous_rounds": [],
            "consensus": if round == 3 { json!("split") } else { json!(null) },
            "human_override": null
        })
    };
    let person = json!({
        "task_id": "issue-41", "model": "human", "mode": "override", "judge_tier": "human",
        "verdict": "accept", "scores": {"semantic": 0, "pragmatic": 0, "syntactic": 0},
        "average": 0, "round": 0, "human_override": true, "timestamp": "2026-02-19T08:30:00Z",
        "reviewer": "M. Ortega", "reason": "shipped with the correction", "improvements": []
    });
    vec![
        one(1, "improve", "quick"),
        one(2, "improve", "deep"),
        one(3, "escalate", "tiebreaker"),
        person,
    ]
}
