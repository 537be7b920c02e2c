//! What a reader of the numbers must know.

use super::blocks::judges;
use super::{Fold, remarks, stated, together};
use crate::calibration::WindowRules;
use crate::calibration::damage;
use crate::calibration::days::{Judged, RETRIED};
use crate::calibration::tally::Sizes;
use crate::calibration::{DayState, Fingerprint, Method, Rate, Retried, Stratum};
use crate::domain::Caveat;
use crate::stats::drift::dispersion;
use crate::text::counted;
use std::collections::{BTreeMap, BTreeSet};

/// All doubts that apply.
pub(super) fn caveats(fold: &Fold<'_>) -> Vec<Caveat> {
    let found = [
        ("open_days", open_days(fold)),
        ("no_audit", no_audit(fold)),
        ("imported_labels", imported(fold)),
        ("stated_selection", stated::by_hand(fold)),
        ("stated_fraction", stated::fraction(fold)),
        ("stated_least", stated::least(fold)),
        ("audit_fraction", audit_fraction(fold)),
        ("conflicts", conflicts(fold)),
        ("unsure", unsure(fold)),
        ("retried_works", retried(fold).map(works)),
        ("false_discoveries", remarks::annoying(fold)),
        (
            "misses_cluster",
            together::found(fold).filter(|_| fold.input.rules == WindowRules::Earlier),
        ),
        ("misses_independent", together::assumed(fold)),
        ("misses_by_part", together::by_part(fold)),
        ("double_labels", double_labels(fold)),
        ("outages_in_bursts", bursts(fold)),
        ("field_began", began(fold)),
        ("declared_latency", declared(fold)),
        ("pending_looks", pending(fold)),
        ("silence", silence(fold)),
        ("policy_changed", policy(fold)),
        ("rejected_lines", damage::rejected(fold.input)),
    ];
    let caveat =
        |(id, text): (&str, Option<String>)| Some(Caveat { id: id.to_owned(), text: text? });
    found.into_iter().filter_map(caveat).collect()
}

fn open_days(fold: &Fold<'_>) -> Option<String> {
    let open = fold.days.iter().filter(|d| d.state == DayState::Open).count();
    let first = fold.days.iter().find(|d| d.state == DayState::Open)?;
    let days = match open {
        1 => format!("{} is open", first.day),
        _ => format!("{open} days are open, the first on {}", first.day),
    };
    let closed = counted(fold.traffic.days, "closed day", "closed days");
    Some(format!("{days}; error rates use only the {closed} before it"))
}

fn no_audit(fold: &Fold<'_>) -> Option<String> {
    let of_go = |r: &&Rate| matches!(r.stratum, Stratum::Go | Stratum::Band(_));
    let planned = fold.input.plan.rates.iter().filter(of_go).any(|r| r.pi > 0.0);
    (!planned && !fold.stated)
        .then(|| "no passed content is audited, so misses cannot be estimated".to_owned())
}

fn imported(fold: &Fold<'_>) -> Option<String> {
    let ruling = |j: &Judged| fold.rulings.get(&j.id).filter(|r| r.imported);
    let count = fold.labelled.iter().filter(|j| ruling(j).is_some()).count();
    let names: BTreeSet<&str> =
        fold.input.labels.iter().filter_map(|l| l.import.as_deref()).collect();
    let names: Vec<&str> = names.into_iter().collect();
    let by_file = |j: &&Judged| !j.planned && !j.flagged && j.pi.is_some() && ruling(j).is_some();
    let stated = match fold.labelled.iter().filter(by_file).count() {
        0 => String::new(),
        stated => {
            let (one, many) = ("passed record counts", "passed records count");
            format!("; {} with the selection of their file", counted(stated as u64, one, many))
        }
    };
    (count > 0).then(|| {
        format!(
            "{} ({}){stated}{}",
            counted(count as u64, "record has an imported label", "records have imported labels"),
            names.join(", "),
            drawn_instead(fold)
        )
    })
}

/// Imported labels of which the audit draw decides, since it could choose their records.
fn drawn_instead(fold: &Fold<'_>) -> String {
    let stated = |j: &&Judged| {
        let ruling = fold.rulings.get(&j.id);
        j.planned && !j.flagged && ruling.is_some_and(|r| r.imported && r.stated.is_some())
    };
    let all: Vec<&Judged> = fold.labelled.iter().filter(stated).collect();
    let missed = all.iter().filter(|j| j.pi.is_none()).count();
    match all.len() {
        0 => String::new(),
        count => format!(
            "; for {} the audit sample decides instead, because it could draw them: it did not \
             draw {missed}, which count in no rate",
            counted(count as u64, "passed record", "passed records")
        ),
    }
}

/// The audit sample is far from its size: more than four standard deviations.
fn audit_fraction(fold: &Fold<'_>) -> Option<String> {
    let (real, (expected, variance)) = (fold.drawn.real, fold.drawn.expected());
    ((real as f64 - expected).abs() > 4.0 * variance.sqrt() + 1.0).then(|| {
        let records = counted(real, "record", "records");
        format!("the audit sample has {records}; {expected:.0} were expected")
    })
}

fn conflicts(fold: &Fold<'_>) -> Option<String> {
    let count = fold.conflicts().len();
    (count > 0).then(|| {
        let (one, many) = ("record, which counts", "records, which count");
        format!("reviewers differ on {} as unsure until settled", counted(count as u64, one, many))
    })
}

fn double_labels(fold: &Fold<'_>) -> Option<String> {
    // From 0.3 on it is a block where they are too few.
    let doubles = Some(fold.second_words.doubles);
    let doubles = doubles.filter(|_| fold.input.rules != WindowRules::Current)?;
    (doubles.given < doubles.drawn).then(|| {
        format!(
            "{} of {} drawn for a double label have two; the others count with one label",
            doubles.given,
            counted(doubles.drawn, "record", "records")
        )
    })
}

/// What passed after its author was stopped on the same path.
pub(super) fn retried(fold: &Fold<'_>) -> Option<Retried> {
    let [_, passed] = fold.gate.tally.sizes();
    let Sizes { population, labelled, poor, .. } = *passed.get(&RETRIED)?;
    Some(Retried { passed: population, labelled, poor })
}

fn works(Retried { passed, labelled, poor }: Retried) -> String {
    let works = counted(passed, "work was", "works were");
    let are = if poor == 1 { "is" } else { "are" };
    format!("{works} stopped and passed later; of the {labelled} labelled, {poor} {are} poor")
}

fn unsure(fold: &Fold<'_>) -> Option<String> {
    let unsure = |strata: &BTreeMap<u16, Sizes>| strata.values().map(|s| s.unsure).sum::<u64>();
    let [flagged, passed] = fold.gate.tally.sizes().each_ref().map(unsure);
    (flagged + passed > 0).then(|| {
        format!(
            "{} ({flagged} NO-GO, {passed} GO): a KPI is met only if it passes with the judge wrong on \
             every one, and not met only if it fails with the judge right on every one",
            counted(flagged + passed, "record is unsure", "records are unsure")
        )
    })
}

fn bursts(fold: &Fold<'_>) -> Option<String> {
    let spread = dispersion(fold.outages.iter().copied());
    let factor = spread.factor.filter(|f| *f > 2.0)?;
    Some(format!(
        "outages come in bursts, up to {} in a row: day-to-day variation is {factor:.1} times what \
         chance explains",
        spread.longest_run
    ))
}

/// Parts of the judge that older records do not name and newer ones do.
fn began(fold: &Fold<'_>) -> Option<String> {
    let judges = judges(fold);
    let began = |part: usize| {
        let values: Vec<_> = judges.iter().map(|(_, j)| j.parts()[part].1).collect();
        values.iter().any(Option::is_none) && values.iter().any(Option::is_some)
    };
    let names = Fingerprint::default().parts().map(|(name, _)| name);
    let parts: Vec<&str> = (0..names.len()).filter(|i| began(*i)).map(|i| names[i]).collect();
    (!parts.is_empty()).then(|| format!("some records do not name their {}", parts.join(" or ")))
}

fn declared(fold: &Fold<'_>) -> Option<String> {
    let (calls, all) = (fold.gate.counts.declared(), fold.gate.counts.timed);
    (calls > 0).then(|| {
        format!(
            "{calls} of {} no latency and count as quick, because the policy declares the hook's timeout",
            counted(all, "call has", "calls have")
        )
    })
}

fn pending(fold: &Fold<'_>) -> Option<String> {
    let count = fold.gate.pending.len();
    (fold.input.policy.method == Method::Fixed && count > 0)
        .then(|| format!("{count} declared looks wait for labels on the days before them"))
}

/// Whole days since the last evaluation.
fn silence(fold: &Fold<'_>) -> Option<String> {
    let last = fold.input.in_window().last()?;
    let days = fold.input.now.min(fold.input.complete_until).day() - last.at.day() - 1;
    (days > 1).then(|| format!("the last evaluation was on {}", last.at.day_text()))
}

fn policy(fold: &Fold<'_>) -> Option<String> {
    let (since, start) = (fold.input.policy_since?, fold.input.window_start?);
    (since > start).then(|| {
        format!("the policy changed on {}; earlier evaluations are left out", since.day_text())
    })
}
