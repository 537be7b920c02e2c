//! What filters say of labels and overrides, and that the order of files does not matter.

use super::{Desk, NOW, by, label, record};
use foureyes::domain::review::Reviewer;
use foureyes::domain::review::{Act, Override, OverrideWord, Word};
use foureyes::domain::{RecordId, Timestamp};
use foureyes::files::paths::DataDir;
use foureyes::store::ledger::{Ledger, fresh_id};

#[test]
fn filters_know_labels_conflicts_reviewers_and_overrides() {
    let desk = Desk::new(5);
    desk.good(&["label", &desk.ids[0], &desk.ids[1], "poor"]);
    desk.good(&["label", &desk.ids[1], "acceptable", "--reviewer", "bert"]);
    desk.good(&["label", &desk.ids[2], "acceptable", "--reviewer", "Bert B"]);
    let mut ledger = Ledger::load(&DataDir::at(desk.home.path().join("data"))).unwrap();
    let id: RecordId = desk.ids[3].parse().unwrap();
    let word = OverrideWord::Accept;
    let reason = "urgent".to_owned();
    let act = Act::Override(Override { record: id, word, reason, together: None });
    ledger.append(&by("cleo"), fresh_id(NOW), NOW, &act).unwrap();
    for (filter, found) in [
        ("label:none", &[3, 4][..]),
        ("label:any", &[0, 1, 2]),
        ("label:poor", &[0]),
        ("label:acceptable", &[2]),
        ("label:unsure", &[1]),
        ("label:conflict", &[1]),
        ("reviewer:bert", &[1, 2]),
        ("reviewer:=bert", &[1]),
        ("-reviewer:=anna", &[2, 3, 4]),
        ("has:reviewer", &[0, 1, 2, 3]),
        ("override:any", &[3]),
        ("override:accept", &[3]),
        ("override:reject", &[]),
        ("override:none label:none", &[4]),
        ("label:any | override:any", &[0, 1, 2, 3]),
    ] {
        assert_eq!(desk.found(filter), found, "{filter}");
    }
}

#[test]
fn ledger_results_do_not_depend_on_file_names() {
    let homes = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
    let data = homes.each_ref().map(|home| DataDir::at(home.path()));
    let mut ledger = Ledger::load(&data[0]).unwrap();
    let words = [Word::Poor, Word::Acceptable, Word::Unsure];
    for n in 0..200_u64 {
        let (name, machine) =
            (["anna", "bert", "cleo"][n as usize % 3], ["x", "y"][n as usize / 7 % 2]);
        let who = Reviewer { name: name.to_owned(), machine: machine.to_owned() };
        let at = Timestamp(NOW.0 + (n * 7919 % 200) as i64 * 1_000_000);
        let act = label(n % 11, words[(n / 5) as usize % 3]);
        let saved = ledger.append(&who, fresh_id(at), at, &act).unwrap();
        if n % 9 == 0 {
            ledger.append(&who, fresh_id(at), at, &Act::Undo(saved.entry)).unwrap();
        }
    }
    std::fs::create_dir_all(data[1].ledger()).unwrap();
    let mut names: Vec<_> =
        std::fs::read_dir(data[0].ledger()).unwrap().map(|e| e.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names.len(), 6);
    for (i, name) in names.iter().enumerate() {
        let other = data[1].ledger().join(format!("{}@{i}.jsonl", 9 - i));
        std::fs::copy(data[0].ledger().join(name), other).unwrap();
    }
    let later = NOW.plus_days(1);
    let [one, other] = data.each_ref().map(|data| Ledger::load(data).unwrap().present(later));
    assert!(one.labels.len() == 11 && one.words(record(1)).len() == 3);
    assert_eq!(one.labels, other.labels);
    assert_eq!(one.stacks, other.stacks);
    // A file that stands there twice says nothing twice.
    std::fs::copy(data[0].ledger().join(&names[0]), data[1].ledger().join("copy@.jsonl")).unwrap();
    assert_eq!(Ledger::load(&data[1]).unwrap().present(later), other);
}
