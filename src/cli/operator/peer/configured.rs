//! The peer as it is configured, and as it is asked.

use super::{Context, Failure, demo};
use crate::config::{JudgeConfig, NamedJudge};
use crate::domain::review::{PeerDraw, PromptSource, PromptUsed, RunItem};
use crate::judging::{Item, Judge, configured};
use crate::peer::Plan;

pub(super) fn peer(context: &Context) -> Result<(NamedJudge, JudgeConfig), Failure> {
    let (named, judge) = context.config.peer_judge().ok_or_else(|| {
        Failure::usage("no peer is configured")
            .hint("`[judges.peer]` names a model of another family than that of `[judge]`")
    })?;
    if judge.via.is_some() && judge.script.is_none() {
        return Err(Failure::usage("a peer cannot be asked through a box")
            .hint("set `endpoint` in `[judges.peer]`"));
    }
    Ok((named, judge))
}

pub(super) fn rates(context: &Context) -> PeerDraw {
    PeerDraw { rate: context.config.peer.rate, doubt_rate: context.config.peer.doubt_rate }
}

pub(super) fn judge(
    context: &Context,
    named: &NamedJudge,
    asked: &JudgeConfig,
) -> Result<Judge, Failure> {
    let peer = (named, asked);
    if context.global.demo {
        let judge = configured::peer(&context.config, peer, None, None);
        let judge = judge.map_err(|error| Failure::usage(crate::domain::chain(&error)))?;
        return Ok(Judge { provider: demo::judge::peer(), ..judge });
    }
    let key = configured::key(asked).map_err(|error| {
        Failure::usage(format!("failed to get the peer's key: {}", crate::domain::chain(&error)))
    })?;
    if key.is_none() && asked.needs_key() {
        return Err(Failure::usage(format!("the variable {} has no key", asked.key_name()))
            .hint("set it, or name another in `key_env` or `key_command` of `[judges.peer]`"));
    }
    let judge = configured::peer(&context.config, peer, key, Some(context.data.refused()));
    judge.map_err(|error| Failure::usage(crate::domain::chain(&error)))
}

pub(super) fn plan(
    context: &Context,
    (judge, asked): (Judge, &JudgeConfig),
    items: Vec<(RunItem, Item)>,
) -> Plan {
    let file = asked.prompt.as_ref().map(|path| path.display().to_string());
    let source = if file.is_some() { PromptSource::Own } else { PromptSource::Ours };
    let prompt = PromptUsed { source, name: file, sha: judge.prompt_sha() };
    let limits = configured::run_limits(asked, items.len());
    Plan { judge, prompt, draw: rates(context), limits, items }
}
