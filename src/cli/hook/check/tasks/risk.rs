//! The rules of risk: what they come to here, which judges they need, and whether authors are known.

use crate::config::{Config, HookProtocol};
use crate::domain::Timestamp;
use crate::engine::panel::{Depth, Tier};
use crate::engine::risk::RiskDepth;
use crate::hook::check::Finding;
use crate::risk::{RatesError, RatesState, RiskRules};
use crate::text::counted;
use std::path::Path;

const NAME: &str = "risk";
const RATES: &str = "rates";
const DAY_US: i64 = 86_400_000_000;

/// The judges of tasks that are ever asked: of judges one after the other the third is not, unless a rule
/// wants a panel.
pub(in crate::cli) fn asked(config: &Config) -> impl Iterator<Item = Tier> {
    let rules = config.risk.rules.iter().map(|rule| rule.depth.judges());
    let count = match rules.fold(config.task.depth.depth(true), Depth::max) {
        Depth::Quick => 1,
        Depth::Sequential => 2,
        Depth::Panel => 3,
    };
    Tier::ALL.into_iter().take(count)
}

/// Looks at the rules, and at the rates of authors where a rule is about these; nothing, where there are no rules.
pub(super) fn check(config: &Config, home: Option<&Path>) -> (Vec<Finding>, Option<RatesState>) {
    let now = Timestamp(jiff::Timestamp::now().as_microsecond());
    let family = config.hook.protocol.family();
    let Some(risk) = RiskRules::new(config, family, home, now) else {
        return Default::default();
    };
    let mut findings = vec![rules(&risk, config.hook.protocol)];
    let idle: Vec<_> = risk.rules.iter().filter(|rule| rule.depth <= risk.floor).collect();
    if !idle.is_empty() {
        let names: Vec<_> = idle.iter().map(|rule| rule.name.as_str()).collect();
        let text = format!(
            "everything is judged to the depth {} at least, so these rules change nothing: {}",
            risk.floor.name(),
            names.join(", ")
        );
        findings.push(Finding::warn(NAME, text).hint("raise their `depth`, or remove them"));
    }
    let state = config.risk.is_about_authors().then(|| RatesState {
        made_at: risk.rates.as_ref().ok().map(|rates| rates.made_at),
        problem: risk.rates.as_ref().err().map(RatesError::words),
    });
    if state.is_some() {
        findings.push(rates(&risk, config.risk.rates_days, now));
    }
    (findings, state)
}

fn rules(risk: &RiskRules, protocol: HookProtocol) -> Finding {
    let one =
        |rule: &crate::engine::risk::RiskRule| format!("{} → {}", rule.name, rule.depth.name());
    let all: Vec<_> = risk.rules.iter().map(one).collect();
    let beside = match protocol {
        HookProtocol::Push if risk.rules.iter().any(|rule| rule.depth > RiskDepth::Quick) => {
            "; deeper than quick, judges of tasks look at a commit as well, and stop no push"
        }
        _ => "",
    };
    Finding::ok(NAME, format!("{}; otherwise {}{beside}", all.join(", "), risk.floor.name()))
}

fn rates(risk: &RiskRules, days: u32, now: Timestamp) -> Finding {
    match &risk.rates {
        Ok(rates) => {
            let count = counted(rates.authors.len() as u64, "author", "authors");
            let day = rates.made_at.day_text();
            let age = counted((now.0 - rates.made_at.0).max(0) / DAY_US, "day", "days");
            let text = format!("{count}, of {day}: {age} old; they count for {days} days");
            Finding::ok(RATES, text)
        }
        Err(error) => {
            let text = format!("every author is unknown: {}", error.words());
            Finding::warn(RATES, text).hint(
                "set `rates` and `rates_key` in [risk], and have the operator deliver rates \
                 (`foureyes risk publish --deliver BOX`)",
            )
        }
    }
}
