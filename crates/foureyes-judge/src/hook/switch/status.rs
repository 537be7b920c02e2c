//! Which mode holds, and what says so.

use super::{Found, Place, Switch};
use crate::config::HookMode;
use crate::domain::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What says which mode holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Source {
    /// The switch.
    Switch,
    /// The switch blocked until a time that has passed: advisory holds.
    SwitchOver,
    /// A switch that cannot be read: advisory holds.
    SwitchDamaged,
    /// The script in the repository.
    Script,
    /// The configuration.
    Configuration,
}

/// Which mode holds at a time, and all that speaks of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ModeStatus {
    /// The mode that holds.
    pub mode: HookMode,
    /// What says so.
    pub from: Source,
    /// The switch, where it was ever turned.
    pub switch: Option<Switch>,
    /// What is wrong with the switch, where it cannot be read.
    pub damaged: Option<String>,
    /// The mode of the configuration.
    pub configured: HookMode,
    /// The mode that the script in a repository sets; `null` where it sets none.
    pub script: Option<HookMode>,
    /// The file of the switch.
    pub file: String,
}

impl ModeStatus {
    /// Reads the switch and decides. Of a trial that is over nothing is said: what stood before holds.
    ///
    /// The switch comes before script and configuration. Whatever it says, advisory in the script
    /// of a repository stays advisory: whoever wrote it there wants no push of that repository
    /// stopped. Without a switch the script comes before the configuration.
    pub fn new(
        place: &Place,
        configured: HookMode,
        script: Option<HookMode>,
        now: Timestamp,
    ) -> Self {
        let found = place.read().at(now);
        let (mode, from) = decide(&found, configured, script, now);
        let (switch, damaged) = match found {
            Found::Nothing => (None, None),
            Found::Switch(switch) => (Some(switch), None),
            Found::Damaged(why) => (None, Some(why)),
        };
        let file = place.file().display().to_string();
        Self { mode, from, switch, damaged, configured, script, file }
    }
}

fn decide(
    found: &Found,
    configured: HookMode,
    script: Option<HookMode>,
    now: Timestamp,
) -> (HookMode, Source) {
    match (found, script) {
        (Found::Damaged(_), _) => (HookMode::Advisory, Source::SwitchDamaged),
        (Found::Switch(s), _) if s.mode == HookMode::Advisory => (s.mode, Source::Switch),
        (Found::Switch(s), _) if s.until.is_some_and(|until| until <= now) => {
            (HookMode::Advisory, Source::SwitchOver)
        }
        (Found::Switch(_), Some(HookMode::Advisory)) => (HookMode::Advisory, Source::Script),
        (Found::Switch(_), _) => (HookMode::Blocking, Source::Switch),
        (Found::Nothing, Some(script)) => (script, Source::Script),
        (Found::Nothing, None) => (configured, Source::Configuration),
    }
}

/// Which mode a machine is in: what `hook mode` prints.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ModeReport {
    /// `foureyes/hook-mode/1`.
    pub schema: String,
    /// Whether the switch was turned by this command.
    pub turned: bool,
    /// Which mode holds, and what says so.
    #[serde(flatten)]
    pub status: ModeStatus,
}
