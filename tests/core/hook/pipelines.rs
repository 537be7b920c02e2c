//! The shell pipelines that people have for logs of the older judge.

use super::model::Model;
use super::stage::{AGENT, Stage, errors};
use crate::http::reply;
use std::fs;

/// What a pipeline prints over the log.
fn pipeline(stage: &Stage, text: &str) -> String {
    let mut command = stage.command("sh", &stage.log_dir());
    let output = command.args(["-c", &format!("cat *.jsonl | {text}")]).output().unwrap();
    assert!(output.status.success(), "jq is needed: {}", errors(&output));
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}

#[test]
fn documented_pipelines_compute_correct_numbers() {
    let model = Model::start();
    let mut stage = Stage::new();
    model.serve(&mut stage, "");
    stage.install();
    let push = |stage: &Stage, n: u32, text: &str| {
        stage.commit(AGENT, &[("research/a.md", &format!("{text} {n}\n"))]);
        assert!(stage.git(&["push", "-q", "origin", "main"]).status.success());
    };
    for (n, text) in ["good", "good", "POOR", "DOUBT"].into_iter().enumerate() {
        push(&stage, n as u32, text);
    }
    stage.set("GIT_JUDGE_SKIP", "1");
    push(&stage, 10, "skipped");
    stage.set("GIT_JUDGE_SKIP", "0");
    for (n, status) in [401, 429, 500].into_iter().enumerate() {
        let failing = Model::always(reply(status, &[], "{\"error\":{\"message\":\"a\\nb\"}}"));
        failing.serve(&mut stage, "budget_s = 5");
        push(&stage, 20 + n as u32, "outage");
    }
    let gone = Model::start();
    gone.serve(&mut stage, "budget_s = 5");
    drop(gone);
    push(&stage, 30, "refused");
    // A prompt that cannot be used is a finding of one line too.
    fs::write(stage.path("prompt.md"), "{{rubrik}}\n{{nothing}}\n").unwrap();
    let prompt = stage.path("prompt.md");
    stage.configure(&format!("[judge]\nprompt = \"{}\"\n", prompt.display()));
    push(&stage, 40, "no prompt");

    let judged = "jq -c 'select(.error | IN(\"bypassed\", \"history\") | not)'";
    let distribution = "jq -r .verdict | sort | uniq -c | tr -s ' ' | tr '\\n' ';'";
    assert_eq!(pipeline(&stage, distribution), "2 GO; 1 NO-GO; 7 UNDETERMINED;");
    let filtered = pipeline(&stage, &format!("{judged} | {distribution}"));
    assert_eq!(filtered, "2 GO; 1 NO-GO; 6 UNDETERMINED;");
    let no_go = pipeline(&stage, "jq -c 'select(.verdict == \"NO-GO\")' | wc -l");
    assert_eq!(no_go, "1");
    let findings = "jq -r 'select(.verdict == \"UNDETERMINED\") | .findings' | wc -l";
    assert_eq!(pipeline(&stage, findings), "7", "each has one line");
    let outages =
        "jq -r 'select(.findings | test(\"timeout|unavailable\"; \"i\")) | .timestamp' | wc -l";
    assert_eq!(pipeline(&stage, outages), "4");
    assert_eq!(pipeline(&stage, "wc -l"), "10");
    assert_eq!(pipeline(&stage, &format!("{judged} | wc -l")), "9");
    let seconds = pipeline(&stage, "jq '.timestamp | fromdateiso8601' | sort -u | wc -l");
    assert_ne!(seconds, "0", "times are read by jq");
}
