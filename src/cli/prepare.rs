//! Making a context ready: the demo where it is asked for, and the configuration.

use super::{Context, Failure, Global, operator};

impl Context {
    /// Turns to the data and the configuration of the demo, where `--demo` asks for it.
    pub(super) fn enter_demo(&mut self) -> Result<(), Failure> {
        if self.global.demo { operator::enter_demo(self) } else { Ok(()) }
    }

    /// A context as far as it is there already: nothing is made, asked for or printed. `None` where the
    /// configuration cannot be used, and for a demo whose data are not there.
    pub(super) fn as_it_is(global: Global) -> Option<Self> {
        let mut context = Self::new(global).ok()?;
        if context.global.demo && !operator::enter_made_demo(&mut context) {
            return None;
        }
        context.config = crate::config::load(&context.sources()).ok()?.config;
        Some(context)
    }

    /// All of it: the demo where it is asked for, and the configuration.
    pub(super) fn prepare(&mut self) -> Result<(), Failure> {
        self.enter_demo()?;
        self.load_config()?;
        if self.global.demo {
            operator::introduce(self);
        }
        Ok(())
    }
}
