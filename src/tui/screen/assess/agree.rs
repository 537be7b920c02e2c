//! How far labels agree: with the judge, among reviewers, of one reviewer with himself.

use crate::calibration::{Agreement, Pair, Readiness, ScorePair};
use crate::report::number::{self, counted};
use crate::tui::screen::overview::row::{Block, Row, outside};
use crate::tui::theme::{Glyphs, Role};

const NAME: &str = "agreement";

/// Each kind of agreement, or that there is none and what would make some.
pub(super) fn block(r: &Readiness, width: usize, glyphs: &'static Glyphs) -> Block {
    let all: &Agreement = &r.agreement;
    let mut block = Block::new(width, glyphs, "Agreement", "kappa, AC1, prevalence index");
    one(&mut block, "judge", all.judge.as_ref(), "judge and labels", "no label to compare with");
    let none = "no record was labelled blind";
    one(&mut block, "blind", all.judge_blind.as_ref(), "judge and blind labels", none);
    if all.reviewers.is_empty() {
        let text = "reviewers: no two of them labelled the same record";
        block.text(Row::stop(NAME, "reviewers"), Role::Dim, text);
    }
    for pair in &all.reviewers {
        let names = format!("{} and {}", outside(&pair.first), outside(&pair.second));
        one(&mut block, &format!("{} {}", pair.first, pair.second), Some(pair), &names, "");
    }
    super::decision::conflicts(&mut block, r);
    if let Some(alpha) = all.alpha {
        let text = format!("all reviewers: Krippendorff's alpha {alpha:.2}");
        block.text(Row::stop(NAME, "alpha"), Role::Text, &text);
    }
    if all.selves.is_empty() {
        let text = "repeats: no reviewer labelled twice";
        block.text(Row::stop(NAME, "selves"), Role::Dim, text);
    }
    for pair in &all.selves {
        let name = format!("{} again", outside(&pair.first));
        one(&mut block, &format!("{} again", pair.first), Some(pair), &name, "");
    }
    all.scores.iter().for_each(|s| scores(&mut block, s));
    let text = "Labels are no random sample: agreement says nothing on how often the judge errs.";
    block.text(Row::new(), Role::Dim, text);
    block
}

fn one(block: &mut Block, id: &str, pair: Option<&Pair>, name: &str, none: &str) {
    let (role, text) = match pair {
        None => (Role::Dim, format!("{name}: {none}")),
        Some(pair) => (Role::Text, format!("{name}: {}", numbers(pair))),
    };
    block.text(Row::stop(NAME, id), role, &text);
}

/// `agree on 90.0 % of 120 items, kappa 0.76 ± 0.06, AC1 0.83, prevalence 0.40`.
fn numbers(pair: &Pair) -> String {
    let share = pair.agreement.map_or("unknown".to_owned(), number::percent);
    let of = counted(pair.items, "item", "items");
    let two = |v: Option<f64>| v.map_or("not defined".to_owned(), |v| format!("{v:.2}"));
    let error = pair.kappa_error.filter(|_| pair.kappa.is_some());
    let error = error.map_or(String::new(), |e| format!(" ± {e:.2}"));
    format!(
        "agree on {share} of {of}, kappa {}{error}, AC1 {}, prevalence {}",
        two(pair.kappa),
        two(pair.ac1),
        two(pair.prevalence_index)
    )
}

fn scores(block: &mut Block, pair: &ScorePair) {
    let two = |v: Option<f64>| v.map_or("not defined".to_owned(), |v| format!("{v:.2}"));
    let text = format!(
        "{} scores: {} that judge and people scored, weighted kappa {}; alpha of the people {}",
        pair.dimension.as_str(),
        counted(pair.items, "record", "records"),
        two(pair.quadratic_kappa),
        two(pair.reviewer_alpha)
    );
    block.text(Row::stop(NAME, pair.dimension.as_str()), Role::Text, &text);
}
