//! What the program and the documents name of the documents is there, and what they quote of the program.

use crate::architecture::program;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Messages that do not name their entry in docs/faq.md, with the reason.
const UNLINKED: [(&str, &str); 3] = [
    ("There is no content to see", "the lines below say what is missing and what to do"),
    ("not estimable", "the reason is next to it"),
    ("NOT ENOUGH EVIDENCE", "the next steps are below it"),
];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn document(path: &str) -> String {
    std::fs::read_to_string(root().join(path)).unwrap()
}

/// Lines of a document that are in none of its code blocks.
fn prose(text: &str) -> Vec<&str> {
    let mut is_code = false;
    let mut lines = Vec::new();
    for line in text.lines() {
        let is_fence = line.trim_start().starts_with("```");
        is_code ^= is_fence;
        if !is_code && !is_fence {
            lines.push(line);
        }
    }
    lines
}

fn headings(text: &str) -> Vec<&str> {
    let heading = |line: &&str| line.trim_start_matches('#').starts_with(' ');
    let marked = prose(text).into_iter().filter(|line| line.starts_with('#'));
    marked.filter(heading).map(|line| line.trim_start_matches('#').trim()).collect()
}

/// The anchor that GitHub and GitLab give a heading; of a link in it, its words.
fn anchor(heading: &str) -> String {
    let mut words = String::new();
    let mut rest = heading;
    while let Some((before, link)) = rest.split_once("](") {
        words.push_str(before);
        rest = link.split_once(')').map_or("", |(_, after)| after);
    }
    words.push_str(rest);
    let is_kept = |c: &char| c.is_alphanumeric() || " -_".contains(*c);
    let kept: String = words.to_lowercase().chars().filter(is_kept).collect();
    kept.replace(' ', "-")
}

/// All anchors of a document. Equal headings have numbers from the second on.
fn anchors(text: &str) -> BTreeSet<String> {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    let mut all = BTreeSet::new();
    for anchor in headings(text).into_iter().map(anchor) {
        let before = counts.entry(anchor.clone()).or_default();
        all.insert(if *before == 0 { anchor } else { format!("{anchor}-{before}") });
        *before += 1;
    }
    all
}

/// Whether a file is there and, where a document, has the anchor.
fn is_there(path: &Path, anchor: &str) -> bool {
    if anchor.is_empty() || path.extension().is_none_or(|ending| ending != "md") {
        return path.exists();
    }
    std::fs::read_to_string(path).is_ok_and(|text| anchors(&text).contains(anchor))
}

/// The files of the program with their texts, without tests.
fn texts() -> Vec<(String, String)> {
    let is_test = |path: &str| path.contains("/tests/") || path.ends_with("tests.rs");
    let files = program().into_iter().filter(|(path, _)| !is_test(path));
    let before_tests = |text: String| text.split("\nmod tests {").next().map(str::to_owned);
    files.map(|(path, text)| (path, before_tests(text).unwrap_or_default())).collect()
}

/// Documents that a text names, each as `docs/NAME.md` or `docs/NAME.md#ANCHOR`.
fn named(text: &str) -> Vec<&str> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || "-_./#".contains(c);
    let names = text.match_indices("docs/").map(|(at, _)| {
        let rest = &text[at..];
        let end = rest.find(|c: char| !is_part(c)).unwrap_or(rest.len());
        rest[..end].trim_end_matches('.')
    });
    names.filter(|name| name.ends_with(".md") || name.contains(".md#")).collect()
}

#[test]
fn documents_that_the_program_names_are_there() {
    let files = texts();
    let names: Vec<(&str, &str)> = files
        .iter()
        .flat_map(|(path, text)| named(text).into_iter().map(move |name| (path.as_str(), name)))
        .collect();
    assert!(names.len() > 30, "{names:?}");
    let is_wrong = |name: &str| {
        let (file, anchor) = name.split_once('#').unwrap_or((name, ""));
        !is_there(&root().join(file), anchor)
    };
    let wrong: Vec<_> = names.iter().filter(|(_, name)| is_wrong(name)).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn links_of_documents_lead_somewhere() {
    let mut files: Vec<PathBuf> =
        ["README.md", "CHANGELOG.md", "CONTRIBUTING.md"].map(|name| root().join(name)).into();
    let docs = std::fs::read_dir(root().join("docs")).unwrap().map(|entry| entry.unwrap().path());
    files.extend(docs.filter(|path| path.extension().is_some_and(|ending| ending == "md")));
    assert!(files.len() > 30, "{files:?}");
    let mut wrong = Vec::new();
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap();
        let prose = prose(&text).join("\n");
        let links = prose.split("](").skip(1).filter_map(|rest| rest.split(')').next());
        for link in links.filter(|link| !link.starts_with("http")) {
            let (name, anchor) = link.split_once('#').unwrap_or((link, ""));
            let target = match name {
                "" => file.clone(),
                _ => file.with_file_name("").join(name),
            };
            if !is_there(&target, anchor) {
                wrong.push(format!("{}: {link}", file.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Messages that are headings of docs/faq.md, each with the anchor of its heading.
fn messages(faq: &str) -> Vec<(String, String)> {
    let quoted = |heading: &str| heading.split('`').nth(1).map(str::to_owned);
    let all = headings(faq).into_iter();
    all.filter_map(|heading| Some((quoted(heading)?, anchor(heading)))).collect()
}

#[test]
fn messages_of_the_faq_are_those_of_the_program_and_name_their_entries() {
    let files = texts();
    let messages = messages(&document("docs/faq.md"));
    assert!(messages.len() > 8, "{messages:?}");
    // A literal may go on in the next line; what `…` stands for is not in it.
    let code = |text: &str| -> String {
        let lines = text.lines().filter(|line| !line.trim_start().starts_with("//"));
        let code = lines.collect::<Vec<_>>().join("\n").replace("\\\n", "");
        code.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let codes: Vec<String> = files.iter().map(|(_, text)| code(text)).collect();
    let names: BTreeSet<&str> = files.iter().flat_map(|(_, text)| named(text)).collect();
    for (message, anchor) in messages {
        for part in message.split('…').map(str::trim).filter(|part| !part.is_empty()) {
            let is_message = codes.iter().any(|code| code.contains(part));
            assert!(is_message, "the program has no message {part:?}");
        }
        let is_linked = names.contains(format!("docs/faq.md#{anchor}").as_str());
        let is_excused = UNLINKED.iter().any(|(one, _)| *one == message);
        assert!(is_linked != is_excused, "{message:?}: linked or excused, and not both");
    }
}

/// Who opens the page sees what to type, before anything else is shown.
#[test]
fn readme_begins_with_what_to_type() {
    let text = document("README.md");
    let first: Vec<&str> = text.lines().take(40).collect();
    let version = env!("CARGO_PKG_VERSION");
    for typed in [
        "cargo run --release -- --demo".to_owned(),
        format!("sudo dpkg -i foureyes_{version}_amd64.deb"),
        format!("sudo rpm -i foureyes-{version}-1.x86_64.rpm"),
        format!("tar -xzf foureyes-{version}-x86_64-unknown-linux-gnu.tar.gz"),
    ] {
        let is_first = first.iter().any(|line| line.starts_with(&typed));
        assert!(is_first, "{typed} is not among the first lines of README.md");
        let is_installed = typed.contains("cargo") || document("docs/install.md").contains(&typed);
        assert!(is_installed, "{typed} is not in docs/install.md");
    }
}

#[test]
fn anchors_are_those_of_the_web() {
    let text = "# A `b`: c, d\n\n```sh\n# no heading\n```\n\n## A b: c d\n\n### [Link](x.md#y) → `[[box]]`\n#none\n";
    let all: Vec<String> = anchors(text).into_iter().collect();
    assert_eq!(all, ["a-b-c-d", "a-b-c-d-1", "link--box"]);
    let names = named("see docs/a.md. `docs/b.md#c-d`, (docs/c.toml) docs/");
    assert_eq!(names, ["docs/a.md", "docs/b.md#c-d"]);
}
