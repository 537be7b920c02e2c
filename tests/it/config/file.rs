//! The file itself: syntax, keys, types, sizes, kinds.

use super::{Home, bad, good};
use foureyes::config::{self, Config, Error, Sources};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::time::Duration;

#[test]
fn empty_or_missing_file_gives_defaults() {
    assert_eq!(good(""), Config::default());
    assert_eq!(good("\n# only words\n"), Config::default());
    let home = Home::new();
    let loaded =
        config::load(&Sources { flag_path: None, environment: home.environment(&[]) }).unwrap();
    assert_eq!((loaded.config, loaded.path), (Config::default(), None));
}

#[test]
fn byte_order_mark_carriage_returns_and_tabs_are_read() {
    let config = good("\u{feff}days\t=\t3\r\n[pull]\r\n\tparallel = 2\r\n");
    assert_eq!((config.days, config.pull.parallel), (3, 2));
    assert_eq!(config.pull.idle_timeout, Duration::from_secs(30));
}

#[test]
fn unknown_keys_are_reported_with_position_and_suggestion() {
    let said =
        bad("dayz = 3\nxyzzy = 1\n[pull]\n  paralel = 2\n[[box]]\nname = \"a\"\nhots = \"b\"\n");
    assert_eq!(
        said,
        [
            "1:1: unknown key `dayz`; the nearest known key is `days`",
            "2:1: unknown key `xyzzy`",
            "4:3: unknown key `pull.paralel`; the nearest known key is `parallel`",
            "7:1: unknown key `box.hots`; the nearest known key is `host`",
        ]
    );
}

#[test]
fn every_wrong_type_is_reported_at_the_value() {
    let said = bad(
        "days = \"seven\"\nagents = \"me\"\nwatch = [1]\n[limits]\ndepth = 1.5\n[[box]]\nname = 7\nlocal = 1\n",
    );
    assert_eq!(said.len(), 6, "{said:#?}");
    assert_eq!(said[0], "1:8: `days` must be a whole number, and is the text \"seven\"");
    assert_eq!(said[1], "2:10: `agents` must be a list, and is the text \"me\"");
    assert_eq!(said[2], "3:10: `watch` must be a text in quotes, and is the number 1");
    assert_eq!(said[3], "5:9: `limits.depth` must be a whole number, and is the number 1.5");
    assert!(said[4].starts_with("7:8: `box.name` must be"), "{}", said[4]);
    assert!(said[5].starts_with("8:9: `box.local` must be true or false"), "{}", said[5]);
}

#[test]
fn numbers_outside_their_bounds_are_refused() {
    for (text, place) in [
        ("days = 0", "1:8"),
        ("days = 3651", "1:8"),
        ("days = -1", "1:8"),
        ("days = 99999999999999999999999", "1:8"),
        ("[limits]\nline_bytes = 10", "2:14"),
        ("[limits]\ndepth = 129", "2:9"),
        ("[pull]\nparallel = 0", "2:12"),
        ("[pull]\nidle_timeout_s = 0", "2:18"),
        ("[[box]]\nname = \"a\"\nport = 0", "3:8"),
        ("[[box]]\nname = \"a\"\nport = 65536", "3:8"),
    ] {
        let said = bad(text);
        assert_eq!(said.len(), 1, "{text}: {said:?}");
        assert!(said[0].starts_with(place) && said[0].contains("must be"), "{text}: {said:?}");
    }
    assert_eq!(good("days = 0x10").days, 16);
    assert_eq!(good("days = 1_0").days, 10);
}

#[test]
fn a_key_given_twice_is_reported_at_the_second() {
    let said = bad("days = 3\nagents = []\ndays = 4\n");
    assert_eq!(said.len(), 1, "{said:?}");
    assert!(said[0].starts_with("3:1: duplicate key"), "{said:?}");
    assert!(said[0].contains("days"), "{said:?}");
    assert!(bad("[pull]\n[limits]\n[pull]\n")[0].starts_with("3:"), "table twice");
}

#[test]
fn broken_syntax_hides_nothing_of_the_rest() {
    let said = bad("days = \nagents = [\"a\"]\nxyzzy = 2\n[[box]]\nname = \"a b\"\n");
    assert!(said[0].starts_with("1:"), "{said:#?}");
    assert!(said.iter().any(|s| s.starts_with("3:1: unknown key `xyzzy`")), "{said:#?}");
    assert!(said.iter().any(|s| s.starts_with("5:8: `box.name` is \"a b\"")), "{said:#?}");
}

#[test]
fn a_required_key_that_is_missing_is_named() {
    let said = bad("[[box]]\nhost = \"a\"\n\n[[repository]]\nrefs = []\n");
    assert_eq!(said, ["1:1: `box` has no `name`", "4:1: `repository` has no `path`"]);
}

#[test]
fn hostile_text_in_a_file_comes_out_visible() {
    for said in
        [bad("\"\\u001b[2J\" = 1"), bad("days = \"\\u001b[2J\\u202e\""), bad("\u{1b}[2J = 1")]
    {
        let said = said.concat();
        assert!(!said.chars().any(|c| c.is_control() || c == '\u{202e}'), "{said:?}");
    }
}

#[test]
fn invalid_utf8_is_rejected_with_position() {
    assert_eq!(bad(b"days = 3\nx = \"\xff\"\n"), ["2:6: the file is not UTF-8 text"]);
    let utf16: Vec<u8> = "days = 3".encode_utf16().flat_map(u16::to_le_bytes).collect();
    assert!(!bad([b"\xff\xfe".to_vec(), utf16].concat()).is_empty());
}

#[test]
fn a_file_of_ten_megabytes_is_refused_unread() {
    let home = Home::new();
    let error = home.load("#".repeat(10 << 20)).unwrap_err();
    assert!(
        matches!(error, Error::TooLarge { bytes: 10_485_760, limit: 1_048_576, .. }),
        "{error}"
    );
    assert!(home.load("#".repeat(1 << 20)).is_ok());
}

#[test]
fn file_with_maximum_problems_reports_all() {
    let unknown: String = (0..60_000).map(|i| format!("x{i} = 1\n")).collect();
    assert_eq!(bad(&unknown).len(), 60_000);
    assert!(bad("=\n".repeat(1 << 16)).len() > 100_000);
}

#[test]
fn deep_nesting_is_rejected_without_crash() {
    assert!(!bad(format!("x = {}{}", "[".repeat(100_000), "]".repeat(100_000))).is_empty());
    assert!(!bad(vec!["a"; 100_000].join(".") + " = 1").is_empty());
}

fn load(path: &Path) -> Result<config::Loaded, Error> {
    let home = Home::new();
    config::load(&Sources { flag_path: Some(path.into()), environment: home.environment(&[]) })
}

#[test]
fn non_regular_file_is_named() {
    let home = Home::new();
    let error = load(home.path()).unwrap_err();
    assert!(matches!(error, Error::NotAFile { found: "a directory", .. }), "{error}");
    let error = load(Path::new("/dev/zero")).unwrap_err();
    assert!(matches!(error, Error::NotAFile { found: "a device", .. }), "{error}");
    let fifo = home.path().join("fifo");
    assert!(std::process::Command::new("mkfifo").arg(&fifo).status().unwrap().success());
    let error = load(&fifo).unwrap_err();
    assert!(matches!(error, Error::NotAFile { found: "a named pipe", .. }), "{error}");
}

#[test]
fn missing_requested_file_is_an_error() {
    let home = Home::new();
    assert!(matches!(load(&home.path().join("none.toml")), Err(Error::Read { .. })));
}

#[test]
fn symlink_is_followed_and_broken_one_is_an_error() {
    let home = Home::new();
    let file = home.write("days = 3");
    let link = home.path().join("link.toml");
    symlink(&file, &link).unwrap();
    assert_eq!(load(&link).unwrap().config.days, 3);
    let dir = home.path().join(".config/foureyes");
    std::fs::create_dir_all(&dir).unwrap();
    symlink("/nowhere/at/all", dir.join("config.toml")).unwrap();
    let sources = Sources { flag_path: None, environment: home.environment(&[]) };
    assert!(matches!(config::load(&sources), Err(Error::Read { .. })));
}

#[test]
fn a_file_that_everybody_can_write_is_warned_of() {
    let home = Home::new();
    let path = home.write("days = 3");
    assert!(load(&path).unwrap().warnings.is_empty());
    std::fs::set_permissions(&path, PermissionsExt::from_mode(0o666)).unwrap();
    let warnings = load(&path).unwrap().warnings;
    assert_eq!(warnings.len(), 1);
    assert!(warnings[0].to_string().contains("mode 666"), "{}", warnings[0]);
    // In a directory that others can write, they can put another file in its place.
    std::fs::set_permissions(&path, PermissionsExt::from_mode(0o600)).unwrap();
    let dir = path.parent().unwrap();
    for (mode, warned) in [(0o777, true), (0o703, true), (0o1777, false), (0o775, false)] {
        std::fs::set_permissions(dir, PermissionsExt::from_mode(mode)).unwrap();
        let warnings = load(&path).unwrap().warnings;
        let texts: Vec<_> = warnings.iter().map(ToString::to_string).collect();
        assert_eq!(texts.len(), usize::from(warned), "{mode:o}: {texts:?}");
        assert!(texts.iter().all(|text| text.contains(&format!("mode {mode:03o}"))), "{texts:?}");
    }
}

#[test]
fn an_unreadable_file_is_an_error() {
    let home = Home::new();
    let path = home.write("days = 3");
    std::fs::set_permissions(&path, PermissionsExt::from_mode(0o000)).unwrap();
    // The superuser reads everything: then there is nothing to refuse.
    if std::fs::read(&path).is_err() {
        assert!(matches!(load(&path), Err(Error::Read { .. })));
    } else {
        assert_eq!(load(&path).unwrap().config.days, 3);
    }
}

/// Settings in pieces, to be put together again in any order.
fn pieces() -> Vec<&'static str> {
    let text = "days = 3\n[aliases]\nP = \"GO\"\n[pull]\nparallel = 2\n[[box]]\nname = \"ü\"\n\
                logs = [\"/a\", 7, {x = 1}]\n[[repository]]\npath = '~/r'\n\u{feff}\r\n\t\"\"\"'''\\#.,-";
    text.split_inclusive(|c: char| !c.is_alphanumeric()).collect()
}

proptest::proptest! {
    #![proptest_config(proptest::test_runner::Config {
        cases: 400,
        failure_persistence: None,
        ..Default::default()
    })]

    #[test]
    fn no_text_stops_the_check_and_every_problem_is_inside_the_text(
        order in proptest::collection::vec(0..pieces().len(), 0..60),
        bytes in proptest::collection::vec(proptest::num::u8::ANY, 0..8),
    ) {
        let text: String = order.iter().map(|i| pieces()[*i]).collect();
        for input in [text.clone().into_bytes(), [text.as_bytes(), &bytes].concat()] {
            let (_, _, problems) = config::check(&input, Some(Path::new("/home")));
            let lines = String::from_utf8_lossy(&input).split('\n').count();
            for problem in problems {
                let position = problem.position;
                proptest::prop_assert!(position.line <= lines && position.column >= 1);
                proptest::prop_assert!(!problem.to_string().chars().any(char::is_control));
            }
        }
    }
}
