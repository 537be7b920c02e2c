//! What the operator configures: defaults, file, environment, flags, in that order.

mod types;

pub use types::{BoxConfig, Config, Limits, Place, PullConfig, Remote, RepositoryConfig};
