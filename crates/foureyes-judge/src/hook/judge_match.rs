//! Whether what a box judges, and by whom, is what its evidence is of, as the box itself sees it.

use super::check::{CheckReport, Finding, State, TierAsked};
use crate::config::{HookMode, HookProtocol};
use crate::domain::JudgementKind;
use crate::engine::judged::{Asks, JudgeSeen, unlike};
use crate::hook::switch::{ModeStatus, Place};
use serde::Deserialize;

/// The name of the finding.
pub const NAME: &str = "judge";

/// What a readiness report is of.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
pub struct EvidenceOf {
    /// Whose verdicts.
    #[serde(default)]
    pub family: JudgementKind,
    /// Who was judged; none of a report that names none.
    #[serde(default)]
    pub judges: Vec<JudgeSeen>,
}

/// What a machine judges, and whom it asks.
#[derive(Debug, Clone)]
pub struct Judging<'a> {
    family: JudgementKind,
    /// The judges, each with its tier where there are several.
    judges: Vec<(Option<&'a str>, Asks<'a>)>,
}

impl<'a> Judging<'a> {
    /// A judge of pushes.
    pub fn pushes(asks: Asks<'a>) -> Self {
        Self { family: HookProtocol::Push.family(), judges: vec![(None, asks)] }
    }

    /// Judges of tasks.
    pub fn tasks(tiers: &'a [TierAsked]) -> Self {
        let asks = |of: &'a TierAsked| {
            let (prompt_sha, scripted) = (of.prompt_sha.as_deref(), of.scripted);
            (Some(of.tier.as_str()), Asks { model: &of.model, prompt_sha, scripted })
        };
        Self { family: HookProtocol::Task.family(), judges: tiers.iter().map(asks).collect() }
    }

    /// What a machine says of itself.
    pub fn there(report: &'a CheckReport) -> Self {
        match report.protocol {
            HookProtocol::Task => Self::tasks(&report.judges),
            HookProtocol::Push => Self::pushes(Asks {
                model: &report.model,
                prompt_sha: report.prompt_sha.as_deref(),
                scripted: report.scripted,
            }),
        }
    }
}

impl EvidenceOf {
    /// Reads it out of a report.
    pub fn report(report: &[u8]) -> Self {
        serde_json::from_slice(report).unwrap_or_default()
    }

    /// Whether it lets a machine block that judges so. What differs keeps it from that; who is asked, but
    /// for a waiver.
    pub fn finding(&self, judging: &Judging<'_>, waived: bool) -> Finding {
        if self.family != judging.family {
            return self.other_family(judging.family);
        }
        let state = if waived { State::Warn } else { State::Fail };
        for (tier, asks) in &judging.judges {
            let own: Vec<JudgeSeen> = self.of_tier(*tier).cloned().collect();
            if let Some(why) = unlike(&own, asks) {
                let tier = tier.map_or(String::new(), |tier| format!("{tier}: "));
                let finding = Finding::fail(NAME, format!("{tier}{why}")).hint(hint(asks));
                return Finding { state, ..finding };
            }
        }
        let models: Vec<&str> = judging.judges.iter().map(|(_, asks)| asks.model).collect();
        let (models, prompts) = match &models[..] {
            [one] => ((*one).to_owned(), "its prompt"),
            all => (all.join(", "), "their prompts"),
        };
        Finding::ok(NAME, format!("{models} and {prompts} are those of the evidence"))
    }

    /// The judges of a tier; all where there is one only.
    pub fn of_tier(&self, tier: Option<&str>) -> impl Iterator<Item = &JudgeSeen> {
        self.judges.iter().filter(move |seen| tier.is_none() || seen.tier.as_deref() == tier)
    }

    fn other_family(&self, there: JudgementKind) -> Finding {
        let text = format!(
            "the hook there makes {}; the evidence is about {}",
            there.evaluations(),
            self.family.evaluations()
        );
        Finding::fail(NAME, text).hint(format!(
            "block with the readiness of what is judged there: `foureyes box enable NAME{}`; or change `protocol` in [hook] there",
            there.option()
        ))
    }
}

/// What to do where another judge is asked.
fn hint(asks: &Asks<'_>) -> &'static str {
    if asks.scripted {
        return "remove `script` from the judge's section there, or block with a waiver";
    }
    OTHER_JUDGE
}

/// What to do where the evidence is about another judge.
pub const OTHER_JUDGE: &str = "evidence about one judge says nothing about another: configure the model and prompt of the evidence, or start a new window; otherwise a waiver is needed";

/// Whether the report on which this machine blocks is of what it judges.
pub fn here(place: &Place, status: &ModeStatus, judging: &Judging<'_>) -> Option<Finding> {
    if status.mode != HookMode::Blocking {
        return None;
    }
    let switch = status.switch.as_ref();
    let waived = switch.is_some_and(|s| s.until.is_some());
    match switch.and_then(|s| s.report.as_ref()) {
        // One that is not as it was sent is told of already.
        Some(evidence) => Some(EvidenceOf::report(&place.kept(evidence)?).finding(judging, waived)),
        // Without a report nothing is said of any judge but that there is to be one.
        None => judging.judges.iter().any(|(_, asks)| asks.scripted).then(|| {
            let none = EvidenceOf { family: judging.family, judges: Vec::new() };
            none.finding(judging, waived)
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const REPORT: &str = r#"{"schema":"foureyes/readiness/1","judges":[{"model":"fastest",
        "served_model":null,"prompt_sha":"aa","from":"2026-02-01T00:00:00Z"}]}"#;

    fn asks<'a>(model: &'a str, prompt: &'a str) -> Asks<'a> {
        Asks { model, prompt_sha: Some(prompt), scripted: false }
    }

    fn state(report: &str, prompt: &str, waived: bool) -> State {
        let judging = Judging::pushes(asks("fastest", prompt));
        EvidenceOf::report(report.as_bytes()).finding(&judging, waived).state
    }

    #[test]
    fn another_judge_stops_a_box_but_for_a_waiver() {
        assert_eq!(state(REPORT, "aa", false), State::Ok);
        assert_eq!(
            (state(REPORT, "bb", false), state(REPORT, "bb", true)),
            (State::Fail, State::Warn)
        );
        assert_eq!(
            state("{}", "aa", false),
            State::Fail,
            "a report that names no judge is of none"
        );
        assert_eq!(state("no report", "aa", false), State::Fail);
    }

    #[test]
    fn each_tier_has_its_evidence_and_no_waiver_is_for_another_family() {
        let seen = |tier: &str, model: &str| {
            format!(
                r#"{{"model":{model:?},"served_model":null,"prompt_sha":"aa","tier":{tier:?},"from":"2026-02-01T00:00:00Z"}}"#
            )
        };
        let (quick, deep) = (seen("quick", "small"), seen("deep", "large"));
        let report = format!(r#"{{"family":"task","judges":[{quick},{deep}]}}"#);
        let of = |judges: [(&str, &str); 2], family, waived| {
            let judges = judges.map(|(tier, model)| (Some(tier), asks(model, "aa"))).to_vec();
            let evidence = EvidenceOf::report(report.as_bytes());
            evidence.finding(&Judging { family, judges }, waived)
        };
        let right = [("quick", "small"), ("deep", "large")];
        assert_eq!(of(right, JudgementKind::Task, false).state, State::Ok);
        let swapped = of([("quick", "large"), ("deep", "small")], JudgementKind::Task, false);
        assert!(
            swapped.state == State::Fail && swapped.text.starts_with("quick: the box asks large")
        );
        assert_eq!(
            of([("quick", "small"), ("deep", "x")], JudgementKind::Task, true).state,
            State::Warn
        );
        let other = of(right, JudgementKind::Push, true);
        assert_eq!(other.state, State::Fail, "a waiver is for a judge, not for a family");
        assert!(other.text.contains("push evaluations") && other.text.contains("of tasks"));
    }
}
