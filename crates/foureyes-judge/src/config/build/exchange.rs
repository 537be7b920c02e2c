//! Where ledgers are exchanged.

use super::super::ExchangeConfig;
use super::super::at::At;
use super::super::file::{FileBox, FileExchange};
use super::super::rules;
use super::Builder;

impl Builder<'_> {
    pub(super) fn exchange(
        &mut self,
        file: Option<&FileExchange>,
        boxes: &[At<FileBox>],
    ) -> ExchangeConfig {
        let Some(f) = file else { return ExchangeConfig::default() };
        let box_name = f.on_box.as_ref().map(|at| {
            self.came("exchange.box", at);
            if !boxes.iter().any(|b| b.get().name == *at) {
                self.refuse("exchange.box", at, "no box has this name");
            }
            at.get().clone()
        });
        let local = |b: &At<FileBox>| b.get().local.as_ref().is_some_and(|l| *l.get());
        let named = |b: &&At<FileBox>| box_name.as_deref() == Some(b.get().name.get().as_str());
        let here = box_name.is_none() || boxes.iter().find(named).is_some_and(local);
        let path = f.path.as_ref().and_then(|at| {
            self.came("exchange.path", at);
            let text = self.text("exchange.path", at, rules::rooted)?;
            let place = self.place_of_log(&text, here);
            if place.is_none() {
                self.refuse("exchange.path", at, "the home directory is not known");
            }
            place
        });
        ExchangeConfig { box_name, path }
    }
}
