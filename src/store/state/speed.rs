//! How fast the link to a box was, and what follows from it.

use serde::{Deserialize, Serialize};

/// How logs travel.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Way {
    /// Compressed well.
    #[default]
    Packed,
    /// Compressed lightly, in half the time.
    Quick,
    /// As they are.
    Plain,
}

/// What the link to a box brought of late, in bytes of logs a second.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Written", into = "Written")]
pub struct Speed {
    /// Compressed well on the way; `None` where nobody measured it.
    pub packed: Option<u64>,
    /// Compressed lightly; `None` where nobody measured it.
    pub quick: Option<u64>,
    /// As they are; `None` where nobody measured it.
    pub plain: Option<u64>,
    /// How they come.
    pub way: Way,
    /// Pulls that brought much since all were measured.
    pub pulls: u32,
}

/// As it stands in the file. Programs that know two ways only read and write it too: to them
/// what comes quickly comes packed.
#[derive(Serialize, Deserialize)]
struct Written {
    packed: Option<u64>,
    #[serde(default)]
    quick: Option<u64>,
    plain: Option<u64>,
    plainly: bool,
    #[serde(default)]
    quickly: bool,
    pulls: u32,
}

impl From<Written> for Speed {
    fn from(written: Written) -> Self {
        let way = match (written.plainly, written.quickly) {
            (true, _) => Way::Plain,
            (false, true) => Way::Quick,
            (false, false) => Way::Packed,
        };
        let Written { packed, quick, plain, pulls, .. } = written;
        Self { packed, quick, plain, way, pulls }
    }
}

impl From<Speed> for Written {
    fn from(speed: Speed) -> Self {
        let Speed { packed, quick, plain, way, pulls } = speed;
        let (plainly, quickly) = (way == Way::Plain, way == Way::Quick);
        Self { packed, quick, plain, plainly, quickly, pulls }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_way_is_read_as_it_was_written() {
        for way in [Way::Packed, Way::Quick, Way::Plain] {
            let speed = Speed { packed: Some(1), quick: Some(2), plain: None, way, pulls: 3 };
            let text = serde_json::to_string(&speed).unwrap();
            assert_eq!(serde_json::from_str::<Speed>(&text).unwrap(), speed, "{text}");
        }
    }

    #[test]
    fn what_a_program_with_two_ways_wrote_is_read() {
        let read = |text| serde_json::from_str::<Speed>(text).unwrap();
        let old = r#"{"packed":5,"plain":7,"plainly":true,"pulls":2}"#;
        let speed =
            Speed { packed: Some(5), quick: None, plain: Some(7), way: Way::Plain, pulls: 2 };
        assert_eq!(read(old), speed);
        let old = r#"{"packed":5,"plain":null,"plainly":false,"pulls":0}"#;
        assert_eq!(read(old), Speed { packed: Some(5), ..Speed::default() });
    }

    #[test]
    fn a_program_with_two_ways_reads_what_is_written() {
        /// As it was before there was a third way.
        #[derive(Debug, PartialEq, Deserialize)]
        struct Old {
            packed: Option<u64>,
            plain: Option<u64>,
            plainly: bool,
            pulls: u32,
        }
        let way = Way::Quick;
        let speed = Speed { packed: Some(5), quick: Some(9), plain: Some(7), way, pulls: 2 };
        let old: Old = serde_json::from_str(&serde_json::to_string(&speed).unwrap()).unwrap();
        assert_eq!(old, Old { packed: Some(5), plain: Some(7), plainly: false, pulls: 2 });
    }
}
