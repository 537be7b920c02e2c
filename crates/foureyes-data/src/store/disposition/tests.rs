use super::*;
use std::fs;
use std::os::unix::fs::PermissionsExt;

const AT: Timestamp = Timestamp(1_771_588_800_000_000);

fn id(n: u8) -> RecordId {
    RecordId([n; 32])
}

fn place() -> (tempfile::TempDir, DataDir, PathBuf) {
    let home = tempfile::tempdir().unwrap();
    let data = DataDir::at(home.path());
    let path = data.session().join("dealt.jsonl");
    (home, data, path)
}

#[test]
fn last_line_of_item_wins_after_reload() {
    let (_home, data, path) = place();
    let mut dispositions = Dispositions::load(&data).unwrap();
    assert!(!path.exists(), "loading makes no file");
    dispositions.put(&[id(1), id(2), id(3)], Disposition::Seen, AT).unwrap();
    dispositions.put(&[id(2)], Disposition::Later, AT).unwrap();
    dispositions.put(&[id(3)], Disposition::Open, AT).unwrap();
    for dispositions in [dispositions, Dispositions::load(&data).unwrap()] {
        let deals = [1, 2, 3, 4].map(|n| dispositions.deal(&id(n)));
        assert_eq!(
            deals,
            [Disposition::Seen, Disposition::Later, Disposition::Open, Disposition::Open]
        );
        assert_eq!((dispositions.len(), dispositions.ignored()), (2, 0));
    }
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
}

#[test]
fn torn_and_unknown_lines_are_kept_and_hide_no_others() {
    let (_home, data, path) = place();
    let mut dispositions = Dispositions::load(&data).unwrap();
    dispositions.put(&[id(1)], Disposition::Seen, AT).unwrap();
    let whole = fs::read_to_string(&path).unwrap();
    let later = whole.replace("}", ",\"more\":[1]}").replace("\"seen\"", "\"later\"");
    let unknown = whole.replace("seen", "snoozed") + &whole.replace("dealt/1", "dealt/2");
    let torn = format!("{whole}{later}{unknown}no line\n\u{0}\n{}", &whole[..40]);
    fs::write(&path, &torn).unwrap();
    assert!(dispositions.reload().unwrap());
    assert_eq!((dispositions.deal(&id(1)), dispositions.ignored()), (Disposition::Later, 4));
    dispositions.put(&[id(2)], Disposition::Seen, AT).unwrap();
    let after = fs::read_to_string(&path).unwrap();
    assert!(after.starts_with(&format!("{torn}\n")), "what stood there stands");
    for dispositions in [dispositions, Dispositions::load(&data).unwrap()] {
        let deals = [1, 2].map(|n| dispositions.deal(&id(n)));
        assert_eq!((deals, dispositions.ignored()), ([Disposition::Later, Disposition::Seen], 5));
    }
}

#[test]
fn lines_of_other_instance_are_read_before_own_append() {
    let (_home, data, path) = place();
    let (mut one, mut other) =
        (Dispositions::load(&data).unwrap(), Dispositions::load(&data).unwrap());
    assert_eq!(one.begin("boxes", AT, AT).unwrap(), AT);
    assert_eq!(other.begin("boxes", AT.plus_days(3), AT).unwrap(), AT, "the first run decides");
    other.set_start("boxes", AT.minus_days(1), AT).unwrap();
    other.put(&[id(7)], Disposition::Later, AT).unwrap();
    one.put(&[id(8)], Disposition::Seen, AT).unwrap();
    assert_eq!(
        (one.deal(&id(7)), one.start("boxes")),
        (Disposition::Later, Some(AT.minus_days(1)))
    );
    assert!(other.reload().unwrap() && !other.reload().unwrap());
    assert_eq!((other.deal(&id(8)), other.start("else")), (Disposition::Seen, None));
    fs::remove_file(&path).unwrap();
    assert!(one.reload().unwrap() && one.is_empty());
    other.put(&[id(9)], Disposition::Seen, AT).unwrap();
    assert_eq!((other.len(), Dispositions::load(&data).unwrap().len()), (1, 1));
}

#[test]
fn failed_write_does_not_count() {
    let (_home, data, path) = place();
    fs::create_dir_all(&path).unwrap();
    let error = Dispositions::load(&data).unwrap_err();
    assert!(matches!(error, DealtError::Read { .. }), "{error:?}");
    fs::remove_dir(&path).unwrap();
    let mut dispositions = Dispositions::load(&data).unwrap();
    fs::create_dir(&path).unwrap();
    let error = dispositions.put(&[id(1)], Disposition::Seen, AT).unwrap_err();
    assert!(matches!(error, DealtError::Write { .. }), "{error:?}");
    assert!(dispositions.is_empty());
}
