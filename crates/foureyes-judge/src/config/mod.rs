//! What the operator configures: defaults, file, environment, flags, in that order.
//!
//! This is the only room that reads the process environment; everything else is handed an
//! [`Environment`] or a [`Config`]. Names of hosts and users are checked here, before anything
//! can hand them to `ssh`.

mod at;
mod build;
mod environment;
pub mod error;
mod file;
mod hook;
mod judge;
mod load;
mod origin;
pub mod position;
pub mod problem;
pub mod read;
pub mod reasons;
mod reviewer;
mod rules;
mod sample;
mod schema;
pub mod shape;
pub mod syntax;
mod types;
mod write;

pub use crate::domain::HookMode;
pub use environment::Environment;
pub use error::{Error, Warning};
pub use hook::{HookConfig, OnCut};
pub use judge::JudgeConfig;
pub use load::{Loaded, Salvage, Sources, check, data_dir, default_path, load, path, salvage};
pub use origin::{Origins, SettingOrigin};
pub use position::Position;
pub use problem::{Fault, Problem};
pub use reviewer::reviewer;
pub use sample::SAMPLE;
pub use schema::file_schema;
pub use types::{
    BoxConfig, Config, ConsoleConfig, ExchangeConfig, Limits, Place, PullConfig, Remote,
    RepositoryConfig, ReviewerConfig,
};
pub use write::{to_json, to_toml};
