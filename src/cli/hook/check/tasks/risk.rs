//! The rules of risk: what they come to here, which judges they need, and whether authors are known.

use crate::config::{Config, HookProtocol};
use crate::domain::Timestamp;
use crate::engine::panel::{Depth, Tier};
use crate::engine::risk::RiskDepth;
use crate::hook::check::Finding;
use crate::risk::RiskRules;
use std::path::Path;

const NAME: &str = "risk";

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

/// Looks at the rules and the rates; nothing, where there are no rules.
pub(super) fn look(config: &Config, home: Option<&Path>) -> Vec<Finding> {
    let now = Timestamp(jiff::Timestamp::now().as_microsecond());
    let family = config.hook.protocol.family();
    let Some(risk) = RiskRules::new(config, family, home, now) else { return Vec::new() };
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
    if config.risk.is_about_authors() {
        findings.push(rates(&risk));
    }
    findings
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

fn rates(risk: &RiskRules) -> Finding {
    match &risk.rates {
        Ok(rates) => {
            let (count, day) = (rates.authors.len(), rates.made_at.day_text());
            Finding::ok(NAME, format!("rates of {count} authors, of {day}"))
        }
        Err(error) => {
            let text = format!("every author is unknown: {}", error.words());
            Finding::warn(NAME, text).hint(
                "publish rates on the operator's machine (`foureyes risk publish`), and set `rates` \
                 and `rates_key` in [risk]",
            )
        }
    }
}
