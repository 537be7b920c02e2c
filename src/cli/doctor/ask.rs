//! The boundary to the SSH layer.

use crate::config::BoxConfig;
use std::error::Error;
use std::path::Path;

/// Runs `sh -c SCRIPT` on a box, over the connection that pulls use, with these bytes as standard
/// input, and gives its standard output.
pub(super) type Ask<'a> =
    dyn Fn(&BoxConfig, &str, &[u8]) -> Result<Vec<u8>, Box<dyn Error + Send + Sync>> + Sync + 'a;

/// How boxes are reached.
#[derive(Clone, Copy)]
pub(super) struct Remote<'a> {
    /// `None` where there is no way to ask.
    pub ask: Option<&'a Ask<'a>>,
    /// Directory of the control sockets.
    pub control_dir: Option<&'a Path>,
}

impl Remote<'static> {
    /// No way to reach a box.
    pub(super) const NOT_CONNECTED: Self = Self { ask: None, control_dir: None };
}
