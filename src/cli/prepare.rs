//! Making a context ready: the demo where it is asked for, and the configuration.

use super::{Context, Failure, operator};

impl Context {
    /// Turns to the data and the configuration of the demo, where `--demo` asks for it.
    pub(super) fn enter_demo(&mut self) -> Result<(), Failure> {
        if self.global.demo { operator::enter_demo(self) } else { Ok(()) }
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
