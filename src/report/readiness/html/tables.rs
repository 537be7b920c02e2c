//! Tables of the report: what was judged against what reviewers said, days, judges, policy, waivers.

use super::escaped;
use crate::assess::Report;
use crate::calibration::{Day, DayState, KpiRow, Policy, ReviewerLabels, StratumRow};
use crate::domain::Timestamp;
use crate::report::Masking;
use crate::report::number::percent;
use std::fmt::Write;

/// Counts and weights of each stratum: the 2×2 matrix, with what stands beside it.
pub(super) fn matrix(report: &Report) -> Option<String> {
    let r = &report.readiness;
    let labelled = r.kpis.iter().chain(&r.beside).filter(|k| k.id.needs_labels());
    let rows = labelled.map(|k: &KpiRow| &k.strata).max_by_key(|strata| strata.len())?;
    if rows.is_empty() {
        return None;
    }
    let names =
        ["verdict", "poor", "acceptable", "unsure", "labelled", "contents", "weight of a label"];
    let head = heads(&names, "n");
    let body: String = rows.iter().map(stratum).collect();
    Some(format!("<table>{head}<tbody>{body}</tbody></table>"))
}

fn stratum(s: &StratumRow) -> String {
    let (poor, acceptable) = match s.name == "no_go" {
        true => (("right", "true positives"), ("wrong", "false positives")),
        false => (("wrong", "false negatives"), ("right", "true negatives")),
    };
    let weight = match s.labelled {
        0 => "none labelled".to_owned(),
        n => format!("{:.2}", s.population as f64 / n as f64),
    };
    let cell = |(class, name): (&str, &str), count: u64| {
        format!("<td class=\"n {class}\">{count}<br><span class=\"more\">{name}</span></td>")
    };
    format!(
        "<tr><th scope=\"row\">{}</th>{}{}<td class=\"n\">{}</td><td class=\"n\">{}</td>\
         <td class=\"n\">{}</td><td class=\"n\">{weight}</td></tr>",
        escaped(&s.title(), Masking::On),
        cell(poor, s.poor),
        cell(acceptable, s.acceptable()),
        s.unsure,
        s.labelled,
        s.population
    )
}

/// The head of a table of texts.
fn head(names: &[&str]) -> String {
    heads(names, "")
}

/// The head of a table; its columns but the first are of a class.
fn heads(names: &[&str], class: &str) -> String {
    let one = |(at, name): (usize, &&str)| match (at, class) {
        (0, _) | (_, "") => format!("<th scope=\"col\">{name}</th>"),
        _ => format!("<th scope=\"col\" class=\"{class}\">{name}</th>"),
    };
    let cells: String = names.iter().enumerate().map(one).collect();
    format!("<thead><tr>{cells}</tr></thead>")
}

/// The days of the window by weeks: closed, open with what waits, or without data.
pub(super) fn calendar(days: &[Day]) -> Option<String> {
    let numbered: Vec<(i32, &Day)> =
        days.iter().filter_map(|d| Some((Timestamp::parse_day(&d.day)?.day(), d))).collect();
    let (first, last) = (numbered.first()?.0, numbered.last()?.0);
    let monday = Timestamp::of_day(first).monday();
    let mut out = head(&["week of", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]);
    out += "<tbody>";
    let mut at = numbered.iter().peekable();
    for week in (monday..=last).step_by(7) {
        let name = Timestamp::of_day(week).day_text();
        let _ = write!(out, "<tr><th scope=\"row\">{name}</th>");
        for day in week..week + 7 {
            match at.next_if(|(number, _)| *number == day) {
                Some((_, found)) => out += &cell(found),
                None => out += "<td></td>",
            }
        }
        out += "</tr>";
    }
    Some(format!("<table class=\"calendar\">{out}</tbody></table>"))
}

fn cell(day: &Day) -> String {
    let number = day.day.get(8..).unwrap_or_default();
    let missing = (day.no_go + day.audit).saturating_sub(day.no_go_labelled + day.audit_labelled);
    let (class, text) = match day.state {
        DayState::Closed => ("closed", "✔".to_owned()),
        DayState::Open => ("waits", format!("{missing} to label")),
        DayState::Empty => ("none", "no data".to_owned()),
    };
    format!("<td class=\"{class}\">{number}<br>{text}</td>")
}

/// The judges of the window.
pub(super) fn judges(report: &Report) -> Option<String> {
    let judges = &report.readiness.judges;
    let of = |name: &Option<String>| match name {
        Some(name) => escaped(name, Masking::On),
        None => "not named".to_owned(),
    };
    let prompt = |sha: &Option<String>| {
        let short = sha.as_deref().map(crate::text::short_hash);
        short.map_or("not named".to_owned(), |sha| {
            format!("<code>{}</code>", escaped(sha, Masking::On))
        })
    };
    let row = |j: &crate::engine::judged::JudgeSeen| {
        format!(
            "<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>",
            j.from.day_text(),
            of(&j.model),
            of(&j.served_model),
            prompt(&j.prompt_sha)
        )
    };
    let rows: String = judges.iter().map(row).collect();
    let head = head(&["first seen", "model", "answered by", "prompt"]);
    (!judges.is_empty()).then(|| format!("<table>{head}<tbody>{rows}</tbody></table>"))
}

/// Who labelled how much of the sample, and how much of it blind.
pub(super) fn reviewers(report: &Report, masking: Masking) -> Option<String> {
    let reviewers = &report.readiness.label_quality.as_ref()?.reviewers;
    let row = |r: &ReviewerLabels| {
        let share = percent(r.blind as f64 / r.labelled.max(1) as f64);
        format!(
            "<tr><th scope=\"row\">{}</th><td class=\"n\">{}</td><td class=\"n\">{} ({share})</td></tr>",
            escaped(&r.name, masking),
            r.labelled,
            r.blind
        )
    };
    let rows: String = reviewers.iter().map(row).collect();
    let head = heads(&["reviewer", "contents labelled", "blind"], "n");
    (!reviewers.is_empty()).then(|| format!("<table>{head}<tbody>{rows}</tbody></table>"))
}

/// Each setting of the policy beside its default.
pub(super) fn policy(policy: &Policy) -> String {
    let as_map = |p: &Policy| serde_json::to_value(p).unwrap_or_default();
    let (ours, default) = (as_map(policy), as_map(&Policy::default()));
    let shown = |value: Option<&serde_json::Value>| match value {
        None | Some(serde_json::Value::Null) => "none".to_owned(),
        Some(serde_json::Value::String(text)) => text.clone(),
        Some(serde_json::Value::Array(all)) if all.is_empty() => "none".to_owned(),
        Some(serde_json::Value::Array(all)) => {
            let one = |v: &serde_json::Value| v.as_str().map_or(v.to_string(), str::to_owned);
            all.iter().map(one).collect::<Vec<_>>().join(", ")
        }
        Some(value) => value.to_string(),
    };
    let settings = ours.as_object().into_iter().flatten().filter(|(key, _)| *key != "waivers");
    let row = |(key, value): (&String, &serde_json::Value)| {
        let (set, usual) = (shown(Some(value)), shown(default.get(key)));
        let e = |text: &str| escaped(text, Masking::On);
        let (open, close) = if set == usual { ("", "") } else { ("<strong>", "</strong>") };
        format!(
            "<tr><th scope=\"row\"><code>{}</code></th><td>{open}{}{close}</td><td>{}</td></tr>",
            e(key),
            e(&set),
            e(&usual)
        )
    };
    let rows: String = settings.map(row).collect();
    let head = head(&["setting", "in force", "default"]);
    format!("<table>{head}<tbody>{rows}</tbody></table>")
}

/// What is waived; `None` where nothing is.
pub(super) fn waivers(policy: &Policy, masking: Masking) -> Option<String> {
    let row = |w: &crate::calibration::Waiver| {
        let e = |text: &str| escaped(text, masking);
        format!(
            "<tr><th scope=\"row\"><code>{}</code></th><td>{}</td><td>{}</td><td>{}</td></tr>",
            e(&w.what),
            e(&w.name),
            e(&w.reason),
            e(&w.until)
        )
    };
    let rows: String = policy.waivers.iter().map(row).collect();
    let head = head(&["rule", "who answers for it", "reason", "until"]);
    (!policy.waivers.is_empty()).then(|| format!("<table>{head}<tbody>{rows}</tbody></table>"))
}
