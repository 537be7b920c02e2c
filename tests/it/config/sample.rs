//! The sample, the schema and the documentation say what the program does.

use super::{Home, good};
use foureyes::config::{
    self, BoxConfig, Config, Environment, JudgeConfig, JudgeKind, NamedJudge, Place, Remote,
    RepositoryConfig,
};
use foureyes::engine::panel::Tier;

/// A line of the sample that is commented out: what it says, and whether it is an example and no default.
fn commented(line: &str) -> Option<(&str, bool)> {
    let text = line.trim_start_matches('#');
    let is_setting = text.starts_with(|c: char| c.is_ascii_lowercase() || c == '[' || c == 'P');
    match line.len() - text.len() {
        1 if is_setting => Some((text, false)),
        2 if is_setting => Some((text, true)),
        _ => None,
    }
}

/// The sample with every setting switched on: what is right before a key or a table goes away.
fn switched_on() -> String {
    let on = |line| commented(line).map_or(line, |(text, _)| text);
    config::SAMPLE.lines().map(on).collect::<Vec<_>>().join("\n")
}

/// The keys of the sample, each below the heading that it belongs to; and whether it is an example.
fn keys() -> Vec<(&'static str, &'static str, bool)> {
    let (mut keys, mut heading) = (Vec::new(), "");
    for line in config::SAMPLE.lines() {
        match (commented(line), line.starts_with('[')) {
            (Some((text, _)), _) if text.starts_with('[') => heading = text,
            (Some((text, is_example)), _) => keys.push((heading, text, is_example)),
            (None, true) => heading = line,
            (None, false) => {}
        }
    }
    keys
}

/// All that a configuration comes to: what is shown of it, and each judge that is asked by it.
fn holds(config: &Config) -> String {
    // A section that says what holds anyway changes nothing.
    let mut besides = Config { judges: Default::default(), ..config.clone() };
    besides.judge.program.get_or_insert_with(|| "opencode".into());
    let shown = config::to_toml(&besides, &Default::default()).unwrap();
    let base = (NamedJudge::default(), config.judge.clone());
    let tiers = Tier::ALL.map(|tier| config.judge_of(tier));
    let judges =
        tiers.into_iter().chain([base, config.relevance_judge()]).chain(config.peer_judge());
    shown + &judges.map(resolved).collect::<String>()
}

/// All that a judge comes to, with what holds by its kind spelled out.
fn resolved((named, judge): (NamedJudge, JudgeConfig)) -> String {
    let own = (named.max_content_characters, named.price);
    let endpoint = judge.opencode_endpoint().map(str::to_owned);
    let judge = JudgeConfig {
        kind: Some(judge.kind()),
        program: Some(judge.program().to_owned()),
        endpoint: Some(judge.address().to_owned()),
        key_env: Some(judge.key_name().to_owned()),
        ..judge
    };
    format!("{judge:?} {endpoint:?} {own:?}\n")
}

#[test]
fn a_default_of_the_sample_alone_changes_nothing() {
    let home = Home::new();
    let without = holds(&Config::default());
    let defaults: Vec<_> = keys().into_iter().filter(|(.., is_example)| !is_example).collect();
    assert!(defaults.len() > 100, "{defaults:?}");
    for (heading, key, _) in defaults {
        let text = format!("{heading}\n{key}\n");
        let loaded = home.load(&text).unwrap_or_else(|error| panic!("{text}{error}"));
        assert!(loaded.warnings.is_empty(), "{text}{:?}", loaded.warnings);
        assert_eq!(holds(&loaded.config), without, "{text}");
    }
}

#[test]
fn an_example_of_the_sample_is_right_and_no_default() {
    let home = Home::new();
    let without = holds(&Config::default());
    let examples: Vec<_> = keys().into_iter().filter(|(.., is_example)| *is_example).collect();
    assert!(examples.len() > 50, "{examples:?}");
    // What some keys need beside them: a box that they name, a name, a condition.
    let beside = |heading: &str| match heading {
        "[[risk.rules]]" => "name = \"beside\"\ndepth = \"panel\"\nlines = 1\n",
        "[[box]]" => "name = \"beside\"\nlocal = false\n",
        "[[family]]" => "name = \"beside\"\n",
        "[[repository]]" => "path = \"~/beside\"\n",
        _ => "",
    };
    let small = "[[box]]\nname = \"small\"\n";
    for (heading, key, _) in examples {
        let name = key.split(' ').next().unwrap();
        let rest = beside(heading).lines().filter(|line| !line.starts_with(&format!("{name} ")));
        let rest = rest.collect::<Vec<_>>().join("\n");
        let text = format!("{heading}\n{rest}\n{key}\n");
        let loaded = home.load(&text).or_else(|_| home.load(format!("{text}{small}")));
        let config = loaded.unwrap_or_else(|error| panic!("{text}{error}")).config;
        assert_ne!(holds(&config), without, "{text}");
    }
}

#[test]
fn the_sample_as_it_is_changes_nothing() {
    assert_eq!(good(config::SAMPLE), Config::default());
}

#[test]
fn the_sample_switched_on_is_the_defaults_and_its_examples() {
    let home = Home::new();
    let mut config = home.load(switched_on()).unwrap_or_else(|e| panic!("{e}")).config;
    let at = |p: &str| home.path().join(p);
    let small = BoxConfig {
        name: "small".into(),
        place: Place::Ssh(Remote {
            host: "small.example".into(),
            user: Some("judge".into()),
            port: Some(22),
            ssh_config: Some(at(".ssh/config")),
            identity: Some(at(".ssh/id_ed25519")),
            known_hosts: Some(at(".ssh/known_hosts")),
        }),
        logs: BoxConfig::DEFAULT_LOGS.map(str::to_owned).into(),
        overrides: BoxConfig::DEFAULT_OVERRIDES.into(),
        prompt: Some("~/.openclaw/judge-prompt.md".into()),
        may_block: true,
    };
    let here = BoxConfig {
        name: "here".into(),
        place: Place::Local,
        logs: vec![at(".openclaw/judge-verdicts").to_str().unwrap().into()],
        overrides: at(".openclaw/judge-overrides").to_str().unwrap().into(),
        prompt: None,
        may_block: false,
    };
    assert_eq!(std::mem::take(&mut config.boxes), [small, here]);
    let repository = RepositoryConfig {
        path: at("src/knowledge-base"),
        boxes: vec!["small".into()],
        refs: vec!["refs/remotes/origin/main".into()],
        fetch: true,
        programs: Vec::new(),
        remote_path: Some("~/knowledge-base".into()),
    };
    assert_eq!(std::mem::take(&mut config.repositories), [repository]);
    assert_eq!(
        std::mem::take(&mut config.aliases).into_iter().collect::<Vec<_>>(),
        [("PASS".to_owned(), "GO".to_owned())]
    );
    let exchange = std::mem::take(&mut config.exchange);
    let ledgers = "~/.openclaw/judge-ledgers".to_owned();
    assert_eq!((exchange.box_name, exchange.path), (Some("small".to_owned()), Some(ledgers)));
    let page = "https://git.example.org/team/repository/commit/{commit}";
    assert_eq!(std::mem::take(&mut config.reasons).keys().collect::<Vec<_>>(), ["too_long"]);
    let names = (config.reviewer.name.take(), config.reviewer.machine.take());
    assert_eq!(names, (Some("Anna Example".to_owned()), Some("desk".to_owned())));
    let guideline = config.reviewer.guideline.take();
    assert_eq!(guideline, Some(home.path().join("guideline.md")));
    assert_eq!(config.console.commit_url.take().as_deref(), Some(page));
    take_judge(&mut config, home.path());
    take_task(&mut config, home.path());
    let fleet = &mut config.fleet;
    assert_eq!(std::mem::take(&mut fleet.addresses).len(), 2);
    assert_eq!(fleet.key_command.take().as_deref(), Some("pass show fleet/key"));
    assert_eq!(fleet.ca.take(), Some(home.path().join(".config/foureyes/ca.pem")));
    let team = fleet.teams.remove("search").unwrap();
    assert_eq!((team.boxes, team.agents), (vec!["small".to_owned()], Config::default().agents));
    assert_eq!(team.paths, ["research/"]);
    let anna = config.reviewers.remove("anna").unwrap();
    assert_eq!((anna.team.as_deref(), anna.load), (Some("search"), 50));
    assert_eq!(anna.skills, ["research/"]);
    let terms = config.kg.directory.take();
    assert_eq!(terms, Some(home.path().join(".local/share/terraphim/kg")));
    assert_eq!(config.kg.program.take(), Some("terraphim-cli".into()));
    assert_eq!(config, Config::default());
}

/// Takes away what the sample says by example about the judge.
fn take_judge(config: &mut Config, home: &std::path::Path) {
    let judge = &mut config.judge;
    assert_eq!(judge.endpoint.take().as_deref(), Some(JudgeConfig::default().address()));
    assert_eq!(judge.key_env.take().as_deref(), Some(JudgeConfig::default().key_name()));
    assert_eq!(judge.key_command.take().as_deref(), Some("pass show judge/key"));
    assert_eq!((judge.max_tokens.take(), judge.spend_cap.take()), (Some(2048), Some(5.0)));
    assert_eq!(judge.via.take().as_deref(), Some("small"));
    assert_eq!(judge.service_client.take().as_deref(), Some("small-box"));
    assert_eq!(judge.script.take(), Some(home.join("answers.toml")));
    assert_eq!(judge.prompt.take(), Some(home.join(".config/foureyes/prompt.md")));
    assert_eq!(judge.rubric.take(), Some(home.join(".config/foureyes/rubric.toml")));
    let family = std::mem::take(&mut config.families).0.remove(0);
    assert_eq!((family.name.as_str(), &*family.models), ("north", &["north-*".to_owned()][..]));
    assert_eq!(family.authors, config.agents);
    assert_eq!(std::mem::take(&mut config.prices).0[0].model, "south-large");
}

/// Takes away what the sample says by example about tasks.
fn take_task(config: &mut Config, home: &std::path::Path) {
    let judge = &mut config.judge;
    assert_eq!(judge.kind.take(), Some(JudgeKind::Chat));
    assert_eq!(judge.program.take().as_deref(), Some(std::path::Path::new("opencode")));
    for tier in Tier::ALL {
        let named = config.judges.remove(tier.name()).unwrap();
        let own = NamedJudge::of_tier(tier);
        assert_eq!((&named.model, named.timeout_s), (&own.model, own.timeout_s), "{tier:?}");
        if tier == Tier::Quick {
            assert_eq!(named.max_content_characters, own.max_content_characters);
            assert_eq!(named.script, Some(home.join("answers.toml")));
            assert_eq!(named.price.map(|price| price.completion), Some(0.4));
        }
    }
    let relevance = config.judges.remove("relevance").unwrap();
    assert_eq!(relevance.kind, Some(JudgeKind::Anthropic));
    assert_eq!(relevance.model.as_deref(), Some("claude-haiku-4-5-20251001"));
    let peer = config.judges.remove("peer").unwrap();
    assert_eq!(peer.model.as_deref(), Some("peer-model"));
    assert_eq!(peer.endpoint.as_deref(), Some("https://peer.example/v1"));
    assert_eq!(peer.key_env.as_deref(), Some("PEER_API_KEY"));
    let since = config.memories.policy.since.take();
    assert_eq!(since.as_deref(), Some("2026-11-01"));
    assert_eq!(config.memories.max_cost_per_day.take(), Some(0.5));
    assert_eq!(config.hook.acceptance.take(), Some(home.join("acceptance.md")));
    let risk = &mut config.risk;
    assert_eq!(risk.rates.take().as_deref(), Some("~/.openclaw/judge-rates.json"));
    assert_eq!(std::mem::take(&mut risk.rates_key).len(), 1);
    let rules = std::mem::take(&mut risk.rules);
    assert_eq!(rules.iter().map(|rule| rule.paths.len()).collect::<Vec<_>>(), [3, 0]);
    assert!(rules[1].sensitive && rules[1].is_about_author());
    let serve = &mut config.serve;
    let certificate = (serve.certificate.take(), serve.certificate_key.take());
    let at = |name: &str| Some(home.join(".config/foureyes").join(name));
    assert_eq!(certificate, (at("service.crt"), at("service.key")));
    let task = &mut config.task;
    assert_eq!(task.spend_cap.take(), Some(1.0));
    assert_eq!(task.issue_repository.take().as_deref(), Some("team/repository"));
    assert_eq!(task.issue_label.take().as_deref(), Some("judge"));
    assert_eq!(task.mail_endpoint.take().as_deref(), Some("http://127.0.0.1:8765/mcp"));
}

#[test]
fn the_sample_names_every_key_of_the_schema() {
    fn keys(schema: &serde_json::Value, found: &mut Vec<String>) {
        for (key, inner) in schema["properties"].as_object().into_iter().flatten() {
            found.push(key.clone());
            keys(inner, found);
            keys(&inner["items"], found);
        }
    }
    let mut found = Vec::new();
    keys(config::file_schema(), &mut found);
    assert!(found.len() > 25, "{found:?}");
    let sample = switched_on();
    let reference = include_str!("../../../docs/configuration.md");
    for key in found {
        let set = |l: &str| {
            l.starts_with(&format!("{key} = "))
                || l.contains(&format!("[{key}]"))
                || l.contains(&format!(".{key}]"))
        };
        assert!(sample.lines().any(set), "the sample lacks {key}");
        assert!(reference.contains(&format!("`{key}`")), "docs/configuration.md lacks {key}");
    }
}

#[test]
fn every_variable_that_is_read_is_documented() {
    let reference = include_str!("../../../docs/configuration.md");
    for name in Environment::NAMES {
        assert!(reference.contains(&format!("`{name}`")), "docs/configuration.md lacks {name}");
    }
}

/// Compares a schema with its file in `assets/`; `UPDATE_ASSETS=1` writes it.
fn assert_asset(name: &str, schema: &schemars::Schema) {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("assets").join(name);
    let text = serde_json::to_string_pretty(schema).unwrap() + "\n";
    if std::env::var_os("UPDATE_ASSETS").is_some() {
        std::fs::write(&path, &text).unwrap();
    }
    let stored = std::fs::read_to_string(&path).unwrap();
    assert_eq!(stored, text, "{name} is not what the code says: run once with UPDATE_ASSETS=1");
}

#[test]
fn the_stored_schema_is_that_of_the_code() {
    assert_asset("config.schema.json", &config::derived_schema());
}

#[test]
fn schema_accepts_and_rejects_as_the_loader() {
    let validator = jsonschema::validator_for(config::file_schema()).unwrap();
    let json = |text: &str| toml::from_str::<serde_json::Value>(text).unwrap();
    assert!(validator.is_valid(&json(config::SAMPLE)));
    assert!(validator.is_valid(&json(&switched_on())));
    for text in ["days = 0", "days = \"7\"", "xyzzy = 1", "[[box]]\nhost = \"a\"", "[pull]\nx = 1"]
    {
        assert!(!validator.is_valid(&json(text)), "{text}");
        super::bad(text);
    }
}

#[test]
fn shown_configuration_round_trips() {
    let home = Home::new();
    let loaded = home.load(switched_on()).unwrap();
    let shown = config::to_toml(&loaded.config, &loaded.origins).unwrap();
    assert!(shown.contains("# default\n") || shown.contains("# file, line"), "{shown}");
    let again = home.load(&shown).unwrap_or_else(|e| panic!("{e}\n{shown}"));
    assert_eq!(again.config, loaded.config, "{shown}");
    let show = |config: &Config| config::to_toml(config, &Default::default()).unwrap();
    let plain = show(&Config::default());
    // What holds by the kind of the judge is written out.
    assert_eq!(show(&home.load(&plain).unwrap().config), plain);
}
