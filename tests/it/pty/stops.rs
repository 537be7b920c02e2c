//! Stopped and going on; another program on the terminal.

use super::app::{app, asked, command, pid, with_editor};
use super::session::{PATIENCE, Session, Start, process_state, signal_to, wait_outside};
use rustix::process::Signal;
use std::time::Duration;

/// A shell with job control, as a person has one.
fn shell() -> Session {
    shell_of("sh", &["-i"])
}

fn shell_of(shell: &str, options: &[&str]) -> Session {
    let (program, arguments) = command();
    let run = format!("{program} {}", arguments.join(" "));
    let start = asked(Start::program(shell, options)).env("PS1", "shell> ").env("RUN", &run);
    let mut session = start.run();
    session.wait_for("shell> ");
    session.press("$RUN\r");
    session.wait_for("ready");
    session
}

fn is_main_screen(screen: &vt100::Screen) -> bool {
    let is_mouse_free = screen.mouse_protocol_mode() == vt100::MouseProtocolMode::None;
    !screen.alternate_screen()
        && !screen.hide_cursor()
        && !screen.bracketed_paste()
        && is_mouse_free
}

#[test]
fn fifty_suspends_and_resumes_with_resizes() {
    let mut session = shell();
    let mut modes = None;
    for round in 1..=50u16 {
        session.press("\x1a");
        session.wait_until("the shell", |s| is_main_screen(s) && prompt_is_last(s));
        // The shell has its own modes; they are the same each time.
        let now = session.modes().0;
        assert_eq!(*modes.get_or_insert_with(|| now.clone()), now, "round {round}");
        session.resize(60 + round % 7, 20 + round % 3);
        session.press("fg\r");
        let size = format!("ready {}x{}", 60 + round % 7, 20 + round % 3);
        let stops = format!("stops {round} ");
        session.wait_until(&stops, |s| {
            let text = s.contents();
            s.alternate_screen() && text.starts_with(&size) && text.contains(&stops)
        });
    }
    leave_shell(session);
}

fn prompt_is_last(screen: &vt100::Screen) -> bool {
    screen.contents().trim_end().ends_with("shell>")
}

#[test]
fn in_the_background_it_leaves_the_terminal_alone() {
    let mut session = shell();
    session.press("\x1a");
    session.wait_until("the shell", |s| is_main_screen(s) && prompt_is_last(s));
    session.press("bg\r");
    session.press("echo still-$((40+2))\r");
    session.wait_for("still-42");
    session.wait_until("the prompt", prompt_is_last);
    session.wait_for_silence(Duration::from_millis(100));
    assert!(session.is_silent_for(Duration::from_millis(300)));
    session.press("fg\r");
    session
        .wait_until("the program", |s| s.alternate_screen() && s.contents().contains("stops 1 "));
    leave_shell(session);
}

#[test]
fn process_without_job_control_is_not_suspended() {
    let mut session = app().run();
    session.wait_for("ready");
    session.press("\x1a");
    session.wait_for("stops 1 ");
    session.press("q");
    assert_eq!(session.end(), 0);
    session.assert_clean();
}

#[test]
fn external_stop_repaints_everything() {
    let mut session = app().run();
    session.wait_for("ready");
    for round in 1..=5 {
        session.signal(Signal::STOP);
        wait_outside("the stop", PATIENCE, || process_state(session.pid()) == Some('T'));
        session.resize(60 + round, 20);
        session.spoil_screen();
        session.signal(Signal::CONT);
        session.wait_for(&format!("resumed {round} "));
        session.wait_for(&format!("ready {}x20", 60 + round));
    }
    session.press("q");
    assert_eq!(session.end(), 0);
    session.assert_clean();
}

/// Gives the terminal back to a program that bash knows to be running, which sends it no signal.
#[track_caller]
fn foreground(session: &mut Session, key: &str) {
    session.press("jobs\r");
    session.wait_for("Running");
    session.press("fg\r");
    session.wait_until("the program", |s| {
        let text = s.contents();
        s.alternate_screen() && text.starts_with("ready") && !text.contains("Running")
    });
    session.press(key);
    session.wait_for(&format!("key {key}"));
}

#[track_caller]
fn leave_shell(mut session: Session) {
    session.press("q");
    session.wait_until("the shell", |s| is_main_screen(s) && s.contents().contains("goodbye"));
    session.press("exit\r");
    session.end();
    session.assert_restored();
}

fn bash() -> Session {
    shell_of("bash", &["--norc", "--noprofile", "--noediting", "-i"])
}

#[test]
fn stopped_and_continued_from_outside_it_returns_with_fg() {
    let mut session = bash();
    let pid = session.wait_until("its process", pid);
    for key in ["k", "m"] {
        signal_to(pid, Signal::STOP);
        session.wait_for("Stopped");
        // The shell may take the terminal only now, when the program took it back already.
        signal_to(pid, Signal::CONT);
        foreground(&mut session, key);
    }
    leave_shell(session);
}

#[test]
fn sent_to_the_background_it_returns_with_fg() {
    let mut session = bash();
    session.press("\x1a");
    session.wait_until("the shell", |s| is_main_screen(s) && prompt_is_last(s));
    session.press("bg\r");
    session.wait_until("the shell", prompt_is_last);
    foreground(&mut session, "m");
    leave_shell(session);
}

fn edited(argv: &[&str]) -> Session {
    let session = with_editor(app(), argv).run();
    session.wait_for("ready");
    session
}

#[test]
fn editor_gets_terminal_and_returns_it() {
    let script = r#"printf 'editor with %s\n' "$1"; stty -a | grep -o -e ' icanon'; read line; echo "got $line""#;
    let mut session = edited(&["sh", "-c", script, "ed", "--wait"]);
    session.press("e");
    session.wait_until("the editor", |s| {
        let text = s.contents();
        is_main_screen(s) && text.contains("editor with --wait") && text.contains("icanon")
    });
    // Also in the editor's time, what is typed is the editor's alone.
    session.press("qqq\r");
    session.wait_until("the program", |s| {
        s.alternate_screen() && s.contents().contains("exit status: 0")
    });
    session.press("m");
    session.wait_for("key m");
    session.press("q");
    assert_eq!(session.end(), 0);
    session.assert_restored();
}

#[test]
fn missing_or_failing_editor_leaves_terminal_intact() {
    let cases: [(&[&str], &str); 4] = [
        (&[], "no program is given"),
        (&["/no/such/editor"], "failed to start /no/such/editor"),
        (
            &["sh", "-c", "stty raw -echo; printf '\\033[?1000h\\033[?1000l'; exit 7"],
            "exit status: 7",
        ),
        (&["sh", "-c", "stty raw -echo; kill -SEGV $$"], "signal: 11"),
    ];
    for (argv, said) in cases {
        let mut session = edited(argv);
        session.press("e");
        session.wait_until(said, |s| s.alternate_screen() && s.contents().contains(said));
        session.press("m");
        session.wait_for("key m");
        session.press("q");
        assert_eq!(session.end(), 0);
        let (now, before) = session.modes();
        assert_eq!(now, before, "{said}");
    }
}

#[test]
fn a_signal_ends_the_editor_too() {
    for script in
        ["echo $$ editing; read line", "trap '' TERM; echo $$ editing; read line; read line"]
    {
        let mut session = edited(&["sh", "-c", script]);
        session.press("e");
        let text = session.wait_for("editing");
        let before = text.split(" editing").next().unwrap_or_default();
        let editor: u32 = before.split_whitespace().last().and_then(|p| p.parse().ok()).unwrap();
        session.signal(Signal::TERM);
        assert_eq!(session.end(), 143, "{script}");
        session.assert_restored();
        wait_outside("the editor's end", PATIENCE, || {
            matches!(process_state(editor), None | Some('Z'))
        });
    }
}

#[test]
fn ctrl_c_in_an_editor_is_the_editors() {
    let mut session =
        edited(&["sh", "-c", "trap 'echo caught; exit 5' INT; echo editing; read line; read line"]);
    session.press("e");
    session.wait_for("editing");
    session.press("\x03");
    session.wait_until("the program", |s| {
        s.alternate_screen() && s.contents().contains("exit status: 5")
    });
    session.press("q");
    assert_eq!(session.end(), 0);
    session.assert_restored();
}
