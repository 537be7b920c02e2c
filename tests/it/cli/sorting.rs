//! Order and columns of `records`.

use super::Home;
use serde_json::json;

fn home() -> Home {
    let home = Home::new();
    let one = |at: u32| {
        let record = json!({
            "commit": format!("{at:040x}"), "timestamp": format!("2026-02-10T10:0{at}:00Z"),
            "author": "claw", "judge_model": "fastest", "latency_ms": 1_000 * (5 - at),
            "files_evaluated": [format!("nimbalyst-local/knowledge/agents/a-file-about-number-{at}.md"), "b.md"],
            "scores": {"semantic": 4, "pragmatic": at, "syntactic": 5}, "verdict": "NO-GO",
            "mode": if at == 2 { "blocking" } else { "advisory" },
            "findings": format!("=finding {at},\nwith more"), "revision_suggestions": []
        });
        format!("{record}\n")
    };
    std::fs::create_dir(home.path().join("logs/north")).unwrap();
    home.write("logs/north/a.jsonl", (1..5).map(one).collect::<String>());
    home
}

fn records(home: &Home, more: &[&str]) -> String {
    home.good(&[&["records"][..], more, &["--from", "logs"]].concat())
}

/// The numbers in the names of the files, in their order.
fn numbers(text: &str) -> String {
    let found = text.match_indices(".md +1").map(|(at, _)| &text[at - 1..at]);
    found.collect()
}

#[test]
fn records_are_sorted_by_a_column_and_limited_after_that() {
    let home = home();
    for (sort, wanted) in [
        ("age", "4321"),
        ("-age", "1234"),
        ("latency", "1234"),
        ("-latency", "4321"),
        ("path", "1234"),
        ("state", "2431"),
        ("severity", "1234"),
    ] {
        let text = records(&home, &["--sort", sort, "--columns", "path,finding"]);
        assert_eq!(numbers(&text), wanted, "{sort}\n{text}");
        let json = records(&home, &["--sort", sort, "--json", "--limit", "2"]);
        let listed: String = json
            .lines()
            .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap())
            .map(|record| record["commit"].as_str().unwrap().chars().last().unwrap())
            .collect();
        assert_eq!(listed, wanted[..2], "{sort}");
    }
}

#[test]
fn columns_are_those_that_were_asked_for_in_each_form() {
    let home = home();
    let text = records(&home, &["--columns", "path,state,latency,age", "--limit", "3"]);
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines[0].starts_with("file ") && lines[0].ends_with("age"), "{text}");
    assert!(lines.iter().all(|line| line.chars().count() <= 80), "{text}");
    assert!(lines[1].starts_with("nimbalyst-local/…/a-file-about-number-4.md +1 "), "{text}");
    assert!(lines[3].contains(" stopped ") && lines[3].contains(" 3.0 s "), "{text}");
    let csv = records(&home, &["--columns", "age,finding,latency", "--csv", "--limit", "1"]);
    assert_eq!(
        csv,
        "age,finding,latency\r\n2026-02-10T10:04:00Z,\"'=finding 4, with more\",1000\r\n"
    );
    let table = records(&home, &["--columns", "path,scores", "--markdown", "--limit", "1"]);
    assert!(table.starts_with("| file | scores |\n| --- | --- |\n| "), "{table}");
    assert!(table.contains("| 4/4/5 |\n"), "{table}");
    // Without the two, nothing changed.
    assert!(!records(&home, &[]).contains("file  "), "{}", records(&home, &[]));
}

#[test]
fn unknown_columns_name_the_nearest_and_what_does_not_go_together_is_refused() {
    let home = home();
    for (more, wanted) in [
        (&["--sort", "latncy"][..], "`latncy` is not a column. Did you mean `latency`?"),
        (&["--columns", "path,findng"], "`findng` is not a column. Did you mean `finding`?"),
        (&["--columns", ""], "`` is not a column"),
        (&["--columns", "path", "--json"], "cannot be used with"),
        (&["--sort", "age", "--rejects"], "cannot be used with"),
    ] {
        let ran = home.run(&[&["records"][..], more, &["--from", "logs"]].concat());
        assert!(ran.code == 64 && ran.err.contains(wanted), "{more:?}: {} {}", ran.code, ran.err);
    }
}
