//! A model that judges by a word in the content, behind a real HTTP server.

use super::stage::Stage;
use crate::http::{Action, Request, Server, answer};

/// A judge that finds content poor which has the word POOR in it, and cannot tell where it has DOUBT.
pub(super) struct Model(pub(super) Server);

impl Model {
    pub(super) fn start() -> Self {
        Self(Server::start(says))
    }

    /// A server that does one thing for every request.
    pub(super) fn always(actions: Vec<Action>) -> Self {
        Self(Server::always(actions))
    }

    /// How often it was asked.
    pub(super) fn asked(&self) -> usize {
        self.0.requests().len()
    }

    /// Lets a stage ask it, with some more lines of the section `[hook]`.
    pub(super) fn serve(&self, stage: &mut Stage, hook: &str) {
        let url = self.0.url();
        stage.configure(&format!("[judge]\nendpoint = \"{url}\"\n[hook]\n{hook}\n"));
        stage.set("TERRAPHIM_API_KEY", "key-of-the-test");
        stage.set("NO_PROXY", "127.0.0.1");
    }
}

pub(super) fn says(request: &Request) -> Vec<Action> {
    let text = request.json()["messages"].to_string();
    let word = |word: &str| text.contains(word);
    match () {
        () if word("POOR") => answer(&verdict(2, "NO-GO", "it contradicts itself")),
        () if word("DOUBT") => answer(&verdict(4, "UNDETERMINED", "it cannot be told")),
        () => answer(&verdict(4, "GO", "nothing to add")),
    }
}

/// An answer with this semantic score.
pub(super) fn verdict(semantic: u8, word: &str, findings: &str) -> String {
    serde_json::json!({
        "scores": {"semantic": semantic, "pragmatic": 4, "syntactic": 5},
        "verdict": word, "findings": findings, "revision_suggestions": ["say it once"],
    })
    .to_string()
}
