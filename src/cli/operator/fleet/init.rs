//! `foureyes fleet init`.

use super::{Context, Failure, failure, nodes, output};
use crate::cli::operator::signals;
use crate::fleet::{self, Prepared, Users};
use std::path::PathBuf;
use std::process::ExitCode;

/// Create or migrate the tables, and print the users for the servers
///
/// Running it again changes nothing. The users can publish and read, and nothing else; new keys are drawn
/// for them each time, and the servers do not know them until the file is in their `users.d`.
///
/// Exit codes: 0, the tables are ready; 64, the cluster does not fit; 69, a node did not answer or refused.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// User who may create tables [default: `user` under `[fleet]`]
    #[arg(long, value_name = "NAME")]
    user: Option<String>,
    /// Environment variable with that user's key [default: as configured]
    #[arg(long, value_name = "NAME")]
    key_env: Option<String>,
    /// Write users and keys to files in this new directory instead of printing them
    #[arg(long, value_name = "DIR")]
    write: Option<PathBuf>,
}

/// Runs the command.
pub(super) fn run(context: &Context, args: &Args) -> Result<ExitCode, Failure> {
    let mut config = context.config.fleet.clone();
    if let Some(user) = &args.user {
        config.user.clone_from(user);
    }
    if let Some(name) = &args.key_env {
        config.key_env.clone_from(name);
        config.key_command = None;
    }
    let users = fleet::users(&config.database).map_err(failure)?;
    let making = fleet::init(nodes(&config)?, context.now);
    let prepared = match signals::unless_interrupted(making)? {
        Ok(prepared) => prepared.map_err(failure)?,
        Err(code) => return Ok(code),
    };
    prepared.iter().for_each(|one| output::to_stderr(&outcome(one)));
    match &args.write {
        Some(dir) => {
            fleet::write_users(&users, dir).map_err(failure)?;
            output::print(written(&users, dir))?;
        }
        None => output::print(printed(&users))?,
    }
    Ok(ExitCode::SUCCESS)
}

fn outcome(one: &Prepared) -> String {
    let address = output::visible(&one.address);
    match (one.before, one.now) {
        (before, now) if before == now => format!("{address}: schema version {now}, unchanged"),
        (0, now) => format!("{address}: created, schema version {now}"),
        (before, now) => format!("{address}: migrated from schema version {before} to {now}"),
    }
}

fn written(users: &Users, dir: &std::path::Path) -> String {
    let dir = output::visible(&dir.display().to_string());
    let mut text = format!("{dir}/{}: copy it to users.d of every server\n", fleet::USERS_FILE);
    for user in &users.drawn {
        text += &format!("{dir}/{}: the key of {}\n", user.file, user.name);
    }
    text
}

fn printed(users: &Users) -> String {
    let mut text = users.xml.clone();
    for user in &users.drawn {
        text += &format!("<!-- the key of {}: {} -->\n", user.name, user.key);
    }
    text
}
