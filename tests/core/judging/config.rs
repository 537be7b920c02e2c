//! The sections `[judge]`, `[[family]]` and `[prices]`.

use foureyes::config::{Config, check, to_toml};
use foureyes::engine::four_eyes::Rule;
use std::path::{Path, PathBuf};
use std::time::Duration;

fn read(text: &str) -> (Config, Vec<String>) {
    let (config, _, problems) = check(text.as_bytes(), Some(Path::new("/home/op")));
    (config, problems.iter().map(ToString::to_string).collect())
}

const ALL: &str = r#"
[judge]
endpoint = "https://api.example.org/v1"
model = "south-1"
key_env = "OWN_KEY"
key_command = "pass show key"
connect_timeout_s = 1
first_byte_timeout_s = 2
timeout_s = 3
budget_s = 4
max_content_bytes = 2048
max_tokens = 512
temperature = 1
prompt = "~/p.md"
rubric = "/r.toml"
four_eyes = "caveat"
parallel = 9
spend_cap = 2.5

[prices]
"south-*" = { prompt = 0.25, completion = 2 }

[[family]]
name = "north"
authors = ["OpenClaw Agent"]
models = ["north-*"]
"#;

#[test]
fn every_setting_is_read_and_written_back() {
    let (config, problems) = read(ALL);
    assert_eq!(problems, Vec::<String>::new());
    let judge = &config.judge;
    assert_eq!((judge.model.as_str(), judge.four_eyes), ("south-1", Rule::Caveat));
    assert_eq!((judge.budget, judge.temperature), (Duration::from_secs(4), 1.0));
    assert_eq!(judge.prompt, Some(PathBuf::from("/home/op/p.md")));
    assert_eq!((judge.max_tokens, judge.spend_cap), (Some(512), Some(2.5)));
    assert_eq!(config.prices.get("x/south-3").unwrap().completion, 2.0);
    assert_eq!(config.families.0[0].models, ["north-*"]);
    let text = to_toml(&config, &Default::default()).unwrap();
    assert_eq!(read(&text), (config, Vec::new()));
    // Written are the endpoint and the variable that hold for the kind.
    let mut defaults = Config::default();
    let text = to_toml(&defaults, &Default::default()).unwrap();
    defaults.judge.endpoint = Some("http://127.0.0.1:3456".to_owned());
    defaults.judge.key_env = Some("TERRAPHIM_API_KEY".to_owned());
    assert_eq!(read(&text), (defaults, Vec::new()));
}

#[test]
fn config_errors_have_positions() {
    for (from, to, expected) in [
        ("https://api.example.org/v1", "http://10.0.0.1/v1", "3:12: `judge.endpoint` is"),
        ("https://api.example.org/v1", "https://u:p@h/v1", "no user"),
        ("https://api.example.org/v1", "https://h/v1?key=Zq4kP9", "\"https://h/v1?…\""),
        ("OWN_KEY", "sk-abc-def", "is a text of 10 characters: a variable has letters"),
        ("OWN_KEY", "Zq4kP9vTn2LxR7wYb1MsD6eG", "it looks like a key"),
        ("temperature = 1", "temperature = 2.5", "`judge.temperature` must be 0 to 2, and is 2.5"),
        ("temperature = 1", "temperature = nan", "`judge.temperature` must be 0 to 2"),
        ("temperature = 1", "temperature = \"1\"", "must be a number, and is the text \"1\""),
        ("\"caveat\"", "\"maybe\"", "it is `refuse`, `caveat` or `require`"),
        ("prompt = \"~/p.md\"", "prompt = \"p.md\"", "a path begins with"),
        ("completion = 2 ", "completion = -1 ", "must be 0 to 1000000, and is -1"),
        ("completion = 2 ", "", "has no `completion`"),
        ("max_tokens = 512", "max_tokens = 1", "must be 64 to 1000000"),
        ("spend_cap", "spend_kap", "the nearest known key is `spend_cap`"),
        ("[\"north-*\"]", "[\"\"]", "`family.models` is \"\""),
        ("models = [", "model = [", "unknown key `family.model`"),
    ] {
        assert!(ALL.contains(from), "{from}");
        let (_, problems) = read(&ALL.replacen(from, to, 1));
        assert_eq!(problems.len(), 1, "{to}: {problems:?}");
        assert!(problems[0].contains(expected), "{to}: {problems:?}");
        for secret in ["sk-abc", "Zq4kP9", "u:p@"] {
            assert!(!problems[0].contains(secret), "{problems:?}");
        }
    }
    for line in ["key_env = sk-abc-def", "key_env = \"sk-abc-def", "key_command = sk-abc-def"] {
        let (_, problems) = read(&format!("[judge]\n{line}\n"));
        assert!(
            !problems.is_empty() && problems.iter().all(|p| !p.contains("sk-")),
            "{problems:?}"
        );
    }
    let (config, problems) = read("[judge]\nkey_env = \"A_LONG_NAME_OF_2026_WITH_3_WORDS\"\n");
    assert_eq!((config.judge.key_name().len(), problems.len()), (32, 0));
    let twice = format!("{ALL}\n[[family]]\nname = \"north\"\n");
    let (config, problems) = read(&twice);
    assert!(problems[0].contains("another family has this name, in line 24"), "{problems:?}");
    assert_eq!(config.families.0.len(), 1);
}

#[test]
fn plain_http_to_another_machine_must_be_allowed() {
    let plain = "[judge]\nendpoint = \"http://10.0.0.1/v1\"\nallow_plain_http = true\n";
    assert_eq!(read(plain).1, Vec::<String>::new());
    assert_eq!(read("[judge]\nendpoint = \"http://[::1]:80\"\n").1, Vec::<String>::new());
}
