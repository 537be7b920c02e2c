//! Labels that a file states the choice of.

use super::*;

#[test]
fn imported_labels_count_as_they_state_and_are_named() {
    let rows = planted(30, 4);
    let state = |l: Labelled| Labelled {
        import: Some("old.jsonl".into()),
        stated: Some(Drawn::Audit(1.0)),
        ..l
    };
    let labels: Vec<_> = agreed(&rows).into_iter().map(state).collect();
    let none = Plan::default();
    // Later rules let no file decide alone.
    let earlier = Input { rules: WindowRules::Earlier, ..input(&rows, &labels, &none) };
    let r = readiness(&Input { release: Release::V02, ..earlier });
    assert_eq!(r.result, ReadinessResult::Ready, "{r:#?}");
    let r = readiness(&earlier);
    assert_eq!(r.result, ReadinessResult::NotEnoughEvidence);
    let block = r.blocks.iter().find(|b| b.id == "stated_alone").unwrap();
    assert!(block.text.ends_with("(new with this version)"), "{}", block.text);
    let caveat = r.caveats.iter().find(|c| c.id == "imported_labels").unwrap();
    assert!(caveat.text.contains("old.jsonl"), "{}", caveat.text);
    let picked = |l: &Labelled| Labelled { stated: None, ..l.clone() };
    let labels: Vec<_> = labels.iter().map(picked).collect();
    let r = readiness(&input(&rows, &labels, &none));
    assert_eq!(result(&r, Measure::FalseNegativeRate), KpiResult::NotEstimable);
}

#[test]
fn import_beside_draw_reports_excluded_labels() {
    let (rows, plan) = (planted(30, 4), plan(0.5));
    let state = |l: Labelled| Labelled {
        import: Some("old.jsonl".into()),
        stated: Some(Drawn::Audit(0.5)),
        ..l
    };
    let passed = |(e, label): (&Evaluation, Labelled)| match e.outcome {
        Outcome::Go => state(label),
        _ => label,
    };
    let all: Vec<_> = rows.iter().zip(agreed(&rows)).map(passed).collect();
    let r = readiness(&input(&rows, &all, &plan));
    let caveat = r.caveats.iter().find(|c| c.id == "imported_labels").unwrap();
    let drawn: u64 = r.days.iter().map(|d| d.audit).sum();
    let expected = "for 480 passed records the audit sample decides instead";
    assert!(caveat.text.contains(expected), "{}", caveat.text);
    assert!(caveat.text.contains(&format!("did not draw {}", 480 - drawn)), "{}", caveat.text);
    // The numbers are those of the draw alone.
    let plain = readiness(&input(&rows, &agreed(&rows), &plan));
    assert_eq!(r.kpis, plain.kpis);
}
