mod from_logs;

use super::*;
use crate::config::{Config, TaskConfig};
use crate::domain::{JudgementKind, RecordId, Timestamp};
use crate::engine::panel::Depth;
use crate::engine::risk::{Change, ChangedPath, Earlier, RiskDepth, RiskRule};
use crate::risk::RiskRules;

/// What is true in the planted history.
const RISKY: f64 = 0.3;
const POOR: [f64; 2] = [0.05, 0.25];
const MISSED: f64 = 0.3;
const CAUGHT: f64 = 0.8;
const WRONGLY_STOPPED: f64 = 0.1;
const CHANGES: usize = 1500;
const PANELS: usize = 120;

/// Numbers from a seed, each in [0, 1).
struct Dice(blake3::OutputReader);

impl Dice {
    fn new(seed: u64) -> Self {
        Self(blake3::Hasher::new().update(&seed.to_le_bytes()).finalize_xof())
    }

    fn unit(&mut self) -> f64 {
        let mut bytes = [0; 8];
        self.0.fill(&mut bytes);
        (u64::from_le_bytes(bytes) >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn chance(&mut self, share: f64) -> bool {
        self.unit() < share
    }

    /// What a panel takes: a third call one time in four, and a skewed number of tokens.
    fn panel(&mut self) -> Spent {
        let calls = if self.chance(0.25) { 3 } else { 2 };
        let tokens = (0..calls).map(|_| (600.0 * (0.7 * (self.unit() - 0.3)).exp()) as u64).sum();
        let seconds = 4.0 + 6.0 * self.unit() + if calls == 3 { 5.0 } else { 0.0 };
        Spent {
            calls,
            tokens: Some(tokens),
            cost: Some(tokens as f64 / 1e5),
            seconds: Some(seconds),
        }
    }
}

fn id(number: usize) -> RecordId {
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&(number as u64).to_be_bytes());
    RecordId(bytes)
}

struct Planted {
    past: Past,
    facts: Facts,
    labels: Labels,
    /// Whether each change is poor.
    poor: Vec<bool>,
    /// What panels would have taken on the risky changes.
    truth: Spent,
}

fn planted(seed: u64) -> Planted {
    planted_with(seed, (CHANGES, PANELS))
}

/// A history of pushes that one judge looked at, and of tasks that a panel looked at.
fn planted_with(seed: u64, (changes, panels): (usize, usize)) -> Planted {
    let mut dice = Dice::new(seed);
    let mut planted = Planted {
        past: Past::default(),
        facts: Facts { in_clones: changes as u64, ..Facts::default() },
        labels: Labels::default(),
        poor: Vec::new(),
        truth: Spent { tokens: Some(0), cost: Some(0.0), seconds: Some(0.0), calls: 0 },
    };
    for number in 0..changes {
        let is_risky = dice.chance(RISKY);
        let is_poor = dice.chance(POOR[usize::from(is_risky)]);
        let is_flagged = is_poor && !dice.chance(MISSED);
        let taken = dice.panel();
        planted.poor.push(is_poor);
        if is_risky {
            let sum = |a: Option<f64>, b: Option<f64>| a.zip(b).map(|(a, b)| a + b);
            let truth = &mut planted.truth;
            truth.calls += taken.calls;
            truth.tokens = truth.tokens.zip(taken.tokens).map(|(a, b)| a + b);
            truth.cost = sum(truth.cost, taken.cost);
            truth.seconds = sum(truth.seconds, taken.seconds);
        }
        let path = if is_risky { "access/a.md" } else { "notes/a.md" };
        planted.facts.changes.push(Change {
            paths: vec![ChangedPath { lines: Some(1), ..ChangedPath::unknown(path) }],
            is_complete: true,
            earlier: Some(Earlier::default()),
            ..Change::default()
        });
        planted.past.changes.push(PastChange {
            id: id(number),
            at: Timestamp(number as i64),
            commit: None,
            author: "agent".to_owned(),
            files: vec![path.to_owned()],
            note: None,
            depth: RiskDepth::Quick,
            spent: Spent { calls: 1, ..Spent::default() },
            is_flagged,
            content_sha: Some(format!("content {number}")),
        });
        // Half of what passed is audited.
        if is_flagged || dice.chance(0.5) {
            let labels = &mut planted.labels;
            if is_poor { &mut labels.poor } else { &mut labels.acceptable }.insert(id(number));
            if is_poor && !is_flagged {
                labels.misses.insert(id(number));
            }
        }
    }
    add_panels(&mut planted, &mut dice, changes..changes + panels);
    planted
}

/// Runs of panels on contents that the judge of pushes had accepted, all labelled.
fn add_panels(planted: &mut Planted, dice: &mut Dice, numbers: std::ops::Range<usize>) {
    for number in numbers {
        let is_poor = dice.chance(0.5);
        planted.poor.push(is_poor);
        let is_stopped = dice.chance(if is_poor { CAUGHT } else { WRONGLY_STOPPED });
        let decided = match (is_stopped, dice.chance(0.5)) {
            (false, _) => Decided::Accept,
            (true, true) => Decided::Person,
            (true, false) => Decided::Reject,
        };
        let content_sha = Some(format!("content {number}"));
        let change = PastChange {
            id: id(number),
            files: vec!["notes/b.md".to_owned()],
            content_sha: content_sha.clone(),
            is_flagged: false,
            ..planted.past.changes[0].clone()
        };
        let labels = &mut planted.labels;
        if is_poor { &mut labels.poor } else { &mut labels.acceptable }.insert(id(number));
        planted.past.runs.push(PastRun {
            id: id(10_000 + number),
            depth: Depth::Panel,
            spent: dice.panel(),
            quick_accepts: Some(true),
            decided,
            content_sha,
        });
        planted.past.changes.push(change);
        planted
            .facts
            .changes
            .push(Change { earlier: Some(Earlier::default()), ..Change::default() });
        if let Some(last) = planted.facts.changes.last_mut() {
            (last.paths, last.is_complete) = (vec![ChangedPath::unknown("notes/b.md")], true);
        }
    }
}

fn rules() -> RiskRules {
    let mut config = Config::default();
    config.risk.rules = vec![RiskRule {
        name: "access".to_owned(),
        depth: RiskDepth::Panel,
        paths: vec!["access/".to_owned()],
        ..RiskRule::default()
    }];
    RiskRules::new(&config, JudgementKind::Push, None, Timestamp(0)).unwrap()
}

fn replayed(planted: &Planted, rules: &RiskRules) -> ReplayDocument {
    let evidences = Evidences::new(&planted.past.runs, &TaskConfig::default(), Some(1.0));
    let (since, now) = (Timestamp(0), Timestamp(1));
    let family = JudgementKind::Push;
    let asked = Planned { family, rules, since, now, evidences: &evidences };
    replay(&asked, &planted.past, &planted.facts, &planted.labels)
}

fn holds(figure: &Figure, truth: f64) -> bool {
    figure.low.is_some_and(|low| low <= truth) && figure.high.is_some_and(|high| truth <= high)
}

fn share_holds(share: &Share, truth: f64) -> bool {
    (share.low..=share.high).contains(&truth)
}

/// Whether all intervals hold what is true together, where rules reach such a share of what is missed.
fn covers(found: &ReplayDocument, truth: &Spent, reached: f64) -> bool {
    let left = 0.5 * (0.5 * CAUGHT + 0.5 * WRONGLY_STOPPED);
    [
        holds(&found.calls, truth.calls as f64),
        holds(&found.tokens, truth.tokens.unwrap() as f64),
        holds(&found.cost, truth.cost.unwrap()),
        holds(&found.seconds, truth.seconds.unwrap()),
        share_holds(&found.reached, reached),
        share_holds(found.caught.as_ref().unwrap(), CAUGHT),
        share_holds(found.wrongly_stopped.as_ref().unwrap(), WRONGLY_STOPPED),
        share_holds(found.left_to_person.as_ref().unwrap(), left),
        (found.caught_low..=found.caught_high).contains(&(reached * CAUGHT)),
    ]
    .into_iter()
    .all(|holds| holds)
}

/// The share of what one judge misses that is risky.
const REACHED: f64 = RISKY * POOR[1] / (RISKY * POOR[1] + (1.0 - RISKY) * POOR[0]);

#[test]
fn intervals_cover_the_truth_together_in_95_of_100_seeds() {
    let rules = rules();
    let (mut covered, mut width, mut caught_width) = (0, 0.0, 0.0);
    for seed in 0..100 {
        let planted = planted(seed);
        let found = replayed(&planted, &rules);
        let truth = planted.truth;
        covered += u32::from(covers(&found, &truth, REACHED));
        let calls = &found.calls;
        width += (calls.high.unwrap() - calls.low.unwrap()) / truth.calls as f64 / 100.0;
        caught_width += (found.caught_high - found.caught_low) / 100.0;
    }
    assert!(covered >= 95, "{covered} of 100");
    // An interval that says nothing covers everything.
    assert!(width < 0.15, "{width}");
    assert!(caught_width < 0.65, "{caught_width}");
}

#[test]
fn promised_share_is_caught_at_the_promised_cost() {
    let planted = planted(7);
    let found = replayed(&planted, &rules());
    assert_eq!(found.depths.iter().map(|d| d.certain).sum::<u64>(), (CHANGES + PANELS) as u64);
    let risky = found.deeper.least;
    assert_eq!(
        (found.deeper.least, found.deeper.of),
        (found.deeper.most, (CHANGES + PANELS) as u64)
    );
    assert_eq!(found.rules[0].least, risky);
    // A quarter of all is looked at deeper, and two thirds of what is missed is among it.
    assert!((390..510).contains(&risky), "{risky}");
    let estimate = found.calls.estimate.unwrap();
    assert!((estimate / risky as f64 - 2.25).abs() < 0.15, "{estimate}");
    assert!(found.reached.least * 2 > found.reached.of, "{:?}", found.reached);
}

#[test]
fn without_runs_of_a_panel_there_are_bounds_and_no_estimate() {
    let mut planted = planted(1);
    planted.past.runs.truncate(FEW as usize - 1);
    let found = replayed(&planted, &rules());
    let risky = found.deeper.least as f64;
    assert_eq!((found.calls.estimate, found.calls.has_evidence), (None, false));
    assert_eq!(found.calls.low, Some(2.0 * risky));
    assert_eq!(found.calls.high, Some(18.0 * risky));
    assert_eq!((found.tokens.high, found.cost.high), (None, Some(risky)));
    assert_eq!(found.seconds.high, Some(180.0 * risky));
    assert!(found.caveats.iter().any(|text| text.starts_with("not enough evidence")));
    planted.past.runs.clear();
    let found = replayed(&planted, &rules());
    assert_eq!((found.caught, found.caught_low), (None, 0.0));
    assert_eq!(found.caught_high, found.reached.high);
}

#[test]
fn change_of_which_little_is_known_is_between_two_depths() {
    let mut planted = planted(2);
    for change in &mut planted.facts.changes {
        change.is_complete = false;
    }
    let found = replayed(&planted, &rules());
    assert!(found.deeper.least < found.deeper.most && found.deeper.most == found.changes);
    assert_eq!(found.calls.estimate, None);
    assert!(found.calls.low.unwrap() < found.calls.high.unwrap() / 3.0);
}
