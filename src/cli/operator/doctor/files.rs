//! Directories of our own, and judged repositories.

use super::check::{Check, Part};
use crate::config::{Config, RepositoryConfig};
use crate::files::paths::DataDir;
use std::io::ErrorKind;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Stdio};

/// Checks that we can write where we must, and that others cannot read there.
pub(super) fn checks(config: &Config, data: &DataDir) -> Vec<Check> {
    let mut checks = vec![directory("data directory", data.root())];
    if !data.cache().starts_with(data.root()) {
        checks.push(directory("cache directory", data.cache()));
    }
    checks.extend(config.repositories.iter().map(repository));
    checks
}

fn directory(name: &'static str, path: &Path) -> Check {
    let shown = path.display();
    let meta = match std::fs::metadata(path) {
        Ok(meta) => meta,
        Err(error) if error.kind() == ErrorKind::NotFound => {
            return Check::ok(name, format!("{shown} will be created by the first pull"));
        }
        Err(error) => {
            return Check::fail(name, format!("failed to check {shown}: {error}"), Part::Local)
                .advise("check the permissions of the directories above it");
        }
    };
    if !meta.is_dir() {
        return Check::fail(name, format!("{shown} is not a directory"), Part::Local)
            .advise("move it, or choose another directory with `--data-dir`");
    }
    if let Err(error) = tempfile::tempfile_in(path) {
        return Check::fail(name, format!("{shown} is not writable: {error}"), Part::Local)
            .advise("check its owner, its permissions and the free space");
    }
    let mode = meta.permissions().mode() & 0o777;
    if mode & 0o077 != 0 {
        return Check::warn(name, format!("other users can access {shown} (mode {mode:03o})"))
            .advise(format!("chmod 700 {shown}"));
    }
    Check::ok(name, format!("only you can access {shown}"))
}

fn repository(config: &RepositoryConfig) -> Check {
    let shown = config.path.display();
    let git = Command::new("git")
        .arg("-C")
        .arg(&config.path)
        .args(["rev-parse", "--git-dir"])
        .stdin(Stdio::null())
        .output();
    match git {
        Ok(output) if output.status.success() => {
            Check::ok("repository", format!("{shown} is a git repository"))
        }
        Ok(output) => {
            let stderr = String::from_utf8_lossy(&output.stderr);
            let message = stderr.lines().next().unwrap_or("git printed nothing").to_owned();
            Check::fail("repository", format!("{shown}: {message}"), Part::Local)
                .advise("correct the repository's `path`, or clone it there")
        }
        Err(error) => Check::fail("repository", format!("git: {error}"), Part::Local),
    }
}

#[cfg(test)]
mod tests {
    use super::super::check::State;
    use super::*;

    #[test]
    fn directory_permissions_are_checked() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::set_permissions(dir.path(), PermissionsExt::from_mode(0o700)).unwrap();
        assert_eq!(directory("data directory", dir.path()).state, State::Ok);
        std::fs::set_permissions(dir.path(), PermissionsExt::from_mode(0o755)).unwrap();
        let check = directory("data directory", dir.path());
        assert_eq!(check.state, State::Warn);
        assert!(check.text.contains("mode 755"), "{}", check.text);
        let file = dir.path().join("file");
        assert_eq!(directory("data directory", &file).state, State::Ok);
        std::fs::write(&file, "").unwrap();
        assert_eq!(directory("data directory", &file).state, State::Fail);
        assert_eq!(directory("data directory", &file.join("below")).state, State::Fail);
    }

    #[test]
    fn a_repository_is_one() {
        let dir = tempfile::tempdir().unwrap();
        let at = |path: &Path| {
            let path = path.to_owned();
            let (boxes, refs) = (Vec::new(), Vec::new());
            let config = RepositoryConfig {
                path,
                boxes,
                refs,
                fetch: true,
                programs: Vec::new(),
                remote_path: None,
            };
            repository(&config).state
        };
        assert_eq!(at(&dir.path().join("none")), State::Fail);
        let init = Command::new("git").args(["init", "-q"]).arg(dir.path()).status().unwrap();
        assert!(init.success());
        assert_eq!(at(dir.path()), State::Ok);
    }
}
