//! Made-up windows through the real gate, and consoles that are told of them.

use super::logs;
use super::world::{Setup, World};
use foureyes::assess::{Point, RateSaid, Report, Week};
use foureyes::calibration::{
    Absent, Allowance, Evaluation, Fingerprint, FlagRate, Input, Inputs, Labelled, Part, PartRate,
    Plan, Policy, Rate, Readiness, Release, Replay, SecondWord, Stratum, Waiver, WindowRules, Word,
    readiness,
};
use foureyes::domain::{IdMap, JudgementKind, Outcome, RecordId, Scores, Timestamp};
use foureyes::tui::model::{AssessmentDetails, Problem};
use foureyes::tui::{Effect, Message};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// The first day of the made-up windows.
const FIRST: i32 = 20_454;

fn evaluation(day: i32, n: u64, outcome: Outcome) -> Evaluation {
    let number = day as u64 * 1_000 + n;
    Evaluation {
        id: RecordId(*blake3::hash(&number.to_be_bytes()).as_bytes()),
        at: Timestamp(Timestamp::of_day(FIRST + day).0 + n as i64 * 60_000_000),
        outcome,
        cause: None,
        reports_outages: true,
        latency_ms: Some(5_000 + n * 10).into(),
        stratum: 0,
        fingerprint: 0,
        agent: 0,
        repeated: None.into(),
        first: outcome != Outcome::Undetermined,
        first_seen: true,
        retried_after: None.into(),
        times: 1,
    }
}

fn label(record: RecordId, reviewer: &str, second: i64, word: Word) -> Labelled {
    Labelled {
        record,
        at: Timestamp(Timestamp::of_day(FIRST + 30).0 + second * 1_000_000),
        reviewer: reviewer.into(),
        word,
        stated: None,
        import: None,
        blind: second % 25 != 0,
        seen: true,
        repeat: false,
        adjudicates: false,
        requested: None,
        scores: Scores { semantic: Some(3.0), pragmatic: Some(4.0), syntactic: None },
    }
}

/// A window of so many days: what the judge said, and what reviewers say of the first so many.
pub(super) struct Planted {
    pub(super) days: i32,
    pub(super) labelled_days: i32,
    pub(super) reviewers: [&'static str; 2],
    /// Of twenty labels one says that the judge was wrong.
    pub(super) errs: bool,
    /// Nothing that passed is labelled, and no sample of it is drawn.
    pub(super) only_flagged: bool,
    pub(super) policy: Policy,
    pub(super) start: bool,
    pub(super) family: JudgementKind,
}

impl Default for Planted {
    fn default() -> Self {
        Self {
            days: 16,
            labelled_days: 14,
            reviewers: ["alice", "bob"],
            errs: true,
            only_flagged: false,
            policy: Policy::default(),
            start: true,
            family: JudgementKind::Push,
        }
    }
}

impl Planted {
    fn rows(&self) -> Vec<Evaluation> {
        let outcome = |n| match n {
            0..4 => Outcome::NoGo,
            4 => Outcome::Undetermined,
            _ => Outcome::Go,
        };
        // On one day nothing was judged.
        let days = (0..self.days).filter(|d| *d != 5);
        days.flat_map(|d| (0..20).map(move |n| evaluation(d, n, outcome(n)))).collect()
    }

    fn labels(&self, rows: &[Evaluation]) -> Vec<Labelled> {
        let mut labels = Vec::new();
        let end = Timestamp::of_day(FIRST + self.labelled_days);
        let wanted = |e: &&Evaluation| {
            e.at < end && e.first && (e.outcome == Outcome::NoGo || !self.only_flagged)
        };
        for (at, e) in rows.iter().filter(wanted).enumerate() {
            let right = if e.outcome == Outcome::NoGo { Word::Poor } else { Word::Acceptable };
            let wrong = if right == Word::Poor { Word::Acceptable } else { Word::Poor };
            let word = match at % 20 {
                7 if self.errs => wrong,
                13 if self.errs => Word::Unsure,
                _ => right,
            };
            labels.push(label(e.id, self.reviewers[0], at as i64, word));
            if at % 5 == 0 {
                labels.push(label(e.id, self.reviewers[1], 10_000 + at as i64, right));
            }
            if at % 11 == 0 {
                let again = label(e.id, self.reviewers[0], 20_000 + at as i64, word);
                labels.push(Labelled { repeat: true, ..again });
            }
        }
        labels
    }

    /// What the gate says of it.
    pub(super) fn readiness(&self) -> Readiness {
        self.assessed().readiness.clone()
    }

    pub(super) fn assessed(&self) -> Arc<Report> {
        let rows = self.rows();
        let mut labels = self.labels(&rows);
        labels.extend(self.second_labels(&rows, &labels));
        self.report(&rows, &labels)
    }

    /// The same word on all that waits for a second one, by the second reviewer: where the judge was wrong,
    /// both say so.
    fn second_labels(&self, rows: &[Evaluation], labels: &[Labelled]) -> Vec<Labelled> {
        let second = |(at, second): (usize, &SecondWord)| {
            let first = labels.iter().find(|label| label.record == second.record);
            let word = first.map_or(Word::Unsure, |label| label.word);
            let label = label(second.record, self.reviewers[1], 30_000 + at as i64, word);
            Labelled { requested: Some(second.requested), ..label }
        };
        let first = self.report(rows, labels);
        let waiting = &first.readiness.reviewer_error.second_words.waiting;
        waiting.iter().enumerate().map(second).collect()
    }

    fn report(&self, rows: &[Evaluation], labels: &[Labelled]) -> Arc<Report> {
        let scores: IdMap<Scores> = rows.iter().map(|e| (e.id, score(e))).collect();
        let rate = Rate { from: Timestamp(i64::MIN), stratum: Stratum::Go, pi: 1.0, key: [1; 32] };
        let (judge, plan) = ([Fingerprint::default()], Plan { rates: vec![rate] });
        let plan = if self.only_flagged { Plan::default() } else { plan };
        let input = Input {
            family: self.family,
            evaluations: rows,
            folded: None,
            labels,
            changed: &[],
            as_words_stand: false,
            spoken: None,
            called_poor: &HashSet::new(),
            first_labels: None,
            later: &[],
            scores: &scores,
            strata: &[],
            fingerprints: &judge,
            rounds: &[],
            plan: &plan,
            policy: &self.policy,
            policy_since: None,
            window_start: self.start.then(|| Timestamp::of_day(FIRST)),
            counted_from: None,
            natural: None,
            allowance: Allowance::FIRST,
            labelled_before_window: 0,
            rules: WindowRules::Current,
            release: Release::V03,
            now: Timestamp::of_day(FIRST + self.days),
            complete_until: Timestamp::of_day(FIRST + self.days),
            missing_boxes: &[],
            damaged: &[],
            absent: Absent::default(),
        };
        Arc::new(Report {
            readiness: readiness(&input),
            policy: self.policy.clone(),
            policy_file: None,
            complete_until: input.complete_until,
            boxes: vec!["north".to_owned()],
            missing_boxes: Vec::new(),
            labels: labels.len() as u64,
            inputs: Inputs::new(&input),
        })
    }

    pub(super) fn parts(&self) -> Arc<AssessmentDetails> {
        let rows = self.rows();
        let words: HashMap<RecordId, Word> =
            self.labels(&rows).iter().map(|l| (l.record, l.word)).collect();
        let replay = |e: &Evaluation| {
            let (flagged, word) = (e.outcome == Outcome::NoGo, *words.get(&e.id)?);
            Some(Replay {
                flagged,
                word,
                pi: 1.0,
                smallest: 1.0,
                covered: true,
                weight: 1.0,
                scores: score(e),
            })
        };
        let rate = PartRate {
            id: foureyes::calibration::Measure::FalsePositiveRate,
            estimate: 0.0625,
            lower: 0.031,
            upper: 0.123,
            labels: 64,
        };
        let part = |name: &str, few| Part {
            name: name.to_owned(),
            contents: [56, 210],
            flag_rate: FlagRate { estimate: 56.0 / 266.0, lower: 0.163, upper: 0.264 },
            rates: vec![rate.clone()],
            few,
            comparisons: Vec::new(),
        };
        Arc::new(AssessmentDetails {
            replays: Arc::new(rows.iter().filter_map(replay).collect()),
            picked: [3, 2, 1],
            rates: vec![
                ("judge", vec![part("llama3.2:3b", false), part("\u{1b}[2J\u{202e}evil", true)]),
                ("week", Vec::new()),
            ],
            drift: weeks(),
            sample: vec![RateSaid {
                from: Timestamp::of_day(FIRST),
                stratum: None,
                rate: 1.0,
                reviewer: "alice\u{1b}[2J".to_owned(),
                chosen: false,
            }],
            natural: None,
            unusable: vec!["the audit rate said on \u{202e}1 does not hold".to_owned()],
            peer: None,
        })
    }
}

/// Four weeks, in the third of which another judge came.
fn weeks() -> Vec<Week> {
    let point = |mean, stability, p, alarm| Some(Point { scores: 40, mean, stability, p, alarm });
    let week = |day: i32, points, judges| Week {
        monday: Timestamp::of_day(FIRST + day).day_text(),
        evaluations: 140,
        points,
        judges,
    };
    let same = point(3.8, Some(0.01), Some(0.93), false);
    let moved = point(2.6, Some(0.31), Some(0.002), true);
    vec![
        week(-3, [point(3.8, None, None, false), same, None], Vec::new()),
        week(4, [same, same, None], Vec::new()),
        week(11, [moved, same, None], vec!["llama\u{1b}[2J / v2".to_owned()]),
        week(18, [moved, None, None], Vec::new()),
    ]
}

fn score(e: &Evaluation) -> Scores {
    let low = if e.outcome == Outcome::NoGo { 2.0 } else { 4.0 };
    Scores { semantic: Some(low), pragmatic: Some(3.5), syntactic: None }
}

/// Nobody labelled anything, and no window was started.
pub(super) fn unlabelled() -> Planted {
    Planted { labelled_days: 0, start: false, ..Planted::default() }
}

/// A judge that errs nowhere, for long enough, with a waiver for the day without data.
pub(super) fn faultless() -> Planted {
    let waiver = |what: &str| Waiver {
        what: what.to_owned(),
        name: "Dana \u{202e}\u{1b}]0;x\u{7}".to_owned(),
        reason: "the box was \u{1b}[31mmoved".to_owned(),
        until: "2027-01-01".to_owned(),
    };
    let policy = Policy { waivers: vec![waiver("missing_days")], ..Policy::default() };
    Planted { days: 40, labelled_days: 40, errs: false, policy, ..Planted::default() }
}

/// Names that want to steer the terminal.
pub(super) fn hostile() -> Planted {
    let reviewers = ["\u{1b}]0;owned\u{7}\u{202e}ecila", "b\u{200b}ob\r\n✔ READY\u{9b}2J"];
    Planted { reviewers, ..Planted::default() }
}

/// A console that was told of a window.
pub(super) fn console(size: (u16, u16), planted: &Planted, keys: &str) -> World {
    let mut world = World::new(&Setup { size, ..Setup::default() }, &logs::mixed());
    world.hold(|e| matches!(e, Effect::Assess { .. }));
    world.settle();
    world.keys(keys.split_whitespace().next().unwrap());
    tell(&mut world, planted);
    let rest = keys.split_whitespace().skip(1).collect::<Vec<_>>().join(" ");
    world.keys(&rest);
    world
}

/// A console that was told of a window of tasks, and shows it.
pub(super) fn tasks(size: (u16, u16), planted: Planted, keys: &str) -> World {
    let policy = Policy::for_family(JudgementKind::Task);
    let policy = Policy { waivers: planted.policy.waivers.clone(), ..policy };
    let planted = Planted { family: JudgementKind::Task, policy, ..planted };
    let mut world = loading(size, keys.split_whitespace().next().unwrap());
    world.keys("L g");
    tell(&mut world, &planted);
    let rest = keys.split_whitespace().skip(1).collect::<Vec<_>>().join(" ");
    world.keys(&rest);
    world
}

pub(super) fn tell(world: &mut World, planted: &Planted) {
    let generation = world.model.assess().generation;
    world.tell(Message::Assessed { generation, result: Ok(planted.assessed()) });
    world.tell(Message::Parts { generation, result: Ok(planted.parts()) });
    world.settle();
}

/// It is on its way.
pub(super) fn loading(size: (u16, u16), keys: &str) -> World {
    let mut world = World::new(&Setup { size, ..Setup::default() }, &logs::mixed());
    world.hold(|e| matches!(e, Effect::Assess { .. }));
    world.settle();
    world.keys(keys);
    world
}

/// It failed.
pub(super) fn failed(size: (u16, u16), keys: &str) -> World {
    let mut world = loading(size, keys);
    let generation = world.model.assess().generation;
    let problem =
        Problem::new("the ledger \u{1b}[2Jalice.jsonl cannot be read", "make it readable");
    world.tell(Message::Assessed { generation, result: Err(problem) });
    world
}
