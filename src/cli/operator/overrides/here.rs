//! The log of tasks of this machine, beside those of its boxes.

use crate::cli::Context;
use crate::config::{BoxConfig, Place};
use std::borrow::Cow;

/// Its name, beside those of boxes.
const NAME: &str = "local";

/// The context, with the log of tasks here as a box: whoever judges tasks on this machine can decide them
/// on it. Where a configured box is this machine, or has the name, that one says which logs are read.
pub(in crate::cli::operator) fn with_task_log(context: &Context) -> Cow<'_, Context> {
    let home = context.environment.home();
    let log = context.config.task.log_file(home.as_deref());
    let is_here = |one: &BoxConfig| one.name == NAME || matches!(one.place, Place::Local);
    let is_configured = context.config.boxes.iter().any(is_here);
    let log = log.filter(|log| !is_configured && log.is_file());
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
        may_block: false,
    });
    Cow::Owned(own)
}
