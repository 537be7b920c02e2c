//! Who may have made the result of a task.

use crate::config::Config;
use crate::judging::Item;

/// The item as the work of any of the configured agents, where nobody is named: a judge of the family of one of
/// them may not judge it. No record says so, since nobody knows which of them it was.
pub fn by_agents(config: &Config, item: Item) -> Item {
    let others = match item.people().next() {
        Some(_) => item.others.clone(),
        None => config.agents.clone(),
    };
    Item { others, ..item }
}
