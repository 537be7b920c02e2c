//! A configuration back to the text of a file.

use super::at::At;
use super::file::{
    File, FileBox, FileConsole, FileExchange, FileFamily, FileHook, FileJudge, FileLimits,
    FilePrice, FilePull, FileRepository, FileReviewer,
};
use super::{
    BoxConfig, Config, HookConfig, JudgeConfig, Origins, Place, RepositoryConfig, SettingOrigin,
};
use crate::engine::cost::Price;
use crate::engine::four_eyes::ModelFamily;
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;
use toml::{Table, Value};

/// The configuration as the text of a file that gives it again, with the origin of each setting
/// as a comment.
///
/// # Errors
/// Where a path is no UTF-8 text, which a file cannot hold.
pub fn to_toml(config: &Config, origins: &Origins) -> Result<String, toml::ser::Error> {
    let mut text = String::new();
    let mut sections = String::new();
    for (key, value) in Table::try_from(file(config))? {
        match value {
            Value::Table(table) => section(&mut sections, &key, table, origins)?,
            Value::Array(items) if items.iter().any(Value::is_table) => {
                elements(&mut sections, &key, &items, origins)?;
            }
            value => setting(&mut text, &key, &key, &value, origins)?,
        }
    }
    Ok(text + &sections)
}

/// The configuration as JSON with the keys of the file.
///
/// # Errors
/// None that is known; the serializer's, where it has one.
pub fn to_json(config: &Config) -> Result<serde_json::Value, serde_json::Error> {
    serde_json::to_value(file(config))
}

fn setting(
    text: &mut String,
    path: &str,
    key: &str,
    value: &Value,
    origins: &Origins,
) -> Result<(), toml::ser::Error> {
    let origin = origins.get(path).unwrap_or(&SettingOrigin::Default);
    let line = |value: Value| toml::to_string(&Table::from_iter([(key.to_owned(), value)]));
    let line = match value {
        // A table in a section stands on one line, or it would end the section.
        Value::Table(_) => {
            let placed = line(Value::Boolean(true))?;
            format!("{}{value}\n", placed.trim_end_matches("true\n"))
        }
        value => line(value.clone())?,
    };
    *text += &format!("# {origin}\n{line}");
    Ok(())
}

fn section(
    text: &mut String,
    name: &str,
    table: Table,
    origins: &Origins,
) -> Result<(), toml::ser::Error> {
    *text += &format!("\n[{name}]\n");
    for (key, value) in table {
        setting(text, &format!("{name}.{key}"), &key, &value, origins)?;
    }
    Ok(())
}

fn elements(
    text: &mut String,
    name: &str,
    items: &[Value],
    origins: &Origins,
) -> Result<(), toml::ser::Error> {
    for item in items {
        let path = item.get("name").and_then(Value::as_str).map(|n| format!("{name}.{n}"));
        let origin = path.and_then(|p| origins.get(&p)).map(|o| format!("# {o}\n"));
        let origin = origin.unwrap_or_default();
        *text += &format!("\n{origin}[[{name}]]\n{}", toml::to_string(item)?);
    }
    Ok(())
}

fn file(config: &Config) -> impl Serialize {
    File {
        days: Some(config.days.into()),
        agents: Some(texts(&config.agents).into()),
        match_authors: Some(config.match_authors.into()),
        watch: Some(texts(&config.watch).into()),
        files: Some(texts(&config.files).into()),
        aliases: pairs(&config.aliases),
        limits: Some(FileLimits {
            line_bytes: Some(config.limits.line_bytes.into()),
            depth: Some(config.limits.depth.into()),
            unpacked_bytes: Some(config.limits.unpacked_bytes.into()),
        }),
        pull: Some(FilePull {
            parallel: Some(config.pull.parallel.into()),
            connect_timeout_s: Some(config.pull.connect_timeout.as_secs().into()),
            idle_timeout_s: Some(config.pull.idle_timeout.as_secs().into()),
            total_timeout_s: Some(config.pull.total_timeout.as_secs().into()),
            max_file_bytes: Some(config.pull.max_file_bytes.into()),
            max_box_bytes: Some(config.pull.max_box_bytes.into()),
            max_pull_bytes: Some(config.pull.max_pull_bytes.into()),
            min_free_bytes: Some(config.pull.min_free_bytes.into()),
        }),
        console: Some(FileConsole {
            theme: Some(config.console.theme.clone().into()),
            borders: Some(config.console.borders.clone().into()),
            commit_url: config.console.commit_url.clone().map(At::from),
            watch_s: Some(config.console.watch_s.into()),
        }),
        reviewer: Some(FileReviewer {
            name: config.reviewer.name.clone().map(At::from),
            machine: config.reviewer.machine.clone().map(At::from),
            repeats: Some(config.reviewer.repeats.into()),
            set: Some(config.reviewer.set.into()),
            guideline: config.reviewer.guideline.as_deref().map(path_text),
        }),
        reasons: pairs(&config.reasons),
        exchange: Some(FileExchange {
            on_box: config.exchange.box_name.clone().map(At::from),
            path: config.exchange.path.clone().map(At::from),
        }),
        hook: Some(file_hook(&config.hook)),
        judge: Some(file_judge(&config.judge)),
        prices: Some(At::from(config.prices.0.iter().map(file_price).collect::<BTreeMap<_, _>>())),
        families: config.families.0.iter().map(|f| file_family(f).into()).collect(),
        boxes: config.boxes.iter().map(|b| file_box(b).into()).collect(),
        repositories: config.repositories.iter().map(|r| file_repository(r).into()).collect(),
    }
}

fn pairs(table: &BTreeMap<String, String>) -> Option<At<BTreeMap<At<String>, At<String>>>> {
    let pair = |(key, value): (&String, &String)| (key.clone().into(), value.clone().into());
    Some(At::from(table.iter().map(pair).collect::<BTreeMap<_, _>>()))
}

fn texts(list: &[String]) -> Vec<At<String>> {
    list.iter().cloned().map(At::from).collect()
}

/// A file holds UTF-8; these paths came from one, or they are shown as well as can be.
fn path_text(path: &Path) -> At<String> {
    path.to_string_lossy().into_owned().into()
}

fn file_box(config: &BoxConfig) -> FileBox {
    let mut file = FileBox {
        name: config.name.clone().into(),
        logs: Some(texts(&config.logs).into()),
        prompt: config.prompt.clone().map(At::from),
        overrides: (!config.overrides.is_empty()).then(|| config.overrides.clone().into()),
        ..FileBox::default()
    };
    match &config.place {
        Place::Local => file.local = Some(true.into()),
        Place::Ssh(remote) => {
            file.host = Some(remote.host.clone().into());
            file.user = remote.user.clone().map(At::from);
            file.port = remote.port.map(At::from);
            file.ssh_config = remote.ssh_config.as_deref().map(path_text);
            file.identity = remote.identity.as_deref().map(path_text);
            file.known_hosts = remote.known_hosts.as_deref().map(path_text);
        }
    }
    file
}

fn file_hook(config: &HookConfig) -> FileHook {
    FileHook {
        mode: Some(config.mode.as_str().to_owned().into()),
        log: Some(config.log.clone().into()),
        budget_s: Some(config.budget.as_secs().into()),
        parallel: Some(config.parallel.into()),
        commits: Some(config.commits.into()),
        reuse_days: Some(config.reuse_days.into()),
        overrides: Some(config.overrides.clone().into()),
        cut: Some(config.cut.as_str().to_owned().into()),
        push_options: Some(texts(&config.push_options).into()),
    }
}

fn file_judge(config: &JudgeConfig) -> FileJudge {
    let text = |text: &str| Some(text.to_owned().into());
    let path = |path: &Option<PathBuf>| path.as_deref().map(path_text);
    let seconds = |time: Duration| Some(time.as_secs().into());
    FileJudge {
        endpoint: text(&config.endpoint),
        model: text(&config.model),
        key_env: text(&config.key_env),
        key_command: config.key_command.clone().map(At::from),
        via: config.via.clone().map(At::from),
        script: path(&config.script),
        connect_timeout_s: seconds(config.connect_timeout),
        first_byte_timeout_s: seconds(config.first_byte_timeout),
        timeout_s: seconds(config.timeout),
        budget_s: seconds(config.budget),
        max_content_bytes: Some(config.max_content_bytes.into()),
        max_parts: Some(config.max_parts.into()),
        max_tokens: config.max_tokens.map(At::from),
        temperature: Some(config.temperature.into()),
        prompt: path(&config.prompt),
        rubric: path(&config.rubric),
        four_eyes: text(config.four_eyes.word()),
        allow_plain_http: Some(config.allow_plain_http.into()),
        parallel: Some(config.parallel.into()),
        spend_cap: config.spend_cap.map(At::from),
        routes: Some(config.routes.into()),
    }
}

fn file_price(price: &Price) -> (At<String>, At<FilePrice>) {
    let file = FilePrice { prompt: price.prompt.into(), completion: price.completion.into() };
    (price.model.clone().into(), file.into())
}

fn file_family(family: &ModelFamily) -> FileFamily {
    FileFamily {
        name: family.name.clone().into(),
        authors: texts(&family.authors),
        models: texts(&family.models),
    }
}

fn file_repository(config: &RepositoryConfig) -> FileRepository {
    FileRepository {
        path: path_text(&config.path),
        boxes: texts(&config.boxes),
        refs: texts(&config.refs),
        fetch: Some(config.fetch.into()),
        programs: texts(&config.programs),
        remote_path: config.remote_path.clone().map(At::from),
    }
}
