//! Who judges, and how it is asked.

use super::rules::Text;
use crate::engine::four_eyes::Rule;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Where a chat is by default.
const CHAT_ADDRESS: &str = "http://127.0.0.1:3456";

/// The variable that holds the key of a chat by default.
const CHAT_KEY: &str = "TERRAPHIM_API_KEY";

/// Who judges, and how it is asked.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct JudgeConfig {
    /// How it is asked: `chat`, an OpenAI-compatible endpoint; `anthropic`, Anthropic's messages API;
    /// `opencode`, the program of this name; `service`, `foureyes serve`; `script`, a file of answers.
    // See [`Self::kind`].
    #[schemars(with = "Option<String>", extend("x-text" = Text::JudgeKind))]
    pub kind: Option<JudgeKind>,
    /// The program, of the kind `opencode`: a path, or a name that is looked for in `PATH`.
    #[schemars(extend("x-text" = Text::Program))]
    pub program: Option<PathBuf>,
    /// Address of the endpoint. Where it is not given, the default of the kind.
    // See [`Self::address`].
    #[schemars(extend("x-text" = Text::Endpoint))]
    pub endpoint: Option<String>,
    /// The public keys of a service, of the kind `service`: one, and during a rotation another.
    #[schemars(extend("x-text" = Text::PublicKey))]
    pub service_key: Vec<String>,
    /// The client of a service that our token is of: a judgement for another one does not count.
    #[schemars(extend("x-text" = Text::Named))]
    pub service_client: Option<String>,
    /// The model that is asked for; it may be the name of a route.
    #[schemars(extend("x-text" = Text::Named))]
    pub model: String,
    /// The variable of the environment that holds the key. Where it is not given, the default of the kind.
    // See [`Self::key_name`].
    #[schemars(extend("x-text" = Text::Variable))]
    pub key_env: Option<String>,
    /// A shell command that prints the key; it comes before the variable.
    #[schemars(extend("x-text" = Text::Command))]
    pub key_command: Option<String>,
    /// The box on whose loopback the endpoint is: the console reaches it through that box's session.
    #[schemars(extend("x-text" = Text::BoxOverSsh))]
    pub via: Option<String>,
    /// A file of answers that is asked in place of the endpoint, for demonstrations.
    #[schemars(extend("x-text" = Text::Path))]
    pub script: Option<PathBuf>,
    /// Seconds to connect.
    #[serde(rename = "connect_timeout_s", with = "super::seconds")]
    #[schemars(with = "u64", range(min = 1, max = 600))]
    pub connect_timeout: Duration,
    /// Seconds until the first byte of an answer.
    #[serde(rename = "first_byte_timeout_s", with = "super::seconds")]
    #[schemars(with = "u64", range(min = 1, max = 3600))]
    pub first_byte_timeout: Duration,
    /// Seconds for one whole call.
    #[serde(rename = "timeout_s", with = "super::seconds")]
    #[schemars(with = "u64", range(min = 1, max = 3600))]
    pub timeout: Duration,
    /// Seconds for one content, repeated calls included.
    #[serde(rename = "budget_s", with = "super::seconds")]
    #[schemars(with = "u64", range(min = 1, max = 3600))]
    pub budget: Duration,
    /// Most bytes of content in one request; longer content is judged in parts.
    #[schemars(range(min = 1024, max = 67_108_864))]
    pub max_content_bytes: usize,
    /// Most parts that longer content is judged in. Of what is longer still, beginning and end are shown,
    /// and there is no GO.
    #[schemars(range(min = 1, max = 64))]
    pub max_parts: u32,
    /// Most tokens of an answer. Where it is not given: not bounded, and 8192 under a spend cap.
    // See [`Self::answer_tokens`].
    #[schemars(range(min = 64, max = 1_000_000))]
    pub max_tokens: Option<u32>,
    /// Whether an answer that was cut by its limit is requested once more with twice the tokens.
    pub more_tokens: bool,
    /// Most tries to get any answer to one question, while the time lasts.
    #[schemars(range(min = 1, max = 8))]
    pub tries: u32,
    /// Sampling temperature; a model that takes none is asked without.
    #[schemars(range(min = 0, max = 2))]
    pub temperature: f64,
    /// Your own template of the question, in place of the program's.
    #[schemars(extend("x-text" = Text::Path))]
    pub prompt: Option<PathBuf>,
    /// Your own rubric, in place of the program's.
    #[schemars(extend("x-text" = Text::Path))]
    pub rubric: Option<PathBuf>,
    /// `refuse`: a judge of the author's family is not asked. `caveat`: it is, and records say so. `require`: a
    /// judge is asked only if both families are known and differ.
    #[schemars(with = "String", extend("x-text" = Text::FourEyes))]
    pub four_eyes: Rule,
    /// Whether plain http may be spoken to other machines: key and content could be read on the way.
    pub allow_plain_http: bool,
    /// Contents judged at the same time.
    #[schemars(range(min = 1, max = 64))]
    pub parallel: usize,
    /// Most that one run may cost, in the currency of the prices, of an endpoint that keeps to `max_tokens`.
    #[schemars(range(min = 0, max = 1_000_000))]
    pub spend_cap: Option<f64>,
    /// Whether the endpoint may let another model answer than the one that is asked for: under a spend
    /// cap the dearest of all prices is then reckoned with.
    pub routes: bool,
}

/// How a judge is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum JudgeKind {
    /// An OpenAI-compatible endpoint.
    Chat,
    /// Anthropic's messages API.
    Anthropic,
    /// The program opencode.
    Opencode,
    /// A service of this program.
    Service,
    /// A file of answers.
    Script,
}

/// Why opencode cannot be asked for a model, as a clause about its name.
pub const NO_PROVIDER: &str = "opencode needs the provider in it, as in `opencode/gpt-5-nano`";

/// A model's name as opencode takes it: its provider, and its name there.
pub fn of_provider(model: &str) -> Option<(&str, &str)> {
    let is_name = |part: &str| part.starts_with(|c: char| c.is_ascii_alphanumeric());
    model.split_once('/').filter(|(provider, name)| is_name(provider) && !name.is_empty())
}

impl JudgeKind {
    /// Its name in the file.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Chat => "chat",
            Self::Anthropic => "anthropic",
            Self::Opencode => "opencode",
            Self::Service => "service",
            Self::Script => "script",
        }
    }
}

impl JudgeConfig {
    /// How it is asked: a file of answers where one is named, else as `kind` says, else as a chat.
    pub fn kind(&self) -> JudgeKind {
        match (&self.script, self.kind) {
            (Some(_), _) => JudgeKind::Script,
            (None, kind) => kind.unwrap_or(JudgeKind::Chat),
        }
    }

    /// The address of the endpoint: the configured one, else the default of the kind.
    pub fn address(&self) -> &str {
        self.endpoint.as_deref().unwrap_or(match self.kind() {
            JudgeKind::Anthropic => "https://api.anthropic.com",
            JudgeKind::Service => "http://127.0.0.1:7300",
            JudgeKind::Chat | JudgeKind::Opencode | JudgeKind::Script => CHAT_ADDRESS,
        })
    }

    /// The variable that holds the key: the configured one, else the default of the kind.
    pub fn key_name(&self) -> &str {
        self.key_env.as_deref().unwrap_or(match self.kind() {
            JudgeKind::Anthropic => "ANTHROPIC_API_KEY",
            JudgeKind::Opencode => "OPENCODE_API_KEY",
            JudgeKind::Service => "FOUREYES_TOKEN",
            JudgeKind::Chat | JudgeKind::Script => CHAT_KEY,
        })
    }

    /// Drops the endpoint and the variable of the key where they are the defaults of a chat, spelled out:
    /// a judge of another kind that inherits has its own.
    pub(super) fn forget_chat_defaults(&mut self) {
        self.endpoint.take_if(|endpoint| endpoint == CHAT_ADDRESS);
        self.key_env.take_if(|name| name == CHAT_KEY);
    }

    /// The endpoint that the program opencode is given for its provider: one that is configured, and is
    /// not the default of a chat.
    pub fn opencode_endpoint(&self) -> Option<&str> {
        self.endpoint.as_deref().filter(|endpoint| *endpoint != CHAT_ADDRESS)
    }

    /// What a judge of this kind cannot be asked without, as a clause; `None` where nothing is missing.
    pub fn unfit_kind(&self) -> Option<&'static str> {
        match self.kind() {
            JudgeKind::Script if self.script.is_none() => {
                Some("it needs a file of answers: set `script`")
            }
            JudgeKind::Service if self.service_key.is_empty() => {
                Some("it needs the public key of the service: set `service_key` in [judge]")
            }
            _ => None,
        }
    }

    /// Whether it cannot be asked as it is configured.
    pub fn is_unfit(&self) -> bool {
        self.unfit_kind().is_some() || self.unfit_model().is_some()
    }

    /// Why a judge of this kind cannot be asked for its model, as a clause; `None` where it can.
    pub fn unfit_model(&self) -> Option<&'static str> {
        match self.kind() {
            JudgeKind::Opencode if self.opencode_endpoint().is_none() => {
                let is_named = of_provider(&self.model).is_some();
                (!is_named).then_some(NO_PROVIDER)
            }
            JudgeKind::Anthropic if self.endpoint.is_none() => {
                let is_default = self.model == Self::default().model;
                is_default.then_some("Anthropic has no such model: set `model`")
            }
            _ => None,
        }
    }

    /// Most tokens of an answer, where it is bounded. Under a spend cap it is: without a bound nobody
    /// could say what a call may cost.
    pub fn answer_tokens(&self) -> Option<u32> {
        /// Room for a model that thinks first.
        const CAPPED: u32 = 8192;
        self.max_tokens.or(self.spend_cap.map(|_| CAPPED))
    }

    /// Whoever is asked, for people.
    pub fn asked(&self) -> String {
        match (&self.script, &self.via, self.kind()) {
            (Some(script), ..) => format!("the answers of {}", script.display()),
            (None, _, JudgeKind::Opencode) => self.program().display().to_string(),
            (None, Some(name), _) => format!("{} of {name}, through its SSH", self.address()),
            (None, None, _) => self.address().to_owned(),
        }
    }

    /// The model and who is asked for it, for people: `small (anthropic, https://api.anthropic.com)`.
    pub fn who(&self) -> String {
        format!("{} ({}, {})", self.model, self.kind().name(), self.asked())
    }

    /// Whether whoever is asked wants a key.
    pub fn needs_key(&self) -> bool {
        match self.kind() {
            JudgeKind::Chat | JudgeKind::Anthropic | JudgeKind::Service => true,
            JudgeKind::Opencode | JudgeKind::Script => false,
        }
    }

    /// The program of the kind `opencode`.
    pub fn program(&self) -> &Path {
        self.program.as_deref().unwrap_or(Path::new("opencode"))
    }

    /// The value of the variable that holds the key; one that is set and empty counts as not set.
    /// It is read when it is asked for. [`crate::config::load`] has it masked wherever it would show.
    pub fn key_variable(&self) -> Option<OsString> {
        std::env::var_os(self.key_name()).filter(|value| !value.is_empty())
    }

    /// Whether it is asked with a key, and there is none.
    pub fn lacks_key(&self) -> bool {
        self.needs_key() && self.key_command.is_none() && self.key_variable().is_none()
    }

    /// Those of some variables that are set, to be passed on to a program. A name that ends in `*` is the
    /// beginning of names.
    pub fn variables(names: &[&str]) -> Vec<(OsString, OsString)> {
        let fits = |name: &str| {
            names.iter().any(|wanted| match wanted.strip_suffix('*') {
                Some(beginning) => name.starts_with(beginning),
                None => name == *wanted,
            })
        };
        let all = std::env::vars_os();
        all.filter(|(name, _)| name.to_str().is_some_and(fits)).collect()
    }
}

impl Default for JudgeConfig {
    fn default() -> Self {
        Self {
            kind: None,
            program: None,
            endpoint: None,
            service_key: Vec::new(),
            service_client: None,
            model: "fastest".to_owned(),
            key_env: None,
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
            more_tokens: true,
            tries: crate::engine::retry::MOST_TRIES,
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
