use super::*;

/// A link that carries so many bytes a second to a box that compresses so many, `ratio` to one:
/// well, and lightly where it can.
struct Link {
    carries: u64,
    packs: u64,
    ratio: u64,
    quick: Option<(u64, u64)>,
}

/// To a box with an old zstd.
const LAN: Link = Link { carries: 300_000_000, packs: 200_000_000, ratio: 8, quick: None };
const HOTEL: Link = Link { carries: 1_000_000, ..LAN };
/// To one with a newer zstd.
const NEW: Link = Link { quick: Some((500_000_000, 4)), ..LAN };

impl Link {
    fn bring(&self, step: Step, left: u64) -> Came {
        let logs = step.most.min(left);
        let (wire, micros) = match step.compression {
            Compression::Raw => (logs, logs * 1_000_000 / self.carries),
            how => {
                let light = (how == Compression::ZstdFast).then(|| self.quick.unwrap());
                let (packs, ratio) = light.unwrap_or((self.packs, self.ratio));
                let wire = logs / ratio;
                (wire, (wire * 1_000_000 / self.carries).max(logs * 1_000_000 / packs))
            }
        };
        Came { logs, wire, took: Duration::from_micros(micros) }
    }
}

/// Bytes that came each way: packed, quick, plain.
type Ways = [u64; 3];

/// Pulls so many bytes; tells what is remembered, and what came each way.
fn pull_all(link: &Link, speed: Speed, bytes: u64) -> (Speed, Ways) {
    let mut pace = Pace::new(Compression::Zstd, link.quick.is_some(), speed, bytes);
    let (mut left, mut ways) = (bytes, [0; 3]);
    while left > 0 {
        let step = pace.next(left);
        let came = link.bring(step, left);
        pace.learn(step, came);
        left -= came.logs;
        ways[match step.compression {
            Compression::Zstd | Compression::Gzip => 0,
            Compression::ZstdFast => 1,
            Compression::Raw => 2,
        }] += came.logs;
    }
    (pace.speed(), ways)
}

/// The same of a box that cannot compress lightly: packed and plain.
fn pull(link: &Link, speed: Speed, bytes: u64) -> (Speed, u64, u64) {
    let (speed, [packed, quick, plain]) = pull_all(link, speed, bytes);
    assert_eq!((quick, speed.quick), (0, None));
    (speed, packed, plain)
}

const LARGE: u64 = 500 << 20;

#[test]
fn a_fast_link_goes_plain_after_one_question_and_stays_so() {
    let (speed, packed, plain) = pull(&LAN, Speed::default(), LARGE);
    assert_eq!(speed.way, Way::Plain, "{speed:?}");
    assert_eq!((packed, plain), (FIRST, LARGE - FIRST));
    let (again, packed, plain) = pull(&LAN, speed, LARGE);
    assert_eq!((again.way, packed, plain), (Way::Plain, 0, LARGE));
}

#[test]
fn a_slow_link_is_never_tried_without_compression() {
    for carries in [20_000, 1_000_000, 7_000_000] {
        let link = Link { carries, ..LAN };
        let (speed, packed, plain) = pull(&link, Speed::default(), LARGE);
        assert_eq!((packed, plain, speed.plain), (LARGE, 0, None), "{carries} B/s");
    }
}

#[test]
fn a_link_between_is_tried_for_a_moment_and_stays_compressed() {
    let link = Link { carries: 12_000_000, ..LAN };
    let (speed, _, plain) = pull(&link, Speed::default(), LARGE);
    assert!(speed.way == Way::Packed && speed.plain.is_some(), "{speed:?}");
    assert!(plain <= link.carries / MOMENTS, "{plain} B are more than a quarter of a second");
    assert_eq!(pull(&link, speed, LARGE).2, 0, "and is not tried again each time");
}

#[test]
fn a_link_that_became_slow_is_compressed_again_after_a_little() {
    let (speed, ..) = pull(&LAN, Speed::default(), LARGE);
    let (speed, packed, plain) = pull(&HOTEL, speed, LARGE);
    assert_eq!((plain, packed), (CAUTIOUS, LARGE - CAUTIOUS));
    assert_eq!(speed.way, Way::Packed);
    let (speed, _, plain) = pull(&LAN, speed, LARGE);
    assert!(speed.way == Way::Plain && plain > LARGE / 2, "and plain again when it is fast again");
}

#[test]
fn what_differs_little_changes_nothing() {
    let chosen = |way, packed, quick, plain| {
        let speed = Speed { packed: Some(packed), quick, plain: Some(plain), way, pulls: 0 };
        let mut pace = Pace::new(Compression::Zstd, true, speed, 0);
        pace.choose();
        pace.speed().way
    };
    use Way::{Packed, Plain, Quick};
    for way in [Plain, Packed] {
        let other = if way == Plain { Packed } else { Plain };
        for (better, taken) in [(90, way), (110, way), (120, way), (121, other)] {
            let (packed, plain) = if way == Plain { (better, 100) } else { (100, better) };
            assert_eq!(chosen(way, packed, None, plain), taken, "{way:?} {better}");
            assert_eq!(
                chosen(Quick, packed, Some(100), plain),
                if better > 120 { other } else { Quick }
            );
            assert_eq!(chosen(way, 100, Some(better), 100), if better > 120 { Quick } else { way });
        }
    }
    assert_eq!(chosen(Packed, 100, Some(130), 150), Plain, "the best, not the first better one");
}

#[test]
fn the_other_way_is_measured_again_now_and_then() {
    let (mut speed, ..) = pull(&LAN, Speed::default(), LARGE);
    let mut tried = 0;
    for _ in 0..2 * AGAIN {
        let (next, packed, _) = pull(&LAN, speed, LARGE);
        tried += u32::from(packed > 0);
        speed = next;
    }
    assert_eq!((tried, speed.way), (2, Way::Plain));
}

#[test]
fn little_bytes_and_boxes_that_cannot_compress_are_not_measured() {
    let (speed, packed, plain) = pull(&LAN, Speed::default(), TELLING - 1);
    assert_eq!((speed, packed, plain), (Speed::default(), TELLING - 1, 0));
    let mut pace = Pace::new(Compression::Raw, false, Speed::default(), LARGE);
    let step = pace.next(LARGE);
    pace.learn(step, LAN.bring(step, LARGE));
    assert_eq!(step, Step { compression: Compression::Raw, most: BATCH });
    assert_eq!(pace.speed().plain, None);
}

#[test]
fn a_fast_link_to_a_box_that_compresses_lightly_goes_quick_and_stays_so() {
    let (speed, [packed, quick, plain]) = pull_all(&NEW, Speed::default(), LARGE);
    assert_eq!((speed.way, packed), (Way::Quick, FIRST), "{speed:?}");
    assert!(speed.plain.is_some() && plain <= TRIAL.1 && quick > LARGE / 2, "{quick} {plain}");
    let (again, ways) = pull_all(&NEW, speed, LARGE);
    assert_eq!((again.way, ways), (Way::Quick, [0, LARGE, 0]));
}

#[test]
fn a_link_faster_than_the_box_compresses_at_all_goes_plain() {
    let link = Link { carries: 1_000_000_000, ..NEW };
    let (speed, [packed, quick, plain]) = pull_all(&link, Speed::default(), LARGE);
    assert_eq!((speed.way, packed), (Way::Plain, FIRST), "{speed:?}");
    assert!(quick <= TRIAL.1 && plain > LARGE / 2, "{quick} {plain}");
}

#[test]
fn a_slow_link_is_never_tried_lightly() {
    for carries in [20_000, 1_000_000, 7_000_000] {
        let (speed, ways) = pull_all(&Link { carries, ..NEW }, Speed::default(), LARGE);
        assert_eq!((ways, speed.quick), ([LARGE, 0, 0], None), "{carries} B/s");
    }
}

#[test]
fn where_compressing_lightly_is_worse_plain_is_not_tried() {
    for carries in [9_000_000, 12_000_000, 20_000_000] {
        let link = Link { carries, ..NEW };
        let (speed, [_, quick, plain]) = pull_all(&link, Speed::default(), LARGE);
        assert_eq!((speed.way, plain, speed.plain), (Way::Packed, 0, None), "{carries} B/s");
        let seconds = quick as f64 / 4.0 / carries as f64;
        assert!(quick > 0 && seconds <= 0.26, "{carries} B/s: {seconds} s for a trial");
        assert_eq!(pull_all(&link, speed, LARGE).1[1..], [0, 0], "and not again each time");
    }
}

#[test]
fn a_link_that_was_quick_and_became_slow_is_packed_again_after_a_little() {
    let (speed, _) = pull_all(&NEW, Speed::default(), LARGE);
    let (speed, ways) = pull_all(&Link { carries: 1_000_000, ..NEW }, speed, LARGE);
    assert_eq!((speed.way, ways), (Way::Packed, [LARGE - CAUTIOUS, CAUTIOUS, 0]));
    let (speed, [_, quick, _]) = pull_all(&NEW, speed, LARGE);
    assert!(speed.way == Way::Quick && quick > LARGE / 2, "and quick again when it is fast again");
}

#[test]
fn a_box_that_was_plain_before_is_tried_lightly() {
    let (speed, ..) = pull(&LAN, Speed::default(), LARGE);
    let (speed, [packed, quick, _]) = pull_all(&NEW, speed, LARGE);
    assert_eq!((speed.way, packed), (Way::Quick, 0), "{speed:?}");
    assert!(quick > LARGE / 2);
}

#[test]
fn a_box_that_lost_its_new_zstd_is_not_asked_for_it() {
    let (speed, _) = pull_all(&NEW, Speed::default(), LARGE);
    let (speed, packed, plain) = pull(&LAN, speed, LARGE);
    assert_eq!((speed.way, packed + plain), (Way::Plain, LARGE));
}
