//! Text that would be something else than data, were it written into a statement.

use super::{Desk, SHARED, database};
use crate::cli::Home;

const TEXTS: [&str; 9] = [
    "'; DROP TABLE occurrences_local; --",
    "\\', \\\\', \\\\\\'",
    "\\N",
    "a\tb\nc\r\0d",
    "\u{1b}[2J\u{202e}x",
    "`\"{{}}${HOME}%s",
    "NULL",
    "\u{feff}ü𝄞",
    "",
];

#[test]
fn hostile_text_is_data() {
    let (made, name) = (Home::new(), database());
    // The name of a log and of a box is text of others too.
    let odd = made.path().join("boxes/attic/it's; DROP --");
    std::fs::create_dir_all(&odd).unwrap();
    let line = |at: usize, text: &str| {
        let text = serde_json::to_string(text).unwrap();
        format!(
            "{{\"commit\":\"{at:07x}\",\"author\":{text},\"model\":\"m\",\"verdict\":\"GO\",\
             \"findings\":{text},\"timestamp\":\"2026-02-10T10:00:00Z\"}}\n"
        )
    };
    let lines: String = TEXTS.iter().enumerate().map(|(at, text)| line(at, text)).collect();
    let mut log = lines.into_bytes();
    // What is no UTF-8 is no record.
    log.extend(b"{\"commit\":\"abcdef0\",\"verdict\":\"GO\",\"findings\":\"\xff'\xfe\"}\n");
    log.extend(b"'); DROP \xff\\N\t\0\n");
    std::fs::write(odd.join("it's\\N.jsonl"), &log).unwrap();
    let desk = Desk::new("o'brien\\", &made.path().join("boxes"), &SHARED.ports, &name);
    desk.configure(&made.path().join("boxes"), &SHARED.ports, &name, "user = \"default\"");
    desk.good(&["fleet", "init"]);
    desk.publish();
    let column = |what: &str| {
        SHARED.ask(&format!(
            "SELECT {what} FROM {name}.occurrences GROUP BY {what}, byte ORDER BY byte"
        ))
    };
    let hex = |bytes: &[u8]| bytes.iter().map(|b| format!("{b:02X}")).collect::<String>();
    let raw: Vec<String> = log.split(|b| *b == b'\n').take(TEXTS.len()).map(hex).collect();
    assert_eq!(column("hex(record)").lines().collect::<Vec<_>>(), raw);
    let texts: Vec<String> = TEXTS.iter().map(|text| hex(text.as_bytes())).collect();
    // The last one is empty, and so is its line, which is trimmed away.
    for field in ["author", "findings"] {
        let shown = column(&format!("hex({field})"));
        assert_eq!(shown.lines().collect::<Vec<_>>(), texts[..TEXTS.len() - 1], "{field}");
    }
    let local = desk.good(&["records", "--rejects", "--json"]);
    let reasons: Vec<String> = local
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap()["reason"].clone())
        .map(|reason| hex(reason.as_str().unwrap().as_bytes()))
        .collect();
    let stored = SHARED.ask(&format!("SELECT hex(reason) FROM {name}.rejects ORDER BY byte"));
    assert_eq!(stored.lines().collect::<Vec<_>>(), reasons);
    let status = desk.json(&["fleet", "status"]);
    assert_eq!(status["accounting"]["records"], 9, "{status}");
    assert_eq!(status["accounting"]["rejected"], 2, "{status}");
    assert_eq!(status["operators"][0]["name"], "o'brien\\");
    // What the store holds is shown as text, and asked for as data.
    assert!(desk.good(&["fleet", "status"]).contains("o'brien"));
    assert_eq!(desk.publish()["files"], 0);
}
