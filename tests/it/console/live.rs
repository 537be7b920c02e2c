//! Boxes that hang, crawl, break and come back while the console is open.

use super::super::pty::{Session, Start, wait_outside};
use super::super::pull::{Forwarder, Lab, Wire, free_port, processes_with, whoami};
use super::person::{
    Home, PATIENCE, escape, flagged, leave, move_selection, noise, queue, selected, wait_queue,
};

/// The table of a box of a lab's.
pub(super) fn box_table(lab: &Lab, name: &str, port: u16) -> String {
    let at = |name: &str| lab.at(name).to_str().unwrap().to_owned();
    format!(
        "[[box]]\nname = \"{name}\"\nhost = \"127.0.0.1\"\nuser = {:?}\nport = {port}\nssh_config = {:?}\nidentity = {:?}\nknown_hosts = {:?}\nlogs = [{:?}]\n\n",
        whoami(),
        at("ssh_config"),
        at("key"),
        at("known_hosts"),
        at("logs")
    )
}

/// A console whose box was pulled once, and a wire to it that can be spoilt.
struct Desk {
    home: Home,
    lab: Lab,
    wire: Forwarder,
}

impl Desk {
    /// With so many flagged records in the cache.
    fn new(records: u32) -> Self {
        let (home, lab) = (Home::new(), Lab::new());
        lab.write("l.jsonl", (0..records).map(|n| flagged(n, 600 + n)).collect::<String>());
        let wire = Forwarder::to(lab.port);
        let desk = Self { home, lab, wire };
        desk.config(desk.lab.port, "");
        let mut session = desk.console(&[]).run();
        wait_queue(&session, records as usize);
        session.wait_until("the end of the pull", |s| !pulling(s));
        leave(&mut session, &desk.home);
        desk.config(desk.wire.port, "");
        desk
    }

    fn config(&self, port: u16, more: &str) {
        self.home.write("c.toml", more.to_owned() + &box_table(&self.lab, "small", port));
    }

    fn console(&self, more: &[&str]) -> Start {
        let config = self.home.at("c.toml");
        self.home.console(&[&["--config", config.to_str().unwrap()], more].concat())
    }

    /// New records, newer than all.
    fn append(&self, numbers: std::ops::Range<u32>) {
        self.lab.append("l.jsonl", numbers.map(|n| flagged(n, 30)).collect::<String>());
    }

    /// Older records that are not flagged and take their time on the wire.
    fn fill(&self, records: u32) {
        let go = |n| format!("\"GO\",\"findings\":\"{}\"", noise(n));
        let line = |n| flagged(n, 86_400 * 3).replace("\"NO-GO\"", &go(n));
        self.lab.write("older.jsonl", (1000..1000 + records).map(line).collect::<String>());
    }

    /// The console on its queue.
    fn in_queue(&self, more: &[&str], items: usize) -> Session {
        let mut session = self.console(more).run();
        wait_queue(&session, items);
        session.press("2");
        session.wait_until("the queue", |s| selected(s).is_some());
        session
    }
}

/// Whether the line below the screens says that a pull runs.
fn pulling(screen: &vt100::Screen) -> bool {
    let text = screen.contents();
    text.lines().nth(1).is_some_and(|l| l.contains("pull "))
}

fn stale(screen: &vt100::Screen) -> bool {
    let text = screen.contents();
    text.lines().nth(1).is_some_and(|l| l.contains(" STALE "))
}

#[test]
fn hanging_box_does_not_block_keys_and_is_cancelled_by_key() {
    let desk = Desk::new(30);
    desk.append(100..103);
    // Before the first byte, and in the middle of the talk.
    for at in [0, 2_500] {
        desk.wire.set(Wire::Stall(at));
        let mut session = desk.in_queue(&[], 30);
        session.wait_until("the pull", pulling);
        move_selection(&mut session);
        session.wait_until("the pull goes on", pulling);
        session.press("\x03");
        session.wait_until("the end of the pull", |s| !pulling(s) && queue(s) == Some(30));
        // What does not run any more is not said to be connected to.
        session.press("7");
        let boxes = session.wait_for("─ Boxes 1");
        assert!(!boxes.contains("connecting"), "{boxes}");
        let home = desk.home.path().to_str().unwrap();
        wait_outside("the end of ssh", PATIENCE, || processes_with(home).is_empty());
        leave(&mut session, &desk.home);
    }
    // And once it answers again, all is there.
    desk.wire.set(Wire::Plain);
    let mut session = desk.console(&[]).run();
    wait_queue(&session, 33);
    leave(&mut session, &desk.home);
}

#[test]
fn unreachable_box_notice_stays_until_dismissed_and_data_remain() {
    let desk = Desk::new(30);
    desk.config(free_port(), "");
    let mut session = desk.in_queue(&[], 30);
    session.wait_for("refused");
    session.wait_until("the age", stale);
    // Keys do not wipe it away.
    session.press("jjjk");
    let list = session.wait_for("Triage 3 of 30");
    assert!(list.contains("refused"), "{list}");
    session.press("7");
    session.wait_until("the box", |s| {
        let text = s.contents();
        text.contains("STALE, data") && text.contains("30 records") && text.contains("refused")
    });
    session.press("\x1b");
    session.wait_until("no message", |s| !s.contents().contains("esc closes"));
    session.press("M");
    session.wait_until("the message among all", |s| {
        s.contents().contains("Messages 1,") && s.contents().contains("refused")
    });
    escape(&mut session);
    session.wait_until("no messages", |s| !s.contents().contains("Messages 1,"));
    // It is back: a key pulls, and the data are fresh again.
    desk.append(100..104);
    desk.config(desk.lab.port, "");
    session.wait_until("the age", stale);
    leave(&mut session, &desk.home);
    let mut session = desk.console(&[]).run();
    wait_queue(&session, 34);
    session.wait_until("fresh data", |s| !stale(s) && !pulling(s));
    leave(&mut session, &desk.home);
}

#[test]
fn interrupted_pull_loses_nothing_and_resumes_by_key() {
    let desk = Desk::new(30);
    desk.fill(4000);
    desk.append(100..105);
    desk.wire.set(Wire::Cut(40_000));
    let mut session = desk.in_queue(&[], 30);
    session.press("jj");
    session.wait_until("the end of the pull", |s| !pulling(s) && s.contents().contains("small: "));
    assert!(desk.wire.cuts() >= 1, "the wire was not cut");
    let (line, items) =
        session.wait_until("the age", |s| stale(s).then(|| (selected(s), queue(s))));
    assert!(items >= Some(30), "{items:?}");
    desk.wire.set(Wire::Plain);
    session.press("R");
    wait_queue(&session, 35);
    // The selection followed its record, five lines further down by now.
    session.wait_until("fresh data and the same line", |s| {
        !stale(s) && !pulling(s) && selected(s) == line
    });
    leave(&mut session, &desk.home);
    let home = &desk.home;
    let json = home.console(&["--config", home.at("c.toml").to_str().unwrap()]);
    let mut session = json.run();
    wait_queue(&session, 35);
    leave(&mut session, home);
}

#[test]
fn slow_pull_shows_progress_and_keeps_cursor() {
    let desk = Desk::new(30);
    desk.fill(4000);
    desk.append(100..107);
    desk.wire.set(Wire::Slow(60_000));
    let mut session = desk.in_queue(&[], 30);
    session.press("jjj");
    let line = session.wait_until("the fourth line and the pull", |s| {
        selected(s).filter(|_| pulling(s) && s.contents().contains("Triage 4 of 30"))
    });
    session.press("7");
    session.wait_for(" kB");
    session.press("2");
    session.wait_for("Triage 4 of 30");
    move_selection(&mut session);
    session.wait_until("the pull goes on", pulling);
    desk.wire.set(Wire::Plain);
    session.press("gjjj");
    session.wait_until("the same line below seven new ones", |s| {
        let text = s.contents();
        selected(s).as_ref() == Some(&line)
            && text.contains("7 new records")
            && text.contains("Triage 11 of 37")
    });
    leave(&mut session, &desk.home);
}

#[test]
fn watch_pulls_again_by_itself() {
    let desk = Desk::new(30);
    desk.config(desk.lab.port, "[console]\nwatch_s = 5\n\n");
    let mut session = desk.in_queue(&["--watch"], 30);
    session.wait_until("the end of the pull", |s| !pulling(s));
    for round in 0..2 {
        desk.append(200 + round..201 + round);
        wait_queue(&session, 31 + round as usize);
    }
    leave(&mut session, &desk.home);
}

#[test]
fn read_only_watch_sees_pulls_of_other_console() {
    let desk = Desk::new(30);
    desk.config(desk.lab.port, "[console]\nwatch_s = 5\n\n");
    let mut session = desk.in_queue(&["--watch", "--read-only"], 30);
    desk.append(200..202);
    let mut other = desk.console(&[]).run();
    wait_queue(&other, 32);
    wait_queue(&session, 32);
    other.press("q");
    assert_eq!(other.end(), 0);
    leave(&mut session, &desk.home);
}

#[test]
fn watch_sees_local_writes() {
    let home = Home::new();
    let [flag, dir] = home.logs(12);
    let config = home.write("c.toml", "[console]\nwatch_s = 5\n");
    let mut session = home.console(&["--config", &config, &flag, &dir, "--watch"]).run();
    wait_queue(&session, 12);
    home.write("logs/more.jsonl", flagged(50, 1));
    wait_queue(&session, 13);
    leave(&mut session, &home);
}

#[test]
fn two_consoles_on_same_data_do_not_conflict() {
    let desk = Desk::new(30);
    let mut one = desk.in_queue(&[], 30);
    let mut two = desk.in_queue(&[], 30);
    for session in [&one, &two] {
        session.wait_until("the end of the pull", |s| !pulling(s));
    }
    for _ in 0..3 {
        one.press("d");
        two.press("Gd");
    }
    // One whose first pull had brought nothing may make its queue anew only now, and then it knows
    // what the other one dealt with.
    for session in [&one, &two] {
        session.wait_until("what it dealt with", |s| matches!(queue(s), Some(24 | 27)));
    }
    // New records for both, pulled by both at once.
    desk.append(100..102);
    one.press("R");
    two.press("R");
    for session in [&one, &two] {
        // Each now also knows what the other dealt with: 30 - 6 + 2.
        wait_queue(session, 26);
        session.wait_until("the end of the pull", |s| !pulling(s));
    }
    for mut session in [one, two] {
        session.press("1");
        session.wait_for("─ Overview");
        session.press("q");
        assert_eq!(session.end(), 0);
        session.assert_clean();
    }
    desk.home.nothing_left();
    let mut session = desk.console(&[]).run();
    wait_queue(&session, 26);
    leave(&mut session, &desk.home);
}
