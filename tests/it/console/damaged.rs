//! Logs of the window that could not be read whole, on the screen of the decision.

use super::assess::{holds, walked};
use super::logs;
use super::world::{Setup, World};

#[test]
fn truncated_and_invalid_lines_match_document() {
    let cut = logs::push("b0000001", 18, 9, "NO-GO").to_string();
    let torn = format!("no record\n{}{}", logs::flagged(3), &cut[..cut.len() / 2]);
    let running = format!("{}{}", logs::flagged(2), &cut[..cut.len() / 2]);
    let logs = [("north/2026-02-19.jsonl", torn), ("north/2026-02-20.jsonl", running)];
    let mut world = World::ready(&Setup { size: (80, 24), ..Setup::default() }, &logs);
    world.keys("5");
    let report = world.model.assess().result.value.clone().unwrap();
    let block = report.readiness.blocks.iter().find(|b| b.id == "incomplete_tail").unwrap();
    assert!(block.text.contains("2026-02-19.jsonl"), "{}", block.text);
    assert!(!block.text.contains("2026-02-20"), "it is being written: {}", block.text);
    let caveat = report.readiness.caveats.iter().find(|c| c.id == "rejected_lines").unwrap();
    assert!(caveat.text.starts_with("1 line in logs"), "{}", caveat.text);
    let lines = walked(&mut world).join(" ");
    let shown = lines.split_whitespace().collect::<Vec<_>>().join(" ");
    for text in [&block.text, &caveat.text] {
        let begin: String = text.chars().take(50).collect();
        holds(std::slice::from_ref(&shown), &[begin]);
    }
}
