//! The judge that the newest records of the demo are of, and its boxes, which have that judge.

use super::recipe::Recipe;
use super::{CONFIG, Error, push};
use std::path::{Path, PathBuf};

/// Stands beside demo data that were made whole.
pub const MADE: &str = ".made";
/// Below the directory of the demo data: a home for each box.
const HOMES: &str = "boxes";

/// Who judged the newest records, and whose pushes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DemoJudge {
    /// The model that is asked for.
    pub model: String,
    /// The model that answers.
    pub served_model: String,
    /// Which question they name: 16 hexadecimal digits.
    pub prompt_sha: String,
    /// Committers whose pushes are judged.
    pub agents: Vec<String>,
}

impl DemoJudge {
    /// Reads it out of the embedded vocabulary.
    ///
    /// # Errors
    /// [`Error::Recipe`].
    pub fn load() -> Result<Self, Error> {
        let Recipe { route, served: [_, served_model], agents, .. } = Recipe::load()?;
        let prompt_sha = format!("{:016x}", push::LAST_PROMPT);
        Ok(Self { model: route, served_model, prompt_sha, agents })
    }
}

/// The directory below demo data that holds the homes of their boxes.
pub fn homes(demo: &Path) -> PathBuf {
    demo.join(HOMES)
}

/// Whether a home is that of a box of the demo: below data that it made.
pub fn is_demo_box(home: &Path) -> bool {
    let demo = home.ancestors().nth(2).filter(|demo| home.parent() == Some(&homes(demo)));
    demo.is_some_and(|demo| [MADE, CONFIG].iter().all(|name| demo.join(name).is_file()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_home_below_demo_data_is_a_demo_box() {
        let dir = tempfile::tempdir().unwrap();
        let home = homes(dir.path()).join("attic");
        std::fs::create_dir_all(&home).unwrap();
        std::fs::write(dir.path().join(CONFIG), b"").unwrap();
        assert!(!is_demo_box(&home), "not made whole");
        std::fs::write(dir.path().join(MADE), b"").unwrap();
        assert!(is_demo_box(&home));
        for other in [dir.path(), home.parent().unwrap(), &home.join("x"), Path::new("/")] {
            assert!(!is_demo_box(other), "{}", other.display());
        }
    }

    #[test]
    fn judge_is_the_one_of_the_newest_records() {
        let judge = DemoJudge::load().unwrap();
        assert_eq!(judge.prompt_sha.len(), 16);
        assert_eq!((judge.model.as_str(), judge.agents.is_empty()), ("fastest", false));
    }
}
