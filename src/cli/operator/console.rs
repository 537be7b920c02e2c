//! `foureyes` without a subcommand: the console; without a terminal for it, what triage says.

use super::reading::{self, From, Span};
use super::{Context, Failure, coverage, ledger, plain_console, triage};
use crate::collect::{self, Collected};
use crate::config::{self, Environment, JudgeConfig, Sources};
use crate::domain::Timestamp;
use crate::judging::configured;
use crate::report::counted;
use crate::store::disposition::Dispositions;
use crate::store::ledger::{Ledger, fresh_id};
use crate::tui::keymap::Keymap;
use crate::tui::model::{Days, Labelling, Preferences, Problem};
use crate::tui::session::Session;
use crate::tui::terminal;
use crate::tui::theme::{Announced, Borders, Depth, Theme};
use crate::tui::{Clipboard, ExternalTools, Facts, JudgeEndpoint, RunError, Services, Start};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

/// Flags of the console
#[derive(Debug, Clone, Default, PartialEq, Eq, clap::Args)]
pub(in crate::cli) struct Args {
    #[command(flatten)]
    pub(super) from: From,
    #[command(flatten)]
    pub(super) span: Span,
    /// Write nothing but the cache, and contact no box
    #[arg(long)]
    pub(super) read_only: bool,
    /// Keep pulling while the console is open
    #[arg(long)]
    watch: bool,
    /// Work through the queue line by line, for a screen reader or a simple terminal
    #[arg(long)]
    plain: bool,
    /// Theme for this session
    #[arg(long, value_name = "NAME")]
    theme: Option<String>,
}

/// Runs it.
pub(super) fn run(context: &Context, args: &Args) -> Result<ExitCode, Failure> {
    if args.plain && plain_console::possible() {
        return plain_console::run(context, args);
    }
    if args.plain || terminal::usable(&context.environment).is_err() {
        return triage::run(context, &triage::Args::of_console(&args.from, args.span.days));
    }
    let dir = settings_dir(context);
    let (start, world) = prepare(context, args, dir.as_deref())?;
    let code = crate::tui::run(start, world).map_err(|error| match error {
        RunError::Terminal(_) => Failure::local(error).hint("`foureyes triage` needs no terminal"),
        RunError::Runtime(_) => Failure::local(error),
        RunError::Unwritten(problem) => {
            let next = problem.next.clone();
            Failure::local(RunError::Unwritten(problem)).hint(next)
        }
    })?;
    Ok(ExitCode::from(code))
}

/// Where the user's keymap and themes are: beside the configuration.
fn settings_dir(context: &Context) -> Option<PathBuf> {
    let flag_path = context.global.config.clone();
    let sources = Sources { flag_path, environment: context.environment.clone() };
    let path = config::path(&sources).or_else(|| config::default_path(&context.environment))?;
    path.parent().map(Path::to_path_buf)
}

fn prepare(
    context: &Context,
    args: &Args,
    dir: Option<&Path>,
) -> Result<(Start, Services), Failure> {
    // What cannot be read at all ends the command before the terminal is taken over.
    let collected = reading::collect(context, &args.from)?;
    if collected.is_spooled() {
        return Err(Failure::usage("the console does not read standard input")
            .hint("it needs the keyboard: save the logs to a file and pass its path"));
    }
    let (mut session, damaged) = Session::load(&context.data.session());
    let given = !args.from.from.is_empty();
    let mut kept =
        Preferences { days: session.days, theme: session.theme.clone(), days_once: given };
    if args.span.days.is_some() || given {
        session.days = None;
    }
    let mut problems: Vec<Problem> = damaged.into_iter().map(damage).collect();
    let (since, dispositions) = queue_since(context, args, &collected)?;
    problems.extend(ignored(&dispositions, context));
    let themes = dir.map(|d| d.join("themes"));
    let depth = depth(&context.environment);
    let theme = theme(context, args, &mut kept, themes.as_deref(), &mut problems)?;
    let reviewer = crate::config::reviewer(&context.config, &context.environment, None);
    let labelling = Labelling {
        reviewer: reviewer.as_ref().map(|reviewer| reviewer.name.clone()),
        run: fresh_id(context.now),
        reasons: context.config.all_reasons(),
        set: context.config.reviewer.set,
    };
    let start = Start {
        facts: Facts {
            themes: Theme::names(themes.as_deref()).unwrap_or_default(),
            first_run: !session.known,
            ..facts(context, args, since, labelling)
        },
        now: context.now,
        size: (80, 24),
        theme: Arc::new(theme.fit(depth)),
        glyphs: borders(context).glyphs(),
        keymap: Arc::new(keymap(dir)?),
        session,
        preferences: kept,
        problems,
    };
    let mut world = world(context, args, dispositions, themes, depth);
    let clock = context.clock;
    world.clock = Box::new(move || clock.now());
    world.home = context.environment.get("HOME").map(PathBuf::from);
    world.endpoint = endpoint(context, &mut world.config);
    world.reviewer = reviewer;
    if given {
        let ledgers = Ledger::load(&context.data).map_err(ledger::failure)?;
        world.held = super::readiness::held(context, &args.from, &ledgers.present(context.now))?;
    }
    Ok((start, world))
}

/// The configured borders, or ASCII where the locale takes nothing else.
fn borders(context: &Context) -> Borders {
    match is_utf8(&context.environment) {
        true => Borders::named(&context.config.console.borders).unwrap_or_default(),
        false => Borders::Ascii,
    }
}

/// What holds for the whole session, as far as it follows from arguments and configuration.
fn facts(context: &Context, args: &Args, since: Timestamp, labelling: Labelling) -> Facts {
    let given = !args.from.from.is_empty();
    Facts {
        read_only: args.read_only,
        demo: context.global.demo,
        watch: args.watch.then_some(context.config.console.watch_s),
        days: match args.span.days {
            None if given => Days::All,
            days => Days::Last(days.unwrap_or(context.config.days).max(1)),
        },
        boxes: !given && super::pull::any_remote(&context.config),
        given,
        themes: Vec::new(),
        // Given logs have no beginning.
        queue_since: (since.0 != i64::MIN).then_some(since),
        first_run: false,
        labelling,
    }
}

/// The theme of the command line, else the one chosen in the console, else the configured one.
fn theme(
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

fn damage(text: String) -> Problem {
    Problem::new(text, "the console starts with defaults; the file is set aside when you quit")
}

/// What is told where the file of what was done has lines that say nothing.
fn ignored(dispositions: &Dispositions, context: &Context) -> Option<Problem> {
    let path = context.data.session().join("dealt.jsonl");
    let lines = counted(dispositions.ignored(), "line", "lines");
    let text = format!("{}: {lines} cannot be read and do not count", path.display());
    let next = "they are damaged or from a later version, and are left as they are";
    (dispositions.ignored() > 0).then(|| Problem::new(text, next))
}

/// Since when there is a queue, and what was done with its items.
pub(super) fn queue_since(
    context: &Context,
    args: &Args,
    collected: &Collected,
) -> Result<(Timestamp, Dispositions), Failure> {
    let mut dispositions = Dispositions::load(&context.data).map_err(|error| {
        Failure::local(error)
            .hint("it records which items were handled: move it away to start over")
    })?;
    let collection = collected.collection.to_string_lossy().into_owned();
    let days = args.span.days.unwrap_or(context.config.days).max(1);
    let first = Timestamp::of_day(context.now.day()).minus_days(days - 1);
    let since = match (args.read_only, args.from.from.is_empty()) {
        // Of given logs all is asked for.
        (_, false) => Timestamp(i64::MIN),
        (true, true) => dispositions.start(&collection).unwrap_or(first),
        (false, true) => {
            dispositions.begin(&collection, first, context.now).map_err(Failure::local)?
        }
    };
    Ok((since, dispositions))
}

fn world(
    context: &Context,
    args: &Args,
    dispositions: Dispositions,
    themes: Option<PathBuf>,
    depth: Depth,
) -> Services {
    let (config, data, from) = (context.config.clone(), context.data.clone(), args.from.clone());
    let reader = move |now| {
        if from.from.is_empty() {
            return Ok(collect::configured(&data, &config, now));
        }
        collect::given(&data, &from.from, now, &mut std::io::empty())
            .map_err(|e| Problem::from_error(&e, "give existing logs, and restart"))
    };
    let config = context.config.clone();
    let mut world_config = config.clone();
    if args.read_only {
        // Neither is a clone changed by a fetch, nor is a box asked for what it holds.
        for repository in &mut world_config.repositories {
            (repository.fetch, repository.remote_path) = (false, None);
        }
    }
    let given = !args.from.from.is_empty();
    let surveyor = move |archive: &crate::store::cache::Archive, window| {
        coverage::survey(&config, archive, given, window)
    };
    Services::new(
        world_config,
        context.data.clone(),
        reading::settings(&context.config),
        Box::new(reader),
        Box::new(surveyor),
        outward(context, themes, depth),
        args.read_only,
        dispositions,
    )
}

/// The judge that the console asks: of the demo its own, else the configured one.
fn endpoint(context: &Context, config: &mut config::Config) -> JudgeEndpoint {
    match context.global.demo {
        true => super::demo::judge::take_over(config),
        false => configured_endpoint(&context.config.judge, context.data.refused()),
    }
}

fn configured_endpoint(judge: &JudgeConfig, refused: PathBuf) -> JudgeEndpoint {
    let description = judge.asked();
    let judge = judge.clone();
    let make = move |socket| {
        let next = "correct `[judge]` in the configuration, and restart";
        let key = configured::key(&judge).map_err(|error| Problem::from_error(&error, next))?;
        configured::provider(&judge, key, socket, Some(refused.clone()))
            .map_err(|error| Problem::from_error(&error, next))
    };
    JudgeEndpoint { description, make: Arc::new(make) }
}

/// The keys of the program and, where there is a file, those of the user.
fn keymap(dir: Option<&Path>) -> Result<Keymap, Failure> {
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

/// What the terminal says of its colours.
fn depth(environment: &Environment) -> Depth {
    let (no_color, term) = (environment.text("NO_COLOR"), environment.text("TERM"));
    let colorterm = environment.text("COLORTERM");
    Depth::detect(&Announced {
        no_color: no_color.as_deref().unwrap_or_default(),
        term: term.as_deref().unwrap_or_default(),
        colorterm: colorterm.as_deref().unwrap_or_default(),
    })
}

/// The programs outside that this machine has.
fn outward(context: &Context, themes: Option<PathBuf>, depth: Depth) -> ExternalTools {
    let environment = &context.environment;
    let words = |name: &str| -> Option<Vec<OsString>> {
        let text = environment.text(name)?;
        let words: Vec<OsString> = text.split_whitespace().map(OsString::from).collect();
        (!words.is_empty()).then_some(words)
    };
    let program = |argv: &[&str]| -> Option<Vec<OsString>> {
        let found = on_path(environment, argv.first()?);
        found.then(|| argv.iter().map(OsString::from).collect())
    };
    let editor = words("VISUAL").or_else(|| words("EDITOR")).or_else(|| program(&["vi"]));
    let mac = cfg!(target_os = "macos");
    let browser = words("BROWSER").or_else(|| program(&[if mac { "open" } else { "xdg-open" }]));
    // Over SSH a program here would fill the clipboard of the wrong machine.
    let over_ssh = environment.get("SSH_CONNECTION").is_some();
    let graphic = |name: &str| environment.get(name).is_some();
    let by_program = match over_ssh {
        true => None,
        false if mac => program(&["pbcopy"]),
        false if graphic("WAYLAND_DISPLAY") => program(&["wl-copy"]),
        false if graphic("DISPLAY") => program(&["xclip", "-selection", "clipboard"])
            .or_else(|| program(&["xsel", "--clipboard", "--input"])),
        false => None,
    };
    let clipboard = by_program.map_or(Clipboard::Terminal, Clipboard::Program);
    let commit_url = context.config.console.commit_url.clone();
    ExternalTools { clipboard, editor, browser, commit_url, themes, depth }
}

fn on_path(environment: &Environment, name: &str) -> bool {
    let path = environment.get("PATH").unwrap_or_default();
    std::env::split_paths(path).any(|dir| dir.join(name).is_file())
}
