//! Loading themes: the program's own, the operator's, and those that say something wrong.

use foureyes::tui::theme::{Depth, Role, Theme, ThemeError};
use ratatui::style::{Color, Modifier, Style};
use std::error::Error;
use std::fs;
use std::path::Path;
use tempfile::TempDir;

fn folder(files: &[(&str, &str)]) -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    for (name, text) in files {
        fs::write(dir.path().join(name), text).unwrap();
    }
    dir
}

/// The error of a theme, without the folder, which differs from run to run.
fn refused(name: &str, dir: &Path) -> String {
    let error = Theme::load(name, Some(dir)).unwrap_err();
    error.to_string().replace(&format!("{}/", dir.display()), "")
}

#[test]
fn every_theme_of_the_program_loads_under_its_name() {
    let names = Theme::names(None).unwrap();
    let expected = ["default", "light", "dark", "high-contrast", "colour-blind", "mono"];
    assert_eq!(names, expected);
    for name in names {
        assert_eq!(Theme::load(&name, None).unwrap().name(), name);
    }
}

#[test]
fn three_lines_make_a_theme_out_of_another() {
    let dir = folder(&[("mine.toml", "extends = \"dark\"\n[roles]\ngo = \"#0087ff\"\n")]);
    let (mine, dark) =
        (Theme::load("mine", Some(dir.path())).unwrap(), Theme::load("dark", None).unwrap());
    assert_eq!(mine.name(), "mine");
    for role in Role::ALL {
        match role {
            // A diff adds in the colour of GO: `dark` does not say otherwise.
            Role::Go | Role::Added => {
                assert_eq!(mine.style(*role).fg, Some(Color::Rgb(0, 0x87, 0xff)));
            }
            _ => assert_eq!(mine.style(*role), dark.style(*role), "{role:?}"),
        }
    }
}

#[test]
fn extending_theme_keeps_unset_roles() {
    let dir = folder(&[
        ("a.toml", "name = \"Ä\"\nextends = \"b\"\n[roles]\nno_go = { bold = false }\n"),
        ("b.toml", "extends = \"dark\"\n[roles]\nno_go = { italic = true }\n"),
    ]);
    let theme = Theme::load("a", Some(dir.path())).unwrap();
    let dark = Theme::load("dark", None).unwrap().style(Role::NoGo);
    assert_eq!(theme.name(), "Ä");
    let expected = Style { add_modifier: Modifier::ITALIC, ..dark };
    assert_eq!(theme.style(Role::NoGo), expected);
}

#[test]
fn standalone_theme_falls_back_role_by_role() {
    let text = "[roles]\ntext = { fg = 250, bg = 16 }\ntitle = { fg = 81, bold = true }\n";
    let dir = folder(&[("alone.toml", text)]);
    let theme = Theme::load("alone", Some(dir.path())).unwrap();
    let title = Style::new().fg(Color::Indexed(81)).add_modifier(Modifier::BOLD);
    assert_eq!(theme.style(Role::SyntaxHeading), title);
    assert_eq!(theme.style(Role::SyntaxLink), title);
    assert_eq!(theme.style(Role::Go), Style::new().fg(Color::Indexed(250)));
    // Nothing was said of the cursor, and it is seen all the same.
    assert_eq!(theme.style(Role::Selection), Style::new().add_modifier(Modifier::REVERSED));
    assert_ne!(theme.style(Role::Match), Style::new());
    let empty = folder(&[("empty.toml", "")]);
    let theme = Theme::load("empty", Some(empty.path())).unwrap();
    assert_eq!(theme.style(Role::Error), Style::new());
}

#[test]
fn theme_file_replaces_builtin_of_same_name_and_may_extend_it() {
    let dir = folder(&[("dark.toml", "extends = \"dark\"\n[roles]\nkey = \"red\"\n")]);
    let own = Theme::load("dark", Some(dir.path())).unwrap();
    assert_eq!(own.style(Role::Key).fg, Some(Color::Red));
    let dark = Theme::load("dark", None).unwrap();
    assert_eq!(own.style(Role::Go), dark.style(Role::Go));
}

#[test]
fn names_are_the_programs_and_the_files_once_each() {
    let dir = folder(&[
        ("zebra.toml", ""),
        ("dark.toml", ""),
        ("Abend.toml", ""),
        (".hidden.toml", ""),
        ("notes.txt", ""),
    ]);
    let names = Theme::names(Some(dir.path())).unwrap();
    assert_eq!(names[6..], ["Abend", "zebra"]);
    assert_eq!(names[..6], Theme::names(Some(&dir.path().join("none"))).unwrap());
    let error = Theme::names(Some(&dir.path().join("notes.txt"))).unwrap_err();
    assert!(matches!(error, ThemeError::Folder { .. }) && error.source().is_some());
}

#[test]
fn theme_errors_have_positions() {
    let dir = folder(&[
        ("bad.toml", "[roles]\nheadr = \"red\"\ngo = \"gren\"\n"),
        ("child.toml", "extends = \"bad\"\n"),
        ("torn.toml", "[roles\n"),
    ]);
    let bad = refused("bad", dir.path());
    let lines: Vec<_> = bad.lines().collect();
    let unknown = "unknown key `roles.headr`; the nearest known key is `header`";
    assert_eq!(lines[0], format!("bad.toml:2:1: {unknown}"));
    assert!(lines[1].starts_with("bad.toml:3:6: `roles.go` is \"gren\": a colour is"), "{bad}");
    assert_eq!(refused("child", dir.path()), bad);
    assert!(
        refused("torn", dir.path()).starts_with("torn.toml:1:"),
        "{}",
        refused("torn", dir.path())
    );
    let problems = Theme::load("bad", Some(dir.path())).unwrap_err().problems().len();
    assert_eq!(problems, 2);
}

#[test]
fn theme_extending_nothing_or_itself_is_located() {
    let dir = folder(&[
        ("lost.toml", "\nextends = \"drak\"\n"),
        ("a.toml", "extends = \"b\"\n"),
        ("b.toml", "extends = \"a\"\n"),
        ("own.toml", "extends = \"own\"\n"),
        ("out.toml", "extends = \"../x\"\n"),
    ]);
    let lost = refused("lost", dir.path());
    assert!(
        lost.starts_with("lost.toml:2:11: `extends` is \"drak\": themes are `default`"),
        "{lost}"
    );
    let circle = "`extends` is \"a\": the themes extend one another in a circle";
    assert_eq!(refused("a", dir.path()), format!("b.toml:1:11: {circle}"));
    assert!(
        refused("own", dir.path()).starts_with("own.toml:1:11: `extends` is \"own\": themes are")
    );
    assert!(
        refused("out", dir.path()).starts_with("out.toml:1:11: `extends` is \"../x\": a name has")
    );
}

#[test]
fn unknown_theme_suggests_nearest() {
    let dir = folder(&[("solar.toml", "")]);
    assert_eq!(refused("drak", dir.path()), "there is no theme \"drak\"; the nearest is `dark`");
    assert_eq!(refused("soler", dir.path()), "there is no theme \"soler\"; the nearest is `solar`");
    assert_eq!(refused("zzz", dir.path()), "there is no theme \"zzz\"");
    assert_eq!(refused("../solar", dir.path()), "\"../solar\" is not a valid theme name");
    assert_eq!(refused("a\u{1b}[2J", dir.path()), r#""a\u{1b}[2J" is not a valid theme name"#);
}

#[test]
fn non_regular_theme_file_is_reported_unread() {
    let dir = folder(&[]);
    fs::create_dir(dir.path().join("dark.toml")).unwrap();
    std::os::unix::fs::symlink("nowhere", dir.path().join("light.toml")).unwrap();
    for (name, cause) in [("dark", "is a directory, not a file"), ("light", "failed to read")] {
        let error = Theme::load(name, Some(dir.path())).unwrap_err();
        assert_eq!(error.to_string(), format!("failed to load the theme \"{name}\""));
        let source = error.source().unwrap().to_string();
        assert!(source.contains(cause), "{source}");
    }
}

#[test]
fn a_theme_fits_a_terminal_without_losing_text_or_cursor() {
    let text = "[roles]\ntext = { fg = \"#e8e8e8\", bg = \"#101010\" }\n\
                selection = { bg = \"#1c1c1c\" }\nkey = \"#181818\"\n";
    let dir = folder(&[("close.toml", text)]);
    let theme = Theme::load("close", Some(dir.path())).unwrap().fit(Depth::Ansi16);
    assert_eq!(theme.style(Role::Text), Style::new().fg(Color::Gray).bg(Color::Black));
    assert_eq!(theme.style(Role::Key).fg, Some(Color::White));
    assert_eq!(theme.style(Role::Selection), Style::new().add_modifier(Modifier::REVERSED));
}

#[test]
fn the_page_on_themes_lists_every_role_with_its_fallback() {
    let page = include_str!("../../../docs/themes.md");
    for role in Role::ALL {
        let fallback = role.fallback().map_or("–".to_owned(), |f| format!("`{}`", f.as_str()));
        let row = format!("| `{}` | {fallback} | {} |", role.as_str(), role.describe());
        assert!(page.lines().any(|line| line == row), "docs/themes.md has no row\n{row}");
    }
    for name in Theme::names(None).unwrap() {
        assert!(page.contains(&format!("| `{name}` |")), "docs/themes.md does not name {name}");
    }
}

#[test]
fn the_example_on_the_page_is_a_theme() {
    let page = include_str!("../../../docs/themes.md");
    let examples: Vec<_> = page.split("```toml\n").skip(1).map(|e| e.split("```").next()).collect();
    assert!(examples.len() >= 2);
    for example in examples {
        let dir = folder(&[("example.toml", example.unwrap())]);
        Theme::load("example", Some(dir.path())).unwrap();
    }
}
