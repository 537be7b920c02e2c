//! `foureyes serve key`.

use super::failure;
use crate::cli::{Context, Failure, output};
use crate::service::SigningKey;
use std::process::ExitCode;

/// Print the public key that clients pin, and make the signing key if there is none
#[derive(Debug, clap::Args)]
pub(super) struct Args {}

/// Runs the command.
pub(super) fn run(context: &Context, _: &Args) -> Result<ExitCode, Failure> {
    let home = context.environment.home();
    let path = super::path(context.config.serve.signing_key_file(home.as_deref()))?;
    let key = match path.try_exists()? {
        true => SigningKey::read(&path),
        false => SigningKey::create(&path),
    };
    let key = key.map_err(failure)?;
    output::print(format!("{}\n", key.public()))?;
    Ok(ExitCode::SUCCESS)
}
