//! A small program on the terminal guard, to test it without the console: this test binary runs
//! itself again, and the one test here becomes the program. Nothing of it is shipped.

use super::session::Start;
use foureyes::text::escape;
use foureyes::tui::input::Input;
use foureyes::tui::key::Key;
use foureyes::tui::terminal::{Inputs, Screen, usable};
use ratatui::Frame;
use ratatui::text::Line;
use std::ffi::OsString;
use std::io::Write;
use std::time::Duration;

const ASKED: &str = "FOUREYES_TEST_PROGRAM";
const EDITOR: &str = "FOUREYES_TEST_EDITOR";

/// The command that runs the small program.
pub(super) fn command() -> (String, Vec<&'static str>) {
    let program = std::env::current_exe().unwrap().into_os_string().into_string().unwrap();
    let test = "pty::app::child_process_runs_the_app";
    (program, vec![test, "--exact", "--nocapture", "--test-threads=1"])
}

/// The small program in a pty of its own.
pub(super) fn app() -> Start {
    let (program, arguments) = command();
    asked(Start::program(&program, &arguments))
}

/// The small program under a shell script that gets its command as `"$@"`.
pub(super) fn app_under(script: &str) -> Start {
    let (program, arguments) = command();
    let mut all = vec!["-c", script, "sh", &program];
    all.extend(arguments);
    asked(Start::program("sh", &all))
}

/// Makes every run of this binary below the program.
pub(super) fn asked(start: Start) -> Start {
    start.env(ASKED, "1")
}

/// With an editor, a line an argument.
pub(super) fn with_editor(start: Start, argv: &[&str]) -> Start {
    start.env(EDITOR, &argv.join("\n"))
}

/// The process of the small program, as its first line says.
pub(super) fn pid(screen: &vt100::Screen) -> Option<u32> {
    screen.contents().lines().next()?.split_once(" pid ")?.1.parse().ok()
}

#[test]
fn child_process_runs_the_app() {
    if std::env::var_os(ASKED).is_none() {
        return;
    }
    // As the program does: what is reported is harmless.
    std::panic::set_hook(Box::new(|about| {
        let _ = writeln!(std::io::stderr(), "{}", escape::text(&about.to_string()));
    }));
    let environment = foureyes::config::Environment::of_process();
    if let Err(reason) = usable(&environment) {
        writeln!(std::io::stdout(), "plain instead: {reason}").unwrap();
        std::process::exit(3);
    }
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    let code = runtime.block_on(run());
    drop(runtime);
    // The terminal may be gone.
    let _ = writeln!(std::io::stdout(), "goodbye");
    std::process::exit(i32::from(code));
}

#[derive(Default)]
struct App {
    seen: Vec<String>,
    pasted: usize,
    stops: usize,
    resumed: usize,
    editor: String,
    hostile: bool,
}

async fn run() -> u8 {
    let (mut screen, mut inputs) = Screen::enter().unwrap();
    screen.set_mouse(true).unwrap();
    let mut app = App::default();
    loop {
        let size = screen.size();
        let title = format!("ready {}x{} pid {}", size.width, size.height, std::process::id());
        screen.draw(|frame| app.view(&title, frame)).unwrap();
        let mut next = Some(inputs.next().await);
        while let Some(input) = next {
            if let Some(code) = input.end().or_else(|| app.update(&mut screen, &input)) {
                return code;
            }
            next = Inputs::try_next(&mut inputs);
        }
    }
}

impl App {
    fn view(&self, title: &str, frame: &mut Frame<'_>) {
        let facts = format!(
            "stops {} resumed {} pasted {} editor {}",
            self.stops, self.resumed, self.pasted, self.editor
        );
        let mut lines = vec![Line::raw(title.to_owned()), Line::raw(facts)];
        lines.extend(self.seen.iter().rev().take(8).map(|s| Line::raw(s.clone())));
        let area = frame.area();
        for (line, y) in lines.into_iter().zip(area.top()..area.bottom()) {
            frame.buffer_mut().set_line(0, y, &line, area.width);
        }
        if self.hostile && area.width > 0 && area.height > 0 {
            // What no widget lets through, a cell does.
            frame.buffer_mut()[(0, 0)].set_symbol("\x1b]0;owned\x07");
        }
    }

    fn update(&mut self, screen: &mut Screen, input: &Input) -> Option<u8> {
        match input {
            Input::Key(key) => return self.key(screen, *key),
            Input::Paste(paste) => {
                self.pasted += paste.text.chars().count();
                let kind = if paste.burst { "burst" } else { "paste" };
                self.see(format!("{kind} {} cut {}", paste.text.len(), paste.cut));
            }
            Input::Mouse(mouse) => {
                self.see(format!("mouse {:?} {} {}", mouse.kind, mouse.x, mouse.y));
            }
            Input::Resumed => self.resumed += 1,
            _ => {}
        }
        None
    }

    fn key(&mut self, screen: &mut Screen, key: Key) -> Option<u8> {
        match key.to_string().as_str() {
            "q" => return Some(0),
            "n" => {}
            "ctrl-z" => {
                screen.stop().unwrap();
                self.stops += 1;
            }
            "p" => panic!("the loop broke: \u{1b}]0;x\u{7}\u{9b}31m"),
            "w" => drop(tokio::spawn(async { panic!("a worker broke") })),
            // Neither signals nor panics are heard by a loop that hangs.
            "b" => {
                screen.draw(|frame| self.view("hanging", frame)).unwrap();
                std::thread::sleep(Duration::from_secs(60));
            }
            "h" => self.hostile = true,
            "e" => self.edit(screen),
            name => self.see(format!("key {name}")),
        }
        None
    }

    fn see(&mut self, what: String) {
        self.seen.push(what);
    }

    fn edit(&mut self, screen: &mut Screen) {
        let argv = std::env::var(EDITOR).unwrap_or_default();
        let argv: Vec<_> = argv.lines().map(OsString::from).collect();
        self.editor = match screen.run_child(&argv) {
            Ok(status) => format!("{status}"),
            Err(error) => format!("{error}"),
        };
    }
}
