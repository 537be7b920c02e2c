//! What the program is started with.

use super::{KEY, ask, asked, path, program};
use crate::provider::Ask;
use crate::provider::opencode::launch::Target;
use crate::provider::opencode::{Opencode, REVISION, Settings};
use secrecy::SecretString;
use serde_json::{Value, json};

/// What a program finds around it, as it prints it.
fn surroundings(settings: Settings, ask: &Ask) -> Vec<String> {
    let dir = tempfile::tempdir().unwrap();
    let place = dir.path().display();
    let script = format!(
        "env > '{place}/env'; for a; do echo \"arg $a\" >> '{place}/env'; done; \
        cat > '{place}/input'; ls -ld \"$HOME\" >> '{place}/env'"
    );
    let made = program(dir.path(), &script);
    let settings = Settings { program: made.settings.program, ..settings };
    asked(&Opencode::new(settings).unwrap(), ask, 60).unwrap_err();
    let input = std::fs::read_to_string(dir.path().join("input")).unwrap();
    assert_eq!(input, "rules\n\ncontent {env:HOME}");
    std::fs::read_to_string(dir.path().join("env")).unwrap().lines().map(str::to_owned).collect()
}

fn with_key(base: Option<&str>) -> Settings {
    let key = Some(SecretString::from(KEY));
    let base = base.map(str::to_owned);
    Settings { key, base, environment: path(), ..Settings::new("opencode") }
}

#[test]
fn program_gets_its_key_by_one_variable_and_nothing_of_ours() {
    let lines = surroundings(with_key(Some("http://127.0.0.1:9")), &ask());
    let has = |start: &str| lines.iter().find(|line| line.starts_with(start)).cloned();
    assert_eq!(
        has("FOUREYES_OPENCODE_KEY="),
        Some(r#"FOUREYES_OPENCODE_KEY=sk-very-\"secret\\-key"#.to_owned())
    );
    let holders = lines.iter().filter(|line| line.contains("sk-very")).count();
    assert_eq!(holders, 1, "{lines:?}");
    assert_eq!((has("HTTPS_PROXY="), has("CARGO")), (None, None));
    assert!(has("HOME=").unwrap().contains("/foureyes-opencode-"), "{lines:?}");
    assert!(lines.iter().any(|line| line.starts_with("drwx------")), "{lines:?}");
    let config = has("OPENCODE_CONFIG_CONTENT=").unwrap();
    let config: Value = serde_json::from_str(config.split_once('=').unwrap().1).unwrap();
    assert_eq!(config["provider"]["endpoint"]["options"]["apiKey"], "{env:FOUREYES_OPENCODE_KEY}");
    assert_eq!(config["provider"]["endpoint"]["options"]["baseURL"], "http://127.0.0.1:9/v1");
    assert_eq!(config["enabled_providers"], json!(["endpoint"]));
    for place in [&config, &config["agent"]["judge"]] {
        assert_eq!(
            (&place["tools"], &place["permission"]),
            (&json!({"*": false}), &json!({"*": "deny"}))
        );
    }
    let arguments: Vec<_> = lines.iter().filter_map(|line| line.strip_prefix("arg ")).collect();
    let model = "endpoint/opencode/gpt-5-nano";
    assert_eq!(
        arguments.join(" "),
        format!(
            "run --format json --agent judge --title foureyes --print-logs --log-level ERROR --model {model}"
        )
    );
}

#[test]
fn known_provider_is_defined_by_no_more_than_its_key() {
    let lines = surroundings(with_key(None), &ask());
    assert!(lines.contains(&"HTTPS_PROXY=x".to_owned()), "{lines:?}");
    assert!(lines.contains(&"OPENCODE_EXPERIMENTAL_OUTPUT_TOKEN_MAX=512".to_owned()), "{lines:?}");
    let target = Target::new("opencode/gpt-5-nano", None).unwrap();
    let key = json!({"opencode": {"options": {"apiKey": "{env:FOUREYES_OPENCODE_KEY}"}}});
    assert_eq!(target.config(&ask(), true)["provider"], key);
    assert_eq!(target.config(&ask(), false)["provider"], Value::Null);
    assert_eq!(target.config(&ask(), false)["enabled_providers"], json!(["opencode"]));
}

#[test]
fn agent_is_that_of_its_revision() {
    let target = Target::new("opencode/gpt-5-nano", None).unwrap();
    let prompt = "You are a judge. All that you need is in the message. You have no tools.";
    let (none, deny) = (json!({"*": false}), json!({"*": "deny"}));
    let agent = json!({"mode": "primary", "prompt": prompt, "tools": none, "permission": deny,
        "temperature": 0.0});
    // What a model reads is a part of the judge: whoever changes it raises the revision.
    assert_eq!(
        (REVISION, &target.config(&ask(), false)["agent"]),
        ("agent/1", &json!({"judge": agent}))
    );
}
