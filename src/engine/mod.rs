//! What a judgement is, without asking anyone: rubric, prompt, reading of an answer, four eyes.
//!
//! Pure: texts and values in, texts and values out. `crate::judging` asks.
