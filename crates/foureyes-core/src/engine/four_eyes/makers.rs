//! Well-known makers: how their models are named, and under which names these write.

use super::ModelFamily;
use crate::engine::pattern::fits_model;
use std::sync::LazyLock;

/// Longest name of an author that is compared, in bytes.
const MOST_BYTES: usize = 512;

/// A well-known maker. Patterns of authors are compared with blanks, brackets and `_` as `-`; `#` stands for a digit.
struct Maker {
    name: &'static str,
    models: &'static [&'static str],
    /// Names of this maker's agents and models that nobody else has.
    authors: &'static [&'static str],
    /// Names that people have too, or that begin another word: they are this maker's alone, and before a version or
    /// one of the words.
    stems: &'static [&'static str],
    words: &'static [&'static str],
}

impl Maker {
    const fn new(name: &'static str, models: &'static [&'static str]) -> Self {
        Self { name, models, authors: &[], stems: &[], words: &[] }
    }
}

/// Authors are names under which agents commit that ask models of this maker alone, and models by their own name.
/// Agents that ask the models of several makers, such as Copilot, Cursor or Devin, tell nothing. A person's whole
/// name fits none.
const MAKERS: [Maker; 16] = [
    Maker {
        authors: &["qwenlm*", "qwq", "qwq-*", "*<qwen-coder@alibabacloud.com>"],
        stems: &["qwen"],
        words: &[
            "agent", "chat", "cli", "code", "coder", "flash", "max", "next", "plus", "turbo", "vl",
        ],
        ..Maker::new("alibaba", &["qwen*", "qwq*"])
    },
    Maker {
        authors: &["amazon.nova*", "amazon-nova*"],
        ..Maker::new("amazon", &["nova-*", "amazon.nova*"])
    },
    Maker {
        authors: &["anthropic.claude*", "anthropic-claude*", "*<noreply@anthropic.com>"],
        stems: &["claude"],
        words: &[
            "action", "agent", "ai", "bot", "cli", "code", "desktop", "haiku", "instant", "latest",
            "opus", "sonnet",
        ],
        ..Maker::new("anthropic", &["claude*", "anthropic.claude*"])
    },
    Maker {
        authors: &["c4ai-*"],
        stems: &["command-r", "command-a"],
        words: &["plus", "reasoning", "translate", "vision"],
        ..Maker::new("cohere", &["command*", "c4ai-*"])
    },
    Maker { authors: &["deepseek*"], ..Maker::new("deepseek", &["deepseek*"]) },
    Maker {
        authors: &[
            "gemma-#*",
            "gemma#*",
            "google-gemini*",
            "google-labs-jules*",
            "google-jules*",
            "jules",
        ],
        stems: &["gemini"],
        words: &["agent", "assist", "bot", "cli", "code", "exp", "flash", "nano", "pro", "ultra"],
        ..Maker::new("google", &["gemini*", "gemma*"])
    },
    Maker {
        authors: &["granite-#*", "granite-code*", "ibm-granite*"],
        ..Maker::new("ibm", &["granite*"])
    },
    Maker {
        authors: &["llama-*", "llama#*", "code-llama*", "codellama*", "meta-llama*"],
        ..Maker::new("meta", &["llama*", "meta-llama*"])
    },
    Maker { authors: &["phi-#*", "microsoft-phi*"], ..Maker::new("microsoft", &["phi-*"]) },
    Maker { authors: &["minimax*"], ..Maker::new("minimax", &["minimax*", "abab*"]) },
    Maker {
        authors: &[
            "mixtral-*",
            "ministral-*",
            "codestral*",
            "magistral*",
            "devstral*",
            "*<vibe@mistral.ai>",
        ],
        stems: &["mistral"],
        words: &["ai", "code", "large", "medium", "nemo", "saba", "small", "tiny", "vibe"],
        ..Maker::new(
            "mistral",
            &["mistral*", "mixtral*", "ministral*", "codestral*", "magistral*", "devstral*"],
        )
    },
    Maker {
        authors: &["moonshot-ai*", "moonshotai*", "moonshot-v#*", "kimi-k#*"],
        stems: &["kimi", "moonshot"],
        words: &["bot", "cli", "code", "dev", "for-coding", "latest", "linear", "thinking", "vl"],
        ..Maker::new("moonshot", &["kimi*", "moonshot*"])
    },
    Maker { authors: &["nemotron*"], ..Maker::new("nvidia", &["nemotron*"]) },
    Maker {
        authors: &["gpt-*", "gpt#*", "chatgpt*", "openai-codex*", "*<codex@openai.com>"],
        stems: &["codex", "o1", "o3", "o4"],
        words: &[
            "agent", "bot", "cli", "cloud", "deep", "high", "low", "max", "mini", "preview", "pro",
            "web",
        ],
        ..Maker::new("openai", &["gpt-*", "chatgpt-*", "o1*", "o3*", "o4*", "codex-*"])
    },
    Maker {
        stems: &["grok"],
        words: &["beta", "bot", "build", "cli", "code", "fast", "latest", "mini", "vision"],
        ..Maker::new("xai", &["grok*"])
    },
    Maker {
        authors: &["glm", "glm-*", "glm#*", "chatglm*"],
        ..Maker::new("zhipu", &["glm*", "chatglm*"])
    },
];

static FAMILIES: LazyLock<Vec<ModelFamily>> = LazyLock::new(|| {
    let family = |maker: &Maker| ModelFamily {
        name: maker.name.to_owned(),
        authors: authors(maker),
        models: maker.models.iter().map(|one| (*one).to_owned()).collect(),
    };
    MAKERS.iter().map(family).collect()
});

fn authors(maker: &Maker) -> Vec<String> {
    let mut all: Vec<_> = maker.authors.iter().map(|one| (*one).to_owned()).collect();
    for stem in maker.stems {
        let alone = ["", "#*", "-#*", "-v#*"].map(|end| format!("{stem}{end}"));
        let before = maker.words.iter().map(|word| format!("{stem}-{word}"));
        let before = before.flat_map(|name| ["", "#*", "-*"].map(|end| format!("{name}{end}")));
        all.extend(alone.into_iter().chain(before));
    }
    all
}

/// All of them, by name.
pub(super) fn all() -> &'static [ModelFamily] {
    &FAMILIES
}

/// Whether an author's name fits a pattern of these, however it separates its words.
pub(super) fn fits_author(pattern: &str, author: &str) -> bool {
    // A commit may name an author of megabytes.
    if author.len() > MOST_BYTES {
        return false;
    }
    let is_between = |c: char| c.is_whitespace() || "()[]_-".contains(c);
    let words = author.split(is_between).filter(|word| !word.is_empty()).collect::<Vec<_>>();
    let author = words.join("-");
    match pattern.contains('#') {
        true => (1..=9).any(|digit| fits_model(&pattern.replace('#', &digit.to_string()), &author)),
        false => fits_model(pattern, &author),
    }
}

/// Whether a family is one of these, and not of the configuration.
pub(super) fn is_maker(family: &ModelFamily) -> bool {
    all().contains(family)
}
