//! Who may have made the result of a task.

use crate::config::Config;
use crate::judging::Item;
use crate::text::spelling::person;

/// The item as the work of any of the configured agents, where nobody is named: a judge of the family of one of
/// them may not judge it. No record says so, since nobody knows which of them it was.
pub fn by_agents(config: &Config, item: Item) -> Item {
    // A name in which nothing can be seen names nobody.
    let is_named = item.people().any(|name| !person(name).is_empty());
    match is_named {
        true => item,
        false => Item { author: None, others: config.agents.clone(), ..item },
    }
}
