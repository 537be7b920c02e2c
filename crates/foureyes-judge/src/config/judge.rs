//! Who judges, and how it is asked.

use crate::engine::four_eyes::Rule;
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

/// Who judges, and how it is asked.
#[derive(Debug, Clone, PartialEq)]
pub struct JudgeConfig {
    /// Address of an OpenAI-compatible endpoint, with or without `/v1`.
    pub endpoint: String,
    /// The model that is asked for; it may be the name of a route.
    pub model: String,
    /// The variable of the environment that holds the key.
    pub key_env: String,
    /// A shell command that prints the key; it comes before the variable.
    pub key_command: Option<String>,
    /// The box on whose loopback the endpoint is: it is reached through that box's session.
    pub via: Option<String>,
    /// A file of answers, asked in place of the endpoint.
    pub script: Option<PathBuf>,
    /// For a connection to stand.
    pub connect_timeout: Duration,
    /// For an answer to begin.
    pub first_byte_timeout: Duration,
    /// For one call.
    pub timeout: Duration,
    /// For one content, repeated calls included.
    pub budget: Duration,
    /// Most bytes of content that are shown.
    pub max_content_bytes: usize,
    /// Most parts that longer content is judged in; 1 cuts it.
    pub max_parts: u32,
    /// Most tokens of an answer, where that is given: see [`Self::answer_tokens`].
    pub max_tokens: Option<u32>,
    /// Sampling temperature; a model that takes none is asked without.
    pub temperature: f64,
    /// The operator's own template of the question.
    pub prompt: Option<PathBuf>,
    /// The operator's own rubric.
    pub rubric: Option<PathBuf>,
    /// What happens to a judge of the author's own family.
    pub four_eyes: Rule,
    /// Whether plain http may be spoken to other machines.
    pub allow_plain_http: bool,
    /// Contents judged at the same time.
    pub parallel: usize,
    /// Most that one run may cost, in the currency of the prices.
    pub spend_cap: Option<f64>,
    /// Whether the endpoint may let another model answer than the one that is asked for.
    pub routes: bool,
}

impl JudgeConfig {
    /// Most tokens of an answer, where it is bounded. Under a spend cap it is: without a bound nobody
    /// could say what a call may cost.
    pub fn answer_tokens(&self) -> Option<u32> {
        /// Room for a model that thinks first.
        const CAPPED: u32 = 8192;
        self.max_tokens.or(self.spend_cap.map(|_| CAPPED))
    }

    /// The value of the variable that holds the key; one that is set and empty counts as not set.
    /// It is read when it is asked for. [`crate::config::load`] has it masked wherever it would show.
    pub fn key_variable(&self) -> Option<OsString> {
        std::env::var_os(&self.key_env).filter(|value| !value.is_empty())
    }
}

impl Default for JudgeConfig {
    fn default() -> Self {
        Self {
            endpoint: "http://127.0.0.1:3456".to_owned(),
            model: "fastest".to_owned(),
            key_env: "TERRAPHIM_API_KEY".to_owned(),
            key_command: None,
            via: None,
            script: None,
            connect_timeout: Duration::from_secs(5),
            first_byte_timeout: Duration::from_secs(60),
            timeout: Duration::from_secs(90),
            budget: Duration::from_secs(120),
            max_content_bytes: 256 << 10,
            max_parts: 8,
            max_tokens: None,
            temperature: 0.0,
            prompt: None,
            rubric: None,
            four_eyes: Rule::Refuse,
            allow_plain_http: false,
            parallel: 4,
            spend_cap: None,
            routes: true,
        }
    }
}
