//! What links lead to, and other spellings of watched names.

use super::binary::{ARGS, configured};
use super::repo::{AGENT, Repo};
use foureyes::domain::Triage;
use std::os::unix::fs::symlink;

fn link(repo: &mut Repo, path: &str, target: &str) -> String {
    let path = repo.path().join(path);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    let _ = std::fs::remove_file(&path);
    symlink(target, path).unwrap();
    repo.commit_as(AGENT, AGENT)
}

fn file(repo: &mut Repo, path: &str) -> String {
    let text = format!("{path} {}\n", repo.clock);
    repo.write(path, &text);
    repo.commit_as(AGENT, AGENT)
}

#[test]
fn what_a_link_leads_to_had_to_be_judged_from_when_it_was_made() {
    let mut repo = Repo::new(&[]);
    file(&mut repo, "stuff/p.md");
    file(&mut repo, "other/p.md");
    let mut ids = vec![link(&mut repo, "knowledge", "stuff")];
    ids.push(file(&mut repo, "stuff/p.md"));
    ids.push(file(&mut repo, "stuff/deep/q.md"));
    file(&mut repo, "other/p.md");
    file(&mut repo, "stuff/code.rs");
    ids.push(file(&mut repo, "rese\u{200c}arch/p.md"));
    ids.push(file(&mut repo, "RESEARCH./p.MD "));
    // One on the way, and one to a file of another name.
    ids.push(link(&mut repo, "stuff/topic", "../other"));
    ids.push(file(&mut repo, "other/p.md"));
    ids.push(link(&mut repo, "research/own.md", "../stuff/code.rs"));
    ids.push(file(&mut repo, "stuff/code.rs"));
    ids.reverse();
    assert_eq!(repo.ids(), ids);
}

#[test]
fn triage_names_links_as_long_as_they_are_there() {
    let mut repo = Repo::new(&[]);
    file(&mut repo, "stuff/p.md");
    link(&mut repo, "knowledge", "stuff");
    link(&mut repo, "research/away", "/etc");
    link(&mut repo, "research/inside", "../stuff");
    let home = configured(&repo, 3650);
    let named = || -> Vec<String> {
        let text = home.good(&[&ARGS[..], &["--json"]].concat());
        let document: Triage = serde_json::from_str(&text).unwrap();
        let caveats = document.caveats.into_iter().filter(|c| c.id == "watched_link");
        caveats.map(|c| c.text).collect()
    };
    let top = repo.path().display().to_string();
    assert_eq!(
        named(),
        [
            format!("{top}: knowledge is a link to stuff"),
            format!("{top}: research/away is a link out of the repository, to /etc"),
        ]
    );
    for path in ["knowledge", "research/away"] {
        std::fs::remove_file(repo.path().join(path)).unwrap();
    }
    repo.commit_as(AGENT, AGENT);
    assert!(named().is_empty());
}
