//! Steps that are labels, and the sample that they are given on.

use super::super::dates::is_audited;
use super::super::facts::Facts;
use super::super::family_steps::rate_command;
use super::{open, ready_from};
use crate::calibration::number_text::{days, labelling_time, roughly, sentence, share};
use crate::calibration::{Day, DayState, Opens, Price, Readiness, Step, Way};
use crate::text::counted;

/// Of the sample, the open days and what is in doubt, in that order.
pub(super) fn steps(r: &Readiness, facts: &Facts<'_>) -> Vec<Step> {
    let lacks_sample = facts.pi <= 0.0 && open(r).any(|k| is_audited(k.id));
    let sample = lacks_sample.then(|| audit(facts));
    // Where nothing but confirmations is missing, the labels of open days are for later.
    let confirms_alone = !facts.met_as_words_stand.is_empty()
        && open(r).all(|k| facts.met_as_words_stand.contains(&k.id));
    let labels = labels(r).filter(|_| !confirms_alone);
    let all = sample.into_iter().chain(labels).chain(unsettled_labels(r, facts));
    all.map(|step| Step { ready_from: ready_from("", r, facts), ..step }).collect()
}

/// What a label that settles something decides, where others are of no use.
pub(super) fn unsettled_labels(r: &Readiness, facts: &Facts<'_>) -> Vec<Step> {
    let unsure = unsure(r.second_look.len() as u64);
    let conflicts = conflicts(r.conflicts.len() as u64);
    let all = [confirm(r, facts), unsure, conflicts];
    all.into_iter().flatten().collect()
}

/// A first rate: the one that takes the fewest labels until the error rates are decided.
fn audit(facts: &Facts<'_>) -> Step {
    let none = "Nothing that passes is sampled, so misses cannot be measured.";
    // Of equally many labels those that come sooner.
    let best = facts.first_rates.iter().min_by_key(|price| (price.labels, price.days));
    let rate = best.map_or(1.0, |best| best.pi);
    let text = match best {
        Some(best) => format!(
            "{none} At the present traffic, a rate of {} takes the fewest labels until the error rates are \
             decided: {}, {}. At other rates: {}.",
            share(best.pi),
            about_labels(best),
            days(best.days),
            other_rates(facts.first_rates.iter().filter(|price| price.pi != best.pi))
        ),
        None => format!(
            "{none} A rate of 100 % takes the fewest labels, unless more than a few hundred contents are \
             judged per day."
        ),
    };
    Step {
        ways: vec![Way::new("Set a rate.", &[&rate_command(facts.family, rate)])],
        opens: Some(Opens::AuditRate),
        ..Step::new("audit", "Draw an audit sample of what passes", text)
    }
}

/// `about 1,640 labels`.
fn about_labels(price: &Price) -> String {
    format!("about {}", roughly(price.labels, ("label", "labels")))
}

/// `50 %: 40 days, about 900 labels; 100 %: 30 days, about 1,200 labels`.
pub(super) fn other_rates<'p>(prices: impl Iterator<Item = &'p Price>) -> String {
    let one = |p: &Price| format!("{}: {}, {}", share(p.pi), days(p.days), about_labels(p));
    prices.map(one).collect::<Vec<_>>().join("; ")
}

/// Records of open days that wait for a label.
pub(super) fn waiting(r: &Readiness) -> u64 {
    let missing = |d: &Day| (d.no_go + d.audit).saturating_sub(d.no_go_labelled + d.audit_labelled);
    r.days.iter().filter(|d| d.state == DayState::Open).map(missing).sum()
}

/// Labels of the open days, which count once all of a day are there.
fn labels(r: &Readiness) -> Option<Step> {
    let open: Vec<_> = r.days.iter().filter(|d| d.state == DayState::Open).collect();
    let count = waiting(r);
    let first = open.first().filter(|_| count > 0)?;
    let title = format!(
        "Label {} of {}",
        counted(count, "record", "records"),
        counted(open.len() as u64, "open day", "open days")
    );
    let time = labelling_time(count);
    let text = format!(
        "{} at half a minute each. Error rates use only the closed days before the first open day, {}.",
        sentence(&time),
        first.day
    );
    Some(Step {
        labels: Some(count),
        days: Some(0),
        opens: Some(Opens::Queue("calibration".to_owned())),
        ..Step::new("label", title, text)
    })
}

/// What every reviewer who labelled it is unsure of.
fn unsure(count: u64) -> Option<Step> {
    let text = "Until one is settled, it counts as an error of the judge when a KPI is checked for \
                being met. A label from another reviewer settles it.";
    (count > 0).then(|| Step {
        labels: Some(count),
        opens: Some(Opens::Queue("second look".to_owned())),
        ..Step::new("second_look", format!("Re-check {}", records(count, "unsure ")), text)
    })
}

/// What reviewers differ on.
fn conflicts(count: u64) -> Option<Step> {
    let text = "Until then, each counts as unsure. One more label settles it.";
    let title = format!("Settle {} on which reviewers differ", records(count, ""));
    (count > 0).then(|| Step {
        labels: Some(count),
        opens: Some(Opens::Queue("conflicts".to_owned())),
        ..Step::new("conflicts", title, text)
    })
}

/// Second and third words on what was called poor.
pub(super) fn confirm(r: &Readiness, facts: &Facts<'_>) -> Option<Step> {
    let count = r.reviewer_error.second_words.to_confirm();
    let until = match facts.unmet_as_words_stand.is_empty() {
        true => {
            "Until then, each counts as an error of the judge when a KPI is checked for being met."
        }
        false => "If they are confirmed, the answer is NOT READY.",
    };
    let where_due = "They stand unmarked in the calibration queue of each reviewer who has not labelled \
                     them; a lone reviewer gets them again from the next day on.";
    let title = format!("Confirm {} called poor", records(count, ""));
    (count > 0).then(|| Step {
        labels: Some(count),
        opens: Some(Opens::Queue("calibration".to_owned())),
        ..Step::new("confirm", title, format!("{until} {where_due}"))
    })
}

fn records(count: u64, kind: &str) -> String {
    counted(count, &format!("{kind}record"), &format!("{kind}records"))
}
