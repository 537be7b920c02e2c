//! The log of tasks of this machine, where no box is configured.

use crate::cli::Context;
use crate::config::{BoxConfig, Place};
use std::borrow::Cow;

/// Its name, beside those of boxes.
const NAME: &str = "local";

/// The context. Where it has no box, the log of tasks here is one: whoever judges tasks on this machine
/// can decide them on it.
pub(super) fn with_task_log(context: &Context) -> Cow<'_, Context> {
    let home = context.environment.home();
    let log = context.config.task.log_file(home.as_deref());
    let log = log.filter(|log| context.config.boxes.is_empty() && log.is_file());
    let Some(log) = log.as_ref().and_then(|log| log.to_str()) else {
        return Cow::Borrowed(context);
    };
    let mut own = context.clone();
    own.config.boxes.push(BoxConfig {
        name: NAME.to_owned(),
        place: Place::Local,
        logs: vec![log.to_owned()],
        overrides: String::new(),
        prompt: None,
    });
    Cow::Owned(own)
}
