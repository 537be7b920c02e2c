use super::*;

/// A log of so many lines on other contents, with one on the content `1` in its middle.
fn long_log(dir: &Path, count: u32) -> (VerdictLog, u64) {
    let log = VerdictLog::at(dir);
    let mut text = String::new();
    for n in 0..count {
        if n == count / 2 {
            text += &(line("middle", '1', "NO-GO", "") + "\n");
        }
        text +=
            &line("x", '9', "GO", &format!(r#","n":{n}"#)).replace(&sha('9'), &format!("{n:064x}"));
        text.push('\n');
    }
    std::fs::write(log.file(now()), &text).unwrap();
    (log, text.len() as u64)
}

#[test]
fn indexed_search_reads_matches_and_new_lines_only() {
    let dir = tempfile::tempdir().unwrap();
    let (log, length) = long_log(dir.path(), 10_000);
    assert_eq!(commits(&all(&log, '1')), ["middle"]);
    assert_eq!(log.searched(), length, "there is no index yet");
    let more = line("last", '1', "NO-GO", "");
    log.append(now(), std::slice::from_ref(&more), soon()).unwrap();
    let again = VerdictLog::at(dir.path());
    assert_eq!(commits(&all(&again, '1')), ["middle", "last"]);
    assert!(again.searched() < 2_000, "{}", again.searched());
    let many: Vec<_> = ('1'..='8').map(asked).collect();
    let again = VerdictLog::at(dir.path());
    assert_eq!(again.verdicts(&many, now(), 1).verdicts.len(), 1);
    assert!(again.searched() < 2_000, "{}", again.searched());
    let names = std::fs::read_dir(dir.path()).unwrap().map(|e| e.unwrap().file_name());
    assert_eq!(names.filter(|n| !n.to_str().unwrap().starts_with('.')).count(), 1);
}

#[test]
fn an_index_of_another_file_or_a_damaged_one_hides_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let (log, _) = long_log(dir.path(), 2_000);
    let (path, index) = (log.file(now()), dir.path().join(".2026-03-01.index"));
    assert_eq!(path.file_name().unwrap(), "2026-03-01.jsonl");
    let search = |content| {
        let log = VerdictLog::at(dir.path());
        all(&log, content).iter().map(|v| v.record.commit.clone().unwrap()).collect::<Vec<_>>()
    };
    assert_eq!(search('1'), ["middle"]);
    let good = std::fs::read(&index).unwrap();
    for at in [0, 20, 60, 100, good.len() - 3] {
        let mut bad = good.clone();
        bad[at] ^= 1;
        std::fs::write(&index, &bad).unwrap();
        assert_eq!(search('1'), ["middle"], "byte {at}");
        assert_eq!(std::fs::read(&index).unwrap(), good, "made anew");
    }
    // Lines of the same length, changed in place: what the index names is no longer there.
    let text = std::fs::read_to_string(&path).unwrap();
    let changed = text.replace(&sha('1'), &sha('2'));
    std::fs::write(&path, &changed).unwrap();
    assert_eq!(search('1'), Vec::<String>::new());
    assert_eq!(search('2'), ["middle"]);
    // A beginning of another length.
    std::fs::write(&path, format!("{}\n{text}", line("first", '3', "GO", ""))).unwrap();
    assert_eq!(search('3'), ["first"]);
    assert_eq!(search('1'), ["middle"]);
}
