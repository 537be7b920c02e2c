//! Teams of an organisation, and whose a record is.

/// What the records of a team have. One of the lists is enough.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Team {
    /// Its name.
    pub name: String,
    /// Names of its boxes.
    pub boxes: Vec<String>,
    /// Its agents, as their records name the author.
    pub agents: Vec<String>,
    /// Beginnings of paths of its files.
    pub paths: Vec<String>,
}

/// The first of some teams that a record is of. Of the files of a record it is enough to know with which of
/// the `paths` they begin.
pub fn team_of<'t, 'f>(
    teams: &'t [Team],
    box_name: &str,
    author: Option<&str>,
    files: impl IntoIterator<Item = &'f str> + Clone,
) -> Option<&'t str> {
    let owns = |team: &&Team| {
        team.boxes.iter().any(|name| name == box_name)
            || team.agents.iter().any(|name| Some(name.as_str()) == author)
            || begins(&team.paths, files.clone())
    };
    teams.iter().find(owns).map(|team| team.name.as_str())
}

/// Whether one of some files begins with one of some texts.
pub fn begins<'f>(prefixes: &[String], files: impl IntoIterator<Item = &'f str>) -> bool {
    files.into_iter().any(|file| prefixes.iter().any(|prefix| file.starts_with(prefix.as_str())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn record_is_of_the_first_team_that_has_its_box_agent_or_path() {
        let team = |name: &str, boxes: &[&str], agents: &[&str], paths: &[&str]| {
            let own = |all: &[&str]| all.iter().map(|text| (*text).to_owned()).collect();
            let name = name.to_owned();
            Team { name, boxes: own(boxes), agents: own(agents), paths: own(paths) }
        };
        let teams = [team("a", &[], &["Ann"], &["research/"]), team("b", &["small"], &[], &[])];
        let of = |name, author, files: &[&'static str]| {
            team_of(&teams, name, author, files.iter().copied())
        };
        assert_eq!(of("small", None, &["x.md"]), Some("b"));
        assert_eq!(of("small", Some("Ann"), &[]), Some("a"), "the first of them");
        assert_eq!(of("big", None, &["x.md", "research/y.md"]), Some("a"));
        assert_eq!(of("big", Some("ann"), &["old/research/y.md"]), None);
    }
}
