//! How the console looks and which keys it has: theme, colours, borders, keymap.

use super::Args;
use crate::cli::{Context, Failure};
use crate::config::{self, Environment, Sources};
use crate::tui::keymap::Keymap;
use crate::tui::model::{Preferences, Problem};
use crate::tui::theme::{Announced, Borders, Depth, Theme};
use std::path::{Path, PathBuf};

/// Where the user's keymap and themes are: beside the configuration.
pub(in crate::cli::operator) fn settings_dir(context: &Context) -> Option<PathBuf> {
    let flag_path = context.global.config.clone();
    let sources = Sources { flag_path, environment: context.environment.clone() };
    let path = config::path(&sources).or_else(|| config::default_path(&context.environment))?;
    path.parent().map(Path::to_path_buf)
}

/// The configured borders, or ASCII where the locale takes nothing else.
pub(in crate::cli::operator) fn borders(context: &Context) -> Borders {
    match is_utf8(&context.environment) {
        true => Borders::named(&context.config.console.borders).unwrap_or_default(),
        false => Borders::Ascii,
    }
}

/// The theme of the command line, else the one chosen in the console, else the configured one.
pub(in crate::cli::operator) fn theme(
    context: &Context,
    args: &Args,
    kept: &mut Preferences,
    themes: Option<&Path>,
    problems: &mut Vec<Problem>,
) -> Result<Theme, Failure> {
    let chosen = args.theme.is_none().then(|| chosen_theme(kept, themes, problems)).flatten();
    if let Some(theme) = chosen {
        return Ok(theme);
    }
    let name = args.theme.as_deref().unwrap_or(&context.config.console.theme);
    Theme::load(name, themes)
        .map_err(|e| Failure::usage(e).hint("`--theme default` uses the terminal's own colours"))
}

/// The theme that was chosen in the console; it is forgotten where it can no longer be loaded.
fn chosen_theme(
    kept: &mut Preferences,
    themes: Option<&Path>,
    problems: &mut Vec<Problem>,
) -> Option<Theme> {
    if kept.theme.is_empty() {
        return None;
    }
    match Theme::load(&kept.theme, themes) {
        Ok(theme) => Some(theme),
        Err(error) => {
            let next = "the configured theme is used instead";
            problems.push(Problem::from_error(&error, next));
            kept.theme.clear();
            None
        }
    }
}

/// The keys of the program and, where there is a file, those of the user.
pub(super) fn keymap(dir: Option<&Path>) -> Result<Keymap, Failure> {
    let built_in = Keymap::built_in();
    let Some(path) = dir.map(|d| d.join("keymap.toml")) else { return Ok(built_in) };
    match std::fs::read_to_string(&path) {
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => Ok(built_in),
        Err(e) => Err(Failure::local(format!("failed to read {}: {e}", path.display()))),
        Ok(text) => built_in.with(&text).map_err(|e| {
            let place = format!("{}:{}:{}", path.display(), e.line, e.column);
            Failure::usage(format!("{place}: {}", e.what))
                .hint("docs/console.md and `?` in the console list the actions")
        }),
    }
}

/// What is wrong with the keymap and the themes beside a configuration, a line each.
pub(in crate::cli) fn problems(path: Option<&Path>, sources: &Sources) -> Vec<String> {
    let default = || config::default_path(&sources.environment);
    let path = path.map(Path::to_path_buf).or_else(default);
    let dir = path.as_deref().and_then(Path::parent);
    let mut found: Vec<String> =
        keymap(dir).err().map(|e| e.error.to_string()).into_iter().collect();
    let themes = dir.map(|d| d.join("themes"));
    match Theme::names(themes.as_deref()) {
        Ok(names) => {
            let wrong = |name: &String| Theme::load(name, themes.as_deref()).err();
            found.extend(names.iter().filter_map(wrong).map(|e| crate::domain::chain(&e)));
        }
        Err(error) => found.push(crate::domain::chain(&error)),
    }
    found
}

/// Whether the terminal is said to take more than ASCII. Where nothing is said it does, as nearly
/// all do.
fn is_utf8(environment: &Environment) -> bool {
    let set = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().find_map(|name| environment.text(name));
    set.is_none_or(|locale| {
        let locale = locale.to_ascii_lowercase();
        locale.contains("utf-8") || locale.contains("utf8")
    })
}

/// Whether the terminal takes links: one that does not know them ignores them, but a few write them out.
pub(super) fn has_hyperlinks(environment: &Environment) -> bool {
    !matches!(environment.text("TERM").as_deref(), None | Some("" | "dumb" | "linux"))
}

/// What the terminal says of its colours.
pub(in crate::cli::operator) fn depth(environment: &Environment) -> Depth {
    let (no_color, term) = (environment.text("NO_COLOR"), environment.text("TERM"));
    let colorterm = environment.text("COLORTERM");
    Depth::detect(&Announced {
        no_color: no_color.as_deref().unwrap_or_default(),
        term: term.as_deref().unwrap_or_default(),
        colorterm: colorterm.as_deref().unwrap_or_default(),
    })
}
