//! Words that are changed after a look, and labels that follow the verdict.

use super::*;
use foureyes::domain::review::Requested;

/// A policy whose FNR the generated judge does not keep.
const STRICT: &str = "\
[policy]
false_positive = \"fpr\"
false_positive_below = 0.15
false_negative_below = 0.05
hook_timeout_s = 25
[[policy.waivers]]
what = \"fingerprint\"
name = \"Ada\"
reason = \"the provider renamed its model\"
until = \"2200-01-01\"
[[policy.waivers]]
what = \"stated_alone\"
name = \"Ada\"
reason = \"the labels of this test are imported\"
until = \"2200-01-01\"
[[policy.waivers]]
what = \"stated_fraction\"
name = \"Ada\"
reason = \"what is labelled again by hand states nothing\"
until = \"2200-01-01\"
[[policy.waivers]]
what = \"blind_share\"
name = \"Ada\"
reason = \"imported labels only state that they are blind\"
until = \"2200-01-01\"
";

const STRICT_FILE: &[&str] = &["--policy", "strict.toml"];

/// A window with all labels as they are true, given blind by anna.
fn labelled() -> World {
    let world = World::new();
    world.home.write("strict.toml", STRICT);
    world.window();
    world.label_all();
    world
}

impl World {
    /// Records that passed and are poor.
    fn misses(&self) -> Vec<&str> {
        let misses = self.truth.iter().filter(|t| t.outcome == "go" && t.truth == "poor");
        misses.map(|t| t.id.as_str()).collect()
    }

    /// Labels all misses by hand.
    fn call(&self, word: &str, more: &[&str]) {
        self.good(&[&["label"][..], &self.misses(), &[word], more].concat());
    }
}

fn text<'a>(report: &'a Value, list: &str, id: &str) -> Option<&'a str> {
    let all = report[list].as_array().unwrap();
    all.iter().find(|block| block["id"] == id).and_then(|block| block["text"].as_str())
}

#[test]
fn misses_relabelled_acceptable_after_viewing_do_not_make_ready() {
    for again in [&[][..], &["--again"]] {
        let world = labelled();
        let before = world.run(&[&["readiness"][..], STRICT_FILE].concat());
        assert_ne!(before.code, 0, "{}", before.out);
        world.call("acceptable", &[again, &["--blind"]].concat());
        let report = world.report(2, STRICT_FILE);
        assert_eq!(kpi(&report, "false_negative_rate")["result"], "met");
        let said = text(&report, "blocks", "labels_changed").unwrap();
        // Some misses are of today, or repeat a content.
        let count = report["label_quality"]["changed"][0]["records"].as_u64().unwrap();
        assert!((5..=world.misses().len() as u64).contains(&count), "{count}");
        let direction = format!("{count} GO from poor to acceptable by anna");
        assert!(said.contains(&direction) && said.contains("now met"), "{said}");
        let quality = &report["label_quality"];
        assert_eq!(quality["unsettled"].as_array().unwrap().len() as u64, count);
        for form in [&["--plain"][..], &["--markdown", "-"], &["--html", "-"]] {
            let shown = world.run(&[&["readiness"][..], STRICT_FILE, form].concat()).out;
            let shown = shown.split_whitespace().collect::<Vec<_>>().join(" ");
            assert!(shown.contains(&direction) && shown.contains("Label quality"), "{shown}");
        }
        // The report that was made of this is computed again to the letter.
        world.home.write("r.json", report.to_string());
        let ran = world.run(&["readiness", "verify", "r.json"]);
        assert!(ran.code == 0 && ran.out.starts_with("same: "), "{}{}", ran.out, ran.err);
        // Somebody who labelled neither side settles it; what is only stated confirms no GO.
        world.call("acceptable", &["--blind", "--reviewer", "cleo"]);
        let report = world.report(2, STRICT_FILE);
        let said = text(&report, "blocks", "labels_changed").unwrap();
        assert!(said.contains("by cleo (second look)"), "{said}");
        // Where the program asked and showed it blind, it counts.
        let misses: Vec<String> = world.misses().into_iter().map(str::to_owned).collect();
        let asked =
            |t: &Truth| Label { requested: Some(Requested::SecondLook), ..seen(t, "acceptable") };
        world.typed("dora", |t| misses.contains(&t.id).then(|| asked(t)));
        let report = world.report(0, STRICT_FILE);
        assert_eq!(report["label_quality"]["changed"][0]["settled"], json!(count));
        assert_eq!(report["label_quality"]["unsettled"], json!([]));
    }
}

#[test]
fn the_block_on_changed_words_can_be_waived_with_a_name() {
    let world = labelled();
    world.run(&["readiness"]);
    world.call("acceptable", &["--blind"]);
    let waiver = "[[policy.waivers]]\nwhat = \"labels_changed\"\nname = \"Ada\"\n\
                  reason = \"the guideline was wrong\"\nuntil = \"2200-01-01\"\n";
    world.home.write("strict.toml", format!("{STRICT}{waiver}"));
    let report = world.report(0, STRICT_FILE);
    assert!(names(&report, "blocks", "labels_changed"));
    assert!(report["qualifiers"].to_string().contains("labels_changed"));
}

#[test]
fn typos_fixed_before_viewing_are_not_changes() {
    let world = World::new();
    world.home.write("strict.toml", STRICT);
    world.window();
    world.label_all();
    world.call("acceptable", &["--blind"]);
    let report = world.report(0, STRICT_FILE);
    assert_eq!(report["label_quality"]["changed"], json!([]));
    assert_eq!(text(&report, "blocks", "labels_changed"), None);
}

#[test]
fn second_name_and_partial_adjudicator_do_not_make_ready() {
    let world = labelled();
    world.run(&["readiness"]);
    world.call("acceptable", &["--blind", "--reviewer", "bert"]);
    world.call("acceptable", &["--blind", "--adjudicate"]);
    let report = world.report(2, STRICT_FILE);
    let said = text(&report, "blocks", "labels_changed").unwrap();
    assert!(said.contains("on which anna differed and adjudicated (first: poor)"), "{said}");
    // One who labelled neither side may adjudicate; the rule is that nobody confirmed it.
    let world = labelled();
    world.run(&["readiness"]);
    world.call("acceptable", &["--blind", "--reviewer", "bert"]);
    world.call("acceptable", &["--blind", "--adjudicate", "--reviewer", "cleo"]);
    let report = world.report(2, STRICT_FILE);
    assert_eq!(report["label_quality"]["changed"], json!([]));
    let said = text(&report, "blocks", "labels_changed").unwrap();
    assert!(said.contains("by cleo (adjudication)"), "{said}");
    assert!(report["label_quality"]["go"]["by_several"].as_u64().unwrap() > 4);
}

#[test]
fn undone_miss_leaves_day_open_and_recorded() {
    let world = World::new();
    world.home.write("strict.toml", STRICT);
    world.window();
    // One that counts: of a whole day, and the first record of its commit.
    let counts = |id: &&str| {
        let at = world.truth.iter().position(|t| t.id == *id).unwrap();
        let (before, t) = (&world.truth[..at], &world.truth[at]);
        t.day > day(20) && t.day < day(1) && before.iter().all(|other| other.commit != t.commit)
    };
    let miss = world.misses().into_iter().find(counts).unwrap().to_owned();
    world.label("rest.jsonl", |t| (t.id != miss).then(|| census(t, &t.truth)));
    world.good(&["label", &miss, "poor", "--blind"]);
    world.run(&["readiness"]);
    world.good(&["label", "--undo"]);
    let report = world.report(2, STRICT_FILE);
    assert!(report["window"]["first_open_day"].is_string(), "{}", report["window"]);
    let changed = &report["label_quality"]["changed"][0];
    assert_eq!((&changed["first"], &changed["now"]), (&json!("poor"), &Value::Null));
}

#[test]
fn unblinded_labels_do_not_make_ready() {
    let world = World::new();
    let (unwaived, _) = LENIENT.split_once("[[policy.waivers]]\nwhat = \"blind_share\"").unwrap();
    world.home.write("unwaived.toml", unwaived);
    world.rated(1.0, 20);
    world.window();
    world.typed("anna", |t| Some(Label { blind: false, ..seen(t, &t.truth) }));
    let report = world.report(2, &["--policy", "unwaived.toml"]);
    let said = text(&report, "blocks", "blind_share").unwrap();
    assert!(said.starts_with("0 of ") && said.contains("audited GO (0.0 %)"), "{said}");
    assert_eq!(report["label_quality"]["no_go"]["blind"], json!(0));
    // Four of five of what was flagged are enough, and not of what passed.
    let world = World::new();
    world.home.write("unwaived.toml", unwaived);
    world.rated(1.0, 20);
    world.window();
    let n = std::cell::Cell::new(0);
    world.typed("anna", |t| {
        n.set(n.get() + 1);
        Some(Label { blind: n.get() % 10 != 0, ..seen(t, &t.truth) })
    });
    let report = world.report(2, &["--policy", "unwaived.toml"]);
    assert!(names(&report, "blocks", "blind_share"));
    let share = |of: &str| {
        let of = &report["label_quality"][of];
        of["blind"].as_f64().unwrap() / of["labelled"].as_f64().unwrap()
    };
    assert!(share("no_go") > 0.8 && share("go") < 0.95, "{}", report["label_quality"]);
}
