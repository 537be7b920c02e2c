use super::*;
use proptest::prelude::*;
use std::io::Cursor;

fn texts(texts: impl Iterator<Item = Option<String>>) -> TextColumn {
    let texts: Vec<_> = texts.collect();
    texts.iter().map(Option::as_deref).collect()
}

fn many_kinds(rows: usize) -> Frame {
    let few = (0..rows).map(|n| (n % 7 != 3).then(|| format!("text {}", n % 5)));
    let many = (0..rows).map(|n| (n % 7 != 3).then(|| format!("text {n}")));
    let odd = |n: usize| n % 3 == 1;
    let numbers = vec![
        Column::new("bool".into(), (0..rows).map(odd).collect::<Vec<_>>()),
        Column::new("u32".into(), (0..rows as u32).collect::<Vec<_>>()),
        Column::new("u64".into(), (0..rows as u64).map(|n| u64::MAX - n).collect::<Vec<_>>()),
        Column::new("i64".into(), (0..rows as i64).map(|n| n * 1000 - 5).collect::<Vec<_>>()),
        Column::new(
            "i64?".into(),
            (0..rows).map(|n| odd(n).then_some(-(n as i64))).collect::<Vec<_>>(),
        ),
        Column::new(
            "f32?".into(),
            (0..rows).map(|n| odd(n).then_some(n as f32 / 7.0)).collect::<Vec<_>>(),
        ),
    ];
    let digits = |n: usize| (n % 7 != 3).then(|| format!("{:x}", n.wrapping_mul(0x9E37_79B9_7F4A)));
    let columns = [
        ("few", texts(few)),
        ("many", texts(many)),
        ("none", texts((0..rows).map(|_| None))),
        ("digits", texts((0..rows).map(digits))),
    ];
    let columns = columns.map(|(name, texts)| (name.into(), texts)).to_vec();
    Frame::new(rows, DataFrame::new(rows, numbers).unwrap(), columns).unwrap()
}

fn read_again(frame: &Frame) -> Frame {
    let mut bytes = Vec::new();
    write(frame, &mut bytes).unwrap();
    read(Cursor::new(&bytes), None).unwrap()
}

#[track_caller]
fn assert_same(a: &Frame, b: &Frame) {
    assert_eq!(a.numbers.dtypes(), b.numbers.dtypes());
    assert!(a.numbers.equals_missing(&b.numbers), "{:?}", a.numbers);
    let texts = |frame: &Frame| {
        let texts = |texts: &TextColumn| texts.iter().map(|t| t.map(str::to_owned)).collect();
        frame.texts.iter().map(|(name, t)| (name.clone(), texts(t))).collect::<Vec<(_, Vec<_>)>>()
    };
    assert_eq!(texts(a), texts(b));
}

#[test]
fn frames_come_back_with_values_types_and_nulls() {
    for rows in [0, 1, 8, 255, 256, 1000] {
        let frame = many_kinds(rows);
        assert_same(&read_again(&frame), &frame);
        let mut bytes = Vec::new();
        write(&frame, &mut bytes).unwrap();
        let some = read(Cursor::new(&bytes), Some(&["few", "i64?"])).unwrap();
        let wanted = frame.filter(&["i64?", "few"], &BooleanChunked::full("".into(), true, rows));
        assert_same(&some, &wanted.unwrap());
        assert!(read(Cursor::new(&bytes), Some(&["few", "other"])).is_err());
    }
}

#[test]
fn column_counts_as_much_memory_as_it_takes() {
    let mut bytes = Vec::new();
    write(&many_kinds(1000), &mut bytes).unwrap();
    let size = |name| read(Cursor::new(&bytes), Some(&[name])).unwrap().bytes();
    assert_eq!(size("none"), 0);
    assert_eq!(size("u64"), 8000);
    // A byte for each row, and five texts of six bytes.
    assert_eq!(size("few"), 1000 + 5 * 6 + 6 * 4);
    // Where each text ends, and its bytes.
    let all: usize = (0..1000).filter(|n| n % 7 != 3).map(|n| format!("text {n}").len()).sum();
    assert_eq!(size("many"), 4 * 1000 + all);
}

#[test]
fn short_file_is_damage() {
    let mut bytes = Vec::new();
    write(&many_kinds(300), &mut bytes).unwrap();
    for end in 0..bytes.len() {
        let short = read(Cursor::new(&bytes[..end]), None);
        assert!(short.is_err_and(|error| error.is_damage()), "{end}");
    }
}

#[test]
fn rows_of_few_texts_take_a_byte_each() {
    let name = |n: usize| Some(format!("a model with a long name {}", n % 200));
    let columns = vec![("model".into(), texts((0..10_000).map(name)))];
    let frame = Frame::new(10_000, DataFrame::empty_with_height(10_000), columns).unwrap();
    let mut bytes = Vec::new();
    write(&frame, &mut bytes).unwrap();
    assert!(bytes.len() < 13_000, "{}", bytes.len());
}

#[test]
fn texts_of_digits_take_half_their_bytes() {
    let commit = |n: usize| Some(blake3::hash(&n.to_le_bytes()).to_hex()[..40].to_owned());
    let columns = vec![("commit".into(), texts((0..10_000).map(commit)))];
    let frame = Frame::new(10_000, DataFrame::empty_with_height(10_000), columns).unwrap();
    let mut bytes = Vec::new();
    write(&frame, &mut bytes).unwrap();
    assert!((200_000..201_000).contains(&bytes.len()), "{}", bytes.len());
    assert_same(&read(Cursor::new(&bytes), None).unwrap(), &frame);
}

proptest! {
    #[test]
    fn lists_are_written_as_their_frame_is(
        rows in proptest::collection::vec((any::<Option<i64>>(), any::<Option<f32>>(), any::<u32>()), 0..40),
        known in any::<[bool; 2]>(),
    ) {
        let keep = |known: bool, n: u32| known || n.is_multiple_of(3);
        let whole: Vec<_> = rows.iter().map(|(n, _, m)| n.filter(|_| keep(known[0], *m))).collect();
        let scores: Vec<_> = rows.iter().map(|(_, s, m)| s.filter(|_| keep(known[1], *m))).collect();
        let codes: Vec<_> = rows.iter().map(|(.., n)| *n).collect();
        let words: Vec<_> = codes.iter().map(|n| u64::from(*n) << 31).collect();
        let flags: Vec<_> = codes.iter().map(|n| n % 2 == 0).collect();
        let lists = [
            ("whole", List::Whole(&whole)),
            ("scores", List::Scores(&scores)),
            ("codes", List::Codes(&codes)),
            ("words", List::Words(&words)),
            ("flags", List::Flags(&flags)),
        ];
        let frame = Frame::of_lists(rows.len(), &lists).unwrap();
        let (mut bytes, mut of_frame) = (Vec::new(), Vec::new());
        write_lists(rows.len(), &lists, &mut bytes).unwrap();
        write(&frame, &mut of_frame).unwrap();
        prop_assert_eq!(&bytes, &of_frame);
        assert_same(&read(Cursor::new(&bytes), None).unwrap(), &frame);
    }
}
