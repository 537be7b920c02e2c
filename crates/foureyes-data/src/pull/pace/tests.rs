use super::*;

/// A link that carries so many bytes a second to a box that compresses so many, `ratio` to one.
struct Link {
    carries: u64,
    packs: u64,
    ratio: u64,
    /// Microseconds from a question to the first byte.
    answers: u64,
}

const LAN: Link = Link { carries: 300_000_000, packs: 200_000_000, ratio: 8, answers: 0 };
const HOTEL: Link = Link { carries: 1_000_000, ..LAN };

impl Link {
    fn bring(&self, step: Step, left: u64) -> Came {
        let logs = step.most.min(left);
        let (wire, micros) = match step.compression {
            Compression::Raw => (logs, logs * 1_000_000 / self.carries),
            _ => {
                let wire = logs / self.ratio;
                let packs = logs * 1_000_000 / self.packs;
                (wire, packs.max(wire * 1_000_000 / self.carries))
            }
        };
        let delay = Duration::from_micros(self.answers);
        Came { logs, wire, took: delay + Duration::from_micros(micros), delay }
    }
}

/// Pulls so many bytes; tells what is remembered, and the bytes that came each way.
fn pull(link: &Link, speed: Speed, bytes: u64) -> (Speed, u64, u64) {
    let mut pace = Pace::new(Compression::Zstd, speed, bytes);
    let (mut left, mut packed, mut plain) = (bytes, 0, 0);
    while left > 0 {
        let step = pace.next(left);
        let came = link.bring(step, left);
        left -= came.logs;
        pace.learn(step, came, left);
        *if step.compression == Compression::Raw { &mut plain } else { &mut packed } += came.logs;
    }
    (pace.speed(), packed, plain)
}

const BYTES: u64 = 500 << 20;

#[test]
fn fast_link_switches_to_plain_after_one_probe() {
    let (speed, packed, plain) = pull(&LAN, Speed::default(), BYTES);
    assert!(speed.plainly, "{speed:?}");
    assert_eq!((packed, plain), (FIRST, BYTES - FIRST));
    let (again, packed, plain) = pull(&LAN, speed, BYTES);
    assert_eq!((again.plainly, packed, plain), (true, 0, BYTES));
}

#[test]
fn time_to_answer_does_not_hide_a_fast_link() {
    let link = Link { carries: 450_000_000, packs: 300_000_000, answers: 20_000, ..LAN };
    let (speed, packed, _) = pull(&link, Speed::default(), BYTES);
    assert!(speed.plainly, "{speed:?}");
    assert_eq!(packed, FIRST);
}

#[test]
fn time_to_answer_does_not_hide_a_fast_compressor() {
    for (answers, carries, packs) in
        [(30_000, 100_000_000, 200_000_000), (15_000, 250_000_000, 800_000_000)]
    {
        let link = Link { answers, carries, packs, ..LAN };
        let (speed, ..) = pull(&link, Speed::default(), BYTES);
        assert!(speed.plain.is_some() && !speed.plainly, "{answers} µs: {speed:?}");
    }
}

#[test]
fn first_small_answer_is_no_reason_to_stay_compressed() {
    let link = Link { carries: 470_000_000, packs: 450_000_000, answers: 8_000, ..LAN };
    let (speed, packed, _) = pull(&link, Speed::default(), BYTES);
    assert_eq!((speed.plainly, packed), (true, FIRST), "{speed:?}");
    let near = Link { carries: 430_000_000, ..link };
    assert!(!pull(&near, Speed::default(), BYTES).0.plainly);
}

#[test]
fn little_that_is_left_decides_by_the_first_trial() {
    let link = Link { carries: 190_000_000, ..LAN };
    for mib in [12, 13, 16, 20] {
        let (speed, _, plain) = pull(&link, Speed::default(), mib << 20);
        assert!(speed.plain.is_some(), "{mib} MiB: {speed:?}");
        assert!(plain <= ((mib << 20) - FIRST) / 4, "{mib} MiB: {plain} B are more than one trial");
    }
}

#[test]
fn small_compressed_pulls_change_no_choice() {
    for (answers, packs) in [(30_000, 200_000_000), (40_000, 400_000_000)] {
        let link = Link { carries: 100_000_000, answers, packs, ..LAN };
        let (speed, ..) = pull(&link, Speed::default(), BYTES);
        let small = |speed, _| pull(&link, speed, 2 << 20).0;
        let later = (0..40).fold(speed, small);
        assert_eq!((later.packed, later.plainly), (speed.packed, false));
    }
}

#[test]
fn a_very_slow_link_is_never_tried_without_compression() {
    for carries in [20_000, 500_000] {
        let link = Link { carries, ..LAN };
        let (speed, packed, plain) = pull(&link, Speed::default(), BYTES);
        assert_eq!((packed, plain, speed.plain), (BYTES, 0, None), "{carries} B/s");
    }
}

#[test]
fn a_slow_box_does_not_hide_a_fast_link() {
    for (packs, bytes) in [(30_000_000, 100 << 20), (30_000_000, BYTES), (60_000_000, BYTES)] {
        let link = Link { carries: 117_000_000, packs, answers: 10_000, ..LAN };
        let (speed, packed, _) = pull(&link, Speed::default(), bytes);
        assert!(speed.plainly && packed <= FIRST + CHECK, "{packs} B/s: {packed} B, {speed:?}");
    }
    for carries in [1_000_000, 7_000_000] {
        let (speed, _, plain) = pull(&Link { carries, ..LAN }, Speed::default(), BYTES);
        assert!(!speed.plainly && plain <= 2 << 20, "{carries} B/s: {plain} B in vain");
    }
}

#[test]
fn a_first_answer_that_was_held_up_does_not_hide_a_fast_compressor() {
    let link = Link { carries: 117_000_000, packs: 400_000_000, answers: 10_000, ..LAN };
    // Each small answer is held up.
    for held_up in [40, 60] {
        let mut pace = Pace::new(Compression::Zstd, Speed::default(), BYTES);
        let (mut left, mut plain, held_up) = (BYTES, 0, Duration::from_millis(held_up));
        while left > 0 {
            let step = pace.next(left);
            let mut came = link.bring(step, left);
            if step.most <= CHECK && step.compression != Compression::Raw {
                came.took += held_up;
            }
            left -= came.logs;
            pace.learn(step, came, left);
            plain += if step.compression == Compression::Raw { came.logs } else { 0 };
        }
        assert!(!pace.speed().plainly && plain <= TRIAL.1, "{plain} B: {:?}", pace.speed());
    }
}

#[test]
fn a_first_answer_is_asked_for_again_once() {
    let link = Link { carries: 117_000_000, packs: 60_000_000, answers: 10_000, ..LAN };
    let (known, ..) = pull(&link, Speed::default(), BYTES);
    // The way that is not used is measured anew.
    let (speed, packed, _) = pull(&link, Speed { pulls: AGAIN - 1, ..known }, BYTES);
    assert_eq!((speed.plainly, packed), (true, FIRST + CHECK), "{speed:?}");
    // Where it would take long, it is not.
    let slow = Link { packs: 5_000_000, ..link };
    let (speed, packed, _) = pull(&slow, Speed::default(), BYTES);
    assert_eq!((speed.plainly, packed), (true, FIRST), "{speed:?}");
    // An answer that is no better by a fifth changes nothing.
    let near = Link { packs: 120_000_000, ..link };
    let mut pace = Pace::new(Compression::Zstd, Speed::default(), BYTES);
    let (mut left, mut held_up) = (BYTES, Duration::from_millis(100));
    while left > 0 {
        let step = pace.next(left);
        let mut came = near.bring(step, left);
        came.took += std::mem::take(&mut held_up);
        left -= came.logs;
        pace.learn(step, came, left);
    }
    assert!(pace.speed().plainly, "{:?}", pace.speed());
}

#[test]
fn trials_that_tell_nothing_end() {
    let link = Link { carries: 1_000_000, ..LAN };
    let mut pace = Pace::new(Compression::Zstd, Speed::default(), BYTES);
    let (mut left, mut plain) = (BYTES, 0);
    while left > 0 {
        let step = pace.next(left);
        let came = link.bring(step, left);
        left -= came.logs;
        if step.compression == Compression::Raw {
            plain += came.logs;
        } else {
            pace.learn(step, came, left);
        }
    }
    assert!((1..=4 << 20).contains(&plain), "{plain} B");
}

#[test]
fn a_small_last_answer_does_not_weaken_what_large_ones_told() {
    let link = Link { carries: 200_000_000, packs: 300_000_000, answers: 20_000, ..LAN };
    assert!(!pull(&link, Speed::default(), 95 << 20).0.plainly);
}

#[test]
fn a_link_between_is_tried_for_a_moment_and_stays_compressed() {
    let link = Link { carries: 12_000_000, ..LAN };
    let (speed, _, plain) = pull(&link, Speed::default(), BYTES);
    assert!(!speed.plainly && speed.plain.is_some(), "{speed:?}");
    let moment = link.carries / MOMENTS + 1000;
    assert!(plain <= moment, "{plain} B are more than a quarter of a second");
    assert_eq!(pull(&link, speed, BYTES).2, 0, "and is not tried again each time");
}

#[test]
fn a_link_that_became_slow_is_compressed_again_after_a_little() {
    let (speed, ..) = pull(&LAN, Speed::default(), BYTES);
    let (speed, packed, plain) = pull(&HOTEL, speed, BYTES);
    assert_eq!((plain, packed), (CAUTIOUS, BYTES - CAUTIOUS));
    assert!(!speed.plainly);
    let (speed, _, plain) = pull(&LAN, speed, BYTES);
    assert!(speed.plainly && plain > BYTES / 2, "and plain again when it is fast again");
}

#[test]
fn small_differences_change_nothing() {
    let near = |packed| Speed { packed: Some(packed), plain: Some(100), plainly: true, pulls: 0 };
    let chosen = |speed| {
        let mut pace = Pace::new(Compression::Zstd, speed, 0);
        pace.choose();
        pace.speed().plainly
    };
    assert_eq!([90, 110, 120, 121].map(|p| chosen(near(p))), [true, true, true, false]);
    let packed = |packed| Speed { plainly: false, ..near(packed) };
    assert_eq!([82, 84, 110].map(|p| chosen(packed(p))), [true, false, false]);
}

#[test]
fn the_other_way_is_measured_again_now_and_then() {
    let (mut speed, ..) = pull(&LAN, Speed::default(), BYTES);
    let mut tried = 0;
    for _ in 0..2 * AGAIN {
        let (next, packed, _) = pull(&LAN, speed, BYTES);
        tried += u32::from(packed > 0);
        speed = next;
    }
    assert_eq!((tried, speed.plainly), (2, true));
}

#[test]
fn the_other_way_is_measured_again_where_logs_come_compressed() {
    let link = Link { carries: 100_000_000, answers: 20_000, ..LAN };
    let (speed, ..) = pull(&link, Speed::default(), BYTES);
    assert!(!speed.plainly && speed.plain.is_some(), "{speed:?}");
    let faster = Link { carries: 900_000_000, ..link };
    let (again, packed, _) = pull(&faster, Speed { pulls: AGAIN - 1, ..speed }, BYTES);
    assert_eq!((again.plainly, again.pulls, packed), (true, 0, FIRST), "{again:?}");
}

#[test]
fn little_bytes_and_boxes_that_cannot_compress_are_not_measured() {
    let (speed, packed, plain) = pull(&LAN, Speed::default(), TELLING - 1);
    assert_eq!((speed, packed, plain), (Speed::default(), TELLING - 1, 0));
    let mut pace = Pace::new(Compression::Raw, Speed::default(), BYTES);
    let step = pace.next(BYTES);
    pace.learn(step, LAN.bring(step, BYTES), BYTES);
    assert_eq!(step, Step { compression: Compression::Raw, most: BATCH });
    assert_eq!(pace.speed().plain, None);
}
