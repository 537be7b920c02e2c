//! A KPI of an assessment as a measure: the same on every page.

use super::links::{self, LabelFilter};
use foureyes_calibration::calibration::{KpiResult, KpiRow, Measure, Range, Word, two_sided};
use foureyes_core::domain::{JudgementKind, Outcome};
use foureyes_page::page::{
    self, Focus, Forms, Gauge, Link, Ours, Part, Role, Row, Sign, Text, Untrusted, counted, day_of,
    number,
};
use foureyes_page::text;

/// What is taken for positive: elsewhere it is often the other way round.
pub const POSITIVE: &str = "Positive = NO-GO: a false positive (FP) is acceptable content that was flagged, a false \
     negative (FN) is poor content that passed.";

/// What an interval between two one-sided bounds of a confidence is.
pub fn interval_note(confidence: f64) -> Text {
    let confidence = number::short_percent(two_sided(confidence));
    text!("{} confidence, exact, for one look; sampling error alone", confidence)
}

/// A KPI with what is still needed to decide it, where anything is. Its strata are in a table of their own.
pub fn measure(family: JudgementKind, kpi: &KpiRow, needed: Option<Text>) -> page::Measure {
    let mut below = meaning(kpi);
    below.extend([weights, reason].into_iter().filter_map(|row| row(kpi)));
    let untrusted = |text: &String| Row::new(Role::Warning, Untrusted(text));
    below.extend(kpi.remarks.iter().map(untrusted));
    below.extend(kpi.unsure.map(|range| Row::new(Role::Dim, unsure(kpi.id, range))));
    below.extend(kpi.undetermined.map(|range| Row::new(Role::Dim, undetermined(kpi.id, range))));
    below.extend(needed.map(|text| Row::new(Role::Text, text!("still needed: {}", text))));
    page::Measure {
        focus: Focus { note: summary(kpi), ..Focus::new(kpi.id.as_str()) },
        name: kpi.id.title(),
        symbol: symbol(kpi.id),
        result: Some((sign(kpi.result), result(kpi))),
        estimate: estimate(kpi),
        counts: counts(family, kpi),
        interval: interval(kpi),
        threshold: number::threshold(kpi.threshold()).into(),
        gauge: gauge(kpi),
        below,
        detail: page::Detail::All,
    }
}

/// The name of a measure in formulas, where people know it: `FPR`.
pub fn symbol(id: Measure) -> Ours {
    let definition = id.definition();
    match definition.needs_labels {
        true => Ours::from(definition.symbol).uppercase(),
        false => Ours::EMPTY,
    }
}

/// The sign of what was found.
pub fn sign(result: KpiResult) -> Sign {
    match result {
        KpiResult::Met => Sign::Go,
        KpiResult::NotMet => Sign::NoGo,
        KpiResult::NotEnoughEvidence | KpiResult::NotEstimable => Sign::Undetermined,
    }
}

/// The estimate with its unit, or that there is none.
pub fn estimate(kpi: &KpiRow) -> Text {
    match kpi.estimate {
        Some(estimate) => number::value(kpi.id, estimate).into(),
        None => "no estimate".into(),
    }
}

/// The interval with its unit; empty where there is none.
pub fn interval(kpi: &KpiRow) -> Text {
    number::measured(kpi.id, kpi.lower, kpi.upper).map(Text::from).unwrap_or_default()
}

/// The scale of a KPI, by the policy's thresholds.
fn gauge(kpi: &KpiRow) -> Gauge {
    Gauge {
        estimate: kpi.estimate,
        lower: kpi.lower,
        upper: kpi.upper,
        thresholds: kpi.threshold().values().collect(),
        ends: kpi.id.definition().scale,
    }
}

/// What was found, when, and who waived it.
fn result(kpi: &KpiRow) -> Text {
    let mut text = Text::from(kpi.result.title());
    if let Some(day) = &kpi.decided_on {
        text.push(text!(", decided on {}", day_of(day)));
    }
    if !kpi.gated {
        text.push("; for information");
    }
    if let Some(name) = &kpi.waived_by {
        text.push(text!("; waived by {}: not used", Untrusted(name)));
    }
    text
}

/// What a rate of errors is: `FPR: share of acceptable content that is flagged`. Documents have the short name
/// beside the long one.
fn meaning(kpi: &KpiRow) -> Vec<Row> {
    let (symbol, meaning) = (symbol(kpi.id), kpi.id.definition().meaning);
    if symbol.is_empty() {
        return Vec::new();
    }
    let named = text!("{}: {}", symbol, meaning);
    vec![
        Row::new(Role::Dim, named).only(Forms::Console),
        Row::new(Role::Dim, meaning).only(Forms::Documents),
    ]
}

/// What an estimate that is no quotient of its counts is made of.
fn weights(kpi: &KpiRow) -> Option<Row> {
    let parts = kpi.weighted().filter(|_| kpi.estimate.is_some())?;
    Some(Row::new(Role::Dim, text!("adjusted for the sample: {}", Untrusted(&parts))))
}

/// Why there is no estimate, or what else there is to one.
fn reason(kpi: &KpiRow) -> Option<Row> {
    let reason = kpi.reason.as_deref()?;
    Some(match kpi.estimate {
        Some(_) => Row::new(Role::Dim, Untrusted(reason)),
        None => Row::new(Role::Warning, text!("reason: {}", Untrusted(without_result(reason)))),
    })
}

/// A sentence of a document without the result before it, which the measure has already.
fn without_result(sentence: &str) -> &str {
    sentence.strip_prefix("not estimable: ").unwrap_or(sentence)
}

/// What the estimate could be, if what was left open had an answer.
fn undetermined(id: Measure, range: Range) -> Text {
    let (from, to) = (number::value(id, range.from), number::value(id, range.to));
    text!("{} if every UNDETERMINED had been right, {} if wrong", from, to)
}

/// What the estimate could be, if every label of doubt were settled one way.
fn unsure(id: Measure, range: Range) -> Text {
    let (from, to) = (number::value(id, range.from), number::value(id, range.to));
    text!("{} if every unsure label counts for the judge, {} if against it", from, to)
}

/// How many labels would decide what is undecided.
pub(super) fn needed(kpi: &KpiRow, sentence: Option<&str>) -> Text {
    match (sentence, kpi.labels_needed) {
        (Some(sentence), _) => match without_result(sentence) {
            rest if rest.len() < sentence.len() => text!("unknown: {}", Untrusted(rest)),
            sentence => Untrusted(sentence).into(),
        },
        (None, Some(labels)) => counted(labels, "label", "labels").into(),
        (None, None) => "no number can be given".into(),
    }
}

/// A count by its name, and the records it counts.
type Half = (&'static str, Outcome, Word);

/// The two counts of an estimate that weighs strata and so is not their quotient: errors, and what is right.
fn halves(id: Measure) -> Option<[Half; 2]> {
    match id {
        Measure::FalsePositiveRate => {
            Some([("FP", Outcome::NoGo, Word::Acceptable), ("TN", Outcome::Go, Word::Acceptable)])
        }
        Measure::FalseNegativeRate => {
            Some([("FN", Outcome::Go, Word::Poor), ("TP", Outcome::NoGo, Word::Poor)])
        }
        Measure::FalseDiscoveryRate
        | Measure::FalseOmissionRate
        | Measure::GoRate
        | Measure::UndeterminedRate
        | Measure::Availability
        | Measure::MedianLatency => None,
    }
}

/// The counts an estimate is made of, each leading to its records.
pub fn counts(family: JudgementKind, kpi: &KpiRow) -> Vec<Part> {
    if let Some(parts) = halves_of(family, kpi.id, (kpi.numerator, kpi.denominator)) {
        return parts;
    }
    let [above, below] = match (kpi.id.needs_labels(), kpi.id) {
        (false, _) => match links::sides(family, kpi.threshold()) {
            Some(links) => links.map(Some),
            None => [None, None],
        },
        (true, Measure::FalseOmissionRate) => [LabelFilter::Word(Word::Poor), LabelFilter::Any]
            .map(|l| Some(labelled(family, Outcome::Go, l))),
        (true, _) => [LabelFilter::Word(Word::Acceptable), LabelFilter::Any]
            .map(|l| Some(labelled(family, Outcome::NoGo, l))),
    };
    let mut parts = vec![
        part(Role::Text, kpi.numerator.into(), above),
        part(Role::Dim, " of ".into(), None),
        part(Role::Text, kpi.denominator.into(), below),
    ];
    if kpi.id.needs_labels() && kpi.weighted().is_none() {
        parts.push(part(Role::Dim, " labels".into(), None));
    }
    parts
}

/// Errors and what is right, each leading to its records, of an estimate that weighs strata.
pub fn halves_of(
    family: JudgementKind,
    id: Measure,
    (numerator, denominator): (u64, u64),
) -> Option<Vec<Part>> {
    let [wrong, right] = halves(id)?;
    let link = |half: Half| Some(labelled(family, half.1, LabelFilter::Word(half.2)));
    let rest = denominator.saturating_sub(numerator);
    Some(vec![
        part(Role::Text, numerator.into(), link(wrong)),
        part(Role::Dim, text!(" {}, ", wrong.0), None),
        part(Role::Text, rest.into(), link(right)),
        part(Role::Dim, text!(" {}", right.0), None),
    ])
}

fn part(role: Role, text: Text, link: Option<Link>) -> Part {
    Part { role, text, link }
}

fn labelled(family: JudgementKind, outcome: Outcome, label: LabelFilter) -> Link {
    links::labelled(family, Some(outcome), label)
}

/// All of a KPI in one line, for the bottom of a screen.
pub fn summary(kpi: &KpiRow) -> Text {
    let numbers = match (kpi.estimate, kpi.weighted()) {
        (Some(_), Some(parts)) => {
            text!("{}, adjusted for the sample; {}", estimate(kpi), Untrusted(&parts))
        }
        (Some(_), None) => {
            let unit = if kpi.id.needs_labels() { " labels" } else { "" };
            text!("{}, {} of {}{}", estimate(kpi), kpi.numerator, kpi.denominator, unit)
        }
        (None, _) => match &kpi.reason {
            Some(reason) => Untrusted(reason).into(),
            None => kpi.result.title().into(),
        },
    };
    let ends = interval(kpi);
    let ends = if ends.is_empty() { ends } else { text!("; {}", ends) };
    let result = kpi.result.title();
    let found = if numbers.raw().contains(result) { "".into() } else { text!("; {}", result) };
    let threshold = number::threshold(kpi.threshold());
    text!("{} {}{}{}; threshold: {}", kpi.id.title(), numbers, ends, found, threshold)
}
