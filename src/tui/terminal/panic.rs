//! A panic gives the terminal back before anything is printed.

use super::ending;
use super::guard::seat;
use crate::tui::input::{Input, PANIC_CODE};
use std::sync::Once;

static ONCE: Once = Once::new();

/// Puts itself before the hook that is there, which prints the report.
///
/// A panic is a bug wherever it happens, so the process ends: by itself where the loop panicked or
/// hears of it, and in any case soon.
pub(super) fn install() {
    ONCE.call_once(|| {
        let report = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |about| {
            let Some(seat) = seat() else { return report(about) };
            ending::end_child(seat);
            ending::give_back(seat);
            report(about);
            seat.outlet.system(Input::Panicked);
            ending::end_soon(seat, PANIC_CODE);
        }));
    });
}
