//! Defaults, then file, then environment.

use super::problem::{Fault, Problem, quoted};
use super::rules::Text;
use super::types::MAX_DAYS;
use super::{
    Config, Environment, Error, Origins, SettingOrigin, Warning, file_schema, read, shape, syntax,
    texts, unfit,
};
use crate::engine::panel::Tier;
use crate::files::paths::DataDir;
use crate::text::position::Lines;
use serde::Deserialize;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The variables that name the model of each tier, in their order.
const TIER_MODELS: [&str; 3] = ["JUDGE_QUICK_MODEL", "JUDGE_DEEP_MODEL", "JUDGE_TIEBREAKER_MODEL"];

/// What a configuration is loaded from.
#[derive(Debug, Clone, Default)]
pub struct Sources {
    /// `--config`.
    pub flag_path: Option<PathBuf>,
    /// The environment.
    pub environment: Environment,
}

/// A configuration and where it came from.
#[derive(Debug, Clone)]
pub struct Loaded {
    /// The configuration, ready for use.
    pub config: Config,
    /// The file that was read; `None` where there is none.
    pub path: Option<PathBuf>,
    /// Where settings came from, other than from the defaults.
    pub origins: Origins,
    /// What should be known.
    pub warnings: Vec<Warning>,
}

/// Loads the configuration. No file at the default place is no error: the defaults hold.
///
/// # Errors
/// A file that was asked for and is not there, one that cannot be read or is wrong, and an
/// environment variable that is wrong.
pub fn load(sources: &Sources) -> Result<Loaded, Error> {
    let mut loaded = match path(sources) {
        Some(path) => from_file(&path, sources.environment.home().as_deref())?,
        None => Loaded {
            config: Config::default(),
            path: None,
            origins: Origins::new(),
            warnings: Vec::new(),
        },
    };
    if let Some(days) = days(&sources.environment)? {
        loaded.config.days = days;
        let origin = SettingOrigin::Environment { name: "FOUREYES_DAYS" };
        loaded.origins.insert("days".to_owned(), origin);
    }
    of_environment(&mut loaded, &sources.environment)?;
    let config = &loaded.config;
    let borrowing = config.judges.iter().filter(|(_, named)| named.borrows_key(&config.judge));
    let borrowing = borrowing.map(|(name, _)| Warning::BorrowedKey { judge: name.clone() });
    loaded.warnings.extend(borrowing);
    let moved = config.moved_relevance_judge().filter(|_| config.memories.judge);
    loaded.warnings.extend(moved);
    let inherited = unfit::inherited_models(config, &loaded.origins);
    loaded.warnings.extend(inherited);
    let tiers = Tier::ALL.map(|tier| config.judge_of(tier).1.key_variable());
    let others = [
        config.judge.key_variable(),
        config.relevance_judge().1.key_variable(),
        config.fleet.key_variable(),
    ];
    for key in tiers.into_iter().chain(others).flatten() {
        if let Ok(key) = key.into_string() {
            crate::text::mask::remember(&key.into());
        }
    }
    Ok(loaded)
}

/// Models of tiers, and whether issues are made, as the environment says.
fn of_environment(loaded: &mut Loaded, environment: &Environment) -> Result<(), Error> {
    for (tier, name) in Tier::ALL.into_iter().zip(TIER_MODELS) {
        let Some(model) = environment.text(name) else { continue };
        if let Err(reason) = Text::Named.check(&model) {
            return Err(Error::Variable { name, value: quoted(&model), reason: reason.to_owned() });
        }
        loaded.config.judges.entry(tier.name().to_owned()).or_default().model = Some(model);
        let origin = SettingOrigin::Environment { name };
        loaded.origins.insert(format!("judges.{}", tier.name()), origin);
    }
    let name = "JUDGE_CREATE_ISSUES";
    if let Some(value) = environment.text(name) {
        loaded.config.task.create_issues = match value.as_str() {
            "1" | "true" => true,
            "0" | "false" => false,
            _ => {
                let reason = "it must be 1 or 0".to_owned();
                return Err(Error::Variable { name, value: quoted(&value), reason });
            }
        };
        let origin = SettingOrigin::Environment { name };
        loaded.origins.insert("task.create_issues".to_owned(), origin);
    }
    Ok(())
}

/// The file to read: the one that was asked for, else the default one where it exists.
pub fn path(sources: &Sources) -> Option<PathBuf> {
    let asked = sources.flag_path.clone();
    let asked = asked.or_else(|| sources.environment.get("FOUREYES_CONFIG").map(PathBuf::from));
    // A link that leads nowhere is there: reading it then says what is wrong.
    asked.or_else(|| {
        default_path(&sources.environment).filter(
            |p| !matches!(p.symlink_metadata(), Err(e) if e.kind() == std::io::ErrorKind::NotFound),
        )
    })
}

/// Where the configuration is by default: `$XDG_CONFIG_HOME/foureyes/config.toml`, else
/// `~/.config/foureyes/config.toml`, on every system.
pub fn default_path(environment: &Environment) -> Option<PathBuf> {
    let base = environment.directory("XDG_CONFIG_HOME");
    let base = base.or_else(|| Some(environment.home()?.join(".config")))?;
    Some(base.join("foureyes").join("config.toml"))
}

/// Where files of our own are: under one directory where `--data-dir` or `FOUREYES_DATA` asks for
/// it, else in the system's places for data and cache, the XDG variables first.
///
/// # Errors
/// Where the home directory is not known.
pub fn data_dir(flag: Option<&Path>, environment: &Environment) -> Result<DataDir, Error> {
    let asked = flag.or_else(|| environment.get("FOUREYES_DATA").map(Path::new));
    if let Some(dir) = asked.filter(|d| !d.as_os_str().is_empty()) {
        let absolute = std::path::absolute(dir);
        return absolute
            .map(DataDir::at)
            .map_err(|source| Error::Read { path: dir.to_owned(), source });
    }
    let ours = |name: &str| Some(environment.directory(name)?.join("foureyes"));
    if let (Some(data), Some(cache)) = (ours("XDG_DATA_HOME"), ours("XDG_CACHE_HOME")) {
        return Ok(DataDir::split(data, cache));
    }
    let system = directories::ProjectDirs::from("", "", "foureyes").ok_or(Error::NoHome)?;
    // It reads the XDG variables by itself, whether they count here or not.
    let usual = |below: &str, other: &Path| match environment.home() {
        Some(home) if !cfg!(target_os = "macos") => home.join(below).join("foureyes"),
        _ => other.to_owned(),
    };
    let data = ours("XDG_DATA_HOME").unwrap_or_else(|| usual(".local/share", system.data_dir()));
    let cache = ours("XDG_CACHE_HOME").unwrap_or_else(|| usual(".cache", system.cache_dir()));
    Ok(DataDir::split(data, cache))
}

/// Checks the text of a file: all that is wrong with it, in its order, and what is right.
pub fn check(bytes: &[u8], home: Option<&Path>) -> (Config, Origins, Vec<Problem>) {
    let text = match syntax::text(bytes) {
        Ok(text) => text,
        Err(problem) => return (Config::default(), Origins::new(), vec![problem]),
    };
    let lines = Lines::new(text);
    let (mut tree, mut problems) = syntax::tree(text, &lines);
    let broken: BTreeSet<_> = problems.iter().map(|p| p.position.line).collect();
    let schema = file_schema();
    let mut rest = shape::prune(&lines, tree.get_mut(), schema);
    let (origins, refused) = texts::prune(&lines, tree.get_mut(), schema, home);
    rest.extend(refused);
    let mut config =
        Config::deserialize(toml::de::Deserializer::from(tree)).unwrap_or_else(|error| {
            rest.push(Problem {
                position: lines.position(error.span().map_or(0, |s| s.start)),
                fault: Fault::Syntax(error.message().to_owned()),
            });
            Config::default()
        });
    config.boxes.iter_mut().for_each(|one| one.settle(home));
    // What is left of a broken line says nothing new.
    problems.extend(rest.into_iter().filter(|p| !broken.contains(&p.position.line)));
    problems.sort_by_key(|p| p.position);
    (config, origins, problems)
}

/// What a file that is wrong says all the same.
#[derive(Debug, Clone, Default)]
pub struct Salvage {
    /// What is right in it; defaults for the rest.
    pub config: Config,
    /// Tells that `agents` is what the file says, or what holds where it says nothing of it.
    pub agents: bool,
    /// The same of `watch`.
    pub watch: bool,
}

/// Takes what can be taken of the configuration where [`load`] fails: what a file says that can be
/// read, and else nothing that is certain.
pub fn salvage(sources: &Sources) -> Salvage {
    let Some(path) = path(sources) else {
        return Salvage { agents: true, watch: true, ..Salvage::default() };
    };
    let Ok((bytes, _)) = read::bytes(&path) else { return Salvage::default() };
    let (config, origins, problems) = check(&bytes, sources.environment.home().as_deref());
    let Ok(text) = syntax::text(&bytes) else { return Salvage::default() };
    let certain = |key: &str| {
        let mut lines = text.lines().zip(1..).filter(|(line, _)| sets(line, key));
        let Some((_, first)) = lines.next() else { return !origins.contains_key(key) };
        // A list ends where its bracket is closed; one that is not may have taken more along.
        let rest = text.lines().zip(1..).skip(first - 1);
        let last = rest.into_iter().find(|(line, _)| line.contains(']')).map(|(_, at)| at);
        let within = |p: &Problem| (first..=last.unwrap_or(usize::MAX)).contains(&p.position.line);
        lines.next().is_none() && origins.contains_key(key) && !problems.iter().any(within)
    };
    Salvage { agents: certain("agents"), watch: certain("watch"), config }
}

/// Tells whether a line may set a key, however it is written.
fn sets(line: &str, key: &str) -> bool {
    let line = line.trim_start_matches(['\u{feff}', ' ', '\t', '"', '\'']);
    let rest = line.strip_prefix(key);
    rest.is_some_and(|rest| {
        !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_' || c == '-')
    })
}

fn from_file(path: &Path, home: Option<&Path>) -> Result<Loaded, Error> {
    let (bytes, warnings) = read::bytes(path)?;
    let (config, origins, problems) = check(&bytes, home);
    if problems.is_empty() {
        return Ok(Loaded { config, path: Some(path.to_owned()), origins, warnings });
    }
    Err(Error::Invalid { path: path.to_owned(), problems })
}

fn days(environment: &Environment) -> Result<Option<u32>, Error> {
    let name = "FOUREYES_DAYS";
    let Some(text) = environment.text(name) else { return Ok(None) };
    match text.parse() {
        Ok(days) if (1..=MAX_DAYS).contains(&days) => Ok(Some(days)),
        _ => {
            let reason = format!("it must be a number from 1 to {MAX_DAYS}");
            Err(Error::Variable { name, value: quoted(&text), reason })
        }
    }
}
