//! The same four questions line by line.

use super::questions::Questions;
use super::texts;
use crate::domain::review::Draw;
use crate::first_start::{CountedFrom, Reached, Sampled};
use crate::text::counted;

impl Questions {
    /// What is asked at a number from 1 to 4, with its default; `None` where there is nothing to ask.
    pub fn prompt(&self, number: u8) -> Option<String> {
        let question = match number {
            1 => self.logs_prompt(),
            2 => self.days_prompt()?,
            3 => self.each_day_prompt(),
            _ => self.blocking_prompt(),
        };
        Some(format!("{number} of 4. {question}"))
    }

    /// Takes what was typed at a number from 1 to 4; nothing means the default.
    ///
    /// # Errors
    /// Why it cannot be taken.
    pub fn reply(&mut self, number: u8, text: &str) -> Result<(), String> {
        let text = text.trim();
        match number {
            1 => self.take_logs(text),
            2 => self.take_days(text),
            3 => self.take_each_day(text),
            _ => self.take_blocking(text),
        }
    }

    /// What each place answered, a line each; what to do about a refusal is in the line.
    pub fn reports(&self) -> Vec<String> {
        let report = |one: &crate::first_start::Candidate| {
            let answer = texts::answer(&one.reached, self.now);
            match &one.reached {
                Reached::Refused { next, .. } if !next.is_empty() => {
                    format!("{}: {answer}; {next}.", one.source.name)
                }
                _ => format!("{}: {answer}.", one.source.name),
            }
        };
        self.answers.candidates.iter().map(report).collect()
    }

    fn chosen_names(&self) -> Vec<&str> {
        self.answers.chosen().map(|one| one.source.name.as_str()).collect()
    }

    fn logs_prompt(&self) -> String {
        let default = self.chosen_names().join(" ");
        format!("{} Hosts or paths, separated by blanks. [{default}]", texts::LOGS)
    }

    fn take_logs(&mut self, text: &str) -> Result<(), String> {
        let given: Vec<&str> = text.split([' ', ',']).filter(|part| !part.is_empty()).collect();
        let mut chosen = Vec::new();
        for part in &given {
            let known = self.answers.candidates.iter().position(|one| one.source.name == **part);
            let at = match known {
                Some(at) => at,
                None => self.add(part)?,
            };
            chosen.push(at);
        }
        if !given.is_empty() {
            for (at, one) in self.answers.candidates.iter_mut().enumerate() {
                one.chosen = chosen.contains(&at);
            }
        }
        match self.chosen_names().is_empty() {
            true => Err(texts::NO_PLACE.to_owned()),
            false => Ok(()),
        }
    }

    fn days_prompt(&self) -> Option<String> {
        let survey = self.survey.as_ref()?;
        let offer = survey.offer.as_ref()?;
        let first = texts::from_first(offer.start.from, self.now);
        let plans = [Draw::All, Draw::Thin].into_iter().zip(&survey.prices);
        let plans = plans.map(|(draw, price)| {
            let [labels, time, better, good] = texts::price(price);
            let share = texts::plan(draw, price.rate);
            format!(
                "{} ({share}): {labels} labels, about {time}; READY in {better} of cases if it misses \
                 0.4 %, {good} if 1 %.",
                draw.as_str()
            )
        });
        let plans = plans.collect::<Vec<_>>().join(" ");
        let default = if survey.prices.len() > 1 { "thin" } else { "all" };
        Some(format!(
            "{} Either {first}: {plans} Or {}: say today. [{default}]",
            texts::DAYS,
            texts::TODAY
        ))
    }

    fn take_days(&mut self, text: &str) -> Result<(), String> {
        self.answers.counted = match text.to_lowercase().as_str() {
            "" | "thin" => CountedFrom::FirstRecord(Draw::Thin),
            "all" => CountedFrom::FirstRecord(Draw::All),
            "today" => CountedFrom::Today,
            _ => return Err("say all, thin or today".to_owned()),
        };
        Ok(())
    }

    fn each_day_prompt(&self) -> String {
        let traffic = self.survey.as_ref().and_then(|survey| survey.traffic);
        let minutes = traffic.map_or_else(String::new, |traffic| {
            let minutes = traffic.minutes_per_day(Sampled::All);
            format!(" All is {} a day.", counted(minutes, "minute", "minutes"))
        });
        let forecasts = self.forecasts.filter(|_| self.lacks_days());
        let forecast = forecasts.map_or_else(String::new, |[all, ..]| {
            let [half, most] = [all.half, all.most].map(|day| texts::ready_by(Sampled::All, day));
            format!(" All: READY by {half} in half of cases, by {most} in 95 %.")
        });
        let question = "From now on, label what passes: all, half, a quarter, none?";
        format!("{question}{minutes}{forecast} [all]")
    }

    fn take_each_day(&mut self, text: &str) -> Result<(), String> {
        self.answers.sampled = match text.to_lowercase().trim_start_matches("a ") {
            "" | "all" => Sampled::All,
            "half" => Sampled::Half,
            "quarter" => Sampled::Quarter,
            "none" => Sampled::Nothing,
            _ => return Err("say all, half, a quarter or none".to_owned()),
        };
        Ok(())
    }

    fn blocking_prompt(&self) -> String {
        let names = self.chosen_names().join(", ");
        format!("{} {names}; {}. [none]", texts::BLOCKING, texts::NOTHING_ON)
    }

    fn take_blocking(&mut self, text: &str) -> Result<(), String> {
        let given: Vec<&str> = text.split([' ', ',']).filter(|part| !part.is_empty()).collect();
        let given = if given == ["none"] { Vec::new() } else { given };
        let chosen = self.chosen_names();
        if let Some(other) = given.iter().find(|part| !chosen.contains(part)) {
            return Err(format!("no box `{other}` was chosen"));
        }
        for one in &mut self.answers.candidates {
            one.source.may_block = given.contains(&one.source.name.as_str());
        }
        Ok(())
    }
}
