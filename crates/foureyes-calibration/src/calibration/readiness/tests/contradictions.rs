//! Evidence that contradicts itself.

use super::*;

static LONGER: LazyLock<Policy> = LazyLock::new(|| Policy { days: 31, ..single() });

/// Thirty days of which an import states how what passed was chosen, and labels the NO-GOs.
fn imported(pi: f64, every: u64) -> (Vec<Evaluation>, Vec<Labelled>) {
    let rows = planted(30, 4);
    let chosen = |(n, e): &(usize, Evaluation)| {
        e.outcome == Outcome::NoGo || (*n as u64).is_multiple_of(every)
    };
    let kept: Vec<Evaluation> =
        rows.iter().copied().enumerate().filter(chosen).map(|(_, e)| e).collect();
    let state = |l: Labelled| Labelled {
        import: Some("old.jsonl".into()),
        stated: Some(Drawn::Audit(pi)),
        ..l
    };
    let labels = agreed(&kept).into_iter().map(state).collect();
    (rows, labels)
}

fn blocks(
    rows: &[Evaluation],
    labels: &[Labelled],
    change: impl Fn(&mut Input<'_>),
) -> Vec<String> {
    let plan = Plan::default();
    let mut input = input(rows, labels, &plan);
    change(&mut input);
    readiness(&input).blocks.into_iter().map(|b| b.id).collect()
}

#[test]
fn stated_sample_requires_own_census_and_valid_probability() {
    let (rows, mut labels) = imported(0.25, 4);
    assert_eq!(blocks(&rows, &labels, |_| {}), ["stated_alone"]);
    // A window of an earlier version knew less of it, and 0.2 answers as it did.
    let as_before = |i: &mut Input<'_>| i.release = Release::V02;
    assert_eq!(blocks(&rows, &labels, |i| i.rules = WindowRules::Earlier), ["stated_alone"]);
    let earlier = |i: &mut Input<'_>| (i.rules, i.release) = (WindowRules::Earlier, Release::V02);
    assert_eq!(blocks(&rows, &labels, earlier), [""; 0]);
    assert_eq!(blocks(&rows, &labels, as_before), ["stated_alone"]);
    let flagged: Vec<_> = rows.iter().filter(|e| e.outcome == Outcome::NoGo).collect();
    labels.extend(flagged.iter().map(|e| label(e.id, "b", 2, Word::Poor)));
    assert_eq!(
        blocks(&rows, &labels, |_| {}),
        ["stated_alone"],
        "the sample of GO is still stated"
    );
    assert_eq!(blocks(&rows, &labels, as_before), [""; 0]);
    let (rows, labels) = imported(0.6, 4);
    assert_eq!(blocks(&rows, &labels, |_| {}), ["stated_fraction", "stated_alone"]);
    let (rows, labels) = imported(0.1, 4);
    assert_eq!(blocks(&rows, &labels, |_| {}), ["stated_fraction", "stated_alone"]);
    // Before the window's days are closed a part may come yet.
    let found = blocks(&rows, &labels, |i| i.policy = &LONGER);
    assert!(!found.contains(&"stated_fraction".to_owned()), "{found:?}");
}

#[test]
fn census_of_which_files_state_more_than_half_is_stated() {
    let (rows, plan) = (planted(30, 4), plan(1.0));
    let flagged = |e: &&Evaluation| e.outcome == Outcome::NoGo;
    let ids: Vec<RecordId> = rows.iter().filter(flagged).map(|e| e.id).collect();
    let blocked = |own: usize| {
        let mut labels = agreed(&rows);
        for label in labels.iter_mut().filter(|l| ids[own..].contains(&l.record)) {
            label.import = Some("old.jsonl".into());
        }
        let r = readiness(&input(&rows, &labels, &plan));
        r.blocks.iter().any(|block| block.id == "stated_alone")
    };
    let half = ids.len() / 2;
    assert_eq!([0, 1, half - 1, half].map(blocked), [true, true, true, false]);
}

#[test]
fn what_is_only_stated_meets_no_error_rate_without_a_waiver() {
    let (rows, labels) = imported(1.0, 1);
    let none = Plan::default();
    let plain = single();
    let base = Input { policy: &plain, ..input(&rows, &labels, &none) };
    let rates = [Measure::FalsePositiveRate, Measure::FalseNegativeRate];
    let results = |input: &Input<'_>| rates.map(|m| result(&readiness(input), m));
    assert_eq!(results(&base), [KpiResult::NotEnoughEvidence; 2]);
    assert_eq!(results(&Input { release: Release::V02, ..base }), [KpiResult::Met; 2]);
    let [what, name, reason, until] =
        ["stated_alone", "Ada", "a trial", "2200-01-01"].map(str::to_owned);
    let waivers = vec![Waiver { what, name, reason, until }];
    let policy = Policy { waivers, ..single() };
    assert_eq!(results(&Input { policy: &policy, ..base }), [KpiResult::Met; 2]);
    // A census that files state alone carries none either, whatever draws the rest.
    let plan = plan(1.0);
    let from_file = |e: &Evaluation, label: Labelled| match e.outcome {
        Outcome::NoGo => Labelled { import: Some("old.jsonl".into()), ..label },
        _ => label,
    };
    let rows = planted(30, 4);
    let labels: Vec<Labelled> =
        rows.iter().zip(agreed(&rows)).map(|(e, label)| from_file(e, label)).collect();
    let of = |labels| results(&Input { policy: &plain, ..input(&rows, labels, &plan) });
    assert_eq!(of(&labels), [KpiResult::NotEnoughEvidence; 2]);
    assert_eq!(of(&agreed(&rows)), [KpiResult::Met; 2]);
}

#[test]
fn records_that_are_gone_block_with_their_number() {
    let (rows, plan) = (planted(30, 4), plan(1.0));
    let labels = agreed(&rows);
    let absent = Absent { labelled: 3, first_words: [0, 2, 1], held: 12, entries: 0 };
    let r = readiness(&Input { absent, ..input(&rows, &labels, &plan) });
    blocked_by(&r, &["labels_elsewhere", "logs_shrunk"]);
    assert!(r.blocks[0].text.starts_with("3 records that were labelled"), "{:?}", r.blocks);
    assert!(r.blocks[0].text.ends_with("first called poor: 2, unsure: 1"), "{:?}", r.blocks);
    assert!(r.blocks[1].text.contains("lack 12 push evaluations"), "{:?}", r.blocks);
    assert_eq!(r.result, ReadinessResult::NotEnoughEvidence);
    // It is an input of the report like any other.
    let whole = readiness(&input(&rows, &labels, &plan));
    assert!(whole.evidence != r.evidence && whole.result == ReadinessResult::Ready, "{whole:#?}");
}
