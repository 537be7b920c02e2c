//! Evidence that contradicts itself.

use super::*;

static LONGER: LazyLock<Policy> = LazyLock::new(|| Policy { days: 31, ..Policy::default() });

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
    // A window of an earlier version keeps what it meant.
    assert_eq!(blocks(&rows, &labels, |i| i.rules = WindowRules::Earlier), [""; 0]);
    let flagged: Vec<_> = rows.iter().filter(|e| e.outcome == Outcome::NoGo).collect();
    labels.extend(flagged.iter().map(|e| label(e.id, "b", 2, Word::Poor)));
    assert_eq!(blocks(&rows, &labels, |_| {}), [""; 0]);
    let (rows, labels) = imported(0.6, 4);
    assert_eq!(blocks(&rows, &labels, |_| {}), ["stated_fraction", "stated_alone"]);
    let (rows, labels) = imported(0.1, 4);
    assert_eq!(blocks(&rows, &labels, |_| {}), ["stated_fraction", "stated_alone"]);
    // Before the window's days are closed a part may come yet.
    let found = blocks(&rows, &labels, |i| i.policy = &LONGER);
    assert!(!found.contains(&"stated_fraction".to_owned()), "{found:?}");
}

#[test]
fn records_that_are_gone_block_with_their_number() {
    let (rows, plan) = (planted(30, 4), plan(1.0));
    let labels = agreed(&rows);
    let absent = Absent { labelled: 3, held: 12 };
    let r = readiness(&Input { absent, ..input(&rows, &labels, &plan) });
    blocked_by(&r, &["labels_elsewhere", "logs_shrunk"]);
    assert!(r.blocks[0].text.starts_with("3 records that were labelled"), "{:?}", r.blocks);
    assert!(r.blocks[1].text.contains("lack 12 push evaluations"), "{:?}", r.blocks);
    assert_eq!(r.result, ReadinessResult::NotEnoughEvidence);
    // It is an input of the report like any other.
    let whole = readiness(&input(&rows, &labels, &plan));
    assert!(whole.evidence != r.evidence && whole.result == ReadinessResult::Ready, "{whole:#?}");
}
