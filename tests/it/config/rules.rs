//! What values may be, above all those that reach `ssh`.

use super::{Home, bad, good};
use foureyes::config::{BoxConfig, Place, Remote};

fn remote(config: &BoxConfig) -> &Remote {
    match &config.place {
        Place::Ssh(remote) => remote,
        Place::Local => panic!("{} is local", config.name),
    }
}

#[test]
fn ambiguous_hosts_and_users_are_rejected_with_line() {
    let long = "x".repeat(300);
    let canary = "-oProxyCommand=touch canary";
    for value in [canary, "a b", "$(id)", "`id`", "x%h", "-v", "a;b", "a\\nb", "", &long] {
        for key in ["host", "user"] {
            let said = bad(format!("days = 7\n\n[[box]]\nname = \"a\"\n{key} = \"{value}\"\n"));
            assert_eq!(said.len(), 1, "{value}: {said:?}");
            let width = key.len() + 4;
            assert!(said[0].starts_with(&format!("5:{width}: `box.{key}` is ")), "{said:?}");
        }
    }
    assert!(!std::path::Path::new("canary").exists());
}

#[test]
fn name_used_as_host_is_checked_strictly() {
    for value in ["-oProxyCommand=x", "a b", "..", ".", "a/b", "x%h"] {
        let said = bad(format!("[[box]]\nname = \"{value}\"\n"));
        assert_eq!(said.len(), 1, "{said:?}");
        assert!(said[0].starts_with("2:8: `box.name`"), "{said:?}");
    }
}

#[test]
fn a_colon_in_a_host_is_an_address_of_ipv6_or_nothing() {
    let config = good("[[box]]\nname = \"a\"\nhost = \"2001:db8::1\"\n");
    assert_eq!(remote(&config.boxes[0]).host, "2001:db8::1");
    for host in ["a:b", "::1%eth0", "fe80::1%eth0", "box:22", "[::1]"] {
        assert_eq!(bad(format!("[[box]]\nname = \"a\"\nhost = \"{host}\"\n")).len(), 1, "{host}");
    }
    assert_eq!(bad("[[box]]\nname = \"a\"\nuser = \"::1\"\n").len(), 1);
}

#[test]
fn a_box_needs_only_a_name() {
    let config = good("[[box]]\nname = \"small\"\n");
    assert_eq!(remote(&config.boxes[0]).host, "small");
    assert_eq!(config.boxes[0].logs, BoxConfig::DEFAULT_LOGS);
}

#[test]
fn repeat_share_is_at_most_one_half() {
    assert_eq!(good("").reviewer.repeats, 0.05);
    for (text, share) in [("0", 0.0), ("0.0", 0.0), ("0.25", 0.25), ("5e-1", 0.5)] {
        assert_eq!(
            good(format!("[reviewer]\nrepeats = {text}\n")).reviewer.repeats,
            share,
            "{text}"
        );
    }
    for text in ["0.51", "-0.01", "1", "nan", "inf", "-inf"] {
        let said = bad(format!("[reviewer]\nrepeats = {text}\n"));
        assert_eq!(said.len(), 1, "{text}: {said:?}");
        assert!(said[0].starts_with("2:11: `reviewer.repeats`"), "{said:?}");
        assert!(said[0].contains("0.5"), "{said:?}");
    }
    let said = bad("[reviewer]\nrepeats = \"some\"\n");
    assert!(said.len() == 1 && said[0].contains("a number"), "{said:?}");
}

#[test]
fn box_names_are_unique_ignoring_case() {
    let said = bad("[[box]]\nname = \"a\"\n[[box]]\nname = \"b\"\n[[box]]\nname = \"A\"\n");
    assert_eq!(said, ["6:8: two boxes are named \"A\", the other in line 2"]);
}

#[test]
fn the_home_is_put_into_local_paths_and_never_into_those_of_a_box() {
    let home = Home::new();
    let text = "[[box]]\nname = \"far\"\nidentity = \"~/.ssh/k\"\nssh_config = \"~/c\"\n\
                known_hosts = \"/k\"\nlogs = [\"~/v\", \"/w\"]\n\
                [[box]]\nname = \"near\"\nlocal = true\nlogs = [\"~/v\", \"/w\"]\n\
                [[repository]]\npath = \"~/r\"\nboxes = [\"far\"]\n";
    let config = home.load(text).unwrap().config;
    let far = remote(&config.boxes[0]);
    assert_eq!(far.identity, Some(home.path().join(".ssh/k")));
    assert_eq!(far.ssh_config, Some(home.path().join("c")));
    assert_eq!(far.known_hosts, Some("/k".into()));
    assert_eq!(config.boxes[0].logs, ["~/v", "/w"]);
    assert_eq!(config.boxes[1].place, Place::Local);
    assert_eq!(config.boxes[1].logs, [home.path().join("v").to_str().unwrap(), "/w"]);
    assert_eq!(config.repositories[0].path, home.path().join("r"));
}

#[test]
fn relative_paths_and_those_that_ssh_would_change_are_refused() {
    for (key, value) in [
        ("identity", "id"),
        ("identity", "/keys/%h"),
        ("identity", "/${HOME}/k"),
        ("known_hosts", "/a b"),
        ("ssh_config", "./c"),
    ] {
        let said = bad(format!("[[box]]\nname = \"a\"\n{key} = \"{value}\"\n"));
        assert_eq!(said.len(), 1, "{said:?}");
        assert!(said[0].starts_with("3:"), "{said:?}");
    }
    for logs in ["[]", "[\"a\"]", "[\"-x\"]", "[\"/a\\nb\"]", "[\"~\"]"] {
        let said = bad(format!("[[box]]\nname = \"a\"\nlogs = {logs}\n"));
        assert!(said[0].starts_with("3:"), "{logs}: {said:?}");
    }
}

#[test]
fn a_local_box_has_nothing_of_ssh() {
    let said = bad("[[box]]\nname = \"a\"\nlocal = true\nhost = \"b\"\nport = 22\n");
    assert_eq!(said.len(), 2, "{said:?}");
    assert!(said[0].starts_with("4:8: `box.host` is only for boxes over SSH"), "{said:?}");
    assert!(said[1].starts_with("5:8: `box.port`"), "{said:?}");
    assert!(matches!(good("[[box]]\nname = \"a\"\nlocal = false\n").boxes[0].place, Place::Ssh(_)));
}

#[test]
fn aliases_map_to_exact_verdicts_only() {
    let config = good("[aliases]\nPASS = \"GO\"\n\"no go\" = \"NO-GO\"\n");
    assert_eq!(config.aliases["PASS"], "GO");
    assert_eq!(config.aliases["no go"], "NO-GO");
    let said = bad("[aliases]\nPASS = \"go\"\nGO = \"NO-GO\"\nx = 1\n");
    assert_eq!(said.len(), 3, "{said:?}");
    assert!(said[0].starts_with("2:8: `aliases.PASS` is \"go\": an alias maps to"), "{said:?}");
    assert!(said[1].starts_with("3:1: `aliases` is \"GO\": a documented verdict"), "{said:?}");
    assert!(said[2].starts_with("4:5: `aliases.x` must be a text"), "{said:?}");
}

#[test]
fn a_repository_names_boxes_that_exist_and_refs_that_are_refs() {
    let text = "[[box]]\nname = \"a\"\n[[repository]]\npath = \"/r\"\nboxes = [\"a\", \"b\"]\nrefs = [\"--all\"]\n";
    let said = bad(text);
    assert_eq!(said.len(), 2, "{said:?}");
    assert_eq!(said[0], "5:15: `repository.boxes` is \"b\": no box has this name");
    assert!(said[1].starts_with("6:9: `repository.refs` is \"--all\""), "{said:?}");
}

#[test]
fn remote_repository_path_is_absolute_and_fetched_by_default() {
    let of = |more: &str| format!("[[repository]]\npath = \"/r\"\n{more}");
    let config = good(of("fetch = false\nremote_path = \"~/kb\"\n"));
    let repository = &config.repositories[0];
    assert!(!repository.fetch);
    assert_eq!(repository.remote_path.as_deref(), Some("~/kb"), "the home there");
    assert!(good(of("")).repositories[0].fetch);
    for path in ["kb", "-C", "~", "../kb", "$HOME/kb", "/a\\nb", ""] {
        let said = bad(of(&format!("remote_path = \"{path}\"\n")));
        assert_eq!(said.len(), 1, "{said:?}");
        assert!(said[0].starts_with("3:15: `repository.remote_path`"), "{said:?}");
    }
}

#[test]
fn a_box_that_is_wrong_otherwise_is_still_a_name_for_repositories() {
    let said = bad(
        "[[box]]\nname = \"a\"\nuser = \"x y\"\n[[repository]]\npath = \"/r\"\nboxes = [\"a\"]\n",
    );
    assert_eq!(said.len(), 1, "{said:?}");
}
