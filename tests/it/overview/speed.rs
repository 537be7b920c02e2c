//! One pass does not look at what it does not count. The input is so large that an algorithm
//! quadratic in it would take hours.

use super::{NOW, Opened, push};
use foureyes::domain::Window;
use foureyes::overview::breakdowns;

#[test]
fn many_names_and_days_cost_linear_time() {
    let mut text = String::new();
    for i in 0..400_000 {
        let day = format!("{:04}-{:02}-{:02}", 1900 + i % 700, 1 + i % 12, 1 + i % 28);
        let more = format!(
            ",\"verdict\":\"GO\",\"author\":\"a{i}\",\"files_evaluated\":[\"d{i}/x\",\"e{}/y\"]",
            i % 9_000
        );
        text.push_str(&push(&format!("{i:06}"), &day, &more));
    }
    let opened = Opened::new(&[("one", text)]);
    let all = breakdowns(
        &opened.archive,
        &opened.collected,
        Window::ALL,
        (&Default::default(), &Default::default(), NOW),
        &|| false,
    );
    let all = all.unwrap().unwrap();
    assert_eq!(all.whole.sums.records, 400_000);
    assert_eq!(all.agents.rest.groups, 399_988);
    assert!(all.days.bars.len() <= 62);
}
