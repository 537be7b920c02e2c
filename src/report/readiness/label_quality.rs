//! How the labels came about, in words.

use crate::answers::agreement::among_labels;
use crate::calibration::{BlindShare, ChangedWords, LabelQuality, Readiness};
use crate::report::counted;
use crate::report::number::percent;

/// The sentences on it, the same in every form and on the screen; none of a report that was made
/// before there was such a part. Names of reviewers in them are raw: escape them before they are
/// shown.
pub fn label_quality(r: &Readiness) -> Vec<String> {
    let Some(quality) = &r.label_quality else { return Vec::new() };
    let mut lines = vec![reviewers(quality)];
    lines.push(blind("NO-GO", &quality.no_go));
    lines.push(blind("audited GO", &quality.go));
    // How far they agree is said once, in the words of the calibration.
    lines.extend(among_labels(&r.agreement).iter().map(|row| row.text().raw()));
    match quality.changed.as_slice() {
        [] => lines.push("no reviewer changed a word without being asked to".to_owned()),
        all => lines.extend(all.iter().map(changed)),
    }
    lines
}

fn reviewers(quality: &LabelQuality) -> String {
    let one = |r: &crate::calibration::ReviewerLabels| {
        format!("{} {}, {} blind", r.name, counted(r.labelled, "label", "labels"), r.blind)
    };
    let all: Vec<String> = quality.reviewers.iter().map(one).collect();
    match all.len() {
        0 => "no content of the sample has a label".to_owned(),
        n => format!("{}: {}", counted(n as u64, "reviewer", "reviewers"), all.join("; ")),
    }
}

/// `NO-GO: 36 of 40 labelled blind (90.0 %), 4 by several reviewers, 2 repeated by one`.
fn blind(name: &str, of: &BlindShare) -> String {
    let Some(share) = of.share() else { return format!("{name}: none labelled") };
    format!(
        "{name}: {} of {} labelled blind ({}), {} by several reviewers, {} repeated by one",
        of.blind,
        of.labelled,
        percent(share),
        of.by_several,
        of.repeated
    )
}

/// `changed by anna: 9 GO from poor to acceptable, 1 settled`.
fn changed(c: &ChangedWords) -> String {
    let verdict = if c.verdict == "no_go" { "NO-GO" } else { "GO" };
    let (records, first) = (c.records, &c.first);
    let how = match &c.now {
        Some(now) if c.adjudicated => {
            format!(
                "{records} {verdict} adjudicated as {now} in their own difference ({first} at first)"
            )
        }
        Some(now) => format!("{records} {verdict} from {first} to {now}"),
        None => format!("{records} {verdict} with {first} taken back"),
    };
    format!("changed by {}: {how}, {} settled", c.reviewer, c.settled)
}
