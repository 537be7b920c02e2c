//! Random queries over random records.

use super::reference::matches;
use super::rows::{REACHED, Row, boxes, frame_with, reviews};
use foureyes::domain::{Cause, Dimension, Family, JudgementKind, Outcome, RecordId, Timestamp};
use foureyes::frame::FrameError;
use foureyes::frame::query::{
    CauseTest, Claimant, Day, Decision, Label, Match, Moment, Node, Peer, Query, Scope, Term, Test,
    TextField, Unit,
};
use proptest::prelude::*;
use proptest::sample::select;

/// 2026-02-15T10:30:00Z.
const NOW: Timestamp = Timestamp(1_771_151_400_000_000);
const HOUR: i64 = 3_600_000_000;

fn pool() -> BoxedStrategy<String> {
    select(vec![
        "timeout",
        "Timeout at ÉTUDE",
        "étude",
        "TIME",
        "e",
        "a b",
        "research/",
        "research/a.md",
        "research",
        "./",
        "./a.md",
        "/",
        "x(y)|z",
        "say \"no\" \\ yes",
        "-x",
        "=y",
        "a:b",
        "abc123",
        "ABC1",
        "llama",
        "small",
        "Small",
        "2",
        "\u{1b}[31m",
        "line\nbreak",
        "zzz",
        "accept",
        "GO",
        "日本",
    ])
    .prop_map(str::to_owned)
    .boxed()
}

fn some_text() -> impl Strategy<Value = Option<String>> {
    proptest::option::weighted(0.7, (pool(), pool()).prop_map(|(a, b)| a + &b))
}

fn row() -> impl Strategy<Value = Row> {
    let numbers = (
        prop_oneof![Just([0; 32]), Just([0xff; 32]), any::<[u8; 32]>()],
        0_u32..3,
        proptest::option::weighted(0.8, (-400_i64..400).prop_map(|h| NOW.0 + h * HOUR / 2)),
        (0_u32..4, 0_u32..4, 0_u32..15),
        (any::<bool>(), 0_u32..3, 0_u32..4, any::<(bool, bool)>(), any::<(bool, bool)>()),
        proptest::option::of(0_i64..4_000),
        proptest::array::uniform3(proptest::option::of(select(vec![1.0_f32, 2.0, 2.5, 3.3, 5.0]))),
    );
    let texts = (
        (some_text(), some_text(), some_text(), some_text(), some_text()),
        (some_text(), some_text(), some_text(), some_text(), some_text(), some_text(), some_text()),
        proptest::collection::vec(pool(), 0..3),
        proptest::option::of(select(vec![
            "",
            "\0semantic",
            "\0pragmatic\0a",
            "\0syntactic\0semantic",
        ])),
    );
    (numbers, texts).prop_map(|(n, t)| {
        let (id, box_index, ts, (family, outcome, cause), flags, latency, scores) = n;
        let (repeat, settled, round, (odd_score, escalation), (overtaken, is_open)) = flags;
        let ((commit, task, author, model, served), more, files, terms) = t;
        let (verdict, findings, mode, reviewer, consensus, tier, depth) = more;
        Row {
            id,
            box_index,
            ts,
            family,
            outcome,
            cause,
            repeat,
            settled,
            round,
            escalation,
            overtaken,
            is_open,
            latency,
            scores,
            odd_score,
            commit,
            task,
            author,
            model,
            served,
            verdict,
            files,
            findings,
            mode: mode.map(|mode| if mode.len() % 2 == 0 { "blocking".to_owned() } else { mode }),
            reviewer,
            consensus,
            tier,
            depth,
            terms: terms.map(str::to_owned),
        }
    })
}

fn test<T: PartialOrd + Copy + std::fmt::Debug>(
    value: impl Strategy<Value = T> + Clone,
) -> impl Strategy<Value = Test<T>> {
    (value.clone(), value, 0..6).prop_map(|(a, b, kind)| match kind {
        0 => Test::Below(a),
        1 => Test::AtMost(a),
        2 => Test::Above(a),
        3 => Test::AtLeast(a),
        4 => Test::Equal(a),
        _ if a <= b => Test::Between(a, b),
        _ => Test::Between(b, a),
    })
}

fn day() -> impl Strategy<Value = Day> {
    prop_oneof![Just(Day::Today), Just(Day::Yesterday), (20_490_i32..20_510).prop_map(Day::Date)]
}

fn moment() -> impl Strategy<Value = Moment> {
    prop_oneof![
        (0_u32..300, select(Unit::ALL.to_vec())).prop_map(|(n, u)| Moment::Ago(n, u)),
        day().prop_map(Moment::Day),
        (-200_i64..200).prop_map(|h| Moment::At(Timestamp(NOW.0 + h * HOUR / 2 + h))),
    ]
}

fn term(text: BoxedStrategy<String>) -> impl Strategy<Value = Term> {
    let how = select(vec![Match::Loose, Match::Exact]);
    let outcomes = vec![Some(Outcome::Go), Some(Outcome::NoGo), Some(Outcome::Undetermined), None];
    let id =
        prop_oneof![Just("0".repeat(64)), Just("f".repeat(64)), "[0-9a-f]{1,40}", "[0f]{1,64}"];
    let cause = prop_oneof![
        Just(CauseTest::None),
        Just(CauseTest::Any),
        Just(CauseTest::NoJudge),
        select(Cause::ALL.to_vec()).prop_map(CauseTest::Is),
    ];
    let dimension = proptest::option::of(select(Dimension::ALL.to_vec()));
    let scores = test(select(vec![1.0_f32, 2.0, 2.5, 3.3, 4.75]));
    prop_oneof![
        text.clone().prop_map(Term::Free),
        select(outcomes).prop_map(Term::Outcome),
        text.clone().prop_map(Term::Verdict),
        select(Family::ALL.to_vec()).prop_map(Term::Family),
        (select(TextField::ALL.to_vec()), how, text).prop_map(|(f, h, t)| Term::Text(f, h, t)),
        select(TextField::ALL.to_vec()).prop_map(Term::Has),
        cause.prop_map(Term::Cause),
        id.prop_map(Term::Id),
        (dimension, scores).prop_map(|(d, t)| Term::Score(d, t)),
        test(0_i64..4_000).prop_map(Term::Latency),
        test(0_u32..5).prop_map(Term::Round),
        moment().prop_map(Term::Since),
        moment().prop_map(Term::Until),
        day().prop_map(Term::Day),
        any::<bool>().prop_map(Term::Undated),
        any::<bool>().prop_map(Term::Repeat),
        select(JudgementKind::ALL.to_vec()).prop_map(Term::Evaluation),
        Just(Term::Escalation),
        Just(Term::Unfinished),
        Just(Term::Flagged),
        Just(Term::Stopped),
        Just(Term::New),
        Just(Term::OddScore),
        Just(Term::Unexplained),
        select(Label::ALL.to_vec()).prop_map(Term::Label),
        select(Decision::ALL.to_vec()).prop_map(Term::Override),
        select(Peer::ALL.to_vec()).prop_map(Term::Peer),
        select(vec![
            Claimant::None,
            Claimant::Any,
            Claimant::Me,
            Claimant::Named(Match::Loose, "NN".to_owned()),
            Claimant::Named(Match::Exact, "anna".to_owned()),
        ])
        .prop_map(Term::Claimed),
        select(vec![
            Claimant::None,
            Claimant::Any,
            Claimant::Me,
            Claimant::Named(Match::Loose, "nn".to_owned()),
            Claimant::Named(Match::Exact, "bert".to_owned()),
        ])
        .prop_map(Term::Assigned),
    ]
}

fn node(text: BoxedStrategy<String>) -> impl Strategy<Value = Node> {
    term(text).prop_map(Node::Term).prop_recursive(5, 24, 4, |inner| {
        prop_oneof![
            inner.clone().prop_map(|n| Node::Not(Box::new(n))),
            proptest::collection::vec(inner.clone(), 2..4).prop_map(Node::And),
            proptest::collection::vec(inner, 2..4).prop_map(Node::Or),
        ]
    })
}

/// The rows that match in a frame of the columns that the query says it reads.
fn answer(query: &Query, rows: &[Row]) -> Result<Vec<bool>, FrameError> {
    let scope = Scope {
        boxes: &boxes(),
        now: NOW,
        reviews: &reviews(rows).read_by(Some("anna".to_owned())).read_until(REACHED.to_vec()),
    };
    query.matches(&frame_with(&query.columns(), rows), &scope)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(192))]

    #[test]
    fn the_mask_agrees_with_the_slow_evaluator(
        root in node(pool()),
        rows in proptest::collection::vec(row(), 0..24),
    ) {
        let query = Query::new(root);
        let boxes = boxes();
        let slow = |r: &Row| matches(query.root(), r, &boxes, NOW);
        let expected: Vec<_> = rows.iter().map(slow).collect();
        prop_assert_eq!(answer(&query, &rows).unwrap(), expected, "{}", query);
    }

    #[test]
    fn a_printed_query_parses_to_itself(
        root in node(prop_oneof![pool(), any::<String>()]
            .prop_filter("a text", |t| !t.is_empty() && !t.contains('\0')).boxed()),
    ) {
        let query = Query::new(root);
        let text = query.to_string();
        prop_assert_eq!(Query::parse(&text), Ok(query), "{}", text);
        prop_assert!(!text.chars().any(char::is_control));
    }

    #[test]
    fn any_text_can_be_asked_for_in_any_field(text in r#"[-=:()|"\\\\ .<a\n]{1,6}"#) {
        let fields = TextField::ALL.iter().flat_map(|f| [(*f, Match::Loose), (*f, Match::Exact)]);
        let fields = fields.map(|(field, how)| Term::Text(field, how, text.clone()));
        for term in fields.chain([Term::Free(text.clone()), Term::Verdict(text.clone())]) {
            let query = Query::new(Node::Term(term));
            prop_assert_eq!(Query::parse(&query.to_string()), Ok(query));
        }
    }

    #[test]
    fn no_text_makes_the_parser_panic(
        text in prop_oneof![
            any::<String>(),
            r#"[ ()|"\\:=<>.\-a-z0-9é]{0,40}"#,
            proptest::collection::vec(select(vec![
                "(", ")", "|", "-", "\"", "\\", ":", "score", ":=", "a", " ", "latency:>2s", "..",
                "since:", "7d", "\0", "\u{202e}", "é", "id:", "\\u{", "}", "verdict:", "go",
            ]), 0..30).prop_map(|v| v.concat()),
        ],
    ) {
        match Query::parse(&text) {
            Ok(query) => prop_assert_eq!(Query::parse(&query.to_string()), Ok(query)),
            Err(error) => {
                prop_assert!(text.get(error.range.clone()).is_some(), "{:?}", error);
                let shown = error.render(&text);
                prop_assert!(!shown.chars().any(|c| c.is_control() && c != '\n'));
                prop_assert!((3..=4).contains(&shown.lines().count()), "{}", shown);
            }
        }
    }

    #[test]
    fn a_row_is_found_by_every_beginning_of_its_id(bytes in any::<[u8; 32]>(), len in 1_usize..=64) {
        let mut row = super::rows::go("2026-02-15T10:30:00Z");
        row.id = bytes;
        let text = RecordId(bytes).to_string();
        let query = Query::parse(&format!("id:{}", &text[..len])).unwrap();
        prop_assert_eq!(answer(&query, &[row]).unwrap(), vec![true]);
    }
}
