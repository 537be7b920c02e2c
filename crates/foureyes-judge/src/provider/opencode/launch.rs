//! How the program is started: in an empty home, with an environment and a configuration of ours.

use super::Settings;
use crate::config::{NO_PROVIDER, of_provider};
use crate::provider::Ask;
use crate::provider::chat::Chat;
use secrecy::{ExposeSecret, SecretString};
use serde_json::{Value, json};
use std::fs::{self, DirBuilder};
use std::io;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use tempfile::TempDir;

/// The agent that is asked. Its configuration is below.
pub(super) const AGENT: &str = "judge";

/// The variable that carries the key.
const KEY: &str = "FOUREYES_OPENCODE_KEY";

/// What the program calls an endpoint of one's own.
const OWN: &str = "endpoint";

/// What the agent is told before the question: without it the program sends a prompt for coding.
const SYSTEM: &str = "You are a judge. All that you need is in the message. You have no tools.";

/// Tokens that the program asks for at most where nobody bounds an answer, as it does itself.
const MAX_TOKENS: u32 = 32_000;

/// Tokens that a model of an endpoint of one's own is taken to hold. So many that the program never
/// shortens a question: what is too long is for the endpoint to refuse.
const CONTEXT: u32 = 100_000_000;

/// Switches of the program: no network but for the question, and nothing read but what is given here.
const SWITCHES: [&str; 11] = [
    "OPENCODE_DISABLE_AUTOCOMPACT",
    "OPENCODE_DISABLE_AUTOUPDATE",
    "OPENCODE_DISABLE_CLAUDE_CODE",
    "OPENCODE_DISABLE_EXTERNAL_SKILLS",
    "OPENCODE_DISABLE_LSP_DOWNLOAD",
    "OPENCODE_DISABLE_MODELS_FETCH",
    "OPENCODE_DISABLE_PROJECT_CONFIG",
    "OPENCODE_DISABLE_PRUNE",
    "OPENCODE_DISABLE_SHARE",
    "OPENCODE_DISABLE_TERMINAL_TITLE",
    "OPENCODE_PURE",
];

/// Says of the program's own package for plugins that it is installed. Else every start would fetch it
/// from npm's registry. There are no plugins, so nothing misses it.
const INSTALLED: &str = r#"{"packages":{"":{"dependencies":{"@opencode-ai/plugin":"*"}}}}"#;

/// Whom the program is to ask.
#[derive(Debug, PartialEq)]
pub(super) struct Target {
    provider: String,
    model: String,
    /// Address of an endpoint of one's own, and whether no proxy may stand before it.
    own: Option<(String, bool)>,
}

impl Target {
    /// The model of a question.
    ///
    /// # Errors
    /// A sentence on a name that the program would not understand.
    pub(super) fn new(model: &str, endpoint: Option<&Chat>) -> Result<Self, String> {
        if !is_plain(model) {
            return Err("the model's name has characters that opencode does not accept".to_owned());
        }
        if let Some(endpoint) = endpoint {
            let own = Some((endpoint.base(), endpoint.is_direct()));
            return Ok(Self { provider: OWN.to_owned(), model: model.to_owned(), own });
        }
        let (provider, model) =
            of_provider(model).ok_or_else(|| format!("the model is {model:?}: {NO_PROVIDER}"))?;
        Ok(Self { provider: provider.to_owned(), model: model.to_owned(), own: None })
    }

    /// Its name on the command line.
    pub(super) fn name(&self) -> String {
        format!("{}/{}", self.provider, self.model)
    }

    /// Whether no proxy may stand between.
    pub(super) fn is_direct(&self) -> bool {
        self.own.as_ref().is_some_and(|(_, direct)| *direct)
    }

    /// The provider as the configuration defines it; nothing where the program's own is enough.
    fn provider(&self, ask: &Ask, key: bool) -> Option<Value> {
        let mut options = options(key);
        let Some((base, _)) = &self.own else {
            return key.then(|| json!({"options": options}));
        };
        options["baseURL"] = json!(base.trim_end_matches('/'));
        let output = ask.max_tokens.unwrap_or(MAX_TOKENS);
        let model = json!({
            "temperature": ask.temperature.is_some(),
            "limit": {"context": CONTEXT, "output": output},
        });
        let models = Value::from_iter([(self.model.clone(), model)]);
        Some(json!({"npm": "@ai-sdk/openai-compatible", "options": options, "models": models}))
    }

    /// The configuration. No key is in it, only the name of the variable that holds one.
    pub(super) fn config(&self, ask: &Ask, key: bool) -> Value {
        let none = json!({"*": false});
        let deny = json!({"*": "deny"});
        let mut agent = json!({
            "mode": "primary", "prompt": SYSTEM, "tools": none.clone(), "permission": deny.clone(),
        });
        if let Some(temperature) = ask.temperature {
            agent["temperature"] = json!(temperature);
        }
        let mut config = json!({
            "autoupdate": false, "share": "disabled", "snapshot": false,
            "enabled_providers": [self.provider],
            "model": self.name(), "small_model": self.name(),
            "default_agent": AGENT, "agent": {AGENT: agent},
            // For the other agents too, should the program ever fall back to one.
            "tools": none, "permission": deny,
        });
        if let Some(provider) = self.provider(ask, key) {
            config["provider"] = Value::from_iter([(self.provider.clone(), provider)]);
        }
        config
    }
}

/// Whether a name can stand in the configuration, which is searched for `{env:…}` and `{file:…}` as a
/// text.
pub(super) fn is_plain(name: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_.:/@+~ ".contains(c);
    !name.is_empty() && name.chars().all(plain)
}

/// A home that the program has for one start.
#[derive(Debug)]
pub(super) struct Home(TempDir);

impl Home {
    /// Makes an empty one, which only this user can read.
    ///
    /// # Errors
    /// When it cannot be made.
    pub(super) fn new() -> io::Result<Self> {
        let home = tempfile::Builder::new().prefix("foureyes-opencode-").tempdir()?;
        for (_, name) in PLACES {
            DirBuilder::new().mode(0o700).create(home.path().join(name))?;
        }
        let config = home.path().join("config/opencode");
        fs::create_dir_all(config.join("node_modules"))?;
        fs::write(config.join("package-lock.json"), INSTALLED)?;
        Ok(Self(home))
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// The program in this home, asked this; `direct` where no proxy may stand between. Its arguments are
    /// to follow.
    ///
    /// # Errors
    /// When the question cannot be put into the home.
    pub(super) fn command(
        &self,
        settings: &Settings,
        direct: bool,
        question: &str,
    ) -> io::Result<Command> {
        fs::write(self.path("question"), question)?;
        let mut command = self.inside("/bin/sh".as_ref(), settings, direct);
        command.args(["-c", GUARD]).arg(self.0.path()).arg(&settings.program);
        Ok(command)
    }

    /// A program in this home, alone.
    pub(super) fn inside(&self, program: &Path, settings: &Settings, direct: bool) -> Command {
        let mut command = Command::new(program);
        command.env_clear().current_dir(self.path("work"));
        let proxy = |name: &str| name.to_ascii_lowercase().ends_with("_proxy");
        for (name, value) in &settings.environment {
            if !(direct && name.to_str().is_some_and(proxy)) {
                command.env(name, value);
            }
        }
        command.envs(PLACES.map(|(variable, name)| (variable, self.path(name))));
        command.envs(SWITCHES.map(|name| (name, "1")));
        command.env("OPENCODE_PERMISSION", r#"{"*":"deny"}"#).env("NO_COLOR", "1");
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }
}

/// Becomes the program, with the question of the home `$0` on its standard input.
///
/// What is on the standard input of this script says nothing and ends when whoever asks has gone, even
/// if it was killed: then the home is removed and all of the group ended, which nobody else would do.
const GUARD: &str = r#"exec 3<&0
{
    read -r _
    trap '' TERM
    kill -s TERM 0
    rm -rf -- "$0"
    kill -s KILL 0
} <&3 >/dev/null 2>&1 3<&- &
exec "$@" <"$0/question" 3<&-"#;

/// Exit code of [`GUARD`] where the program is not there.
pub(super) const MISSING: i32 = 127;
/// Exit code of [`GUARD`] where the program cannot be started.
pub(super) const UNUSABLE: i32 = 126;

/// Gives the program its configuration, and in a variable of its own the key that this names.
pub(super) fn configure(command: &mut Command, config: &Value, key: Option<&SecretString>) {
    command.env("OPENCODE_CONFIG_CONTENT", config.to_string());
    if let Some(key) = key {
        // The program puts it between the quotes of a JSON text as it is.
        let written = Value::from(key.expose_secret()).to_string();
        let inner = written.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
        command.env(KEY, inner.unwrap_or_default());
    }
}

/// The configuration for listing the models of a provider.
pub(super) fn listing(provider: &str, key: bool) -> Value {
    let mut config = json!({"autoupdate": false, "enabled_providers": [provider]});
    if key {
        config["provider"] =
            Value::from_iter([(provider.to_owned(), json!({"options": options(key)}))]);
    }
    config
}

/// The options of a provider with its key, by the name of the variable that holds it.
fn options(key: bool) -> Value {
    match key {
        true => json!({"apiKey": format!("{{env:{KEY}}}")}),
        false => json!({}),
    }
}

/// The variables that say where things are, and the directories of a home.
const PLACES: [(&str, &str); 7] = [
    ("HOME", "home"),
    ("XDG_CONFIG_HOME", "config"),
    ("XDG_DATA_HOME", "data"),
    ("XDG_CACHE_HOME", "cache"),
    ("XDG_STATE_HOME", "state"),
    ("TMPDIR", "tmp"),
    ("PWD", "work"),
];
