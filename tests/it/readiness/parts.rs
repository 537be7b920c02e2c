//! What is told of parts of the window, of other score rules, and of reviewers, from real logs.

use super::*;
use foureyes::assess::{self, Ask, Breakdown, Evaluations};
use foureyes::calibration::{Candidate, Measure, Part, Replayed};
use foureyes::config::{Config, RepositoryConfig, TeamConfig};
use foureyes::domain::review::{
    AuditRate, Dated, EntryId, Given, Label, Present, Seed, WindowStart, Word,
};
use foureyes::domain::{JudgementKind, Outcome, RecordId};
use foureyes::files::paths::DataDir;
use foureyes::jsonl::Settings;
use foureyes::store::cache::Archive;

/// Generated logs, opened, with what is true of each evaluation.
struct Opened {
    world: World,
    archive: Archive,
    all: Evaluations,
    now: Timestamp,
}

impl Opened {
    fn new() -> Self {
        let world = World::new();
        let data = DataDir::at(world.home.path().join("own"));
        let now = Timestamp::parse(&format!("{}T12:00:00Z", day(0))).unwrap();
        let logs = [world.home.path().join("made/boxes")];
        let collected = foureyes::collect::given(&data, &logs, now, &mut std::io::empty()).unwrap();
        let archive = collected.open(&Settings::default(), &|_| {}).unwrap();
        let all = Evaluations::load(&archive, JudgementKind::Push, &|| false).unwrap().unwrap();
        Self { world, archive, all, now }
    }

    fn ask(&self) -> Ask<'_> {
        let (now, complete_until) = (self.now, self.now);
        Ask::new(JudgementKind::Push, now, complete_until, &[])
    }

    /// A window over all, a sample of everything that passed, and labels of some.
    fn present(&self, rate: f64, labelled: impl Fn(&Truth) -> bool) -> Present {
        let mut present = Present::default();
        let from = Timestamp::of_day(self.all.all()[0].at.day());
        present.rules.get_mut(JudgementKind::Push).windows.push(dated(WindowStart::new(from)));
        let rate = AuditRate {
            family: Default::default(),
            from,
            stratum: None,
            rate,
            seed: Some(Seed([7; 32])),
            withheld: false,
            forward: false,
        };
        present.rules.get_mut(JudgementKind::Push).rates.push(dated(rate));
        for t in self.world.truth.iter().filter(|t| labelled(t)) {
            give(&mut present, "anna", t, Word::from_name(&t.truth).unwrap());
        }
        present
    }

    fn parts(&self, present: &Present, by: Breakdown) -> Vec<Part> {
        self.parts_of(present, by, &Config::default())
    }

    fn parts_of(&self, present: &Present, by: Breakdown, config: &Config) -> Vec<Part> {
        assess::breakdown(&self.archive, &self.all, present, &self.ask(), by, config).unwrap()
    }

    fn what_if(&self, present: &Present, rules: &[Candidate]) -> Vec<Replayed> {
        replayed(&self.all, present, &self.ask(), rules)
    }

    /// What a part is called that an evaluation belongs to, by the lists of the command.
    fn listed(&self, key: &str) -> HashMap<RecordId, String> {
        let text = self.world.home.good(&["records", "--json", "--from", "made/boxes"]);
        let rows = text.lines().map(|l| serde_json::from_str::<Value>(l).unwrap());
        let of = |r: Value| (id(r["id"].as_str().unwrap()), r[key].as_str().map(str::to_owned));
        rows.map(of).map(|(id, name)| (id, name.unwrap_or("(none)".to_owned()))).collect()
    }
}

/// Other rules over the same labels, as the command and the screen ask for it.
pub(super) fn replayed(
    all: &Evaluations,
    present: &Present,
    ask: &Ask<'_>,
    rules: &[Candidate],
) -> Vec<Replayed> {
    let contents = assess::contents_of(all, present, ask);
    let confidence = assess::Rules::new(all, present, ask).policy.confidence;
    foureyes::calibration::what_if(&assess::replays(all, &contents.distinct), rules, confidence)
}

fn dated<T>(what: T) -> Dated<T> {
    Dated { entry: EntryId([1; 16]), time: Timestamp(0), reviewer: "anna".to_owned(), what }
}

fn id(text: &str) -> RecordId {
    text.parse().unwrap()
}

fn give(present: &mut Present, by: &str, t: &Truth, word: Word) {
    let given = Given {
        entry: EntryId([2; 16]),
        time: Timestamp(1),
        reviewer: by.to_owned(),
        label: Label::new(id(&t.id), word),
        import: None,
    };
    present.labels.entry(id(&t.id)).or_default().push(given);
}

fn estimate(part: &Part, of: Measure) -> Option<f64> {
    part.rates.iter().find(|r| r.id == of).map(|r| r.estimate)
}

#[test]
fn each_part_has_the_rates_of_its_own_contents() {
    let opened = Opened::new();
    let present = opened.present(1.0, |_| true);
    let words: HashMap<RecordId, &str> =
        opened.world.truth.iter().map(|t| (id(&t.id), t.truth.as_str())).collect();
    let contents = assess::contents_of(&opened.all, &present, &opened.ask());
    for (by, key) in [(Breakdown::Box, "box"), (Breakdown::Agent, "author")] {
        let listed = opened.listed(key);
        let parts = opened.parts(&present, by);
        assert!(parts.len() > 1, "{key}");
        for part in &parts {
            let own = || contents.each().filter(|c| listed[&c.id] == part.name);
            let count = |flagged, word| {
                let is = |c: &&_| -> bool {
                    let c: &foureyes::calibration::Content = c;
                    c.flagged == flagged && words[&c.id] == word
                };
                own().filter(is).count() as f64
            };
            let (tp, fp) = (count(true, "poor"), count(true, "acceptable"));
            let (missed, tn) = (count(false, "poor"), count(false, "acceptable"));
            assert_eq!(part.contents.map(|n| n as f64), [tp + fp, missed + tn], "{}", part.name);
            let near = |m: Measure, errors: f64, all: f64| {
                let wanted = (all > 0.0).then(|| errors / all);
                let got = estimate(part, m);
                let same = got.zip(wanted).is_none_or(|(a, b)| (a - b).abs() < 1e-9);
                assert!(same && got.is_some() == wanted.is_some(), "{m:?} {got:?} {wanted:?}");
            };
            near(Measure::FalsePositiveRate, fp, fp + tn);
            near(Measure::FalseDiscoveryRate, fp, tp + fp);
            near(Measure::FalseNegativeRate, missed, missed + tp);
        }
        let sum: u64 = parts.iter().map(|p| p.contents[0] + p.contents[1]).sum();
        assert_eq!(sum, contents.each().count() as u64);
    }
    // The others tell the same contents apart otherwise.
    for by in [Breakdown::Judge, Breakdown::Path, Breakdown::Week] {
        let parts = opened.parts(&present, by);
        let sum: u64 = parts.iter().map(|p| p.contents[0] + p.contents[1]).sum();
        assert_eq!(sum, contents.each().count() as u64, "{by:?}");
        assert!(parts.len() > 1, "{by:?}");
    }
    let week = &opened.parts(&present, Breakdown::Week)[0].name;
    let monday = Timestamp::parse_day(week).unwrap().day();
    assert_eq!((monday + 3).rem_euclid(7), 0, "{week}");
}

#[test]
fn teams_and_repositories_are_those_of_the_configuration() {
    let opened = Opened::new();
    let present = opened.present(1.0, |_| true);
    let contents = assess::contents_of(&opened.all, &present, &opened.ask()).each().count() as u64;
    let count = |part: &Part| part.contents[0] + part.contents[1];
    let boxes: HashMap<String, u64> =
        opened.parts(&present, Breakdown::Box).iter().map(|p| (p.name.clone(), count(p))).collect();
    let agents: HashMap<String, u64> = opened
        .parts(&present, Breakdown::Agent)
        .iter()
        .map(|p| (p.name.clone(), count(p)))
        .collect();
    let agent = agents.iter().find(|(name, _)| *name != "(none)").unwrap();
    let mut config = Config::default();
    let own = |boxes: &[&str], agents: &[&str]| TeamConfig {
        boxes: boxes.iter().map(|name| (*name).to_owned()).collect(),
        agents: agents.iter().map(|name| (*name).to_owned()).collect(),
        paths: Vec::new(),
    };
    assert!(!Breakdown::Team.is_configured(&config));
    config.fleet.teams.insert("b".to_owned(), own(&["attic"], &[]));
    let of = |by, config: &Config| -> HashMap<String, u64> {
        opened.parts_of(&present, by, config).iter().map(|p| (p.name.clone(), count(p))).collect()
    };
    let by_box = of(Breakdown::Team, &config);
    assert_eq!((by_box["b"], by_box["(none)"]), (boxes["attic"], contents - boxes["attic"]));
    // The first by name has what both could have.
    config.fleet.teams.insert("a".to_owned(), own(&[], &[agent.0]));
    let both = of(Breakdown::Team, &config);
    assert_eq!((both["a"], both.values().sum::<u64>()), (*agent.1, contents));
    let repository = |path: &str, boxes: &[&str]| RepositoryConfig {
        path: path.into(),
        boxes: boxes.iter().map(|name| (*name).to_owned()).collect(),
        refs: Vec::new(),
        fetch: false,
        programs: Vec::new(),
        remote_path: None,
    };
    config.repositories = vec![repository("/src/one", &["attic"]), repository("/src/two", &[])];
    let of = of(Breakdown::Repository, &config);
    assert_eq!(of["one, two"], boxes["attic"], "{of:?}");
    assert_eq!(of["two"], contents - boxes["attic"]);
}

#[test]
fn flagged_only_labels_give_no_misses_per_part_or_rule() {
    let opened = Opened::new();
    let present = opened.present(0.0, |t| t.outcome == "no_go");
    for part in opened.parts(&present, Breakdown::Box) {
        assert_eq!(estimate(&part, Measure::FalseNegativeRate), None, "{part:?}");
        assert!(estimate(&part, Measure::FalseDiscoveryRate).is_some(), "{part:?}");
    }
    let rule = Candidate { minimum: [Some(1.0); 3], average: None };
    let got = &opened.what_if(&present, &[rule])[0];
    for rate in [got.false_negative, got.false_positive] {
        assert_eq!((rate.estimate, rate.lower, rate.upper), (None, 0.0, 1.0));
    }
    assert!(got.flips[1] > 0, "it lets blocks pass, which is told: {got:?}");
}

#[test]
fn rules_are_replayed_over_sample_with_shared_alpha() {
    let opened = Opened::new();
    let present = opened.present(1.0, |_| true);
    let rule = |least| Candidate { minimum: [Some(least); 3], average: None };
    let replay = |rules: &[Candidate]| opened.what_if(&present, rules);
    let one = replay(&[rule(3.0)]).remove(0);
    let many = replay(&[2.0, 3.0, 4.0, 5.0].map(rule));
    // The stricter, the more is blocked: fewer misses, more that is blocked without cause.
    for pair in many.windows(2) {
        assert!(pair[0].false_negative.estimate >= pair[1].false_negative.estimate);
        assert!(pair[0].false_positive.estimate <= pair[1].false_positive.estimate);
    }
    assert!((one.confidence - 0.95).abs() < 1e-12);
    assert!((many[1].confidence - (1.0 - 0.05 / 4.0)).abs() < 1e-12);
    let (alone, shared) = (one.false_positive, many[1].false_positive);
    assert_eq!(alone.estimate, shared.estimate);
    assert!(shared.upper > alone.upper && shared.lower < alone.lower, "{alone:?} {shared:?}");
    // By hand, over the contents of whole days.
    let words: HashMap<RecordId, &str> =
        opened.world.truth.iter().map(|t| (id(&t.id), t.truth.as_str())).collect();
    let (mut wrong, mut fine) = (0.0, 0.0);
    for c in assess::contents_of(&opened.all, &present, &opened.ask()).each() {
        let scores = opened.all.scores(opened.all.find(c.id).unwrap()).unwrap();
        if words[&c.id] == "acceptable" {
            fine += 1.0;
            wrong += f64::from(u8::from(rule(3.0).flags(&scores).unwrap_or(c.flagged)));
        }
    }
    assert!((alone.estimate.unwrap() - wrong / fine).abs() < 1e-9, "{wrong} of {fine}");
}

#[test]
fn reviewers_are_compared_on_common_records_with_disagreements_listed() {
    let opened = Opened::new();
    let mut present = opened.present(1.0, |_| true);
    let whole = |t: &&Truth| t.day != day(0) && opened.all.find(id(&t.id)).is_some();
    let first = |t: &&Truth| {
        let at = opened.all.find(id(&t.id)).unwrap();
        opened.all.all()[at].first && opened.all.all()[at].outcome != Outcome::Undetermined
    };
    let both: Vec<Truth> =
        opened.world.truth.iter().filter(whole).filter(first).take(40).cloned().collect();
    for (n, t) in both.iter().enumerate() {
        let same = Word::from_name(&t.truth).unwrap();
        let other = if same == Word::Poor { Word::Acceptable } else { Word::Poor };
        give(&mut present, "bob", t, if n < 5 { other } else { same });
    }
    let r = assess::assess_loaded(&opened.all, &present, &opened.ask()).readiness;
    let differ: std::collections::BTreeSet<RecordId> =
        both[..5].iter().map(|t| id(&t.id)).collect();
    assert_eq!(r.conflicts.iter().copied().collect::<std::collections::BTreeSet<_>>(), differ);
    assert!(r.caveats.iter().any(|c| c.id == "conflicts" && c.text.contains("on 5 records")));
    let [pair] = r.agreement.reviewers.as_slice() else { panic!("{:?}", r.agreement.reviewers) };
    assert_eq!((pair.first.as_str(), pair.second.as_str(), pair.items), ("anna", "bob", 40));
    assert_eq!(pair.agreement, Some(35.0 / 40.0));
    assert_eq!(pair.counts[1] + pair.counts[2], 5);
    assert!(pair.kappa.is_some() && pair.ac1.is_some() && pair.prevalence_index.is_some());
}
