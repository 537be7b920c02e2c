//! What is planted in the records: rates, events, truth, people's decisions, commits.

use super::reader::{Found, find};
use super::{NOW, agrees, logs, logs_only};
use foureyes::coverage::{Judged, rows};
use foureyes::domain::{Cause, Timestamp};
use foureyes::engine::prompt::{JudgedFile, Material};
use foureyes::generate::{Families, Spec, Summary, demo_spec};
use foureyes::git::{Repository, Selection};
use serde_json::Value;
use std::collections::{BTreeMap, HashSet};
use std::path::Path;

#[test]
fn demo_pushes_are_commits_and_silent_ones_show_in_coverage() {
    let (dir, summary, found) = agrees(&demo_spec());
    coverage_of(dir.path(), &summary, &found);
}

#[test]
fn record_hash_equals_rejudged_content_hash() {
    let (dir, _, found) = agrees(&Spec { dirt: 0.0, ..Spec::new(120, 6, 2, NOW) });
    let git = |what: &str| {
        let repository = dir.path().join("repository");
        let mut command = std::process::Command::new("git");
        command.args(["show", what]).current_dir(repository);
        command.output().unwrap().stdout
    };
    let mut same = 0;
    let records = found.records.iter().filter(|r| r["mode"] != "override");
    for record in records.filter(|r| r["content_sha"].is_string()) {
        let commit = record["commit"].as_str().unwrap();
        let files = [&record["files_evaluated"], &record["files"]];
        let paths = files.into_iter().find_map(Value::as_array).unwrap().iter();
        let file = |path: &Value| {
            let path = path.as_str().unwrap();
            let bytes = git(&format!("{commit}:{path}"));
            JudgedFile { path: path.as_bytes().to_vec(), bytes }
        };
        let files: Vec<_> = paths.map(file).collect();
        assert!(files.iter().all(|file| !file.bytes.is_empty()), "{record}");
        assert_eq!(record["content_sha"], Material::new(&files).sha(), "{record}");
        same += 1;
    }
    assert!(same > 20, "{same}");
}

/// The commits in git, held against the records.
fn coverage_of(root: &Path, summary: &Summary, found: &Found) {
    let agents: Vec<String> =
        ["OpenClaw Agent", "Heron Agent", "Lantern Agent"].map(ToOwned::to_owned).into();
    let watch: Vec<String> =
        ["research/", "knowledge/", "nimbalyst-local/plans/"].map(ToOwned::to_owned).into();
    let repository = Repository::open(&root.join("repository")).unwrap();
    let files = vec!["*.md".to_owned()];
    let selection = Selection { agents: Some(agents), authors: false, watch, files };
    let commits = repository.history(&[], &selection, None).unwrap().commits;
    assert_eq!(commits.len() as u64, summary.agent_commits);
    let pushes: Vec<&Value> = found
        .records
        .iter()
        .filter(|r| r["commit"].is_string() && r["mode"] != "override" && r["task_id"].is_null())
        .collect();
    for push in &pushes {
        let id = push["commit"].as_str().unwrap();
        let commit = commits.iter().find(|c| c.id.as_str().starts_with(id)).expect(id);
        let files: Vec<_> = commit.files.iter().map(|f| f.to_str().unwrap()).collect();
        let mut named: Vec<_> =
            push["files_evaluated"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
        named.sort_unstable();
        named.dedup();
        let clean = push["author"].as_str().is_none_or(|a| a.ends_with("Agent"));
        assert!(!clean || files == named, "{push} {files:?}");
        if let Some(time) = push["timestamp"].as_str() {
            let later = Timestamp::parse(time).unwrap().seconds_since(commit.time);
            assert!(later > 0, "a commit is older than its evaluation");
        }
    }
    let judged = pushes.iter().map(|push| Judged {
        box_name: "attic",
        commit: push["commit"].as_str().unwrap(),
        cause: (push["error"] == "bypassed").then_some(Cause::Bypassed),
    });
    let rows = rows(&commits, judged, &[], &["attic".to_owned(), "cellar".to_owned()]);
    let missing: u64 = rows.iter().map(|r| r.commits - r.judged - r.bypassed).sum();
    assert_eq!(missing, summary.unjudged_commits);
    let silent: Vec<_> = rows.iter().filter(|r| r.box_name == "attic+cellar").collect();
    assert!(!silent.is_empty() && silent.iter().all(|r| r.commits > 0 && r.judged == 0));
    assert_eq!(rows.iter().map(|r| r.bypassed).sum::<u64>(), summary.bypassed);
}

/// Whether a count is within five standard deviations of a binomial one.
fn near(count: u64, of: u64, rate: f64) {
    let (n, k) = (of as f64, count as f64);
    let deviation = (n * rate * (1.0 - rate)).sqrt();
    assert!((k - n * rate).abs() < 5.0 * deviation, "{count} of {of}, expected {rate}");
}

#[test]
fn planted_rates_match_records() {
    let clean = Spec { dirt: 0.0, families: Families::Push, days: 21, ..logs_only(20_000, 3) };
    let (_dir, summary, found) = agrees(&clean);
    let truth = summary.truth;
    let (poor, fine): (u64, u64) = (truth.poor.iter().sum(), truth.acceptable.iter().sum());
    assert_eq!(poor + fine + summary.bypassed + summary.repeats, 20_000);
    near(summary.repeats, 10_000, 0.3 * 0.245);
    near(poor, poor + fine, 0.15);
    near(truth.poor[0], truth.poor[0] + truth.poor[1], 0.04);
    near(truth.acceptable[1], truth.acceptable[0] + truth.acceptable[1], 0.06);
    let share = |n: u64| n as f64 / (20_000 - summary.bypassed) as f64;
    assert!((0.72..0.85).contains(&share(summary.go)), "{}", share(summary.go));
    let undetermined = share(summary.undetermined - summary.bypassed);
    assert!((0.05..0.08).contains(&undetermined), "{undetermined}");
    let mut latencies: Vec<u64> =
        found.records.iter().filter_map(|r| r["latency_ms"].as_u64()).collect();
    latencies.sort_unstable();
    let median = latencies[latencies.len() / 2];
    assert!((5_700..6_300).contains(&median), "{median}");
    let modern = found.records.iter().filter(|r| r["schema"] == "foureyes/push/1").count();
    assert!((10_000..13_500).contains(&modern) && modern > latencies.len());
}

#[test]
fn model_change_renamed_route_and_bad_night_are_in_log() {
    let spec = Spec { dirt: 0.0, families: Families::Push, days: 21, ..logs_only(8_000, 4) };
    let (_dir, _, found) = agrees(&spec);
    let mut served: BTreeMap<&str, HashSet<&str>> = BTreeMap::new();
    let mut routes = HashSet::new();
    let mut hours: BTreeMap<&str, (u32, u32)> = BTreeMap::new();
    for record in &found.records {
        let time = record["timestamp"].as_str().unwrap();
        routes.insert(record["judge_model"].as_str().unwrap());
        if let Some(model) = record["served_model"].as_str() {
            served.entry(&time[..10]).or_default().insert(model);
        }
        let hour = hours.entry(&time[..13]).or_default();
        hour.0 += 1;
        hour.1 += u32::from(record["verdict"] == "UNDETERMINED");
    }
    assert_eq!(routes.len(), 2);
    assert!(served.values().all(|models| models.len() == 1), "a day has one model");
    let models: Vec<_> = served.values().flatten().collect();
    let changes = models.windows(2).filter(|w| w[0] != w[1]).count();
    assert_eq!(changes, 1);
    let bad: Vec<_> =
        hours.iter().filter(|(_, (n, bad))| *n >= 10 && bad * 2 > *n).map(|(h, _)| *h).collect();
    assert!((5..=7).contains(&bad.len()), "{bad:?}");
}

#[test]
fn every_truth_line_answers_a_record() {
    let (dir, summary, found) = agrees(&Spec { dirt: 0.0, ..logs_only(500, 6) });
    let text = std::fs::read_to_string(dir.path().join("truth.jsonl")).unwrap();
    let truth: Vec<Value> = text.lines().map(|l| serde_json::from_str(l).unwrap()).collect();
    assert_eq!(truth.len() as u64, summary.accounting.records - summary.families[3]);
    let key = |v: &Value| {
        let subject = if v["commit"].is_string() { &v["commit"] } else { &v["task_id"] };
        (subject.to_string(), v["timestamp"].to_string(), v["verdict"].to_string())
    };
    let records: HashSet<_> = found.records.iter().map(key).collect();
    assert!(truth.iter().all(|t| records.contains(&key(t))));
    let lines = |verdict: &str, truth_is: &str| {
        let push = truth.iter().filter(|t| t["family"] == "push" && t["verdict"] == verdict);
        push.filter(|t| t["truth"] == truth_is).count() as u64
    };
    for (i, verdict) in ["GO", "NO-GO"].into_iter().enumerate() {
        let first = summary.truth.poor[i] + summary.truth.acceptable[i];
        let all = lines(verdict, "poor") + lines(verdict, "acceptable");
        assert!((first..=first + summary.repeats).contains(&all), "{verdict}: {first} {all}");
    }
}

#[test]
fn scores_and_verdicts_follow_rubric_and_rounds() {
    let (_dir, _, found) = agrees(&Spec { dirt: 0.0, ..logs_only(4_000, 7) });
    let mut later_rounds = 0;
    for record in found.records.iter().filter(|r| r["mode"] != "override") {
        let scores: Vec<u64> = ["semantic", "pragmatic", "syntactic"]
            .iter()
            .filter_map(|d| record["scores"][d].as_u64())
            .collect();
        let (least, sum) = (scores.iter().min().copied().unwrap_or(0), scores.iter().sum::<u64>());
        let fits = match record["verdict"].as_str().unwrap() {
            "GO" => least >= 3,
            "NO-GO" => least < 3 && scores.len() == 3,
            "accept" => least >= 3 && sum * 2 >= 21,
            "improve" => least >= 2 && (least < 3 || sum * 2 < 21),
            "reject" => least == 1,
            _ => true,
        };
        assert!(fits, "{record}");
        if let (Some(round), Some(before)) =
            (record["round"].as_u64(), record["previous_rounds"].as_array())
        {
            assert_eq!(before.len() as u64 + 1, round, "{record}");
            later_rounds += u64::from(round > 1);
        }
    }
    assert!(later_rounds > 50);
}

#[test]
fn overrides_are_separate_and_refer_to_pushes_of_their_box() {
    let (dir, summary, _) = agrees(&Spec { dirt: 0.2, ..logs_only(1_000, 8) });
    let mut seen = 0;
    for (path, text) in logs(dir.path()) {
        let lines = text.split(|b| *b == b'\n').filter(|l| !l.is_empty());
        let records: Vec<Value> = lines.filter_map(|l| serde_json::from_slice(l).ok()).collect();
        let people = records.iter().filter(|r| r["mode"] == "override").count() as u64;
        seen += people;
        match path.parent().unwrap().file_name().unwrap().to_str().unwrap() {
            "judge-verdicts" => assert_eq!(people, 0, "they are read as verdicts by others"),
            "judge-overrides" => {
                assert_eq!(people, records.len() as u64);
                let reviewer = path.file_stem().unwrap().to_str().unwrap();
                let verdicts = path.parent().unwrap().parent().unwrap().join("judge-verdicts");
                let pushed: Vec<u8> = logs(dir.path())
                    .into_iter()
                    .filter(|(p, _)| p.starts_with(&verdicts))
                    .flat_map(|(_, text)| text)
                    .collect();
                for record in &records {
                    assert_eq!(record["reviewer"], reviewer);
                    let commit = record["commit"].as_str().unwrap();
                    assert!(find(&pushed, commit.as_bytes()).is_some(), "{record}");
                    let ids = foureyes::jsonl::read(&pushed, &Default::default()).found;
                    let answered = ids.iter().find(|f| record["record"] == f.record.id.to_string());
                    assert_eq!(answered.unwrap().record.commit.as_deref(), Some(commit));
                    assert!(record["average"] == 0 && record["human_override"] == true);
                }
            }
            _ => assert!(people > 0),
        }
    }
    assert_eq!(seen, summary.families[3]);
}
