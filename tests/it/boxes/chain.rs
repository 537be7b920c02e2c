//! Lines of a box's log that were changed, added or taken out, as the operator's machine sees it.

use super::*;
use foureyes::domain::{Caveat, Triage};

/// A box that pushed so often, whose log is pulled, and the file of it.
fn pushed(pushes: usize) -> (Bench, PathBuf) {
    let bench = Bench::new(&["fastest"], Taste::Strict);
    let logs = bench.lab.at("home/.openclaw/judge-verdicts");
    bench.configure(bench.lab.port, std::slice::from_ref(&logs));
    for n in 0..pushes {
        bench.commit(&format!("note{n}"));
        assert!(bench.push(&[]).0);
    }
    let is_log = |path: &PathBuf| path.extension().is_some_and(|e| e == "jsonl");
    let mut files = std::fs::read_dir(&logs).unwrap().map(|entry| entry.unwrap().path());
    let file = files.find(is_log).unwrap();
    (bench, file)
}

fn lines(file: &Path) -> Vec<String> {
    std::fs::read_to_string(file).unwrap().lines().map(str::to_owned).collect()
}

fn write(file: &Path, lines: &[String]) {
    std::fs::write(file, lines.join("\n") + "\n").unwrap();
}

/// What triage says of the chain, after a pull; and how many pieces it rejects.
fn seen(bench: &Bench) -> (Vec<Caveat>, u64) {
    let said: Triage = serde_json::from_str(&bench.good(&["triage", "--json"])).unwrap();
    let ours = |c: &Caveat| ["broken_chain", "foreign_lines"].contains(&c.id.as_str());
    (said.caveats.into_iter().filter(ours).collect(), said.rejects_total)
}

#[test]
fn removed_line_is_detected_on_pull() {
    let (bench, file) = pushed(4);
    assert_eq!(seen(&bench), (vec![], 0), "untouched");
    let mut all = lines(&file);
    let name = file.file_name().unwrap().to_str().unwrap().to_owned();
    all.remove(2);
    write(&file, &all);
    let (caveats, rejects) = seen(&bench);
    assert_eq!((caveats.len(), caveats[0].id.as_str(), rejects), (1, "broken_chain", 0));
    let text = &caveats[0].text;
    let end = "line 3 does not follow the previous line: a line was changed, added or removed";
    assert!(text.starts_with("box: ") && text.contains(&name) && text.ends_with(end), "{text}");
    // Every form has it, and what is appended later changes nothing of it.
    bench.commit("later");
    assert!(bench.push(&[]).0);
    assert_eq!(seen(&bench).0, caveats);
    for form in [&["triage"][..], &["triage", "--markdown", "-"]] {
        let text = bench.good(form);
        let text: String = text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(text.contains("line 3 does not follow the previous line"), "{text}");
    }
}

#[test]
fn foreign_line_is_not_damage_and_changed_line_is() {
    let (bench, file) = pushed(2);
    let foreign = r#"{"commit":"abcdef1","judge_model":"m","verdict":"GO"}"#.to_owned();
    let mut all = lines(&file);
    all.push(foreign);
    write(&file, &all);
    assert_eq!(seen(&bench), (vec![], 0), "nothing of ours stands behind it");
    bench.commit("later");
    assert!(bench.push(&[]).0);
    let (caveats, rejects) = seen(&bench);
    assert_eq!((caveats.len(), caveats[0].id.as_str(), rejects), (1, "foreign_lines", 0));
    assert!(
        caveats[0]
            .text
            .ends_with("1 line between those of the hook is from another writer or incomplete")
    );
    let mut all = lines(&file);
    all[0] = all[0].replacen("NO-GO", "GO", 1);
    write(&file, &all);
    let (caveats, _) = seen(&bench);
    let ids: Vec<_> = caveats.iter().map(|c| c.id.as_str()).collect();
    // The mirror keeps what the log was before, so its other line is named twice.
    assert_eq!(ids, ["broken_chain", "foreign_lines", "foreign_lines"], "{caveats:#?}");
    assert!(caveats[0].text.contains("line 2 does not follow"), "{}", caveats[0].text);
}
