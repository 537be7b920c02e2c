//! How far labels agree: with the judge, among reviewers, of each reviewer with themselves.

use foureyes_calibration::calibration::{Agreement, Pair, ScorePair};
use foureyes_page::page::{Ours, Role, Row, Text, Untrusted, counted, number};
use foureyes_page::text;

/// Each kind of agreement, or that there is none and what would make some.
pub fn rows(all: &Agreement) -> Vec<Row> {
    let judge = pair("judge", "judge and labels".into(), all.judge.as_ref(), "no labels yet");
    let blind = pair(
        "blind",
        "judge and blind labels".into(),
        all.judge_blind.as_ref(),
        "no record was labelled blind",
    );
    let mut rows = vec![judge, blind];
    rows.extend(among_labels(all));
    let scores = |s: &ScorePair| Row::new(Role::Text, scores(s)).focus(s.dimension.as_str());
    rows.extend(all.scores.iter().map(scores));
    rows
}

/// The same of labels among themselves: of several reviewers, and of each with themselves.
pub fn among_labels(all: &Agreement) -> Vec<Row> {
    let mut rows = Vec::new();
    if all.reviewers.is_empty() {
        rows.push(none("reviewers", "reviewers: no two labelled the same record"));
    }
    for two in &all.reviewers {
        let id = format!("{} {}", two.first, two.second);
        let name = text!("{} and {}", Untrusted(&two.first), Untrusted(&two.second));
        rows.push(pair(&id, name, Some(two), ""));
    }
    if let Some(alpha) = all.alpha {
        let alpha = number::decimal(alpha, 2);
        let text = text!("all reviewers: Krippendorff's alpha {}", alpha);
        rows.push(Row::new(Role::Text, text).focus("alpha"));
    }
    if all.selves.is_empty() {
        rows.push(none("selves", "repeats: no reviewer labelled the same record twice"));
    }
    for two in &all.selves {
        let name = text!("{} again", Untrusted(&two.first));
        rows.push(pair(&name.raw(), name, Some(two), ""));
    }
    rows
}

fn none(id: &str, text: &'static str) -> Row {
    Row::new(Role::Dim, text).focus(id)
}

fn pair(id: &str, name: Text, pair: Option<&Pair>, none: &'static str) -> Row {
    let (role, text) = match pair {
        Some(pair) => (Role::Text, numbers(pair)),
        None => (Role::Dim, none.into()),
    };
    Row::new(role, text!("{}: {}", name, text)).focus(id)
}

/// `agree on 90.0 % of 120 items, kappa 0.76 (standard error 0.06), AC1 0.83, prevalence index 0.40`.
fn numbers(pair: &Pair) -> Text {
    // A table with an empty row or column has an error of nothing, which is not precision.
    let error = pair.kappa_error.filter(|e| pair.kappa.is_some() && *e >= 0.005);
    let error = match (pair.kappa, error) {
        (Some(_), Some(e)) => text!(" (standard error {})", number::decimal(e, 2)),
        (Some(_), None) => " (standard error not defined)".into(),
        (None, _) => Text::EMPTY,
    };
    text!(
        "agree on {} of {}, kappa {}{}, AC1 {}, prevalence index {}",
        pair.agreement.map_or("unknown".into(), number::percent),
        counted(pair.items, "item", "items"),
        coefficient(pair.kappa),
        error,
        coefficient(pair.ac1),
        coefficient(pair.prevalence_index)
    )
}

fn scores(pair: &ScorePair) -> Text {
    text!(
        "{} scores: {} scored by judge and people, weighted kappa {}; alpha of the people {}",
        pair.dimension.as_str(),
        counted(pair.items, "record", "records"),
        coefficient(pair.quadratic_kappa),
        coefficient(pair.reviewer_alpha)
    )
}

fn coefficient(value: Option<f64>) -> Ours {
    value.map_or("not defined".into(), |value| number::decimal(value, 2))
}
