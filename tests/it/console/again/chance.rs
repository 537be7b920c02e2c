//! What the outside may answer, for a console that is used by chance.

use crate::http;
use foureyes::domain::Outcome;
use foureyes::domain::review::{Dated, Evaluated, PromptSource, PromptUsed};
use foureyes::engine::cost::Prices;
use foureyes::engine::four_eyes::{Families, Rule};
use foureyes::judging::{File, Item};
use foureyes::tui::Message;
use foureyes::tui::judging::{
    BoxQuestion, Contents, Do, Offer, Origin, PromptOffer, Ready, Told, What,
};
use foureyes::tui::model::Problem;
use std::sync::Arc;

/// An answer to what was asked, or to something else by `shift`.
pub(in crate::console) fn answer(act: Do, by: u64, fails: bool, shift: u64) -> Option<Message> {
    let problem = || Problem::new("it cannot be asked", "try again");
    let told = match act {
        Do::Prepare { what, generation } => {
            let result = if fails { Err(problem()) } else { Ok(Arc::new(ready(&what, by))) };
            Told::Prepared { generation: generation + shift, result }
        }
        Do::FetchPrompt { box_name, form } => {
            let sha = "c".repeat(64);
            let used = PromptUsed { source: PromptSource::Box, name: Some(box_name.clone()), sha };
            let origin = match by % 2 {
                0 => Origin::Program,
                _ => Origin::File { path: "\u{1b}[2J".to_owned(), why: "\u{202e}".to_owned() },
            };
            let result = if fails { Err(problem()) } else { Ok(BoxQuestion { used, origin }) };
            Told::Prompt { form: form + shift, box_name, result }
        }
        Do::Forget => return None,
        Do::Models { form } => {
            let names = ["judge-a", "\u{1b}[2J\u{202e}b", ""].map(str::to_owned).to_vec();
            let result = if fails { Err(problem()) } else { Ok(Arc::new(names)) };
            Told::Models { form: form + shift, result }
        }
        Do::Begin(plan) => {
            let mut run = plan.run;
            run.0[0] = run.0[0].wrapping_add(shift as u8);
            let item = (by >> 8) as usize % (plan.items.len() + 1);
            match by % 5 {
                0 => Told::Began { run },
                1 => Told::Asked { run, item },
                2 => Told::Left { run, item, why: "stopped".into() },
                3 => {
                    let evaluation = match by % 2 {
                        0 => serde_json::json!({"verdict": "GO", "commit": "\u{1b}[2J"}),
                        _ => http::completion("no record"),
                    };
                    let prompt = plan.begun.prompt.clone();
                    let (item, cost) = (item as u32, Some(by as f64 / 1e20));
                    let what = Evaluated { run, item, record: None, prompt, cost, evaluation };
                    let (entry, time) = (run, foureyes::domain::Timestamp(0));
                    let said = Dated { entry, time, reviewer: "anna".to_owned(), what };
                    let unkept = fails.then(problem);
                    Told::Judged { run, said: Arc::new(said), spent: 1.0, unkept }
                }
                _ => {
                    let result = if fails { Err(problem()) } else { Ok(()) };
                    Told::Ended { run, result, said: None }
                }
            }
        }
        Do::Old { record, .. } => {
            Told::Old { record, result: if fails { Err(problem()) } else { Ok(None) } }
        }
        Do::Stop | Do::Drop => return None,
    };
    Some(Message::Judging(told))
}

fn ready(what: &What, by: u64) -> Ready {
    let count = match what {
        What::Records(records) => records.len(),
        What::File(_) => 1,
        What::Run(repeat) => repeat.begun.items.len(),
    };
    let one = |at: usize| {
        let file = File { path: b"a.md".to_vec(), bytes: vec![b'x'; by as usize % 2000] };
        let item = Item { files: [file].into(), ..Item::default() };
        let item = match (by >> 4) as usize % 3 == at % 3 {
            true => Err("\u{1b}[2J is gone".to_owned()),
            false => Ok(item),
        };
        let (name, paths) = ("\u{202e}name".to_owned(), vec!["a\u{7}.md".to_owned()]);
        let (record, was, author) = (None, Some(Outcome::NoGo), None);
        Contents { record, was, name, paths, author, item }
    };
    let prompt = |source, name: Option<&str>, sha: String| PromptOffer {
        used: PromptUsed { source, name: name.map(str::to_owned), sha },
        problem: None,
        origin: None,
    };
    let offer = Offer {
        endpoint: "\u{1b}]0;x\u{7}".to_owned(),
        model: "fastest".to_owned(),
        prompts: vec![
            prompt(PromptSource::Ours, None, "a".repeat(64)),
            prompt(PromptSource::Box, Some("small"), String::new()),
        ],
        families: Families::default(),
        rule: Rule::Refuse,
        prices: Prices::default(),
        cap: None,
        most_bytes: 1000,
        max_parts: 1,
        max_tokens: None,
        parallel: 4,
    };
    Ready { contents: (0..count).map(one).collect(), offer }
}
