//! A panic gives the terminal back before anything is printed.

use super::guard::current;
use super::shutdown;
use crate::tui::input::{Input, PANIC_CODE};
use std::sync::Once;

static ONCE: Once = Once::new();

/// Puts itself before the hook that is there, which prints the report.
///
/// A panic is a bug wherever it happens, so the process ends: by itself where the loop panicked or
/// is informed, and in any case soon.
pub(super) fn install() {
    ONCE.call_once(|| {
        let report = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |about| {
            let Some(guard) = current() else { return report(about) };
            shutdown::end_child(guard);
            shutdown::give_back(guard);
            report(about);
            guard.outlet.system(Input::Panicked);
            shutdown::end_soon(guard, PANIC_CODE);
        }));
    });
}
