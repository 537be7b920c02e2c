//! A damaged cache under the commands themselves.

use super::{Home, push};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

/// Flips a bit in every 50th byte of every file below; sizes and times stay.
fn damage(dir: &Path) -> usize {
    let mut files = 0;
    for entry in std::fs::read_dir(dir).unwrap().map(Result::unwrap) {
        let meta = entry.metadata().unwrap();
        if meta.is_dir() {
            files += damage(&entry.path());
            continue;
        }
        let mut bytes = std::fs::read(entry.path()).unwrap();
        bytes.iter_mut().skip(7).step_by(50).for_each(|byte| *byte ^= 2);
        let file = std::fs::File::options().write(true).open(entry.path()).unwrap();
        file.write_all_at(&bytes, 0).unwrap();
        file.set_modified(meta.modified().unwrap()).unwrap();
        files += usize::from(!bytes.is_empty());
    }
    files
}

/// A document without the time at which it was made, and at which its logs were read.
fn timeless(text: &str) -> String {
    let without = |text: &str, key: &str| {
        let mut parts = text.split(key);
        let head = parts.next().unwrap_or_default().to_owned();
        parts.fold(head, |head, rest| head + rest.split_once(',').map_or("", |(_, rest)| rest))
    };
    without(&without(text, "\"generated\":"), "\"complete\":")
}

#[test]
fn commands_on_damaged_cache_match_fresh_one() {
    let home = Home::new();
    // More than are looked up at once.
    let lines: String = (0..8300)
        .map(|n| push(n, &format!("2026-02-{:02}T10:00:00Z", n % 20 + 1), "NO-GO"))
        .collect();
    home.write("logs/b.jsonl", lines.lines().take(40).collect::<Vec<_>>().join("\n"));
    home.write("logs/a.jsonl", lines + "no record\n");
    let listed = home.good(&["records", "--limit", "1", "--json", "--from", "logs"]);
    let id = listed.split("\"id\":\"").nth(1).unwrap()[..64].to_owned();
    let cache = home.path().join("data/cache");
    for args in [
        &["triage", "--json"][..],
        &["records", "model:m", "--json"],
        &["records", "model:m", "--csv", "--limit", "30"],
        &["records", "model:m", "--markdown", "--limit", "3"],
        &["show", &id, "--json"],
        &["trend", "--by", "model", "--json"],
        &["records", "--rejects", "--json"],
    ] {
        let args = [args, &["--from", "logs"]].concat();
        let fresh = home.path().join("fresh");
        let right = home.good(&[&args[..], &["--data-dir", fresh.to_str().unwrap()]].concat());
        std::fs::remove_dir_all(fresh).unwrap();
        let from = std::fs::read_dir(cache.join("from")).unwrap().next().unwrap().unwrap();
        // But for the manifest, so that it is believed at first.
        let manifest = from.path().join("manifest.json");
        let kept = std::fs::read(&manifest).unwrap();
        assert!(damage(&from.path()) >= 4);
        std::fs::write(manifest, kept).unwrap();
        assert!(timeless(&home.good(&args)) == timeless(&right), "{args:?}");
    }
}

/// A file of rejects is damaged behind what is printed by then: no reject twice, and none missing.
#[test]
fn rejects_resume_when_cache_is_found_damaged() {
    let home = Home::new();
    let lines: String = (0..60_000).map(|n| format!("no record {n}\n")).collect();
    home.write("logs/a.jsonl", lines);
    let args = ["records", "--rejects", "--json", "--from", "logs"];
    let right = home.good(&args);
    assert_eq!(right.lines().count(), 1_000, "the first of the log");
    let from = std::fs::read_dir(home.path().join("data/cache/from")).unwrap().next().unwrap();
    let of_rejects = |path: &PathBuf| path.extension().is_some_and(|end| end == "rejects");
    let files = std::fs::read_dir(from.unwrap().path()).unwrap().map(|file| file.unwrap().path());
    let stored = files.filter(of_rejects).max_by_key(|path| path.metadata().unwrap().len());
    let stored = stored.unwrap();
    let mut bytes = std::fs::read(&stored).unwrap();
    let (before, middle) = (stored.metadata().unwrap().modified().unwrap(), bytes.len() / 2);
    bytes[middle] ^= 1;
    let file = std::fs::File::options().write(true).open(&stored).unwrap();
    file.write_all_at(&bytes, 0).unwrap();
    file.set_modified(before).unwrap();
    assert!(home.good(&args) == right);
    assert!(std::fs::read(&stored).ok() != Some(bytes), "it was read, and made again");
}
