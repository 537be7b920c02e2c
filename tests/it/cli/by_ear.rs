//! A sitting of a person who hears `--plain` and sees nothing.

use super::Home;
use super::lines::with_contents;
use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;

/// What no command is called, so that its answer marks the end of what was said before.
const HEARD: &str = "heard";

const POOR: &str = "Nobody owns these steps, and no step says when it is done.";
const SOUND: &str = "Each step has an owner and a day, and says when it is done.";

/// Whether the text of a note is poor.
const fn is_poor(note: usize) -> bool {
    note.is_multiple_of(3)
}

/// Whether a line is a heading of the content that is labelled, which is read as it was written.
fn is_heading(line: &str) -> bool {
    let text = line.trim_start().trim_start_matches('#').strip_prefix(' ');
    text.is_some_and(|text| text.starts_with(char::is_alphabetic))
}

/// Lines that begin with a digit or a bar in place of what they are about, and those on which something is drawn.
fn unspeakable<'a>(lines: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let is_bad = |line: &&str| {
        line.starts_with(|c: char| c.is_ascii_digit() || c == '|')
            || ["##", "||", "\u{2588}", "\u{2502}"].iter().any(|drawn| line.contains(drawn))
    };
    lines.filter(|line| is_bad(line) && !is_heading(line)).collect()
}

/// Labels by what is said of each item alone; gives all that was said, and the items.
fn listen(home: &Home, items: usize) -> (String, Vec<String>) {
    let mut command = home.command(&["--plain", "--config", "c.toml"]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    let (mut all, mut heard) = (String::new(), Vec::new());
    for _ in 0..items {
        input.write_all(format!("{HEARD}\n").as_bytes()).unwrap();
        let mut said = String::new();
        while !said.contains("there is no command `heard`") {
            assert!(output.read_line(&mut said).unwrap() > 0, "it ended: {said}");
        }
        let item = said[said.find("Item ").unwrap()..].to_owned();
        let word = match (item.contains("Nobody owns"), item.contains("has an owner")) {
            (true, false) => "p\n",
            (false, true) => "a\n",
            _ => panic!("the item says nothing: {item}"),
        };
        input.write_all(word.as_bytes()).unwrap();
        all.push_str(&said);
        heard.push(item);
    }
    drop(input);
    let mut rest = String::new();
    std::io::Read::read_to_string(&mut output, &mut rest).unwrap();
    assert!(child.wait().unwrap().success());
    (all + &rest, heard)
}

#[test]
fn twelve_items_are_labelled_by_what_is_said_of_them_alone() {
    let texts: Vec<&str> = (1..=12).map(|n| if is_poor(n) { POOR } else { SOUND }).collect();
    let home = with_contents(&texts);
    let (said, items) = listen(&home, 12);
    let bad = unspeakable(said.lines().map(str::trim_start));
    assert!(bad.is_empty(), "{bad:?}\n{said}");
    for item in &items {
        // Neither a path nor an id comes before what is to be labelled.
        let content = item.find("step").unwrap();
        let before = item[..content].split_whitespace();
        let is_id = |word: &str| word.len() > 6 && word.bytes().all(|b| b.is_ascii_hexdigit());
        assert!(before.into_iter().all(|word| !word.contains('/') && !is_id(word)), "{item}");
    }
    for (word, wanted) in [("poor", true), ("acceptable", false)] {
        let filter = format!("label:{word}");
        let listed = home.good(&["records", &filter, "--csv", "--config", "c.toml"]);
        for note in 1..=12 {
            let is_listed = listed.contains(&format!("research/note{note}.md"));
            assert_eq!(is_listed, is_poor(note) == wanted, "{note} {word}: {listed}");
        }
    }
    assert!(!said.contains("does not count"), "{said}");
}

#[test]
fn answer_of_the_demo_is_said_in_words_before_all_else() {
    let home = Home::new();
    let script = home.write("commands", "overview\nreadiness\ncalibration\n?\nrs\nrecords\n");
    let said = home.feed(&["--plain", "--demo"], &script).out;
    assert!(
        said.starts_with("May the judge block pushes? Not yet: NOT ENOUGH EVIDENCE."),
        "{said}"
    );
    let bad = unspeakable(said.lines());
    assert!(bad.is_empty(), "{bad:?}");
}
