//! Who is of which family, and what four eyes make of it.

use super::*;

fn families() -> Families {
    let family = |name: &str, authors: &[&str], models: &[&str]| ModelFamily {
        name: name.to_owned(),
        authors: authors.iter().map(|a| (*a).to_owned()).collect(),
        models: models.iter().map(|m| (*m).to_owned()).collect(),
    };
    Families(vec![
        family("north", &["OpenClaw Agent"], &["north-*"]),
        family("south", &["Other Agent"], &["south-*", "fast"]),
    ])
}

fn same(family: &str) -> Decision {
    Decision::Same { family: family.to_owned() }
}

#[test]
fn same_family_is_detected_for_any_provider_prefix() {
    let all = families();
    assert_eq!(all.decide(Some("OpenClaw Agent"), "north-3"), same("north"));
    assert_eq!(all.decide(Some("openclaw agent"), "proxy/NORTH-3"), same("north"));
    let apart = all.decide(Some("OpenClaw Agent"), "south-1");
    assert_eq!(apart.to_string(), "independent (author: north, judge: south)");
}

#[test]
fn makers_of_well_known_models_are_families() {
    let all = families().with_makers();
    assert_eq!(all.of_model("opencode/gpt-5-nano"), ["openai"]);
    assert_eq!(all.of_model("opencode/gpt-5.1-codex-mini"), ["openai"]);
    assert_eq!(all.of_model("opencode/deepseek-v4-flash-free"), ["deepseek"]);
    assert_eq!(all.of_model("claude-haiku-4-5-20251001"), ["anthropic"]);
    assert_eq!(all.of_model("fastest"), Vec::<&str>::new());
    assert_eq!(all.of_model("north-3"), ["north"]);
}

#[test]
fn who_is_in_no_family_is_unknown() {
    let all = families();
    let unknown = |author, judge| Decision::Unknown { author, judge };
    assert_eq!(all.decide(Some("Anna"), "south-1"), unknown(true, false));
    assert_eq!(all.decide(Some("OpenClaw Agent"), "fastest"), unknown(false, true));
    assert_eq!(all.decide(None, "fastest"), unknown(true, true));
    assert_eq!(Families::default().decide(Some("x"), "y"), unknown(true, true));
}

#[test]
fn the_model_that_served_decides_over_the_name_of_a_route() {
    let all = families();
    let served = |asked, served| all.decide_served(Some("OpenClaw Agent"), asked, served);
    assert_eq!(served("fastest", Some("north-9")), same("north"));
    assert!(matches!(served("fastest", Some("south-9")), Decision::Apart { .. }));
    assert_eq!(served("south-1", Some("north-9")), same("north"));
    assert!(matches!(served("south-1", None), Decision::Apart { .. }));
    let unknown = Decision::Unknown { author: false, judge: true };
    assert_eq!(served("south-1", Some("east-1")), unknown);
    assert_eq!(served("north-1", Some("south-1")), same("north"));
}

#[test]
fn strictest_decision_over_contributors_wins() {
    let all = families();
    let served =
        |people: &[&str]| all.strictest(people.iter().copied(), "fastest", Some("north-1"));
    assert_eq!(served(&["Somebody", "OpenClaw Agent"]), same("north"));
    assert_eq!(served(&["OpenClaw Agent", "Somebody"]), same("north"));
    let unknown = Decision::Unknown { author: true, judge: false };
    assert_eq!(served(&["Other Agent", "Somebody"]), unknown);
    assert!(matches!(served(&["Other Agent", "Other Agent"]), Decision::Apart { .. }));
    assert_eq!(served(&[]), unknown);
}

/// Names under which models and agents write, by their makers.
const WRITERS: &[(&str, &[&str])] = &[
    (
        "anthropic",
        &[
            "Claude",
            "claude",
            "claude[bot]",
            "Claude Code",
            "Claude Code (action)",
            "claude-opus-4-5",
            "anthropic/claude-sonnet-4",
            "Claude Sonnet 4.5",
            "Claude <noreply@anthropic.com>",
            "Claude 5 Sonnet",
            "Claude (Opus 4.5)",
            "claude_code",
            "Claude v3",
            "claude-3-7-sonnet",
        ],
    ),
    (
        "openai",
        &[
            "Codex",
            "codex-cli",
            "OpenAI Codex",
            "chatgpt-codex-connector[bot]",
            "gpt-5-codex",
            "o3-mini",
            "GPT-5 Codex",
            "GPT 5",
            "gpt5",
            "o3 mini",
            "o4-mini-high",
            "o1",
            "Codex CLI",
        ],
    ),
    (
        "google",
        &[
            "Gemini",
            "gemini-cli",
            "gemini-2.5-pro",
            "google-labs-jules[bot]",
            "Gemini 4 Pro",
            "Gemini Pro",
            "Google Gemini",
            "Jules",
            "gemini-code-assist[bot]",
            "Gemma 3",
        ],
    ),
    (
        "alibaba",
        &[
            "Qwen-Coder",
            "Qwen Code",
            "qwen3-coder",
            "Qwen3 Coder",
            "Qwen 3 Max",
            "Qwen-Coder <qwen-coder@alibabacloud.com>",
        ],
    ),
    (
        "moonshot",
        &["Kimi", "kimi-cli", "opencode/kimi-k2.5-free", "moonshot-v1", "Kimi K3", "Moonshot AI"],
    ),
    ("deepseek", &["DeepSeek", "DeepSeek V3.1", "deepseek-v3.1", "DeepSeek R1", "DeepSeek Coder"]),
    (
        "mistral",
        &["Mistral Vibe", "devstral-small", "codestral-2501", "Mistral Large", "Devstral Small"],
    ),
    ("xai", &["Grok", "grok-code-fast-1", "Grok 5", "Grok Code Fast"]),
    ("zhipu", &["glm-4.6", "GLM 4.6", "GLM-5"]),
    ("meta", &["llama-4-scout", "Llama 4", "Code Llama"]),
    ("minimax", &["MiniMax-M2", "MiniMax M2"]),
];

#[test]
fn names_under_which_models_write_are_of_their_makers() {
    let all = Families::default().with_makers();
    for (family, authors) in WRITERS {
        for author in *authors {
            assert_eq!(all.of_author(author), [*family], "{author}");
            let judge = all.0.iter().find(|one| one.name == *family).unwrap().models[0].clone();
            assert_eq!(all.decide(Some(author), &judge.replace('*', "1")), same(family));
        }
    }
}

#[test]
fn a_person_and_an_agent_of_many_models_are_of_no_maker() {
    let all = Families::default().with_makers();
    for author in [
        "Claude Dupont",
        "Claudette",
        "Jean-Claude",
        "Claude-Marie Petit",
        "claude-dupont",
        "Claude Opusson",
        "gemini-rossi",
        "grok-lee",
        "kimi-virtanen",
        "Kimi Kivi",
        "Kimi K",
        "Jules Verne",
        "jules-martin",
        "Gemma Codeville",
        "Qwendolyn Price",
        "Granite Smith",
        "Phi Nguyen",
        "Codex Martin",
        "Command Robert",
        "Kimi Virtanen",
        "Gemma",
        "Nova",
        "Mistral Martin",
        "Commander Keen",
        "Grokster",
        "Copilot",
        "copilot-swe-agent[bot]",
        "devin-ai-integration[bot]",
        "Cursor Agent",
        "amazon-q-developer[bot]",
        "OpenClaw Agent",
        "Anna <anna@anthropic.com.example>",
        "",
    ] {
        assert_eq!(all.of_author(author), [""; 0], "{author}");
    }
}

#[test]
fn a_family_of_the_configuration_decides_about_the_authors_that_it_names() {
    let people = ModelFamily {
        name: "people".to_owned(),
        authors: vec!["Claude".to_owned()],
        models: Vec::new(),
    };
    let own = Families(vec![people]);
    let all = own.with_makers();
    assert_eq!(all.of_author("Claude"), ["people"]);
    assert_eq!(all.of_author("claude-code"), ["anthropic"]);
    let apart = all.decide(Some("Claude"), "claude-opus-4-5");
    assert_eq!(apart.to_string(), "independent (author: people, judge: anthropic)");
    // Nothing is known of makers where they are not asked for.
    assert_eq!(own.of_author("claude-code"), [""; 0]);
}

#[test]
fn a_rule_says_what_is_refused_and_why() {
    let unknown = |author, judge| Decision::Unknown { author, judge };
    let apart = Decision::Apart { author: vec!["a".to_owned()], judge: vec!["b".to_owned()] };
    let sentence = |rule: Rule, decision: &Decision| rule.refusal(decision).map(|r| r.unasked());
    let of_family = Some("Not asked: author and judge are both of the family north.".to_owned());
    for (rule, on_same, refuses_unknown) in [
        (Rule::Refuse, of_family.clone(), false),
        (Rule::Caveat, None, false),
        (Rule::Require, of_family, true),
    ] {
        assert_eq!(sentence(rule, &apart), None);
        assert_eq!(sentence(rule, &same("north")), on_same);
        for (author, judge) in [(true, false), (false, true), (true, true)] {
            let refusal = rule.refusal(&unknown(author, judge));
            assert_eq!(refusal.is_some(), refuses_unknown, "{rule:?} {author} {judge}");
        }
    }
    let why = |author, judge| sentence(Rule::Require, &unknown(author, judge)).unwrap();
    let end = ", and `four_eyes` is `require`.";
    assert_eq!(why(true, false), format!("Not asked: the family of the author is not known{end}"));
    assert_eq!(why(false, true), format!("Not asked: the family of the judge is not known{end}"));
    let both = "Not asked: the families of author and judge are not both known";
    assert_eq!(why(true, true), format!("{both}{end}"));
}
