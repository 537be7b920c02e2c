use super::*;
use crate::domain::{JudgementKind, Timestamp};
use proptest::prelude::*;

fn texts(all: &[&str]) -> Vec<String> {
    all.iter().map(|text| (*text).to_owned()).collect()
}

fn rule(depth: RiskDepth) -> RiskRule {
    RiskRule { name: depth.name().to_owned(), depth, ..RiskRule::default() }
}

fn path(name: &str, kinds: &[ChangeKind], lines: u64) -> ChangedPath {
    let (path, kinds) = (name.to_owned(), kinds.to_vec());
    ChangedPath { path, kinds, maybe: Vec::new(), lines: Some(lines) }
}

fn change(paths: Vec<ChangedPath>) -> Change {
    Change { paths, is_complete: true, earlier: Some(Earlier::default()), ..Change::default() }
}

#[test]
fn pattern_fits_parts_of_a_path() {
    for (pattern, fitting, others) in [
        ("infra/*.tf", &["infra/a.tf", "INFRA/A.TF"][..], &["infra/x/a.tf", "a.tf"][..]),
        ("infra/", &["infra/a", "infra/x/y"], &["infra", "other/infra/a"]),
        ("**/CODEOWNERS", &["CODEOWNERS", ".github/codeowners"], &["CODEOWNERS/x"]),
        ("Cargo.lock", &["Cargo.lock", "a/b/cargo.LOCK"], &["Cargo.locks"]),
        ("a/**/b", &["a/b", "a/x/b", "a/x/y/b"], &["a/x", "b"]),
        ("*secret*", &["x/my-secrets.md"], &["secret/x.md"]),
        ("a?c/**", &["abc/x"], &["ac/x", "abc"]),
        ("**", &["x", "x/y"], &[]),
    ] {
        assert_eq!(problem(pattern), None, "{pattern}");
        fitting.iter().for_each(|path| assert!(fits(pattern, path), "{pattern} {path}"));
        others.iter().for_each(|path| assert!(!fits(pattern, path), "{pattern} {path}"));
    }
    for bad in ["", "/a", "a/../b", "a//b", "a**", "a\\b", "[ab]", "!a", "/"] {
        assert!(problem(bad).is_some(), "{bad:?}");
    }
}

#[test]
fn path_cannot_be_disguised() {
    for disguised in [
        "Infra/Access/x",
        "infra/acce\u{200b}ss/x",
        "infra\u{ad}/access/x",
        "infr\u{430}/access/x",
        "\u{ff49}nfra/access/x",
        "infra /access./x",
    ] {
        assert!(fits("infra/access/", disguised), "{disguised:?}");
    }
}

#[test]
fn pattern_with_many_stars_takes_no_time() {
    let (pattern, path) = ("*a".repeat(200) + "b", "a".repeat(2000));
    assert!(!fits(&pattern, &path));
    let (pattern, path) = ("**/a/".repeat(100) + "b", "a/".repeat(500) + "c");
    assert!(!fits(&pattern, &path));
}

#[test]
fn deepest_rule_counts_whatever_the_order() {
    let access = RiskRule { paths: texts(&["access/"]), ..rule(RiskDepth::Panel) };
    let docs = RiskRule { paths: texts(&["docs/"]), ..rule(RiskDepth::Sequential) };
    let both = change(vec![path("docs/a", &[], 1), path("access/b", &[], 1)]);
    for rules in [[access.clone(), docs.clone()], [docs.clone(), access.clone()]] {
        let found = assess(&rules, &both, RiskDepth::Quick);
        assert_eq!(
            (found.depth, found.at_most, found.rules.len()),
            (RiskDepth::Panel, RiskDepth::Panel, 2)
        );
    }
    let none = assess(&[docs], &change(vec![path("x", &[], 1)]), RiskDepth::Sequential);
    assert_eq!((none.depth, none.rules.len()), (RiskDepth::Sequential, 0));
}

#[test]
fn conditions_of_a_rule_hold_together_and_on_the_same_file() {
    let rules = [RiskRule {
        paths: texts(&["ci/"]),
        changes: vec![ChangeKind::Deleted, ChangeKind::Mode],
        ..rule(RiskDepth::Panel)
    }];
    let deep = |paths| assess(&rules, &change(paths), RiskDepth::Quick).depth;
    assert_eq!(deep(vec![path("ci/a", &[ChangeKind::Mode], 0)]), RiskDepth::Panel);
    let apart = vec![path("ci/a", &[ChangeKind::Added], 1), path("x", &[ChangeKind::Deleted], 1)];
    assert_eq!(deep(apart), RiskDepth::Quick);
    let large = [RiskRule { paths: texts(&["src/"]), lines: Some(10), ..rule(RiskDepth::Panel) }];
    let of = |paths| assess(&large, &change(paths), RiskDepth::Quick).depth;
    assert_eq!(of(vec![path("src/a", &[], 9), path("x", &[], 99)]), RiskDepth::Quick);
    assert_eq!(of(vec![path("src/a", &[], 9), path("src/b", &[], 1)]), RiskDepth::Panel);
}

#[test]
fn sizes_are_added_up_over_earlier_changes() {
    let rules = [RiskRule { lines: Some(100), ..rule(RiskDepth::Panel) }];
    let mut one = change(vec![path("a", &[], 40)]);
    assert_eq!(assess(&rules, &one, RiskDepth::Quick).at_most, RiskDepth::Quick);
    one.earlier = Some(Earlier { lines: 60, files: 1 });
    assert_eq!(assess(&rules, &one, RiskDepth::Quick).depth, RiskDepth::Panel);
    one.earlier = None;
    let found = assess(&rules, &one, RiskDepth::Quick);
    assert_eq!((found.depth, found.at_most), (RiskDepth::Quick, RiskDepth::Panel));
    assert_eq!(found.rules[0].on, ["an unknown number of lines, at least 40"]);
}

#[test]
fn what_is_not_known_is_taken_for_the_worst() {
    let rules = [
        RiskRule { changes: vec![ChangeKind::Binary], ..rule(RiskDepth::Sequential) },
        RiskRule { author_error: Some(0.2), ..rule(RiskDepth::Panel) },
        RiskRule { sensitive: true, ..rule(RiskDepth::Person) },
    ];
    let mut one = change(vec![ChangedPath::unknown("a")]);
    one.sensitive = Certainty::Maybe;
    let found = assess(&rules, &one, RiskDepth::Quick);
    assert_eq!((found.depth, found.at_most), (RiskDepth::Quick, RiskDepth::Person));
    assert!(found.rules.iter().all(|rule| rule.applies == Certainty::Maybe));
}

fn rate(author: &str, high: f64, overrides: u64) -> AuthorRate {
    AuthorRate {
        author: author.to_owned(),
        family: JudgementKind::Push,
        judged: 100,
        flagged: 10,
        labelled: 50,
        poor: Some(Rate { estimate: high / 2.0, low: 0.0, high }),
        overrides,
    }
}

#[test]
fn upper_bound_of_the_worst_contributor_counts() {
    let snapshot = RatesSnapshot {
        schema: RatesFormat::Rates1,
        made_at: Timestamp(0),
        days: 30,
        authors: vec![rate("Good Agent", 0.05, 0), rate("Poor Agent", 0.4, 3)],
    };
    let of = |people: &[&str]| author_rate(&snapshot, JudgementKind::Push, people.iter().copied());
    assert_eq!(of(&["good  AGENT"]).unwrap().poor.unwrap().high, 0.05);
    let both = of(&["Good Agent", "Poor Agent"]).unwrap();
    assert_eq!((both.poor.unwrap().high, both.overrides), (0.4, 3));
    assert_eq!(of(&["Good Agent", "somebody"]), None);
    assert_eq!(author_rate(&snapshot, JudgementKind::Task, ["Good Agent"]), None);
    let rules = [RiskRule { author_error: Some(0.2), ..rule(RiskDepth::Panel) }];
    let by = |author| Change { author, ..change(vec![path("a", &[], 1)]) };
    let depth = |people: &[&str]| assess(&rules, &by(of(people)), RiskDepth::Quick).at_most;
    assert_eq!(depth(&["Good Agent"]), RiskDepth::Quick);
    assert_eq!(depth(&["Poor Agent"]), RiskDepth::Panel);
    assert_eq!(depth(&["nobody knows"]), RiskDepth::Panel, "unknown: the deeper one");
}

proptest! {
    /// Whatever is added to a change, it is never judged less deeply.
    #[test]
    fn more_never_lowers_the_depth(
        names in proptest::collection::vec("[a-c]{1,2}(/[a-c]{1,2})?", 1..6),
        more in "[a-c]{1,2}(/[a-c]{1,2})?",
        least in 1_u64..40,
        lines in 0_u64..30,
        at in 0_usize..7,
    ) {
        let kind = ChangeKind::ALL[at];
        let rules = [
            RiskRule { paths: texts(&["a/", "b*"]), ..rule(RiskDepth::Sequential) },
            RiskRule { lines: Some(least), changes: vec![kind], ..rule(RiskDepth::Panel) },
            RiskRule { files: Some(4), paths: texts(&["c/**"]), ..rule(RiskDepth::Person) },
        ];
        let paths: Vec<_> = names.iter().map(|name| path(name, &[ChangeKind::Added], lines)).collect();
        let before = assess(&rules, &change(paths.clone()), RiskDepth::Quick);
        let mut larger = paths;
        larger.push(path(&more, &[kind], lines));
        let after = assess(&rules, &change(larger), RiskDepth::Quick);
        prop_assert!(after.depth >= before.depth && after.at_most >= before.at_most);
        prop_assert!(before.at_most >= before.depth);
    }
}
