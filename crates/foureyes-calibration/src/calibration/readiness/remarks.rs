//! What is said of the wrong blocks, and what a KPI's threshold asks for.

use super::{Fold, expiry};
use crate::calibration::{KpiResult, KpiRow, Measure};
use crate::domain::JudgementKind;
use crate::text::separated;

/// From this share of wrong blocks on, people remove the hook.
pub(super) const ANNOYING: f64 = 0.25;

/// The wrong ones among the flagged, as who is stopped by them counts: `Of 20 pushes the judge
/// flagged, 8 were acceptable (FDR 40.0 %, 22.0 to 61.0 %).`; `None` without a label.
pub(super) fn wrong_blocks<'k>(
    family: JudgementKind,
    rows: impl IntoIterator<Item = &'k KpiRow>,
) -> Option<String> {
    let row = rows.into_iter().find(|k| k.id == Measure::FalseDiscoveryRate)?;
    let (rate, lower, upper) = (row.estimate?, row.lower?, row.upper?);
    let [rate, lower, upper] = [rate, lower, upper].map(|share| share * 100.0);
    let (wrong, all) = (row.numerator, row.denominator);
    let wording = family.instrument().wording;
    let contents = if all == 1 { wording.singular } else { wording.plural };
    let were = if wrong == 1 { "was" } else { "were" };
    Some(format!(
        "Of {} {contents} the judge flagged, {} {were} acceptable (FDR {rate:.1} %, {lower:.1} to \
         {upper:.1} %).",
        separated(all),
        separated(wrong)
    ))
}

/// A word on many wrong blocks, whatever the policy gates.
pub(super) fn annoying(fold: &Fold<'_>) -> Option<String> {
    let rate = fold.gate.tally.rates().false_discovery.filter(|rate| *rate > ANNOYING)?;
    let cost = fold.input.family.instrument().wording.cost_of_wrong_flags;
    Some(format!(
        "{:.1} % of what the judge flagged was acceptable (FDR), more than {:.0} %: {cost}",
        rate * 100.0,
        ANNOYING * 100.0
    ))
}

/// Says of a KPI that is not decided on which side its interval lies, and what its threshold asks
/// for where the share `poor` of the content is poor.
pub(super) fn remarks(fold: &Fold<'_>, row: &KpiRow, poor: Option<f64>) -> Vec<String> {
    let asks = poor.map(|poor| fold.input.policy.demands(poor)).unwrap_or_default();
    let asks = asks.into_iter().filter(|demand| row.gated && demand.measure == row.id);
    let contradicted = expiry::remark(fold, row.id).filter(|_| row.gated);
    let side = contradicted.or_else(|| wrong_side(row));
    side.into_iter().chain(asks.map(|demand| demand.text)).collect()
}

/// An interval for one look that lies on the wrong side, of a KPI that is not decided.
fn wrong_side(row: &KpiRow) -> Option<String> {
    let open = row.gated && row.result == KpiResult::NotEnoughEvidence;
    let (lower, upper) = (row.lower.unwrap_or(f64::MIN), row.upper.unwrap_or(f64::MAX));
    let side = match (row.id, row.threshold_upper) {
        (_, Some(most)) if lower > most => "above its range",
        (_, Some(_)) if upper < row.threshold => "below its range",
        (_, Some(_)) => return None,
        (Measure::Availability, None) if upper < row.threshold => "below its threshold",
        (Measure::Availability, None) => return None,
        _ if lower > row.threshold => "above its threshold",
        _ => return None,
    };
    open.then(|| {
        format!(
            "It looks {side}, but is not decided yet: a decision must be valid however often \
             somebody looks. That takes more evidence than an interval for one look."
        )
    })
}

#[cfg(test)]
mod tests {
    use super::super::tests::{agreed, input, plan, planted};
    use crate::calibration::{
        FalsePositive, KpiResult, Measure, Policy, Readiness, Word, readiness,
    };

    /// Some days, four of twenty flagged, so many of the first flagged acceptable.
    fn read(days: i32, wrong: usize, policy: &Policy) -> Readiness {
        let (rows, plan) = (planted(days, 4), plan(1.0));
        let mut labels = agreed(&rows);
        let flagged = (0..rows.len()).filter(|n| n % 20 < 4).take(wrong);
        flagged.for_each(|n| labels[n].word = Word::Acceptable);
        readiness(&crate::calibration::Input { policy, ..input(&rows, &labels, &plan) })
    }

    #[test]
    fn wrong_blocks_are_worded_as_counts() {
        let r = read(15, 24, &Policy::default());
        let expected =
            "Of 60 pushes the judge flagged, 24 were acceptable (FDR 40.0 %, 29.3 to 51.4 %).";
        assert_eq!(r.wrong_blocks.as_deref(), Some(expected));
        let caveat = r.caveats.iter().find(|c| c.id == "false_discoveries").unwrap();
        assert!(caveat.text.starts_with("40.0 % of what the judge flagged"), "{}", caveat.text);
        let r = read(15, 15, &Policy::default());
        assert!(r.caveats.iter().all(|c| c.id != "false_discoveries"), "a quarter is not more");
        let none = readiness(&input(&[], &[], &plan(1.0)));
        assert_eq!(none.wrong_blocks, None);
    }

    #[test]
    fn interval_beyond_threshold_is_explained_with_hidden_requirement() {
        let both = Policy { false_positive: FalsePositive::Both, ..Policy::default() };
        let r = read(3, 4, &both);
        let row = |m| r.kpis.iter().chain(&r.beside).find(|k| k.id == m).unwrap();
        let fdr = row(Measure::FalseDiscoveryRate);
        assert_eq!(fdr.result, KpiResult::NotEnoughEvidence, "{fdr:#?}");
        assert!(fdr.lower > Some(0.10), "{fdr:#?}");
        assert!(fdr.remarks[0].starts_with("It looks above its threshold,"), "{:?}", fdr.remarks);
        let asks = "With 13.3 % poor content, FDR below 10.0 % needs an FPR below 1.6 %";
        assert!(fdr.remarks[1].starts_with(asks), "{:?}", fdr.remarks);
        assert_eq!(row(Measure::FalseNegativeRate).remarks, Vec::<String>::new());
        // Where it decides nothing there is nothing to explain.
        let r = read(3, 4, &Policy::default());
        let fdr = r.beside.iter().find(|k| k.id == Measure::FalseDiscoveryRate).unwrap();
        assert_eq!((fdr.gated, fdr.remarks.len()), (false, 0));
    }
}
