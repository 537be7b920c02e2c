//! `foureyes config init`.

use crate::cli::Failure;
use crate::cli::output::{print, visible};
use crate::config::{Error, SAMPLE, Sources, default_path, load};
use std::fs::DirBuilder;
use std::io::{self, Write};
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

#[derive(Debug, thiserror::Error)]
enum InitError {
    #[error("a configuration file already exists: {}", .0.display())]
    Exists(PathBuf),
    #[error("no such box can be configured: {0}")]
    Box(String),
    #[error("failed to write the configuration file {}", path.display())]
    Write {
        path: PathBuf,
        #[source]
        source: io::Error,
    },
}

/// Writes a file where `--config` says, else at the default place.
pub(super) fn run(sources: &Sources, boxes: &[String], force: bool) -> Result<ExitCode, Failure> {
    let asked = sources.flag_path.clone();
    let asked = asked.or_else(|| sources.environment.get("FOUREYES_CONFIG").map(PathBuf::from));
    let path = asked.or_else(|| default_path(&sources.environment));
    let path = path.ok_or_else(|| crate::cli::context::config_failure(Error::NoHome))?;
    let text = if boxes.is_empty() { SAMPLE.to_owned() } else { with_boxes(boxes)? };
    write(&path, &text, force).map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists if !force && path.exists() => {
            Failure::usage(InitError::Exists(path.clone()))
                .hint("edit it, or overwrite it with `--force`")
        }
        _ => Failure::local(InitError::Write { path: path.clone(), source: error }),
    })?;
    print(format!("wrote {}\n", visible(&path.to_string_lossy())))?;
    Ok(ExitCode::SUCCESS)
}

/// What a file of boxes alone begins with.
const HEAD: &str = "# Configuration of foureyes. Whatever is not set here has its default: `foureyes config show`\n\
                    # lists all settings.\n\n";
/// The part of the sample that is about one box.
const BOX: &str = "# A box over SSH.";

/// A configuration that has these boxes: the part of the sample about a box, switched on for the first of them.
fn with_boxes(boxes: &[String]) -> Result<String, Failure> {
    let section = SAMPLE.split("\n\n").find(|part| part.starts_with(BOX)).unwrap_or_default();
    let mut text = HEAD.to_owned();
    for (at, given) in boxes.iter().enumerate() {
        let (user, host) = match given.rsplit_once('@') {
            Some((user, host)) => (Some(user), host),
            None => (None, given.as_str()),
        };
        let set = |key: &str, value: &str| format!("{key} = {}", toml::Value::from(value));
        let (name, user) = (set("name", host), user.map(|user| set("user", user)));
        if at > 0 {
            text.push_str("\n[[box]]\n");
            [Some(name), user].into_iter().flatten().for_each(|line| text += &(line + "\n"));
            continue;
        }
        for line in section.lines() {
            let line = match line {
                "##[[box]]" => "[[box]]",
                line if line.starts_with("##name = ") => &name,
                line if line.starts_with("##user = ") => user.as_deref().unwrap_or(line),
                line => line,
            };
            text.extend([line, "\n"]);
        }
    }
    match check(&text) {
        Ok(()) => Ok(text),
        Err(problem) => Err(Failure::usage(InitError::Box(problem))
            .hint("give `--box HOST` or `--box USER@HOST`, as ssh knows it")),
    }
}

/// What is wrong with a configuration, before it is written.
fn check(text: &str) -> Result<(), String> {
    let file = tempfile::NamedTempFile::new().map_err(|error| error.to_string())?;
    std::fs::write(file.path(), text).map_err(|error| error.to_string())?;
    let sources = Sources { flag_path: Some(file.path().to_owned()), ..Sources::default() };
    match load(&sources) {
        Err(Error::Invalid { problems, .. }) => Err(problems
            .iter()
            .map(|problem| problem.fault.to_string())
            .collect::<Vec<_>>()
            .join("; ")),
        Err(error) => Err(error.to_string()),
        Ok(_) => Ok(()),
    }
}

/// Writes a file of mode 0600 at once or not at all; directories that are missing get 0700.
fn write(path: &Path, text: &str, force: bool) -> io::Result<()> {
    // A link is kept: what it leads to is replaced.
    let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let dir = path.parent().filter(|d| !d.as_os_str().is_empty()).unwrap_or(Path::new("."));
    DirBuilder::new().recursive(true).mode(0o700).create(dir)?;
    let mut file = tempfile::NamedTempFile::new_in(dir)?;
    file.write_all(text.as_bytes())?;
    file.as_file().sync_all()?;
    if force { file.persist(&path) } else { file.persist_noclobber(&path) }?;
    std::fs::File::open(dir)?.sync_all()
}
