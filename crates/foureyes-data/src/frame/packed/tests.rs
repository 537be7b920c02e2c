use super::*;
use proptest::prelude::*;

fn packed(values: &[u64]) -> Vec<u8> {
    let mut out = Vec::new();
    put(values.iter().copied(), &mut out);
    out
}

#[test]
fn numbers_take_only_the_bytes_in_which_they_differ() {
    let head = 10;
    assert_eq!(packed(&[7; 1000]).len(), head);
    assert_eq!(packed(&[0, 255, 3]).len(), head + 3);
    assert_eq!(packed(&[1 << 40, (1 << 40) + 256]).len(), head + 2);
    // Scores are floats of which only the upper bits differ.
    let scores = [1.0_f32, 2.0, 3.0, 4.0, 5.0].map(|score| u64::from(score.to_bits()));
    assert_eq!(packed(&scores).len(), head + 5);
    assert_eq!(packed(&[0, u64::MAX]).len(), head + 16);
}

#[test]
fn damaged_lists_fail() {
    let whole = packed(&[1, 2, 3]);
    for end in 0..whole.len() {
        assert!(take(&mut &whole[..end], 3).is_err(), "{end}");
    }
    let mut texts = Vec::new();
    Texts::from_iter([Some("one"), None]).put(&mut texts).unwrap();
    for end in 0..texts.len() {
        assert!(Texts::take(&mut &texts[..end], 2).is_err(), "{end}");
    }
}

#[test]
fn only_texts_that_get_shorter_are_compressed() {
    // Digits of hashes have none of their parts twice.
    let hashes = |n: usize| blake3::hash(&n.to_le_bytes()).to_hex().to_string();
    let words =
        |n: usize| format!("{n} and the same words for many more bytes than a hash has digits");
    let packed = |text: &dyn Fn(usize) -> String| {
        let texts: Vec<_> = (0..20_000).map(text).collect();
        let (mut bytes, mut whole) = (Vec::new(), 0);
        texts.iter().for_each(|text| whole += text.len());
        texts.iter().map(|text| Some(text.as_str())).collect::<Texts>().put(&mut bytes).unwrap();
        let back = Texts::take(&mut bytes.as_slice(), texts.len()).unwrap();
        assert!(back.iter().eq(texts.iter().map(|text| Some(text.as_str()))));
        bytes.len() as f64 / whole as f64
    };
    assert!(packed(&hashes) > 1.0);
    assert!(packed(&words) < 0.3);
    // Some of them do.
    assert!(packed(&|n| if n < 5000 { hashes(n) } else { words(n) }) < 0.6);
}

proptest! {
    #[test]
    fn numbers_come_back(values in proptest::collection::vec(any::<u64>(), 0..50), bits in 0..64_u32, low in 0..64_u32) {
        let values: Vec<u64> = values.into_iter().map(|v| (v >> bits) << low).collect();
        let bytes = packed(&values);
        let mut input = bytes.as_slice();
        prop_assert_eq!(take(&mut input, values.len()).unwrap(), &values[..]);
        prop_assert!(input.is_empty());
        let numbers = Numbers::take(&mut bytes.as_slice(), values.len()).unwrap();
        let places: Vec<u32> = (0..values.len() as u32).rev().step_by(3).collect();
        let some: Vec<u64> = places.iter().map(|at| values[*at as usize]).collect();
        prop_assert_eq!(numbers.pick(&places, |n| n), Some(some));
        prop_assert_eq!(numbers.pick(&[values.len() as u32], |n| n), None);
    }

    #[test]
    fn texts_come_back(texts in proptest::collection::vec(any::<Option<String>>(), 0..50), again in 0..20_usize) {
        let texts: Vec<_> = texts.iter().cycle().take(texts.len() * again).cloned().collect();
        let mut bytes = Vec::new();
        texts.iter().map(Option::as_deref).collect::<Texts>().put(&mut bytes).unwrap();
        let mut input = bytes.as_slice();
        let back = Texts::take(&mut input, texts.len()).unwrap();
        prop_assert_eq!(back.iter().collect::<Vec<_>>(), texts.iter().map(Option::as_deref).collect::<Vec<_>>());
        prop_assert!(input.is_empty());
    }
}

#[test]
fn room_is_kept_for_twice_as_much_as_was_used_last() {
    let long = "x".repeat(1 << 20);
    let mut texts = Texts::from_iter([Some(long.as_str())]).recycled();
    assert!(texts.whole.capacity() >= long.len() && texts.whole.is_empty());
    texts.push(Some("short"));
    let texts = texts.recycled();
    assert!((5..100).contains(&texts.whole.capacity()) && texts.len() == 0);
}
