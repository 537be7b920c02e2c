//! A line that was changed after it was written decides nothing, but for a NO-GO.

use super::*;

/// A log of one of our lines on each of some contents, with the verdict on `a`.
fn log_of(dir: &Path, verdict: &str) -> VerdictLog {
    let log = VerdictLog::at(dir.to_owned());
    let ours = ",\"schema\":\"foureyes/push/1\"";
    for (content, verdict) in [('b', "GO"), ('a', verdict), ('c', "GO")] {
        let line = line(&content.to_string(), content, verdict, ours);
        log.append(now(), &[line], soon()).unwrap();
    }
    log
}

fn edit(log: &VerdictLog, edit: impl Fn(&mut Vec<String>)) {
    let path = log.file(now());
    let text = std::fs::read_to_string(&path).unwrap();
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    edit(&mut lines);
    std::fs::write(&path, lines.join("\n") + "\n").unwrap();
}

fn outcome(log: &VerdictLog, content: char) -> Option<Outcome> {
    find(log, content).and_then(|verdict| verdict.record.outcome)
}

#[test]
fn untouched_lines_and_the_last_one_count() {
    let dir = tempfile::tempdir().unwrap();
    let log = log_of(dir.path(), "NO-GO");
    assert_eq!(outcome(&log, 'a'), Some(Outcome::NoGo));
    assert_eq!(['b', 'c'].map(|one| outcome(&log, one)), [Some(Outcome::Go); 2]);
}

#[test]
fn changed_line_counts_only_as_no_go() {
    for (before, after, found) in [
        ("NO-GO", "GO", None),
        ("NO-GO", "UNDETERMINED", None),
        ("GO", "NO-GO", Some(Outcome::NoGo)),
    ] {
        let dir = tempfile::tempdir().unwrap();
        let log = log_of(dir.path(), before);
        let (before, after) =
            (format!("\"verdict\":\"{before}\""), format!("\"verdict\":\"{after}\""));
        edit(&log, |lines| lines[1] = lines[1].replace(&before, &after));
        assert_eq!(outcome(&log, 'a'), found, "{before}, {after}");
        assert_eq!(outcome(&log, 'b'), Some(Outcome::Go), "the line before is as it was");
    }
}

#[test]
fn text_before_or_behind_a_line_does_not_hide_that_it_was_changed() {
    type Edit = fn(&mut Vec<String>);
    let edits: [(&str, Edit); 3] = [
        ("before it on its line", |lines| {
            lines[1] = format!("x {}", lines[1].replace("NO-GO", "GO"));
        }),
        ("another line behind it", |lines| {
            lines[1] = lines[1].replace("NO-GO", "GO");
            lines.insert(2, "{\"a\":1}".to_owned());
        }),
        ("far before it", |lines| {
            lines[1] = format!("{} {}", "x".repeat(20_000), lines[1].replace("NO-GO", "GO"));
        }),
    ];
    for (case, one) in edits {
        let dir = tempfile::tempdir().unwrap();
        let log = log_of(dir.path(), "NO-GO");
        edit(&log, one);
        assert_eq!(outcome(&log, 'a'), None, "{case}");
    }
}
