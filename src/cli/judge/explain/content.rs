//! What of a content a judge would be shown, and what that may cost.

use crate::engine::four_eyes::Rule;
use crate::engine::prompt::Prompt;
use crate::engine::verdict::Verdict;
use crate::judging::{Item, Judge};
use crate::text::short_hash as short;

/// A content: what of it is sent, left out and changed.
pub(super) fn lines<V: Verdict>(
    judge: &Judge<V>,
    item: &Item,
    prompt: &Prompt,
) -> Vec<(&'static str, String)> {
    let decision = judge.four_eyes(item.people(), None);
    let rule = match judge.settings.four_eyes {
        Rule::Require => "a judge of the same or an unknown family: refuse".to_owned(),
        rule => format!("a judge of the same family: {}", rule.name()),
    };
    let author = match (&item.author, item.others.as_slice()) {
        (Some(author), _) => author.clone(),
        (None, []) => "not given".to_owned(),
        (None, agents) => format!("not given, so any of the agents: {}", agents.join(", ")),
    };
    let mut lines = vec![
        ("files", item.material().paths().join(", ")),
        ("author", author),
        ("four eyes", format!("{decision} ({rule})")),
        (
            "content",
            format!(
                "{} bytes, {} shown; hash {}",
                prompt.bytes,
                prompt.shown,
                short(&item.material().sha())
            ),
        ),
        ("sent", format!("{} bytes in all", prompt.size())),
    ];
    for cut in &prompt.cuts {
        lines
            .push(("cut", format!("{}: {} of {} bytes are shown", cut.path, cut.shown, cut.bytes)));
    }
    for (count, what) in [
        (prompt.masked, "secrets that are masked"),
        (prompt.neutralised, "places neutralised that could pass for a delimiter"),
        (prompt.lossy, "files with invalid UTF-8"),
    ] {
        if count > 0 {
            lines.push(("note", format!("{what}: {count}")));
        }
    }
    if prompt.injection {
        lines.push(("note", "the content seems to address the judge".to_owned()));
    }
    if prompt.hidden {
        lines.push(("note", "the content has invisible characters".to_owned()));
    }
    lines
}

/// What a call may cost, and whether a spend cap lets it be made.
pub(super) fn cost<V: Verdict>(judge: &Judge<V>, item: &Item, cap: Option<f64>) -> String {
    let Some(cost) = judge.most(item) else {
        let asked = if cap.is_some() { ", and under a spend cap it is not asked" } else { "" };
        return format!("unknown: the model has no price{asked}");
    };
    let bound = match judge.settings.max_tokens {
        Some(_) => "at most",
        None => "not bounded without `max_tokens`; with an answer of 8192 tokens at most",
    };
    let several = judge.prices.0.len() > 1 && !judge.settings.no_routes;
    let by = if several { ", at the highest of [prices]" } else { "" };
    let calls = judge.calls_about(item);
    let over = cap.is_some_and(|cap| cost * f64::from(calls) > cap);
    let end = if over { "; that is more than the spend cap, so it is not asked" } else { "" };
    format!("{bound} {cost:.4} a call{by}, and {calls} calls where the endpoint fails{end}")
}
