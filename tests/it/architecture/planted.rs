//! The rules themselves: each one finds what is planted, and nothing else.

use super::circles::{circles, circles_of_files, unexcused};
use super::command_size;
use super::instruments::named;
use super::names::banned;
use super::rules::{arrows, check, check_any, unlisted};

#[track_caller]
fn finds(path: &str, text: &str, part: &str) {
    let broken = check(path, text);
    assert_eq!(broken.len(), 1, "{text}: {broken:?}");
    assert!(broken[0].starts_with(path) && broken[0].contains(part), "{text}: {broken:?}");
}

#[track_caller]
fn passes(path: &str, text: &str) {
    assert_eq!(check(path, text), Vec::<String>::new(), "{text}");
}

#[test]
fn an_arrow_up_or_sideways_is_found_and_one_down_is_not() {
    finds("src/domain/record.rs", "use crate::jsonl::Line;", "domain may not import jsonl");
    finds("src/store/mirror.rs", "fn f() { crate::cli::main(); }", "store may not import cli");
    finds("src/report/text.rs", "use crate::cli::Context;", "report may not import cli");
    finds("src/tui/run.rs", "use crate::cli::Context;", "tui may not import cli");
    finds("src/jsonl/mod.rs", "use crate::stats::Interval;", "jsonl may not import stats");
    finds("src/pull.rs", "type T = Vec<crate::triage::Report>;", "pull may not import triage");
    finds("src/frame/a.rs", "mod t { use crate::files::paths; }", "frame may not import files");
    passes("src/cli/run.rs", "use crate::text::escape; use crate::tui::run;");
    finds("crates/a/src/domain/b.rs", "use crate::git::id;", "domain may not import git");
    passes("src/store/cache.rs", "use crate::frame::schema; use crate::files::paths;");
}

#[test]
fn hidden_imports_are_found() {
    finds("src/cli/a.rs", "use crate::{config::Config, domain};", "hides");
    finds("src/cli/a.rs", "use crate::*;", "hides");
    finds("src/cli/a.rs", "use crate as all;", "hides");
    finds("src/cli/a.rs", "use foureyes::config::Config;", "hides");
    finds("src/cli/a.rs", "use crate::unheard_of::X;", "is not a room");
    finds("src/unheard_of/a.rs", "fn f() {}", "no place");
    finds("src/jsonl/a.rs", "use super::super::cli::main;", "leads to the top");
    finds("src/jsonl/mod.rs", "use super::cli::main;", "leads to the top");
    finds("src/jsonl/a.rs", "mod t { use super::super::super::cli; }", "leads to the top");
    passes("src/jsonl/a.rs", "use super::b; mod t { use super::super::b; }");
    passes("src/jsonl/a/b.rs", "use super::super::c;");
}

#[test]
fn input_and_output_in_the_console_model_are_found() {
    finds("src/tui/model/a.rs", "use crate::git::CommitId;", "git is input and output");
    finds("src/tui/update/a.rs", "fn f() { std::fs::read(p); }", "fs is in a pure room");
    finds("src/tui/view/a.rs", "use std::time::Instant;", "Instant is in a pure room");
    passes("src/tui/perform/a.rs", "use crate::git::CommitId; use std::time::Instant;");
    passes("src/tui/model/a.rs", "#[cfg(test)] mod tests { use crate::git::CommitId; }");
}

#[test]
fn circles_of_modules_are_found() {
    let file = |path: &str, text: &str| (path.to_owned(), text.to_owned());
    let mut files = vec![
        file("src/pull/mod.rs", "mod a; mod b; mod c; pub use c::C; pub struct Error;"),
        file("src/pull/a.rs", "use super::b::B; use super::Error; pub struct A;"),
        file("src/pull/b.rs", "pub struct B; fn f() -> super::C {}"),
        file("src/pull/c.rs", "pub struct C; #[cfg(test)] mod tests { use super::super::a::A; }"),
    ];
    assert_eq!(circles(&files), Vec::<Vec<String>>::new());
    files[3].1 = "use crate::pull::a::A; pub struct C;".to_owned();
    let lines = ["pull::a uses pull::b::B", "pull::b uses pull::C", "pull::c uses pull::a::A"];
    assert_eq!(circles(&files), [lines]);
}

#[test]
fn circles_of_files_are_found_inside_a_module_and_through_what_hands_names_on() {
    let file = |name: &str, text: &str| (format!("src/pull/a/{name}.rs"), text.to_owned());
    let mut files = vec![
        ("src/pull/mod.rs".to_owned(), "mod a; pub struct Error;".to_owned()),
        file("mod", "mod b; mod c; mod d; mod e; mod f; pub use c::C; pub use d::*; pub struct A;"),
        file("b", "use super::C; use super::A; use crate::pull::Error; pub struct B;"),
        file("c", "pub struct C; fn f(_: super::D) {}"),
        file("d", "pub struct D; fn f(_: super::e::E) {}"),
        file("e", "pub struct E; fn f(_: super::f::F) {}"),
        file("f", "pub struct F;"),
    ];
    assert_eq!(circles_of_files(&files), Vec::<Vec<String>>::new());
    files[6].1 = "use super::b::B; pub struct F;".to_owned();
    assert_eq!(circles(&files), Vec::<Vec<String>>::new());
    let circle = &circles_of_files(&files)[0];
    assert_eq!((circle.len(), &*circle[0]), (5, "pull::a::b uses pull::a::C"));
    assert!(unexcused(&circles_of_files(&files))[0].starts_with("a circle of 5 files"));
    files[5].1 = "pub struct E; fn f(_: super::b::B) {}".to_owned();
    assert!(
        !unexcused(&circles_of_files(&files))
            .iter()
            .any(|text| text.contains("a circle of 4 files:"))
    );
}

#[test]
fn a_larger_circle_is_excused_at_its_size_only() {
    let circle = |room: &str, files: usize| {
        (0..files).map(|n| format!("{room}::f{n} uses {room}::X")).collect::<Vec<_>>()
    };
    let listed = circle("config", 18);
    assert_eq!(unexcused(std::slice::from_ref(&listed)), Vec::<String>::new());
    let two = unexcused(&[listed.clone(), circle("config", 5)]);
    assert!(two.len() == 1 && two[0].starts_with("a circle of 5 files"), "{two:?}");
    assert_eq!(unexcused(&[listed.clone(), circle("config", 4)]), Vec::<String>::new());
    assert_eq!(unexcused(&[circle("config", 19)]), ["config: a circle of 19 files, 18 listed"]);
    assert_eq!(unexcused(&[circle("config", 3)]), ["config: a circle of 3 files, 18 listed"]);
    let other = unexcused(&[listed, circle("configured", 5)]);
    assert!(other.len() == 1 && other[0].starts_with("a circle of 5 files"), "{other:?}");
}

#[test]
fn comments_and_strings_are_not_code() {
    let text = r##"
        //! [`crate::cli::main`] println!("x") polars
        /// See [`crate::tui`] and `std::env::var`.
        /* crate::cli */
        pub const A: &str = "use crate::cli; polars::prelude";
        pub const B: &str = r#"std::env::var("X")"#;
    "##;
    passes("src/domain/a.rs", text);
    assert!(arrows("src/domain/a.rs", text).is_empty());
}

#[test]
fn crates_outside_their_rooms_are_found() {
    finds("src/triage/a.rs", "use polars::prelude::*;", "polars");
    finds("src/store/a.rs", "fn f(x: polars_io::Reader) {}", "polars");
    finds("src/cli/a.rs", "use ratatui::Frame;", "ratatui");
    finds("src/report/a.rs", "use crossterm::style;", "crossterm");
    finds("src/source/local.rs", "use openssh::Session;", "openssh");
    finds("src/cli/a.rs", "fn f(e: color_eyre::Report) {}", "color_eyre");
    finds("src/source/ssh.rs", "use reqwest::Client;", "reqwest");
    finds("src/jsonl/a.rs", "async fn f() { tokio::spawn(g()); }", "tokio");
    finds("src/tui/update/a.rs", "use tokio::sync::mpsc;", "tokio");
    finds("src/report/a.rs", "#[derive(clap::Args)] struct A;", "clap");
    finds("src/calibration/a.rs", "use statrs::function::beta;", "statrs");
    finds("src/engine/a.rs", "use rayon::prelude::*;", "rayon");
    finds("src/source/framing.rs", "fn f() { RandomState::new(); }", "RandomState");
    passes("src/source/ssh.rs", "use openssh::Session;");
    passes("src/source/ssh/session.rs", "use openssh::Session;");
    passes("src/frame/query.rs", "use polars::prelude::*;");
    passes("src/main.rs", "fn main() { color_eyre::install(); }");
}

#[test]
fn printing_outside_its_rooms_is_found() {
    for text in [
        "fn f() { println!(\"x\"); }",
        "fn f() { std::eprint!(\"x\"); }",
        "fn f() { dbg!(1); }",
        "fn f() { std::io::stdout().flush(); }",
        "use std::io::{self, stderr};",
        "fn f() { let x = io::stderr(); }",
        "fn f() { stdout().lock(); }",
    ] {
        finds("src/store/a.rs", text, "prints");
        passes("src/cli/a.rs", text);
        passes("src/report/a.rs", text);
        passes("src/tui/terminal/a.rs", text);
        finds("src/tui/view/a.rs", text, "prints");
    }
    passes("src/git/a.rs", "fn f(c: Command) { c.stdout(Stdio::piped()); c.output().stdout; }");
    passes("src/git/a.rs", "#[cfg(test)] mod tests { fn f() { println!(); } }");
    finds("src/git/a.rs", "mod tests { fn f() { println!(); } }", "prints");
}

#[test]
fn reading_the_environment_outside_its_room_is_found() {
    for text in [
        "fn f() { std::env::var(\"HOME\"); }",
        "use std::env; fn f() { env::var_os(\"HOME\"); }",
        "use std::env::{self, vars};",
        "fn f() { std::env::temp_dir(); }",
        "use std::env::*;",
    ] {
        finds("src/store/a.rs", text, "environment");
        passes("src/config/a.rs", text);
    }
    passes("src/store/a.rs", "const V: &str = env!(\"CARGO_PKG_VERSION\");");
}

#[test]
fn a_pure_room_that_touches_the_world_is_found() {
    for text in [
        "use std::fs;",
        "use std::{fmt, net::TcpStream};",
        "fn f() { std::process::exit(1); }",
        "fn f() -> Timestamp { jiff::Timestamp::now() }",
        "use std::time::Instant;",
    ] {
        finds("src/jsonl/a.rs", text, "pure");
        passes("src/pull.rs", text);
    }
    passes("src/jsonl/a.rs", "#[cfg(test)] mod tests { use std::fs; }");
}

#[test]
fn a_test_that_is_switched_off_and_a_long_file_are_found() {
    assert_eq!(check_any("tests/it/a.rs", "#[test] #[ignore] fn f() {}").len(), 1);
    assert_eq!(check_any("tests/it/a.rs", "#[ignore = \"slow\"] fn f() {}").len(), 1);
    assert_eq!(check_any("tests/it/a.rs", "#[cfg_attr(x, ignore)] fn f() {}").len(), 1);
    assert_eq!(check_any("tests/it/a.rs", "#[arg(ignore_case = true)] fn f() {}").len(), 0);
    assert_eq!(check_any("src/a.rs", &"\n".repeat(401)).len(), 1);
    assert_eq!(check_any("src/a.rs", &"\n".repeat(400)).len(), 0);
}

#[test]
fn undeclared_test_file_is_found() {
    let file = |path: &str, text: &str| (path.to_owned(), text.to_owned());
    let mut files = vec![
        file("tests/it/main.rs", "mod a;\n// mod c;"),
        file("tests/it/a.rs", "mod b;"),
        file("tests/it/a/b.rs", ""),
    ];
    assert!(unlisted(&files).is_empty());
    files.push(file("tests/it/c.rs", ""));
    files.push(file("tests/it/a/d.rs", ""));
    files.push(file("tests/other.rs", ""));
    assert_eq!(unlisted(&files), ["tests/it/c.rs", "tests/it/a/d.rs", "tests/other.rs"]);
}

#[test]
fn long_function_is_found_and_long_test_is_not() {
    let body = |lines: usize| format!("fn long() {{\n{}}}\n", "    step();\n".repeat(lines - 2));
    let long = |text: &str| super::functions::check("src/cli/a.rs", text);
    assert!(long(&body(60)).is_empty());
    assert!(long(&body(61)).concat().contains("long has 61 lines"));
    assert!(long(&format!("impl A {{ const {} }}", body(61))).len() == 1);
    assert!(long(&format!("#[cfg(test)]\nmod tests {{\n{}}}", body(61))).is_empty());
    assert!(long(&format!("trait A {{ fn long();\n}}\n{}", body(3))).is_empty());
}

#[test]
fn large_file_of_the_command_line_is_found() {
    let code = "fn f() {}\n".repeat(121);
    let rest = "// no code\n\n/// Of the next.\n";
    let tests = format!("#[cfg(test)]\nmod tests {{\n{code}}}\n");
    let large = |path: &str, text: &str| command_size::check(path, text);
    let text = large("src/cli/operator/a.rs", &code).unwrap();
    assert_eq!(text, "src/cli/operator/a.rs: 121 lines of code, more than 120");
    let small = "fn f() {}\n".repeat(119);
    assert_eq!(large("src/cli/a.rs", &format!("{small}{rest}fn g() {{}}\n{tests}")), None);
    assert!(large("src/cli/a.rs", &format!("{small}{rest}fn g() {{}}\nfn h() {{}}\n")).is_some());
    assert_eq!(large("src/report/a.rs", &code), None);
    assert_eq!(large("src/cli/operator/a/tests.rs", &code), None);
    assert!(large("src/cli/judge/document.rs", &code).is_some());
}

#[test]
fn banned_name_is_found_and_banned_word_in_text_is_not() {
    for text in ["fn f(said: &str) {}", "struct World;", "fn g() { self.told = 1; }", "mod ear;"] {
        assert_eq!(banned("src/cli/a.rs", text).len(), 1, "{text}");
    }
    assert_eq!(banned("src/cli/say.rs", ""), ["src/cli/say.rs: say"]);
    let text = "/// As was said.\nfn f() -> &'static str { \"you are told\" }";
    assert!(banned("src/cli/a.rs", text).is_empty());
}

#[test]
fn name_of_a_family_is_found_but_in_tests_and_where_it_belongs() {
    let path = "crates/foureyes-app/src/a.rs";
    let finds = |text: &str| assert_eq!(named(path, text), [2], "{text}");
    finds("fn f(kind: JudgementKind) -> bool {\nkind == JudgementKind::Task }");
    finds("\nuse crate::domain::JudgementKind::{Push, Task};");
    let tested = "#[cfg(test)]\nmod tests { fn f() { g(JudgementKind::Push); } }";
    let other =
        "fn f(family: Family) { g(Family::Push, JudgementKind::DEFAULT, HookProtocol::Task) }";
    assert_eq!(named(path, &format!("{tested}\n{other}")), [0; 0]);
    let row = "const KIND: JudgementKind = JudgementKind::Push;";
    assert_eq!(named("crates/foureyes-core/src/instruments/push.rs", row), [0; 0]);
}
