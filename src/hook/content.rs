//! The commits of a push that are judged, and the files of each as they are in it.

use crate::engine::prompt::{JudgedFile, Material};
use crate::git::{self, Blob, CommitId, ObjectKind, Outgoing, Pushed};
use std::collections::HashMap;

/// Most bytes of one file that are read. A judge is shown far less.
const MOST_FILE: u64 = 4 << 20;
/// Most bytes of the files of one commit that are held.
const MOST_COMMIT: usize = 32 << 20;

/// What is judged of one commit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Content {
    /// The commit.
    pub commit: CommitId,
    /// Its author's name; hostile text.
    pub author: String,
    /// Its files.
    pub files: Vec<JudgedFile>,
    /// Hash of them.
    pub sha: String,
}

/// Takes out the commits of which it cannot be told what they change: those at which a shallow
/// clone is cut look as if they added all files. Tells how many.
pub(super) fn without_cut(
    git: &Outgoing,
    mut commits: Vec<Pushed>,
) -> Result<(Vec<Pushed>, usize), git::Error> {
    let roots: Vec<_> = commits.iter().filter(|c| c.root).map(|c| c.id.clone()).collect();
    let objects = git.objects(&roots, MOST_FILE)?;
    let has_parents = |blob: &Option<Blob>| {
        let commit = blob.as_ref().and_then(|b| git::commit(&b.bytes));
        commit.is_some_and(|c| !c.parents.is_empty())
    };
    let cut: Vec<_> = roots.iter().zip(&objects).filter(|(_, o)| has_parents(o)).collect();
    let is_cut = |id: &CommitId| cut.iter().any(|(other, _)| *other == id);
    commits.retain(|c| !is_cut(&c.id));
    Ok((commits, cut.len()))
}

/// Reads the files of commits, all in few runs of git.
pub(super) fn read(git: &Outgoing, commits: &[Pushed]) -> Result<Vec<Content>, git::Error> {
    let mut ids: Vec<_> = commits.iter().flat_map(|c| c.files.iter().map(|f| &f.blob)).collect();
    ids.sort_unstable();
    ids.dedup();
    let ids: Vec<_> = ids.into_iter().cloned().collect();
    let blobs = git.objects(&ids, MOST_FILE)?;
    let blobs: HashMap<_, _> = ids.iter().zip(&blobs).collect();
    let content = |commit: &Pushed| {
        let mut room = MOST_COMMIT;
        let files = commit.files.iter().map(|file| {
            let blob = blobs.get(&file.blob).and_then(|b| b.as_ref());
            let bytes = bytes(file.blob.as_str(), blob, &mut room);
            JudgedFile { path: file.path.clone(), bytes }
        });
        let files: Vec<_> = files.collect();
        let sha = Material { files: &files }.sha();
        Content { commit: commit.id.clone(), author: commit.author.clone(), files, sha }
    };
    Ok(commits.iter().map(content).collect())
}

/// The bytes of a file, or as many as there is room for. What is left out is said with its id, so
/// that two contents which differ only there are two.
fn bytes(id: &str, blob: Option<&Blob>, room: &mut usize) -> Vec<u8> {
    let Some(blob) = blob.filter(|b| b.kind == ObjectKind::Blob) else {
        return format!("[the content of {id} is not in this clone]\n").into_bytes();
    };
    let fits = blob.bytes.len().min(*room);
    *room -= fits;
    let mut bytes = blob.bytes[..fits].to_vec();
    if (fits as u64) < blob.size {
        let rest = blob.size - fits as u64;
        bytes.extend(format!("\n[cut: {rest} further bytes of {id} are not read]\n").bytes());
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_too_large_is_cut_and_still_tells_one_content_from_another() {
        let blob = |size| Blob { kind: ObjectKind::Blob, size, bytes: b"0123456789".to_vec() };
        let mut room = 100;
        assert_eq!(bytes("a", Some(&blob(10)), &mut room), b"0123456789");
        assert_eq!(room, 90);
        let cut = |id: &str| bytes(id, Some(&blob(1 << 30)), &mut 100);
        assert!(cut("a").starts_with(b"0123456789\n[cut: 1073741814 further"));
        assert_ne!(cut("a"), cut("b"));
        assert!(bytes("a", Some(&blob(10)), &mut 4).starts_with(b"0123\n[cut: 6 further"));
        assert!(bytes("a", None, &mut 100).starts_with(b"[the content of a is not"));
    }
}
