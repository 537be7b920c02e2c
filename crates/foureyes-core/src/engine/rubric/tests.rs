use super::*;

fn scores(semantic: u8, pragmatic: u8, syntactic: u8) -> Scores {
    Scores { semantic, pragmatic, syntactic }
}

/// What is wrong with the rubric where a text of it is replaced.
#[track_caller]
fn wrong(from: &str, to: &str) -> Vec<String> {
    assert_eq!(EMBEDDED.matches(from).count(), 1, "{from}");
    let problems = Rubric::parse(&EMBEDDED.replace(from, to)).unwrap_err();
    problems.0.iter().map(ToString::to_string).collect()
}

#[test]
fn the_rubric_of_the_program_is_right() {
    let rubric = Rubric::embedded().unwrap();
    assert_eq!(rubric.aspects.each_ref().map(|a| a.dimension), Dimension::ALL);
    assert!(rubric.aspects.iter().all(|a| a.criteria.len() == 3));
    assert_eq!(rubric.push, PushRule { least: 3 });
    assert_eq!(rubric.task, TaskRule { accept_least: 3, accept_average: 3.5, improve_least: 2 });
}

#[test]
fn a_push_passes_only_with_every_score_at_the_bar() {
    let rubric = Rubric::embedded().unwrap();
    for a in LOWEST..=HIGHEST {
        for b in LOWEST..=HIGHEST {
            for c in LOWEST..=HIGHEST {
                let go = rubric.verdict(&scores(a, b, c)) == PushVerdict::Go;
                assert_eq!(go, a >= 3 && b >= 3 && c >= 3, "{a} {b} {c}");
            }
        }
    }
}

#[test]
fn task_verdict_follows_lowest_score_and_mean() {
    let rubric = Rubric::embedded().unwrap();
    for a in LOWEST..=HIGHEST {
        for b in LOWEST..=HIGHEST {
            for c in LOWEST..=HIGHEST {
                let (lowest, sum) = (a.min(b).min(c), a + b + c);
                let expected = match (lowest, sum) {
                    (1, _) => TaskVerdict::Reject,
                    (3.., 11..) => TaskVerdict::Accept,
                    _ => TaskVerdict::Improve,
                };
                assert_eq!(rubric.task_verdict(&scores(a, b, c)), expected, "{a} {b} {c}");
            }
        }
    }
    // All at the bar, and the mean below it: neither accepted nor rejected.
    assert_eq!(rubric.task_verdict(&scores(3, 3, 4)), TaskVerdict::Improve);
}

#[test]
fn the_rule_in_words_names_every_word_of_its_vocabulary() {
    let rubric = Rubric::embedded().unwrap();
    for kind in [&TASK, &LADDER] {
        let text = (kind.rule)(&rubric);
        let starts = |word: &str| text.lines().any(|line| line.starts_with(&format!("{word}: ")));
        assert!(kind.all_words().all(starts), "{text}");
        assert!(text.contains("3.5"), "{text}");
    }
}

#[test]
fn the_bar_is_data() {
    let strict = Rubric::parse(&EMBEDDED.replace("\nleast = 3", "\nleast = 5")).unwrap();
    assert_eq!(strict.verdict(&scores(5, 5, 4)), PushVerdict::NoGo);
    assert_eq!(strict.verdict(&scores(5, 5, 5)), PushVerdict::Go);
    assert!(strict.push_text().contains("at least 5"));
}

#[test]
fn another_text_is_another_version() {
    let rubric = Rubric::embedded().unwrap();
    assert_eq!(rubric.hash().len(), 64);
    assert_eq!(rubric.hash(), Rubric::embedded().unwrap().hash());
    let other = Rubric::parse(&EMBEDDED.replace("Facts are right", "Facts hold")).unwrap();
    assert_ne!(rubric.hash(), other.hash());
}

#[test]
fn a_prompt_names_every_dimension_criterion_and_score() {
    let rubric = Rubric::embedded().unwrap();
    let text = rubric.dimensions_text();
    for aspect in &rubric.aspects {
        assert!(text.contains(&format!("* {}: {}", aspect.dimension.as_str(), aspect.question)));
        assert!(aspect.criteria.iter().all(|c| text.contains(c.as_str())));
    }
    assert_eq!(rubric.scale_text().lines().count(), 5);
    assert!(rubric.scale_text().starts_with("1 = poor"));
}

#[test]
fn rubric_errors_have_line_and_column() {
    let line = |part: &str| EMBEDDED.lines().position(|l| l.starts_with(part)).unwrap() + 1;
    let least = line("least");
    assert_eq!(
        wrong("\nleast = 3", "\nleast = 6"),
        [format!("{least}:9: `push.least` must be 1 to 5, and is 6")]
    );
    let scale = line("3 = ");
    assert_eq!(
        wrong("\n3 = \"", "\n7 = \""),
        [
            format!("{}:1: `scale` does not say what 3 means", line("[scale]")),
            format!("{scale}:1: `scale` has the scores 1 to 5, and no \"7\""),
        ]
    );
    let name = line("name = \"pragmatic\"");
    let found = wrong("name = \"pragmatic\"", "name = \"semantic\"");
    assert_eq!(found[0], format!("{name}:8: the dimension \"semantic\" is given twice"));
    assert!(found[1].ends_with("there is no dimension \"pragmatic\""), "{found:?}");
    let found = wrong("name = \"syntactic\"", "name = \"beauty\"");
    assert!(found[0].contains("and this is \"beauty\""), "{found:?}");
    assert!(wrong("improve_least = 2", "improve_least = 4")[0].contains("is above"));
    assert!(wrong("accept_average = 3.5", "accept_average = nan")[0].contains("must be 1 to 5"));
    let found =
        wrong("\"Its structure is complete: no empty section, no unfinished sentence.\"", "\"\"");
    assert!(found[0].ends_with("`criteria` is empty"), "{found:?}");
    assert!(wrong("least = 3\n\n", "least = \"3\"\n\n")[0].starts_with(&format!("{least}:9: ")));
    assert!(wrong("[push]", "[push]\nmost = 3")[0].contains("unknown field `most`"));
    assert!(Rubric::parse("[scale").unwrap_err().to_string().starts_with("1:"));
    assert!(Rubric::parse("").unwrap_err().to_string().contains("missing field"));
    let found = wrong("question = \"Is the", "question = \"\\u202eIs the");
    assert!(found[0].contains("hidden characters"), "{found:?}");
    assert!(Rubric::parse(&"#".repeat(70_000)).unwrap_err().to_string().contains("65536 bytes"));
}

#[test]
fn all_rubric_problems_are_reported_in_file_order() {
    let text = EMBEDDED.replace("\nleast = 3", "\nleast = 0").replace("\n5 = \"", "\n9 = \"");
    let problems = Rubric::parse(&text).unwrap_err().0;
    assert_eq!(problems.len(), 3, "{problems:?}");
    assert!(problems.windows(2).all(|two| two[0].line <= two[1].line));
}
