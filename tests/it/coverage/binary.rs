//! Coverage as the program says it: a real repository, two boxes' logs, every number.

use super::repo::{AGENT, DAY, NOON, Repo};
use crate::cli::Home;
use foureyes::domain::{CoverageRow, Timestamp, Triage};

fn record(commit: &str, verdict: &str, more: &str) -> String {
    // The time of a record does not matter: one of them has none.
    format!("{{\"commit\":\"{commit}\",\"judge_model\":\"m\",\"verdict\":\"{verdict}\"{more}}}\n")
}

/// A home whose configuration names the repository and two boxes that push to it.
pub(super) fn configured(repo: &Repo, days: i64) -> Home {
    let home = Home::new();
    for name in ["attic", "cellar"] {
        std::fs::create_dir(home.path().join("logs").join(name)).unwrap();
    }
    let dir = home.path().display();
    let mut config = format!("days = {days}\n");
    for name in ["attic", "cellar"] {
        config +=
            &format!("[[box]]\nname = \"{name}\"\nlocal = true\nlogs = [\"{dir}/logs/{name}\"]\n");
    }
    config += &format!("[[repository]]\npath = \"{}\"\n", repo.path().display());
    home.write("foureyes.toml", config);
    home
}

fn row(name: &str, day: i64, numbers: [u64; 3], missing: &[&String]) -> CoverageRow {
    let [commits, judged, bypassed] = numbers;
    CoverageRow {
        box_name: name.to_owned(),
        day: Timestamp((NOON + day * DAY) * 1_000_000).day_text(),
        commits,
        judged,
        bypassed,
        history: 0,
        scripted: 0,
        empty: 0,
        missing: missing.iter().map(|m| (*m).clone()).collect(),
    }
}

fn json(kpis: &[foureyes::domain::Kpi]) -> String {
    serde_json::to_string(kpis).unwrap()
}

pub(super) const ARGS: [&str; 4] = ["--config", "foureyes.toml", "triage", "--no-pull"];

#[test]
fn every_number_of_coverage_is_that_of_git_and_the_logs() {
    let mut repo = Repo::new(&[]);
    let first: Vec<String> = (0..4).map(|i| repo.note(&format!("a{i}"))).collect();
    repo.write("research/person.md", "by hand");
    let person = repo.commit_as(AGENT, "Jo Person");
    repo.clock += DAY;
    let second: Vec<String> = (0..3).map(|i| repo.note(&format!("b{i}"))).collect();
    repo.write("code.rs", "not watched");
    repo.commit_as(AGENT, AGENT);
    let since =
        (Timestamp::parse("2026-02-15T00:00:00Z").unwrap().0 - now().0).abs() / 86_400_000_000;
    let home = configured(&repo, since + 10);
    // attic: one judged, one abbreviated, one bypassed, one that nobody must judge. cellar: one of
    // the second day, twice, and a commit of another repository. One of each day has no record.
    let attic = [
        record(&first[0], "GO", ",\"timestamp\":\"2026-02-15T10:40:00Z\""),
        record(&first[1][..9], "NO-GO", ""),
        record(&first[2], "UNDETERMINED", ",\"error\":\"bypassed\""),
        record(&person, "GO", ""),
    ];
    let cellar = [
        record(&second[0], "UNDETERMINED", ",\"error\":\"timeout\""),
        record(&second[0], "GO", ",\"served_model\":\"llama\""),
        record(&second[1], "GO", ""),
        record("0123456789abcdef0123456789abcdef01234567", "GO", ""),
    ];
    home.write("logs/attic/a.jsonl", attic.concat());
    home.write("logs/cellar/a.jsonl", cellar.concat());
    let said: Triage =
        serde_json::from_str(&home.good(&[&ARGS[..], &["--json"]].concat())).unwrap();
    let expected = [
        row("attic", 0, [3, 2, 1], &[]),
        row("attic+cellar", 0, [1, 0, 0], &[&first[3]]),
        row("attic+cellar", 1, [1, 0, 0], &[&second[2]]),
        row("cellar", 1, [2, 2, 0], &[]),
    ];
    assert_eq!(said.coverage, expected);
    let caveat = said.caveats.iter().find(|c| c.id == "coverage_gap").unwrap();
    assert!(caveat.text.contains("2 agent commits on 2 days have no verdict"), "{}", caveat.text);
    // The other two forms say the same numbers.
    let plain = home.good(&ARGS);
    for line in
        ["2026-02-15: 2 of 3 judged", "2026-02-16: GAP 0 of 1 judged", "2026-02-16: 2 of 2 judged"]
    {
        assert!(plain.contains(line), "{line}\n{plain}");
    }
    assert!(plain.contains(" judged, bypassed 1") && plain.contains(&first[3]), "{plain}");
    let markdown = home.good(&[&ARGS[..], &["--markdown", "-"]].concat());
    for part in ["2 of 3 judged", "GAP 0 of 1 judged", "2 of 2 judged", " judged, bypassed 1"] {
        assert!(markdown.contains(part), "{part}\n{markdown}");
    }
    // One that was judged as a task is judged once its run has ended.
    let run = |decision: &str| {
        format!(
            "{{\"schema\":\"foureyes/task/1\",\"task_id\":\"{0}\",\"commit\":\"{0}\",\"run\":\"r\",\
             \"round\":1,\"model\":\"m\",\"verdict\":\"accept\"{decision}}}\n",
            first[3]
        )
    };
    home.write("logs/cellar/t.jsonl", run(""));
    let triage = || -> Triage {
        serde_json::from_str(&home.good(&[&ARGS[..], &["--json"]].concat())).unwrap()
    };
    assert_eq!(triage().coverage, expected);
    home.write("logs/cellar/t.jsonl", run(",\"decision\":\"accept\""));
    let judged = triage();
    assert_eq!(judged.coverage[1], row("cellar", 0, [1, 1, 0], &[]));
    assert_eq!(json(&judged.kpis), json(&said.kpis));
    home.write("logs/cellar/t.jsonl", "");
    // A record that comes late closes the gap; one gap is told in the singular.
    home.write("logs/cellar/b.jsonl", record(&second[2], "GO", ""));
    let said: Triage =
        serde_json::from_str(&home.good(&[&ARGS[..], &["--json"]].concat())).unwrap();
    assert_eq!(said.coverage[2], row("cellar", 1, [3, 3, 0], &[]));
    let caveat = said.caveats.iter().find(|c| c.id == "coverage_gap").unwrap();
    assert!(caveat.text.contains("1 agent commit on 1 day has no verdict"), "{}", caveat.text);
}

#[test]
fn history_covered_by_one_record_is_no_gap_in_any_format() {
    let mut repo = Repo::new(&[]);
    let old: Vec<String> = (0..5).map(|i| repo.note(&format!("a{i}"))).collect();
    let home = configured(&repo, 3650);
    // As the hook writes it: the newest is judged, one line stands for the four before it.
    let line = format!(
        "{{\"judge_model\":\"m\",\"verdict\":\"UNDETERMINED\",\"error\":\"history\",\"timestamp\":\"2026-02-15T11:00:00Z\",\"history\":{{\"remote\":\"origin\",\"tip\":\"{}\",\"commits\":3}}}}\n",
        old[4]
    );
    let scripted =
        record(&old[3], "GO", ",\"caveats\":[\"scripted\"],\"timestamp\":\"2026-02-15T11:00:00Z\"");
    let judged = record(&old[4], "GO", ",\"timestamp\":\"2026-02-15T11:00:00Z\"");
    home.write("logs/attic/a.jsonl", [judged, scripted, line].concat());
    let said: Triage =
        serde_json::from_str(&home.good(&[&ARGS[..], &["--json"]].concat())).unwrap();
    let expected = CoverageRow { history: 3, scripted: 1, ..row("attic", 0, [5, 1, 0], &[]) };
    assert_eq!(said.coverage, [expected]);
    let caveat = |id: &str| said.caveats.iter().find(|c| c.id == id).map(|c| c.text.as_str());
    assert_eq!(caveat("coverage_gap"), None);
    assert!(caveat("scripted").unwrap().contains("not from a judge"));
    // Neither is an evaluation: the rates are over the one that was judged.
    let counts = said.counts;
    assert_eq!((counts.history, counts.scripted, counts.bypassed), (1, 1, 0));
    assert_eq!((said.kpis[0].numerator, said.kpis[0].denominator), (1, 1));
    assert_eq!(said.flagged_total, 0);
    let plain = home.good(&ARGS);
    assert!(plain.contains(" judged, history 3") && !plain.contains("GAP"), "{plain}");
    let markdown = home.good(&[&ARGS[..], &["--markdown", "-"]].concat());
    assert!(markdown.contains(": 1 of 5 judged, history 3"), "{markdown}");
}

#[test]
fn unreadable_repository_is_a_caveat_and_given_logs_have_no_coverage() {
    let mut repo = Repo::new(&[]);
    let commit = repo.note("a");
    let home = configured(&repo, 3650);
    home.write("logs/attic/a.jsonl", record(&commit, "GO", ""));
    let from = ["--config", "foureyes.toml", "triage", "--json", "--from", "logs"];
    let said: Triage = serde_json::from_str(&home.good(&from)).unwrap();
    assert_eq!(said.coverage, []);
    std::fs::remove_dir_all(repo.path().join(".git")).unwrap();
    let said: Triage =
        serde_json::from_str(&home.good(&[&ARGS[..], &["--json"]].concat())).unwrap();
    assert_eq!(said.coverage, []);
    let caveat = said.caveats.iter().find(|c| c.id == "unread_repository").unwrap();
    assert!(caveat.text.contains("coverage is unknown"), "{}", caveat.text);
}

fn now() -> Timestamp {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap();
    Timestamp(since.as_micros() as i64)
}

#[test]
fn commit_that_empties_files_is_no_gap_and_in_no_rate() {
    let mut repo = Repo::new(&[]);
    let old: Vec<String> = (0..3).map(|i| repo.note(&format!("a{i}"))).collect();
    let home = configured(&repo, 3650);
    let at = ",\"timestamp\":\"2026-02-15T11:00:00Z\"";
    let empty = |commit| {
        record(commit, "UNDETERMINED", &format!(",\"error\":\"empty\",\"mode\":\"blocking\"{at}"))
    };
    let lines = [record(&old[0], "GO", at), empty(&old[1]), empty(&old[2])];
    home.write("logs/attic/a.jsonl", lines.concat());
    let said: Triage =
        serde_json::from_str(&home.good(&[&ARGS[..], &["--json"]].concat())).unwrap();
    assert_eq!(said.coverage, [CoverageRow { empty: 2, ..row("attic", 0, [3, 1, 0], &[]) }]);
    let ids: Vec<_> = said.caveats.iter().map(|c| c.id.as_str()).collect();
    assert!(!ids.contains(&"coverage_gap") && !ids.contains(&"unjudged_while_blocking"), "{ids:?}");
    assert_eq!((said.counts.empty, said.counts.undetermined, said.flagged_total), (2, 2, 0));
    assert!(said.kpis.iter().all(|kpi| kpi.denominator <= 1), "{}", json(&said.kpis));
    let plain = home.good(&ARGS);
    assert!(plain.contains("scripted 0, empty 2") && !plain.contains("GAP"), "{plain}");
    let listed = home.good(&["records", "error:empty", "--from", "logs/attic"]);
    assert_eq!(listed.matches(" UNDET ").count(), 2, "{listed}");
    let rest = home.good(&["records", "error:no_judge", "--from", "logs/attic"]);
    assert_eq!(rest.matches(" UNDET ").count(), 2, "{rest}");
}
