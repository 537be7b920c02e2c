//! The commented sample that `config init` writes.

/// The sample: every setting with its default, each commented out.
pub const SAMPLE: &str = include_str!("../../../../assets/config.toml");
