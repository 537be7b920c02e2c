//! One pass does not look at what it does not count.

use super::{NOW, Opened, push};
use foureyes::domain::Window;
use foureyes::overview::breakdowns;
use std::time::{Duration, Instant};

#[test]
fn very_many_names_and_days_cost_no_square() {
    let mut text = String::new();
    for i in 0..60_000 {
        let day = format!("{:04}-{:02}-{:02}", 1900 + i % 700, 1 + i % 12, 1 + i % 28);
        let more = format!(
            ",\"verdict\":\"GO\",\"author\":\"a{i}\",\"files_evaluated\":[\"d{i}/x\",\"e{}/y\"]",
            i % 9_000
        );
        text.push_str(&push(&format!("{i:06}"), &day, &more));
    }
    let opened = Opened::of(&[("one", text)]);
    let start = Instant::now();
    let all = breakdowns(&opened.archive, &opened.collected, Window::ALL, NOW, &|| false);
    let all = all.unwrap().unwrap();
    // Far above what an unoptimised build needs on a busy machine, far below a square.
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
    assert_eq!(all.whole.sums.records, 60_000);
    assert_eq!(all.agents.rest.groups, 59_988);
    assert!(all.days.bars.len() <= 62);
}
