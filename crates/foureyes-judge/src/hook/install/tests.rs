use super::*;
use std::fs;

const KEPT: &str = "pre-push.foureyes-kept";
const CHANGED: &str = "pre-push.foureyes-changed";

const FOREIGN: &str = "#!/bin/sh\nexec make check\n";
const OLD: &str = "#!/bin/bash\ncurl -s $P/v1/chat/completions >> ~/.openclaw/judge-verdicts/x\n";

struct Hooks(tempfile::TempDir);

impl Hooks {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn place(&self) -> Place {
        let repository = self.0.path().to_owned();
        Place {
            dir: repository.join("hooks"),
            repository,
            scope: Scope::Repository,
            kind: Kind::PrePush,
        }
    }

    fn put(&self, text: &str) {
        fs::create_dir_all(self.place().dir).unwrap();
        fs::write(self.place().hook(), text).unwrap();
        fs::set_permissions(self.place().hook(), fs::Permissions::from_mode(0o755)).unwrap();
    }

    fn text(&self, name: &str) -> Option<String> {
        fs::read_to_string(self.place().dir.join(name)).ok()
    }

    fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.place().dir).unwrap();
        let mut names: Vec<_> =
            entries.map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }
}

fn wish() -> Wish {
    Wish {
        binary: "/opt/foureyes".into(),
        mode: WishedMode::AsItIs,
        budget: Duration::from_secs(120),
        replace_old: false,
        fixed: Fixed::default(),
    }
}

#[test]
fn hook_is_installed_and_uninstalled_in_clean_repository() {
    let hooks = Hooks::new();
    let done = install(&hooks.place(), &wish()).unwrap();
    assert_eq!((done.found, done.unchanged, done.wrapper.within), (Found::Nothing, false, 130));
    assert!(is_run(&done.path));
    assert!(install(&hooks.place(), &wish()).unwrap().unchanged, "a second time changes nothing");
    assert_eq!(hooks.names(), ["pre-push"]);
    assert_eq!(uninstall(&hooks.place()).unwrap(), (Removed::Gone, None));
    assert_eq!(uninstall(&hooks.place()).unwrap(), (Removed::Nothing, None));
    assert!(hooks.names().is_empty());
}

#[test]
fn foreign_hook_is_kept_and_restored() {
    let hooks = Hooks::new();
    hooks.put(FOREIGN);
    let done = install(&hooks.place(), &wish()).unwrap();
    assert_eq!(done.wrapper.kept.as_deref(), Some(KEPT));
    assert_eq!(hooks.text(KEPT).as_deref(), Some(FOREIGN));
    let again = install(&hooks.place(), &wish()).unwrap();
    assert!(again.unchanged && again.wrapper.kept.is_some(), "the kept one stays in the chain");
    assert_eq!(uninstall(&hooks.place()).unwrap(), (Removed::Restored, None));
    assert_eq!((hooks.text("pre-push").as_deref(), hooks.names().len()), (Some(FOREIGN), 1));
    let error = uninstall(&hooks.place()).unwrap_err();
    assert!(matches!(error, Error::Foreign { .. }));
    assert_eq!(hooks.text("pre-push").as_deref(), Some(FOREIGN));
}

#[test]
fn hook_placed_over_ours_is_kept_under_other_name() {
    let hooks = Hooks::new();
    hooks.put(FOREIGN);
    install(&hooks.place(), &wish()).unwrap();
    fs::remove_file(hooks.place().hook()).unwrap();
    hooks.put("#!/bin/sh\n# husky\n");
    let done = install(&hooks.place(), &wish()).unwrap();
    assert_eq!(done.found, Found::Foreign { runs: true, manager: Some("husky"), line: None });
    assert_eq!(done.wrapper.kept, Some(format!("{KEPT}-2")));
    assert_eq!(hooks.text(KEPT).as_deref(), Some(FOREIGN), "nothing is overwritten");
}

#[test]
fn an_installation_that_was_killed_halfway_is_ended_by_the_next() {
    let hooks = Hooks::new();
    hooks.put(FOREIGN);
    fs::hard_link(hooks.place().hook(), hooks.place().dir.join(KEPT)).unwrap();
    let done = install(&hooks.place(), &wish()).unwrap();
    assert_eq!((done.wrapper.kept.as_deref(), hooks.names().len()), (Some(KEPT), 2));
}

#[test]
fn old_judge_is_replaced_only_with_permission() {
    let hooks = Hooks::new();
    hooks.put(OLD);
    let error = install(&hooks.place(), &wish()).unwrap_err();
    assert!(matches!(error, Error::OldJudge { .. }));
    assert_eq!((hooks.text("pre-push").as_deref(), hooks.names().len()), (Some(OLD), 1));
    let done = install(&hooks.place(), &Wish { replace_old: true, ..wish() }).unwrap();
    assert_eq!((done.wrapper.kept, done.found), (None, Found::OldJudge));
    assert_eq!(done.aside, Some(hooks.place().dir.join(KEPT)));
    assert_eq!(uninstall(&hooks.place()).unwrap(), (Removed::Restored, None));
    assert_eq!(hooks.text("pre-push").as_deref(), Some(OLD));
}

#[test]
fn the_mode_of_the_script_stays_until_another_is_asked_for() {
    let hooks = Hooks::new();
    let mode = |mode| install(&hooks.place(), &Wish { mode, ..wish() }).unwrap().wrapper.mode;
    assert_eq!(mode(WishedMode::AsItIs), None);
    assert_eq!(mode(WishedMode::Fixed(HookMode::Blocking)), Some(HookMode::Blocking));
    assert_eq!(mode(WishedMode::AsItIs), Some(HookMode::Blocking));
    assert_eq!(mode(WishedMode::Configured), None);
}

#[test]
fn a_link_is_kept_as_a_link_and_a_directory_is_left_alone() {
    let hooks = Hooks::new();
    fs::create_dir_all(hooks.place().dir).unwrap();
    fs::write(hooks.place().dir.join("real"), FOREIGN).unwrap();
    std::os::unix::fs::symlink("real", hooks.place().hook()).unwrap();
    install(&hooks.place(), &wish()).unwrap();
    assert!(hooks.place().dir.join(KEPT).symlink_metadata().unwrap().is_symlink());
    assert_eq!(hooks.text("real").as_deref(), Some(FOREIGN));
    let other = Hooks::new();
    fs::create_dir_all(other.place().hook()).unwrap();
    assert!(matches!(install(&other.place(), &wish()), Err(Error::Read { .. })));
}

/// A repository with a foreign hook before ours, whose script a hand then changes.
fn changed(from: &str, to: &str) -> Hooks {
    let hooks = Hooks::new();
    hooks.put(FOREIGN);
    let mode = WishedMode::Fixed(HookMode::Advisory);
    install(&hooks.place(), &Wish { mode, ..wish() }).unwrap();
    let text = hooks.text("pre-push").unwrap();
    assert!(text.contains(from), "{from}");
    hooks.put(&text.replace(from, to));
    hooks
}

#[test]
fn edited_script_keeps_previous_hook_mode_and_edit() {
    for (from, to) in [
        ("within='130'", "within=300"),
        ("within='130'", "within=\"$LONG\""),
        ("binary='/opt/foureyes'", "binary=$HOME/bin/foureyes"),
        ("exec 3<&0 || exit", "make check\nexec 3<&0 || exit"),
    ] {
        let hooks = changed(from, to);
        let done = install(&hooks.place(), &wish()).unwrap();
        assert_eq!(done.wrapper.kept.as_deref(), Some(KEPT), "{to}");
        assert_eq!(done.wrapper.mode, Some(HookMode::Advisory), "{to}");
        assert_eq!((done.wrapper.within, done.unread.len()), (130, 0), "{to}");
        assert_eq!(done.aside, Some(hooks.place().dir.join(CHANGED)), "{to}");
        assert!(hooks.text(CHANGED).unwrap().contains(to), "{to}");
        let again = install(&hooks.place(), &wish()).unwrap();
        assert!(again.unchanged && again.aside.is_none(), "{to}");
        assert_eq!(uninstall(&hooks.place()).unwrap(), (Removed::Restored, None));
        assert_eq!(hooks.text("pre-push").as_deref(), Some(FOREIGN));
    }
}

#[test]
fn unreadable_previous_hook_keeps_its_place() {
    let hooks = changed("kept='pre-push.foureyes-kept'", "kept=$MINE");
    let text = hooks.text("pre-push").unwrap().replace("mode='advisory'", "mode=$MODE");
    hooks.put(&text);
    let done = install(&hooks.place(), &wish()).unwrap();
    assert_eq!((done.wrapper.kept.as_deref(), done.wrapper.mode), (Some(KEPT), None));
    assert_eq!(done.unread, ["kept", "mode"]);
    // The old judge's, which was put aside, is not run.
    let other = Hooks::new();
    other.put(OLD);
    install(&other.place(), &Wish { replace_old: true, ..wish() }).unwrap();
    other.put(&other.text("pre-push").unwrap().replace("kept=''", "kept=$MINE"));
    assert_eq!(install(&other.place(), &wish()).unwrap().wrapper.kept, None);
}

#[test]
fn manual_edit_survives_uninstall() {
    let hooks = changed("exec 3<&0", "make check\nexec 3<&0");
    let aside = hooks.place().dir.join(CHANGED);
    assert_eq!(uninstall(&hooks.place()).unwrap(), (Removed::Restored, Some(aside)));
    assert!(hooks.text(CHANGED).unwrap().contains("make check"));
    assert_eq!(hooks.text("pre-push").as_deref(), Some(FOREIGN));
}

#[test]
fn our_line_in_foreign_hook_is_detected() {
    let line = |text: &str| {
        let hooks = Hooks::new();
        hooks.put(text);
        match hooks.place().look().unwrap() {
            Found::Foreign { line, .. } => line,
            other => panic!("{other:?}"),
        }
    };
    let asks =
        "#!/bin/sh\n[ \"$(foureyes hook pre-push --word \"$w\" -- \"$@\")\" != x ] || exit 1\n";
    assert_eq!(line(asks), Some(Line::Asks));
    assert_eq!(line("#!/bin/sh\nfoureyes hook pre-push -- \"$@\"\n"), Some(Line::Trusts));
    assert_eq!(line("#!/bin/sh\n # foureyes hook pre-push\n"), None);
    let dir = tempfile::tempdir().unwrap();
    let repository = dir.path().to_owned();
    let place = Place {
        dir: repository.join(".husky/_"),
        repository,
        scope: Scope::Setting,
        kind: Kind::PrePush,
    };
    fs::create_dir_all(&place.dir).unwrap();
    fs::write(place.hook(), "#!/usr/bin/env sh\n. \"$(dirname \"$0\")/h\"\n").unwrap();
    fs::write(dir.path().join(".husky/pre-push"), "npm test\nfoureyes hook pre-push\n").unwrap();
    let found = place.look().unwrap();
    assert!(matches!(found, Found::Foreign { line: Some(Line::Trusts), .. }), "{found:?}");
}

#[test]
fn public_judge_is_detected_by_runner_and_link_name() {
    const PUBLIC: &str =
        "#!/usr/bin/env bash\nset -e\n\"$ROOT/automation/judge/run-judge.sh\" -t x\n";
    let hooks = Hooks::new();
    hooks.put(PUBLIC);
    assert_eq!(hooks.place().look().unwrap(), Found::OldJudge);
    fs::remove_file(hooks.place().hook()).unwrap();
    let target = Path::new("../../automation/judge/pre-push-judge.sh");
    std::os::unix::fs::symlink(target, hooks.place().hook()).unwrap();
    assert_eq!(hooks.place().look().unwrap(), Found::OldJudge, "also where it leads nowhere");
    let done = install(&hooks.place(), &Wish { replace_old: true, ..wish() }).unwrap();
    assert_eq!((done.wrapper.kept, done.aside.is_some()), (None, true));
    assert_eq!(uninstall(&hooks.place()).unwrap(), (Removed::Restored, None));
    assert_eq!(hooks.place().hook().read_link().unwrap(), target);
}

#[test]
fn lefthook_line_counts_when_it_passes_stdin() {
    let dir = tempfile::tempdir().unwrap();
    let git = |args: &[&str]| {
        let mut git = std::process::Command::new("git");
        assert!(git.arg("-C").arg(dir.path()).args(args).status().unwrap().success());
    };
    git(&["init", "-q"]);
    let place = Place::find(dir.path()).unwrap();
    fs::create_dir_all(&place.dir).unwrap();
    fs::write(place.hook(), "#!/bin/sh\nlefthook run \"pre-push\" \"$@\"\n").unwrap();
    fs::set_permissions(place.hook(), fs::Permissions::from_mode(0o755)).unwrap();
    let found = |line| Found::Foreign { runs: true, manager: Some("lefthook"), line };
    assert_eq!(place.look().unwrap(), found(None));
    let run = "      run: '[ \"$(foureyes hook pre-push --word \"$w\" -- \"$@\")\" != x ]'\n";
    let text = format!("pre-push:\n  commands:\n    foureyes:\n{run}");
    fs::write(dir.path().join("lefthook.yml"), &text).unwrap();
    assert_eq!(place.look().unwrap(), found(None), "nothing reaches it");
    fs::write(dir.path().join("lefthook.yml"), text + "      use_stdin: true\n").unwrap();
    assert_eq!(place.look().unwrap(), found(Some(Line::Asks)));
}

#[test]
fn invalid_hooks_directory_has_no_hook() {
    let hooks = Hooks::new();
    let place = Place { dir: "/dev/null".into(), ..hooks.place() };
    assert_eq!(place.look().unwrap(), Found::Nothing);
}
