//! Other rules, and parts, over what the decision rests on.

use super::{Ask, AssessError, Basis, Evaluations};
use crate::calibration::{self, Content, Contents, Part, Policy, Replay, Word};
use crate::config::Config;
use crate::domain::review::Present;
use crate::domain::team::team_of;
use crate::domain::{Distinct, Numbering};
use crate::frame::schema;
use crate::store::cache::Archive;
use schemars::JsonSchema;
use serde::Serialize;

/// By what the contents are told apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema, strum::VariantArray)]
#[serde(rename_all = "snake_case")]
pub enum Breakdown {
    /// The judge: asked and served model, prompt.
    Judge,
    /// Who wrote the content.
    Agent,
    /// The team of the configuration.
    Team,
    /// The repository of the configuration to which the box pushes.
    Repository,
    /// The first directory of its first file.
    Path,
    /// The box.
    Box,
    /// The ISO week, by the day on which it begins.
    Week,
}

impl Breakdown {
    /// All of them, in the order in which they are shown.
    pub const ALL: [Self; 7] = crate::domain::variants();

    /// The name on screens, in documents and on the command line.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Judge => "judge",
            Self::Agent => "agent",
            Self::Team => "team",
            Self::Repository => "repository",
            Self::Path => "path",
            Self::Box => "box",
            Self::Week => "week",
        }
    }

    /// Whether the configuration has what it tells apart.
    pub fn is_configured(self, config: &Config) -> bool {
        match self {
            Self::Team => !config.fleet.teams.is_empty(),
            Self::Repository => !config.repositories.is_empty(),
            Self::Judge | Self::Agent | Self::Path | Self::Box | Self::Week => true,
        }
    }
}

/// The contents of the window with what was said of them.
pub fn contents_of(all: &Evaluations, present: &Present, ask: &Ask<'_>) -> Contents {
    Basis::new(all, present, ask).contents(ask)
}

/// The labelled contents that the sample chose, each with the judge's scores.
pub fn replays(all: &Evaluations, contents: &[Content]) -> Vec<Replay> {
    let replay = |c: &Content| Replay::new(c, all.scores(all.find(c.id)?)?);
    contents.iter().filter_map(replay).collect()
}

/// Labels of what nobody drew, which count in no rate: acceptable, poor, unsure.
pub fn picked(contents: &[Content]) -> [u64; 3] {
    let of = |word| {
        let is = |c: &&Content| c.pi.is_none() && c.word == Some(word);
        contents.iter().filter(is).count() as u64
    };
    [of(Word::Acceptable), of(Word::Poor), of(Word::Unsure)]
}

/// The rates of parts of the window. They decide nothing; names of parts are raw text.
///
/// # Errors
/// A cache that cannot be read.
pub fn breakdown(
    archive: &Archive,
    all: &Evaluations,
    present: &Present,
    ask: &Ask<'_>,
    by: Breakdown,
    config: &Config,
) -> Result<Vec<Part>, AssessError> {
    Divided::new(all, present, ask).breakdown(archive, all, by, config)
}

/// The contents of the window, to be told apart by one thing after another.
#[derive(Debug, Clone)]
pub struct Divided {
    /// The contents.
    pub contents: Contents,
    pub(super) policy: Policy,
}

impl Divided {
    /// Those of these evaluations and labels.
    pub fn new(all: &Evaluations, present: &Present, ask: &Ask<'_>) -> Self {
        let basis = Basis::new(all, present, ask);
        Self { contents: basis.contents(ask), policy: basis.rules.policy }
    }

    /// The rates of their parts. They decide nothing; names of parts are raw text.
    ///
    /// # Errors
    /// A cache that cannot be read.
    pub fn breakdown(
        &self,
        archive: &Archive,
        all: &Evaluations,
        by: Breakdown,
        config: &Config,
    ) -> Result<Vec<Part>, AssessError> {
        let names = part_names(archive, all, &self.contents.places, by, config)?;
        let items = names.iter().map(String::as_str).zip(self.contents.each());
        Ok(calibration::breakdown(items, &self.policy))
    }
}

/// The names of the repositories to which a box pushes, in the order of the configuration.
fn repositories(config: &Config, box_name: &str) -> Option<String> {
    let of = config.repositories.iter().filter(|repository| {
        repository.boxes.is_empty() || repository.boxes.iter().any(|name| name == box_name)
    });
    let name = |path: &std::path::Path| path.file_name().map(|n| n.to_string_lossy().into_owned());
    let names: Vec<String> = of.filter_map(|repository| name(&repository.path)).collect();
    (!names.is_empty()).then(|| names.join(", "))
}

/// Makes the name of a part of a text.
type Derive = fn(Option<String>) -> Option<String>;

/// Evaluations of which texts are looked up at once.
const TOGETHER: usize = 1 << 17;

/// The part that each of some evaluations belongs to, by their places; raw text.
///
/// # Errors
/// A cache that cannot be read.
pub fn part_names(
    archive: &Archive,
    all: &Evaluations,
    places: &[u32],
    by: Breakdown,
    config: &Config,
) -> Result<Distinct<String>, AssessError> {
    let named = |name: Option<String>| name.unwrap_or_else(|| "(none)".to_owned());
    // Names are made before texts are numbered: there are few directories, but many lists of files.
    let text = |column: &str, of: Derive| -> Result<Distinct<Option<String>>, AssessError> {
        let (mut known, mut numbers) = (Numbering::default(), Vec::with_capacity(places.len()));
        for some in places.chunks(TOGETHER) {
            let rows = some.iter().filter_map(|at| all.row_at(*at as usize));
            let texts = archive.texts(&rows.collect::<Vec<_>>(), column)?;
            numbers.extend(texts.map(|text| known.number(of(text))).iter());
        }
        Ok(Distinct::new(known.values(), numbers))
    };
    let evaluations = || places.iter().map(|at| all.all().get(*at as usize));
    let boxes = || places.iter().map(|at| all.boxes().get(*at as usize).copied());
    let box_name = |at: Option<u32>| archive.boxes().get(at? as usize);
    Ok(match by {
        Breakdown::Judge => {
            let judges: Distinct<_> = evaluations().map(|e| e.map(|e| e.fingerprint)).collect();
            judges.map(|judge| named(judge_name(all, judge)))
        }
        Breakdown::Agent => text(schema::AUTHOR, |author| author)?.map(named),
        Breakdown::Path => text(schema::FILES, first_directory)?.map(named),
        Breakdown::Box => boxes().collect::<Distinct<_>>().map(|at| named(box_name(at).cloned())),
        Breakdown::Team => {
            let [authors, files] =
                [schema::AUTHOR, schema::FILES].map(|name| text(name, |text| text));
            let (authors, files) = (authors?, files?);
            let teams = config.fleet.listed_teams();
            let team =
                |((at, author), files): ((Option<u32>, &Option<String>), &Option<String>)| {
                    let files = files.as_deref().unwrap_or_default().split('\0');
                    let files = files.filter(|file| !file.is_empty());
                    let name = box_name(at).map_or("", String::as_str);
                    team_of(&teams, name, author.as_deref(), files).map(str::to_owned)
                };
            let teams: Distinct<_> =
                boxes().zip(authors.iter()).zip(files.iter()).map(team).collect();
            teams.map(named)
        }
        Breakdown::Repository => {
            let of = |at| repositories(config, box_name(at)?);
            boxes().collect::<Distinct<_>>().map(|at| named(of(at)))
        }
        Breakdown::Week => {
            let weeks: Distinct<_> = evaluations().map(|e| e.map(|e| e.at.monday())).collect();
            let name = |monday| crate::domain::Timestamp::of_day(monday).day_text();
            weeks.map(|monday| named(monday.map(name)))
        }
    })
}

pub(super) fn judge_name(all: &Evaluations, judge: Option<u32>) -> Option<String> {
    let judge = all.fingerprints().get(judge? as usize)?;
    let parts: Vec<&str> = judge.parts().into_iter().filter_map(|(_, part)| part).collect();
    Some(parts.join(" / "))
}

/// The first directory of the first of some files.
fn first_directory(files: Option<String>) -> Option<String> {
    let files = files?;
    let file = files.split('\0').find(|file| !file.is_empty())?;
    Some(file.split_once('/').map_or("./", |(directory, _)| directory).to_owned())
}
