//! Rules of risk over planted history, and rates of authors that a box believes.

use super::{World, day};
use crate::cli::Home;
use crate::report::conforms;
use foureyes::engine::risk::SignedRates;
use foureyes::service::SigningKey;
use serde_json::Value;
use std::collections::{BTreeMap, HashSet};

/// A rule about a directory.
const RULES: &str =
    "[[risk.rules]]\nname = \"knowledge\"\ndepth = \"panel\"\npaths = [\"knowledge/\"]\n";

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

fn is_in(record: &Value, directory: &str) -> bool {
    record["files"].as_array().unwrap().iter().any(|f| f.as_str().unwrap().starts_with(directory))
}

#[test]
fn rules_on_planted_history_reach_the_misses_that_are_there() {
    let world = World::new();
    world.window();
    world.rated(1.0, 20);
    world.label_all();
    world.home.write("risk.toml", RULES);
    let from = ["--from", "made/boxes"];
    let replay = ["risk", "replay", "--json", "--config", "risk.toml"];
    let text = world.home.good(&[&replay[..], &from].concat());
    conforms("risk-replay", &text);
    let found = json(&text);

    // Counted from the logs and the truth alone.
    let listed = world
        .home
        .good(&[&["records", "evaluation:push -is:repeat", "--json"][..], &from].concat());
    let records: Vec<Value> = listed.lines().map(json).collect();
    let inside: HashSet<&str> = records
        .iter()
        .filter(|r| is_in(r, "knowledge/"))
        .map(|r| r["id"].as_str().unwrap())
        .collect();
    assert_eq!(found["changes"], records.len());
    assert!(inside.len() > 100 && inside.len() < records.len(), "{}", inside.len());
    // What is judged in it is in it; what else a commit touches is in no record.
    assert_eq!(found["rules"][0]["least"], inside.len());
    assert_eq!(found["rules"][0]["most"], records.len());
    let misses: Vec<_> = world
        .truth
        .iter()
        .filter(|t| t.outcome == "go" && t.truth == "poor")
        .filter(|t| records.iter().any(|r| r["id"] == t.id.as_str()))
        .collect();
    let reached = misses.iter().filter(|t| inside.contains(t.id.as_str())).count();
    assert!(misses.len() > 3, "{}", misses.len());
    // A commit counts once, by its first verdict.
    let of = found["reached"]["of"].as_u64().unwrap() as usize;
    assert!(of > 0 && of <= misses.len(), "{of} of {}", misses.len());
    assert!(found["reached"]["least"].as_u64().unwrap() as usize <= reached);
    assert_eq!(found["reached"]["most"], of);
    // Nobody asked a panel about pushes: there are bounds, and no estimate.
    assert_eq!(found["calls"]["estimate"], Value::Null);
    assert_eq!(found["calls"]["low"], 2.0 * inside.len() as f64);
    assert_eq!((&found["caught"], &found["caught_low"]), (&Value::Null, &Value::from(0.0)));
    let plain = world.home.good(&["risk", "replay", "--config", "risk.toml", from[0], from[1]]);
    assert!(plain.contains("not enough evidence"), "{plain}");
}

#[test]
fn changes_of_a_clone_are_known_whole_and_cost_what_panels_cost() {
    let home = Home::new();
    let made = ["generate", "--records", "900", "--dirt", "0", "--seed", "5", "--out", "made"];
    home.good(&made);
    let config = std::fs::read_to_string(home.path().join("made/foureyes.toml")).unwrap();
    home.write("risk.toml", config + RULES);
    let run = |args: &[&str]| home.good(&[args, &["--config", "risk.toml"]].concat());
    let found = json(&run(&["risk", "replay", "--days", "60", "--json"]));
    let (changes, known) =
        (found["changes"].as_u64().unwrap(), found["in_clones"].as_u64().unwrap());
    assert!(known * 2 > changes, "{known} of {changes}");
    let counts = &found["rules"][0];
    let [least, most] = ["least", "most"].map(|end| counts[end].as_u64().unwrap());
    // A commit of the clone touches what its record says, and nothing else in the directory.
    let since = &found["since"].as_str().unwrap()[..10];
    let listed = run(&["records", &format!("evaluation:push -is:repeat since:{since}"), "--json"]);
    let inside = listed.lines().map(json).filter(|r| is_in(r, "knowledge/")).count() as u64;
    assert_eq!(least, inside);
    assert!(least < most && most - least <= changes - known, "{least} to {most}");
    // The panels of the logs, counted by hand.
    let rounds = run(&["records", "depth:panel", "--json"]);
    let mut runs: BTreeMap<String, (u64, bool)> = BTreeMap::new();
    for line in rounds.lines().map(json) {
        let one = runs.entry(line["run"].as_str().unwrap().to_owned()).or_default();
        one.0 += u64::from(line["judge_tier"] != "human");
        one.1 |= line["decision"].is_string();
    }
    runs.retain(|_, (_, ended)| *ended);
    let panel =
        found["evidence"].as_array().unwrap().iter().find(|e| e["depth"] == "panel").unwrap();
    assert_eq!(panel["runs"], runs.len());
    let calls: u64 = runs.values().map(|(calls, _)| calls).sum();
    let mean = calls as f64 / runs.len() as f64;
    assert!((panel["calls"].as_f64().unwrap() - mean).abs() < 1e-9);
    let (low, high) = (&found["calls"]["low"], &found["calls"]["high"]);
    let [least, most] = [least, most].map(|count| count as f64);
    assert!(low.as_f64().unwrap() <= least * mean && most * mean <= high.as_f64().unwrap() + 1e-6);
    assert!(run(&["risk", "replay", "--days", "60"]).contains("not enough evidence"));
}

#[test]
fn explained_commit_names_its_rules_and_what_they_are_about() {
    let home = Home::new();
    home.good(&["generate", "--records", "200", "--dirt", "0", "--seed", "3", "--out", "made"]);
    let rules =
        "[[risk.rules]]\nname = \"large\"\ndepth = \"person\"\nlines = 1\n".to_owned() + RULES;
    home.write("risk.toml", &rules);
    let repo = ["--repo", "made/repository", "--config", "risk.toml"];
    let text = home.good(&[&["risk", "explain", "HEAD", "--json"][..], &repo].concat());
    conforms("risk-explain", &text);
    let found = json(&text);
    assert_eq!(found["changes"].as_array().unwrap().len(), 1);
    let one = &found["changes"][0];
    assert_eq!(
        (&one["assessment"]["depth"], one["change"].as_str().unwrap().len()),
        (&Value::from("person"), 40)
    );
    assert_eq!(one["assessment"]["rules"][0]["rule"], "large");
    let plain = home.good(&[&["risk", "explain", "HEAD~3..HEAD"][..], &repo].concat());
    assert_eq!(plain.matches("depth: person").count(), 3, "{plain}");
    // A record is explained by what it says.
    let config = std::fs::read_to_string(home.path().join("made/foureyes.toml")).unwrap();
    home.write("both.toml", config + &rules);
    let listed = home.good(&[
        "records",
        "evaluation:push -is:repeat",
        "--json",
        "--limit",
        "1",
        "--config",
        "both.toml",
    ]);
    let id = json(listed.lines().next().unwrap())["id"].as_str().unwrap().to_owned();
    let of_record = home.good(&["risk", "explain", &id[..12], "--config", "both.toml"]);
    assert!(of_record.contains(&id), "{of_record}");
    for bad in ["nothing-there", "--upload-pack=x", "00000000"] {
        let ran =
            home.run(&[&["risk", "explain", "--", bad][..], &["--config", "risk.toml"]].concat());
        assert_eq!(ran.code, 64, "{bad}: {}", ran.err);
    }
    let ran = home.run(&["risk", "explain", "HEAD", "--config", "made/foureyes.toml"]);
    assert!(ran.code == 64 && ran.err.contains("no rules of risk"), "{}", ran.err);
}

#[test]
fn published_rates_are_believed_while_they_are_signed_and_new() {
    let world = World::new();
    world.window();
    world.rated(1.0, 20);
    world.label_all();
    let home = &world.home;
    let key = home.good(&["serve", "key", "--config", "c.toml"]);
    let (key, from) = (key.trim(), ["--from", "made/boxes", "--config", "c.toml"]);
    let said = home.good(&[&["risk", "publish", "--output", "rates.json"][..], &from].concat());
    assert!(said.contains(key) && said.contains("rates of"), "{said}");
    let file = home.path().join("rates.json");
    let signed = json(&std::fs::read_to_string(&file).unwrap());
    let rates = json(signed["rates"].as_str().unwrap());
    let authors = rates["authors"].as_array().unwrap();
    assert!(authors.len() > 1);
    for author in authors.iter().filter(|a| a["poor"].is_object()) {
        let poor = &author["poor"];
        let [low, estimate, high] = ["low", "estimate", "high"].map(|k| poor[k].as_f64().unwrap());
        assert!(low <= estimate && estimate <= high && high < 0.5, "{author}");
        // The planted share of poor content is 15 %.
        assert!(low < 0.2 && high > 0.1, "{author}");
    }
    let config = |key: &str, days: u32| {
        let path = file.display();
        home.write(
            "box.toml",
            format!(
                "[risk]\nrates = \"{path}\"\nrates_key = [\"{key}\"]\nrates_days = {days}\n[[risk.rules]]\n\
                 name = \"author\"\ndepth = \"panel\"\nauthor_error = 0.5\n"
            ),
        );
        let ran = home.run(&["hook", "check", "--json", "--config", "box.toml"]);
        let checks = json(&ran.out)["checks"].as_array().unwrap().clone();
        checks
            .into_iter()
            .filter(|c| c["name"] == "rates")
            .map(|c| c["text"].as_str().unwrap().to_owned())
            .collect::<Vec<_>>()
            .join("\n")
    };
    assert!(config(key, 14).contains(&format!("authors, of {}", day(0))), "{}", config(key, 14));
    assert!(config(&"ab".repeat(32), 14).contains("not signed by a key"));
    // A byte of what is signed.
    let forged = std::fs::read_to_string(&file).unwrap().replacen("judged", "judgeD", 1);
    std::fs::write(&file, forged).unwrap();
    assert!(config(key, 14).contains("not signed by a key"));
    // Signed by the right key: too old, of the future, and for another purpose.
    let signing = home.path().join(".openclaw/judge-service/signing.key");
    let signing = SigningKey::read(&signing).unwrap();
    let put = |made_at: &str, prefixed: bool| {
        let mut all = rates.clone();
        all["made_at"] = made_at.into();
        let text = all.to_string();
        let bytes =
            if prefixed { SignedRates::signed_bytes(&text) } else { text.clone().into_bytes() };
        let signature = signing.sign(&bytes);
        let signed = SignedRates { rates: text, signature, key: key.to_owned() };
        std::fs::write(&file, serde_json::to_string(&signed).unwrap()).unwrap();
        config(key, 14)
    };
    let now = rates["made_at"].as_str().unwrap();
    assert!(put(now, true).contains("authors, of"), "{}", put(now, true));
    assert!(put("2026-01-02T00:00:00Z", true).contains("of 2026-01-02, and count for 14 days"));
    assert!(put("2200-01-01T00:00:00Z", true).contains("which is not over"));
    assert!(put(now, false).contains("not signed by a key"));
    std::fs::remove_file(&file).unwrap();
    assert!(config(key, 14).contains("every author is unknown: failed to read"));
}
