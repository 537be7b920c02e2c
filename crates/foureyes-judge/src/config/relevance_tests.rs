//! Tests of who judges memories: kind, address, model and key of every combination.

use super::*;

const HAIKU: &str = "claude-haiku-4-5-20251001";
const ANTHROPIC: &str = "https://api.anthropic.com";

fn config(text: &str) -> Config {
    let (config, _, problems) = crate::config::check(text.as_bytes(), None);
    assert!(problems.is_empty(), "{problems:?}");
    config
}

/// Kind, address, model, and variable or command of the key.
fn resolved(text: &str) -> [String; 4] {
    let (_, judge) = config(text).relevance_judge();
    let key = judge.key_command.clone().unwrap_or_else(|| judge.key_name().to_owned());
    [judge.kind().name().to_owned(), judge.address().to_owned(), judge.model, key]
}

/// A chat with all of its own.
const CHAT: &str =
    "[judge]\nendpoint = \"https://a.example/v1\"\nmodel = \"big\"\nkey_env = \"A_KEY\"\n";
/// The same kind as the default, somewhere else.
const GATEWAY: &str =
    "[judge]\nkind = \"anthropic\"\nendpoint = \"https://g.example\"\nkey_env = \"G_KEY\"\n";
const SERVICE: &str = "[judge]\nkind = \"service\"\nmodel = \"north-1\"\n";

const DEFAULT: [&str; 4] = ["anthropic", ANTHROPIC, HAIKU, "ANTHROPIC_API_KEY"];
const BIG: [&str; 4] = ["chat", "https://a.example/v1", "big", "A_KEY"];
const SERVED: [&str; 4] = ["service", "http://127.0.0.1:7300", "north-1", "FOUREYES_TOKEN"];
const LOCAL: &str = "http://127.0.0.1:3456";

/// What `[judge]` has, what `[judges.relevance]` has, and who is asked.
const COMBINATIONS: &[(&str, &str, [&str; 4])] = &[
    // Nothing of its own.
    ("", "", DEFAULT),
    (CHAT, "", DEFAULT),
    ("[judge]\nkey_command = \"pass a\"\n", "", DEFAULT),
    ("[judge]\nkind = \"opencode\"\n", "", DEFAULT),
    (GATEWAY, "", ["anthropic", "https://g.example", HAIKU, "G_KEY"]),
    ("[judge]\nkind = \"anthropic\"\nmodel = \"big\"\n", "", DEFAULT),
    (SERVICE, "", SERVED),
    // A model alone, of this maker and of another.
    ("", "model = \"claude-haiku-4-5-20251001\"", DEFAULT),
    (CHAT, "model = \"claude-haiku-4-5-20251001\"", DEFAULT),
    (
        CHAT,
        "model = \"claude-opus-5\"",
        ["anthropic", ANTHROPIC, "claude-opus-5", "ANTHROPIC_API_KEY"],
    ),
    ("", "model = \"gpt-5-nano\"", ["chat", LOCAL, "gpt-5-nano", "TERRAPHIM_API_KEY"]),
    (
        CHAT,
        "model = \"anthropic/claude-haiku-4-5\"",
        ["chat", "https://a.example/v1", "anthropic/claude-haiku-4-5", "A_KEY"],
    ),
    (
        SERVICE,
        "model = \"claude-haiku-4-5-20251001\"",
        ["service", "http://127.0.0.1:7300", HAIKU, "FOUREYES_TOKEN"],
    ),
    // A key alone, and what says nothing of who is asked.
    (CHAT, "key_env = \"OWN\"", ["anthropic", ANTHROPIC, HAIKU, "OWN"]),
    (CHAT, "key_command = \"pass own\"", ["anthropic", ANTHROPIC, HAIKU, "pass own"]),
    (CHAT, "timeout_s = 2\nmax_tokens = 300\ntemperature = 0.5\nprogram = \"opencode\"", DEFAULT),
    // A kind alone.
    ("", "kind = \"anthropic\"", DEFAULT),
    (CHAT, "kind = \"chat\"", BIG),
    ("", "kind = \"chat\"", ["chat", LOCAL, "fastest", "TERRAPHIM_API_KEY"]),
    ("", "kind = \"service\"", ["service", "http://127.0.0.1:7300", "fastest", "FOUREYES_TOKEN"]),
    (GATEWAY, "kind = \"anthropic\"", ["anthropic", "https://g.example", HAIKU, "G_KEY"]),
    // An endpoint alone is one of the kind of [judge].
    (
        "",
        "endpoint = \"https://b.example/v1\"",
        ["chat", "https://b.example/v1", "fastest", "TERRAPHIM_API_KEY"],
    ),
    (CHAT, "endpoint = \"https://b.example/v1\"", ["chat", "https://b.example/v1", "big", "A_KEY"]),
    (
        CHAT,
        "endpoint = \"https://b.example/v1\"\nmodel = \"claude-x\"",
        ["chat", "https://b.example/v1", "claude-x", "A_KEY"],
    ),
];

#[test]
fn each_combination_asks_whom_the_documentation_names() {
    for (judge, own, expected) in COMBINATIONS {
        let text = format!("{judge}[judges.relevance]\n{own}\n");
        assert_eq!(resolved(&text), expected.map(str::to_owned), "{text}");
        // A section that is empty is none.
        if own.is_empty() {
            assert_eq!(resolved(judge), expected.map(str::to_owned), "{judge}");
        }
    }
}

#[test]
fn files_of_answers_stand_for_the_model() {
    for text in [
        "[judge]\nscript = \"/a.toml\"\n",
        "[judges.relevance]\nscript = \"/a.toml\"\n",
        "[judge]\nkind = \"service\"\n[judges.relevance]\nscript = \"/a.toml\"\nmodel = \"m\"\n",
    ] {
        let (_, judge) = config(text).relevance_judge();
        assert_eq!((judge.kind(), judge.script), (JudgeKind::Script, Some("/a.toml".into())));
    }
}

#[test]
fn socket_of_a_box_is_none_of_another_endpoint() {
    let text = "[[box]]\nname = \"small\"\nhost = \"small.example\"\n\
                [judge]\nvia = \"small\"\nendpoint = \"http://127.0.0.1:1\"\n";
    assert_eq!(config(text).relevance_judge().1.via, None);
}

fn moved(text: &str) -> Option<(String, String)> {
    match config(text).moved_relevance_judge()? {
        Warning::MovedRelevanceJudge { before, lines, .. } => Some((before, lines)),
        other => panic!("{other:?}"),
    }
}

#[test]
fn who_relied_on_judge_is_given_the_lines_that_keep_it() {
    for (text, kept, has_section) in [
        (CHAT, "chat", false),
        ("[judge]\nmodel = \"other\"\n", "chat", false),
        ("[judge]\nkey_command = \"pass a\"\n", "chat", false),
        ("[judge]\nkind = \"anthropic\"\nmodel = \"claude-opus-5\"\n", "anthropic", false),
        (&format!("{CHAT}[judges.relevance]\ntimeout_s = 2\n"), "chat", true),
        (&format!("{CHAT}[judges.relevance]\nkey_env = \"OWN\"\n"), "chat", true),
        (&format!("{CHAT}[judges.relevance]\nmodel = \"claude-x\"\n"), "chat", true),
    ] {
        let (_, lines) = moved(text).unwrap_or_else(|| panic!("{text}"));
        let kind = format!("\nkind = \"{kept}\"");
        assert!(lines.ends_with(&kind), "{lines}");
        assert_eq!(lines.contains("\n[judges.relevance]\n"), !has_section, "{lines}");
        // Pasted, they are what was before, and there is nothing to say any more.
        let pasted = lines.split_once('\n').unwrap().1;
        let after = format!("{text}{pasted}\n");
        let named = config(text).judges.get(RELEVANCE).cloned().unwrap_or_default();
        let before = over_judge(&named, &config(text).judge);
        let now = config(&after).relevance_judge().1;
        assert_eq!(place(&now), place(&before), "{after}");
        assert_eq!(moved(&after), None, "{after}");
    }
}

#[test]
fn nothing_is_named_where_nobody_else_was_asked() {
    for text in [
        "",
        GATEWAY,
        SERVICE,
        "[judge]\nkind = \"opencode\"\n",
        "[judge]\nkind = \"anthropic\"\n",
        &format!("{CHAT}[judges.relevance]\nkind = \"anthropic\"\n"),
        &format!("{CHAT}[judges.relevance]\nmodel = \"gpt-5-nano\"\n"),
        &format!("{CHAT}[judges.relevance]\nendpoint = \"https://b.example\"\n"),
    ] {
        assert_eq!(moved(text), None, "{text}");
    }
}

#[test]
fn service_judges_memories_by_judge_unless_another_is_named() {
    let of = |text: &str| {
        let (_, judge) = config(text).for_service().relevance_judge();
        (judge.kind(), judge.model)
    };
    assert_eq!(of(CHAT), (JudgeKind::Chat, "big".to_owned()));
    let own = format!("{CHAT}[judges.relevance]\nmodel = \"claude-x\"\n");
    assert_eq!(of(&own), (JudgeKind::Chat, "claude-x".to_owned()));
    let named = format!("{CHAT}[judges.relevance]\nkind = \"anthropic\"\n");
    assert_eq!(of(&named), (JudgeKind::Anthropic, HAIKU.to_owned()));
}
