use super::*;
use crate::page::Role;
use foureyes_core::domain::Outcome;
use foureyes_core::text::escape;

const SETS: [&Glyphs; 2] = [&Glyphs::UNICODE, &Glyphs::ASCII];

fn pieces(g: &Glyphs) -> Vec<&'static str> {
    let single = [
        g.cursor,
        g.marked,
        g.blocks,
        g.advisory,
        g.bullet,
        g.stopped,
        g.hidden,
        g.new,
        g.sorted,
        g.reversed,
        g.separator,
        g.ellipsis,
        g.open,
        g.closed,
        g.up,
        g.down,
        g.arrow,
        g.gutter,
        g.thumb,
        g.rule,
        g.track,
        g.interval,
        g.threshold,
        g.nothing,
    ];
    [&single, g.bars, g.sparks, g.heats, g.spinner].concat()
}

#[test]
fn every_piece_is_one_column_wide() {
    for piece in SETS.map(pieces).concat() {
        assert_eq!(escape::width(piece), 1, "{piece:?}");
    }
}

#[test]
fn ascii_is_ascii() {
    assert!(pieces(&Glyphs::ASCII).concat().is_ascii());
    assert!(Sign::ALL.map(|s| Glyphs::ASCII.sign(s)).concat().is_ascii());
}

#[test]
fn signs_have_unique_marks_and_words() {
    for set in SETS {
        for sign in Sign::ALL {
            let (mark, word) = set.sign(sign).split_once(' ').unwrap();
            assert_eq!((escape::width(mark), word), (1, sign.word()));
            assert!(escape::width(set.sign(sign)) <= usize::from(Sign::WIDTH));
            for other in Sign::ALL.into_iter().filter(|o| o.role() != sign.role()) {
                let (other_mark, other_word) = set.sign(other).split_once(' ').unwrap();
                assert!(mark != other_mark && word != other_word, "{sign:?} {other:?}");
            }
        }
        let widest = Sign::ALL.map(|s| escape::width(set.sign(s))).into_iter().max();
        assert_eq!(widest, Some(usize::from(Sign::WIDTH)));
    }
}

#[test]
fn a_record_without_an_outcome_is_an_override() {
    assert_eq!(Sign::from_outcome(None), Sign::Override);
    for (outcome, role) in [
        (Outcome::Go, Role::Go),
        (Outcome::NoGo, Role::NoGo),
        (Outcome::Undetermined, Role::Undetermined),
    ] {
        assert_eq!(Sign::from_outcome(Some(outcome)).role(), role);
    }
}

#[test]
fn bar_length_matches_share_and_shows_extremes() {
    let bar = |share, width| Glyphs::UNICODE.bar(share, width);
    assert_eq!(bar(0.5, 4), "██");
    assert_eq!(bar(0.53125, 4), "██▏");
    assert_eq!(bar(1.0, 3), "███");
    assert_eq!(bar(0.000_1, 3), "▏");
    assert_eq!(bar(0.999_9, 3), "██▉");
    assert_eq!((bar(0.0, 3), bar(-1.0, 3), bar(f64::NAN, 3), bar(1.0, 0)), Default::default());
    assert_eq!(bar(7.0, 2), "██");
    assert_eq!(Glyphs::ASCII.bar(0.000_1, 10), "#");
    assert_eq!(Glyphs::ASCII.bar(0.999_9, 10), "#########");
    assert_eq!(Glyphs::ASCII.bar(0.5, 1), "#");
    for width in 0..30 {
        for n in 0..=100 {
            let drawn = escape::width(&bar(f64::from(n) / 100.0, width));
            assert!(drawn <= usize::from(width));
        }
    }
}

#[test]
fn levels_increase_with_share_and_missing_differs_from_zero() {
    for set in SETS {
        for (piece, levels) in [
            (Glyphs::spark as fn(&Glyphs, Option<f64>) -> &'static str, set.sparks),
            (Glyphs::heat, set.heats),
        ] {
            let drawn: Vec<_> = (0..=1000).map(|n| piece(set, Some(f64::from(n) / 1e3))).collect();
            let mut once = drawn.clone();
            once.dedup();
            assert_eq!(once, levels);
            assert_eq!((piece(set, Some(-3.0)), piece(set, Some(9.0))), (drawn[0], drawn[1000]));
            assert_eq!((piece(set, None), piece(set, Some(f64::NAN))), (set.nothing, set.nothing));
            assert!(!levels.contains(&set.nothing));
        }
        assert_ne!(set.heat(Some(1e-9)), set.heat(Some(0.0)));
    }
}
