//! What a box is asked, and how its answer is read.

/// The one script: POSIX, one line, and without `!` and single quotes, so that an unusual login
/// shell does not change it. Paths come on standard input, a line each: none is part of a command.
pub(super) const SCRIPT: &str = concat!(
    r#"m=foureyes-doctor; printf "%s clock %s\n" "$m" "$(date +%s)"; "#,
    r#"while IFS= read -r p; do case "$p" in "~/"*) p="$HOME/${p#??}";; esac; "#,
    r#"if test -d "$p"; then if test -r "$p" && test -x "$p"; then s=readable; else s=denied; fi; "#,
    r#"elif test -f "$p"; then if test -r "$p"; then s=readable; else s=denied; fi; "#,
    r#"elif test -e "$p"; then s=odd; else s=missing; fi; "#,
    r#"printf "%s log %s\n" "$m" "$s"; done; printf "%s end\n" "$m""#
);

/// How a log path is on a box.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Log {
    /// A file or directory that can be read.
    Readable,
    /// It is there and cannot be read.
    Denied,
    /// It is neither a file nor a directory.
    Odd,
    /// It is not there, or a directory above it cannot be entered.
    Missing,
}

/// What a box said of itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Reply {
    /// Its clock, in seconds since 1970; `None` where `date` does not tell.
    pub clock: Option<i64>,
    /// Its log paths, in the order asked.
    pub logs: Vec<Log>,
}

/// The standard input of the script.
pub(super) fn input(logs: &[String]) -> Vec<u8> {
    logs.iter().flat_map(|path| [path.as_bytes(), b"\n"].concat()).collect()
}

/// Reads an answer; whatever else the shell prints is passed over. `None` where it is not whole.
pub(super) fn parse(output: &[u8], asked: usize) -> Option<Reply> {
    let text = String::from_utf8_lossy(output);
    let mut reply = Reply { clock: None, logs: Vec::new() };
    let mut whole = false;
    // A banner without a newline may stand before the first line.
    let answers =
        text.lines().filter_map(|l| l.split_once("foureyes-doctor ").map(|(_, rest)| rest));
    for answer in answers {
        match answer.trim_end().split_once(' ') {
            Some(("clock", seconds)) => reply.clock = seconds.parse().ok(),
            Some(("log", state)) => reply.logs.push(log(state)?),
            _ => whole |= answer.trim_end() == "end",
        }
    }
    (whole && reply.logs.len() == asked).then_some(reply)
}

fn log(state: &str) -> Option<Log> {
    Some(match state {
        "readable" => Log::Readable,
        "denied" => Log::Denied,
        "odd" => Log::Odd,
        "missing" => Log::Missing,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;
    use std::process::{Command, Stdio};

    /// Runs the script as a box would.
    fn ask(shell: &[&str], home: &std::path::Path, logs: &[String]) -> Vec<u8> {
        let mut child = Command::new(shell[0])
            .args(&shell[1..])
            .args(["-c", SCRIPT])
            .env("HOME", home)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap_or_else(|e| panic!("{shell:?} is needed: {e}"));
        child.stdin.take().unwrap().write_all(&input(logs)).unwrap();
        child.wait_with_output().unwrap().stdout
    }

    #[test]
    fn every_posix_shell_answers_for_every_kind_of_path() {
        let home = tempfile::tempdir().unwrap();
        std::fs::create_dir(home.path().join("dir with $(blank) `x`")).unwrap();
        std::fs::write(home.path().join("file"), "").unwrap();
        let logs: Vec<_> =
            ["~/dir with $(blank) `x`", "~/file", "~/none", "/dev/null"].map(str::to_owned).into();
        for shell in [&["sh"][..], &["busybox", "sh"], &["bash"]] {
            let reply = parse(&ask(shell, home.path(), &logs), 4).unwrap();
            assert_eq!(reply.logs, [Log::Readable, Log::Readable, Log::Missing, Log::Odd]);
            let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap();
            assert!(reply.clock.unwrap().abs_diff(now.as_secs() as i64) < 60, "{shell:?}");
        }
    }

    #[test]
    fn a_noisy_shell_is_passed_over_and_a_torn_answer_is_none() {
        let whole = b"Welcome!\x1b[2J foureyes-doctor clock 5\nmail\nfoureyes-doctor log odd\r\nfoureyes-doctor end\n";
        let reply = Reply { clock: Some(5), logs: vec![Log::Odd] };
        assert_eq!(parse(whole, 1), Some(reply));
        assert_eq!(parse(whole, 2), None);
        assert_eq!(parse(&whole[..whole.len() - 6], 1), None);
        let without = b"foureyes-doctor clock +%s\nfoureyes-doctor end\n";
        assert_eq!(parse(without, 0), Some(Reply { clock: None, logs: vec![] }));
    }
}
