use super::*;

fn problems(text: &str) -> Vec<String> {
    parse(text.as_bytes()).unwrap_err().iter().map(ToString::to_string).collect()
}

#[test]
fn theme_file_overrides_only_named_roles() {
    let text = "name = \"Mine\"\nextends = \"dark\"\n[roles]\ngo = \"green\"\nerror = 208\n\
                title = { fg = \"#010203\", bg = \"default\", bold = true, dim = false }\n";
    let file = parse(text.as_bytes()).unwrap();
    assert_eq!(file.name.as_deref(), Some("Mine"));
    assert_eq!(file.extends, Some(("dark".to_owned(), Position { line: 2, column: 11 })));
    assert_eq!(file.roles.len(), 3);
    assert_eq!(file.roles[&Role::Go], Style::new().fg(Color::Green));
    assert_eq!(file.roles[&Role::Error], Style::new().fg(Color::Indexed(208)));
    let title = Style::new().fg(Color::Rgb(1, 2, 3)).bg(Color::Reset);
    let title = title.add_modifier(Modifier::BOLD).remove_modifier(Modifier::DIM);
    assert_eq!(file.roles[&Role::Title], title);
}

#[test]
fn all_theme_problems_are_reported_in_order_with_positions() {
    let text = "nme = \"x\"\ngo = \"red\"\n[roles]\nno_goo = \"red\"\nkey = \"gren\"\n\
                mark = 256\ndim = { fgg = 1, bold = \"yes\", bg = -1 }\nhunk = true\n";
    let expected = [
        "1:1: unknown key `nme`; the nearest known key is `name`",
        "2:1: unknown key `go`; the nearest known key is `roles.go`",
        "4:1: unknown key `roles.no_goo`; the nearest known key is `no_go`",
        "5:7: `roles.key` is \"gren\": a colour is `default`, one of the 16 names from `black` to \
         `bright_white`, `\"#rrggbb\"` or a number from 0 to 255; the nearest name is `green`",
        "6:8: `roles.mark` must be 0 to 255, and is 256",
        "7:9: unknown key `roles.dim.fgg`; the nearest known key is `fg`",
        "7:25: `roles.dim.bold` must be true or false, and is the text \"yes\"",
        "7:37: `roles.dim.bg` must be 0 to 255, and is -1",
        "8:8: `roles.hunk` must be a colour, or a table of `fg`, `bg`, `bold`, `dim`, `italic`, \
         `underline` and `reverse`, and is true",
    ];
    assert_eq!(problems(text), expected);
}

#[test]
fn invalid_toml_and_invalid_utf8_report_positions() {
    assert!(
        problems("[roles]\ngo = \n")[0].starts_with("2:"),
        "{:?}",
        problems("[roles]\ngo = \n")
    );
    let twice = problems("[roles]\ngo = 1\ngo = 2\n");
    assert!(twice[0].starts_with("3:1: ") && twice[0].contains("duplicate"), "{twice:?}");
    let broken = parse(b"[roles]\n\xff").unwrap_err();
    assert_eq!(broken[0].position, Position { line: 2, column: 1 });
}

#[test]
fn hostile_keys_and_values_are_quoted() {
    let text = "\"\\u001b[2J\" = 1\nname = \"\\u001b]0;x\"\n[roles]\ngo = \"\\u202e\"\n";
    for problem in problems(text) {
        assert!(!problem.contains(['\u{1b}', '\u{202e}']), "{problem:?}");
    }
    assert_eq!(problems(text).len(), 3);
}

#[test]
fn a_number_may_be_written_in_any_base() {
    let file = parse(b"[roles]\ngo = 0xff\n").unwrap();
    assert_eq!(file.roles[&Role::Go].fg, Some(Color::Indexed(255)));
}
