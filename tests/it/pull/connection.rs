use super::harness::*;
use foureyes::config::{Config, Place, Remote};
use foureyes::pull::{self, BoxPull, Error, Event, PullState};
use foureyes::source::ssh::{Error as SshError, Reason};
use std::sync::Arc;
use std::time::{Duration, Instant};

fn with(lab: &Lab, change: impl Fn(&mut Remote)) -> Config {
    let mut config = lab.config();
    let mut remote = lab.remote(lab.port);
    change(&mut remote);
    config.boxes[0].place = Place::Ssh(remote);
    config
}

/// Why ssh did not connect, and what it said.
fn reason(pull: BoxPull) -> (Reason, String) {
    assert_eq!(pull.state, PullState::Failed);
    match pull.error {
        Some(Error::Connect(SshError::Connect { reason, output: said })) => (reason, said),
        other => panic!("{other:?}"),
    }
}

#[test]
fn host_keys_are_strict_and_nothing_is_accepted() {
    let lab = Lab::new();
    lab.write("l.jsonl", "a\n");
    let known = |text: String| {
        std::fs::write(lab.at("known"), &text).unwrap();
        let config = with(&lab, |r| r.known_hosts = Some(lab.at("known")));
        let answer = reason(lab.pull_with(&config));
        assert_eq!(std::fs::read_to_string(lab.at("known")).unwrap(), text, "left as it was");
        answer
    };
    let key = |name: &str| std::fs::read_to_string(lab.at(name)).unwrap();
    assert_eq!(known(String::new()).0, Reason::HostUnknown);
    let (changed, said) = known(format!("* {}", key("other.pub")));
    assert_eq!(changed, Reason::HostKeyChanged);
    assert!(said.contains("SHA256:") && said.contains("known:1"), "{said}");
    let both = format!("@revoked * {}* {}", key("host.pub"), key("host.pub"));
    assert_eq!(known(both).0, Reason::HostKeyRevoked);
    assert_eq!(lab.mirror().0.len(), 0);
}

#[test]
fn rejected_keys_fail_without_prompt() {
    let lab = Lab::new();
    let stranger = with(&lab, |r| r.identity = Some(lab.at("stranger")));
    let (why, said) = reason(lab.pull_with(&stranger));
    assert_eq!(why, Reason::AuthRefused);
    assert!(said.contains("Permission denied"), "{said}");
    let locked = lab.at("locked");
    let made = std::process::Command::new("ssh-keygen")
        .args(["-q", "-t", "ed25519", "-N", "secret", "-f"])
        .arg(&locked)
        .status();
    assert!(made.unwrap().success());
    let config = with(&lab, |r| r.identity = Some(locked.clone()));
    assert_eq!(reason(lab.pull_with(&config)).0, Reason::AuthRefused);
}

#[test]
fn refused_connection_differs_from_unknown_host() {
    let lab = Lab::new();
    let port = free_port();
    assert_eq!(reason(lab.pull_with(&with(&lab, |r| r.port = Some(port)))).0, Reason::Refused);
    let nowhere = with(&lab, |r| r.host = "no-such-box.invalid".into());
    assert_eq!(reason(lab.pull_with(&nowhere)).0, Reason::NameNotResolved);
}

#[test]
fn a_destination_that_is_an_option_never_reaches_ssh() {
    let lab = Lab::new();
    let canary = lab.at("canary");
    let option = format!("-oProxyCommand=touch {}", canary.display());
    for bad in [&option, "$(id)", "`id`", "a b", "x%h", &"x".repeat(300)] {
        for user in [false, true] {
            let pull = lab.pull_with(&with(&lab, |r| match user {
                false => r.host = bad.to_owned(),
                true => r.user = Some(bad.to_owned()),
            }));
            let refused = matches!(pull.error, Some(Error::Connect(SshError::Destination { .. })));
            assert!(refused, "{bad}: {:?}", pull.error);
        }
    }
    assert!(!canary.exists());
}

#[test]
fn silent_server_times_out_on_connect() {
    let lab = Lab::new();
    let wire = Forwarder::to(lab.port);
    wire.set(Wire::Stall(0));
    let mut config = with(&lab, |r| r.port = Some(wire.port));
    config.pull.connect_timeout = Duration::from_secs(1);
    assert_eq!(reason(lab.pull_with(&config)).0, Reason::TimedOut);
}

#[test]
fn stalled_box_keeps_received_bytes() {
    let lab = Lab::new();
    lab.write("l.jsonl", lines(1, 40_000));
    let wire = Forwarder::to(lab.port);
    // Twice as much is not all of it.
    wire.set(Wire::Stall(500_000));
    let mut config = with(&lab, |r| r.port = Some(wire.port));
    config.pull.idle_timeout = Duration::from_secs(2);
    let pull = lab.pull_with(&config);
    assert_eq!(pull.state, PullState::Failed);
    let partial = lab.copy("l.jsonl");
    assert!(partial.len() > 500_000 && pull.bytes as usize == partial.len());
    wire.set(Wire::Plain);
    // A busy machine is no stalled box.
    config.pull.idle_timeout = Duration::from_secs(60);
    assert_eq!(lab.pull_with(&config).state, PullState::Done);
    lab.assert_identical(&["l.jsonl"]);
}

#[test]
fn slow_box_hits_total_timeout_and_keeps_received_bytes() {
    let lab = Lab::new();
    lab.write("l.jsonl", lines(1, 40_000));
    let wire = Forwarder::to(lab.port);
    wire.set(Wire::Slow(200_000));
    let mut config = with(&lab, |r| r.port = Some(wire.port));
    config.pull.total_timeout = Duration::from_secs(3);
    let pull = lab.pull_with(&config);
    assert!(matches!(pull.error, Some(Error::TooLong(_))), "{:?}", pull.error);
    let partial = lab.copy("l.jsonl").len();
    assert!(partial > 100_000, "{partial}");
    config.pull.total_timeout = Duration::from_secs(60);
    wire.set(Wire::Slow(2_000_000));
    let pull = lab.pull_with(&config);
    assert_eq!(pull.bytes as usize + partial, lines(1, 40_000).len());
    lab.assert_identical(&["l.jsonl"]);
}

#[test]
fn cancelling_ends_everything_at_once() {
    let lab = Lab::new();
    lab.write("l.jsonl", lines(1, 40_000));
    // While connecting, while listing, while fetching.
    for at in [0, 2_000, 300_000] {
        let wire = Forwarder::to(lab.port);
        wire.set(Wire::Stall(at));
        let mut config = with(&lab, |r| r.port = Some(wire.port));
        // Without cancellation nothing here would end.
        const HOUR: Duration = Duration::from_secs(3600);
        config.pull.connect_timeout = HOUR;
        config.pull.idle_timeout = HOUR;
        config.pull.total_timeout = HOUR;
        let runtime = runtime();
        runtime.block_on(async {
            let data = lab.data();
            let pulling = pull::run(&config, &data, now(), Arc::new(|_, _| {}));
            assert!(tokio::time::timeout(Duration::from_secs(1), pulling).await.is_err());
        });
        drop(runtime);
        lab.nothing_left();
    }
    lab.pull();
    lab.assert_identical(&["l.jsonl"]);
}

#[test]
fn aliases_and_jump_hosts_of_the_ssh_config_are_used() {
    let lab = Lab::new();
    lab.write("l.jsonl", "a\n");
    let at = |name: &str| lab.at(name).to_str().unwrap().to_owned();
    let text = format!(
        "Host far\n  HostName 127.0.0.1\n  ProxyJump near\n  LocalForward 127.0.0.1:1 127.0.0.1:1\nHost near far\n  HostName 127.0.0.1\n  Port {}\n  User {}\n  IdentityFile {}\n  IdentitiesOnly yes\n  IdentityAgent none\n  UserKnownHostsFile {}\n  ControlMaster auto\n  ControlPath {}\n",
        lab.port,
        whoami(),
        at("key"),
        at("known_hosts"),
        at("users-own-socket")
    );
    std::fs::write(lab.at("users_config"), text).unwrap();
    let config = with(&lab, |r| {
        *r = Remote {
            host: "far".into(),
            user: None,
            port: None,
            ssh_config: Some(lab.at("users_config")),
            identity: None,
            known_hosts: None,
        }
    });
    let pull = lab.pull_with(&config);
    assert_eq!(pull.state, PullState::Done, "{:?}", pull.error.map(|e| e.full()));
    lab.assert_identical(&["l.jsonl"]);
    let dead = std::fs::read_to_string(lab.at("users_config")).unwrap();
    let wire = Forwarder::to(lab.port);
    wire.set(Wire::Stall(0));
    let dead = dead.replace(&format!("Port {}", lab.port), &format!("Port {}", wire.port));
    std::fs::write(lab.at("users_config"), dead).unwrap();
    let mut config = config;
    config.pull.connect_timeout = Duration::from_secs(1);
    assert_eq!(lab.pull_with(&config).state, PullState::Failed);
    // It ends when it finds its pipe closed, which takes a moment on a busy machine.
    let own = lab.at("users_config");
    let left = || processes_with(own.to_str().unwrap());
    let deadline = Instant::now() + Duration::from_secs(10);
    while !left().is_empty() && Instant::now() < deadline {
        std::thread::sleep(Duration::from_millis(20));
    }
    assert_eq!(left(), [""; 0], "the jump host's ssh is gone too");
}

#[test]
fn one_session_at_a_time_is_enough() {
    let lab = Lab::with("MaxSessions 1");
    lab.write("l.jsonl", lines(1, 100));
    lab.pull();
    lab.append("l.jsonl", "more\n");
    lab.pull();
    lab.assert_identical(&["l.jsonl"]);
}

#[test]
fn a_long_data_directory_does_not_make_a_long_socket() {
    let lab = Lab::new();
    lab.write("l.jsonl", "a\n");
    let data = foureyes::files::paths::DataDir::at(lab.at(&"x".repeat(150)));
    let pull = pull_in(&lab.config(), &data).remove(0);
    assert_eq!(pull.state, PullState::Done, "{:?}", pull.error);
    let end = Instant::now() + Duration::from_secs(3);
    while !processes_with(lab.at("ssh_config").to_str().unwrap()).is_empty() {
        assert!(Instant::now() < end);
    }
}

#[test]
fn progress_is_reported_during_pull() {
    let lab = Lab::new();
    lab.write("l.jsonl", lines(1, 1000));
    let heard = Arc::new(std::sync::Mutex::new(Vec::new()));
    let into = Arc::clone(&heard);
    let progress: pull::Progress = Arc::new(move |name, event| {
        assert_eq!(name, "box");
        into.lock().unwrap().push(event);
    });
    runtime().block_on(pull::run(&lab.config(), &lab.data(), now(), progress));
    let heard = heard.lock().unwrap().clone();
    let size = lines(1, 1000).len() as u64;
    assert_eq!(
        heard[..3],
        [Event::Connecting, Event::Listing, Event::Fetching { bytes: size, files: 1 }]
    );
    let bytes = heard.iter().map(|e| if let Event::Bytes(n) = e { *n } else { 0 }).sum::<u64>();
    assert_eq!(bytes, size);
    assert_eq!(heard.last(), Some(&Event::Ended(PullState::Done)));
}

#[test]
fn aes_gcm_is_asked_for_first_unless_a_configuration_chooses() {
    let lab = Lab::with("LogLevel DEBUG1");
    let agreed = || {
        lab.pull();
        let log = std::fs::read_to_string(lab.at("sshd.log")).unwrap();
        let (_, last) = log.rsplit_once("kex: server->client cipher: ").expect("debug lines");
        last.split_whitespace().next().unwrap().to_owned()
    };
    lab.write("l.jsonl", "a\n");
    // Whatever runs these tests has instructions for AES.
    assert_eq!(agreed(), "aes128-gcm@openssh.com");
    let config = std::fs::read_to_string(lab.at("ssh_config")).unwrap();
    let own = "Ciphers chacha20-poly1305@openssh.com,aes128-gcm@openssh.com\n";
    std::fs::write(lab.at("ssh_config"), config + own).unwrap();
    assert_eq!(agreed(), "chacha20-poly1305@openssh.com");
}

#[test]
fn box_without_aes_gcm_is_pulled() {
    let lab = Lab::with("Ciphers chacha20-poly1305@openssh.com");
    lab.write("l.jsonl", "a\n");
    lab.pull();
    lab.assert_identical(&["l.jsonl"]);
}
