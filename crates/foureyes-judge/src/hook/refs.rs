//! The lines that git gives a hook: what is to change on the remote.

use crate::git::ObjectId;

/// On which side of a push the hook runs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Side {
    /// Before the push, where it comes from: `pre-push`.
    #[default]
    Sender,
    /// Before the push is taken, where it arrives: `pre-receive`.
    Receiver,
}

/// One ref that a push changes; what it is called says nothing of what is pushed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Update {
    /// The object that is pushed: a commit or a tag; `None` where the ref is deleted.
    pub local: Option<ObjectId>,
    /// What it is there now; `None` where it is new.
    pub remote: Option<ObjectId>,
}

/// All that one push changes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Updates {
    /// The refs, in git's order.
    pub all: Vec<Update>,
    /// Lines that say nothing: they have another form than git's.
    pub odd: usize,
}

impl Updates {
    /// The objects that are pushed, each once. Empty where refs are only deleted.
    pub fn tips(&self) -> Vec<ObjectId> {
        let moved = |u: &&Update| u.local != u.remote;
        unique(self.all.iter().filter(moved).filter_map(|u| u.local.clone()))
    }

    /// The objects that the remote says it has, each once. Not all of them need be here.
    pub fn known(&self) -> Vec<ObjectId> {
        unique(self.all.iter().filter_map(|u| u.remote.clone()))
    }
}

fn unique(ids: impl Iterator<Item = ObjectId>) -> Vec<ObjectId> {
    let mut ids: Vec<_> = ids.collect();
    ids.sort_unstable();
    ids.dedup();
    ids
}

/// Tells whether anything is pushed: what git says of the refs names more than deletions.
pub fn pushes(input: &[u8], side: Side) -> bool {
    !parse(input, side).tips().is_empty()
}

/// Reads the lines `LOCAL-REF LOCAL-ID REMOTE-REF REMOTE-ID` of a sender, or `OLD-ID NEW-ID REF` of a
/// receiver; an id of zeros is none.
///
/// A line of another form is counted and passed over: one more thing that is not judged, and no
/// reason to stop a push.
pub fn parse(input: &[u8], side: Side) -> Updates {
    let update = match side {
        Side::Sender => update,
        Side::Receiver => received,
    };
    let mut updates = Updates::default();
    for line in input.split(|b| *b == b'\n').filter(|line| !line.trim_ascii().is_empty()) {
        match update(line) {
            Some(update) => updates.all.push(update),
            None => updates.odd += 1,
        }
    }
    updates
}

fn update(line: &[u8]) -> Option<Update> {
    let mut fields = line.strip_suffix(b"\r").unwrap_or(line).split(|b| *b == b' ');
    let (local_ref, local) = (fields.next()?, id(fields.next()?)?);
    let (remote_ref, remote) = (fields.next()?, id(fields.next()?)?);
    let whole = fields.next().is_none() && !local_ref.is_empty() && !remote_ref.is_empty();
    whole.then_some(Update { local, remote })
}

fn received(line: &[u8]) -> Option<Update> {
    // A ref's name has no blanks.
    let mut fields = line.split(|b| *b == b' ');
    let (remote, local) = (id(fields.next()?)?, id(fields.next()?)?);
    let name = fields.next()?;
    (fields.next().is_none() && !name.is_empty()).then_some(Update { local, remote })
}

/// An id, or that there is none.
fn id(field: &[u8]) -> Option<Option<ObjectId>> {
    let id = ObjectId::from_bytes(field)?;
    Some(Some(id).filter(|_| field.iter().any(|b| *b != b'0')))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(line: &str) -> Update {
        let updates = parse(line.as_bytes(), Side::Sender);
        assert_eq!((updates.all.len(), updates.odd), (1, 0), "{line}");
        updates.all.into_iter().next().unwrap()
    }

    #[test]
    fn ref_line_parses_local_and_remote() {
        for length in [40, 64] {
            let (a, b, zero) = ("a".repeat(length), "b".repeat(length), "0".repeat(length));
            let moved = one(&format!("refs/heads/x {a} refs/heads/y {b}\n"));
            assert_eq!((moved.local.unwrap().as_str(), moved.remote.unwrap().as_str()), (&*a, &*b));
            let new = one(&format!("refs/heads/x {a} refs/heads/x {zero}\n"));
            assert_eq!((new.local.is_some(), new.remote), (true, None));
            let gone = one(&format!("(delete) {zero} refs/heads/x {b}"));
            assert_eq!((gone.local, gone.remote.is_some()), (None, true));
        }
    }

    #[test]
    fn empty_push_has_no_tips() {
        let (a, b, zero) = ("a".repeat(40), "b".repeat(40), "0".repeat(40));
        assert_eq!(parse(b"", Side::Sender), Updates::default());
        assert_eq!(parse(b"\n \n", Side::Sender), Updates::default());
        let gone = parse(format!("(delete) {zero} refs/heads/x {b}\n").as_bytes(), Side::Sender);
        assert!(gone.tips().is_empty());
        assert_eq!(gone.known().len(), 1);
        let same = parse(format!("x {a} x {a}\n").as_bytes(), Side::Sender);
        assert!(same.tips().is_empty());
        let twice = parse(format!("x {a} x {zero}\ny {a} y {b}\n").as_bytes(), Side::Sender);
        assert_eq!((twice.tips().len(), twice.known().len()), (1, 1));
    }

    #[test]
    fn malformed_ref_line_is_counted_without_hiding_others() {
        let (a, zero) = ("a".repeat(40), "0".repeat(40));
        let bad = [
            "garbage".to_owned(),
            format!("x {a} y"),
            format!("x {a} y {zero} more"),
            format!("x {} y {zero}", "g".repeat(40)),
            format!("x {}  y {zero}", &a[1..]),
            format!(" {a} y {zero}"),
            format!("x -{} y {zero}", &a[1..]),
        ];
        for line in bad {
            let text = format!("{line}\nx {a} y {zero}\n");
            let updates = parse(text.as_bytes(), Side::Sender);
            assert_eq!((updates.all.len(), updates.odd), (1, 1), "{line:?}");
        }
        let odd = [b"refs/\xff\x1b ", a.as_bytes(), b" r ", zero.as_bytes()].concat();
        assert_eq!(parse(&odd, Side::Sender).all.len(), 1, "names of refs are any bytes");
    }

    #[test]
    fn receiver_lists_existing_refs() {
        let (a, b, zero) = ("a".repeat(40), "b".repeat(40), "0".repeat(40));
        let text = format!(
            "{a} {b} refs/heads/x\n{zero} {a} refs/tags/y\n{b} {zero} refs/heads/z\nx y z\n{a} {b}\n"
        );
        let updates = parse(text.as_bytes(), Side::Receiver);
        assert_eq!((updates.all.len(), updates.odd), (3, 2));
        let ids = |ids: Vec<ObjectId>| ids.iter().map(ToString::to_string).collect::<Vec<_>>();
        assert_eq!(ids(updates.tips()), [a.clone(), b.clone()]);
        assert_eq!(ids(updates.known()), [a, b]);
    }
}
