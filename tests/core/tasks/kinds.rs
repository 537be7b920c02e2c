//! Judges of tasks by the kind that is written out.

use super::home::Home;
use std::process::Output;

fn home(config: &str) -> Home {
    let home = Home::new(["accept"; 3], "");
    home.write(".config/foureyes/config.toml", config);
    home
}

fn output_text(output: &Output) -> String {
    [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes)).concat()
}

#[test]
fn judge_that_cannot_be_asked_for_its_model_ends_the_command_at_once_with_the_line() {
    for (config, place) in [
        ("[judges.quick]\nmodel = \"gpt-5-nano\"\n", "config.toml:2:1: `judges.quick.model`"),
        (
            "[judges.deep]\ntimeout_s = 9\nkind = \"anthropic\"\n",
            "config.toml:3:1: `judges.deep.kind`",
        ),
        (
            "[judges.tiebreaker]\nkind = \"opencode\"\nmodel = \"/big\"\n",
            "config.toml:3:1: `judges.tiebreaker.model`",
        ),
        ("[judges.quick]\nkind = \"script\"\n", "config.toml:2:1: `judges.quick.kind`"),
        ("[judge]\nkind = \"anthropic\"\n[judges]\n", "config.toml:2:1: `judge.kind`"),
    ] {
        let home =
            home(&format!("{config}[hook]\nprotocol = \"task\"\n[task]\ndepth = \"panel\"\n"));
        for more in [&[][..], &["--explain"]] {
            let output = home.task(more);
            assert_eq!(output.status.code(), Some(64), "{config}");
            assert!(output_text(&output).contains(place), "{}", output_text(&output));
        }
        assert!(home.log().is_empty());
        let check = home.foureyes(&["config", "check"]);
        assert_eq!(check.status.code(), Some(64));
        assert!(output_text(&check).contains(place) && !output_text(&check).contains(": ok"));
        let hook = output_text(&home.foureyes(&["hook", "check"]));
        assert!(hook.contains("`foureyes config check` has the line"), "{hook}");
        // What asks no such judge goes on.
        let other = home.foureyes(&["judge", "a.md", "--explain"]);
        assert_eq!(other.status.code(), Some(0), "{}", output_text(&other));
    }
    let push = home("[judge]\nkind = \"opencode\"\n");
    let output = push.foureyes(&["judge", "a.md", "--explain"]);
    assert_eq!(output.status.code(), Some(64));
    assert!(
        output_text(&output).contains("config.toml:2:1: `judge.kind`"),
        "{}",
        output_text(&output)
    );
    let named = push.foureyes(&["judge", "a.md", "--explain", "--model", "opencode/gpt-5-nano"]);
    assert_eq!(named.status.code(), Some(0), "{}", output_text(&named));
}

#[test]
fn kind_without_a_model_is_told_by_the_check_of_the_configuration() {
    for (config, warning) in [
        ("[judges.quick]\nkind = \"chat\"\n", Some("[judges.quick] sets `kind` and no `model`")),
        ("[judge]\nkind = \"chat\"\n", Some("[judge] sets `kind` and no `model`")),
        ("[judges.quick]\nkind = \"opencode\"\n", None),
        ("[judges.quick]\nkind = \"chat\"\nmodel = \"fastest\"\n", None),
    ] {
        let check = home(config).foureyes(&["config", "check"]);
        let text = output_text(&check);
        assert_eq!(check.status.code(), Some(0), "{text}");
        assert_eq!(text.contains("warning: "), warning.is_some(), "{text}");
        assert!(warning.is_none_or(|warning| text.contains(warning)), "{text}");
    }
}

#[test]
fn program_that_is_missing_is_named_with_where_it_was_looked_for() {
    let home = home("[judges.quick]\nkind = \"opencode\"\n");
    let check = home.foureyes(&["hook", "check", "--json"]);
    let text = output_text(&check);
    assert!(text.contains("the program was not found: opencode is not in PATH (/usr/bin:/bin)"));
    assert!(text.contains("install opencode, or set `program` in [judges.quick] or [judge]"));
    assert!(!text.contains("foureyes-opencode-"), "{text}");
}
