//! `foureyes serve token`.

use super::failure;
use crate::cli::{Context, Failure, output};
use crate::domain::Timestamp;
use crate::engine::four_eyes::Families;
use crate::engine::judgements::RequestKind;
use crate::service::token::{self, Token};
use std::path::PathBuf;
use std::process::ExitCode;

/// Longest name of a client.
const LONGEST_NAME: usize = 64;

/// Add, list and remove the tokens of clients
///
/// The service reads the file of tokens again as soon as it changes.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    Add(AddArgs),
    List(ListArgs),
    Remove(RemoveArgs),
}

/// Print a new token of a client, once: only its hash is kept
#[derive(Debug, clap::Args)]
struct AddArgs {
    /// Name of the client; it may have several tokens, as while one is replaced
    #[arg(value_name = "CLIENT", value_parser = client)]
    client: String,
    /// Kind of judgements that it may ask for: push, task or relevance
    #[arg(long = "kind", value_name = "KIND", value_parser = kind, default_value = "push")]
    kinds: Vec<RequestKind>,
    /// Family of models by which its authors write, as named in [[family]], or a well-known maker
    #[arg(long = "family", value_name = "NAME")]
    families: Vec<String>,
    /// Most contents that are judged for it per UTC day
    #[arg(long, value_name = "N")]
    per_day: Option<u64>,
    /// UTC day on which it ends
    #[arg(long, value_name = "YYYY-MM-DD", value_parser = crate::cli::operator::gate::day)]
    expires: Option<Timestamp>,
}

/// List the clients and what their tokens allow
#[derive(Debug, clap::Args)]
struct ListArgs {}

/// Remove the tokens of a client, or the one with this id
#[derive(Debug, clap::Args)]
struct RemoveArgs {
    /// Name of the client
    #[arg(value_name = "CLIENT")]
    client: String,
    /// Id of one token, as listed
    #[arg(long, value_name = "ID")]
    id: Option<String>,
}

/// Runs the command.
pub(super) fn run(context: &Context, args: &Args) -> Result<ExitCode, Failure> {
    let home = context.environment.home();
    let path = super::path(context.config.serve.tokens_file(home.as_deref()))?;
    match &args.command {
        Command::Add(args) => {
            if let Some(end) = args.expires.filter(|end| end.0 <= context.now.0) {
                let past =
                    format!("failed to add a token: it would have expired on {}", end.day_text());
                return Err(Failure::usage(past).hint("give a later UTC day with `--expires`"));
            }
            add(path, args, &context.config.families.with_makers())?;
        }
        Command::List(ListArgs {}) => {
            let tokens = token::all(&path).map_err(failure)?;
            output::print(tokens.iter().map(|token| row(token, context.now)).collect::<String>())?;
        }
        Command::Remove(args) => {
            let removed = token::remove(&path, &args.client, args.id.as_deref());
            let removed = removed.map_err(failure)?;
            if removed.is_empty() {
                let none = format!("failed to remove a token of {}: there is none", args.client);
                return Err(Failure::usage(none).hint("`foureyes serve token list` lists them"));
            }
            output::print(removed.iter().map(|t| row(t, context.now)).collect::<String>())?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn add(path: PathBuf, args: &AddArgs, known: &Families) -> Result<(), Failure> {
    let is_unknown = |name: &&String| !known.0.iter().any(|family| family.name == **name);
    if let Some(name) = args.families.iter().find(is_unknown) {
        let names: Vec<&str> = known.0.iter().map(|family| family.name.as_str()).collect();
        return Err(Failure::usage(format!("failed to add a token: no family is named {name}"))
            .hint(format!("add it as [[family]], or use one of {}", names.join(", "))));
    }
    let token = Token {
        client: args.client.clone(),
        hash: String::new(),
        kinds: args.kinds.clone(),
        families: args.families.clone(),
        per_day: args.per_day,
        expires: args.expires,
    };
    let secret = token::add(&path, token).map_err(failure)?;
    output::print(format!("{secret}\n"))
}

/// Client, id, kinds, cap, families and end of a token.
fn row(token: &Token, now: Timestamp) -> String {
    let kinds: Vec<&str> = token.kinds.iter().map(|kind| kind.as_str()).collect();
    let cap = token.per_day.map_or("unlimited".to_owned(), |most| format!("{most} per day"));
    let families = match &token.families[..] {
        [] => "families by author".to_owned(),
        some => format!("families {}", some.join(",")),
    };
    let end = match token.expires {
        None => "no expiry".to_owned(),
        Some(end) if token.is_expired(now) => format!("expired {}", end.day_text()),
        Some(end) => format!("until {}", end.day_text()),
    };
    let (kinds, id) = (kinds.join(","), token.id());
    let row = format!("{}  {id}  {kinds}  {cap}  {families}  {end}", token.client);
    output::visible(&row) + "\n"
}

fn kind(text: &str) -> Result<RequestKind, String> {
    RequestKind::from_name(text).ok_or_else(|| "it is push, task or relevance".to_owned())
}

fn client(text: &str) -> Result<String, String> {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-');
    match (1..=LONGEST_NAME).contains(&text.len()) && text.chars().all(is_plain) {
        true => Ok(text.to_owned()),
        false => {
            Err("a client has 1 to 64 letters, digits, dots, dashes and underscores".to_owned())
        }
    }
}
