//! The real program in a terminal: with a script of answers, and with a server.

use super::super::person::Home;
use super::super::person::selected;
use super::*;
use crate::http::PATIENCE;
use crate::http::{Action, Server};
use crate::pty::Session;
use crate::service::Service;

/// A home with the three records, and a configuration with these lines of `[judge]`.
fn home(judge: &str) -> (Home, Vec<String>) {
    let home = Home::new();
    let repository = REPOSITORY.path().display();
    let text = format!(
        "[reviewer]\nname = \"anna\"\nmachine = \"desk\"\n\n[judge]\n{judge}\n\n\
         [[repository]]\npath = \"{repository}\"\nrefs = [\"refs/heads/main\"]\nfetch = false\n"
    );
    let config = home.write("foureyes.toml", text);
    let (name, log) = &records()[0];
    home.write(&format!("logs/{name}"), log);
    let logs = home.at("logs/north").to_str().unwrap().to_owned();
    (home, vec!["--config".to_owned(), config, "--from".to_owned(), logs])
}

fn start(home: &Home, args: &[String]) -> Session {
    start_with(home, args, "")
}

fn start_with(home: &Home, args: &[String], token: &str) -> Session {
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let mut session = home.console(&args).env("FOUREYES_TOKEN", token).run();
    session.wait_for("Overview everything");
    session.press("3");
    session.wait_for("note3.md");
    session
}

/// A script that gives the same answer to all, after a while.
fn script(home: &Home, delay_ms: u64) -> String {
    let mut answer = verdict([4, 4, 5], "The figures hold.").text;
    answer = serde_json::to_string(&answer).unwrap();
    let line = format!("{{\"always\":true,\"delay_ms\":{delay_ms},\"text\":{answer}}}\n");
    home.write("answers.jsonl", line)
}

fn ledger(home: &Home) -> String {
    std::fs::read_to_string(home.at("foureyes/ledger/anna@desk.jsonl")).unwrap_or_default()
}

#[test]
fn two_keys_judge_a_record_again_and_show_both() {
    let (home, args) = home("script = \"/dev/null\"");
    let path = script(&home, 30);
    let config = std::fs::read_to_string(home.at("foureyes.toml")).unwrap();
    home.write("foureyes.toml", config.replace("/dev/null", &path));
    let mut session = start(&home, &args);
    session.press("r");
    session.wait_for("nothing is sent until ctrl-s");
    session.press("\x13");
    session.wait_for("Done: 1 re-judged, 1 verdict changed");
    session.press("\r");
    session.wait_for("CHANGED");
    session.wait_for("[-What was found");
    // Escape closes the hint of the screen, and only then the item.
    session.press("6");
    session.wait_for("[esc hides this]");
    session.press("\x1b");
    session.wait_until("no hint", |s| !s.contents().contains("[esc hides this]"));
    session.press("\x1b");
    session.wait_for("1 judged");
    let kept = ledger(&home);
    assert_eq!(kept.lines().count(), 3, "{kept}");
    session.press("\x03\x03");
    assert_eq!(session.end(), 0);
    home.nothing_left();
}

#[test]
fn cancelled_run_closes_server_connection() {
    let hangs = || vec![Action::Hang];
    let server = Server::in_order(vec![http::answer(&verdict([5, 5, 5], "Good.").text), hangs()]);
    let (home, args) = home(&format!("endpoint = \"{}\"\nmodel = \"fastest\"", server.url()));
    let mut session = start(&home, &args);
    session.press("r");
    session.wait_for("nothing is sent until ctrl-s");
    session.press("\x13");
    session.wait_for("Done: 1 re-judged");
    session.press("3");
    session.wait_for("note2.md");
    session.press("r");
    session.wait_for("nothing is sent until ctrl-s");
    session.press("\x13");
    server.wait_for(2, PATIENCE);
    session.wait_for("asked…");
    session.press("\x03");
    assert!(server.closed(1, PATIENCE).is_some(), "at once");
    session.wait_for("1 item not judged");
    let [first, ..] = &server.requests()[..] else { panic!("nothing was asked") };
    assert_eq!(first.path, "/v1/chat/completions");
    assert!(String::from_utf8_lossy(&first.body).contains("# Note 3"));
    session.press("\x03");
    assert_eq!(session.end(), 0);
    home.nothing_left();
}

#[test]
fn place_at_a_service_and_its_call_are_shown_beside_each_record() {
    let model = Server::start(|_| vec![Action::Hang]);
    let service = Service::start(&model, "workers = 1\n");
    let (address, key) = (service.address, &service.key);
    let (home, args) = home(&format!(
        "kind = \"service\"\nendpoint = \"http://{address}\"\nmodel = \"north-1\"\nservice_key = [\"{key}\"]\nparallel = 3"
    ));
    let mut session = start_with(&home, &args, &service.token("desk"));
    session.press("   r");
    session.wait_for("3 requests");
    session.press("\x13");
    for text in ["judging…", "queued, place 1…", "queued, place 2…"] {
        session.wait_for(text);
    }
    session.press("\x03");
    session.wait_for("3 items not judged");
    session.press("\x03");
    assert_eq!(session.end(), 0);
    home.nothing_left();
}

#[test]
fn killed_run_keeps_ledger_and_next_console_reports_losses() {
    let hangs = || vec![Action::Hang];
    let answer = http::answer(&verdict([5, 5, 5], "Good.").text);
    let server = Server::in_order(vec![answer, hangs(), hangs()]);
    let (home, args) = home(&format!("endpoint = \"{}\"\nparallel = 1", server.url()));
    let mut session = start(&home, &args);
    session.press("   r");
    session.wait_for("3 requests");
    session.press("\x13");
    session.wait_for("RUNNING 1 of 3");
    session.signal(rustix::process::Signal::KILL);
    drop(session);
    let verified = std::process::Command::new(env!("CARGO_BIN_EXE_foureyes"))
        .args(["ledger", "verify"])
        .env("FOUREYES_DATA", home.at("foureyes"))
        .env("HOME", home.path())
        .output()
        .unwrap();
    assert!(verified.status.success(), "{verified:?}");
    let mut session = start(&home, &args);
    session.press("6");
    session.wait_for("1 of 3 judged; end not recorded");
    session.press("\r");
    session.wait_for("2 answers of it are not here");
    session.press("\x03");
    assert_eq!(session.end(), 0);
}

#[test]
fn demo_without_account_name_can_label_and_rejudge() {
    let home = Home::new();
    let mut session = home.console(&["--demo"]).run();
    session.wait_for("1 Overview");
    session.press("2");
    session.wait_until("the queue", |s| selected(s).is_some());
    session.press("p");
    session.wait_for("Saved: ");
    // What is hidden is not judged again. Of three one may name no commit.
    session.press("b");
    session.wait_for("will no longer count as blind");
    session.press("\x13");
    session.wait_for("verdicts shown");
    session.press("   ");
    session.wait_for("3 marked");
    session.press("r");
    session.wait_for("nothing is sent until ctrl-s");
    session.press("\x13");
    session.wait_for("Done: ");
    session.press("\x03");
    assert_eq!(session.end(), 0);
    home.nothing_left();
}
