//! The arguments ssh is started with.

use super::Error;
use super::control::ControlDir;
use crate::config::Remote;
use std::ffi::OsString;
use std::path::Path;
use std::time::Duration;

/// Longest name of a host or user.
const LONGEST: usize = 255;

/// Refuses what ssh could take for an option, a command, or a pattern. The configuration has
/// refused it before; this is the last door.
pub(super) fn check(remote: &Remote) -> Result<(), Error> {
    name("the host", &remote.host, ":")?;
    remote.user.as_deref().map_or(Ok(()), |user| name("the user", user, ""))?;
    for path in [&remote.ssh_config, &remote.identity, &remote.known_hosts].into_iter().flatten() {
        path_text(path)?;
    }
    Ok(())
}

fn name(what: &'static str, value: &str, also: &str) -> Result<(), Error> {
    let plain = |c: char| c.is_ascii_alphanumeric() || "._-".contains(c) || also.contains(c);
    let good = !value.is_empty() && value.len() <= LONGEST && !value.starts_with('-');
    if good && value.chars().all(plain) {
        return Ok(());
    }
    Err(Error::Destination { what, value: value.to_owned() })
}

fn path_text(path: &Path) -> Result<&str, Error> {
    path.to_str()
        .filter(|p| !p.is_empty() && !p.contains(['"', '\\', '\n', '\r', '\0']))
        .ok_or_else(|| Error::Destination { what: "the path", value: path.display().to_string() })
}

/// All arguments, the destination last and behind `--`.
pub(super) fn arguments(
    remote: &Remote,
    control: &ControlDir,
    timeout: Duration,
    alive: Duration,
) -> Result<Vec<OsString>, Error> {
    let mut all: Vec<OsString> = vec!["-E".into(), control.log().into()];
    all.extend(["-S".into(), control.socket().into()]);
    // A master without a command, terminal, or forwarding of any kind.
    all.extend(["-M", "-N", "-T", "-a", "-x"].map(OsString::from));
    for option in options(timeout, alive) {
        all.extend(["-o".into(), option.into()]);
    }
    if let Some(path) = &remote.ssh_config {
        all.extend(["-F".into(), path.into()]);
    }
    if let Some(path) = &remote.known_hosts {
        all.extend(["-o".into(), quoted("UserKnownHostsFile", path)?]);
    }
    if let Some(path) = &remote.identity {
        all.extend(["-o".into(), quoted("IdentityFile", path)?]);
    }
    if let Some(port) = remote.port {
        all.extend(["-p".into(), port.to_string().into()]);
    }
    if let Some(user) = &remote.user {
        all.extend(["-l".into(), user.into()]);
    }
    all.extend(["--".into(), OsString::from(&remote.host)]);
    Ok(all)
}

fn options(timeout: Duration, alive: Duration) -> Vec<String> {
    let seconds = |d: Duration| d.as_secs_f64().ceil().max(1.0);
    let fixed = [
        "BatchMode=yes",
        "StrictHostKeyChecking=yes",
        "UpdateHostKeys=no",
        // It outlives us by this much where we are killed; otherwise it is asked to end.
        "ControlPersist=10",
        "ClearAllForwardings=yes",
        "PermitLocalCommand=no",
        "RemoteCommand=none",
        "ServerAliveCountMax=2",
        // No banner of the box among the reasons.
        "LogLevel=ERROR",
    ];
    let mut all: Vec<String> = fixed.map(str::to_owned).to_vec();
    all.push(format!("ConnectTimeout={}", seconds(timeout)));
    all.push(format!("ServerAliveInterval={}", seconds(alive / 3)));
    all
}

/// An option whose value is one path: quoted, and without ssh's own `%` patterns.
fn quoted(option: &str, path: &Path) -> Result<OsString, Error> {
    Ok(format!("{option}=\"{}\"", path_text(path)?.replace('%', "%%")).into())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn remote(host: &str, user: Option<&str>) -> Remote {
        Remote {
            host: host.into(),
            user: user.map(str::to_owned),
            port: None,
            ssh_config: None,
            identity: None,
            known_hosts: None,
        }
    }

    #[test]
    fn options_and_commands_are_not_destinations() {
        let long = "x".repeat(300);
        for bad in
            ["-oProxyCommand=touch x", "", "a b", "$(id)", "`id`", "x%h", "a\nb", "a@b", &long]
        {
            assert!(check(&remote(bad, None)).is_err(), "{bad}");
            assert!(check(&remote("box", Some(bad))).is_err(), "{bad}");
        }
        assert!(check(&remote("box-1.example_2", Some("a.b-c_d"))).is_ok());
        assert!(check(&remote("fe80::1", None)).is_ok());
        let mut odd = remote("box", None);
        odd.known_hosts = Some("a\"b".into());
        assert!(check(&odd).is_err());
    }
}
