//! An endpoint that lists models, and judges the poor asset of a rehearsal as it is told to.

use crate::http::{Action, Request, Server, answer, json, reply};
use serde_json::json as value;

/// What it says of the poor asset.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Taste {
    /// NO-GO, as it should.
    Strict,
    /// GO: a judge that sees nothing.
    Blind,
    /// Nothing: it is down.
    Down,
}

/// An endpoint with these models.
pub(crate) fn endpoint(models: &'static [&'static str], taste: Taste) -> Server {
    Server::start(move |request| says(request, models, taste))
}

fn says(request: &Request, models: &[&str], taste: Taste) -> Vec<Action> {
    if taste == Taste::Down {
        return reply(503, &[], "down");
    }
    if request.method == "GET" {
        assert!(request.path.ends_with("/models"), "{}", request.path);
        let list: Vec<_> = models.iter().map(|m| value!({"id": m, "object": "model"})).collect();
        return json(200, &value!({"object": "list", "data": list}));
    }
    let text = request.json()["messages"].to_string();
    let poor = text.contains("retention change") && taste == Taste::Strict;
    let score = if poor { 1 } else { 4 };
    let scores = value!({"semantic": score, "pragmatic": score, "syntactic": score});
    let answered = match text.contains("escalate") {
        true => value!({
            "scores": scores, "verdict": if poor { "reject" } else { "accept" },
            "reasoning": "as it is", "improvements": [],
        }),
        false => value!({
            "scores": scores, "verdict": if poor { "NO-GO" } else { "GO" },
            "findings": "as it is", "revision_suggestions": [],
        }),
    };
    answer(&answered.to_string())
}

/// The configuration of judges of tasks that ask the endpoint of `[judge]`, and of a hook that judges so.
pub(crate) const TASKS: &str = "[judges.quick]\nkind = \"chat\"\nmodel = \"fastest\"\n\
    [judges.deep]\nkind = \"chat\"\nmodel = \"fastest\"\n\
    [judges.tiebreaker]\nkind = \"chat\"\nmodel = \"fastest\"\n\
    [hook]\nprotocol = \"task\"\n";
