//! Bytes of the last entry that somebody changed.

use super::*;

#[test]
fn edited_last_line_is_damage_not_torn_write() {
    let with = |end: &str| {
        let mut desk = Desk::new();
        desk.append("anna", &label(1, Word::Poor));
        desk.append("anna", &label(2, Word::Poor));
        desk.rewrite(|mut lines| {
            let last = lines.pop().unwrap();
            lines.push(format!("{}{end}", last.trim_end()));
            lines
        });
        desk
    };
    for end in [" \n", "x\n", "\r\n", "}\n", "{}\n"] {
        let mut desk = with(end);
        let check = desk.check();
        let broken = Some(Break { line: 2, what: BreakKind::Changed });
        assert_eq!((check.broken, check.torn.len(), check.doubted), (broken, 0, 1), "{end:?}");
        assert_eq!((desk.word(1), desk.word(2)), (Some(Word::Poor), None), "{end:?}");
        let more = desk.ledger.append(&by("anna"), fresh_id(AT), AT, &label(3, Word::Poor));
        assert!(matches!(more, Err(LedgerError::Broken { .. })), "{end:?}");
    }
    let mut desk = with("\n{\"schema\":\"foureyes/led\0\0\0\n");
    assert_eq!((desk.check().broken, desk.check().torn), (None, vec![3]));
    desk.append("anna", &label(3, Word::Poor));
    assert_eq!(desk.word(3), Some(Word::Poor));
}

#[test]
fn changed_bit_in_last_entry_is_damage() {
    let mut desk = Desk::new();
    desk.append("anna", &label(1, Word::Poor));
    let first = fs::read(desk.path()).unwrap().len();
    desk.append("anna", &label(2, Word::Poor));
    let whole = fs::read(desk.path()).unwrap();
    for (at, bit) in (first..whole.len()).flat_map(|at| (0..8).map(move |bit| (at, bit))) {
        let mut bytes = whole.clone();
        bytes[at] ^= 1 << bit;
        fs::write(desk.path(), &bytes).unwrap();
        desk.ledger = Ledger::load(&desk.data).unwrap();
        let check = desk.check();
        let broken = Some(Break { line: 2, what: BreakKind::Changed });
        assert_eq!((check.broken, check.torn.len()), (broken, 0), "byte {at}, bit {bit}");
        assert_eq!((desk.word(1), desk.word(2)), (Some(Word::Poor), None), "byte {at}, bit {bit}");
        if at + 1 == whole.len() {
            let more = desk.ledger.append(&by("anna"), fresh_id(AT), AT, &label(3, Word::Poor));
            assert!(matches!(more, Err(LedgerError::Broken { .. })), "bit {bit}");
            assert_eq!(desk.check().doubted, 1, "bit {bit}");
        }
    }
}
