use super::super::tests::{agreed, input, plan, planted, single};
use super::super::{Input, readiness};
use super::*;
use crate::calibration::evaluation::tests::evaluation;
use crate::calibration::label::tests::label;
use crate::calibration::number_text::{days, share};
use crate::calibration::{Evaluation, Fingerprint, Labelled, Plan, Policy, Word};
use crate::domain::{JudgementKind, Outcome, Timestamp};

fn kinds(r: &Readiness) -> Vec<&str> {
    r.steps.iter().map(|s| s.kind.as_str()).collect()
}

fn step<'r>(r: &'r Readiness, kind: &str) -> &'r Step {
    r.steps.iter().find(|s| s.kind == kind).unwrap_or_else(|| panic!("no {kind}: {:#?}", r.steps))
}

/// The same with another model from the 21st day on.
fn changed(rows: &mut [Evaluation]) -> [Fingerprint; 2] {
    rows.iter_mut().filter(|e| e.at.day() >= 20).for_each(|e| e.fingerprint = 1);
    ["one", "two"].map(|m| Fingerprint { model: Some(m.to_owned()), ..Fingerprint::default() })
}

#[test]
fn block_names_its_commands_and_earliest_ready_date() {
    let (mut rows, plan) = (planted(30, 4), plan(1.0));
    let judges = changed(&mut rows);
    let labels = agreed(&rows);
    let r = readiness(&Input { fingerprints: &judges, ..input(&rows, &labels, &plan) });
    assert_eq!(kinds(&r), ["block"], "{:#?}", r.steps);
    let block = &r.steps[0];
    assert_eq!(block.about.as_deref(), Some("fingerprint"));
    assert!(block.text.contains("1970-01-21"), "{}", block.text);
    let lines: Vec<&str> = block.ways.iter().flat_map(|w| &w.lines).map(String::as_str).collect();
    // It is the 31st; all days before have labels.
    let waive = "foureyes gate waive fingerprint --reason \"\" --until 1970-03-02";
    assert_eq!(lines, [waive, "foureyes gate window 1970-01-31"]);
    let from: Vec<_> = block.ways.iter().map(|w| w.ready_from.as_deref()).collect();
    // At four caught a day, 69 take eighteen days, and not the fourteen of the policy.
    assert_eq!(from, [Some("1970-01-31"), Some("1970-02-18")]);
    assert_eq!(block.ready_from.as_deref(), Some("1970-01-31"));
    assert_eq!(block.opens, Some(Opens::Records("family:push since:1970-01-21".to_owned())));
    // A label of today moves the start to tomorrow.
    rows.push(evaluation(99_000, 30, Outcome::Go));
    let labels = agreed(&rows);
    let now = Timestamp(Timestamp::of_day(30).0 + 3_600_000_000);
    let base = Input { fingerprints: &judges, ..input(&rows, &labels, &plan) };
    let r = readiness(&Input { now, complete_until: now, ..base });
    assert_eq!(r.steps[0].ways[1].lines, ["foureyes gate window 1970-02-01"]);
}

#[test]
fn pending_labels_are_counted_after_blocks() {
    let (mut rows, plan) = (planted(30, 4), plan(1.0));
    let judges = changed(&mut rows);
    let mut labels = agreed(&rows);
    labels.truncate(28 * 20 + 3);
    labels[21].word = Word::Unsure;
    labels.push(label(rows[0].id, "b", 2, Word::Acceptable));
    let base = input(&rows, &labels, &plan);
    let r = readiness(&Input { fingerprints: &judges, ..base });
    assert_eq!(kinds(&r)[..4], ["block", "label", "second_look", "conflicts"], "{:#?}", r.steps);
    let wait = step(&r, "label");
    assert_eq!(wait.title, "Label 37 records of 2 open days");
    assert_eq!((wait.labels, &wait.opens), (Some(37), &Some(Opens::Queue("calibration".into()))));
    assert!(wait.text.starts_with("About 19 minutes at half a minute each."), "{}", wait.text);
    assert_eq!(step(&r, "second_look").title, "Re-check 1 unsure record");
    assert_eq!(step(&r, "conflicts").labels, Some(1));
    for (kind, opens) in [
        ("second_look", Opens::Queue("second look".to_owned())),
        ("conflicts", Opens::Queue("conflicts".to_owned())),
    ] {
        assert_eq!(step(&r, kind).opens.as_ref(), Some(&opens));
    }
}

#[test]
fn short_window_names_first_sufficient_day() {
    let (rows, plan) = (planted(4, 8), plan(1.0));
    let labels = agreed(&rows);
    let r = readiness(&input(&rows, &labels, &plan));
    let wait = step(&r, "block");
    assert_eq!(wait.about.as_deref(), Some("short_window"));
    // Four days of fourteen are there on the fifth: ten more end with the fourteenth.
    assert_eq!((wait.ready_from.as_deref(), wait.days), (Some("1970-01-15"), Some(10)));
}

#[test]
fn steps_taking_years_come_last_and_impossible_ones_explain() {
    // Seven of ten are GO: just outside of what the default asks for.
    let (rows, plan) = (planted(40, 6), plan(1.0));
    let labels = agreed(&rows);
    let policy = Policy { go_rate: [0.675, 0.90], ..single() };
    let r = readiness(&Input { policy: &policy, ..input(&rows, &labels, &plan) });
    let wait = r.steps.last().unwrap();
    assert!(wait.takes_years(), "{:#?}", r.steps);
    assert!(wait.text.contains("years"));
    assert!(wait.text.contains("no labels needed"), "{}", wait.text);
    assert_eq!(wait.ways.len(), 1, "the GO rate can be waived: {:#?}", wait.ways);
    let policy = Policy { go_rate: [0.70, 0.90], ..single() };
    let r = readiness(&Input { policy: &policy, ..input(&rows, &labels, &plan) });
    let never = step(&r, "too_close");
    assert!(!kinds(&r).contains(&"hopeless"), "{:#?}", r.steps);
    let why = "The present rate of 70 % is too close to the threshold";
    assert!(never.text.starts_with(why), "{}", never.text);
    // A long wait never stands first where anything else can be done.
    let mut fewer = labels.clone();
    fewer.pop();
    let policy = Policy { go_rate: [0.675, 0.90], ..single() };
    let r = readiness(&Input { policy: &policy, ..input(&rows, &fewer, &plan) });
    assert_eq!(r.steps[0].kind, "label", "{:#?}", r.steps);
    assert!(r.steps.last().unwrap().takes_years());
}

#[test]
fn undecidable_labels_are_reported_for_any_unsure_outcome() {
    let (rows, plan) = (planted(20, 4), plan(1.0));
    let mut labels = agreed(&rows);
    let flagged: Vec<usize> = (0..rows.len()).filter(|n| n % 20 < 4).collect();
    // Spread evenly: else the first days alone would show it to be too many.
    let some = |from: usize, count: usize| flagged.iter().skip(from).step_by(7).take(count);
    some(0, 11).for_each(|n| labels[*n].word = Word::Acceptable);
    some(3, 3).for_each(|n| labels[*n].word = Word::Unsure);
    let policy = Policy { false_positive: crate::calibration::FalsePositive::Both, ..single() };
    let r = readiness(&Input { policy: &policy, ..input(&rows, &labels, &plan) });
    let of = |r: &Readiness| {
        let id = Some("false_discovery_rate");
        r.steps.iter().find(|s| s.about.as_deref() == id).map(|s| s.text.clone()).unwrap()
    };
    // 11 of 80 are wrong however the three are read: 13.8 %.
    let text = of(&r);
    let why = "At the present rate (13.8 % or more, threshold 10 %) more labels cannot make this \
               pass, however the unsure ones are decided.";
    assert!(text.starts_with(why), "{text}");
    some(0, 6).for_each(|n| labels[*n].word = Word::Poor);
    let r = readiness(&Input { policy: &policy, ..input(&rows, &labels, &plan) });
    let text = of(&r);
    let why = "Unsure labels count as errors (10 % with them, threshold 10 %)";
    assert!(text.starts_with(why), "{text}");
    assert_eq!(step(&r, "second_look").labels, Some(3));
}

#[test]
fn another_rate_of_the_sample_is_named_where_it_decides_sooner() {
    let rows = planted(20, 2);
    let plan = plan(0.1);
    let keep = |l: &Labelled| {
        let e = rows.iter().find(|e| e.id == l.record).unwrap();
        e.outcome == Outcome::NoGo || plan.rates[0].draw(&e.id) < 0.1
    };
    let labels: Vec<Labelled> = agreed(&rows).into_iter().filter(keep).collect();
    let r = readiness(&input(&rows, &labels, &plan));
    let rate = step(&r, "audit_rate");
    assert_eq!(rate.opens, Some(Opens::AuditRate));
    let needed = r.next.iter().find(|n| n.kpi == Measure::FalseNegativeRate).unwrap();
    assert!(rate.days < needed.days, "{rate:#?} {needed:#?}");
    assert!(rate.ways[0].lines[0].starts_with("foureyes gate audit "), "{rate:#?}");
    let price = needed.prices.iter().find(|p| Some(p.days) == rate.days).unwrap();
    assert!(rate.title.contains(&share(price.pi)) && rate.text.contains(&days(price.days)));
    // Where all is looked at already there is no other rate.
    let whole = super::super::tests::plan(1.0);
    let labels = agreed(&rows);
    assert!(!kinds(&readiness(&input(&rows, &labels, &whole))).contains(&"audit_rate"));
    // Without a sample the first step is to draw one.
    let none = Plan::default();
    let r = readiness(&input(&rows, &labels[..0], &none));
    assert_eq!(kinds(&r)[0], "audit", "{:#?}", r.steps);
    assert!(r.steps.iter().all(|s| s.about.as_deref() != Some("false_negative_rate")));
}

#[test]
fn final_answer_names_what_to_do() {
    let (rows, plan) = (planted(30, 4), plan(1.0));
    let labels = agreed(&rows);
    let r = readiness(&input(&rows, &labels, &plan));
    assert_eq!((r.result, kinds(&r)), (ReadinessResult::Ready, vec!["switch", "keep"]));
    let mut bad = labels.clone();
    for n in (0..rows.len()).filter(|n| n % 20 >= 16) {
        bad[n].word = Word::Poor;
    }
    let r = readiness(&input(&rows, &bad, &plan));
    assert_eq!(r.result, ReadinessResult::NotReady);
    assert!(kinds(&r).iter().all(|k| *k == "not_met"), "{:#?}", r.steps);
    assert!(r.steps[0].ways[0].lines[0].starts_with("foureyes gate window "));
}

#[test]
fn rule_without_own_remedy_gets_default() {
    let (rows, plan) = (planted(30, 4), plan(1.0));
    let labels = agreed(&rows);
    let r = readiness(&input(&rows, &labels, &plan));
    let policy = Policy::default();
    let facts = Facts {
        unmet_as_words_stand: Vec::new(),
        met_as_words_stand: Vec::new(),
        confirmed_from: 0,
        lapses_on: None,
        family: JudgementKind::Push,
        policy: &policy,
        unlabelled_from: 40,
        pi: 1.0,
        soonest: Vec::new(),
        held: Vec::new(),
        anew: 0,
        first_rates: Vec::new(),
    };
    let ended = remedies::remedy("something_new", &r, &facts);
    assert_eq!(ended.title, "Start a new window without something new");
    assert_eq!(ended.ways[0].lines, ["foureyes gate window 1970-02-10"]);
    assert_eq!(ended.days, 10 + 14);
}

#[test]
fn without_a_window_nothing_comes_before_its_start() {
    let (rows, plan) = (planted(30, 4), plan(1.0));
    let labels = agreed(&rows[..40]);
    let r = readiness(&Input { window_start: None, ..input(&rows, &labels, &plan) });
    let ids: Vec<_> = r.steps.iter().map(|s| (s.kind.as_str(), s.about.as_deref())).collect();
    assert_eq!(ids, [("block", Some("no_window"))], "what is to be labelled is not known before");
    // What was judged before comes first, a day that somebody chooses last.
    let commands: Vec<&str> = r.steps[0].ways.iter().map(|way| way.lines[0].as_str()).collect();
    assert_eq!(commands, ["foureyes gate window", "foureyes gate window 1970-01-31"]);
}

mod sequence;
