//! What is answered where what was planted is known.

use super::*;

/// So few records that a test can label them: the rates of a good judge, and of what it judges.
pub(super) const GOOD: Plan =
    Plan { poor: 84, missed: 0, acceptable: 356, blocked: 3, latency: true };

/// The errors that were planted, and what they are counted among.
fn assert_planted(report: &Value, plan: Plan) {
    let counted = |id, errors: u32, of: u32| {
        assert_eq!(counts(report, id), (u64::from(errors), u64::from(of)), "{id}");
    };
    counted("false_negative_rate", plan.missed, plan.poor);
    counted("false_positive_rate", plan.blocked, plan.acceptable);
}

#[test]
fn thin_draw_of_two_reviewers_is_ready_the_same_evening() {
    // Enough NO-GOs that three of ten are drawn. Of 108 poor ones among them 69 are enough, whatever the day
    // on which this runs makes of the draw.
    let site =
        Site::new(Plan { poor: 360, missed: 0, acceptable: 1080, blocked: 5, latency: true });
    let said = site.good("anna", &["gate", "window"]);
    assert!(said.contains("The thin draw"), "{said}");
    let asked =
        step(&site.report("anna").0, "label").expect("labels are asked for")["labels"].clone();
    let given = site.type_first_words("anna");
    assert_eq!(asked, given, "each that was drawn, once");
    assert!((300..=600).contains(&given), "three of ten of 1,440: {given}");
    site.sit("bert", usize::MAX);
    let (report, code, said) = site.report("anna");
    assert_eq!((&report["result"], code), (&Value::from("ready"), 0), "{said}");
    assert_eq!(report["window"]["closed_days"], site::DAYS);
}

#[test]
fn same_labels_from_a_file_are_not_blind() {
    let site = Site::new(GOOD);
    site.good("anna", &["gate", "window", "--draw", "all"]);
    let label = |record: &site::Planted| {
        let word = if record.is_poor { "poor" } else { "acceptable" };
        format!("{{\"commit\":\"{}\",\"label\":\"{word}\",\"blind\":true}}\n", record.commit)
    };
    site.home.write("labels.jsonl", site.records.iter().map(label).collect::<String>());
    site.good("anna", &["label", "--import", "labels.jsonl"]);
    let (report, code, said) = site.report("anna");
    assert_eq!((&report["result"], code), (&Value::from("not_enough_evidence"), 2), "{said}");
    assert!(blocks(&report).contains(&"blind_share"), "{:?}", blocks(&report));
    assert_planted(&report, GOOD);
}

#[test]
fn labels_of_a_morning_triage_alone_estimate_no_misses() {
    let site = Site::new(GOOD);
    site.good("anna", &["gate", "window", "--draw", "all"]);
    assert!(site.triage("anna").labels > 0);
    let (report, code, said) = site.report("anna");
    assert_eq!((&report["result"], code), (&Value::from("not_enough_evidence"), 2), "{said}");
    let misses = kpi(&report, "false_negative_rate");
    assert_eq!(
        (&misses["result"], &misses["estimate"]),
        (&Value::from("not_estimable"), &Value::Null)
    );
}

#[test]
fn judge_of_a_published_benchmark_is_not_ready_with_its_rates() {
    // An LLM judge on LLMBar, as its public labels have it: FNR .4033, FPR .1175.
    let plan = Plan { poor: 57, missed: 23, acceptable: 136, blocked: 16, latency: true };
    let site = Site::new(plan);
    site.good("anna", &["gate", "window"]);
    assert_eq!(site.type_first_words("anna"), site.records.len());
    site.sit("bert", usize::MAX);
    let (report, code, said) = site.report("anna");
    assert_eq!((&report["result"], code), (&Value::from("not_ready"), 1), "{said}");
    assert!(said.contains("Not met: false negative rate"), "{said}");
    assert_planted(&report, plan);
    let rate = |id| kpi(&report, id)["estimate"].as_f64().unwrap();
    let (misses, blocked) = (rate("false_negative_rate"), rate("false_positive_rate"));
    assert!(
        (misses - 0.4033).abs() < 0.001 && (blocked - 0.1175).abs() < 0.001,
        "{misses} {blocked}"
    );
}

#[test]
fn content_is_read_in_the_clone_where_the_program_is_started() {
    let plan = Plan { poor: 1, missed: 0, acceptable: 40, blocked: 0, latency: true };
    let site = Site::new(plan);
    let config = site.home.path().join("anna.toml");
    let text = std::fs::read_to_string(&config).unwrap();
    std::fs::write(&config, text.split("[[repository]]").next().unwrap()).unwrap();
    let shown = |below: &str| {
        let mut command = site.home.command(&["--plain", "--config", config.to_str().unwrap()]);
        command.current_dir(site.home.path().join(below));
        site.typed(command, "c\ncontent\n")
    };
    let elsewhere = shown("logs");
    assert!(elsewhere.contains("No repository is configured for the box"), "{elsewhere}");
    assert!(!elsewhere.contains("It is poor."), "{elsewhere}");
    let here = shown("clone");
    assert!(here.contains("It is poor."), "{here}");
    // Below its top too.
    std::fs::create_dir(site.home.path().join("clone/below")).unwrap();
    let below = shown("clone/below");
    assert!(below.contains("It is poor."), "{below}");
}
