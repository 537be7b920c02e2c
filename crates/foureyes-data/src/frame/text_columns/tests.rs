use super::*;
use proptest::prelude::*;

/// Parts of a column: few different texts or many, once or again, some of them none.
fn parts() -> impl Strategy<Value = Vec<Vec<Option<String>>>> {
    let text = proptest::option::weighted(0.8, "[abA ]{0,6}|[äÄ]a");
    let few = proptest::collection::vec(text, 0..20);
    let texts = (few, prop_oneof![Just(0), Just(300)], 1..4_usize);
    let texts = texts.prop_map(|(texts, different, again)| {
        let different = (0..different).map(|n| Some(format!("text {n}")));
        vec![texts.into_iter().chain(different).collect::<Vec<_>>(); again].concat()
    });
    let none = (0..5_usize).prop_map(|rows| vec![None; rows]);
    proptest::collection::vec(prop_oneof![3 => texts, 1 => none], 0..4)
}

fn column(parts: &[Vec<Option<String>>]) -> TextColumn {
    let mut column = TextColumn::default();
    for part in parts {
        column.append(&part.iter().map(Option::as_deref).collect());
    }
    column
}

fn rows(column: &TextColumn) -> Vec<Option<String>> {
    column.iter().map(|text| text.map(str::to_owned)).collect()
}

#[test]
fn texts_that_come_back_are_held_once() {
    let column = |different: usize| -> TextColumn {
        let texts: Vec<_> = (0..20_000).map(|n| format!("{:064}", n % different)).collect();
        texts.iter().map(|text| Some(text.as_str())).collect()
    };
    assert_eq!(column(200).bytes(), 20_000 + 200 * 64 + 201 * 4);
    assert_eq!(column(5000).bytes(), 2 * 20_000 + 5000 * 64 + 5001 * 4);
    assert_eq!(column(20_000).bytes(), 20_000 * (64 + 4));
}

#[test]
fn too_many_different_texts_are_each_in_their_row() {
    // The first are different; there are more than an index tells apart, and each comes twice.
    for (count, different) in
        [(20_000, 20_000), (150_000, 70_000), (150_000, 65_535), (150_000, 65_536)]
    {
        let texts: Vec<_> =
            (0..count).map(|n| format!("a longer text {}", n / 2 % different)).collect();
        let mut builder = TextBuilder::default();
        for (row, text) in texts.iter().enumerate() {
            builder.push(Some(text));
            if row % 256 == 255 {
                builder.flush();
            }
        }
        let column = TextColumn::from(builder.finish());
        assert!(column.iter().eq(texts.iter().map(|text| Some(text.as_str()))), "{different}");
        let is_once = column.bytes() < texts.iter().map(String::len).sum();
        assert_eq!(is_once, different <= 65_535, "{count} of {different}");
    }
}

proptest! {
    #[test]
    fn columns_hold_what_was_put_into_them(
        parts in parts(), keep in proptest::collection::vec(any::<bool>(), 3000), from in 0..500_usize, len in 0..1500_usize,
    ) {
        let (all, column) = (parts.concat(), column(&parts));
        prop_assert_eq!(column.len(), all.len());
        prop_assert_eq!(rows(&column), all.clone());
        for (row, text) in all.iter().enumerate() {
            prop_assert_eq!(column.get(row), text.as_deref());
        }
        prop_assert_eq!(column.get(all.len()), None);
        let mut seen = Vec::new();
        let mut number = |text: Option<&str>| {
            seen.push(text.map(str::to_owned));
            seen.len() as u32 - 1
        };
        prop_assert_eq!(column.numbered(&[all.len() as u32], &mut number), None);
        let some: Vec<u32> = (0..all.len() as u32).rev().step_by(2).collect();
        let numbers = column.numbered(&some, number).unwrap();
        let back: Vec<_> = numbers.iter().map(|at| seen[*at as usize].clone()).collect();
        prop_assert_eq!(back, some.iter().map(|row| all[*row as usize].clone()).collect::<Vec<_>>());
        let range = from..from + len;
        let cut: Vec<_> = all.iter().skip(from).take(len).cloned().collect();
        prop_assert_eq!(rows(&column.slice(&range)), cut);
        let keep = &keep[..all.len().min(keep.len())];
        let mask: BooleanChunked = keep.iter().map(|keep| Some(*keep)).collect();
        let kept: Vec<_> = all.iter().zip(keep).filter(|(_, keep)| **keep).map(|(t, _)| t.clone()).collect();
        prop_assert_eq!(rows(&column.filter(&mask)), kept);
        let given: Vec<_> = column.is_given().iter().collect();
        prop_assert_eq!(given, all.iter().map(|text| Some(text.is_some())).collect::<Vec<_>>());
    }

    #[test]
    fn rows_that_come_one_by_one_are_those_that_come_at_once(
        before in parts(), part in parts().prop_map(|parts| parts.concat()), every in 1..700_usize,
    ) {
        // In the room of others.
        let before = before.concat();
        let mut builder = TextBuilder::reusing(before.iter().map(Option::as_deref).collect());
        for (row, text) in part.iter().enumerate() {
            builder.push(text.as_deref());
            if row % every == 0 {
                builder.flush();
            }
            prop_assert_eq!(builder.len(), row + 1);
        }
        let column = TextColumn::from(builder.finish());
        let at_once: TextColumn = part.iter().map(Option::as_deref).collect();
        prop_assert_eq!(column.bytes(), at_once.bytes());
        prop_assert_eq!(rows(&column), part);
    }

    #[test]
    fn columns_of_files_hold_what_was_written(part in parts().prop_map(|parts| parts.concat())) {
        let mut bytes = Vec::new();
        put(&part.iter().map(Option::as_deref).collect(), &mut bytes).unwrap();
        prop_assert_eq!(rows(&TextColumn::take(&mut bytes.as_slice(), part.len()).unwrap()), part);
    }
}
