//! The error rates in the triage document, from the same assessment.

use super::{Assessment, Modes, Withdrawal, blocking};
use crate::calibration::{KpiResult, KpiRow, Readiness, ReadinessResult, two_sided};
use crate::domain::{Caveat, JudgementKind, Kpi, Timestamp, Triage};

/// Puts the two error rates of an assessment into a triage document, and says where READY does not
/// hold, and what is to be watched while pushes are blocked. Without a label the rates stay as they
/// are.
///
/// They are over the window of calibration, not over that of the document, and a caveat says so.
pub fn show(triage: &mut Triage, assessment: &Assessment, modes: &Modes, now: Timestamp) {
    let readiness = &assessment.readiness;
    triage.caveats.extend(blocking::blocking_caveats(modes, [readiness], now));
    if assessment.labels == 0 {
        return;
    }
    rates(&mut triage.kpis, assessment);
    triage.caveats.extend(caveats(readiness, modes.since(readiness.family).is_some()));
}

/// Puts the two error rates of another family than pushes into its KPIs; without a label they stay as they
/// are. Says where READY does not hold for boxes that block on them.
pub fn show_family(triage: &mut Triage, assessment: &Assessment, modes: &Modes) {
    let readiness = &assessment.readiness;
    let own = triage.families.iter_mut().find(|of| of.family == readiness.family);
    let (Some(own), true) = (own, assessment.labels > 0) else { return };
    rates(&mut own.kpis, assessment);
    let withdrawn = blocking::withdrawal(modes, readiness).map(Withdrawal::into_caveat);
    triage.caveats.extend(withdrawn.into_iter().chain(answer(readiness)));
}

/// The error rates of an assessment in place of unknown ones.
fn rates(kpis: &mut [Kpi], assessment: &Assessment) {
    for kpi in kpis {
        let same = |row: &&KpiRow| row.id == kpi.id && row.id.needs_labels();
        if let Some(row) = assessment.readiness.kpis.iter().find(same) {
            put(kpi, row, assessment.policy.confidence);
        }
    }
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
        true => row.weighted().map(|parts| format!("adjusted for the sample; {parts}")),
        false => Some(row.reason.clone().unwrap_or_else(|| row.result.title().to_owned())),
    };
}

/// What `readiness` answers.
fn answer(readiness: &Readiness) -> Option<Caveat> {
    let from = readiness.window.from.map_or("the first record".to_owned(), |t| t.day_text());
    let beside = readiness.qualifiers.iter().chain(&readiness.wrong_blocks);
    let beside: String = beside.map(|text| format!(" {text}")).collect();
    let (whose, id) = match readiness.family {
        JudgementKind::DEFAULT => (String::new(), "readiness".to_owned()),
        family => {
            let row = family.instrument();
            (format!("{}: ", row.wording.heading), format!("readiness_{}", row.name))
        }
    };
    let text = format!(
        "{whose}{} according to `foureyes readiness{}`.{beside} Error rates cover the closed days \
         since {from}",
        readiness.result.title(),
        readiness.family.option()
    );
    Some(Caveat { id: id.to_owned(), text })
}

fn caveats(readiness: &Readiness, blocking: bool) -> Vec<Caveat> {
    let of = |id: &str, text: String| Caveat { id: id.to_owned(), text };
    let mut caveats: Vec<Caveat> = answer(readiness).into_iter().collect();
    if readiness.result == ReadinessResult::NotReady && !blocking {
        caveats.push(of(
            blocking::WITHDRAWN,
            format!(
                "the judge is not READY, and an earlier READY is withdrawn: {}. Where the judge \
                 blocks, set the hook back to advisory (phase A)",
                blocking::not_met(readiness)
            ),
        ));
    }
    caveats
}
