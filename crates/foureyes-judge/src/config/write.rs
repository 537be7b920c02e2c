//! A configuration back to the text of a file.

use super::{Config, Origins, SettingOrigin};
use toml::{Table, Value};

/// The configuration as the text of a file that gives it again, with the origin of each setting
/// as a comment.
///
/// # Errors
/// Where a path is no UTF-8 text, which a file cannot hold.
pub fn to_toml(config: &Config, origins: &Origins) -> Result<String, toml::ser::Error> {
    let mut text = String::new();
    let mut sections = String::new();
    for (key, value) in Table::try_from(effective(config))? {
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
/// As of [`to_toml`].
pub fn to_json(config: &Config) -> Result<serde_json::Value, toml::ser::Error> {
    // Through TOML, which leaves out what is not given.
    Table::try_from(effective(config))?.try_into().map_err(serde::ser::Error::custom)
}

/// The configuration with the endpoint and the variable of the key that the kind of the judge gives.
fn effective(config: &Config) -> Config {
    let mut config = config.clone();
    let judge = &mut config.judge;
    judge.endpoint = Some(judge.address().to_owned());
    judge.key_env = Some(judge.key_name().to_owned());
    config
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
    let mut after = String::new();
    for (key, value) in table {
        let path = format!("{name}.{key}");
        match value {
            Value::Array(items) if items.iter().any(Value::is_table) => {
                elements(&mut after, &path, &items, origins)?;
            }
            value => setting(text, &path, &key, &value, origins)?,
        }
    }
    *text += &after;
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
