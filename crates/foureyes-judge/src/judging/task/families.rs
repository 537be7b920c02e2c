//! Whether the judges of one run are of different families.

use super::Judges;
use crate::engine::four_eyes::Families;
use crate::engine::panel::Tier;

/// Whether two models are known to be of different families.
pub(super) fn apart(families: &Families, one: &str, other: &str) -> bool {
    let (one, other) = (families.of_model(one), families.of_model(other));
    !one.is_empty() && !other.is_empty() && one.iter().all(|name| !other.contains(name))
}

/// Whether judges that answered are known to be of different families; each with the model that served,
/// where that is known.
pub fn are_distinct(judges: &Judges, answered: &[(Tier, Option<String>)]) -> bool {
    let model = |(tier, served): &(Tier, Option<String>)| {
        served.clone().unwrap_or_else(|| judges.get(*tier).model.clone())
    };
    answered.iter().enumerate().all(|(at, one)| {
        let families = &judges.get(one.0).families;
        let others = answered.iter().skip(at + 1);
        others.into_iter().all(|other| apart(families, &model(one), &model(other)))
    })
}

/// Why the judges that may be asked are not known to be of different families, in a sentence; `None`
/// where they are.
pub fn distinct(judges: &Judges) -> Option<String> {
    let pairs = [
        (Tier::Quick, Tier::Deep),
        (Tier::Quick, Tier::Tiebreaker),
        (Tier::Deep, Tier::Tiebreaker),
    ];
    let (a, b) = pairs.into_iter().find(|(a, b)| {
        let (a, b) = (judges.get(*a), judges.get(*b));
        !apart(&a.families, &a.model, &b.model)
    })?;
    Some(format!(
        "The judges {} ({}) and {} ({}) are not known to be of different families.",
        a.name(),
        judges.get(a).model,
        b.name(),
        judges.get(b).model,
    ))
}
