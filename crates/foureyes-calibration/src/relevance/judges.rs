//! Which judge each pick is of.

use super::{Pick, Source};
use crate::domain::review::PickJudge;
use std::collections::HashMap;

/// The judges of picks.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Judges {
    /// Each once.
    all: Vec<PickJudge>,
    /// The place of that of each pick among them; `None` where no judge was to be asked.
    places: Vec<Option<usize>>,
}

impl Judges {
    /// Those of picks, given the oldest first.
    ///
    /// A record that does not name the model that was asked or that answered (a fallback never names the
    /// latter) is of the judge of the next record that does, or, behind the last one, of the one before. One
    /// that does not name its question is of a judge of its own.
    pub fn new(picks: &[Pick]) -> Self {
        let was_asked = |pick: &&Pick| matches!(pick.source, Source::Judge | Source::Fallback);
        let asked: Vec<&Pick> = picks.iter().filter(was_asked).collect();
        let named = |pick: &&Pick| pick.judge.model.clone();
        let models = filled(&vec![(); asked.len()], &asked.iter().map(named).collect::<Vec<_>>());
        let prompts = asked.iter().map(|pick| pick.judge.prompt_sha.clone());
        let keys: Vec<_> = models.into_iter().zip(prompts).collect();
        let served = asked.iter().map(|pick| pick.judge.served_model.clone());
        let served = filled(&keys, &served.collect::<Vec<_>>());
        let mut each = keys.iter().zip(&served).map(|((model, prompt), served)| {
            PickJudge::new([model.as_deref(), served.as_deref(), prompt.as_deref()])
        });
        let mut judges = Self::default();
        let mut places = HashMap::new();
        for pick in picks {
            let judge = was_asked(&pick).then(|| each.next()).flatten();
            let place = judge.map(|judge| judges.place(&mut places, judge));
            judges.places.push(place);
        }
        judges
    }

    fn place(&mut self, places: &mut HashMap<PickJudge, usize>, judge: PickJudge) -> usize {
        *places.entry(judge).or_insert_with_key(|judge| {
            self.all.push(judge.clone());
            self.all.len() - 1
        })
    }

    /// The judge of the pick at a place; `None` where no judge was to be asked.
    pub fn judge_at(&self, place: usize) -> Option<&PickJudge> {
        self.all.get((*self.places.get(place)?)?)
    }
}

/// Fills what is missing from the next that has the same key, else from the last one.
fn filled<K: Eq + std::hash::Hash>(keys: &[K], parts: &[Option<String>]) -> Vec<Option<String>> {
    let mut filled = parts.to_vec();
    let pass = |order: &mut dyn Iterator<Item = (&K, &mut Option<String>)>| {
        let mut last: HashMap<&K, String> = HashMap::new();
        for (key, part) in order {
            match part {
                Some(name) => drop(last.insert(key, name.clone())),
                None => *part = last.get(key).cloned(),
            }
        }
    };
    pass(&mut keys.iter().zip(filled.iter_mut()).rev());
    pass(&mut keys.iter().zip(filled.iter_mut()));
    filled
}
