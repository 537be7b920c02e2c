//! How far labels agree: with the judge, among reviewers, of one reviewer with himself.

use crate::calibration::{Agreement, Pair, ScorePair};
use crate::report::counted;
use crate::report::number::percent;

/// A sentence on agreement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AgreementLine {
    /// What it is of; unique among the sentences.
    pub id: String,
    /// Whether it holds numbers, or only says that there are none.
    pub known: bool,
    /// The sentence. Names of reviewers in it are raw: escape it before it is shown.
    pub text: String,
}

/// Each kind of agreement, or that there is none and what would make some.
pub fn agreement(all: &Agreement) -> Vec<AgreementLine> {
    let mut lines = vec![
        one("judge".to_owned(), "judge and labels", all.judge.as_ref(), "no label to compare with"),
        one(
            "blind".to_owned(),
            "judge and blind labels",
            all.judge_blind.as_ref(),
            "no record was labelled blind",
        ),
    ];
    lines.extend(among_labels(all));
    lines.extend(all.scores.iter().map(|s| line(s.dimension.as_str(), true, scores(s))));
    lines
}

/// The same of labels among themselves: of several reviewers, and of each with themselves.
pub fn among_labels(all: &Agreement) -> Vec<AgreementLine> {
    let mut lines = Vec::new();
    if all.reviewers.is_empty() {
        let text = "reviewers: no two of them labelled the same record";
        lines.push(line("reviewers", false, text.to_owned()));
    }
    for pair in &all.reviewers {
        let id = format!("{} {}", pair.first, pair.second);
        lines.push(one(id, &format!("{} and {}", pair.first, pair.second), Some(pair), ""));
    }
    if let Some(alpha) = all.alpha {
        let text = format!("all reviewers: Krippendorff's alpha {alpha:.2}");
        lines.push(line("alpha", true, text));
    }
    if all.selves.is_empty() {
        lines.push(line("selves", false, "repeats: no reviewer labelled twice".to_owned()));
    }
    for pair in &all.selves {
        let name = format!("{} again", pair.first);
        lines.push(one(name.clone(), &name, Some(pair), ""));
    }
    lines
}

fn one(id: String, name: &str, pair: Option<&Pair>, none: &str) -> AgreementLine {
    let text = format!("{name}: {}", pair.map_or_else(|| none.to_owned(), numbers));
    AgreementLine { known: pair.is_some(), text, id }
}

fn line(id: &str, known: bool, text: String) -> AgreementLine {
    AgreementLine { id: id.to_owned(), known, text }
}

/// `agree on 90.0 % of 120 items, kappa 0.76 (standard error 0.06), AC1 0.83, prevalence index 0.40`.
fn numbers(pair: &Pair) -> String {
    let share = pair.agreement.map_or("unknown".into(), percent);
    let of = counted(pair.items, "item", "items");
    // A table with an empty row or column has an error of nothing, which is not precision.
    let error = pair.kappa_error.filter(|e| pair.kappa.is_some() && *e >= 0.005);
    let error = match (pair.kappa, error) {
        (Some(_), Some(e)) => format!(" (standard error {e:.2})"),
        (Some(_), None) => " (standard error not defined)".to_owned(),
        (None, _) => String::new(),
    };
    format!(
        "agree on {share} of {of}, kappa {}{error}, AC1 {}, prevalence index {}",
        two(pair.kappa),
        two(pair.ac1),
        two(pair.prevalence_index)
    )
}

fn scores(pair: &ScorePair) -> String {
    format!(
        "{} scores: {} that judge and people scored, weighted kappa {}; alpha of the people {}",
        pair.dimension.as_str(),
        counted(pair.items, "record", "records"),
        two(pair.quadratic_kappa),
        two(pair.reviewer_alpha)
    )
}

fn two(value: Option<f64>) -> String {
    value.map_or("not defined".to_owned(), |v| format!("{v:.2}"))
}
