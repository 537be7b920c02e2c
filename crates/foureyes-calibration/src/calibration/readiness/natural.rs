//! What a window over what was judged before blocks on, and what stands behind its answer.

use super::{Fold, day_text};
use crate::calibration::number_text::some;
use crate::calibration::{KpiResult, KpiRow, Measure, NaturalWindow};
use crate::domain::Timestamp;
use crate::text::counted;

/// What speaks against an answer over what was judged before.
pub(super) fn blocks(fold: &Fold<'_>) -> Vec<(&'static str, String)> {
    let Some(natural) = fold.input.natural else { return Vec::new() };
    let gone = (!natural.boxes_gone.is_empty()).then(|| {
        let boxes = some(&natural.boxes_gone);
        ("boxes_changed", format!("the window began with boxes that are not read now: {boxes}"))
    });
    let earlier = natural.earlier.zip(fold.input.window_start).map(|(first, start)| {
        let text = format!(
            "the logs hold records of this judge from {} on; the window starts with {start}",
            first.day_text()
        );
        ("logs_earlier", text)
    });
    gone.into_iter().chain(earlier).collect()
}

/// Sentences without which an answer over what was judged before would say more than is known.
pub(super) fn qualifiers(fold: &Fold<'_>, kpis: &[KpiRow]) -> Vec<String> {
    let Some(natural) = fold.input.natural else { return Vec::new() };
    let unrecorded = kpis.iter().filter(|k| k.gated && k.not_recorded).map(|k| k.id);
    let mut sentences: Vec<String> = unrecorded.map(|m| not_recorded(m, natural)).collect();
    sentences.extend(days_beside(fold, natural));
    sentences.extend(prompt(natural));
    sentences.push(boxes(natural));
    sentences.push(SEEN.to_owned());
    sentences.extend(any_start(fold, natural, kpis));
    sentences
}

/// Nothing tells what reviewers saw before a window ran.
const SEEN: &str = "Reviewers may have seen verdicts before the window was started.";

fn not_recorded(m: Measure, natural: &NaturalWindow) -> String {
    let name = match m {
        Measure::MedianLatency => "Latency",
        _ => "Availability",
    };
    let day = natural.entered.day_text();
    format!(
        "{name} not recorded: no record from before {day} has it. Later records decide it; until then it \
         blocks nothing."
    )
}

/// Days before the entry that bring nothing: on some of them another version judged.
fn days_beside(fold: &Fold<'_>, natural: &NaturalWindow) -> Vec<String> {
    let from = fold.input.start().map_or(0, Timestamp::day);
    let before = (from..natural.entered.day()).zip(&fold.days).filter(|(_, d)| d.evaluations == 0);
    let (others, empty): (Vec<i32>, Vec<i32>) = before
        .map(|(day, _)| day)
        .filter(|day| !fold.input.policy.is_quiet(*day))
        .partition(|day| natural.other_days.binary_search(day).is_ok());
    let others = named(&others)
        .map(|days| format!("{days}: only another version of the judge was used; not counted."));
    let empty =
        named(&empty).map(|days| format!("{days}: no evaluations, before the window was started."));
    others.into_iter().chain(empty).collect()
}

/// `2 days (2026-10-01, 2026-10-04)`; nothing where there is none.
fn named(days: &[i32]) -> Option<String> {
    let texts: Vec<String> = days.iter().copied().map(day_text).collect();
    let count = counted(days.len() as u64, "day", "days");
    (!days.is_empty()).then(|| format!("{count} ({})", some(&texts)))
}

fn prompt(natural: &NaturalWindow) -> Option<String> {
    let day = natural.entered.day_text();
    natural.is_prompt_unknown.then(|| {
        format!("Whether the prompt changed before {day} cannot be seen: no record names it.")
    })
}

/// Always said: how many sentences there are is a matter of the evidence, and which boxes are known is not.
fn boxes(natural: &NaturalWindow) -> String {
    let named = |names: &[String]| match names {
        [] => "none".to_owned(),
        names => some(names),
    };
    format!(
        "Boxes of this window: {}; others known here: {}.",
        named(&natural.boxes),
        named(&natural.boxes_beside)
    )
}

/// Whoever withheld the oldest logs had as many starts to choose from as there are days. A wealth that
/// many times the bar holds for each of them, by Bonferroni's inequality.
fn any_start(fold: &Fold<'_>, natural: &NaturalWindow, kpis: &[KpiRow]) -> Option<String> {
    let today = fold.input.today();
    let days = i64::from(today) - i64::from(natural.first_sign.day());
    let days = days.max(fold.days.len() as i64).max(1) as f64;
    let bar = (fold.input.allowance.bar(fold.input.policy) * days).ln();
    let mut gated = kpis.iter().filter(|k| k.gated && k.id.needs_labels() && k.waived_by.is_none());
    let reaches = |k: &KpiRow| {
        let wealth = fold.gate.track(k.id).map(|track| track.evidence.ln_met());
        k.result == KpiResult::Met && wealth.is_some_and(|ln| ln >= bar)
    };
    let any = gated.clone().next().is_some();
    (any && gated.all(reaches))
        .then(|| "The error rates would also be met from any other start of the window.".to_owned())
}
