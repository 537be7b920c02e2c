//! Which file is read, which directory is written, and what comes before what.

use super::Home;
use foureyes::config::{self, Environment, Error, SettingOrigin, Sources};
use std::path::Path;

fn put(home: &Home, place: &str, text: &str) -> String {
    let path = home.path().join(place);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(&path, text).unwrap();
    path.to_str().unwrap().to_owned()
}

fn days(home: &Home, flag: Option<&str>, more: &[(&str, &str)]) -> u32 {
    let sources = Sources { flag_path: flag.map(Into::into), environment: home.environment(more) };
    config::load(&sources).unwrap().config.days
}

#[test]
fn flag_then_variable_then_xdg_then_home() {
    let home = Home::new();
    assert_eq!(days(&home, None, &[]), 7);
    put(&home, ".config/foureyes/config.toml", "days = 1");
    assert_eq!(days(&home, None, &[]), 1);
    put(&home, "xdg/foureyes/config.toml", "days = 2");
    let xdg = home.path().join("xdg");
    let xdg = ("XDG_CONFIG_HOME", xdg.to_str().unwrap());
    assert_eq!(days(&home, None, &[xdg]), 2);
    assert_eq!(days(&home, None, &[("XDG_CONFIG_HOME", "relative")]), 1);
    let variable = put(&home, "v.toml", "days = 3");
    let variable = ("FOUREYES_CONFIG", variable.as_str());
    assert_eq!(days(&home, None, &[xdg, variable]), 3);
    assert_eq!(days(&home, None, &[("FOUREYES_CONFIG", "")]), 1);
    let flag = put(&home, "f.toml", "days = 4");
    assert_eq!(days(&home, Some(&flag), &[xdg, variable]), 4);
    assert_eq!(days(&home, Some(&flag), &[xdg, variable, ("FOUREYES_DAYS", "5")]), 5);
}

#[test]
fn a_wrong_variable_is_named() {
    let home = Home::new();
    for value in ["x", "0", "-1", "3651", "7d", "\u{1b}[2J"] {
        let environment = home.environment(&[("FOUREYES_DAYS", value)]);
        let error = config::load(&Sources { flag_path: None, environment }).unwrap_err();
        assert!(matches!(error, Error::Variable { name: "FOUREYES_DAYS", .. }), "{error}");
        assert!(!error.to_string().contains('\u{1b}'));
    }
}

#[test]
fn every_setting_has_a_source() {
    let home = Home::new();
    let text =
        "watch = [\"a/\"]\n[pull]\nparallel = 3\n[[box]]\nname = \"b\"\n[aliases]\nP = \"GO\"\n";
    let flag_path = Some(home.write(text));
    let environment = home.environment(&[("FOUREYES_DAYS", "3")]);
    let origins = config::load(&Sources { flag_path, environment }).unwrap().origins;
    assert_eq!(origins["watch"], SettingOrigin::File { line: 1 });
    assert_eq!(origins["pull.parallel"], SettingOrigin::File { line: 3 });
    assert_eq!(origins["box.b"], SettingOrigin::File { line: 4 });
    assert_eq!(origins["aliases.P"], SettingOrigin::File { line: 7 });
    assert_eq!(origins["days"], SettingOrigin::Environment { name: "FOUREYES_DAYS" });
    assert!(!origins.contains_key("agents"));
}

#[test]
fn data_dir_option_holds_all_data() {
    let home = Home::new();
    let environment = home.environment(&[("FOUREYES_DATA", "/from/variable")]);
    let data = config::data_dir(None, &environment).unwrap();
    assert_eq!(data.root(), Path::new("/from/variable"));
    assert_eq!(data.cache(), Path::new("/from/variable/cache"));
    let data = config::data_dir(Some(Path::new("/from/flag")), &environment).unwrap();
    assert_eq!(data.root(), Path::new("/from/flag"));
    let data = config::data_dir(Some(Path::new("relative")), &environment).unwrap();
    assert!(data.root().is_absolute());
}

#[test]
fn data_is_in_the_places_of_xdg_otherwise() {
    let environment = Environment::from_lookup(|name| match name {
        "XDG_DATA_HOME" => Some("/d".into()),
        "XDG_CACHE_HOME" => Some("/c".into()),
        _ => None,
    });
    let data = config::data_dir(None, &environment).unwrap();
    assert_eq!((data.root(), data.cache()), (Path::new("/d/foureyes"), Path::new("/c/foureyes")));
}
