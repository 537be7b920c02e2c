//! The window over what was judged before: forty days of logs, and an answer from them.

use super::*;
use crate::cli::push;

const DAYS: i64 = 40;

/// A home with the logs of two boxes: on each of forty days four NO-GO and sixteen GO, on the ten before
/// them by another model.
struct Backlog {
    home: Home,
}

/// Lines of a day of a box.
fn lines(ago: i64, first: u32, model: &str) -> String {
    let line = |n: u32| {
        let verdict = if n.is_multiple_of(5) { "NO-GO" } else { "GO" };
        let time = format!("{}T10:{:02}:00Z", day(ago), n % 60);
        let line = push(u32::try_from(ago).unwrap() * 100 + n, &time, verdict);
        line.replace("\"model\":\"m\"", &format!("\"model\":\"{model}\""))
    };
    (first..first + 10).map(line).collect()
}

impl Backlog {
    fn new() -> Self {
        let home = Home::new();
        home.write("c.toml", "[reviewer]\nname = \"anna\"\nmachine = \"desk\"\n");
        home.write("nobody.toml", "");
        let backlog = Self { home };
        for (name, first) in [("attic", 0), ("cellar", 10)] {
            let old = (DAYS + 1..=DAYS + 10).map(|ago| lines(ago, first, "old"));
            let own = (1..=DAYS).rev().map(|ago| lines(ago, first, "m"));
            backlog.write(name, "a.jsonl", &old.chain(own).collect::<String>());
        }
        backlog
    }

    fn write(&self, of: &str, file: &str, text: &str) {
        let dir = format!("logs/{of}/.openclaw/judge-verdicts");
        std::fs::create_dir_all(self.home.path().join(&dir)).unwrap();
        self.home.write(&format!("{dir}/{file}"), text);
    }

    fn run(&self, args: &[&str]) -> Ran {
        self.home.run(&[args, &["--config", "c.toml"]].concat())
    }

    fn good(&self, args: &[&str]) -> String {
        self.home.good(&[args, &["--config", "c.toml"]].concat())
    }

    fn start(&self, more: &[&str]) -> String {
        let said = self.good(&[&["gate", "window", "--from", "logs"], more].concat());
        said.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    /// The report, and its exit code.
    fn report(&self) -> (Value, i32) {
        let args = ["readiness", "--json", "--from", "logs", "--config", "nobody.toml"];
        let ran = self.home.run(&args);
        crate::report::conforms("readiness", &ran.out);
        (serde_json::from_str(&ran.out).unwrap(), ran.code)
    }

    /// What waits for a label, by day; the whole of it.
    fn missing(&self) -> Vec<(String, Vec<String>)> {
        let days = self.report().0["days"].clone();
        let ids = |day: &Value| {
            let ids = day["missing"].as_array().unwrap().iter();
            ids.map(|id| id.as_str().unwrap().to_owned()).collect::<Vec<_>>()
        };
        let day = |day: &Value| (day["day"].as_str().unwrap().to_owned(), ids(day));
        days.as_array().unwrap().iter().map(day).collect()
    }

    /// Gives a word on each NO-GO and GO that waits, in the program: each is what the verdict says.
    fn label(&self) -> usize {
        let listed = self.good(&["records", "--json", "--from", "logs", "--days", "100"]);
        let rows: Vec<Value> = listed.lines().map(|l| serde_json::from_str(l).unwrap()).collect();
        let is_flagged = |id: &&str| {
            let row = rows.iter().find(|row| row["id"] == *id).unwrap();
            row["outcome"] == "no_go"
        };
        let ids: Vec<String> = self.missing().into_iter().flat_map(|(_, ids)| ids).collect();
        let (poor, acceptable): (Vec<&str>, Vec<&str>) =
            ids.iter().map(String::as_str).partition(is_flagged);
        for (word, all) in [("poor", poor), ("acceptable", acceptable)] {
            for some in all.chunks(200) {
                self.good(&[&["label"][..], some, &[word, "--from", "logs"]].concat());
            }
        }
        ids.len()
    }
}

fn blocks(report: &Value) -> Vec<&str> {
    report["blocks"].as_array().unwrap().iter().map(|b| b["id"].as_str().unwrap()).collect()
}

fn qualifiers(report: &Value) -> String {
    let all = report["qualifiers"].as_array().unwrap().iter();
    all.map(|text| text.as_str().unwrap()).collect::<Vec<_>>().join("\n")
}

#[test]
fn newcomer_with_forty_days_of_logs_gets_an_answer_from_them() {
    let backlog = Backlog::new();
    let (before, code) = backlog.report();
    assert_eq!((code, blocks(&before).contains(&"no_window")), (2, true));
    let step = &before["steps"][0];
    assert_eq!(step["ways"][0]["lines"][0], "foureyes gate window");
    let prices = before["prices"].as_array().unwrap();
    assert_eq!(
        (prices.len(), &prices[0]["labels"], &prices[0]["minutes"]),
        (1, &json!(800), &json!(400))
    );
    let chance = |at: usize| prices[0]["chances"][at]["ready"].as_f64().unwrap();
    assert!(chance(0) > chance(1) && chance(1) > 0.3, "{prices:?}");
    let plain = backlog.home.run(&["readiness", "--from", "logs", "--config", "nobody.toml"]).out;
    let said = backlog.start(&[]);
    let plain: Vec<&str> = plain.split_whitespace().collect();
    let plain = plain.join(" ");
    for text in ["Draw `all`: 800 labels", "for a judge with FNR 0.4 % and FPR 1 %"] {
        assert!(said.contains(text) && plain.contains(text), "{said}\n{plain}");
    }
    assert!(said.contains(&format!("has judged since {}", day(DAYS))), "{said}");
    assert!(said.contains("40 days with 160 NO-GO and 640 GO"), "{said}");
    let (report, code) = backlog.report();
    assert_eq!(code, 2);
    assert_eq!(&report["window"]["from"].as_str().unwrap()[..10], day(DAYS));
    assert_eq!((&report["window"]["share"]["window"], report.get("prices")), (&json!(1), None));
    assert_eq!(report["window"]["days_with_data"], DAYS);
    let blocked = blocks(&report);
    for id in ["no_window", "short_window", "missing_days", "window_after_labels", "fingerprint"] {
        assert!(!blocked.contains(&id), "{id}: {}", report["blocks"]);
    }
    assert!(qualifiers(&report).contains("Latency not recorded"), "{}", qualifiers(&report));
    assert!(qualifiers(&report).contains("prompt changed before"), "{}", qualifiers(&report));
    let latency = kpi(&report, "median_latency");
    assert_eq!(
        (&latency["not_recorded"], &latency["result"]),
        (&json!(true), &json!("not_estimable"))
    );
    let steps = report["steps"].to_string();
    assert!(!steps.contains("median_latency"), "{steps}");
    // The oldest day comes first, and yesterday is the last.
    let days: Vec<String> = backlog.missing().into_iter().map(|(day, _)| day).collect();
    assert_eq!((days.first(), days.last()), (Some(&day(DAYS)), Some(&day(1))));
    assert_eq!(backlog.label(), 800, "160 blocks are too few for a thinner draw");
    let (report, _) = backlog.report();
    assert_eq!(report["window"]["closed_days"], DAYS);
    for id in ["false_negative_rate", "false_positive_rate", "availability", "go_rate"] {
        assert_eq!(kpi(&report, id)["result"], "met", "{id}");
    }
}

#[test]
fn order_of_lines_later_records_and_waiting_change_no_draw() {
    let backlog = Backlog::new();
    // Enough blocks for a thin draw.
    let many = |n: u32| {
        push(500_000 + n, &format!("{}T09:00:{:02}Z", day(i64::from(n % 39) + 1), n % 60), "NO-GO")
    };
    backlog.write("attic", "b.jsonl", &(0..600).map(many).collect::<String>());
    let said = backlog.start(&[]);
    assert!(said.contains("The thin draw asks for about"), "{said}");
    let first = backlog.missing();
    let drawn: usize = first.iter().map(|(_, ids)| ids.len()).sum();
    let text = std::fs::read_to_string(
        backlog.home.path().join("logs/attic/.openclaw/judge-verdicts/b.jsonl"),
    )
    .unwrap();
    let turned: Vec<&str> = text.lines().rev().collect();
    backlog.write("attic", "b.jsonl", &format!("{}\n", turned.join("\n")));
    assert_eq!(backlog.missing(), first);
    // A log that arrives late adds to its own days alone.
    let late = (0..40).map(|n| push(700_000 + n, &format!("{}T08:00:{:02}Z", day(7), n), "GO"));
    backlog.write("cellar", "late.jsonl", &late.collect::<String>());
    let other = |days: Vec<(String, Vec<String>)>| -> Vec<_> {
        days.into_iter().filter(|(of, _)| *of != day(7)).collect()
    };
    assert_eq!(other(backlog.missing()), other(first.clone()));
    // So does another rate for what comes, and a box that is not in the window adds nothing.
    backlog.good(&["gate", "audit", "0.9"]);
    backlog.write("loft", "a.jsonl", &lines(3, 20, "m"));
    assert_eq!(other(backlog.missing()), other(first.clone()));
    assert!(qualifiers(&backlog.report().0).contains("others known here: loft"));
    // Raised once, all is drawn; it cannot be raised again, nor lowered.
    backlog.good(&["gate", "window", "--draw", "all", "--from", "logs"]);
    let all: usize = backlog.missing().iter().map(|(_, ids)| ids.len()).sum();
    assert!(all > drawn, "{all} {drawn}");
    for draw in ["all", "thin"] {
        let again = backlog.run(&["gate", "window", "--draw", draw, "--from", "logs"]);
        assert_eq!(again.code, 64, "{draw}: {}", again.out);
    }
}

#[test]
fn logs_of_before_the_start_and_a_box_left_out_block() {
    let backlog = Backlog::new();
    backlog.start(&["--draw", "all"]);
    backlog.write("attic", "early.jsonl", &lines(DAYS + 5, 30, "m"));
    assert!(blocks(&backlog.report().0).contains(&"logs_earlier"));
    std::fs::remove_dir_all(backlog.home.path().join("logs/cellar")).unwrap();
    assert!(blocks(&backlog.report().0).contains(&"boxes_changed"));
}

#[test]
fn window_by_hand_after_the_natural_start_in_a_copy_is_the_second() {
    let backlog = Backlog::new();
    backlog.good(&["gate", "window", &day(0)]);
    let share = |backlog: &Backlog| backlog.report().0["window"]["share"]["window"].clone();
    assert_eq!(share(&backlog), 2);
    // The natural start is the first, also after it.
    backlog.start(&[]);
    assert_eq!(share(&backlog), 1);
    let again = backlog.run(&["gate", "window", "--from", "logs"]);
    assert_eq!(again.code, 64);
    assert!(again.err.contains("runs already"), "{}", again.err);
}

#[test]
fn without_a_record_there_is_no_natural_start() {
    let home = Home::new();
    home.write("c.toml", "[reviewer]\nname = \"anna\"\nmachine = \"desk\"\n");
    home.write("logs/a.jsonl", "");
    let ran = home.run(&["gate", "window", "--from", "logs", "--config", "c.toml"]);
    assert_eq!(ran.code, 64, "{}", ran.out);
    assert!(ran.err.contains("gate window DATE"), "{}", ran.err);
}

#[test]
fn first_label_without_a_window_says_how_it_counts() {
    let backlog = Backlog::new();
    let listed = backlog.good(&["records", "--json", "--from", "logs", "--days", "100"]);
    let id = |n: usize| -> String {
        let row: Value = serde_json::from_str(listed.lines().nth(n).unwrap()).unwrap();
        row["id"].as_str().unwrap().to_owned()
    };
    let label = |n| backlog.good(&["label", &id(n), "poor", "--from", "logs"]);
    assert!(label(0).contains("no calibration window is running"));
    assert!(!label(1).contains("no calibration window is running"), "once");
}
