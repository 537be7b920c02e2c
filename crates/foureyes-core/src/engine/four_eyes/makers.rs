//! Well-known makers: how their models are named, and under which names these write.

use super::ModelFamily;
use crate::engine::pattern::fits_model;
use std::sync::LazyLock;

/// Longest name of an author that is compared, in bytes.
const MOST_BYTES: usize = 512;

/// Name, models and authors.
type Maker = (&'static str, &'static [&'static str], &'static [&'static str]);

/// Authors are names under which agents commit that ask models of this maker alone, and models by their own name.
/// Agents that ask the models of several makers, such as Copilot, Cursor or Devin, tell nothing. A person's whole
/// name fits none.
const MAKERS: [Maker; 16] = [
    (
        "alibaba",
        &["qwen*", "qwq*"],
        &["qwen*", "qwen code*", "qwq-*", "*<qwen-coder@alibabacloud.com>"],
    ),
    ("amazon", &["nova-*", "amazon.nova*"], &["amazon.nova*"]),
    (
        "anthropic",
        &["claude*", "anthropic.claude*"],
        &[
            "claude",
            "claude-*",
            "claude[bot]",
            "claude code",
            "claude code *",
            "claude opus*",
            "claude sonnet*",
            "claude haiku*",
            "claude 3*",
            "claude 4*",
            "anthropic.claude*",
            "*<noreply@anthropic.com>",
        ],
    ),
    ("cohere", &["command*", "c4ai-*"], &["command-r*", "command-a*", "c4ai-*"]),
    ("deepseek", &["deepseek*"], &["deepseek*", "deepseek v*"]),
    (
        "google",
        &["gemini*", "gemma*"],
        &[
            "gemini",
            "gemini-*",
            "gemini cli*",
            "gemini code*",
            "gemini 2*",
            "gemini 3*",
            "gemma-*",
            "google-labs-jules*",
        ],
    ),
    ("ibm", &["granite*"], &["granite-*"]),
    ("meta", &["llama*", "meta-llama*"], &["llama-*", "meta-llama*"]),
    ("microsoft", &["phi-*"], &["phi-3*", "phi-4*"]),
    ("minimax", &["minimax*", "abab*"], &["minimax*"]),
    (
        "mistral",
        &["mistral*", "mixtral*", "ministral*", "codestral*", "magistral*", "devstral*"],
        &[
            "mistral",
            "mistral-*",
            "mistral vibe*",
            "mixtral-*",
            "ministral-*",
            "codestral*",
            "magistral*",
            "devstral*",
            "*<vibe@mistral.ai>",
        ],
    ),
    (
        "moonshot",
        &["kimi*", "moonshot*"],
        &["kimi", "kimi-*", "kimi cli*", "kimi code*", "kimi k2*", "moonshot", "moonshot-*"],
    ),
    ("nvidia", &["nemotron*"], &["nemotron*"]),
    (
        "openai",
        &["gpt-*", "chatgpt-*", "o1*", "o3*", "o4*", "codex-*"],
        &[
            "gpt-*",
            "chatgpt*",
            "chatgpt *",
            "o1",
            "o1-*",
            "o3",
            "o3-*",
            "o4-*",
            "codex",
            "codex-*",
            "codex[bot]",
            "codex cli*",
            "openai codex*",
            "openai-codex*",
            "*<codex@openai.com>",
        ],
    ),
    ("xai", &["grok*"], &["grok", "grok-*", "grok code*", "grok cli*", "grok 3*", "grok 4*"]),
    ("zhipu", &["glm*", "chatglm*"], &["glm", "glm-*", "chatglm*"]),
];

static FAMILIES: LazyLock<Vec<ModelFamily>> = LazyLock::new(|| {
    let texts = |all: &[&str]| all.iter().map(|one| (*one).to_owned()).collect();
    let family = |(name, models, authors): &Maker| ModelFamily {
        name: (*name).to_owned(),
        authors: texts(authors),
        models: texts(models),
    };
    MAKERS.iter().map(family).collect()
});

/// All of them, by name.
pub(super) fn all() -> &'static [ModelFamily] {
    &FAMILIES
}

/// Whether an author's name fits a pattern of these. One of several words is mostly that of a person, so it fits
/// only patterns that have several words themselves.
pub(super) fn fits_author(pattern: &str, author: &str) -> bool {
    let has_words = |text: &str| text.contains([' ', '<']);
    // A commit may name an author of megabytes.
    if author.len() > MOST_BYTES {
        return false;
    }
    (has_words(pattern) || !has_words(author.trim())) && fits_model(pattern, author.trim())
}

/// Whether a family is one of these, and not of the configuration.
pub(super) fn is_maker(family: &ModelFamily) -> bool {
    all().contains(family)
}
