//! The error rates in the triage document, from the same assessment.

use super::{Assessment, Modes, blocking};
use crate::calibration::{KpiResult, KpiRow, Readiness, ReadinessResult, two_sided};
use crate::domain::{Caveat, Kpi, Timestamp, Triage};

/// Puts the two error rates of an assessment into a triage document, and says where READY does not
/// hold, and what is to be watched while pushes are blocked. Without a label the rates stay as they
/// are.
///
/// They are over the window of calibration, not over that of the document, and a caveat says so.
pub fn show(triage: &mut Triage, assessment: &Assessment, modes: &Modes, now: Timestamp) {
    triage.caveats.extend(blocking::caveats(modes, assessment, now));
    if assessment.labels == 0 {
        return;
    }
    let readiness = &assessment.readiness;
    for kpi in &mut triage.kpis {
        let same = |row: &&KpiRow| row.id == kpi.id && row.id.needs_labels();
        if let Some(row) = readiness.kpis.iter().find(same) {
            put(kpi, row, assessment.policy.confidence);
        }
    }
    triage.caveats.extend(caveats(readiness, modes.since().is_some()));
}

fn put(kpi: &mut Kpi, row: &KpiRow, confidence: f64) {
    let estimable = row.result != KpiResult::NotEstimable && row.estimate.is_some();
    kpi.numerator = row.numerator;
    kpi.denominator = row.denominator;
    kpi.estimate = row.estimate.filter(|_| estimable);
    kpi.lower = row.lower.filter(|_| estimable);
    kpi.upper = row.upper.filter(|_| estimable);
    kpi.confidence = two_sided(confidence);
    kpi.reason = match estimable {
        true => row.weighted().map(|parts| format!("weighted by stratum size; {parts}")),
        false => Some(row.reason.clone().unwrap_or_else(|| row.result.title().to_owned())),
    };
}

fn caveats(readiness: &Readiness, blocking: bool) -> Vec<Caveat> {
    let of = |id: &str, text: String| Caveat { id: id.to_owned(), text };
    let from = readiness.window.from.map_or("the first record".to_owned(), |t| t.day_text());
    let beside = readiness.qualifiers.iter().chain(&readiness.wrong_blocks);
    let beside: String = beside.map(|text| format!(" {text}")).collect();
    let mut caveats = vec![of(
        "readiness",
        format!(
            "{} according to `foureyes readiness`.{beside} Error rates cover the closed days since \
             {from}",
            readiness.result.title()
        ),
    )];
    if readiness.result == ReadinessResult::NotReady && !blocking {
        let wrong = readiness.kpis.iter().filter(|k| k.gated && k.result == KpiResult::NotMet);
        let names: Vec<&str> = wrong.map(|k| k.id.title()).collect();
        caveats.push(of(
            "ready_withdrawn",
            format!(
                "the judge is not READY, and an earlier READY is withdrawn: {} not met. Where the \
                 judge blocks, set the hook back to advisory (phase A)",
                names.join(", ")
            ),
        ));
    }
    caveats
}
