//! A configuration back to the text of a file.

use super::at::At;
use super::file::{
    File, FileBox, FileConsole, FileExchange, FileLimits, FilePull, FileRepository, FileReviewer,
};
use super::{BoxConfig, Config, Origins, Place, RepositoryConfig, SettingOrigin};
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::Path;
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
    let line = toml::to_string(&Table::from_iter([(key.to_owned(), value.clone())]))?;
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
        watch: Some(texts(&config.watch).into()),
        aliases: pairs(&config.aliases),
        limits: Some(FileLimits {
            line_bytes: Some(config.limits.line_bytes.into()),
            depth: Some(config.limits.depth.into()),
        }),
        pull: Some(FilePull {
            parallel: Some(config.pull.parallel.into()),
            connect_timeout_s: Some(config.pull.connect_timeout.as_secs().into()),
            idle_timeout_s: Some(config.pull.idle_timeout.as_secs().into()),
            total_timeout_s: Some(config.pull.total_timeout.as_secs().into()),
            max_file_bytes: Some(config.pull.max_file_bytes.into()),
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
        }),
        reasons: pairs(&config.reasons),
        exchange: Some(FileExchange {
            on_box: config.exchange.box_name.clone().map(At::from),
            path: config.exchange.path.clone().map(At::from),
        }),
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

fn file_repository(config: &RepositoryConfig) -> FileRepository {
    FileRepository {
        path: path_text(&config.path),
        boxes: texts(&config.boxes),
        refs: texts(&config.refs),
        fetch: Some(config.fetch.into()),
        remote_path: config.remote_path.clone().map(At::from),
    }
}
