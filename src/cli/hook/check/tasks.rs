//! The judges of tasks: whether each can be asked, and whether what comes of it can be kept.

mod issues;
mod risk;

pub(in crate::cli) use risk::asked;

use super::asked::{key, money};
use super::{endpoint, place};
use crate::cli::hook::judge::acceptance;
use crate::config::{Config, HookProtocol, JudgeConfig, JudgeKind, TaskConfig};
use crate::domain::chain;
use crate::engine::panel::Tier;
use crate::hook::NoJudge;
use crate::hook::check::{Finding, TASK, TierAsked};
use crate::hook::judge_findings::four_eyes;
use crate::judging::configured;
use crate::judging::task::{Judges, distinct};
use crate::risk::RatesState;
use crate::text::short_hash as short;
use std::path::Path;
use std::sync::Arc;

/// What was found.
#[derive(Default)]
pub(in crate::cli) struct Tasks {
    pub(in crate::cli) checks: Vec<Finding>,
    /// The judges that the hook asks; none where it judges pushes.
    pub(super) judges: Vec<TierAsked>,
    /// The rates of authors, where a rule of risk is about these.
    pub(super) rates: Option<RatesState>,
}

/// Whether the configuration speaks of judges of tasks.
pub(super) fn are_judged(config: &Config) -> bool {
    let is_silent = config.judges.is_empty() && config.task == TaskConfig::default();
    config.hook.protocol == HookProtocol::Task || !is_silent || !config.risk.rules.is_empty()
}

/// Looks at what the hook judges tasks with, or agents, where the configuration speaks of it.
pub(in crate::cli) fn check(config: &Config, home: Option<&Path>) -> Tasks {
    let by_hook = config.hook.protocol == HookProtocol::Task;
    if !are_judged(config) {
        return Tasks::default();
    }
    let (mut checks, mut judges) = (Vec::new(), Vec::new());
    let mut known = Vec::new();
    for tier in asked(config) {
        let (found, judge) = of_tier(config, tier, &mut known);
        checks.extend(found);
        judges.extend(Some(judge).filter(|_| by_hook));
    }
    checks.extend(together(config));
    checks.extend(place::check(config, HookProtocol::Task, home));
    checks.extend(config.hook.acceptance.as_deref().filter(|_| by_hook).map(criteria));
    checks.extend(config.task.create_issues.then(issues::check));
    let named = |finding: Finding| Finding { name: format!("{TASK}{}", finding.name), ..finding };
    let (of_risk, rates) = risk::check(config, home);
    let checks = checks.into_iter().map(named).chain(of_risk).collect();
    Tasks { checks, judges, rates }
}

/// A judge and what its endpoint lists, so that no endpoint is asked twice.
type Known = (JudgeConfig, Option<Vec<String>>);

fn of_tier(config: &Config, tier: Tier, known: &mut Vec<Known>) -> (Vec<Finding>, TierAsked) {
    let judge = config.judge_of(tier).1;
    let section = format!("[judges.{}] or [judge]", tier.name());
    let (found, key) = key(&judge, &section);
    let mut checks = vec![found];
    let (usable, mut prompt_sha) = (configured::tier(config, tier, None, None), None);
    match usable {
        Ok(usable) => {
            let sha = prompt_sha.insert(usable.prompt_sha());
            checks.push(Finding::ok("prompt", format!("question {}", short(sha))));
            checks.extend(four_eyes(&usable, &config.agents));
            let cap = config.task.spend_cap.or(config.judge.spend_cap);
            checks.extend(cap.map(|cap| money(&usable, cap, "task")));
        }
        Err(configured::Error::Model { .. } | configured::Error::Kind { .. }) => {}
        Err(error) => checks.push(
            Finding::fail("prompt", chain(&error))
                .hint("correct its section in [judges], or what it takes from [judge]"),
        ),
    }
    let unfit = endpoint::unfit(&judge);
    match known.iter().find(|(of, _)| is_same(of, &judge)) {
        _ if unfit.is_some() => checks.extend(unfit),
        Some((_, Some(models))) => checks.push(endpoint::model(&judge, models, &section)),
        // That it does not answer is told already.
        Some((_, None)) => {}
        None => {
            let looked = endpoint::check(&judge, key, &section);
            checks.extend(looked.checks);
            known.push((judge.clone(), looked.models));
        }
    }
    let scripted = judge.kind() == JudgeKind::Script;
    let named = |f: Finding| Finding { text: format!("{}: {}", tier.name(), f.text), ..f };
    let asked =
        TierAsked { tier: tier.name().to_owned(), model: judge.model, prompt_sha, scripted };
    (checks.into_iter().map(named).collect(), asked)
}

/// Whether two judges are asked in the same place, whatever the model.
fn is_same(one: &JudgeConfig, other: &JudgeConfig) -> bool {
    let place = |of: &JudgeConfig| {
        // The program lists the models of one provider.
        let provider = of.model.split_once('/').map(|(provider, _)| provider.to_owned());
        let provider = provider.filter(|_| of.kind() == JudgeKind::Opencode);
        (of.kind(), of.address().to_owned(), of.program().to_owned(), provider)
    };
    let key = |of: &JudgeConfig| (of.key_name().to_owned(), of.key_command.clone());
    place(one) == place(other) && key(one) == key(other) && one.script == other.script
}

/// Whether the judges of one run are of different families.
fn together(config: &Config) -> Option<Finding> {
    let judge = |tier| configured::tier(config, tier, None, None).map(Arc::new).ok();
    let [quick, deep, tiebreaker] = Tier::ALL.map(judge);
    let why = distinct(&Judges([quick?, deep?, tiebreaker?]))?;
    let hint = "choose models of different makers in [judges], or name them in [[family]]";
    Some(match config.task.require_families {
        true => Finding::fail("families", why + " Every task is left to a person.").hint(hint),
        false => Finding::warn("families", why).hint(hint),
    })
}

/// The file of acceptance criteria.
fn criteria(path: &Path) -> Finding {
    match acceptance(path) {
        Ok(text) => Finding::ok("acceptance", format!("{}: {} bytes", path.display(), text.len())),
        Err(NoJudge::Unusable(why)) => {
            let hint = "correct `acceptance` in [hook]; until then nothing is judged";
            Finding::fail("acceptance", why).hint(hint)
        }
    }
}
