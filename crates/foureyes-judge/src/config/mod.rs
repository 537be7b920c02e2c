//! What the operator configures: defaults, file, environment, flags, in that order.
//!
//! This is the only room that reads the process environment; everything else is handed an
//! [`Environment`] or a [`Config`]. Names of hosts and users are checked here, before anything
//! can hand them to `ssh`.
//!
//! A setting is one field, with its description, bounds, kind of text and default: the file is read
//! into it, the schema is derived from it and `config show` writes it, while what is wrong is found in
//! the tree before, because a type that refuses a value by itself ends the reading at the first problem
//! and does not know its place.

mod boxes;
mod environment;
pub mod error;
mod first_file;
mod fleet;
mod hook;
mod judge;
mod kg;
mod load;
mod memories;
mod named;
mod origin;
mod peer;
pub mod problem;
pub mod read;
pub mod reasons;
mod relevance;
mod reviewer;
mod risk;
mod rules;
mod schema;
mod seconds;
mod serve;
pub mod shape;
pub mod syntax;
mod task;
mod teams;
mod texts;
mod types;
mod unfit;
mod write;

pub use crate::domain::HookMode;
pub use crate::text::position::Position;
pub use boxes::{BoxConfig, Place, Remote, RepositoryConfig};
pub use environment::Environment;
pub use error::{Error, Warning};
pub use first_file::{FirstBox, first_file};
pub use fleet::FleetConfig;
pub use hook::{HookConfig, HookProtocol, OnCut};
pub use judge::{JudgeConfig, JudgeKind, NO_PROVIDER, of_provider};
pub use kg::KgConfig;
pub use load::{Loaded, Salvage, Sources, check, data_dir, default_path, load, path, salvage};
pub use memories::{MemoriesConfig, MemoriesPolicy};
pub use named::{NamedJudge, NamedJudges};
pub use origin::{Origins, SettingOrigin};
pub use peer::PeerConfig;
pub use problem::{Fault, Problem};
pub use reviewer::reviewer;
pub use risk::RiskConfig;
pub use schema::{FILE_SCHEMA, derived_schema, file_schema};
pub use serve::ServeConfig;
pub use task::{DepthRule, TaskConfig};
pub use teams::{ReviewerShare, TeamConfig, Teams};
pub use types::{Config, ConsoleConfig, ExchangeConfig, Limits, PullConfig, ReviewerConfig};
pub use unfit::UnfitJudge;
pub use write::{to_json, to_toml};

/// The commented sample that `config init` writes: every setting with its default, each commented out.
pub const SAMPLE: &str = include_str!("../../../../assets/config.toml");
