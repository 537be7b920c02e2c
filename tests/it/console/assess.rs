//! Calibration and readiness on the screen.

use super::legal::legal;
use super::planted::{Planted, console, faultless, loading, tell};
use super::world::{Setup, World};
use super::{logs, paper};
use foureyes::assess::Report;
use foureyes::calibration::{Candidate, FalsePositive, KpiRow, Opens, Policy, ReadinessResult};
use foureyes::tui::model::{Problem, Screen};
use foureyes::tui::{Effect, Message};

/// Shows what is folded under the cursor.
pub(super) fn unfold(world: &mut World) {
    let count = |world: &World| match world.model.screen {
        Screen::Calibration => world.model.assess().calibration.unfolded.len(),
        Screen::Readiness => world.model.assess().readiness.unfolded.len(),
        _ => 0,
    };
    let before = count(world);
    world.keys("space");
    // What was unfolded already is folded now.
    if count(world) < before {
        world.keys("space");
    }
}

/// Every line that walking the whole page shows.
pub(super) fn walked(world: &mut World) -> Vec<String> {
    world.keys("g");
    let mut lines = Vec::new();
    let place = |world: &World| match world.model.screen {
        Screen::Calibration => world.model.assess().calibration.cursor,
        Screen::Readiness => world.model.assess().readiness.cursor,
        _ => world.model.overview.cursor,
    };
    for _ in 0..500 {
        unfold(world);
        let buffer = paper::drawn(&world.model);
        paper::harmless(&buffer, "a page of the assessment");
        legal(&world.model).unwrap();
        lines.extend(paper::lines(&buffer));
        let before = place(world);
        world.keys("j");
        if place(world) == before {
            break;
        }
    }
    lines.dedup();
    lines
}

#[track_caller]
pub(super) fn holds(lines: &[String], texts: &[String]) {
    let fits = |line: &String| {
        let mut rest = line.as_str();
        texts.iter().all(|t| rest.find(t.as_str()).map(|at| rest = &rest[at + t.len()..]).is_some())
    };
    assert!(lines.iter().any(fits), "{texts:?} in\n{}", lines.join("\n"));
}

fn percent(share: f64) -> String {
    format!("{:.1} %", share * 100.0)
}

/// The numbers of a KPI, wherever it is shown.
fn kpi(lines: &[String], row: &KpiRow) {
    let right = row.denominator - row.numerator;
    let counts = match row.definition.as_str() {
        "fpr" => format!("{} FP, {right} TN", row.numerator),
        "fnr" => format!("{} FN, {right} TP", row.numerator),
        _ => format!("{} of {}", row.numerator, row.denominator),
    };
    // What was found stands below, once the line is unfolded, and so do the counts where there is no room beside it.
    // A line may be at the end of the screen, and be on it again further up.
    let all = lines.windows(5).filter(|five| five[0].contains(row.id.title()));
    let near = all.filter(|five| five.iter().any(|line| line.contains(&counts)));
    let near: Vec<String> = near.flatten().cloned().collect();
    assert!(!near.is_empty(), "{} {counts} in\n{}", row.id.title(), lines.join("\n"));
    holds(&near, &[row.result.title().to_owned()]);
    let Some(estimate) = row.estimate else { return };
    let value = |v: f64| match row.id.as_str() {
        "median_latency" => format!("{v:.2}"),
        _ => format!("{:.1}", v * 100.0),
    };
    let mut texts = vec![value(estimate)];
    texts.extend([row.lower, row.upper].into_iter().flatten().map(value));
    holds(lines, &texts);
}

#[test]
fn every_number_of_the_readiness_screen_is_the_documents() {
    for (size, planted) in [((120, 40), Planted::default()), ((80, 24), faultless())] {
        let r = planted.readiness();
        let mut world = console(size, &planted, "5");
        let lines = walked(&mut world);
        holds(&lines, &[r.result.title().to_owned()]);
        r.kpis.iter().chain(&r.beside).for_each(|row| kpi(&lines, row));
        let w = &r.window;
        holds(&lines, &[format!("{} days with data ({} needed)", w.days_with_data, w.days_needed)]);
        holds(&lines, &[format!("{} days count", w.closed_days)]);
        w.missing_days.iter().for_each(|d| holds(&lines, std::slice::from_ref(d)));
        for row in &r.literal.kpis {
            let Some(estimate) = row.estimate.filter(|_| row.id.needs_labels()) else { continue };
            holds(&lines, &[format!("{}: {}, ", row.id.title(), percent(estimate))]);
        }
        let words: Vec<String> =
            r.caveats.iter().map(|c| c.text.chars().take(30).collect()).collect();
        words.iter().for_each(|w| holds(&lines, std::slice::from_ref(w)));
    }
}

#[test]
fn every_number_of_the_calibration_screen_is_the_documents() {
    for size in [(120, 40), (80, 24)] {
        let planted = Planted::default();
        let r = planted.readiness();
        let mut world = console(size, &planted, "4");
        let lines = walked(&mut world);
        let labelled = r.kpis.iter().chain(&r.beside).filter(|k| k.id.needs_labels());
        labelled.clone().for_each(|row| kpi(&lines, row));
        let strata = &labelled.clone().next().unwrap().strata;
        assert_eq!(strata.len(), 2);
        for s in strata {
            let acceptable = s.labelled - s.poor - s.unsure;
            let counts = [s.population, s.labelled, s.poor, acceptable, s.unsure];
            holds(&lines, &counts.map(|n| n.to_string()));
        }
        let poor = r.prevalence.as_ref().unwrap();
        let shares =
            [poor.estimate, poor.lower, poor.upper].map(|v| format!("{:.1}", v.unwrap() * 100.0));
        let [estimate, lower, upper] = shares;
        let shown = format!("corrected share of poor: {estimate} %");
        holds(&lines, &[format!("{shown}, {lower} to {upper} %")]);
        holds(&lines, &[format!("{} of {}", poor.flagged, poor.contents)]);
        let judge = r.agreement.judge.as_ref().unwrap();
        let (kappa, error) = (judge.kappa.unwrap(), judge.kappa_error.unwrap());
        // A line may end anywhere between the two.
        holds(&lines, &[format!("{kappa:.2}")]);
        holds(&lines, &[format!("{error:.2})")]);
        assert!(!r.agreement.reviewers.is_empty() && !r.agreement.selves.is_empty());
        let all = lines.join("\n");
        assert!(all.contains("alice and bob: agree on") && all.contains("alice again"), "{all}");
    }
}

#[test]
fn overview_shows_rates_and_answer_of_same_assessment() {
    let planted = Planted::default();
    let r = planted.readiness();
    let mut world = loading((120, 40), "1");
    let before = paper::text(&paper::drawn(&world.model));
    for title in ["false positive rate", "false negative rate"] {
        assert!(before.contains(&format!("{title} …")), "it is being counted: {before}");
    }
    tell(&mut world, &planted);
    let lines = walked(&mut world);
    for row in r.kpis.iter().filter(|k| k.id.needs_labels() && k.id.definition().is_kpi) {
        let right = row.denominator - row.numerator;
        let counts = match row.definition.as_str() {
            "fpr" => format!("{} FP, {right} TN", row.numerator),
            "fnr" => format!("{} FN, {right} TP", row.numerator),
            _ => format!("{} of {}", row.numerator, row.denominator),
        };
        let estimate = row.estimate.map(percent).unwrap();
        holds(&lines, &[row.id.title().to_owned(), estimate, counts]);
    }
    holds(&lines, &[r.result.title().to_owned()]);
    // Its line leads to the screen that says why.
    world.keys("g");
    for _ in 0..60 {
        let at = world.model.overview.cursor;
        world.keys("enter");
        if world.model.screen == Screen::Readiness {
            return;
        }
        world.keys("1");
        world.model.overview.cursor = at;
        world.keys("j");
    }
    panic!("nothing on the overview leads to the readiness");
}

#[test]
fn flagged_only_labels_estimate_no_error_rate_on_any_screen() {
    let planted = Planted { only_flagged: true, ..Planted::default() };
    assert_eq!(planted.readiness().result, ReadinessResult::NotEnoughEvidence);
    for (size, screen) in
        [(120, 40), (80, 24)].into_iter().flat_map(|s| ["4", "5", "1"].map(|k| (s, k)))
    {
        let mut world = console(size, &planted, screen);
        let lines = walked(&mut world);
        for title in ["false positive rate", "false negative rate"] {
            // What point estimates alone say has another title, and stands apart.
            let is_kpi = |line: &str| line.contains(title) && !line.contains(&format!("{title}:"));
            let rows = (0..lines.len()).filter(|at| is_kpi(&lines[*at]));
            let below = |at: usize| lines[at..lines.len().min(at + 4)].join("\n");
            let all: Vec<String> = rows.map(below).collect();
            assert!(all.iter().any(|t| t.contains("not estimable")), "{screen} {title}: {all:?}");
            let nothing = |text: &String| text.contains(" 0.0 %");
            assert!(!all.iter().any(nothing), "{screen} {title}: {all:?}");
        }
        // The calibration screen decides nothing.
        if screen != "4" {
            holds(&lines, &["NOT ENOUGH EVIDENCE".to_owned()]);
        }
    }
}

#[test]
fn figures_lead_to_the_records_behind_them() {
    let both = Policy { false_positive: FalsePositive::Both, ..Policy::default() };
    let planted = Planted { policy: both, ..Planted::default() };
    let mut found = std::collections::BTreeSet::new();
    for screen in ["4", "5"] {
        let mut world = console((120, 40), &planted, screen);
        for _ in 0..200 {
            unfold(&mut world);
            for _ in 0..6 {
                found.extend(foureyes::tui::screen::overview::target(&world.model));
                world.keys("l");
            }
            world.keys("j h h h h h h");
        }
    }
    for text in ["verdict:no-go label:acceptable", "verdict:go label:poor", "verdict:go label:any"]
    {
        assert!(found.contains(&format!("family:push {text}")), "{found:?}");
    }
    assert!(found.iter().any(|f| f.contains("day:") && f.ends_with("label:none")), "{found:?}");
    for text in found {
        foureyes::frame::query::Query::parse(&text).unwrap_or_else(|e| panic!("{text}: {e:?}"));
    }
}

#[test]
fn slider_replays_rule_and_each_viewed_rule_tightens_interval() {
    let planted = Planted::default();
    let mut world = console((120, 40), &planted, "4");
    for _ in 0..200 {
        world.keys("j l");
        if !world.model.assess().rules.tried.is_empty() {
            break;
        }
        unfold(&mut world);
    }
    let first = world.model.assess().rules.replayed.value.clone().unwrap();
    assert_eq!(first[0].confidence, planted.policy.confidence);
    world.keys("l l");
    let rules = &world.model.assess().rules;
    assert_eq!(rules.tried.len(), 3);
    let replayed = rules.replayed.value.clone().unwrap();
    let each = 1.0 - (1.0 - planted.policy.confidence) / 3.0;
    assert!((replayed[0].confidence - each).abs() < 1e-9, "{replayed:?}");
    assert_eq!(replayed[0].candidate, rules.rule);
    let want = foureyes::calibration::what_if(
        &planted.parts().replays,
        &[rules.rule],
        1.0 - (1.0 - planted.policy.confidence) / 3.0,
    );
    assert_eq!(replayed[0].false_positive, want[0].false_positive);
    assert_ne!(rules.rule, Candidate::default());
    let lines = walked(&mut world);
    holds(&lines, &[percent(want[0].false_positive.estimate.unwrap())]);
    let all = lines.join("\n");
    // Two bounds that share a twentieth with those of two other rules.
    assert!(all.contains("96.67 % confidence: the allowed"), "{all}");
}

#[test]
fn changed_labels_are_reassessed_and_late_answers_dropped() {
    let mut world = console((80, 24), &Planted::default(), "5");
    let old = world.model.assess().generation;
    world.model.ledger_changed();
    world.keys("ctrl-l");
    let generation = world.model.assess().generation;
    assert!(generation > old);
    let family = foureyes::domain::JudgementKind::Push;
    assert!(world.effects.contains(&Effect::Assess {
        edition: 1,
        family,
        details: true,
        generation
    }));
    let before = world.model.assess().result.value.clone();
    world.tell(Message::Assessed { generation: old, result: Ok(faultless().assessed()) });
    assert_eq!(world.model.assess().result.value, before);
    // What was shown stays while the next is on its way, and says so.
    assert!(paper::text(&paper::drawn(&world.model)).contains("assessing…"));
    let result = Err(Problem::new("the cache is gone", "start again"));
    world.tell(Message::Assessed { generation, result });
    let text = paper::text(&paper::drawn(&world.model));
    assert!(text.contains("assessing failed") && text.contains("NOT"), "{text}");
}

#[test]
fn saved_label_updates_assessment_and_report_matches_screen() {
    let log = vec![("north/2026-02-19.jsonl", logs::flagged(3))];
    let mut world = World::ready(&Setup { contents: true, ..Setup::default() }, &log);
    world.keys("4");
    let text = paper::text(&paper::drawn(&world.model));
    assert!(text.contains("No labels yet.") && text.contains("p poor"), "{text}");
    assert_eq!(world.model.assess().result.value.as_ref().unwrap().labels, 0);
    // What is typed before the content was on the screen counts nowhere.
    world.keys("2 p 4");
    assert_eq!(world.model.assess().result.value.as_ref().unwrap().labels, 0);
    world.keys("2 u l p a 4");
    let report = world.model.assess().result.value.clone().unwrap();
    assert_eq!(report.labels, 2);
    assert_eq!(report.readiness.agreement.judge.as_ref().unwrap().counts, [1, 1, 0, 0]);
    let text = paper::text(&paper::drawn(&world.model));
    assert!(text.contains(": 2 (TP 1, FP 1, FN 0, TN 0)"), "{text}");
    // What is taken back counts no more.
    world.keys("2 u 5");
    assert_eq!(world.model.assess().result.value.as_ref().unwrap().labels, 1);
    world.keys("w");
    let report = world.model.assess().result.value.clone().unwrap();
    assert!(world.effects.contains(&Effect::WriteReport(report.clone())));
    let told = world.model.notices.all().next().unwrap().text.clone();
    assert!(told.starts_with("Report written: ") && told.ends_with("; o opens it"), "{told}");
    let path = world.model.report.clone().unwrap().into_os_string().into_string().unwrap();
    let path = path.strip_suffix(".html").expect(&path);
    let json = std::fs::read(format!("{path}.json")).unwrap();
    let written = serde_json::from_slice::<Report>(&json).unwrap();
    let document = |report: &Report| serde_json::to_value(report).unwrap();
    assert_eq!(document(&written), document(&report));
    // It never says which of those without a label are flagged: that would tell verdicts before their labels.
    let names_flagged = |r: &Report| r.readiness.days.iter().any(|d| !d.missing_no_go.is_empty());
    assert!(names_flagged(&report) && !names_flagged(&written));
    for form in ["html", "md"] {
        let text = std::fs::read_to_string(format!("{path}.{form}")).unwrap();
        assert!(text.contains(report.readiness.result.title()), "{text}");
    }
}

#[test]
fn readiness_starts_with_first_step_and_enter_opens_it() {
    for size in [(80, 24), (120, 40)] {
        let planted = Planted::default();
        let r = planted.readiness();
        let first = r.steps.first().unwrap();
        let mut world = console(size, &planted, "5 g");
        let top = paper::lines(&paper::drawn(&world.model))[1..5].join("\n");
        assert!(top.contains(r.result.title()) && top.contains(&first.title[..20]), "{top}");
        let lines = walked(&mut world);
        for (step, at) in r.steps.iter().zip(1..) {
            // Its end may be on the next line.
            let begins: String = step.title.chars().take(30).collect();
            holds(&lines, &[format!("{at}. {begins}")]);
        }
        let mut opened = 0;
        for step in &r.steps {
            let Some(opens) = &step.opens else { continue };
            let mut world = console(size, &planted, "5 g");
            while opens_now(&world).as_ref() != Some(opens) {
                let before = world.model.assess().readiness.cursor;
                world.keys("j");
                assert_ne!(world.model.assess().readiness.cursor, before, "{}", step.title);
            }
            world.keys("enter");
            match opens {
                Opens::Queue(_) => assert_eq!(world.model.screen, Screen::Queue),
                Opens::AuditRate | Opens::Window(_) => assert!(world.model.overlay.is_some()),
                Opens::Records(filter) => {
                    assert_eq!(world.model.screen, Screen::Records);
                    assert_eq!(&world.model.records.filter.query.to_string(), filter);
                }
            }
            opened += 1;
        }
        assert!(opened > 0, "{:#?}", r.steps);
        // Enter on the answer opens the first step.
        let mut world = console(size, &planted, "5 g");
        let from = world.model.screen;
        world.keys("enter");
        assert_eq!(world.model.screen != from, first.opens.is_some());
    }
}

/// What Enter would open, by what is said at the bottom.
fn opens_now(world: &World) -> Option<Opens> {
    let text = paper::text(&paper::drawn(&world.model));
    let said = text.lines().find_map(|line| line.trim().strip_prefix("Enter "))?.trim();
    Some(match said {
        "sets the audit rate" => Opens::AuditRate,
        said => match said.strip_prefix("opens the ").and_then(|s| s.strip_suffix(" queue")) {
            Some(queue) => Opens::Queue(queue.to_owned()),
            None if said.starts_with("starts the window on ") => {
                Opens::Window(said.rsplit(' ').next()?.to_owned())
            }
            None => Opens::Records(said.strip_prefix("shows records: ")?.to_owned()),
        },
    })
}
