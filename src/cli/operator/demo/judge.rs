//! The judges of the demo: they read nothing and send nothing, and answer as others would.

use super::answers;
use crate::config::{Config, JudgeKind, NamedJudge};
use crate::engine::cost::{Price, Prices};
use crate::engine::four_eyes::{Families, ModelFamily};
use crate::engine::panel::Tier;
use crate::judging::task::Judges;
use crate::judging::{Judge, configured};
use crate::provider::Provider;
use crate::provider::scripted::Scripted;
use crate::tui::model::Problem;
use crate::tui::{JudgeEndpoint, TaskJudges};
use std::sync::Arc;

/// What it is called.
const MODEL: &str = "demo-judge";
/// Puts the demo's judge in the place of whoever is configured.
pub(in crate::cli) fn take_over(config: &mut Config) -> JudgeEndpoint {
    config.judge.model = MODEL.to_owned();
    (config.judge.script, config.judge.via) = (None, None);
    let price = Price { model: "demo-*".to_owned(), prompt: 0.25, completion: 2.0 };
    config.prices = Prices(vec![price]);
    let family = |name: &str, authors: &[&str], models: &[&str]| {
        let texts = |texts: &[&str]| texts.iter().map(|&text| text.to_owned()).collect();
        ModelFamily { name: name.to_owned(), authors: texts(authors), models: texts(models) }
    };
    config.families = Families(vec![
        family("claw", &["OpenClaw*", "Heron*", "Lantern*"], &["claw-*"]),
        family("demo", &[], &["demo-judge*"]),
        family("demo-quick", &[], &["demo-quick*"]),
        family("demo-deep", &[], &["demo-deep*"]),
        family("demo-tiebreaker", &[], &["demo-tiebreaker*"]),
        family("demo-peer", &[], &["demo-peer*"]),
    ]);
    for tier in Tier::ALL {
        let judge = NamedJudge {
            kind: Some(JudgeKind::Chat),
            model: Some(format!("demo-{}", tier.name())),
            ..NamedJudge::default()
        };
        config.judges.insert(tier.name().to_owned(), judge);
    }
    let peer = NamedJudge { model: Some("demo-peer".to_owned()), ..NamedJudge::default() };
    config.judges.insert("peer".to_owned(), peer);
    let description = "the demo's own judge: nothing leaves this machine".to_owned();
    let make = |_| Ok(Provider::Scripted(Scripted::by(answers::push).listing(MODELS)));
    let judges = TaskJudges { description: Some(description.clone()), make: Arc::new(judges) };
    JudgeEndpoint { description, make: Arc::new(make), judges }
}

/// The peer of the demo.
pub(in crate::cli) fn peer() -> Provider {
    Provider::Scripted(Scripted::by(answers::push))
}

/// The judges of tasks of the demo: as configured, but that this program answers.
fn judges(config: &Config) -> Result<Judges, Problem> {
    let judge = |tier| {
        let judge = configured::tier(config, tier, None, None);
        let judge = judge.map_err(|error| Problem::from_error(&error, "correct the prompt"))?;
        let provider = Provider::Scripted(Scripted::by(answers::task));
        Ok::<_, Problem>(Arc::new(Judge { provider, ..judge }))
    };
    let [quick, deep, tiebreaker] = Tier::ALL;
    Ok(Judges([judge(quick)?, judge(deep)?, judge(tiebreaker)?]))
}

/// The models of the demo. One is of the family that writes.
const MODELS: [&str; 3] = [MODEL, "demo-judge-large", "claw-writer"];
