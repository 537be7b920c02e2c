//! `calibration`: what screen 4 shows, as a command.

use super::*;
use crate::pty::Start;
use foureyes::assess::{self, Ask, Breakdown, Evaluations};
use foureyes::calibration::Candidate;
use foureyes::config::Config;
use foureyes::domain::JudgementKind;
use foureyes::files::paths::DataDir;
use foureyes::jsonl::Settings;
use foureyes::store::cache::Archive;
use foureyes::store::ledger::Ledger;
use foureyes::text::separated;

const BREAKDOWNS: [Breakdown; 5] =
    [Breakdown::Judge, Breakdown::Agent, Breakdown::Path, Breakdown::Box, Breakdown::Week];

/// The document of a command, which holds to its schema.
fn document(world: &World, name: &str, args: &[&str]) -> Value {
    let out = world.good(&[&["calibration"], args, &["--json"]].concat());
    crate::report::conforms(name, &out);
    serde_json::from_str(&out).unwrap()
}

/// A text in one line, without the bars before what goes on in the next one.
fn flat(text: &str) -> String {
    text.split_whitespace().filter(|word| *word != "|").collect::<Vec<_>>().join(" ")
}

/// A rate as a table has it: `19.5 % (16.8 to 22.3 %)`.
fn share_of(rate: &Value) -> String {
    let percent = |key: &str| format!("{:.1}", rate[key].as_f64().unwrap() * 100.0);
    let [estimate, lower, upper] = ["estimate", "lower", "upper"].map(percent);
    let of = rate["labels"].as_u64().map(|labels| format!(" of {}", separated(labels)));
    format!("{estimate} %{}, {lower} to {upper} %", of.unwrap_or_default())
}

/// The contents of a part, and the share that was flagged.
fn flagged(part: &Value, comma: &str) -> String {
    let count = |at: usize| part["contents"][at].as_u64().unwrap();
    let (name, contents) = (part["name"].as_str().unwrap(), separated(count(0) + count(1)));
    let share = share_of(&part["flag_rate"]);
    format!("{name}: contents {contents}{comma} NO-GO {share}")
}

/// Logs and ledgers of a world as the console opens them.
fn opened(world: &World) -> (Archive, Evaluations, Ledger, Timestamp) {
    let data = DataDir::at(world.home.path().join("data"));
    // Labels that were given a moment ago count.
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_micros();
    let now = Timestamp(now as i64);
    let logs = [world.home.path().join("made/boxes")];
    let collected = foureyes::collect::given(&data, &logs, now, &mut std::io::empty()).unwrap();
    let archive = collected.open(&Settings::default(), &|_| {}).unwrap();
    let all = Evaluations::load(&archive, JudgementKind::Push, &|| false).unwrap().unwrap();
    (archive, all, Ledger::load(&data).unwrap(), now)
}

fn json<T: serde::Serialize>(value: &T) -> Value {
    // As a reader of the document sees it: numbers as they are written.
    serde_json::from_str(&serde_json::to_string(value).unwrap()).unwrap()
}

#[test]
fn calibration_command_matches_screen() {
    let world = World::new();
    world.window();
    world.label_all();
    let whole = document(&world, "calibration", &[]);
    let report = world.report(2, &[]);
    let rates: Vec<&Value> = ["kpis", "beside"]
        .iter()
        .flat_map(|list| report[list].as_array().unwrap())
        .filter(|k| !k["strata"].as_array().unwrap().is_empty())
        .collect();
    assert_eq!(rates.len(), 4);
    assert_eq!(whole["rates"].as_array().unwrap().iter().collect::<Vec<_>>(), rates);
    assert_eq!(whole["strata"], kpi(&report, "false_positive_rate")["strata"]);
    for part in ["prevalence", "agreement", "conflicts", "window", "caveats", "evidence"] {
        assert_eq!(whole[part], report[part], "{part}");
    }

    let (archive, all, ledger, now) = opened(&world);
    let present = ledger.present(now);
    let ask = Ask::new(JudgementKind::Push, now, now, &[]);
    for by in BREAKDOWNS {
        let got = document(&world, "calibration-breakdown", &["breakdown", "--by", by.as_str()]);
        let parts =
            assess::breakdown(&archive, &all, &present, &ask, by, &Config::default()).unwrap();
        assert!(!parts.is_empty());
        assert_eq!((&got["by"], &got["parts"]), (&json!(by.as_str()), &json(&parts)));
    }
    let drift = document(&world, "calibration-drift", &["drift"]);
    assert_eq!(drift["weeks"], json(&assess::drift(&all)));

    let rules = ["what-if", "--minimum", "S=3,3.5", "--minimum", "x=2", "--average", "3.5"];
    let got = document(&world, "calibration-what-if", &rules);
    let rule = |least| Candidate { minimum: [Some(least), None, Some(2.0)], average: Some(3.5) };
    let wanted = parts::replayed(&all, &present, &ask, &[rule(3.0), rule(3.5)]);
    assert_eq!(got["rules"], json(&wanted));
    assert!((got["rules"][0]["confidence"].as_f64().unwrap() - 0.975).abs() < 1e-12);
}

#[test]
fn figures_of_agents_are_those_of_the_breakdown_and_of_today() {
    let world = World::new();
    world.window();
    let whole = document(&world, "calibration", &[]);
    let from = Timestamp::parse(whole["window"]["from"].as_str().unwrap()).unwrap();
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_micros();
    let days = (Timestamp(now as i64).day() - from.day() + 1).to_string();
    let all = ["agents", "--days", days.as_str()];
    let got = document(&world, "calibration-agents", &all);
    let parts = document(&world, "calibration-breakdown", &["breakdown", "--by", "agent"]);
    let names = |list: &Value| -> Vec<String> {
        list.as_array().unwrap().iter().map(|one| one["name"].to_string()).collect()
    };
    assert!(names(&parts["parts"]).len() > 2);
    assert_eq!(names(&got["agents"]), names(&parts["parts"]));
    let plain = world.good(&[&["calibration"], &all[..]].concat());
    let pairs = got["agents"].as_array().unwrap().iter().zip(parts["parts"].as_array().unwrap());
    for (agent, part) in pairs {
        // The day that is not over is in no part.
        let [no_go, of] =
            ["numerator", "denominator"].map(|key| agent["no_go"][key].as_u64().unwrap());
        assert!(no_go >= part["contents"][0].as_u64().unwrap(), "{agent} {part}");
        assert!(of - no_go >= part["contents"][1].as_u64().unwrap(), "{agent} {part}");
        assert!(plain.contains(&format!("NO-GO: {no_go} of {of}, ")), "{plain}");
        let weeks = agent["weeks"].as_array().unwrap();
        let sum = |key: &str| weeks.iter().map(|week| week[key].as_u64().unwrap()).sum::<u64>();
        assert_eq!((sum("no_go"), sum("contents")), (no_go, of));
    }
    let recent = document(&world, "calibration-agents", &["agents", "--days", "1"]);
    let contents = |all: &Value| -> u64 {
        let agents = all["agents"].as_array().unwrap().iter();
        agents.map(|agent| agent["no_go"]["denominator"].as_u64().unwrap()).sum()
    };
    assert!(contents(&recent) < contents(&got));
}

#[test]
fn the_console_shows_the_numbers_that_the_command_prints() {
    let world = World::new();
    world.window();
    world.label_all();
    let whole = document(&world, "calibration", &[]);
    let parts = document(&world, "calibration-breakdown", &["breakdown", "--by", "box"]);
    let at = |name: &str| world.home.path().join(name).into_os_string().into_string().unwrap();
    let (config, logs) = (at("c.toml"), at("made/boxes"));
    let start = Start::foureyes(&["--config", &config, "--from", &logs]);
    let mut session = start.env("FOUREYES_DATA", &at("data")).size(160, 200).run();
    session.wait_for("Queue");
    session.press("4");
    session.wait_for("Rates by week");
    // What is folded stands below.
    for (title, text) in
        [("Prevalence of poor content", "Rogan-Gladen"), ("Agreement", "judge and blind labels")]
    {
        let cursor = format!("▸ ▸ {title}");
        while !session.screen().contains(&cursor) {
            session.press("\t");
            session.wait_for_silence(std::time::Duration::from_millis(100));
        }
        session.press(" ");
        session.wait_for(text);
    }
    let screen = session.screen();
    let one = screen.split_whitespace().collect::<Vec<_>>().join(" ");
    let percent = |v: &Value| format!("{:.1}", v.as_f64().unwrap() * 100.0);
    let share = |v: &Value, keys: [&str; 3]| {
        let [e, l, u] = keys.map(|key| percent(&v[key]));
        format!("{e} %, {l} to {u} %")
    };
    let poor = &whole["prevalence"];
    let mut wanted = vec![
        share(poor, ["raw", "raw_lower", "raw_upper"]),
        share(poor, ["estimate", "lower", "upper"]),
    ];
    let judge = &whole["agreement"]["judge"];
    wanted.push(format!("kappa {:.2}", judge["kappa"].as_f64().unwrap()));
    for rate in whole["rates"].as_array().unwrap() {
        wanted.push(format!("{} %", percent(&rate["estimate"])));
        wanted.push(format!("{} to {} %", percent(&rate["lower"]), percent(&rate["upper"])));
    }
    for part in parts["parts"].as_array().unwrap() {
        wanted.push(flagged(part, "").replace(": contents", "").replace(" NO-GO", ""));
        // Where there is no room for all rates, those that decide stay.
        let rates = part["rates"].as_array().unwrap().iter();
        let decide = ["false_positive_rate", "false_negative_rate"];
        wanted.extend(
            rates.filter(|rate| decide.contains(&rate["id"].as_str().unwrap())).map(share_of),
        );
    }
    for text in &wanted {
        assert!(one.contains(text), "{text}\n{screen}");
    }
    session.press("q");
}

#[test]
fn plain_calibration_fits_eighty_columns_with_every_number() {
    let world = World::new();
    world.window();
    world.label_all();
    let whole = document(&world, "calibration", &[]);
    let plain = world.good(&["calibration"]);
    let percent = |v: &Value| format!("{:.1} %", v.as_f64().unwrap() * 100.0);
    for rate in whole["rates"].as_array().unwrap() {
        assert!(plain.contains(&format!("estimate: {}", percent(&rate["estimate"]))), "{plain}");
    }
    let poor = percent(&whole["prevalence"]["estimate"]);
    assert!(plain.contains(&format!("corrected share of poor: {poor}")), "{plain}");
    let parts = document(&world, "calibration-breakdown", &["breakdown", "--by", "path"]);
    let listed = world.good(&["calibration", "breakdown", "--by", "path"]);
    let one = flat(&listed);
    for part in parts["parts"].as_array().unwrap() {
        let line = flagged(part, ",");
        assert!(one.contains(&line), "{line}\n{listed}");
    }
    let drift = world.good(&["calibration", "drift", "--plain"]);
    for week in document(&world, "calibration-drift", &["drift"])["weeks"].as_array().unwrap() {
        let evaluations = separated(week["evaluations"].as_u64().unwrap());
        let line = format!("week of {}: {evaluations} ", week["monday"].as_str().unwrap());
        assert!(drift.contains(&line), "{drift}");
        let mean = format!("mean {:.2}", week["points"][0]["mean"].as_f64().unwrap());
        assert!(drift.contains(&mean), "{mean} {drift}");
    }
    let rules = world.good(&["calibration", "what-if", "--average", "3,3.25"]);
    assert!(rules.contains("at least average 3.0") && rules.contains("at least average 3.25"));
    assert!(rules.contains("split over the 2 rules"), "{rules}");
    for text in [plain, listed, drift, rules] {
        let long = text.lines().find(|l| l.chars().count() > 80);
        assert_eq!(long, None, "{text}");
    }
}

#[test]
fn flagged_only_labels_are_reported_to_give_no_misses() {
    let world = World::new();
    world.window();
    world.label("l.jsonl", |t| (t.outcome == "no_go").then(|| census(t, &t.truth)));
    let whole = document(&world, "calibration", &[]);
    let poor = &whole["prevalence"];
    assert!(poor["estimate"].is_null() && poor["raw"].as_f64().unwrap() > 0.0, "{poor}");
    assert!(poor["sensitivity"]["estimate"].is_null());
    let plain = world.good(&["calibration"]);
    let readiness = world.run(&["readiness"]);
    assert_eq!(readiness.code, 2);
    for text in [&plain, &readiness.out] {
        let one = text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(
            one.contains("corrected share of poor: not estimable: no GO in the audit"),
            "{text}"
        );
    }
    let parts = world.good(&["calibration", "breakdown", "--by", "box"]);
    let one = flat(&parts);
    assert_eq!(one.matches("FNR not estimable").count(), 2, "{parts}");
    assert!(one.contains("adjusted for multiple comparisons (Holm)"), "{parts}");
    let document = document(&world, "calibration-breakdown", &["breakdown", "--by", "box"]);
    for part in document["parts"].as_array().unwrap() {
        assert!(one.contains(&flagged(part, ",")), "{parts}");
    }
    assert!(!one.contains("FNR 0"), "{parts}");
    let rules = world.good(&["calibration", "what-if", "--minimum", "S=3"]);
    assert!(rules.contains("FNR not estimable"), "{rules}");
}

#[test]
fn a_rule_that_cannot_be_tried_is_a_wrong_usage() {
    let world = World::new();
    for (args, says) in [
        (&["calibration", "what-if"][..], "no rule to try"),
        (&["calibration", "what-if", "--minimum", "S=9"], "from 1 to 5"),
        (&["calibration", "what-if", "--minimum", "Q=3"], "S, P or X"),
        (&["calibration", "breakdown", "--by", "moon"], "possible values"),
        (&["calibration", "breakdown", "--by", "team"], "the configuration names no team"),
    ] {
        let ran = world.run(args);
        assert_eq!(ran.code, 64, "{args:?}");
        assert!(ran.err.contains(says), "{args:?}: {}", ran.err);
    }
    // Nothing is labelled: that is said, and is no failure.
    let ran = world.run(&["calibration", "what-if", "--minimum", "S=3"]);
    assert_eq!(ran.code, 0);
    assert!(ran.err.contains("no labelled record of the sample has scores"), "{}", ran.err);
    assert!(world.good(&["calibration"]).contains("not estimable"));
}
