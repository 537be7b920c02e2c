//! The commits of a push that are judged, and the files of each as they are in it.

use crate::engine::legibility::{absent_note, cut_note};
use crate::engine::prompt::{JudgedFile, Material};
use crate::engine::risk::RiskNote;
use crate::git::{self, Blob, CommitId, ObjectId, ObjectKind, Outgoing, Pushed, PushedFile};
use std::collections::{BTreeSet, HashMap, VecDeque};
use std::sync::Arc;

/// Most bytes of one file that are read. A judge is shown far less.
const MOST_FILE: u64 = 4 << 20;
/// Most bytes of the files of one commit that are read.
const MOST_COMMIT: u64 = 32 << 20;
/// Most bytes of contents that are held at the same time; one commit's always are.
const MOST_HELD: u64 = MOST_COMMIT;
/// What git writes around the contents of as many files as fit into a push, at the most.
const AROUND: u64 = 16 << 20;

/// What has to be judged together: the files of a commit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wanted {
    /// The commit.
    pub commit: CommitId,
    /// Its author's name; hostile text.
    pub author: String,
    /// Names of others who had a hand in the files, as who committed them; hostile too.
    pub others: Vec<String>,
    /// The files.
    pub files: Vec<PushedFile>,
    /// Watched paths beside them that are links or submodules, which nobody judges.
    pub links: Vec<Vec<u8>>,
    /// Why there is more in it than the files, which nobody judges: then it is no GO.
    pub unseen: Option<String>,
    /// The commit with the NO-GO in whose place the files stand, where they are judged for that one
    /// and are no commit's own.
    pub part_of: Option<CommitId>,
    /// How deep rules of risk have it judged, and why.
    pub risk: Option<RiskNote>,
}

/// What is judged of one commit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Content {
    /// Whose, and which files.
    pub of: Wanted,
    /// The files' bytes.
    pub files: Arc<[JudgedFile]>,
    /// Hash of them.
    pub sha: String,
}

impl Wanted {
    pub(super) fn new(commit: &Pushed) -> Self {
        let other = (commit.committer != commit.author).then(|| commit.committer.clone());
        Self {
            commit: commit.id.clone(),
            author: commit.author.clone(),
            others: other.into_iter().collect(),
            files: commit.files.clone(),
            links: commit.links.clone(),
            unseen: None,
            part_of: None,
            risk: None,
        }
    }

    /// A commit of which no file is judged; the links are named in place of files.
    pub(super) fn bare(commit: &Pushed) -> Self {
        let links = commit.links.iter().filter(|_| !commit.cut);
        let files = links.map(|path| PushedFile { path: path.clone(), blob: commit.id.clone() });
        Self { files: files.collect(), ..Self::new(commit) }
    }

    /// All who had a hand in it.
    pub fn people(&self) -> impl Iterator<Item = &str> {
        std::iter::once(&self.author).chain(&self.others).map(String::as_str)
    }

    /// Adds people who had a hand in it too.
    pub(super) fn also_by(&mut self, other: &Self) {
        for name in other.people() {
            if !self.people().any(|known| known == name) {
                self.others.push(name.to_owned());
            }
        }
    }

    /// Tells whether all of its files are among those of another, as they are there.
    pub(super) fn is_within(&self, other: &Self) -> bool {
        self.files.iter().all(|file| other.files.contains(file))
    }
}

/// Reads contents, as many at a time as may be held.
pub(super) struct Reader {
    /// What is not read yet.
    pub(super) left: VecDeque<Wanted>,
    blobs: Blobs,
}

enum Blobs {
    /// Nothing is known yet.
    Unknown,
    /// All of them are held.
    Held(HashMap<ObjectId, Blob>),
    /// They are too many bytes: their sizes.
    Sizes(HashMap<ObjectId, Blob>),
}

impl Reader {
    pub(super) fn new(wanted: Vec<Wanted>) -> Self {
        Self { left: wanted.into(), blobs: Blobs::Unknown }
    }

    /// The next contents; none where all are read. Where git fails, what should have been read is left.
    pub(super) fn next(&mut self, git: &Outgoing) -> Result<Vec<Content>, git::Error> {
        if self.left.is_empty() {
            return Ok(Vec::new());
        }
        if matches!(self.blobs, Blobs::Unknown) {
            self.blobs = self.look(git)?;
        }
        let (count, read) = match &self.blobs {
            Blobs::Held(_) | Blobs::Unknown => (self.left.len(), None),
            Blobs::Sizes(sizes) => {
                let count = self.fitting(sizes);
                (count, Some(self.read(git, count, sizes)?))
            }
        };
        let blobs = match (&read, &self.blobs) {
            (Some(read), _) => read,
            (None, Blobs::Held(all) | Blobs::Sizes(all)) => all,
            (None, Blobs::Unknown) => return Ok(Vec::new()),
        };
        Ok(self.left.drain(..count).map(|wanted| content(wanted, blobs)).collect())
    }

    /// One run of git gives all that a usual push has. Else the sizes are asked for first.
    fn look(&self, git: &Outgoing) -> Result<Blobs, git::Error> {
        let ids: BTreeSet<_> = self.left.iter().flat_map(|w| &w.files).map(|f| &f.blob).collect();
        let ids: Vec<_> = ids.into_iter().cloned().collect();
        let by_id = |blobs: Vec<Option<Blob>>| -> HashMap<_, _> {
            ids.iter().cloned().zip(blobs).filter_map(|(id, blob)| Some((id, blob?))).collect()
        };
        let Some(mut blobs) = git.objects(&ids, MOST_HELD)? else {
            return Ok(Blobs::Sizes(by_id(git.sizes(&ids)?)));
        };
        blobs.iter_mut().flatten().for_each(|blob| blob.bytes.truncate(MOST_FILE as usize));
        let blobs = by_id(blobs);
        // One blob may be in many commits, and each content has its own bytes.
        let all: u64 = self.left.iter().map(|wanted| held(wanted, &blobs)).sum();
        let without = |blob: &mut Blob| blob.bytes = Vec::new();
        Ok(if all <= MOST_HELD {
            Blobs::Held(blobs)
        } else {
            let mut sizes = blobs;
            sizes.values_mut().for_each(without);
            Blobs::Sizes(sizes)
        })
    }

    /// How many of what is left may be held together; at least one.
    fn fitting(&self, sizes: &HashMap<ObjectId, Blob>) -> usize {
        let sums = self.left.iter().scan(0, |sum, wanted| {
            *sum += held(wanted, sizes);
            Some(*sum)
        });
        sums.take_while(|sum| *sum <= MOST_HELD).count().max(1)
    }

    /// The blobs of so many contents, of each as much as is held.
    fn read(
        &self,
        git: &Outgoing,
        count: usize,
        sizes: &HashMap<ObjectId, Blob>,
    ) -> Result<HashMap<ObjectId, Blob>, git::Error> {
        let mut most: HashMap<&ObjectId, u64> = HashMap::new();
        for wanted in self.left.iter().take(count) {
            for (id, bytes) in shares(wanted, sizes) {
                let most = most.entry(id).or_default();
                *most = (*most).max(bytes);
            }
        }
        let is_whole = |id: &ObjectId| sizes.get(id).map(|blob| blob.size) == most.get(id).copied();
        let whole: Vec<_> = most.keys().filter(|id| is_whole(id)).map(|id| (*id).clone()).collect();
        let objects = git.objects(&whole, MOST_HELD + AROUND)?.unwrap_or_default();
        let objects = whole.into_iter().zip(objects);
        let mut read: HashMap<_, _> = objects.filter_map(|(id, o)| Some((id, o?))).collect();
        for (id, most) in most {
            if let (None, Some(blob)) = (read.get(id), sizes.get(id)) {
                let bytes = if most == 0 { Vec::new() } else { git.beginning(id, most)? };
                read.insert(id.clone(), Blob { bytes, ..blob.clone() });
            }
        }
        Ok(read)
    }
}

/// Bytes of a content that are held.
fn held(wanted: &Wanted, sizes: &HashMap<ObjectId, Blob>) -> u64 {
    shares(wanted, sizes).map(|(_, bytes)| bytes).sum()
}

/// How many bytes of each file of a content are held. What is not here has none.
fn shares<'a>(
    wanted: &'a Wanted,
    sizes: &HashMap<ObjectId, Blob>,
) -> impl Iterator<Item = (&'a ObjectId, u64)> {
    let mut room = MOST_COMMIT;
    wanted.files.iter().filter_map(move |file| {
        let blob = sizes.get(&file.blob).filter(|b| b.kind == ObjectKind::Blob)?;
        let bytes = blob.size.min(MOST_FILE).min(room);
        room -= bytes;
        Some((&file.blob, bytes))
    })
}

fn content(of: Wanted, blobs: &HashMap<ObjectId, Blob>) -> Content {
    let mut room = MOST_COMMIT as usize;
    let files = of.files.iter().map(|file| {
        let blob = blobs.get(&file.blob).filter(|blob| blob.kind == ObjectKind::Blob);
        JudgedFile { path: file.path.clone(), bytes: bytes(file.blob.as_str(), blob, &mut room) }
    });
    let files: Arc<[JudgedFile]> = files.collect();
    let sha = Material::new(&files).sha();
    Content { of, files, sha }
}

/// The bytes of a file, or as many as there is room for. What is left out is said with its id, so
/// that two contents which differ only there are two.
fn bytes(id: &str, blob: Option<&Blob>, room: &mut usize) -> Vec<u8> {
    let Some(blob) = blob else { return absent_note(id).into_bytes() };
    let fits = blob.bytes.len().min(*room);
    *room -= fits;
    let mut bytes = blob.bytes[..fits].to_vec();
    if (fits as u64) < blob.size {
        bytes.extend(cut_note(blob.size - fits as u64, id).bytes());
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judging::Legible;

    fn id(n: usize) -> ObjectId {
        format!("{n:040x}").parse().unwrap()
    }

    fn wanted(blobs: &[usize]) -> Wanted {
        let file = |n: &usize| PushedFile { path: format!("{n}.md").into_bytes(), blob: id(*n) };
        Wanted {
            commit: CommitId::from_bytes("c".repeat(40).as_bytes()).unwrap(),
            author: "a".to_owned(),
            others: Vec::new(),
            files: blobs.iter().map(file).collect(),
            links: Vec::new(),
            unseen: None,
            part_of: None,
            risk: None,
        }
    }

    #[test]
    fn oversized_content_is_truncated_with_distinct_hash() {
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

    #[test]
    fn what_is_not_here_is_told_from_what_is_cut() {
        let blob = |size| Blob { kind: ObjectKind::Blob, size, bytes: b"text\n".to_vec() };
        let commit = Blob { kind: ObjectKind::Commit, ..blob(5) };
        let blobs = HashMap::from([(id(1), commit), (id(2), blob(5)), (id(3), blob(1 << 30))]);
        let read = content(wanted(&[1, 2, 3, 4]), &blobs);
        assert_eq!(read.files[1].bytes, b"text\n");
        let legible = Legible::new(&read.files);
        assert_eq!(legible.named(), "1.md is not in this clone, 4.md is not in this clone");
        assert_eq!(legible.files[2], read.files[2]);
    }

    #[test]
    fn only_so_many_bytes_are_held_at_the_same_time() {
        let blob = |size| Blob { kind: ObjectKind::Blob, size, bytes: Vec::new() };
        let sizes: HashMap<_, _> =
            (0..20).map(|n| (id(n), blob(if n == 0 { 1 << 40 } else { 4 << 20 }))).collect();
        assert_eq!(held(&wanted(&[0]), &sizes), MOST_FILE, "a large file is not read whole");
        let many: Vec<usize> = (0..20).collect();
        assert_eq!(held(&wanted(&many), &sizes), MOST_COMMIT);
        let kept: Vec<_> = shares(&wanted(&many), &sizes).map(|(_, bytes)| bytes).collect();
        assert_eq!(kept[7..10], [MOST_FILE, 0, 0]);
        let all = [wanted(&many), wanted(&[1, 2, 3]), wanted(&many[..6]), wanted(&[99])];
        let mut reader = Reader::new(all.to_vec());
        let mut counts = Vec::new();
        while !reader.left.is_empty() {
            let count = reader.fitting(&sizes);
            reader.left.drain(..count);
            counts.push(count);
        }
        assert_eq!(counts, [1, 1, 2]);
    }

    #[test]
    fn authors_and_committers_are_both_contributors() {
        let mut all = wanted(&[1, 2]);
        let mut part = Wanted { others: vec!["b".to_owned()], ..wanted(&[2]) };
        all.also_by(&part);
        assert_eq!(all.people().collect::<Vec<_>>(), ["a", "b"]);
        assert!(part.is_within(&all) && !all.is_within(&part));
        part.files[0].path = b"other.md".to_vec();
        assert!(!part.is_within(&all));
    }
}
