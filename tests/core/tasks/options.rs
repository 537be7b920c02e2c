//! Options of `foureyes judge --task-id` that may be left out, or have no effect.

use super::home::Home;
use serde_json::Value;

fn utf8(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

#[test]
fn criteria_alone_are_the_description_too() {
    let home = Home::new(["improve", "accept", "accept"], "");
    let alone = ["-t", "x", "-a", "It names a rollback.", "a.md"];
    let shown = utf8(&home.run(&[&["--explain"], &alone[..]].concat()).stdout);
    let (quick, deep) = shown.split_once("judge: deep").unwrap();
    let count = |question: &str| question.matches("It names a rollback.").count();
    assert_eq!((count(quick), count(deep)), (1, 2), "{shown}");
    assert_eq!(home.run(&alone).status.code(), Some(0));
    let neither = home.run(&["-t", "x", "a.md"]);
    let error = utf8(&neither.stderr);
    assert_eq!(neither.status.code(), Some(64), "{error}");
    for part in ["neither a description nor acceptance criteria", "`--description`, `--acceptance`"]
    {
        assert!(error.contains(part), "{error}");
    }
}

#[test]
fn depth_that_has_no_effect_is_reported() {
    let risk = "[[risk.rules]]\nname = \"all\"\npaths = [\"*\"]\ndepth = \"panel\"\n";
    for (config, asked, reason) in [
        ("", "quick", Some("`depth` in [task] asks for sequential")),
        ("", "sequential", None),
        ("", "panel", None),
        ("[task]\ndepth = \"quick\"\n", "quick", None),
        ("[task]\ndepth = \"panel\"\n", "quick", Some("`depth` in [task] asks for panel")),
        ("[task]\ndepth = \"panel\"\n", "sequential", Some("`depth` in [task] asks for panel")),
        ("[task]\ndepth = \"panel\"\n", "auto", Some("`depth` in [task] asks for panel")),
        (
            "[task]\ndepth = \"auto\"\nsensitive_words = [\"note\"]\n",
            "quick",
            Some("asks for panel"),
        ),
        ("[task]\ndepth = \"auto\"\nsensitive_words = [\"note\"]\n", "auto", None),
        (risk, "sequential", Some("a rule of risk asks for panel")),
    ] {
        let home = Home::new(["accept"; 3], config);
        let output = home.task(&["--json", "--depth", asked]);
        let (error, document) = (utf8(&output.stderr), utf8(&output.stdout));
        let value: Value = serde_json::from_str(&document).unwrap_or_else(|_| panic!("{error}"));
        let lines: Vec<_> = error.lines().filter(|line| line.contains("has no effect")).collect();
        let explained = utf8(&home.task(&["--explain", "--fresh", "--depth", asked]).stdout);
        match reason {
            Some(reason) => {
                assert!(lines.len() == 1 && lines[0].ends_with(reason), "{config}: {error}");
                assert!(lines[0].contains(&format!("`--depth {asked}` has no effect")), "{error}");
                assert_eq!(value["depth_without_effect"], asked);
                assert!(explained.contains("has no effect"), "{explained}");
            }
            None => {
                assert!(lines.is_empty() && !explained.contains("has no effect"), "{error}");
                assert_eq!(value["depth_without_effect"], Value::Null, "{config}");
            }
        }
    }
}

#[test]
fn files_are_named_in_a_list_and_beside_it() {
    let home = Home::new(["accept"; 3], "");
    home.write("b c.md", "# Another\n");
    home.write("list", "b c.md\r\n\r\n");
    let files = |args: &[&str]| {
        let output = home.run(&[args, &["--json"]].concat());
        let value: Value = serde_json::from_slice(&output.stdout).unwrap();
        value["contents"][0]["files"].clone()
    };
    assert_eq!(files(&["--files-from", "list"]), serde_json::json!(["b c.md"]));
    assert_eq!(files(&["--files-from", "list", "a.md"]), serde_json::json!(["a.md", "b c.md"]));
    home.write("list", "\n");
    for (args, code) in [(&["--files-from", "list"][..], 64), (&["--files-from", "missing"], 74)] {
        assert_eq!(home.run(args).status.code(), Some(code), "{args:?}");
    }
}
