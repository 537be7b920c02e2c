//! The commands of docs/first-hour.md, in their order, as a newcomer types them in a clone.

use super::answers::GOOD;
use super::*;
use std::process::{Command, Stdio};

/// The lines of the page's shell blocks.
fn commands() -> Vec<String> {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/first-hour.md");
    let text = std::fs::read_to_string(page).unwrap();
    let blocks = text.split("```sh\n").skip(1).filter_map(|rest| rest.split("```").next());
    blocks.flat_map(str::lines).map(str::to_owned).collect()
}

#[test]
fn first_hour_leads_to_an_answer() {
    let site = Site::new(GOOD);
    let home = site.home.path();
    std::fs::rename(home.join("logs"), home.join("verdicts")).unwrap();
    let program = std::path::Path::new(env!("CARGO_BIN_EXE_foureyes")).parent().unwrap();
    let typed = |line: &str, input: &str| {
        let mut shell = Command::new("sh");
        shell.args(["-c", line]).env_clear().current_dir(home.join("clone"));
        shell.env("HOME", home).env("USER", "anna").env("FOUREYES_DATA", home.join("data"));
        shell.env("PATH", format!("{}:/usr/bin:/bin", program.display()));
        let shell = shell.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = shell.spawn().unwrap();
        std::io::Write::write_all(&mut child.stdin.take().unwrap(), input.as_bytes()).unwrap();
        let out = child.wait_with_output().unwrap();
        let said = String::from_utf8(out.stdout).unwrap();
        let said = said.split_whitespace().collect::<Vec<_>>().join(" ");
        (out.status.code().unwrap(), said, String::from_utf8(out.stderr).unwrap())
    };
    let [triage, cost, window, label, answer] = commands().try_into().unwrap();
    let (code, said, error) = typed(&triage, "");
    assert!(code == 0 && said.contains("NO-GO"), "{said}{error}");
    let (code, said, error) = typed(&cost, "");
    assert!(code == 2 && said.contains("Draw `all`: 440 labels"), "{said}{error}");
    let (code, said, error) = typed(&window, "");
    assert!(code == 0 && said.contains("40 days"), "{said}{error}");
    // Without a terminal the same queue is written line by line.
    let (code, said, error) = typed(&format!("{label} --plain"), "acceptable\n");
    assert!(code == 0 && said.contains("1 of 440 labelled"), "{said}{error}");
    let (code, said, error) = typed(&answer, "");
    assert!(code == 2 && said.contains("Label 439 records of 40 open days"), "{said}{error}");
    // What the page of messages says is what the program says.
    std::fs::rename(home.join("clone/.git"), home.join("clone/git")).unwrap();
    let (_, said, error) = typed(&format!("{label} --plain"), "content\n");
    assert!(said.contains("There is no content to see"), "{said}{error}");
    let (code, _, error) = typed("foureyes", "");
    assert!(code == 64 && error.contains("nothing to read: no box is configured"), "{error}");
    let page = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/faq.md"));
    for told in ["nothing to read: no box is configured", "There is no content to see"] {
        assert!(page.contains(told), "{told}");
    }
}
